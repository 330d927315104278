"""The fused multiply-add of the fast reference of inverses, against exact fractions, where a sum of floats fails."""

from fractions import Fraction

import numpy as np
import pytest

from tests.support import reference_inverse


def exact(a: float, b: float, c: float, dtype: str) -> float:
    right = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return float(reference_inverse.rounded(right, reference_inverse.DIGITS[dtype]))


def test_a_sum_in_float64_is_not_the_fused_sum_of_float32() -> None:
    a, c = np.array([1 + 2.0**-12], np.float32), np.array([2.0**-60], np.float32)
    assert reference_inverse.fma(a, a, c)[0] == exact(a[0], a[0], c[0], "float32") == 1 + 2.0**-11 + 2.0**-23
    assert np.float32(np.float64(a[0]) ** 2 + np.float64(c[0])) == 1 + 2.0**-11


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fused_sums_are_rounded_once(dtype: str) -> None:
    random = np.random.default_rng(7)
    digits, count = reference_inverse.DIGITS[dtype], 5000
    half = 2.0 ** (digits // 2)
    # Factors of half the digits and summands far below or near the product make ties and near ties frequent.
    a, b = ((1 + random.integers(0, 64, count) / half).astype(dtype) for _ in range(2))
    size = 2.0 ** -random.integers(0, 2 * digits, count).astype(np.float64)
    c = (random.choice([-1.0, 1.0], count) * size).astype(dtype)
    right = [exact(*row, dtype) for row in zip(a, b, c, strict=True)]
    np.testing.assert_array_equal(reference_inverse.fma(a, b, c), np.array(right, dtype))
