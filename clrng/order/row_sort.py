"""Sorts keys of 64 bits that are about evenly spread, and finds where they came from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl.contexts import kept
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render
from clrng.opencl.transfers import upload, wait_list
from clrng.order.plans import RowSortPlan

KEY_BITS = 64
KEY_BYTES = 8

SLACK = 16
"""A bucket of a pass may have an eighth and so many standard deviations more keys than there are on average."""


class Keys(NamedTuple):
    """Keys in the memory of an array.

    Attributes
    ----------
    memory : pyopencl.array.Array
    offset : int
        How many keys of its buffer come before.
    """

    memory: cla.Array
    offset: int


MakeKeys = Callable[[int, int], Keys]
"""Called with a place among all keys and a number of them, returns these keys; until the next call they are there."""


class Piece(NamedTuple):
    """Some of the keys of rows: whole rows, or a part of one.

    Attributes
    ----------
    row, rows : int
        The first row, and how many there are.
    place : int
        How many keys of the first row come before.
    size : int
        How many keys there are.
    """

    row: int
    rows: int
    place: int
    size: int


class Crowd(NamedTuple):
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


@dataclass(frozen=True)
class Sorted:
    """What a sort has found, beside the order.

    Attributes
    ----------
    runs : pyopencl.array.Array of uint32, shape (1,)
        How many runs of places were noted.
    noted : pyopencl.array.Array
        The runs of places whose keys were alike in the bits that were sorted by: of each the number of the first, and
        how many there are, in two integers of 32 bits.
    event : pyopencl.Event
        The last of the sort.
    crowds : list of Crowd
        What to look for before the order is taken for right.
    """

    runs: cla.Array
    noted: cla.Array
    event: cl.Event
    crowds: list[Crowd]

    def is_right(self) -> bool:
        """Wait, and return whether no bucket had too many keys for the next pass or for a work-group."""
        return all(crowd.is_small() for crowd in self.crowds)


class Sorter:
    """Sorts rows of keys on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    plan : RowSortPlan
    """

    def __init__(self, queue: cl.CommandQueue, plan: RowSortPlan) -> None:
        self._queue, self.plan = queue, plan
        self._partition = kept(self._partition_kernel)
        self._sort = kept(self._sort_kernel)

    def _kernel(self, template: str, name: str, **values: Any) -> Kernel:
        text = prelude() + render(f"permutations/{template}.cl.mako", **values)
        return Kernel(self._queue.context, text, name)

    def _partition_kernel(self, name: str) -> Kernel:
        return self._kernel("partition", name, **self.plan.partition_values)

    def _sort_kernel(self, dtype: str, of_rows: bool) -> Kernel:
        return self._kernel("sort", "sort_keys", of_rows=of_rows, out=CTYPES[dtype], **self.plan.sort_values)

    def prepare(self, length: int, dtype: np.dtype[Any]) -> list[Kernel]:
        """Return the kernels that sort rows of `length` keys."""
        passes = self.plan.passes(length)
        names = ("count_digits", "place_buckets", "pack_and_scatter", "scatter")[: 3 + (len(passes) > 1)]
        found = [self._partition(name) for name in names] if passes else []
        return [*found, self._sort(dtype.name, not passes)]

    def sort(self, make: MakeKeys, order: cla.Array, offset: int, rows: int, length: int) -> Sorted:
        """Sort the keys of each row, and write the places within its row where they were into `order`.

        Keys that are alike in all but their lowest bits are taken for equal: as many of these are left out as a place
        needs. Where they are equal, the places ascend.

        Parameters
        ----------
        make : callable
            Makes the keys, twice where they are divided into buckets; `MakeKeys` says how.
        order : pyopencl.array.Array
            Of any dtype of integers that holds `length` - 1.
        offset : int
            Where in the memory of `order` to begin.
        rows, length : int
            1 or more; at most 2^31 keys in all.
        """
        runs = upload(self._queue, np.zeros(1, np.uint32))
        if self.plan.passes(length):
            return Partitions(self._queue, self, order, offset, rows, length).sort(make, runs)
        noted = cla.Array(self._queue, rows * length // 2 + 1, np.uint64)
        plan, kernel, low = self.plan, self._sort(order.dtype.name, True), low_bits(length)
        bits = min(plan.heap_bits(length), KEY_BITS - low.bit_length())
        each = min(plan.max_local // length, plan.max_heaps >> bits)
        last = wait_list(order)
        for piece in pieces(rows, length, plan.piece):
            keys, first = make(piece.row * length, piece.size), piece.row * length
            event = kernel(
                self._queue, -(-piece.rows // each) * plan.group_size, plan.group_size, keys.memory.base_data,
                keys.offset, order.base_data, offset + first, piece.size, length, each, first, *digit(0, bits), low,
                runs.base_data, noted.base_data, wait_for=wait_list(keys.memory, *(last or ())),
            )  # fmt: skip
            keys.memory.events[:] = last = [event]
        return Sorted(runs, noted, event, [])

    def partition(self, name: str, segments: int, groups: int, *arguments: Any, wait_for: Any) -> cl.Event:
        """Launch a kernel of partitions with so many work-groups for each segment."""
        size, kernel = self.plan.group_size, self._partition(name)
        event: cl.Event = kernel(self._queue, segments * groups * size, size, *arguments, wait_for=wait_for)
        return event

    def sort_buckets(
        self, keys: Keys, order: cla.Array, offset: int, begins: cla.Array, *arguments: Any, wait_for: Any
    ) -> cl.Event:
        """Launch the kernel that sorts buckets, which begin where `begins` says."""
        size, kernel = self.plan.group_size, self._sort(order.dtype.name, False)
        event: cl.Event = kernel(
            self._queue, (begins.size - 1) * size, size, keys.memory.base_data, keys.offset, order.base_data, offset,
            begins.base_data, *arguments, wait_for=wait_for,
        )  # fmt: skip
        return event


class Partitions:
    """One sort of rows of keys by passes that divide rows, and then buckets, until they are small.

    The first pass packs a key and its place into 64 bits. Where places have 64 bits too, every other pass, and the last
    one of them, moves the keys to the memory of the order.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    sorter : Sorter
    order, offset, rows, length : as for `Sorter.sort`
    """

    def __init__(
        self, queue: cl.CommandQueue, sorter: Sorter, order: cla.Array, offset: int, rows: int, length: int
    ) -> None:
        self._queue, self._sorter, self._plan = queue, sorter, sorter.plan
        self._order, self._offset, self._rows, self._length = order, offset, rows, length
        self._crowds: list[Crowd] = []

    def sort(self, make: MakeKeys, runs: cla.Array) -> Sorted:
        """Sort, as `Sorter.sort` does."""
        passes, low = self._plan.passes(self._length), low_bits(self._length)
        memory, noted = self._memory(len(passes))
        begins = self._evenly(self._rows, self._length)
        keys, begins, last = self._first_pass(make, memory[0], begins, passes[0], low)
        taken = passes[0]
        for bits, others in zip(passes[1:], memory[1:], strict=True):
            begins, last = self._pass(keys, others, begins, taken, bits, last)
            keys, taken = others, taken + bits
        heaps = digit(taken, self._plan.heap_bits(self._length >> taken))
        event = self._sorter.sort_buckets(
            keys, self._order, self._offset, begins, *heaps, low, runs.base_data, noted.base_data, wait_for=[last]
        )
        return Sorted(runs, noted, event, self._crowds)

    def _memory(self, passes: int) -> tuple[list[Keys], cla.Array]:
        """Return the memory that each pass moves keys to, and memory for runs that none needs at the end."""
        size = self._rows * self._length
        spare = [Keys(cla.Array(self._queue, size, np.uint64), 0) for _ in range(min(passes - 1, 1))]
        if self._order.dtype.itemsize == KEY_BYTES:
            last = Keys(self._order, self._offset)
        else:
            last = Keys(cla.Array(self._queue, size, np.uint64), 0)
        noted = spare[0].memory if spare else cla.Array(self._queue, size // 2 + 1, np.uint64)
        turns = [*spare, last]
        return [turns[(i - passes) % len(turns)] for i in range(passes)], noted

    def _evenly(self, count: int, length: int) -> cla.Array:
        return upload(self._queue, np.arange(count + 1, dtype=np.uint32) * np.uint32(length))

    def _first_pass(
        self, make: MakeKeys, to: Keys, begins: cla.Array, bits: int, low: int
    ) -> tuple[Keys, cla.Array, cl.Event]:
        """Make the keys piece by piece, count their digits, and make them again to move them to their buckets."""
        rows, length, plan = self._rows, self._length, self._plan
        counts, by = upload(self._queue, np.zeros(rows << bits, np.uint32)), digit(0, bits)
        last = wait_list(self._order)
        for name in ("count_digits", "pack_and_scatter"):
            within, lying = 0, begins
            for piece in pieces(rows, length, plan.piece):
                each = piece.size // piece.rows
                if each != within:
                    within, lying = each, self._evenly(piece.rows, each)
                keys, groups = make(piece.row * length + piece.place, piece.size), plan.groups_for(piece.rows, each)
                wait_for = wait_list(keys.memory, *(last or ()))
                given = keys.memory.base_data, keys.offset
                if name == "count_digits":
                    event = self._sorter.partition(
                        name, piece.rows, groups, *given, lying.base_data, counts.base_data, piece.row, groups, *by,
                        wait_for=wait_for,
                    )  # fmt: skip
                else:
                    event = self._sorter.partition(
                        name, piece.rows, groups, *given, to.memory.base_data, to.offset, lying.base_data,
                        counts.base_data, piece.row, groups, *by, low, piece.place, wait_for=wait_for,
                    )  # fmt: skip
                keys.memory.events[:] = last = [event]
            if name == "count_digits":
                places, event = self._place(counts, begins, rows, bits, bits, event)
                last = [event]
        return to, places, event

    def _pass(
        self, keys: Keys, to: Keys, begins: cla.Array, taken: int, bits: int, last: cl.Event
    ) -> tuple[cla.Array, cl.Event]:
        """Divide the buckets of the passes before by the next digit; return where buckets begin, and the last event."""
        segments, by = self._rows << taken, digit(taken, bits)
        groups = self._plan.groups_for(segments, self._length >> taken)
        counts = upload(self._queue, np.zeros(segments << bits, np.uint32))
        given = keys.memory.base_data, keys.offset
        event = self._sorter.partition(
            "count_digits", segments, groups, *given, begins.base_data, counts.base_data, 0, groups, *by,
            wait_for=[last],
        )  # fmt: skip
        places, event = self._place(counts, begins, segments, bits, taken + bits, event)
        event = self._sorter.partition(
            "scatter", segments, groups, *given, to.memory.base_data, to.offset, begins.base_data, counts.base_data, 0,
            groups, *by, wait_for=[event],
        )  # fmt: skip
        return places, event

    def _place(
        self, counts: cla.Array, begins: cla.Array, segments: int, bits: int, taken: int, counted: cl.Event
    ) -> tuple[cla.Array, cl.Event]:
        """Find from the counts where buckets begin, and read how many keys the largest has."""
        places: Any = cla.Array(self._queue, (segments << bits) + 1, np.uint32)
        largest: Any = upload(self._queue, np.zeros(1, np.uint32))
        event = self._sorter.partition(
            "place_buckets", segments, 1, counts.base_data, begins.base_data, places.base_data, largest.base_data,
            1 << bits, wait_for=[counted],
        )  # fmt: skip
        found, is_last = np.empty(1, np.uint32), taken == sum(self._plan.passes(self._length))
        most = self._plan.max_local if is_last else most_keys(self._length / 2**taken)
        read = cl.enqueue_copy(self._queue, found, largest.base_data, is_blocking=False, wait_for=[event])
        self._crowds.append(Crowd(found, read, most))
        return places, event


def pieces(rows: int, length: int, most: int) -> Iterator[Piece]:
    """Cut rows of `length` keys into pieces of at most `most` keys, which are whole rows or parts of one."""
    if length <= most:
        each = most // length
        for row in range(0, rows, each):
            some = min(each, rows - row)
            yield Piece(row, some, 0, some * length)
        return
    for row in range(rows):
        for place in range(0, length, most):
            yield Piece(row, 1, place, min(most, length - place))


def low_bits(length: int) -> int:
    """Return the bits of places below `length`, all set."""
    return (1 << (length - 1).bit_length()) - 1


def digit(taken: int, bits: int) -> tuple[int, int]:
    """Return the shift to the digit of `bits` bits behind the `taken` highest ones, and how many digits there are."""
    return min(KEY_BITS - taken - bits, KEY_BITS - 1), 1 << bits


def most_keys(mean: float) -> int:
    """Return how large a bucket may be where there are `mean` keys in each."""
    return int(mean * 1.125 + SLACK * mean**0.5) + SLACK
