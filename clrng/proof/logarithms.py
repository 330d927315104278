"""Values of tables of logarithms, by the definition, in Python's integers; nothing of it is in the device's code."""

from typing import Any

from clrng.distributions.quantiles.tables import EXP2, FRACTION_BITS
from clrng.distributions.transforms.inverse import Logarithms

ONE = 2**64
"""1 as a significand."""

MANTISSAS = {"float32": (23, -126), "float64": (52, -1022)}
"""Bits of a mantissa, and the exponent of the smallest normal number."""


def power(v: int) -> tuple[int, int]:
    """Return n and s with 2^v = 2^n s / 2^64, for v in units of 2^-52 and s from 2^64 to 2^65."""
    n, fraction = divmod(v, 2**FRACTION_BITS)
    x, sum_ = fraction * ONE // 2**FRACTION_BITS, 0
    for coefficient in reversed(EXP2):
        sum_ = coefficient + sum_ * x // ONE
    return n, ONE + sum_ * x // ONE


def number(n: int, s: int, dtype: str) -> float:
    """Return 2^n s / 2^64 as the nearest number of `dtype`, the larger of two as near; 0 below normal numbers."""
    mantissa, least = MANTISSAS[dtype]
    if n < least:
        return 0.0
    unit = ONE >> mantissa
    digits, largest = (s + unit // 2) // unit, 2 ** (mantissa + 1) - 1
    beyond = n > 1 - least or (n == 1 - least and digits > largest)
    return float(largest if beyond else digits) * 2.0 ** ((1 - least if beyond else n) - mantissa)


def value(transform: Logarithms, x: int, whole: int) -> float:
    """Return the value of one number X below `whole`."""
    table, octaves, most = transform.arguments[:3]
    dtype = str(transform.dtype)
    upper = x > whole - 1 - x
    z = 2 * min(x, whole - 1 - x) + 1
    octave = z.bit_length() - 1
    entry = int(octaves.numbers[octave + (64 if upper and not transform.hyperbolic else 0)])
    below = (z - 2**octave) * 2 ** (64 - octave)
    segment, rest = divmod(below * 2 ** (entry % 16), ONE)
    width = transform.degree + 1
    row: list[int] = table.numbers.view("int64").reshape(-1, width)[entry // 16 + segment].tolist()
    v, t = row[-1], rest - ONE // 2
    for coefficient in row[-2::-1]:
        v = coefficient + v * t // ONE
    v = min(v, int(most))
    if not transform.hyperbolic:
        return number(*power(v), dtype)
    return _sine(max(v, 0), transform.arguments[3:5], dtype) * (1 if upper else -1) or 0.0


def _sine(v: int, scale: tuple[Any, Any], dtype: str) -> float:
    """Return factor 2^(twos - 64) (2^v - 2^-v)."""
    (n, s), (other_n, other_s) = power(v), power(-v)
    product = (s // 2 - (other_s // 2 >> min(n - other_n, 64))) * int(scale[0]) // ONE
    bits = product.bit_length()
    return number(n + int(scale[1]) - 64 + bits, product << 65 - bits, dtype) if product else 0.0
