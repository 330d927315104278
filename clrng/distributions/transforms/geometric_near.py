"""Geometric numbers of which every element has a probability of its own, by arrays.

As `clrng.distributions.transforms.poisson_near` has it for Poisson numbers: a value is the integer above the place
ln(1 - X/N)/ln(1 - p), which single precision gives with a known error. Of the few elements that have an integer as near
double precision decides, and where that is not sure either, the host.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from clrng.distributions.transforms import binomial_near, poisson_near
from clrng.distributions.transforms.near import NearByElement

OFF = (1.5e-6,)
"""A place is off by less than this part of it: by a third, as measured."""

FARTHEST = 2.0**22
"""Places in single precision are below this."""

CERTAIN = 2.0**-46
"""A place in double precision is off by less than this part of it, and less than this where it is below 1."""


@dataclass(frozen=True, eq=False)
class GeometricByElement(NearByElement):
    """Geometric numbers whose probabilities are in `each`, of float32 or float64."""

    __hash__ = object.__hash__

    law: ClassVar[str] = "geometric"


def constants() -> dict[str, Any]:
    """Return what templates are told of these."""
    return {
        **poisson_near.constants(), "log1p": binomial_near.LOG1P, "off": OFF, "farthest": FARTHEST, "certain": CERTAIN,
    }  # fmt: skip
