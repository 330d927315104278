"""NumPy arrays that devices fill, in place and by copies."""

import signal
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from types import FrameType
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.generators import BitGenerator
from clrng.opencl import arrays, staging
from clrng.opencl.devices import describe
from clrng.opencl.kernel import ATTRIBUTE, of_queue
from tests.support import oracle
from tests.support.timer import Timer

Ways = Callable[[cl.CommandQueue, np.ndarray], AbstractContextManager[cla.Array]]

WAYS: dict[str, Ways] = {
    "in place": arrays.filled_in_place,
    "by copy": lambda queue, out: arrays.on_device(queue, replace(describe(queue.device), kind="gpu"), out),
}
BITS: list[BitGenerator] = [
    clrng.ParkMiller(seed=1),
    clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, seed=1),
    clrng.LaggedFibonacci((5, 17), "+", seed=1),
    clrng.MRG32k3a(),
]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Ways:
    """Return each way to fill an array."""
    return WAYS[request.param]


@pytest.mark.parametrize("bits", BITS, ids=lambda bits: bits.name)
@pytest.mark.parametrize("first", [0, 1, 3, 16, 17])
def test_an_array_anywhere_is_filled_and_nothing_beside_it(
    queue: cl.CommandQueue, way: Ways, bits: BitGenerator, first: int
) -> None:
    rng = clrng.Generator(bits.copy(), queue)
    held = np.full(5000, 12345, bits.dtype)
    done = 0
    for n in (1, 7, 100, 4000):
        held[:] = 12345
        out = held[first : first + n]
        with way(queue, out) as array:
            rng.random_raw(out=array)
        assert_array_equal(out, bits.sequence(done + n)[done:])
        assert (held[:first] == 12345).all()
        assert (held[first + n :] == 12345).all()
        done += n


@pytest.mark.parametrize("shape", [(), (3, 5), (2, 1, 7), (0,), (3, 0)])
def test_shapes(queue: cl.CommandQueue, way: Ways, shape: tuple[int, ...]) -> None:
    out = np.empty(shape, np.uint32)
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    with way(queue, out) as array:
        assert array.shape == shape
        rng.random_raw(out=array)
    assert_array_equal(out, oracle.sequence(1, out.size).reshape(shape))


def test_a_queue_without_an_order(any_order: cl.CommandQueue, way: Ways) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), any_order)
    out = np.zeros(300_000, np.uint32)
    for call in range(5):
        with way(any_order, out) as array:
            rng.random_raw(out=array)
        assert_array_equal(out, oracle.sequence(1, out.size, first=call * out.size + 1))


def test_an_error_inside_comes_out(queue: cl.CommandQueue, way: Ways) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    out = np.zeros(100_000, np.uint32)

    def failing() -> None:
        with way(queue, out) as array:
            rng.random_raw(out=array)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    after = out.copy()
    queue.finish()
    assert_array_equal(out, after)  # nothing writes to it any more
    with way(queue, out) as array:
        rng.random_raw(out=array)
    assert_array_equal(out, oracle.sequence(1, out.size, first=out.size + 1))


CHANGED: list[tuple[Any, str]] = [
    (np.zeros(4, np.int32), "out must have dtype uint32, not int32"),
    (np.zeros(4, ">u4"), "out must have dtype uint32, not >u4"),
    (np.zeros(5, np.uint32), r"out must have shape \(4,\), the size asked for, not \(5,\)"),
    (np.zeros(8, np.uint32)[::2], r"out must be C-contiguous, not with shape \(4,\) and strides \(8,\)"),
    (np.frombuffer(bytes(16), np.uint32), "out must be an array that may be written to, not one that is read-only"),
]


@pytest.mark.parametrize(("out", "match"), CHANGED, ids=[match for _, match in CHANGED])
def test_what_cannot_be_filled(out: np.ndarray, match: str) -> None:
    with pytest.raises(ValueError, match=f"^{match}$"):
        arrays.check_host((4,), np.dtype(np.uint32), out)


def test_what_can_be_filled() -> None:
    for shape in ((4,), None):
        arrays.check_host(shape, np.dtype(np.uint32), np.zeros(4, np.uint32))


@pytest.mark.parametrize(("kind", "sizes"), [("cpu", [7, 7, 6]), ("gpu", [5, 5, 5, 5])])
def test_portions_are_the_array_in_order(
    device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch, kind: str, sizes: list[int]
) -> None:
    monkeypatch.setattr(arrays, "MAX_COPIED", 23)
    small = replace(device, largest_allocation=30, kind=kind)
    out = np.zeros((5, 4), np.uint32)
    found = list(arrays.portions(small, out))
    assert [portion.size for portion in found] == sizes
    for number, portion in enumerate(found):
        portion[:] = number
    assert_array_equal(out.reshape(-1), np.repeat(np.arange(len(sizes)), sizes))
    assert list(arrays.portions(small, np.zeros((3, 0), np.uint32))) == []


