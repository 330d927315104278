"""Distributions of others: frozen ones of SciPy, and inverse distribution functions of the user."""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache
from math import ceil, isfinite
from typing import Any

import numpy as np

from clrng import validation
from clrng.distributions.discrete import Discrete
from clrng.distributions.distribution import REALS, Continuous, Distribution
from clrng.distributions.masses import MAX_ENTRIES
from clrng.distributions.quantiles.elementary import Array
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import InverseTable
from clrng.distributions.transforms.transform import Transform

SMALLEST_TAIL = 2.0**-64

PROBES = np.ldexp(np.arange(4.0, 8.0), -np.arange(72, 3, -1)[:, None]).ravel()
"""Probabilities from 2^-70 to 7/16, four of each octave, at which functions are tried and compared by a digest."""

SIXTEENTHS = np.arange(1, 16) / 16
"""Probabilities at which a discrete distribution is tried and compared; SciPy is inaccurate in far tails."""

MIN_COMPARED = 2.0**-16
"""From this probability on a function that falls is an error; below, it may be the library's rounding."""


class Travelling:
    """A distribution of functions of others: its pickle has the numbers that were made before, in `kept`."""

    digest: str
    kept: dict[Any, Any]

    def __getstate__(self) -> dict[str, Any]:
        if not self.kept:
            raise TypeError(
                "distribution must be drawn from before it is pickled: a pickle has only numbers made before"
            )
        return {each.name: None for each in fields(self)} | {"digest": self.digest, "kept": self.kept}  # type: ignore[arg-type]  # a dataclass

    def __copy__(self) -> "Travelling":
        return self

    def __deepcopy__(self, _: object) -> "Travelling":
        return self

    def __dask_tokenize__(self) -> tuple[str, str]:
        return type(self).__qualname__, self.digest


UNPICKLED = "distribution was unpickled, with the numbers made before and without the functions that made them"


def digest(*arrays: Array) -> str:
    """Return the SHA-256 of float64 numbers, the lowest byte of each first, in hexadecimal."""
    return hashlib.sha256(b"".join(np.asarray(array, "<f8").tobytes() for array in arrays)).hexdigest()


def complement(function: Callable[[Array], Any]) -> Callable[[Array], Any]:
    """Return the function p -> F^-1(1 - p) of a function F^-1; 1 - p is rounded to a float64 below 1."""
    return lambda p: function(np.minimum(1 - p, np.nextafter(1.0, 0.0)))


def _as_reals(values: Any) -> Array:
    """Return what a function gave, as float64; complex numbers and texts are refused."""
    given = np.asarray(values)
    texts = given.dtype.kind == "O" and any(isinstance(each, (str, bytes)) for each in given.flat)
    if given.dtype.kind in "biufO" and not texts:
        try:
            return given.astype(np.float64)
        except (TypeError, ValueError):  # of objects that are no real numbers
            pass
    raise TypeError(
        f"distribution must give real numbers for probabilities, not an array of dtype {validation.shown(given.dtype)}"
    )


@dataclass(frozen=True, eq=False)
class Inverted(Travelling, Quantile):
    """The distribution of an inverse distribution function; equal only to itself.

    Its numbers, unlike those of all other distributions, depend on the library that computes the function. So a pickle
    has the tables that were made before, and not the functions: elsewhere they give the same numbers, for generators of
    as many raw values and for dtypes that were drawn before.
    """

    lower: Callable[[Array], Any] | None = field(repr=False)
    upper: Callable[[Array], Any] | None = field(repr=False)
    """F^-1(p) and F^-1(1 - p) for arrays of probabilities p of at most 1/2; None after unpickling."""

    digest: str = field(init=False)
    """SHA-256 of their values at `PROBES`: that of functions which give the same numbers is the same."""

    kept: dict[tuple[int, str], InverseTable] = field(init=False, repr=False, default_factory=dict)
    """The tables that were made, by numbers of raw values and dtypes."""

    def __post_init__(self) -> None:
        below, above = (self.tail(PROBES, upper) for upper in (False, True))
        near = PROBES >= MIN_COMPARED
        values = np.concatenate([below[near], above[near][::-1]])
        falling = np.flatnonzero(values[1:] < values[:-1])
        if falling.size:
            first, second = values[falling[0] : falling[0] + 2].tolist()
            raise ValueError(
                "distribution must have an inverse distribution function that never falls, not one that gives "
                f"{first!r} and for a larger probability {second!r}"
            )
        object.__setattr__(self, "digest", digest(below, above))

    def tail(self, p: Array, upper: bool) -> Array:
        """Return the quantile of the tail."""
        function = self.upper if upper else self.lower
        if function is None:
            drawn = " and ".join(f"{dtype} from {numbers} numbers" for numbers, dtype in self.kept)
            raise ValueError(f"{UNPICKLED}: it gives {drawn}; make it here, or draw such values before it is pickled")
        found = _as_reals(function(p))
        legal = "distribution must give a number for every probability"
        if found.shape != p.shape:
            raise ValueError(f"{legal}, an array of the shape {p.shape}, not {validation.shown(found)}")
        if np.isnan(found).any():
            raise ValueError(f"{legal}, not nan for {float(p[np.isnan(found)][0])!r}")
        return found


