"""Sorts rows of keys of 64 bits that are about evenly spread, and finds where they came from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import templates
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel, cached_method, kernel_of
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, offset_of, queue_of
from clrng.order.plans import RowSortPlan
from clrng.proof.examples import Array, Example, prove_by

KEY_BITS = 64
KEY_BYTES = 8
KEY = np.dtype(np.uint64)

MAX_KEPT = 4
"""Lists of where segments begin that are kept."""

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


class Sorted(NamedTuple):
    """What a sort has found, beside the order."""

    tallies: cla.Array
    """How many runs of places were noted, and how many keys the largest bucket of each pass has: uint32."""
    noted: cla.Array
    """The runs of places whose keys are equal in the bits that were sorted by: of each the first place and the number
    of places, in two integers of 32 bits."""
    event: cl.Event  # The last of the sort
    limits: list[int]  # How many keys a bucket of each pass may have: those of the next pass, or of a work-group

    def largest(self) -> list[int]:
        """Wait, and return how many keys the largest bucket of each pass has."""
        found = np.empty(len(self.limits), WORD)
        if self.limits:
            tallies: Any = self.tallies.base_data
            cl.enqueue_copy(queue_of(self.tallies), found, tallies, src_offset=WORD.itemsize, wait_for=[self.event])
        return found.tolist()

    def is_right(self) -> bool:
        """Wait, and return whether no bucket had too many keys.

        It is called when all work is in the queue, as a driver may stop the host for a copy to it.
        """
        return all(keys <= limit for keys, limit in zip(self.largest(), self.limits, strict=True))


class Sorter:
    """Sorts rows of keys on one queue, in the shape of a plan."""

    def __init__(self, queue: cl.CommandQueue, plan: RowSortPlan) -> None:
        self.queue, self.plan = queue, plan
        self.partition_kernel = cached_method(self._partition_kernel)
        self.sort_kernel = cached_method(self._sort_kernel)
        self.evenly = cached_method(self._evenly, MAX_KEPT)

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

    def _evenly(self, count: int, length: int) -> cla.Array:
        """Return where `count` segments of `length` keys begin, and where the last one ends."""
        return upload(self.queue, np.arange(count + 1, dtype=WORD) * WORD.type(length))

    def zeros(self, n: int, lent: Lent) -> cla.Array:
        """Return `n` zeros of uint32 in memory that is lent."""
        made = lent.array(n, WORD, "x")
        memory: Any = made.base_data
        made.events[:] = [cl.enqueue_fill_buffer(self.queue, memory, bytes(4), 0, made.nbytes, wait_list(made))]
        return made

    def sort(self, make: MakeKeys, order: cla.Array, offset: int, rows: int, length: int, lent: Lent) -> Sorted:
        """Sort the keys of each row, and write the places in the row from which they came into `order`.

        The lowest bits of keys, as many as a place needs, are ignored: keys that differ in these alone are equal, and
        the places of equal keys ascend.

        Keys are made twice where they are divided into buckets. There are at most 2^31, of 1 row or more of `length` 1
        or more. The order, of integers that hold `length` - 1, begins in its memory behind `offset` values. What is
        found beside it is in memory that is lent.
        """
        if self.plan.passes(length):
            return Partitions(self, order, offset, rows, length, lent).sort(make)
        runs, noted = self.zeros(1, lent), lent.array(rows * length // 2 + 1, KEY, "x")
        plan, low = self.plan, low_bits(length)
        bits = min(plan.heap_bits(length), KEY_BITS - low.bit_length())
        each = min(plan.max_local // length, plan.max_heaps >> bits)
        last = wait_list(order, runs, noted)
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

    def __init__(self, sorter: Sorter, order: cla.Array, offset: int, rows: int, length: int, lent: Lent) -> None:
        self._sorter, self._plan, self._queue, self._lent = sorter, sorter.plan, sorter.queue, lent
        self._order, self._offset, self._rows, self._length = order, offset, rows, length
        self._limits: list[int] = []
        self._made: list[Part] = []  # All the keys, where they are one piece
        passes = self._plan.passes(length)
        self._counts_at = 1 + len(passes)  # Where those of the next pass begin
        counts = sum(rows << taken for taken in accumulate(passes))
        self._tallies = sorter.zeros(self._counts_at + counts, lent)
        """How many runs are noted, the keys of the largest bucket of each pass, and the counts of each pass."""
        self._last = wait_list(order, self._tallies)

    def sort(self, make: MakeKeys) -> Sorted:
        """Sort, as `Sorter.sort` does."""
        passes, low = self._plan.passes(self._length), low_bits(self._length)
        moved_to, noted = self._memory(len(passes))
        begins, taken = self._sorter.evenly(self._rows, self._length), 0
        parts: Callable[[], Iterator[Part]] = partial(self._made_parts, make, low)
        for bits, target in zip(passes, moved_to, strict=True):
            begins = self._divide(parts, target, begins, taken, bits)
            taken += bits
            part = Part(target, self._rows << taken, 0, begins, self._length >> taken, {})
            parts = partial(iter, [part])
        event = self._sorter.launch(
            self._sorter.sort_kernel(self._order.dtype, False), begins.size - 1, **_where("keys", moved_to[-1]),
            order=self._order.base_data, offset=self._offset, begins=begins.base_data,
            **digit(taken, self._plan.heap_bits(self._length >> taken)), low=low, runs=self._tallies.base_data,
            noted=noted.base_data, wait_for=self._last,
        )  # fmt: skip
        return Sorted(self._tallies, noted, event, self._limits)

    def _memory(self, passes: int) -> tuple[list[Keys], cla.Array]:
        """Return the memory that each pass moves keys to, and memory for runs that is free at the end."""
        size = self._rows * self._length
        spare = [Keys(self._lent.array(size, KEY, "x"), 0) for _ in range(min(passes - 1, 1))]
        if self._order.dtype.itemsize == KEY_BYTES:
            last = Keys(self._order, self._offset)
        else:
            last = Keys(self._lent.array(size, KEY, "x"), 0)
        noted = spare[0].memory if spare else self._lent.array(size // 2 + 1, KEY, "x")
        turns = [*spare, last]
        return [turns[(i - passes) % len(turns)] for i in range(passes)], noted

    def _made_parts(self, make: MakeKeys, low: int) -> Iterator[Part]:
        """Make the keys piece by piece; if they are one piece, they are made once."""
        if self._made:
            yield from self._made
            return
        for piece in pieces(self._rows, self._length, self._plan.piece):
            each = piece.size // piece.rows
            keys, begins = (
                make(piece.row * self._length + piece.place, piece.size),
                self._sorter.evenly(piece.rows, each),
            )
            part = Part(keys, piece.rows, piece.row, begins, each, {"low": low, "place": piece.place})
            if piece.size == self._rows * self._length:
                self._made = [part]
            yield part

    def _divide(
        self, parts: Callable[[], Iterator[Part]], target: Keys, begins: cla.Array, taken: int, bits: int
    ) -> cla.Array:
        """Count the digits of the keys, behind `taken` bits, and move the keys; return where their buckets begin.

        The keys are asked for twice. All segments, rows or buckets of the passes before, begin where `begins` says.
        """
        by, counts = digit(taken, bits), self._tallies.base_data
        segments, at = self._rows << taken, self._counts_at
        self._counts_at += segments << bits
        for part in parts():
            self._launch("count_digits", part, counts=counts, counts_offset=at, **by)
        buckets = self._place(at, begins, segments, taken + bits, by["digits"])
        for part in parts():
            name, packing = "scatter" if taken else "pack_and_scatter", part.packing
            self._launch(name, part, **_where("out", target), cursors=counts, cursors_offset=at, **by, **packing)
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

    def _place(self, at: int, begins: cla.Array, segments: int, taken: int, digits: int) -> cla.Array:
        """Find from the counts, which begin `at`, where buckets begin, and how many keys the largest has."""
        buckets = self._lent.array(segments * digits + 1, WORD, "x")
        event = self._sorter.launch(
            self._sorter.partition_kernel("place_buckets"), segments, counts=self._tallies.base_data, counts_offset=at,
            begins=begins.base_data, bucket_begins=buckets.base_data, most=1 + len(self._limits), digits=digits,
            wait_for=wait_list(buckets, *(self._last or ())),
        )  # fmt: skip
        is_last = taken == sum(self._plan.passes(self._length))
        self._limits.append(self._plan.max_local if is_last else max_keys(self._length / 2**taken))
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
    order, queue = results[0], queue_of(given[0])
    with Lent(queue, info(queue.device)) as lent:
        found = Sorter(queue, plan).sort(
            lambda first, _: Keys(given[0], offset_of(given[0]) + first), order, offset_of(order), rows, length, lent
        )
        found.event.wait()
        count = int(found.tallies.get()[0])
        noted = found.noted.get()[:count].view(WORD).reshape(-1, 2)
    return [count, noted[np.argsort(noted[:, 0])], *found.largest()]


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
