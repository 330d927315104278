"""The four kinds of values that NumPy asks a bit generator for, made of raw values on the host, not on the device.

They are those of `Generator.random_raw`, of `Generator.random` as float64, and of `Generator.integers` of all 32 or 64
bits.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from clrng.distributions.transforms.integers import steps_for
from clrng.generators import BitGenerator

Array: TypeAlias = Any
"""An array of NumPy."""

SIGNIFICAND = 53
"""The bits of the significand of a double."""

HALF, LOW = 32, 2**32 - 1
"""The bits of half a word, and a mask of the lower half."""


class Kind(NamedTuple):
    """One of the kinds of values: `steps` raw values make one, and `make` makes n of them of n * steps raw values."""

    steps: int
    make: Callable[[Array], Array]


def kinds(bits: BitGenerator) -> dict[str, Kind]:
    """Return by name what `bits` gives: "uint64", "uint32", "double" and "raw"; an error if it has one raw value."""
    least, bound = bits.min_value, bits.upper_bound
    if bound - least < 2:  # noqa: PLR2004  # nothing is random with fewer
        raise ValueError(f"bit_generator must have at least 2 raw values, not {bound - least} as {bits!r}")
    found = {}
    for length in (64, 32):
        steps = steps_for(2**length, bound - least)
        found[f"uint{length}"] = Kind(steps, partial(words, length, steps, least, bound))
    return {**found, "double": Kind(1, partial(doubles, bound)), "raw": Kind(1, np.asarray)}


def doubles(bound: int, raw: Array) -> Array:
    """Return raw values divided by `bound`: rounded correctly if that is at most 2^53, else down to n 2^-53."""
    if bound <= 2**SIGNIFICAND:
        return raw.astype(np.float64) / float(bound)
    if bound & (bound - 1) == 0:
        numbers = raw >> np.uint64(bound.bit_length() - 1 - SIGNIFICAND)
    else:
        numbers = np.array([(x << SIGNIFICAND) // bound for x in raw.tolist()])
    return numbers.astype(np.float64) * 2.0**-SIGNIFICAND


def words(length: int, steps: int, least: int, bound: int, raw: Array) -> Array:
    """Return integers of `length` bits, 32 or 64, in uint64 or as objects: floor(X 2^length / m^steps).

    X is the number whose digits to the base m = `bound` - `least` are `steps` raw values, counted from `least`, the
    highest first.
    """
    m = bound - least
    digits = np.ascontiguousarray(raw.reshape(-1, steps).T, dtype=np.uint64) - np.uint64(least)
    if m & (m - 1) == 0:
        return _shifted(length, m.bit_length() - 1, digits)
    return _divided(length, m, digits) if m <= 2**HALF else _exactly(length, m, digits)


def _shifted(length: int, bits: int, digits: Array) -> Array:
    """Return the words for m = 2^`bits`: the first `length` bits of the digits."""
    if bits >= length:
        return digits[0] >> np.uint64(bits - length)
    t = np.zeros_like(digits[0])
    for x in digits[::-1]:
        t = x << np.uint64(length - bits) | t >> np.uint64(bits)
    return t


def _divided(length: int, m: int, digits: Array) -> Array:
    """Return the words for m of at most 2^32.

    t is 0 at first; for each digit x, from the lowest to the highest, it becomes floor((x 2^length + t) / m). For 64
    bits that is a long division with digits of 32 bits; t stays below 2^length as x < m.
    """
    half, low, divisor = np.uint64(HALF), np.uint64(LOW), np.uint64(m)
    t = np.zeros_like(digits[0])
    for x in digits[::-1]:
        if length == HALF:
            t = (x << half | t) // divisor
        else:
            upper = x << half | t >> half
            quotient = upper // divisor
            remainder = upper - quotient * divisor
            t = quotient << half | (remainder << half | t & low) // divisor
    return t


def _exactly(length: int, m: int, digits: Array) -> Array:
    """Return the words for any m, in integers of Python."""
    first, *others = digits.astype(object)
    x = first
    for digit in others:
        x = x * m + digit
    return (x << length) // m ** len(digits)
