"""The recurrence itself, on the host."""

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
