"""Sorts keys of 64 bits that are about evenly spread, and finds where they came from."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.codegen import source
from clrng.codegen.generators.base import CTYPES
from clrng.codegen.templates import render
from clrng.opencl import program
from clrng.opencl.contexts import kept
from clrng.opencl.transfers import upload, wait_list
from clrng.permutations.plan import SortPlan

KEY_BITS = 64

SLACK = 16
"""A bucket of a pass may have an eighth and so many standard deviations more keys than there are on average."""


@dataclass(frozen=True)
class Sorted:
    """What a sort has found, beside the order.

    Attributes
    ----------
    runs : pyopencl.array.Array of uint32, shape (1,)
        How many runs of places were noted.
    noted : pyopencl.array.Array of uint64
        The runs of places whose keys were alike in the bits that were sorted by: the number of the first in the lower
        half of an integer, and how many there are in the upper half.
    event : pyopencl.Event
        The last of the sort.
    crowds : tuple of Crowd
        What to look for before the order is taken for right.
    """

    runs: cla.Array
    noted: cla.Array
    event: cl.Event
    crowds: tuple["Crowd", ...]

    def is_right(self) -> bool:
        """Wait, and return whether no bucket had too many keys for the next pass or for a work-group."""
        return all(crowd.is_small() for crowd in self.crowds)


@dataclass(frozen=True)
class Crowd:
    """The largest bucket of a pass, which is being read.

    Attributes
    ----------
    found : ndarray of uint32, shape (1,)
    event : pyopencl.Event
    most : int
        How large it may be.
    """

    found: npt.NDArray[np.uint32]
    event: cl.Event
    most: int

    def is_small(self) -> bool:
        """Wait, and return whether it is at most as large as it may be."""
        self.event.wait()
        return int(self.found[0]) <= self.most


class Sorter:
    """Sorts rows of keys on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    plan : SortPlan
    """

    def __init__(self, queue: cl.CommandQueue, plan: SortPlan) -> None:
        self._queue, self._plan = queue, plan
        self._partition = kept(self._partition_kernel)
        self._sort = kept(self._sort_kernel)

    def _kernel(self, template: str, name: str, **values: Any) -> program.Kernel:
        text = source.prelude() + render(f"permutations/{template}.cl.mako", **values)
        return program.Kernel(self._queue.context, text, name)

    def _partition_kernel(self, name: str) -> program.Kernel:
        return self._kernel("partition", name, **self._plan.partition_values)

    def _sort_kernel(self, dtype: str, of_rows: bool) -> program.Kernel:
        return self._kernel("sort", "sort_keys", of_rows=of_rows, out=CTYPES[dtype], **self._plan.sort_values)

    def prepare(self, length: int, dtype: np.dtype[Any]) -> None:
        """Build the kernels that sort rows of `length` keys."""
        passes = self._plan.passes(length)
        if passes:
            for name in ("count_digits", "place_buckets", "pack_and_scatter", "scatter")[: 3 + (len(passes) > 1)]:
                self._partition(name)
        self._sort(dtype.name, not passes)

    def sort(self, keys: cla.Array, order: cla.Array, offset: int, rows: int, length: int) -> Sorted:
        """Sort each row of `keys`, and write the places within its row where they were into `order`.

        Keys that are alike in all but their lowest bits are taken for equal: as many of these are left out as a place
        needs. Where they are equal, the places ascend.

        Parameters
        ----------
        keys : pyopencl.array.Array of uint64, shape (rows * length,)
            Its memory is used for other things afterwards.
        order : pyopencl.array.Array
            Of any dtype of integers that holds `length` - 1.
        offset : int
            Where in the memory of `order` to begin.
        rows, length : int
            1 or more; at most 2^31 keys in all.
        """
        noted = cla.Array(self._queue, rows * length // 2 + 1, np.uint64)
        runs = upload(self._queue, np.zeros(1, np.uint32))
        low = (1 << (length - 1).bit_length()) - 1
        passes = self._plan.passes(length)
        if passes:
            return self._sort_buckets(keys, order, offset, rows, length, low, passes, runs, noted)
        plan, kernel = self._plan, self._sort(order.dtype.name, True)
        bits = min(self._plan.heap_bits(length), KEY_BITS - low.bit_length())
        each = min(plan.most // length, plan.sort_values["most_heaps"] >> bits)
        event = kernel(
            self._queue, -(-rows // each) * plan.group_size, plan.group_size, keys.base_data, order.base_data, offset,
            rows * length, length, each, *_digit(0, bits), low, runs.base_data, noted.base_data,
            wait_for=wait_list(keys, order),
        )  # fmt: skip
        return Sorted(runs, noted, event, ())

    def _sort_buckets(
        self, keys: cla.Array, order: cla.Array, offset: int, rows: int, length: int, low: int, passes: list[int],
        runs: cla.Array, noted: cla.Array,
    ) -> Sorted:  # fmt: skip
        """Sort by passes that divide rows, and then buckets, until they are small."""
        plan, queue = self._plan, self._queue
        begins = upload(queue, np.arange(rows + 1, dtype=np.uint32) * np.uint32(length))
        last, others, taken, crowds = wait_list(keys, order), cla.Array(queue, keys.size, np.uint64), 0, []
        for bits in passes:
            digit, segments = _digit(taken, bits), rows << taken
            taken += bits
            most = plan.most if taken == sum(passes) else _largest(length / 2**taken)
            keys, others, begins, event, crowd = self._divide(
                keys,
                others,
                begins,
                segments,
                length >> taken - bits,
                digit,
                low if taken == bits else None,
                most,
                last,
            )
            last = [event]
            crowds.append(crowd)
        bits = plan.heap_bits(length >> taken)
        event = self._sort(order.dtype.name, False)(
            queue, (rows << taken) * plan.group_size, plan.group_size, keys.base_data, order.base_data, offset,
            begins.base_data, *_digit(taken, bits), low, runs.base_data, noted.base_data, wait_for=last,
        )  # fmt: skip
        return Sorted(runs, noted, event, tuple(crowds))

    def _divide(
        self, keys: cla.Array, others: cla.Array, begins: cla.Array, segments: int, length: int,
        digit: tuple[int, int], low: int | None, most: int, last: list[cl.Event] | None,
    ) -> tuple[cla.Array, cla.Array, cla.Array, cl.Event, Crowd]:  # fmt: skip
        """Divide segments of about `length` keys by a digit, into `others`; where `low` is given, pack places.

        Returns the keys, the memory that is free, where buckets begin, the last event, and the largest bucket.
        """
        plan, queue, size = self._plan, self._queue, self._plan.group_size
        buckets, groups = segments * digit[1], plan.groups_for(segments, length)
        counts = upload(queue, np.zeros(buckets, np.uint32))
        places = cla.Array(queue, buckets + 1, np.uint32)
        largest: Any = upload(queue, np.zeros(1, np.uint32))
        counted = self._partition("count_digits")(
            queue, segments * groups * size, size, keys.base_data, begins.base_data, counts.base_data, groups, *digit,
            wait_for=last,
        )  # fmt: skip
        placed = self._partition("place_buckets")(
            queue, segments * size, size, counts.base_data, begins.base_data, places.base_data, largest.base_data,
            digit[1], wait_for=[counted],
        )  # fmt: skip
        found = np.empty(1, np.uint32)
        read = cl.enqueue_copy(queue, found, largest.base_data, is_blocking=False, wait_for=[placed])
        moved = self._partition("scatter" if low is None else "pack_and_scatter")(
            queue, segments * groups * size, size, keys.base_data, others.base_data, begins.base_data,
            counts.base_data, groups, *digit, *([] if low is None else [low]), wait_for=[placed],
        )  # fmt: skip
        return others, keys, places, moved, Crowd(found, read, most)


def _digit(taken: int, bits: int) -> tuple[int, int]:
    """Return the shift to the digit of `bits` bits behind the `taken` highest ones, and how many digits there are."""
    return min(KEY_BITS - taken - bits, KEY_BITS - 1), 1 << bits


def _largest(mean: float) -> int:
    """Return how large a bucket may be where there are `mean` keys in each."""
    return int(mean * 1.125 + SLACK * mean**0.5) + SLACK
