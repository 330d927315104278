"""Distributions with their parameters: what users ask for, and which transform of raw values makes it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from clrng import validation
from clrng.distributions.parameters import Declared, Range, integer, number
from clrng.distributions.quantiles import packed
from clrng.distributions.quantiles.closed_forms import Normal
from clrng.distributions.quantiles.integrated import without_turns
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import InverseTable, LogarithmTable, inverse_table
from clrng.distributions.transforms.inverse import Inverse, Logarithms
from clrng.distributions.transforms.rounded import ROUNDED, ends_between, rounded
from clrng.distributions.transforms.transform import Declaration, Table, Transform
from clrng.distributions.transforms.uniform import (
    HALF,
    INTERVALS,
    LIBRARY_FLOATS,
    LibraryFloat,
    digits,
    index_transform,
    interval_transform,
    steps_for,
    stretched,
)

REALS = ("float32", "float64")

WITH_ROUNDED = (*REALS, *ROUNDED)
"""The dtypes of uniform and normal numbers."""

SINGLE = np.dtype(np.float32)

WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
"""The dtypes of integers."""

LIMITS = {name: (int(np.iinfo(name).min), int(np.iinfo(name).max)) for name in WHOLE}
"""The smallest and the largest integer of each dtype."""

LARGEST_REAL = float(np.finfo(np.float64).max)
LARGE_ANGLE = 1024.0
"""Whole turns are taken from larger angles on the host, exactly; from others on the device, as from those of arrays."""

ANY_REAL, NO_NEGATIVE = Range(-LARGEST_REAL, LARGEST_REAL), Range(0, LARGEST_REAL)


class Distribution(ABC):
    """A distribution with its parameters.

    Attributes
    ----------
    dtypes : tuple of str
        The dtypes that its values can have, the default first.
    """

    dtypes: ClassVar[tuple[str, ...]]
    reused: ClassVar[bool] = True
    """Whether its transforms are kept for later calls."""

    def fits_half(self, dtype: np.dtype[Any]) -> bool:
        """Return whether values of `dtype` take half a raw value of 64 bits each, where such values can be halved."""
        return dtype == SINGLE or validation.name_of(dtype) in ROUNDED

    def numpys(self, dtype: np.dtype[Any]) -> Transform | None:  # noqa: ARG002  # few have one
        """Return what makes NumPy's own values of the raw values of its generators of 64 bits, or None."""
        return None

    @abstractmethod
    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:
        """Return what makes its values of raw values from `min_value` to `upper_bound` - 1.

        Parameters
        ----------
        min_value, upper_bound : int
        dtype : numpy.dtype
            One of `dtypes`.

        Raises
        ------
        ValueError
            If the distribution cannot be drawn from with so many raw values.
        """


def new_transform_of(
    distribution: Distribution, min_value: int, upper_bound: int, dtype: Any, *, numpys: bool = False
) -> Transform:
    """Return `distribution.transform` of the other arguments.

    `numpys`: whether raw values are those of one of NumPy's generators of 64 bits, or halves of these.
    """
    return (numpys and distribution.numpys(dtype)) or distribution.transform(min_value, upper_bound, dtype)


transform_of = lru_cache(maxsize=256)(new_transform_of)
"""The same, cached: for distributions that are `reused`."""


def normal(number: float, dtype: np.dtype[Any]) -> Any:
    """Return a number as the dtype has it, 0 where that is denormal: many devices take it for that."""
    rounded = dtype.type(number)
    return rounded if abs(rounded) >= np.finfo(dtype).tiny else dtype.type(0)


