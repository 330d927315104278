"""The kernel of the papers' experiments: launches of any shape move streams of one word on."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW
from clrng.generators import source
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.opencl.kernel import Kernel
from tests.support import oracle

Exact = tuple[cl.CommandQueue, str]
BEYOND = 5
POISON = 2**32 - 1


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("blocked", [False, True])
@pytest.mark.parametrize(("groups", "items", "local"), [(1, 4, 2), (21, 4, 4), (40, 3, 1), (7, 7, 7)])
def test_every_stream_moves_on_and_nothing_else(
    exact: Exact, groups: int, items: int, local: int, blocked: bool, vectors: bool
) -> None:
    queue, name = exact
    code = code_for(clrng.ParkMiller(seed=1), ARITHMETICS[name])
    width = code.max_vector_width if vectors else 1
    text = source.kernel("bench/step_streams.cl.mako", code, RAW, width, {})
    kernel = Kernel(queue.context, text, "step_streams")
    count, each = groups * width, -(-groups // items)
    states = cla.to_device(queue, oracle.sequence(77, count + BEYOND).astype(np.uint32))
    last = cla.to_device(queue, np.full(count + BEYOND, POISON, np.uint32))
    shape = (each, 1) if blocked else (1, items)
    expected = states.get()
    for steps in (3, 0, 1, 100):
        kernel(queue, items, local, states.data, last.data, groups, *shape, each, steps)
        for _ in range(steps):
            expected[:count] = expected[:count].astype(np.uint64) * 16807 % oracle.M
        assert_array_equal(states.get(), expected)
        assert_array_equal(last.get()[:count], expected[:count])
    assert (last.get()[count:] == POISON).all()
