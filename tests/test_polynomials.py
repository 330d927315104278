"""Powers of x modulo characteristic polynomials."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.recurrences.polynomials import PowersOfX, multiply

MODULI = st.one_of(st.integers(2, 2**64), st.integers(2, 20), st.sampled_from([2**64, 2**64 - 59, 2**32, 10**19]))


@st.composite
def polynomials(draw: st.DrawFn, count: int, longest: int = 20) -> tuple[int, list[list[int]]]:
    """Return a modulus and `count` polynomials."""
    m = draw(MODULI)
    numbers = st.one_of(st.integers(0, m - 1), st.just(m - 1), st.just(0))
    return m, [draw(st.lists(numbers, min_size=1, max_size=longest)) for _ in range(count)]


def naive(f: list[int], g: list[int], m: int) -> list[int]:
    """Return the product of `f` and `g`, term by term."""
    product = [0] * (len(f) + len(g) - 1)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            product[i + j] = (product[i + j] + a * b) % m
    return product


def times_x(f: list[int], coefficients: list[int], m: int) -> list[int]:
    """Return x f modulo the characteristic polynomial: x^p is a_1 x^(p-1) + ... + a_p."""
    *lower, lead = f
    return [(low + lead * a) % m for low, a in zip([0, *lower], reversed(coefficients), strict=True)]


def powers(coefficients: list[int], m: int) -> Iterator[list[int]]:
    """Yield x^0, x^1, x^2, ... one after the other."""
    f = [1 % m, *[0] * (len(coefficients) - 1)]
    while True:
        yield f
        f = times_x(f, coefficients, m)


@given(polynomials(2))
def test_products(drawn: tuple[int, list[list[int]]]) -> None:
    m, (f, g) = drawn
    assert multiply(f, g, m) == multiply(g, f, m) == naive(f, g, m)


@pytest.mark.parametrize("m", [2, 3, 255, 256, 257, 2**31, 2**32 - 1, 2**32, 2**64 - 1, 2**64])
@pytest.mark.parametrize(("long", "short"), [(1, 1), (7, 8), (64, 64), (127, 2), (255, 256)])
def test_products_of_the_largest_coefficients(m: int, long: int, short: int) -> None:
    f, g = [m - 1] * long, [m - 1] * short
    assert multiply(f, g, m) == [min(k + 1, long, short, long + short - 1 - k) % m for k in range(long + short - 1)]


@given(polynomials(1, longest=8))
def test_powers_are_those_by_single_steps(drawn: tuple[int, list[list[int]]]) -> None:
    m, (coefficients,) = drawn
    by_squaring = PowersOfX(coefficients, m)
    assert by_squaring.degree == len(coefficients)
    for n, expected in zip(range(70), powers(coefficients, m), strict=False):
        assert by_squaring.power(n) == expected
        if n in (1, 2, 4, 8, 16, 32, 64):
            assert by_squaring.doubled(n.bit_length() - 1) == expected


@given(polynomials(1), st.integers(0, 2**100), st.integers(0, 2**100))
@settings(deadline=None, max_examples=50)
def test_powers_multiply(drawn: tuple[int, list[list[int]]], first: int, second: int) -> None:
    m, (coefficients,) = drawn
    by_squaring, p = PowersOfX(coefficients, m), len(coefficients)
    product = naive(by_squaring.power(first), by_squaring.power(second), m)
    while len(product) > p:
        lead = product.pop()
        for j, a in enumerate(coefficients, 1):
            product[len(product) - j] = (product[len(product) - j] + lead * a) % m
    assert by_squaring.power(first + second) == product


def test_coefficients_are_taken_modulo_m() -> None:
    assert PowersOfX([-1, 205, 7], 101).power(12345) == PowersOfX([100, 3, 7], 101).power(12345)


def test_a_degree_of_1_is_a_power_of_the_coefficient() -> None:
    for n in (0, 1, 2, 10**9, 2**200):
        assert PowersOfX([16807], 2**31 - 1).power(n) == [pow(16807, n, 2**31 - 1)]
        assert PowersOfX([1], 2).power(n) == [1]


def test_threads_may_share_the_powers() -> None:
    coefficients, m, n = [1, 0, 5] * 5, 2**61 - 1, 2**100 - 1
    expected = PowersOfX(coefficients, m).power(n)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            shared, start = PowersOfX(coefficients, m), Barrier(4)

            def power(shared: PowersOfX = shared, start: Barrier = start) -> list[int]:
                start.wait()
                return shared.power(n)

            with ThreadPoolExecutor(4) as pool:
                found = [future.result() for future in [pool.submit(power) for _ in range(4)]]
            assert found == [expected] * 4
            assert shared.power(n) == expected
    finally:
        sys.setswitchinterval(interval)
