"""Tables of inverses of distribution functions: their values, by the exact evaluator, against the quantiles."""

import numpy as np
import pytest

from clrng.distributions.quantiles.closed_forms import (
    Cauchy,
    Exponential,
    Gumbel,
    Normal,
    Pareto,
    Power,
    Triangular,
    Weibull,
)
from clrng.distributions.quantiles.integrated import Beta, Gamma, StudentT, VonMises, Wald
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import TARGETS, InverseTable, LogarithmTable, inverse_table
from tests.support import reference_inverse, reference_logarithms
from tests.support.tiers import first_of_each

PARK_MILLER = 2**31 - 2
COUNTS = (2, 3, 5, 8, 1000, PARK_MILLER, 2**32, PARK_MILLER**2, 2**64)
SMOOTH = (Normal(), Exponential(), Gumbel(), Cauchy(), Pareto(1.0), Gamma(2.5), Beta(2.0, 5.0), StudentT(10.0))
SMOOTH += (Weibull(0.5), Wald(1.0, 1.0), VonMises(1.0))

SMALL = {"float32": 2.0**-99, "float64": 2.0**-966}
"""Below these, coefficients that are too small are left out."""


def values(table: InverseTable, numbers: list[int]) -> np.ndarray:
    return reference_logarithms.of_table(np.array(numbers, np.uint64), table)


