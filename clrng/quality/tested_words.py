"""The words that batteries are given, the parts of words that tests look at, and what a test finds."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.validation import shown

Words = npt.NDArray[np.uint64]

MIN_WORDS = 2**16
"""With fewer, some statistics do not have the distributions that they are compared with."""

MIN_BITS, MAX_BITS = 8, 64

CLOSE = 2.0**-16
"""An upper bound counts as a power of two if it is less than one by at most this part of that power."""

SPARE_BITS, MAX_MADE = 6, 46
"""With other upper bounds, how many bits fewer a word has than a value, and the maximum number of its bits."""


class Tails(NamedTuple):
    """The probabilities of a statistic at most and at least as large as the one found."""

    lower: float
    upper: float


class Found(NamedTuple):
    """What a test found: a statistic, its tails, and what was counted and how many are expected."""

    statistic: float
    tails: Tails
    detail: str


@dataclass(frozen=True)
class Sample:
    """Words of a stream, all below 2^bits."""

    words: Words
    bits: int

    def top(self, bits: int, count: int | None = None) -> Words:
        """Return the `bits` most significant bits of the first `count` words, by default of all."""
        return self.words[:count] >> np.uint64(self.bits - bits)

    def low(self, bits: int, count: int | None = None) -> Words:
        """Return the `bits` least significant bits of the first `count` words, by default of all."""
        return self.words[:count] & np.uint64(2**bits - 1)

    def uniform(self, count: int | None = None) -> npt.NDArray[np.float32]:
        """Return the first `count` words as numbers in [0, 1]."""
        return (self.words[:count] * 2.0**-self.bits).astype(np.float32)

    def circle(self, count: int) -> npt.NDArray[np.complex64]:
        """Return exp(2 pi i u) of the first `count` words as uniform numbers u."""
        angles = np.float32(2 * math.pi) * self.uniform(count)
        points = np.empty(len(angles), np.complex64)
        points.real, points.imag = np.cos(angles), np.sin(angles)
        return points

    def bit_sequence(self, count: int) -> npt.NDArray[np.uint8]:
        """Return the first `count` bits: those of the first word from the most significant on, then of the next."""
        words = self.words[: -(-count // self.bits)] << np.uint64(64 - self.bits)
        return np.unpackbits(words.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1, count=self.bits).ravel()[:count]

    def points(self, count: int, dimension: int, bits: int, *, low: bool = False) -> Words:
        """Return `count` points, each of the next `dimension` words, as the numbers of the cells that they are in.

        Such a number has `bits` bits, at most 64: the same number of the most (or `low`, least) significant ones of
        each word, and one more of the first words where `bits` is no multiple of `dimension`.
        """
        words = self.words[: count * dimension].reshape(count, dimension)
        cells = np.zeros(count, np.uint64)
        for i in range(dimension):
            part = bits // dimension + (i < bits % dimension)
            column = Sample(words[:, i], self.bits)
            cells = (cells << np.uint64(part)) | (column.low(part) if low else column.top(part))
        return cells


def checked_words(name: str, words: Any, bits: Any, dimensions: int = 1) -> tuple[Words, int]:
    """Return `words` as uint64, and `bits`, checked as `short_battery.run` says."""
    width = validation.integer("bits", bits, MIN_BITS, MAX_BITS)
    if not isinstance(words, np.ndarray) or words.dtype.kind != "u":
        given = f"one of the dtype {words.dtype}" if isinstance(words, np.ndarray) else shown(words)
        raise TypeError(f"{name} must be a NumPy array of unsigned integers, not {given}")
    if words.ndim != dimensions:
        raise ValueError(
            f"{name} must have {dimensions} dimension{'s' * (dimensions > 1)}, not the shape {words.shape}"
        )
    if words.size and int(words.max()) >> width:
        raise ValueError(f"{name} must all be below 2^bits = 2^{width}, not {int(words.max())}")
    return words.astype(np.uint64), width


def words_of(values: npt.NDArray[Any], upper_bound: int) -> tuple[Words, int]:
    """Return raw values, unsigned integers below `upper_bound`, as words of whole bits, and how many bits these have.

    Values below a power of two, or below a bound that is less than one by at most 2^-16 of it, are words as they are.
    Others are divided by the bound, and the first bits of the quotient are a word: 6 fewer than the bound has, at most
    46. `ValueError` is raised if the words would have fewer than 8 bits.
    """
    bits = (upper_bound - 1).bit_length()
    if 2**bits - upper_bound <= CLOSE * 2**bits and bits >= MIN_BITS:
        return values.astype(np.uint64), bits
    bits = min(bits - SPARE_BITS, MAX_MADE)
    if bits < MIN_BITS:
        raise ValueError(
            f"upper_bound must be a power of two from 2^{MIN_BITS} on or more than "
            f"2^{MIN_BITS + SPARE_BITS - 1}, not {shown(upper_bound)}"
        )
    return np.minimum(values * (2.0**bits / upper_bound), 2**bits - 1).astype(np.uint64), bits
