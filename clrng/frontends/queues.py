"""The queues, the devices and the allocators that front ends are given."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from clrng.errors import NoDeviceError
from clrng.opencl import contexts, devices, processes
from clrng.validation import shown

Queue = cl.CommandQueue | cl.Device | cl.Context | devices.DeviceInfo | int | str
"""What the front ends take as `queue`, beside None."""


def check_queue(value: Any, name: str = "queue") -> cl.CommandQueue:
    """Return `value` if it is a queue, or a new queue on the device that it stands for: None is the best one.

    Numbers and strings are those of `clrng.choose_device`. Errors call the argument `name`; a `ForkError` is raised in
    a process that was forked from one that used OpenCL before.
    """
    processes.check()
    queue = value if isinstance(value, cl.CommandQueue) else _new_queue(value, name)
    contexts.of_queue(queue)
    return queue


def _new_queue(value: Any, name: str) -> cl.CommandQueue:
    if value is None:
        return devices.make_queue()
    if isinstance(value, cl.Context):
        if len(value.devices) != 1:
            raise ValueError(f"{name} must be a context of one device, not one of {len(value.devices)} devices")
        return cl.CommandQueue(value)
    if isinstance(value, (cl.Device, devices.DeviceInfo)):
        return devices.queue_on(value.device if isinstance(value, devices.DeviceInfo) else value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer, str)):
        raise TypeError(
            f"{name} must be a pyopencl.CommandQueue, Context or Device, a clrng.DeviceInfo, what clrng.choose_device "
            f"takes, or None, not {shown(value)}"
        )
    try:
        return devices.make_queue(value if isinstance(value, str) else int(value))
    except NoDeviceError as error:
        raise NoDeviceError(f"{name} must be on a device that there is, not {shown(value)}: {error}") from None


def check_queues(values: Any) -> list[cl.CommandQueue]:
    """Return a queue for each of `values`; None stands for all GPUs, or the best device where there is none."""
    if values is None:
        working = [info for info in devices.list_devices("gpu") if info.fault is None]
        return [check_queue(info) for info in working or [devices.choose_device()]]
    legal = "a sequence of one queue or more, or of what clrng.Generator takes as queue"
    if not isinstance(values, Sequence) or isinstance(values, (str, bytes)):
        raise TypeError(f"queues must be {legal}, not {shown(values)}")
    if not values:
        raise ValueError(f"queues must be {legal}, not {shown(values)}")
    found: list[cl.CommandQueue] = []
    for i, value in enumerate(values):
        queue = check_queue(value, f"queues[{i}]")
        if queue in found:
            raise ValueError(
                f"queues[{i}] must be another queue than queues[{found.index(queue)}], not the same; a second queue of "
                f"the same device is legal"
            )
        found.append(queue)
    return found


def fixed(front: Any, elsewhere: str) -> AttributeError:
    """Return the error for assigning another queue to a front end; `elsewhere` says how to go on in that queue."""
    return AttributeError(f"queue of {type(front).__name__} cannot be changed; {elsewhere}")


class Allocator:
    """The attribute `allocator` of front ends: what gives the memory of the arrays that are returned, or None."""

    def __get__(self, front: Any, _: type | None = None) -> Any:
        return self if front is None else vars(front)["_allocator"]

    def __set__(self, front: Any, value: Any) -> None:
        if value is not None and not callable(value):
            raise TypeError(
                f"allocator must be an allocator of PyOpenCL such as pyopencl.tools.MemoryPool, or None, not "
                f"{shown(value)}"
            )
        vars(front)["_allocator"] = value
