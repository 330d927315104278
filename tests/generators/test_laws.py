"""The laws of every bit generator, on the host."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import example, given
from numpy.testing import assert_array_equal

from clrng import generators
from clrng.generators import BitGenerator, ParkMiller
from tests.support.generators import GENERATORS, LARGE, record_of
from tests.support.laws import FAR, NOT_INTEGERS, WIDE, each, few, slow


@each()
def test_a_jump_of_n_is_n_steps(generator: BitGenerator) -> None:
    words = generator.words
    for n in range(150):
        assert generator.state_after(generator.words, n) == words
        assert generator.jumped(n).words == words
        words = generator.step(words)


@each()
@few
@given(n=FAR)
def test_a_step_after_a_jump_is_a_jump_of_one_more(generator: BitGenerator, n: int) -> None:
    assert generator.step(generator.state_after(generator.words, n)) == generator.state_after(generator.words, n + 1)


@each()
@few
@given(first=FAR, second=FAR)
@example(first=2**200, second=2**200)
@example(first=0, second=2**64)
def test_jumps_add_up(generator: BitGenerator, first: int, second: int) -> None:
    assert generator.jumped(first).advance(second) == generator.jumped(first + second)
    assert generator.jumped(second).advance(first) == generator.jumped(first + second)


@each(having=lambda generator: generator.reversible)
@few
@given(n=FAR)
@example(n=1)
@example(n=2**32)
@example(n=2**200)
def test_backwards_undoes_forwards(generator: BitGenerator, n: int) -> None:
    words = generator.words
    assert generator.state_after(generator.state_after(words, n), -n) == words
    assert generator.state_after(generator.state_after(words, -n), n) == words


@each(having=lambda generator: generator.reversible)
def test_a_step_forwards_undoes_a_step_backwards(generator: BitGenerator) -> None:
    words = generator.words
    for n in range(1, 100):
        before = generator.state_after(words, -1)
        assert generator.step(before) == words
        assert generator.state_after(generator.words, -n) == before
        words = before


@each(having=lambda generator: not generator.reversible)
@pytest.mark.parametrize("n", [-1, -(2**100)])
def test_backwards_is_refused_where_two_states_become_one(generator: BitGenerator, n: int) -> None:
    with pytest.raises(ValueError, match=f"n must be 0 or more, not {n}: .* have a factor in common$"):
        generator.state_after(generator.words, n)


@each(having=lambda generator: not generator.reversible)
def test_two_states_become_one_where_it_is_not_reversible(generator: BitGenerator) -> None:
    shared = [(0, *generator.words[1:]), (generator.modulus // 2, *generator.words[1:])]
    assert generator.step(shared[0]) == generator.step(shared[1])


def test_there_are_generators_of_both_kinds() -> None:
    assert {generator.reversible for generator in GENERATORS.values()} == {False, True}


@each()
def test_advance_returns_itself_and_jumped_another(generator: BitGenerator) -> None:
    before = generator.state
    moved = generator.jumped(12345)
    assert moved is not generator
    assert type(moved) is type(generator)
    assert moved.words != generator.words
    assert generator.state == before
    assert generator.copy() is not generator
    assert moved.parameters == generator.parameters
    again = generator.copy()
    assert again.advance(12345) is again
    assert again == moved
    assert generator.state == before


@each()
def test_at_has_another_state_and_leaves_the_first(generator: BitGenerator) -> None:
    before, words = generator.state, generator.state_after(generator.words, 77)
    assert generator.with_state(words) == generator.jumped(77)
    assert generator.state == before


@each()
@pytest.mark.parametrize("method", ["advance", "jumped", "sequence"])
def test_a_number_of_steps_is_an_integer(generator: BitGenerator, method: str) -> None:
    moving = generator.copy()
    name = "n" if method == "sequence" else "delta"
    if method == "sequence" or not generator.reversible:
        for value in (-1, -(2**100), np.int8(-3)):
            with pytest.raises(ValueError, match=f"^{name} must be an integer (of|from) 0 .*, not {value}$"):
                getattr(moving, method)(value)
    for value in NOT_INTEGERS:
        if method == "jumped" and value is None:
            continue
        with pytest.raises(TypeError, match=f"^{name} must be an integer.*, not "):
            getattr(moving, method)(value)
    assert moving == generator


@each()
def test_integers_of_numpy_are_integers(generator: BitGenerator) -> None:
    assert generator.jumped(np.uint64(WIDE - 1)) == generator.jumped(WIDE - 1)
    assert_array_equal(generator.sequence(np.int8(5)), generator.sequence(5))


@each()
def test_the_sequence_is_made_of_steps_and_leaves_the_state(generator: BitGenerator) -> None:
    moving, words, values = generator.copy(), generator.words, []
    for _ in range(300):
        words = generator.step(words)
        values.append(generator.value(words))
    found = moving.sequence(300)
    assert moving == generator
    assert found.dtype == generator.dtype
    assert found.tolist() == values
    assert moving.sequence(0).shape == (0,)
    assert generator.jumped(250).sequence(50).tolist() == values[250:]


@each()
def test_values_are_in_their_range_and_of_their_dtype(generator: BitGenerator) -> None:
    values = generator.sequence(2000).tolist()
    assert generator.min_value <= min(values)
    assert max(values) < generator.upper_bound
    assert generator.dtype == (np.uint32 if generator.upper_bound <= 2**32 else np.uint64)
    assert generator.word_dtype == (np.uint32 if generator.modulus <= 2**32 else np.uint64)
    assert generator.order == len(generator.words) == len(generator.word_limits)
    words = generator.state_after(generator.words, 10**15)
    assert all(low <= word <= high for word, (low, high) in zip(words, generator.word_limits, strict=True))


@each(having=lambda generator: generator.period is not None)
def test_the_period_is_one(generator: BitGenerator) -> None:
    period = generator.period
    assert period is not None
    assert period > 0
    assert generator.jumped(period) == generator
    assert generator.jumped(5).period == period
    primes = set(record_of(generator).primes(generator, period))
    assert primes
    for prime in primes:
        assert period % prime == 0
        assert generator.jumped(period // prime) != generator


@each(having=lambda generator: generator.period is not None and generator.period <= 100)
def test_small_periods_by_counting(generator: BitGenerator) -> None:
    words, n = generator.step(generator.words), 1
    while words != generator.words:
        words, n = generator.step(words), n + 1
    assert generator.period == n


@slow
def test_the_laws_of_large_orders(generator: BitGenerator) -> None:
    far = 10**15
    moved = generator.jumped(far)
    assert moved.words == generator.jumped(far - 1).advance(1).words
    assert generator.step(generator.state_after(moved.words, -1)) == moved.words
    assert generator.state_after(moved.words, -far) == generator.words
    assert generator.jumped(5).period == generator.period
    through_json = json.loads(json.dumps(moved.state))
    assert through_json == moved.state
    restored = generator.jumped(1)
    restored.state = through_json
    for other in (restored, pickle.loads(pickle.dumps(moved)), copy.deepcopy(moved)):
        assert other == moved
        assert other.sequence(20).tolist() == moved.sequence(20).tolist()
    words, values = moved.words, []
    for _ in range(300):
        words = moved.step(words)
        values.append(moved.value(words))
    assert moved.sequence(300).tolist() == values
    assert moved.jumped(250).sequence(50).tolist() == values[250:]


def test_the_period_is_unknown_where_it_does_not_come_back() -> None:
    for generator in GENERATORS.values():
        if not generator.reversible:
            assert generator.period is None


def test_every_class_is_in_the_list() -> None:
    classes = {getattr(generators, name) for name in generators.__all__} - {BitGenerator}
    assert {type(generator) for generator in [*GENERATORS.values(), *LARGE.values()]} == classes
    assert not GENERATORS.keys() & LARGE.keys()
    assert ParkMiller in classes
