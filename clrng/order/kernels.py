"""The kernels of sorts on one queue, which are built when they are first used."""

from typing import Any

import pyopencl as cl

from clrng.codegen import source
from clrng.codegen.templates import render
from clrng.opencl.program import Kernel

ATTRIBUTE = "_clrng_order_kernels"
"""What the attribute of a queue is called."""


class Kernels:
    """Kernels by their template and its values. Threads may share them.

    A queue holds them, and they do not hold the queue: they go when it goes.
    """

    def __init__(self) -> None:
        self._kept: dict[Any, Kernel] = {}

    def launch(
        self, queue: cl.CommandQueue, template: str, name: str, values: dict[str, Any], sizes: tuple[int, int],
        *arguments: Any, wait_for: list[cl.Event] | None,
    ) -> cl.Event:  # fmt: skip
        """Launch a kernel and return the event.

        Parameters
        ----------
        queue : pyopencl.CommandQueue
        template : str
            In the folder ``order``.
        name : str
            The kernel.
        values : dict
            Those of the template.
        sizes : (int, int)
            Work-items, and those of a work-group.
        *arguments
            Those of the kernel.
        wait_for : list of pyopencl.Event, or None
        """
        key = template, name, tuple(sorted(values.items()))
        kernel = self._kept.get(key)
        if kernel is None:
            text = source.prelude() + render(f"order/{template}.cl.mako", **values)
            kernel = self._kept[key] = Kernel(queue.context, text, name)
        return kernel(queue, *sizes, *arguments, wait_for=wait_for)


def kernels_of(queue: cl.CommandQueue) -> Kernels:
    """Return the kernels of `queue`, which holds them from now on."""
    found: Kernels | None = getattr(queue, ATTRIBUTE, None)
    if found is None:
        found = Kernels()
        setattr(queue, ATTRIBUTE, found)
    return found
