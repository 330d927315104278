"""States of Mersenne Twisters at equal distances, made on a device, against jumps of the host.

A device that is said to be a GPU gets the kernels of GPUs, in scalars; any device can run them.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

from clrng import MT19937, MT19937_64
from clrng.distributions import RAW
from clrng.errors import UnsupportedError
from clrng.fill.fill_lagged import Blocks, LaggedStreamFiller, RingPlan, ring_shape
from clrng.fill.jump_tree import jump_tree_for
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.generators.mersenne_twister import MersenneTwister
from clrng.opencl.devices import describe

KINDS = pytest.mark.parametrize("kind", ["cpu", "gpu"])
both = pytest.mark.parametrize("bits", [MT19937(6), MT19937_64(6)], ids=["32", "64"])


@KINDS
@both
def test_states_at_equal_distances(queue: cl.CommandQueue, bits: MersenneTwister, kind: str) -> None:
    code: Any = code_for(bits, ARITHMETICS["integer"])
    tree = jump_tree_for(queue, replace(describe(queue.device), kind=kind), code)
    for count, distance in ((1, 5), (2, 10**12), (9, 700)):
        last = tree.states(tree.device_state(bits.words), count, distance)
        if last.event is not None:
            last.event.wait()
        found = last.states.get()[: last.index + 1, : bits.order]
        assert found.tolist() == [list(bits.jumped(i * distance).words) for i in range(count)]
    moved = tree.states(tree.device_state(bits.words), 2, 12345)
    assert moved.event is not None
    moved.event.wait()
    assert moved.states.get()[moved.index, : bits.order].tolist() == list(bits.jumped(12345).words)


@pytest.mark.parametrize(
    ("bits", "largest", "needed"), [(MT19937(6), 64, 96), (MT19937_64(6), 48, 64)], ids=["32", "64"]
)
def test_work_groups_that_are_too_small(
    queue: cl.CommandQueue, bits: MersenneTwister, largest: int, needed: int
) -> None:
    code: Any = code_for(bits, ARITHMETICS["integer"])
    small = replace(describe(queue.device), kind="gpu", device=SimpleNamespace(max_work_group_size=largest))
    with pytest.raises(UnsupportedError, match=f"needs work-groups of {needed} work-items .* at most {largest};"):
        jump_tree_for(queue, small, code)


def test_small_work_groups(queue: cl.CommandQueue) -> None:
    bits = MT19937(6)
    code: Any = code_for(bits, ARITHMETICS["integer"])
    small = replace(describe(queue.device), kind="gpu", device=SimpleNamespace(max_work_group_size=96))
    tree = jump_tree_for(queue, small, code)
    moved = tree.states(tree.device_state(bits.words), 2, 12345)
    assert moved.event is not None
    moved.event.wait()
    assert moved.states.get()[moved.index, : bits.order].tolist() == list(bits.jumped(12345).words)


@both
def test_rings_of_a_gpu(queue: cl.CommandQueue, bits: MersenneTwister) -> None:
    code: Any = code_for(bits, ARITHMETICS["integer"])
    step, words, mirrored = ring_shape(bits.lags, 10**5)
    assert step <= min(bits.lags)
    for in_local in (True, False):
        plan = RingPlan(256, step, words, mirrored, in_local, Blocks(3, 3, 1, 1))
        filler, moving = LaggedStreamFiller(queue, describe(queue.device), code, plan), bits.copy()
        for n in (5000, 3, 1301):
            out = cla.zeros(queue, n, bits.dtype)
            filler.fill(RAW, out, moving)
            assert_array_equal(out.get(), moving.sequence(n))
            moving.advance(n)
