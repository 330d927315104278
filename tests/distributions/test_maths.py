"""Elementary functions in exactly specified operations, against mpmath: errors in units in the last place."""

from collections.abc import Callable

import mpmath as mp
import numpy as np
import pytest

from clrng.distributions.quantiles import density_inverse, elementary
from clrng.distributions.quantiles.closed_forms import normal_tail

RANDOM = np.random.default_rng(20)
COUNT = 2000
SMALL = np.exp(RANDOM.uniform(-40, -1, COUNT))
Function = Callable[[np.ndarray], np.ndarray]


def root(a: float) -> Function:
    """Return the function that gives the a-th root of x by its logarithm."""
    return lambda x: elementary.exp(*elementary.divided(elementary.log_pair(x), a))


def errors(made: np.ndarray, exact: Callable[[mp.mpf], mp.mpf], x: np.ndarray) -> float:
    """Return the largest error of `made`, in units in the last place of the exact result."""
    with mp.workprec(200):
        right = [exact(mp.mpf(value)) for value in x.tolist()]
        units = [float(np.spacing(abs(float(value)))) for value in right]
        return max(
            abs(float((mp.mpf(value) - other) / unit))
            for value, other, unit in zip(made.tolist(), right, units, strict=True)
        )


CASES: list[tuple[str, Function, Callable[[mp.mpf], mp.mpf], np.ndarray, float]] = [
    ("log", elementary.log, mp.log, np.exp(RANDOM.uniform(-700, 700, COUNT)), 0.52),
    ("log near 1", elementary.log, mp.log, RANDOM.uniform(0.5, 2, COUNT), 0.52),
    ("log1p", elementary.log1p, mp.log1p, np.concatenate([SMALL, -SMALL, 1 / SMALL]), 0.7),
    ("exp", elementary.exp, mp.exp, RANDOM.uniform(-700, 709, COUNT), 0.8),
    ("exp near 0", elementary.exp, mp.exp, RANDOM.uniform(-1, 1, COUNT), 0.8),
    ("expm1", elementary.expm1, mp.expm1, RANDOM.uniform(-70, 709, COUNT), 0.9),
    ("expm1 near 0", elementary.expm1, mp.expm1, np.concatenate([SMALL, -SMALL]), 0.9),
    ("exp_minus_line", elementary.exp_minus_line, lambda x: mp.expm1(x) - x, RANDOM.uniform(-0.5, 0.5, COUNT), 2),
    ("10th power", root(0.1), lambda x: x ** (1 / mp.mpf(0.1)), np.exp(RANDOM.uniform(-70, 70, COUNT)), 0.85),
    ("cube root", root(3.0), mp.cbrt, np.exp(RANDOM.uniform(-700, 700, COUNT)), 0.85),
    ("sin_pi", elementary.sin_pi, mp.sinpi, RANDOM.uniform(0, 0.25, COUNT), 0.7),
    ("cos_pi", elementary.cos_pi, mp.cospi, RANDOM.uniform(0, 0.25, COUNT), 0.7),
    ("sin", elementary.sin, mp.sin, RANDOM.uniform(-1.57, 1.57, COUNT), 1.1),
]


@pytest.mark.parametrize(("function", "exact", "x", "units"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_elementary_functions(
    function: Function, exact: Callable[[mp.mpf], mp.mpf], x: np.ndarray, units: float
) -> None:
    assert errors(function(x), exact, x) <= units


def test_log_pair_is_right_to_more_digits_than_a_double() -> None:
    x = np.concatenate([RANDOM.uniform(0.71, 1.41, COUNT), np.exp(RANDOM.uniform(-50, 50, COUNT))])
    high, low = elementary.log_pair(x)
    with mp.workprec(200):
        for value, one, other in zip(x.tolist(), high.tolist(), low.tolist(), strict=True):
            m = mp.mpf(float(np.frexp(value)[0]))
            size = min(abs(mp.log(m)), abs(mp.log(2 * m)))
            right = mp.log(mp.mpf(value))
            assert abs(mp.mpf(one) + mp.mpf(other) - right) <= mp.mpf(2) ** -57 * size + mp.mpf(2) ** -86 * abs(right)


def test_ends_of_exp() -> None:
    x = np.array([-np.inf, -1e300, -800.0, 0.0, 710.0, 1e300, np.inf])
    np.testing.assert_array_equal(elementary.exp(x), [0, 0, 0, 1, np.inf, np.inf, np.inf])
    np.testing.assert_array_equal(elementary.expm1(x), [-1, -1, -1, 0, np.inf, np.inf, np.inf])


def test_normal_tail_to_2_to_the_minus_130() -> None:
    p = np.concatenate([2.0 ** -np.linspace(1.001, 130, 300), np.linspace(0.05, 0.4999, 100)])
    with mp.workprec(200):
        for tail, z in zip(p.tolist(), normal_tail(p).tolist(), strict=True):
            x = mp.mpf(z)
            error = abs(mp.erfc(x / mp.sqrt(2)) / 2 - mp.mpf(tail)) / mp.npdf(x)
            assert error <= 1e-15 * z, tail


def test_sums_and_products_without_error() -> None:
    a, b = (np.ldexp(RANDOM.uniform(-1, 1, COUNT), RANDOM.integers(-60, 60, COUNT)) for _ in range(2))
    with mp.workprec(500):
        for x, y, s, e, p, r in zip(
            *(column.tolist() for column in (a, b, *elementary.two_sum(a, b), *elementary.two_product(a, b))),
            strict=True,
        ):
            assert mp.mpf(s) + mp.mpf(e) == mp.mpf(x) + mp.mpf(y)
            assert mp.mpf(p) + mp.mpf(r) == mp.mpf(x) * mp.mpf(y)
            assert (s, p) == (x + y, x * y)


@pytest.mark.parametrize("count", [4, 5, 20])
def test_chebyshev_series_of_an_exponential(count: int) -> None:
    nodes = density_inverse.chebyshev_nodes(count)
    with mp.workprec(100):
        right = [float(-mp.cospi((2 * mp.mpf(j) + 1) / (2 * count))) for j in range(count)]
    np.testing.assert_allclose(nodes, right, rtol=0, atol=2.0**-53)
    series = density_inverse.chebyshev_coefficients(np.exp(nodes)[None, :])
    np.testing.assert_allclose(
        density_inverse.chebyshev_value(series.T, nodes[:, None]).ravel(), np.exp(nodes), rtol=4e-15
    )
    integral = density_inverse.antiderivative(series)
    ends = density_inverse.chebyshev_value(integral.T, np.array([[-1.0], [1.0]])).ravel()
    np.testing.assert_allclose(ends, [0, np.e - 1 / np.e], rtol=max(1e-15, 4.0**-count), atol=1e-15)
