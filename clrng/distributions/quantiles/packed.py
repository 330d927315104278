"""Rows of 32 bytes for float64: a constant and a slope in double, and a polynomial of degree 6 in short numbers.

A GPU waits for the bytes of a row that it looks up. So all coefficients but two are divided by the slope. Their sizes
are then known, and they are fixed-point numbers of no more bits than their power of t needs. The value is r, of

    u = c[1]·t, r = c[6], r = fma(r, t, c[k]) for k = 5 ... 2, r = fma(r, t, 1), r = fma(u, r, c[0])

where u is rounded once. c[k] is n - 2^(bits - 1) times `unit`, for a number n of `FIELDS[k]` bits, from 0 on. The last
six bits of the n of c[4] are also the upper six of that of c[6], and the last six of that of c[5] its lower six. A row
is four words of 64 bits: c[0]; c[1]; the lower 32 bits of the n of c[2], its upper 8, and the n of c[5]; and the n of
c[3] and of c[4].
"""

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.elementary import Array

DEGREE = 6
"""The degree of the polynomials, by which such tables of float64 are told from others."""

FIELDS = {2: 40, 3: 32, 4: 32, 5: 24, 6: 12}
"""The bits of coefficients."""

OWN = {2: 40, 3: 32, 4: 26, 5: 18, 6: 12}
"""Those of them that are not also bits of c[6]."""

UNIT_SEGMENT_BITS = 5
"""Where an octave has 2^5 segments, coefficients are from -1 to 1; half a segment is t = 2^-6."""

LEAST, LEAST_SLOPE = 2.0**-800, 2.0**-900
"""Rows of smaller numbers are constant, and smaller slopes 0, so that nothing is denormal on the way to a value."""

NEAREST = {
    6: {4: 3 / 2, 2: -9 / 16, 0: 1 / 32},
    5: {3: 5 / 4, 1: -5 / 16},
    4: {2: 1.0, 0: -1 / 8},
    3: {1: 3 / 4},
    2: {0: 1 / 2},
}
"""The coefficients of the polynomial of lower degree that is nearest to t^k on [-1, 1]."""


def unit(k: int, segment_bits: int) -> float:
    """Return the unit of c[k], a power of two."""
    return 2.0 ** ((k - 1) * (segment_bits - UNIT_SEGMENT_BITS) + 1 - FIELDS[k])


def fitted(polynomials: Array, values: Array, segment_bits: int) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the coefficients of rows, all of shape (rows, 7), and which rows are constant that should not be.

    The polynomials, c[0] first, go through `values`. What a coefficient loses as it is shortened, the lower ones get
    back as far as they can.
    """
    limits = np.finfo(np.float64)
    with np.errstate(invalid="ignore"):
        large = ~np.all(np.abs(polynomials) <= float(limits.max) / 4, axis=1)
        constant = large | (np.abs(polynomials[:, :2]).max(axis=1) < LEAST)
    result = np.where(constant[:, None] | (np.abs(polynomials) < LEAST_SLOPE), 0.0, polynomials)
    lost = large | (constant & (polynomials[:, 1:] != 0).any(axis=1))
    middle = np.clip(values[:, values.shape[1] // 2], -float(limits.max), float(limits.max))
    result[constant, 0] = np.where(np.abs(middle) < 4 * float(limits.tiny), 0.0, middle)[constant]
    slope, half = result[:, 1].copy(), 2.0 ** -(segment_bits + 1)
    shared = np.zeros(len(result))  # the number of c[6]
    for k in range(DEGREE, 1, -1):
        below = {5: shared % 64, 4: shared // 64}.get(k, 0.0)
        number = _number(result[:, k], slope, k, segment_bits, below)
        shared = number if k == DEGREE else shared
        short = (number - 2.0 ** (FIELDS[k] - 1)) * unit(k, segment_bits)
        rest = result[:, k] - short * slope
        for power, factor in NEAREST[k].items():
            result[:, power] += factor * half ** (k - power) * rest
        result[:, k] = short
    return result + 0.0, lost


def _number(coefficients: Array, slope: Array, k: int, segment_bits: int, below: Array | float) -> Array:
    """Return the n of c[k] that are nearest to coefficients over slopes, of those whose last bits are `below`."""
    step = 2.0 ** (FIELDS[k] - OWN[k])
    with np.errstate(over="ignore"):
        ratios = np.divide(coefficients, slope, out=np.zeros_like(slope), where=slope != 0)
        steps = np.rint((ratios / unit(k, segment_bits) - below) / step + 2.0 ** (OWN[k] - 1))
    found: Array = np.clip(steps, 0, 2.0 ** OWN[k] - 1) * step + below
    return found


def evaluated(coefficients: Array, t: Array) -> Array:
    """Return the value of each row at t, of shape (rows, n); each product is rounded, unlike by fma."""
    result = np.broadcast_to(coefficients[:, -1:], t.shape)
    for k in range(DEGREE - 1, 1, -1):
        result = result * t + coefficients[:, k : k + 1]
    found: Array = coefficients[:, 1:2] * t * (result * t + 1.0) + coefficients[:, :1]
    return found


def words(coefficients: Array, segment_bits: int) -> npt.NDArray[np.uint64]:
    """Return the words of the rows of coefficients, shape (rows, 4)."""
    n = {
        k: (coefficients[:, k] / unit(k, segment_bits) + 2.0 ** (bits - 1)).astype(np.uint64)
        for k, bits in FIELDS.items()
    }
    ends = np.ascontiguousarray(coefficients[:, :2]).view(np.uint64)
    rest = n[2] << np.uint64(32) | n[2] >> np.uint64(32) << np.uint64(24) | n[5], n[3] << np.uint64(32) | n[4]
    return np.column_stack([ends, *rest])
