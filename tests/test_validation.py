"""What is refused says so in a short message that names the argument, whatever was given."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clrng
from clrng import validation
from tests.conftest import make_queue
from tests.support.generators import GENERATORS

HUGE = 10**5000
RNG = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
STREAMS = clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), 4, queue=make_queue(0))
MILLION = [0] * 10**6


class Index:
    """An integer by its __index__."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        """Return the integer."""
        return self.value


class Broken:
    """Something that can neither be shown nor be an integer."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __index__(self) -> int:
        """Fail."""
        raise ZeroDivisionError

    def __array__(self, *_: object, **__: object) -> Any:
        """Fail."""
        raise KeyError


CALLS: dict[str, list[Callable[[Any], object]]] = {
    "seed": [
        clrng.ParkMiller,
        lambda value: clrng.LCG(5, 0, 2**16, value),
        lambda value: clrng.named("mmix", value),
        clrng.MRG32k3a,
        clrng.Coveyou,
        lambda value: clrng.LaggedFibonacci((1, 2), "+", seed=value),
    ],
    "lags": [lambda value: clrng.LaggedFibonacci(value, "+", seed=1)],
    "lags[1]": [lambda value: clrng.LaggedFibonacci((1, value), "+", seed=1)],
    "op": [lambda value: clrng.LaggedFibonacci((1, 2), value, seed=1)],
    "bits": [lambda value: clrng.LaggedFibonacci((1, 2), "+", bits=value, seed=1)],
    "bits and modulus": [lambda value: clrng.LaggedFibonacci((1, 2), "+", bits=value, modulus=value, seed=1)],
    "state and seed": [lambda value: clrng.LaggedFibonacci((1, 2), "+", state=value, seed=value)],
    "state": [
        lambda value: clrng.LaggedFibonacci((1, 2), "+", state=value),
        lambda value: clrng.LinearRecurrence([1, 1], value, 10),
        lambda value: setattr(RNG.bit_generator, "state", value),
    ],
    "state[0]": [
        lambda value: clrng.LaggedFibonacci((1, 2), "*", state=[value, 1]),
        lambda value: clrng.LinearRecurrence([1, 1], [value, 1], 10),
    ],
    "state['bit_generator']": [
        lambda value: setattr(RNG.bit_generator, "state", {**RNG.bit_generator.state, "bit_generator": value})
    ],
    "coefficients": [lambda value: clrng.LinearRecurrence(value, [1, 1], 10)],
    "modulus": [lambda value: clrng.LCG(5, 0, value, 1)],
    "multiplier": [lambda value: clrng.LCG(value, 0, 10, 1)],
    "increment": [lambda value: clrng.LCG(3, value, 10, 1)],
    "output": [lambda value: clrng.LCG(3, 1, 10, 1, output=value)],
    "name": [lambda value: clrng.named(value, 1)],
    "n": [RNG.bit_generator.sequence],
    "size": [RNG.random_raw, RNG.random],
    "size[1]": [lambda value: RNG.random_raw((0, value))],
    "dtype": [lambda value: RNG.random(3, dtype=value), lambda value: STREAMS.random(3, dtype=value)],
    "out": [lambda value: RNG.random_raw(3, out=value), lambda value: STREAMS.random(3, out=value)],
    "steps": [STREAMS.random_raw, STREAMS.random],
    "keep": [lambda value: STREAMS.random_raw(1, keep=value)],
    "states": [lambda value: setattr(STREAMS, "states", value)],
    "seeds": [lambda value: clrng.Streams.from_seeds(clrng.ParkMiller(1), value, RNG.queue)],
    "seeds[1]": [lambda value: clrng.Streams.from_seeds(clrng.ParkMiller(1), [1, value], RNG.queue)],
    "start": [lambda value: clrng.Streams(clrng.ParkMiller(1), value, queue=RNG.queue)],
    "step": [lambda value: clrng.Streams(clrng.ParkMiller(1), [1], value, RNG.queue)],
    "count": [
        lambda value: clrng.Streams.by_jumps(clrng.ParkMiller(1), value, queue=RNG.queue),
        lambda value: clrng.Streams.by_leapfrog(clrng.ParkMiller(1), value, queue=RNG.queue),
        lambda value: clrng.Streams.from_master_seed(clrng.ParkMiller(1), value, queue=RNG.queue),
    ],
    "distance": [lambda value: clrng.Streams.by_jumps(clrng.ParkMiller(1), 4, value, queue=RNG.queue)],
    "bit_generator": [
        lambda value: clrng.Generator(value, RNG.queue),
        lambda value: clrng.DivideAndConquer(value, RNG.queue),
        clrng.device_code,
        lambda value: clrng.Streams.by_jumps(value, 4, queue=RNG.queue),
        lambda value: clrng.Streams.by_leapfrog(value, 4, queue=RNG.queue),
        lambda value: clrng.Streams.from_seeds(value, [1], RNG.queue),
        lambda value: clrng.Streams.from_master_seed(value, 4, RNG.queue),
        lambda value: clrng.Streams(value, [1], queue=RNG.queue),
    ],
    "queue": [lambda value: clrng.Generator(clrng.ParkMiller(1), value)],
    "allocator": [lambda value: clrng.Generator(clrng.ParkMiller(1), RNG.queue, allocator=value)],
    "arithmetic": [
        lambda value: clrng.Generator(clrng.ParkMiller(1), RNG.queue, value),
        lambda value: clrng.device_code(clrng.ParkMiller(1), value),
    ],
    "s": [lambda value: clrng.DivideAndConquer(clrng.ParkMiller(1), RNG.queue, s=value)],
    "r": [lambda value: clrng.DivideAndConquer(clrng.ParkMiller(1), RNG.queue, r=value)],
    "group": [lambda value: clrng.DivideAndConquer(clrng.ParkMiller(1), RNG.queue, group=value)],
    "prefix": [lambda value: clrng.device_code(clrng.ParkMiller, prefix=value)],
    "device": [lambda value: clrng.device_code(clrng.ParkMiller, device=value), clrng.choose_device, clrng.make_queue],
    "kind": [lambda value: clrng.list_devices(kind=value)],
}
"""Calls that take a value for an argument; what they say begins with its name."""

