"""The tiles of fills of generators that count: all values of counters, which make whole stores."""

from math import lcm
from typing import Any, NamedTuple, cast

from clrng.generators.counter_based import CountingCode
from clrng.generators.halves import HalvesCode
from clrng.opencl.traits import LONGEST_VECTOR

STORE_BYTES, LINE_BYTES = 16, 64
"""Bytes of a store of a GPU and of a CPU."""

OF_LANES = "v_"
"""What the names of the functions on vectors of counters begin with."""

EXCHANGING, EXCHANGED = 128, (2, 4, 8)
"""Work-items of a GPU that exchange stores, and how many each has of a tile, where it has more than one."""

MOST_RAW, MOST_RAW_SIDE_BY_SIDE = 1024, 64
"""Raw values of a tile: those of a CPU are in its first cache, those of a GPU in its registers."""


class Tile(NamedTuple):
    """The shape of a tile.

    `counts`: how often the values of `sets` of `lanes` counters are made, of all sets at once. `gathered`: the values
    that are converted in a vector, or 0 where they are scalars. `group`: the values of a store. `values`: those of the
    tile. `pad`: the place of its first raw value among those at hand.
    """

    counts: int
    sets: int
    lanes: int
    gathered: int
    group: int
    values: int
    pad: int

    def values_of(self, code: CountingCode | HalvesCode) -> dict[str, Any]:
        """Return what the template needs to know of tiles of a code, beside how they are stored."""
        halved, whole = isinstance(code, HalvesCode), counting(code)
        return {
            **whole.counts,
            "of_each": values_of_each(code),
            "paired": halved or whole.paired,
            "halved": halved,
            "counts": self.counts,
            "sets": self.sets,
            "lanes": self.lanes,
            "group": self.group,
            "pad": self.pad,
            "of_lanes": OF_LANES,
        }

    def functions(self, code: CountingCode | HalvesCode) -> str:
        """Return the bijection of vectors of counters, where there are vectors."""
        return counting(code).bijection_text(OF_LANES, self.lanes, self.sets) if self.lanes > 1 else ""


def counting(code: CountingCode | HalvesCode) -> CountingCode:
    """Return the code that counts: that of whole values where these are halved."""
    return cast("CountingCode", code.whole) if isinstance(code, HalvesCode) else code


def values_of_each(code: CountingCode | HalvesCode) -> int:
    """Return how many values there are of a counter."""
    return counting(code).bijection.values * (2 if isinstance(code, HalvesCode) else 1)


def choose_tile(code: CountingCode | HalvesCode, steps: int, out_bytes: int, *, side_by_side: bool) -> Tile | None:
    """Return the shape of a tile of values of so many steps and bytes.

    None where it would be too large, and for halves where work-items run side by side, which are filled in blocks.
    """
    of_each = values_of_each(code)
    if side_by_side and isinstance(code, HalvesCode):
        return None
    if side_by_side:
        sets, lanes, group, gathered, most = 1, 1, STORE_BYTES // out_bytes, 0, MOST_RAW_SIDE_BY_SIDE
    else:
        sets, lanes = counting(code).counter_sets, counting(code).counter_lanes
        group, most = min(LONGEST_VECTOR, LINE_BYTES // out_bytes), MOST_RAW
        gathered = min(group, LINE_BYTES // code.value.itemsize)
    at_once = sets * lanes * of_each
    raws = lcm(at_once, group * steps)
    return (
        Tile(raws // at_once, sets, lanes, gathered, group, raws // steps, max(lanes, of_each, gathered))
        if raws <= most
        else None
    )
