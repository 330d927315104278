"""The search of thresholds on a device."""

from bisect import bisect_right
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

from clrng.distributions.discrete import (
    HALVINGS,
    Bernoulli,
    Choice,
    Discrete,
    Geometric,
    Poisson,
    guide_to,
    threshold_table,
)
from clrng.distributions.transforms.transform import Declaration
from tests.support.conversions import converted

PARAMETERS = (
    Declaration("uint", "tops", "__global"),
    Declaration("uint", "guide", "__global"),
    Declaration("ulong", "thresholds", "__global"),
    Declaration("uint", "shift"),
    Declaration("uint", "last"),
    Declaration("long", "low"),
)


def arguments(distribution: Discrete, raw_values: int, steps: int) -> tuple[Any, ...]:
    """Return the arguments of the kernel."""
    table = threshold_table(distribution, raw_values**steps)
    guide = guide_to(table, raw_values, steps)
    last = np.uint32(len(table.thresholds) - 1)
    return guide.tops, guide.guide, table.thresholds, np.uint32(guide.shift), last, np.int64(table.low)


RAW = {
    "Park-Miller": (np.uint32, 1, 2**31 - 2, 1),
    "Park-Miller, two": (np.uint32, 1, 2**31 - 2, 2),
    "32 bits": (np.uint32, 0, 2**32, 1),
    "32 bits, two": (np.uint32, 0, 2**32, 2),
    "small": (np.uint32, 5, 101, 1),
    "small, two": (np.uint32, 7, 1000003, 2),
    "48 bits": (np.uint64, 0, 2**48, 1),
    "61 bits": (np.uint64, 1, 2**61 - 2, 1),
    "64 bits": (np.uint64, 0, 2**64, 1),
}
"""Type, least and number of raw values, and how many make a value."""

DISTRIBUTIONS = [
    Choice([0.0, 1e-30, 0.25, 0.0, 0.5, 0.25, 0.0]),
    Choice(np.full(1000, 1e-3)),
    Choice([1.0]),
    Bernoulli(0.3),
    Bernoulli(1e-300),
    Poisson(3.5),
    Poisson(1e6),
    Poisson(0),
    Geometric(0.001),
]


def edges(thresholds: list[int], numbers: int) -> list[int]:
    """Return numbers at both ends, on both sides of thresholds, and some at random."""
    rng = np.random.default_rng(numbers % 2**63)
    some = thresholds if len(thresholds) < 1000 else [*thresholds[:300], *thresholds[::37], *thresholds[-300:]]
    near = [0, 1, numbers - 2, numbers - 1, *(t + d for t in some for d in (-1, 0, 1))]
    near += [int(u) * numbers >> 64 for u in rng.integers(0, 2**64, 2000, dtype=np.uint64)]
    return [x for x in near if 0 <= x < numbers]


def digits(numbers: list[int], kind: Any, least: int, raw_values: int, steps: int) -> list[npt.NDArray[Any]]:
    places = [raw_values**place for place in reversed(range(steps))]
    return [np.array([x // place % raw_values + least for x in numbers], kind) for place in places]


@pytest.mark.parametrize("width", [1, 4, 16])
@pytest.mark.parametrize("raw", RAW)
def test_numbers_become_what_the_thresholds_say(queue: cl.CommandQueue, raw: str, width: int) -> None:
    kind, least, raw_values, steps = RAW[raw]
    for distribution in DISTRIBUTIONS:
        numbers = raw_values**steps
        low, thresholds = distribution.thresholds(numbers)
        chosen = edges(thresholds, numbers)
        found = converted(
            queue, "thresholds", digits(chosen, kind, least, raw_values, steps), "int64", PARAMETERS,
            arguments(distribution, raw_values, steps), width, min_value=least, raw_values=raw_values,
            numbers=numbers, halvings=HALVINGS[-1], place_bits=0,
        )  # fmt: skip
        assert_array_equal(found, [low + bisect_right(thresholds, x) for x in chosen])


@pytest.mark.parametrize("out", ["int32", "uint32", "int64", "uint64", "uint8"])
@pytest.mark.parametrize("width", [1, 2, 8])
def test_every_type_of_values(queue: cl.CommandQueue, out: str, width: int) -> None:
    table = threshold_table(Poisson(100), 2**32)
    chosen = np.random.default_rng(5).integers(0, 2**32, 1000, dtype=np.uint32)
    found = converted(
        queue, "thresholds", [chosen], out, PARAMETERS, arguments(Poisson(100), 2**32, 1), width, min_value=0,
        raw_values=2**32, numbers=2**32, halvings=guide_to(table, 2**32, 1).halvings, place_bits=0,
    )  # fmt: skip
    assert found.dtype == out
    thresholds = table.thresholds[:-1].tolist()
    assert_array_equal(found, [table.low + bisect_right(thresholds, x) for x in chosen.tolist()])


def test_the_longest_search(queue: cl.CommandQueue) -> None:
    """All categories but the first share one entry of the guide."""
    p = np.full(2**18, 2.0**-40)
    p[0] = 1 - p[1:].sum()
    distribution: Discrete = Choice(p)
    table = threshold_table(distribution, 2**64)
    assert guide_to(table, 2**64, 1).halvings == HALVINGS[-1]
    chosen = [2**64 - 1 - i * (2**24 // 3) for i in range(2**18)]
    found = converted(
        queue, "thresholds", [np.array(chosen, np.uint64)], "int64", PARAMETERS, arguments(distribution, 2**64, 1), 1,
        min_value=0, raw_values=2**64, numbers=2**64, halvings=HALVINGS[-1], place_bits=0,
    )  # fmt: skip
    thresholds = table.thresholds[:-1].tolist()
    assert_array_equal(found, [bisect_right(thresholds, x) for x in chosen])
    assert len(np.unique(found)) > 2**16
