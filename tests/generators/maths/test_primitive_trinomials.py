"""Primitive trinomials against counting, published lists and the factors of 2^p - 1."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clrng.generators.maths.gf2 import PUBLISHED, Remainders, is_primitive_trinomial
from tests.support.mersenne import EXPONENTS, FACTORS, factored

TO_64 = {
    (2, 1), (3, 1), (4, 1), (5, 2), (6, 1), (7, 1), (7, 3), (9, 4), (10, 3), (11, 2), (15, 1), (15, 4), (15, 7),
    (17, 3), (17, 5), (17, 6), (18, 7), (20, 3), (21, 2), (22, 1), (23, 5), (23, 9), (25, 3), (25, 7), (28, 3), (28, 9),
    (28, 13), (29, 2), (31, 3), (31, 6), (31, 7), (31, 13), (33, 13), (35, 2), (36, 11), (39, 4), (39, 8), (39, 14),
    (41, 3), (41, 20), (47, 5), (47, 14), (47, 20), (47, 21), (49, 9), (49, 12), (49, 15), (49, 22), (52, 3), (52, 19),
    (52, 21), (55, 24), (57, 7), (57, 22), (58, 19), (60, 1), (60, 11), (63, 1), (63, 5), (63, 31),
}  # fmt: skip
"""All primitive x^p + x^q + 1 with p of 2 to 64 and q of at most p/2: N. Zierler and J. Brillhart, "On primitive
trinomials (mod 2)", Information and Control 13, 1968, pp. 541-554."""

KNUTH = [
    (24, 55), (38, 89), (37, 100), (30, 127), (83, 258), (107, 378), (273, 607), (1029, 2281), (576, 3217),
    (4187, 9689), (7083, 19937), (9739, 23209),
]  # fmt: skip
"""The lags of Knuth, vol. 2, 3rd ed., section 3.2.2, table 1."""

WATSON = [
    (2, 1), (3, 1), (4, 1), (5, 2), (6, 1), (7, 1), (9, 4), (10, 3), (11, 2), (15, 1), (17, 3), (20, 3), (21, 2),
    (22, 1), (23, 5), (25, 3), (28, 3), (29, 2), (31, 3), (35, 2), (39, 4), (41, 3), (47, 5), (52, 3), (60, 1),
    (63, 1), (97, 6),
]  # fmt: skip
"""Trinomials of E. J. Watson, "Primitive polynomials (mod 2)", Math. Comp. 16, 1962, pp. 368-369."""


def times(f: int, g: int, p: int, q: int) -> int:
    """Return f g modulo x^p + x^q + 1 and 2, term by term from the highest, the coefficient of x^i in bit i."""
    product = 0
    for i in reversed(range(g.bit_length())):
        product <<= 1
        if product >> p:
            product ^= 1 << p | 1 << q | 1
        if g >> i & 1:
            product ^= f
    return product


def counted(p: int, q: int) -> bool:
    """Return whether x has 2^p - 1 powers modulo x^p + x^q + 1 and 2."""
    f, n = 2, 1
    while f != 1:
        f, n = times(f, 2, p, q), n + 1
    return n == (1 << p) - 1


@pytest.mark.parametrize("p", range(2, 17))
def test_small_ones_by_counting(p: int) -> None:
    assert [is_primitive_trinomial(p, q) for q in range(1, p)] == [counted(p, q) for q in range(1, p)]


