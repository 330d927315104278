"""What calls return: arrays of PyOpenCL that do more."""

import operator as op
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl import results
from clrng.opencl.arrays import upload
from clrng.opencl.devices import describe
from clrng.opencl.traits import traits_of

Rng = Any
"""A generator; its calls are typed as returning PyOpenCL's arrays."""


class Owner:
    """An owner of memory, which notes the arrays that it is asked about."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def is_used_by(self, queue: cl.CommandQueue | None) -> None:
        """Note nothing."""

    def cuda_array_interface(self, array: cla.Array) -> dict[str, Any]:
        """Return what is told from the others."""
        self.asked.append(array)
        return {"shape": array.shape}

    def dlpack_device(self, array: cla.Array) -> tuple[int, int]:
        """Return what is told from the others."""
        self.asked.append(array)
        return 2, 0

    def dlpack(self, array: cla.Array, **named: Any) -> Any:
        """Return what is told from the others."""
        self.asked.append(array)
        return named


CALLS: dict[str, Callable[[Rng], Any]] = {
    "random": lambda rng: rng.random((2, 3)),
    "no values": lambda rng: rng.random(0),
    "one": lambda rng: rng.random(),
    "raw": lambda rng: rng.random_raw(3),
    "array parameters": lambda rng: rng.normal(np.arange(3.0, dtype=np.float32), 1, dtype=np.float32),
    "permutation": lambda rng: rng.permutation(5),
    "permutation of rows": lambda rng: rng.permutation(np.arange(6).reshape(3, 2)),
    "permuted": lambda rng: rng.permuted(upload(rng.queue, np.arange(6).reshape(3, 2)), axis=1),
    "choice": lambda rng: rng.choice(np.arange(9), 4),
    "choice without replacement": lambda rng: rng.choice(9, 4, replace=False),
    "weighted": lambda rng: rng.choice(4, 2, replace=False, p=[0.1, 0.2, 0.3, 0.4]),
    "argsort": lambda rng: clrng.order.argsort(rng.random(9, np.float32)),
    "unique": lambda rng: clrng.order.unique(rng.integers(3, size=9)),
    "split": lambda rng: clrng.order.split(rng.integers(2, size=9), rng.random(9, np.float32))[1],
    "bincount": lambda rng: clrng.order.bincount(rng.integers(3, size=9)),
    "streams": lambda rng: clrng.Streams.by_leapfrog(clrng.MRG32k3a(1), 3, rng.queue).random_raw(2),
}


@pytest.mark.parametrize("call", CALLS)
def test_calls_return_clrngs_arrays(queue: cl.CommandQueue, call: str) -> None:
    assert type(CALLS[call](clrng.Generator(clrng.MRG32k3a(1), queue=queue))) is clrng.Array


def test_what_is_made_of_them_is_of_the_same_class(queue: cl.CommandQueue) -> None:
    x: Any = clrng.Generator(clrng.MRG32k3a(1), queue=queue).random_raw((4, 6))
    for made in (x[1:, ::2], x.reshape(24), x.T, x.view(np.uint8), x + 1, x * x, x.copy(), x.with_queue(None), x == 1):
        assert type(made) is clrng.Array


def test_a_given_out_is_returned(queue: cl.CommandQueue) -> None:
    out = cla.empty(queue, 5, np.uint32)
    assert clrng.Generator(clrng.MRG32k3a(1), queue=queue).random_raw(out=out) is out


def test_views_have_the_owner_of_the_memory_and_copies_have_none(queue: cl.CommandQueue) -> None:
    x: Any = clrng.Generator(clrng.MRG32k3a(1), queue=queue).random_raw((4, 6))
    assert x.memory is None
    assert not hasattr(x, "__cuda_array_interface__")
    x.memory = owner = Owner()
    for made in (x[1:, ::2], x.reshape(24), x.T, x.view(np.uint8), x.with_queue(None)):
        assert made.memory is owner
    for made in (x.copy(), x + 1, x == 1, cla.empty_like(x)):
        assert made.memory is None
    view = x[1:]
    assert view.__cuda_array_interface__ == {"shape": (3, 6)}
    assert view.__dlpack_device__() == (2, 0)
    assert view.__dlpack__(stream=1) == {"stream": 1}
    assert [each is view for each in owner.asked] == [True] * 3


def values_of(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Return values that differ, some of them negative where they can be."""
    made = np.random.default_rng(7).integers(-100, 100, shape).astype(dtype)
    return np.asarray(made + np.asarray(1 / 4, dtype)) if np.dtype(dtype).kind == "f" else made