@dataclass(frozen=True)
class Continuous(Distribution):
    """Numbers loc + scale·x, where x has a continuous distribution; rounded once, and angles brought back to -pi to pi.

    A value takes one step of the stream; as float64, two where raw values have at most 32 bits.
    """

    quantile: Quantile
    loc: float = 0.0
    scale: float = 1.0

    names: tuple[str, str] = field(default=("loc", "scale"), repr=False, compare=False)
    """What errors call loc and scale: the caller's names."""

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        return WITH_ROUNDED if isinstance(self.quantile, Normal) else REALS

    def __post_init__(self) -> None:
        object.__setattr__(self, "loc", ANY_REAL.check(self.names[0], self.loc))
        object.__setattr__(self, "scale", NO_NEGATIVE.check(self.names[1], self.scale))

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        if dtype.name in ROUNDED:
            return rounded(self.transform(min_value, upper_bound, SINGLE), dtype)
        self.check_size(dtype)
        largest = float(np.finfo(dtype).max)
        steps = 1 if dtype == "float32" else digits(upper_bound - min_value)
        found, given = _inverse(self.quantile, (upper_bound - min_value) ** steps, dtype.name)
        ctype, scaled = ("float" if dtype == "float32" else "double"), (self.loc, self.scale) != (0.0, 1.0)
        if scaled:
            located = {"scale": normal(self.scale, dtype), "loc": normal(self.added, dtype)}
            given = given | {Declaration(ctype, name): value for name, value in located.items()}
        bounded = scaled and abs(self.added) + self.scale * found.largest > largest / 2
        if isinstance(found, LogarithmTable):
            return Logarithms(
                "logarithms", dtype, steps, given, found.degree, hyperbolic=found.sine is not None, scaled=scaled,
                bounded=bounded,
            )  # fmt: skip
        flushed = scaled and self._may_be_denormal(found)
        return Inverse(
            "inverse", dtype, steps, given, found.degree, found.segment_bits, found.rows, symmetric=found.symmetric,
            scaled=scaled, bounded=bounded, circular=self.quantile.circular, flushed=flushed,
        )  # fmt: skip

    def check_size(self, dtype: np.dtype[Any]) -> None:
        """Raise an error if `loc` or `scale` is too large for `dtype`."""
        largest = float(np.finfo(dtype).max)
        for name, value in zip(self.names, (self.loc, self.scale), strict=True):
            if abs(value) > largest:
                limit = validation.limit(largest)
                raise ValueError(f"{name} must be at most {limit} in size as dtype is {dtype}, not {value!r}")

    @property
    def added(self) -> float:
        """What is added to scale·x: loc, but a large angle without whole turns, of which a device would lose digits."""
        return without_turns(self.loc) if self.quantile.circular and abs(self.loc) > LARGE_ANGLE else self.loc

    def _may_be_denormal(self, table: InverseTable) -> bool:
        """Return whether loc + scale·x may be less than the smallest normal number in size, for an x of the table.

        Where loc is not very small, x·scale + loc is 0 or larger than its last digit.
        """
        limits = np.finfo(table.dtype)
        smallest, digits = float(limits.tiny), int(limits.nmant) + 1
        sizes = np.abs(table.coefficients[:, 0].astype(np.float64))
        lower, upper = table.coefficients[[0, 0 if table.symmetric else table.rows], 0]  # those of the outermost values
        near_zero = 2.0**-64 if table.symmetric or lower < 0 < upper else 1 / 16
        least = float(np.min(sizes, where=sizes > 0, initial=np.inf)) * near_zero
        return abs(self.loc) < smallest * 2.0 ** (2 * digits + 4) and least * self.scale < smallest


@lru_cache(maxsize=256)
def _inverse(quantile: Quantile, numbers: int, dtype: str) -> tuple[InverseTable, dict[Declaration, Any]]:
    """Return the table of a quantile function, and what its kernel is given.

    Its numbers are the first four coefficients of every row, and behind them the fifth of every row, the sixth, and so
    on; of logarithms, and where they are packed, they are row by row.
    """
    found = inverse_table(quantile, numbers, dtype)
    c = found.coefficients
    if isinstance(found, LogarithmTable):
        given = {
            Declaration("ulong", "table", "__global"): Table(c.view(np.uint64)),
            Declaration("uint", "octaves", "__global"): Table(found.octaves),
            Declaration("long", "most_power"): np.int64(found.most),
        }
        if found.sine is not None:
            given[Declaration("ulong", "sine_factor")] = np.uint64(found.sine[0])
            given[Declaration("long", "sine_twos")] = np.int64(found.sine[1])
        return found, given
    if found.packed:
        words = packed.words(c, found.segment_bits)
        return found, {Declaration("ulong4", "table", "__global"): Table(words.ravel())}
    laid_out = np.concatenate([c[:, :4].ravel(), c[:, 4:].T.ravel()])
    table = Declaration("float4" if dtype == "float32" else "double4", "table", "__global")
    return found, {table: Table(np.pad(laid_out, (0, -len(laid_out) % 4)))}


@dataclass(frozen=True)
class Integers(Distribution):
    """The integers from `low` to ``low + n - 1``, each as likely as the others; a value takes the steps of `steps_for`.

    They can be drawn as any dtype that holds them, by default `dtype`; n is from 1 to 2^64.
    """

    low: int
    n: int
    dtype: np.dtype[Any]

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        own, last = self.dtype.name, self.low + self.n - 1
        fitting = (name for name, (least, most) in LIMITS.items() if least <= self.low and last <= most)
        return (own, *(name for name in fitting if name != own))

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: ARG002, D102  # as inherited
        return self.n == HALF

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        raw_values = upper_bound - min_value
        return index_transform(self.n, raw_values, steps_for(self.n, raw_values), dtype, self.low)


