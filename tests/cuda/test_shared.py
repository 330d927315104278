"""Memory that CUDA shares, with libraries that use it: values, order, lifetimes, leaks, refusals; on an NVIDIA GPU."""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.cuda import order
from clrng.cuda import pool as pool_module
from clrng.cuda.driver import SURE, SharedMemory
from clrng.cuda.pool import Pool, pool_of

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes three quarters of the memory
SEED = 2026
ROUNDS = 10_000
SLOW = 30_000_000
"""Cycles of a GPU: many milliseconds, longer than a turn that one context has of it."""


@pytest.fixture(scope="module")
def shared() -> cl.CommandQueue:
    """Return a queue on a device whose memory CUDA shares."""
    try:
        queue = clrng.make_queue("gpu")
        pool_of(queue)
    except (clrng.NoDeviceError, clrng.UnsupportedError) as error:
        pytest.skip(f"memory that CUDA shares: {error}")
    return queue


@pytest.fixture
def pool(shared: cl.CommandQueue) -> Pool:
    return pool_of(shared)


@pytest.fixture
def rng(shared: cl.CommandQueue) -> clrng.Generator:
    return clrng.default_rng(SEED, shared, allocator="cuda")


@pytest.fixture
def same(shared: cl.CommandQueue) -> clrng.Generator:
    """One of the same stream, in OpenCL's own memory."""
    return clrng.default_rng(SEED, shared)


class Library:
    """What the tests need of a library."""

    def __init__(self, name: str) -> None:
        self.module = pytest.importorskip(name)
        self.name = name

    def empty(self, shape: Any, dtype: str) -> Any:
        """Return a new array of the library."""
        if self.name == "torch":
            return self.module.empty(shape, dtype=getattr(self.module, dtype), device="cuda")
        return self.module.empty(shape, dtype)

    def own(self, values: Any) -> Any:
        """Return an array of the library with values of the host."""
        if self.name == "torch":
            return self.module.from_numpy(values).cuda()
        return self.module.asarray(values)

    def view(self, array: Any) -> Any:
        """Return an array of the library in the memory of one of clrng's."""
        return self.module.from_dlpack(array)

    def numpy(self, array: Any) -> Any:
        """Return the values of an array of the library on the host."""
        return array.cpu().numpy() if self.name == "torch" else array.get()


@pytest.fixture(params=["torch", "cupy"])
def library(request: pytest.FixtureRequest, shared: cl.CommandQueue) -> Library:  # noqa: ARG001  # skips first
    return Library(request.param)


METHODS: list[tuple[str, dict[str, Any], str]] = [
    ("random", {}, "float32"),
    ("random", {}, "float64"),
    ("random", {}, "float16"),
    ("standard_normal", {}, "float32"),
    ("normal", {"loc": 3.0, "scale": 0.5}, "float64"),
    ("integers", {"low": -5, "high": 1000}, "int16"),
    ("integers", {"low": 0, "high": 2**40}, "int64"),
    ("poisson", {"lam": 4.5}, "int32"),
    ("choice", {"a": 10**6, "replace": False}, "int64"),
]


@pytest.mark.parametrize(("method", "arguments", "dtype"), METHODS)
@pytest.mark.parametrize("in_place", [False, True])
def test_out_of_a_library(
    library: Library, rng: clrng.Generator, same: clrng.Generator, method: str, arguments: dict[str, Any], dtype: str,
    in_place: bool,
) -> None:  # fmt: skip
    for shape in [(), (1,), (1000,), (37, 11), (2**20 + 3,) if method != "choice" else (17,), (0,)]:
        held = pool_of(rng.queue).empty(rng.queue, shape, dtype) if in_place and 0 not in shape else None
        out = library.empty(shape, dtype) if held is None else library.view(held)
        assert getattr(rng, method)(**arguments, out=out) is out
        wanted = getattr(same, method)(**arguments, size=shape, dtype=dtype).get()
        assert_array_equal(library.numpy(out), wanted)
        if held is not None:
            assert_array_equal(held.get(), wanted)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64"])
