"""Selections in a queue that runs commands in any order: every command waits for what a gate holds up."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

from clrng import order

SIZE = 30_000
RNG = np.random.default_rng(1)
VALUES, CONDITION = RNG.integers(0, 700, SIZE, dtype=np.uint32), RNG.random(SIZE) < 0.5
PARTS = np.concatenate([VALUES[CONDITION], VALUES[~CONDITION]])


@pytest.fixture(autouse=True)
def poisoned() -> None:
    """Fill no arrays beforehand: those commands are not clrng's."""


def test_work_waits_for_the_events_of_its_arrays(any_order: cl.CommandQueue) -> None:
    """Let the values of the arrays be copied to them when a gate opens, after all work was given to the queue."""
    array, held = cla.empty(any_order, SIZE, np.uint32), cla.empty(any_order, SIZE, np.bool_)
    gate = cl.UserEvent(any_order.context)
    for target, source in ((array, VALUES), (held, CONDITION)):
        target.add_event(cl.enqueue_fill_buffer(any_order, target.base_data, b"\0", 0, target.nbytes, wait_for=[gate]))
        made = cl.Buffer(any_order.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=source)
        target.add_event(cl.enqueue_copy(any_order, target.base_data, made, wait_for=target.events))
    parts, count = order.split(held, array)
    sums = order.cumsum(parts, "uint32")
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert_array_equal(parts.get(), PARTS)
    assert int(count.get()) == CONDITION.sum()
    assert_array_equal(sums.get(), np.cumsum(PARTS, dtype=np.uint32))
