"""Values of a continuous distribution from a table of logarithms, by the definition, in integers.

It shares no code with the package but the coefficients. `value` works in Python's integers; `values` does millions at
once with NumPy, and is itself tested against `value`. `of_table` is for tables of both kinds.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.tables import EXP2, InverseTable, LogarithmTable
from tests.support import reference_inverse

MANTISSAS = {"float32": 23, "float64": 52}
LEAST = {"float32": -126, "float64": -1022}
LOW = np.uint64(2**32 - 1)
HALF = np.uint64(32)
Words = npt.NDArray[np.uint64]


def _exp2(v: int) -> tuple[int, int]:
    """Return n and s with 2^(v/2^52) = 2^n s/2^64, 2^64 <= s < 2^65."""
    n, x = v // 2**52, v % 2**52 * 2**12
    s = 0
    for c in EXP2[::-1]:
        s = c + s * x // 2**64
    return n, 2**64 + s * x // 2**64


def _number(n: int, s: int, dtype: str) -> float:
    if n < LEAST[dtype]:
        return 0.0
    cut = 64 - MANTISSAS[dtype]
    rounded = (s + 2 ** (cut - 1)) // 2**cut
    largest = (2 ** (MANTISSAS[dtype] + 1) - 1) << (1 - LEAST[dtype] - MANTISSAS[dtype])
    exact = rounded * 2 ** (n - MANTISSAS[dtype]) if n >= MANTISSAS[dtype] else 0
    return float(largest) if exact > largest else float(rounded) * 2.0 ** (n - MANTISSAS[dtype])


def value(number: int, table: LogarithmTable) -> float:
    """Return the value of the raw value `number`."""
    d = min(number, table.raw_values - 1 - number)
    upper = number > table.raw_values - 1 - number
    z = 2 * d + 1
    e = z.bit_length() - 1
    entry = int(table.octaves[e + (64 if upper and not table.symmetric else 0)])
    first, k = entry // 16, entry % 16
    below = (z - 2**e) * 2 ** (64 - e)
    t = below * 2**k % 2**64 - 2**63
    row = table.coefficients[first + below * 2**k // 2**64].tolist()
    v = row[-1]
    for c in row[-2::-1]:
        v = c + v * t // 2**64
    v = min(v, table.most)
    dtype = table.dtype.name
    if table.sine is None:
        return _number(*_exp2(v), dtype)
    v = max(v, 0)
    (n, s), (n_minus, s_minus) = _exp2(v), _exp2(-v)
    product = (s // 2 - (s_minus // 2 >> min(n - n_minus, 64))) * table.sine[0] // 2**64
    if not product:
        return 0.0
    bits = product.bit_length()
    found = _number(n + table.sine[1] - 64 + bits, product << (65 - bits), dtype)
    return found if upper or found == 0 else -found


def _high(a: Words, b: Words) -> Words:
    """Return the upper 64 bits of products of unsigned integers."""
    a0, a1, b0, b1 = a & LOW, a >> HALF, b & LOW, b >> HALF
    middle = (a0 * b0 >> HALF) + (a1 * b0 & LOW)
    middle2 = a0 * b1 + middle
    return a1 * b1 + (a1 * b0 >> HALF) + (middle2 >> HALF)


def _signed_high(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    x, y = a.view(np.uint64), b.view(np.uint64)
    zero = np.uint64(0)
    return (_high(x, y) - np.where(a < 0, y, zero) - np.where(b < 0, x, zero)).view(np.int64)


def _parts(v: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Words]:
    x = v.view(np.uint64) << np.uint64(12)
    g = np.full_like(x, EXP2[-1])
    for c in EXP2[-2::-1]:
        g = np.uint64(c) + _high(g, x)
    return v >> np.int64(52), _high(g, x)


def _numbers(n: npt.NDArray[np.int64], g: Words, dtype: str) -> npt.NDArray[Any]:
    mantissa, least = MANTISSAS[dtype], LEAST[dtype]
    kept = (g >> np.uint64(64 - mantissa)) + (g >> np.uint64(63 - mantissa) & np.uint64(1))
    exponent = np.clip(n, least, 2 - least) - least + 1
    bits = (exponent.astype(np.uint64) << np.uint64(mantissa)) + kept
    largest = np.uint64(((3 - 2 * least) << mantissa) - 1)
    bits = np.where(n < least, np.uint64(0), np.minimum(bits, largest))
    return bits.astype(np.uint32 if mantissa == 23 else np.uint64).view(dtype)


def values(numbers: Words, table: LogarithmTable) -> npt.NDArray[Any]:
    """Return the values of raw values, an array of uint64, as `value` does one."""
    dtype, one = table.dtype.name, np.uint64(1)
    other = np.uint64(table.raw_values - 1) - numbers
    upper = numbers > other
    z = np.minimum(numbers, other) * np.uint64(2) + one
    e = np.zeros_like(z)
    for bits in (32, 16, 8, 4, 2, 1):
        e = np.where(z >> e >> np.uint64(bits), e + np.uint64(bits), e)
    entry = table.octaves[e.astype(np.int64) + np.where(upper & (not table.symmetric), 64, 0)].astype(np.uint64)
    k = entry & np.uint64(15)
    below = z << (np.uint64(63) - e) << one
    row = ((entry >> np.uint64(4)) + (below >> one >> (np.uint64(63) - k))).astype(np.int64)
    t = ((below << k) ^ np.uint64(2**63)).view(np.int64)
    v = table.coefficients[row, -1]
    for i in range(table.degree - 1, -1, -1):
        v = table.coefficients[row, i] + _signed_high(v, t)
    v = np.minimum(v, table.most)
    if table.sine is None:
        return _numbers(*_parts(v), dtype)
    v = np.maximum(v, 0)
    (n, g), (n_minus, g_minus) = _parts(v), _parts(-v)
    top, apart = np.uint64(2**63), (n - n_minus).astype(np.uint64)
    shifted = np.where(apart < 64, (top | g_minus >> one) >> np.minimum(apart, np.uint64(63)), np.uint64(0))
    product = _high((top | g >> one) - shifted, np.full_like(g, table.sine[0]))
    lost = np.zeros_like(product)
    for bits in (32, 16, 8, 4, 2, 1):
        lost = np.where((product << lost) >> np.uint64(64 - bits), lost, lost + np.uint64(bits))
    made = _numbers(n + table.sine[1] - lost.astype(np.int64), product << lost << one, dtype)
    made = np.where(product == 0, made.dtype.type(0), made)
    return np.where(upper | (made == 0), made, -made)


def of_table(numbers: Words, table: InverseTable) -> npt.NDArray[Any]:
    """Return the values of raw values by a table of either kind."""
    if isinstance(table, LogarithmTable):
        return values(numbers, table)
    return reference_inverse.values(numbers, table.raw_values, table.coefficients, table.segment_bits, table.symmetric)
