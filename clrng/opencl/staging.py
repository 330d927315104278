"""Copies of arrays from a device to the host, through memory that cannot be swapped out.

A device reaches only such memory. A driver that is given other memory copies block after block through a little of its
own. Here several threads have a few blocks of such memory each: while a thread copies one of its blocks to the array,
the device writes the others.
"""

import os
from collections import deque
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.kernel import of_queue
from clrng.opencl.undisturbed import undisturbed

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

BLOCK = 2**22
"""Bytes of a block."""

BLOCKS = 2
"""Blocks of a thread."""

MAX_THREADS = 12
"""The most threads: one is not enough, as new memory is given to a process page by page, which is slower than to copy;
from some number on they only fill the memory's bandwidth."""

Bytes = npt.NDArray[np.uint8]


def copy_to_host(queue: cl.CommandQueue, array: cla.Array, out: npt.NDArray[Any]) -> None:
    """Copy `array`, C-contiguous in a buffer, when its events are complete, to `out`, and return when that is done.

    `out` is C-contiguous and of as many bytes; it may begin anywhere.
    """
    if array.nbytes:
        of_queue(queue).cached(Staging)(queue.device).copy(queue, array, out.reshape(-1).view(np.uint8))


class Lane:
    """What a thread has: a queue, and blocks of memory, which stay mapped."""

    def __init__(self, context: cl.Context, device: cl.Device) -> None:
        self._queue = cl.CommandQueue(context, device)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
        self._buffers = [cl.Buffer(context, flags, BLOCK) for _ in range(BLOCKS)]
        both: Any = cl.map_flags.READ | cl.map_flags.WRITE
        self._mapped: list[Bytes] = [
            cl.enqueue_map_buffer(self._queue, buffer, both, 0, (BLOCK,), np.dtype(np.uint8), is_blocking=True)[0]
            for buffer in self._buffers
        ]

    def copy(self, array: cla.Array, out: Bytes, places: Iterator[int]) -> None:
        """Copy the blocks of `array` that begin at the next of `places`, until there are none."""
        data: Any = array.base_data  # a buffer
        begun: deque[tuple[cl.Event, Bytes, Bytes]] = deque()
        try:
            for first, memory in zip(places, cycle(self._mapped), strict=False):
                target = out[first : first + BLOCK]
                block = memory[: target.size]
                event = cl.enqueue_copy(
                    self._queue, block, data, src_offset=array.offset + first, wait_for=array.events, is_blocking=False
                )
                self._queue.flush()
                begun.append((event, block, target))
                if len(begun) == len(self._mapped):
                    _take(*begun.popleft())
            while begun:
                _take(*begun.popleft())
        except BaseException:
            self._queue.finish()  # commands may still write to the blocks
            raise


def _take(event: cl.Event, block: Bytes, target: Bytes) -> None:
    """Copy `block`, when `event` is complete, to `target`."""
    event.wait()
    np.copyto(target, block)


def _threads(count: int) -> "ThreadPoolExecutor | None":
    """Return so many threads, or None where the main one has ended: their module cannot be imported then."""
    try:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # not before it is needed
    except (ImportError, RuntimeError):
        return None
    return ThreadPoolExecutor(count, "clrng copies")


class Staging:
    """The threads through which copies from a device go."""

    def __init__(self, context: cl.Context, device: cl.Device) -> None:
        count = min(
            len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, MAX_THREADS
        )
        self._lanes = [Lane(context, device) for _ in range(count)]
        self._lock = Lock()
        self._threads = _threads(max(count - 1, 1))

    def copy(self, queue: cl.CommandQueue, array: cla.Array, out: Bytes) -> None:
        """Copy `array` to `out`; another thread's copy is waited for."""
        queue.flush()  # so that other queues may wait for its events
        with self._lock:
            places = range(0, out.size, BLOCK)
            if len(places) == 1:
                self._lanes[0].copy(array, out, iter(places))
            else:
                undisturbed(partial(self._copy, array, out, places))

    def _copy(self, array: cla.Array, out: Bytes, places: range) -> None:
        """Copy the blocks that begin at `places`, and return when no thread writes to `out` any more."""
        left = iter(places)
        first, *others = self._lanes[: len(places)]
        copies: list[Future[None]] = []
        try:
            copies += (self._threads.submit(lane.copy, array, out, left) for lane in others if self._threads)
        except RuntimeError:  # no thread may begin, as where the main one has ended; the first lane does it all
            self._threads = None  # with what waits for a thread there
        try:
            first.copy(array, out, left)
        finally:
            for copy in copies:
                copy.exception()  # waits
        for copy in copies:
            copy.result()
