"""Distributions whose parameters are arrays: a law for each combination of parameters, one of which an element has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions import discrete
from clrng.distributions.catalog import by_name, like
from clrng.distributions.distribution import Distribution
from clrng.distributions.foreign import FrozenArrays
from clrng.distributions.transforms import poisson
from clrng.distributions.transforms.by_element import ByElement, Varying, by_element
from clrng.distributions.transforms.poisson import PoissonByElement
from clrng.distributions.transforms.transform import Table, Transform
from clrng.distributions.transforms.uniform import digits

MAX_COMBINATIONS = 2**16
"""The maximum number of different combinations of parameters in a call: each has a table."""

MAX_TABLE_BYTES = 2**31
"""The maximum of the bytes of all their tables, each of which is counted once."""

FEW = 2**10
"""Up to so many means of Poisson numbers have tables of their own, if there are no more of them."""

SHORT = 2
"""Bytes of the largest integers that all are float32."""

Made = TypeVar("Made")


class Look:
    """Looks at arrays of parameters; those of a device are another class's."""

    def distinct(self, array: Any) -> tuple[Any, Any]:
        """Return the distinct values in order, and the number of that of every element."""
        values = np.unique(array)
        return values, np.searchsorted(values, array)

    def extremes(self, array: Any) -> tuple[Any, Any]:
        """Return the minimum and the maximum; if there are NaNs, one of them is a NaN."""
        return array.min(), array.max()

    def on_host(self, array: Any) -> Any:
        """Return an array of the host."""
        return array

    def taken(self, array: Any) -> Any:  # noqa: ARG002  # others do
        """Return an array of a device that it looks at there, or None."""
        return None


LOOK = Look()


@dataclass(frozen=True)
class Whole:
    """What a part of an array must know of the whole one: whether values are made of halves of raw values.

    `begins` has the place of each of the arrays of parameters, which are parts too, in the whole array.
    """

    of_halves: bool
    begins: Mapping[str, tuple[int, ...]]


class ByElements(Distribution):
    """A distribution by name, whose parameters are arrays of the host that are broadcast to the shape of the values.

    An element has the value that the distribution with its parameters makes of the same raw values. `given` are all the
    parameters, and `arrays` those that are arrays; `shape` is that of the values, which may be part of a `whole` array.
    """

    reused = False  # Its transforms are large

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], shape: tuple[int, ...],
        whole: Whole | None = None, look: Look = LOOK, law: Callable[[Any], Distribution] | None = None,
    ) -> None:  # fmt: skip
        self._whole, self._look = whole, look
        self._combinations, self.codes = _combinations(name, arrays, look)
        self._arrays, self.shape = arrays, shape
        self._others = {key: value for key, value in given.items() if key not in arrays}
        others = tuple(self._others.items())
        self.laws = self._of_each(law or (lambda values: _law(name, values, others)), self._combinations)

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return self.laws[0].dtypes

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: D102  # as inherited
        return all(law.fits_half(dtype) for law in self.laws) if self._whole is None else self._whole.of_halves

    def numpys(self, dtype: np.dtype[Any]) -> Transform | None:  # noqa: D102  # as inherited
        found = [law.numpys(dtype) for law in self.laws]
        return None if None in found else self._transform(found, dtype)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> ByElement:  # noqa: D102
        tables: set[Table] = set()
        nbytes = 0

        def make(law: Distribution) -> Transform:
            nonlocal nbytes
            made = law.transform(min_value, upper_bound, dtype)
            new = {each for each in made.arguments if isinstance(each, Table)} - tables
            tables.update(new)
            nbytes += sum(each.numbers.nbytes for each in new)
            if nbytes > MAX_TABLE_BYTES:
                names, different = " and ".join(self._arrays), _different(self._arrays)
                raise MemoryError(
                    f"{names} must have fewer different {different}: the tables of some of the {len(self.laws)} take "
                    f"more than {MAX_TABLE_BYTES} bytes"
                )
            return made

        return self._transform(self._of_each(make, self.laws), dtype)

    def _transform(self, found: Sequence[Any], dtype: np.dtype[Any]) -> ByElement:
        return by_element(found, self.codes, self.shape, of_halves=self.fits_half(dtype))

    def _of_each(self, make: Callable[[Any], Made], given: Sequence[Any]) -> list[Made]:
        """Return what `make` makes of each combination; errors say which element is the first that is not legal."""
        made: list[Made] = []
        errors: dict[int, Exception] = {}
        for number, each in enumerate(given):
            try:
                made.append(make(each))
            except (TypeError, ValueError) as error:  # noqa: PERF203  # each combination may have its own
                errors[number] = error
        if errors:
            raise self._placed(errors) from None
        return made

    def _placed(self, errors: Mapping[int, Exception]) -> Exception:
        """Return the error of the first element that has one, of combinations by number; it says where that is."""
        codes = self._look.on_host(self.codes)
        place = int(np.isin(codes, list(errors)).argmax())
        number = int(codes.flat[place])
        error, values = errors[number], dict(self._combinations[number])
        name = str(error).partition(" ")[0]
        if name in self._others:
            return error
        index = tuple(map(int, np.unravel_index(place, codes.shape)))
        what = " and ".join(values) if len(values) == 1 else f"{' and '.join(values)} together"
        begins = self._whole.begins if self._whole else {}
        if name in values:
            shape = self._arrays[name].shape
            own = index[len(index) - len(shape) :]
            index, what = tuple(i % size for i, size in zip(own, shape, strict=True)), name
            begins = {name: begins[name]} if begins else {}
        aligned = [(0,) * (len(index) - len(begin)) + begin for begin in begins.values()]
        index = tuple(i + max(each) for i, *each in zip(index, (0,) * len(index), *aligned, strict=True))
        shown = index[0] if len(index) == 1 else index
        return type(error)(f"{error}, as element {shown} of {what} has it" if index else str(error))


