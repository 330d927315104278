"""Distributions with their parameters: what users ask for, and which transform of raw values makes it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.digit_transforms import Thresholds, index_transform
from clrng.distributions.discrete import Discrete
from clrng.distributions.integers import DTYPES as WHOLE
from clrng.distributions.integers import Integers, steps_for
from clrng.distributions.inverse import Inverse
from clrng.distributions.inverse_table import inverse_table
from clrng.distributions.logarithms import Logarithms
from clrng.distributions.quantile import Quantile, real
from clrng.distributions.tables import InverseTable, LogarithmTable
from clrng.distributions.thresholds import Guide, ThresholdTable, guide_to, threshold_table
from clrng.distributions.transform import Table, Transform

REALS = ("float32", "float64")

LIMITS = {name: (int(np.iinfo(name).min), int(np.iinfo(name).max)) for name in WHOLE}
"""The least and the greatest integer of each dtype."""

LARGEST_OF_ONE_STEP = 2**32
"""Where a generator has more raw values, one of them makes a value that needs more than 32 bits; else two do."""

LARGEST_REAL = float(np.finfo(np.float64).max)

LEAST_UNIT = 64
"""The sizes of tables of discrete distributions are multiples of it."""


class Distribution(ABC):
    """A distribution with its parameters.

    Attributes
    ----------
    dtypes : tuple of str
        The dtypes that its values can have, the default first.
    """

    dtypes: ClassVar[tuple[str, ...]]

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


@lru_cache(maxsize=256)
def transform_of(distribution: Distribution, min_value: int, upper_bound: int, dtype: Any) -> Transform:
    """Return `distribution.transform` of the other arguments; it is kept."""
    return distribution.transform(min_value, upper_bound, dtype)


def digits(raw_values: int) -> int:
    """Return how many raw values make a number of more than 32 bits: one, or two where they have at most 32 bits."""
    return 1 if raw_values > LARGEST_OF_ONE_STEP else 2


def normal(number: float, dtype: np.dtype[Any]) -> Any:
    """Return a number as the dtype has it, 0 where that is denormal: many devices take it for that."""
    rounded = dtype.type(number)
    return rounded if abs(rounded) >= np.finfo(dtype).tiny else dtype.type(0)


@dataclass(frozen=True)
class Continuous(Distribution):
    """Numbers loc + scale·x, where x has a continuous distribution; rounded once, and angles brought back to -pi to pi.

    A value takes one step of the stream; as float64, two where raw values have at most 32 bits.

    Attributes
    ----------
    quantile : Quantile
        The distribution of x.
    loc, scale : float
    names : (str, str)
        What errors call loc and scale: the caller's names.
    """

    quantile: Quantile
    loc: float = 0.0
    scale: float = 1.0
    names: tuple[str, str] = field(default=("loc", "scale"), repr=False, compare=False)

    dtypes: ClassVar[tuple[str, ...]] = REALS

    def __post_init__(self) -> None:
        object.__setattr__(self, "loc", real(self.names[0], self.loc, -LARGEST_REAL, LARGEST_REAL))
        object.__setattr__(self, "scale", real(self.names[1], self.scale, 0.0, LARGEST_REAL))

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        largest = float(np.finfo(dtype).max)
        for name, value in zip(self.names, (self.loc, self.scale), strict=True):
            if abs(value) > largest:
                raise ValueError(f"{name} must be at most {largest:g} in size as dtype is {dtype}, not {value!r}")
        steps = 1 if dtype == "float32" else digits(upper_bound - min_value)
        found, parameters, arguments = _inverse(self.quantile, (upper_bound - min_value) ** steps, dtype.name)
        ctype, scaled = ("float" if dtype == "float32" else "double"), (self.loc, self.scale) != (0.0, 1.0)
        if scaled:
            parameters += (f"const {ctype} scale", f"const {ctype} loc")
            arguments += (normal(self.scale, dtype), normal(self.loc, dtype))
        if isinstance(found, LogarithmTable):
            return Logarithms(
                "logarithms",
                dtype,
                steps,
                parameters,
                arguments,
                degree=found.degree,
                symmetric=found.symmetric,
                hyperbolic=found.sine is not None,
                scaled=scaled,
            )
        return Inverse(
            "inverse",
            dtype,
            steps,
            parameters,
            arguments,
            degree=found.degree,
            segment_bits=found.segment_bits,
            rows=found.rows,
            symmetric=found.symmetric,
            scaled=scaled,
            circular=self.quantile.circular,
            flushed=scaled and self._may_be_denormal(found),
        )

    def _may_be_denormal(self, table: InverseTable) -> bool:
        """Return whether loc + scale·x may be less than the smallest normal number in size, for an x of the table.

        Where loc is not very small, x·scale + loc is 0 or larger than its last digit.
        """
        limits = np.finfo(table.dtype)
        smallest, digits = float(limits.tiny), int(limits.nmant) + 1
        sizes = np.abs(table.coefficients[:, 0].astype(np.float64))
        near_zero = 2.0**-64 if self.quantile.symmetric or table.least < 0 < table.greatest else 1 / 16
        least = float(np.min(sizes, where=sizes > 0, initial=np.inf)) * near_zero
        return abs(self.loc) < smallest * 2.0 ** (2 * digits + 4) and least * self.scale < smallest


@lru_cache(maxsize=256)
def _inverse(quantile: Quantile, numbers: int, dtype: str) -> tuple[InverseTable, tuple[str, ...], tuple[Any, ...]]:
    """Return the table of a quantile function, and what its kernel declares and gets.

    Its numbers are the first four coefficients of every row, and behind them the fifth of every row, the sixth, and so
    on; of logarithms they are row by row.
    """
    found = inverse_table(quantile, numbers, dtype)
    c = found.coefficients
    if isinstance(found, LogarithmTable):
        parameters: tuple[str, ...] = ("__global const ulong *restrict table", "__global const uint *restrict octaves")
        arguments: tuple[Any, ...] = (Table(c.view(np.uint64)), Table(found.octaves), np.int64(found.most))
        parameters += ("const long most_power",)
        if found.sine is not None:
            parameters += ("const ulong sine_factor", "const long sine_twos")
            arguments += (np.uint64(found.sine[0]), np.int64(found.sine[1]))
        return found, parameters, arguments
    laid_out = np.concatenate([c[:, :4].ravel(), c[:, 4:].T.ravel()])
    kind = "float4" if dtype == "float32" else "double4"
    return found, (f"__global const {kind} *restrict table",), (Table(np.pad(laid_out, (0, -len(laid_out) % 4))),)


@dataclass(frozen=True)
class Counted(Distribution):
    """Integers with a discrete distribution.

    A value takes one step of the stream, or two where raw values have at most 32 bits.

    Attributes
    ----------
    discrete : Discrete
    """

    discrete: Discrete

    dtypes: ClassVar[tuple[str, ...]] = ("int64", *(name for name in WHOLE if name != "int64"))

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        steps = digits(upper_bound - min_value)
        found = threshold_table(self.discrete, (upper_bound - min_value) ** steps)
        greatest, limits = found.low + len(found.thresholds) - 1, np.iinfo(dtype)
        if not limits.min <= found.low <= greatest <= limits.max:
            values = f"{found.low} to {greatest}, the values of {validation.shown(self.discrete)}"
            raise ValueError(f"dtype must hold {values}, not {dtype}")
        guide = guide_to(found, upper_bound - min_value, steps)
        tables = _tables(found, guide)
        return Thresholds(
            "thresholds",
            dtype,
            steps,
            (
                "__global const uint *restrict tops",
                "__global const uint *restrict guide",
                "__global const ulong *restrict thresholds",
                "const uint shift",
                "const uint last",
                "const long low",
            ),
            (*tables, np.uint32(guide.shift), np.uint32(len(found.thresholds) - 1), np.int64(found.low)),
            halvings=guide.halvings,
            tops=tables[0].numbers.size,
            guide=tables[1].numbers.size,
        )


@lru_cache(maxsize=32)
def _tables(table: ThresholdTable, guide: Guide) -> tuple[Table, Table, Table]:
    """Return the tables that the kernel searches."""
    return Table(_padded(guide.tops)), Table(_padded(guide.guide)), Table(table.thresholds)


def _padded(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return `numbers` with zeros behind them, so that tables of about one size share kernels."""
    unit = max(1 << (len(numbers) - 1).bit_length() >> 3, LEAST_UNIT)
    return np.pad(numbers, (0, -len(numbers) % unit))


@dataclass(frozen=True)
class Uniform(Distribution):
    """Integers of a range, each as likely as the others; a value takes the steps of `steps_for`.

    They can be drawn as any dtype that holds them, by default that of `integers`.

    Attributes
    ----------
    integers : Integers
    """

    integers: Integers

    @property
    def dtypes(self) -> tuple[str, ...]:  # type: ignore[override]  # noqa: D102  # as inherited
        own, last = self.integers.dtype.name, self.integers.low + self.integers.n - 1
        fitting = (name for name, (least, most) in LIMITS.items() if least <= self.integers.low and last <= most)
        return (own, *(name for name in fitting if name != own))

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        raw_values, n = upper_bound - min_value, self.integers.n
        return index_transform(n, raw_values, steps_for(n, raw_values), dtype, self.integers.low)
