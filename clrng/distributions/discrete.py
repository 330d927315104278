"""Discrete distributions under NumPy's names, and the thresholds from which kernels draw: exact, in integers."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import floor, inf, log, log1p, log10
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions import masses
from clrng.distributions.distribution import WHOLE, Distribution
from clrng.distributions.large_means import LARGEST
from clrng.distributions.parameters import BY_NUMPY, LARGEST_INTEGER, Declared, number, probabilities, whole
from clrng.distributions.quantiles.closed_forms import normal_tail
from clrng.distributions.transforms import poisson
from clrng.distributions.transforms.inverse import Thresholds
from clrng.distributions.transforms.transform import Declaration, Table
from clrng.distributions.transforms.uniform import digits

MIN_UNIT = 64
"""The sizes of tables are multiples of it."""

MIN_DECAY = 2.0**-18
"""The minimum relative decrease of masses from each value to the next, where they fall like a geometric sequence."""


class Discrete(Declared, Distribution):
    """A discrete distribution, by inversion of its cumulated probabilities.

    A value takes one step of the stream, or two where raw values have at most 32 bits.

    A number X, uniform on 0 <= X < N, becomes the smallest k with X < T(k), where the threshold T(k) is F(k)·N rounded
    up and F(k) is the probability of k or less. Thresholds are exact to the last unit, so a probability is off by less
    than 1/N. A value of probability 0 is never drawn. Where the distribution has a lower tail, the smallest value is
    the first for which F(k)·N is at least 1, so that a value far in the tail is not drawn with the probability 1/N.

    Parameters are float64 or integers, and stand for exactly these numbers.
    """

    dtypes: ClassVar[tuple[str, ...]] = ("int64", *(name for name in WHOLE if name != "int64"))

    instead: ClassVar[str] = ""
    """What to do where it spreads over too many values."""

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return the smallest value of the table, and the thresholds of it and of the values after it.

        There are N `numbers`, from 3 to 2^64. Thresholds ascend, and the last is N; more than 2^22 are refused.
        """
        try:
            return self._thresholds(numbers)
        except masses.TooManyError:
            raise ValueError(
                f"{self} spreads over too many values: its table would need more than {masses.MAX_ENTRIES} entries; "
                f"{self._advice(numbers)}; {BY_NUMPY}"
            ) from None

    def _advice(self, numbers: int) -> str:  # noqa: ARG002  # others need it
        """Return what to do where N is so many `numbers`."""
        return self.instead

    @abstractmethod
    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        """Return what `thresholds` does, or raise `masses.TooManyError`."""

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Thresholds:  # noqa: D102
        steps = digits(upper_bound - min_value)
        found = threshold_table(self, (upper_bound - min_value) ** steps)
        greatest, limits = found.low + len(found.thresholds) - 1, np.iinfo(dtype)
        if not limits.min <= found.low <= greatest <= limits.max:
            values = f"{found.low} to {greatest}, the values of {validation.shown(self)}"
            raise ValueError(f"dtype must hold {values}, not {dtype}")
        guide = guide_to(found, upper_bound - min_value, steps)
        tops, begins, places = (Table(_padded(each)) for each in (guide.tops, guide.guide, guide.places))
        return Thresholds(
            "thresholds",
            dtype,
            steps,
            {
                Declaration("uint", "tops", "__global"): tops,
                Declaration("uint", "guide", "__global"): begins,
                Declaration("ulong", "thresholds", "__global"): Table(found.thresholds),
                Declaration("uint", "places", "__global"): places,
                Declaration("uint", "shift"): np.uint32(guide.shift),
                Declaration("uint", "last"): np.uint32(len(found.thresholds) - 1),
                Declaration("long", "low"): np.int64(found.low),
            },
            halvings=guide.halvings,
            places=places.numbers.size,
            place_bits=guide.place_bits,
        )


