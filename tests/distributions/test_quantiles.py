"""Quantiles of continuous distributions against mpmath, at both tails."""

from collections.abc import Callable

import mpmath as mp
import numpy as np
import pytest

from clrng.distributions.quantiles.closed_forms import (
    Cauchy,
    Exponential,
    Gumbel,
    Laplace,
    Logistic,
    Lognormal,
    Normal,
    Pareto,
    Power,
    Rayleigh,
    Triangular,
    Weibull,
)
from clrng.distributions.quantiles.integrated import (
    Beta,
    ChiSquare,
    FisherF,
    Gamma,
    NoncentralChiSquare,
    NoncentralF,
    StudentT,
    VonMises,
    Wald,
)
from clrng.distributions.quantiles.quantile import Quantile
from tests.support import exact_distributions as exact
from tests.support.quantile_classes import CONTINUOUS, name_of
from tests.support.tiers import first_of_each

PROBABILITIES = (2.0**-69, 2.0**-64, 1e-15, 2.0**-33, 1e-6, 0.01, 0.1, 0.25, 0.3, 0.3678, 0.45, 0.499)
UNIT = 2.0**-53


def lower_log(p: mp.mpf) -> mp.mpf:
    return -mp.log1p(-p)


def triangular(p: mp.mpf) -> mp.mpf:
    left, mode, right = mp.mpf(-1), mp.mpf(0.5), mp.mpf(2)
    if p * (right - left) <= mode - left:
        return left + mp.sqrt(p * (right - left) * (mode - left))
    return right - mp.sqrt((1 - p) * (right - left) * (right - mode))


CLOSED: list[tuple[Quantile, Callable[[mp.mpf], mp.mpf], float]] = [
    (Exponential(), lower_log, 2),
    (Laplace(), lambda p: mp.log(2 * p) if 2 * p < 1 else -mp.log(2 - 2 * p), 2),
    (Logistic(), lambda p: mp.log(p) - mp.log1p(-p), 4),
    (Gumbel(), lambda p: -mp.log(-mp.log(p)), 4),
    (Cauchy(), lambda p: mp.tan(mp.pi * (p - 0.5)), 5),
    (Rayleigh(), lambda p: mp.sqrt(2 * lower_log(p)), 3),
    (Weibull(0.5), lambda p: lower_log(p) ** 2, 3),
    (Weibull(0.1), lambda p: lower_log(p) ** (1 / mp.mpf(0.1)), 4),
    (Weibull(7.0), lambda p: lower_log(p) ** (mp.mpf(1) / 7), 3),
    (Pareto(1.0), lambda p: p / (1 - p), 4),
    (Pareto(0.1), lambda p: mp.expm1(lower_log(p) / mp.mpf(0.1)), 6),
    (Pareto(30.0), lambda p: mp.expm1(lower_log(p) / 30), 4),
    (Power(0.1), lambda p: p ** (1 / mp.mpf(0.1)), 4),
    (Power(5.0), lambda p: p ** (mp.mpf(1) / 5), 3),
    (Triangular(-1.0, 0.5, 2.0), triangular, 60),
]
"""(quantile, its formula, the largest error in units of 2^-53 relative)."""


@pytest.mark.parametrize(("quantile", "formula", "units"), CLOSED, ids=[repr(row[0]) for row in CLOSED])
def test_closed_forms(quantile: Quantile, formula: Callable[[mp.mpf], mp.mpf], units: float) -> None:
    with mp.workprec(400):
        for upper in (False, True):
            for p, made in zip(PROBABILITIES, quantile(PROBABILITIES, upper), strict=True):
                right = formula(1 - mp.mpf(p) if upper else mp.mpf(p))
                size = max(abs(right), 0.25) if name_of(quantile) == "gumbel" else abs(right)
                assert abs(mp.mpf(float(made)) - right) <= units * UNIT * size, (p, upper)


INTEGRATED: list[tuple[Quantile, exact.Law, float]] = [
    (Normal(), exact.normal(), 8),
    (Gamma(0.1), exact.gamma(0.1), 60),
    (Gamma(0.5), exact.gamma(0.5), 12),
    (Gamma(1.0), exact.gamma(1.0), 8),
    (Gamma(2.5), exact.gamma(2.5), 6),
    (Gamma(100.0), exact.gamma(100.0), 4),
    (Gamma(1e6), exact.gamma(1e6), 4),
    (ChiSquare(3.0), exact.gamma(1.5, 2), 8),
    (Beta(0.5, 0.5), exact.beta(0.5, 0.5), 16),
    (Beta(2.0, 5.0), exact.beta(2.0, 5.0), 6),
    (Beta(100.0, 50.0), exact.beta(100.0, 50.0), 4),
    (Beta(0.05, 200.0), exact.beta(0.05, 200.0), 120),
    (FisherF(5.0, 10.0), exact.f(5.0, 10.0), 8),
    (FisherF(1.0, 1.0), exact.f(1.0, 1.0), 16),
    (FisherF(200.0, 7.0), exact.f(200.0, 7.0), 8),
    (StudentT(0.3), exact.student_t(0.3), 24),
    (StudentT(2.0), exact.student_t(2.0), 10),
    (StudentT(10.0), exact.student_t(10.0), 10),
    (StudentT(1e6), exact.student_t(1e6), 10),
    (Wald(1.0, 1.0), exact.wald(1.0, 1.0), 8),
    (Wald(3.0, 0.1), exact.wald(3.0, 0.1), 10),
    (Wald(1.0, 50.0), exact.wald(1.0, 50.0), 6),
    (Wald(1.0, 1e-4), exact.wald(1.0, 1e-4), 16),
    (VonMises(1.0), exact.von_mises(1.0), 8),
    (VonMises(50.0), exact.von_mises(50.0), 8),
    (NoncentralChiSquare(2.0, 3.0), exact.noncentral_chisquare(2.0, 3.0), 8),
    (NoncentralChiSquare(0.5, 0.25), exact.noncentral_chisquare(0.5, 0.25), 20),
    (NoncentralChiSquare(10.0, 200.0), exact.noncentral_chisquare(10.0, 200.0), 6),
    (NoncentralF(2.0, 3.0, 1.0), exact.noncentral_f(2.0, 3.0, 1.0), 10),
    (NoncentralF(10.0, 5.0, 30.0), exact.noncentral_f(10.0, 5.0, 30.0), 10),
]
"""(quantile, its distribution, the largest error in units of 2^-53 relative, if symmetric of a quartile at least)."""


