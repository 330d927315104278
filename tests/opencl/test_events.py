"""Events of arrays that many calls use."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

from clrng import order
from clrng.opencl.arrays import MANY_EVENTS, attach_event


def test_events_of_many_calls_are_not_waited_for(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    a = cla.to_device(queue, np.arange(100, dtype=np.uint32)[::-1].copy())
    order.sort(a)
    user, other = cl.UserEvent(queue.context), cl.CommandQueue(queue.context)
    elsewhere = cl.enqueue_marker(other)
    a.events[:0] = [elsewhere]

    def refuse(*_: object) -> None:
        raise AssertionError("an event was waited for")

    monkeypatch.setattr(cl, "wait_for_events", refuse)
    for _ in range(3 * MANY_EVENTS):
        found = order.sort(a)
    monkeypatch.undo()
    assert len(a.events) <= MANY_EVENTS + 1
    assert elsewhere in a.events
    assert found.events[-1] == a.events[-1]
    assert found.get().tolist() == list(range(100))
    a.events.append(user)
    attach_event(queue, a, cl.enqueue_marker(queue))
    assert user in a.events
    user.set_status(cl.command_execution_status.COMPLETE)


def test_events_without_an_order_stay(any_order: cl.CommandQueue) -> None:
    a: cla.Array = cla.Array(any_order, 5, np.uint32)
    markers = [cl.enqueue_marker(any_order) for _ in range(MANY_EVENTS + 2)]
    for event in markers:
        attach_event(any_order, a, event)
    assert a.events == markers
