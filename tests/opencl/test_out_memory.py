"""The kinds of memory that an `out` may be in: any that a kernel may write to."""

from collections.abc import Callable

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.tools
import pytest
from numpy.testing import assert_array_equal

import clrng
from tests.support import oracle

FLAGS = cl.mem_flags
READ_ONLY = "out must be in memory that a device may write to, not in a buffer that is read-only"


def frozen() -> np.ndarray:
    """Return an array of NumPy that may not be written to, where buffers may begin."""
    held = np.zeros(4096 + 4096, np.uint8)
    values = held[-held.ctypes.data % 4096 :][:4096]
    values.flags.writeable = False
    return values


REFUSED: dict[str, Callable[[cl.Context], cl.Buffer]] = {
    "read-only": lambda context: cl.Buffer(context, FLAGS.READ_ONLY, 4096),
    "part of a read-only one": lambda context: cl.Buffer(context, FLAGS.READ_ONLY, 4096).get_sub_region(1024, 2048),
    "read-only part": lambda context: cl.Buffer(context, FLAGS.READ_WRITE, 4096).get_sub_region(
        1024, 2048, FLAGS.READ_ONLY
    ),
    "read-only copy": lambda context: cl.Buffer(context, FLAGS.READ_ONLY | FLAGS.COPY_HOST_PTR, hostbuf=frozen()),
    "NumPy's, read-only": lambda context: cl.Buffer(context, FLAGS.USE_HOST_PTR, hostbuf=frozen()),
}
TAKEN: dict[str, Callable[[cl.Context], cl.Buffer]] = {
    "plain": lambda context: cl.Buffer(context, FLAGS.READ_WRITE, 4096),
    "write-only": lambda context: cl.Buffer(context, FLAGS.WRITE_ONLY, 4096),
    "part": lambda context: cl.Buffer(context, FLAGS.READ_WRITE, 4096).get_sub_region(1024, 2048),
    "copy of read-only": lambda context: cl.Buffer(context, FLAGS.COPY_HOST_PTR, hostbuf=frozen()),
    "NumPy's": lambda context: cl.Buffer(
        context, FLAGS.READ_WRITE | FLAGS.USE_HOST_PTR, hostbuf=np.zeros(4096, np.uint8)
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_memory_that_is_refused(queue: cl.CommandQueue, kind: str) -> None:
    out = cla.Array(queue, 100, np.uint32, data=REFUSED[kind](queue.context))
    bits = clrng.ParkMiller(seed=1)
    front_ends = (
        clrng.Generator(bits, queue),
        clrng.DivideAndConquer(bits, queue),
        clrng.Streams.by_jumps(bits, 100, queue=queue),
    )
    for front_end in front_ends[:2]:
        with pytest.raises(ValueError, match=READ_ONLY):
            front_end.random_raw(out=out)
    states = front_ends[2].states
    with pytest.raises(ValueError, match=READ_ONLY):
        front_ends[2].random_raw(keep="last", out=out)
    assert bits == clrng.ParkMiller(seed=1)
    assert_array_equal(front_ends[2].states, states)


@pytest.mark.parametrize("kind", TAKEN)
def test_memory_that_is_taken(queue: cl.CommandQueue, kind: str) -> None:
    for bits in (clrng.ParkMiller(seed=1), clrng.LaggedFibonacci((5, 17), "+", seed=1)):
        out = cla.Array(queue, 509, np.uint32, data=TAKEN[kind](queue.context), offset=8)
        found = clrng.Generator(bits.jumped(0), queue).random_raw(out=out)
        assert_array_equal(found.get(), bits.sequence(509))


def test_shared_virtual_memory(queue: cl.CommandQueue) -> None:
    try:
        if not queue.device.svm_capabilities:
            pytest.skip("the device has no such memory")
        memory = pyopencl.tools.SVMAllocator(queue.context, queue=queue)(2000)
    except (cl.Error, AttributeError) as error:
        pytest.skip(f"the device has no such memory: {error}")
    out = cla.Array(queue, 500, np.uint32, data=memory)
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    found = [rng.random_raw(500).get(), rng.random_raw(out=out).get(), rng.random_raw(500).get()]  # and back to buffers
    assert_array_equal(np.concatenate(found), oracle.sequence(1, 1500))