@pytest.mark.parametrize(
    ("quantile", "law", "units"),
    first_of_each(INTEGRATED, about=lambda row: type(row[0])),
    ids=[repr(row[0]) for row in INTEGRATED],
)
def test_distributions_of_which_the_density_is_known(quantile: Quantile, law: exact.Law, units: float) -> None:
    floor = abs(float(quantile(0.25, True))) if quantile.symmetric else 0.0
    with mp.workdps(50):
        for upper in (False, True):
            for p, made in zip(PROBABILITIES, quantile(PROBABILITIES, upper).tolist(), strict=True):
                if name_of(quantile) == "beta" and made == 1:
                    assert law(mp.mpf(1) - mp.mpf(2) ** -54, True)[0] >= p
                    continue
                tail, density = law(mp.mpf(made), upper)
                error = abs(tail - mp.mpf(p)) / density  # one step of Newton's iteration for the right value
                assert error <= units * UNIT * max(abs(made), floor), (p, upper, float(error / abs(made) / UNIT))


def test_lognormal_is_the_exponential_of_a_normal() -> None:
    with mp.workdps(40):
        law = exact.normal()
        for sigma in (0.25, 1.0, 20.0):
            for upper in (False, True):
                for p, made in zip(PROBABILITIES, Lognormal(sigma)(PROBABILITIES, upper).tolist(), strict=True):
                    z = mp.log(mp.mpf(made)) / sigma
                    tail, density = law(z, upper)
                    assert abs(tail - mp.mpf(p)) / density * sigma <= 4 * (1 + sigma) * UNIT, (sigma, p, upper)


ALL = [row[0] for row in CLOSED + INTEGRATED] + [Lognormal(1.0)]
EXTREMES: list[Quantile] = [
    Weibull(2.0**-10), Weibull(2.0**40), Pareto(2.0**-10), Pareto(2.0**40), Power(2.0**-10), Power(2.0**40),
    Triangular(0.0, 0.0, 1.0), Triangular(0.0, 1.0, 1.0), Lognormal(1024.0), Lognormal(1e-300),
    Gamma(2.0**-10), Gamma(2.0**40), ChiSquare(2.0**-9), ChiSquare(2.0**40),
    Beta(2.0**-10, 2.0**-10), Beta(2.0**-10, 2.0**30), Beta(2.0**30, 2.0**-10), Beta(2.0**40, 2.0**40),
    Beta(1.0, 2.0**40),
    FisherF(2.0**-9, 2.0**-9), FisherF(2.0**-9, 2.0**31), FisherF(2.0**31, 2.0**-9), FisherF(2.0**40, 2.0**40),
    StudentT(2.0**-9), StudentT(2.0**40), Wald(1.0, 2.0**-40), Wald(1.0, 2.0**40), Wald(2.0**40, 1.0),
    VonMises(0.0), VonMises(1e-300), VonMises(1e4),
    NoncentralChiSquare(0.125, 0.0), NoncentralChiSquare(0.125, 1024.0), NoncentralChiSquare(65536.0, 1024.0),
    NoncentralChiSquare(65536.0, 0.0), NoncentralF(0.125, 0.125, 0.0), NoncentralF(0.125, 0.125, 1024.0),
    NoncentralF(0.125, 65536.0, 1024.0), NoncentralF(65536.0, 0.125, 1024.0), NoncentralF(65536.0, 65536.0, 1024.0),
]  # fmt: skip


@pytest.mark.parametrize("quantile", ALL + EXTREMES, ids=repr)
def test_quantiles_rise_from_end_to_end(quantile: Quantile) -> None:
    p = np.concatenate([2.0 ** -np.arange(70.0, 2.0, -0.25), np.linspace(0.25, 0.5, 500)])
    values = np.concatenate([quantile(p, False), quantile(p, True)[::-1]])
    assert not np.isnan(values).any()
    with np.errstate(invalid="ignore"):
        steps = np.diff(values)
    size = np.maximum(np.abs(values[1:]), np.abs(quantile(0.25, True)))
    assert np.all((steps >= -64 * UNIT * size) | np.isnan(steps))
    if quantile.symmetric:
        np.testing.assert_array_equal(quantile(p, False), -quantile(p, True))


def test_every_row_is_tested() -> None:
    assert {type(quantile) for quantile in ALL} == set(CONTINUOUS.values())
    assert len(CONTINUOUS) == 21
    for name in CONTINUOUS:
        assert callable(getattr(np.random.Generator, name))
