"""Polynomials over GF(2) against their definition, coefficient by coefficient."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators.maths.gf2 import Remainders, connection, is_primitive
from clrng.generators.maths.number_theory import factors

MODULI = st.integers(2, 2**90)


def remainder(f: int, modulus: int) -> int:
    """Return the remainder by the division of school."""
    while f.bit_length() >= modulus.bit_length():
        f ^= modulus << f.bit_length() - modulus.bit_length()
    return f


@given(f=st.integers(0, 2**300), modulus=MODULI)
def test_remainders_are_those_of_a_division(f: int, modulus: int) -> None:
    assert Remainders(modulus).reduced(f) == remainder(f, modulus)


@given(n=st.integers(0, 400), modulus=MODULI)
def test_powers_of_x_are_the_remainders_of_powers(n: int, modulus: int) -> None:
    assert Remainders(modulus).power(n) == remainder(1 << n, modulus)


@given(first=st.integers(0, 2**200), second=st.integers(0, 2**100))
@settings(max_examples=20)
def test_far_powers_of_x_multiply(first: int, second: int) -> None:
    modulus = 2**89 + 2**38 + 1
    powers, result = Remainders(modulus), 0
    g = powers.power(second)
    for i in range(89):
        if g >> i & 1:
            result ^= powers.power(first) << i
    assert powers.power(first + second) == remainder(result, modulus)


def follows(bits: tuple[int, ...], polynomial: int) -> bool:
    """Return whether a polynomial makes 0 of all stretches of `bits` that are as long as it."""
    length = polynomial.bit_length()
    return all(
        sum(bits[k + i] for i in range(length) if polynomial >> i & 1) % 2 == 0 for k in range(len(bits) - length + 1)
    )


@pytest.mark.parametrize("count", [1, 2, 6, 9])
def test_the_connection_polynomial_is_the_shortest(count: int) -> None:
    for bits in product((0, 1), repeat=count):
        found = connection(bits)
        assert follows(bits, found)
        shorter = range(1 << found.bit_length() - 1)
        assert not any(follows(bits, 1 << length | low) for length in range(found.bit_length() - 1)
                       for low in range(1 << length) if shorter)  # fmt: skip


@pytest.mark.parametrize("degree", range(1, 9))
def test_primitive_polynomials_are_those_whose_powers_of_x_are_all(degree: int) -> None:
    primes = sorted(factors(2**degree - 1))
    for low in range(1 << degree):
        modulus = 1 << degree | low
        power, seen = remainder(1, modulus), set()
        while power not in seen:
            seen.add(power)
            power = remainder(power << 1, modulus)
        assert is_primitive(modulus, primes) == (len(seen - {0}) == 2**degree - 1 and power == 1)
