"""Copies from the host to a device, and the events that commands wait for."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla


def upload(queue: cl.CommandQueue, words: npt.NDArray[Any]) -> cla.Array:
    """Return a new array on the device with a copy of `words`.

    The copy is made with the memory, so no later command has to wait for it. A command that copies would not do: even
    after a blocking one all that is certain is that `words` may be changed again (OpenCL 1.2, section 5.2.2), and in a
    queue without an order the next command may still run before it.
    """
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    words = np.asarray(words, order="C")
    memory = words if words.size else np.zeros(1, words.dtype)  # no buffer is empty
    return cla.Array(queue, words.shape, words.dtype, data=cl.Buffer(queue.context, flags, hostbuf=memory))


def wait_list(*things: cla.Array | cl.Event | None) -> list[cl.Event] | None:
    """Return the events that a command has to wait for: those given, and those of the arrays given; or None."""
    found: list[cl.Event] = []
    for thing in things:
        if isinstance(thing, cl.Event):
            found.append(thing)
        elif thing is not None:
            found.extend(thing.events)
    return found or None
