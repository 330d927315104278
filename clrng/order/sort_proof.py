"""Known keys for the proof of sorts, and the order that they must get."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.transfers import upload
from clrng.order.kernels import SMALL, kernels_of
from clrng.order.known import OFFSET, crowded_values, hard_values, placed, sort_rank, spread_values
from clrng.proof.fills import GUARD, check_guard, poisoned
from clrng.proof.prove import compare

Array = npt.NDArray[Any]

DIGITS = 5
"""Digits whose counts are added up."""


class Kind(NamedTuple):
    """What is sorted, and how.

    Attributes
    ----------
    dtype : numpy.dtype
        Of the keys.
    keys_out : bool
        Whether they are wanted in their order.
    in_place : bool
        Whether that is in their own memory.
    value : numpy.dtype or None
        That of what is moved with them.
    read : bool
        Whether that is given; else it is the places of the keys.
    bits : (int, int)
        The first bit to sort by and the one behind the last.
    descending : bool
    """

    dtype: np.dtype[Any]
    keys_out: bool
    in_place: bool
    value: np.dtype[Any] | None
    read: bool
    bits: tuple[int, int]
    descending: bool


Sort = Callable[[cla.Array, cla.Array | None, cla.Array | None, cla.Array | None], Any]
"""Sorts; called with keys, with the memory for those in order, with values and with the memory for these."""


def check_sort(queue: cl.CommandQueue, kind: Kind, sort: Sort, n: int) -> None:
    """Check sorts of `n` keys: of some that are spread evenly and, if there are many, of others.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    kind : Kind
    sort : callable
        As `Sort` says.
    n : int

    Raises
    ------
    MismatchError
        If a key or a value is not right.
    """
    _check(queue, kind, sort, spread_values(kind.dtype, n))
    if n > SMALL:
        _check(queue, kind, sort, crowded_values(kind.dtype, n))
        _check(queue, kind, sort, np.resize(hard_values(kind.dtype)[-1:], SMALL))


def _check(queue: cl.CommandQueue, kind: Kind, sort: Sort, keys: Array) -> None:
    """Check the sort of `keys`."""
    n, (low, high) = keys.size, kind.bits
    digits = (sort_rank(keys) >> np.uint64(min(low, 63))) & np.uint64((1 << high - low) - 1)
    order = np.argsort(np.uint64((1 << high - low) - 1) - digits if kind.descending else digits, kind="stable")
    given, new_keys, values, new_values = placed(queue, keys), None, None, None
    if kind.keys_out:
        new_keys = given if kind.in_place else poisoned(queue, n + GUARD, kind.dtype)[:n]
    if kind.value is not None:
        new_values = poisoned(queue, n + GUARD, kind.value)[:n]
    moved = order.astype(np.uint32)
    if kind.read and kind.value is not None:
        moving = spread_values(np.dtype(f"uint{8 * kind.value.itemsize}"), n)
        values, moved = placed(queue, moving.view(kind.value), OFFSET + 1), moving[order]
    sort(given, new_keys, values, new_values)
    queue.finish()
    what = "in descending order" if kind.descending else "in order"
    for name, made, right in (("key", new_keys, keys[order]), ("value", new_values, moved)):
        if made is not None:
            compare(f"{what} {name}", made.get(), right)
            if not (name == "key" and kind.in_place):
                _check_behind(queue, made)


def _check_behind(queue: cl.CommandQueue, made: cla.Array) -> None:
    """Check the memory behind an array."""
    behind = cla.Array(queue, GUARD, made.dtype, data=made.base_data, offset=made.nbytes)
    check_guard("behind", behind.get())


def check_sums(queue: cl.CommandQueue, group_size: int) -> None:
    """Check the sums of more counts of a digit than a work-group adds up at a time.

    Raises
    ------
    MismatchError
        If one is not right.
    """
    parts = 2 * group_size + 3
    counts = np.random.default_rng(parts).integers(0, 2**16, (DIGITS, parts), np.uint32)
    held, totals = upload(queue, counts), poisoned(queue, DIGITS, np.uint32)
    kernels_of(queue).launch(
        queue, "scan_counts", "scan_counts", {"group_size": group_size}, (DIGITS * group_size, group_size),
        held.base_data, parts, totals.base_data, wait_for=totals.events,
    )  # fmt: skip
    queue.finish()
    sums = np.cumsum(counts, axis=1, dtype=np.uint32)
    compare("sum", held.get().reshape(-1), (sums - counts).reshape(-1))
    compare("total", totals.get(), sums[:, -1])
