"""Streams of lagged Fibonacci generators, of orders that have jumps of their own and of larger ones."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW
from clrng.fill import stream_states
from clrng.fill.stream_states import Seeding
from clrng.frontends.streams import Streams
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from tests.conftest import make_queue

GENERATORS = {
    "+": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "-": clrng.LaggedFibonacci((17, 5), "-", 64, seed=2, output=(33, 31)),
    "*": clrng.LaggedFibonacci((3, 10), "*", 64, seed=3),
    "xor": clrng.LaggedFibonacci((7, 10), "xor", 31, seed=4),
    "- 10^9": clrng.LaggedFibonacci((24, 55), "-", modulus=10**9, seed=5),
    "large +": clrng.LaggedFibonacci((37, 100), "+", 64, seed=6, output=(1, 63)),
    "large -": clrng.LaggedFibonacci((65, 1), "-", modulus=10**9, seed=7),
    "large *": clrng.LaggedFibonacci((63, 127), "*", seed=8),
    "large xor": clrng.LaggedFibonacci((103, 250), "xor", 64, seed=9, output=(20, 32)),
}
ALL = pytest.mark.parametrize("name", GENERATORS)
SLOW = {"-", "xor", "- 10^9", "large +", "large xor"}
"""Those left out where compilers take long."""

COUNTS = 1, 37, 160
FAR = 10**15


@pytest.fixture(autouse=True)
def fewer(request: pytest.FixtureRequest) -> None:
    """Leave out some generators on a device whose compiler takes long."""
    if "queue" in request.fixturenames and "name" in request.fixturenames and request.getfixturevalue("name") in SLOW:
        queue = request.getfixturevalue("queue")
        if queue.device.platform.name == "rusticl":
            pytest.skip("its compiler takes too long for all of them")


def starts_of(streams: Streams) -> list[tuple[int, ...]]:
    return [tuple(row) for row in streams.states.tolist()]


def values(starts: list[clrng.LaggedFibonacci], steps: int) -> npt.NDArray[Any]:
    return np.array([start.sequence(steps) for start in starts]).T


def floats(raw: npt.NDArray[Any], denominator: int) -> npt.NDArray[Any]:
    scaled = [(x << 24) // denominator for x in raw.ravel().tolist()]
    return np.reshape(np.array(scaled, np.float32) * np.float32(2**-24), raw.shape)


def goes_on(streams: Streams, starts: list[clrng.LaggedFibonacci]) -> None:
    """Assert that the streams go on from `starts` in calls of every kind, by more steps than a state has words."""
    bits, queue = starts[0], streams.queue
    steps = 2 * bits.order + 12
    expected = values(starts, steps)
    assert starts_of(streams) == [start.words for start in starts]
    assert_array_equal(streams.random_raw(3).get(), expected[:3])
    assert_array_equal(streams.random_raw(2, keep="last").get(), expected[4])
    assert_array_equal(streams.random(2).get(), floats(expected[5:7], bits.upper_bound))
    assert_array_equal(streams.random(keep="last").get(), floats(expected[7], bits.upper_bound))
    whole = cla.Array(queue, 5 + 3 * streams.count + 7, bits.dtype)  # poisoned
    out = whole[5 : 5 + 3 * streams.count].reshape(3, streams.count)
    assert streams.random_raw(3, out=out) is out
    host = whole.get()
    assert_array_equal(host[5:-7].reshape(3, -1), expected[8:11])
    assert (np.concatenate([host[:5], host[-7:]]) == np.iinfo(host.dtype).max).all()
    again, kept = pickle.loads(pickle.dumps(streams)), streams.states
    assert kept.tolist() == [list(start.jumped(11).words) for start in starts]
    rest = streams.random_raw(steps - 11).get()
    assert_array_equal(rest, expected[11:])
    assert starts_of(streams) == [start.jumped(steps).words for start in starts]
    assert again.step == streams.step
    assert_array_equal(again.random_raw(steps - 11).get(), rest)
    streams.states = kept
    assert_array_equal(streams.random_raw(steps - 11).get(), rest)


@ALL
def test_streams_by_jumps(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    for count, longest in zip(COUNTS, (1, 12345, FAR), strict=True):
        distance = min(longest, bits.period or longest)
        starts = [bits.jumped(distance * i) for i in range(count)]
        goes_on(Streams.by_jumps(bits, count, distance, queue), starts)


@ALL
def test_streams_from_seeds(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    for count in COUNTS:
        starts = [bits.jumped(7 * i * i) for i in range(count)]
        goes_on(Streams.from_seeds(bits, [start.words for start in starts], queue), starts)


@ALL
def test_streams_by_leapfrog(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name].copy()
    for count in COUNTS:
        streams, steps = Streams.by_leapfrog(bits, count, queue), 20
        expected = bits.sequence(steps * count).reshape(steps, count)
        states = [bits.state_after(bits.words, i + 1 - count) for i in range(count)]
        assert starts_of(streams) == states
        assert_array_equal(streams.random_raw(3).get(), expected[:3])
        assert_array_equal(streams.random_raw(4, keep="last").get(), expected[6])
        assert_array_equal(streams.random(2).get(), floats(expected[7:9], bits.upper_bound))
        again, kept = pickle.loads(pickle.dumps(streams)), streams.states
        assert kept.tolist() == [list(bits.state_after(state, 9 * count)) for state in states]
        assert_array_equal(streams.random_raw(11).get(), expected[9:])
        assert_array_equal(again.random_raw(11).get(), expected[9:])
        streams.states = kept
        assert_array_equal(streams.random_raw(11).get(), expected[9:])


def test_states_that_are_not_dealt_out(queue: cl.CommandQueue) -> None:
    bits = GENERATORS["+"]
    streams = Streams.by_leapfrog(bits, 5, queue)
    kept = streams.states
    for row in (1, 4):
        wrong = kept.copy()
        wrong[row, 0] ^= 2
        with pytest.raises(ValueError, match=rf"states\[{row}\] is not one step after the state before it"):
            streams.states = wrong
    with pytest.raises(ValueError, match=r"states\[1\] is not one step after"):
        streams.states = kept[::-1]
    assert_array_equal(streams.states, kept)
    assert_array_equal(streams.random_raw(2).get().ravel(), bits.sequence(10))


@ALL
def test_steps_that_lagged_streams_cannot_take(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    seeds = [bits.jumped(i).words for i in range(3)]
    for step in (2, 4):
        with pytest.raises(ValueError, match=rf"step must be 1 or the number of streams, 3, .*, not {step}"):
            Streams(bits, seeds, step, queue)
    assert_array_equal(Streams(bits, seeds, 3, queue).random_raw(2).get().ravel(), bits.jumped(2).sequence(6))


def test_seeds_that_are_no_states(queue: cl.CommandQueue) -> None:
    bits = GENERATORS["*"]
    for wrong, match in ((6, r"seeds\[2\] must have odd words only"), (0, r"seeds\[2, 3\] must be .* from 1")):
        seeds = np.ones((5, 10), np.uint64)
        seeds[2, 3] = wrong
        with pytest.raises(ValueError, match=match):
            Streams.from_seeds(bits, seeds, queue)
    with pytest.raises(ValueError, match="distance must be an integer of 1 or more, not None"):
        Streams.by_jumps(GENERATORS["- 10^9"], 5, queue=queue)


@pytest.mark.parametrize("name", ["-", "large -", "large xor"])
def test_more_steps_than_one_launch_makes(queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_states, "STEPS_OF_LAUNCH", 7)
    bits = GENERATORS[name]
    starts = [bits.jumped(1000 * i) for i in range(37)]
    expected = values(starts, 600)
    streams = Streams.by_jumps(bits, 37, 1000, queue)
    assert_array_equal(streams.random_raw(300).get(), expected[:300])
    assert_array_equal(streams.random_raw(295, keep="last").get(), expected[594])
    assert_array_equal(streams.random_raw(5).get(), expected[595:])


@pytest.mark.parametrize("name", ["+", "large *"])
@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_both_kinds_of_kernels(device: clrng.DeviceInfo, name: str, kind: str) -> None:
    """A device that is said to be of another kind gets other kernels, and any device can run them."""
    assert device.index is not None
    queue, bits = make_queue(device.index), GENERATORS[name].copy()
    code, info = code_for(bits, ARITHMETICS["integer"]), replace(device, kind=kind)
    for count in (1, 37, 160):
        starts = [bits.jumped(FAR * i) for i in range(count)]
        for start in (Seeding(count, bits.words, 0, FAR, 0), np.array([s.words for s in starts], bits.word_dtype)):
            bank = stream_states.make_states(queue, info, code, count, 1, start)
            assert bank.rows().tolist() == [list(s.words) for s in starts]
            for steps, before in ((3, 0), (40, 3)):
                out = cla.Array(queue, (steps, count), bits.dtype)
                bank.advance(RAW, out, steps, keep_all=True)
                assert_array_equal(out.get(), values(starts, before + steps)[before:])
        out = cla.Array(queue, (5, count), bits.dtype)
        first = bits.state_after(bits.words, 1 - count)
        dealt = stream_states.make_states(queue, info, code, count, count, Seeding(count, first, 0, 1, 0))
        dealt.advance(RAW, out, 5, keep_all=True)
        assert_array_equal(out.get().ravel(), bits.sequence(5 * count))


def test_in_any_order(any_order: cl.CommandQueue) -> None:
    for name in ("+", "large +"):
        bits = GENERATORS[name]
        streams = Streams.by_jumps(bits, 160, 12345, any_order)
        pieces = [streams.random_raw(steps) for steps in (1, 2, 3, 50, 1, 1, 20)]
        expected = values([bits.jumped(12345 * i) for i in range(160)], 78)
        assert_array_equal(np.concatenate([piece.get() for piece in pieces]), expected)
        assert starts_of(streams)[159] == bits.jumped(12345 * 159 + 78).words


def test_states_are_made_in_pieces(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_states, "MAX_WORDS", 500)
    bits = GENERATORS["+"]
    streams = Streams.by_jumps(bits.copy(), 37, 10**9, queue)
    assert_array_equal(streams.states, [bits.jumped(i * 10**9).words for i in range(37)])


def test_pickled_leapfrog_streams_are_small(queue: cl.CommandQueue) -> None:
    dealt = Streams.by_leapfrog(clrng.LaggedFibonacci((37, 100), "+", seed=1), 1000, queue)
    dealt.random_raw(3)
    pickled = pickle.dumps(dealt)
    assert len(pickled) < 10_000
    assert_array_equal(pickle.loads(pickled).random_raw(2).get(), dealt.random_raw(2).get())