@dataclass(frozen=True, eq=False)
class Cumulated(Travelling, Discrete):
    """A discrete distribution of SciPy, by its ``cdf`` and ``sf`` as rounded to float64; equal only to itself.

    What depends on SciPy's release is kept and pickled as it is of `Inverted`.
    """

    frozen: Any = field(repr=False)
    """With methods ``cdf``, ``sf``, ``ppf`` and ``isf``; None after unpickling."""

    digest: str = field(init=False)
    """SHA-256 of the quantiles of `SIXTEENTHS`, and of what ``cdf`` and ``sf`` give there."""

    kept: dict[int, tuple[int, list[int]]] = field(init=False, repr=False, default_factory=dict)
    """The smallest value and the thresholds, by how many numbers there are."""

    def __post_init__(self) -> None:
        middle = float(self.frozen.ppf(0.5))  # SciPy looks for some others for ever
        if isfinite(middle) and self.frozen.sf(middle + MAX_ENTRIES) >= 1 - SIXTEENTHS[-1]:
            raise ValueError(f"distribution spreads over more than {MAX_ENTRIES} values, from {middle:g} on")
        found = np.asarray(self.frozen.ppf(SIXTEENTHS), np.float64)
        if found.shape != SIXTEENTHS.shape or not np.isfinite(found).all():
            wrong = found[~np.isfinite(found)][:1].tolist() or found
            raise ValueError(f"distribution must have an integer for every probability, not {validation.shown(wrong)}")
        object.__setattr__(self, "digest", digest(found, self.frozen.cdf(found), self.frozen.sf(found)))

    def thresholds(self, numbers: int) -> tuple[int, list[int]]:  # noqa: D102  # as inherited
        if numbers not in self.kept:
            self.kept[numbers] = self._thresholds(numbers)
        return self.kept[numbers]

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        if self.frozen is None:
            drawn = " and ".join(map(str, self.kept))
            raise ValueError(
                f"{UNPICKLED}: it is drawn from {drawn} numbers; make it here, or draw with such a generator before it "
                "is pickled"
            )
        least = float(self.frozen.ppf(SMALLEST_TAIL))
        if not isfinite(least):
            raise ValueError(f"distribution must have an integer for the probability 2^-64, not {least!r}")
        low = int(least)
        high, last = low + 1, self.frozen.support()[1]
        while high < last and high - low < MAX_ENTRIES and self.frozen.sf(high) >= SMALLEST_TAIL:
            high = min(low + 2 * (high - low), last)
        if not high - low < MAX_ENTRIES:
            raise ValueError(f"distribution spreads over more than {MAX_ENTRIES} values, from {low:g} to {high:g}")
        values = np.arange(low, int(min(high, last)) + 1)
        below, above = np.asarray(self.frozen.cdf(values)), np.asarray(self.frozen.sf(values))
        parts = [Fraction(float(f)) if f < s else 1 - Fraction(float(s)) for f, s in zip(below, above, strict=True)]
        found = [ceil(part * numbers) for part in parts]
        found[-1] = numbers
        ascending = list(np.maximum.accumulate(np.array(found, object)))
        return low, ascending[: ascending.index(numbers) + 1]


