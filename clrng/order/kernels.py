"""Kernels of this room: built when first launched, and proved by examples, whose results NumPy computes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import local
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import templates
from clrng.opencl.arrays import upload
from clrng.opencl.kernel import Kernel, kernel_of, of_queue
from clrng.proof.prove import GUARD, POISON, MismatchError, apart, check_guard, compare, is_on, prove

Array = npt.NDArray[Any]

SMALL, LARGE = 307, 50_021
"""The sizes of the two examples by which a function is proved: odd, and the second one of several parts."""

TURNS = 3
"""The minimum number of turns of a loop over a part in a large example."""


class Example(NamedTuple):
    """Arguments of a call, and what must come of it."""

    given: Sequence[Array]
    """What the call reads, each from an array of the device."""
    results: Mapping[str, Array]
    """What it must write, each to an array of its own; the names are what errors call one of the values."""
    returned: Mapping[str, Array | int] = {}
    """What it must return to the host, by the names in errors; other results are not checked."""
    numbers: tuple[Any, ...] = ()
    """Further arguments."""
    offsets: Sequence[int] = (3, 4, 5)
    """How many values of memory lie before each of those given."""
    before_results: int = GUARD
    """How many values of memory lie before each result."""
    in_place: int | None = None
    """The index of the given array whose memory the first result shares, if one does."""


Call = Callable[..., Any]
"""Called with the arrays given, those for results, and numbers, does what is proved; may return results of the host."""

Examples = Callable[[int], Iterable[Example]]
"""Called with a size, returns examples of about so many values."""

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


class _Known:
    """What is known of a context: kernels that were asked for together, and the calls of `rehearse`."""

    def __init__(self, _: cl.Context) -> None:
        self.kernels: dict[Hashable, list[Kernel]] = {}
        self.rehearsed: set[Hashable] = set()


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


def check(call: Call, queue: cl.CommandQueue, examples: Iterable[Example]) -> None:
    """Compare what `call` makes of examples on `queue` with what is expected, and check that memory around it stays.

    It raises `MismatchError` for the first number that is not right.
    """
    for example in examples:
        given = [_placed(queue, *each) for each in zip(example.given, example.offsets, strict=False)]
        expected, before = example.results.values(), example.before_results
        results = [_placed(queue, poison(each.size, each.dtype), before) for each in expected]
        if example.in_place is not None:
            results[0] = given[example.in_place]
        returned = call(given, results, *example.numbers)
        queue.finish()
        for (name, right), made in zip(example.results.items(), results, strict=True):
            before = made.offset // made.dtype.itemsize
            found = cla.Array(queue, before + made.size + GUARD, made.dtype, data=made.base_data).get()
            compare(name, found[before:-GUARD], right.reshape(-1))
            check_guard("before", found[:before])
            check_guard("behind", found[-GUARD:])
        for (name, value), found in zip(example.returned.items(), returned or (), strict=False):
            if isinstance(value, np.ndarray):
                compare(name, found.reshape(-1), value.reshape(-1))
            elif found != value:
                raise MismatchError(name, found, value)


def _placed(queue: cl.CommandQueue, values: Array, before: int) -> cla.Array:
    """Return an array of the device with `values`, in memory that has `before` others in front and some behind."""
    kind = values.dtype
    memory = upload(queue, np.concatenate([poison(before, kind), values.reshape(-1), poison(GUARD, kind)]))
    return cla.Array(queue, values.size, kind, data=memory.base_data, offset=before * kind.itemsize)


def poison(size: int, dtype: np.dtype[Any]) -> Array:
    """Return values of which all bytes are `POISON`."""
    return np.full(size * dtype.itemsize, POISON, np.uint8).view(dtype)


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
