"""Arrays of other libraries that are on the host, as `out` and as what is shuffled; and what is no such array."""

import gc
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.cuda.exchange import capsule, described_by_dlpack, described_by_interface, interface
from clrng.cuda.foreign import described
from clrng.opencl.devices import describe
from clrng.opencl.results import Array
from clrng.opencl.traits import traits_of
from clrng.validation import dtype_named

CUDA = 2
ADDRESS = 2**40
DTYPES = ["int8", "uint8", "int16", "uint32", "int64", "float16", "float32", "float64", "complex64", "bool", "bfloat16"]


class Tensor:
    """An array of the host of which nothing but DLPack is known; it remembers that it is that one."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **named: Any) -> Any:
        return self.array.__dlpack__(**named)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class Elsewhere(Tensor):
    """One that is in memory of a device that is not CUDA's."""

    def __dlpack_device__(self) -> Any:
        return (8, 0)


class OfCuda:
    """One that says that CUDA has it."""

    def __init__(self, **given: Any) -> None:
        self.__cuda_array_interface__ = {
            "shape": (8,), "typestr": "<f4", "data": (ADDRESS, False), "version": 3, **given,
        }  # fmt: skip


def writable(array: Any) -> bool:
    return bool(np.from_dlpack(array).flags.writeable)


needs_writable = pytest.mark.skipif(
    not writable(np.zeros(1)), reason="NumPy before 2.1 has what DLPack gives read-only"
)


@needs_writable
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_host_arrays_are_filled_in_place(dtype: str) -> None:
    rng, same = (clrng.Generator(clrng.ParkMiller(seed=3)) for _ in range(2))
    for method in ("random", "standard_normal"):
        out = Tensor(np.zeros((3, 5), dtype))
        assert getattr(rng, method)(out=out) is out
        assert_array_equal(out.array, getattr(same, method)((3, 5), dtype=dtype).get())


def test_tensors_of_the_host() -> None:
    torch = pytest.importorskip("torch")
    rng, same = (clrng.Generator(clrng.ParkMiller(seed=3)) for _ in range(2))
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        out = torch.empty(3, 5, dtype=dtype)
        assert rng.standard_normal(out=out) is out
        wanted = same.standard_normal((3, 5), dtype=str(dtype).removeprefix("torch.")).get()
        assert_array_equal(out.float().numpy(), wanted.astype(np.float32))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_tensors_of_the_host_see_results(dtype: str) -> None:
    queue = clrng.make_queue()
    if not traits_of(describe(queue.device)).host_memory:
        pytest.skip("the memory of this device is not the host's")
    x: Any = clrng.Generator(clrng.ParkMiller(seed=3), queue).random((6, 5), dtype=dtype)
    for part in (x, x[1:, ::2], x.T, x[:0]):
        found = described_by_dlpack(part.__dlpack__())
        assert (found.dtype, found.shape) == (x.dtype, part.shape)
        assert not part.size or found.strides == part.strides
    torch = pytest.importorskip("torch")
    for part in (x, x[1:, ::2], x.T, x[:0]):
        seen = torch.from_dlpack(part)
        assert str(seen.dtype) == f"torch.{dtype}"
        assert_array_equal(seen.float().numpy(), part.to_numpy().astype(np.float32))
    assert torch.from_dlpack(x)[1, 2] == seen.new_tensor(float(x[1, 2]))
    torch.from_dlpack(x).fill_(0.5)
    assert (x.to_numpy().astype(np.float32) == 0.5).all()


@needs_writable
@pytest.mark.parametrize(
    "make",
    [
        lambda: clrng.from_numpy(np.random.default_rng(1)),
        lambda: clrng.from_numpy(np.random.RandomState(1)),
        lambda: clrng.RankGenerator(clrng.PCG64(1), rank=1, size=2),
    ],
)
def test_every_front_end_fills_them(make: Any) -> None:
    out = Tensor(np.zeros(8))
    rank = make()
    size = (16,) if isinstance(rank, clrng.RankGenerator) else (8,)
    assert rank.standard_normal(size, out=out) is out
    assert_array_equal(out.array, make().standard_normal(size, **({"dtype": "float64"} if size == (16,) else {})).get())


@needs_writable
def test_orders_of_host_arrays() -> None:
    rng, same = (clrng.Generator(clrng.PCG64(5)) for _ in range(2))
    out = Tensor(np.arange(100))
    rng.shuffle(out)
    assert_array_equal(out.array, same.permutation(100).get())
    assert rng.permuted(np.arange(100), out=out) is out
    assert_array_equal(out.array, same.permuted(np.arange(100)).get())
    out = Tensor(np.zeros(7, np.int64))
    assert rng.choice(1000, replace=False, out=out) is out
    assert_array_equal(out.array, same.choice(1000, 7, replace=False).get())
    assert_array_equal(rng.permutation(Tensor(np.arange(9.0))).get(), same.permutation(np.arange(9.0)).get())


