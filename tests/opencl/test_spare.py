"""Memory that commands of one queue pass to one another is used again when nobody has it, and not before."""

from typing import Any

import numpy as np
import pyopencl as cl
import pytest

from clrng.opencl import spare
from clrng.opencl.spare import LEAST, array_between
from tests.conftest import own_queue

SHAPE, DTYPE = (3, LEAST), np.dtype(np.float32)


def handle_of(array: Any) -> int:
    """Return the address of the memory of an array."""
    handle: int = array.base_data.int_ptr
    return handle


def test_memory_is_used_again_when_the_last_view_is_gone(device: Any) -> None:
    queue = own_queue(device.device)
    made: Any = array_between(queue, SHAPE, DTYPE)
    assert made.shape == SHAPE
    first, view = handle_of(made), made.reshape(-1)[5:].with_queue(queue)
    del made
    other = array_between(queue, SHAPE, DTYPE)
    assert handle_of(other) != first
    view.fill(7)
    assert (view.get() == 7).all()
    del view
    again = [handle_of(each) for each in [array_between(queue, SHAPE, DTYPE) for _ in range(2)]]
    assert first in again
    assert handle_of(other) not in again


def test_no_more_is_kept_than_there_is_room_for(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = own_queue(device.device)
    monkeypatch.setattr(spare, "SHARE", queue.device.global_mem_size // (3 * LEAST * DTYPE.itemsize * 2))
    held = [array_between(queue, SHAPE, DTYPE) for _ in range(5)]
    first = {handle_of(each) for each in held}
    holders = [cl.Buffer.from_int_ptr(each, retain=True) for each in first]  # which stays: no other gets its address
    del held
    again = [array_between(queue, SHAPE, DTYPE) for _ in range(5)]
    assert len(first & {handle_of(each) for each in again}) == 2
    del holders


@pytest.mark.parametrize("shape", [(0,), (2, 0)])
def test_nothing_has_no_memory_that_is_kept(queue: cl.CommandQueue, shape: tuple[int, ...]) -> None:
    assert array_between(queue, shape, DTYPE).size == 0


def test_queues_without_an_order_get_new_memory(any_order: cl.CommandQueue) -> None:
    made = array_between(any_order, SHAPE, DTYPE)
    kept = made.base_data
    del made
    assert handle_of(array_between(any_order, SHAPE, DTYPE)) != kept.int_ptr  # type: ignore[attr-defined]  # a buffer
