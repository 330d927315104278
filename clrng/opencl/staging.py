"""Copies from a device to memory of NumPy, through memory that the device can write to directly.

A device reaches only memory that cannot be swapped out. A driver that is given other memory copies piece after piece
through a little of its own. Here are two pieces of it: while the host copies one, the device writes the other.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from itertools import cycle
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import contexts

PIECE = 2**23
"""Bytes of a piece."""

THREADS = 4
"""How many threads copy a whole piece. New memory is given to a process page by page, which is slower than to copy."""

Bytes = npt.NDArray[np.uint8]


def copy_to_host(queue: cl.CommandQueue, array: cla.Array, out: npt.NDArray[Any]) -> None:
    """Copy `array`, when its events are complete, to `out`, and return when that is done.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
        One of the context of `array`.
    array : pyopencl.array.Array
        C-contiguous and in a buffer.
    out : ndarray
        C-contiguous, writeable, and of as many bytes; it may begin anywhere.
    """
    if array.nbytes:
        contexts.of_queue(queue).cached(Staging)().copy(queue, array, out.reshape(-1).view(np.uint8))


class Staging:
    """Two pieces of memory of a context through which copies go; they stay mapped.

    Parameters
    ----------
    context : pyopencl.Context
    """

    def __init__(self, context: cl.Context) -> None:
        queue = cl.CommandQueue(context, context.devices[0])
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
        self._buffers = [cl.Buffer(context, flags, PIECE) for _ in range(2)]
        both: Any = cl.map_flags.READ | cl.map_flags.WRITE
        self._mapped: list[Bytes] = [
            cl.enqueue_map_buffer(queue, buffer, both, 0, (PIECE,), np.dtype(np.uint8), is_blocking=True)[0]
            for buffer in self._buffers
        ]
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(THREADS, "clrng copies")

    def copy(self, queue: cl.CommandQueue, array: cla.Array, out: Bytes) -> None:
        """Copy `array` to `out`; another thread's copy is waited for."""
        with self._lock:
            try:
                self._copy(queue, array, out)
            except BaseException:
                queue.finish()  # commands may still write to the pieces
                raise

    def _copy(self, queue: cl.CommandQueue, array: cla.Array, out: Bytes) -> None:
        data: Any = array.base_data  # a buffer
        written: tuple[cl.Event, Bytes, Bytes] | None = None
        for first, memory in zip(range(0, out.size, PIECE), cycle(self._mapped), strict=False):
            target = out[first : first + PIECE]
            piece = memory[: target.size]
            event = cl.enqueue_copy(
                queue, piece, data, src_offset=array.offset + first, wait_for=array.events, is_blocking=False
            )
            queue.flush()
            if written:
                self._take(*written)
            written = event, piece, target
        if written:
            self._take(*written)

    def _take(self, event: cl.Event, piece: Bytes, target: Bytes) -> None:
        """Copy `piece`, when `event` is complete, to `target`."""
        event.wait()
        if piece.size < PIECE:
            np.copyto(target, piece)
            return
        parts = zip(np.array_split(target, THREADS), np.array_split(piece, THREADS), strict=True)
        copies = [self._threads.submit(np.copyto, *part) for part in parts]
        try:
            for copy in copies:
                copy.result()
        finally:
            wait(copies)  # also where an interrupt ended the loop, so that nobody writes to the array afterwards