class Coded(Distribution):
    """Distributions of which every element has one: that of its number in `codes`, which are broadcast to `shape`."""

    reused = False

    def __init__(
        self, laws: Sequence[Distribution], codes: npt.NDArray[Any], shape: tuple[int, ...], *, of_halves: bool
    ) -> None:
        numbers, found = np.unique(codes, return_inverse=True)
        self._laws: list[Distribution] = [laws[number] for number in numbers.tolist()]
        self._codes, self._shape, self._of_halves = found.reshape(codes.shape).astype(np.uint32), shape, of_halves

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return self._laws[0].dtypes

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: ARG002, D102  # as inherited
        return self._of_halves

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> ByElement:  # noqa: D102
        found = [law.transform(min_value, upper_bound, dtype) for law in self._laws]
        return by_element(found, self._codes, self._shape, of_halves=self._of_halves)


@lru_cache(maxsize=4096)
def _law(name: str, values: tuple[tuple[str, Any], ...], others: tuple[tuple[str, Any], ...]) -> Distribution:
    return by_name(name, **dict(values), **dict(others))


class PoissonArray(Distribution):
    """Poisson numbers whose means are an array of the host that is broadcast to the shape of the values.

    An element has the value that the distribution with its mean makes of the same raw values.
    """

    dtypes = discrete.Poisson.dtypes
    reused = False

    def __init__(self, lam: Any, shape: tuple[int, ...], whole: Whole | None = None, look: Look = LOOK) -> None:
        self._lam, self._shape, self._whole, self._look = lam, shape, whole, look
        least, self._largest = map(float, look.extremes(lam))
        if not (least >= 0 and self._largest < np.inf):
            lam = look.on_host(lam)
            legal = (lam >= 0) & (lam < np.inf)
            first = legal.argmin()
            alone = np.zeros_like(lam)
            alone.flat[first] = lam.flat[first]
            ByElements("poisson", {}, {"lam": alone}, shape, whole)  # which raises an error

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        raw_values = upper_bound - min_value
        steps, largest = digits(raw_values), self._largest
        if raw_values**steps < poisson.MIN_NUMBERS or not largest < 2.0 ** (poisson.MAX_OCTAVE + 1):
            return self._by_tables.transform(min_value, upper_bound, dtype)
        ByElements("poisson", {}, {"lam": np.array(largest)}, ()).transform(min_value, upper_bound, dtype)
        octave = poisson.octave_of(largest)
        short = self._lam.dtype.itemsize <= SHORT or self._lam.dtype == np.float32
        means = self._lam
        if isinstance(means, np.ndarray) or means.dtype.kind != "f":
            means = self._look.on_host(means).astype(np.float32 if short else np.float64)
        return PoissonByElement("poisson", dtype, steps, {}, False, means, self._shape, octave=octave)

    @cached_property
    def _by_tables(self) -> ByElements:
        return ByElements("poisson", {}, {"lam": self._lam}, self._shape, self._whole, self._look)


