"""Sums, means, variances and extremes of arrays of a device, against NumPy and against the tree that they promise."""

import warnings
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
from clrng.validation import dtype_named

EXTREMES = ("min", "max", "argmin", "argmax")
DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
several = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)


def tree(values: np.ndarray) -> Any:
    """Return the sum of values as the tree of `clrng.Array.sum` adds them, one by one."""
    if values.size > 4096:
        return tree(np.array([tree(values[k : k + 4096]) for k in range(0, values.size, 4096)]))
    lanes = []
    for lane in range(min(256, values.size)):
        total = values[lane]
        for each in values[lane + 256 :: 256]:
            total = total + each
        lanes.append(total)
    half = 128
    while half:
        behind = lanes[half:]
        lanes = [a + behind[k] if k < len(behind) else a for k, a in enumerate(lanes[:half])]
        half //= 2
    return lanes[0]


def usable(queue: cl.CommandQueue, *dtypes: Any) -> bool:
    """Return whether the device computes with all these dtypes."""
    doubles = next(each.fp64 for each in clrng.list_devices() if each.device == queue.device)
    return doubles or np.dtype(np.float64) not in map(np.dtype, dtypes)


def random_values(data: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Return values of which some are equal; of floats some are infinite or NaN if `data` says so."""
    rng, kind = np.random.default_rng(data.draw(st.integers(0, 99))), np.dtype(dtype)
    if kind.kind != "f":
        bits = rng.integers(0, 2 if dtype == "bool" else 256, (*shape, kind.itemsize), np.uint8)
        return np.asarray(bits.view(kind)[..., 0])
    values = np.asarray(rng.standard_normal(shape).round(data.draw(st.sampled_from([1, 9]))).astype(kind))
    if data.draw(st.booleans()):
        values[rng.random(shape) < 0.1] = data.draw(st.sampled_from([np.nan, np.inf, -np.inf]))
    return values


def drawn(queue: cl.CommandQueue, data: Any) -> tuple[np.ndarray, Any, int | None, bool]:
    """Return values, a view of a device with them, an axis and whether it stays."""
    shape = tuple(data.draw(st.lists(st.sampled_from([1, 2, 5, 11]), max_size=3) | st.permutations([3, 4500])))
    dtype = data.draw(st.sampled_from([each for each in DTYPES if usable(queue, each)]))
    values = random_values(data, shape, dtype)
    x: Any = upload(queue, values)
    if shape and data.draw(st.booleans()):
        axes = data.draw(st.permutations(range(len(shape))))
        x, values = x.transpose(axes)[1:], values.transpose(axes)[1:]
    axis = data.draw(st.none() | st.integers(-len(shape), len(shape) - 1)) if shape else None
    return values, x, axis, data.draw(st.booleans())


def same(found: Any, expected: Any) -> None:
    """Check that an array of the device has the values, the shape and the dtype expected."""
    assert type(found) is clrng.Array
    assert (found.dtype, found.shape) == (np.asarray(expected).dtype, np.shape(expected))
    assert_array_equal(found.get(), expected)


@several
@given(data=st.data(), name=st.sampled_from(EXTREMES))
def test_extremes_are_numpys(queue: cl.CommandQueue, data: Any, name: str) -> None:
    values, x, axis, keepdims = drawn(queue, data)
    if values.shape[axis] if axis is not None else values.size:
        if values.size:
            same(getattr(x, name)(axis=axis, keepdims=keepdims), getattr(values, name)(axis=axis, keepdims=keepdims))
    else:
        with pytest.raises(ValueError, match="zero-size array|an empty sequence"):
            getattr(x, name)(axis=axis)


@several
@given(data=st.data())
def test_sums_of_integers_are_numpys_and_those_of_floats_the_tree(queue: cl.CommandQueue, data: Any) -> None:
    values, x, axis, keepdims = drawn(queue, data)
    expected: Any = values.sum(axis=axis, keepdims=keepdims)
    if values.dtype.kind == "f" and values.size:
        with np.errstate(all="ignore"):
            rows = (
                values.reshape(1, -1) if axis is None else np.moveaxis(values, axis, -1).reshape(-1, values.shape[axis])
            )
            expected = np.array([tree(row) for row in rows], values.dtype).reshape(np.shape(expected))
    same(x.sum(axis, keepdims=keepdims), expected)


@pytest.mark.parametrize("n", [1, 255, 257, 4095, 4096, 4097, 70_001])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_are_added_by_the_tree(queue: cl.CommandQueue, n: int, dtype: Any) -> None:
    values = (np.random.default_rng(n).standard_normal(n) * 100).astype(dtype)
    x = upload(queue, values)
    if not usable(queue, dtype):
        with pytest.raises(clrng.UnsupportedError, match="has no double precision"):
            x.sum()
        return
    same(x.sum(), tree(values))
    mean = dtype(tree(values) / dtype(n))
    same(x.mean(), mean)
    var = tree((values - mean) * (values - mean)) / dtype(n)
    same(x.var(), var)
    same(x.std(), np.sqrt(var))
    if n > 1:
        same(x.var(ddof=1), tree((values - mean) * (values - mean)) / dtype(n - 1))


def test_sums_of_float32_are_as_accurate_as_numpys(queue: cl.CommandQueue) -> None:
    for seed in range(3):
        values = np.random.default_rng(seed).random(2**20, np.float32)
        exact = values.astype(np.float64).sum()
        assert abs(float(upload(queue, values).sum()) - exact) <= 2**-23 * exact  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "uint32"])
def test_means_of_integers_are_exact(queue: cl.CommandQueue, dtype: str) -> None:
    values = np.random.default_rng(3).integers(0, 2 if dtype == "bool" else 100, (9, 500)).astype(dtype)
    x = upload(queue, values)
    for axis in (None, 0, 1, (0, 1), (-1,)):
        same(x.mean(axis), values.mean(axis))
    if usable(queue, np.float64):
        np.testing.assert_allclose(x.var(1).get(), values.var(1), rtol=1e-14)
        same(x.sum(dtype=np.float64), values.sum(dtype=np.float64))
    else:
        with pytest.raises(clrng.UnsupportedError, match="has no double precision"):
            x.var()


def test_several_axes(queue: cl.CommandQueue) -> None:
    values = np.random.default_rng(3).integers(0, 100, (4, 5, 6))
    x: Any = upload(queue, values)
    for axis in ((0, 2), (2, 0), (1,), (0, 1, 2), ()):
        same(x.sum(axis), values.sum(axis))
        same(x.T.max(axis, keepdims=True), values.T.max(axis, keepdims=True))


def test_sums_of_nothing(queue: cl.CommandQueue) -> None:
    x: Any = upload(queue, np.zeros((0, 3), np.float32))
    same(x.sum(), np.float32(0))
    same(x.sum(0), np.zeros(3, np.float32))
    same(x.sum(1), np.zeros(0, np.float32))
    with pytest.warns(RuntimeWarning):
        same(x.mean(), np.float32(np.nan))


def test_bad_arguments(queue: cl.CommandQueue) -> None:
    x: Any = upload(queue, np.zeros((2, 3), np.float32))
    for call, message in (
        (lambda: x.sum(2), "axis must be .*not 2"),
        (lambda: x.sum((0, -2)), "axis must name each axis once"),
        (lambda: x.sum(dtype=np.int64), "dtype must be of sums of float32"),
        (lambda: x.mean(dtype=np.int64), "dtype must be float32 or float64"),
        (lambda: x.with_queue(None).max(), "must have a queue"),
        (lambda: upload(queue, np.zeros(2, np.complex64)).sum(), "must be bool, integers or floats"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="keepdims"):
        x.sum(keepdims=2)


def test_other_work_on_an_array_is_waited_for(queue: cl.CommandQueue) -> None:
    x: Any = clrng.Array(queue, 10**6, np.int32)
    for k in range(20):
        x.fill(k)
        assert int(x.sum()) == k * 10**6
    assert isinstance(x, cla.Array)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
@pytest.mark.parametrize("shape", [(), (7,), (3, 4500, 2), (0, 3), (2, 9000)])
def test_floats_of_16_bits_are_float32_in_all(queue: cl.CommandQueue, name: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2**16, shape, np.uint16)
    some = rng.standard_normal(shape).astype(dtype_named(name))
    every = np.asarray(bits).view(dtype_named(name))
    if name == "bfloat16":  # those below the smallest normal float are 0 on some devices
        every = np.where(np.abs(every.astype(np.float32)) < 1e-37, every.dtype.type(0), every)
    for values in (every, np.asarray(some)):
        short, wide = upload(queue, values), upload(queue, values.astype(np.float32))
        for method in ("sum", "mean", "var", "std", "min", "max", "argmin", "argmax"):
            for axis in (None, *range(len(shape))):
                if not values.size and method not in ("sum", "mean"):
                    continue
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of means of nothing
                    found, wanted = (getattr(each, method)(axis=axis).get() for each in (short, wide))
                assert found.dtype == wanted.dtype
                assert_array_equal(found.view(f"u{found.itemsize}"), wanted.view(f"u{found.itemsize}"))
