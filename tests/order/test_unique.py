"""Distinct values on the device, compared with NumPy's."""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng import order
from tests.conftest import DEVICES, make_queue
from tests.support.shapes import SCANS, use_shape

WANTED = [wanted for wanted in product((False, True), repeat=3) if any(wanted)]


def same(array: cla.Array, values: npt.NDArray[Any], wanted: tuple[bool, bool, bool]) -> None:
    """Check what `unique` gives, bit by bit: of equal values NumPy gives the first too, where it gives its index."""
    expected = np.unique(values, True, True, True)
    found = order.unique(array, *wanted)
    assert isinstance(found, tuple) == any(wanted)
    results = found if isinstance(found, tuple) else (found,)
    assert len(results) == 1 + sum(wanted)
    assert results[0].dtype == values.dtype
    assert results[0].get().tobytes() == values[expected[1]].tobytes()
    others = (each for each, is_wanted in zip(expected[1:], wanted, strict=True) if is_wanted)
    for result, other in zip(results[1:], others, strict=True):
        assert result.dtype == np.uint32
        np.testing.assert_array_equal(result.get(), other)


def special(name: str, size: int) -> npt.NDArray[Any]:
    """Return few different floats, with both zeros, NaNs of both signs, and infinities among them."""
    values = np.random.default_rng(4).integers(-3, 4, size).astype(name)
    values[::5], values[1::7], values[2::11], values[3::13] = np.nan, -0.0, -np.nan, np.inf
    return values


@pytest.mark.parametrize("shape", SCANS)
def test_distinct_values_are_those_of_numpy(
    queue: cl.CommandQueue, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_shape(monkeypatch, shape)
    for size in (0, 1, 2, 33, 700):
        values = np.random.default_rng(3).integers(-5, 5, size, dtype=np.int32)
        for wanted in [(False, False, False), (False, False, True), (True, True, True)]:
            same(cla.to_device(queue, values), values, wanted)


@pytest.mark.parametrize("wanted", WANTED)
def test_every_choice_of_results(wanted: tuple[bool, bool, bool]) -> None:
    values = np.random.default_rng(5).integers(0, 900, 2000, dtype=np.uint32)
    same(cla.to_device(make_queue(0), values), values, wanted)


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_zeros_are_equal_and_so_are_nans(name: str) -> None:
    values = special(name, 500)
    same(cla.to_device(make_queue(0), values), values, (True, True, True))


@pytest.mark.parametrize("name", ["bool", "int8", "uint16", "int64"])
def test_other_dtypes(name: str) -> None:
    values = np.random.default_rng(6).integers(0, 2, 300).astype(name)
    same(cla.to_device(make_queue(0), values), values, (False, False, True))


@settings(max_examples=30)
@given(
    st.sampled_from([info.index for info in DEVICES]),
    st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 3), max_size=200),
)
def test_any_values(index: int, listed: list[int]) -> None:
    values = np.array(listed, np.uint32)
    same(cla.to_device(make_queue(index), values), values, (True, True, True))


def test_all_equal_and_all_different(queue: cl.CommandQueue) -> None:
    for values in (np.zeros(70_001, np.uint32), np.arange(70_001, dtype=np.uint32)[::-1].copy()):
        same(cla.to_device(queue, values), values, (True, True, True))
