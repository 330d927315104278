"""Values that would be beyond the largest number are the largest number, for every distribution with a scale."""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.devices import describe

SCALED = {
    name: {parameter.name: 2.5 for parameter in row.parameters if parameter.name not in ("loc", "scale")}
    for name, row in clrng.DISTRIBUTIONS.items()
    if row.parameters and row.parameters[-1].name == "scale" and name != "wald"
}
"""The distributions that are multiplied by a scale, with their other parameters."""

COUNT = 3001


def numbers_of(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.Generator(clrng.named("mmix", 3), queue)


def clipped(standard: npt.NDArray[Any], loc: float, scale: float) -> npt.NDArray[Any]:
    """Return loc + scale·x of every x in exact fractions, rounded once, or the largest number in size."""
    largest, kind = Fraction(float(np.finfo(standard.dtype).max)), standard.dtype.type
    exact = [Fraction(float(x)) * Fraction(scale) + Fraction(loc) for x in standard]
    rounded = [float(min(max(value, -largest), largest)) for value in exact]
    if standard.dtype == np.float64:
        return np.array(rounded)
    # a float64 between two float32 is rounded a second time: none of the values may be that near to their middle
    assert all((np.float64(x).view(np.uint64) & (2**29 - 1)) != 2**28 for x in rounded)
    return np.array(rounded).astype(kind)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", SCALED)
def test_the_largest_scale(queue: cl.CommandQueue, name: str, dtype: str) -> None:
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    largest, given = float(np.finfo(dtype).max), SCALED[name]
    standard = numbers_of(queue).sample(clrng.distribution(name, **given), COUNT, dtype).get()
    for loc in (0.0, -largest, largest / 3) if "loc" in str(clrng.DISTRIBUTIONS[name].signature) else (0.0,):
        places = {"loc": loc} if loc else {}
        chosen = clrng.distribution(name, **given, **places, scale=largest)
        found = numbers_of(queue).sample(chosen, COUNT, dtype).get()
        assert_array_equal(found, clipped(standard, loc, largest))
        assert (abs(found) == largest).any()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arrays_of_the_largest_scale(queue: cl.CommandQueue, dtype: str) -> None:
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    largest = float(np.finfo(dtype).max)
    standard = numbers_of(queue).standard_normal(COUNT, dtype).get()
    found = numbers_of(queue).normal(np.full(COUNT, -largest), largest, dtype=dtype).get()
    assert_array_equal(found, clipped(standard, -largest, largest))


def test_logarithms_of_the_largest_numbers(queue: cl.CommandQueue) -> None:
    found = numbers_of(queue).lognormal(80, 15, COUNT).get()
    assert np.isfinite(found).all()
    assert (found == np.finfo(np.float32).max).sum() > COUNT / 5
