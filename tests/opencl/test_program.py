"""Kernels: the largest work-group that each may have."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

from clrng.opencl.program import Kernel

TEXT = """
__attribute__((reqd_work_group_size(3, 1, 1)))
__kernel void of_three(__global uint *x) { x[get_global_id(0)] = get_local_size(0); }

__kernel void of_any(__global uint *x) { x[get_global_id(0)] = get_local_size(0); }
"""


@pytest.mark.parametrize("name", ["of_three", "of_any"])
def test_a_work_group_has_what_the_kernel_requires_or_at_most_what_the_driver_allows(
    name: str, queue: cl.CommandQueue
) -> None:
    kernel = Kernel(queue.context, TEXT, name)
    if name == "of_three":
        assert kernel.largest_group == 3
    else:
        assert 1 <= kernel.largest_group <= queue.device.max_work_group_size
    size = kernel.largest_group
    x = cla.zeros(queue, 2 * size, np.uint32)
    kernel(queue, 2 * size, size, x.base_data)
    assert_array_equal(x.get(), np.full(2 * size, size, np.uint32))
