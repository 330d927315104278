"""Mersenne Twisters against NumPy, Python and C++, their states inside blocks too, and what is refused."""

import pickle
import random
import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import MT19937, MT19937_64
from clrng.generators.mersenne_twister import MersenneTwister
from tests.support import libraries

Twister = type[MersenneTwister]

both = pytest.mark.parametrize("kind", [MT19937, MT19937_64])
few = settings(max_examples=8, deadline=None)


def numpy_twister(seed: int | list[int]) -> np.random.MT19937:
    """Return NumPy's generator, seeded as RandomState seeds it."""
    found = np.random.MT19937()
    found._legacy_seeding(seed)
    return found


def of_numpy(bits: np.random.MT19937) -> MT19937:
    """Return the generator that stands where NumPy's stands."""
    state: Any = bits.state["state"]
    return MT19937.from_block(state["key"], state["pos"])


@given(seed=st.integers(0, 2**32 - 1))
@example(seed=0)
@few
def test_a_seed_is_that_of_random_state(seed: int) -> None:
    assert_array_equal(MT19937(seed).sequence(1300), numpy_twister(seed).random_raw(1300))


@given(seed=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=700))
@example(seed=[0])
@example(seed=[291, 564, 837, 1110])
@few
def test_a_list_is_that_of_random_state(seed: list[int]) -> None:
    assert_array_equal(MT19937(seed).sequence(1300), numpy_twister(seed).random_raw(1300))
    assert MT19937(np.array(seed)) == MT19937(tuple(seed)) == MT19937(seed)


def test_the_first_values_of_the_authors_programs() -> None:
    """From mt19937ar.out and mt19937-64.out.txt, which are seeded by arrays."""
    assert MT19937([291, 564, 837, 1110]).sequence(3).tolist() == [1067595299, 955945823, 477289528]
    assert MT19937_64([74565, 144470, 214375, 284280]).sequence(2).tolist() == [
        7266447313870364031, 4946485549665804864
    ]  # fmt: skip


@pytest.mark.parametrize("drawn", [0, 1, 5, 227, 397, 623, 624, 625, 1000, 1248])
@pytest.mark.parametrize("seeded", [numpy_twister, np.random.MT19937])
def test_states_of_numpy_inside_blocks(seeded: Any, drawn: int) -> None:
    theirs = seeded(12345)
    start = of_numpy(theirs)
    theirs.random_raw(drawn)
    ours = of_numpy(theirs)
    assert ours == start.jumped(drawn)
    assert_array_equal(ours.sequence(1300), theirs.random_raw(1300))
    key, position = ours.block
    theirs.state = {"bit_generator": "MT19937", "state": {"key": np.array(key, np.uint32), "pos": position}}
    assert_array_equal(ours.sequence(1300), theirs.random_raw(1300))


@given(seed=st.integers(0, 2**200), drawn=st.integers(0, 1300))
@few
def test_states_of_python_inside_blocks(seed: int, drawn: int) -> None:
    theirs = random.Random(seed)
    for _ in range(drawn):
        theirs.getrandbits(32)
    *key, position = theirs.getstate()[1]
    ours = MT19937.from_block(key, position)
    assert ours.sequence(700).tolist() == [theirs.getrandbits(32) for _ in range(700)]
    theirs.setstate((3, (*ours.block[0], ours.block[1]), None))
    assert ours.sequence(700).tolist() == [theirs.getrandbits(32) for _ in range(700)]


@both
@pytest.mark.parametrize("drawn", [0, 1, 311, 312, 1000])
def test_states_of_cpp_inside_blocks(kind: Twister, drawn: int) -> None:
    *key, position = libraries.cpp_state(kind.name, 42, drawn)
    expected = libraries.cpp_after(kind.name, 42, drawn, 1300)
    assert_array_equal(kind.from_block(key, position).sequence(1300), expected)
    assert kind.from_block(key, position) == kind(42).jumped(drawn)


