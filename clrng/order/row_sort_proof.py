"""Known rows of keys for the proof of the kernels that sort them, and the orders that they must get."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng.opencl.transfers import upload
from clrng.order.plans import RowSortPlan
from clrng.order.row_sort import KEY_BITS, Keys, Sorter, low_bits
from clrng.proof.fills import GUARD, check_guard, poisoned
from clrng.proof.prove import MismatchError, compare

Array = npt.NDArray[Any]

ROWS, SHORT_ROW = 37, 13
"""Rows of which a work-group sorts several, and their keys."""

BEYOND = 17
"""By how many keys a row is longer than what a work-group sorts."""

FEW_BITS = (5, 4)
"""Bits of the passes where there are two."""

ALIKE = 0.3
"""The share of keys that are like others, in all bits or in all but the lowest."""


@dataclass(frozen=True)
class ForcedPlan(RowSortPlan):
    """The shape of a sort with kernels like those of another one, but passes that its rows would be too short for.

    Attributes
    ----------
    forced : tuple of int
        The bits of each pass.
    """

    forced: tuple[int, ...]

    def passes(self, length: int) -> list[int]:  # noqa: ARG002, D102  # as inherited
        return list(self.forced)


def _with(plan: RowSortPlan, piece: int, groups: int, forced: tuple[int, ...]) -> RowSortPlan:
    """Return a shape like `plan` with pieces of so many keys, about so many work-groups, and these passes."""
    values = {each.name: getattr(plan, each.name) for each in fields(RowSortPlan)}
    return ForcedPlan(**{**values, "piece": piece, "groups": groups, "forced": forced})


def check_sorter(queue: cl.CommandQueue, plan: RowSortPlan, dtype: np.dtype[Any], length: int) -> None:
    """Check sorts by the kernels for rows of `length` keys.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    plan : RowSortPlan
    dtype : numpy.dtype
        Of the orders.
    length : int

    Raises
    ------
    MismatchError
        If a place or what the sort finds beside is not right.
    """
    for rows, keys, piece, groups, passes in _cases(plan, len(plan.passes(length)), int(np.iinfo(dtype).max) + 1):
        _check(queue, _with(plan, piece, groups, passes), dtype, known_keys(rows, keys))


def _cases(plan: RowSortPlan, passes: int, most: int) -> Iterator[tuple[int, int, int, int, tuple[int, ...]]]:
    """Yield how many rows of how many keys are sorted, in pieces of how many, by how many groups and which passes."""
    if not passes:
        yield ROWS, SHORT_ROW, ROWS // 2 * SHORT_ROW, 1, ()
        longest = min(plan.max_local, most)
        yield 3, longest, 2 * longest, 1, ()
        return
    long = min(plan.max_local + BEYOND, most)
    for groups in (1, plan.groups):  # each with several tiles, and several for a row
        yield 1, min(3 * long, most), 3 * long - 1, groups, tuple(plan.passes(3 * long))
    yield 3, long, 2 * long, plan.groups, (plan.digit_bits,)
    if passes > 1:
        yield 2, long, long // 2 + 1, plan.groups, tuple(min(bits, plan.digit_bits) for bits in FEW_BITS)


def known_keys(rows: int, length: int) -> Array:
    """Return random keys, shape (rows, length), of which many are equal or differ in the lowest bit."""
    random = np.random.default_rng(length)
    keys = random.integers(0, 2**64, (rows, length), np.uint64)
    alike = np.flatnonzero(random.random(length) < ALIKE)
    keys[:, alike] = keys[:, random.integers(0, length, alike.size)] ^ random.integers(0, 2, alike.size, np.uint64)
    return keys


def _check(queue: cl.CommandQueue, plan: RowSortPlan, dtype: np.dtype[Any], keys: Array) -> None:
    """Check the sort of rows of keys."""
    rows, length = keys.shape
    held, order = upload(queue, keys.reshape(-1)), poisoned(queue, keys.size + 2 * GUARD, dtype)
    found = Sorter(queue, plan).sort(lambda first, _: Keys(held, first), order, GUARD, rows, length)
    found.event.wait()
    sorted_by = keys & ~np.uint64(low_bits(length))
    places = np.argsort(sorted_by, axis=1, kind="stable")
    made, what = order.get(), f"in the order of {rows} rows of {length} keys place"
    check_guard("before", made[:GUARD])
    check_guard("behind", made[GUARD + keys.size :])
    compare(what, made[GUARD : GUARD + keys.size], places.reshape(-1).astype(dtype))
    count = int(found.runs.get()[0])
    noted = found.noted.get()[:count].view(np.uint32).reshape(-1, 2)
    expected = runs_of(np.take_along_axis(sorted_by, places, 1))
    if count != len(expected):
        raise MismatchError(f"the number of runs of {rows} rows of {length} keys", count, len(expected))
    compare("in the list of runs number", noted[np.argsort(noted[:, 0])].reshape(-1), expected.reshape(-1))
    taken = 0
    for crowd, bits in zip(found.crowds, plan.passes(length), strict=True):
        taken += bits
        crowd.event.wait()
        largest = max(int(np.unique(row >> np.uint64(KEY_BITS - taken), return_counts=True)[1].max()) for row in keys)
        if int(crowd.found[0]) != largest:
            raise MismatchError(f"the largest bucket by {taken} bits", int(crowd.found[0]), largest)


def runs_of(keys: Array) -> Array:
    """Return the runs of equal keys in sorted rows: the number of the first and how many, shape (runs, 2)."""
    begins = np.ones(keys.shape, bool)
    begins[:, 1:] = keys[:, 1:] != keys[:, :-1]
    first = np.flatnonzero(begins)
    counts = np.diff(first, append=keys.size)
    several = counts > 1
    return np.stack([first[several], counts[several]], 1).astype(np.uint32)