def test_what_cannot_be_filled() -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=3))
    for out, size, error, message in [
        (Tensor(np.zeros(4, np.int16)), None, ValueError, r"out\.dtype must be"),
        (Tensor(np.zeros(4, np.float32)), 5, ValueError, "out must have shape"),
        (Tensor(np.broadcast_to(np.float32(1), (4,))), None, (TypeError, ValueError), "out must"),
        (Elsewhere(np.zeros(4, np.float32)), None, TypeError, "memory of a device that DLPack calls 8"),
        (OfCuda(typestr="|V2"), None, TypeError, "out must be an array of the host or of CUDA .*V2"),
        (OfCuda(typestr=">f4"), None, TypeError, "out must be an array of the host or of CUDA .*>f4"),
        (OfCuda(mask=object()), None, TypeError, "out must be .*mask"),
        (OfCuda(data=(ADDRESS, True)), None, ValueError, "out must be .* not one that is read-only"),
    ]:
        before = rng.bit_generator.copy()
        with pytest.raises(error, match=message):  # type: ignore[call-overload]
            rng.random(size, out=out)
        assert rng.bit_generator == before


def test_arrays_of_cuda_need_a_device_of_cuda() -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=3))
    if "NVIDIA" in rng.device.platform:
        pytest.skip("this device is one")
    with pytest.raises(clrng.UnsupportedError, match="out must not be an array of CUDA: .*cl_khr_external_memory"):
        rng.random(out=OfCuda())
    with pytest.raises((clrng.UnsupportedError, ValueError), match="CUDA"):
        clrng.order.sort(OfCuda())
    assert rng.bit_generator == clrng.ParkMiller(seed=3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_capsule_says_what_the_array_is(dtype: str) -> None:
    queue = clrng.make_queue()
    kind = dtype_named(dtype)
    array = Array(queue, (4, 6), kind)
    for part in (array, array[1:3], array[:, ::2], array.T, array[::-1]):
        found = described_by_dlpack(capsule(part, ADDRESS, (CUDA, 1)))
        assert found.shape == part.shape
        assert (found.dtype, found.device, found.read_only) == (kind, 1, False)
        assert found.address == ADDRESS + part.offset
        assert found.strides == part.strides
        if dtype != "bfloat16":
            other = described_by_interface(interface(part, ADDRESS))
            assert (other.shape, other.strides, other.dtype, other.address) == (
                found.shape, found.strides, found.dtype, found.address,
            )  # fmt: skip


def test_a_capsule_keeps_its_array_until_it_is_gone() -> None:
    array = Array(clrng.make_queue(), 4, np.dtype(np.float32))
    gone: list[int] = []
    weakref.finalize(array, gone.append, 1)
    made = capsule(array, ADDRESS, (CUDA, 0))
    del array
    found = described_by_dlpack(made)
    del made
    gc.collect()
    assert not gone  # as `found` has the capsule
    del found
    gc.collect()
    assert gone


def test_capsules_may_go_while_an_error_is_raised() -> None:
    array = Array(clrng.make_queue(), 4, np.dtype(np.float32))

    def fail() -> None:
        made = capsule(array, ADDRESS, (CUDA, 0))
        raise LookupError(repr(made))

    for _ in range(100):
        with pytest.raises(LookupError, match="capsule object"):
            fail()


def test_arrays_of_numpy_are_described_as_they_are() -> None:
    values = np.arange(12.0).reshape(3, 4)[:, ::2]
    found = described("x", Tensor(values))
    assert isinstance(found, np.ndarray)
    assert np.shares_memory(found, values)
    assert_array_equal(found, values)


HELD_AT_THE_END = f"""
import atexit, ctypes

def end():
    managed = ctypes.cast(address, ctypes.POINTER(dlpack.Managed)).contents
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(managed.deleter)
    ctypes.CDLL(None).__cxa_atexit(release, ctypes.c_void_p(address), None)  # when Python has ended
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(release))

atexit.register(end)
import clrng
from clrng.cuda import exchange
from clrng.opencl import dlpack

array = clrng.Generator(clrng.PCG64(1), clrng.make_queue()).random(8)
made = exchange.capsule(array, {ADDRESS}, ({CUDA}, 0))
address = dlpack._pointer(made, dlpack.NAME)
ctypes.pythonapi.PyCapsule_SetName(ctypes.py_object(made), b"used_dltensor")
print("held")
"""


def test_a_tensor_may_be_held_when_python_ends() -> None:
    ran = subprocess.run([sys.executable, "-c", HELD_AT_THE_END], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "held\n", "")
