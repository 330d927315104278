"""A proof does not wait for what the user's queue was given before."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

from clrng import order

VALUES = np.random.default_rng(1).integers(0, 700, 1000, np.uint32)


@pytest.fixture(autouse=True)
def poisoned() -> None:
    """Fill no arrays beforehand, which would wait."""


def test_a_gate_opens_after_the_calls(fresh: cl.CommandQueue) -> None:
    a, gate = cla.to_device(fresh, VALUES), cl.UserEvent(fresh.context)
    cl.enqueue_barrier(fresh, [gate])
    in_order, sums, (_, count) = order.sort(a), order.cumsum(a), order.split(a, a)
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert_array_equal(in_order.get(), np.sort(VALUES))
    assert_array_equal(sums.get(), np.cumsum(VALUES))
    assert int(count.get()) == np.count_nonzero(VALUES)