def test_a_million_values_on_cpp_goes_on_where_a_jump_leads() -> None:
    assert_array_equal(MT19937(7).jumped(10**6).sequence(10), libraries.cpp_after("mt19937", 7, 10**6, 10))
    assert_array_equal(MT19937_64(7).jumped(10**6).sequence(10), libraries.cpp_after("mt19937_64", 7, 10**6, 10))


def test_the_jump_of_numpy() -> None:
    """NumPy's jump of 2^128 leaves the words in the order of a ring that begins at its position."""
    theirs: Any = numpy_twister(5).jumped().state["state"]
    words = np.roll(theirs["key"], -theirs["pos"]).tolist()
    assert list(MT19937(5).jumped(2**128).words[1:]) == words[1:]


@both
def test_steps_and_jumps_of_every_length_meet(kind: Twister) -> None:
    bits = kind(9)
    words = bits.words
    for n in range(3 * bits.order):
        if n % 97 == 0 or 2 * bits.order - 2 < n < 2 * bits.order + 3:
            assert bits.state_after(bits.words, n) == words
            assert bits.state_after(words, -n) == bits.words
        words = bits.step(words)


@both
def test_the_lowest_bits_of_the_first_word_have_no_influence(kind: Twister) -> None:
    words = list(kind(1).words)
    other = [words[0] ^ 5, *words[1:]]
    assert kind.from_block(other, len(other)) == kind(1)
    with pytest.raises(ValueError, match=rf"^state\[0\] must have the lowest 31 bits .* as {words[0]}, not {other[0]}"):
        kind(state=other)
    with pytest.raises(ValueError, match=rf"^words\[0\] must be {words[0]} at position 0, .*, not {other[0]}$"):
        kind.from_block(other, 0)
    assert kind.from_block(words, 0).sequence(1)[0] == kind.twister.tempered(words[0])
    seeds: npt.NDArray[Any] = np.array([words, other], kind(1).word_dtype)
    with pytest.raises(ValueError, match=r"^seeds\[1\] must begin with lowest bits that the recurrence leads to"):
        kind(1).checked_states("seeds", seeds)
    assert_array_equal(kind(1).made_legal(seeds), [words, words])


def refused(kind: type[Exception], message: str, **arguments: Any) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}"):
        MT19937(**arguments)


def test_what_is_refused() -> None:
    refused(ValueError, "seed must be an integer from 0 to 4294967295, not -1", seed=-1)
    refused(ValueError, "seed must be an integer from 0 to 4294967295, not 4294967296", seed=2**32)
    refused(ValueError, "seed[1] must be an integer from 0 to 4294967295, not 4294967296", seed=[1, 2**32])
    refused(ValueError, "seed must be an integer, or a sequence of one or more, not an empty one", seed=[])
    refused(TypeError, "seed must be an integer", seed="1")
    refused(TypeError, "seed must be an integer", seed=bytearray(b"1234"))
    refused(TypeError, "seed must be an integer", seed=1.0)
    refused(TypeError, "seed and state must not both be given, not 1 and [1]", seed=1, state=[1])
    refused(ValueError, "state must be 624 integers, not 3", state=[1, 2, 3])
    refused(ValueError, "state[623] must be an integer from 0 to 4294967295", state=[1] * 623 + [2**32])
    refused(TypeError, "state must be", state=5)
    for position in (-1, 625):
        with pytest.raises(ValueError, match=f"^position must be an integer from 0 to 624, not {position}$"):
            MT19937.from_block([1] * 624, position)
    with pytest.raises(ValueError, match="^words must be 624 integers, not 623$"):
        MT19937.from_block([1] * 623, 624)


