"""The shapes of sorts, scans and counts: how their work is divided among work-items, chosen for the device.

Results are the same for every shape. Members count keys or values of an array unless they say otherwise.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import ceil, log2, prod
from typing import Literal

import pyopencl.array as cla

from clrng.opencl.devices import DeviceInfo, group_size_of
from clrng.opencl.kernel import whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of

MAX_TILE = 2**16 - 1
"""The maximum number of keys that counters of 16 bits count."""

Way = Literal["alone", "ahead", "sweeps", "buckets", "passes"]
"""How keys are sorted: by one work-item or work-group alone, in passes each of which counts ahead for the next one, in
passes that read the keys once, in buckets unless one is too large, or in other passes over all of them."""

MIN_CHUNK = 2**12
"""The minimum number of keys that are worth a work-item of a CPU."""

SHORT_BYTES = 4
"""Bytes of the largest keys and values that are short."""

TILES = {(False, False): (256, 16), (False, True): (512, 16), (True, False): (256, 16), (True, True): (256, 12)}
"""Work-items of a work-group and keys of each in a radix sort, the best on an H200: by whether a key or value has more
than `SHORT_BYTES`, and whether values are moved."""

ALONE = ((128, 8), (1024, 8))
"""Work-items of a work-group that sorts keys alone, and the maximum keys of each: for few keys, and for more."""

AHEAD = ((256, 8), (512, 16))
"""Work-items of a work-group and keys of each in a sort that counts for the next pass: for few keys, and for more."""

SWEEPS = {(False, False): (384, 16), (False, True): (384, 12), (True, False): (384, 12), (True, True): (384, 8)}
"""The same, the best on an H100, of a sort in sweeps, with a multiple of 32 work-items, at least 256."""

MAX_SWEPT = 2**30 - 1
"""The maximum number of keys that are sorted in sweeps, which pack a number of keys and two bits in a word."""

MAX_ROWS = 128
"""The maximum parts in a sort that counts ahead, for every one of which a work-group reads a row of counts."""

MAX_AHEAD = 2**20
"""The maximum number of keys that are sorted in passes that count ahead: for more, counters in local memory are faster
than fewer launches. Where there are sweeps, these are faster for all but few keys."""

SPARE_BYTES = 2**13
"""Bytes of local memory that a tile of a radix sort leaves for counters."""

FULL = 5 / 8
"""The maximum mean number of keys of a work-group that sorts rows, as a part of those that it can have. Random keys
are then never too many: from 640 keys to 1024 are 15 standard deviations."""

MAX_LOCAL_BYTES = 2**18
"""The maximum bytes of local memory for the keys of a group of one work-item: they stay in the nearest caches."""

ENOUGH_LOCAL_BYTES = 48 * 2**10
"""The bytes of local memory with which a work-group of a GPU has long tiles; OpenCL promises 32 KiB."""


@dataclass(frozen=True)
class SortPlan:
    """The shape of a radix sort, which takes some bits of the keys a pass, the lowest first.

    In a pass the keys are cut into parts, whose digits are counted and which are then moved independently. Where a
    work-item moves a part alone, there may be only one such pass, by the highest bits: it makes buckets of keys, so
    small that a work-item then sorts each in the caches of a CPU.

    Where launches take longer than what they do, there are fewer of them. One work-item or work-group sorts all keys
    alone. Or a pass counts the digits of the next one, in the parts that keys go to, and adds up the counts itself.
    """

    digit_bits: int  # The maximum bits of the keys that a pass takes
    group_size: int
    """Work-items that move a part together, a power of two; 1 where one moves a part alone, one key after the other."""
    keys_each: int  # Keys that a work-item has in registers. Those of all work-items of a group are a tile.
    max_parts: int  # The maximum parts. There are more where a work-group would have more than `max_tiles` tiles.
    rank_bits: int = 4  # Bits that a work-group sorts a tile by at a time
    copies: int = 4  # Tables in which a work-group counts
    bucket_bits: int = 0  # Bits that choose a bucket; 0 is no buckets
    inner_bits: int = 8  # The maximum number of bits that a pass over a bucket takes, or of a work-item alone
    min_for_buckets: int = 1  # The minimum number of keys that are sorted in buckets
    max_alone: int = 0  # The maximum number of keys that are sorted alone, at most a tile with several work-items
    shares: int = 1
    """Where a bucket has more keys than all of them divided by this, they are not sorted in buckets."""
    ahead: bool = False  # Whether a pass counts the digits of the next one
    sweeps: bool = False  # Whether a pass reads the keys once, and a work-group waits for those before it
    max_keys: int | None = None  # The maximum number of keys for which the shape is taken, if there is one

    def __post_init__(self) -> None:
        if self.tile > MAX_TILE:
            raise ValueError(f"group_size times keys_each must be at most {MAX_TILE}, not {self.tile}")

    @cached_property
    def by_chunks(self) -> bool:
        """Whether a part is moved by one work-item, one key after the other."""
        return self.group_size == 1

    @property
    def tile(self) -> int:
        """Keys that a work-group moves at a time."""
        return self.group_size * self.keys_each

    @property
    def max_tiles(self) -> int:
        """The maximum number of tiles of a work-group: all its loops of `keys_each` turns together are short."""
        return max(LONGEST_LOOP // (8 * self.keys_each), 1)

    @cached_property
    def bucket_count(self) -> int:
        """How many buckets there are."""
        return 1 << self.bucket_bits

    def way(self, n: int, bits: int, *, in_place: bool) -> Way:
        """Return how `n` keys are sorted by that many bits."""
        if n <= self.max_alone and not (self.by_chunks and in_place):
            return "alone"
        if self.ahead or self.sweeps:
            return "ahead" if self.ahead else "sweeps"
        return "buckets" if self.by_chunks and 0 < self.bucket_bits < bits and n >= self.min_for_buckets else "passes"

    def inner_passes(self, bits: int, *, odd: bool = False) -> int:
        """Return how many passes over a bucket take so many bits, 1 or more; where `odd`, an odd number."""
        count = max(-(-bits // self.inner_bits), 1)
        return count + (odd and count % 2 == 0)

    def parts(self, n: int) -> tuple[int, int]:
        """Return how many parts `n` keys, 1 or more, are cut into, and the keys of each; the last may have fewer."""
        if self.by_chunks:
            count = min(self.max_parts, -(-n // MIN_CHUNK))
            size = -(-n // count)
        else:
            tiles = -(-n // self.tile)
            each = min(-(-tiles // self.max_parts), self.max_tiles)
            size = each * self.tile
        return -(-n // size), size

    def digits(self, low: int, high: int, *, even: bool) -> list[tuple[int, int]]:
        """Return the passes that take the bits from `low` to `high` - 1: the first bit of each and how many it takes.

        There is at least one, which may take none; where `even`, there is an even number of them.
        """
        count = max(-(-(high - low) // self.digit_bits), 1)
        count += even and count % 2
        ends = [low + (high - low) * i // count for i in range(count + 1)]
        return [(begin, end - begin) for begin, end in pairwise(ends)]


def sort_plan(device: DeviceInfo, itemsize: int, *, with_values: bool = False) -> SortPlan:
    """Return the shape of a radix sort in which the larger of key and value has `itemsize` bytes.

    On two cores of a Zen 5 with PoCL, 256 buckets with passes of 12 bits took three quarters of the time of four passes
    of 8 bits for 2^20 keys of 32 bits, and for 64 bits 512 buckets with 11 bits were best. For few keys the counters of
    a bucket cost more than its keys, and of up to 2^16 keys one launch was faster than several of several work-items.
    """
    if not traits_of(device).side_by_side:
        bucket_bits, inner_bits = (8, 12) if itemsize <= SHORT_BYTES else (9, 11)
        return SortPlan(
            8, 1, 1, 4 * device.units,
            bucket_bits=bucket_bits, inner_bits=inner_bits, min_for_buckets=2**19,
            max_alone=2**16, shares=min(2 * device.units, 2 ** (bucket_bits - 1)),
        )  # fmt: skip
    tile = _tile(device, itemsize, *TILES[itemsize > SHORT_BYTES, with_values])
    return SortPlan(8, *tile, (64 if traits_of(device).family == "gpu" else 16) * device.units)


def _tile(device: DeviceInfo, itemsize: int, group_size: int, keys_each: int) -> tuple[int, int]:
    """Return the work-items of a work-group and the keys of each: those given, or as many as the device allows."""
    local = device.device.local_mem_size
    group_size = group_size_of(device, group_size if local >= ENOUGH_LOCAL_BYTES else min(group_size, 512))
    while group_size * keys_each * max(itemsize, SHORT_BYTES) > local - SPARE_BYTES:
        keys_each //= 2
    return group_size, keys_each


def sort_plans(device: DeviceInfo, itemsize: int, *, with_values: bool = False) -> list[SortPlan]:
    """Return the shapes of radix sorts, those for fewer keys first: the last one is that of `sort_plan`."""
    plans, traits = [], traits_of(device)
    if traits.family == "gpu" and not traits.short_loops:
        for given in ALONE:
            tile = _tile(device, itemsize, *given)
            plans.append(SortPlan(8, *tile, 1, max_alone=prod(tile), max_keys=prod(tile)))
        few, more = AHEAD if itemsize <= SHORT_BYTES else (AHEAD[0], TILES[True, with_values])
        ahead = [(few, MAX_ROWS * prod(few))] + ([] if traits.goes_on else [(more, MAX_AHEAD)])
        for given, most in ahead:
            tile = _tile(device, itemsize, *given)
            plans.append(SortPlan(8, *tile, min(device.units, MAX_ROWS), ahead=True, max_keys=most))
    if traits.goes_on:
        plans.append(SortPlan(8, *SWEEPS[itemsize > SHORT_BYTES, with_values], 1, sweeps=True, max_keys=MAX_SWEPT))
    return [*plans, sort_plan(device, itemsize, with_values=with_values)]


@dataclass(frozen=True)
class RowSortPlan:
    """The shape of a sort of rows of keys.

    Keys are divided into buckets by their highest bits, in one pass or several, until a work-group can sort a bucket in
    its local memory.
    """

    group_size: int  # Work-items of a work-group, a power of two. A group of one does without barriers and atomics.
    tile: int  # Keys that a work-group moves to their buckets at a time
    digit_bits: int  # The maximum number of bits by which a pass divides
    in_order: bool
    """Whether a work-group puts a tile in order in local memory before it stores it, so that neighbouring work-items
    store to neighbouring places."""
    max_local: int  # The maximum number of keys that a work-group sorts in local memory
    keys_a_heap: float  # About how many keys of a bucket are sorted together by one work-item, a power of two
    groups: int  # The minimum number of work-groups that share a pass
    piece: int  # Keys that are made at a time
    forced_passes: tuple[int, ...] | None = None
    """The bits of each pass, for rows of an example that are too short for them."""

    @property
    def max_heaps(self) -> int:
        """The maximum number of heaps of a work-group."""
        return int(self.max_local / self.keys_a_heap)

    def passes(self, length: int) -> tuple[int, ...]:
        """Return by how many bits each pass divides rows of `length` keys; none where a work-group sorts whole rows."""
        if self.forced_passes is not None:
            return self.forced_passes
        if length <= self.max_local:
            return ()
        bits = ceil(log2(length / (self.max_local * FULL)))
        count = -(-bits // self.digit_bits)
        return tuple(bits // count + (i < bits % count) for i in range(count))

    def heap_bits(self, length: int) -> int:
        """Return by how many bits a work-group divides rows or buckets of about `length` keys."""
        return max(int(length / self.keys_a_heap), 1).bit_length() - 1

    def groups_for(self, segments: int, length: int) -> int:
        """Return how many work-groups share a segment of about `length` keys."""
        return max(min(-(-length // self.tile), -(-self.groups // segments)), 1)


def row_sort_plan(device: DeviceInfo) -> RowSortPlan:
    """Return the shape of sorts of rows on `device`."""
    local = device.device.local_mem_size
    if traits_of(device).short_loops:  # their loops must be short
        return RowSortPlan(1, 2**11, 8, False, 2**8, 1, 2**30, 2**20)
    if traits_of(device).family == "cpu":
        log_keys = min(MAX_LOCAL_BYTES, local // 2 + 1).bit_length() - 5  # 16 bytes each
        return RowSortPlan(1, 2**15, 10, False, 2**log_keys, 0.5, 32 * device.units, 2**19)
    largest, tile, max_local = (512, 2**12, 7 * 2**9) if local >= ENOUGH_LOCAL_BYTES else (256, 2**11, 2**11)
    return RowSortPlan(group_size_of(device, largest), tile, 9, True, max_local, 2, 16 * device.units, 2**25)


@dataclass(frozen=True)
class ScanPlan:
    """How the terms of a scan are shared out."""

    group_size: int  # Work-items of a work-group, a power of two; with 1 a part is gone through by one work-item alone
    each: int  # Terms that a work-item takes a turn; with several work-items, a power of two
    parts_per_unit: int  # Parts for each compute unit, where there are terms enough
    min_part: int  # The minimum number of terms of a part but the last, a multiple of `tile`
    max_turns: int  # The maximum number of turns of the loop over a part

    @cached_property
    def tile(self) -> int:
        """Terms that a work-group takes a turn."""
        return self.group_size * self.each

    def part_length(self, terms: int, units: int) -> int:
        """Return the terms of each part but the last, a multiple of `tile`."""
        wanted = -(-terms // (units * self.parts_per_unit))
        return max(self.min_part, min(-(-wanted // self.tile), self.max_turns) * self.tile)


SCANS = {
    "cpu": ScanPlan(group_size=1, each=8, parts_per_unit=4, min_part=4096, max_turns=2**15),
    "gpu": ScanPlan(group_size=256, each=8, parts_per_unit=16, min_part=2048, max_turns=2**12),
}
"""The shapes of scans: where a work-item goes through a part alone, and where those of a group do."""


def scan_plan(device: DeviceInfo) -> ScanPlan:
    """Return the shape of scans on `device`."""
    plan = SCANS["gpu" if traits_of(device).side_by_side else "cpu"]
    group_size = group_size_of(device, plan.group_size)
    return plan if group_size == plan.group_size else replace(plan, group_size=group_size)


@dataclass(frozen=True)
class CountPlan:
    """How the values that are counted are shared out."""

    group_size: int  # Work-items of a work-group, a power of two
    each: int  # Loads of a work-item a turn
    load_bytes: int
    """Bytes of a load with several work-items, where the values begin at a multiple of them; elsewhere, and with one,
    values are loaded one by one."""
    vector: int  # With one work-item, the values whose bins are found at once, in a vector, where a template can
    parts_per_unit: int  # Parts, of a work-group each, for each compute unit, if there are enough values
    min_part: int  # The minimum values of a part but the last
    max_part: int  # The maximum number of values of a part
    local_words: int
    """The maximum counters in local memory; fewer where the device has less of it, none where bins are more."""
    max_copies: int  # The maximum number of counters of a bin, a power of two

    def width(self, a: cla.Array) -> int:
        """Return the values of a load."""
        return 1 if self.group_size == 1 or a.offset % self.load_bytes else max(self.load_bytes // a.dtype.itemsize, 1)

    def part_length(self, a: cla.Array, units: int, turns: int = 1) -> int:
        """Return the values of each part but the last, a multiple of those of a turn and at least so many turns."""
        turn = self.group_size * self.each * self.width(a) * self.vector
        wanted = -(-a.size // (units * self.parts_per_unit))
        return max(whole_groups(min(max(wanted, self.min_part), self.max_part), turn), turns * turn)

    @property
    def in_tables(self) -> bool:
        """Whether each work-item counts in a table of its own."""
        return self.group_size == 1 and not self.local_words

    def log_copies(self, bins: int) -> int:
        """Return the binary logarithm of the counters of a bin in local memory."""
        return max(min(self.local_words // bins, self.max_copies).bit_length() - 1, 0)


COUNTS = {"cpu": CountPlan(1, 1, 0, 16, 4, 2**14, 2**15, 2**13, 4),
          "gpu": CountPlan(512, 2, 16, 1, 8, 2**14, 2**22, 2**13, 32)}  # fmt: skip
"""The shapes of counts: where a work-item counts a part alone, and where those of a group do."""


def count_plan(device: DeviceInfo, bins: int) -> CountPlan:
    """Return the shape of counts in so many bins on `device`."""
    plan = COUNTS["gpu" if traits_of(device).side_by_side else "cpu"]
    words = min(plan.local_words, device.device.local_mem_size // 4)
    group_size, words = group_size_of(device, plan.group_size), words if bins <= words else 0
    if (group_size, words) == (plan.group_size, plan.local_words):
        return plan
    return replace(plan, group_size=group_size, local_words=words)
