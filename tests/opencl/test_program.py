"""Kernels: the largest work-group that each may have."""

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from numpy.testing import assert_array_equal

from clrng.opencl.program import Kernel

TEXT = """
__attribute__((reqd_work_group_size(3, 1, 1)))
__kernel void of_three(__global uint *x) { x[get_global_id(0)] = get_local_size(0); }

__kernel void of_any(__global uint *x) { x[get_global_id(0)] = get_local_size(0); }
"""


def groups_of(kernel: Kernel, queue: cl.CommandQueue) -> npt.NDArray[np.uint32]:
    """Return what each work-item of two of the largest groups says of the size of its group."""
    size = kernel.largest_group
    x = cla.zeros(queue, 2 * size, np.uint32)
    kernel(queue, 2 * size, size, x.base_data)
    found: npt.NDArray[np.uint32] = x.get()
    return found


def test_a_work_group_is_the_one_that_the_kernel_requires(queue: cl.CommandQueue) -> None:
    kernel = Kernel(queue.context, TEXT, "of_three")
    assert kernel.largest_group == 3
    assert_array_equal(groups_of(kernel, queue), np.full(6, 3, np.uint32))


def test_a_work_group_is_at_most_what_the_driver_allows(queue: cl.CommandQueue) -> None:
    kernel = Kernel(queue.context, TEXT, "of_any")
    size = kernel.largest_group
    assert 1 <= size <= queue.device.max_work_group_size
    assert_array_equal(groups_of(kernel, queue), np.full(2 * size, size, np.uint32))