def test_all_to_degree_64_as_published() -> None:
    pairs = [(p, q) for p in range(2, 65) for q in range(1, p // 2 + 1)]
    assert {(p, q) for p, q in pairs if is_primitive_trinomial(p, q)} == TO_64
    assert {(p, q) for p, q in pairs if primitive(p, q)} == TO_64


def test_lists_of_books() -> None:
    assert all(is_primitive_trinomial(p, q) for q, p in KNUTH)
    assert all(is_primitive_trinomial(p, q) for p, q in WATSON)


def test_there_are_none_of_these_degrees() -> None:
    """By Swan's theorem trinomials of degrees divisible by 8 have factors."""
    assert not any(is_primitive_trinomial(p, q) for p in range(8, 128, 8) for q in range(1, p))


@given(st.integers(2, 130), st.data())
def test_powers_are_products_of_powers(p: int, data: st.DataObject) -> None:
    q = data.draw(st.integers(1, p - 1))
    first, second = data.draw(st.integers(0, 2**70)), data.draw(st.integers(0, 2**70))
    power = Remainders(1 << p | 1 << q | 1).power
    assert power(first + second) == times(power(first), power(second), p, q)
    assert power(first + 1) == times(power(first), 2, p, q)


@given(st.integers(2, 40), st.data())
def test_powers_one_by_one(p: int, data: st.DataObject) -> None:
    q, f = data.draw(st.integers(1, p - 1)), 1
    for n in range(100):
        assert Remainders(1 << p | 1 << q | 1).power(n) == f
        f = times(f, 2, p, q)


def raised(n: int, p: int, q: int) -> int:
    """Return x^n modulo x^p + x^q + 1 and 2."""
    f = 1
    for bit in f"{n:b}":
        f = times(f, f, p, q)
        f = times(f, 2, p, q) if bit == "1" else f
    return f


def doubled(p: int, q: int, count: int) -> int:
    """Return x^(2^count) modulo x^p + x^q + 1 and 2."""
    f = 2
    for _ in range(count):
        f = int(f"{f:b}", 4)  # zeros between the bits
        while f >> p:
            above = f >> p
            f ^= above << p ^ above << q ^ above
    return f


def primitive(p: int, q: int) -> bool:
    """Return whether x^p + x^q + 1 is primitive modulo 2, by the factors of 2^p - 1."""
    return doubled(p, q, p) == 2 and all(raised((2**p - 1) // prime, p, q) != 1 for prime in {*factored(p)})


@pytest.mark.parametrize("p", [89, 97, 98, 100, 127, 250, 521])
def test_all_published_ones_of_a_degree(p: int) -> None:
    found = {(p, q) for q in range(1, p // 2 + 1) if doubled(p, q, p) == 2 and (p in EXPONENTS or primitive(p, q))}
    assert found == {pair for pair in PUBLISHED if pair[0] == p}


QUICK, TRIED = 5000, 20000
"""The largest degrees that are tried in the small tier and at all; the larger ones took seconds each."""


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(pair, id=str(pair), marks=[pytest.mark.slow] if pair[0] > QUICK else [])
        for pair in sorted(PUBLISHED)
        if pair[0] in EXPONENTS and pair[0] < TRIED
    ],
)
def test_published_ones_of_a_mersenne_exponent(pair: tuple[int, int]) -> None:
    """Where 2^p - 1 is a prime, x^(2^p) = x says that the factors are of degree 1 or p; x and x + 1 are none."""
    p, q = pair
    assert doubled(p, q, p) == 2
    assert is_primitive_trinomial(p, q)
    assert is_primitive_trinomial(p, p - q)


@pytest.mark.parametrize("pair", sorted(pair for pair in PUBLISHED if pair[0] not in EXPONENTS), ids=str)
def test_published_ones_of_other_degrees(pair: tuple[int, int]) -> None:
    p, q = pair
    assert raised(2**p - 1, p, q) == 1
    assert primitive(p, q)
    assert is_primitive_trinomial(p, q)
    assert is_primitive_trinomial(p, p - q)


def is_probable_prime(n: int) -> bool:
    """Return whether `n` passes the test of Miller and Rabin to 40 random bases."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    bases = [random.Random(i).randrange(2, n - 1) if n > 3 else 2 for i in range(40)]
    powers = [[pow(base, odd << i, n) for i in range(max(twos, 1))] for base in bases]
    return n in (2, 3) or (twos > 0 and all(row[0] == 1 or n - 1 in row for row in powers))


@pytest.mark.parametrize("p", FACTORS)
def test_the_factors_are_primes(p: int) -> None:
    assert all(map(is_probable_prime, factored(p)))


def test_every_pair_is_the_lower_one() -> None:
    assert all(p > 64 and 0 < q <= p // 2 for p, q in PUBLISHED)
    assert {p for p, _ in PUBLISHED} <= EXPONENTS | FACTORS.keys()
