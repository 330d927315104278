"""Memory that commands of one queue pass to one another, kept from call to call.

To make memory, and to give it back to the driver, may take longer than the commands that use it. A queue that runs
commands in their order may have the same memory for the next call, which comes behind what still uses it.

Memory of results, which commands of any queue may use, is that of `pool`.
"""

from collections import deque
from math import prod
from threading import Lock
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from typing_extensions import Self

from clrng.opencl import arrays
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import in_any_order

ATTRIBUTE = "_clrng_spare"
"""The name of the attribute by which a queue holds its `Spare` memory."""

LEASE = "_clrng_lease"
"""The name of the attribute by which memory of an array holds its `_Lease`."""

SHARE = 32
"""One in so many bytes of a device's memory are the most that is kept for a queue."""

LOOSE = 2
"""Kept memory is lent for at least one in so many of its bytes."""

LEAST = 2**12
"""Memory is made in multiples of so many bytes."""

Piece = tuple[int, cl.Buffer]
"""Memory, and how many bytes it has."""


class Spare:
    """The memory that is kept for a queue, which holds this."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._context, self._lock = queue.context, Lock()
        self._free: list[Piece] = []  # That which was given back last is the last one
        self._dropped: deque[Piece] = deque()  # What arrays had that nobody has any more
        self._total = 0  # Bytes that are free
        self._most = queue.device.global_mem_size // SHARE
        self.in_order = not in_any_order(queue)

    def take(self, nbytes: int) -> Piece:
        """Return memory of at least so many bytes, which nobody has until it is given back."""
        wanted = -(-nbytes // LEAST) * LEAST
        with self._lock:
            if self._dropped:
                self._keep([self._dropped.popleft() for _ in range(len(self._dropped))])
            place, best = -1, LOOSE * wanted + 1
            for i, (size, _) in enumerate(self._free):
                if wanted <= size < best:
                    place, best = i, size
            if place >= 0:
                self._total -= best
                return self._free.pop(place)
        return wanted, cl.Buffer(self._context, cl.mem_flags.READ_WRITE, wanted)

    def give(self, pieces: list[Piece]) -> None:
        """Take memory back; what was not used for longest is dropped where too much is kept, and what is too large."""
        with self._lock:
            self._keep(pieces)

    def _keep(self, pieces: list[Piece]) -> None:
        kept = [each for each in pieces if each[0] <= self._most]
        self._free += kept
        self._total += sum(size for size, _ in kept)
        while self._total > self._most:
            self._total -= self._free.pop(0)[0]

    def drop(self, piece: Piece) -> None:
        """Take back what an array had, if there is room for it, without waiting: garbage is collected anywhere."""
        if self._total + sum(size for size, _ in list(self._dropped)) + piece[0] <= self._most:
            self._dropped.append(piece)


class _Lease:
    """What the memory of an array holds: when that goes, its piece is given back."""

    def __init__(self, spare: Spare, piece: Piece) -> None:
        self._spare, self._piece = spare, piece

    def __del__(self) -> None:
        self._spare.drop(self._piece)


def array_between(queue: cl.CommandQueue, shape: tuple[int, ...], dtype: np.dtype[Any]) -> cla.Array:
    """Return an array of values that may be anything; its memory is given back when nobody has it any more.

    Nobody but commands of the queue may use it.
    """
    spare, nbytes = _of(queue), prod(shape) * dtype.itemsize
    if not (spare.in_order and nbytes):
        return cla.Array(queue, shape, dtype)
    piece = spare.take(nbytes)
    memory: Any = cl.Buffer.from_int_ptr(piece[1].int_ptr, retain=True)
    setattr(memory, LEASE, _Lease(spare, piece))
    return arrays.in_memory(queue, memory, shape, dtype)


class Lent:
    """Makes arrays on a queue whose memory is given back at the end of a ``with`` statement.

    Nobody but commands that are in the queue by then may use them. Where an allocator is given, their memory comes from
    it, and where the queue runs commands in any order it is new.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, allocator: Any = None) -> None:
        self._queue, self._device, self._allocator = queue, device, allocator
        self._lent: list[Piece] = []
        self._spare = _of(queue)
        self._keeps = allocator is None and self._spare.in_order

    def array(self, size: int, dtype: np.dtype[Any], name: str) -> cla.Array:
        """Return an array of values that may be anything; errors say that `name` needs it."""
        nbytes = size * dtype.itemsize
        if not (self._keeps and 0 < nbytes <= self._device.largest_allocation):
            return arrays.output_array(self._queue, self._device, (size,), dtype, name=name, allocator=self._allocator)
        piece = self._spare.take(nbytes)
        self._lent.append(piece)
        return arrays.in_memory(self._queue, piece[1], (size,), dtype)

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
