"""Ranges of integers, as NumPy draws from them: words, or parts of them, make a value each or are refused.

Words are the 32-bit halves of the stream or, where a range has more than 2^32 values, its 64-bit steps. Values of 16
and 8 bits are made of halves cut in two and four, and bools of their bits, from the lowest on; what is left of the last
half of a call is dropped. A `Generator` takes parts by Lemire's method, a `RandomState` under a mask; no part is
refused where the range has a power of two of values. A range of one value takes no words.

References
----------
D. Lemire, Fast random integer generation in an interval, ACM Transactions on Modeling and Computer Simulation 29, 2019.
"""

from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np
import numpy.typing as npt

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
"""Of the integers that can be drawn."""

SPREAD = 6
"""So many standard deviations more parts are drawn than are expected to be enough: a second portion takes longer."""


@dataclass(frozen=True)
class Range:
    """How parts of words become integers from `low` to `high` inclusive of a dtype."""

    low: int
    high: int
    dtype: np.dtype[Any]
    masked: bool
    """Whether parts are taken under a mask, not by Lemire's method."""

    @property
    def unsigned(self) -> np.dtype[Any]:
        """The unsigned dtype of the values' size."""
        return np.dtype(f"uint{8 * self.dtype.itemsize}")

    @property
    def last(self) -> int:
        """The largest value counted from `low`."""
        return self.high - self.low

    @property
    def of_steps(self) -> bool:
        """Whether words are 64-bit steps, not 32-bit halves."""
        return self.last >= 2**32

    @property
    def bits(self) -> int:
        """The bits of a part."""
        if self.dtype == bool:
            return 1
        return 64 if self.of_steps else min(8 * self.dtype.itemsize, 32)

    @property
    def parts(self) -> int:
        """The parts of a word."""
        return 1 if self.of_steps else 32 // self.bits

    @property
    def method(self) -> str:
        """How parts become values: a full range is a mask without a limit."""
        return "masked" if self.masked or self.last == 2**self.bits - 1 else "lemire"

    @property
    def factor(self) -> int:
        """The mask, or the number of values that a part is multiplied by."""
        return 2 ** self.last.bit_length() - 1 if self.method == "masked" else self.last + 1

    @property
    def limit(self) -> int:
        """The greatest part that is taken under a mask, or the least lower half of a product."""
        return self.last if self.method == "masked" else 2**self.bits % self.factor

    @cached_property
    def taken(self) -> tuple[int, int]:
        """How many are taken of how many parts, on average."""
        if self.method == "masked":
            return self.last + 1, self.factor + 1
        return 2**self.bits - self.limit, 2**self.bits

    @property
    def refuses(self) -> bool:
        """Whether some parts are not taken."""
        return self.taken[0] != self.taken[1]

    def enough(self, n: int) -> int:
        """Return how many parts are almost surely enough for `n` values."""
        taken, of = self.taken
        if not self.refuses:
            return n
        return -(-n * of // taken) + SPREAD * (isqrt(n * of * (of - taken)) // taken + 1)

    def values(self, parts: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """Return the values of parts, unsigned, and which parts are taken."""
        x = parts.astype(np.uint64)
        if self.method == "masked":
            made = x & np.uint64(self.factor)
            taken = made <= self.limit
        else:
            made, lower = _product(x, self.factor, self.bits)
            taken = lower >= self.limit
        return (made + np.uint64(self.low % 2**64)).astype(self.unsigned), taken


def _product(
    x: npt.NDArray[np.uint64], factor: int, bits: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return the upper and the lower half of the products of numbers of so many bits with a factor of as many."""
    lower = x * np.uint64(factor)
    if bits <= 32:  # noqa: PLR2004  # whose products are whole
        return lower >> np.uint64(bits), lower & np.uint64(2**bits - 1)
    half, mask = np.uint64(32), np.uint64(2**32 - 1)
    high, low = np.uint64(factor >> 32), np.uint64(factor % 2**32)
    middle = (x >> half) * low + ((x & mask) * low >> half)
    carried = (x & mask) * high + (middle & mask)
    return (x >> half) * high + (middle >> half) + (carried >> half), lower
