"""Uniform numbers of every denominator, at the ends and where they change."""

from fractions import Fraction

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import UNIFORM, Table
from clrng.opencl.devices import describe

MODULI = [3, 101, 2**15, 2**24 - 3, 2**24, 2**24 + 43, 10**9, 2**31 - 1, 2**31, 2147483399, 2**32 - 5, 2**32]
MODULI += [2**32 + 15, 10**12 + 39, 2**40, 2**48, 2**53 - 111, 2**53, 2**53 + 5, 2**61 - 1, 2**63, 10**19, 2**64 - 59]
MODULI += [2**64]


def candidates(modulus: int, bits: int) -> list[int]:
    """Return raw values at both ends, and on both sides of where x / modulus passes a multiple of 2^-bits."""
    ends = [1, 2, 3, modulus // 2, modulus // 2 + 1, modulus - 3, modulus - 2, modulus - 1]
    steps = [-(-k * modulus // 2**bits) for k in (1, 2, 3, 2 ** (bits - 1), 2**bits - 2, 2**bits - 1)]
    rng = np.random.default_rng(modulus % 2**63)
    steps += [-(-int(k) * modulus // 2**bits) for k in rng.integers(0, 2**bits, 300)]
    near = ends + [step + d for step in steps for d in (-1, 0, 1)]
    return sorted({x for x in near if 0 < x < modulus})


def expected(x: int, modulus: int, bits: int) -> float:
    if bits == 53 and modulus <= 2**53:
        return float(Fraction(x, modulus))  # Python rounds a fraction correctly
    return float(Fraction(x * 2**bits // modulus, 2**bits))


OF_ONE_DTYPE = dict.fromkeys((2**15, 2**24 - 3, 2**24 + 43, 10**9, 2147483399, 2**31, 10**12 + 39), "float32")
OF_ONE_DTYPE |= dict.fromkeys((2**48, 2**53 - 111, 2**53, 2**53 + 5), "float64")
"""Moduli about what one dtype can hold, and those of which others divide just so."""


@pytest.mark.parametrize(
    ("modulus", "dtype"),
    [(m, dtype) for m in MODULI for dtype in ("float32", "float64") if OF_ONE_DTYPE.get(m, dtype) == dtype],
)
def test_uniform_numbers_are_exact(queue: cl.CommandQueue, modulus: int, dtype: str) -> None:
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    bits = UNIFORM[dtype].bits
    values = candidates(modulus, bits)
    still = clrng.LCG(multiplier=1, increment=0, modulus=modulus, seed=1)  # every state stays where it is
    streams = clrng.Streams.from_seeds(still, values, queue)
    found = streams.random(1, dtype=dtype).get()[0]
    wanted = np.array([expected(x, modulus, bits) for x in values])
    assert_array_equal(found.astype(np.float64), wanted)
    assert found.min() >= 0
    assert found.max() < 1


@pytest.mark.parametrize(
    ("dtype", "denominator", "division"),
    [
        ("float32", 2**31 - 1, "shift"), ("float32", 2**32, "shift"), ("float32", 101, "short"),
        ("float32", 2**24 - 1, "short"), ("float32", 2**32 - 208, "short"), ("float32", 2**61 - 1, "shift"),
        ("float32", 10**19, "long"), ("float64", 2**31 - 1, "divide"), ("float64", 2**48, "shift"),
        ("float64", 2**53 - 1, "divide"), ("float64", 2**53 + 5, "long"), ("float64", 2**64 - 59, "long"),
    ],
)  # fmt: skip
def test_the_cheapest_division_is_taken(dtype: str, denominator: int, division: str) -> None:
    assert UNIFORM[dtype].division(denominator) == division


def test_tables_made_again_are_equal() -> None:
    numbers = np.arange(5, dtype=np.float32)
    assert Table(numbers) == Table(numbers.copy())
    assert len({Table(numbers), Table(numbers.copy()), Table(numbers + 1), Table(numbers.astype(np.float64))}) == 3
