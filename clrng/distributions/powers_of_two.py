"""Powers of two in integers: the definition of the values of tables of logarithms, for one number at a time.

A kernel has the same operations, and ``tests/support/reference_logarithms.py`` the mathematics that they stand for.
"""

from dataclasses import dataclass

import numpy as np

FRACTION_BITS = 52
"""The bits of a logarithm behind the point; it is an integer of 64 bits in units of 2^-52."""

EXP2 = (
    0xB17217F7D1CF79A8,
    0x3D7F7BFF058B21E2,
    0x0E35846B824F8636,
    0x0276556DF759A597,
    0x005761FF9D9140E9,
    0x000A18489B231E71,
    0x0000FFE5F210E196,
    0x0000162C1EAD717D,
    0x000001B4F8826156,
    0x0000001E7B024355,
    0x00000001CB0D4A04,
    0x0000000026F79788,
)
"""(2^x - 1)/x on [0, 1] as a polynomial, c[0] first, in units of 2^-64; 2^x - 1 is within 2^-61."""


@dataclass(frozen=True)
class Format:
    """A floating-point format, as integers see it: bits of the mantissa, the bias of the exponent, its largest."""

    mantissa: int
    bias: int

    @property
    def largest(self) -> int:
        """The bits of the largest number."""
        return ((2 * self.bias + 1) << self.mantissa) - 1


FORMATS = {"float32": Format(23, 127), "float64": Format(52, 1023)}


def exp2_m1(fraction: int) -> int:
    """Return 2^x - 1 of 0 <= x < 1, both in units of 2^-64; every product is rounded down."""
    total = EXP2[-1]
    for coefficient in EXP2[-2::-1]:
        total = coefficient + (total * fraction >> 64)
    return total * fraction >> 64


def parts(logarithm: int) -> tuple[int, int]:
    """Return n and g with 2^logarithm = 2^n (1 + g), g in units of 2^-64, of a logarithm in units of 2^-52."""
    fraction = (logarithm & ((1 << FRACTION_BITS) - 1)) << (64 - FRACTION_BITS)
    return logarithm >> FRACTION_BITS, exp2_m1(fraction)


def number(n: int, g: int, dtype: str) -> float:
    """Return 2^n (1 + g), g in units of 2^-64, rounded to a number of the dtype, the larger one of two as near.

    It is 0 where n is less than the exponent of the smallest normal number, and the largest number if it is larger.
    """
    form = FORMATS[dtype]
    if n < 1 - form.bias:
        return 0.0
    cut = 64 - form.mantissa
    bits = (n + form.bias << form.mantissa) + (g >> cut) + (g >> cut - 1 & 1)
    kind = np.uint32 if dtype == "float32" else np.uint64
    return float(kind(min(bits, form.largest)).view(dtype))


def power(logarithm: int, dtype: str) -> float:
    """Return 2^logarithm as a number of the dtype."""
    return number(*parts(logarithm), dtype)


def hyperbolic_sine(logarithm: int, factor: int, twos: int, dtype: str) -> float:
    """Return factor·2^(twos - 64)·(2^v - 2^-v), where v is the logarithm, or 0 if that is negative."""
    n, g = parts(max(logarithm, 0))
    other_n, other_g = parts(-max(logarithm, 0))
    difference = (1 << 63 | g >> 1) - ((1 << 63 | other_g >> 1) >> min(n - other_n, 64))
    product = difference * factor >> 64
    if product == 0:
        return 0.0
    zeros = 64 - product.bit_length()
    return number(n + twos - zeros, (product << zeros + 1) % 2**64, dtype)
