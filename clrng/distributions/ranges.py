"""Integers and uniform numbers between bounds that are arrays."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from clrng.distributions.by_element import LOOK, ByElements, Look, Whole, refuse
from clrng.distributions.distribution import LIMITS, REALS, WITH_ROUNDED, Between, Distribution, Integers
from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.in_ranges import (
    LARGEST,
    MAX_WORD,
    Bounds,
    FloatBounds,
    InRanges,
    IntegerBounds,
    NumpyBounds,
    most_of_steps,
)
from clrng.distributions.transforms.transform import Transform
from clrng.distributions.transforms.uniform import HALF, INTERVALS, digits, steps_for

Column = npt.NDArray[Any]

FLOATS = ("float16", *REALS)

SPARE_BITS = 3
"""A number of raw values has at least so many bits more than a float: there are more of them than numbers of a grid."""


def _divides(n: Column, numbers: int) -> Column:
    """Return which of the numbers `n`, of uint64, divide one that may be larger."""
    if numbers <= MAX_WORD:
        found: Column = np.uint64(numbers) % n == 0
    elif numbers & (numbers - 1):
        found = np.array([numbers % each == 0 for each in n.tolist()], np.bool_)
    else:
        found = n & (n - np.uint64(1)) == 0
    return found


def steps_of(n: Column, raw_values: int) -> Column:
    """Return what `steps_for` gives for each of the numbers `n`, of uint64."""
    found, left = np.zeros(n.shape, np.int64), np.arange(n.size)
    steps = 1
    while left.size:
        enough = n[left] <= np.uint64(most_of_steps(steps, raw_values))
        others = np.flatnonzero(~enough)
        enough[others] = _divides(n[left[others]], raw_values**steps)
        found[left[enough]] = steps
        left, steps = left[~enough], steps + 1
    return found


class Ranges(Distribution):
    """A distribution by name between bounds that are arrays: element by element, or else by laws as `ByElements`."""

    reused = False
    kinds: ClassVar[tuple[str, ...]]
    """The dtypes of bounds that are taken element by element."""
    defaults: ClassVar[Mapping[str, float]] = {}
    """Bounds that need not be given."""

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Mapping[str, Any], shape: tuple[int, ...],
        whole: Whole | None = None, look: Look = LOOK,
    ) -> None:  # fmt: skip
        self._name, self._given, self._arrays, self._shape, self._whole = name, given, arrays, shape, whole
        self._look = look
        self._low, self._high = self._bound("low"), self._bound("high")

    @cached_property
    def _by_laws(self) -> ByElements:
        return ByElements(self._name, self._given, self._arrays, self._shape, self._whole, self._look)

    def _bound(self, name: str) -> Any:
        """Return the array of a bound, or None where it is not given, or is not of one of the dtypes `kinds`."""
        found = self._arrays.get(name, self._given.get(name, self.defaults.get(name)))
        array = found if name in self._arrays else np.asarray(found)
        return array if array.dtype.name in self.kinds and array.dtype.isnative else None

    def _sizes(self, bounds: Bounds, low: Any, high: Any) -> tuple[int, int]:
        """Return the least and the largest of the sizes of bounds, or 0 and 0 where not all of them are taken.

        If one of them is not legal, the error of the first one is raised.
        """
        least, most = self._look.sizes(bounds, low, high)
        if least:
            return least, most
        sizes = bounds.sizes(self._look.on_host(low), self._look.on_host(high))
        refuse(self._name, self._given, self._arrays, sizes > 0, self._whole, self._look, bounds.check)
        return 0, 0


class IntegerRanges(Ranges):
    """`Integers` of which each element has bounds of its own."""

    kinds = tuple(LIMITS)

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if self._given.get("high") is None and "high" not in self._arrays and self._low is not None:
            self._low, self._high = np.zeros((), np.int64), self._low
        endpoint, (least, largest) = self._given.get("endpoint", False), LIMITS[self.dtypes[0]]
        self._bounds = IntegerBounds(self.dtypes[0], endpoint, least, largest)
        self._least = self._most = 0
        if self._low is not None and self._high is not None and type(endpoint) is bool:
            self._low, self._high = self._in_kernels(self._low), self._in_kernels(self._high)
            self._least, self._most = self._sizes(self._bounds, self._low, self._high)
        if not self._least:
            self._by_laws  # noqa: B018  # which raises an error, if a bound is not legal

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return (np.dtype(self._given.get("dtype", "int64")).name,)

    def _in_kernels(self, array: Any) -> Any:
        """Return an array of the device as it is, and of one of the host integers of 64 bits, near the device."""
        if not isinstance(array, np.ndarray):
            return array
        return self._look.near(array if array.max() > LARGEST else array.astype(np.int64, copy=False))

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: D102  # as inherited
        if self._whole is not None:
            return self._whole.of_halves
        return self._least == self._most == HALF if self._least else self._by_laws.fits_half(dtype)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        if not self._least:
            return self._by_laws.transform(min_value, upper_bound, dtype)
        return InRanges(
            "in_ranges", dtype, self._steps(upper_bound - min_value), {}, self.fits_half(dtype), self._low, self._shape,
            highs=self._high, bounds=self._bounds, most=self._most,
        )  # fmt: skip

    def _steps(self, raw_values: int) -> int:
        """Return how many raw values an element needs at most."""
        steps = steps_for(self._most, raw_values)
        if self._least == self._most or self._most <= most_of_steps(steps, raw_values):
            return steps
        sizes = self._bounds.sizes(self._look.on_host(self._low), self._look.on_host(self._high))
        return int(steps_of(sizes.reshape(-1), raw_values).max())  # for some n divides m^K


class UniformRanges(Ranges):
    """`Between` of which each element has bounds of its own."""

    dtypes = WITH_ROUNDED
    kinds = (*LIMITS, *FLOATS)
    defaults: ClassVar = {"low": 0.0, "high": 1.0}

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._interval = self._given.get("interval", "[)")
        self._is_taken = self._low is not None and self._high is not None and self._interval in INTERVALS
        if not self._is_taken:
            self._by_laws  # noqa: B018  # which raises an error, if a bound or the interval is not legal

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: D102  # as inherited
        return Between().fits_half(dtype) if self._whole is None else self._whole.of_halves

    def numpys(self, dtype: np.dtype[Any]) -> Transform | None:  # noqa: D102  # as inherited
        if dtype != np.float64 or self._interval != "[)":
            return None
        return self._made(NumpyBounds("float64"), 1) or self._by_laws.numpys(dtype)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        raw_values, made = upper_bound - min_value, None
        steps = 1 if dtype == np.float32 else digits(raw_values)
        if dtype.name in REALS and raw_values**steps >> SPARE_BITS >> np.finfo(dtype).nmant:
            made = self._made(FloatBounds(dtype.name, self._interval), steps)
        return made or self._by_laws.transform(min_value, upper_bound, dtype)

    def _made(self, bounds: Bounds, steps: int) -> InRanges | None:
        """Return what makes the values of all elements, or None where they have laws."""
        if not self._is_taken:
            return None
        dtype = np.dtype(bounds.dtype)
        low, high = self._in_kernels(self._low, dtype), self._in_kernels(self._high, dtype)
        taken, _ = self._sizes(bounds, low, high)
        if not taken:
            return None
        halves, most = self.fits_half(dtype), 2 ** (np.finfo(dtype).nmant + SPARE_BITS)
        return InRanges("in_ranges", dtype, steps, {}, halves, low, self._shape, highs=high, bounds=bounds, most=most)

    def _in_kernels(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """Return an array of the device that its kernels read, or one of the host of a dtype, near the device."""
        if not isinstance(array, np.ndarray) and array.dtype.name in REALS and self._look.reads(array.dtype):
            return array
        double = self._look.rounded(array, np.dtype(np.float64))
        return self._look.near(self._look.rounded(double, dtype))


RANGES: Mapping[Any, type[Ranges]] = {Between: UniformRanges, Integers: IntegerRanges}
"""By the class of a law."""
