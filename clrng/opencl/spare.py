"""Memory that commands of one queue pass to one another, kept from call to call.

To make memory, and to give it back to the driver, may take longer than the commands that use it. A queue that runs
commands in their order may have the same memory for the next call, which comes behind what still uses it.
"""

from threading import Lock
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from typing_extensions import Self

from clrng.opencl import arrays
from clrng.opencl.devices import DeviceInfo

ATTRIBUTE = "_clrng_spare"
"""The name of the attribute by which a queue holds its `Spare` memory."""

SHARE = 128
"""One in so many bytes of a device's memory are the most that is kept for a queue."""

LOOSE = 2
"""Kept memory is lent for at least one in so many of its bytes."""

LEAST = 2**12
"""Memory is made in multiples of so many bytes."""


class Spare:
    """The memory that is kept for a queue, which holds this."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._context, self._lock = queue.context, Lock()
        self._free: list[cl.Buffer] = []  # That which was given back last is the last one
        self._most = queue.device.global_mem_size // SHARE
        self.in_order = not queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE

    def take(self, nbytes: int) -> cl.Buffer:
        """Return memory of at least so many bytes, which nobody has until it is given back."""
        wanted = -(-nbytes // LEAST) * LEAST
        with self._lock:
            fitting = [each for each in self._free if wanted <= each.size <= LOOSE * wanted]
            if fitting:
                found = min(fitting, key=lambda each: each.size)
                self._free.remove(found)
                return found
        return cl.Buffer(self._context, cl.mem_flags.READ_WRITE, wanted)

    def give(self, memory: list[cl.Buffer]) -> None:
        """Take memory back; what was not used for longest is dropped where too much is kept."""
        with self._lock:
            self._free += memory
            total = sum(each.size for each in self._free)
            while total > self._most:
                total -= self._free.pop(0).size


class Lent:
    """Makes arrays on a queue whose memory is given back at the end of a ``with`` statement.

    Nobody but commands that are in the queue by then may use them. Where an allocator is given, their memory comes from
    it, and where the queue runs commands in any order it is new.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, allocator: Any = None) -> None:
        self._queue, self._device, self._allocator = queue, device, allocator
        self._lent: list[cl.Buffer] = []
        self._spare = _of(queue)
        self._keeps = allocator is None and self._spare.in_order

    def _take(self, nbytes: int) -> cl.Buffer:
        self._lent.append(self._spare.take(nbytes))
        return self._lent[-1]

    def array(self, size: int, dtype: np.dtype[Any], name: str) -> cla.Array:
        """Return an array of values that may be anything; errors say that `name` needs it."""
        allocator = self._take if self._keeps else self._allocator
        return arrays.output_array(self._queue, self._device, (size,), dtype, name=name, allocator=allocator)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lent:
            self._spare.give(self._lent)


def _of(queue: cl.CommandQueue) -> Spare:
    """Return the memory that is kept for a queue."""
    found: Spare | None = getattr(queue, ATTRIBUTE, None)
    if found is None:
        found = Spare(queue)
        setattr(queue, ATTRIBUTE, found)
    return found
