"""Hypergeometric numbers of which every element has parameters of its own, by sums in double precision on the device.

Masses are summed from the mode on to both sides, and then once more up to the value. In vectors this is done in single
precision first, and in double precision for the few elements of which that is not sure. Where X/N is nearer to F(k) or
F(k - 1) than the sums are sure of, the host decides by exact integers, as it makes all values without double precision.
"""

from dataclasses import dataclass, field
from typing import Any

from clrng.distributions.on_host import CERTAIN, MARGIN, PER_MASS, REACH, OnHost

LONGEST = 2**14
"""The device makes values where at most so many masses on one side of the mode count."""

SHORT = 2**8
"""Where at most so many count, tables of a few distributions do not pay."""

SMALLEST_MASS = 2.0**-80
"""Masses below this part of the largest are left out."""

TERMS, NEAR_SMALLEST, NEAR_OFF = 2**9, 2.0**-18, (1.6e-5, 3e-7)
"""In single precision up to so many masses of each side are added up, down to this part of the largest; F is then off
by less than a + b n, for n of them: a is for those left out. As measured F is off by a fortieth of that, where
divisions are rounded to the nearest; OpenCL lets single precision divide five times as badly."""


@dataclass(frozen=True, eq=False)
class HypergeometricByElement(OnHost):
    """Hypergeometric numbers whose parameters are arrays of integers, of the host or a device."""

    __hash__ = object.__hash__

    good: Any = field(kw_only=True, repr=False)
    bad: Any = field(kw_only=True, repr=False)
    sample: Any = field(kw_only=True, repr=False)


def longest(most_drawn: float) -> float:
    """Return how many masses may count on one side of the mode, where at most so many are drawn."""
    spread: float = REACH * (most_drawn / 4) ** 0.5 + MARGIN
    return spread


def constants() -> dict[str, Any]:
    """Return what templates are told of these."""
    return {
        "certain": CERTAIN, "per_mass": PER_MASS, "smallest": SMALLEST_MASS, "terms": TERMS,
        "near_smallest": NEAR_SMALLEST, "near_off": NEAR_OFF,
    }  # fmt: skip
