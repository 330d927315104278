"""Distributions whose parameters are arrays, by name: which way their values are made."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from math import inf, prod
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from clrng.distributions import discrete, large_means, masses, on_host
from clrng.distributions.by_element import LOOK, ByElements, Look, Whole, law_of, numbered, placed, refuse
from clrng.distributions.catalog import DISTRIBUTIONS, like
from clrng.distributions.distribution import Distribution
from clrng.distributions.foreign import FrozenArrays
from clrng.distributions.noncentral import OfNoncentral
from clrng.distributions.on_host import OnHost
from clrng.distributions.pairs import PAIRS, OfPairs
from clrng.distributions.parameters import Range
from clrng.distributions.ranges import RANGES
from clrng.distributions.shapes import SURFACES, OfShapes
from clrng.distributions.transforms import binomial_near, negative_binomial_near, poisson
from clrng.distributions.transforms.binomial_near import BinomialByElement
from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.geometric_near import GeometricByElement
from clrng.distributions.transforms.hypergeometric import LONGEST, SHORT, HypergeometricByElement, longest
from clrng.distributions.transforms.near import NearByElement
from clrng.distributions.transforms.negative_binomial_near import NegativeBinomialByElement
from clrng.distributions.transforms.poisson_near import LARGEST, MEANS, PoissonByElement, farthest
from clrng.distributions.transforms.transform import Transform
from clrng.distributions.transforms.uniform import digits
from clrng.distributions.triangles import OfTriangles
from clrng.validation import name_of

MAX_TABLES = 2**16
"""The maximum number of discrete distributions that have tables; of more the host makes the values."""

FEW = 2**10
"""Up to so many always have tables. So have up to so many elements of the distributions of `OF_MANY`."""

PER_LAW = 64
"""More have tables where there are so many values of each: of fewer the host makes these sooner than tables."""

WIDE = 0.7 * masses.MAX_ENTRIES
"""Masses that spread as far as this may be too many for a table; the table itself shows whether they are."""

Arrays = Mapping[str, Any]
"""Arrays of parameters by name, of the host or what a `Look` looks at."""


class DiscreteElements(Distribution):
    """A discrete distribution by name whose parameters are arrays: by tables, or made by the host without them.

    An element has the value that the distribution with its parameters makes of the same raw values, either way. What is
    given is as for `ByElements`.
    """

    dtypes = discrete.Discrete.dtypes
    reused = False

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Arrays, shape: tuple[int, ...], whole: Whole | None = None,
        look: Look = LOOK,
    ) -> None:  # fmt: skip
        self._name, self._arrays, self._shape, self._whole, self._look = name, arrays, shape, whole, look
        self._others = {key: value for key, value in given.items() if key not in arrays}
        self._kind = cast("Any", DISTRIBUTIONS[name].law)
        self._array_shape = np.broadcast_shapes(*(each.shape for each in arrays.values()))
        self._numbered = numbered(arrays, look)
        count = self._numbered.columns[0].size
        few = count <= FEW or (count <= MAX_TABLES and prod(shape) >= PER_LAW * count)
        self.has_tables = few or any(each.dtype == object for each in arrays.values())
        if self.has_tables:
            self._by_tables  # noqa: B018  # which checks the parameters
        else:
            self._check()

    @cached_property
    def _by_tables(self) -> ByElements:
        given = {**self._others, **self._arrays}
        return ByElements(
            self._name, given, self._arrays, self._shape, self._whole, self._look, found=self._numbered
        )  # fmt: skip

    @cached_property
    def _on_host(self) -> Mapping[str, npt.NDArray[Any]]:
        """The arrays of parameters, on the host."""
        return {key: self._look.on_host(array) for key, array in self._arrays.items()}

    @cached_property
    def _all(self) -> Mapping[str, npt.NDArray[Any]]:
        """All parameters as arrays of the host."""
        law = self._law(0, self._others)
        held = self._on_host
        return {each.name: held.get(each.name, np.array(getattr(law, each.name))) for each in fields(self._kind)}

    def _law(self, place: int, others: Iterable[str] = ()) -> discrete.Discrete:
        """Return the distribution of an element of the arrays as they are broadcast; an error says which it is.

        An error of one of the `others` is that of every element.
        """
        values = ((key, np.broadcast_to(each, self._array_shape).flat[place]) for key, each in self._on_host.items())
        own = tuple((key, value.item() if hasattr(value, "item") else value) for key, value in values)
        try:
            found: Any = law_of(self._name, own, tuple(self._others.items()))
        except (TypeError, ValueError) as error:
            raise self._placed(error, place, others) from None
        return found  # type: ignore[no-any-return]  # of a name of a discrete one

    def _placed(self, error: Exception, place: int, others: Iterable[str] = ()) -> Exception:
        begins = self._whole.begins if self._whole else {}
        return placed(error, place, self._arrays, others, begins)

    def _check(self) -> None:
        """Raise the error of the first element that is not legal, if any is not."""
        legal: npt.NDArray[np.bool_] = np.ones((), np.bool_)
        for each in fields(self._kind):
            legal = legal & _legal(each, self._all)
        if self._kind is discrete.Hypergeometric:
            good, bad, sample = (self._all[key].astype(np.uint64) for key in ("ngood", "nbad", "nsample"))
            legal = legal & (sample <= good + bad)
        if not legal.all():
            own = legal.reshape((1,) * (len(self._array_shape) - legal.ndim) + legal.shape)
            self._law(int(np.broadcast_to(own, self._array_shape).argmin()), () if legal.any() else self._others)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        steps = digits(upper_bound - min_value)
        numbers = (upper_bound - min_value) ** steps
        if self.has_tables and not self._spreads(numbers):
            return self._by_tables.transform(min_value, upper_bound, dtype)
        self.check_width(min_value, upper_bound, dtype)
        kind, everything = self._kind, self._all

        def make(found: npt.NDArray[np.uint64], here: Any) -> npt.NDArray[np.int64]:
            return on_host.values(kind, {key: here(each) for key, each in everything.items()}, found, numbers)

        codes = np.zeros((), np.uint32)
        return OnHost("on_host", dtype, steps, {}, False, codes, self._shape, make=make)

    def _spreads(self, numbers: int) -> bool:
        """Return whether a table of an element would be too long, and the host needs none."""
        if self._kind is discrete.Poisson:
            return bool(np.max(self._numbered.columns[0]) >= LARGEST)
        return self._kind in on_host.REACHED and bool(
            np.any(on_host.is_wide(self._kind, self._numbered.columns[0], numbers))
        )

    def check_width(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> None:
        """Raise an error for the first element whose values spread too far, or do not fit the dtype."""
        flat = {key: np.broadcast_to(each, self._array_shape).reshape(-1) for key, each in self._all.items()}
        numbers = (upper_bound - min_value) ** digits(upper_bound - min_value)
        widths, largest = on_host.extent(self._kind, flat, numbers)
        limit = float(np.iinfo(dtype).max)
        for place in np.flatnonzero((widths >= WIDE) | (largest >= limit)).tolist():
            law = self._law(place)
            try:
                if on_host.has_table(law):
                    law.transform(min_value, upper_bound, dtype)
                else:
                    on_host.check_dtype(law, numbers, dtype)
            except ValueError as error:
                raise self._placed(error, place) from None


def _legal(field: Any, arrays: Arrays) -> Any:
    """Return which elements of the array of a parameter are legal."""
    array, limits = arrays[field.name], field.metadata["range"]
    if isinstance(limits, Range):
        return limits.takes(array)
    low, high = limits
    if array.dtype.kind not in "iu":
        return np.zeros(array.shape, np.bool_)
    return (array >= low) & (array <= min(high, int(np.iinfo(array.dtype).max)))


class PoissonArray(Distribution):
    """Poisson numbers whose means are an array of the host that is broadcast to the shape of the values.

    An element has the value that the distribution with its mean makes of the same raw values.
    """

    dtypes = discrete.Poisson.dtypes
    reused = False

    def __init__(self, lam: Any, shape: tuple[int, ...], whole: Whole | None = None, look: Look = LOOK) -> None:
        lam = look.near(lam)
        self._lam, self._shape, self._whole, self._look = lam, shape, whole, look
        least, self._largest = map(float, look.extremes(lam))
        if not (least >= 0 and self._largest <= large_means.LARGEST):
            held = look.on_host(lam)
            refuse("poisson", {}, {"lam": held}, (held >= 0) & (held <= large_means.LARGEST), whole)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        raw_values = upper_bound - min_value
        steps, largest = digits(raw_values), self._largest
        if raw_values**steps < poisson.MIN_NUMBERS or not largest < LARGEST:
            return self._others.transform(min_value, upper_bound, dtype)
        if farthest(largest) > np.iinfo(dtype).max:
            ByElements("poisson", {}, {"lam": np.array(largest)}, ()).transform(min_value, upper_bound, dtype)
        means = self._lam
        if name_of(means.dtype) not in MEANS or not means.dtype.isnative:
            means = self._look.on_host(means).astype(np.float64)
        return PoissonByElement("poisson", dtype, steps, {}, False, means, self._shape, largest=largest)

    @cached_property
    def _others(self) -> DiscreteElements:
        return DiscreteElements("poisson", {}, {"lam": self._lam}, self._shape, self._whole, self._look)


def _of_binomial(ends: Arrays, limit: float, _: int) -> float:
    most = float(ends["n"][1])
    return most / 4 if most <= min(limit, binomial_near.LARGEST) else inf


def _of_geometric(ends: Arrays, limit: float, numbers: int) -> float:
    _, largest = on_host.extent(discrete.Geometric, {"p": ends["p"][:1]}, numbers)
    return float(ends["p"][0]) ** -2 if largest[0] <= min(limit, on_host.MOST / 2) else inf


def _of_negative_binomial(ends: Arrays, limit: float, numbers: int) -> float:
    most = {"n": ends["n"][1:].astype(np.float64), "p": ends["p"][:1].astype(np.float64)}
    widths, largest = on_host.extent(discrete.NegativeBinomial, most, numbers)
    return (negative_binomial_near.SPREAD / most["p"][0]) ** 2 if widths[0] < WIDE and largest[0] < limit else inf


NEAR: dict[str, tuple[type[NearByElement], Callable[[Arrays, float, int], float]]] = {
    "binomial": (BinomialByElement, _of_binomial),
    "geometric": (GeometricByElement, _of_geometric),
    "negative_binomial": (NegativeBinomialByElement, _of_negative_binomial),
}
"""The transforms of distributions by name, and what gives the largest variance, which is infinite where values may be
above a limit or spread too far. It is called with the least and the largest of each parameter, the limit and N."""


class NearArray(Distribution):
    """Numbers of a distribution of `NEAR`, whose parameters are arrays that are broadcast to the shape of the values.

    An element has the value that the distribution with its parameters makes of the same raw values.
    """

    dtypes = discrete.Discrete.dtypes
    reused = False

    def __init__(
        self, name: str, given: Mapping[str, Any], arrays: Arrays, shape: tuple[int, ...], whole: Whole | None = None,
        look: Look = LOOK,
    ) -> None:  # fmt: skip
        self._name, self._given, self._arrays, self._shape, self._whole = name, given, arrays, shape, whole
        self._look, self._kind = look, cast("Any", DISTRIBUTIONS[name].law)
        near = {key: look.near(array) for key, array in arrays.items()}
        names = [each.name for each in fields(self._kind)]
        self._own = {key: near[key] if key in near else np.asarray(given[key]) for key in names}
        self._ends: Arrays = {}
        if all(each.dtype.kind in "iuf" for each in self._own.values()):
            ends = look.extremes_of(near)
            self._ends = {key: np.array(ends.get(key, (each, each))) for key, each in self._own.items()}
        if not self._ends or not all(_legal(each, self._ends).all() for each in fields(self._kind)):
            self._ends = {}
            self._others  # noqa: B018  # which checks the parameters

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        steps, (kind, variance) = digits(upper_bound - min_value), NEAR[self._name]
        numbers, limit = (upper_bound - min_value) ** steps, float(np.iinfo(dtype).max)
        largest = inf
        if self._ends and numbers >= poisson.MIN_NUMBERS:
            largest = variance(self._ends, limit, numbers)
            if largest == inf and self._name == "negative_binomial" and not self._others.has_tables:
                self._others.check_width(min_value, upper_bound, dtype)  # the least p may not have the most successes
                largest = 2.0**62
        if largest == inf:
            return self._others.transform(min_value, upper_bound, dtype)
        trials = None
        if "n" in self._own:
            trials = self._in_integers("n") if self._name == "binomial" else self._in_floats("n")
        each = self._in_floats("p")
        return kind(self._name, dtype, steps, {}, False, each, self._shape, largest=largest, trials=trials)

    def _on_host(self, key: str) -> npt.NDArray[Any]:
        own = self._own[key]
        found: npt.NDArray[Any] = self._look.on_host(own) if key in self._arrays else own
        return found

    def _in_integers(self, key: str) -> Any:
        """Return a parameter that has integers of at most 32 bits as integers that kernels read."""
        own = self._own[key]
        return own if name_of(own.dtype) in MEANS and own.dtype.isnative else self._on_host(key).astype(np.int64)

    def _in_floats(self, key: str) -> Any:
        """Return a parameter as floats that kernels read."""
        own = self._own[key]
        if name_of(own.dtype) in ("float32", "float64") and own.dtype.isnative:
            return own
        return self._look.rounded(own, np.dtype(np.float64))

    @cached_property
    def _others(self) -> DiscreteElements:
        return DiscreteElements(self._name, self._given, self._arrays, self._shape, self._whole, self._look)


class HypergeometricArray(NearArray):
    """Hypergeometric numbers whose parameters are arrays, as `NearArray` has others: by sums on the device."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        if self._ends and not self._are_together():
            self._ends = {}
            self._others  # noqa: B018  # which checks the parameters

    def _are_together(self) -> bool:
        """Return whether nowhere more are drawn than there are."""
        if int(self._ends["nsample"][1]) <= int(self._ends["ngood"][0]) + int(self._ends["nbad"][0]):
            return True
        good, bad, sample = (each.astype(np.uint64) for each in self._all_on_host.values())
        return bool((sample <= good + bad).all())

    @cached_property
    def _all_on_host(self) -> Mapping[str, npt.NDArray[Any]]:
        return {key: self._on_host(key) for key in self._own}

    def _has_sums(self, dtype: np.dtype[Any]) -> bool:
        """Return whether values are made by sums: not if these are too long, or longer than it takes to use tables."""
        most = {key: int(ends[1]) for key, ends in self._ends.items()}
        if not most or longest(most["nsample"]) > LONGEST or max(most.values()) >= on_host.HARD:
            return False
        if min(most["ngood"], most["nsample"]) > np.iinfo(dtype).max:
            return False
        few = prod(self._shape) >= PER_LAW * prod(np.broadcast_shapes(*(each.shape for each in self._own.values())))
        return not ((few or longest(most["nsample"]) > SHORT) and self._others.has_tables)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        steps = digits(upper_bound - min_value)
        numbers = (upper_bound - min_value) ** steps
        if not self._has_sums(dtype):
            return self._others.transform(min_value, upper_bound, dtype)

        def make(found: npt.NDArray[np.uint64], here: Any) -> npt.NDArray[np.int64]:
            given = {key: here(each) for key, each in self._all_on_host.items()}
            return on_host.values(discrete.Hypergeometric, given, found, numbers)

        good, bad, sample = (self._in_integers(key) for key in self._own)
        codes = np.zeros((), np.uint32)
        return HypergeometricByElement(
            "on_host", dtype, steps, {}, False, codes, self._shape, make=make, good=good, bad=bad, sample=sample
        )