@pytest.mark.parametrize(
    ("kind", "most", "highest"),
    [(MT19937, 2**31 - 1, "the highest bit"), (MT19937_64, 2**31 - 1, "the 33 highest bits")],
)
def test_states_that_lead_to_0_alone(kind: Twister, most: int, highest: str) -> None:
    others = len(kind(1).words) - 1
    legal = f"have a 1 in {highest} of the first integer or anywhere in the others, or all values are 0, not"
    for first, found in ((0, f"{others + 1} zeros"), (most, f"{most} and {others} zeros")):
        words = [first, *[0] * others]
        for name, call in (("state", lambda: kind(state=words)), ("words", lambda: kind.from_block(words, 1))):  # noqa: B023  # called at once
            with pytest.raises(ValueError, match=f"^{name} must {legal} {found}$"):
                call()
        with pytest.raises(ValueError, match=rf"^seeds\[1\] must {legal} "):
            kind(1).checked_states("seeds", np.array([kind(1).words, words], kind(1).word_dtype))
    assert kind.from_block([most + 1, *[0] * others], 1).sequence(2 * others).any()


@both
def test_what_travels(kind: Twister) -> None:
    moved = kind(8).jumped(10**9)
    for other in (pickle.loads(pickle.dumps(moved)), kind(state=moved.words), moved.seeded(1).with_state(moved.words)):
        assert other == moved
    assert moved.seeded(5) == kind(1).seeded(5) != kind(1).seeded(6)
    assert moved.period == 2**19937 - 1
    assert len({child.words for child in moved.seeded(5).spawn(3)}) == 3


def filled(kind: Twister, n: int) -> npt.NDArray[Any]:
    """Return values of the stream of seed 5489 by NumPy, or by C++."""
    if kind is MT19937:
        return numpy_twister(5489).random_raw(n).astype(np.uint32)
    return libraries.cpp(kind.name)(5489, n)


@both
def test_a_fill_in_blocks_is_the_one_stream(kind: Twister, queue: cl.CommandQueue) -> None:
    n = 5_000_011 if kind is MT19937 else 100_003
    expected, rng = filled(kind, n + 3000), clrng.Generator(kind(5489), queue)
    out = cla.zeros(queue, n + 7, expected.dtype)
    rng.random_raw(out=out[3 : 3 + n])
    assert_array_equal(out.get(), np.pad(expected[:n], (3, 4)))
    assert_array_equal(rng.random_raw(1000).get(), expected[n : n + 1000])
    assert_array_equal(rng.random_raw((4, 500)).get().ravel(), expected[n + 1000 :])
    rng.bit_generator.advance(-n)
    assert_array_equal(rng.random_raw(100).get(), expected[3000:3100])


@both
def test_streams(kind: Twister, queue: cl.CommandQueue) -> None:
    bits = kind(77)
    jumped = clrng.Streams.by_jumps(bits, 3, 10**12, queue)
    starts = [bits.jumped(i * 10**12) for i in range(3)]
    assert_array_equal(jumped.random_raw(700).get(), np.array([start.sequence(700) for start in starts]).T)
    assert [tuple(row) for row in jumped.states.tolist()] == [start.jumped(700).words for start in starts]
    dealt = clrng.Streams.by_leapfrog(bits, 7, queue)
    assert_array_equal(dealt.random_raw(100).get().ravel(), bits.sequence(700))
    listed = clrng.Streams.from_seeds(bits, [start.words for start in starts], queue)
    assert_array_equal(listed.random_raw(5, keep="last").get(), [start.sequence(5)[4] for start in starts])


@both
def test_kernels_of_the_user_keep_the_words_in_memory(kind: Twister, queue: cl.CommandQueue) -> None:
    bits, ctype = kind(5), "uint" if kind is MT19937 else "ulong"
    text = f"""
    __kernel void draw(__global {ctype} *words, __global {ctype} *out) {{
        {kind.name}_state s = {kind.name}_seed(words);
        for (uint i = 0; i < 700; i++) out[i] = {kind.name}_next_raw(&s);
    }}"""
    out, words = cla.zeros(queue, 700, bits.dtype), cla.to_device(queue, np.array(bits.words, bits.word_dtype))
    program = cl.Program(queue.context, clrng.device_code(bits, device=queue.device) + text).build()
    program.draw(queue, (1,), None, words.data, out.data)
    assert_array_equal(out.get(), bits.sequence(700))
