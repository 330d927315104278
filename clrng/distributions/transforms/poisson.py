"""Poisson numbers of which a kernel of a user's chooses the mean: tables that it looks up.

F(k; lam) is the probability of k or less. As a function of lam it is smooth, and its derivatives are differences of
probabilities: F' = -p(k), F'' = p(k) - p(k - 1). So F is known between two means, closely, from tables of F at both of
them: by the polynomial of degree 5 that has their values and two derivatives (Hermite's interpolation). Where a number
is too close to F to be sure, masses in integers decide, as in `clrng.distributions.discrete.Poisson`.

Errors of the interpolation, with means so close that their distance is at most an eighth of the standard deviation, are
below 2^-29; those of the arithmetic, in units of 2^-32, are some tens of units.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.transforms.transform import Table

MAX_OCTAVE = 15
"""Means are below 2^(MAX_OCTAVE + 1)."""

CELL_BITS = 3
"""The means below 1 are in 2^CELL_BITS cells; octave e, from 2^e on, has 2^(CELL_BITS + ceil(e/2)) of them or more."""

NARROW_BITS, MAX_NARROW_BITS = 2, 9
"""It has more, if 2^(e + NARROW_BITS) or else 2^MAX_NARROW_BITS are more: in a narrow cell both ends mostly agree."""

BITS = 32
"""Probabilities are in units of 2^-BITS."""

WIDTH, MARGIN = 8.0, 14.0
"""Probabilities are summed so many standard deviations to both sides of the mean, and so many numbers further."""

TAIL = 2.0**-26
"""Tables begin and end with an F that is as far from 0, and from 1; numbers beyond are not sure."""

GUIDE_BITS = 7
"""The bits of a probability by which a search begins."""

MARGIN_PAIRS = 3
"""So many pairs stand before and behind those of a cell, so that several are read at once."""

WANTED = 3
"""So many pairs before that of k has the interpolation of F(k - 1) to be there."""

UNSURE = 128
"""In units: where F is so close to a number, or closer, it is not sure which is less."""

STEEPEST = 0.4
"""The second derivative of F, a difference of two probabilities, is at most this divided by the mean, from 1 on."""
MIN_NUMBERS = 2**48
"""The minimum of N, the number of different X."""

CONSTANTS = {
    "guide_bits": GUIDE_BITS, "cell_bits": CELL_BITS, "least_width": -CELL_BITS,
    "narrow_bits": (NARROW_BITS, MAX_NARROW_BITS), "steepest": STEEPEST, "margin": MARGIN_PAIRS,
}  # fmt: skip
"""What templates are told of these."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Tables of F at the means between cells, the first of which is 0."""

    reached: Table
    """Of each cell, for consecutive k, F(k) of both means, rounded to units, at most 2^BITS - 1: uint32, in pairs.

    F(k) is 0 before the table of a mean, and the last one behind it; `MARGIN_PAIRS` of these stand around each cell.
    """
    cells: Table
    """Of each cell the place of its first pair, the k of that, and the first and the last pair of a k that may be sure,
    counted from there: uint32, four of each cell. One more cell says where the last pair ends."""
    guide: Table
    """Of each cell, the first pair whose first F is above g 2^(BITS - GUIDE_BITS), for each g: uint16."""
    first: Table
    """The first cell of each octave: uint32."""

    @property
    def in_order(self) -> tuple[tuple[str, Table], ...]:
        """All of them by name, in an order in which fours and pairs are at multiples of four and two in one array."""
        return ("cells", self.cells), ("guide", self.guide), ("reached", self.reached), ("first_cell", self.first)


def octave_of(largest: float) -> int:
    """Return the octave of means up to `largest`."""
    return max(int(np.frexp(largest)[1]) - 1, 0)


def octave_bits(octave: int) -> int:
    """Return the bits of the number of cells of an octave from 1 on."""
    return max(CELL_BITS + (octave + 1) // 2, min(octave + NARROW_BITS, MAX_NARROW_BITS))


@lru_cache(maxsize=4)
def cells(octave: int) -> Cells:
    """Return the tables for means below 2^(octave + 1); they are cached."""
    means, first = [np.arange(1 << CELL_BITS) / (1 << CELL_BITS)], []
    for e in range(octave + 1):
        count = 1 << octave_bits(e)
        first.append(sum(each.size for each in means))
        means.append(2.0**e * (1 + np.arange(count) / count))
    listed = np.concatenate([*means, [2.0 ** (octave + 1)]])
    tables = [_reached(mean) for mean in listed.tolist()]
    edges = np.arange(1 << GUIDE_BITS, dtype=np.uint64) << np.uint64(BITS - GUIDE_BITS)
    pairs, rows, guide, place = [], [], [], 0
    for (low, lower), (other, upper) in pairwise(tables):
        shift, count = other - low, max(lower.size, other - low + upper.size)
        ks = np.arange(-MARGIN_PAIRS, count + MARGIN_PAIRS)
        pair = np.empty((ks.size, 2), np.uint32)
        for each, table, begin in ((0, lower, 0), (1, upper, shift)):
            pair[:, each] = np.where(ks < begin, 0, table[np.clip(ks - begin, 0, table.size - 1)])
        first_sure = max(WANTED if low else 0, shift + WANTED if other else 0)
        rows.append((place + MARGIN_PAIRS, low, first_sure, min(lower.size, shift + upper.size) - 1))
        guide.append(np.searchsorted(lower.astype(np.uint64), edges, side="right"))
        pairs.append(pair)
        place += ks.size
    return Cells(
        Table(np.concatenate(pairs).reshape(-1)),
        Table(np.array([*rows, (place + MARGIN_PAIRS, 0, 0, 0)], np.uint32).reshape(-1)),
        Table(np.concatenate(guide).astype(np.uint16)),
        Table(np.array(first, np.uint32)),
    )


def probabilities(mean: float) -> tuple[int, npt.NDArray[Any]]:
    """Return the first k of a table, and F(k) for it and the next ones, as float64 with errors of a few 2^-53."""
    deviation = mean**0.5
    low = max(int(mean - WIDTH * deviation - MARGIN), 0)
    high, mode = int(mean + WIDTH * deviation + MARGIN), int(mean)
    up = np.cumprod(mean / np.arange(mode + 1, high + 1))
    down = np.cumprod(np.arange(mode, low, -1) / mean) if mode else np.empty(0)
    masses = np.concatenate([down[::-1], [1.0], up])
    sums = np.cumsum(masses)
    return low, sums / sums[-1]


def _reached(mean: float) -> tuple[int, npt.NDArray[np.uint32]]:
    """Return the first k of the table of a mean, and the table."""
    low, found = probabilities(mean)
    begin, end = np.searchsorted(found, [TAIL, 1 - TAIL]).tolist()
    begin = max(begin - 1, 0)
    return low + begin, np.minimum(np.rint(found[begin : end + 2] * 2.0**BITS), 2.0**BITS - 1).astype(np.uint32)
