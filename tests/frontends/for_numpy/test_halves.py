"""NumPy's own bit generators, made by clrng, in the hands of NumPy: the values and states of NumPy's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal, assert_equal

import clrng

NAMES = ("PCG64", "PCG64DXSM", "Philox")

SIZES = st.one_of(st.none(), st.integers(0, 20), st.sampled_from([511, 513, 1025, 20001]))


def _raw_left_out(rng: Any, n: Any) -> None:
    assert rng.bit_generator.random_raw(n, output=False) is None


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "uint32": lambda rng, n: rng.integers(0, 2**32, n, dtype="uint32"),
    "bounded": lambda rng, n: rng.integers(0, 1000, n, dtype="int32"),
    "uint8": lambda rng, n: rng.integers(0, 256, n, dtype="uint8"),
    "uint64": lambda rng, n: rng.integers(0, 2**64, n, dtype="uint64"),
    "float32": lambda rng, n: rng.random(n, dtype="float32"),
    "float64": lambda rng, n: rng.random(n),
    "normal": lambda rng, n: rng.standard_normal(n),
    "normal32": lambda rng, n: rng.standard_normal(n, dtype="float32"),
    "bytes": lambda rng, n: np.frombuffer(rng.bytes(n or 0), np.uint8),
    "permutation": lambda rng, n: rng.permutation(n or 0),
    "raw": lambda rng, n: rng.bit_generator.random_raw(n),
    "raw left out": _raw_left_out,
}


def pair(name: str, seed: int) -> tuple[Any, Any]:
    """Return generators of NumPy, with the bit generator of clrng and with NumPy's."""
    ours = clrng.numpy_bit_generator(getattr(clrng, name)(seed))
    return np.random.Generator(ours), np.random.Generator(getattr(np.random, name)(seed))


@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 2**64), calls=st.lists(st.tuples(st.sampled_from(sorted(CALLS)), SIZES), max_size=12))
def test_any_mixture_of_calls_gives_the_numbers_and_states_of_numpy(
    name: str, seed: int, calls: list[tuple[str, int | None]]
) -> None:
    ours, numpys = pair(name, seed)
    for call, n in calls:
        assert_array_equal(CALLS[call](ours, n), CALLS[call](numpys, n))
        assert_equal(ours.bit_generator.state, numpys.bit_generator.state)


@pytest.mark.parametrize("name", ["PCG64", "PCG64DXSM"])  # Philox of NumPy advances by blocks, not by values
@given(drawn=st.integers(0, 5), delta=st.integers(0, 2**100))
def test_advance_drops_the_half_that_waits_and_raw_values_left_out_keep_it(name: str, drawn: int, delta: int) -> None:
    ours, numpys = pair(name, 1)
    for rng in ours, numpys:
        rng.random(drawn, dtype="float32")
        rng.bit_generator.random_raw(3, output=False)
    assert_equal(ours.bit_generator.state, numpys.bit_generator.state)
    assert_array_equal(ours.random(4, dtype="float32"), numpys.random(4, dtype="float32"))
    for rng in ours, numpys:
        rng.bit_generator.advance(delta)
    assert_equal(ours.bit_generator.state, numpys.bit_generator.state)
    assert_array_equal(ours.random(3, dtype="float32"), numpys.random(3, dtype="float32"))


@pytest.mark.parametrize("name", NAMES)
def test_a_state_with_a_half_that_waits_can_be_assigned_both_ways(name: str) -> None:
    ours, numpys = pair(name, 2)
    numpys.random(3, dtype="float32")
    ours.bit_generator.state = numpys.bit_generator.state
    assert_array_equal(ours.random(2, dtype="float32"), numpys.random(2, dtype="float32"))
    numpys.bit_generator.state = ours.bit_generator.state
    assert_array_equal(ours.random(5, dtype="float32"), numpys.random(5, dtype="float32"))
