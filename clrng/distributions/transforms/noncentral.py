"""Noncentral chi-square numbers of which every element has parameters of its own."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from clrng.distributions.quantiles.surfaces import Surface
from clrng.distributions.transforms.by_element import Varying


@dataclass(frozen=True, eq=False)
class NoncentralByElement(Varying):
    """Numbers of df + 2k degrees of freedom, df in `each`, of float32 or float64, and k a Poisson number.

    Half of the steps of a value make k, and the other half the number.
    """

    __hash__ = object.__hash__

    one_behind_another: ClassVar = True

    twice_means: Any = field(kw_only=True, repr=False)
    """Twice those of the Poisson numbers, the noncentralities: an array of the host or a device that is broadcast to
    `shape`, of float32 or float64."""
    largest: float = field(kw_only=True)
    """The largest mean."""
    surface: Surface = field(kw_only=True)
    """That of gamma distributions, for shapes of all (df + 2k)/2 that there may be."""
