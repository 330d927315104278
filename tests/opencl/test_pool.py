"""Memory of results is used again when nobody has it and all commands with it have ended, and never before."""

import gc
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl import pool
from clrng.opencl.pool import LEAST, Pool, block_size

N = 1000
COMPLETE = cl.command_execution_status.COMPLETE


@pytest.fixture
def shown(device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> cl.Context:
    """Return a new context of a device whose driver shows who holds a block."""
    context = cl.Context([device.device])
    if not pool.shows_holders(context):
        pytest.skip("the driver does not show who holds a block")
    monkeypatch.setattr(pool, "shows_holders", lambda _: True)  # which may not see it on a machine at work
    return context


def block_of(memory: Any) -> int:
    """Return which block `memory`, that of an array, is a part of."""
    block: int = memory.associated_memobject.int_ptr
    return block


def generator(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.Generator(clrng.ParkMiller(seed=1), queue)


def test_memory_is_used_again(shown: cl.Context) -> None:
    queue = cl.CommandQueue(shown)
    rng, blocks, found = generator(queue), set(), []
    for _ in range(10):
        out = rng.random_raw(N)
        found.append(out.get())
        blocks.add(block_of(out.base_data))
        assert out.base_data.size == out.nbytes
    assert len(blocks) <= 2
    assert_array_equal(np.concatenate(found), clrng.ParkMiller(seed=1).sequence(10 * N))


def test_arrays_that_are_kept_have_memory_of_their_own(shown: cl.Context) -> None:
    rng = generator(cl.CommandQueue(shown))
    kept = [rng.random_raw(N) for _ in range(20)]
    kept = [out[5:] for out in kept]  # views
    more = [rng.random_raw(N) for _ in range(20)]
    assert len({block_of(out.base_data) for out in [*kept, *more]}) == 40
    expected = clrng.ParkMiller(seed=1).sequence(40 * N).reshape(40, N)
    for i, out in enumerate(kept):
        assert_array_equal(out.get(), expected[i, 5:])


@pytest.mark.parametrize("other", [False, True], ids=["same queue", "another queue"])
def test_memory_that_a_command_waits_to_read(shown: cl.Context, other: bool) -> None:
    """An array is dropped when a command that reads it is queued, as is usual: nobody writes there before it has."""
    queue = cl.CommandQueue(shown)
    reading = cl.CommandQueue(shown) if other else queue
    rng, gate, found = generator(queue), cl.UserEvent(shown), np.empty(N, np.uint32)
    rng.random_raw(N)
    out = rng.random_raw(N)
    block = block_of(out.base_data)
    queue.finish()
    memory: Any = out.base_data
    copied = cl.enqueue_copy(reading, found, memory, is_blocking=False, wait_for=[gate])
    reading.flush()
    del out, memory
    gc.collect()
    later = [rng.random_raw(N) for _ in range(4)]
    assert block not in {block_of(each.base_data) for each in later}
    gate.set_status(COMPLETE)
    copied.wait()
    assert_array_equal(found, clrng.ParkMiller(seed=1).sequence(2 * N)[N:])
    assert_array_equal(later[-1].get(), clrng.ParkMiller(seed=1).sequence(6 * N)[5 * N :])


def test_queues_in_any_order(any_order: cl.CommandQueue) -> None:
    rng, expected = generator(any_order), clrng.ParkMiller(seed=1).sequence(200 * N).reshape(200, N)
    copies = [rng.random_raw(N) + np.uint32(1) for _ in range(200)]  # of arrays that are dropped at once
    for i, out in enumerate(copies):
        assert_array_equal(out.get(), expected[i] + np.uint32(1))


def test_blocks_are_forgotten_where_there_are_many(shown: cl.Context) -> None:
    lent = Pool(shown)
    lent._most, lent._largest = 40 * LEAST, 10 * LEAST
    kept = [lent(LEAST, LEAST) for _ in range(100)]
    assert lent._held <= lent._most
    assert sum(map(len, lent._blocks.values())) * LEAST == lent._held
    assert len({block_of(memory) for memory in kept}) == 100
    assert lent(10 * LEAST, block_size(10 * LEAST)).associated_memobject is not None
    assert lent(11 * LEAST, block_size(11 * LEAST)).associated_memobject is None  # too large to be held


def test_a_driver_that_does_not_show_it(shown: cl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "shows_holders", lambda _: False)
    rng = generator(cl.CommandQueue(shown))
    for i in range(3):
        out: Any = rng.random_raw(N)
        assert out.base_data.associated_memobject is None
        assert_array_equal(out.get(), clrng.ParkMiller(seed=1).sequence((i + 1) * N)[i * N :])


@pytest.mark.parametrize("which", ["_holds_waiting", "_holds_running", "_holds_launched"])
def test_what_is_found_out_of_a_driver(shown: cl.Context, which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    class Careless(cl.Buffer):
        """A block that shows nothing."""

        reference_count = 1  # type: ignore[assignment]

    monkeypatch.setattr(pool.cl, "Buffer", Careless)
    assert not getattr(pool, which)(shown)
    assert not pool.shows_holders(shown)


def test_a_driver_whose_commands_lose_arguments(shown: cl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that holds what kernel objects have, which have other arguments when they are launched again."""
    monkeypatch.undo()
    tried = []

    class Forgetful(cl.Kernel):
        """A kernel that lets go of its arguments with the next ones."""

        def set_args(self, *arguments: Any) -> None:
            tried.append(arguments)
            super().set_args(*arguments)
            if len(tried) > 1:
                monkeypatch.setattr(pool.cl.Buffer, "reference_count", 1)

    monkeypatch.setattr(pool.cl, "Kernel", Forgetful)
    assert not pool._holds_launched(shown)
    assert len(tried) == 2


def test_sizes_of_blocks() -> None:
    for nbytes in [*range(1, 5000), 10**6, 2**26 + 1, 2**40 - 1]:
        size = block_size(nbytes)
        assert nbytes <= size <= max(nbytes * 9 / 8, LEAST)


def test_a_result_of_another_array_in_the_pool(shown: cl.Context) -> None:
    queue = cl.CommandQueue(shown)
    out = generator(queue).random_raw(N)
    whole = cla.zeros(queue, 2 * N, np.uint32)
    whole[N:] = out
    assert_array_equal(whole.get()[N:], clrng.ParkMiller(seed=1).sequence(N))
