"""Uniform numbers between two bounds, by the definition of the gamma-section."""

from fractions import Fraction

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.distribution import Between
from clrng.distributions.transforms.uniform import INTERVALS, grid
from clrng.opencl.devices import describe
from tests.support.reference_draws import Spaced

GENERATORS = [
    clrng.ParkMiller(7),
    clrng.MRG32k3a(),
    clrng.LCG(1664525, 1013904223, 2**32, 1),
    clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, 1),
    clrng.LaggedFibonacci((24, 55), "+", 31, seed=3),
    clrng.LCG(3, 0, 101, 5),
]
BOUNDS = [(0, 1), (-1, 1), (0.1, 1000), (-1000, 0.1), (3, 3 + 2**-20), (1e-30, 1e30), (-5, -2), (0, 1e-30)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("bits", GENERATORS, ids=lambda bits: f"{bits.name}-{bits.upper_bound}")
def test_numbers_are_those_of_the_definition(queue: cl.CommandQueue, bits: clrng.BitGenerator, dtype: str) -> None:
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    m, count = bits.upper_bound - bits.min_value, 53
    steps = 1 if dtype == "float32" or m > 2**32 else 2
    for low, high in BOUNDS:
        for interval in INTERVALS:
            moving = bits.jumped(20)
            found = clrng.Generator(moving, queue).uniform(low, high, count, dtype, interval=interval).get()
            raw = [int(x) - bits.min_value for x in bits.jumped(20).sequence(count * steps)]
            numbers = [sum(raw[i + d] * m ** (steps - 1 - d) for d in range(steps)) for i in range(0, len(raw), steps)]
            assert_array_equal(found, Spaced(low, high, interval).values(numbers, m**steps, dtype))
            assert moving == bits.jumped(20 + count * steps)


finite = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(finite, finite, st.sampled_from(INTERVALS), st.sampled_from(["float32", "float64"]), st.integers(0, 2**64 - 1))
def test_bounds_are_kept(low: float, high: float, interval: str, dtype: str, x: int) -> None:
    low, high = sorted((low, high))
    try:
        made = grid(low, high, interval, np.dtype(dtype))
    except ValueError:
        assert low == high or (np.nextafter(np.dtype(dtype).type(low), high) == high and interval == "()")
        return
    for i in {0, made.count - 1, x * made.count >> 64}:
        exact = Fraction(made.bound) if i == made.special else (made.first + i) * Fraction(made.unit)
        assert float(np.dtype(dtype).type(float(exact))) == exact
        assert low < exact or (low == exact and interval[0] == "[")
        assert exact < high or (exact == high and interval[1] == "]")


SINGLE, DOUBLE = 2.0**-149, 2.0**-1074
HARD = {
    "float32": [
        (-1e-38, 1e-38), (1.2e-38, 2e-38), (0, 1e-37), (0, SINGLE), (-SINGLE, SINGLE), (-3 * SINGLE, -SINGLE),
        (1e-40, 1), (-1, -1e-40), (-1e-40, 3e38), (2**-126, 2**-125), (2**-126 - SINGLE, 2**-126 + SINGLE),
        (-0.0, 1), (-1, -0.0), (-1, 1e-50), (-3.4e38, 3.4e38), (1, 1 + 2**-23), (1 - 2**-24, 1 + 2**-22),
        (2**-103, 2**-102), (-(2**-102), 2**-149), (0, 2**-126), (1e-31, 2e-31),
    ],
    "float64": [
        (-2.5e-308, 2.5e-308), (2.5e-308, 4e-308), (0, 1e-307), (0, DOUBLE), (-DOUBLE, DOUBLE), (1e-310, 1),
        (-1, -1e-310), (2**-1022, 2**-1021), (2.0**-1022 - DOUBLE, 2.0**-1022 + DOUBLE), (-0.0, 1), (-1, -0.0),
        (-1.7e308, 1.7e308), (1, 1 + 2**-52), (2**-970, 2**-969), (0, 2**-1022), (-5e-324, 1e-300),
    ],
}  # fmt: skip
"""Bounds that are subnormal, or whose floats are as near to one another as subnormal numbers are; and other edges."""


def around(m: int, count: int) -> list[clrng.LCG]:
    """Return generators whose next values are the least, those in the middle, and the greatest of 0 to m - 1."""
    return [clrng.LCG(1, 1, m, (begin - 1) % m) for begin in (0, m // 2 - count // 2, m - count)]


@pytest.mark.parametrize("m", [2, 101, 2**24, 2**32, 2**40 + 1, 2**48, 2**64], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_hard_bounds(queue: cl.CommandQueue, dtype: str, m: int) -> None:
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    steps = 1 if dtype == "float32" or m > 2**32 else 2
    word = "uint32" if dtype == "float32" else "uint64"
    for low, high in HARD[dtype]:
        empty = float(np.nextafter(np.dtype(dtype).type(low), np.dtype(dtype).type(np.inf))) >= high
        for interval in INTERVALS[: 2 if empty else 4]:
            for bits in around(m, 18):
                raw = [int(x) for x in bits.sequence(18)]
                numbers = [sum(raw[i + d] * m ** (steps - 1 - d) for d in range(steps)) for i in range(0, 18, steps)]
                expected = Spaced(low, high, interval).values(numbers, m**steps, dtype)
                found = clrng.Generator(bits, queue).uniform(low, high, len(numbers), dtype, interval=interval).get()
                assert_array_equal(found.view(word), expected.view(word), f"{low!r} {high!r} {interval}")


@pytest.mark.parametrize("m", [3, 101, 2**16, 2**24, 2**32, 2**40 + 1, 2**48, 2**52], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_ends_are_reached_by_the_extreme_raw_values(queue: cl.CommandQueue, dtype: str, m: int) -> None:
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    for low, high in ((0.0, 1.0), (-3.0, 2.0)):
        for interval in INTERVALS:
            counting, still = clrng.LCG(1, 1, m, m - 1), clrng.LCG(2, 1, m, m - 1)  # raw values 0, 1 and m - 1, m - 1
            first, last = (
                clrng.Generator(bits, queue).uniform(low, high, 1, dtype, interval=interval).get()[0]
                for bits in (counting, still)
            )
            if dtype == "float32" or m > 2**32:  # else the first number is made of 0 and 1
                assert (first == low) == (interval[0] == "["), (low, high, interval)
            assert (last == high) == (interval[1] == "]"), (low, high, interval)


def test_random_takes_an_interval(queue: cl.CommandQueue) -> None:
    expected = {0: [0, 2**-24, 2**-24, 0], 2**32 - 1: [1 - 2**-24, 1, 1 - 2**-24, 1]}
    for raw, numbers in expected.items():
        bits = clrng.LCG(1, 1, 2**32, (raw - 1) % 2**32)  # the next value is raw
        found = [clrng.Generator(bits.copy(), queue).random(1, interval=each).get()[0] for each in INTERVALS]
        assert found == numbers


@pytest.mark.parametrize(
    ("low", "high", "interval", "message"),
    [
        (-0.0, 0.0, "[]", "high must be above low, 0.0, not 0.0"),
        (1, 1, "[)", "high must be above low, 1.0, not 1.0"),
        (2, 1, "[)", "high must be above low, 2.0, not 1.0"),
        (float("nan"), 1, "[)", "low must be a number from .*, not nan"),
        (0, float("inf"), "[)", "high must be a number from .*, not inf"),
        (0, 1, "][", r"interval must be .*, not '\]\['"),
    ],
)
def test_what_is_no_interval_is_refused(low: float, high: float, interval: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Between(low, high, interval)


@pytest.mark.parametrize(
    ("low", "high", "interval", "message"),
    [
        (1, 1 + 2**-30, "[]", r"high must be above low, 1.0 as float32, not 1.0000000009313226"),
        (0, 2.0**-149, "()", r"high must be further above low, 0.0, not 1.4\d*e-45: no float32 is between them"),
        (1, 1 + 2**-23, "()", r"high must be further above low, 1.0, not 1.0000001\d*: no float32 is between them"),
        (-1e39, 1, "[)", r"low must be at most 3.4028234663852886e\+38 in size as dtype is float32, not -1e\+39"),
        (1, 1e39, "[)", r"high must be at most 3.4028234663852886e\+38 in size as dtype is float32, not 1e\+39"),
    ],
)
def test_an_interval_without_a_float_is_refused_before_the_stream_moves(
    queue: cl.CommandQueue, low: float, high: float, interval: str, message: str
) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    with pytest.raises(ValueError, match=message):
        rng.uniform(low, high, 3, interval=interval)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)
