"""Primes and factors of numbers below 2^64."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import gcd, lcm

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
