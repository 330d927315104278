"""Kernels of graphs: launched on device arrays, with a work-item for each element."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.kernels import render

from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.kernel import Kernel, of_queue, whole_groups

GROUP_SIZE = 256
"""The work-items of a work-group, where a kernel may have so many."""

SPACING = 256
"""The elements of a permutation for each one that begins a piece."""

NONE = 2**32 - 1
"""What stands for no edge, no vertex or no piece."""


def _kernel(context: cl.Context, template: str, name: str) -> Kernel:
    return Kernel(context, render(f"graphs/{template}", spacing=SPACING, **walks_on(context.devices[0])), name)


def walks_on(device: cl.Device) -> dict[str, int]:
    """Return how many pieces a work-item walks through, and how many of them at a time.

    A core of a processor waits for memory less where it walks through several at a time; a GPU has other work-items.
    """
    return {"each": 64, "walks": 8} if device.type & cl.device_type.CPU else {"each": 1, "walks": 1}


def launch(template: str, name: str, items: int, *arguments: Any) -> None:
    """Launch a kernel of a template with at least `items` work-items, in the queue of the first array.

    Parameters
    ----------
    template, name : str
        The template in ``workloads/kernels/graphs``, and one of its kernels.
    items : int
    *arguments
        Those of the kernel, in its order: arrays and integers. The kernel waits for the events of the arrays, which get
        its own.
    """
    if not items:
        return
    arrays = [argument for argument in arguments if isinstance(argument, cla.Array)]
    queue = arrays[0].queue
    kernel = of_queue(queue).cached(_kernel)(template, name)
    group_size = min(GROUP_SIZE, kernel.largest_group)
    plain = [argument.data if isinstance(argument, cla.Array) else argument for argument in arguments]
    event = kernel(queue, whole_groups(items, group_size), group_size, *plain, wait_for=wait_list(*arrays))
    for array in arrays:
        array.add_event(event)


def filled(queue: cl.CommandQueue, size: int, value: int = 0, dtype: Any = np.uint32) -> cla.Array:
    """Return a new array of `size` times `value`; of uint32 or uint8."""
    made = empty(queue, size, dtype)
    launch("digraph", f"fill_{made.dtype}", size, made, size, value)
    return made


def empty(queue: cl.CommandQueue, size: int, dtype: Any = np.uint32) -> cla.Array:
    """Return a new array that a kernel is to fill."""
    return cla.Array(queue, (size,), dtype)


def numbers(queue: cl.CommandQueue, size: int) -> cla.Array:
    """Return a new array of 0, 1, ..., `size` - 1; uint32."""
    made = empty(queue, size)
    launch("digraph", "count_up", size, made, size)
    return made


def one(queue: cl.CommandQueue, value: int = 0) -> cla.Array:
    """Return a new array of one uint32."""
    return upload(queue, np.array([value], np.uint32))