STRANGE = {
    "huge": HUGE, "minus huge": -HUGE, "huge in a list": [HUGE], "nested": [[HUGE, [HUGE]]], "broken": Broken(),
    "broken in a list": [Broken()], "empty array": np.array([]), "array": np.zeros((2, 3), np.uint8),
    "floats": [1.5, float("nan")], "nan": float("nan"), "million": MILLION, "text": "x" * 10**6, "bytes": b"x" * 10**6,
    "set": {1}, "class": clrng.ParkMiller, "an array of the device": cla.zeros(RNG.queue, 5, np.uint32),
    "a large array": np.zeros(10**6), "a dictionary": dict.fromkeys(range(10**5)), "bool": True, "object": object(),
    "text array": np.array(["a"]), "structure": np.zeros(2, [("a", int)]), "date": np.datetime64("2000-01-01"),
    "minus 1": -1, "index": Index(-1),
}  # fmt: skip


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("name", CALLS)
def test_what_is_refused_is_named_in_a_short_message(name: str, value: Any) -> None:
    before = (RNG.bit_generator.state, STREAMS.states.tolist())
    for call in CALLS[name]:
        if may_be_legal(name, value):
            assert refusal(name, call, value) in (True, False)
        else:
            assert refusal(name, call, value), name
    assert (RNG.bit_generator.state, STREAMS.states.tolist()) == before


def refusal(name: str, call: Callable[[Any], object], value: Any) -> bool:
    """Return whether the call was refused, with a short message about the argument `name`."""
    try:
        call(value)
    except (TypeError, ValueError, clrng.NoDeviceError) as error:
        said = str(error)
        others = "|state" if name == "coefficients" else ""  # which must be as many words
        begins = f"no device matches {name}|state or seed|{re.escape(name.removesuffix('[1]'))}{others}"
        assert re.match(rf"({begins})[\[. ]", said), said[:300]
        assert len(said) < 1500, said[:300]
        return True
    return False


def may_be_legal(name: str, value: Any) -> bool:
    """Return whether a call with this value can be right."""
    return {
        "bit_generator": value is clrng.ParkMiller,  # for device_code
        "allocator": callable(value),
        "s": value is HUGE,
        "r": value is HUGE,
        "step": value is HUGE,
        "prefix": isinstance(value, str),
        "dtype": isinstance(value, np.ndarray),  # NumPy takes an array's
    }.get(name, False)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.binary() | st.complex_numbers()
    | st.integers(max_value=-1) | st.integers(min_value=2**64 + 1)
    | st.integers(15000, 16000).map(lambda bits: 2**bits) | st.builds(Broken)
    | st.integers(-(2**70), -1).map(Index) | st.datetimes() | st.decimals()
    | st.floats(width=32).map(np.float32) | st.integers(-(2**63), -1).map(np.int64) | st.text().map(np.str_)
    | st.lists(st.floats()).map(np.array) | st.lists(st.integers(-(2**60), -1)).map(np.array)
    | st.sampled_from([object, int, clrng, print, ..., NotImplemented, clrng.LCG, np.float32, range(5)]),
    lambda parts: st.lists(parts) | st.lists(parts).map(tuple) | st.dictionaries(st.text(), parts),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=1000)
