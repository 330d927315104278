"""Logarithms, sines and cosines by the very operations of the templates, on the host."""

import math
from typing import Any

import numpy as np

LOGARITHM = tuple(2 / (2 * i + 3) for i in range(11))
"""log(1 + f) = f - f²/2 + s (f²/2 + R), s = f / (2 + f): the coefficients of R by powers of s²."""

SINE = tuple((-1) ** i / math.factorial(2 * i + 3) * -1 for i in range(8))
COSINE = tuple((-1) ** i / math.factorial(2 * i + 4) for i in range(8))
"""The coefficients behind the first term of a sine and the first two of a cosine."""

LOG2_HIGH, LOG2_LOW = float.fromhex("0x1.62e42fee00000p-1"), float.fromhex("0x1.a39ef35793c76p-33")
QUARTER_HIGH, QUARTER_LOW = float.fromhex("0x1.921fb54400000p+0"), float.fromhex("0x1.0b4611a626331p-34")
"""log 2 and pi / 2, in two parts, the first of few digits."""

CENTRAL = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
    0.246640727, 1.50140941,
)  # fmt: skip
OUTER = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
    1.00167406, 2.83297682,
)  # fmt: skip
"""The coefficients of Giles's inverse error function, "Approximating the erfinv function", 2010, as XLA has them."""

MIDDLE = (
    (3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
     3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3),
)  # fmt: skip
TAIL = (
    (1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
     1.27045825245236838258, 0.241780725177450611770, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550, 0.148103976427480074590,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9),
)  # fmt: skip
"""The coefficients of Wichura's inverse of the normal distribution, numerators and denominators, in the middle and in
the tails down to e^-25: "Algorithm AS 241", Applied Statistics 37, 1988, pp. 477-484."""

WINITZKI, ROOT_2 = 2 / (math.pi * 0.147), float(np.float32(2**0.5))
"""A constant of Winitzki's approximate inverse error function, "A handy approximation for the error function and its
inverse", 2008, and the root of 2 that rocRAND multiplies its results by."""

TURN = float(np.float32(2.0**-32 * 2 * math.pi))
BIASED = 0x3FE6A09E00000000

CEPHES_LOG = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
CEPHES_SINE = -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1
CEPHES_COSINE = 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2
CEPHES_QUARTER = -0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8
CEPHES_LOG2 = -2.12194440e-4, 0.693359375
HALF_ROOT, PER_QUARTER = 0.707106781186547524, 1.27323954473516
"""The float32 numbers of Cephes, in the order in which they are taken: PyTorch has these functions for processors."""


def of_53_bits(w: Any) -> Any:
    """Return what cuRAND takes of two words, as float64."""
    return (w[:, 0] ^ w[:, 1] << np.uint64(21)).astype(np.float64)


def polynomial(coefficients: tuple[float, ...], z: Any) -> Any:
    """Return a polynomial by its coefficients, that of the lowest power first."""
    made = np.full_like(z, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        made = made * z + c
    return made


def log(x: Any) -> Any:
    """Return logarithms by the very operations of the template."""
    bits = x.view(np.uint64) - np.uint64(BIASED)
    k = bits.view(np.int64) >> np.int64(52)
    f = ((bits & np.uint64(2**52 - 1)) + np.uint64(BIASED)).view(np.float64) - 1.0
    s, h = f / (2.0 + f), 0.5 * f * f
    z = s * s
    r = polynomial(LOGARITHM, z)
    return k * LOG2_HIGH - ((h - (s * (h + r * z) + k * LOG2_LOW)) - f)


def sincos(quarter: Any, angle: Any) -> tuple[Any, Any]:
    """Return sines and cosines by the very operations of the template."""
    z = angle * angle
    a, b = angle + angle * z * polynomial(SINE, z), 1.0 - (0.5 * z - z * z * polynomial(COSINE, z))
    odd = quarter & 1 != 0
    s, c = np.where(odd, b, a), np.where(odd, a, b)
    return np.where(quarter & 2 != 0, -s, s), np.where((quarter + 1) & 2 != 0, -c, c)


F = np.float32


def fma(a: Any, b: Any, c: Any) -> Any:
    """Return a b + c of float32 numbers, rounded once: the sum as float64 is rounded to an odd last bit before."""
    product, c = np.multiply(a, b, dtype=np.float64), np.asarray(c, np.float64)
    total = product + c
    of_c = total - product
    error = (product - (total - of_c)) + (c - of_c)
    bits = total.view(np.int64)
    bits = np.where((error != 0) & ((error > 0) != (total > 0)), bits - 1, bits)
    return np.where(error != 0, bits | 1, bits).view(np.float64).astype(F)


def cephes_polynomial(coefficients: tuple[float, ...], z: Any) -> Any:
    """Return a polynomial by its coefficients, that of the highest power first."""
    made = np.full_like(z, F(coefficients[0]))
    for c in coefficients[1:]:
        made = fma(made, z, F(c))
    return made


def cephes_log(x: Any) -> Any:
    """Return logarithms of float32 numbers above 0."""
    bits = x.view(np.uint32)
    m = (bits & np.uint32(0x7FFFFF) | np.uint32(0x3F000000)).view(F)
    small = m < F(HALF_ROOT)
    e = (bits >> np.uint32(23)).astype(F) - F(126) - small.astype(F)
    m = (m - F(1)) + np.where(small, m, F(0))
    z = m * m
    y = fma(cephes_polynomial(CEPHES_LOG, m) * m, z, e * F(CEPHES_LOG2[0]))
    return fma(e, F(CEPHES_LOG2[1]), m + fma(-z, F(0.5), y))


def cephes_sincos(x: Any) -> tuple[Any, Any]:
    """Return sines and cosines of float32 angles from 0 to 2 pi."""
    eighth = (x * F(PER_QUARTER)).astype(np.int32) + 1 & ~1
    for part in CEPHES_QUARTER:
        x = fma(eighth.astype(F), F(part), x)
    z = x * x
    a = fma(cephes_polynomial(CEPHES_COSINE, z) * z, z, -(z * F(0.5))) + F(1)
    b = fma(cephes_polynomial(CEPHES_SINE, z) * z, x, x)
    even = eighth & 2 == 0
    sine, cosine = np.where(even, b, a), np.where(even, a, b)
    return np.where(eighth & 4 != 0, -sine, sine), np.where(eighth + 2 & 4 != 0, -cosine, cosine)
