"""The continuous distributions, a row each, by the names of the methods of `numpy.random.Generator`."""

from clrng.distributions.quantiles import closed_forms, gamma_beta, noncentral, wald_vonmises
from clrng.distributions.quantiles.quantile import Quantile

ROWS: tuple[type[Quantile], ...] = (
    closed_forms.Normal,
    closed_forms.Exponential,
    closed_forms.Laplace,
    closed_forms.Logistic,
    closed_forms.Gumbel,
    closed_forms.Cauchy,
    closed_forms.Rayleigh,
    closed_forms.Weibull,
    closed_forms.Pareto,
    closed_forms.Power,
    closed_forms.Triangular,
    closed_forms.Lognormal,
    gamma_beta.Gamma,
    gamma_beta.ChiSquare,
    noncentral.NoncentralChiSquare,
    gamma_beta.Beta,
    gamma_beta.FisherF,
    noncentral.NoncentralF,
    gamma_beta.StudentT,
    wald_vonmises.Wald,
    wald_vonmises.VonMises,
)

CONTINUOUS = {row.name: row for row in ROWS}
"""Classes of quantile functions by name."""
