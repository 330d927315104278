"""Arguments that are sequences of integers: lists, tuples, ranges and one-dimensional arrays of NumPy are the same."""

import inspect
from collections.abc import Callable, Sequence
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
    "philox_of_a_key": (clrng.Philox, {"counter": [1, 2, 3, 4], "key": [5, 6]}),
}
"""Generators whose sequences are lists."""

for _name, _family in FAMILIES.items():
    _state = inspect.signature(_family.generator).parameters.get("state")
    _argument = "state" if _state and "Sequence" in str(_state.annotation) else "seed"
    _given = {key: value for key, value in _family.arguments.items() if key not in ("state", "seed")}
    if _family.example.order > 1:
        LONG[f"{_name}_of_a_state"] = _family.generator, {**_given, _argument: list(_family.example.words)}

CASES = [
    (row, argument, kind)
    for row, (_, arguments) in LONG.items()
    for argument, values in arguments.items()
    for kind in KINDS
    if isinstance(values, list)
    and not (kind == "uint32" and not 0 <= min(values) <= max(values) < 2**32)
    and not (kind == "int64" and max(values) >= 2**63)
    and not (kind == "every second" and max(values) >= 2**63)
    and not (
        kind == "range"
        and (
            len(values) < 2
            or values[1] == values[0]
            or len(KINDS["range"](values)) != len(values)
            or list(KINDS["range"](values)) != values
        )
    )
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
    return {key: part for key, part in state.items() if isinstance(part, list) and max(part) < 2**63}


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
