"""Primes and factors."""

import random
from math import gcd, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators.maths.number_theory import exponent, factors, is_prime

CARMICHAEL = [561, 1105, 1729, 41041, 825265, 321197185, 5394826801, 232250619601, 9746347772161, 1436697831295441]
PSEUDOPRIMES = [
    2047,
    3215031751,
    3474749660383,
    341550071728321,
    3825123056546413051,
]
"""The least strong pseudoprimes to the first 1, 4, 6, 7 and 9 primes (OEIS A014233)."""

LARGE_PRIMES = [2**31 - 1, 2**32 - 5, 2**32 - 209, 2**32 - 22853, 2**61 - 1, 2**63 - 25, 2**64 - 189, 2**64 - 59]


def sieve(limit: int) -> list[int]:
    """Return all primes below `limit`, by the sieve of Eratosthenes."""
    is_one = bytearray([0, 0, *[1] * (limit - 2)])
    for n in range(2, int(limit**0.5) + 1):
        if is_one[n]:
            is_one[n * n :: n] = bytes(len(range(n * n, limit, n)))
    return [n for n in range(limit) if is_one[n]]


SMALL = sieve(2**16)


def passes_fermat(n: int) -> bool:
    """Return whether no small prime divides `n` and it passes Fermat's test to many random bases."""
    if n in SMALL:
        return True
    bases = random.Random(n)
    return all(n % p for p in SMALL) and all(pow(bases.randrange(2, n - 1), n - 1, n) == 1 for _ in range(20))


def holds(n: int) -> None:
    """Assert that the factors of `n` are prime and multiply back."""
    found = factors(n)
    assert prod(p**k for p, k in found.items()) == n
    assert all(k >= 1 and passes_fermat(p) and is_prime(p) for p, k in found.items())


def test_all_small_primes() -> None:
    assert [n for n in range(-5, 2**16) if is_prime(n)] == SMALL


@pytest.mark.parametrize("n", [*CARMICHAEL, *PSEUDOPRIMES])
def test_pseudoprimes_are_not_primes(n: int) -> None:
    assert not is_prime(n)
    assert sum(factors(n).values()) > 1
    holds(n)


def test_the_largest_primes_below_powers_of_two() -> None:
    for n in LARGE_PRIMES:
        assert is_prime(n)
        assert factors(n) == {n: 1}
    below = [2**64 - n for n in range(190, 0, -1) if is_prime(2**64 - n)]
    assert below == [2**64 - 189, 2**64 - 179, 2**64 - 95, 2**64 - 83, 2**64 - 59]
    assert [n for n in range(2**32 - 18, 2**32) if is_prime(n)] == [2**32 - 17, 2**32 - 5]


def test_factors_of_small_numbers_by_division() -> None:
    for n in range(1, 5000):
        rest, expected = n, {}
        for p in SMALL:
            while rest % p == 0:
                rest //= p
                expected[p] = expected.get(p, 0) + 1
        assert factors(n) == expected


@settings(max_examples=30)
@given(st.integers(1, 2**64))
def test_factors_of_any_number(n: int) -> None:
    holds(n)


def primes_near(n: int) -> int:
    """Return the first prime from `n` on."""
    while not passes_fermat(n):
        n += 1
    return n


@pytest.mark.parametrize("index", range(8))
def test_products_of_two_primes_of_32_bits(index: int) -> None:
    chosen = random.Random(index)
    p, q = (primes_near(chosen.randrange(2**31, 2**32 - 1000)) for _ in range(2))
    assert factors(p * q) == ({p: 1, q: 1} if p != q else {p: 2})


@pytest.mark.parametrize("p", [2, 3, 37, 41, 43, 127, 65537, 2**31 - 1, 4294967279, 4294967291])
def test_squares_of_primes(p: int) -> None:
    assert factors(p * p) == {p: 2}


@pytest.mark.parametrize(
    ("p", "k"), [(2, 64), (3, 40), (5, 27), (37, 12), (41, 11), (1009, 6), (65537, 3), (2642239, 3)]
)
def test_powers_of_primes(p: int, k: int) -> None:
    assert factors(p**k) == {p: k}


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, {}),
        (2**64 - 1, {3: 1, 5: 1, 17: 1, 257: 1, 641: 1, 65537: 1, 6700417: 1}),
        (10**19, {2: 19, 5: 19}),
        (2**61 - 2, {2: 1, 3: 2, 5: 2, 7: 1, 11: 1, 13: 1, 31: 1, 41: 1, 61: 1, 151: 1, 331: 1, 1321: 1}),
        (41 * 41 * 43 * 47, {41: 2, 43: 1, 47: 1}),
        (4294967291 * 4294967279, {4294967291: 1, 4294967279: 1}),
    ],
)
def test_known_factors(n: int, expected: dict[int, int]) -> None:
    assert factors(n) == expected


def test_the_exponent_is_one_of_every_unit() -> None:
    for n in range(2, 400):
        e = exponent(n)
        assert e > 0
        assert all(pow(a, e, n) == 1 for a in range(1, n) if gcd(a, n) == 1)


@settings(max_examples=30)
@given(st.integers(2, 2**64), st.integers(1, 2**64))
def test_the_exponent_of_any_number(n: int, a: int) -> None:
    if gcd(a, n) == 1:
        assert pow(a, exponent(n), n) == 1


@pytest.mark.parametrize("n", LARGE_PRIMES)
def test_the_exponent_of_a_prime(n: int) -> None:
    assert exponent(n) == n - 1
