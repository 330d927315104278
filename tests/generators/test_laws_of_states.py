"""The laws of states that all generators obey: what restores one, what is refused, what devices are given."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from functools import partial
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from clrng import generators
from clrng.generators import BitGenerator
from clrng.generators.families import FAMILIES
from clrng.generators.family import Family
from tests.support.generators import GENERATORS
from tests.support.laws import FAR, LONGEST_SHOWN, NOT_INTEGERS, WIDE, alike, each, few, parts, with_part, with_words


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
        copies.append(eval(repr(moved), vars(generators).copy()))
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
    optional = {key for key, parameter in generator.declared.items() if parameter.optional}
    numpys = isinstance(generator, generators.PCG64 | generators.PCG32)  # which has no multiplier in it
    for key in state.keys() - ({"multiplier"} if numpys else optional):
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


NUMPYS = [getattr(np.random, name)(1).state for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_a_state_of_any_other_class_changes_nothing(family: Family) -> None:
    generator, kind = family.example, family.generator.__name__
    for state in [*(other.example.state for other in FAMILIES.values()), *NUMPYS]:
        if (other := state["bit_generator"]) != kind:
            refused(generator, state, rf"^state\['bit_generator'\] must be '{kind}', not '{other}'$")


def test_a_state_of_numpys_twister_says_what_takes_it() -> None:
    match = r"^state\['state'\] must be 624 integers, not 'key' and 'pos' of NumPy's MT19937, of which MT19937\."
    refused(generators.MT19937(), NUMPYS[0], match)
    key, pos = NUMPYS[0]["state"].values()
    assert generators.MT19937.from_block(key, pos).sequence(1) == np.random.MT19937(1).random_raw()


@each()
@pytest.mark.parametrize("value", [None, 5, "state", [("state", 1)], {1, 2}, 1.5])
def test_a_state_that_is_no_dictionary_changes_nothing(generator: BitGenerator, value: Any) -> None:
    with pytest.raises(TypeError, match="^state must be a dictionary as the attribute gives it, not "):
        generator.copy().state = value
    refused(generator, value, "^state must be a dictionary")


@each()
def test_a_bad_value_in_a_state_changes_nothing(generator: BitGenerator) -> None:
    state = generator.jumped(9).state
    beyond = WIDE**2 if isinstance(generator, generators.PCG64) else WIDE
    for path, value in parts(state):
        key, name = path[-1], re.escape("state" + "".join(f"[{key!r}]" for key in path))
        if key in ("bit_generator", "op", "output", "bijection", "scrambler", "combination"):
            continue
        put = partial(with_part, state, path)
        if not isinstance(value, list):
            for bad in (-1, beyond + 1, -(2**100), *NOT_INTEGERS):
                if (key, bad) == ("yarn", None):
                    continue  # it is legal
                refused(generator, put(bad), f"^{name} must be an integer from .* to .*, not ")
            continue
        for bad in (5, None, 1.5, "1" * len(value), b"1" * len(value), True, [value] * len(value), {*value}):
            refused(generator, put(bad), f"^{name}")
        for bad in ([], [*value, 1], [*value, 1, 1]):
            refused(generator, put(bad), r"^state(\['\w+'\])+ must be .* integers, .*not ")
        for i, number in enumerate(value):
            below = -1 if key != "shifts" or min(value) > 0 else -64  # of a xorshift generator some go to the right
            for bad in (below, WIDE + 1, float(number), str(number), None, True):
                changed = [*value[:i], bad, *value[i + 1 :]]
                refused(generator, put(changed), rf"^{name}\[{i}\] must be an (odd )?integer from .* to .*, not ")
            refused(generator, put([*value[:i], [number], *value[i + 1 :]]), f"^{name}")


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


@pytest.mark.parametrize("name", [name for name, bits in GENERATORS.items() if bits.order <= LONGEST_SHOWN])
def test_the_largest_permutation_has_as_many_orders_as_there_are_states(name: str) -> None:
    generator = GENERATORS[name]
    limits, step = generator.word_limits, generator.word_step
    states, n = prod((largest - least) // step + 1 for least, largest in limits), generator.largest_permutation
    if isinstance(generator, generators.LFSR113):
        states = (2**31 - 1) * (2**29 - 1) * (2**28 - 1) * (2**25 - 1)
    if isinstance(generator, generators.SubtractWithCarry):
        s, r = generator.lags
        states = (generator.modulus**r - generator.modulus**s) * generator.used * generator.split
    if isinstance(generator, generators.Philox):
        states = 4 * 2**256 * 2**128
    if isinstance(generator, generators.SplitMix | generators.LXM):
        states = generator.modulus**generator.order // 2
    if isinstance(generator, generators.PCG64 | generators.PCG32):
        states = 2**255 if isinstance(generator, generators.PCG64) else 2**127
    assert factorial(n) <= states < factorial(n + 1)


def test_known_largest_permutations() -> None:
    lagged = [generators.LaggedFibonacci(lags, "+", 32, seed=1) for lags in ((24, 55), (418, 1279))]
    known = {
        12: generators.ParkMiller(1),
        16: generators.LCG(5, 1, 2**48, 1),
        20: generators.LCG(5, 1, 2**64, 1),
    }
    for n, generator in {**known, 265: lagged[0], 3901: lagged[1], 46: generators.MRG32k3a()}.items():
        assert generator.largest_permutation == n
    for twister in (generators.MT19937(), generators.MT19937_64()):
        assert twister.largest_permutation == 2080  # as the documentation of Python's random.shuffle says


@each()
def test_a_pickle_that_has_only_what_is_declared(generator: BitGenerator) -> None:
    """What follows from the parameters is computed again: another version may have had less of that."""
    made = type(generator).__new__(type(generator))
    declared = {f"_{key}" for key in generator.declared} | {"_words", "_seed_seq", "_place", "_looked"}
    made.__setstate__({key: value for key, value in vars(generator).items() if key in declared})
    assert made.state == generator.state
    assert (made.min_value, made.upper_bound) == (generator.min_value, generator.upper_bound)
    assert made.jumped(10**6).state == generator.jumped(10**6).state
