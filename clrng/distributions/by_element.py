"""Distributions whose parameters are arrays: a law for each combination of parameters, one of which an element has."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from math import inf
from numbers import Integral, Real
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.catalog import by_name
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.quantiles.elementary import exp
from clrng.distributions.transforms.by_element import ByElement, InParts, Varying, by_element
from clrng.distributions.transforms.in_ranges import Bounds
from clrng.distributions.transforms.transform import Table, Transform

MAX_LAWS = 2**16
"""So many continuous distributions have tables at a time."""

MAX_TABLE_BYTES = 2**28
"""The bytes of tables at a time, each of which is counted once; a larger one is there alone."""

MAX_KEPT, MAX_KEPT_BYTES = 16, 2**25
"""What laws have in common is kept for so many later calls, if their tables have at most so many bytes."""

TRIED = 64
"""Where the first so many different elements have errors, all are taken to have one."""

Made = TypeVar("Made")

_kept: "OrderedDict[Hashable, ByElement]" = OrderedDict()
_lock = Lock()


class Look:
    """Looks at arrays of parameters; those of a device are another class's."""

    def distinct(self, array: Any) -> tuple[Any, Any]:
        """Return the distinct values in order, and the number of that of every element."""
        values = np.unique(array)
        return values, np.searchsorted(values, array)

    def pairs(self, first: Any, second: Any, count: int, size: int) -> tuple[Any, Any]:  # noqa: ARG002  # others do
        """Return the distinct numbers first * size + second in order, and the number of that of every element.

        Numbers are below `count` in the first of two arrays, and below `size` in the second.
        """
        return self.distinct(self.on_host(first).astype(np.int64) * size + self.on_host(second))

    def near(self, array: Any) -> Any:
        """Return an array where it is looked at fastest."""
        return array

    def extremes(self, array: Any) -> tuple[Any, Any]:
        """Return the minimum and the maximum; if there are NaNs, one of them is a NaN."""
        return array.min(), array.max()

    def extremes_of(self, several: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
        """Return the minimum and the maximum of each array; a device looks at all of them before this waits."""
        return {key: self.extremes(array) for key, array in several.items()}

    def on_host(self, array: Any) -> Any:
        """Return an array of the host."""
        return array

    def ratios(self, over: Any, under: Any) -> Any:
        """Return over/under of two arrays of float32 or float64 that are broadcast, each rounded once to float64."""
        return np.asarray(self.on_host(over).astype(np.float64) / self.on_host(under).astype(np.float64))

    def exponentials(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """Return exp(x) for the x of an array of float32 or float64, in double precision and then as `dtype`."""
        return exp(self.on_host(array).astype(np.float64)).astype(dtype)

    def rounded(self, array: Any, dtype: np.dtype[Any]) -> Any:
        """Return an array of real numbers as `dtype`, float32 or float64: the nearest of them."""
        with np.errstate(over="ignore"):
            return self.on_host(array).astype(dtype)

    def sizes(self, bounds: Bounds, low: Any, high: Any) -> tuple[int, int]:
        """Return the least and the largest of the sizes of all bounds; one of 0 says that bounds are not taken."""
        sizes = bounds.sizes(self.on_host(low), self.on_host(high))
        return int(sizes.min()), int(sizes.max())

    def are_triangles(self, held: Sequence[Any], most: float) -> bool:  # noqa: ARG002  # others do
        """Return whether all left ends, modes and right ends are legal and from -`most` to `most`, if it can tell."""
        return False

    def reads(self, dtype: np.dtype[Any]) -> bool:  # noqa: ARG002  # others do
        """Return whether kernels read floats of a dtype."""
        return True

    def taken(self, array: Any) -> Any:  # noqa: ARG002  # others do
        """Return an array of a device that it looks at there, or None."""
        return None


LOOK = Look()


@dataclass(frozen=True)
class Whole:
    """What a part of an array must know of the whole one: whether values are made of halves of raw values.

    `begins` has the place of each of the arrays of parameters, which are parts too, in the whole array; `shapes` are
    those of the whole ones.
    """

    of_halves: bool
    begins: Mapping[str, tuple[int, ...]]
    shapes: Mapping[str, tuple[int, ...]]


class Numbered(NamedTuple):
    """The combinations of elements of arrays that are broadcast, each of which is there once and has a number."""

    names: tuple[str, ...]
    columns: tuple[npt.NDArray[Any], ...]
    """What each array has in the combinations, on the host."""
    codes: Any
    """The number of the combination of every element: an array of the host, or of a device if it was found there."""

    @property
    def rows(self) -> list[tuple[tuple[str, Any], ...]]:
        """The combinations, each with the names."""
        pairs = (
            [(name, value) for value in column.tolist()] for name, column in zip(self.names, self.columns, strict=True)
        )
        return list(zip(*pairs, strict=True))


def numbered(arrays: Mapping[str, Any], look: Look = LOOK) -> Numbered:
    """Return the combinations of elements of arrays that `look` looks at."""
    columns: list[npt.NDArray[Any]] = []
    codes: Any = None
    for array in arrays.values():
        values, own = look.distinct(array)
        if not columns:
            columns, codes = [values], own
            continue
        both, codes = look.pairs(codes, own, columns[0].size, values.size)
        before, last = np.divmod(both, values.size)
        columns = [*(column[before] for column in columns), values[last]]
    return Numbered(tuple(arrays), tuple(columns), codes if codes.dtype == np.uint32 else codes.astype(np.uint32))


class Coded(Distribution):
    """Distributions of which every element has one: that of its number in `codes`, which are broadcast to `shape`.

    An element has the value that its distribution makes of the same raw values.
    """

    reused = False  # Its transforms are large

    def __init__(
        self, laws: Sequence[Distribution], codes: Any, shape: tuple[int, ...], of_halves: bool | None = None
    ) -> None:
        self.laws, self.codes, self.shape, self._of_halves = laws, codes, shape, of_halves

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return self.laws[0].dtypes

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: D102  # as inherited
        return all(law.fits_half(dtype) for law in self.laws) if self._of_halves is None else self._of_halves

    def numpys(self, dtype: np.dtype[Any]) -> Transform | None:  # noqa: D102  # as inherited
        found = [law.numpys(dtype) for law in self.laws]
        return None if None in found else self._transform(found, dtype)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        key = tuple(self.laws), min_value, upper_bound, dtype
        with _lock:
            kept = _kept.get(key)
        if kept is not None:
            return replace(kept, of_halves=self.fits_half(dtype), each=self.codes, shape=self.shape)
        made = self._made(min_value, upper_bound, dtype)
        if isinstance(made, ByElement) and made.nbytes <= MAX_KEPT_BYTES:
            with _lock:
                _kept[key] = replace(made, each=np.zeros((), np.uint32), shape=())
                if len(_kept) > MAX_KEPT:
                    _kept.popitem(last=False)
        return made

    def _made(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:
        """Return what `transform` does."""

        def make(law: Distribution) -> Transform:
            return law.transform(min_value, upper_bound, dtype)

        if not all(isinstance(law, Continuous) for law in self.laws):
            return self._transform(self._of_each(make, self.laws), dtype)
        self._of_each(lambda law: law.check_size(dtype), self.laws)
        first = next(parts_of(self._in_turn(make, 0)))
        if len(first) == len(self.laws):
            return self._transform(first, dtype)

        def parts() -> Iterator[ByElement]:
            begin = 0
            for part in chain([first], parts_of(self._in_turn(make, len(first)))):
                yield self._transform(part, dtype, begin)
                begin += len(part)

        return InParts(
            "in_parts", dtype, first[0].steps, {}, self.fits_half(dtype), self.codes, self.shape, parts=parts
        )

    def _transform(self, found: Sequence[Any], dtype: np.dtype[Any], begin: int = 0) -> ByElement:
        of_halves, whole = self.fits_half(dtype), (begin, len(self.laws))
        return by_element(found, self.codes, self.shape, whole, of_halves=of_halves)

    def _of_each(self, make: Callable[[Any], Made], given: Sequence[Any], begin: int = 0) -> list[Made]:
        """Return what `make` makes of each of what is given, from number `begin` on; or raise what `_error` gives."""
        made: list[Made] = []
        errors: dict[int, Exception] = {}
        for number, each in enumerate(given, begin):
            try:
                made.append(make(each))
            except (TypeError, ValueError) as error:  # noqa: PERF203  # each may have its own
                errors[number] = error
        if errors:
            raise self._error(errors) from None
        return made

    def _in_turn(self, make: Callable[[Any], Made], begin: int) -> Iterator[Made]:
        """Yield what `make` makes of each law from number `begin` on."""
        for number in range(begin, len(self.laws)):
            yield self._of_each(make, self.laws[number : number + 1], number)[0]

    def _error(self, errors: Mapping[int, Exception]) -> Exception:
        """Return the error that is raised where some laws, by number, have errors."""
        return next(iter(errors.values()))


class ByElements(Coded):
    """A distribution by name, whose parameters are arrays that are broadcast to the shape of the values.

    An element has the value that the distribution with its parameters makes of the same raw values. `given` are all the
    parameters, and `arrays` those that are arrays, which `look` looks at; `shape` is that of the values, which may be
    part of a `whole` array. `law` makes the distribution of a combination, if the name does not, and `found` are the
    combinations if they are known. Errors say which element is the first that is not legal.
    """

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Mapping[str, Any], shape: tuple[int, ...],
        whole: Whole | None = None, look: Look = LOOK, law: Callable[[Any], Distribution] | None = None,
        found: Numbered | None = None,
    ) -> None:  # fmt: skip
        found = found or numbered(arrays, look)
        self._arrays, self._look, self._begins = arrays, look, whole.begins if whole else {}
        self._others = {key: value for key, value in given.items() if key not in arrays}
        others = tuple(self._others.items())
        self._count = len(found.rows)
        super().__init__((), found.codes, shape, whole.of_halves if whole else None)
        self.laws = self._of_each(law or (lambda values: law_of(name, values, others)), found.rows)

    def _error(self, errors: Mapping[int, Exception]) -> Exception:
        codes = self._look.on_host(self.codes)
        place = int(np.isin(codes, list(errors)).argmax())
        others = self._others if len(errors) == self._count else ()
        return placed(errors[int(codes.flat[place])], place, self._arrays, others, self._begins)


def refuse(
    name: str, given: Mapping[str, Any], arrays: Mapping[str, Any], legal: npt.NDArray[np.bool_],
    whole: Whole | None = None, look: Look = LOOK, check: Callable[[Distribution], object] | None = None,
) -> None:  # fmt: skip
    """Raise the error of the first element that has one, as `ByElements` does.

    Elements that are `legal`, in an array that is broadcast with those of the parameters, have none; others may have
    none either. `check`, which is called with the distribution of an element, may raise the error.
    """
    common = np.broadcast_shapes(*(each.shape for each in arrays.values()))
    places = np.flatnonzero(~np.broadcast_to(legal, common))
    columns = (np.broadcast_to(look.on_host(each), common).flat[places].tolist() for each in arrays.values())
    others = {key: value for key, value in given.items() if key not in arrays}
    different: dict[tuple[Any, ...], int] = {}
    for values, place in zip(zip(*columns, strict=True), places.tolist(), strict=True):
        different.setdefault(values, place)
    errors: dict[int, Exception] = {}
    for values, place in different.items():
        try:
            law = law_of(name, tuple(zip(arrays, values, strict=True)), tuple(others.items()))
            if check is not None:
                check(law)
        except (TypeError, ValueError) as error:
            errors[place] = error
        if errors and (len(errors) == TRIED or np.any(legal)):
            break
    if errors:
        place, first = next(iter(errors.items()))
        of_all = others if len(errors) == min(len(different), TRIED) and not np.any(legal) else ()
        raise placed(first, place, arrays, of_all, whole.begins if whole else {})


def placed(
    error: Exception, place: int, arrays: Mapping[str, Any], others: Iterable[str],
    begins: Mapping[str, tuple[int, ...]],
) -> Exception:  # fmt: skip
    """Return an error that says which element has it: that at a place of the arrays, as they are broadcast.

    An error of one of the `others` is that of every element. `begins` are those of `Whole`.
    """
    name = str(error).partition(" ")[0]
    if name in others:
        return error
    index = tuple(map(int, np.unravel_index(place, np.broadcast_shapes(*(each.shape for each in arrays.values())))))
    what = " and ".join(arrays) if len(arrays) == 1 else f"{' and '.join(arrays)} together"
    if name in arrays:
        shape = arrays[name].shape
        own = index[len(index) - len(shape) :]
        index, what = tuple(i % size for i, size in zip(own, shape, strict=True)), name
        begins = {name: begins[name]} if begins else {}
    aligned = [(0,) * (len(index) - len(begin)) + begin for begin in begins.values()]
    index = tuple(i + max(each) for i, *each in zip(index, (0,) * len(index), *aligned, strict=True))
    said, *instead = str(error).split("; ")
    if index and isinstance(error, TypeError):  # NumPy refuses arrays of floats too where it truncates one
        instead = []
    return type(error)("; ".join([said + validation.of_element(what, index), *instead]))


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


def law_of(name: str, values: tuple[tuple[str, Any], ...], others: tuple[tuple[str, Any], ...]) -> Distribution:
    """Return a distribution by its parameters; it is cached."""
    names, numbers = zip(*values, *others, strict=True)
    return _law_of(name, names, *numbers)


@lru_cache(maxsize=4096, typed=True)  # an integer is legal where an equal float is not
def _law_of(name: str, names: tuple[str, ...], *numbers: Any) -> Distribution:
    return by_name(name, **dict(zip(names, numbers, strict=True)))


def numbers_of(name: str, value: Any) -> Any:
    """Return an array of real numbers that `value` is, or raise an error that calls it `name`.

    It is of the host if `value` is not an array of a device; of a masked array it is the data. Truth values of arrays
    are 0 and 1. Integers that no dtype of integers holds together are those of Python, in an array of objects.
    """
    is_one = isinstance(getattr(value, "dtype", None), np.dtype) and hasattr(value, "reshape")
    found = value if is_one and not isinstance(value, np.ndarray) else real_numbers(value)
    if found is None or (found is value and found.dtype.kind not in "iuf"):
        raise TypeError(f"{name} must be a real number or an array of real numbers, not {validation.shown(value)}")
    return found


def zeros_and_ones(array: Any) -> Any:
    """Return an array of truth values, of any axes but none, as one of the integers 0 and 1, and others as they are."""
    return array.view(np.uint8) if array.dtype == np.bool_ and array.ndim else array


def real_numbers(value: Any) -> npt.NDArray[Any] | None:
    """Return an array of the host of real numbers, or of Python's integers as objects; None if `value` is no such.

    Truth values in an array or a list are 0 and 1. Numbers that are no integers, such as fractions and decimal numbers,
    are rounded to float64.
    """
    try:
        found = np.asarray(value)
        if found.dtype.kind == "O" or (found.dtype.kind == "f" and isinstance(value, (list, tuple))):
            found = _of_objects(np.asarray(value, object), found)
    except Exception:  # noqa: BLE001  # rows of several lengths, and whatever somebody's class raises
        return None
    if found.dtype.name == "bfloat16":
        return found.astype(np.float32)
    found = zeros_and_ones(found)
    return found if found.dtype.kind in "iuf" or _are(found, int) else None


def _of_objects(objects: npt.NDArray[Any], found: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return `objects` as Python's integers if all are integers, or as float64 if all are real numbers.

    If they are neither, it is `found`, what NumPy makes of them.
    """
    if _are(objects, Integral):
        return np.array([*map(int, objects.flat)], object).reshape(objects.shape)
    if found.dtype.kind == "f" or not _are(objects, (Real, Decimal)):
        return found
    return in_double(objects)


def _are(objects: npt.NDArray[Any], kinds: Any) -> bool:
    """Return whether all objects are of these kinds, and a single one no truth value."""
    types = set(map(type, objects.flat)) if objects.dtype == object else ()
    return bool(types) and all(issubclass(each, kinds) and (objects.ndim or each is not bool) for each in types)


def in_double(objects: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return objects that are real numbers as float64; those that are too large become infinite."""

    def one(value: Any) -> float:
        try:
            return float(value)
        except OverflowError:
            return inf if value > 0 else -inf

    return np.array([*map(one, objects.flat)]).reshape(objects.shape)