def by_elements(
    name: str, given: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], shape: tuple[int, ...],
    whole: Whole | None = None, look: Look = LOOK,
) -> Distribution:  # fmt: skip
    """Return the distribution of elements whose parameters are `given`, some of them as arrays that `look` looks at."""
    if not all(array.size for array in arrays.values()):  # nothing is drawn: one of the same dtypes will do
        return like(name)
    if name == "poisson" and arrays["lam"].size > FEW:
        return PoissonArray(arrays["lam"], shape, whole, look)
    return ByElements(name, given, arrays, shape, whole, look)


def of_frozen(chosen: FrozenArrays, shape: tuple[int, ...], look: Look = LOOK) -> Distribution:
    """Return the distribution of elements whose parameters are those of a frozen distribution of SciPy."""
    if not all(array.size for array in chosen.arrays.values()):
        return like(chosen.kin)
    return ByElements(chosen.name, chosen.others, chosen.arrays, shape, look=look, law=chosen.law)


def _different(arrays: Mapping[str, Any]) -> str:
    return "values" if len(arrays) == 1 else "combinations"


def _combinations(
    name: str, arrays: Mapping[str, npt.NDArray[Any]], look: Look
) -> tuple[list[tuple[tuple[str, Any], ...]], Any]:
    """Return the different combinations of elements of arrays, and the number of that of every element."""
    distinct, codes = [], []
    for array in arrays.values():
        values, of_each = look.distinct(array)
        distinct.append(values)
        codes.append(of_each)
    if len(arrays) == 1:
        numbers, combined = np.arange(distinct[0].size), codes[0]
    else:
        sizes, held = tuple(each.size for each in distinct), np.broadcast_arrays(*map(look.on_host, codes))
        numbers, combined = look.distinct(np.ravel_multi_index(held, sizes))
    if numbers.size > MAX_COMBINATIONS:
        unless = ", unless all are below 65536 and N is 2^48 or more" if name == "poisson" else ""
        raise ValueError(
            f"{' and '.join(arrays)} must have at most {MAX_COMBINATIONS} different {_different(arrays)}, as {name} "
            f"needs a table for each{unless}, not {numbers.size}"
        )
    places = np.unravel_index(numbers, [each.size for each in distinct])
    columns = [
        [(key, value) for value in each[at].tolist()] for key, each, at in zip(arrays, distinct, places, strict=True)
    ]
    return list(zip(*columns, strict=True)), combined if combined.dtype == np.uint32 else combined.astype(np.uint32)


def numbers_of(name: str, value: Any) -> Any:
    """Return an array of real numbers that `value` is, or raise an error that calls it `name`.

    It is of the host if `value` is not an array of a device. Integers that no dtype of integers holds together are
    those of Python, in an array of objects.
    """
    try:
        found = value if isinstance(getattr(value, "dtype", None), np.dtype) else np.asarray(value)
        if found.dtype.kind in "Of" and isinstance(value, (list, tuple)):
            objects = np.asarray(value, object)
            if objects.size and all(type(each) is int for each in objects.flat):
                return objects
    except ValueError:  # rows of several lengths
        found = np.array(None)
    if found.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a real number or an array of real numbers, not {validation.shown(value)}")
    return found