DTYPES = ["bool", "int8", "uint16", "int32", "uint64", "float32", "float64", "complex64"]
SLICES = st.builds(
    slice, *[st.none() | st.integers(0, 3)] * 1, st.none() | st.integers(4, 9), st.sampled_from([None, 2])
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(shape=st.lists(st.integers(5, 7), min_size=1, max_size=3), cut=st.lists(SLICES, max_size=3), data=st.data())
def test_values_of_views_on_the_host(queue: cl.CommandQueue, shape: list[int], cut: list[slice], data: Any) -> None:
    values = values_of(tuple(shape), data.draw(st.sampled_from(DTYPES)))
    index = tuple(cut[: len(shape)])
    x, axes = upload(queue, values), data.draw(st.permutations(range(len(shape))))
    view: Any = x[index].transpose(axes)
    expected = values[index].transpose(axes)
    for found in (view.to_numpy(), np.asarray(view), np.array(view, copy=True), np.copy(view)):
        assert found.dtype == expected.dtype
        assert_array_equal(found, expected)
    assert_array_equal(np.asarray(view, np.complex128), expected.astype(np.complex128))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(n=st.integers(0, 6), data=st.data())
def test_slices_are_numpys_empty_ones_too(queue: cl.CommandQueue, n: int, data: Any) -> None:
    """PyOpenCL gives x[3:1] two values, which are others or lie behind the end."""
    values = np.arange(2 * n, dtype=np.int32).reshape(n, 2)
    bound = st.none() | st.integers(-8, 8)
    cut = data.draw(st.builds(slice, bound, bound, st.sampled_from([None, 1, 2, -1, -3])))
    for index in (cut, (cut, 1), (Ellipsis, cut), (cut, None), (slice(None), cut)):
        x: Any = upload(queue, values)
        assert x[index].shape == values[index].shape
        assert_array_equal(x[index].to_numpy(), values[index])
    changed, ours = values.copy(), clrng.Generator(clrng.ParkMiller(seed=1), queue)
    if not changed[cut].size:
        x[cut] = 7
        ours.random_raw(out=x[cut].view(np.uint32))
        assert_array_equal(x.to_numpy(), changed)


@pytest.mark.parametrize("n", [0, 1, 2**21 + 5])
def test_values_of_long_arrays_on_the_host(queue: cl.CommandQueue, n: int) -> None:
    values = np.arange(n, dtype=np.uint32)
    assert_array_equal(upload(queue, values).to_numpy(), values)
    assert_array_equal(np.asarray(upload(queue, values)[n // 2 : n : 3 if n > 2 else None]), values[n // 2 : n : 3])


def test_what_lies_between_values_is_not_copied(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    values, copied = np.arange(6000, dtype=np.float32).reshape(100, 60), []
    x: Any = upload(queue, values)
    original = cla.Array.get
    monkeypatch.setattr(results, "BLOCK", 1000)
    monkeypatch.setattr(cla.Array, "get", lambda self, **named: copied.append(self.nbytes) or original(self, **named))
    for found, wanted in ((x[:, 3], values[:, 3]), (x[::7, ::-5], values[::7, ::-5]), (x[4::50].T, values[4::50].T)):
        assert_array_equal(found.to_numpy(), wanted)
        assert copied.pop() == wanted.nbytes


def test_functions_of_numpy_take_the_values(queue: cl.CommandQueue) -> None:
    values = values_of((4, 5), np.float32)
    x, y = upload(queue, values), upload(queue, values + 1)
    for name in ("mean", "sum", "var", "sort", "argmax", "cumsum", "exp", "isnan", "ravel", "median"):
        found = getattr(np, name)(x)
        assert isinstance(found, (np.ndarray, np.generic))
        assert_array_equal(found, getattr(np, name)(values))
    assert_array_equal(np.concatenate([x, y]), np.concatenate([values, values + 1]))
    assert_array_equal(np.add(x, y), values + (values + 1))
    assert_array_equal(np.where(values > 0, x, 0), np.where(values > 0, values, 0))
    with pytest.raises(ValueError, match="read-only"):
        np.copyto(x, values)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="copy=False"):
        x.__array__(copy=False)


def test_operators_with_arrays_of_numpy_give_arrays_of_numpy(queue: cl.CommandQueue) -> None:
    values = values_of((3, 4), np.float32)
    other = np.roll(values, 1) + np.float32(0.5)
    x: Any = upload(queue, values)
    for sign in (op.add, op.sub, op.mul, op.truediv, op.eq, op.ne, op.lt, op.le, op.gt, op.ge):
        expected = sign(values, other), sign(other, values)
        for found, right in zip((sign(x, other), sign(other, x)), expected, strict=True):
            assert type(found) is np.ndarray
            assert_array_equal(found, right)
        made = sign(x, upload(queue, other)), sign(upload(queue, other), x), sign(x, 2), sign(np.float32(2), x)
        expected += sign(values, 2), sign(np.float32(2), values)
        for found, right in zip(made, expected, strict=True):
            assert type(found) is clrng.Array
            if sign is op.truediv:  # PyOpenCL's, by the device's division of floats
                np.testing.assert_array_max_ulp(found.get(), right, 3)
            else:
                assert_array_equal(found.get(), right)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_value_is_a_scalar(queue: cl.CommandQueue, shape: tuple[int, ...]) -> None:
    x: Any = upload(queue, np.full(shape, 3, np.int32))
    assert (float(x), int(x), complex(x), x.item(), bool(x), [5, 6, 7, 8][x]) == (3.0, 3, 3 + 0j, 3, True, 8)
    real: Any = upload(queue, np.full(shape, 0.5, np.float32))
    assert (float(real), int(real), bool(real * np.float32(0))) == (0.5, 0, False)
    with pytest.raises(TypeError, match="must have an integer to be an index, not float32"):
        range(9)[real]
    with pytest.raises(ValueError, match="must have one value to be a scalar, not the 2 of shape"):
        float(upload(queue, np.zeros(2, np.float32)))  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(), (0,), (3,), (1001,), (40, 50), (3, 2000), (9, 8, 20)])
def test_texts_show_values(queue: cl.CommandQueue, shape: tuple[int, ...]) -> None:
    values = values_of(shape, np.float32)
    x: Any = upload(queue, values)
    assert str(x) == str(values)
    about = f"shape={shape}, dtype=float32, device={queue.device.name!r})"
    assert repr(x) == f"clrng.Array({np.array2string(values, prefix='clrng.Array(', separator=', ')}, {about}"
    assert "without queue" in repr(x.with_queue(None))


def test_dlpack_is_a_view_on_processors(queue: cl.CommandQueue) -> None:
    x: Any = upload(queue, np.arange(12, dtype=np.int32).reshape(3, 4))
    if not traits_of(describe(queue.device)).host_memory:
        with pytest.raises(BufferError, match="DLPack needs memory of a processor, or memory that is shared"):
            np.from_dlpack(x)
        return
    view, part = np.from_dlpack(x), np.from_dlpack(x[1:, ::2])
    assert_array_equal(part, np.arange(12).reshape(3, 4)[1:, ::2])
    x.fill(5)
    x.finish()
    assert_array_equal(view, np.full((3, 4), 5))
    del x
    assert_array_equal(part, np.full((2, 2), 5))
