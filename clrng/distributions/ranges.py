"""Integers and uniform numbers between bounds that are arrays: what kernels need of all bounds is worked out at once.

What an array call makes is what `ByElements` makes of a law for each pair of bounds. That takes some 50 microseconds a
pair; this takes less than one. Bounds that it does not take have laws.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, overload

import numpy as np
import numpy.typing as npt

from clrng.distributions.by_element import LOOK, ByElements, Look, Whole, numbered
from clrng.distributions.distribution import LIMITS, REALS, WITH_ROUNDED, Between, Distribution, Integers
from clrng.distributions.transforms.by_element import OTHERS, Alike, Argument, ByElement, Varying
from clrng.distributions.transforms.transform import Table, Transform
from clrng.distributions.transforms.uniform import (
    CLOSENESS_BITS,
    HALF,
    INTERVALS,
    LARGEST_SHORT_FACTOR,
    NOWHERE,
    digits,
    index_transform,
    interval_transform,
    stretched,
)

Column = npt.NDArray[Any]

FEW = 2**8
"""Up to so many pairs have laws, which are kept for later calls."""

LARGEST = 2**63 - 1
"""The largest bound of integers that has no law."""

MAX_WORD = 2**64 - 1

FLOATS = ("float16", *REALS)

SMALLEST = float(np.finfo(np.float64).tiny)


class Made(Sequence[Transform]):
    """The transforms of laws, by their numbers, each made when it is asked for."""

    def __init__(self, numbers: Column, make: Callable[[int], Transform]) -> None:
        self._numbers, self._make = numbers, make

    def __len__(self) -> int:
        return int(self._numbers.size)

    @overload
    def __getitem__(self, index: int) -> Transform: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Transform]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Made(self._numbers[index], self._make)
        return self._make(int(self._numbers[index]))


def kinds_of(
    alike: Column, given: Mapping[str, Column], make: Callable[[int], Transform]
) -> tuple[tuple[Alike, ...], int]:
    """Return the laws of each kind, and the steps that each takes at most.

    Laws whose numbers in `alike` are the same are of one kind. `given` has what each law gives for a parameter, and
    `make` the transform of a law.
    """
    kinds, steps = [], 0
    for each in np.unique(alike):
        numbers = np.flatnonzero(alike == each)
        transforms = Made(numbers, make)
        first = transforms[0]
        rows = np.full(alike.size, OTHERS, np.uint32)
        rows[numbers] = np.arange(numbers.size, dtype=np.uint32)
        arguments = (
            Argument(declared, Table(given[declared.name][numbers].astype(np.asarray(value).dtype)), None)
            for declared, value in first.given.items()
        )
        kinds.append(Alike(transforms, Table(rows), tuple(arguments)))
        steps = max(steps, first.steps)
    return tuple(kinds), steps


def divides(n: Column, numbers: int) -> Column:
    """Return which of the numbers `n`, of uint64, divide one that may be larger."""
    if numbers & (numbers - 1):
        return np.array([numbers % each == 0 for each in n.tolist()], np.bool_)
    found: Column = (n & (n - np.uint64(1)) == 0) & (n <= np.uint64(min(numbers, MAX_WORD)))
    return found


def steps_of(n: Column, raw_values: int) -> Column:
    """Return what `steps_for` gives for each of the numbers `n`, of uint64."""
    found, left = np.zeros(n.shape, np.int64), np.arange(n.size)
    steps, numbers = 1, raw_values
    while left.size:
        enough = n[left] <= np.uint64(min(4 * numbers >> CLOSENESS_BITS, MAX_WORD))
        others = np.flatnonzero(~enough)
        enough[others] = divides(n[left[others]], numbers)
        found[left[enough]] = steps
        left, steps, numbers = left[~enough], steps + 1, numbers * raw_values
    return found


def index_kinds(n: Column, raw_values: int) -> tuple[Column, Column]:
    """Return by which of its products `index_transform` draws from `n` integers, and the quotients that it needs."""
    short = n < np.uint64(min(raw_values, MAX_WORD))
    short &= bool(raw_values & (raw_values - 1)) and raw_values <= LARGEST_SHORT_FACTOR
    wide = (n > np.uint64(LARGEST_SHORT_FACTOR)) | (raw_values > LARGEST_SHORT_FACTOR)
    quotients = (np.where(short, n, 0).astype(np.uint64) << np.uint64(32)) // np.uint64(min(raw_values, MAX_WORD))
    return np.where(short, 0, 1 + wide), quotients


class Ranges(Distribution):
    """A distribution by name between bounds that are arrays, whose elements are laws by numbers; as `ByElements`."""

    reused = False
    wanted: ClassVar[tuple[str, ...]]
    """The dtypes of bounds."""
    defaults: ClassVar[Mapping[str, float]] = {}
    """Bounds that need not be given."""

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Mapping[str, Any], shape: tuple[int, ...],
        whole: Whole | None = None, look: Look = LOOK,
    ) -> None:  # fmt: skip
        self._given, self._shape, self._whole = given, shape, whole
        found = self._found = numbered(arrays, look)
        self._arguments = name, given, arrays, shape, whole, look
        many = found.columns[0].size > FEW
        self._bounds = self._checked(self._bound("low"), self._bound("high")) if many else None
        if self._bounds is None:
            self._by_laws  # noqa: B018  # which raises an error, if a bound is not legal

    @cached_property
    def _by_laws(self) -> ByElements:
        return ByElements(*self._arguments, found=self._found)

    def _bound(self, name: str) -> Column | None:
        """Return what each law has for a bound, or None where that is not given, or is not of the dtypes `wanted`."""
        columns = dict(zip(self._found.names, self._found.columns, strict=True))
        array = np.asarray(columns.get(name, self._given.get(name, self.defaults.get(name))))
        return np.broadcast_to(array, self._found.columns[0].shape) if array.dtype.name in self.wanted else None

    def _checked(self, low: Column | None, high: Column | None) -> tuple[Column, Column] | None:
        """Return the bounds of all laws, as numbers that the class works with, or None where they have laws."""
        raise NotImplementedError

    def _made(self, low: Column, high: Column, raw_values: int, dtype: np.dtype[Any]) -> ByElement | None:
        """Return what `transform` does, of so many raw values, or None where elements have laws."""
        raise NotImplementedError

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        made = None if self._bounds is None else self._made(*self._bounds, upper_bound - min_value, dtype)
        return self._by_laws.transform(min_value, upper_bound, dtype) if made is None else made

    def _by_element(
        self, alike: Column, given: Mapping[str, Column], make: Callable[[int], Transform], dtype: np.dtype[Any]
    ) -> ByElement:
        kinds, steps = kinds_of(alike, given, make)
        halves = self.fits_half(dtype)
        return ByElement("by_element", dtype, steps, {}, halves, self._found.codes, self._shape, kinds=kinds)


class IntegerRanges(Ranges):
    """`Integers` of which each element has bounds of its own."""

    wanted: ClassVar = tuple(LIMITS)

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return (np.dtype(self._given.get("dtype", "int64")).name,)

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: D102  # as inherited
        if self._whole is not None:
            return self._whole.of_halves
        return self._by_laws.fits_half(dtype) if self._bounds is None else bool((self._bounds[1] == HALF).all())

    def _checked(self, low: Column | None, high: Column | None) -> tuple[Column, Column] | None:
        """Return the lowest integers, and how many there are; of uint64, the first modulo 2^64."""
        if high is None and self._given.get("high") is None and low is not None:
            low, high = np.zeros_like(low), low
        endpoint = self._given.get("endpoint", False)
        if low is None or high is None or type(endpoint) is not bool:
            return None
        if any(int(each.max()) > LARGEST - endpoint for each in (low, high)):
            return None
        begin, end = low.astype(np.int64), high.astype(np.int64) + endpoint
        least, largest = LIMITS[self.dtypes[0]]
        if not ((begin < end) & (begin >= least) & (end - 1 <= largest)).all():
            return None
        return begin.astype(np.uint64), end.astype(np.uint64) - begin.astype(np.uint64)

    def _made(self, low: Column, n: Column, raw_values: int, dtype: np.dtype[Any]) -> ByElement | None:
        steps, (kinds, quotients) = steps_of(n, raw_values), index_kinds(n, raw_values)

        def make(law: int) -> Transform:
            return index_transform(int(n[law]), raw_values, int(steps[law]), dtype, int(low[law]))

        given = {"last": n - np.uint64(1), "low": low, "quotient": quotients}
        return self._by_element(steps * 4 + kinds, given, make, dtype)


@dataclass(frozen=True)
class Grids:
    """What `Grid` has, of all laws; places and numbers of floats are of int64."""

    first: Column
    count: Column
    unit: Column
    special: Column
    bound: Column


def grids(low: Column, high: Column, interval: str, dtype: np.dtype[Any]) -> Grids | None:
    """Return what `grid` does for float64 bounds; None where it raises an error, or has numbers that are not normal."""
    with np.errstate(over="ignore", under="ignore"):
        a, b = (bound.astype(dtype) + dtype.type(0) for bound in (low, high))
        above, below = np.nextafter(a, b).astype(np.float64), np.nextafter(b, a).astype(np.float64)
    lower, upper = a.astype(np.float64), b.astype(np.float64)
    if not (np.isfinite(lower) & np.isfinite(upper) & (lower < upper)).all():
        return None
    unit = np.maximum(above - lower, upper - below)
    from_above = np.abs(lower) <= np.abs(upper)
    bound = np.where(from_above, lower, upper)
    least = np.maximum(float(np.finfo(dtype).tiny), SMALLEST * unit)  # so that quotients by the unit are exact
    if not ((unit >= np.finfo(dtype).tiny) & ((bound == 0) | (np.abs(bound) >= least))).all():
        return None
    top, bottom = upper / unit, lower / unit  # that of the larger bound is an integer
    lowest, highest = np.floor(bottom).astype(np.int64), np.ceil(top).astype(np.int64)
    last = highest - lowest
    first = np.where(from_above, highest - last, lowest)
    begin, end = int(interval[0] == "("), last + (interval[1] == "]")
    if (end <= begin).any():
        return None
    return Grids(first + begin, end - begin, unit, np.where(from_above, 0, last) - begin, bound)


class UniformRanges(Ranges):
    """`Between` of which each element has bounds of its own."""

    dtypes = WITH_ROUNDED
    wanted: ClassVar = (*LIMITS, *FLOATS)
    defaults: ClassVar = {"low": 0.0, "high": 1.0}

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: D102  # as inherited
        return Between().fits_half(dtype) if self._whole is None else self._whole.of_halves

    def _checked(self, low: Column | None, high: Column | None) -> tuple[Column, Column] | None:
        if low is None or high is None or self._given.get("interval", "[)") not in INTERVALS:
            return None
        low, high = low.astype(np.float64), high.astype(np.float64)
        return (low, high) if (np.isfinite(low) & np.isfinite(high) & (low < high)).all() else None

    def numpys(self, dtype: np.dtype[Any]) -> Transform | None:  # noqa: D102  # as inherited
        if dtype != np.float64 or self._given.get("interval", "[)") != "[)":
            return None
        if self._bounds is None:
            return self._by_laws.numpys(dtype)
        low, high = self._bounds
        with np.errstate(over="ignore"):
            width = high - low
        if not np.isfinite(width).all():
            return self._by_laws.numpys(dtype)

        def make(law: int) -> Transform:
            return stretched(float(low[law]), float(high[law]))

        return self._by_element(np.zeros(low.size, np.int64), {"width": width, "low": low}, make, dtype)

    def _made(self, low: Column, high: Column, raw_values: int, dtype: np.dtype[Any]) -> ByElement | None:
        interval = self._given.get("interval", "[)")
        found = grids(low, high, interval, dtype) if dtype.name in REALS else None
        if found is None:
            return None
        few = found.count > min(raw_values ** (1 if dtype == np.float32 else digits(raw_values)), LARGEST)
        closed = few & (interval == "[]")
        n = found.count.astype(np.uint64)
        kinds, quotients = index_kinds(n, raw_values)
        within = (found.special >= 0) & (found.special < found.count)

        def make(law: int) -> Transform:
            return interval_transform(float(low[law]), float(high[law]), interval, raw_values, dtype)

        given = {
            "last": n - np.uint64(1) - closed.astype(np.uint64), "low": np.zeros_like(n), "quotient": quotients,
            "least_number": found.first, "unit": found.unit, "bound": found.bound,
            "special": np.where(within, found.special.astype(np.uint64), NOWHERE),
        }  # fmt: skip
        return self._by_element(kinds + 4 * (few & (interval[1] == "]")), given, make, dtype)


RANGES: Mapping[Any, type[Ranges]] = {Between: UniformRanges, Integers: IntegerRanges}
"""By the class of a law."""
