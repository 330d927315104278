"""Elements of arrays of a device that indices and masks pick, against NumPy."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.arrays import upload
from clrng.opencl.devices import describe

several = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
SHAPES = st.lists(st.integers(1, 5) | st.just(70), min_size=1, max_size=3)


def drawn(queue: cl.CommandQueue, data: Any, shape: list[int]) -> tuple[np.ndarray, Any]:
    """Return values and an array of the device with them, which may be a view."""
    dtype = data.draw(st.sampled_from(["uint8", "int16", "float32", "float64", "complex128"]))
    values = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    x: Any = upload(queue, values)
    if data.draw(st.booleans()):
        axes = data.draw(st.permutations(range(len(shape))))
        x, values = x.transpose(axes), values.transpose(axes)
    return values, x


def same(found: Any, expected: np.ndarray) -> None:
    """Check that an array of the device has the values, the shape and the dtype expected."""
    assert type(found) is clrng.Array
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert_array_equal(found.get(), expected)


@several
@given(data=st.data(), shape=SHAPES, taken=st.lists(st.integers(0, 4), max_size=2), on_host=st.booleans())
def test_indices(queue: cl.CommandQueue, data: Any, shape: list[int], taken: list[int], on_host: bool) -> None:
    values, x = drawn(queue, data, shape)
    axis = data.draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    dtype = data.draw(st.sampled_from(["int8", "int32", "uint32", "int64", "uint64"]))
    for along in (axis, 0):
        n = values.size if along is None else values.shape[along]
        numbers = np.random.default_rng(n).integers(-n if dtype[0] == "i" else 0, n, taken).astype(dtype)
        indices = numbers if on_host else cla.to_device(queue, np.asarray(numbers))
        same(x.take(indices, along), np.take(values, numbers, along))
        if along == 0 and dtype != "int8":
            same(x[indices], values[numbers])


@several
@given(data=st.data(), shape=SHAPES, on_host=st.booleans())
def test_masks(queue: cl.CommandQueue, data: Any, shape: list[int], on_host: bool) -> None:
    values, x = drawn(queue, data, shape)
    holds = np.random.default_rng(values.size).random(values.shape[: data.draw(st.integers(1, values.ndim))])
    mask = holds < data.draw(st.sampled_from([0, 0.3, 1]))
    same(x[mask if on_host else upload(queue, mask)], values[mask])


def test_comparisons_are_masks_and_orders_are_indices(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.MRG32k3a(1), queue=queue)
    x: Any = rng.random(10_000, np.float32)
    values = x.get()
    same(x[x > 0.5], values[values > 0.5])
    order: Any = rng.permutation(10_000)
    same(x[order], values[order.get()])
    same(x[clrng.order.argsort(x)], np.sort(values))
    same(x[[3, -1]], values[[3, -1]])
    same(x[[]], values[:0])


def test_masks_of_int8_hold_what_comparisons_hold(queue: cl.CommandQueue) -> None:
    values = np.random.default_rng(1).standard_normal((60, 7)).astype(np.float32)
    x: Any = upload(queue, values)
    same(x[~(x > 0)], values[~(values > 0)])
    same(x[~(x > 0) | (x > 1)], values[~(values > 0) | (values > 1)])
    same(x[~(x[:, 0] > 0)], values[~(values[:, 0] > 0)])
    same(x.T[x.T > 0], values.T[values.T > 0])
    for wrong in (2, -3):
        with pytest.raises(IndexError, match=rf"a mask of int8 must have 0 and 1, .* and has {wrong}"):
            x[:2, 0][np.array([1, wrong], np.int8)]


def test_take_has_no_masks(queue: cl.CommandQueue) -> None:
    values = np.array([5, 6, 7])
    for indices in (np.array([1, 0, 1], np.int8), np.array([True, False, True])):
        for axis in (None, 0):
            same(clrng.Array.take(upload(queue, values), indices, axis), np.take(values, indices, axis))


@several
@given(data=st.data(), n=st.integers(1, 40), on_host=st.booleans(), begin=st.integers(0, 3))
def test_what_arrays_pick_is_set(queue: cl.CommandQueue, data: Any, n: int, on_host: bool, begin: int) -> None:
    names = [
        "int16",
        "float32",
        "float64" if describe(queue.device).fp64 else "int32",
    ]
    expected = np.arange(n + begin, dtype=data.draw(st.sampled_from(names)))
    whole, x = upload(queue, expected), expected[begin:]
    view: Any = whole[begin:]
    places = np.array(data.draw(st.lists(st.integers(-n, n - 1), max_size=9, unique_by=lambda i: i % n)), np.int64)
    mask = np.isin(np.arange(n), places % n)
    for index, values in ((places, 100 + np.arange(places.size)), (mask, 200 + np.arange(mask.sum())), (mask, 3)):
        given = np.asarray(values).astype(x.dtype)
        x[index] = given
        view[index if on_host else upload(queue, index)] = given if on_host or not given.ndim else upload(queue, given)
        assert_array_equal(whole.get(), expected)


def test_comparisons_say_what_is_set(queue: cl.CommandQueue) -> None:
    x: Any = clrng.Generator(clrng.MRG32k3a(1), queue=queue).random(1000)
    values = x.get()
    x[x > 0.5] = 0
    values[values > 0.5] = 0
    assert_array_equal(x.get(), values)
    for index in ([-1001], [1000], [0.5], True, np.ones(3, bool)):
        with pytest.raises(IndexError, match="indices|mask"):
            x[index] = 1
    with pytest.raises(ValueError, match="value must have 1 or 2 elements, as are picked, not 3"):
        x[[0, 1]] = np.ones(3)
    for view in (x[::2], x.reshape(10, 100)):
        with pytest.raises(NotImplementedError, match="contiguous array of one dimension"):
            view[[0]] = 1
    assert_array_equal(x.get(), values)


def test_errors(queue: cl.CommandQueue) -> None:
    x: Any = upload(queue, np.arange(12).reshape(3, 4))
    for wrong in ([3], [0, -4], np.uint64([2**63])):
        with pytest.raises(IndexError, match="indices must be from -3 to 2, as axis 0 has 3 elements"):
            x[wrong]
    with pytest.raises(IndexError, match=r"a mask must have the shape \(3, 4\) or its beginning, not \(4,\)"):
        x[np.ones(4, bool)]
    with pytest.raises(IndexError, match="indices must be integers, or a mask of bool, not float64"):
        x[np.ones(2)]
    with pytest.raises(IndexError, match="not one of shape"):
        x[0, 0][[0]]
    with pytest.raises(ValueError, match="must have a queue"):
        x.with_queue(None).take([0])
