"""What is done for CUDA, seen on a processor that pretends its driver: values, order, lifetimes, refusals."""

import gc
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.cuda import order
from clrng.cuda import pool as pool_module
from clrng.cuda.pool import GRANULE, Pool, pool_of
from clrng.opencl.devices import describe
from clrng.opencl.traits import traits_of
from tests.support.pretended_cuda import CONTEXT, OTHER_CONTEXT, STREAM, Driver, Stream, Tensor, pretend

Rng = Any
OUT_OF_ORDER = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Driver:
    return pretend(monkeypatch)


@pytest.fixture(params=["in order", "out of order"])
def own(request: pytest.FixtureRequest, device: Any, cuda: Driver) -> Iterator[cl.CommandQueue]:  # noqa: ARG001  # first
    """Return a queue of a context of its own, and so with a pool of its own."""
    if not traits_of(device).host_memory:
        pytest.skip("the memory of this device is not the host's")
    if not device.platform.startswith("Portable"):
        pytest.skip("CUDA is pretended with PoCL alone")
    context = cl.Context([device.device])  # which Intel's queues do not hold
    yield cl.CommandQueue(context, properties=OUT_OF_ORDER if request.param == "out of order" else 0)
    del context


@pytest.fixture
def pool(own: cl.CommandQueue) -> Pool:
    return pool_of(own)


@pytest.fixture
def rng(own: cl.CommandQueue) -> Rng:
    return clrng.Generator(clrng.PCG64(1), own, allocator="cuda")


@pytest.fixture
def stream(cuda: Driver) -> Iterator[Stream]:
    yield cuda.streams[STREAM]
    cuda.streams[STREAM].go_on()


def at(address: int, shape: tuple[int, ...] = (16,), dtype: Any = np.float32) -> np.ndarray:
    """Return an array of NumPy in memory at an address."""
    held = {"version": 3, "shape": shape, "typestr": np.dtype(dtype).str, "data": (address, False)}
    return np.asarray(type("Held", (), {"__array_interface__": held})())


def same() -> Rng:
    return clrng.Generator(clrng.PCG64(1), clrng.make_queue())


@pytest.mark.parametrize("stream_of", [STREAM, None])
def test_other_memory_of_cuda_is_filled_by_a_copy(rng: Rng, cuda: Driver, stream_of: int | None) -> None:
    out = Tensor(np.zeros((30, 4), np.float32), stream_of)
    assert rng.random(out=out) is out
    cuda.streams[STREAM].synchronize()
    assert_array_equal(out.values, same().random((30, 4)).get())


def test_shared_memory_is_filled_where_it_is(rng: Rng, pool: Pool, stream: Stream) -> None:
    held = pool.empty(rng.queue, (32, 4), np.float32)  # all of a piece
    held.fill(0)
    values = at(held.__cuda_array_interface__["data"][0], (32, 4))
    for part in (values, values[:, ::2], values.T, values[2], values[::-1], values[3:, ::-3]):
        rng.bit_generator = clrng.PCG64(1)
        rng.random(out=Tensor(part))
        stream.synchronize()
        assert_array_equal(part, same().random(part.shape).get())


@pytest.mark.parametrize("change", ["fill", "copy", "set", "+"])
def test_memory_is_passed_on_when_another_queue_has_read_it(
    rng: Rng, own: cl.CommandQueue, pool: Pool, change: str
) -> None:
    """Commands of PyOpenCL's arrays, which wait for no events, come after those of the last array in the memory."""
    other, gate = cl.CommandQueue(own.context), cl.UserEvent(own.context)
    x, one = rng.integers(7, 8, size=GRANULE, dtype=np.int32), cla.zeros(other, GRANULE, np.int32)
    address = x.memory.address
    seen = cla.empty(own, GRANULE, np.int32)
    own.finish()
    cl.enqueue_barrier(own, wait_for=[gate])
    cl.enqueue_copy(own, seen.data, x.base_data)
    del x
    ours = clrng.Array(other, GRANULE, np.int32, data=one.data, allocator=pool)
    timer = threading.Timer(0.1, gate.set_status, [cl.command_execution_status.COMPLETE])
    timer.start()  # as `set` waits
    made = pool.empty(other, GRANULE, np.int32) if change in ("fill", "set") else None
    if change == "fill":
        made.fill(9)
    elif change == "set":
        made.set(np.full(GRANULE, 9, np.int32))
    else:
        made = ours.copy() if change == "copy" else ours + 1
    assert made.memory.address == address
    other.flush()
    timer.join()
    own.finish()
    assert (seen.get() == 7).all()
    assert (made.get() == {"fill": 9, "set": 9, "copy": 0, "+": 1}[change]).all()


