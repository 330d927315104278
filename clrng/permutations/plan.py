"""The shape of a sort of keys, chosen for the device; the result is the same for every shape."""

from dataclasses import dataclass
from typing import Any

from clrng.launch.plan import WORK_ITEM_PLATFORMS
from clrng.opencl.devices import DeviceInfo

FULL = 5 / 8
"""How full of keys a work-group is on average, at most. Keys that are as good as random then never are too many: 640
keys of 1024 are 15 standard deviations from it."""


@dataclass(frozen=True)
class SortPlan:
    """The shape of a sort.

    Keys are divided into buckets by their highest bits, in one pass or several, until a work-group can sort a bucket in
    its local memory.

    Attributes
    ----------
    group_size : int
        Work-items of a work-group, a power of two. A group of one does without barriers and atomics.
    tile : int
        Keys that a work-group moves to their buckets at a time.
    most_digit_bits : int
        The most bits by which a pass divides.
    in_order : bool
        Whether a work-group puts a tile in order in local memory before it stores it, so that neighbouring work-items
        store to neighbouring places.
    most : int
        Keys that a work-group sorts in local memory.
    keys_a_heap : int
        About how many keys of a bucket are sorted by one work-item.
    groups : int
        Work-groups that share a pass, at least.
    """

    group_size: int
    tile: int
    most_digit_bits: int
    in_order: bool
    most: int
    keys_a_heap: int
    groups: int

    @property
    def partition_values(self) -> dict[str, Any]:
        """What the template of partitions takes."""
        most_digits = 1 << self.most_digit_bits
        return {
            "group_size": self.group_size,
            "tile": self.tile,
            "most_digits": most_digits,
            "in_order": self.in_order,
        }

    @property
    def sort_values(self) -> dict[str, Any]:
        """What the template of sorts takes."""
        return {"group_size": self.group_size, "most": self.most, "most_heaps": 2 * self.most // self.keys_a_heap}

    def passes(self, length: int) -> list[int]:
        """Return by how many bits each pass divides rows of `length` keys; none where a work-group sorts whole rows."""
        if length <= self.most:
            return []
        bits = 0
        while length > (self.most * FULL) * 2**bits:
            bits += 1
        count = -(-bits // self.most_digit_bits)
        return [bits // count + (i < bits % count) for i in range(count)]

    def heap_bits(self, length: int) -> int:
        """Return by how many bits a work-group divides rows or buckets of about `length` keys."""
        return max(length // self.keys_a_heap, 1).bit_length() - 1

    def groups_for(self, segments: int, length: int) -> int:
        """Return how many work-groups share a segment of about `length` keys."""
        return max(min(-(-length // self.tile), -(-self.groups // segments)), 1)


def choose(device: DeviceInfo) -> SortPlan:
    """Return the shape of sorts on `device`."""
    if device.platform in WORK_ITEM_PLATFORMS:  # their loops must be short
        return SortPlan(1, 2**11, 8, in_order=False, most=2**8, keys_a_heap=2, groups=2**30)
    if device.kind == "cpu":
        return SortPlan(1, 2**15, 8, in_order=False, most=2**12, keys_a_heap=1, groups=32 * device.units)
    size = min(256, device.device.max_work_group_size)
    size = 1 << (size.bit_length() - 1)
    return SortPlan(size, 2**12, 9, in_order=True, most=2**11, keys_a_heap=2, groups=16 * device.units)
