"""Subtract with carry against the recurrence written out here, as numbers modulo m, and what is refused."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import SubtractWithCarry
from clrng.generators.maths.carry_numbers import CarryNumbers

FORMS: list[dict[str, Any]] = [
    {"bits": 24, "lags": (10, 24)},
    {"bits": 24, "lags": (10, 24), "block": 223, "used": 23},
    {"bits": 48, "lags": (5, 12), "block": 30, "used": 12, "split": 2},
    {"bits": 64, "lags": (1, 5), "block": 3, "used": 2, "output": (31, 33), "split": 3},
    {"bits": 8, "lags": (2, 3), "block": 5, "used": 1},
    {"bits": 1, "lags": (2, 7)},
]


def written_out(words: Sequence[int], carry: int, n: int, **form: Any) -> list[int]:
    """Return the first `n` values: a block is made, cut and shown part by part."""
    bits, (s, r) = form["bits"], form["lags"]
    shift, shown = form.get("output", (0, bits))
    split, x, found = form.get("split", 1), [*words], []
    while len(found) < n:
        for i in range(form.get("block", 1)):
            difference = x[-s] - x[-r] - carry
            x.append(difference % 2**bits)
            carry = 1 if difference < 0 else 0
            if i < form.get("used", 1):
                part = shown // split
                found += [x[-1] >> shift + k * part & 2**part - 1 for k in range(split)]
    return found[:n]


@pytest.mark.parametrize("form", FORMS, ids=str)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_the_sequence_is_the_recurrence(form: dict[str, Any], data: st.DataObject) -> None:
    words = data.draw(
        st.lists(st.integers(0, 2 ** form["bits"] - 1), min_size=form["lags"][1], max_size=form["lags"][1])
    )
    carry = data.draw(st.integers(0, 1))
    if set(words) == {(2 ** form["bits"] - 1) * carry}:
        return
    bits = SubtractWithCarry(**form, state=[*words, carry])
    values = written_out(words, carry, 150, **form)
    assert bits.sequence(150).tolist() == values
    for n in (1, 49, 50, 120):
        moved = bits.jumped(n)
        assert moved.sequence(30).tolist() == values[n : n + 30]
        assert moved.jumped(-n) == bits
        assert SubtractWithCarry(**form, state=moved.words) == moved
        assert eval(repr(moved)) == moved
    if carry == 0:
        assert SubtractWithCarry(**form, state=words) == bits


@given(z=st.integers(1, 2**576 - 2**240), n=st.integers(-(2**700), 2**700))
@settings(max_examples=50, deadline=None)
def test_a_state_is_a_number_and_back(z: int, n: int) -> None:
    numbers = CarryNumbers(24, 10, 24)
    m = 2**576 - 2**240 + 1
    assert numbers.modulus == m
    assert numbers.number(*numbers.state(z)) == z
    assert numbers.factor(n) * pow(2, 24 * (n % (m - 1)), m) % m == 1


def test_the_period_of_ranlux() -> None:
    m = 2**576 - 2**240 + 1
    assert clrng.named("std_ranlux24_base", 1).period == (m - 1) // 48
    assert clrng.named("std_ranlux48_base", 1).period == (m - 1) // 96
    assert clrng.named("ranlux3", 1).period == (m - 1) // 48 * 24
    assert SubtractWithCarry(24, (9, 24), range(24)).period is None
    bits = clrng.named("ranlux3", 1)
    assert bits.period == (m - 1) // 48 * 24
    bits.state = clrng.named("std_ranlux48_base", 1).state
    assert bits.period == (m - 1) // 96


def test_states_without_influence_on_values_are_one() -> None:
    """Words that repeat with lag s have a carry too many or too few; the recurrence leads away from them."""
    other = SubtractWithCarry(8, (1, 3), [7, 7, 7])
    assert other.words != (7, 7, 7, 0)
    assert other.sequence(20).tolist() == written_out([7, 7, 7], 0, 20, bits=8, lags=(1, 3))
    for state in ([7, 7, 7, 0], [1, 2, 3, 0], [3, 2, 1, 1]):
        with pytest.raises(ValueError, match=r"^state\['state'\] must (not repeat|have the carry)"):
            other.state = {**other.state, "state": state}


def test_a_state_goes_on_inside_a_block() -> None:
    bits = SubtractWithCarry(24, (10, 24), range(24), block=97, used=24)
    for given_out in (1, 5, 24):
        moved = bits.jumped(given_out)
        assert moved.words[-1] == given_out
        other = SubtractWithCarry(24, (10, 24), moved.words, block=97, used=24)
        assert_array_equal(other.sequence(30), bits.sequence(60)[given_out : given_out + 30])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bits": 65}, "bits must be an integer from 1 to 64, not 65"),
        ({"lags": (24, 10)}, "lags[0] must be an integer from 1 to 9, not 24"),
        ({"lags": (10, 65)}, "lags[1] must be an integer from 2 to 64, not 65"),
        ({"used": 49}, "used must be an integer from 1 to 48, not 49"),
        ({"split": 5}, "split must be a divisor of 24, the bits that are used, not 5"),
        ({"output": (4, 21)}, "output[1] must be an integer from 1 to 20, not 21"),
        ({"state": [0] * 24}, "state must not have words that are all 0 with carry 0, which would stay so"),
        (
            {"state": [2**24 - 1] * 24 + [1]},
            "state must not have words that are all 16777215 with carry 1, which would stay so",
        ),
        ({"state": [1] * 24 + [2]}, "state[24] must be an integer from 0 to 1, not 2"),
        ({"state": [1] * 24 + [1, 25]}, "state[25] must be an integer from 0 to 24, not 25"),
        ({"state": [1] * 23 + [2**24]}, "state[23] must be an integer from 0 to 16777215, not 16777216"),
        (
            {"state": [1] * 23},
            "state must be 24 to 26 integers, the 24 words, the carry and the position in a block, not 23",
        ),
        (
            {"block": 5, "used": 5, "state": [1] * 26},
            "state must be 24 to 25 integers, the 24 words and the carry, not 26",
        ),
    ],
)
def test_arguments_out_of_range(changes: dict[str, Any], message: str) -> None:
    arguments = {"bits": 24, "lags": (10, 24), "state": range(24), "block": 48, "used": 24}
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        SubtractWithCarry(**{**arguments, **changes})


def test_arguments_of_other_types() -> None:
    with pytest.raises(TypeError, match="^block must be an integer from 1 to 65536, not None$"):
        SubtractWithCarry(24, (10, 24), range(24), block=None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^lags must be a pair of integers, not 10$"):
        SubtractWithCarry(24, 10, range(24))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^state\[0\] must be an integer from 0 to 16777215, not 1.0$"):
        SubtractWithCarry(24, (10, 24), [1.0] * 24)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="^state must be a sequence of integers, not 5$"):
        SubtractWithCarry(24, (10, 24), 5)  # type: ignore[arg-type]


def test_a_bad_state_leaves_the_generator_as_it_was() -> None:
    bits = clrng.named("std_ranlux24", 1)
    before = bits.copy()
    for changes in ({"used": 224}, {"bits": 65}, {"state": [0] * 26}, {"state": [1] * 24}):
        with pytest.raises(ValueError, match=r"^state\['(used|state|bits)'\]"):
            bits.state = {**bits.state, **changes}
        assert bits == before
        assert_array_equal(bits.sequence(30), before.sequence(30))