def _padded(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return `numbers` with zeros behind them, so that tables of about one size share kernels."""
    unit = max(1 << (len(numbers) - 1).bit_length() >> 3, MIN_UNIT)
    return np.pad(numbers, (0, -len(numbers) % unit))


class Peak(NamedTuple):
    """Masses that rise to a mode and fall behind it; `ratio` is that of `masses.around_mode`."""

    variance: tuple[int, int]
    mode: int
    lowest: int
    ratio: Callable[[int], tuple[int, int]]


class Peaked(Discrete):
    """A distribution whose masses follow from the largest of them."""

    @abstractmethod
    def _peak(self) -> Peak:
        """Return how its masses rise and fall."""

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        variance, mode, lowest, ratio = self._peak()
        if variance[0] and masses.is_too_wide(*variance, numbers):
            raise masses.TooManyError
        first, found = masses.around_mode(mode, lowest, ratio)
        return masses.thresholds(first, found, sum(found), numbers)


@dataclass(frozen=True)
class Choice(Discrete):
    """The number i with probability ``p[i]``, divided by the sum of all exactly."""

    p: tuple[float, ...] = field(metadata={"kind": "numbers"})

    def __post_init__(self) -> None:
        checked = probabilities("p", self.p)
        if len(checked) > masses.MAX_ENTRIES:
            raise ValueError(f"p must have at most {masses.MAX_ENTRIES} probabilities, not {len(checked)}")
        object.__setattr__(self, "p", checked)

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        ratios = [probability.as_integer_ratio() for probability in self.p]
        common = max(denominator for _, denominator in ratios)  # they are powers of 2
        sums = list(accumulate(numerator * (common // denominator) for numerator, denominator in ratios))
        found = [-(-reached * numbers // sums[-1]) for reached in sums]
        return 0, found[: found.index(numbers) + 1]


@dataclass(frozen=True)
class Bernoulli(Discrete):
    """1 with probability `p`, else 0; p·N rounded up of the N numbers become 1, so that a small `p` is not 0."""

    p: float = number(0, 1)

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        numerator, denominator = self.p.as_integer_ratio()
        failures = (denominator - numerator) * numbers // denominator
        return 0, [failures, numbers] if failures < numbers else [numbers]


WIDEST, MARGIN = 16.0, 0.98
"""Masses of less than so many standard deviations count; and how much of the largest mean is taken."""


def largest_with_a_table(numbers: int) -> float:
    """Return a mean up to which there are tables of Poisson numbers: the largest one, or a little less, in two digits.

    A table reaches to where tails are below 1/N, and masses to where they are negligible.
    """
    in_tables = masses.MAX_ENTRIES / (2 * float(normal_tail(np.array(1 / numbers))))
    found = MARGIN * min(in_tables, masses.MAX_STEPS / WIDEST) ** 2
    unit = 10.0 ** (floor(log10(found)) - 1)
    return floor(found / unit) * unit


@dataclass(frozen=True)
class Poisson(Peaked):
    """The number of events of which `lam` are expected.

    Up to about 5e10 a table of N = 2^64 has at most 2^22 entries; up to 10^11 one of N = 2^32. Of larger means the host
    makes the values.
    """

    lam: float = number(0, LARGEST, default=1.0)

    def _advice(self, numbers: int) -> str:
        return f"take a lam of at most {validation.limit(largest_with_a_table(numbers))}"

    def _peak(self) -> Peak:
        numerator, denominator = self.lam.as_integer_ratio()
        ratio = lambda k: (numerator, (k + 1) * denominator)  # noqa: E731  # the steps of a recurrence
        return Peak((numerator, denominator), numerator // denominator, 0, ratio)

    @property
    def has_device_tables(self) -> bool:
        """Whether there are tables for all means up to this one."""
        return poisson.octave_of(self.lam) <= poisson.MAX_OCTAVE

    def device_tables(self) -> npt.NDArray[np.uint32]:
        """Return what a kernel looks up whose own means are at most this one; see `clrng.device_code`.

        Returns
        -------
        ndarray of uint32
            To be copied to the device and given to ``next_..._with``.

        Raises
        ------
        ValueError
            If `lam` is 65536 or more.
        """
        if not self.has_device_tables:
            raise ValueError(f"lam must be below 65536 for device_tables, not {self.lam!r}")
        found = poisson.cells(poisson.octave_of(self.lam)).in_order
        return np.concatenate([table.numbers.reshape(-1) for _, table in found], dtype=np.uint32)

    def device_places(self) -> list[tuple[str, int]]:
        """Return where each of the tables begins in `device_tables`, by name."""
        found = poisson.cells(poisson.octave_of(self.lam)).in_order
        sizes = [table.numbers.size for _, table in found]
        return [(name, begin) for (name, _), begin in zip(found, accumulate(sizes, initial=0), strict=False)]


@dataclass(frozen=True)
class Binomial(Peaked):
    """The number of successes in `n` trials, each a success with probability `p`.

    Up to n·p·(1 - p) of about 5e10 a table of N = 2^64 has at most 2^22 entries; up to 10^11 one of N = 2^32.
    """

    n: int = whole()
    p: float = number(0, 1)
    instead: ClassVar[str] = "take a smaller n"

    def _peak(self) -> Peak:
        n, (success, trials) = self.n, self.p.as_integer_ratio()
        failure = trials - success
        mode = min((n + 1) * success // trials, n)
        variance = n * success * failure, trials**2
        return Peak(variance, mode, 0, lambda k: ((n - k) * success, (k + 1) * failure))


@dataclass(frozen=True)
class Geometric(Discrete):
    """The number of trials up to and with the first success, each a success with probability `p`.

    From about 1.1e-5 on a table of N = 2^64 has at most 2^22 entries; from 5.3e-6 on one of N = 2^32.
    """

    p: float = number(0, 1, low_is_legal=False)
    instead: ClassVar[str] = "take a larger p"

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        success, trials = self.p.as_integer_ratio()
        failure = trials - success
        if self.p < MIN_DECAY or (self.p < 1 and masses.reaches_too_far(-log1p(-self.p), 1, numbers, divided=False)):
            raise masses.TooManyError
        total = 1 << masses.BITS
        endless = masses.recurrence(1, lambda _: (failure, trials), total * success // trials)
        return masses.thresholds(1, endless, total, numbers)


@dataclass(frozen=True)
class NegativeBinomial(Peaked):
    """The number of failures before `n` successes, each trial being a success with probability `p`.

    `n` need not be an integer. For a table p is at least 2^-18, about 3.8e-6, or about 2e-5 where n is 1 or more. A
    table of N = 2^64 has at most 2^22 entries where the standard deviation is up to about 2.3e5.
    """

    n: float = number(0, inf, low_is_legal=False)
    p: float = number(0, 1, low_is_legal=False)
    instead: ClassVar[str] = "take a smaller n or a larger p"

    def _peak(self) -> Peak:
        n, p = Fraction(self.n), Fraction(self.p)
        # each mass is at least q times the one before if n >= 1; else that of k is at least n q^k/(k + 1) of the first
        lost = log(masses.MAX_STEPS + 1) - log(self.n) if self.n < 1 else 0.0
        if self.p < 1 and (self.p < MIN_DECAY or masses.never_end(-log1p(-self.p), lost)):
            raise masses.TooManyError
        (n_above, n_below), (failure, trials) = n.as_integer_ratio(), (1 - p).as_integer_ratio()
        below = n_below * trials
        mode = max(floor((n - 1) * (1 - p) / p), 0)
        variance = (n * (1 - p) / p**2).as_integer_ratio()
        return Peak(variance, mode, 0, lambda k: ((n_above + k * n_below) * failure, (k + 1) * below))


@dataclass(frozen=True)
class Hypergeometric(Peaked):
    """The number of good ones among `nsample` drawn without replacement from `ngood` good and `nbad` bad ones.

    Up to a standard deviation of about 2.2e5 a table of N = 2^64 has at most 2^22 entries; up to 3.3e5 one of
    N = 2^32.
    """

    ngood: int = whole()
    nbad: int = whole()
    nsample: int = whole(high=2 * LARGEST_INTEGER)
    instead: ClassVar[str] = "take a smaller nsample"

    def __post_init__(self) -> None:
        super().__post_init__()
        validation.integer("nsample", self.nsample, 0, self.ngood + self.nbad)

    def _peak(self) -> Peak:
        good, bad, sample = self.ngood, self.nbad, self.nsample
        everything, more_bad = good + bad, bad - sample + 1
        spread = sample * good * bad * (everything - sample)
        lowest = max(0, sample - bad)
        mode = max((good + 1) * (sample + 1) // (everything + 2), lowest)
        variance = spread, everything**2 * (everything - 1)
        return Peak(variance, mode, lowest, lambda k: ((good - k) * (sample - k), (k + 1) * (more_bad + k)))


@dataclass(frozen=True)
class Logseries(Discrete):
    """k >= 1 with probability proportional to p^k/k.

    For a table p is at most 1 - 2^-18. Up to about 1 - 9.12e-6 a table of N = 2^64 has at most 2^22 entries.
    """

    p: float = number(0, 1, high_is_legal=False)
    instead: ClassVar[str] = "take a smaller p"

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        numerator, denominator = self.p.as_integer_ratio()
        if numerator == 0:
            return 1, [numbers]
        far = self.p > 1 / 2 and masses.reaches_too_far(-log(self.p), -log1p(-self.p), numbers, divided=True)
        if far or 1 - self.p < MIN_DECAY:
            raise masses.TooManyError
        # the mass of 1 is taken as 1, and the sum of all is then -ln(1 - p)/p: for a small p more bits are needed
        lost = denominator.bit_length() - numerator.bit_length() + 1
        logarithm = masses.logarithm(denominator, denominator - numerator, masses.BITS + lost)
        total = logarithm * denominator // numerator >> lost
        endless = masses.recurrence(1, lambda k: (k * numerator, (k + 1) * denominator), 1 << masses.BITS)
        return masses.thresholds(1, endless, total, numbers)


@dataclass(frozen=True)
class Zipf(Discrete):
    """k >= 1 with probability proportional to k^-a.

    Of a smaller `a` the host makes the values, of which none is above 2^63 - 1.

    From about 3.84 on a table of N = 2^64 has at most 2^22 entries; from 2.42 on one of N = 2^32.
    """

    a: float = number(1, inf, low_is_legal=False)
    instead: ClassVar[str] = "take a larger a"

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        numerator, denominator = self.a.as_integer_ratio()
        total = masses.zeta(numerator, denominator, masses.BITS)
        # the sum over all k above K = 2^22 is more than the integral from K + 1 on, (K + 1)^(1 - a)/(a - 1)
        above = numerator - denominator
        beyond = masses.power(masses.MAX_ENTRIES + 1, above, denominator, masses.BITS)
        if beyond * denominator * numbers > total * above:
            raise masses.TooManyError
        powers = masses.powers(numerator, denominator, masses.BITS)
        return masses.thresholds(1, powers, total, numbers)


HALVINGS = (2, 6, 22)
"""The depths of searches for which there are kernels; a table has at most 2^22 entries."""

MIN_GUIDE_BITS, MAX_GUIDE_BITS = 10, 16
"""A guide has about four entries for each threshold, from 2^10 to 2^16."""

TOP_BITS = 32


@dataclass(frozen=True, eq=False)
class ThresholdTable:
    """The thresholds of a discrete distribution.

    A number X, 0 <= X < N, becomes the value ``low + k`` with the smallest k for which X < T(k). The last threshold is
    N, which may not fit: N - 1 stands in its place, and no search looks at it.
    """

    low: int
    thresholds: npt.NDArray[np.uint64]
    numbers: int


@dataclass(frozen=True, eq=False)
class Guide:
    """A guide to the thresholds of a table by the tops of numbers (Chen and Asau 1974).

    A top is a number without its last digit or bits; `tops` are those of the thresholds. ``guide[g]`` is the smallest k
    for which the top of threshold k is at least g << shift, and the last entry the index of the last threshold. With
    g = top >> shift, the smallest k for which the top of threshold k is above that of X is between ``guide[g]`` and
    ``guide[g + 1]``, both included; for most g these are one or two.
    """

    tops: npt.NDArray[np.uint32]
    guide: npt.NDArray[np.uint32]
    shift: int
    bits: int

    @property
    def place_bits(self) -> int:
        """How many bits an index of a threshold has in `places`; 0 where there are too many thresholds for these."""
        return self.bits if 4 * self.guide[-1] < 1 << self.bits else 0

    @cached_property
    def places(self) -> npt.NDArray[np.uint32]:
        """What most values are found by: ``guide[g]``, and what the next top has behind g, where a single one follows.

        An entry has the former in its last `place_bits` bits, or 2^(place_bits - 1) where several tops follow, and
        before them the part behind g, as its first bits. Where no top follows it has ``guide[g]`` - 1, and 0 before it.
        """
        bits = self.place_bits
        if bits == 0:
            return np.zeros(1, np.uint32)
        guide = self.guide.astype(np.int64)
        least, some = guide[:-1], np.diff(guide)
        behind = self.tops[least].astype(np.int64) << 32 - self.shift & 2**32 - 1
        one, none = behind | least, least - 1 & (1 << bits) - 1
        several = (some > 1) | (self.shift == 0)
        return np.where(several, 1 << bits - 1, np.where(some == 0, none, one)).astype(np.uint32)

    @property
    def halvings(self) -> int:
        """One of `HALVINGS`: how many the longest search takes, or more."""
        longest = int(np.diff(self.guide.astype(np.int64)).max()).bit_length()
        return next(depth for depth in HALVINGS if depth >= longest)


@lru_cache(maxsize=32)
def guide_to(table: ThresholdTable, raw_values: int, steps: int) -> Guide:
    """Return the guide to `table`, whose numbers have `steps` digits to the base `raw_values`; it is cached.

    The top is the first of two digits, or the leading 32 bits of one.
    """
    last = len(table.thresholds) - 1
    behind = raw_values if steps > 1 else 1 << max((table.numbers - 1).bit_length() - TOP_BITS, 0)
    tops = (table.thresholds // np.uint64(behind)).astype(np.uint32)
    largest = (table.numbers - 1) // behind
    bits = min(max((4 * last).bit_length(), MIN_GUIDE_BITS), MAX_GUIDE_BITS)
    shift = max(largest.bit_length() - bits, 0)
    begins = np.arange((largest >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
    guide = np.append(np.searchsorted(tops[:last], begins, side="left"), last).astype(np.uint32)
    for array in (tops, guide):
        array.flags.writeable = False
    return Guide(tops, guide, shift, bits)


@lru_cache(maxsize=32)
def threshold_table(distribution: Discrete, numbers: int) -> ThresholdTable:
    """Return the table of `distribution` for N = `numbers`, from 3 to 2^64, of at most 2^22 entries; it is cached."""
    validation.integer("numbers", numbers, 3, 2**64)
    low, found = distribution.thresholds(numbers)
    thresholds = np.array([*found[:-1], numbers - 1], dtype=np.uint64)
    thresholds.flags.writeable = False
    return ThresholdTable(low, thresholds, numbers)
