"""Discrete distributions with scalar parameters, under NumPy's names, and their cumulated probabilities in integers."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import floor, log, log1p

from clrng import validation
from clrng.distributions import parameters
from clrng.distributions.quantiles import fixed_point, masses

LARGEST = 2**63 - 1
"""The largest integer that is a parameter."""

LEAST_DECAY = 2.0**-18
"""How much masses must fall at least from each value to the next, where they fall like a geometric sequence."""


def keep(distribution: "Discrete", **checked: object) -> None:
    """Give a frozen `distribution` its checked parameters."""
    for name, value in checked.items():
        object.__setattr__(distribution, name, value)


class Discrete(ABC):
    """A discrete distribution, by inversion of its cumulated probabilities.

    A number X, uniform on 0 <= X < N, becomes the least k with X < T(k), where the threshold T(k) is F(k)·N rounded up
    and F(k) is the probability of k or less. Thresholds are exact to the last unit, so a probability is off by less
    than 1/N. A value of probability 0 is never drawn. Where the distribution has a tail below, the least value is the
    first for which F(k)·N is at least 1: a value in a far tail is not drawn as often as one number of N.

    Parameters are float64 or integers, and stand for exactly these numbers.
    """

    @abstractmethod
    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value of the table, and the thresholds of it and of the values after it.

        Parameters
        ----------
        numbers : int
            N, from 3 to 2^64.

        Returns
        -------
        low : int
        thresholds : list of int
            At most 2^22, in ascending order. The last is N.

        Raises
        ------
        ValueError
            If there are more than 2^22.
        """


@dataclass(frozen=True)
class Choice(Discrete):
    """The number i with probability ``p[i]``.

    Parameters
    ----------
    p : sequence of float, shape (k,)
        From 0 to 1 each. Their sum may be off 1 by as much as in NumPy, and each is then divided by it exactly.
        At most 2^22 of them.

    Raises
    ------
    TypeError, ValueError
        If `p` is something else.
    """

    p: tuple[float, ...]

    def __post_init__(self) -> None:
        checked = parameters.probabilities("p", self.p)
        if len(checked) > masses.MOST_ENTRIES:
            raise ValueError(f"p must have at most {masses.MOST_ENTRIES} probabilities, not {len(checked)}")
        keep(self, p=checked)

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return 0 and the thresholds, in exact fractions."""
        ratios = [probability.as_integer_ratio() for probability in self.p]
        common = max(denominator for _, denominator in ratios)  # they are powers of 2
        sums = list(accumulate(numerator * (common // denominator) for numerator, denominator in ratios))
        found = [-(-reached * numbers // sums[-1]) for reached in sums]
        return 0, found[: found.index(numbers) + 1]


@dataclass(frozen=True)
class Bernoulli(Discrete):
    """1 with probability `p`, else 0.

    p·N rounded up of the N numbers become 1, so that a small `p` does not become 0.

    Parameters
    ----------
    p : float
        From 0 to 1.

    Raises
    ------
    TypeError, ValueError
        If `p` is something else.
    """

    p: float

    def __post_init__(self) -> None:
        keep(self, p=parameters.probability("p", self.p))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return 0 and one or two thresholds, exactly."""
        numerator, denominator = self.p.as_integer_ratio()
        failures = (denominator - numerator) * numbers // denominator
        return 0, [failures, numbers] if failures < numbers else [numbers]


