"""Sums and products without error: unevaluated sums of two float64, the larger first.

References
----------
T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18 (1971),
224-242; D. E. Knuth, The Art of Computer Programming 2, section 4.2.2.
"""

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
