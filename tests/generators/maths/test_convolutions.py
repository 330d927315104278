"""Products by Fourier transforms, and the bound of their errors."""

import math
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clrng.generators.maths import polynomials
from clrng.generators.maths.polynomials import Convolution, convolved, digits_for, relative_error, transform_length
from tests.generators.maths.products import kronecker, naive, of_minus_ones

POWERS_OF_TWO = st.integers(1, 64).map(lambda bits: 2**bits)
LONGEST = 2**17 - 1, 2**16
"""The words and the weights of a jump at the largest lag."""


def words(f: list[int]) -> npt.NDArray[np.uint64]:
    return np.array(f, np.uint64)


def product(f: list[int], g: list[int], m: int) -> list[int]:
    found: list[int] = convolved(words(f), words(g), m).tolist()
    return found


@given(POWERS_OF_TWO, st.integers(1, 200), st.integers(1, 200), st.integers(0, 2**32))
def test_products_are_those_term_by_term(m: int, long: int, short: int, seed: int) -> None:
    source = random.Random(seed)
    f, g = ([source.choice([source.randrange(m), m - 1, 0]) for _ in range(n)] for n in (long, short))
    assert product(f, g, m) == kronecker(f, g, m) == naive(f, g, m)
    same = words(f)
    assert convolved(same, same, m).tolist() == product(f, f, m) == naive(f, f, m)


@pytest.mark.parametrize("m", [2, 2**11, 2**12, 2**31, 2**32, 2**55, 2**56, 2**64])
@pytest.mark.parametrize(("long", "short"), [(512, 512), (1000, 513), (8192, 4097), (4096, 1)])
def test_random_products(m: int, long: int, short: int) -> None:
    source = random.Random(m + long)
    f, g = ([source.randrange(m) for _ in range(n)] for n in (long, short))
    assert product(f, g, m) == product(g, f, m) == kronecker(f, g, m)


@given(POWERS_OF_TWO, st.integers(1, 40), st.integers(1, 5), st.integers(0, 2**32))
def test_products_of_rows(m: int, n: int, count: int, seed: int) -> None:
    source, products = random.Random(seed), Convolution(n, n, m)
    rows = [[source.randrange(m) for _ in range(n)] for _ in range(count)]
    last = products.transformed(words([rows[-1]]))
    found = products.product(products.transformed(words(rows)), last)
    assert found.tolist() == [naive(row, rows[-1], m) for row in rows]


@pytest.mark.parametrize("long", [511, 512, 2**12, 2**14 + 1, 2**16, 2**17 - 1])
@pytest.mark.parametrize("bits", [1, 32, 64])
def test_products_of_the_largest_coefficients_and_digits(long: int, bits: int) -> None:
    m, short = 2**bits, min(long, 2**16)
    assert product([m - 1] * long, [m - 1] * short, m) == of_minus_ones(long, short, m)
    count, size = digits_for(long, short, bits)
    largest = sum(1 << (size * i + size - 1) for i in range(count)) % m  # whose digits are all half of their range
    times = of_minus_ones(long, short, 2**64)
    assert product([largest] * long, [largest] * short, m) == [largest * largest * each % m for each in times]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_products_as_long_as_they_get(seed: int) -> None:
    m, source = 2**64, np.random.default_rng(seed)
    f, g = (source.integers(0, m - 1, n, np.uint64, endpoint=True).tolist() for n in LONGEST)
    if seed:  # digits at either end
        f, g = ([m - 1 if c & 1 else 0 for c in h] for h in (f, g))
    found = product(f, g, m)
    assert len(found) == len(f) + len(g) - 1
    for x in (1, m - 1, 0x9E3779B97F4A7C15):
        at_x = [0, 0, 0]
        for i, h in enumerate((f, g, found)):
            for c in reversed(h):
                at_x[i] = (at_x[i] * x + c) % m
        assert at_x[0] * at_x[1] % m == at_x[2]
    weights = words(g[::-1])
    for k in range(2**16 - 1, 2**17 - 1, 97):  # which NumPy sums modulo 2^64
        assert found[k] == int((words(f)[k + 1 - 2**16 : k + 1] * weights).sum())


@given(st.integers(1, 2**18))
def test_lengths_of_transforms(n: int) -> None:
    length, power, odd = transform_length(n)
    assert length == odd * 2**power
    assert length == min(factor << k for factor in (1, 3, 5) for k in range(2, 20) if factor << k >= n)


@pytest.mark.parametrize("power", range(2, 19))
def test_the_error_of_lengths_that_are_powers_of_two(power: int) -> None:
    """The theorem of Brent, Percival and Zimmermann, with correctly rounded roots of unity."""
    e = 2.0**-53
    root = e / 2**0.5
    theorem = math.expm1(
        3 * power * math.log1p(e) + (3 * power + 1) * math.log1p(e * 5**0.5) + 3 * power * math.log1p(root)
    )
    assert theorem <= relative_error(power, 1) <= 1.01 * theorem


def bound(long: int, short: int, bits: int) -> float:
    """Return how far a sum may be off that is rounded."""
    count, size = digits_for(long, short, bits)
    _, power, odd = transform_length(long + short - 1)
    return float(count * 4.0 ** (size - 1) * (long * short) ** 0.5 * relative_error(power, odd))


@pytest.mark.parametrize(
    ("long", "short", "bits", "digits"),
    [
        (1279, 1279, 32, (2, 16)), (1279, 1279, 64, (4, 16)), (9689, 9689, 1, (1, 1)), (9689, 9689, 32, (2, 16)),
        (9689, 9689, 64, (5, 13)), (*LONGEST, 32, (3, 11)), (*LONGEST, 64, (5, 13)),
    ],
)  # fmt: skip
def test_digits_are_as_few_as_are_exact(long: int, short: int, bits: int, digits: tuple[int, int]) -> None:
    assert digits_for(long, short, bits) == digits
    assert bound(long, short, bits) < 0.45
    count, size = digits
    assert count * size >= bits
    assert count * 4 ** (size - 1) * short < 2**51  # what the rounding takes


def test_polynomials_that_are_too_long() -> None:
    with pytest.raises(ValueError, match="^long and short must be the lengths of polynomials that have a product"):
        digits_for(2**60, 2**60, 64)


@pytest.mark.parametrize("kind", ["random", "largest", "ends"])
@pytest.mark.parametrize(("long", "short"), [(2**13 - 1, 2**12), (9689, 9689), LONGEST])
@pytest.mark.parametrize("bits", [32, 64])
def test_errors_are_within_their_bound(
    kind: str, long: int, short: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, offs, irfft = np.random.default_rng(1), [], np.fft.irfft
    count, size = digits_for(long, short, bits)

    def noted(*arguments: Any) -> Any:
        found = irfft(*arguments)
        offs.append(float(abs(found - np.rint(found)).max()))
        return found

    monkeypatch.setattr(polynomials.np.fft, "irfft", noted)
    ends = np.uint64(sum(1 << (size * i + size - 1) for i in range(count)) % 2**bits)  # digits of half their range
    f, g = (source.integers(0, 2**bits - 1, n, np.uint64, endpoint=True) for n in (long, short))
    if kind != "random":
        f, g = (np.where(h & np.uint64(1), ends, ends * np.uint64(kind == "largest")) for h in (f, g))
    convolved(f, g, 2**bits)
    assert len(offs) == count
    assert max(offs) < bound(long, short, bits) / 10
