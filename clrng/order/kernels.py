"""Kernels of this room: built when first launched, and proved by examples of the same calls."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from threading import local
from typing import Any

import pyopencl as cl

from clrng.opencl import contexts, templates
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.order.examples import LARGE, SMALL, Call, Example, Examples, check
from clrng.proof.prove import MismatchError, apart, is_on, prove

Proof = tuple[Call, Examples]
"""What is launched, and examples of it."""


class UnprovedError(Exception):
    """A kernel that has not been proved is about to be launched."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.name)
        self.kernel = kernel


class _Looking(local):
    """Whether this thread looks for unproved kernels, and must not launch one."""

    now = False


_looking = _Looking()


def launch(
    queue: cl.CommandQueue, template: str, name: str, values: dict[str, Any], sizes: tuple[int, int],
    *arguments: Any, wait_for: list[cl.Event] | None, **named: Any,
) -> cl.Event:  # fmt: skip
    """Launch a kernel of a template of the folder ``order`` with `values`, and return the event.

    The sizes are work-items, and those of a work-group.
    """
    return kernel_for(queue, template, name, values)(queue, *sizes, *arguments, wait_for=wait_for, **named)


def kernel_for(queue: cl.CommandQueue, template: str, name: str, values: dict[str, Any]) -> Kernel:
    """Return the kernel that `launch` launches, for a function that is about to do so."""
    kernel = kernel_of(queue, name, templates.program, f"order/{template}.cl.mako", values=values)
    if not kernel.proved and _looking.now and kernel.key not in kernel.ledger:
        raise UnprovedError(kernel)
    return kernel


def _rehearsed(_: cl.Context) -> set[Hashable]:
    """Return what a context remembers of the calls of `rehearse`: at first nothing."""
    return set()


def rehearse(queue: cl.CommandQueue, what: Hashable, *proofs: Proof, larger: Sequence[int] = ()) -> None:
    """Have all kernels proved that a function is about to launch, unless such a call has come before.

    A small example of the same call shows which kernels these are. If it comes to one that has not been proved on the
    device, by this process or an earlier one, it stops, and all kernels that examples of every size launch are proved.

    `what` is the function, and all that decides which kernels it launches. The examples are launched on a queue of
    their own, not on that of the user, whose work may wait for what comes after the call.
    """
    known: set[Hashable] = contexts.of_queue(queue).cached(_rehearsed)()
    if what in known or not is_on():
        return
    own = apart(queue)

    def run(*sizes: int) -> None:
        for n in sizes:
            for call, examples in proofs:
                check(call, own, examples(n))

    unproved = _unproved(partial(run, SMALL))
    if unproved is not None:
        prove(queue, [unproved], partial(run, SMALL, LARGE, *larger))
    known.add(what)


def prove_by(queue: cl.CommandQueue, kernels: Sequence[Kernel], call: Call, examples: Iterable[Example]) -> None:
    """Have `kernels`, which `call` launches, proved by examples on a queue of their own."""
    if not all(kernel.proved for kernel in kernels):
        own = apart(queue)
        prove(queue, kernels, partial(check, call, own, examples))


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