@given(value=ANYTHING, name=st.sampled_from(sorted(CALLS)))
def test_whatever_is_refused_is_named_and_changes_nothing(value: Any, name: str) -> None:
    for call in CALLS[name]:
        before = (RNG.bit_generator.state, STREAMS.states.tolist())
        if refusal(name, call, value):
            assert (RNG.bit_generator.state, STREAMS.states.tolist()) == before


@settings(max_examples=300)
@given(value=ANYTHING)
def test_bad_items_of_a_state_are_named(value: Any) -> None:
    for name in ("lcg_2^48_output_17_31", "mrg32k3a", "linear_3_2^31-1", "lagged_*_17_5", "coveyou", "park_miller"):
        bits = GENERATORS[name].copy()
        before = bits.state
        for key in before:
            if refusal("state", partial(setattr, bits, "state"), {**before, key: value}):
                assert bits.state == before
            bits.state = before


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.complex64])
def test_an_out_of_another_dtype_is_blamed_itself(dtype: Any) -> None:
    for call in (RNG.random, STREAMS.random):
        with pytest.raises(
            ValueError, match=f"^out.dtype must be float32 or float64 or float16 or bfloat16, not {np.dtype(dtype)}$"
        ):
            call(out=cla.zeros(RNG.queue, 4, dtype))


@pytest.mark.parametrize("size", [(0, 2**62), (2**62, 0), (2**40, 0, 2**40), [2**63 - 1, 0], (0, 2**60)])
def test_shapes_that_no_array_has_are_refused_though_they_are_empty(size: Any) -> None:
    for call in (RNG.random_raw, RNG.random):
        with pytest.raises(
            ValueError, match="^size must have lengths other than 0 whose product is at most 115.*, not "
        ):
            call(size)
    assert RNG.random_raw((0, 2**60 - 1)).get().shape == (0, 2**60 - 1)


def test_items_with_an_index_are_integers() -> None:
    streams = clrng.Streams.from_seeds(clrng.ParkMiller(1), [Index(7), 5, Index(9)], RNG.queue)
    assert streams.states.tolist() == [7, 5, 9]
    objects = np.array([Index(7), 5], object)
    clrng.Streams.from_seeds(clrng.ParkMiller(1), objects, RNG.queue)
    assert isinstance(objects[0], Index)
    with pytest.raises(ValueError, match=r"^seeds\[1\] must be an integer from 1 to 2147483646, not 0$"):
        clrng.Streams.from_seeds(clrng.ParkMiller(1), [5, Index(0)], RNG.queue)


@pytest.mark.parametrize("bad", [np.array([]), np.array([1, 2]), Broken(), None], ids=["empty", "two", "broken", "no"])
def test_what_is_no_integer_in_a_list_is_named_by_its_place(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"^seeds\[1\] must be an integer from 1 to 2147483646, not "):
        clrng.Streams.from_seeds(clrng.ParkMiller(1), [5, bad], RNG.queue)
    with pytest.raises(TypeError, match=r"^seeds\[1, 1\] must be an integer from 0 to 9, not "):
        clrng.Streams.from_seeds(clrng.LinearRecurrence([1, 1], [1, 1], 10), [[1, 2], [3, bad]], RNG.queue)


def test_strings_of_numpy_become_plain() -> None:
    bits = clrng.LaggedFibonacci(
        (np.int64(1), np.uint8(2)), np.str_("+"), modulus=np.uint64(10), state=np.array([1, 1])
    )
    assert json.loads(json.dumps(bits.state)) == bits.state
    assert type(bits.op) is str
    assert "np." not in repr(bits)
    assert type(clrng.Generator(bits, RNG.queue, np.str_("integer")).__getstate__()["arithmetic"]) is str


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10**5000, "an integer of 16610 bits"), ([10**5000], "[an integer of 16610 bits]"), (12345, "12345"),
        ("a", "'a'"), (None, "None"), (1.5, "1.5"), ([1, [2, [3, [4]]]], "[1, [2, [...]]]"),
        (clrng.LCG, "the class LCG"), (range(5), "range(0, 5)"), (np.dtype("float32"), "float32"), ((1,), "(1,)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "value",
)  # fmt: skip
def test_how_values_are_shown(value: Any, text: str) -> None:
    assert validation.shown(value) == text
