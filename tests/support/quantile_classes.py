"""The continuous distributions, a row each, by the names of the methods of `numpy.random.Generator`."""

from clrng.distributions import beta_family, closed_forms, gamma_family, noncentral, wald_vonmises
from clrng.distributions.quantile import Quantile

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
    gamma_family.Gamma,
    gamma_family.ChiSquare,
    noncentral.NoncentralChiSquare,
    beta_family.Beta,
    beta_family.FisherF,
    noncentral.NoncentralF,
    beta_family.StudentT,
    wald_vonmises.Wald,
    wald_vonmises.VonMises,
)

CONTINUOUS = {row.name: row for row in ROWS}
"""Classes of quantile functions by name."""
