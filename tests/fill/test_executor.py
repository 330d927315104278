"""Generators on one queue share what executes their fills, and nothing of where they stand."""

import gc
import pickle
from threading import Thread

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.fill import executor, fill_lagged
from clrng.fill.jump_tree import JumpTree
from clrng.frontends.divide_and_conquer import Steps
from clrng.opencl.kernel import Kernel

BITS = {
    "park_miller": clrng.ParkMiller(seed=1),
    "mrg32k3a": clrng.MRG32k3a(),
    "lagged": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "large lags": clrng.LaggedFibonacci((103, 250), "xor", seed=5),
}
EACH = pytest.mark.parametrize("name", BITS)


def refuse(*_: object) -> None:
    raise AssertionError("a kernel was made")


@EACH
def test_no_constructor_makes_a_kernel(queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    context = cl.Context([queue.device])  # held, as Intel's queues do not
    other = cl.CommandQueue(context)
    monkeypatch.setattr(Kernel, "__init__", refuse)
    rng = clrng.Generator(BITS[name].copy(), other)
    with pytest.raises(AssertionError, match="a kernel was made"):
        rng.random_raw(5)
    assert rng.bit_generator == BITS[name]
    if name != "mrg32k3a":
        clrng.DivideAndConquer(BITS[name].copy(), other)


@EACH
def test_a_second_generator_makes_nothing_again(
    queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = clrng.Generator(BITS[name].copy(), queue)
    first.random_raw(5003)
    first.random(5003)
    monkeypatch.setattr(Kernel, "__init__", refuse)
    monkeypatch.setattr(JumpTree, "_weights", refuse)  # the weights of jumps on the device
    second = clrng.Generator(BITS[name].copy(), queue)
    assert_array_equal(second.random_raw(5003).get(), BITS[name].sequence(5003))
    second.random(5003)


@EACH
def test_generators_by_turns(queue: cl.CommandQueue, name: str) -> None:
    bits = BITS[name]
    expected = bits.sequence(12000)
    starts = [0, 0, 100, 3001]  # two from the same words, two at the same place
    rngs = [clrng.Generator(bits.jumped(start), queue) for start in starts]
    done = list(starts)
    for turn, n in enumerate([5, 5003, 1, 0, 300, 17, 16, 999, 2, 5, 250, 251, 4, 4, 1000, 33]):
        i = turn * 7 % 5 % 4
        assert_array_equal(rngs[i].random_raw(n).get(), expected[done[i] : done[i] + n])
        done[i] += n
        if turn == 6:
            rngs[0].bit_generator.advance(50)
            done[0] += 50
        if turn == 9:
            rngs[1].bit_generator = bits.jumped(done[1])
    assert [rng.bit_generator.jumped(0) for rng in rngs] == [bits.jumped(n) for n in done]


@pytest.mark.parametrize("name", ["lagged", "large lags"])
def test_the_host_does_not_jump_when_generators_take_turns(
    queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    proving, *rngs = [clrng.Generator(BITS[name].jumped(start), queue) for start in (5, 0, 10**6)]
    for n in (1000, 100, 7):
        proving.random_raw(n)  # kernels are proved by the host's jumps
    for rng in rngs:
        rng.random_raw(1000)
    monkeypatch.setattr(clrng.LaggedFibonacci, "state_after", refuse)
    found = [rng.random_raw(n).get() for n in (100, 7) for rng in rngs]
    monkeypatch.undo()
    for i, start in enumerate((0, 10**6)):
        assert_array_equal(np.concatenate(found[i::2]), BITS[name].jumped(start + 1000).sequence(107))


@pytest.mark.parametrize("name", ["lagged", "large lags"])
def test_in_any_order(any_order: cl.CommandQueue, name: str) -> None:
    rngs = [clrng.Generator(BITS[name].jumped(start), any_order) for start in (0, 500, 10**6)]
    sizes = [5003, 1, 20000, 64, 17] * 4
    pieces = [[rng.random_raw(n) for rng in rngs] for n in sizes]
    for i, start in enumerate((0, 500, 10**6)):
        found = np.concatenate([row[i].get() for row in pieces])
        assert_array_equal(found, clrng.Generator(BITS[name].jumped(start)).random_raw(found.size).get())


@EACH
def test_an_interrupted_fill_spoils_no_other_stream(
    queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bits = BITS[name]
    first, second = clrng.Generator(bits.copy(), queue), clrng.Generator(bits.jumped(700), queue)
    first.random_raw(1000)
    second.random_raw(1000)
    attached = fill_lagged.arrays.attach_event

    def interrupted(*arguments: object) -> None:
        attached(*arguments)  # type: ignore[arg-type]  # as it was called
        raise KeyboardInterrupt

    monkeypatch.setattr(fill_lagged.arrays, "attach_event", interrupted)
    with pytest.raises(KeyboardInterrupt):
        second.random_raw(1001)  # for which nothing is ready
    monkeypatch.undo()
    assert_array_equal(first.random_raw(300).get(), bits.jumped(1000).sequence(300))
    assert_array_equal(second.random_raw(300).get(), bits.jumped(1700).sequence(300))


@EACH
def test_threads_with_a_generator_each(queue: cl.CommandQueue, name: str) -> None:
    starts = [0, 1000, 5000, 20000]
    rngs = [clrng.Generator(BITS[name].jumped(start), queue) for start in starts]
    found: dict[int, list[cl.array.Array]] = {start: [] for start in starts}

    def draw(rng: clrng.Generator, start: int) -> None:
        for n in (3, 500, 17, 64) * 5:
            found[start].append(rng.random_raw(n))

    threads = [Thread(target=draw, args=pair) for pair in zip(rngs, starts, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = BITS[name].sequence(20000 + 5 * 584)
    for start in starts:
        values = np.concatenate([piece.get() for piece in found[start]])
        assert_array_equal(values, expected[start : start + values.size])


@EACH
def test_what_generators_share_goes_with_the_last_of_them(device: clrng.DeviceInfo, name: str) -> None:
    context = cl.Context([device.device])  # held, as Intel's queues do not
    queue = cl.CommandQueue(context)
    rngs = [clrng.Generator(BITS[name].jumped(start), queue) for start in (0, 5)]
    for rng in rngs:
        rng.random_raw(100)
    key = next(key for key in executor._used if isinstance(key, tuple) and key[0] == queue.int_ptr)
    rngs.pop()
    del rng
    gc.collect()
    assert key in executor._used
    rngs.clear()
    gc.collect()
    assert key not in executor._used


def test_steps_of_the_baseline_are_kept_where_a_state_is_restored(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = clrng.DivideAndConquer(clrng.ParkMiller(seed=1), queue, s=16)
    rng.random_raw(100)
    monkeypatch.setattr(Steps, "__init__", refuse)
    rng.bit_generator.state = clrng.ParkMiller(seed=5).state
    assert_array_equal(rng.random_raw(100).get(), clrng.ParkMiller(seed=5).sequence(100))
    rng.bit_generator = clrng.ParkMiller(seed=7)
    assert_array_equal(rng.random_raw(100).get(), clrng.ParkMiller(seed=7).sequence(100))


def test_a_pickled_baseline_goes_on(queue: cl.CommandQueue) -> None:
    rng = clrng.DivideAndConquer(clrng.ParkMiller(seed=1), queue, s=16, group=8)
    rng.random_raw(100)
    other = pickle.loads(pickle.dumps(rng))
    assert (other.s, other.r, other.group) == (16, None, 8)
    for front in (other, rng):
        assert_array_equal(front.random_raw(77).get(), clrng.ParkMiller(seed=1).jumped(100).sequence(77))
