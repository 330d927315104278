"""The shape of a sort of keys, chosen for the device; the result is the same for every shape."""

from dataclasses import dataclass
from typing import Any

from clrng.fill.plan import WORK_ITEM_PLATFORMS
from clrng.opencl.devices import DeviceInfo

FULL = 5 / 8
"""How full of keys a work-group is on average, at most. Keys that are as good as random then never are too many: 640
keys of 1024 are 15 standard deviations from it."""


@dataclass(frozen=True)
class OrderPlan:
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
    keys_a_heap : float
        About how many keys of a bucket are sorted together by one work-item, a power of two.
    groups : int
        Work-groups that share a pass, at least.
    piece : int
        Keys that are made at a time.
    """

    group_size: int
    tile: int
    most_digit_bits: int
    in_order: bool
    most: int
    keys_a_heap: float
    groups: int
    piece: int

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
        return {"group_size": self.group_size, "most": self.most, "most_heaps": int(self.most / self.keys_a_heap)}

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
        return max(int(length / self.keys_a_heap), 1).bit_length() - 1

    def groups_for(self, segments: int, length: int) -> int:
        """Return how many work-groups share a segment of about `length` keys."""
        return max(min(-(-length // self.tile), -(-self.groups // segments)), 1)


LOCAL_BYTES = 2**18
"""The most bytes of local memory that a group of one work-item has its keys in: they stay in the caches next to it."""


ENOUGH_LOCAL_BYTES = 48 * 2**10
"""Those with which a work-group of a GPU has long tiles; OpenCL promises 32 KiB."""


def choose(device: DeviceInfo) -> OrderPlan:
    """Return the shape of sorts on `device`."""
    local = device.device.local_mem_size
    if device.platform in WORK_ITEM_PLATFORMS:  # their loops must be short
        return OrderPlan(1, 2**11, 8, False, 2**8, 1, 2**30, 2**20)
    if device.kind == "cpu":
        most = min(LOCAL_BYTES, local // 2 + 1).bit_length() - 5  # 16 bytes each
        return OrderPlan(1, 2**15, 10, False, 2**most, 0.5, 32 * device.units, 2**19)
    largest, tile, most = (512, 2**12, 7 * 2**9) if local >= ENOUGH_LOCAL_BYTES else (256, 2**11, 2**11)
    size = 1 << min(largest, device.device.max_work_group_size).bit_length() - 1
    return OrderPlan(size, tile, 9, True, most, 2, 16 * device.units, 2**25)
