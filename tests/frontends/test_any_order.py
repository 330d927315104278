"""Queues that run commands in any order: the numbers are the same, as every command waits for what it needs."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.tools
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import Streams
from tests.support.orders import order

LAGGED = {
    "5,17": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "24,55": clrng.LaggedFibonacci((24, 55), "+", seed=2),
    "103,250": clrng.LaggedFibonacci((103, 250), "xor", seed=3),
}
STREAMS = {"park_miller": clrng.ParkMiller(seed=4), "mrg32k3a": clrng.MRG32k3a(seed=5), **LAGGED}
TIMES = 40


@pytest.fixture(autouse=True)
def poisoned() -> None:
    """Fill no arrays beforehand, which takes time in which commands come to be in order by chance."""


@pytest.mark.parametrize("name", LAGGED)
def test_states_copied_to_the_device(any_order: cl.CommandQueue, name: str) -> None:
    bits = LAGGED[name]
    expected = bits.sequence(64)
    for _ in range(TIMES):
        assert_array_equal(clrng.Generator(bits.jumped(0), any_order).random_raw(64).get(), expected)


@pytest.mark.parametrize("name", LAGGED)
def test_fills_of_many_blocks(any_order: cl.CommandQueue, name: str) -> None:
    bits = LAGGED[name]
    expected = bits.sequence(60_000)
    for _ in range(5):
        rng = clrng.Generator(bits.jumped(0), any_order)
        pieces = [rng.random_raw(n) for n in (1, 30_001, 17, 29_900, 81)]
        assert_array_equal(np.concatenate([piece.get() for piece in pieces]), expected)


@pytest.mark.parametrize("name", ["5,17", "park_miller"])
def test_random_orders(any_order: cl.CommandQueue, name: str) -> None:
    bits = {**LAGGED, **STREAMS}[name]
    expected, moved = order(bits.copy(), 20_001), bits.copy()
    order(moved, 20_001)
    for _ in range(5):
        rng, array = clrng.Generator(bits.copy(), any_order), cla.arange(any_order, 20_001, dtype=np.float32)
        rng.shuffle(array)
        other = rng.permutation(300)
        assert_array_equal(array.get(), expected)
        assert_array_equal(other.get(), order(moved.copy(), 300))
        assert_array_equal(clrng.Generator(bits.copy(), any_order).permutation(20_001).get(), expected)


@pytest.mark.parametrize("name", STREAMS)
def test_streams_made_by_jumps(any_order: cl.CommandQueue, name: str) -> None:
    bits = STREAMS[name]
    starts = [bits.jumped(1000 * i) for i in range(37)]
    expected = np.array([start.sequence(3) for start in starts]).T
    for _ in range(TIMES):
        assert_array_equal(Streams.by_jumps(bits, 37, 1000, any_order).random_raw(3).get(), expected)


@pytest.mark.parametrize("name", STREAMS)
def test_streams_that_are_dealt_out(any_order: cl.CommandQueue, name: str) -> None:
    bits = STREAMS[name]
    expected = bits.sequence(3 * 37)
    for _ in range(TIMES):
        assert_array_equal(Streams.by_leapfrog(bits, 37, any_order).random_raw(3).get().ravel(), expected)


@pytest.mark.parametrize("name", STREAMS)
def test_states_that_are_assigned(any_order: cl.CommandQueue, name: str) -> None:
    bits = STREAMS[name]
    streams = Streams.by_jumps(bits, 37, 1000, any_order)
    kept = streams.states
    expected = streams.random_raw(3).get()
    for _ in range(TIMES):
        streams.random_raw(5)
        streams.states = kept
        assert_array_equal(streams.states, kept)
        assert_array_equal(streams.random_raw(3).get(), expected)


@pytest.mark.parametrize("bits", [STREAMS["park_miller"], LAGGED["24,55"]], ids=["park_miller", "24,55"])
def test_divide_and_conquer(any_order: cl.CommandQueue, bits: clrng.ParkMiller | clrng.LaggedFibonacci) -> None:
    expected = bits.sequence(3000)
    for _ in range(TIMES):
        solver = clrng.DivideAndConquer(bits.jumped(0), any_order, s=100, r=30)
        assert_array_equal(solver.random_raw(3000).get(), expected)


def test_generators_that_share_a_queue_and_an_array(any_order: cl.CommandQueue) -> None:
    other = cl.CommandQueue(any_order.context)
    rngs = [clrng.Generator(bits.jumped(0), any_order) for bits in (LAGGED["5,17"], LAGGED["24,55"])]
    for queue in (any_order, other):
        out = cla.Array(queue, 20_000, np.uint32)
        for _ in range(TIMES):
            for rng in rngs:
                before = rng.bit_generator.jumped(0)
                rng.random_raw(out=out)
            assert_array_equal(out[:300].get(), before.sequence(300))


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
