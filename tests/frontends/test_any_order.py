"""Queues that run commands in any order: what may not begin is held up by a gate, and the numbers are the same.

`test_happens_before.py` looks at all other commands, without numbers.
"""

from typing import Any

import pyopencl as cl
import pyopencl.tools
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import Streams

STREAMS = {
    "park_miller": clrng.ParkMiller(seed=4),
    "mrg32k3a": clrng.MRG32k3a(seed=5),
    "24,55": clrng.LaggedFibonacci((24, 55), "+", seed=2),
}


@pytest.fixture(autouse=True)
def poisoned() -> None:
    """Fill no arrays beforehand: those commands are not clrng's."""


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("front", ["Generator", "Streams"])
def test_memory_of_a_pool_that_a_command_still_writes_to(any_order: cl.CommandQueue, name: str, front: str) -> None:
    bits, count, steps = STREAMS[name], 50, 100
    pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(any_order))
    expected = bits.sequence(6 * steps * count).reshape(6, steps, count)
    rng: clrng.Generator | Streams = Streams.by_leapfrog(bits, count, any_order, allocator=pool)
    if front == "Generator":
        rng = clrng.Generator(bits.jumped(0), any_order, allocator=pool)
    size: Any = steps if front == "Streams" else (steps, count)
    assert_array_equal(rng.random_raw(size).get(), expected[0])
    for values in expected[1:]:
        gate, memory = cl.UserEvent(any_order.context), pool(values.nbytes)
        address = memory.int_ptr
        cl.enqueue_fill_buffer(any_order, memory, b"\xff", 0, values.nbytes, wait_for=[gate])
        del memory  # to the pool, while the command waits for the gate
        found = rng.random_raw(size)
        gate.set_status(cl.command_execution_status.COMPLETE)
        assert found.base_data.int_ptr == address
        assert_array_equal(found.get(), values)
