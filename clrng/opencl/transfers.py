"""Copies from the host to a device, and what commands wait for."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla


def upload(queue: cl.CommandQueue, words: npt.NDArray[Any]) -> cla.Array:
    """Return a new array on the device with a copy of `words`.

    The memory is made with the copy in it, so that there is nothing to wait for. A command that copies, even a blocking
    one, promises no more than that `words` may be changed again (OpenCL 1.2, section 5.2.2): in a queue that runs
    commands in any order the next one may come first.
    """
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    words = np.ascontiguousarray(words)
    return cla.Array(queue, words.shape, words.dtype, data=cl.Buffer(queue.context, flags, hostbuf=words))


def wait_list(*things: cla.Array | cl.Event | None) -> list[cl.Event] | None:
    """Return all that a command has to wait for, as PyOpenCL takes it: events, and the last work on arrays."""
    found: list[cl.Event] = []
    for thing in things:
        if isinstance(thing, cl.Event):
            found.append(thing)
        elif thing is not None:
            found.extend(thing.events)
    return found or None