def some_numbers(count: int) -> list[int]:
    """Return numbers of raw values at both ends, around the middle, and of all sizes between."""
    found = {0, 1, 2, count // 2 - 1, count // 2, count // 2 + 1}
    found |= {2**k + offset for k in range(63) for offset in (-1, 0, 1)} | {count * k // 97 for k in range(97)}
    inside = {x for x in found if 0 <= x < count}
    return sorted(inside | {count - 1 - x for x in inside})


def expected(quantile: Quantile, number: int, count: int) -> float:
    """Return the quantile in the middle of the number-th of `count` equal parts."""
    tail = min(number, count - 1 - number)
    return float(quantile((2 * tail + 1) / (2 * count), number > count - 1 - number))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", COUNTS)
def test_the_fast_reference_is_the_exact_one(count: int, dtype: str) -> None:
    numbers = some_numbers(count)
    for quantile in (Normal(), Gumbel()):
        table = inverse_table(quantile, count, dtype)
        exact = [
            reference_inverse.value(x, count, table.coefficients, table.segment_bits, table.symmetric) for x in numbers
        ]
        np.testing.assert_array_equal(values(table, numbers), np.array(exact, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", first_of_each(COUNTS, about=lambda count: count.bit_length() // 32))
@pytest.mark.parametrize("quantile", SMOOTH, ids=repr)
def test_values_are_quantiles(quantile: Quantile, count: int, dtype: str) -> None:
    table = inverse_table(quantile, count, dtype)
    assert table.error <= TARGETS[dtype]
    numbers = some_numbers(count)
    right = np.array([expected(quantile, x, count) for x in numbers])
    floor = 0.5 * abs(float(quantile(0.25, True))) if table.symmetric or quantile == Gumbel() else 0.0
    # The tail probability is rounded to the dtype before its quantile is looked up: for its relative error e that
    # moves a value of logarithmic derivative s by s·e.
    unit = 2.0**-24 if dtype == "float32" else 2.0**-53
    p = np.array([(2 * min(x, count - 1 - x) + 1) / (2 * count) for x in numbers])
    moved = np.array(
        [
            abs(float(quantile(min(q * (1 + 1e-6), 0.5), x > count - 1 - x)) - r) / 1e-6
            if q < 0.4999
            else abs(float(quantile(q * (1 - 1e-6), x > count - 1 - x)) - r) / 1e-6
            for q, x, r in zip(p, numbers, right, strict=True)
        ]
    )
    allowed = 2 * TARGETS[dtype] * np.maximum(np.abs(right), floor) + 2 * unit * moved
    allowed = np.maximum(allowed, SMALL[dtype])
    assert np.max(np.abs(values(table, numbers) - right) / allowed) <= 1


NEAR_THE_MODE = (Triangular(0.0, 0.3, 1.0), Triangular(-1.0, 0.027, 1.0), Triangular(-0.4, -0.133, 0.6))
NEAR_THE_MODE += (Triangular(-3.0, 0.0, 2.0), Triangular(1.0, 1.9, 2.0))
KINK = {"float32": 4e-6, "float64": 4e-7}
"""How far off values next to the mode may be, as the docstring of `Triangular` and the documentation say."""


@pytest.mark.parametrize("dtype", KINK)
@pytest.mark.parametrize("quantile", NEAR_THE_MODE, ids=repr)
def test_triangular_numbers_next_to_the_mode(quantile: Triangular, dtype: str) -> None:
    count = PARK_MILLER if dtype == "float32" else 2**64
    table = inverse_table(quantile, count, dtype)
    at_mode = (quantile.mode - quantile.left) / (quantile.right - quantile.left)
    numbers = [int(at_mode * (1 + shift / 4000) * count) for shift in range(-400, 401)]
    right = np.array([expected(quantile, number, count) for number in numbers])
    floor = max(abs(float(quantile(0.25, upper))) for upper in (False, True)) / 2 if quantile.left < 0 else 0
    off = np.abs(values(table, numbers) - right) / np.maximum(np.abs(right), floor)
    assert np.max(off) <= KINK[dtype]
    assert np.max(off[[*range(20), *range(-20, 0)]]) <= 4 * TARGETS[dtype]  # in rows without the mode


@pytest.mark.parametrize("dtype", KINK)
@pytest.mark.parametrize("mode", [-1.0, 0.5, 2.0])
def test_a_mode_at_an_end_or_in_the_middle_costs_nothing(mode: float, dtype: str) -> None:
    for count in (PARK_MILLER, 1000, 2**64):
        assert inverse_table(Triangular(-1.0, mode, 2.0), count, dtype).error <= 2 * TARGETS[dtype]


def test_a_mode_with_a_kink_costs_accuracy_and_the_table_says_so() -> None:
    table = inverse_table(Triangular(0.0, 0.3, 1.0), PARK_MILLER, "float32")
    assert (table.degree, table.segment_bits) == (3, 5)
    assert TARGETS["float32"] < table.error < 2e-6


@pytest.mark.parametrize("shape", [0.05, 2.0**-10])
def test_values_that_the_dtype_has_not_are_zero_or_its_largest(shape: float) -> None:
    small = inverse_table(Gamma(shape), 2**32, "float32")
    assert values(small, [0]) == 0
    large = inverse_table(Pareto(shape), 2**32, "float32")
    assert values(large, [large.raw_values - 1]) == float(np.finfo(np.float32).max)
    for table in (small, large):
        made = values(table, some_numbers(2**32))
        assert np.all(np.isfinite(made))
        assert np.all((made == 0) | (np.abs(made) >= np.finfo(np.float32).tiny))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("quantile", [*SMOOTH, Gamma(0.5), Power(0.4)], ids=repr)
def test_no_step_of_the_evaluation_is_denormal(quantile: Quantile, dtype: str) -> None:
    table = inverse_table(quantile, 2**32 if quantile == Power(0.4) else 2**64, dtype)
    assert not isinstance(table, LogarithmTable)
    tiny = np.finfo(dtype).tiny
    wide = np.longdouble if dtype == "float64" else np.float64
    c = table.coefficients.astype(wide)
    total = np.repeat(c[:, -1:], 100, axis=1)
    t = np.linspace(-1, 1, 100).astype(wide) * 2.0 ** -(table.segment_bits + 1)
    for k in range(table.degree - 1, 1 if table.packed else -1, -1):
        total = total * t + c[:, k : k + 1]
        assert np.all((total == 0) | (np.abs(total) >= tiny))
    if table.packed:
        product = c[:, 1:2] * t
        total = product * (total * t + 1) + c[:, :1]
        assert all(np.all((each == 0) | (np.abs(each) >= tiny)) for each in (product, total))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("normal", 2**32, "float32"), "quantile must be a quantile function of clrng, not 'normal'"),
        ((Normal(), 1, "float32"), "raw_values must be an integer from 2 to 18446744073709551616, not 1"),
        ((Normal(), 2**64 + 1, "float32"), "raw_values must be an integer from 2 to"),
        ((Normal(), 2**32, "float16"), "dtype must be float32 or float64, not float16"),
    ],
)
def test_bad_arguments(arguments: tuple[object, int, str], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        inverse_table(*arguments)  # type: ignore[arg-type]
