"""How a buffer is filled on a device: the shape of the work, chosen from what the device is.

The numbers do not depend on any of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from clrng.codegen.generators import GeneratorCode
from clrng.opencl.devices import DeviceInfo

STREAMING_PLATFORMS = ("Portable Computing Language", "Intel(R) OpenCL")
"""CPU platforms whose compilers know clang's store past the caches."""

LARGEST_CACHED = 2**26
"""The most bytes left to the caches of a CPU, however large it says they are: a virtual machine may name those of its
whole host. Where one claimed 503 MB, stores past the caches were as fast from 64 MiB and 2.5 times as fast from 128."""

LARGEST_LAUNCH = 2**31
"""Values of one launch; more are made by several."""

LONGEST_LOOP = 2**12
"""Turns of all loops of a work-item together; more work is given to more work-items or launches. Mesa's llvmpipe ends
the loops of a work-item, without a word, after 65535 turns; the baseline of 2008 has loops in its step too."""

STORE_BYTES = 16
"""Bytes that a lane of a GPU stores together."""


def values_per_store(itemsize: int) -> int:
    """Return how many values of `itemsize` bytes a lane of a GPU stores together."""
    return STORE_BYTES // itemsize


def launches(begin: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """Cut the range from `begin` to `end` - 1 into launches of at most `most`; yield where each begins and its size."""
    for first in range(begin, end, most):
        yield first, min(most, end - first)


def whole_groups(work_items: int, group_size: int) -> int:
    """Return `work_items` rounded up to whole work-groups."""
    return -(-work_items // group_size) * group_size


class Launch(NamedTuple):
    """One launch: what each work-item does.

    Attributes
    ----------
    items : int
        Work-items, a multiple of the work-group's.
    first_tile : int
        Work-item i begins at tile i * first_tile,
    tile_stride : int
        goes on by so many tiles,
    tiles_each : int
        and makes at most so many.
    """

    items: int
    first_tile: int
    tile_stride: int
    tiles_each: int


@dataclass(frozen=True)
class Plan:
    """The shape of a fill.

    Attributes
    ----------
    width : int
        Lanes of the explicit vectors: neighbouring values, computed together.
    run : int
        Values one lane makes in a row before it moves on; where it is 1 it moves on after every value. It is 1 where
        `width` is more.
    chains : int
        Independent such groups a work-item, side by side in a tile.
    blocked : bool
        Whether a work-item fills one contiguous block (CPUs) or every so-manieth tile (GPUs).
    streaming : bool
        Whether stores go past the caches.
    items : int
        Work-items of a launch, while none has more than `LONGEST_LOOP` tiles.
    local : int
        Work-items of a work-group.

    Raises
    ------
    ValueError
        If `width` and `run` do not go together.
    """

    width: int
    run: int
    chains: int
    blocked: bool
    streaming: bool
    items: int
    local: int

    def __post_init__(self) -> None:
        if self.width > 1 and self.run != 1:
            raise ValueError(f"run must be 1 for vectors, not {self.run} for {self.width} lanes")

    def check(self, out_bytes: int) -> None:
        """Check that stores of 16 bytes share out what a lane makes of outputs of `out_bytes` bytes.

        Raises
        ------
        ValueError
            If they do not.
        """
        group, together = values_per_store(out_bytes), self.chains if self.run == 1 else self.run
        if self.width == 1 and together % group:
            raise ValueError(f"run, or where it is 1 chains, must be a multiple of {group}, not {together}")

    @property
    def tile(self) -> int:
        """Values of a tile."""
        return self.width * self.run * self.chains

    def launch(self, n: int) -> Launch:
        """Return the launch that makes `n` values, 1 or more."""
        tiles = -(-n // self.tile)
        items = max(min(self.items, tiles), -(-tiles // LONGEST_LOOP))
        each = -(-tiles // items)
        items = whole_groups(items, self.local)
        return Launch(items, each, 1, each) if self.blocked else Launch(items, 1, items, each)


def can_stream(device: DeviceInfo) -> bool:
    """Return whether stores past the caches can be written for `device`."""
    return device.kind == "cpu" and device.platform in STREAMING_PLATFORMS


def fits_caches(device: DeviceInfo, nbytes: int) -> bool:
    """Return whether `nbytes` are better left in the device's caches for their reader."""
    return nbytes <= min(device.device.global_mem_cache_size, LARGEST_CACHED)


def streams(device: DeviceInfo, nbytes: int) -> bool:
    """Return whether a fill of `nbytes` on `device` stores past the caches."""
    return can_stream(device) and not fits_caches(device, nbytes)


@dataclass(frozen=True)
class BlockPlan:
    """The shape of a fill in which every lane has a block of its own.

    Attributes
    ----------
    width : int
        Lanes of the explicit vectors, or 1 where the work-items of a work-group exchange values in local memory.
    run : int
        Values of a chunk, a power of two: what a lane makes before values are exchanged.
    streaming : bool
        Whether stores go past the caches.
    lanes : int
        Lanes of a launch, while none has more than `longest` chunks.
    shortest : int
        The fewest chunks that a lane is started for.
    local : int
        Work-items of a work-group.
    unrolled : bool
        Whether the steps of a chunk are written out.
    """

    width: int
    run: int
    streaming: bool
    lanes: int
    shortest: int
    local: int
    unrolled: bool

    def __post_init__(self) -> None:
        if self.run < 1 or self.run & (self.run - 1):
            raise ValueError(f"run must be a power of two, not {self.run}")

    @property
    def longest(self) -> int:
        """The most chunks of a lane: a chunk that is not written out has a loop of at most run / 2 turns of its own."""
        return LONGEST_LOOP // (1 if self.unrolled else self.run // 2 + 1)

    def launch(self, n: int) -> tuple[int, int]:
        """Return the work-items and the chunks of each lane for `n` values.

        There are enough work-items to make the values before and after the chunks one apiece.
        """
        chunks = max(n // self.run, 1)
        each = min(max(-(-chunks // self.lanes), min(self.shortest, -(-chunks // self.width))), self.longest)
        items = max(-(-chunks // (each * self.width)), min(n, 2 * self.run))
        return whole_groups(items, self.local), each

    def even(self, chunks: int) -> int:
        """Return the chunks of each lane, of which the last may have fewer, rounded up to `DIGITS` bits."""
        return min(rounded(-(-chunks // self.lanes)), self.longest)


DIGITS = 6
"""Significant bits of the lengths of blocks: at most 3 % longer than they would have to be."""


def rounded(n: int) -> int:
    """Return `n` rounded up to `DIGITS` significant bits: requests of about one size then share what depends on it."""
    unit = 1 << max(n.bit_length() - DIGITS, 0)
    return -(-n // unit) * unit


CHUNK_BYTES = 256
"""Bytes of a chunk on a GPU: two lines of its memory."""


def choose_blocks(device: DeviceInfo, code: GeneratorCode, out_bytes: int, streaming: bool) -> BlockPlan:
    """Return how to fill a buffer with outputs of `out_bytes` bytes in blocks."""
    width = min(code.max_vector_width, 64 // out_bytes)
    if device.kind == "cpu" and width > 1:
        return BlockPlan(width, 64 // out_bytes, streaming, 32 * device.units * width, 16, 1, unrolled=True)
    lanes = (64 if device.kind == "cpu" else 1024) * device.units
    local = 64 if device.device.max_work_group_size >= 64 else CHUNK_BYTES // STORE_BYTES  # noqa: PLR2004  # the smallest
    return BlockPlan(1, CHUNK_BYTES // out_bytes, streaming, lanes, 1, local, unrolled=code.max_vector_width > 1)


def choose(device: DeviceInfo, code: GeneratorCode, out_bytes: int, streaming: bool) -> Plan:
    """Return how to fill a buffer with outputs of `out_bytes` bytes on `device`, past the caches where `streaming`.

    On a GPU a lane goes on after every value where that costs what a step does, as in integers, and else after some.
    """
    if device.kind == "cpu" and code.max_vector_width > 1:
        return Plan(code.max_vector_width, 1, 64 // code.max_vector_width, True, streaming, 32 * device.units, 1)
    if device.kind == "cpu":
        return Plan(1, 4, 1, True, streaming, 32 * device.units, 1)
    group = values_per_store(out_bytes)
    run, chains = (1, group) if code.arithmetic.name == "integer" else (group, 1)
    return Plan(1, run, chains, False, streaming, 1024 * device.units, min(256, device.device.max_work_group_size))
