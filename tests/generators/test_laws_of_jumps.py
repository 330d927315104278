"""The laws of steps back, of jumps by default, of copies, and of many states at once."""

import math
from fractions import Fraction

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import example, given
from numpy.testing import assert_array_equal

import clrng
from clrng.generators import BitGenerator
from tests.support.generators import GENERATORS
from tests.support.laws import FAR, alike, each, few


@each(having=lambda generator: generator.reversible)
@few
@given(n=FAR)
@example(n=1)
def test_negative_steps_undo_positive_ones(generator: BitGenerator, n: int) -> None:
    moving = generator.jumped(n)
    assert moving.advance(-n) is moving
    assert moving == generator
    before = generator.jumped(-1)
    assert before.step(before.words) == generator.words
    assert moving.advance(-n).words == generator.state_after(generator.words, -n)
    assert moving.advance(n + 1).words == generator.step(generator.words)


@each(having=lambda generator: generator.reversible)
def test_back_and_forth_by_small_steps(generator: BitGenerator) -> None:
    moving, place = generator.copy(), 0
    for delta in (5, -3, -4, 1, -9, 30, -20):
        place += delta
        moving.advance(delta)
        if place % 2:
            assert moving.words == generator.state_after(generator.words, place)
    assert moving.words == generator.words


@each(having=lambda generator: generator.period is not None)
def test_jumps_by_default_are_odd_and_lead_everywhere(generator: BitGenerator) -> None:
    distance, period = generator.jump_distance, generator.period
    assert period is not None
    assert distance % 2 == 1
    assert math.gcd(distance, period) == 1
    span = min(period, 2**128)
    assert -1 < distance - span * Fraction("0.61803398874989484820458683436563811772030917980576") < 500
    jumped = generator.jumped()
    assert jumped == generator.jumped(distance)
    assert jumped.jump_distance == distance
    places = [i * distance % period for i in range(min(period, 1000))]
    assert len(set(places)) == len(places)
    if period > 2:
        assert len({generator.words, jumped.words, jumped.jumped().words}) == 3
    assert alike(jumped.jumped(), generator.copy().advance(2 * distance))


@each(having=lambda generator: generator.period is None)
def test_there_is_no_jump_by_default_where_the_period_is_not_known(generator: BitGenerator) -> None:
    with pytest.raises(ValueError, match="^delta must be given, .*: the period of .* is not known"):
        generator.jumped()


@each()
def test_a_copy_stands_apart(generator: BitGenerator) -> None:
    copied = generator.copy()
    assert copied is not generator
    assert alike(copied, generator)
    before = generator.words
    copied.advance(3)
    assert generator.words == before
    copied.state = generator.jumped(7).state
    assert generator.words == before


@each()
@pytest.mark.parametrize("n", [0, 1, 5, 10**15, 2**200, -1, -(10**12)])
def test_many_states_jump_as_each_does(generator: BitGenerator, n: int) -> None:
    if n < 0 and not generator.reversible:
        return
    words = [generator.state_after(generator.words, 7**i) for i in range(5)]
    found = generator.states_after(np.array(words, generator.word_dtype), n)
    assert found.dtype == generator.word_dtype
    assert [tuple(row) for row in found.tolist()] == [generator.state_after(row, n) for row in words]


@pytest.mark.parametrize("name", [name for name, bits in GENERATORS.items() if bits.reversible])
def test_a_generator_on_a_device_goes_back(queue: cl.CommandQueue, name: str) -> None:
    rng = clrng.Generator(GENERATORS[name].copy(), queue)
    first = rng.random_raw(700).get()
    rng.bit_generator.advance(-600)
    assert_array_equal(rng.random_raw(600).get(), first[100:])
    rng.bit_generator.advance(-705)
    assert_array_equal(rng.random_raw(705).get()[5:], first)
