"""Samples of integers without replacement, made on the host."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.closed_forms import Exponential

FEW = 8
"""A sample of at most one in this many elements is made of draws with replacement; a larger one of a permutation."""

SCALE = 2.0**-600
"""Exponentials are multiplied by it, so that none divided by a probability overflows; it changes no digit."""

Integers = npt.NDArray[Any]


def first_seen(count: int, draw: Callable[[int], Integers]) -> tuple[Integers, int]:
    """Return the first `count` different integers of an endless sequence, and how many integers of it that took.

    Each call of `draw` returns as many of the next integers of the sequence as it is asked for.
    """
    drawn = draw(0)
    while True:
        _, places = np.unique(drawn, return_index=True)
        if len(places) >= count:
            places = np.sort(places)[:count]
            return drawn[places], int(places[-1]) + 1 if count else 0
        drawn = np.concatenate([drawn, draw(count - len(places) + count // FEW + 1)])


def wait_steps(raw_values: int) -> int:
    """Return the maximum number of raw values, each one of `raw_values`, that make a number of at most 64 bits."""
    steps = 1
    while raw_values ** (steps + 1) <= 2**64:
        steps += 1
    return steps


def exponentials(digits: Integers, raw_values: int) -> npt.NDArray[np.float64]:
    """Return exponentially distributed numbers -log(1 - (X + 1/2) / m^k), the same bits on every machine.

    The rows of `digits` are raw values counted from 0: k digits of X to the base m, which is `raw_values`, the highest
    first; m^k is at most 2^64. The numbers are within 2 units in the last place.
    """
    numbers = raw_values ** digits.shape[1]
    x = np.zeros(len(digits), np.uint64)
    for digit in digits.T:
        x = x * np.uint64(raw_values % 2**64) + digit
    beyond = np.uint64(numbers - 1) - x
    upper = beyond < x
    p = (np.minimum(x, beyond).astype(np.float64) + 0.5) / float(numbers)
    exponential, p = Exponential(), np.minimum(p, 0.5)
    return np.where(upper, exponential(p, upper=True), exponential(p, upper=False))


def weighted(count: int, p: Sequence[float], waits: npt.NDArray[np.float64]) -> Integers:
    """Return `count` different integers, each drawn from those that are left with probabilities in proportion to `p`.

    The integer i waits for the time waits[i] / p[i], and those with the shortest times come first. As `waits` are
    exponentially distributed, the next of those that are left is i with probability p[i] divided by the sum of theirs,
    whatever the time is. At least `count` probabilities are above 0.
    """
    probabilities = np.array(p)
    possible = np.flatnonzero(probabilities)
    order = np.argsort(waits[possible] * SCALE / probabilities[possible], kind="stable")
    found: Integers = possible[order[:count]]
    return found
