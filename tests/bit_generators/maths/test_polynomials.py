"""Powers of x modulo characteristic polynomials."""

import copy
import math
import pickle
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.bit_generators.maths import polynomials as module
from clrng.bit_generators.maths.polynomials import CACHED, LIMB, SHORT, PowersOfX, multiply

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


def kronecker(f: list[int], g: list[int], m: int) -> list[int]:
    """Return the product of `f` and `g` as one product of Python's integers, digits of 24 bytes."""
    x, y = (int.from_bytes(b"".join(c.to_bytes(24, "little") for c in h), "little") for h in (f, g))
    n = len(f) + len(g) - 1
    packed = (x * y).to_bytes(24 * n, "little")
    return [int.from_bytes(packed[i : i + 24], "little") % m for i in range(0, 24 * n, 24)]


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


POWERS_OF_TWO = st.integers(1, 64).map(lambda bits: 2**bits)


@given(POWERS_OF_TWO, st.integers(1, 200), st.integers(1, 200), st.integers(0, 2**32))
def test_both_products_are_those_term_by_term(m: int, long: int, short: int, seed: int) -> None:
    source = random.Random(seed)
    f, g = ([source.choice([source.randrange(m), m - 1, 0]) for _ in range(n)] for n in (long, short))
    expected = naive(f, g, m)
    assert module._convolved(f, g, m) == expected
    assert multiply(f, g, m) == expected
    assert kronecker(f, g, m) == expected
    assert module._convolved(f, f, m) == module._convolved(f, list(f), m) == naive(f, f, m)


@pytest.mark.parametrize("m", [2, 2**11, 2**12, 2**31, 2**32, 2**55, 2**56, 2**64])
@pytest.mark.parametrize(("long", "short"), [(SHORT, SHORT), (1000, 513), (8192, 4097), (4096, 1)])
def test_random_products_by_fourier_transforms(m: int, long: int, short: int) -> None:
    source = random.Random(m + long)
    f, g = ([source.randrange(m) for _ in range(n)] for n in (long, short))
    expected = kronecker(f, g, m)
    assert module._convolved(f, g, m) == module._convolved(g, f, m) == expected
    assert multiply(f, g, m) == expected


def worst(long: int, short: int, m: int) -> list[int]:
    """Return the product of polynomials whose coefficients are all -1."""
    return [min(k + 1, long, short, long + short - 1 - k) % m for k in range(long + short - 1)]


@pytest.mark.parametrize("long", [SHORT - 1, SHORT, 2**12, 2**14 + 1, 2**16, 2**17 - 1])
def test_fourier_products_of_the_largest_coefficients(long: int) -> None:
    m, short = 2**64, min(long, 2**16)
    assert multiply([m - 1] * long, [m - 1] * short, m) == worst(long, short, m)
    assert module._convolved([m - 1] * long, [m - 1] * short, m) == worst(long, short, m)


@pytest.mark.parametrize("seed", range(2))
def test_fourier_products_as_long_as_they_get(seed: int) -> None:
    """Of the 2^17 - 1 words and 2^16 weights of a jump at the largest lag."""
    m, source = 2**64, np.random.default_rng(seed)
    f, g = (source.integers(0, m - 1, n, np.uint64, endpoint=True).tolist() for n in (2**17 - 1, 2**16))
    if seed:  # pieces at either end
        f, g = ([m - 1 if c & 1 else 0 for c in h] for h in (f, g))
    found = module._convolved(f, g, m)
    assert len(found) == len(f) + len(g) - 1
    for x in (1, m - 1, 0x9E3779B97F4A7C15):
        at_x = [0, 0, 0]
        for i, h in enumerate((f, g, found)):
            for c in reversed(h):
                at_x[i] = (at_x[i] * x + c) % m
        assert at_x[0] * at_x[1] % m == at_x[2]
    words, weights = np.array(f, np.uint64), np.array(g[::-1], np.uint64)
    for k in range(2**16 - 1, 2**17 - 1, 97):  # which NumPy sums modulo 2^64
        assert found[k] == int((words[k + 1 - 2**16 : k + 1] * weights).sum())


def test_which_product_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    def noted(f: list[int], g: list[int], m: int) -> list[int]:
        taken.append((len(f), len(g), m))
        return kronecker(f, g, m)

    monkeypatch.setattr(module, "_convolved", noted)
    for m in (2, 3, 2**64 - 1, 2**64, 2**65):
        for long, short in ((SHORT, SHORT), (2 * SHORT, SHORT - 1)):
            assert multiply([m - 1] * long, [m - 1] * short, m) == worst(long, short, m)
    assert taken == [(SHORT, SHORT, 2), (SHORT, SHORT, 2**64)]


def bound(long: int, short: int) -> float:
    """Return how far a coefficient may be off that `_convolved` rounds, by the theorem that it names."""
    k, pieces = (long + short - 2).bit_length(), -(-64 // LIMB)
    e, largest = 2.0**-53, 2.0**LIMB - 1
    root = e / 2**0.5  # the error of a correctly rounded root of unity is less
    relative = math.expm1(
        (3 * k + pieces) * math.log1p(e) + (3 * k + 1) * math.log1p(e * 5**0.5) + 3 * k * math.log1p(root)
    )
    return float(pieces * largest**2 * (long * short) ** 0.5 * relative)


def test_the_bound_of_the_error() -> None:
    assert 0.05 < bound(2**17 - 1, 2**16) < 0.06
    assert bound(2**16, 2**16) < 0.04
    assert -(-64 // LIMB) * 2.0 ** (2 * LIMB) * 2**16 < 2**53


@pytest.mark.parametrize("kind", ["random", "largest", "ends"])
@pytest.mark.parametrize("long", [2**12, 2**16])
def test_the_error_is_within_its_bound(kind: str, long: int, monkeypatch: pytest.MonkeyPatch) -> None:
    m, source, offs = 2**64, np.random.default_rng(1), []
    irfft = np.fft.irfft

    def noted(*arguments: Any) -> Any:
        found = irfft(*arguments)
        offs.append(float(abs(found - np.rint(found)).max()))
        return found

    monkeypatch.setattr(np.fft, "irfft", noted)
    f, g = (source.integers(0, m - 1, n, np.uint64, endpoint=True).tolist() for n in (2 * long - 1, long))
    if kind == "largest":
        f, g = [m - 1] * len(f), [m - 1] * len(g)
    elif kind == "ends":
        f, g = ([m - 1 if c & 1 else 0 for c in h] for h in (f, g))
    module._convolved(f, g, m)
    assert len(offs) == 6
    assert max(offs) < bound(len(f), len(g))
    assert max(offs) < 0.002


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
        assert len(powers_of_x._squares) <= CACHED


def test_pickles_and_copies_leave_the_powers_kept_behind() -> None:
    powers_of_x = PowersOfX([1, 0, 5], 2**64)
    before = len(pickle.dumps(powers_of_x))
    expected = powers_of_x.power(2**64 - 1)
    assert len(powers_of_x._squares) == CACHED
    assert len(pickle.dumps(powers_of_x)) == before
    for other in (pickle.loads(pickle.dumps(powers_of_x)), copy.copy(powers_of_x), copy.deepcopy(powers_of_x)):
        assert other._squares == []
        assert (other.degree, other.modulus) == (3, 2**64)
        assert other.power(2**64 - 1) == expected
    assert len(powers_of_x._squares) == CACHED