def test_results_are_seen_and_changed(library: Library, rng: clrng.Generator, dtype: str) -> None:
    x = rng.integers(100, size=(30, 7), dtype=dtype) if "int" in dtype else rng.random((30, 7), dtype=dtype)
    view = library.view(x)
    assert_array_equal(library.numpy(view), x.get())
    view[3] = 5
    library.module.cuda.synchronize() if library.name == "torch" else library.module.cuda.Device().synchronize()
    assert (x.get()[3] == 5).all()
    for part in (x[2:9], x[:, 1::2], x.T, x[4]):
        assert_array_equal(library.numpy(library.view(part)), part.to_numpy())


def test_interfaces_of_the_older_kind(rng: clrng.Generator, shared: cl.CommandQueue) -> None:  # noqa: ARG001
    torch, cupy = pytest.importorskip("torch"), pytest.importorskip("cupy")
    x = rng.standard_normal(1000)
    assert_array_equal(cupy.asarray(x).get(), x.get())
    assert_array_equal(torch.as_tensor(x, device="cuda").cpu().numpy(), x.get())
    assert cupy.asarray(x).data.ptr == torch.from_dlpack(x).data_ptr()


def test_bfloat16_with_torch(rng: clrng.Generator, same: clrng.Generator) -> None:
    torch = pytest.importorskip("torch")
    wanted = same.standard_normal(4000, dtype="bfloat16").get().view(np.uint16)
    out = torch.empty(4000, dtype=torch.bfloat16, device="cuda")
    rng.standard_normal(out=out)
    assert_array_equal(out.view(torch.uint16).cpu().numpy(), wanted)


def test_jax_reads_but_is_not_written_to(rng: clrng.Generator) -> None:
    jax = pytest.importorskip("jax")
    x = rng.random(1000)
    seen = jax.dlpack.from_dlpack(x)
    assert_array_equal(np.asarray(seen), x.get())
    before = rng.bit_generator.copy()
    with pytest.raises(ValueError, match="out must be .* not one that is read-only"):
        rng.random(out=jax.numpy.zeros(4, "float32"))
    assert rng.bit_generator == before
    keys = jax.numpy.asarray(np.array([3, 1, 2], np.int32))
    assert_array_equal(clrng.order.sort(keys).get(), [1, 2, 3])


def test_slices(library: Library, rng: clrng.Generator, same: clrng.Generator) -> None:
    held = rng.random((40, 50))
    whole = library.view(held)
    for part in (whole[3:9], whole[:, ::2], whole.T, whole[5]):
        rng.bit_generator = same.bit_generator.copy()
        rng.random(out=part)
        wanted = same.random(tuple(part.shape)).get()
        assert_array_equal(library.numpy(part), wanted)
    own = library.empty((40, 50), "float32")
    rng.random(out=own[3:9])
    stands = rng.bit_generator.copy()
    with pytest.raises(ValueError, match="out must be C-contiguous"):
        rng.random(out=own[:, ::2])
    assert rng.bit_generator == stands


def test_other_front_ends(library: Library, shared: cl.CommandQueue) -> None:
    out = library.empty((3, 64), "float32")
    assert clrng.Streams.by_jumps(clrng.MRG32k3a(seed=3), 64, queue=shared).random(3, out=out) is out
    assert_array_equal(
        library.numpy(out), clrng.Streams.by_jumps(clrng.MRG32k3a(seed=3), 64, queue=shared).random(3).get()
    )
    out = library.empty((3000,), "float64")
    assert clrng.from_numpy(np.random.default_rng(1), shared).standard_normal(out=out) is out
    assert_array_equal(library.numpy(out), np.random.default_rng(1).standard_normal(3000))


def test_orders(library: Library, rng: clrng.Generator, same: clrng.Generator) -> None:
    values = same.integers(1000, size=10_000, dtype="int32").get()
    rng.bit_generator = same.bit_generator.copy()
    own = library.own(values)
    assert_array_equal(clrng.order.sort(own).get(), np.sort(values))
    assert_array_equal(library.numpy(library.view(clrng.order.sort(own))), np.sort(values))
    assert_array_equal(clrng.order.argsort(own).get(), np.argsort(values, kind="stable"))
    assert_array_equal(clrng.order.bincount(own).get(), np.bincount(values))
    assert_array_equal(clrng.order.histogram(own, 7)[0].get(), np.histogram(values, 7)[0])
    assert_array_equal(clrng.order.cumsum(own).get(), np.cumsum(values))
    assert_array_equal(clrng.order.unique(own).get(), np.unique(values))
    out = library.empty((values.size,), "int32")
    assert clrng.order.sort(own, out=out) is out
    assert_array_equal(library.numpy(out), np.sort(values))
    assert_array_equal(rng.permutation(own).get(), same.permutation(values).get())
    rng.shuffle(own)
    assert_array_equal(library.numpy(own), same.permutation(values).get())
    assert_array_equal(library.numpy(rng.permuted(own, out=out)), same.permuted(library.numpy(own)).get())


