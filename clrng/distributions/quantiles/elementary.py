"""Sums and products without error, and elementary functions, from exactly specified operations.

A pair is the unevaluated sum of two float64, the larger first. The largest errors of functions, in units in the last
place of the result, against mpmath at 20000 random arguments, are in the docstrings;
``tests/distributions/test_maths.py`` measures them again.

References
----------
T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18 (1971),
224-242; D. E. Knuth, The Art of Computer Programming 2, section 4.2.2; W. J. Cody, W. Waite, Software Manual for the
Elementary Functions, Prentice-Hall 1980 (reduction of arguments).
"""

from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Pair = tuple[Array, Array]

SPLITTER = 2.0**27 + 1


def two_sum(a: Any, b: Any) -> Pair:
    """Return (s, e) with s the rounded sum and s + e = a + b exactly."""
    s = a + b
    back = s - a
    return s, (a - (s - back)) + (b - back)


def _split(a: Any) -> Pair:
    """Return two numbers of at most 26 bits whose sum is `a`; |a| below 2^995."""
    wide = SPLITTER * a
    high = wide - (wide - a)
    return high, a - high


def two_product(a: Any, b: Any) -> Pair:
    """Return (p, e) with p the rounded product and p + e = a·b exactly, unless it overflows or underflows."""
    p = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def times(pair: Pair, factor: Any) -> Pair:
    """Return the pair times a float64, to about 2^-104 relative."""
    p, e = two_product(pair[0], factor)
    return two_sum(p, e + pair[1] * factor)


def plus(pair: Pair, term: Any) -> Pair:
    """Return the pair plus a float64, to about 2^-104 relative to the larger of the two."""
    s, e = two_sum(pair[0], term)
    return two_sum(s, e + pair[1])


def added(a: Pair, b: Pair) -> Pair:
    """Return the sum of two pairs."""
    high, error = two_sum(a[0], b[0])
    return two_sum(high, error + (a[1] + b[1]))


def chosen(condition: Any, pair: tuple[Any, Any], other: tuple[Any, Any]) -> Pair:
    """Return `pair` where the condition is true, else the `other`; by elements."""
    return np.where(condition, pair[0], other[0]), np.where(condition, pair[1], other[1])


PI = Fraction(314159265358979323846264338327950288419716939937510582097494459, 10**62)
LN2 = Fraction(693147180559945309417232121458176568075500134360255254120680009, 10**63)
PI_HIGH = float(PI)
PI_LOW = float(PI - Fraction(PI_HIGH))
LN2_HIGH = float(Fraction(int(LN2 * 2**42), 2**42))  # of 42 bits: its product with an exponent is exact
LN2_LOW = float(LN2 - Fraction(LN2_HIGH))
LOG2_E = float(1 / LN2)
SQRT_HALF = 0.7071067811865476
LARGEST_EXPONENT = 1000

_ATANH = tuple(float(Fraction(2, 2 * k + 1)) for k in range(1, 15))
EXP_TERMS = tuple(float(Fraction(1, factorial(k))) for k in range(2, 16))
_SIN = tuple(float(Fraction((-1) ** k, factorial(2 * k + 1))) for k in range(1, 11))
_COS = tuple(float(Fraction((-1) ** k, factorial(2 * k))) for k in range(2, 11))


def polynomial(coefficients: tuple[float, ...], x: Array) -> Array:
    """Return c[0] + c[1]·x + c[2]·x² + … by Horner's rule."""
    total = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total


def log_pair(x: Array) -> Pair:
    """Return log x as a pair, x > 0 and normal; the error is below 2^-57 |log m|.

    Here m is the significand of x in [0.7, 1.42);
    log m = 2 artanh s with s = (m - 1)/(m + 1) and the quotient as a pair.
    """
    m, exponent = np.frexp(np.asarray(x, np.float64))
    small = m < SQRT_HALF
    m = np.where(small, m + m, m)
    n = (exponent - small).astype(np.float64)
    top = m - 1
    bottom, bottom_low = two_sum(m, 1.0)
    s = top / bottom
    p, e = two_product(s, bottom)
    s_low = (((top - p) - e) - s * bottom_low) / bottom
    square = s * s
    low = 2 * s_low + s * (square * polynomial(_ATANH, square))
    high, error = two_sum(n * LN2_HIGH, 2 * s)
    return two_sum(high, (error + low) + n * LN2_LOW)


def log(x: Array) -> Array:
    """Return log x for x > 0 and normal, within 0.52 ulp."""
    return log_pair(x)[0]


