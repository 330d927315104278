"""WELL512a against its program with an index, and the longest period."""

import re
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from operator import xor

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import WELL512a
from clrng.generators.maths.gf2 import connection, is_primitive
from tests.support.mersenne import factored
from tests.support.papers import well512a_from

STATES = st.lists(st.integers(0, 2**32 - 1), min_size=16, max_size=16).filter(any)
Bits = list[int]
"""The bits of a word, the lowest first, each an integer whose ones are bits of the first state."""

SINGLE = [[1 << 7 * i % 32 if j == i else 0 for j in range(16)] for i in range(16)]
"""States of a single bit, each in another word."""


def follows_the_program(words: list[int]) -> None:
    bits = WELL512a(words)
    values, after = well512a_from(words, 100)
    assert bits.sequence(100).tolist() == values
    assert bits.jumped(60).sequence(40).tolist() == values[60:]
    assert list(bits.jumped(100).words) == after
    assert WELL512a(after).jumped(-100) == bits


@given(words=STATES)
@settings(max_examples=20, deadline=None)
def test_the_sequence_is_the_program(words: list[int]) -> None:
    follows_the_program(words)


@pytest.mark.parametrize("words", SINGLE)
def test_every_word_has_its_place(words: list[int]) -> None:
    follows_the_program(words)


def test_the_period_is_the_longest() -> None:
    lowest = [value & 1 for value in well512a_from([1] * 16, 1024)[0]]
    polynomial = connection(lowest)
    assert (polynomial.bit_length(), polynomial.bit_count()) == (513, 225)  # as the paper has it
    assert is_primitive(polynomial, sorted(set(factored(512))))
    assert WELL512a([1] * 16).period == 2**512 - 1


def added(*words: Bits) -> Bits:
    return [reduce(xor, column) for column in zip(*words, strict=True)]


def left(word: Bits, places: int) -> Bits:
    return [0] * places + word[: 32 - places]


def values_as_sums() -> Iterator[Bits]:
    """Yield the values, each bit as the bits of the first state that it is the sum of."""
    s, i = [[1 << 32 * word + bit for bit in range(32)] for word in range(16)], 0
    while True:
        z0, v0, v13, v9 = s[i - 1], s[i], s[(i + 13) % 16], s[(i + 9) % 16]
        z1, z2 = added(v0, left(v0, 16), v13, left(v13, 15)), added(v9, v9[11:] + [0] * 11)
        s[i] = added(z1, z2)
        masked = [bit if 0xDA442D24 >> place & 1 else 0 for place, bit in enumerate(left(s[i], 5))]
        s[i - 1] = added(z0, left(z0, 2), z1, left(z1, 18), left(z2, 28), s[i], masked)
        i = (i - 1) % 16
        yield s[i]


def rank(rows: list[int]) -> int:
    pivots: dict[int, int] = {}
    for row in rows:
        rest = row
        while rest.bit_length() in pivots:
            rest ^= pivots[rest.bit_length()]
        if rest:
            pivots[rest.bit_length()] = rest
    return len(pivots)


def test_values_are_maximally_equidistributed() -> None:
    """No sum of the first l bits of floor(512 / l) successive values is 0 whatever the state, for every l."""
    values = list(islice(values_as_sums(), 512))
    for count in range(1, 33):
        rows = [bit for value in values[: 512 // count] for bit in value[32 - count :]]
        assert rank(rows) == len(rows) == 512 // count * count


def test_a_state_is_a_sequence_or_an_array() -> None:
    words = list(range(16))
    assert WELL512a(tuple(words)) == WELL512a(words)
    assert WELL512a(np.array(words, np.uint32)) == WELL512a(words)  # type: ignore[arg-type]  # as other generators take
    assert clrng.named("well512a", sum(word << 32 * i for i, word in enumerate(words))) == WELL512a(words)
    assert eval(repr(WELL512a(words)), {"WELL512a": WELL512a}) == WELL512a(words)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ([0] * 16, "state must have a word other than 0, as all values would be 0, not [0, 0, "),
        ([1] * 15, "state must be 16 integers, not 15"),
        ([1] * 17, "state must be 16 integers, not 17"),
        ([], "state must be 16 integers, not 0"),
        ([1] * 12 + [2**32] + [1] * 3, "state[12] must be an integer from 0 to 4294967295, not 4294967296"),
        ([-1] + [1] * 15, "state[0] must be an integer from 0 to 4294967295, not -1"),
    ],
)
def test_states_that_are_not_legal(state: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        WELL512a(state)
    bits = WELL512a([5] * 16)
    in_state = message.replace("state", "state['state']", 1)
    with pytest.raises(ValueError, match=f"^{re.escape(in_state)}"):
        bits.state = {**bits.state, "state": state}
    assert bits == WELL512a([5] * 16)


@pytest.mark.parametrize("state", [None, 1, "1" * 16, b"1" * 16, [1.0] * 16, [True] * 16, np.ones(16)])
def test_states_that_are_not_integers(state: object) -> None:
    with pytest.raises(TypeError, match=r"^state(\[0\])? must be an? "):
        WELL512a(state)  # type: ignore[arg-type]


def test_zero_seeds_of_streams_are_named(queue: cl.CommandQueue) -> None:
    with pytest.raises(
        ValueError, match=r"^seeds\[1\] must have a word other than 0, as all values would be 0, not \[0, 0, "
    ):
        clrng.Streams.from_seeds(WELL512a([1] * 16), [[1] * 16, [0] * 16], queue)  # type: ignore[arg-type]


@pytest.mark.slow
def test_fills_and_streams_are_the_program(queue: cl.CommandQueue) -> None:
    words, n = [0x9E3779B9 * i % 2**32 for i in range(16)], 20_003
    expected = np.array(well512a_from(words, n)[0], np.uint32)
    rng = clrng.Generator(WELL512a(words), queue)
    assert_array_equal(np.concatenate([rng.random_raw(size).get() for size in (3, n - 10, 7)]), expected)
    dealt = clrng.Streams.by_leapfrog(WELL512a(words), 7, queue)
    assert_array_equal(np.concatenate([dealt.random_raw(size).get().ravel() for size in (9, 30)]), expected[: 39 * 7])
    jumped = clrng.Streams.by_jumps(WELL512a(words), 5, distance=4001, queue=queue).random_raw(50).get()
    assert_array_equal(jumped, np.stack([expected[4001 * i :][:50] for i in range(5)], axis=-1))
