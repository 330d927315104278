"""Values of a continuous distribution from the coefficients of its table, by the definition, exactly.

It shares no code with the package. `value` works in fractions; `values` does millions at once with NumPy, with sums
rounded to odd, and is itself tested against `value`.

References
----------
S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE
Transactions on Computers 57 (2008), 462-471.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

DIGITS = {"float32": 24, "float64": 53}
LEADING = {"float32": 32, "float64": 64}


def rounded(x: Fraction, digits: int) -> Fraction:
    """Return `x` rounded to `digits` significant bits, to the nearest and to even where two are."""
    if x == 0:
        return x
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    if abs(x) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - digits + 1)
    return round(x / unit) * unit


def is_packed(coefficients: npt.NDArray[Any]) -> bool:
    """Return whether all coefficients of rows behind the second are of the value over the slope: of degree 6."""
    return coefficients.dtype == np.float64 and coefficients.shape[1] == 7


def value(
    number: int,
    raw_values: int,
    coefficients: npt.NDArray[Any],
    segment_bits: int,
    symmetric: bool,
) -> float:
    """Return the value of the raw value `number`, 0 <= number < raw_values."""
    dtype = coefficients.dtype.name
    digits, leading = DIGITS[dtype], LEADING[dtype]
    d = min(number, raw_values - 1 - number)
    upper = number > raw_values - 1 - number
    z = 2 * d + 1
    dropped = max(z.bit_length() - leading, 0)
    f = rounded(Fraction(z >> dropped << dropped), digits)
    octave = f.numerator.bit_length() - 1
    significand = f / 2**octave
    segment = int((significand - 1) * 2**segment_bits)
    t = significand - 1 - Fraction(2 * segment + 1, 2 ** (segment_bits + 1))
    row = octave * 2**segment_bits + segment
    if upper and not symmetric:
        row += len(coefficients) // 2
    exact = [Fraction(float(c)) for c in coefficients[row]]
    packed = is_packed(coefficients)
    r = exact[-1]
    for c in [*exact[-2:1:-1], Fraction(1)] if packed else exact[-2::-1]:
        r = rounded(r * t + c, digits)
    if packed:
        r = rounded(rounded(exact[1] * t, digits) * r + exact[0], digits)
    return float(-r if upper and symmetric else r)


def _two_sum(a: Any, b: Any) -> Any:
    s = a + b
    back = s - a
    return s, (a - (s - back)) + (b - back)


def _sum_to_odd(a: Any, b: Any) -> Any:
    """Return a + b in float64, rounded to the neighbour of odd significand where it is inexact."""
    s, error = _two_sum(a, b)
    even = (s.view(np.uint64) & np.uint64(1)) == 0
    return np.where((error != 0) & even, np.nextafter(s, np.where(error > 0, np.inf, -np.inf)), s)


def _two_product(a: Any, b: Any) -> Any:
    p = a * b
    parts = []
    for x in (a, b):
        wide = (2.0**27 + 1) * x
        high = wide - (wide - x)
        parts.append((high, x - high))
    (a_high, a_low), (b_high, b_low) = parts
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def fma(a: Any, b: Any, c: Any) -> Any:
    """Return a·b + c, rounded once, of arrays of one dtype without underflow, overflow or denormal numbers.

    Of float32 the product is exact in float64 and the sum, rounded to odd there with 29 more bits than needed, rounds
    to float32 as the exact one does. Of float64 see theorem 5 of the article.
    """
    if a.dtype == np.float32:
        return _sum_to_odd(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)).astype(np.float32)
    size = np.maximum(np.abs(a), np.abs(c))
    scale = np.where(size > 2.0**900, 2.0**-100, np.where(size < 2.0**-700, 2.0**300, 1.0))
    high, low = _two_product(a * scale, b)
    t_high, t_low = _two_sum(c * scale, low)
    v_high, v_low = _two_sum(high, t_high)
    return (v_high + _sum_to_odd(t_low, v_low)) / scale


def values(
    numbers: npt.NDArray[np.uint64],
    raw_values: int,
    coefficients: npt.NDArray[Any],
    segment_bits: int,
    symmetric: bool,
) -> npt.NDArray[Any]:
    """Return the values of raw values, an array of uint64, as `value` does one."""
    dtype = coefficients.dtype
    mantissa = DIGITS[dtype.name] - 1
    integer, bias = (np.uint32, 127) if mantissa == 23 else (np.uint64, 1023)
    other = np.uint64(raw_values - 1) - numbers
    upper = numbers > other
    z = np.minimum(numbers, other) * np.uint64(2) + np.uint64(1)
    if mantissa == 23:
        z = _leading(z, 32)
    halves = (z >> np.uint64(32)).astype(np.float64) * 2.0**32, (z & np.uint64(2**32 - 1)).astype(np.float64)
    f = (halves[0] + halves[1]).astype(dtype)
    bits = f.view(integer)
    shift = integer(mantissa - segment_bits)
    row = (bits >> shift).astype(np.int64) - (bias << segment_bits)
    if not symmetric:
        row = row + np.where(upper, len(coefficients) // 2, 0)
    rest = (bits & ((integer(1) << shift) - integer(1))) | integer(bias << mantissa)
    t = rest.view(dtype) - dtype.type(1 + 2.0 ** -(segment_bits + 1))
    packed = is_packed(coefficients)
    r = coefficients[row, -1]
    for k in range(coefficients.shape[1] - 2, 1 if packed else -1, -1):
        r = fma(r, t, coefficients[row, k])
    if packed:
        r = fma(coefficients[row, 1] * t, fma(r, t, np.ones_like(t)), coefficients[row, 0])
    return np.where(upper & symmetric, -r, r)


def _leading(z: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
    """Return `z` with all but the `count` leading bits of each set to 0."""
    dropped = np.zeros_like(z)
    for bits in (32, 16, 8, 4, 2, 1):
        long = z >> dropped >= np.uint64(1) << np.uint64(count + bits - 1)
        dropped = np.where(long, dropped + np.uint64(bits), dropped)
    return z >> dropped << dropped
