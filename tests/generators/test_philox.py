"""Philox against NumPy's, Random123's known answers and C++'s, and what is refused."""

import copy
import json
import re
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import SeedSequence
from numpy.testing import assert_array_equal, assert_equal

import clrng
from clrng import Philox

WORD = 2**64
SEEDS = st.none() | st.integers(0, 2**200) | st.lists(st.integers(0, 2**70), min_size=1, max_size=5)
DRAWN = st.integers(0, 50)

KNOWN: list[tuple[list[int], list[int], list[int]]] = [
    ([0] * 4, [0] * 2, [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]),
    (
        [WORD - 1] * 4,
        [WORD - 1] * 2,
        [0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0],
    ),
    (
        [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89],
        [0x452821E638D01377, 0xBE5466CF34E90C6C],
        [0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6],
    ),
]
"""Counters, keys and values of philox4x64 with 10 rounds in Random123's file kat_vectors."""


@pytest.mark.parametrize(("counter", "key", "values"), KNOWN)
def test_known_answers(queue: cl.CommandQueue, counter: list[int], key: list[int], values: list[int]) -> None:
    bits = Philox(counter=counter, key=key).advance(-4)
    assert bits.sequence(4).tolist() == values
    assert clrng.Generator(bits, queue).random_raw(4).get().tolist() == values


def test_the_ten_thousandth_value_of_cpp() -> None:
    assert Philox(counter=2**256 - 1, key=20111115).jumped(9999).sequence(1) == 3409172418970261260


@given(SEEDS, st.lists(st.tuples(DRAWN, st.integers(0, 2**130)), max_size=4))
def test_seeds_draws_and_advances_are_numpys(seed: Any, moves: list[tuple[int, int]]) -> None:
    sequence = SeedSequence(seed)
    bits, numpys = Philox(copy.deepcopy(sequence)), np.random.Philox(sequence)
    assert_equal(bits.state, numpys.state)
    for drawn, blocks in moves:
        assert_array_equal(bits.sequence(drawn), numpys.random_raw(drawn))
        bits.advance(drawn)
        if drawn:
            assert_equal(bits.state, numpys.state)
        bits.advance(4 * blocks + 4 - bits.state["buffer_pos"])
        numpys.advance(blocks)
        assert_equal({**bits.state, "buffer": None}, {**numpys.state, "buffer": None})
    assert_array_equal(bits.sequence(9), numpys.random_raw(9))


@given(SEEDS, DRAWN, st.integers(0, 2))
def test_states_go_to_numpy_and_back(seed: Any, drawn: int, halves: int) -> None:
    numpys = np.random.Philox(seed)
    rng = np.random.Generator(numpys)
    numpys.random_raw(drawn)
    for _ in range(halves):
        rng.random(dtype=np.float32)
    bits = Philox(0)
    bits.state = numpys.state
    assert_equal(bits.state, numpys.state)
    other = np.random.Philox(0)
    other.state = json.loads(json.dumps(bits.state))
    assert_equal(other.state, numpys.state)
    assert_array_equal(np.random.Generator(other).random(9, np.float32), rng.random(9, np.float32))
    assert Philox(state=bits.words) == bits == eval(repr(bits))


@given(st.integers(0, 2**256 - 1), st.integers(0, 2**128 - 1))
def test_counters_and_keys_are_numpys(counter: int, key: int) -> None:
    bits, numpys = Philox(counter=counter, key=key), np.random.Philox(counter=counter, key=key)
    assert_array_equal(bits.sequence(9), numpys.random_raw(9))
    assert Philox(counter=bits.counter, key=np.array(bits.key, np.uint64)) == bits
    assert_array_equal(
        bits.jumped(2**130).sequence(5), np.random.Philox(counter=counter, key=key).jumped().random_raw(5)
    )


def test_children_are_numpys() -> None:
    bits, numpys = Philox(5), np.random.Philox(5)
    for child, numpys_child in zip(bits.spawn(3), numpys.spawn(3), strict=True):
        assert_array_equal(child.sequence(5), numpys_child.random_raw(5))
    assert Philox(7).seeded(5) == bits
    assert Philox() != Philox()


def test_keys_and_counters_share_a_kernel(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(Philox(1), queue)
    for seed in (1, 2, 3):
        rng.bit_generator = Philox(seed).advance(seed)
        assert_array_equal(rng.random_raw(1001).get(), np.random.Philox(seed).random_raw(1001 + seed)[seed:])


def test_halves_from_every_place_of_a_counter(queue: cl.CommandQueue) -> None:
    """Eight numbers of 32 bits are made of a counter: a fill begins at any, in memory that may not be aligned."""
    for place in range(17):
        rng, numpys = clrng.Generator(Philox(2026), queue), np.random.Generator(np.random.Philox(2026))
        assert_array_equal(rng.random(place, "float32").get(), numpys.random(place, np.float32))
        out = cla.zeros(queue, 1000, np.float32)
        rng.random(out=out[place % 5 : -1])
        assert_array_equal(out.get()[place % 5 : -1], numpys.random(999 - place % 5, np.float32))
        assert (out.get()[: place % 5] == 0).all()
        assert out.get()[-1] == 0
        assert_array_equal(rng.random(3, "float64").get(), numpys.random(3))


def test_streams_of_several_keys(queue: cl.CommandQueue) -> None:
    starts = [Philox(seed).advance(seed) for seed in range(37)]
    streams = clrng.Streams.from_seeds(starts[0], [bits.words for bits in starts], queue)
    assert_array_equal(streams.random_raw(9).get(), np.array([bits.sequence(9) for bits in starts]).T)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"counter": 2**256}, "counter must be an integer from 0 to "),
        ({"counter": [0] * 3}, "counter must be 4 integers, not 3"),
        ({"key": -1}, "key must be an integer from 0 to "),
        ({"key": [0, WORD]}, f"key[1] must be an integer from 0 to {WORD - 1}, not {WORD}"),
        ({"seed": -1}, "seed must be an integer "),
        (
            {"state": [0] * 7},
            "state must be 8 integers, four of the counter, the number of a value, two of the key and ",
        ),
        ({"state": [0, 0, 0, 0, 4, 0, 0, 0]}, "state[4] must be an integer from 0 to 3, not 4"),
    ],
)
def test_arguments_out_of_range(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        Philox(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1, "key": 2}, "seed and key must not both be given, not 1 and 2"),
        ({"seed": 1, "state": [0] * 8}, "state must be given alone, "),
        ({"counter": [1, 0, 0, 0], "state": [0] * 8}, "state must be given alone, "),
        ({"counter": 1.5}, "counter must be an integer "),
        ({"key": "12"}, "key must be an integer "),
        ({"seed": 1.5}, "seed must be an integer "),
    ],
)
def test_arguments_that_are_none(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        Philox(**arguments)


def test_states_that_are_none() -> None:
    bits = Philox(1).advance(2)
    state = bits.state
    for change, message in (
        ({"buffer": [1, 2, 3, 4]}, "state['buffer'] must have the values of the counter, ["),
        ({"buffer_pos": 0}, "state['buffer_pos'] must be an integer from 1 to 4, not 0"),
        ({"state": {"counter": [0] * 4}}, "state['state'] must be a dictionary of 'counter' and 'key', not "),
        ({"bit_generator": "PCG64"}, "state['bit_generator'] must be 'Philox', not 'PCG64'"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
            bits.state = {**state, **change}
    assert bits.state == state
    bits.state = {**state, "buffer": [1, 2, *state["buffer"][2:]]}  # the first two were given out
    assert bits.state == state
