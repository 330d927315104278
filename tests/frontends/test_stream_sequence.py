"""Streams as a sequence of bit generators, and their jumps."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import ParkMiller, Streams
from tests.support import oracle
from tests.support.generators import GENERATORS

SOME = [
    "park_miller", "lcg_2^32", "lcg_2^64", "lcg_10^19", "lcg_not_reversible", "lcg_2^48_output_17_31", "coveyou",
    "linear_3_2^31-1", "linear_5_10^19", "linear_2_not_reversible", "mrg32k3a", "lagged_+_5_17", "lagged_*_17_5",
    "lagged_xor_103_250", "lagged_-_55_24_10^9",
]  # fmt: skip
REVERSIBLE = [name for name in SOME if GENERATORS[name].reversible]
FAR = [0, 1, 7, 10**6, 3**100]


@pytest.mark.parametrize("name", SOME)
def test_streams_move_on_as_each_alone(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    streams, words = Streams.by_jumps(bits, 5, 11, queue), [bits.state_after(bits.words, 11 * i) for i in range(5)]
    streams.random_raw(3)
    words = [bits.state_after(row, 3) for row in words]
    for n in FAR:
        assert streams.advance(n) is streams
        words = [bits.state_after(row, n) for row in words]
        assert [tuple(row) for row in streams.states.reshape(5, -1).tolist()] == words
        expected = [bits.with_state(row).sequence(2) for row in words]
        assert_array_equal(streams.random_raw(2).get().T, expected)
        words = [bits.state_after(row, 2) for row in words]


@pytest.mark.parametrize("name", REVERSIBLE)
def test_leapfrog_streams_move_on_and_back(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    streams = Streams.by_leapfrog(bits, 6, queue)
    streams.advance(10**12)
    assert_array_equal(streams.random_raw(3).get().ravel(), bits.jumped(6 * 10**12).sequence(18))
    streams.advance(-3)
    assert_array_equal(streams.random_raw(2).get().ravel(), bits.jumped(6 * 10**12).sequence(12))
    streams.advance(-(10**12) - 2)
    assert_array_equal(streams.random_raw(4).get().ravel(), bits.sequence(24))


def test_many_streams_move_on(queue: cl.CommandQueue) -> None:
    seeds = np.arange(1, 10**6 + 1)
    streams = Streams.from_seeds(ParkMiller(seed=1), seeds, queue).advance(10**18)
    assert_array_equal(streams.states, seeds * pow(16807, 10**18, oracle.M) % oracle.M)


def test_steps_are_integers_and_only_go_back_where_that_is_known(queue: cl.CommandQueue) -> None:
    streams = Streams.by_jumps(GENERATORS["lcg_not_reversible"], 3, 5, queue)
    before = streams.states
    with pytest.raises(
        ValueError, match="^delta must be an integer of 0 or more, as LCG.* cannot be run backwards, not -2$"
    ):
        streams.advance(-2)
    with pytest.raises(TypeError, match="^delta must be an integer, not 1.5$"):
        streams.advance(1.5)  # type: ignore[arg-type]
    assert_array_equal(streams.states, before)


@pytest.mark.parametrize("name", SOME)
def test_a_stream_alone(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    streams = Streams.by_jumps(bits, 4, 11, queue)
    streams.random_raw(5)
    assert len(streams) == 4
    assert [streams[i] for i in range(4)] == [bits.jumped(11 * i + 5) for i in range(4)]
    assert [streams[np.int64(i)] for i in range(-4, 0)] == list(streams)
    alone = streams[2]
    alone.advance(100)
    assert streams[2] == bits.jumped(27)
    assert_array_equal(streams.random_raw(3).get()[:, 2], bits.jumped(27).sequence(3))
    assert alone == bits.jumped(127)


def test_iteration_keeps_to_the_states_at_its_beginning(queue: cl.CommandQueue) -> None:
    streams = Streams.by_jumps(ParkMiller(seed=1), 3, 10, queue)
    found = []
    for bits in streams:
        found.append(bits)
        streams.random_raw(1)
        bits.advance(1)
    assert found == [ParkMiller(seed=1).jumped(10 * i + 1) for i in range(3)]


@pytest.mark.parametrize("name", [name for name in REVERSIBLE if name.startswith(("park", "lcg"))])
def test_a_leapfrog_stream_alone_leaps(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    streams = Streams.by_leapfrog(bits, 5, queue)
    streams.random_raw(2)
    dealt = bits.sequence(50).reshape(10, 5)[2:]
    for i, alone in enumerate(streams):
        assert isinstance(alone, clrng.LCG)
        assert_array_equal(alone.sequence(8), dealt[:, i])
        assert streams[i - 5] == alone


@pytest.mark.parametrize("name", [name for name in REVERSIBLE if not name.startswith(("park", "lcg"))])
def test_other_leapfrog_streams_are_not_bit_generators(queue: cl.CommandQueue, name: str) -> None:
    streams = Streams.by_leapfrog(GENERATORS[name], 5, queue)
    with pytest.raises(clrng.UnsupportedError, match="has no bit generator that goes on by 5 steps at once"):
        streams[0]
    with pytest.raises(clrng.UnsupportedError, match="has no bit generator that goes on by 5 steps at once"):
        list(streams)


@pytest.mark.parametrize("index", [4, -5, 10**30, 10**5000], ids=["4", "-5", "large", "huge"])
def test_no_such_stream(queue: cl.CommandQueue, index: int) -> None:
    with pytest.raises(IndexError, match="^index must be an integer from -4 to 3, not "):
        Streams.by_jumps(ParkMiller(seed=1), 4, queue=queue)[index]


@pytest.mark.parametrize("index", [1.0, None, "0", slice(0, 2), True])
def test_no_index(queue: cl.CommandQueue, index: object) -> None:
    with pytest.raises(TypeError, match="^index must be an integer, not "):
        Streams.by_jumps(ParkMiller(seed=1), 4, queue=queue)[index]  # type: ignore[index]


@pytest.mark.parametrize("name", ["park_miller", "mrg32k3a", "lagged_+_5_17"])
@pytest.mark.parametrize("leapfrog", [False, True])
def test_no_steps_give_no_values(queue: cl.CommandQueue, name: str, leapfrog: bool) -> None:
    bits = GENERATORS[name]
    streams = Streams.by_leapfrog(bits, 5, queue) if leapfrog else Streams.by_jumps(bits, 5, 9, queue)
    before = streams.states
    raw = streams.random_raw(0)
    assert (raw.shape, raw.dtype) == ((0, 5), bits.dtype)
    assert raw.get().shape == (0, 5)
    assert streams.random(0).dtype == np.float32
    out = cla.zeros(queue, (0, 5), np.float32)
    assert streams.random(0, out=out) is out
    with pytest.raises(ValueError, match="^steps must be an integer from 1 to 4294967295 for .*, not 0$"):
        streams.random_raw(0, keep="last")
    with pytest.raises(ValueError, match="^out must have shape"):
        streams.random_raw(0, out=cla.zeros(queue, (1, 5), bits.dtype))
    assert_array_equal(streams.states, before)
