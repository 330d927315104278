"""The recurrence itself, on the host."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clrng import ParkMiller
from tests.support import oracle

STATES = st.integers(1, oracle.M - 1)


@pytest.mark.parametrize("row", oracle.known_answers(), ids=lambda row: f"{row['multiplier']}-{row['position']}")
def test_published_values(row: dict[str, Any]) -> None:
    generator = ParkMiller(row["seed"], row["multiplier"]).advance(row["position"] - 1)
    assert_array_equal(generator.sequence(len(row["values"])), row["values"])


def test_the_oracle_has_the_published_values() -> None:
    for row in oracle.known_answers():
        values = oracle.sequence(row["seed"], len(row["values"]), row["multiplier"], row["position"])
        assert_array_equal(values, row["values"])


def test_the_sequence_is_the_oracles_and_leaves_the_state() -> None:
    generator = ParkMiller(seed=12345, multiplier=48271)
    assert_array_equal(generator.sequence(5000), oracle.sequence(12345, 5000, 48271))
    assert generator == ParkMiller(seed=12345, multiplier=48271)


@given(STATES, STATES, st.integers(0, 300))
def test_a_jump_of_n_is_n_steps(seed: int, multiplier: int, n: int) -> None:
    generator = ParkMiller(seed, multiplier)
    assert_array_equal(generator.jumped(n).sequence(5), generator.sequence(n + 5)[n:])


@given(STATES, STATES, st.integers(0, 2**200), st.integers(0, 2**200))
def test_jumps_add_up(seed: int, multiplier: int, first: int, second: int) -> None:
    assert ParkMiller(seed, multiplier).advance(first).advance(second) == ParkMiller(seed, multiplier).jumped(
        first + second
    )


@given(STATES, STATES, st.integers(0, 2**64))
def test_backwards_undoes_forwards(seed: int, multiplier: int, n: int) -> None:
    generator = ParkMiller(seed, multiplier)
    assert generator.state_after(generator.state_after((seed,), n), -n) == (seed,)


def test_advance_returns_itself_and_jumped_another() -> None:
    generator = ParkMiller(seed=5)
    assert generator.advance(3) is generator
    assert generator.copy() is not generator


@given(STATES, STATES)
def test_the_state_survives_a_round_trip(seed: int, multiplier: int) -> None:
    generator = ParkMiller(seed, multiplier)
    other = ParkMiller(seed=1)
    other.state = generator.state
    assert other == generator == pickle.loads(pickle.dumps(generator))
    assert eval(repr(generator)) == generator


@pytest.mark.parametrize(
    ("multiplier", "period"), [(16807, oracle.M - 1), (48271, oracle.M - 1), (1, 1), (oracle.M - 1, 2)]
)
def test_periods(multiplier: int, period: int) -> None:
    generator = ParkMiller(seed=7, multiplier=multiplier)
    assert generator.period == period
    assert generator.jumped(period) == generator


@given(STATES)
def test_the_period_is_the_least_return(multiplier: int) -> None:
    period = ParkMiller(seed=1, multiplier=multiplier).period
    assert pow(multiplier, period, oracle.M) == 1
    for prime in (2, 3, 7, 11, 31, 151, 331):
        assert period % prime or pow(multiplier, period // prime, oracle.M) != 1


@pytest.mark.parametrize("name", ["seed", "multiplier"])
@pytest.mark.parametrize("value", [0, -1, oracle.M, oracle.M + 1, 2**64, -(2**70), np.int64(-3)])
def test_out_of_range(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=rf"{name} must be an integer from 1 to 2147483646, not {value}"):
        ParkMiller(**{"seed": 1, name: value})


@pytest.mark.parametrize("name", ["seed", "multiplier"])
@pytest.mark.parametrize("value", [1.0, "1", None, True, np.bool_(True), [1], np.array([1, 2]), 1j, b"1"])
def test_not_an_integer(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"{name} must be an integer from 1 to 2147483646, not "):
        ParkMiller(**{"seed": 1, name: value})  # type: ignore[arg-type]


def test_a_number_of_values_is_0_or_more() -> None:
    generator = ParkMiller(seed=1)
    with pytest.raises(ValueError, match="n must be an integer from 0 to 1152921504606846975, not -1"):
        generator.sequence(-1)
    with pytest.raises(TypeError, match="n must be an integer from 0 to .*, not 1.5"):
        generator.sequence(1.5)  # type: ignore[arg-type]
    assert generator == ParkMiller(seed=1)


def test_negative_steps_go_back() -> None:
    generator = ParkMiller(seed=1)
    before = pow(16807, -3, oracle.M)
    assert generator.jumped(-3).words == (before,)
    assert generator.advance(-3).words == (before,)
    assert generator.advance(8).sequence(1).tolist() == [1144108930 * 16807 % oracle.M]


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"state": 0}, ValueError, r"state\['state'\] must be an integer from 1 to 2147483646, not 0"),
        ({"state": 2.0}, TypeError, r"state\['state'\] must be an integer"),
        ({"multiplier": oracle.M}, ValueError, r"state\['multiplier'\] must be"),
        ({"bit_generator": "MT19937"}, ValueError, "must be 'ParkMiller', not 'MT19937'"),
        ({"more": 1}, ValueError, "must have the keys"),
    ],
)
def test_a_bad_state_changes_nothing(change: dict[str, Any], error: type[Exception], match: str) -> None:
    generator = ParkMiller(seed=99)
    with pytest.raises(error, match=match):
        generator.state = {**generator.state, **change}
    with pytest.raises(TypeError, match="state must be a dictionary"):
        generator.state = 5  # type: ignore[assignment]
    assert generator == ParkMiller(seed=99)
