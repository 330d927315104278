"""Distributions with their parameters: what users ask for, and which transform of raw values makes it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from clrng.distributions.integers import Integers, steps_for
from clrng.distributions.inverse import Inverse
from clrng.distributions.inverse_table import InverseTable, inverse_table
from clrng.distributions.quantile import Quantile
from clrng.distributions.thresholds import ThresholdTable, threshold_table
from clrng.distributions.transform import Table, Transform

REALS = ("float32", "float64")
WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")

LARGEST_OF_ONE_STEP = 2**32
"""Where a generator has more raw values, one of them makes a value that needs more than 32 bits; else two do."""

HALVINGS = (4, 8, 22)
"""The depths of searches for which there are kernels."""


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


def digits(raw_values: int) -> int:
    """Return how many raw values make a number of more than 32 bits: one, or two where they have at most 32 bits."""
    return 1 if raw_values > LARGEST_OF_ONE_STEP else 2


@dataclass(frozen=True)
class Continuous(Distribution):
    """Numbers loc + scale·x, where x has a continuous distribution; rounded once.

    A value takes one step of the stream; as float64, two where raw values have at most 32 bits.

    Attributes
    ----------
    quantile : Quantile
        The distribution of x.
    loc, scale : float
    """

    quantile: Quantile
    loc: float = 0.0
    scale: float = 1.0

    dtypes: ClassVar[tuple[str, ...]] = REALS

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        steps = 1 if dtype == "float32" else digits(upper_bound - min_value)
        found, table = _inverse(self.quantile, (upper_bound - min_value) ** steps, dtype.name)
        real, scaled = ("float" if dtype == "float32" else "double"), (self.loc, self.scale) != (0.0, 1.0)
        parameters: tuple[str, ...] = (f"__global const {real}4 *restrict table",)
        arguments: tuple[Any, ...] = (table,)
        if scaled:
            parameters += (f"const {real} scale", f"const {real} loc")
            arguments += (dtype.type(self.scale), dtype.type(self.loc))
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
        )


@lru_cache(maxsize=256)
def _inverse(quantile: Quantile, numbers: int, dtype: str) -> tuple[InverseTable, Table]:
    """Return the table of a quantile function, and its numbers as the kernel reads them.

    These are the first four coefficients of every row, and behind them the fifth of every row, the sixth, and so on.
    """
    found = inverse_table(quantile, numbers, dtype)
    c = found.coefficients
    laid_out = np.concatenate([c[:, :4].ravel(), c[:, 4:].T.ravel()])
    return found, Table(np.pad(laid_out, (0, -len(laid_out) % 4)))


@dataclass(frozen=True)
class Thresholds(Transform):
    """The inverse of a discrete distribution function, by thresholds.

    Attributes
    ----------
    halvings : int
        The depth of the search.
    """

    halvings: int = 0

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "numbers": raw_values**self.steps,
            "halvings": self.halvings,
        }
