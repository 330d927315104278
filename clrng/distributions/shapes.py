"""Continuous distributions of one shape, which is an array, by surfaces.

What an array call makes differs from what calls with the same numbers make of the same raw values, by no more than the
errors of both: `surfaces` has that of a surface, and `tables` that of the table of one shape. It does not depend on how
many different shapes there are, and so not on the part of an array that is made.
"""

from collections.abc import Mapping
from dataclasses import fields
from math import frexp
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from clrng.distributions.by_element import LOOK, ByElements, Look, Whole, in_double
from clrng.distributions.catalog import DISTRIBUTIONS, by_name
from clrng.distributions.distribution import NO_NEGATIVE, REALS, Continuous, Distribution
from clrng.distributions.parameters import Range
from clrng.distributions.quantiles.surfaces import surface
from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.surface import BySurface
from clrng.distributions.transforms.uniform import digits

FLOATS = ("float32", "float64")
"""The dtypes of shapes that kernels take."""


class Shape(NamedTuple):
    """What a distribution is made of."""

    parameter: str
    family: str
    doublings: int = 0
    """The shape is half of the parameter, and values are doubled, so many times."""


SHAPES = {
    "standard_gamma": Shape("shape", "gamma"),
    "gamma": Shape("shape", "gamma"),
    "chisquare": Shape("df", "gamma", 1),
    "weibull": Shape("a", "weibull"),
    "pareto": Shape("a", "pareto"),
    "power": Shape("a", "power"),
}
"""The distributions by name."""


def _legal(name: str, parameter: str) -> Range:
    """Return which numbers are legal for a parameter of a distribution."""
    if parameter == "scale":
        return NO_NEGATIVE
    law: Any = DISTRIBUTIONS[name].law
    found: Range = next(each.metadata["range"] for each in fields(law) if each.name == parameter)
    return found


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
        ones = {key: 1.0 for key in arrays if key != "scale"}
        others = {key: value for key, value in given.items() if key not in arrays}
        self._one = cast("Continuous", by_name(name, **ones, **others))  # which checks the others
        self._extremes = {key: self._look.extremes(array) for key, array in self._near.items()}
        self._check({key: _legal(name, key) for key in arrays})

    def _readable(self, array: Any) -> Any:
        """Return an array of `FLOATS`, where it is looked at fastest."""
        array = self._look.near(array) if array.dtype != object else in_double(array)
        if array.dtype.name not in FLOATS or not array.dtype.isnative:
            array = self._look.near(self._look.on_host(array).astype(np.float64))
        return array

    def _check(self, ranges: Mapping[str, Range]) -> None:
        """Raise the error of the first element that has a number out of the range of its parameter."""
        legal: npt.NDArray[np.bool_] = np.ones((), np.bool_)
        for key, array in self._near.items():
            least, most = (float(end) for end in self._extremes[key])
            if not (ranges[key].low <= least and most <= ranges[key].high):
                legal = legal & ranges[key].takes(self._look.on_host(array).astype(np.float64))
        if not legal.all():
            shape = np.broadcast_shapes(*(array.shape for array in self._near.values()))
            self._raise(int(np.broadcast_to(legal, shape).reshape(-1).argmin()), shape)

    def _raise(self, place: int, shape: tuple[int, ...], dtype: np.dtype[Any] | None = None) -> None:
        """Raise the error of the element at a place of arrays of this shape; as a `dtype`, if it is of that."""
        index = np.unravel_index(place, shape)
        alone = {}
        for key, array in self._arrays.items():
            held = self._look.on_host(array)
            own = tuple(
                0 if size == 1 else i for i, size in zip(index[len(index) - held.ndim :], held.shape, strict=True)
            )
            alone[key] = np.ones_like(held)
            alone[key][own] = held[own]
        given = {key: value for key, value in self._given.items() if key not in alone}
        found = ByElements(self._name, {**given, **alone}, alone, self._shape, self._whole)
        if dtype is not None:
            found.transform(0, 2**32, dtype)


class OfShapes(OfArrays):
    """A distribution by name of `SHAPES`, whose shapes are an array, and its scales too if these are given as one."""

    @property
    def _form(self) -> Shape:
        return SHAPES[self._name]

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        steps = 1 if dtype == np.float32 else digits(upper_bound - min_value)
        return BySurface(
            "surface", dtype, steps, {}, self.fits_half(dtype), self._near[self._form.parameter], self._shape,
            surface=surface(self._form.family, dtype.name, *self._octaves), scales=self._scales(dtype),
            doublings=self._form.doublings,
        )  # fmt: skip

    @property
    def _octaves(self) -> tuple[int, int]:
        """The exponents of the smallest and the largest shape that is not 0."""
        least, most = map(float, self._extremes[self._form.parameter])
        if not least > 0:
            held = self._look.on_host(self._near[self._form.parameter])
            least = float(held.min(initial=most, where=held > 0))
        least, most = (least, most) if most > 0 else (1.0, 1.0)
        first, last = (frexp(end)[1] - 1 - self._form.doublings for end in (least, most))
        return first, last

    def _scales(self, dtype: np.dtype[Any]) -> Any:
        """Return the scales as `dtype`, or raise an error if one is too large for it."""
        largest = float(np.finfo(dtype).max)
        if "scale" not in self._arrays:
            self._one.check_size(dtype)
            return np.array(self._one.scale, dtype)
        held = self._near["scale"]
        if float(self._extremes["scale"][1]) > largest:
            here = self._look.on_host(held)
            self._raise(int((here > largest).argmax()), here.shape, dtype)
        return held if held.dtype == dtype else self._look.on_host(held).astype(dtype)