def test_what_cuda_still_reads_is_not_written_to(rng: Rng, stream: Stream) -> None:
    held = rng.integers(7, 8, size=1000, dtype=np.int32)
    values, seen = at(held.__cuda_array_interface__["data"][0], (1000,), np.int32), []
    stream.hold()
    stream.give(lambda: seen.append(values.copy()))
    rng.integers(9, 10, out=Tensor(values))
    stream.go_on()
    stream.synchronize()
    assert (seen[0] == 7).all()
    rng.queue.finish()
    assert (values == 9).all()
    stream.hold()
    stream.give(lambda: seen.append(values.copy()))
    threading.Timer(0.1, stream.go_on).start()
    rng.integers(5, 6, out=held)  # which waits for all of CUDA's work
    assert (seen[1] == 9).all()
    assert (held.get() == 5).all()


@pytest.mark.parametrize("change", ["shuffle", "fill", "set", "+=", "an element"])
def test_every_call_that_writes_waits_for_cuda(
    rng: Rng, own: cl.CommandQueue, cuda: Driver, stream: Stream, change: str
) -> None:
    del own
    held = rng.permutation(np.arange(1000, dtype=np.int32))
    held = rng.integers(7, 8, size=1000, dtype=np.int32) if change != "shuffle" else held
    before, seen = held.get(), []
    values = at(held.__cuda_array_interface__["data"][0], (1000,), np.int32)
    stream.hold()
    stream.give(lambda: seen.append(values.copy()))
    threading.Timer(0.1, stream.go_on).start()
    if change == "shuffle":
        rng.shuffle(held)
    elif change == "fill":
        held.fill(3)
    elif change == "set":
        held.set(np.zeros(1000, np.int32))
    elif change == "+=":
        held += 1
    else:
        held[3:] = 4
    held.finish()
    stream.synchronize()
    assert cuda.synchronized
    assert_array_equal(seen[0], before)


def test_the_stream_of_dlpack_waits(rng: Rng, cuda: Driver) -> None:
    gate = cl.UserEvent(rng.queue.context)
    x = rng.random(1000)
    x.add_event(cl.enqueue_marker(rng.queue, wait_for=[gate]))
    capsule = x.__dlpack__(stream=STREAM)
    done: list[bool] = []
    cuda.streams[STREAM].give(lambda: done.append(True))
    assert not done
    assert cuda.streams[3].is_idle()
    assert x.__dlpack__(stream=-1) is not None
    gate.set_status(cl.command_execution_status.COMPLETE)
    cuda.streams[STREAM].synchronize()
    assert done
    assert capsule is not None
    late = cl.UserEvent(rng.queue.context)
    x.add_event(cl.enqueue_marker(rng.queue, wait_for=[late]))
    rng.queue.flush()
    ended = threading.Timer(0.1, late.set_status, [cl.command_execution_status.COMPLETE])
    ended.start()
    assert x.with_queue(None).__dlpack__(stream=STREAM) is not None
    assert late.command_execution_status == cl.command_execution_status.COMPLETE
    for wrong in (0, -2, "1", 1.0):
        with pytest.raises(ValueError, match="stream must be None, -1, or the number of a stream from 1 on"):
            x.__dlpack__(stream=wrong)
    for named in ({"dl_device": (1, 0)}, {"dl_device": (2, 1)}, {"copy": True}):
        with pytest.raises(BufferError):
            x.__dlpack__(**named)
    assert x.__dlpack__(max_version=(1, 2), dl_device=(2, 0), copy=False, stream=None) is not None


@pytest.mark.parametrize("stream_of", [STREAM, None])
@pytest.mark.parametrize("shared", [False, True])
def test_what_is_read_was_written_before(
    rng: Rng, pool: Pool, stream: Stream, stream_of: int | None, shared: bool
) -> None:
    values = np.zeros(64, np.int32)
    if shared:
        held = pool.empty(rng.queue, 64, np.int32)
        values = at(held.__cuda_array_interface__["data"][0], (64,), np.int32)
    stream.hold()
    stream.give(lambda: np.copyto(values, np.arange(64)[::-1]))
    threading.Timer(0.1, stream.go_on).start()
    found = clrng.order.sort(rng.permutation(Tensor(values, stream_of)))
    assert_array_equal(found.get(), np.arange(64))


