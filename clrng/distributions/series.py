"""Discrete distributions whose masses are the terms of a series: of the logarithm and of the zeta function."""

from dataclasses import dataclass
from math import log, log1p

from clrng.distributions import fixed_point, masses, parameters
from clrng.distributions.discrete import LEAST_DECAY, Discrete, keep


@dataclass(frozen=True)
class Logseries(Discrete):
    """k >= 1 with probability proportional to p^k/k.

    Parameters
    ----------
    p : float
        From 0 on and below 1, and for a table at most 1 - 2^-18. Up to about 1 - 9.12e-6 a table of N = 2^64 has at
        most 2^22 entries.

    Raises
    ------
    TypeError, ValueError
        If `p` is something else.
    """

    p: float

    def __post_init__(self) -> None:
        keep(self, p=parameters.real("p", self.p, "a number of 0 or more and below 1", lambda p: 0 <= p < 1))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds."""
        numerator, denominator = self.p.as_integer_ratio()
        too_many = masses.refusal(self, "take a smaller p")
        if numerator == 0:
            return 1, [numbers]
        far = self.p > 1 / 2 and masses.reaches_too_far(-log(self.p), -log1p(-self.p), numbers, divided=True)
        if far or 1 - self.p < LEAST_DECAY:
            raise too_many
        # the mass of 1 is taken as 1, and the sum of all is then -ln(1 - p)/p: for a small p more bits are needed
        lost = denominator.bit_length() - numerator.bit_length() + 1
        logarithm = fixed_point.logarithm(denominator, denominator - numerator, masses.BITS + lost)
        total = logarithm * denominator // numerator >> lost
        endless = masses.recurrence(1, lambda k: (k * numerator, (k + 1) * denominator), 1 << masses.BITS)
        return masses.thresholds(1, endless, total, numbers, too_many)


@dataclass(frozen=True)
class Zipf(Discrete):
    """k >= 1 with probability proportional to k^-a.

    Parameters
    ----------
    a : float
        Above 1. From about 3.84 on a table of N = 2^64 has at most 2^22 entries; from 2.42 on one of N = 2^32.

    Raises
    ------
    TypeError, ValueError
        If `a` is something else.
    """

    a: float

    def __post_init__(self) -> None:
        keep(self, a=parameters.real("a", self.a, "a finite number above 1", lambda a: a > 1))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds."""
        numerator, denominator = self.a.as_integer_ratio()
        too_many = masses.refusal(self, "take a larger a")
        total = fixed_point.zeta(numerator, denominator, masses.BITS)
        # the sum over all k above K = 2^22 is more than the integral from K + 1 on, (K + 1)^(1 - a)/(a - 1)
        above = numerator - denominator
        beyond = fixed_point.power(masses.MOST_ENTRIES + 1, above, denominator, masses.BITS)
        if beyond * denominator * numbers > total * above:
            raise too_many
        powers = fixed_point.powers(numerator, denominator, masses.BITS)
        return masses.thresholds(1, powers, total, numbers, too_many)