def test_a_small_array_is_one_portion(device: clrng.DeviceInfo) -> None:
    for kind in ("cpu", "gpu"):
        (portion,) = arrays.portions(replace(device, kind=kind), np.zeros((5, 4), np.uint32))
        assert portion.shape == (20,)


def unaligned(n: int) -> np.ndarray:
    """Return `n` values of uint32 whose memory begins one byte after a multiple of 4."""
    held = np.zeros(4 * n + 8, np.uint8)
    return held[-held.ctypes.data % 4 + 1 :][: 4 * n].view(np.uint32)


def test_which_way_a_device_takes(queue: cl.CommandQueue) -> None:
    info = describe(queue.device)
    for device, out, in_place in (
        (replace(info, kind="cpu"), np.zeros(1000, np.uint32), True),
        (replace(info, kind="gpu"), np.zeros(1000, np.uint32), False),
        (replace(info, kind="cpu"), unaligned(1000), False),
    ):
        rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
        with arrays.on_device(queue, device, out) as array:
            assert bool(array.base_data.flags & cl.mem_flags.USE_HOST_PTR) is in_place
            rng.random_raw(out=array)
        assert_array_equal(out, oracle.sequence(1, 1000))


@pytest.fixture
def fresh(device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> Iterator[cl.CommandQueue]:
    """Return a queue of a new context, in which blocks have 64 bytes."""
    monkeypatch.setattr(staging, "BLOCK", 64)
    context = cl.Context([device.device])  # held, as Intel's queues do not
    yield cl.CommandQueue(context)
    del context


@pytest.mark.parametrize("n", [1, 15, 16, 17, 31, 32, 33, 48, 1000])
@pytest.mark.parametrize("offset", [0, 5])
def test_copies_in_blocks(fresh: cl.CommandQueue, n: int, offset: int) -> None:
    values = oracle.sequence(1, n + offset)
    array = cla.to_device(fresh, values)[offset:]
    for out in (np.zeros(n, np.uint32), unaligned(n)):
        held = out.copy()
        staging.copy_to_host(fresh, array, out)
        assert_array_equal(out, values[offset:])
        assert not held.any()


def test_copies_of_several_threads(fresh: cl.CommandQueue) -> None:
    values = [oracle.sequence(seed, 500) for seed in range(1, 9)]

    def copied(number: int) -> np.ndarray:
        queue = cl.CommandQueue(fresh.context)
        out = np.zeros(500, np.uint32)
        for _ in range(10):
            out[:] = 0
            staging.copy_to_host(queue, cla.to_device(queue, values[number]), out)
        return out

    staging.copy_to_host(fresh, cla.to_device(fresh, values[0]), np.zeros(500, np.uint32))  # which makes the blocks
    with ThreadPoolExecutor(8) as pool:
        for number, out in enumerate(pool.map(copied, range(8))):
            assert_array_equal(out, values[number])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
def test_nothing_is_written_after_an_interrupt(fresh: cl.CommandQueue) -> None:
    """A thread that still copied would be seen, or would write what the array has no more."""
    values, out = np.arange(1, 40_001, dtype=np.uint32), np.zeros(40_000, np.uint32)
    array = cla.to_device(fresh, values)
    with Timer() as timer:
        for number in range(30):
            timer.interrupt(lambda: staging.copy_to_host(fresh, array, out), 1e-4 * (number + 1), 1e-4)
            out[:] = 0
            running = [frame.f_code for frame in walked(sys._current_frames().values())]
            assert staging.Lane.copy.__code__ not in running
            assert not out.any()
            staging.copy_to_host(fresh, array, out)
            assert_array_equal(out, values)


def walked(frames: Iterable[FrameType]) -> Iterator[FrameType]:
    """Yield the frames and those that called them."""
    for frame in frames:
        here: FrameType | None = frame
        while here is not None:
            yield here
            here = here.f_back


def test_whole_blocks_of_the_usual_size(queue: cl.CommandQueue) -> None:
    n = staging.BLOCK // 4 * 2 + 3
    values = np.arange(n, dtype=np.uint32)
    out = np.zeros(n, np.uint32)
    staging.copy_to_host(queue, cla.to_device(queue, values), out)
    assert_array_equal(out, values)


def test_blocks_go_with_their_context(fresh: cl.CommandQueue) -> None:
    staging.copy_to_host(fresh, cla.to_device(fresh, np.arange(5)), np.zeros(5, np.int64))
    kept = of_queue(fresh).cached(staging.Staging)
    assert kept(fresh.device) is kept(fresh.device)
    blocks = weakref.ref(kept(fresh.device))
    other = cl.CommandQueue(fresh.context)
    assert of_queue(other).cached(staging.Staging)(fresh.device) is blocks()
    del kept, other
    delattr(fresh, ATTRIBUTE)
    assert blocks() is None
