"""Integers: primes and factors below 2^64, odd numbers as powers of 5, affine maps of many states, distances."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, factorial, gcd, isqrt, lcm, lgamma, log, log2
from typing import Any, cast

import numpy as np
import numpy.typing as npt


def is_power_of_two(n: int) -> bool:
    """Return whether `n`, 1 or more, is a power of two."""
    return n & (n - 1) == 0


WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Bases that together prove every prime below 2^64 (J. Sorenson and J. Webster, Math. Comp. 86, 2017)."""


def is_prime(n: int) -> bool:
    """Return whether `n`, below 2^64, is a prime: by the Miller-Rabin test with enough bases to be sure."""
    if n <= 1 or any(n % p == 0 for p in WITNESSES):
        return n in WITNESSES
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in WITNESSES:
        x = pow(base, odd, n)
        if x not in (1, n - 1) and all((x := x * x % n) != n - 1 for _ in range(twos - 1)):
            return False
    return True


def _divisor(n: int) -> int:
    """Return a proper divisor of the odd composite `n` by Pollard's rho method in Brent's form."""
    for c in range(1, n):
        y, power, product = 2, 1, 1
        x = saved = y
        found = 1
        while found == 1:
            x = y
            for first in range(0, power, 128):
                saved = y
                for _ in range(min(128, power - first)):
                    y = (y * y + c) % n
                    product = product * abs(x - y) % n
                found = gcd(product, n)
                if found != 1:
                    break
            power *= 2
        if found == n:  # two divisors at once: go through the last of them one by one
            found = 1
            while found == 1:
                saved = (saved * saved + c) % n
                found = gcd(abs(x - saved), n)
        if found != n:
            return found
    raise ValueError(f"n must be composite, not {n}")


def _primes(n: int) -> Iterator[int]:
    for p in WITNESSES:
        while n % p == 0:
            yield p
            n //= p
    if n == 1:
        return
    if is_prime(n):
        yield n
        return
    divisor = _divisor(n)
    yield from _primes(divisor)
    yield from _primes(n // divisor)


@lru_cache(maxsize=256)
def factors(n: int) -> Counter[int]:
    """Return the prime factors of `n`, from 1 to 2^64, with their multiplicities."""
    return Counter(_primes(n))


def is_primitive_root(g: int, p: int) -> bool:
    """Return whether the powers of `g`, from 1 to p - 1, are all numbers from 1 to p - 1, where `p` is a prime."""
    return all(pow(g, (p - 1) // q, p) != 1 for q in factors(p - 1))


def exponent(n: int) -> int:
    """Return a number e with a^e = 1 (mod n) for every a that has no factor in common with `n`."""
    return lcm(*((p - 1) * p ** (k - 1) for p, k in factors(n).items()))


def largest_factorial(limit: int) -> int:
    """Return the largest n for which n! is at most `limit`, which is 1 or more."""
    bits = log2(limit)
    n = bisect_right(range(2, ceil(bits) + 3), bits, key=lambda n: lgamma(n + 1) / log(2)) + 1
    while factorial(n) > limit:  # the logarithms are rounded
        n -= 1
    while factorial(n + 1) <= limit:
        n += 1
    return n


def golden_distance(period: int) -> int:
    """Return an odd number without a common factor with `period`: the first from 0.618 times that on.

    Of periods above 2^128 it is the first from 0.618 times 2^128 on.
    """
    span = min(period, 2**128)
    distance: int = (isqrt(5 * span * span) - span) // 2 | 1
    while gcd(distance, period) > 1:
        distance += 2
    return distance


UInt64s = npt.NDArray[np.uint64]


def powers_of_5(bits: int) -> list[int]:
    """Return 5^(2^j) modulo 2^bits for j = 0 ... bits - 3."""
    return [pow(5, 2**j, 2**bits) for j in range(bits - 2)]


def logarithms(words: UInt64s, bits: int) -> tuple[UInt64s, UInt64s]:
    """Return signs s and exponents e of odd `words` modulo 2^bits.

    Modulo 2^(j+3) the numbers 1 and 5^(2^j) differ in bit j + 2 alone, so bit j of e is that bit of what is left
    after dividing the lower powers out.
    """
    mask = np.uint64(2**bits - 1)
    signs = words >> np.uint64(1) & np.uint64(1) if bits > 1 else np.zeros_like(words)
    left = np.where(signs == 1, -words, words) & mask
    exponents = np.zeros_like(words)
    for j in range(bits - 2):
        found = left >> np.uint64(j + 2) & np.uint64(1)
        exponents |= found << np.uint64(j)
        left = np.where(found == 1, left * np.uint64(pow(5, -(2**j), 2**bits)), left) & mask
    return signs, exponents


def words_of(signs: UInt64s, exponents: UInt64s, bits: int) -> UInt64s:
    """Return the odd words modulo 2^bits with these signs and exponents."""
    words: Any = np.ones_like(exponents)
    for j, power in enumerate(powers_of_5(bits)):
        words = np.where(exponents >> np.uint64(j) & np.uint64(1) == 1, words * np.uint64(power), words)
    return cast("UInt64s", np.where(signs & np.uint64(1) == 1, -words, words) & np.uint64(2**bits - 1))


@lru_cache(maxsize=256)
def affine_power(m: int, a: int, n: int) -> tuple[int, int]:
    """Return A and G: n steps of x' = (a x + c) mod m, backwards if n is negative, take x to A x + G c mod m."""
    a, g, n = (a, 1, n) if n >= 0 else (b := pow(a, -1, m), m - b, -n)
    power, added = 1, 0
    while n:
        if n & 1:
            power, added = power * a % m, (added * a + g) % m
        a, g = a * a % m, (a + 1) * g % m
        n >>= 1
    return power, added


def mapped(
    states: npt.NDArray[Any], matrix: Sequence[Sequence[int]], constants: Sequence[int], modulus: int
) -> npt.NDArray[Any]:
    """Return matrix x + constants modulo `modulus` for each row x of `states`, of the same dtype.

    `states`: ndarray of uint32 or uint64, shape (count, order). `matrix`: sequence of sequences of int, shape (order,
    order). From 0 to `modulus` - 1. `constants`: sequence of int, shape (order,). Likewise. `modulus`: from 2 to 2^64.

    Below 2^32 a product and what was there before fit 64 bits, as (m - 1)^2 + m - 1 < 2^64. Powers of two need no more
    than the low bits of a product. Other moduli take Python's integers.
    """
    wraps = is_power_of_two(modulus)
    kind = np.dtype(np.uint64 if wraps or modulus <= 2**32 else object)
    found = np.empty_like(states)
    columns = states.T.astype(kind)
    for i, (row, constant) in enumerate(zip(matrix, constants, strict=True)):
        total = np.full(len(states), constant, kind)
        for column, weight in zip(columns, row, strict=True):
            total = total + column * kind.type(weight)
            total = total & np.uint64(modulus - 1) if wraps else total % kind.type(modulus)
        found[:, i] = total
    return found
