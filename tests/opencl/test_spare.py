"""Memory that is kept for a queue between calls."""

import weakref
from contextlib import suppress
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.tools
import pytest

import clrng
from clrng.opencl import spare
from clrng.opencl.spare import ATTRIBUTE, Lent
from tests.conftest import own_queue

WORD = np.dtype(np.uint32)


@pytest.fixture
def own(device: clrng.DeviceInfo) -> cl.CommandQueue:
    return own_queue(device.device)


def pointers(*arrays: Any) -> list[int]:
    return [each.base_data.int_ptr for each in arrays]


def test_memory_is_lent_again(own: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    with Lent(own, device) as lent:
        first, second = lent.array(5000, WORD, "x"), lent.array(5000, WORD, "x")
        with Lent(own, device) as inner:
            third = inner.array(5000, WORD, "x")
        one, two, three = pointers(first, second, third)
        assert len({one, two, three}) == 3
        fourth = lent.array(4500, WORD, "x")
        assert pointers(fourth) == [three]
        assert fourth.shape == (4500,)
        assert fourth.offset == 0
        fourth.fill(7)
        assert (fourth.get() == 7).all()
        assert pointers(lent.array(5000, WORD, "x"))[0] not in (one, two, three)
    with Lent(own, device) as lent:
        assert pointers(lent.array(100, WORD, "x"))[0] not in (one, two, three)  # it is too large for that
        assert pointers(lent.array(2500, np.dtype(np.uint64), "x"))[0] in (one, two, three)
        assert lent.array(0, WORD, "x").size == 0


def test_little_is_kept(own: cl.CommandQueue, device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spare, "SHARE", own.device.global_mem_size // 40_000)
    with Lent(own, device) as lent:
        kept = [lent.array(size, WORD, "x") for size in (5000, 4000, 3000)]
        others = pointers(*kept)[1:]
    with Lent(own, device) as lent:
        assert pointers(lent.array(4000, WORD, "x"), lent.array(3000, WORD, "x")) == others
        assert not getattr(own, ATTRIBUTE)._free  # the oldest is gone
    with Lent(own, device) as lent:
        lent.array(20_000, WORD, "x")
    assert len(getattr(own, ATTRIBUTE)._free) == len(others)  # what is too large drops none


def test_queues_without_an_order_keep_none(device: clrng.DeviceInfo) -> None:
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not device.device.queue_properties & properties:
        pytest.skip("the device has no queues without an order")
    queue = own_queue(device.device, properties)
    with Lent(queue, device) as lent:
        lent.array(5000, WORD, "x")
    assert not getattr(queue, ATTRIBUTE)._free


def test_an_allocator_is_asked(own: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(own))
    with Lent(own, device, pool) as lent:
        found = lent.array(5000, WORD, "x")
        assert pool.active_blocks == 1
        assert found.allocator is pool
    del found
    assert pool.active_blocks == 0


def test_too_much_is_refused(own: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    with Lent(own, device) as lent, pytest.raises(ValueError, match="^x must make at most"):
        lent.array(2**60, WORD, "x")


def test_memory_is_given_back_after_an_error(own: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    with suppress(KeyboardInterrupt), Lent(own, device) as lent:
        lent.array(5000, WORD, "x")
        raise KeyboardInterrupt
    assert len(getattr(own, ATTRIBUTE)._free) == 1


def test_memory_goes_with_the_queue(device: clrng.DeviceInfo) -> None:
    queue = own_queue(device.device)
    with Lent(queue, device) as lent:
        lent.array(5000, WORD, "x")
    gone = weakref.ref(getattr(queue, ATTRIBUTE))
    del queue, lent
    assert gone() is None
