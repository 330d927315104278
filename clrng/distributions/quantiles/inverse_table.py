"""Tables of short polynomials from which a kernel makes values of a continuous distribution.

The definition of a value, of which ``tests/support/reference_inverse.py`` is the exact form. Of N raw values the one of
number X, 0 <= X < N, has d = min(X, N - 1 - X), z = 2d + 1 and the tail probability p = z/(2N). It is on the upper side
where X > N - 1 - X. Then

1. z is cut to its 32 (float32) or 64 (float64) leading bits; f is that rounded to the dtype, to nearest, ties to even.
2. The exponent of f (an octave) and the `segment_bits` highest bits of its mantissa name a row, counted from f = 1.
3. The rest of the mantissa under the exponent of 1.0, minus 1 + 2^-(segment_bits + 1), is t, exactly.
4. r = c[degree]; r = fma(r, t, c[k]) for k = degree - 1 ... 0. The value is r, or -r on the upper side of a symmetric
   distribution. The upper side of another one has rows of its own behind those of the lower side. No coefficient is
   -0.0, and so r is never -0.0.

Where such values would be less accurate than `tables` promises, they are powers of two instead: see `logarithm_table`.
"""

import hashlib
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.quantiles.elementary import Array
from clrng.distributions.quantiles.logarithm_table import logarithm_table
from clrng.distributions.quantiles.quantile import MIN_PROBABILITY, Quantile
from clrng.distributions.quantiles.tables import InverseTable, Segments, excess, horner, inside, interpolated, safe

SIZES = {
    "float32": ((3, 4), (3, 5), (4, 4), (5, 4)),
    "float64": ((7, 4), (8, 4), (9, 5)),
}
"""The (degree, segment_bits) that are tried, by dtype, the smallest table first."""

TARGETS = {"float32": 4 * 2.0**-24, "float64": 16 * 2.0**-53}
"""The relative error that is good enough, by dtype: 4 and 16 halves of a unit in the last place of 1."""

LEADING_BITS = {"float32": 32, "float64": 64}
DENSER = 4


@lru_cache(maxsize=256)
def inverse_table(quantile: Quantile, raw_values: int, dtype: str) -> InverseTable:
    """Return the table of a distribution for a generator of `raw_values` raw values, from 2 to 2^64.

    It is the first of `SIZES` whose error is at most that of `TARGETS`, else the first whose error is at most twice the
    smallest. Values beyond the range of the dtype are replaced by its largest number, those below four times its
    smallest normal number by 0. Where the errors of that table are above what `tables` promises, and the quantile has
    logarithms, a `LogarithmTable` is returned instead.
    """
    if not isinstance(quantile, Quantile):
        raise TypeError(f"quantile must be a quantile function of clrng, not {validation.shown(quantile)}")
    raw_values = validation.integer("raw_values", raw_values, 2, 2**64)
    kind = validation.dtype("dtype", dtype, tuple(SIZES))
    kept = quantile.tables()
    if kept is None:
        return _best(quantile, raw_values, kind)
    if (raw_values, kind.name) not in kept:
        kept[raw_values, kind.name] = _best(quantile, raw_values, kind)
    found: InverseTable = kept[raw_values, kind.name]
    return found


def _best(quantile: Quantile, raw_values: int, kind: np.dtype[Any]) -> InverseTable:
    """Return the table that `inverse_table` chooses."""
    tables: list[InverseTable] = []
    for degree, segment_bits in SIZES[kind.name]:
        tables.append(_table(quantile, raw_values, kind, degree, segment_bits))
        found = tables[-1]
        if found.error <= TARGETS[kind.name]:
            break
    else:
        best = min(table.error for table in tables)
        found = next(table for table in tables if table.error <= 2 * best)
    if found.excess <= 1 or quantile.logarithm(np.array([0.25]), upper=False) is None:
        return found
    return logarithm_table(quantile, raw_values, kind)


def _table(quantile: Quantile, raw_values: int, dtype: np.dtype[Any], degree: int, segment_bits: int) -> InverseTable:
    segments = Segments.of(raw_values, LEADING_BITS[dtype.name], dtype, segment_bits)
    sides = (False,) if quantile.symmetric else (False, True)
    nodes, widest = segments.nodes(degree + 1), 2.0 ** -(segment_bits + 1)
    parts, error, share, floor = [], 0.0, 0.0, _floor(quantile)
    least_size = min(floor, quantile.sine_factor or floor)
    for upper in sides:
        values = quantile(segments.probability(nodes), upper)
        raw = interpolated(nodes - segments.middle[:, None], values, segments.points)
        part, lost = safe(raw, values, dtype, widest)
        points = segments.between(DENSER * (degree + 1), dtype)
        t = (points - segments.middle[:, None]).astype(dtype)
        if quantile.ends:
            part = inside(part, t, *quantile.ends)
        made = horner(part, t)
        p = segments.probability(points)
        right = quantile(p, upper)
        error = max(error, largest_error(made[~lost], right[~lost], floor))
        share = max(share, excess(made, right, p, dtype, least_size))
        parts.append(part)
    coefficients = np.concatenate(parts)
    coefficients.setflags(write=False)
    return InverseTable(
        quantile=quantile,
        raw_values=raw_values,
        dtype=dtype,
        symmetric=quantile.symmetric,
        degree=degree,
        segment_bits=segment_bits,
        rows=len(segments.points),
        coefficients=coefficients,
        error=error,
        excess=share,
        digest=hashlib.sha256(coefficients.astype(dtype.newbyteorder("<")).tobytes()).hexdigest(),
    )


def _floor(quantile: Quantile) -> float:
    """Return the smallest size that errors are relative to: half the larger quartile where both signs occur, else 0."""
    ends, quartiles = ([float(quantile(p, upper)) for upper in (False, True)] for p in (MIN_PROBABILITY, 0.25))
    return max(map(abs, quartiles)) / 2 if ends[0] < 0 < ends[1] else 0.0


def largest_error(made: npt.NDArray[Any], right: Array, floor: float) -> float:
    """Return the largest error of values, relative to the right one or to `floor`; both of shape (rows, points)."""
    size = np.maximum(np.abs(right), floor)
    return float(np.max(np.abs(made - right) / np.where(size > 0, size, 1.0), initial=0.0))
