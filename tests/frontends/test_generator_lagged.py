"""Generators of lagged Fibonacci streams, which keep the state after their last value on the device.

However the bit generator is moved, replaced or shared, the next values follow from where it stands.
"""

import pickle
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.devices import describe
from tests.conftest import DEVICES, make_queue

GENERATORS = {
    "small": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "large": clrng.LaggedFibonacci((103, 250), "xor", seed=5),
}
BOTH = pytest.mark.parametrize("name", GENERATORS)
LONGEST = 40000
FAR = 10**15


@cache
def sequence(name: str, first: int = 0) -> npt.NDArray[Any]:
    return GENERATORS[name].jumped(first).sequence(LONGEST)


def floats(raw: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return (raw >> np.uint32(8)).astype(np.float32) * np.float32(2**-24)


MOVES = st.one_of(
    st.tuples(st.sampled_from(["raw", "float32", "float64", "shared"]), st.integers(0, 700)),
    st.tuples(st.sampled_from(["advance", "jumped", "state", "copy", "back", "words", "pickle"]), st.integers(0, 300)),
)


class Moving:
    """A generator that is drawn from and moved, next to where it should stand."""

    def __init__(self, name: str, queue: cl.CommandQueue) -> None:
        self.name, self.place, self.rng = name, 0, clrng.Generator(GENERATORS[name].copy(), queue)
        self.other = clrng.Generator(self.rng.bit_generator, queue)
        self.copies, self.states = [(self.rng.bit_generator.copy(), 0)], [(self.rng.bit_generator.state, 0)]

    def draw(self, kind: str, n: int) -> None:
        """Draw some values, and keep where it stands then."""
        rng, expected = self.rng, sequence(self.name)[self.place : self.place + n]
        if kind == "float32":
            assert_array_equal(rng.random(n).get(), floats(expected))
        elif kind == "float64" and rng.device.fp64:
            assert_array_equal(rng.random(n, dtype=kind).get(), expected / 2**32)
        else:
            self.other.bit_generator = rng.bit_generator
            assert_array_equal((self.other if kind == "shared" else rng).random_raw(n).get(), expected)
        self.place += n
        self.copies.append((rng.bit_generator.copy(), self.place))
        if n % 2:  # which makes the host jump
            self.states.append((rng.bit_generator.state, self.place))

    def move(self, kind: str, n: int) -> None:
        """Move it without drawing."""
        bits: Any = self.rng.bit_generator
        if kind == "advance":
            bits.advance(n)
            self.place += n
        elif kind == "jumped":
            self.rng.bit_generator = bits.jumped(n)
            self.place += n
        elif kind == "state":
            bits.state, self.place = GENERATORS[self.name].jumped(n).state, n
        elif kind == "copy":
            known, self.place = self.copies[n % len(self.copies)]
            self.rng.bit_generator = known.copy()
        elif kind == "back":
            bits.state, self.place = self.states[n % len(self.states)]
        elif kind == "words":
            self.rng.bit_generator = bits.with_state(bits.words)
        else:
            self.rng.bit_generator = pickle.loads(pickle.dumps(self.rng)).bit_generator


@pytest.mark.slow
@settings(max_examples=60)
@given(name=st.sampled_from([*GENERATORS]), moves=st.lists(MOVES, max_size=25), which=st.integers(0, 9))
def test_the_next_values_follow_from_where_it_stands(name: str, moves: list[tuple[str, int]], which: int) -> None:
    moving = Moving(name, make_queue(which % len(DEVICES)))
    for kind, n in moves:
        (moving.draw if kind in ("raw", "float32", "float64", "shared") else moving.move)(kind, n)
    moving.draw("raw", 300)
    assert moving.rng.bit_generator == GENERATORS[name].jumped(moving.place)


@BOTH
def test_raw_values_and_floats_by_turns(queue: cl.CommandQueue, name: str) -> None:
    rng, done = clrng.Generator(GENERATORS[name].jumped(FAR), queue), 0
    for n in (0, 1, 16, 17, 18, 249, 251, 5003, 3, 20000):
        expected = sequence(name, FAR)[done : done + n]
        if n % 2:
            assert_array_equal(rng.random(n).get(), floats(expected))
        else:
            assert_array_equal(rng.random_raw(n).get(), expected)
        done += n
    assert_array_equal(rng.random_raw((3, 5)).get(), sequence(name, FAR)[done : done + 15].reshape(3, 5))
    assert rng.random_raw().get() == sequence(name, FAR)[done + 15]
    assert rng.bit_generator == GENERATORS[name].jumped(FAR + done + 16)


@pytest.mark.slow
@BOTH
def test_another_bit_generator_at_the_same_place(queue: cl.CommandQueue, name: str) -> None:
    """Others of as many steps after their own words, and of other parameters with the same words."""
    bits = GENERATORS[name]
    rng = clrng.Generator(bits.copy(), queue)
    assert_array_equal(rng.random_raw(500).get(), sequence(name)[:500])
    lags = (bits.lags[0] + 1, bits.lags[1])
    others = [
        bits.jumped(FAR),
        bits.with_state(tuple(reversed(bits.words))),
        clrng.LaggedFibonacci(bits.lags, bits.op, state=bits.words, output=(3, 20)),
        clrng.LaggedFibonacci(lags, bits.op, state=bits.words),
        clrng.LaggedFibonacci(bits.lags, "-", state=bits.words),
        clrng.LaggedFibonacci(bits.lags, "+", 64, state=bits.words),
        bits.copy(),
    ]
    for other in others:
        rng.bit_generator = other.copy()
        assert_array_equal(rng.random_raw(500).get(), other.sequence(500))
        assert rng.bit_generator == other.jumped(500)
    rng.bit_generator.state = others[3].state  # other lags at the same words
    assert_array_equal(rng.random_raw(500).get(), others[3].sequence(500))
    rng.bit_generator = clrng.ParkMiller(seed=1)
    assert_array_equal(rng.random_raw(5).get(), clrng.ParkMiller(seed=1).sequence(5))
    rng.bit_generator = bits.jumped(500)
    assert_array_equal(rng.random_raw(500).get(), sequence(name)[500:1000])


@BOTH
def test_generators_that_share_a_bit_generator(name: str) -> None:
    bits = GENERATORS[name].copy()
    rngs = [clrng.Generator(bits, make_queue(info.index or 0)) for info in DEVICES for _ in range(2)]
    found = [rngs[i % len(rngs)].random_raw(n).get() for i, n in enumerate((5, 100, 1, 5003, 17, 250, 4, 4))]
    assert_array_equal(np.concatenate(found), sequence(name)[:5384])
    assert bits == GENERATORS[name].jumped(5384)


@BOTH
def test_a_pickled_generator_goes_on(queue: cl.CommandQueue, name: str) -> None:
    rng = clrng.Generator(GENERATORS[name].copy(), queue)
    rng.random_raw(333)
    other = pickle.loads(pickle.dumps(rng))
    assert_array_equal(other.random_raw(777).get(), sequence(name)[333:1110])
    assert_array_equal(rng.random_raw(777).get(), sequence(name)[333:1110])


@BOTH
def test_a_refused_call_leaves_it_where_it_is(queue: cl.CommandQueue, name: str) -> None:
    rng = clrng.Generator(GENERATORS[name].copy(), queue)
    rng.random_raw(10)
    memory = cla.zeros(queue, 9, np.uint32)
    for out, match in (
        (cla.zeros(queue, 5, np.uint64), "dtype uint32"),
        (cla.Array(queue, 5, np.uint32, data=memory.base_data, strides=(0,)), "a place for each value"),
    ):
        with pytest.raises(ValueError, match=match):
            rng.random_raw(out=out)
    assert_array_equal(rng.random_raw(10).get(), sequence(name)[10:20])


@BOTH
def test_a_view_of_another_queue(queue: cl.CommandQueue, name: str) -> None:
    other = cl.CommandQueue(queue.context)
    whole = cla.Array(other, 6000, np.uint32)  # poisoned
    rng = clrng.Generator(GENERATORS[name].copy(), queue)
    for first, n in ((3, 1), (4, 17), (30, 5003), (5999, 1)):
        rng.random_raw(out=whole[first : first + n])
    host, values = whole.get(), sequence(name)
    assert_array_equal(host[3:21], values[:18])
    assert_array_equal(host[30:5033], values[18:5021])
    assert host[5999] == values[5021]
    outside = np.concatenate([host[:3], host[21:30], host[5033:5999]])
    assert (outside == 2**32 - 1).all()
    assert describe(queue.device) == rng.device