def test_memory_comes_back_when_nobody_has_it(rng: Rng, pool: Pool) -> None:
    for size in (100, 2**20):
        x = rng.random(size)
        address, capsule = x.__cuda_array_interface__["data"][0], x.__dlpack__()
        del x
        gc.collect()
        others = [rng.random(size) for _ in range(5)]
        assert address not in [each.__cuda_array_interface__["data"][0] for each in others]
        del capsule, others
        gc.collect()
    for _ in range(50):
        rng.random(2**20)
        rng.random(100)
    assert len(pool._live) == 0
    assert pool.device.free() >= 2**25


@pytest.mark.parametrize("size", [100, 2**20])
def test_a_buffer_keeps_its_memory(rng: Rng, size: int) -> None:
    x = rng.random(size)
    wanted, buffer, address = x.get(), x.data, x.memory.address
    del x
    gc.collect()
    others = [rng.random(size) for _ in range(5)]
    assert address not in [each.memory.address for each in others]
    assert_array_equal(clrng.Array(rng.queue, size, np.float32, data=buffer).get(), wanted)
    del buffer
    gc.collect()
    rng.queue.finish()
    assert address in [rng.random(size).memory.address, rng.random(size).memory.address]


@pytest.mark.parametrize("refusal", [("cuMemCreate", 2), ("clCreateBufferWithProperties", -4)])
def test_a_pool_is_whole_after_it_was_empty(rng: Rng, pool: Pool, cuda: Driver, refusal: tuple[str, int]) -> None:
    cuda.refusal, free = refusal, pool.device.free()
    held = [rng.random(2**20) for _ in range(free // 2**22)]
    with pytest.raises(MemoryError, match="is too large: the device has"):
        rng.random(2**20)
    assert len(held) == free // 2**22
    before = rng.bit_generator.copy()
    with pytest.raises(MemoryError):
        rng.random(2**20)
    with pytest.raises((MemoryError, ValueError)):
        rng.random(2**28)
    assert rng.bit_generator == before
    held.clear()
    assert pool.largest_allocation() >= free - GRANULE
    x = rng.random((free - GRANULE) // 4)
    assert x.get().max() < 1
    del x
    assert pool.free() >= free - GRANULE
    assert pool.device.free() >= free - GRANULE


def test_memory_is_not_given_back_before_it_has_been_read(rng: Rng, pool: Pool) -> None:
    x = rng.random(2**20)
    wanted, gate, found = x.get(), cl.UserEvent(rng.queue.context), np.zeros(2**20, np.float32)
    reads = cl.enqueue_copy(rng.queue, found, x.base_data, wait_for=[gate], is_blocking=False)
    rng.queue.flush()
    del x
    giving = threading.Thread(target=pool.free)
    giving.start()
    giving.join(0.2)
    waited = giving.is_alive()
    gate.set_status(cl.command_execution_status.COMPLETE)
    giving.join(20)
    reads.wait()
    assert waited
    assert not giving.is_alive()
    assert_array_equal(found, wanted)


def test_a_driver_that_imports_little(rng: Rng, pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(pool.device), "imports_much", False)
    monkeypatch.setattr(pool_module, "SURE", 2**22)
    before = rng.bit_generator.copy()
    with pytest.raises(
        MemoryError, match="of 8388608 bytes is too large: OpenCL's driver .* imports at most 4194304 byt"
    ):
        pool(2**23)
    with pytest.raises(ValueError, match="size must make at most 1048576 values of float32 .*, 4194304 bytes, not"):
        rng.random(2**21)
    assert rng.bit_generator == before
    assert pool.largest_allocation() == 2**22
    assert rng.random(2**20).get().max() < 1


@pytest.mark.parametrize("size", [100, 2**20])
@pytest.mark.parametrize("of_view", [False, True])
def test_memory_is_not_written_to_while_another_queue_reads_it(
    own: cl.CommandQueue, pool: Pool, size: int, of_view: bool
) -> None:
    other, copy = cl.CommandQueue(own.context), clrng.Array(own, size, np.int32)
    made = {}
    for queue in (own, other) if of_view else (own,):
        x: Any = pool.empty(own, size, np.int32)
        x = x.with_queue(queue)
        gate = cl.UserEvent(own.context)
        reading = cl.enqueue_copy(queue, copy.base_data, x.base_data, byte_count=4 * size, wait_for=[gate])
        queue.flush()
        address = x.memory.address
        del x
        gc.collect()
        target = other if queue is own else own
        next_one = pool.empty(target, size, np.int32)
        assert next_one.memory.address == address
        states = [event.command_execution_status for event in next_one.events]
        made[queue.int_ptr] = any(state != cl.command_execution_status.COMPLETE for state in states)
        gate.set_status(cl.command_execution_status.COMPLETE)
        cl.wait_for_events([*next_one.events, reading])
    assert all(made.values())


def test_refusals(rng: Rng, cuda: Driver) -> None:
    def placed(device: int, context: int) -> Tensor:
        made = Tensor(np.zeros(16, np.float32))
        cuda.places[made.values.ctypes.data] = device, context
        return made

    whole = np.zeros((16, 16), np.float32)
    for out, error, message in [
        (placed(1, CONTEXT), ValueError, "out must be on CUDA's device 0, which is the queue's, not on its device 1"),
        (placed(0, OTHER_CONTEXT), ValueError, "out must be in the primary context of CUDA's device"),
        (placed(-1, CONTEXT), ValueError, "out must be in memory that CUDA has, not at 0x"),
        (Tensor(whole[0], data=(0, False)), ValueError, "out must have memory, which an array of shape"),
        (Tensor(whole[0], data=(whole.ctypes.data, True)), ValueError, "not one that is read-only"),
        (Tensor(whole[0, ::-1]), ValueError, "out must be C-contiguous"),
        (Tensor(whole[:, 0]), ValueError, "out must be C-contiguous"),
        (Tensor(whole[0].astype(np.int16)), ValueError, r"out\.dtype must be"),
        (Tensor(whole[0], typestr="|V2"), TypeError, "out must be .*V2"),
        (Tensor(whole[0], typestr=">f4"), TypeError, "out must be .*>f4"),
    ]:
        before = rng.bit_generator.copy()
        with pytest.raises(error, match=message):  # type: ignore[call-overload]
            rng.random(out=out)
        assert rng.bit_generator == before
    with pytest.raises(ValueError, match="out must have shape"):
        rng.random(5, out=Tensor(whole[0]))
    assert not whole.any()


def test_a_stream_that_failed_is_told(rng: Rng, cuda: Driver, stream: Stream) -> None:
    out = Tensor(np.zeros(16, np.float32))
    before, left = rng.bit_generator.copy(), len(order._reached)
    stream.hold()
    cuda.failed = True
    with pytest.raises(RuntimeError, match="of CUDA's driver failed with error 700"):
        clrng.order.sort(rng.permutation(out))
    cuda.failed = False
    assert rng.bit_generator == before
    assert len(order._reached) == left


def test_the_end_of_a_process_waits_for_what_streams_will_call(
    own: cl.CommandQueue, pool: Pool, stream: Stream
) -> None:
    stream.hold()
    event = pool.order.after(own.context, STREAM)
    threading.Timer(0.1, stream.go_on).start()
    order._wait()
    assert event.command_execution_status == cl.command_execution_status.COMPLETE


def test_arrays_of_pyopencl_take_the_pool(own: cl.CommandQueue, pool: Pool) -> None:
    x: Any = clrng.Array(own, 1000, np.float32, allocator=pool)
    x.fill(3)
    y = x + 1
    assert (y.get() == 4).all()
    assert y.memory is not None
    assert y.memory is not x.memory


def test_threads_share_a_pool(own: cl.CommandQueue) -> None:
    wrong: list[Any] = []

    def work(number: int) -> None:
        queue = cl.CommandQueue(own.context)
        each = clrng.Generator(clrng.PCG64(number), queue, allocator="cuda")
        try:
            for size in (10, 3000, 2**19, 100) * 10:
                x = each.integers(number, number + 1, size=size, dtype=np.int32)
                if (x.get() != number).any():
                    wrong.append((number, size))
        except BaseException as error:  # noqa: BLE001  # which a thread would lose
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert describe(own.device)