def integers(low: Any, high: Any = None, dtype: Any = "int64", endpoint: Any = False) -> Integers:
    """Return the integers from `low` to `high` - 1, or to `high` with `endpoint`, as NumPy's ``integers`` takes them.

    Without `high` they are those from 0 to `low` - 1. Without `endpoint`, `high` may be one above the largest integer
    of `dtype`.
    """
    kind = validation.dtype("dtype", dtype, WHOLE)
    validation.flag("endpoint", endpoint)
    upper = "low" if high is None else "high"
    first, end = (0, low) if high is None else (low, high)
    (least, largest), beyond = LIMITS[kind.name], 0 if endpoint else 1
    first = _fitting("low", first, least, largest, kind)
    end = _fitting(upper, end, least, largest + beyond, kind) + 1 - beyond
    if end <= first:
        wanted = f"{'' if endpoint else 'above '}{first}{' or more' if endpoint else ''}"
        instead = "" if high is None else ", which is low"
        raise ValueError(f"{upper} must be {wanted}{instead}, not {validation.shown(end - 1 + beyond)}")
    return Integers(first, end - first, kind)


def _fitting(name: str, value: Any, least: int, largest: int, kind: np.dtype[Any]) -> int:
    """Return `value` if it is an integer of the range, which `kind` sets."""
    try:
        return integer(name, value, least, largest)
    except ValueError as error:
        raise ValueError(f"{error}, as dtype is {kind}") from None


@dataclass(frozen=True)
class Between(Declared, Distribution):
    """Numbers between `low` and `high`, equally far apart and equally likely; `interval` is one of `INTERVALS`.

    Of raw values of NumPy's generators of 64 bits, float64 numbers in the interval ``"[)"`` are those of NumPy.

    Others take one step of the stream; as float64, two where raw values have at most 32 bits. These are the digits of
    a number X of N, and of n floats X makes the one of number floor(X n / N).

    Where n is above N, each X has a float of its own, and an upper end among them is that of the last X: in a closed
    interval X makes the float of number floor(X (n - 1) / (N - 1)), and in one without its lower end that of number
    ceil((X + 1) n / N) - 1.
    """

    low: float = number(-LARGEST_REAL, LARGEST_REAL, default=0.0)
    high: float = number(-LARGEST_REAL, LARGEST_REAL, default=1.0)
    interval: str = field(default="[)", metadata={"kind": "text"})

    dtypes: ClassVar[tuple[str, ...]] = WITH_ROUNDED

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.low < self.high:
            raise ValueError(f"high must be above low, {self.low!r}, not {self.high!r}")
        validation.choice("interval", self.interval, INTERVALS)

    def numpys(self, dtype: np.dtype[Any]) -> Transform | None:  # noqa: D102  # as inherited
        return stretched(self.low, self.high) if dtype == np.float64 and self.interval == "[)" else None

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        if dtype.name in ROUNDED:
            ends = ends_between(self.low, self.high, self.interval, dtype)
            return rounded(self.transform(min_value, upper_bound, SINGLE), dtype, ends)
        return interval_transform(self.low, self.high, self.interval, upper_bound - min_value, dtype)


RAW_VALUES = (2**32, 2**64)


@dataclass(frozen=True)
class LibraryFloats(Distribution):
    """Uniform numbers in [0, 1) as a function of a library makes them of whole words of 32 or 64 bits.

    ``"random_sample"`` is that of NumPy, in `RandomState` and in `Generator.random` on its MT19937, and Python's
    ``random.random``: 53 bits, the upper 27 of a raw value and the upper 26 of the next, or the upper 53 of one of 64
    bits; as float32 the upper 24 of one, as NumPy's `Generator` has them. ``"generate_canonical"`` is that of C++: the
    number whose digits to the base 2^32 or 2^64 the raw values are, the lowest first, rounded to the nearest number and
    divided by the power that it is below; 1 is replaced by the number below it.
    """

    function: str

    dtypes: ClassVar[tuple[str, ...]] = ("float64", "float32")

    def __post_init__(self) -> None:
        validation.choice("function", self.function, LIBRARY_FLOATS)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        if min_value or upper_bound not in RAW_VALUES:
            raise ValueError(
                f"{self.function} needs raw values of 32 or 64 bits, each from 0 on, as those of MT19937 are, not from "
                f"{min_value} to {upper_bound - 1}"
            )
        steps = 2 if dtype == np.float64 and upper_bound == RAW_VALUES[0] else 1
        return LibraryFloat("library_float", dtype, steps, function=self.function)