def log1p_pair(x: Array) -> Pair:
    """Return log(1 + x) as a pair, x > -1."""
    u, e = two_sum(1.0, x)
    high, low = log_pair(u)
    return two_sum(high, low + e / u)


def log1p(x: Array) -> Array:
    """Return log(1 + x) for x > -1, within 0.7 ulp."""
    return log1p_pair(x)[0]


def _reduced_expm1(x: Array, low: Any) -> tuple[npt.NDArray[np.int64], Array, Array]:
    """Return n, r and q with exp(x + low) = 2^n (1 + r + q), |r| < 0.35, q small."""
    x = np.clip(x, -1e5, 1e5)
    n = np.rint(x * LOG2_E)
    first = x - n * LN2_HIGH
    r, error = two_sum(first, -(n * LN2_LOW))
    rest = r * r * polynomial(EXP_TERMS, r)
    return n.astype(np.int64), r, rest + (error + low) * (1 + (r + rest))


def _scaled(x: Array, n: npt.NDArray[np.int64]) -> Array:
    """Return 2^n·x, infinite or 0 where it is too large or too small."""
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(x, np.clip(n, -3000, 3000).astype(np.int32))


def exp(x: Array, low: Any = 0.0) -> Array:
    """Return exp(x + low), |low| below 1e-8, within 0.8 ulp; infinite above 709.78, 0 below -745.13."""
    n, r, q = _reduced_expm1(np.asarray(x, np.float64), low)
    return _scaled(1 + (r + q), n)


def expm1(x: Array, low: Any = 0.0) -> Array:
    """Return exp(x + low) - 1, |low| below 1e-8, within 0.9 ulp; infinite above 709.78."""
    n, r, q = _reduced_expm1(np.asarray(x, np.float64), low)
    near = np.clip(n, -100, LARGEST_EXPONENT)
    high, error = two_sum(_scaled(np.ones_like(r), near) - 1, _scaled(r, near))
    return np.where(n > LARGEST_EXPONENT, _scaled(1 + (r + q), n), high + (error + _scaled(q, near)))


def exp_minus_line(x: Array) -> Array:
    """Return exp(x) - 1 - x for |x| <= 0.5, within 2 ulp."""
    x = np.asarray(x, np.float64)
    return x * x * polynomial(EXP_TERMS, x)


def divided(pair: Pair, a: float) -> Pair:
    """Return the pair divided by a float64, to about 2^-100 relative; 1/a is taken as a pair too."""
    inverse = 1 / a
    p, e = two_product(inverse, a)
    inverse_low = ((1 - p) - e) / a
    high, low = two_product(pair[0], inverse)
    return two_sum(high, low + pair[0] * inverse_low + pair[1] * inverse)


def power_m1(base_log: Pair, y: float) -> Array:
    """Return exp(y·L) - 1 of the pair L, within 0.9 ulp."""
    p, e = two_product(base_log[0], y)
    return expm1(*two_sum(p, e + base_log[1] * y))


def sin_pi(x: Array) -> Array:
    """Return sin(pi·x) for 0 <= x <= 1/4, within 0.7 ulp."""
    y, low = _times_pi(x)
    square = y * y
    return y + (low * (1 - 0.5 * square) + y * (square * polynomial(_SIN, square)))


def cos_pi(x: Array) -> Array:
    """Return cos(pi·x) for 0 <= x <= 1/4, within 0.7 ulp."""
    y, low = _times_pi(x)
    square, error = two_product(y, y)
    first, rest = two_sum(1.0, -0.5 * square)
    return first + (rest - 0.5 * error - y * low + square * square * polynomial(_COS, square))


def _times_pi(x: Array) -> Pair:
    p, e = two_product(x, PI_HIGH)
    return two_sum(p, e + x * PI_LOW)


def sin(x: Array) -> Array:
    """Return sin x for -pi/2 <= x <= pi/2, within 1.1 ulp."""
    size = np.abs(x)
    wide = size > PI_HIGH / 4
    turned, turned_low = two_sum(PI_HIGH / 2 - size, PI_LOW / 2)
    y, y_low = np.where(wide, turned, size), np.where(wide, turned_low, 0.0)
    square = y * y
    sine = y + (y_low * (1 - 0.5 * square) + y * (square * polynomial(_SIN, square)))
    cosine = 1 - (0.5 * square + y * y_low - square * square * polynomial(_COS, square))
    result: Array = np.where(x < 0, -1.0, 1.0) * np.where(wide, cosine, sine)
    return result
