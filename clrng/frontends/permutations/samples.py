"""Samples without replacement, of integers that the host looks at."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.closed_forms import Exponential

FEW = 8
"""Up to one element of so many, a sample is made of draws with replacement; else it begins a permutation."""

SCALE = 2.0**-600
"""Exponentials are multiplied by it, so that none divided by a probability overflows; it changes no digit."""

Integers = npt.NDArray[Any]


def first_seen(count: int, draw: Callable[[int], Integers]) -> tuple[Integers, int]:
    """Return the first `count` different ones of endless integers as they come, and how many integers it took.

    Each call of `draw` returns as many of the integers as it is asked for, those that follow the ones before.
    """
    drawn = draw(0)
    while True:
        _, places = np.unique(drawn, return_index=True)
        if len(places) >= count:
            places = np.sort(places)[:count]
            return drawn[places], int(places[-1]) + 1 if count else 0
        drawn = np.concatenate([drawn, draw(count - len(places) + count // FEW + 1)])


def wait_steps(raw_values: int) -> int:
    """Return how many raw values, of which there are so many, make a number of at most 64 bits."""
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

    The integer i waits for waits[i] / p[i], and the first come first: of those that are left, the next one is i with
    probability p[i] divided by the sum of theirs, whenever it comes. Waits are exponentially distributed, and at least
    `count` probabilities are above 0.
    """
    probabilities = np.array(p)
    possible = np.flatnonzero(probabilities)
    order = np.argsort(waits[possible] * SCALE / probabilities[possible], kind="stable")
    found: Integers = possible[order[:count]]
    return found
