"""Kernels of this room: built when first launched, and proved by examples, whose results NumPy computes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from operator import itemgetter
from threading import local
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import templates
from clrng.opencl.kernel import Kernel, kernel_of, of_queue, whole_groups
from clrng.order.arguments import offset_of
from clrng.proof.examples import Array, Call, Example, check
from clrng.proof.prove import MismatchError, apart, is_on, prove

GROUP_SIZE = 64
"""Work-items of a work-group of the kernels that do one thing with each value."""

SMALL, LARGE = 307, 50_021
"""The sizes of the two examples by which a function is proved: odd, and the second one of several parts."""

TURNS = 3
"""The minimum number of turns of a loop over a part in a large example."""

Examples = Callable[[int], Iterable[Example]]
"""Called with a size, returns examples of about so many values."""

Proof = tuple[Call, Examples]
"""What is launched, and examples of it."""

Prepared = TypeVar("Prepared")


class UnprovedError(Exception):
    """A kernel, its argument, that has not been proved is about to be launched."""


class _Looking(local):
    """Whether this thread looks for unproved kernels, and must not launch one."""

    now = False


_looking = _Looking()


class _Known:
    """What is known of a context: kernels that were asked for together, what has them, and the calls of `rehearse`."""

    def __init__(self, _: cl.Context) -> None:
        self.kernels: dict[Hashable, list[Kernel]] = {}
        self.prepared: dict[Hashable, Any] = {}
        self.rehearsed: set[Hashable] = set()


def group_sizes(items: int, queue: cl.CommandQueue) -> tuple[int, int]:
    """Return the global size, at least `items`, and the group size of a kernel that has a work-item for each."""
    size = min(GROUP_SIZE, queue.device.max_work_group_size)
    return whole_groups(items, size), size


def launch(
    queue: cl.CommandQueue, template: str, name: str, values: dict[str, Any], sizes: tuple[int, int], /, *,
    wait_for: list[cl.Event] | None, **named: Any,
) -> cl.Event:  # fmt: skip
    """Launch a kernel of a template of the folder ``order`` with `values`, and return the event.

    The sizes are work-items, and those of a work-group.
    """
    return kernels_for(queue, template, values, name)[0](queue, *sizes, wait_for=wait_for, **named)


def kernels_for(queue: cl.CommandQueue, template: str, values: dict[str, Any], *names: str) -> list[Kernel]:
    """Return kernels of a template of the folder ``order`` with `values`, all of which a function will launch now."""
    made: dict[Hashable, list[Kernel]] = of_queue(queue).cached(_Known)().kernels
    key = template, names, tuple(values.items())
    found = made.get(key)
    if found is None:
        text = templates.program, f"order/{template}.cl.mako"
        found = made[key] = [kernel_of(queue, name, *text, values=values) for name in names]
    if _looking.now:
        for kernel in found:
            if not kernel.proved and kernel.key not in kernel.ledger:
                raise UnprovedError(kernel)
    return found


def prepared(queue: cl.CommandQueue, key: Hashable, make: Callable[[], Prepared]) -> Prepared:
    """Return what `make` makes, which asks for kernels, once for each key that says how."""
    made = of_queue(queue).cached(_Known)().prepared
    found: Prepared | None = None if _looking.now else made.get(key)  # where one looks, kernels are asked for again
    if found is None:
        found = made[key] = make()
    return found


def places_of(*arrays: cla.Array) -> list[Any]:
    """Return the memory of each array and where it begins there, in values."""
    found: list[Any] = []
    for each in arrays:
        found += (each.base_data, offset_of(each))
    return found


class Launch:
    """A launch that is prepared, in groups of `group_size` work-items, but for what differs from call to call.

    `taken` says, by name, which of the values that a call gives an argument is, and `numbers` are the other arguments.
    """

    def __init__(self, kernel: Kernel, group_size: int, taken: Mapping[str, int], numbers: Mapping[str, int]) -> None:
        self._kernel, self._group_size, self._numbers = kernel, group_size, tuple(numbers.values())
        order = {name: i for i, name in enumerate(numbers)}
        self._arguments = itemgetter(*kernel.ordered(order | {name: len(order) + i for name, i in taken.items()}))

    def __call__(
        self, queue: cl.CommandQueue, groups: int, given: Sequence[Any], wait_for: Sequence[cl.Event] | None
    ) -> cl.Event:
        """Launch so many groups, and return the event."""
        size, arguments = self._group_size, self._arguments((*self._numbers, *given))
        return self._kernel(queue, groups * size, size, *arguments, wait_for=wait_for)


def rehearse(queue: cl.CommandQueue, what: Hashable, *proofs: Proof, larger: Sequence[int] = ()) -> None:
    """Have all kernels proved that a function is about to launch, unless such a call has come before.

    A small example of the same call shows which kernels these are. If it comes to one that has not been proved on the
    device, by this process or an earlier one, it stops, and all kernels that examples of every size launch are proved.

    `what` is the function, and all that decides which kernels it launches. The examples are launched on a queue of
    their own, not on that of the user, whose work may wait for what comes after the call.
    """
    known: set[Hashable] = of_queue(queue).cached(_Known)().rehearsed
    if what in known or not is_on():
        return

    def run(sizes: Sequence[int], own: cl.CommandQueue) -> None:
        for n in sizes:
            for call, examples in proofs:
                check(own, call, examples(n))

    unproved = _unproved(partial(run, [SMALL], apart(queue)))
    if unproved is not None:
        prove(queue, [unproved], partial(run, [SMALL, LARGE, *larger]))
    known.add(what)


def _unproved(example: Callable[[], None]) -> Kernel | None:
    """Return the first kernel of a small example that has not been proved, or None."""
    _looking.now = True
    try:
        with suppress(MismatchError):  # what has been proved is not looked at again
            example()
    except UnprovedError as found:
        return cast("Kernel", found.args[0])
    finally:
        _looking.now = False
    return None


def hard_values(dtype: np.dtype[Any]) -> Array:
    """Return values that are hard to put in order: extreme ones, zeros of both signs, infinities and NaNs."""
    if dtype.kind != "f":
        limits = np.iinfo(dtype)
        near = [limits.min, limits.min + 1, limits.max // 2, limits.max // 2 + 1, limits.max - 1, limits.max]
        return np.array([0, 1, *near] + [-1] * (dtype.kind == "i"), dtype)
    limit: Any = np.finfo(dtype)
    numbers = [0.0, -0.0, 1.0, -1.0, limit.tiny, -limit.tiny, limit.smallest_subnormal, limit.max, limit.min]
    found = np.array([*numbers, -limit.smallest_subnormal, np.inf, -np.inf, np.nan, np.nan], dtype)
    found.view(f"uint{8 * dtype.itemsize}")[-1] ^= 5 + (1 << 8 * dtype.itemsize - 1)  # a NaN with sign and payload
    return found


def spread_values(dtype: Any, n: int) -> Array:
    """Return values whose bits are random."""
    kind = np.dtype(dtype)
    found: Array = np.random.default_rng(n).integers(0, 256, n * kind.itemsize, np.uint8).view(kind)
    return found


def crowded_values(dtype: np.dtype[Any], n: int) -> Array:
    """Return values of which many are equal, and hard ones."""
    random = np.random.default_rng(n + 1)
    few: Array = np.concatenate([hard_values(dtype), spread_values(dtype, 11)])
    found: Array = few[random.integers(0, few.size, n)]
    return found


def rank(values: Array) -> npt.NDArray[np.uint64]:
    """Return integers in the order of the values; 0.0 comes behind -0.0, and NaNs by their bits."""
    bits, size = values.view(f"uint{8 * values.dtype.itemsize}").astype(np.uint64), 8 * values.dtype.itemsize
    half = np.uint64(1 << size - 1)
    if values.dtype.kind == "i":
        return np.where(bits < half, bits + half, bits - half)
    if values.dtype.kind == "f":
        return np.where(bits < half, bits + half, np.uint64((1 << size) - 1) - bits)
    return bits


def sort_rank(values: Array) -> npt.NDArray[np.uint64]:
    """Return integers in the order of the values; zeros have the same, and so have NaNs, which come last."""
    found = rank(values)
    if values.dtype.kind == "f":
        size = 8 * values.dtype.itemsize
        found[values == 0] = np.uint64(1 << size - 1)
        found[np.isnan(values)] = np.uint64((1 << size) - 1)
    return found
