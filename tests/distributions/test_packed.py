"""Rows of 32 bytes: what their words mean, and how near short coefficients come to the polynomials."""

from fractions import Fraction

import numpy as np
import pytest

from clrng.distributions.quantiles import packed
from clrng.distributions.quantiles.closed_forms import Cauchy, Exponential, Normal
from clrng.distributions.quantiles.integrated import Beta, Gamma
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import inverse_table

QUANTILES = (Normal(), Exponential(), Cauchy(), Gamma(2.5), Gamma(0.5), Beta(0.5, 0.5))


def read(row: list[int], segment_bits: int) -> list[Fraction]:
    """Return the coefficients of the four words of a row, by the definition, in integers."""
    ends = np.array(row[:2], np.uint64).view(np.float64).tolist()
    upper, lower = (f"{word:064b}" for word in row[2:])
    fields = {
        2: upper[32:40] + upper[:32],
        3: lower[:32],
        4: lower[32:],
        5: upper[40:],
        6: lower[58:] + upper[58:],
    }
    found = [Fraction(end) for end in ends]
    for k, field in fields.items():
        most = Fraction(2) ** ((k - 1) * (segment_bits - 5))
        found.append(most * (Fraction(2 * int(field, 2), 2 ** len(field)) - 1))
    return found


@pytest.mark.parametrize("raw_values", [2, 1000, (2**31 - 2) ** 2, 2**64])
@pytest.mark.parametrize("quantile", QUANTILES, ids=repr)
def test_words_are_the_coefficients(quantile: Quantile, raw_values: int) -> None:
    table = inverse_table(quantile, raw_values, "float64")
    assert table.packed
    words = packed.words(table.coefficients, table.segment_bits)
    assert (words.dtype, words.shape) == (np.uint64, (len(table.coefficients), 4))
    for row, coefficients in list(zip(words.tolist(), table.coefficients.tolist(), strict=True))[::7]:
        assert read(row, table.segment_bits) == [Fraction(each) for each in coefficients]


def test_only_float64_of_degree_six_is_packed() -> None:
    assert not inverse_table(Normal(), 2**64, "float32").packed
    hard = inverse_table(Gamma(0.1), 2**64, "float64")
    assert (hard.packed, hard.degree) == (False, 8)


@pytest.mark.parametrize("segment_bits", [5, 6])
def test_short_coefficients_move_values_little(segment_bits: int) -> None:
    """Of random polynomials: what is lost is less than nine units of the slope's part of the value."""
    rng, rows, half = np.random.default_rng(1), 2000, 2.0 ** -(segment_bits + 1)
    most = 2.0 ** ((segment_bits - 5) * np.arange(1, 6))
    slope = rng.choice([-1, 1], rows) * 10.0 ** rng.uniform(-200, 200, rows)
    ratios = np.column_stack([np.zeros(rows), np.ones(rows), rng.uniform(-0.9, 0.9, (rows, 5)) * most])
    polynomials = ratios * slope[:, None]
    found, lost = packed.fitted(polynomials, np.zeros((rows, 7)), segment_bits)
    assert not lost.any()
    t = half * np.linspace(-1, 1, 41)
    powers = t ** np.arange(7)[:, None]
    off = (found[:, :1] + found[:, 1:2] * t * (1 + found[:, 2:] @ powers[1:6])) / slope[:, None] - ratios @ powers
    assert np.abs(off).max() < 9 * 2.0**-53
    assert np.abs(off).max() > 2.0**-54  # they are short


def test_rows_that_cannot_be_packed_are_constant() -> None:
    polynomials = np.array([[1e-280, 1e-281, 1, 0, 0, 0, 0], [1e308, 1e308, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0]])
    values = np.repeat([[1e-280], [np.inf], [3.0]], 7, axis=1)
    found, lost = packed.fitted(polynomials, values, 5)
    assert lost.tolist() == [True, True, False]
    assert found[:, 0].tolist() == [1e-280, float(np.finfo(np.float64).max), 3.0]
    assert not found[:, 1].any()
