"""RANLUX++ on devices, from states at which carries and reductions are rare, against Python's integers."""

import random

import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

from clrng import Generator, RANLUXpp
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.generators.ranluxpp import MULTIPLIER, M

BEFORE = pow(MULTIPLIER, -1, M)

LOW, HIGH = 2**336, 2**240
"""x is h 2^336 + l, and floor(2^576 x / m) is x + h and a carry, -1 or 0, that depends on l - h 2^96."""

NEAR = [
    h * LOW + low
    for h in (0, 1, HIGH // 2, HIGH - 2**208, HIGH - 1)
    for low in {0, 1, *(h * 2**96 - apart for apart in (-1, 0, 1, h // 2**95, h - 1, h, h + 1)), LOW - 1}
    if 0 < h * LOW + low < M and 0 <= low < LOW
]
ENDS = [1, 2, M - 1, M - 2, HIGH - 1, HIGH, M - HIGH, 2**575, 2**576 - 2**552, 2**552 - 1]


def after(x: int, piece: int) -> RANLUXpp:
    return RANLUXpp([*(x >> 64 * i & 2**64 - 1 for i in range(9)), piece])


@pytest.mark.parametrize(
    "numbers", [NEAR, ENDS, [BEFORE * x % M for x in (*NEAR, *ENDS)]], ids=["x", "ends", "products"]
)
def test_rare_carries(queue: cl.CommandQueue, numbers: list[int]) -> None:
    pieces = random.Random(3)
    for x in numbers:
        bits = after(x, pieces.randrange(12))
        expected = bits.sequence(25)
        assert_array_equal(Generator(bits, queue=queue).random_raw(25).get(), expected, err_msg=hex(x))


def test_all_carries_are_among_them() -> None:
    found = {(x << 576) // M - x - (x >> 336) for x in NEAR}
    assert found == {-1, 0}


def test_its_text_is_written_once() -> None:
    first, second = (code_for(RANLUXpp(seed), ARITHMETICS["integer"]) for seed in (1, 2))
    assert first.generator("p_", 1) is second.generator("p_", 1)
