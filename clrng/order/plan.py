"""The shape of a sort: how its keys are divided among work-items, chosen for the device.

The result is the same for every shape.
"""

from dataclasses import dataclass
from itertools import pairwise

from clrng.launch.plan import LONGEST_LOOP, WORK_ITEM_PLATFORMS
from clrng.opencl.devices import DeviceInfo

MOST_TILE = 2**16 - 1
"""The most keys that counters of 16 bits count."""

SMALLEST_CHUNK = 2**12
"""The fewest keys that are worth a work-item of a CPU."""


@dataclass(frozen=True)
class SortPlan:
    """The shape of a sort, which takes some bits of the keys a pass, the lowest first.

    In a pass the keys are cut into parts, whose digits are counted and which are then moved independently.

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

    def __post_init__(self) -> None:
        if self.tile > MOST_TILE:
            raise ValueError(f"group_size times keys_each must be at most {MOST_TILE}, not {self.tile}")

    @property
    def by_chunks(self) -> bool:
        """Whether a part is moved by one work-item, one key after the other."""
        return self.group_size == 1

    @property
    def tile(self) -> int:
        """Keys that are moved at a time."""
        return self.group_size * self.keys_each

    @property
    def most_tiles(self) -> int:
        """The most tiles of a work-group, which all its loops of `keys_each` turns are short for."""
        return max(LONGEST_LOOP // (8 * self.keys_each), 1)

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


def choose(device: DeviceInfo, itemsize: int) -> SortPlan:
    """Return the shape of a sort in which the larger of key and value has `itemsize` bytes."""
    if device.kind == "cpu" and device.platform not in WORK_ITEM_PLATFORMS:
        return SortPlan(11, 1, 1, 4 * device.units)
    group_size = min(256, 1 << device.device.max_work_group_size.bit_length() - 1)
    return SortPlan(8, group_size, 64 // max(itemsize, 4), 16 * device.units)
