"""Surfaces: the inverse of the distribution functions of a whole family, by tail probability and shape.

Where every element of an array has a shape of its own, tables of one shape each would take too long to make. A surface
has polynomials in two variables, for all shapes of an octave. A value is within 8 units of the exact one as float32;
the unit is 2^-24 times its size. As float64 it is within 16 + 200 s units of 2^-53, where a relative change e of the
tail probability changes the value by the relative s e.

The definition of a value, of which ``tests/support/reference_surfaces.py`` is an independent form; >> rounds down. Of N
raw values the one of number X has z = 2 min(X, N - 1 - X) + 1, and is on the upper side where X > N - 1 - X. Then

1. b is the smallest integer for which N <= 2^b, and R is 2^(63 + b) / N, rounded down. z is shifted up by c bits to 64
   bits; q is that times R, >> 64, shifted up by c' bits to 64 bits. So q is z/N in proportion, and the tail probability
   z/(2N) lies between 2^(-2 - e) and 2^(-1 - e), where e = c + c' + b - 65 is its octave.
2. The exponent E of the shape is its octave. This has 2^`cell_bits` cells, and the highest bits of the mantissa say
   which. The bits behind these are a fraction from 0 to 1, and s is that minus 1/2, in units of 2^-64. Some
   families have one octave for all shapes below 2^(E + 1), where E is their `from_zero`: of these the shape over 2^(E +
   1), cut to 64 bits, stands for the mantissa.
3. A cell has 2^k rows for an octave of tail probabilities of a side. The k bits of q below the leading one say which
   row. The bits behind these are a fraction, and t is that minus 1/2, in units of 2^-64. Of some families cells are
   split into 2^j parts with 2^k rows each, where changes in both variables are alike: the j bits of the shape behind
   those of the cell say which part, and s has the bits behind these.
4. A row has polynomials in s, one for each power of t, of the `degrees`, with coefficients c[i][j]. c[0][0] and c[0][1]
   are integers in units of 2^-f, where f is `bits_of` E; u = c[0][0] + (c[0][1] s >> 64). The others are numbers of the
   dtype, and s and t are rounded to it. p[i] = c[i][n]; p[i] = fma(p[i], s, c[i][j]) for j from n - 1 down to 0, or to
   2 for i = 0. Then q = p[last]; q = fma(q, t, p[i]) for i from last - 1 down to 1; q = fma(p[0], s s, q t); and v = u
   + q 2^f, whose second term is cut to an integer.
5. The value is 2^v, where v is taken as 0 if it is above that and no value is above 1. With n the integer part of
   v 2^-f, and x the rest, cut to 32 (float32) or 64 (float64) bits and rounded to the dtype, y = e[last]; y = fma(y, x,
   e[i]) for i from last - 1 down to 0; y = fma(y, x, 1). The value is 2^n y; 0 if that is below the smallest normal
   number, and at most the largest number. A shape of 0 may have another value. Of a symmetric family y is first
   multiplied by (N - z) (1/N), which is 1 - 2p, with each factor rounded to the dtype, 1/N to float64 before; and
   values of the lower side have the other sign.

No c but 0 is below 2^-60 in size, so that it does not matter whether a device has denormal numbers.

The c come from the values of a polynomial at Chebyshev nodes in both variables, of which the terms of high degree in
both are left out: L. N. Trefethen, "Multivariate polynomial approximation in the hypercube", Proceedings of the
American Mathematical Society 145 (2017), 4837-4844.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.density_inverse import chebyshev_coefficients, chebyshev_nodes
from clrng.distributions.quantiles.elementary import LOG2_E, Array, Pair, log_pair
from clrng.distributions.quantiles.families import FAMILIES, Family, Logarithm
from clrng.distributions.quantiles.tables import EXP2, OCTAVES, binary, laid_out, steepness

MAX_BITS = 10
"""An octave of tail probabilities has at most 2^10 rows."""

FEW_BITS = 4
"""At most 2^4, where cells are split rather than have more."""

CHECKED_AT = -1.0, -0.55, 0.1, 0.7, 1.0
"""Where in a cell rows are compared with quantiles, from -1 to 1."""

LINE = 4
"""Rows are a multiple of so many numbers long."""

TINY = 2.0**-60
"""Smaller numbers of a row are 0."""


class Form(NamedTuple):
    """The form of a surface for values of a dtype."""

    cell_bits: int
    degrees: tuple[int, ...]
    """Of the polynomials in s, for each power of t."""
    tolerance: float
    noise: float
    """The error of v that is good enough is the tolerance, and the noise times how steep v is: by how much it changes
    where the tail probability does so by a factor of 1 + e, over e. Quantiles themselves have errors in proportion."""
    largest: float
    """The numbers of the dtype in v together are at most so large, as rounding is relative to them."""
    lowest: float
    """Below this logarithm values are 0."""
    highest: float
    """Above this logarithm they are the largest number."""
    powers: tuple[float, ...]
    """The e: (2^x - 1)/x on [0, 1] as a polynomial."""
    block: int
    """The numbers of the dtype in 16 bytes."""

    @property
    def width(self) -> int:
        """The numbers of a row that are not integers, and more so that rows are a multiple of `LINE` long."""
        return -(-(sum(self.degrees) + len(self.degrees) - 2) // LINE) * LINE

    @property
    def length(self) -> int:
        """The numbers of which a row takes the memory: an odd number of times 16 bytes.

        Lanes of a GPU read parts of many rows at once, and wait for one another where these are in the same of its 8
        banks of 16 bytes, as all are where rows are 128 bytes apart: on an H200 such rows take 2.3 times as long.
        """
        return self.block * (self.width // self.block + 1 | 1)

    @property
    def values(self) -> dict[str, Any]:
        """What a kernel has of it."""
        own = {"columns": self.width, "length": self.length}
        return {"cell_bits": self.cell_bits, "degrees": self.degrees, **own, "powers": self.powers}


EXP2_IN_SINGLE = (0.6931471824645996, 0.24022720754146576, 0.05549602210521698, 0.009652195498347282,
                  0.0012692166492342949, 0.0002081791462842375)  # fmt: skip
"""Numbers of float32; with these 2^x is within 2^-26, relatively."""

EXP2_IN_DOUBLE = tuple(c * 2.0**-64 for c in EXP2)

FORMS = {
    "float32": Form(2, (7, 5, 4, 3, 2, 1, 0), 2.0**-24, 4 * 2.0**-53, 2.5, -126.0, 128.0, EXP2_IN_SINGLE, 4),
    "float64": Form(
        3, (12, 10, 9, 8, 7, 6, 4, 3, 2, 1, 0), 2.0**-49, 192 * 2.0**-53, np.inf, -1022.0, 1024.0, EXP2_IN_DOUBLE, 2
    ),
}


@dataclass(frozen=True, eq=False)
class Patch:
    """The surface of the shapes of one octave."""

    heights: npt.NDArray[np.int64] = field(repr=False)
    """Row by row, c[0][0] and c[0][1]."""
    bends: npt.NDArray[Any] = field(repr=False)
    """Row by row, c[0][2], c[0][3] ... first, c[1][0] ... then; of the dtype."""
    octaves: npt.NDArray[np.uint32] = field(repr=False)
    """Of shape (cells, 128), by octaves of tail probabilities, those of the upper side behind those of the lower one:
    16 times the first row, plus j + k, plus 2^28 j where an octave has 2^j parts with 2^k rows."""
    excess: float
    """The largest error measured, as a share of what is good enough."""


@dataclass(frozen=True, eq=False)
class Surface:
    """The patches of the octaves of shapes from `first` on, for values of a dtype; shapes of others have no values."""

    family: Family
    first: int
    form: Form
    heights: npt.NDArray[np.int64] = field(repr=False)
    bends: npt.NDArray[Any] = field(repr=False)
    octaves: npt.NDArray[np.uint32] = field(repr=False)
    """Of shape (octaves of the shape, cells, 128)."""

    @property
    def rows(self) -> npt.NDArray[Any]:
        """Rows as kernels read them: 16 bytes of `heights`, those of `bends`, and more up to `Form.length`."""
        rows = np.zeros((len(self.bends), self.form.length), self.bends.dtype)
        joined = np.concatenate([self.heights.view(rows.dtype), self.bends], axis=1)
        rows[:, : joined.shape[1]] = joined
        return rows


@lru_cache(maxsize=8)
def surface(family: str, dtype: str, first: int, last: int) -> Surface:
    """Return the surface of a family for shapes whose exponents are from `first` to `last`."""
    patches = [patch(family, dtype, octave) for octave in range(first, last + 1)]
    begins = np.cumsum([0, *(len(each.heights) for each in patches)])[:-1]
    octaves = np.array(
        [each.octaves + np.uint32(begin << 4) for each, begin in zip(patches, begins.tolist(), strict=True)]
    )
    heights, bends = (np.concatenate([getattr(each, name) for each in patches]) for name in ("heights", "bends"))
    for part in (heights, bends, octaves):
        part.setflags(write=False)
    return Surface(FAMILIES[family], first, FORMS[dtype], heights, bends, octaves)


@cache
def patch(family: str, dtype: str, octave: int) -> Patch:
    """Return the surface of the shapes from 2^octave on, below 2^(octave + 1)."""
    form, own = FORMS[dtype], FAMILIES[family]
    parts: list[npt.NDArray[np.int64]] = []
    splits: list[int] = []
    excess = 0.0
    for cell in range(1 << form.cell_bits):
        cells = Cells(own, dtype, octave, cell)
        sides = [cells.side(upper) for upper in ((False,) if own.symmetric else (False, True))]
        for found, split, worst in (sides[0], sides[-1]):
            parts, splits, excess = parts + found, splits + split, max(excess, worst)
    both, octaves = laid_out(parts)
    octaves |= np.array(splits, np.uint32) << 28
    heights, bends = both[:, :2].copy(), both[:, 2:].copy().view(np.float64).astype(dtype)
    return Patch(heights, bends, octaves.reshape(-1, 2 * OCTAVES), excess)


class Fit:
    """Fits the rows of one cell of the octave of a shape; cells are those that are split 2^`splits` times."""

    def __init__(self, family: Family, dtype: str, octave: int, cell: int, splits: int) -> None:
        form = FORMS[dtype]
        self._form, self._dtype, self._bits, self._symmetric = form, dtype, family.bits_of(octave), family.symmetric
        self._degrees = len(form.degrees) - 1, form.degrees[0]
        begin, unit = (0, octave + 1) if octave == family.from_zero else (1, octave)
        width = 2.0 ** -(form.cell_bits + splits)
        middle, half = begin + (cell + 0.5) * width, 0.5 * width

        def logarithms(places: Sequence[float]) -> list[Logarithm]:
            return [family.logarithm(float(np.ldexp(middle + half * place, unit))) for place in places]

        self._at_nodes = logarithms(chebyshev_nodes(form.degrees[0] + 1).tolist())
        self._checks = logarithms(CHECKED_AT)

    def rows(self, octaves: Array, bits: int, upper: bool) -> tuple[npt.NDArray[np.int64], Array]:
        """Return the rows of octaves of tail probabilities with 2^bits each, and their errors.

        An error is a share of what is good enough.
        """
        count, (in_t, in_s) = 1 << bits, self._degrees
        octave, segment = np.repeat(octaves, count), np.tile(np.arange(count), len(octaves))

        def probabilities(x: Array) -> Array:
            found: Array = np.ldexp(
                1 + (segment[:, None] + (0.5 + 0.5 * x)) / count, -2 - octave[:, None].astype(np.int64)
            )
            return found

        high, low = (
            np.stack(part, axis=-1)
            for part in zip(*_logarithms(self._at_nodes, probabilities(chebyshev_nodes(in_t + 1)), upper), strict=True)
        )
        start = high[:, in_t // 2, in_s // 2], low[:, in_t // 2, in_s // 2]
        raw = self._powers((high - start[0][:, None, None]) + (low - start[1][:, None, None]))
        x = np.arange(2.0 * in_t + 3) / (in_t + 1) - 1
        beyond, share = self._compared(raw, start, x, probabilities(x), upper)
        return self._rounded(raw, start, beyond), np.where(beyond != 0, 0.0, share)

    def _compared(self, raw: Array, start: Pair, x: Array, p: Array, upper: bool) -> tuple[Array, Array]:
        """Return which rows are beyond all numbers, as `_rounded` takes it, and the errors of rows, at `x` in t."""
        lowest, highest = self._form.lowest - 1, self._form.highest + 1
        share = np.zeros(len(p))
        factors = log_pair(np.maximum(1 - 2 * p, 2.0**-OCTAVES))[0] * LOG2_E if self._symmetric else np.zeros_like(p)
        least: Array = np.full(len(p), np.inf)
        greatest: Array = np.full(len(p), -np.inf)
        for place, (right, rest) in zip(CHECKED_AT, _logarithms(self._checks, p, upper), strict=True):
            made, size = self._value(raw, x / 2, place / 2), right + factors
            off = made - ((right - start[0][:, None]) + (rest - start[1][:, None]))
            enough = self._form.tolerance + self._form.noise * steepness(right, p, p)
            small = (made - (raw[:, 0, :1] + raw[:, 0, 1:2] * (place / 2))) / self._form.largest
            shares = np.maximum(np.abs(off) / enough[:, None], np.abs(small))
            shares = np.where((lowest <= size) & (size <= highest), shares, 0.0)
            share = np.maximum(share, shares.max(axis=1))
            least, greatest = np.minimum(least, size.min(axis=1)), np.maximum(greatest, size.max(axis=1))
        above = np.where(least > highest, highest + 1 + (OCTAVES if self._symmetric else 0), 0.0)
        return np.where(greatest < lowest, lowest - 1, above), share

    def _powers(self, values: Array) -> Array:
        """Return the coefficients of powers of t and s, from -1/2 to 1/2, of shape (rows, degree + 1, degree + 1).

        `values` are those at the nodes, of the same shape.
        """
        rows, in_t, in_s = values.shape
        series: Array = chebyshev_coefficients(values.reshape(-1, in_s)).reshape(values.shape)
        series = np.ascontiguousarray(series.swapaxes(1, 2)).reshape(-1, in_t)
        series = chebyshev_coefficients(series).reshape(rows, in_s, in_t).swapaxes(1, 2)
        kept = np.arange(in_s) <= np.array(self._form.degrees)[:, None]
        return _in_powers(_in_powers(np.where(kept, series, 0.0)).swapaxes(1, 2)).swapaxes(1, 2)

    def _value(self, raw: Array, t: Array, s: float) -> Array:
        """Return what rows give at all t and one s, less what they have at the middle."""
        found: Array = np.zeros((len(raw), len(t)))
        for i in range(raw.shape[1] - 1, -1, -1):
            own = raw[:, i, -1]
            for j in range(raw.shape[2] - 2, -1, -1):
                own = own * s + raw[:, i, j]
            found = np.asarray(found * t + own[:, None])
        return found

    def _rounded(self, raw: Array, start: Pair, beyond: Array) -> npt.NDArray[np.int64]:
        """Return rows: the integers, and behind them the bits of the other numbers, as float64.

        Rows of which all values are 0, or the largest number, have a logarithm in `beyond`.
        """
        form, unit = self._form, 2.0**self._bits
        raw = np.where(beyond[:, None, None] == 0, raw, 0.0)
        first, rest = np.where(beyond == 0, start[0], beyond), np.where(beyond == 0, start[1], 0.0)
        heights = np.rint(raw[:, 0, :2] * unit + np.stack([rest * unit, np.zeros_like(rest)], axis=1)).astype(np.int64)
        heights[:, 0] += np.rint(first * unit).astype(np.int64)
        bends = np.concatenate([raw[:, i, 0 if i else 2 : degree + 1] for i, degree in enumerate(form.degrees)], axis=1)
        bends = bends.astype(self._dtype).astype(np.float64)
        bends = np.where(np.abs(bends) < TINY, 0.0, bends)
        bends = np.pad(bends, ((0, 0), (0, form.width - bends.shape[1])))
        return np.concatenate([heights, bends.view(np.int64)], axis=1)


def _logarithms(found: Sequence[Logarithm], p: Array, upper: bool) -> list[Pair]:
    """Return binary logarithms of values, each of the shape of `p`."""
    return [binary(each(p, upper)) for each in found]


@cache
def _chebyshev_powers(count: int) -> tuple[tuple[float, ...], ...]:
    """Return the coefficients of powers of x of the Chebyshev polynomials of 2x, of those below degree `count`."""
    found = [[1], [0, 2]]
    while len(found) < count:
        doubled = [0, *(4 * c for c in found[-1])]
        found.append([c - (found[-2][i] if i < len(found[-2]) else 0) for i, c in enumerate(doubled)])
    return tuple(tuple(float(c) for c in row) for row in found[:count])


def _in_powers(series: Array) -> Array:
    """Return the coefficients of powers of x, from -1/2 to 1/2, of Chebyshev series in 2x, both along the last axis."""
    found = np.zeros_like(series)
    for degree, powers in enumerate(_chebyshev_powers(series.shape[-1])):
        for power, factor in enumerate(powers):
            if factor:
                found[..., power] = found[..., power] + factor * series[..., degree]
    return found


class Cells:
    """Finds the rows of a cell of the octave of a shape, which may be split in some octaves of tail probabilities."""

    def __init__(self, family: Family, dtype: str, octave: int, cell: int) -> None:
        self._splits = family.splits.get(octave, 0)
        self._fits = {
            splits: [Fit(family, dtype, octave, (cell << splits) + part, splits) for part in range(1 << splits)]
            for splits in {0, self._splits}
        }

    def side(self, upper: bool) -> tuple[list[npt.NDArray[np.int64]], list[int], float]:
        """Return the rows of each octave of tail probabilities, into how many parts cells are split, and the error.

        The rows are the fewest that are good enough or, where none are, those with the smallest error. The largest of
        these is returned, as a share of what is good enough.
        """
        found: dict[int, npt.NDArray[np.int64]] = {}
        splits = np.zeros(OCTAVES, np.int64)
        least = np.full(OCTAVES, np.inf)
        left = np.arange(float(OCTAVES))
        tried = [(0, bits) for bits in range((FEW_BITS if self._splits else MAX_BITS) + 1)]
        tried += [(self._splits, bits) for bits in range(FEW_BITS // 2, MAX_BITS + 1) if self._splits]
        for split, bits in tried:
            if not left.size:
                break
            made = [fit.rows(left, bits, upper) for fit in self._fits[split]]
            worst = np.max([shares.reshape(len(left), -1).max(axis=1) for _, shares in made], axis=0)
            parts = np.concatenate([rows.reshape(len(left), 1 << bits, -1) for rows, _ in made], axis=1)
            for octave, own, share in zip(left.astype(int).tolist(), parts, worst.tolist(), strict=True):
                if share < least[octave]:
                    found[octave], splits[octave], least[octave] = own, split, share
            left = left[worst > 1]
        return [found[octave] for octave in range(OCTAVES)], splits.tolist(), float(least.max())