@dataclass(frozen=True, eq=False)
class FrozenArrays(Distribution):
    """A frozen distribution of SciPy of which some parameters are arrays; equal only to itself.

    An element has the value that the distribution with its parameters makes of the same raw values.
    """

    frozen: Any = field(repr=False)

    arrays: Mapping[str, Array] = field(init=False, repr=False)
    others: Mapping[str, Any] = field(init=False, repr=False)
    """The parameters that are arrays, and the others."""

    kept: dict[Any, Distribution] = field(init=False, repr=False, default_factory=dict)
    """The distributions that were made, by the parameters that are arrays."""

    def __post_init__(self) -> None:
        names = [*filter(None, re.split(r"[,\s]+", self.frozen.dist.shapes or "")), "loc", "scale"]
        given = dict(zip(names, self.frozen.args, strict=False)) | self.frozen.kwds
        arrays = {key: np.array(value) for key, value in given.items() if np.ndim(value)}
        for key, value in arrays.items():
            if value.dtype.kind not in "iuf":
                raise TypeError(f"distribution must have real numbers as {key}, not {validation.shown(value)}")
        object.__setattr__(self, "arrays", arrays)
        object.__setattr__(self, "others", {key: value for key, value in given.items() if key not in arrays})

    @property
    def name(self) -> str:
        """The name by which SciPy calls it."""
        return str(self.frozen.dist.name)

    @property
    def kin(self) -> str:
        """The name of a distribution with the same dtypes and steps."""
        return "bernoulli" if _is_discrete(self.frozen) else "standard_exponential"

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return Cumulated.dtypes if _is_discrete(self.frozen) else REALS

    def law(self, values: tuple[tuple[str, Any], ...]) -> Distribution:
        """Return the distribution with these parameters in place of the arrays."""
        if values not in self.kept:
            try:
                self.kept[values] = _made.__wrapped__(self.frozen.dist(**dict(values), **self.others))
            except ValueError as error:
                given = ", ".join(f"{key}={value!r}" for key, value in values)
                raise ValueError(f"{error}; it is {self.name} of {given}") from None
        return self.kept[values]

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: ARG002, D102
        raise TypeError(f"distribution must have parameters that are numbers here, not arrays, as {self.name} has them")


def _is_discrete(frozen: Any) -> bool:
    return hasattr(frozen, "pmf") and not hasattr(getattr(frozen, "dist", None), "pdf")


def as_distribution(value: Any) -> Distribution:
    """Return `value`, a distribution of clrng or SciPy or an inverse distribution function, as a `Distribution`.

    The functions of others are looked at once: the same object gives the same `Distribution`, of the 64 used last.
    """
    if isinstance(value, Distribution):
        return value
    try:
        hash(value)
    except TypeError:
        return _made.__wrapped__(value)
    return _made(value)


@lru_cache(maxsize=64)
def _made(value: Any) -> Distribution:
    if all(callable(getattr(value, name, None)) for name in ("cdf", "sf", "ppf", "isf")):
        _check_frozen(value)
        if hasattr(value, "dist") and any(map(np.ndim, (*value.args, *value.kwds.values()))):
            return FrozenArrays(value)
        return Cumulated(value) if _is_discrete(value) else Continuous(Inverted(value.ppf, value.isf))
    if callable(value) and not isinstance(value, type):
        return Continuous(Inverted(value, complement(value)))
    raise TypeError(
        f"distribution must be one of clrng, such as clrng.distribution('normal'), a frozen one of scipy.stats, or an "
        f"inverse distribution function, not {validation.shown(value)}"
    )


def _check_frozen(frozen: Any) -> None:
    """Raise an error if a distribution of SciPy is not frozen."""
    needed = getattr(frozen, "shapes", None)
    if not hasattr(frozen, "dist") and isinstance(needed, str):
        raise TypeError(
            f"distribution must be frozen, such as scipy.stats.{getattr(frozen, 'name', 'gamma')}({needed}), where "
            f"{needed} are numbers, not {validation.shown(frozen)}"
        )
