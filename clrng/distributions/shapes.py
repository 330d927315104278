"""Continuous distributions of one shape, which is an array, by surfaces.

What an array call makes differs from what calls with the same numbers make of the same raw values, by no more than the
errors of both: `surfaces` has that of a surface, and `tables` that of the table of one shape. It does not depend on how
many different shapes there are, and so not on the part of an array that is made.
"""

from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property, partial
from math import frexp
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from clrng.distributions.by_element import LOOK, Look, Whole, in_double, refuse
from clrng.distributions.catalog import DISTRIBUTIONS, MEAN_OF_LOGARITHMS, by_name
from clrng.distributions.distribution import ANY_REAL, NO_NEGATIVE, REALS, Continuous, Distribution
from clrng.distributions.parameters import Range
from clrng.distributions.quantiles.elementary import exp
from clrng.distributions.quantiles.families import FAMILIES
from clrng.distributions.quantiles.integrated import LARGEST_MEAN, SMALLEST_MEAN
from clrng.distributions.quantiles.surfaces import surface
from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.surface import BySurface
from clrng.distributions.transforms.uniform import digits
from clrng.validation import name_of

FLOATS = ("float32", "float64")
"""The dtypes of shapes that kernels take."""

DOUBLE = np.dtype(np.float64)


class Parts(NamedTuple):
    """What the values of a distribution are made of."""

    family: str
    shape: str
    """The parameter that is the shape."""
    place: str = ""
    """The parameter that values are multiplied by, or angles moved by."""
    over: str = ""
    """The parameter that the shape is divided by."""
    doublings: int = 0
    """The shape is half of the parameter, and values are doubled, so many times."""

    def are_of(self, arrays: Mapping[str, Any]) -> bool:
        """Return whether the shape is an array where these parameters are."""
        return self.shape in arrays or self.over in arrays

    def octaves(self, least: float, most: float) -> tuple[int, int]:
        """Return the exponents of the octaves that have these shapes; 0 counts as the most, or if that is 0 as 1."""
        from_zero = FAMILIES[self.family].from_zero
        if from_zero is not None:
            least, most = (max(end, 2.0**from_zero) for end in (least, most))
        most = most or 1.0
        first, last = (frexp(end)[1] - 1 - self.doublings for end in (least or most, most))
        return first, last


SURFACES = {
    "standard_gamma": Parts("gamma", "shape"),
    "gamma": Parts("gamma", "shape", "scale"),
    "chisquare": Parts("gamma", "df", doublings=1),
    "weibull": Parts("weibull", "a"),
    "pareto": Parts("pareto", "a"),
    "power": Parts("power", "a"),
    "wald": Parts("wald", "scale", "mean", over="mean"),
    "standard_t": Parts("student", "df"),
    "vonmises": Parts("vonmises", "kappa", "mu"),
    "lognormal": Parts("lognormal", "sigma", "mean"),
}
"""The distributions by name."""

MANY_OCTAVES = 8
"""Where ratios may be of more octaves, it is found out of which they are, as all these need tables."""

RATIOS = Range(SMALLEST_MEAN, LARGEST_MEAN)
"""Which shapes are legal that are ratios."""


def legal(name: str, parameter: str) -> Range:
    """Return which numbers are legal for a parameter of a distribution."""
    law: Any = DISTRIBUTIONS[name].law
    found: dict[str, Range] = {each.name: each.metadata["range"] for each in fields(law)}
    return found.get(parameter) or {"scale": NO_NEGATIVE, "mean": MEAN_OF_LOGARITHMS, "mu": ANY_REAL}[parameter]


def _check_transform(law: Distribution, dtype: np.dtype[Any]) -> None:
    """Raise the error that the law of an element has for values of a dtype."""
    law.transform(0, 2**32, dtype)


