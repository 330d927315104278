"""The laws of every bit generator, on the host."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clrng import bit_generators
from clrng.bit_generators import BitGenerator, LaggedFibonacci, ParkMiller
from clrng.bit_generators.maths.number_theory import factors
from tests.support.generators import GENERATORS, LARGE
from tests.support.mersenne import factored

WIDE = 2**64
FAR = st.integers(0, 2**200)
LONGEST_SHOWN = 100  # the largest order of which a repr has all words
NOT_INTEGERS = [1.0, "1", None, True, np.bool_(False), np.float64(2), 1j, b"1", [1], (), {}]

few = settings(max_examples=6)


def each(*, having: Callable[[BitGenerator], object] = lambda _: True) -> pytest.MarkDecorator:
    """Return the mark that runs a test with every generator, or every one `having` something."""
    chosen = {name: generator for name, generator in GENERATORS.items() if having(generator)}
    return pytest.mark.parametrize("generator", chosen.values(), ids=chosen.keys())


slow = pytest.mark.parametrize("generator", LARGE.values(), ids=LARGE.keys())


def lists(generator: BitGenerator) -> bool:
    """Return whether the state of `generator` is a list of words."""
    return isinstance(generator.state["state"], list)


def with_words(generator: BitGenerator, words: tuple[int, ...]) -> dict[str, Any]:
    """Return the state of `generator` with other words."""
    return {**generator.state, "state": list(words) if lists(generator) else words[0]}


def alike(first: BitGenerator, second: BitGenerator) -> bool:
    """Return whether the two are equal and their values too, also far away."""
    far = 3**50
    return (
        first == second
        and first.sequence(20).tolist() == second.sequence(20).tolist()
        and first.jumped(far).words == second.jumped(far).words
    )


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
@few
@given(n=FAR)
def test_the_state_survives_a_round_trip(generator: BitGenerator, n: int) -> None:
    moved = generator.jumped(n)
    state = moved.state
    through_json = json.loads(json.dumps(state))
    assert through_json == state
    restored = generator.jumped(1)
    restored.state = through_json
    copies = [
        restored,
        pickle.loads(pickle.dumps(moved)),
        copy.deepcopy(moved),
        copy.copy(moved),
    ]
    if generator.order <= LONGEST_SHOWN:
        copies.append(eval(repr(moved), vars(bit_generators).copy()))
    else:
        assert f"state=[{moved.words[0]}, ..., {moved.words[-1]}]" in repr(moved)
    for other in copies:
        assert type(other) is type(moved)
        assert alike(other, moved)
        assert other.advance(1).words == moved.step(moved.words)
    assert moved.state == state


@each()
def test_a_state_given_away_is_not_the_generators_own(generator: BitGenerator) -> None:
    moving, before = generator.copy(), json.dumps(generator.state)
    state = moving.state
    for key, value in state.items():
        if isinstance(value, list):
            state[key][0] = 7
        else:
            state[key] = 7
    moving.parameters.clear()
    assert json.dumps(moving.state) == before
    given_state = generator.jumped(5).state
    moving.state = given_state
    given_state.clear()
    assert moving == generator.jumped(5)


@each()
def test_a_state_takes_another_generators_parameters(generator: BitGenerator) -> None:
    for other in GENERATORS.values():
        if type(other) is type(generator):
            moving = generator.jumped(3)
            moving.state = other.state
            assert alike(moving, other)


@each()
def test_equal_only_with_equal_parameters_and_state(generator: BitGenerator) -> None:
    assert [other for other in GENERATORS.values() if other == generator] == [generator]
    assert generator == generator.copy()
    assert generator != generator.jumped(1)
    assert generator != generator.state
    with pytest.raises(TypeError, match="unhashable"):
        hash(generator)


def refused(generator: BitGenerator, state: Any, match: str) -> None:
    """Assert that `state` is refused with a message that matches, and that nothing has changed."""
    moving = generator.copy()
    with pytest.raises((TypeError, ValueError), match=match):
        moving.state = state
    assert vars(moving) == vars(generator)


@each()
def test_a_state_of_other_keys_changes_nothing(generator: BitGenerator) -> None:
    state = generator.jumped(9).state
    for key in state:
        refused(generator, {k: v for k, v in state.items() if k != key}, "^state must have the keys .*, not ")
    for more in ({"more": 1}, {5: 1}, {None: 1}):
        refused(generator, {**state, **more}, "^state must have the keys .*, not ")
    refused(generator, {}, r"^state must have the keys .*, not \[\]$")


@each()
@pytest.mark.parametrize("value", ["MT19937", "", None, 5, "lcg", ["LCG"]])
def test_a_state_of_another_kind_changes_nothing(generator: BitGenerator, value: Any) -> None:
    kind = type(generator).__name__
    state = {**generator.jumped(9).state, "bit_generator": value}
    refused(generator, state, rf"^state\['bit_generator'\] must be '{kind}', not ")


@each()
def test_a_state_of_any_other_class_changes_nothing(generator: BitGenerator) -> None:
    for other in GENERATORS.values():
        if type(other) is not type(generator):
            refused(generator, other.state, "^state")


@each()
@pytest.mark.parametrize("value", [None, 5, "state", [("state", 1)], {1, 2}, 1.5])
def test_a_state_that_is_no_dictionary_changes_nothing(generator: BitGenerator, value: Any) -> None:
    with pytest.raises(TypeError, match="^state must be a dictionary as the attribute gives it, not "):
        generator.copy().state = value
    refused(generator, value, "^state must be a dictionary")


@each()
def test_a_bad_value_in_a_state_changes_nothing(generator: BitGenerator) -> None:
    state = generator.jumped(9).state
    for key, value in state.items():
        if key in ("bit_generator", "op", "output"):
            continue
        name = rf"state\['{key}'\]"
        if not isinstance(value, list):
            for bad in (-1, WIDE + 1, -(2**100), *NOT_INTEGERS):
                refused(generator, {**state, key: bad}, f"^{name} must be an integer from .* to .*, not ")
            continue
        for bad in (5, None, 1.5, "1" * len(value), b"1" * len(value), True, [value] * len(value), {*value}):
            refused(generator, {**state, key: bad}, f"^{name}")
        for bad in ([], [*value, 1], [*value, 1, 1]):
            refused(generator, {**state, key: bad}, r"^state\['\w+'\] must be .* integers, .*not ")
        for i, number in enumerate(value):
            for bad in (-1, WIDE + 1, float(number), str(number), None, True):
                changed = [*value[:i], bad, *value[i + 1 :]]
                refused(
                    generator, {**state, key: changed}, rf"^{name}\[{i}\] must be an (odd )?integer from .* to .*, not "
                )
            refused(generator, {**state, key: [*value[:i], [number], *value[i + 1 :]]}, f"^{name}")


@each(having=lambda generator: "op" in generator.state)
@pytest.mark.parametrize("op", ["/", "XOR", "", "+ ", 5, None, ["+"], b"+"])
def test_a_bad_operation_in_a_state_changes_nothing(generator: BitGenerator, op: Any) -> None:
    match = rf"^state\['op'\] must be one of '\+', '-', '\*', 'xor', not {re.escape(repr(op))}$"
    refused(generator, {**generator.jumped(9).state, "op": op}, match)


@each(having=lambda generator: "output" in generator.state)
@pytest.mark.parametrize(
    ("output", "match"),
    [
        (5, r"state\['output'\] must be None or a pair"),
        ("ab", r"state\['output'\] must be None or a pair"),
        ([1], r"state\['output'\] must be None or a pair"),
        ([1, 2, 3], r"state\['output'\] must be None or a pair"),
        ([-1, 1], r"state\['output'\]\[0\] must be an integer from 0 to "),
        ([64, 1], r"state\['output'\]\[0\] must be an integer from 0 to "),
        ([0, 0], r"state\['output'\]\[1\] must be an integer from 1 to "),
        ([0, 65], r"state\['output'\]\[1\] must be an integer from 1 to "),
        ([0.0, 1], r"state\['output'\]\[0\] must be an integer from 0 to "),
        ([0, True], r"state\['output'\]\[1\] must be an integer from 1 to "),
        ([None, 1], r"state\['output'\]\[0\] must be an integer from 0 to "),
    ],
)
def test_a_bad_output_in_a_state_changes_nothing(generator: BitGenerator, output: Any, match: str) -> None:
    refused(generator, {**generator.jumped(9).state, "output": output}, f"^{match}")


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
    for prime in primes_of(generator, period):
        assert period % prime == 0
        assert generator.jumped(period // prime) != generator


def primes_of(generator: BitGenerator, period: int) -> set[int]:
    """Return the primes that divide the `period` of `generator`."""
    if isinstance(generator, LaggedFibonacci):
        rest = period // (2**generator.order - 1)
        assert rest * (2**generator.order - 1) == period
        assert rest & (rest - 1) == 0
        return set(factored(generator.order)) | ({2} if rest > 1 else set())
    parts = [period]
    if period > WIDE:  # MRG32k3a's, of which the factors are known
        m1, m2 = 2**32 - 209, 2**32 - 22853
        parts = [m1 - 1, m1 * m1 + m1 + 1, m2 - 1, m2 * m2 + m2 + 1]
    primes = set().union(*map(factors, parts))
    assert primes
    return primes


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


def candidates(generator: BitGenerator) -> list[tuple[int, ...]]:
    """Return states at and beyond the limits of each word, and all of one number."""
    words = generator.words
    found = [words, generator.state_after(words, 10**9), *((number,) * generator.order for number in range(8))]
    for i, (low, high) in enumerate(generator.word_limits):
        for word in (low, high, high - 1, low - 1, high + 1, WIDE - 1, WIDE, -1):
            found.append((*words[:i], word, *words[i + 1 :]))
            found.append((*[0] * i, word, *[0] * (generator.order - i - 1)))
    return found


def refusal(call: Callable[..., object], *arguments: Any) -> str | None:
    """Return the message with which a call is refused, or None."""
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    return None


@each()
def test_checked_states_are_those_the_generator_takes(generator: BitGenerator) -> None:
    outcomes = set()
    for words in candidates(generator):
        moving = generator.copy()
        alone = refusal(setattr, moving, "state", with_words(moving, words))
        assert moving.words == (generator.words if alone else words)
        rows = [generator.words, words] if generator.order > 1 else [generator.words[0], words[0]]
        among = refusal(generator.checked_states, "seeds", rows)
        assert bool(among) == bool(alone), (words, alone, among)
        assert among is None or among.startswith("seeds[1")
        outcomes.add(alone is None)
    assert outcomes == {False, True}


@each()
def test_checked_states_come_back_as_rows(generator: BitGenerator) -> None:
    states = [generator.state_after(generator.words, n) for n in range(5)]
    rows = states if generator.order > 1 else [words[0] for words in states]
    for given_rows in (rows, np.array(rows, generator.word_dtype), np.array(rows, object)):
        found = generator.checked_states("seeds", given_rows)
        assert found.dtype == generator.word_dtype
        assert found.shape == (5, generator.order)
        assert found.tolist() == [list(words) for words in states]


@each()
def test_states_of_another_shape_or_type(generator: BitGenerator) -> None:
    row: Any = list(generator.words) if generator.order > 1 else generator.words[0]
    shapes: list[Any] = [[], row, [[row]]]
    shapes += [[row[:-1]], [[*row, 1]], [row, row[:-1]]] if generator.order > 1 else [[[row, row]]]
    for bad in shapes:
        with pytest.raises(ValueError, match="^seeds must be a (one|two)-dimensional array of "):
            generator.checked_states("seeds", bad)
    for number in (1.0, "1", None, True):
        bad_row = [number, *row[1:]] if generator.order > 1 else number
        with pytest.raises(TypeError, match=r"^seeds\[1"):
            generator.checked_states("seeds", [row, bad_row])
    with pytest.raises(TypeError, match="^seeds must be .*, not of dtype float64$"):
        generator.checked_states("seeds", np.array([row], float) if generator.order > 1 else np.array([float(row)]))


def test_every_class_is_in_the_list() -> None:
    classes = {getattr(bit_generators, name) for name in bit_generators.__all__} - {BitGenerator}
    assert {type(generator) for generator in GENERATORS.values()} == classes
    assert not GENERATORS.keys() & LARGE.keys()
    assert ParkMiller in classes
