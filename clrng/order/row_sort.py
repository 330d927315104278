"""Sorts rows of keys of 64 bits that are about evenly spread, and finds where they came from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import templates
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.kernel import Kernel, cached_method, kernel_of
from clrng.order.arguments import WORD, offset_of, queue_of
from clrng.order.plans import RowSortPlan
from clrng.proof.examples import Array, Example, prove_by

KEY_BITS = 64
KEY_BYTES = 8

SLACK = 16
"""A bucket may have more keys than the mean, by an eighth of it and so many standard deviations."""

ROWS, SHORT_ROW = 37, 13
"""The rows of an example in which a work-group sorts several, and the keys of each."""

BEYOND = 17
"""By how many keys a row of an example is longer than what a work-group sorts."""

FEW_BITS = (5, 4)
"""Bits of the passes of an example where there are two."""

ALIKE = 0.3
"""The share of keys of an example that are like others, in all bits or in all but the lowest."""


class Keys(NamedTuple):
    """Keys in the memory of an array, behind `offset` others of its buffer."""

    memory: cla.Array
    offset: int


def _where(name: str, keys: Keys) -> dict[str, Any]:
    """Return where keys are, as the arguments of a kernel that has them as `name`."""
    return {name: keys.memory.base_data, f"{name}_offset": keys.offset}


MakeKeys = Callable[[int, int], Keys]
"""Called with a place among all keys and a number of them, returns these keys; they are valid until the next call."""


class Piece(NamedTuple):
    """Some of the keys of rows: whole rows, or a part of one."""

    row: int  # The first row
    rows: int  # How many rows there are
    place: int  # How many keys of the first row come before
    size: int  # How many keys there are


class Crowd(NamedTuple):
    """The largest bucket of a pass, which is being read."""

    found: Array  # Its keys: uint32, shape (1,), when `event` is complete
    event: cl.Event
    limit: int  # How many it may have

    def keys(self) -> int:
        """Wait, and return how many keys it has."""
        self.event.wait()
        return int(self.found[0])


class Sorted(NamedTuple):
    """What a sort has found, beside the order."""

    runs: cla.Array  # How many runs of places were noted: uint32, shape (1,)
    noted: cla.Array
    """The runs of places whose keys are equal in the bits that were sorted by: of each the first place and the number
    of places, in two integers of 32 bits."""
    event: cl.Event  # The last of the sort
    crowds: list[Crowd]  # Buckets whose sizes decide whether the order is right

    def is_right(self) -> bool:
        """Wait, and return whether no bucket had too many keys for the next pass or for a work-group."""
        return all(crowd.keys() <= crowd.limit for crowd in self.crowds)


class Sorter:
    """Sorts rows of keys on one queue, in the shape of a plan."""

    def __init__(self, queue: cl.CommandQueue, plan: RowSortPlan) -> None:
        self.queue, self.plan = queue, plan
        self.partition_kernel = cached_method(self._partition_kernel)
        self.sort_kernel = cached_method(self._sort_kernel)

    def _partition_kernel(self, name: str) -> Kernel:
        """Return a kernel of those that divide keys."""
        template = "permutations/partition.cl.mako"
        plan = self.plan
        values = {
            "group_size": plan.group_size, "tile": plan.tile, "most_digits": 1 << plan.digit_bits,
            "in_order": plan.in_order,
        }  # fmt: skip
        return kernel_of(self.queue, name, templates.program, template, values=values)

    def _sort_kernel(self, dtype: np.dtype[Any], of_rows: bool) -> Kernel:
        """Return the kernel that sorts rows, or else buckets, in local memory."""
        plan = self.plan
        values = {
            "of_rows": of_rows, "out": CTYPES[dtype.name], "group_size": plan.group_size, "most": plan.max_local,
            "most_heaps": plan.max_heaps,
        }  # fmt: skip
        return kernel_of(self.queue, "sort_keys", templates.program, "permutations/sort.cl.mako", values=values)

    def prepare(self, length: int, dtype: np.dtype[Any]) -> None:
        """Have the kernels proved that sort rows of `length` keys into orders of `dtype`."""
        passes = self.plan.passes(length)
        names = ("count_digits", "place_buckets", "pack_and_scatter", "scatter")[: 3 + (len(passes) > 1)]
        kernels = [self.partition_kernel(name) for name in names] if passes else []
        kernels.append(self.sort_kernel(dtype, not passes))
        prove_by(self.queue, kernels, _example, _examples(self.plan, dtype, length))

    def sort(self, make: MakeKeys, order: cla.Array, offset: int, rows: int, length: int) -> Sorted:
        """Sort the keys of each row, and write the places in the row from which they came into `order`.

        The lowest bits of keys, as many as a place needs, are ignored: keys that differ in these alone are equal, and
        the places of equal keys ascend.

        Keys are made twice where they are divided into buckets. There are at most 2^31, of 1 row or more of `length` 1
        or more. The order, of integers that hold `length` - 1, begins in its memory behind `offset` values.
        """
        runs = upload(self.queue, np.zeros(1, WORD))
        if self.plan.passes(length):
            return Partitions(self, order, offset, rows, length).sort(make, runs)
        noted = cla.Array(self.queue, rows * length // 2 + 1, np.uint64)
        plan, low = self.plan, low_bits(length)
        bits = min(plan.heap_bits(length), KEY_BITS - low.bit_length())
        each = min(plan.max_local // length, plan.max_heaps >> bits)
        last = wait_list(order)
        for piece in pieces(rows, length, plan.piece):
            keys, first = make(piece.row * length, piece.size), piece.row * length
            event = self.launch(
                self.sort_kernel(order.dtype, True), -(-piece.rows // each), **_where("keys", keys),
                order=order.base_data, offset=offset + first, n=piece.size, length=length, rows=each, place=first,
                **digit(0, bits), low=low, runs=runs.base_data, noted=noted.base_data,
                wait_for=wait_list(keys.memory, *(last or ())),
            )  # fmt: skip
            keys.memory.events[:] = last = [event]
        return Sorted(runs, noted, event, [])

    def launch(self, kernel: Kernel, groups: int, /, *, wait_for: list[cl.Event] | None, **named: Any) -> cl.Event:
        """Launch a kernel with so many work-groups."""
        size = self.plan.group_size
        return kernel(self.queue, groups * size, size, wait_for=wait_for, **named)


class Part(NamedTuple):
    """Keys that a pass divides together."""

    keys: Keys
    segments: int  # How many segments they are: rows, parts of one, or buckets of the passes before
    first: int  # The number of the first segment
    begins: cla.Array  # Where segments begin
    length: int  # About how many keys a segment has
    packing: dict[str, int]  # Arguments of the scatter that packs keys with their places


class Partitions:
    """One sort of rows of keys by passes that divide rows, and then buckets, until they are small.

    The first pass packs a key and its place into 64 bits. Where places have 64 bits too, every other pass, and the last
    one of them, moves the keys to the memory of the order.
    """

    def __init__(self, sorter: Sorter, order: cla.Array, offset: int, rows: int, length: int) -> None:
        self._sorter, self._plan, self._queue = sorter, sorter.plan, sorter.queue
        self._order, self._offset, self._rows, self._length = order, offset, rows, length
        self._crowds: list[Crowd] = []
        self._last = wait_list(order)

    def sort(self, make: MakeKeys, runs: cla.Array) -> Sorted:
        """Sort, as `Sorter.sort` does."""
        passes, low = self._plan.passes(self._length), low_bits(self._length)
        moved_to, noted = self._memory(len(passes))
        begins, taken = self._evenly(self._rows, self._length), 0
        parts: Callable[[], Iterator[Part]] = partial(self._made_parts, make, begins, low)
        for bits, target in zip(passes, moved_to, strict=True):
            begins = self._divide(parts, target, begins, taken, bits)
            taken += bits
            part = Part(target, self._rows << taken, 0, begins, self._length >> taken, {})
            parts = partial(iter, [part])
        event = self._sorter.launch(
            self._sorter.sort_kernel(self._order.dtype, False), begins.size - 1, **_where("keys", moved_to[-1]),
            order=self._order.base_data, offset=self._offset, begins=begins.base_data,
            **digit(taken, self._plan.heap_bits(self._length >> taken)), low=low, runs=runs.base_data,
            noted=noted.base_data, wait_for=self._last,
        )  # fmt: skip
        return Sorted(runs, noted, event, self._crowds)

    def _memory(self, passes: int) -> tuple[list[Keys], cla.Array]:
        """Return the memory that each pass moves keys to, and memory for runs that is free at the end."""
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
        return upload(self._queue, np.arange(count + 1, dtype=WORD) * WORD.type(length))

    def _made_parts(self, make: MakeKeys, begins: cla.Array, low: int) -> Iterator[Part]:
        """Make the keys piece by piece."""
        within = 0
        for piece in pieces(self._rows, self._length, self._plan.piece):
            each = piece.size // piece.rows
            if each != within:
                within, begins = each, self._evenly(piece.rows, each)
            keys = make(piece.row * self._length + piece.place, piece.size)
            yield Part(keys, piece.rows, piece.row, begins, each, {"low": low, "place": piece.place})

    def _divide(
        self, parts: Callable[[], Iterator[Part]], target: Keys, begins: cla.Array, taken: int, bits: int
    ) -> cla.Array:
        """Count the digits of the keys, behind `taken` bits, and move the keys; return where their buckets begin.

        The keys are asked for twice. All segments, rows or buckets of the passes before, begin where `begins` says.
        """
        segments, by = self._rows << taken, digit(taken, bits)
        counts = upload(self._queue, np.zeros(segments << bits, WORD))
        for part in parts():
            self._launch("count_digits", part, counts=counts.base_data, **by)
        buckets = self._place(counts, begins, segments, taken + bits, by["digits"])
        for part in parts():
            name, packing = "scatter" if taken else "pack_and_scatter", part.packing
            self._launch(name, part, **_where("out", target), cursors=counts.base_data, **by, **packing)
        return buckets

    def _launch(self, name: str, part: Part, **named: Any) -> None:
        """Launch a kernel of partitions on some keys, after the launch before."""
        groups, keys = self._plan.groups_for(part.segments, part.length), part.keys
        event = self._sorter.launch(
            self._sorter.partition_kernel(name), part.segments * groups, **_where("keys", keys),
            begins=part.begins.base_data, first=part.first, groups=groups, **named,
            wait_for=wait_list(keys.memory, *(self._last or ())),
        )  # fmt: skip
        keys.memory.events[:] = self._last = [event]

    def _place(self, counts: cla.Array, begins: cla.Array, segments: int, taken: int, digits: int) -> cla.Array:
        """Find from the counts where buckets begin, and read how many keys the largest has."""
        buckets: cla.Array = cla.Array(self._queue, segments * digits + 1, WORD)
        largest: Any = upload(self._queue, np.zeros(1, WORD))
        event = self._sorter.launch(
            self._sorter.partition_kernel("place_buckets"), segments, counts=counts.base_data, begins=begins.base_data,
            bucket_begins=buckets.base_data, most=largest.base_data, digits=digits, wait_for=self._last,
        )  # fmt: skip
        found, is_last = np.empty(1, WORD), taken == sum(self._plan.passes(self._length))
        limit = self._plan.max_local if is_last else max_keys(self._length / 2**taken)
        read = cl.enqueue_copy(self._queue, found, largest.base_data, is_blocking=False, wait_for=[event])
        self._crowds.append(Crowd(found, read, limit))
        self._last = [event]
        return buckets


def pieces(rows: int, length: int, largest: int) -> Iterator[Piece]:
    """Cut rows of `length` keys into pieces of at most `largest` keys, which are whole rows or parts of one."""
    if length <= largest:
        each = largest // length
        for row in range(0, rows, each):
            some = min(each, rows - row)
            yield Piece(row, some, 0, some * length)
        return
    for row in range(rows):
        for place in range(0, length, largest):
            yield Piece(row, 1, place, min(largest, length - place))


def low_bits(length: int) -> int:
    """Return the bits of places below `length`, all set."""
    return (1 << (length - 1).bit_length()) - 1


def digit(taken: int, bits: int) -> dict[str, int]:
    """Return the shift to the digit of `bits` bits behind the `taken` highest ones, and how many digits there are."""
    return {"shift": min(KEY_BITS - taken - bits, KEY_BITS - 1), "digits": 1 << bits}


def max_keys(mean: float) -> int:
    """Return the maximum number of keys of a bucket, where the mean is `mean`."""
    return int(mean * 1.125 + SLACK * mean**0.5) + SLACK


def _example(
    given: Sequence[cla.Array], results: Sequence[cla.Array], plan: RowSortPlan, rows: int, length: int
) -> list[Any]:
    """Sort an example; return how many runs were noted, the runs, and the largest buckets of passes."""
    order, sorter = results[0], Sorter(queue_of(given[0]), plan)
    found = sorter.sort(
        lambda first, _: Keys(given[0], offset_of(given[0]) + first), order, offset_of(order), rows, length
    )
    found.event.wait()
    count = int(found.runs.get()[0])
    noted = found.noted.get()[:count].view(WORD).reshape(-1, 2)
    return [count, noted[np.argsort(noted[:, 0])], *(crowd.keys() for crowd in found.crowds)]


def _examples(plan: RowSortPlan, dtype: np.dtype[Any], length: int) -> Iterator[Example]:
    """Yield sorts by the kernels for rows of `length` keys, into orders of `dtype`."""
    passes, longest = len(plan.passes(length)), int(np.iinfo(dtype).max) + 1
    if not passes:
        yield _sorted_rows(replace(plan, piece=ROWS // 2 * SHORT_ROW, groups=1), dtype, ROWS, SHORT_ROW)
        longest = min(plan.max_local, longest)
        yield _sorted_rows(replace(plan, piece=2 * longest, groups=1), dtype, 3, longest)
        return
    long = min(plan.max_local + BEYOND, longest)
    for groups in (1, plan.groups):  # each with several tiles, and several for a row
        in_parts = replace(plan, piece=3 * long - 1, groups=groups, forced_passes=tuple(plan.passes(3 * long)))
        yield _sorted_rows(in_parts, dtype, 1, min(3 * long, longest))
    yield _sorted_rows(replace(plan, piece=2 * long, forced_passes=(plan.digit_bits,)), dtype, 3, long)
    if passes > 1:
        few_bits = tuple(min(bits, plan.digit_bits) for bits in FEW_BITS)
        yield _sorted_rows(replace(plan, piece=long // 2 + 1, forced_passes=few_bits), dtype, 2, long)


def _sorted_rows(plan: RowSortPlan, dtype: np.dtype[Any], rows: int, length: int) -> Example:
    """Return a sort of random keys of which many are equal or differ in the lowest bit."""
    random = np.random.default_rng(length)
    keys = random.integers(0, 2**64, (rows, length), np.uint64)
    alike = np.flatnonzero(random.random(length) < ALIKE)
    keys[:, alike] = keys[:, random.integers(0, length, alike.size)] ^ random.integers(0, 2, alike.size, np.uint64)
    sorted_by = keys & ~np.uint64(low_bits(length))
    places = np.argsort(sorted_by, axis=1, kind="stable")
    runs, what = _runs_of(np.take_along_axis(sorted_by, places, 1)), f"of {rows} rows of {length} keys"
    returned: dict[str, Any] = {f"the number of runs {what}": len(runs), "in the list of runs number": runs}
    taken = 0
    for bits in plan.passes(length):
        taken += bits
        digits = keys >> np.uint64(KEY_BITS - taken)
        returned[f"the largest bucket by {taken} bits"] = max(
            int(np.unique(row, return_counts=True)[1].max()) for row in digits
        )
    return Example([keys], {f"in the order {what} place": places.astype(dtype)}, returned, (plan, rows, length))


def _runs_of(keys: Array) -> Array:
    """Return the runs of equal keys in sorted rows: the number of the first and how many, shape (runs, 2)."""
    begins = np.ones(keys.shape, bool)
    begins[:, 1:] = keys[:, 1:] != keys[:, :-1]
    first = np.flatnonzero(begins)
    counts = np.diff(first, append=keys.size)
    several = counts > 1
    return np.stack([first[several], counts[several]], 1).astype(WORD)
