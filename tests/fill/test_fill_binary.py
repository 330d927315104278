"""Fills of recurrences over GF(2) whose lanes jump from the beginnings of their groups."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW
from clrng.fill import fill
from clrng.fill.fill import FillKernel
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.opencl.devices import describe


@pytest.mark.parametrize("name", ["well512a", "commons_math_well512a"])
def test_lanes_jump_from_the_beginning_of_their_group(name: str, queue: cl.CommandQueue) -> None:
    bits = clrng.named(name, 2**31 + 12345)
    shape = fill.BlockPlan(1, 16, False, 70, 1, 8, unrolled=False, bits=2)
    filler = FillKernel(queue, describe(queue.device), code_for(bits, ARITHMETICS["integer"]), RAW, shape)
    n = 20_011
    for offset in (0, 3):
        out = cla.zeros(queue, offset + n, bits.dtype)
        filler.fill(out[offset:], bits)
        assert_array_equal(out.get(), np.concatenate([np.zeros(offset, bits.dtype), bits.sequence(n)]))


@pytest.mark.parametrize(("n", "each"), [(2**30, 512), (2**30 - 64, 512), (10**9, 464), (33792 * 64, 1), (2**20, 1)])
def test_lengths_of_lanes_have_few_bits(n: int, each: int) -> None:
    plan = fill.BlockPlan(1, 64, True, 256 * 132, 1, 64, unrolled=True, bits=5)
    work_items, found = plan.launch(n)
    assert found == each
    assert work_items * each * 64 >= n // 64 * 64
