"""Powers of x modulo characteristic polynomials."""

import copy
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators.maths import polynomials as module
from clrng.generators.maths.polynomials import CACHED, SHORT, PowersOfX, convolved, multiply
from tests.generators.maths.products import naive, of_minus_ones

MODULI = st.one_of(st.integers(2, 2**64), st.integers(2, 20), st.sampled_from([2**64, 2**64 - 59, 2**32, 10**19]))


@st.composite
def polynomials(draw: st.DrawFn, count: int, longest: int = 20) -> tuple[int, list[list[int]]]:
    """Return a modulus and `count` polynomials."""
    m = draw(MODULI)
    numbers = st.one_of(st.integers(0, m - 1), st.just(m - 1), st.just(0))
    return m, [draw(st.lists(numbers, min_size=1, max_size=longest)) for _ in range(count)]


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


def test_which_product_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    def noted(f: Any, g: Any, m: int) -> Any:
        taken.append((len(f), len(g), m))
        return convolved(f, g, m)

    monkeypatch.setattr(module, "convolved", noted)
    for m in (2, 3, 2**64 - 1, 2**64, 2**65):
        for long, short in ((SHORT, SHORT), (2 * SHORT, SHORT - 1)):
            assert multiply([m - 1] * long, [m - 1] * short, m) == of_minus_ones(long, short, m)
    assert taken == [(SHORT, SHORT, 2), (SHORT, SHORT, 2**64)]


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
@settings(max_examples=50)
def test_powers_multiply(drawn: tuple[int, list[list[int]]], first: int, second: int) -> None:
    m, (coefficients,) = drawn
    by_squaring, p = PowersOfX(coefficients, m), len(coefficients)
    product = naive(by_squaring.power(first), by_squaring.power(second), m)
    while len(product) > p:
        lead = product.pop()
        for j, a in enumerate(coefficients, 1):
            product[len(product) - j] = (product[len(product) - j] + lead * a) % m
    assert by_squaring.power(first + second) == product


@pytest.mark.parametrize("m", [2, 2**31, 2**64, 10**9, 2**64 - 59])
@pytest.mark.parametrize("lags", [(1, 2), (5, 17), (60, 1), (418, 1279)])
def test_powers_of_a_power(m: int, lags: tuple[int, int]) -> None:
    coefficients = [int(lag in lags) for lag in range(1, max(lags) + 1)]
    of_x, distance = PowersOfX(coefficients, m), 10**12 + 7
    for count in (1, 2, 3, 6) if max(lags) < 1000 else (4,):
        found = of_x.powers_of(of_x.power(distance), count)
        assert found.tolist() == [of_x.power(distance * i) for i in range(1, count + 1)]


@given(polynomials(1, longest=8), st.integers(0, 2**100))
def test_a_power_times_x(drawn: tuple[int, list[list[int]]], n: int) -> None:
    m, (coefficients,) = drawn
    of_x = PowersOfX(coefficients, m)
    assert of_x.times_x(of_x.power(n)) == of_x.power(n + 1)


@given(polynomials(1, longest=8), st.integers(1, 2**100))
def test_negative_powers_are_inverses(drawn: tuple[int, list[list[int]]], n: int) -> None:
    m, (coefficients,) = drawn
    coefficients = [*coefficients[:-1], m - 1]  # which has an inverse
    of_x, p = PowersOfX(coefficients, m), len(coefficients)
    assert of_x.times_x(of_x.power(-n)) == of_x.power(1 - n)
    inverse = of_x.power(-1)
    assert of_x.times_x(inverse) == [int(i == 0) for i in range(p)]


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


@pytest.mark.parametrize(("coefficients", "m"), [([1, 1], 10**9), ([1, 0, 5], 2**64), ([16807], 2**31 - 1)])
def test_powers_beyond_those_kept(coefficients: list[int], m: int) -> None:
    p = len(coefficients)
    powers_of_x = PowersOfX(coefficients, m)
    for n in (2**64 - 1, 2**64, 2**64 + 1, 2**65 + 12345, 2**128 - 1, 2**128, 2**200 + 2**64 + 3):
        expected = [1, *[0] * (p - 1)]
        for bit in f"{n:b}":
            square, expected = expected, [0] * p
            for c in reversed(square):
                expected = [(x + c * y) % m for x, y in zip(times_x(expected, coefficients, m), square, strict=True)]
            expected = times_x(expected, coefficients, m) if bit == "1" else expected
        assert powers_of_x.power(n) == expected
        assert len(powers_of_x._squares[0]) <= CACHED


def test_pickles_and_copies_leave_the_powers_kept_behind() -> None:
    powers_of_x = PowersOfX([1, 0, 5], 2**64)
    before = len(pickle.dumps(powers_of_x))
    expected = powers_of_x.power(2**64 - 1)
    assert len(powers_of_x._squares[0]) == CACHED
    assert len(pickle.dumps(powers_of_x)) == before
    for other in (pickle.loads(pickle.dumps(powers_of_x)), copy.copy(powers_of_x), copy.deepcopy(powers_of_x)):
        assert other._squares == ([], [])
        assert (other.degree, other.modulus) == (3, 2**64)
        assert other.power(2**64 - 1) == expected
    assert len(powers_of_x._squares[0]) == CACHED
