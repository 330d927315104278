"""The continuous distributions, each once, by the names of the methods of `numpy.random.Generator`."""

from clrng.distributions.catalog import DISTRIBUTIONS
from clrng.distributions.quantiles.quantile import Quantile

NAMES: dict[type[Quantile], str] = {}
"""The name of each quantile function: of several with the same, that without loc and scale."""

for row in DISTRIBUTIONS.values():
    if issubclass(row.law, Quantile):
        NAMES.setdefault(row.law, row.name)

CONTINUOUS = {name: law for law, name in NAMES.items()}
"""Classes of quantile functions by name."""


def name_of(quantile: Quantile) -> str:
    """Return the name of a quantile function."""
    return NAMES[type(quantile)]


def parameters(name: str) -> list[str]:
    """Return the names of the parameters of a quantile function."""
    return [parameter.name for parameter in CONTINUOUS[name].parameters()]
