"""The kernels of sorts on one queue, which are built when they are first used, and the proof of what they make."""

from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from threading import local
from typing import Any

import pyopencl as cl

from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render
from clrng.proof.prove import MismatchError, apart, is_on, prove

ATTRIBUTE = "_clrng_order_kernels"
"""What the attribute of a queue is called."""

SMALL, LARGE = 307, 50_021
"""Values of the two examples by which a function is proved: odd numbers, and the second of several parts."""

TURNS = 3
"""Turns of a loop over a part, at least, in a large example."""


Check = Callable[[cl.CommandQueue, int], None]
"""Checks an example of a function on a queue, of so many values."""


class UnprovedError(Exception):
    """A kernel that has not been proved is about to be launched.

    Parameters
    ----------
    kernel : Kernel
    """

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.name)
        self.kernel = kernel


class _Looking(local):
    """Whether this thread looks for unproved kernels, and must not launch one."""

    now = False


_looking = _Looking()


class Kernels:
    """Kernels by their template and its values. Threads may share them.

    A queue holds them, and they do not hold the queue: they go when it goes.

    Attributes
    ----------
    rehearsed : set
        What `rehearse` has been asked for.
    """

    def __init__(self) -> None:
        self._kept: dict[Any, Kernel] = {}
        self.rehearsed: set[Hashable] = set()

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
        key = template, name, tuple(values.items())
        kernel = self._kept.get(key)
        if kernel is None:
            text = prelude() + render(f"order/{template}.cl.mako", **values)
            kernel = self._kept[key] = Kernel(queue.context, text, name)
        if not kernel.proved and _looking.now and kernel.key not in kernel.ledger:
            raise UnprovedError(kernel)
        return kernel(queue, *sizes, *arguments, wait_for=wait_for)


def kernels_of(queue: cl.CommandQueue) -> Kernels:
    """Return the kernels of `queue`, which holds them from now on."""
    found: Kernels | None = getattr(queue, ATTRIBUTE, None)
    if found is None:
        found = Kernels()
        setattr(queue, ATTRIBUTE, found)
    return found


def rehearse(queue: cl.CommandQueue, what: Hashable, check: Check, *larger: int) -> None:
    """Have all kernels proved that a function is about to launch, when it is first called in a way on a queue.

    Which kernels these are shows in a small example of the same call. Where it comes to one that has not been proved on
    the device, here or by an earlier process, it stops, and all that the example launches is proved.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    what : hashable
        The function, and all on which it depends which kernels it launches.
    check : callable
        Called with a queue and a number of values, does with so many of its own what the function is about to do, by
        the same kernels whatever the number, and raises `MismatchError` where the result is not right. The queue is
        not that of the user, whose work may wait for what comes after the call.
    *larger : int
        How many values further examples have.

    Raises
    ------
    WrongNumbersError
        If the result of an example is not right.
    """
    known = kernels_of(queue).rehearsed
    if what in known or not is_on():
        return
    own = apart(queue)
    setattr(own, ATTRIBUTE, kernels_of(queue))
    unproved = _unproved(partial(check, own, SMALL))
    if unproved is not None:

        def both() -> None:
            for n in (SMALL, LARGE, *larger):
                check(own, n)

        prove(queue, [unproved], both)
    known.add(what)


def _unproved(example: Callable[[], None]) -> Kernel | None:
    """Return the first kernel of a small example that has not been proved, or None."""
    _looking.now = True
    try:
        with suppress(MismatchError):  # what has been proved is not looked at again
            example()
    except UnprovedError as found:
        return found.kernel
    finally:
        _looking.now = False
    return None
