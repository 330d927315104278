"""Logarithms, powers and the zeta function in integers, the same on every machine.

A number x stands as an integer near x·2^bits, and a unit is 2^-bits. Here `bits` is 100 or more.
"""

from collections.abc import Iterator
from functools import cache
from math import factorial, isqrt

import numpy as np
import numpy.typing as npt

ROOTS = 8
"""How many square roots, or squarings, make the argument of a series small."""

BLOCKS = (2**10, 2**14, 2**18, 2**22 + 2)
"""The ends of the blocks in which powers are computed."""


def logarithm(numerator: int, denominator: int, bits: int) -> int:
    """Return the natural logarithm of numerator/denominator.

    ln(x) is e·ln(2) + ln(y), where x = 2^e·y and y is between 1/2 and 2. The result is off by less than
    2^14·(abs(e) + 1) units.
    """
    exponent = numerator.bit_length() - denominator.bit_length()
    above, below = numerator << max(-exponent, 0), denominator << max(exponent, 0)
    return exponent * _logarithm_of_2(bits) + _logarithm_near_1((above << bits) // below, bits)


@cache
def _logarithm_of_2(bits: int) -> int:
    return _logarithm_near_1(2 << bits, bits)


def _logarithm_near_1(y: int, bits: int) -> int:
    """Return 2^8·ln(y^(2^-8)), where ln(y) = 2·(z + z^3/3 + z^5/5 + ...) with z = (y - 1)/(y + 1).

    A root and z are off by less than 2 units each, and the sum of its less than 2^4 terms by less than 2^5.
    """
    for _ in range(ROOTS):
        y = isqrt(y << bits)
    one = 1 << bits
    z = ((y - one) << bits) // (y + one)
    square, power, total, k = z * z >> bits, z, 0, 1
    while power not in (0, -1):
        total += power // k
        power, k = power * square >> bits, k + 2
    return total << (ROOTS + 1)


def exponential(x: int, bits: int) -> int:
    """Return e^x for x of 0 or less.

    e^x is 2^e·(e^y)^(2^8), where x = e·ln(2) + 2^8·y and 0 <= 2^8·y < ln(2). The Taylor series of e^y is off by less
    than 2^6 units, and each squaring doubles that; e·ln(2) is off by less than 2^14·abs(e). Together that is less than
    2^15·(abs(e) + 1)·2^e units.
    """
    exponent, rest = divmod(x, _logarithm_of_2(bits))
    y = rest >> ROOTS
    total, term, k = 0, 1 << bits, 0
    while term:
        total += term
        k += 1
        term = (term * y >> bits) // k
    for _ in range(ROOTS):
        total = total * total >> bits
    return total >> -exponent


def power(k: int, numerator: int, denominator: int, bits: int) -> int:
    """Return k^-a, where a is numerator/denominator, above 0."""
    if k > 1 and numerator > bits * denominator:
        return 0  # below one unit
    return exponential(-(logarithm(k, 1, bits) * numerator // denominator), bits)


def powers(numerator: int, denominator: int, bits: int) -> Iterator[int]:
    """Yield k^-a for k = 1, 2, 3, ... up to 2^22 + 1, where a is numerator/denominator, above 0.

    Those of primes come from logarithms, all others are products of two earlier ones.
    """
    found = [0, 1 << bits]
    yield found[1]
    for size in BLOCKS:
        factors = _least_factors(size)
        for k, factor in enumerate(factors[len(found) :].tolist(), len(found)):
            if factor == k:
                found.append(power(k, numerator, denominator, bits))
            else:
                found.append(found[factor] * found[k // factor] >> bits)
            yield found[k]


def _least_factors(size: int) -> npt.NDArray[np.int64]:
    """Return the smallest prime factor of each number below `size`, from 2 on."""
    factors = np.arange(size)
    for k in range(isqrt(size), 1, -1):
        factors[k * k :: k] = k  # the smallest factors come last
    return factors


def zeta(numerator: int, denominator: int, bits: int) -> int:
    """Return the sum of k^-a over all k of 1 or more, where a is numerator/denominator, above 1.

    Algorithm 2 of Borwein (An efficient algorithm for the Riemann zeta function, 2000): with n terms it is off by less
    than 3·(3 + sqrt(8))^-n/(1 - 2^(1 - a)), where 3 + sqrt(8) > 2^2.5.
    """
    n = bits * 2 // 5 + 1
    weights, total = [], 0
    for i in range(n + 1):
        total += (n * factorial(n + i - 1) << 2 * i) // (factorial(n - i) * factorial(2 * i))
        weights.append(total)
    signed = (total - weight if k % 2 == 0 else weight - total for k, weight in enumerate(weights[:n]))
    terms = zip(signed, powers(numerator, denominator, bits), strict=False)
    alternating = sum(weight * term for weight, term in terms) // total
    one = 1 << bits
    return (alternating << bits) // (one - 2 * power(2, numerator, denominator, bits))
