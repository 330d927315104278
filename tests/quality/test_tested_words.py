"""The tails of statistics are those of SciPy, to where they are tiny; ranks and complexities are by other ways."""

import math

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

from clrng.quality import tested_words
from clrng.quality.tested_words import Tails, complexities, complexity, deficiencies, ranks

TINY = 1e-290
"""The size below which tails may be 0."""


def assert_tails(found: Tails, lower: float, upper: float) -> None:
    assert_allclose(found, (lower, upper), rtol=1e-9, atol=TINY)


@pytest.mark.parametrize("freedom", [1, 2, 5, 64, 1023, 65535])
@pytest.mark.parametrize("far", [-1e9, -30.0, -8.0, -1.0, 0.0, 0.3, 1.0, 8.0, 30.0, 1e4])
def test_chi_square(freedom: int, far: float) -> None:
    x = max(0.0, freedom + far * math.sqrt(2 * freedom))
    known = scipy.stats.chi2(freedom)
    assert_tails(tested_words.chi_square(x, freedom), known.cdf(x), known.sf(x))


@pytest.mark.parametrize("mean", [1e-12, 0.3, 16.0, 254.7])
@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 120, 250, 300, 700, 30000])
def test_poisson(mean: float, count: int) -> None:
    known = scipy.stats.poisson(mean)
    assert_tails(tested_words.poisson(count, mean), known.cdf(count), known.sf(count - 1))


@pytest.mark.parametrize("upper", [0.0, 1e-200, 1e-17, 1e-9, 1e-3, 0.5, 1.0])
def test_the_largest_of_many(upper: float) -> None:
    lower = scipy.stats.binom(1000, upper).pmf(0)
    assert_tails(tested_words.largest(upper, 1000), lower, scipy.stats.binom(1000, upper).sf(0))


@pytest.mark.parametrize("total", [0, 2, 30, 76, 128])
def test_the_largest_of_sums_of_signs(total: int) -> None:
    heads = scipy.stats.binom(4096, 0.5)
    upon = min(1.0, 2 * heads.sf((4096 + total) // 2 - 1))
    beyond = 2 * heads.sf((4096 + total) // 2)
    found = tested_words.largest_of_signs(total, 4096, 50)
    assert_allclose(found, ((1 - beyond) ** 50, 1 - (1 - upon) ** 50), rtol=0.02, atol=1e-3)


def test_pearson_takes_classes_together() -> None:
    counts, chances = np.array([40, 55, 3, 1, 1]), np.array([0.5, 0.4, 0.06, 0.03, 0.01])
    statistic, freedom = tested_words.pearson(counts, chances)
    assert (statistic, freedom) == (pytest.approx(100 / 50 + 225 / 40 + 25 / 10), 2)
    assert statistic == pytest.approx(scipy.stats.chisquare([40, 55, 5], [50, 40, 10]).statistic)


def test_binomial() -> None:
    assert_allclose(tested_words.binomial(64), scipy.stats.binom(64, 0.5).pmf(np.arange(65)), rtol=1e-12)


def rank(rows: list[int]) -> int:
    """Return the rank over GF(2) of rows of bits, by a basis in which every leading bit is another."""
    basis: dict[int, int] = {}
    for row in rows:
        left = row
        while left and left.bit_length() in basis:
            left ^= basis[left.bit_length()]
        if left:
            basis[left.bit_length()] = left
    return len(basis)


@pytest.mark.parametrize("words", [1, 2])
def test_ranks(words: int) -> None:
    source = np.random.default_rng(words)
    size = 64 * words
    matrices = source.integers(0, 2**64, (20, size, words), dtype=np.uint64)
    for lacking, matrix in enumerate(matrices[:8]):
        matrix[size - lacking :] = matrix[:lacking] ^ matrix[lacking : 2 * lacking]
    matrices[8] = 0
    matrices[9, ::2] = 0
    whole = [[int.from_bytes(row.astype("<u8").tobytes(), "little") for row in matrix] for matrix in matrices]
    expected = [rank(rows) for rows in whole]
    assert len(set(expected)) > 8
    assert ranks(matrices.copy()).tolist() == expected


def test_probabilities_of_ranks() -> None:
    """Those of one large matrix are published by Marsaglia and Tsay; sums of several follow from them."""
    assert_allclose(deficiencies(1)[:3], [0.2887880951, 0.5775761902, 0.1283502644], rtol=1e-9)
    assert deficiencies(3)[2] == pytest.approx(3 * 0.2887880951**2 * 0.1283502644 + 3 * 0.2887880951 * 0.5775761902**2)
    assert deficiencies(200).sum() == pytest.approx(1, abs=1e-12)


def test_complexity_of_registers() -> None:
    """A register of r bits has the complexity r, whatever its state; random bits about half of their number."""
    for degree, tap in ((7, 1), (31, 3), (607, 273)):
        bits = np.random.default_rng(degree).integers(0, 2, degree).tolist()
        while len(bits) < 2 * degree + 50:
            bits.append(bits[-degree] ^ bits[-tap])
        assert complexity(np.array(bits, np.uint8)) == degree
    assert complexity(np.array([0] * 99 + [1], np.uint8)) == 100
    assert complexity(np.zeros(50, np.uint8)) == 0


def test_probabilities_of_complexities() -> None:
    counts = np.zeros(11)
    for value in range(2**10):
        counts[complexity(np.array([value >> i & 1 for i in range(10)], np.uint8))] += 1
    assert_allclose(complexities(10), counts / 2**10, rtol=1e-12)