class OfArrays(Distribution):
    """A continuous distribution by name some of whose parameters are arrays; what is given is as for `ByElements`."""

    dtypes = REALS
    reused = False

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Mapping[str, Any], shape: tuple[int, ...],
        whole: Whole | None = None, look: Look = LOOK,
    ) -> None:  # fmt: skip
        self._name, self._given, self._arrays, self._shape = name, given, arrays, shape
        self._whole, self._look = whole, look
        self._near = {key: self._readable(array) for key, array in arrays.items()}
        self._one = cast("Continuous", by_name(name, **{**given, **self._in_place}))  # checks the others
        self._check()

    @property
    def _in_place(self) -> dict[str, float]:
        """Legal numbers in the place of arrays."""
        return dict.fromkeys(self._arrays, 1.0)

    @cached_property
    def _extremes(self) -> dict[str, tuple[Any, Any]]:
        """The minimum and the maximum of each array."""
        return self._look.extremes_of(self._near)

    def _ends_of(self, key: str) -> tuple[float, float]:
        """Return the minimum and the maximum of a parameter, which may be a number."""
        least, most = self._extremes.get(key, (self._given[key],) * 2)
        return float(least), float(most)

    def _readable(self, array: Any) -> Any:
        """Return an array of `FLOATS`, where it is looked at fastest."""
        array = self._look.near(array) if array.dtype != object else in_double(array)
        if name_of(array.dtype) not in FLOATS or not array.dtype.isnative:
            array = self._look.near(self._look.rounded(array, DOUBLE))
        return array

    def _held(self, *names: str) -> list[Any]:
        """Return parameters as arrays, those that are numbers too."""
        return [self._near[key] if key in self._near else np.array(float(self._given[key])) for key in names]

    def _in_double(self, array: Any) -> npt.NDArray[np.float64]:
        """Return an array of the host."""
        found: npt.NDArray[np.float64] = self._look.on_host(array).astype(np.float64)
        return found

    def _check(self) -> None:
        """Raise the error of the first element that has a number out of the range of its parameter."""
        are_legal: npt.NDArray[np.bool_] = np.ones((), np.bool_)
        for key, array in self._near.items():
            legals = legal(self._name, key)
            least, most = (float(end) for end in self._extremes[key])
            if not (legals.low <= least and most <= legals.high):
                are_legal = are_legal & legals.takes(self._in_double(array))
        if not are_legal.all():
            with np.errstate(all="ignore"):
                self._refuse(are_legal & self._are_together())

    def _are_together(self) -> npt.NDArray[np.bool_]:
        """Return which elements are legal together, where others are not legal alone."""
        return np.ones((), np.bool_)

    def _refuse(self, legal: npt.NDArray[np.bool_], dtype: np.dtype[Any] | None = None) -> None:
        """Raise the error of the first element that is not legal, if any is not: as a `dtype`, if it is of that."""
        if not legal.all():
            check = None if dtype is None else partial(_check_transform, dtype=dtype)
            refuse(self._name, self._given, self._arrays, legal, self._whole, self._look, check)


class OfShapes(OfArrays):
    """A distribution by name of `SURFACES`, whose shapes are an array; other parameters may be arrays too."""

    def __init__(self, name: str, *given: Any, **named: Any) -> None:
        self._parts = SURFACES[name]
        super().__init__(name, *given, **named)
        own = self._parts.shape
        self._shapes, self._ends = self._ratios() if self._parts.over else (self._near[own], self._extremes[own])

    def _are_together(self) -> npt.NDArray[np.bool_]:
        if not self._parts.over:
            return super()._are_together()
        over, under = map(self._in_double, self._held(self._parts.shape, self._parts.over))
        return np.asarray(RATIOS.takes(over / under))

    def _ratios(self) -> tuple[Any, tuple[Any, Any]]:
        """Return shapes that are ratios, and their ends; raise the error of the first shape that is not legal."""
        names = self._parts.shape, self._parts.over
        found = self._look.ratios(*self._held(*names))
        (least, most), (lower, upper) = (self._ends_of(name) for name in names)
        least, most = least / upper, most / lower  # between which all ratios are
        if not most <= least * 2.0**MANY_OCTAVES:
            least, most = self._look.extremes(found)
        if not (least >= RATIOS.low and most <= RATIOS.high):
            self._refuse(RATIOS.takes(self._look.on_host(found)))
        return found, (least, most)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        steps = 1 if dtype == np.float32 else digits(upper_bound - min_value)
        return BySurface(
            "surface", dtype, steps, {}, self.fits_half(dtype), self._shapes, self._shape,
            surface=surface(self._parts.family, name_of(dtype), *self._octaves), scales=self.places(dtype),
            doublings=self._parts.doublings,
        )  # fmt: skip

    @property
    def _octaves(self) -> tuple[int, int]:
        """The exponents of the smallest and the largest shape that is not 0, or of the octaves that have them."""
        least, most = map(float, self._ends)
        if not least > 0 and FAMILIES[self._parts.family].from_zero is None:
            held = self._look.on_host(self._shapes)
            least = float(held.min(initial=most, where=held > 0))
        return self._parts.octaves(least, most)

    def places(self, dtype: np.dtype[Any]) -> Any:
        """Return what values are multiplied by, or angles moved by; raise an error if it is too large for `dtype`."""
        key, largest = self._parts.place, float(np.finfo(dtype).max)
        if key not in self._arrays:
            self._one.check_size(dtype)
            one = self._one.added if self._one.quantile.circular else self._one.scale
            return np.array(self._given[key] if self._parts.over else one, dtype)
        held, most = self._near[key], max(abs(float(end)) for end in self._extremes[key])
        if self._name == "lognormal":
            if float(exp(np.array(float(self._extremes[key][1])))) > largest:
                self._refuse(exp(self._in_double(held)) <= largest, dtype)
            return self._look.exponentials(held, dtype)
        if most > largest:
            self._refuse(abs(self._look.on_host(held)) <= largest, dtype)
        if held.dtype == dtype or (not isinstance(held, np.ndarray) and self._look.reads(held.dtype)):
            return held  # kernels round it
        return self._look.rounded(held, dtype)