OF_MANY: Mapping[str, type[Distribution]] = {
    **dict.fromkeys(PAIRS, OfPairs), "triangular": OfTriangles, "noncentral_chisquare": OfNoncentral,
}  # fmt: skip
"""By name, how values of more than `FEW` elements are made without tables."""


def _elements(arrays: Arrays, whole: Whole | None) -> int:
    """Return how many elements arrays of parameters, or whole ones of which they are parts, have once broadcast."""
    return prod(np.broadcast_shapes(*(whole.shapes.values() if whole else (each.shape for each in arrays.values()))))


def by_elements(
    name: str, given: Mapping[str, Any], arrays: Arrays, shape: tuple[int, ...], whole: Whole | None = None,
    look: Look = LOOK,
) -> Distribution:  # fmt: skip
    """Return the distribution of elements whose parameters are `given`, some of them as arrays that `look` looks at."""
    if not all(array.size for array in arrays.values()):  # nothing is drawn: one of the same dtypes will do
        _check_each(name, given, {key: look.on_host(array) for key, array in arrays.items()})
        return like(name)
    if name == "poisson" and arrays["lam"].dtype != object:
        return PoissonArray(arrays["lam"], shape, whole, look)
    if name in NEAR and not any(array.dtype == object for array in arrays.values()):
        return NearArray(name, given, arrays, shape, whole, look)
    if name == "hypergeometric" and not any(array.dtype == object for array in arrays.values()):
        return HypergeometricArray(name, given, arrays, shape, whole, look)
    law: Any = DISTRIBUTIONS[name].law
    kind: Any = ByElements
    if law in on_host.SHAPES or law in on_host.REACHED:
        kind = DiscreteElements
    elif name in SURFACES and SURFACES[name].are_of(arrays):
        kind = OfShapes
    elif name in OF_MANY and _elements(arrays, whole) > FEW:
        kind = OF_MANY[name]
    elif law in RANGES:
        kind = RANGES[law]
    found: Distribution = kind(name, given, arrays, shape, whole, look)
    return found