def slow_stream(torch: Any) -> tuple[Any, Callable[[], None]]:
    """Return a stream of CUDA, and what lets it do nothing for a while."""
    stream = torch.cuda.Stream()

    def wait() -> None:
        with torch.cuda.stream(stream):
            torch.cuda._sleep(SLOW)  # there is no other way

    return stream, wait


def race(rng: clrng.Generator, torch: Any, rounds: int, n: int, every: int) -> int:
    """Return in how many rounds a stream did not find what had just been put into shared memory.

    Every so many rounds the stream comes late to what it is to do, so that the next values would be there already if
    they were not held back.
    """
    stream, wait = slow_stream(torch)
    out = torch.from_dlpack(rng.integers(1, size=n, dtype="int32"))
    wrong = torch.zeros((), dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    for number in range(1, rounds + 1):
        with torch.cuda.stream(stream):
            rng.integers(number, number + 1, out=out)
            if number % every == 0:
                wait()
            wrong += (out != number).any()
    stream.synchronize()
    rng.queue.finish()
    return int(wrong.item())


def test_streams_that_race(rng: clrng.Generator) -> None:
    torch = pytest.importorskip("torch")
    assert race(rng, torch, ROUNDS, 2**16, 100) == 0
    assert race(rng, torch, 100, 2**24, 5) == 0


def test_without_order_streams_do_race(rng: clrng.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")

    def after(_: object, context: cl.Context, stream: int) -> cl.Event:  # noqa: ARG001
        event = cl.UserEvent(context)
        event.set_status(cl.command_execution_status.COMPLETE)
        return event

    monkeypatch.setattr(order.Order, "stream_waits", lambda *_: None)
    monkeypatch.setattr(order.Order, "after", after)
    assert race(rng, torch, 100, 2**24, 5) > 0


def test_copies_are_in_order_too(rng: clrng.Generator) -> None:
    torch = pytest.importorskip("torch")
    stream, wait = slow_stream(torch)
    out, wrong = torch.empty(2**20, dtype=torch.int32, device="cuda"), torch.zeros((), dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    for number in range(2000):
        with torch.cuda.stream(stream):
            rng.integers(number, number + 1, out=out)
            if number % 50 == 0:
                wait()
            wrong += (out != number).any()
    stream.synchronize()
    assert int(wrong.item()) == 0


def test_what_is_read_may_be_written_to_next(rng: clrng.Generator, pool: Pool) -> None:
    torch = pytest.importorskip("torch")
    own = torch.empty(2**22, dtype=torch.int32, device="cuda")
    for values in (own, torch.from_dlpack(pool.empty(rng.queue, (2**22,), "int32"))):
        found = []
        for number in range(200):
            values.fill_(number)
            found.append(clrng.order.sort(values)[-1:])
        assert [int(each.get()[0]) for each in found] == list(range(200))
        for number in range(200):
            values.fill_(number)
            rng.shuffle(values)
            assert number % 20 or bool((values == number).all())


def test_parameters_in_the_memory_of_out(rng: clrng.Generator, same: clrng.Generator) -> None:
    torch = pytest.importorskip("torch")
    loc = rng.random(10_000, dtype="float32")
    wanted_loc = loc.copy()
    same.bit_generator = rng.bit_generator.copy()
    rng.normal(loc, 2.0, out=torch.from_dlpack(loc))
    assert_array_equal(loc.get(), same.normal(wanted_loc, 2.0).get())


def test_memory_that_was_dropped_is_not_written_to_while_it_is_read(rng: clrng.Generator) -> None:
    torch = pytest.importorskip("torch")
    stream, wait = slow_stream(torch)
    wrong = torch.zeros((), dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    for number in range(300):
        with torch.cuda.stream(stream):
            seen = torch.from_dlpack(rng.integers(number, number + 1, size=2**18, dtype="int32"))
            if number % 20 == 0:
                wait()
            wrong += (seen != number).any()
            del seen  # while the stream is still to read it
    stream.synchronize()
    assert int(wrong.item()) == 0


def test_a_stream_far_behind_does_not_stop_the_host(rng: clrng.Generator, pool: Pool) -> None:
    torch = pytest.importorskip("torch")
    stream, wait = slow_stream(torch)
    out = torch.from_dlpack(pool.empty(rng.queue, 1000, "int32"))
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        for _ in range(100):
            wait()
        rng.integers(5, 6, out=out)
    for _ in range(5000):  # more commands behind it than a driver takes at once
        x = rng.integers(7, 8, size=100, dtype="int32")
    stream.synchronize()
    assert bool((out == 5).all())
    assert (x.get() == 7).all()


ENDS = """
import torch, clrng
rng = clrng.default_rng(1, "gpu", allocator="cuda")
out = torch.from_dlpack(rng.random(1000))
torch.cuda.synchronize()
torch.cuda._sleep(3_000_000_000)
rng.random(out=out)
print("ended")
"""


def test_a_process_may_end_while_a_stream_is_behind(shared: cl.CommandQueue) -> None:  # noqa: ARG001  # skips first
    pytest.importorskip("torch")
    ran = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, check=False, timeout=300)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "ended\n", "")


def test_another_queue_does_not_write_to_what_is_read(rng: clrng.Generator, pool: Pool) -> None:
    other = cl.CommandQueue(rng.queue.context)
    held = []
    for number in range(200):
        x = rng.integers(number, number + 1, size=2**24, dtype="int32")
        for _ in range(10):
            x = x + 1
        held.append(x[-1:].copy())
        del x
        pool.empty(other, 2**24, "int32").fill(-1)
        other.flush()
    assert [int(each) for each in held] == [number + 10 for number in range(200)]


@pytest.mark.parametrize("change", ["shuffle", "fill", "+="])
def test_what_is_written_in_place_waits_for_readers(rng: clrng.Generator, change: str) -> None:
    torch = pytest.importorskip("torch")
    stream, wait = slow_stream(torch)
    x: Any = rng.permutation(np.arange(2**20, dtype=np.int32))
    before, view = torch.from_dlpack(x).clone(), torch.from_dlpack(x)
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        wait()
        seen = view.clone()
    if change == "shuffle":
        rng.shuffle(x)
    elif change == "fill":
        x.fill(-1)
    else:
        x += 1
    stream.synchronize()
    assert torch.equal(seen, before)


def test_views_keep_their_memory(library: Library, rng: clrng.Generator) -> None:
    x = rng.random(2**20)
    wanted = x.get()
    view = library.view(x)
    del x
    gc.collect()
    for _ in range(20):
        rng.random(2**20)
    assert_array_equal(library.numpy(view), wanted)


@pytest.mark.parametrize("size", [100, 2**20])
def test_nothing_leaks(rng: clrng.Generator, pool: Pool, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is used again: what the device has free depends on other processes, too."""
    torch = pytest.importorskip("torch")
    own = torch.empty(size, dtype=torch.float32, device="cuda")

    def use(times: int) -> None:
        for _ in range(times):
            torch.from_dlpack(rng.random(size, dtype="float32"))
            rng.random(out=own)
        torch.cuda.synchronize()
        gc.collect()

    use(200)
    made = []
    monkeypatch.setattr(pool_module, "SharedMemory", lambda *given: made.append(given) or SharedMemory(*given))
    use(ROUNDS if size == 100 else 500)
    assert made == []
    assert len(pool._live) < 50


def test_a_device_without_memory_left_goes_on(rng: clrng.Generator, pool: Pool) -> None:
    torch = pytest.importorskip("torch")
    most, free = pool.largest_allocation(), pool.device.free()
    before = rng.bit_generator.copy()
    with pytest.raises(ValueError, match="size must make at most"):
        rng.random(most, dtype="float64")
    assert rng.bit_generator == before
    held = []
    size = 2**29 if pool.device.imports_much else SURE // 4
    with suppress(MemoryError, ValueError):
        for _ in range(10_000):
            held.append(rng.random(size, dtype="float32"))  # noqa: PERF401  # until there is an error
    assert len(held) * size * 4 > free // 2
    before = rng.bit_generator.copy()
    with pytest.raises((MemoryError, ValueError)):
        rng.random(size, dtype="float32")
    assert rng.bit_generator == before
    held.clear()
    gc.collect()
    torch.cuda.synchronize()
    more = rng.device.largest_allocation // 4 + 1  # than OpenCL allocates at once
    x = rng.random(more if pool.device.imports_much else size, dtype="float32")
    assert 0.499 < float(torch.from_dlpack(x)[: 2**24].mean()) < 0.501
    assert 0.499 < float(torch.from_dlpack(x)[-(2**24) :].mean()) < 0.501
    del x
    assert pool.free() > 0


class Described:
    """An array of which only the CUDA array interface is known."""

    def __init__(self, address: int, shape: tuple[int, ...] = (16,), **given: Any) -> None:
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": "<f4", "data": (address, False), "version": 3, **given,
        }  # fmt: skip


def foreign_memory(pool: Pool) -> Iterator[int]:
    """Yield an address of another context than the primary one."""
    import ctypes as c  # noqa: PLC0415

    cuda, context, address = c.CDLL("libcuda.so.1"), c.c_void_p(), c.c_uint64()
    assert cuda.cuCtxCreate_v2(c.byref(context), 0, pool.device.number) == 0
    assert cuda.cuMemAlloc_v2(c.byref(address), c.c_size_t(2**20)) == 0
    assert cuda.cuCtxPopCurrent_v2(c.byref(c.c_void_p())) == 0
    yield address.value
    assert cuda.cuCtxDestroy_v2(context) == 0


def test_refusals(rng: clrng.Generator, pool: Pool) -> None:
    torch, cupy = pytest.importorskip("torch"), pytest.importorskip("cupy")
    freed = torch.empty(16, device="cuda")
    freed.untyped_storage().resize_(0)
    elsewhere = foreign_memory(pool)
    for out, error, message in [
        (Described(next(elsewhere)), ValueError, "out must be in the primary context"),
        (Described(2**44), ValueError, "out must be in memory that CUDA has, not at 0x100000000000"),
        (Described(cupy.zeros(16, "f").data.ptr, data=(1, True)), ValueError, "not one that is read-only"),
        (Described(cupy.zeros(16, "f").data.ptr, typestr="|V2"), TypeError, "V2"),
        (freed, ValueError, "out must have memory"),
        (
            torch.empty(16, device="cuda", requires_grad=True),
            TypeError,
            "out must be .* gives its memory away, not this Tensor: ",
        ),
        (torch.empty(16, device="cuda", dtype=torch.int32), ValueError, r"out\.dtype must be"),
        (cupy.empty(16, "f")[::-1], ValueError, "out must be C-contiguous"),
        (cupy.empty((4, 4), "f").T, ValueError, "out must be C-contiguous"),
    ]:
        before = rng.bit_generator.copy()
        with pytest.raises(error, match=message):
            rng.random(out=out)
        assert rng.bit_generator == before
    with pytest.raises(ValueError, match="out must have shape"):
        rng.random(5, out=cupy.empty(16, "f"))
    assert next(elsewhere, None) is None
    assert rng.random(3).get().shape == (3,)


def test_another_device(rng: clrng.Generator) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.device_count() == 1:
        pytest.skip("there is one device of CUDA")
    other = torch.empty(16, device="cuda:1")
    with pytest.raises(ValueError, match="out must be on CUDA's device 0, which is the queue's, not on its device 1"):
        rng.random(out=other)
    values = torch.tensor([3, 1, 2], dtype=torch.int32, device="cuda:1")
    assert_array_equal(clrng.order.sort(values).get(), [1, 2, 3])
    second = clrng.default_rng(SEED, clrng.list_devices("gpu")[1], allocator="cuda")
    x = second.random(1000)
    assert torch.from_dlpack(x).device.index == 1
    assert_array_equal(torch.from_dlpack(x).cpu().numpy(), x.get())
    second.random(out=other)
    assert_array_equal(other.cpu().numpy(), clrng.default_rng(SEED, rng.queue).random(1016).get()[1000:])


def test_threads_share_a_pool(shared: cl.CommandQueue) -> None:
    torch = pytest.importorskip("torch")
    wrong: list[int] = []

    def work(number: int) -> None:
        own = clrng.default_rng(number, shared, allocator="cuda")
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(300):
                seen = torch.from_dlpack(own.integers(number, number + 1, size=1000 * number, dtype="int32"))
                if bool((seen != number).any()):
                    wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