@dataclass(frozen=True)
class Poisson(Discrete):
    """The number of events of which `lam` are expected.

    Parameters
    ----------
    lam : float
        0 or more. Up to about 5e10 a table of N = 2^64 has at most 2^22 entries; up to 10^11 one of N = 2^32.

    Raises
    ------
    TypeError, ValueError
        If `lam` is something else.
    """

    lam: float

    def __post_init__(self) -> None:
        keep(self, lam=parameters.real("lam", self.lam, "a finite number of 0 or more", lambda lam: lam >= 0))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds."""
        numerator, denominator = self.lam.as_integer_ratio()
        too_many = masses.refusal(self, "take a smaller lam")
        if masses.is_too_wide(numerator, denominator, numbers):
            raise too_many
        first, found = masses.around_mode(
            numerator // denominator, 0, lambda k: (numerator, (k + 1) * denominator), too_many
        )
        return masses.thresholds(first, found, sum(found), numbers, too_many)


@dataclass(frozen=True)
class Binomial(Discrete):
    """The number of successes in `n` trials, each a success with probability `p`.

    Parameters
    ----------
    n : int
        From 0 to 2^63 - 1.
    p : float
        From 0 to 1. Up to n·p·(1 - p) of about 5e10 a table of N = 2^64 has at most 2^22 entries; up to 10^11 one of
        N = 2^32.

    Raises
    ------
    TypeError, ValueError
        If a parameter is something else.
    """

    n: int
    p: float

    def __post_init__(self) -> None:
        keep(self, n=validation.integer("n", self.n, 0, LARGEST), p=parameters.probability("p", self.p))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds."""
        n, (success, trials) = self.n, self.p.as_integer_ratio()
        failure = trials - success
        too_many = masses.refusal(self, "take a smaller n")
        if masses.is_too_wide(n * success * failure, trials**2, numbers):
            raise too_many
        mode = min((n + 1) * success // trials, n)
        first, found = masses.around_mode(mode, 0, lambda k: ((n - k) * success, (k + 1) * failure), too_many)
        return masses.thresholds(first, found, sum(found), numbers, too_many)


@dataclass(frozen=True)
class Geometric(Discrete):
    """The number of trials up to and with the first success, each a success with probability `p`.

    Parameters
    ----------
    p : float
        Above 0 and at most 1. From about 1.1e-5 on a table of N = 2^64 has at most 2^22 entries; from 5.3e-6 on one of
        N = 2^32.

    Raises
    ------
    TypeError, ValueError
        If `p` is something else.
    """

    p: float

    def __post_init__(self) -> None:
        keep(self, p=parameters.positive_probability("p", self.p))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds."""
        success, trials = self.p.as_integer_ratio()
        failure = trials - success
        too_many = masses.refusal(self, "take a larger p")
        if self.p < LEAST_DECAY or (self.p < 1 and masses.reaches_too_far(-log1p(-self.p), 1, numbers, divided=False)):
            raise too_many
        total = 1 << masses.BITS
        endless = masses.recurrence(1, lambda _: (failure, trials), total * success // trials)
        return masses.thresholds(1, endless, total, numbers, too_many)


@dataclass(frozen=True)
class NegativeBinomial(Discrete):
    """The number of failures before `n` successes, each trial being a success with probability `p`.

    Parameters
    ----------
    n : float
        Above 0; it need not be an integer.
    p : float
        Above 0 and at most 1, and for a table at least 2^-18, about 3.8e-6, or about 2e-5 where n is 1 or more. A table
        of N = 2^64 has at most 2^22 entries where the standard deviation is up to about 2.3e5.

    Raises
    ------
    TypeError, ValueError
        If a parameter is something else.
    """

    n: float
    p: float

    def __post_init__(self) -> None:
        n = parameters.real("n", self.n, "a finite number above 0", lambda n: n > 0)
        keep(self, n=n, p=parameters.positive_probability("p", self.p))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds."""
        n, p = Fraction(self.n), Fraction(self.p)
        too_many = masses.refusal(self, "take a smaller n or a larger p")
        variance = n * (1 - p) / p**2
        # each mass is at least q times the one before if n >= 1; else that of k is at least n q^k/(k + 1) of the first
        lost = log(masses.MOST_STEPS + 1) - log(self.n) if self.n < 1 else 0.0
        if self.p < 1 and (self.p < LEAST_DECAY or masses.never_end(-log1p(-self.p), lost)):
            raise too_many
        if masses.is_too_wide(*variance.as_integer_ratio(), numbers):
            raise too_many
        (n_above, n_below), (failure, trials) = n.as_integer_ratio(), (1 - p).as_integer_ratio()
        below = n_below * trials
        mode = max(floor((n - 1) * (1 - p) / p), 0)
        first, found = masses.around_mode(
            mode, 0, lambda k: ((n_above + k * n_below) * failure, (k + 1) * below), too_many
        )
        return masses.thresholds(first, found, sum(found), numbers, too_many)


@dataclass(frozen=True)
class Hypergeometric(Discrete):
    """The number of good ones among `nsample` drawn without replacement from `ngood` good and `nbad` bad ones.

    Parameters
    ----------
    ngood, nbad : int
        From 0 to 2^63 - 1.
    nsample : int
        From 0 to ngood + nbad. Up to a standard deviation of about 2.2e5 a table of N = 2^64 has at most 2^22 entries;
        up to 3.3e5 one of N = 2^32.

    Raises
    ------
    TypeError, ValueError
        If a parameter is something else.
    """

    ngood: int
    nbad: int
    nsample: int

    def __post_init__(self) -> None:
        ngood = validation.integer("ngood", self.ngood, 0, LARGEST)
        nbad = validation.integer("nbad", self.nbad, 0, LARGEST)
        keep(self, ngood=ngood, nbad=nbad, nsample=validation.integer("nsample", self.nsample, 0, ngood + nbad))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the least value and the thresholds."""
        good, bad, sample = self.ngood, self.nbad, self.nsample
        everything = good + bad
        too_many = masses.refusal(self, "take a smaller nsample")
        spread = sample * good * bad * (everything - sample)
        if spread and masses.is_too_wide(spread, everything**2 * (everything - 1), numbers):
            raise too_many
        lowest = max(0, sample - bad)
        mode = max((good + 1) * (sample + 1) // (everything + 2), lowest)
        ratio = _hypergeometric_ratio(good, bad, sample)
        first, found = masses.around_mode(mode, lowest, ratio, too_many)
        return masses.thresholds(first, found, sum(found), numbers, too_many)


def _hypergeometric_ratio(good: int, bad: int, sample: int) -> Callable[[int], tuple[int, int]]:
    more_bad = bad - sample + 1
    return lambda k: ((good - k) * (sample - k), (k + 1) * (more_bad + k))


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
