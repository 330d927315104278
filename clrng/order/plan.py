"""The shape of a sort: how its keys are divided among work-items, chosen for the device.

The result is the same for every shape.
"""

from dataclasses import dataclass
from itertools import pairwise

from clrng.fill.plan import LONGEST_LOOP, WORK_ITEM_PLATFORMS
from clrng.opencl.devices import DeviceInfo

MOST_TILE = 2**16 - 1
"""The most keys that counters of 16 bits count."""

SMALLEST_CHUNK = 2**12
"""The fewest keys that are worth a work-item of a CPU."""

SHORT = 4
"""Bytes of the largest keys and values that are short."""

SHAPES = {(False, False): (256, 16), (False, True): (512, 16), (True, False): (256, 16), (True, True): (256, 12)}
"""Work-items of a work-group and keys of each, the best on an H200: by whether a key or value has more than `SHORT`
bytes, and whether values are moved."""

SPARE = 2**13
"""Bytes of local memory that a tile leaves for counters."""


@dataclass(frozen=True)
class SortPlan:
    """The shape of a sort, which takes some bits of the keys a pass, the lowest first.

    In a pass the keys are cut into parts, whose digits are counted and which are then moved independently. Where a
    work-item moves a part alone, there may be but one such pass, by the highest bits: it makes buckets of keys, each of
    which a work-item then sorts where they fit the caches of a CPU.

    Attributes
    ----------
    digit_bits : int
        The most bits of the keys that a pass takes.
    group_size : int
        Work-items of a work-group that moves a part together, a power of two; 1 where a work-item moves a part alone,
        one key after the other.
    keys_each : int
        Keys that a work-item has in registers. Those of all work-items of a group are a tile.
    most_parts : int
        The most parts. There are more where a work-group would have more than `most_tiles` tiles.
    rank_bits : int
        Bits that a work-group sorts a tile by at a time.
    copies : int
        Tables in which a work-group counts.
    bucket_bits : int
        Bits that choose a bucket; 0 is no buckets.
    inner_bits : int
        The most bits that a pass over a bucket takes.
    fewest : int
        The fewest keys that are sorted in buckets.
    shares : int
        Where a bucket has more than one of so many equal shares of all keys, they are not sorted in buckets.

    Raises
    ------
    ValueError
        If a tile has more keys than its counters count.
    """

    digit_bits: int
    group_size: int
    keys_each: int
    most_parts: int
    rank_bits: int = 4
    copies: int = 4
    bucket_bits: int = 0
    inner_bits: int = 8
    fewest: int = 1
    shares: int = 1

    def __post_init__(self) -> None:
        if self.tile > MOST_TILE:
            raise ValueError(f"group_size times keys_each must be at most {MOST_TILE}, not {self.tile}")

    @property
    def by_chunks(self) -> bool:
        """Whether a part is moved by one work-item, one key after the other."""
        return self.group_size == 1

    @property
    def tile(self) -> int:
        """Keys that a work-group moves at a time."""
        return self.group_size * self.keys_each

    @property
    def most_tiles(self) -> int:
        """The most tiles of a work-group: all its loops of `keys_each` turns together are short."""
        return max(LONGEST_LOOP // (8 * self.keys_each), 1)

    @property
    def group_values(self) -> dict[str, int]:
        """What the templates of work-groups are told."""
        return {
            "group_size": self.group_size,
            "keys_each": self.keys_each,
            "rank_bits": self.rank_bits,
            "copies": self.copies,
        }

    @property
    def bucket_count(self) -> int:
        """How many buckets there are."""
        return 1 << self.bucket_bits

    def by_buckets(self, n: int, bits: int) -> bool:
        """Return whether `n` keys are sorted by that many bits in buckets, unless one is too large."""
        return self.by_chunks and 0 < self.bucket_bits < bits and n >= self.fewest

    def bucket_passes(self, bits: int, *, odd: bool) -> int:
        """Return how many passes over a bucket take so many bits, 1 or more; where `odd`, an odd number."""
        count = -(-bits // self.inner_bits)
        return count + (odd and count % 2 == 0)

    def parts(self, n: int) -> tuple[int, int]:
        """Return how many parts `n` keys, 1 or more, are cut into, and the keys of each; the last may have fewer."""
        if self.by_chunks:
            count = min(self.most_parts, -(-n // SMALLEST_CHUNK))
            size = -(-n // count)
        else:
            tiles = -(-n // self.tile)
            each = min(-(-tiles // self.most_parts), self.most_tiles)
            size = each * self.tile
        return -(-n // size), size

    def digits(self, low: int, high: int, *, even: bool) -> list[tuple[int, int]]:
        """Return the passes that take the bits from `low` to `high` - 1: the first bit of each and how many it takes.

        There is one at least, which may take none; where `even`, there is an even number of them.
        """
        count = max(-(-(high - low) // self.digit_bits), 1)
        count += even and count % 2
        ends = [low + (high - low) * i // count for i in range(count + 1)]
        return [(begin, end - begin) for begin, end in pairwise(ends)]


def choose(device: DeviceInfo, itemsize: int, *, with_values: bool = False) -> SortPlan:
    """Return the shape of a sort in which the larger of key and value has `itemsize` bytes.

    On two cores of a Zen 5 with PoCL, 256 buckets with passes of 12 bits took three quarters of the time of four passes
    of 8 bits for 2^20 keys of 32 bits, and for 64 bits 512 buckets with 11 bits were best. For few keys the counters of
    a bucket cost more than its keys.
    """
    if device.kind == "cpu" and device.platform not in WORK_ITEM_PLATFORMS:
        bucket_bits, inner_bits = (8, 12) if itemsize <= SHORT else (9, 11)
        return SortPlan(
            8, 1, 1, 4 * device.units,
            bucket_bits=bucket_bits, inner_bits=inner_bits, fewest=2**19,
            shares=min(2 * device.units, 2 ** (bucket_bits - 1)),
        )  # fmt: skip
    group_size, keys_each = SHAPES[itemsize > SHORT, with_values]
    group_size = min(group_size, 1 << device.device.max_work_group_size.bit_length() - 1)
    while group_size * keys_each * max(itemsize, SHORT) > device.device.local_mem_size - SPARE:
        keys_each //= 2
    return SortPlan(8, group_size, keys_each, (64 if device.kind == "gpu" else 16) * device.units)
