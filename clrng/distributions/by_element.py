"""Distributions whose parameters are arrays: a law for each combination of parameters, one of which an element has."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.catalog import DISTRIBUTIONS
from clrng.distributions.catalog import distribution as by_name
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.transforms.by_element import ByElement, InParts, Varying, by_element
from clrng.distributions.transforms.transform import Table, Transform

MAX_LAWS = 2**16
"""So many continuous distributions have tables at a time."""

MAX_TABLE_BYTES = 2**28
"""The bytes of tables at a time, each of which is counted once; a larger one is there alone."""

Made = TypeVar("Made")


class ByElements(Distribution):
    """A distribution by name, whose parameters are arrays of the host that are broadcast to the shape of the values.

    An element has the value that the distribution with its parameters makes of the same raw values. `given` are all the
    parameters, and `arrays` those that are arrays; `shape` is that of the values.
    """

    reused = False  # Its transforms are large

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], shape: tuple[int, ...]
    ) -> None:
        found, self._codes = combinations(arrays)
        self._arrays, self.shape = arrays, shape
        self._others = {key: value for key, value in given.items() if key not in arrays}
        self._name = name
        self._laws = self._of_each(self._law, found)

    def _law(self, values: tuple[tuple[str, Any], ...]) -> Distribution:
        """Return the distribution with one combination of what arrays have."""
        return law_of(self._name, values, tuple(self._others.items()))

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return self._laws[0].dtypes

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: D102  # as inherited
        return all(law.fits_half(dtype) for law in self._laws)

    def numpys(self, dtype: np.dtype[Any]) -> Transform | None:  # noqa: D102  # as inherited
        found = [law.numpys(dtype) for law in self._laws]
        return None if None in found else self._transform(found, dtype)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        def make(law: Distribution) -> Transform:
            return law.transform(min_value, upper_bound, dtype)

        if not all(isinstance(law, Continuous) for law in self._laws):
            return self._transform(self._of_each(make, self._laws), dtype)
        self._of_each(lambda law: law.check_size(dtype), self._laws)
        first = next(parts_of(map(make, self._laws)))
        if len(first) == len(self._laws):
            return self._transform(first, dtype)

        def parts() -> Iterator[ByElement]:
            begin = 0
            for part in chain([first], parts_of(map(make, self._laws[len(first) :]))):
                yield self._transform(part, dtype, begin)
                begin += len(part)

        return InParts(
            "in_parts", dtype, first[0].steps, {}, self.fits_half(dtype), self._codes, self.shape, parts=parts
        )

    def _transform(self, found: Sequence[Any], dtype: np.dtype[Any], begin: int = 0) -> ByElement:
        of_halves, whole = self.fits_half(dtype), (begin, len(self._laws))
        return by_element(found, self._codes, self.shape, whole, of_halves=of_halves)

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
            place = int(np.isin(self._codes, list(errors)).argmax())
            raise placed(errors[int(self._codes.flat[place])], place, self._arrays, self._others) from None
        return made


def placed(error: Exception, place: int, arrays: Mapping[str, npt.NDArray[Any]], others: Iterable[str]) -> Exception:
    """Return an error that says which element has it: that at a place of the arrays, as they are broadcast."""
    name = str(error).partition(" ")[0]
    if name in others:
        return error
    index = tuple(map(int, np.unravel_index(place, np.broadcast_shapes(*(each.shape for each in arrays.values())))))
    what = " and ".join(arrays) if len(arrays) == 1 else f"{' and '.join(arrays)} together"
    if name in arrays:
        shape = arrays[name].shape
        own = index[len(index) - len(shape) :]
        index, what = tuple(i % size for i, size in zip(own, shape, strict=True)), name
    shown = index[0] if len(index) == 1 else index
    return type(error)(f"{error}, as element {shown} of {what} has it" if index else str(error))


def parts_of(made: Iterable[Transform]) -> Iterator[list[Transform]]:
    """Yield as many transforms as have tables at a time, and then those that follow."""
    part: list[Transform] = []
    tables: set[Table] = set()
    nbytes = 0
    for each in made:
        own = {table for table in each.arguments if isinstance(table, Table)}
        more = sum(table.numbers.nbytes for table in own - tables)
        if part and (nbytes + more > MAX_TABLE_BYTES or len(part) >= MAX_LAWS):
            yield part
            part, tables, nbytes = [], set(), 0
        part.append(each)
        tables |= own
        nbytes += more
    yield part


@lru_cache(maxsize=4096)
def law_of(name: str, values: tuple[tuple[str, Any], ...], others: tuple[tuple[str, Any], ...]) -> Distribution:
    """Return a distribution by its parameters; it is cached."""
    return by_name(name, **dict(values), **dict(others))


def takes_arrays(name: str, parameters: Mapping[str, Any]) -> bool:
    """Return whether `name` is a distribution of which all these parameters are single numbers."""
    if name not in DISTRIBUTIONS:
        return False
    kinds = {each.name: each.kind for each in DISTRIBUTIONS[name].parameters}
    return all(kinds.get(key) in {"number", "integer"} for key in parameters)


def combinations(
    arrays: Mapping[str, npt.NDArray[Any]],
) -> tuple[list[tuple[tuple[str, Any], ...]], npt.NDArray[np.uint32]]:
    """Return the different combinations of elements of arrays, and the number of that of every element."""
    numbers, places = numbered(list(arrays.values()))
    flat = [np.broadcast_to(array, numbers.shape).flat[places] for array in arrays.values()]
    columns = [[(key, value) for value in each.tolist()] for key, each in zip(arrays, flat, strict=True)]
    return list(zip(*columns, strict=True)), numbers.astype(np.uint32)


def numbered(arrays: Sequence[npt.NDArray[Any]]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return a number for each combination of elements of arrays, counted from 0, and where each is found first."""
    numbers: npt.NDArray[Any] = np.zeros((), np.int64)
    places: npt.NDArray[Any] = np.zeros(1, np.int64)
    for array in arrays:
        values, codes = np.unique(array, return_inverse=True)
        both = numbers * values.size + codes.reshape(array.shape)
        _, places, numbers = np.unique(both, return_index=True, return_inverse=True)
        numbers = numbers.reshape(both.shape)
    return numbers, places


def numbers_of(name: str, value: Any) -> npt.NDArray[Any]:
    """Return an array of the host of real numbers that `value` is, or raise an error that calls it `name`.

    Integers that no dtype of integers holds together are those of Python, in an array of objects.
    """
    try:
        found = np.asarray(value)
        if found.dtype.kind == "O" or (found.dtype.kind == "f" and isinstance(value, (list, tuple))):
            objects = np.asarray(value, object)
            if objects.size and all(type(each) is int for each in objects.flat):
                return objects
    except ValueError:  # rows of several lengths
        found = np.array(None)
    if found.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a real number or an array of real numbers, not {validation.shown(value)}")
    return found
