"""Arguments that are sequences of integers: lists, tuples, ranges and one-dimensional arrays of NumPy are the same."""

import inspect
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import clrng
from clrng.generators.families import FAMILIES

KINDS: dict[str, Callable[[Sequence[int]], Any]] = {
    "tuple": tuple,
    "range": lambda values: range(values[0], values[-1] + 1, values[1] - values[0]),
    "int64": lambda values: np.array(values, np.int64),
    "uint32": lambda values: np.array(values, np.uint32),
    "every second": lambda values: np.repeat(np.array(values, np.int64), 2)[::2],
}

XORSHIFT = {"lags": [4, 4, 1], "shifts": [11, -8, -19], "state": [1, 2, 3, 4]}
LAGGED = {"lags": [1, 3], "op": "+", "bits": 31, "state": [4, 5, 6], "output": [1, 30]}
CARRY = {"bits": 24, "lags": [10, 24], "state": list(range(1, 25)), "output": [4, 20]}

CONGRUENTIAL = {"multiplier": 5, "increment": 1, "modulus": 2**32, "seed": 1, "output": [16, 15]}

LONG: dict[str, tuple[type[clrng.BitGenerator], dict[str, Any]]] = {
    "lcg": (clrng.LCG, CONGRUENTIAL),
    "linear_recurrence": (clrng.LinearRecurrence, {"coefficients": [1, 2, 3], "state": [4, 5, 6], "modulus": 101}),
    "xorshift": (clrng.XorShift, XORSHIFT),
    "xorshift_of_64_bits": (clrng.XorShift, {"lags": [1, 1, 1], "shifts": [13, -7, 17], "state": [5], "bits": 64}),
    "xorshift32": (clrng.XorShift32, {"seed": 1, "shifts": [13, 17, 5]}),
    "lagged_fibonacci": (clrng.LaggedFibonacci, LAGGED),
    "lagged_fibonacci_of_odd_words": (clrng.LaggedFibonacci, {**LAGGED, "op": "*", "state": [3, 5, 7]}),
    "subtract_with_carry": (clrng.SubtractWithCarry, CARRY),
    "mt19937": (clrng.MT19937, {"seed": [1, 2, 3]}),
    "mt19937_64": (clrng.MT19937_64, {"seed": [1, 2, 3]}),
    "philox": (clrng.Philox, {"seed": [1, 2, 3]}),
    "xorshift_of_a_scrambler": (clrng.XorShift, {**XORSHIFT, "scrambler": ["+", 0, 1]}),
    "xorshift_backwards": (
        clrng.XorShiftBackwards,
        {"lags": [2, 2, 1], "shifts": [23, -17, -26], "state": [1, 2, 63], "output": [40, 24]},
    ),
    "splitmix": (clrng.SplitMix, {"seed": [1, 3], "mixer": [30, 5, 27, 7, 31], "output": [32, 31]}),
    "xoshiro": (clrng.Xoshiro, {"state": [1, 2, 3, 4], "scrambler": ["**", 1, 5, 7, 9], "shifts": [17, 45]}),
    "xoroshiro": (clrng.Xoroshiro, {"state": [1, 2], "scrambler": ["+", 0, 1], "shifts": [24, 16, 37]}),
    "xoshiro512": (clrng.Xoshiro512, {"state": [*range(8)], "scrambler": ["+", 0, 7], "shifts": [11, 21]}),
    "xoroshiro1024": (
        clrng.Xoroshiro1024,
        {"state": [*range(16)], "scrambler": ["*", 0, 3], "shifts": [25, 27, 36]},
    ),
    "counter_based_of_a_key": (clrng.CounterBased, {"bijection": "philox4x32", "key": [1, 2], "counter": [1, 2, 3, 4]}),
    "philox_of_a_key": (clrng.Philox, {"counter": [1, 2, 3, 4], "key": [5, 6]}),
}
"""Generators whose sequences are lists."""

for _name, _family in FAMILIES.items():
    _state = inspect.signature(_family.generator).parameters.get("state")
    _argument = "state" if _state and "Sequence" in str(_state.annotation) else "seed"
    _given = {key: value for key, value in _family.arguments.items() if key not in ("state", "seed", "key")}
    _words = _family.arguments.get("state", _family.example.words)
    if _family.example.order > 1:
        LONG[f"{_name}_of_a_state"] = _family.generator, {**_given, _argument: list(_words)}


def fits(kind: str, values: Any) -> bool:
    """Return whether `values` is a list that a sequence of this kind can hold; that of a scrambler begins with text."""
    if not isinstance(values, list):
        return False
    if kind == "tuple" or not isinstance(values[0], int):
        return kind == "tuple"
    if kind == "range":
        steps = {later - before for before, later in pairwise(values)}
        return len(steps) == 1 and 0 not in steps and list(KINDS["range"](values)) == values
    return 0 <= min(values) <= max(values) < 2**32 if kind == "uint32" else max(values) < 2**63


CASES = [
    (row, argument, kind)
    for row, (_, arguments) in LONG.items()
    for argument, values in arguments.items()
    for kind in KINDS
    if fits(kind, values)
]


@pytest.mark.parametrize(("row", "argument", "kind"), CASES)
def test_a_sequence_of_any_kind_is_as_good_as_a_list(row: str, argument: str, kind: str) -> None:
    make, arguments = LONG[row]
    listed = make(**arguments)
    given = make(**{**arguments, argument: KINDS[kind](arguments[argument])})
    assert (given.state, repr(given)) == (listed.state, repr(listed))
    restored = listed.copy().jumped(5)
    restored.state = {**listed.state, **{key: KINDS["int64"](value) for key, value in short(listed.state).items()}}
    assert restored == listed


def short(state: dict[str, Any]) -> dict[str, list[int]]:
    """Return the lists of a dictionary whose integers an int64 holds."""
    return {key: part for key, part in state.items() if fits("int64", part)}


def test_no_argument_is_left_out() -> None:
    """Of a family's class, every argument whose annotation has a sequence or a tuple in it is in a row."""
    for family in FAMILIES.values():
        wanted = {
            parameter.name
            for parameter in inspect.signature(family.generator).parameters.values()
            if any(word in str(parameter.annotation) for word in ("Sequence", "tuple", "Shifts"))
        }
        rows = [arguments for kind, arguments in LONG.values() if kind is family.generator]
        assert wanted <= {name for arguments in rows for name, value in arguments.items() if isinstance(value, list)}


@pytest.mark.parametrize("values", [np.array(3), np.array([[1, 2]]), np.array([1.0, 2.0]), "12", {1, 2}, 12])
def test_what_is_no_sequence_of_integers(values: Any) -> None:
    with pytest.raises(TypeError, match=r"^lags(\[0\]|\[1\])? must be "):
        clrng.SubtractWithCarry(24, values, range(1, 25))
    with pytest.raises(TypeError, match=r"^lags(\[0\]|\[1\])? must be "):
        clrng.LaggedFibonacci(values, "+", seed=1)


@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_a_state_is_given_without_a_counter_of_any_kind(kind: Callable[[Sequence[int]], Any]) -> None:
    with pytest.raises(TypeError, match=r"^state must be given alone, not with .* as \[1, 0, 0, 0, 0, 1, 0\] is$"):
        clrng.CounterBased("philox4x32", counter=kind([1, 0, 0, 0]), state=[1, 0, 0, 0, 0, 1, 0])
    with pytest.raises(TypeError, match=r"^state must be given alone, not with "):
        clrng.Philox(counter=kind([1, 0, 0, 0]), state=[0] * 8)
