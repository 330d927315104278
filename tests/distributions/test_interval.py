"""Uniform numbers between two bounds, by the definition of the gamma-section."""

from fractions import Fraction

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.interval import INTERVALS, Between, grid
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
        assert low == high or np.nextafter(np.dtype(dtype).type(low), high) == high or abs(low - high) < 1e-37
        return
    for i in {0, made.count - 1, x * made.count >> 64}:
        exact = Fraction(made.bound) if i == made.special else (made.first + i) * Fraction(made.unit)
        assert float(np.dtype(dtype).type(float(exact))) == exact
        assert low < exact or (low == exact and interval[0] == "[")
        assert exact < high or (exact == high and interval[1] == "]")


def test_random_takes_an_interval(queue: cl.CommandQueue) -> None:
    expected = {0: [0, 2**-24, 2**-24, 0], 2**32 - 1: [1 - 2**-24, 1, 1 - 2**-24, 1]}
    for raw, numbers in expected.items():
        bits = clrng.LCG(1, 1, 2**32, (raw - 1) % 2**32)  # the next value is raw
        found = [clrng.Generator(bits.copy(), queue).random(1, interval=each).get()[0] for each in INTERVALS]
        assert found == numbers


@pytest.mark.parametrize(
    ("low", "high", "interval", "message"),
    [
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
