"""The order between a queue of OpenCL and streams of CUDA, for which the host does not wait.

A kernel writes a number to shared memory when work has ended, and a stream waits for it there. The other way, a
function that CUDA calls on the host when a stream has come to it ends an event that commands of OpenCL wait for.
"""

import atexit
import ctypes as c
from contextlib import suppress
from itertools import count
from threading import Lock
from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.cuda.driver import GEQ, LEGACY, CudaDevice, CudaError, HostFunction, SharedMemory, call, library
from clrng.opencl import templates
from clrng.opencl.kernel import kernel_of
from clrng.validation import shown

NO_STREAM = -1
"""What DLPack calls the stream of a consumer that does not want to wait."""

_numbers = count(1)
_reached: dict[int, tuple[Any, CudaDevice]] = {}
"""The events that streams have not come to yet, by their numbers, and the devices of the streams."""


def _reach(number: int) -> None:
    """End an event."""
    _reached.pop(number)[0].set_status(cl.command_execution_status.COMPLETE)


def _wait() -> None:
    """Wait, at the end of the process, for streams that have functions of Python to call, which they cannot later."""
    for device in [device for _, device in list(_reached.values())]:
        with suppress(CudaError):  # after which they call none
            device.synchronize()


atexit.register(_wait)


_REACH = HostFunction(_reach)


class Order:
    """A word of shared memory that counts pieces of work that have ended."""

    def __init__(self, device: CudaDevice, memory: SharedMemory) -> None:
        self._device, self._memory, self._lock = device, memory, Lock()
        self._number = 0
        self._last: cl.Event | None = None

    def stream_waits(self, array: cla.Array, stream: int | None) -> None:
        """Have `stream`, as DLPack numbers streams, wait for the work on `array`.

        Raises
        ------
        ValueError
            If `stream` is none that DLPack knows.
        """
        if stream == NO_STREAM:
            return
        if stream is not None and (not isinstance(stream, int) or stream < LEGACY):
            raise ValueError(f"stream must be None, -1, or the number of a stream from 1 on, not {shown(stream)}")
        if not array.events:
            return
        if array.queue is None:  # in which a command could tell
            cl.wait_for_events(array.events)
            return
        queue = array.queue
        flag = kernel_of(queue, "flag", templates.program, "cuda/flag.cl.mako")
        with self._lock, self._device.current():
            before = list(array.events) + ([] if self._last is None else [self._last])
            self._number = (self._number + 1) % 2**32
            self._last = flag(queue, 1, 1, at=self._memory.buffer, number=self._number, wait_for=before)
            queue.flush()
            call("cuStreamWaitValue32_v2", c.c_void_p(stream or LEGACY), self._memory.address, self._number, GEQ)

    def is_idle(self, stream: int) -> bool:
        """Return whether `stream` has come to all that it was given."""
        with self._device.current():
            return bool(library().cuStreamQuery(c.c_void_p(stream)) == 0)

    def after(self, context: cl.Context, stream: int) -> cl.Event:
        """Return an event of OpenCL that ends when `stream` has come to what it has been given so far."""
        event, number = cl.UserEvent(context), next(_numbers)
        _reached[number] = event, self._device
        try:
            with self._device.current():
                call("cuLaunchHostFunc", c.c_void_p(stream), _REACH, c.c_void_p(number))
        except BaseException:
            _reached.pop(number, None)
            raise
        return event
