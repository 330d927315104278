"""What lagged Fibonacci generators take, refuse and say of themselves."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clrng.generators import LaggedFibonacci
from tests.support.lagged_recurrences import Row, made, parameters, walked


@given(parameters(9, moduli=st.integers(1, 64).map(lambda bits: 2**bits)), st.data())
def test_outputs_are_some_bits_of_a_word(row: Row, data: st.DataObject) -> None:
    most = (row[2] - 1).bit_length()
    shift = data.draw(st.integers(0, most - 1))
    bits = data.draw(st.integers(1, most - shift))
    generator, p = made(row, output=(shift, bits)), max(row[0])
    values = [x // 2**shift % 2**bits for x in walked(row, 50)[p:]]
    assert generator.sequence(50).tolist() == values
    assert generator.output == (shift, bits)
    assert generator.upper_bound == 2**bits
    assert generator.dtype == (np.uint32 if bits <= 32 else np.uint64)
    assert generator.min_value == int(row[1] == "*" and shift == 0)
    assert all(value >= generator.min_value for value in values)
    assert generator.words == made(row).words


def test_what_there_is_to_say_of_one() -> None:
    generator = LaggedFibonacci((1, 3), "-", modulus=101, state=[4, 5, 6])
    assert (generator.lags, generator.op, generator.modulus, generator.output) == ((1, 3), "-", 101, None)
    assert (generator.words, generator.order, generator.period) == ((4, 5, 6), 3, None)
    assert (generator.min_value, generator.upper_bound, generator.reversible) == (0, 101, True)
    assert generator.word_limits == [(0, 100)] * 3
    assert generator.sequence(4).tolist() == [2, 98, 92, 90]
    assert repr(generator) == "LaggedFibonacci((1, 3), '-', modulus=101, state=[4, 5, 6])"
    assert generator.state == {
        "bit_generator": "LaggedFibonacci",
        "lags": [1, 3],
        "op": "-",
        "modulus": 101,
        "output": None,
        "state": [4, 5, 6],
    }
    odd = LaggedFibonacci((3, 1), "*", bits=4, state=[1, 3, 5], output=(1, 3))
    assert repr(odd) == "LaggedFibonacci((3, 1), '*', modulus=16, state=[1, 3, 5], output=(1, 3))"
    assert (odd.min_value, odd.upper_bound, odd.word_limits) == (0, 8, [(1, 15)] * 3)
    assert LaggedFibonacci((3, 1), "*", bits=4, seed=1).min_value == 1
    assert LaggedFibonacci((3, 1), "+", seed=1).modulus == 2**32
    for kind in (tuple, np.array, lambda v: np.array(v, np.uint64), lambda v: np.array(v, object)):
        same: Any = LaggedFibonacci([np.int8(1), 3], "-", modulus=np.uint8(101), state=kind([4, 5, 6]))  # type: ignore[arg-type]
        assert same == generator
        assert {type(x) for x in (*same.lags, *same.words, same.modulus)} == {int}
    for bits, dtype in ((32, np.uint32), (33, np.uint64), (64, np.uint64), (1, np.uint32)):
        assert LaggedFibonacci((1, 3), "+", bits=bits, seed=1).dtype == dtype


def test_a_long_state_is_cut_short_in_repr() -> None:
    whole = LaggedFibonacci((1, 100), "+", seed=1)
    assert eval(repr(whole)) == whole
    longer = LaggedFibonacci((1, 101), "+", seed=1)
    first, last = longer.words[0], longer.words[-1]
    assert repr(longer) == f"LaggedFibonacci((1, 101), '+', modulus=4294967296, state=[{first}, ..., {last}])"
    with pytest.raises(ValueError, match="^state must be 101 integers, as many as the larger lag, not 3$"):
        eval(repr(longer))


LEGAL: dict[str, Any] = {"lags": (1, 3), "op": "+", "modulus": 16, "state": [4, 5, 6]}
LIMITS, STAYS = "18446744073709551616", "or the lowest bit stays 0"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lags": (0, 3)}, "lags[0] must be an integer from 1 to 65536, not 0"),
        ({"lags": (3, -1)}, "lags[1] must be an integer from 1 to 65536, not -1"),
        ({"lags": (3, 65537)}, "lags[1] must be an integer from 1 to 65536, not 65537"),
        ({"lags": (2**80, 3)}, f"lags[0] must be an integer from 1 to 65536, not {2**80}"),
        ({"lags": (3, 3)}, "lags must be two different integers, not 3 twice"),
        ({"op": "/"}, "op must be one of '+', '-', '*', 'xor', not '/'"),
        ({"op": "XOR"}, "op must be one of '+', '-', '*', 'xor', not 'XOR'"),
        ({"op": ""}, "op must be one of '+', '-', '*', 'xor', not ''"),
        ({"modulus": None, "bits": 0}, "bits must be an integer from 1 to 64, not 0"),
        ({"modulus": None, "bits": 65}, "bits must be an integer from 1 to 64, not 65"),
        ({"modulus": None, "bits": -1}, "bits must be an integer from 1 to 64, not -1"),
        ({"modulus": 1}, f"modulus must be an integer from 2 to {LIMITS}, not 1"),
        ({"modulus": 0}, f"modulus must be an integer from 2 to {LIMITS}, not 0"),
        ({"modulus": -16}, f"modulus must be an integer from 2 to {LIMITS}, not -16"),
        ({"modulus": 2**64 + 1}, f"modulus must be an integer from 2 to {LIMITS}, not {2**64 + 1}"),
        ({"modulus": 10, "op": "*"}, "modulus must be a power of two for '*', not 10"),
        ({"modulus": 10**9, "op": "xor"}, "modulus must be a power of two for 'xor', not 1000000000"),
        ({"state": None}, "state or seed must be given, not neither"),
        ({"state": None, "seed": -1}, "seed must be an integer from 0 to 18446744073709551615, not -1"),
        ({"state": None, "seed": 2**64}, f"seed must be an integer from 0 to 18446744073709551615, not {2**64}"),
        ({"state": [4, 5]}, "state must be 3 integers, as many as the larger lag, not 2"),
        ({"state": []}, "state must be 3 integers, as many as the larger lag, not 0"),
        ({"state": [4, 5, 6, 7]}, "state must be 3 integers, as many as the larger lag, not 4"),
        ({"state": [4, 5, -1]}, "state[2] must be an integer from 0 to 15, not -1"),
        ({"state": [4, 16, -1]}, "state[1] must be an integer from 0 to 15, not 16"),
        ({"state": np.array([4, 16, 5])}, "state[1] must be an integer from 0 to 15, not 16"),
        ({"state": [4, 2**80, 5]}, f"state[1] must be an integer from 0 to 15, not {2**80}"),
        ({"state": [5, 5, 0], "op": "*"}, "state[2] must be an odd integer from 1 to 15 for '*', not 0"),
        ({"state": [5, 4, 6], "op": "*"}, "state[1] must be an odd integer from 1 to 15 for '*', not 4"),
        (
            {"state": [4, 2, 6]},
            f"state must have an odd integer in it for '+' modulo 2^4, {STAYS}, not [4, 2, 6]",
        ),
        (
            {"state": [0, 2, 6], "op": "-"},
            f"state must have an odd integer in it for '-' modulo 2^4, {STAYS}, not [0, 2, 6]",
        ),
        (
            {"state": [0] * 3, "op": "xor"},
            "state must have an integer from 1 to 15 in it, or it stays 0, not [0, 0, 0]",
        ),
        (
            {"state": [0] * 3, "modulus": 10},
            "state must have an integer from 1 to 9 in it, or it stays 0, not [0, 0, 0]",
        ),
        ({"output": (4, 1)}, "output[0] must be an integer from 0 to 3, not 4"),
        ({"output": (-1, 1)}, "output[0] must be an integer from 0 to 3, not -1"),
        ({"output": (1, 0)}, "output[1] must be an integer from 1 to 3, not 0"),
        ({"output": (1, 4)}, "output[1] must be an integer from 1 to 3, not 4"),
    ],
)
def test_out_of_range(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="must") as raised:
        LaggedFibonacci(**{**LEGAL, **change})
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lags": 5}, "lags must be a pair of integers, not 5"),
        ({"lags": None}, "lags must be a pair of integers, not None"),
        ({"lags": "13"}, "lags must be a pair of integers, not '13'"),
        ({"lags": {1, 3}}, "lags must be a pair of integers, not {1, 3}"),
        ({"lags": ()}, "lags must be a pair of integers, not ()"),
        ({"lags": [3]}, "lags must be a pair of integers, not [3]"),
        ({"lags": (1, 2, 3)}, "lags must be a pair of integers, not (1, 2, 3)"),
        ({"op": None}, "op must be one of '+', '-', '*', 'xor', not None"),
        ({"op": 5}, "op must be one of '+', '-', '*', 'xor', not 5"),
        ({"op": b"+"}, "op must be one of '+', '-', '*', 'xor', not b'+'"),
        ({"op": ["+"]}, "op must be one of '+', '-', '*', 'xor', not ['+']"),
        ({"bits": 4}, "bits and modulus must not both be given, not 4 and 16"),
        ({"bits": 4, "modulus": "x"}, "bits and modulus must not both be given, not 4 and 'x'"),
        ({"seed": 1}, "state and seed must not both be given, not [4, 5, 6] and 1"),
        (
            {"state": [7] * 10**5, "seed": 1},
            f"state and seed must not both be given, not [{'7, ' * 20}...] and 1",
        ),
        ({"output": 5}, "output must be None or a pair (shift, bits) of integers, not 5"),
        ({"output": (1,)}, "output must be None or a pair (shift, bits) of integers, not (1,)"),
        ({"output": (1, 2, 3)}, "output must be None or a pair (shift, bits) of integers, not (1, 2, 3)"),
        ({"output": "12"}, "output must be None or a pair (shift, bits) of integers, not '12'"),
        ({"state": 5}, "state must be a sequence of integers, not 5"),
        ({"state": "123"}, "state must be a sequence of integers, not '123'"),
        ({"state": {1, 2, 3}}, "state must be a sequence of integers, not {1, 2, 3}"),
        ({"state": [1, [2], 3]}, "state[1] must be an integer from 0 to 15, not [2]"),
    ],
)
def test_of_the_wrong_type(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match="must") as raised:
        LaggedFibonacci(**{**LEGAL, **change})
    assert str(raised.value) == message


@pytest.mark.parametrize("value", [5.0, np.float32(5), "5", b"5", True, np.bool_(True), 5j, [5], {5}])
def test_not_an_integer(value: Any) -> None:
    cases = {
        "modulus": ({"modulus": value}, f"2 to {LIMITS}"),
        "bits": ({"modulus": None, "bits": value}, "1 to 64"),
        "seed": ({"state": None, "seed": value}, "0 to 18446744073709551615"),
        "lags[0]": ({"lags": (value, 3)}, "1 to 65536"),
        "lags[1]": ({"lags": [3, value]}, "1 to 65536"),
        "state[0]": ({"state": [value, 5, 6]}, "0 to 15"),
        "state[2]": ({"state": (4, 5, value)}, "0 to 15"),
        "output[0]": ({"output": (value, 1)}, "0 to 3"),
        "output[1]": ({"output": (0, value)}, "1 to 4"),
    }
    for name, (change, limits) in cases.items():
        with pytest.raises(TypeError, match="must be an integer from") as raised:
            LaggedFibonacci(**{**LEGAL, **change})
        assert str(raised.value) == f"{name} must be an integer from {limits}, not {value!r}"


@pytest.mark.parametrize(
    ("op", "change", "message"),
    [
        (
            "+",
            {"state": [4, 2, 6], "output": None},
            "state['state'] must have an odd integer in it for '+' modulo 2^4, ",
        ),
        ("+", {"state": [4, 2, 16]}, "state['state'][2] must be an integer from 0 to 15, not 16"),
        ("+", {"lags": [1, 4]}, "state['state'] must be 4 integers, as many as the larger lag, not 3"),
        ("+", {"lags": [2, 2]}, "state['lags'] must be two different integers, not 2 twice"),
        ("+", {"op": "*"}, "state['state'][0] must be an odd integer from 1 to 15 for '*', not 4"),
        ("+", {"op": "xor", "modulus": 18}, "state['modulus'] must be a power of two for 'xor', not 18"),
        ("+", {"modulus": 4}, "state['output'][1] must be an integer from 1 to 1, not 2"),
        ("+", {"modulus": 4, "output": None}, "state['state'][0] must be an integer from 0 to 3, not 4"),
        ("xor", {"state": [0] * 3}, "state['state'] must have an integer from 1 to 15 in it, or it stays 0, not [0"),
        ("*", {"state": [1, 3, 4]}, "state['state'][2] must be an odd integer from 1 to 15 for '*', not 4"),
    ],
)
def test_a_bad_state_changes_nothing(op: str, change: dict[str, Any], message: str) -> None:
    words = [5, 7, 9] if op == "*" else [4, 5, 6]
    generator = LaggedFibonacci((1, 3), op, bits=4, state=words, output=(1, 2)).advance(0)
    moved = generator.jumped(50)
    for one in (generator, moved):
        before, inside = one.state, dict(vars(one))
        with pytest.raises((TypeError, ValueError), match="must") as raised:
            one.state = {**generator.state, **change}
        assert str(raised.value).startswith(message)
        assert (one.state, vars(one)) == (before, inside)


def test_a_state_takes_over_everything() -> None:
    moving = LaggedFibonacci((1, 3), "+", bits=4, state=[4, 5, 6]).advance(10)
    other = LaggedFibonacci((17, 5), "*", bits=40, seed=1, output=(3, 30)).advance(10**6)
    moving.state = other.state
    assert moving == other
    assert moving.jumped(10**9).words == other.jumped(10**9).words
    assert moving.sequence(50).tolist() == other.sequence(50).tolist()
    assert moving.parameters_version == 1


@pytest.mark.parametrize(
    ("op", "size", "rows", "message"),
    [
        (
            "+",
            {"bits": 4},
            [[1, 2, 3], [2, 4, 6]],
            f"seeds[1] must have an odd integer in it for '+' modulo 2^4, {STAYS}, not ",
        ),
        (
            "-",
            {"bits": 64},
            [[2**64 - 2] * 3],
            f"seeds[0] must have an odd integer in it for '-' modulo 2^64, {STAYS}, not ",
        ),
        (
            "-",
            {"modulus": 10},
            [[2, 4, 6], [0, 0, 0]],
            "seeds[1] must have an integer from 1 to 9 in it, or it stays 0, not ",
        ),
        (
            "xor",
            {"bits": 4},
            [[2, 4, 6], [1, 0, 0], [0, 0, 0]],
            "seeds[2] must have an integer from 1 to 15 in it, or it stays 0, not ",
        ),
        (
            "*",
            {"bits": 4},
            [[1, 3, 5], [1, 3, 6]],
            "seeds[1] must have odd words only, which word 2, 6, is not, not [1, 3, 6]",
        ),
        ("*", {"bits": 4}, [[1, 3, 5], [1, 3, 0]], "seeds[1, 2] must be an integer from 1 to 15, not 0"),
        ("+", {"bits": 4}, [[1, 3, 16]], "seeds[0, 2] must be an integer from 0 to 15, not 16"),
    ],
)
def test_bad_states_of_streams(op: str, size: dict[str, Any], rows: list[list[int]], message: str) -> None:
    generator = LaggedFibonacci((1, 3), op, **size, seed=1)
    for given_rows in (rows, np.array(rows, np.uint64)):
        with pytest.raises(ValueError, match="^seeds") as raised:
            generator.checked_states("seeds", given_rows)
        assert str(raised.value).startswith(message)


def test_the_largest_lags_are_taken() -> None:
    generator = LaggedFibonacci((65536, 65535), "xor", seed=1)
    x = [*generator.words, *generator.sequence(5).tolist()]
    assert x[65536] == x[0] ^ x[1]
    assert x[65540] == x[4] ^ x[5]
    assert generator.jumped(5).words[-5:] == tuple(x[-5:])


def test_looking_at_it_loses_nothing_that_others_do_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = LaggedFibonacci((1, 3), "+", seed=1).advance(100)
    expected, after = moving.jumped(5).words, LaggedFibonacci.state_after

    def slow(self: LaggedFibonacci, words: tuple[int, ...], n: int) -> tuple[int, ...]:
        monkeypatch.undo()
        self.advance(5)  # as another thread might while this one computes
        return after(self, words, n)

    monkeypatch.setattr(LaggedFibonacci, "state_after", slow)
    assert moving.words == LaggedFibonacci((1, 3), "+", seed=1).advance(100).words
    assert moving.words == expected


def test_a_jump_of_many_digits() -> None:
    generator = LaggedFibonacci((1, 3), "xor", bits=1, state=[0, 0, 1])
    assert generator.period == 7
    assert generator.jumped(2**70001).words == generator.jumped(pow(2, 70001, 7)).words
