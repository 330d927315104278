"""Thousands of bad calls: each is refused by name before any device work."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clrng
from tests.conftest import make_queue
from tests.support import oracle

NO_INTEGERS = st.one_of(
    st.none(), st.booleans(), st.floats(), st.text(), st.binary(), st.complex_numbers(),
    st.lists(st.none(), min_size=1),
    st.dictionaries(st.text(), st.integers(), min_size=1), st.floats(width=32).map(np.float32),
    st.lists(st.integers(-5, 5), min_size=2).map(np.array),
)  # fmt: skip
OUT_OF_RANGE = st.one_of(st.integers(max_value=0), st.integers(min_value=oracle.M))
NEGATIVE = st.integers(max_value=-1)
RNG = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
STREAMS = clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), 4, queue=make_queue(0))
ONE_WAY = clrng.LCG(2, 1, 10, seed=3)
STATES = STREAMS.states.tolist()
MANY = settings(max_examples=500)


@pytest.fixture(autouse=True)
def unmoved() -> Any:
    """Check that no refused call moved a stream."""
    yield
    assert RNG.bit_generator == clrng.ParkMiller(seed=1)
    assert STREAMS.states.tolist() == STATES


def refused(error: type[Exception], name: str, call: Any) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(name), caught.value
    assert " must " in str(caught.value)
    assert " not " in str(caught.value)


@MANY
@given(NO_INTEGERS)
def test_no_integers(value: Any) -> None:
    for name, call in {
        "seed": lambda: clrng.ParkMiller(value),
        "multiplier": lambda: clrng.ParkMiller(1, value),
        "delta": lambda: RNG.bit_generator.advance(value),
        "count": lambda: clrng.Streams.by_leapfrog(clrng.ParkMiller(1), value, RNG.queue),
        "steps": lambda: STREAMS.random_raw(value),
    }.items():
        refused(TypeError, name, call)
    if value is not None and not isinstance(value, np.ndarray):  # an array of integers is a size
        refused(TypeError, "size", lambda: RNG.random_raw(value))
    if value is not None:
        refused(TypeError, "size[1]", lambda: RNG.random_raw((1, value)))


@MANY
@given(st.lists(st.floats()) | st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=2), min_size=1))
def test_arrays_that_are_no_size(value: Any) -> None:
    refused(TypeError, "size", lambda: RNG.random_raw(np.array(value)))


@MANY
@given(OUT_OF_RANGE)
def test_states_out_of_range(value: int) -> None:
    for name, call in {
        "seed": lambda: clrng.ParkMiller(value),
        "multiplier": lambda: clrng.ParkMiller(1, value),
        "count": lambda: clrng.Streams.by_leapfrog(clrng.ParkMiller(1), value, RNG.queue),
        "seeds[1]": lambda: clrng.Streams.from_seeds(clrng.ParkMiller(1), [1, value], RNG.queue),
    }.items():
        refused(ValueError, name, call)


@MANY
@given(NEGATIVE)
def test_negative_positions_and_sizes(value: int) -> None:
    refused(ValueError, "delta", lambda: ONE_WAY.advance(value))
    refused(ValueError, "delta", lambda: ONE_WAY.jumped(value))
    refused(ValueError, "n", lambda: ONE_WAY.sequence(value))
    refused(ValueError, "n", lambda: ONE_WAY.sequence(2**60 - value))
    refused(ValueError, "size", lambda: RNG.random_raw(value))
    refused(ValueError, "size[0]", lambda: RNG.random((value, 2)))
    refused(ValueError, "steps", lambda: STREAMS.random_raw(value))


@MANY
@given(st.text() | st.integers() | st.none() | st.binary())
def test_unknown_arithmetics(value: Any) -> None:
    if value in ("auto", *clrng.ARITHMETICS):
        return
    error = ValueError if isinstance(value, str) else TypeError
    refused(error, "arithmetic", lambda: clrng.Generator(clrng.ParkMiller(1), RNG.queue, value))
    refused(error, "arithmetic", lambda: clrng.device_code(clrng.ParkMiller, value))


@MANY
@given(st.integers() | st.text() | st.lists(st.integers()))
def test_no_arrays(value: Any) -> None:
    refused(TypeError, "out", lambda: RNG.random_raw(out=value))
    refused(TypeError, "out", lambda: STREAMS.random_raw(out=value))
