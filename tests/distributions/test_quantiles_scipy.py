"""Quantiles against SciPy's, where it is installed: NumPy's parameters are meant."""

from typing import Any

import numpy as np
import pytest

from tests.support.quantile_classes import CONTINUOUS

stats = pytest.importorskip("scipy.stats")

FROZEN = {
    ("standard_normal",): stats.norm(),
    ("standard_exponential",): stats.expon(),
    ("laplace",): stats.laplace(),
    ("logistic",): stats.logistic(),
    ("gumbel",): stats.gumbel_r(),
    ("standard_cauchy",): stats.cauchy(),
    ("rayleigh",): stats.rayleigh(),
    ("weibull", 1.7): stats.weibull_min(1.7),
    ("pareto", 3.0): stats.lomax(3.0),
    ("power", 0.4): stats.powerlaw(0.4),
    ("triangular", -1.0, 0.5, 2.0): stats.triang(0.5, -1, 3),
    ("lognormal", 0.7): stats.lognorm(0.7),
    ("standard_gamma", 2.5): stats.gamma(2.5),
    ("chisquare", 3.0): stats.chi2(3.0),
    ("noncentral_chisquare", 3.0, 2.0): stats.ncx2(3.0, 2.0),
    ("beta", 0.5, 4.0): stats.beta(0.5, 4.0),
    ("f", 5.0, 10.0): stats.f(5.0, 10.0),
    ("noncentral_f", 5.0, 10.0, 2.0): stats.ncf(5.0, 10.0, 2.0),
    ("standard_t", 4.0): stats.t(4.0),
    ("wald", 2.0, 3.0): stats.invgauss(2 / 3, scale=3),
    ("vonmises", 2.0): stats.vonmises(2.0),
}


@pytest.mark.parametrize("key", FROZEN, ids=str)
def test_quantiles_are_those_of_scipy(key: tuple[str, float]) -> None:
    (name, *given), frozen = key, FROZEN[key]
    quantile: Any = CONTINUOUS[name]  # each takes parameters of its own
    quantile = quantile(*given)
    p = np.array([0.001, 0.02, 0.1, 0.25, 0.4, 0.49])
    np.testing.assert_allclose(quantile(p, False), frozen.ppf(p), rtol=1e-7)
    np.testing.assert_allclose(quantile(p, True), frozen.isf(p), rtol=1e-7)


def test_every_distribution_is_compared() -> None:
    assert {key[0] for key in FROZEN} == set(CONTINUOUS)
