"""The transforms whose raw values are the digits of a number: by thresholds, by a product, and as the lead of a key."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clrng import validation
from clrng.distributions.transforms.transform import IN_KERNEL, Declaration, Surroundings, Transform

LARGEST_OF_ONE_STEP = 2**32
"""Where a generator has more raw values, one of them makes a value that needs more than 32 bits; else two do."""

LARGEST_SHORT_FACTOR = 2**32
"""Products of two numbers of at most 2^32 fit words of 64 bits."""

CLOSENESS_BITS = 40
"""The total variation from the uniform distribution is at most 2^-40."""

LEAD_BITS = 64

SMALLEST_GAP = 16
"""Leads are spread out where more than a sixteenth of the integers of 64 bits would stay unused above them."""


def digits(raw_values: int) -> int:
    """Return how many raw values make a number of more than 32 bits: one, or two where they have at most 32 bits."""
    return 1 if raw_values > LARGEST_OF_ONE_STEP else 2


def steps_for(n: int, raw_values: int) -> int:
    """Return how many raw values make one of `n` integers, so that they are equally likely up to 2^-40.

    With K raw values of m each, 2 <= m <= 2^64, the total variation is at most n/(4 m^K), and 0 where n divides m^K.
    The result is the smallest K for which it is at most 2^-40; at most 5 for m of 2^21 or more.
    """
    validation.integer("n", n, 1, 2**64)
    validation.integer("raw_values", raw_values, 2, 2**64)
    steps, numbers = 1, raw_values
    while numbers % n and n << CLOSENESS_BITS > 4 * numbers:
        steps, numbers = steps + 1, numbers * raw_values
    return steps


@dataclass(frozen=True)
class Thresholds(Transform):
    """The inverse of a discrete distribution function, by thresholds.

    A search takes so many `halvings` at most; `tops` and `guide` are the sizes of the tables of these names.
    """

    halvings: int = 0
    tops: int = 0
    guide: int = 0

    def local_copies(self, local_bytes: int) -> int:  # noqa: D102  # as inherited
        return int(4 * (self.tops + self.guide) <= local_bytes * 2 // 3)

    def convert_parameters(self, copies: int) -> tuple[Declaration, ...]:  # noqa: D102  # as inherited
        near = (Declaration("uint", f"near_{name}", "__local") for name in ("tops", "guide"))
        return (*near, *self.parameters) if copies else self.parameters

    def opening(self, copies: int, names: Surroundings = IN_KERNEL) -> list[str]:  # noqa: ARG002, D102  # there is one
        tops, guide = names.copied("uint", "tops", self.tops), names.copied("uint", "guide", self.guide)
        return [*tops, *guide, "    barrier(CLK_LOCAL_MEM_FENCE);"]

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "numbers": raw_values**self.steps,
            "halvings": self.halvings,
        }


@dataclass(frozen=True)
class UniformIntegers(Transform):
    """Integers of a range by Canon's method, in products of 64 bits, or 128 where n or m is above 2^32.

    They are the integers low + floor(X n / m^K), where K raw values, of m each, are the digits of X. In a `closed`
    range they are spread so that the first X makes one end and the last X the other.
    """

    product_bits: int = 64
    closed: bool = False

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        found = super().values(min_value, upper_bound)
        raw_values = found["raw_values"]
        return {**found, "divisor": raw_values**self.steps - 1 if self.closed else raw_values}


def _range(last: int, low: int) -> dict[Declaration, np.uint64]:
    """Return the largest integer of a range counted from its lowest, and the lowest, as they are declared."""
    return {Declaration("ulong", "last"): np.uint64(last), Declaration("ulong", "low"): np.uint64(low % 2**64)}


def index_transform(n: int, raw_values: int, steps: int, dtype: np.dtype[Any], low: int = 0) -> UniformIntegers:
    """Return what makes the integers from `low` to low + n - 1 of K = `steps` raw values, of m each; n is 1 to 2^64."""
    given = _range(n - 1, low)
    if raw_values & (raw_values - 1) and n < raw_values <= LARGEST_SHORT_FACTOR:
        given[Declaration("ulong", "quotient")] = np.uint64((n << 32) // raw_values)
        return UniformIntegers("short_integers", dtype, steps, given)
    bits = 64 if max(n, raw_values) <= LARGEST_SHORT_FACTOR else 128
    return UniformIntegers("integers", dtype, steps, given, product_bits=bits)


def spread_transform(n: int, steps: int, dtype: np.dtype[Any]) -> UniformIntegers:
    """Return what makes floor(X (n - 1) / (N - 1)) of K = `steps` raw values; n is above N = m^K, and below 2^63."""
    bits = 64 if n <= LARGEST_SHORT_FACTOR else 128
    return UniformIntegers("integers", dtype, steps, _range(n - 2, 0), product_bits=bits, closed=True)


@dataclass(frozen=True)
class Lead(Transform):
    """The first raw values of a key as one integer of 64 bits; a smaller key never has a larger lead.

    The raw values of the steps of a value are the digits of the key. As many of the first ones as fit are the digits of
    a number, which is then shifted up and, if need be, multiplied, so that leads are spread about evenly over all
    integers of 64 bits.
    """

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        digits = 1
        while digits < self.steps and raw_values ** (digits + 1) <= 2**LEAD_BITS:
            digits += 1
        shift = LEAD_BITS - (raw_values**digits - 1).bit_length()
        used = raw_values**digits << shift
        unused = 2**LEAD_BITS - used
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "digits": digits,
            "shift": shift,
            "spread": (unused << 32) // used if unused * SMALLEST_GAP > 2**LEAD_BITS else 0,
        }


def lead(steps: int) -> Lead:
    """Return what makes the leads of keys of so many raw values."""
    return Lead("lead", np.dtype(np.uint64), steps)
