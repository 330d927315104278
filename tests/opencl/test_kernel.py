"""Kernels: their arguments by name, the cache of them, and the largest work-group that each may have."""

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.kernel import Kernel, kernel_of, numbered

TEXT = """
__attribute__((reqd_work_group_size(3, 1, 1)))
__kernel void of_three(__global uint *x) { x[get_global_id(0)] = get_local_size(0); }

__kernel void of_any(__global uint *x) { x[get_global_id(0)] = get_local_size(0); }
"""


def groups_of(kernel: Kernel, queue: cl.CommandQueue) -> npt.NDArray[np.uint32]:
    """Return what each work-item of two of the largest groups says of the size of its group."""
    size = kernel.largest_group
    x = cla.zeros(queue, 2 * size, np.uint32)
    kernel(queue, 2 * size, size, x=x.base_data)
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


ARGUMENTS = "__kernel void store(__global uint *restrict out, const uint n, const uint start_0) { out[n] = start_0; }"


def test_arguments_are_given_by_name_in_any_order(queue: cl.CommandQueue) -> None:
    x = cla.zeros(queue, 3, np.uint32)
    kernel = Kernel(queue.context, ARGUMENTS, "store")
    kernel(queue, 1, 1, n=1, **numbered("start", [7]), out=x.base_data)
    kernel.for_each(queue, 1, start_0=8, out=x.base_data, n=2, wait_for=x.events)
    kernel.taking("out", "n", "start_0")(queue, 1, 1, x.base_data, 0, 6)
    assert_array_equal(x.get(), [6, 7, 8])


def test_names_are_checked_before_the_device_works(queue: cl.CommandQueue) -> None:
    kernel = Kernel(queue.context, ARGUMENTS, "store")
    x = cla.zeros(queue, 1, np.uint32)
    with pytest.raises(TypeError, match="'store' is launched without n, start_0, and with m$"):
        kernel(queue, 1, 1, out=x.base_data, m=0)
    with pytest.raises(TypeError, match="'store' is launched without -, and with m$"):
        kernel(queue, 1, 1, out=x.base_data, n=0, start_0=1, m=0)
    for names in (("out", "start_0", "n"), ("out", "n"), ("out", "n", "start_0", "m")):
        with pytest.raises(TypeError, match=f"'store' takes out, n, start_0; not {', '.join(names)}$"):
            kernel.taking(*names)
    with pytest.raises(TypeError, match="'of_any' is launched without x, and with y$"):
        Kernel(queue.context, TEXT, "of_any")(queue, 1, 1, y=x.base_data)
    assert x.get() == 0


def test_a_kernel_is_made_once_for_a_context_and_a_text(device: clrng.DeviceInfo) -> None:
    context = cl.Context([device.device])
    queues, asked = [cl.CommandQueue(context) for _ in range(2)], []

    def text(suffix: str, values: dict[str, int]) -> str:
        asked.append(suffix)
        return f"{ARGUMENTS} // {suffix} {values}"

    made = [
        kernel_of(queue, "store", text, suffix, values={"a": a}) for a in (1, 2) for suffix in "xy" for queue in queues
    ]
    assert asked == ["x", "y"] * 2
    assert [made.index(kernel) for kernel in made] == [0, 0, 2, 2, 4, 4, 6, 6]
