"""Copies between the host and a device, and the events that commands wait for.

A device reaches only memory that cannot be swapped out. A driver that is given other memory copies block after block
through a little of its own. Here several threads have a few blocks of such memory each: while a thread copies one of
its blocks to the array, the device writes the others.
"""

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import cycle
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import contexts
from clrng.opencl.undisturbed import undisturbed


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


BLOCK = 2**22
"""Bytes of a block."""

BLOCKS = 2
"""Blocks of a thread."""

MOST_THREADS = 16
"""The most threads: one is not enough, as new memory is given to a process page by page, which is slower than to copy;
from some number on they only fill the memory's bandwidth."""

Bytes = npt.NDArray[np.uint8]


def copy_to_host(queue: cl.CommandQueue, array: cla.Array, out: npt.NDArray[Any]) -> None:
    """Copy `array`, C-contiguous in a buffer, when its events are complete, to `out`, and return when that is done.

    `out` is C-contiguous and of as many bytes; it may begin anywhere.
    """
    if array.nbytes:
        contexts.of_queue(queue).cached(Staging)(queue.device).copy(queue, array, out.reshape(-1).view(np.uint8))


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


class Staging:
    """The threads through which copies from a device go."""

    def __init__(self, context: cl.Context, device: cl.Device) -> None:
        count = min(
            len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, MOST_THREADS
        )
        self._lanes = [Lane(context, device) for _ in range(count)]
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(max(count - 1, 1), "clrng copies")

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
        copies = [self._threads.submit(lane.copy, array, out, left) for lane in others]
        try:
            first.copy(array, out, left)
        finally:
            wait(copies)
        for copy in copies:
            copy.result()