def _check_each(name: str, given: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise the error of the first parameter that is not legal whatever the others are, of which one has no element."""
    for key, check in ((each.name, each.check) for each in DISTRIBUTIONS[name].parameters):
        if check is None or given.get(key) is None:
            continue
        for place, value in enumerate(arrays[key].reshape(-1).tolist() if key in arrays else [given[key]]):
            try:
                check(key, value)
            except (TypeError, ValueError) as error:  # noqa: PERF203  # of one of many
                raise (placed(error, place, {key: arrays[key]}, (), {}) if key in arrays else error) from None


def standing_for(name: str, shapes: Iterable[tuple[int, ...]]) -> Distribution:
    """Return a distribution of the dtypes and steps of `by_elements` where arrays have these shapes, and any values."""
    if OF_MANY.get(name) is OfNoncentral and prod(np.broadcast_shapes(*shapes)) > FEW:
        return OfNoncentral(name, {}, {key: np.ones(1) for key in ("df", "nonc")}, (1,))
    return like(name)


def of_frozen(chosen: FrozenArrays, shape: tuple[int, ...], look: Look = LOOK) -> Distribution:
    """Return the distribution of elements whose parameters are those of a frozen distribution of SciPy."""
    if not all(array.size for array in chosen.arrays.values()):
        return like(chosen.kin)
    return ByElements(chosen.name, chosen.others, chosen.arrays, shape, look=look, law=chosen.law)


@dataclass(frozen=True)
class Wide(Distribution):
    """A discrete distribution whose values may spread too far for a table; the host makes them then."""

    law: discrete.Discrete

    dtypes: ClassVar[tuple[str, ...]] = discrete.Discrete.dtypes

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        kind: Any = type(self.law)
        numbers = (upper_bound - min_value) ** digits(upper_bound - min_value)
        parameter = np.array(next(iter(vars(self.law).values())))
        if not on_host.is_wide(kind, parameter, numbers).any():
            return self.law.transform(min_value, upper_bound, dtype)
        on_host.check_dtype(self.law, numbers, dtype)
        name = next(iter(vars(self.law)))

        def make(found: npt.NDArray[np.uint64], here: Any) -> npt.NDArray[np.int64]:
            return on_host.values(kind, {name: here(parameter)}, found, numbers)

        return OnHost("on_host", dtype, digits(upper_bound - min_value), {}, make=make)


def drawable(law: Distribution) -> Distribution:
    """Return a distribution that the host makes where its values spread too far, if it can; else the same."""
    return Wide(law) if type(law) in on_host.REACHED else law  # type: ignore[arg-type]  # these are discrete
