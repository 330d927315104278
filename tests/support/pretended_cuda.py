"""CUDA's driver as a processor can pretend it: streams are threads, and memory that is shared is the host's.

What `clrng.cuda` does of itself is seen so without a GPU: what it refuses, which stream or queue waits for which, and
what becomes of memory. A stream stands still between `hold` and `go_on`, and what does not wait sees old values.
"""

import ctypes as c
import threading
from collections import defaultdict
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

from clrng.cuda import driver, foreign, order, pool

CONTEXT, OTHER_CONTEXT = 77, 78
LEGACY, STREAM = 1, 5
SECONDS = 30
"""After which a stream that waits for a number is taken to wait for ever."""

NOT_READY, INVALID, FAILED = 600, 1, 700

HELD: list[np.ndarray] = []
"""All memory that was made: commands that nobody waited for may still write to it."""


class Stream:
    """What a stream of CUDA is given is done by a thread, one after the other."""

    def __init__(self) -> None:
        self._given: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._left = 0
        self._changed = threading.Condition()
        self._gate = threading.Event()
        self._gate.set()
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            self._given.get()()
            with self._changed:
                self._left -= 1
                self._changed.notify_all()

    def give(self, work: Callable[[], object]) -> None:
        """Do `work` when all is done that was given before."""
        with self._changed:
            self._left += 1
        self._given.put(work)

    def hold(self) -> None:
        """Stand still from here on."""
        self._gate.clear()
        self.give(self._gate.wait)

    def go_on(self) -> None:
        """Stand still no longer."""
        self._gate.set()

    def is_idle(self) -> bool:
        """Return whether all is done."""
        return self._left == 0

    def synchronize(self) -> None:
        """Wait until all is done."""
        with self._changed:
            assert self._changed.wait_for(self.is_idle, SECONDS), "a stream waits for ever"


class Driver:
    """The functions of the driver that are called, by their names; they return 0 or the code of an error."""

    def __init__(self) -> None:
        self.streams: defaultdict[int, Stream] = defaultdict(Stream)
        self.free, self.synchronized, self.failed = 2**26, 0, False
        self.refusal = "cuMemCreate", 2
        self.places: dict[int, tuple[int, int]] = {}  # The device and context of an address that is not as usual

    def cuCtxPushCurrent_v2(self, _: Any) -> int:  # noqa: N802, D102
        return 0

    def cuCtxPopCurrent_v2(self, _: Any) -> int:  # noqa: N802, D102
        return 0

    def cuCtxSynchronize(self) -> int:  # noqa: N802, D102
        self.synchronized += 1
        if self.failed:
            return FAILED
        for stream in list(self.streams.values()):
            stream.synchronize()
        return 0

    def cuMemGetInfo_v2(self, free: Any, _: Any) -> int:  # noqa: N802, D102
        free._obj.value = self.free
        return 0

    def cuMemcpyDtoDAsync_v2(self, to: int, source: int, size: int, stream: Any) -> int:  # noqa: N802, D102
        self.streams[stream.value].give(lambda: c.memmove(to, source, size))
        return 0

    def cuStreamQuery(self, stream: Any) -> int:  # noqa: N802, D102
        return 0 if self.streams[stream.value].is_idle() else NOT_READY

    def cuStreamWaitValue32_v2(self, stream: Any, address: int, value: int, _: int) -> int:  # noqa: N802, D102
        word = c.c_uint32.from_address(address)

        def wait() -> None:
            for _ in range(1000 * SECONDS):
                if (word.value - value) % 2**32 < 2**31:
                    return
                threading.Event().wait(0.001)

        self.streams[stream.value].give(wait)
        return 0

    def cuLaunchHostFunc(self, stream: Any, function: Any, data: Any) -> int:  # noqa: N802, D102
        if self.failed:
            return FAILED
        self.streams[stream.value].give(lambda: function(data))
        return 0

    def cuPointerGetAttribute(self, out: Any, what: int, address: int) -> int:  # noqa: N802, D102
        device, context = self.places.get(address, (0, CONTEXT))
        if device < 0:
            return INVALID
        out._obj.value = device if what == foreign.ORDINAL else context
        return 0


class Device(driver.CudaDevice):
    """A device of CUDA that needs no GPU."""

    imports_much = True

    def __init__(self, _: cl.Device) -> None:
        self.number, self.context = 0, CONTEXT


class Memory:
    """Memory that both have, as `clrng.cuda.driver.SharedMemory`."""

    def __init__(self, given: Driver, context: cl.Context, size: int) -> None:
        self.size = -(-size // driver.GRANULE) * driver.GRANULE
        if self.size > given.free:
            raise driver.CudaError(*given.refusal)
        given.free -= self.size
        held = np.zeros(self.size + 4096, np.uint8)
        self._driver, values = given, held[-held.ctypes.data % 4096 :][: self.size]
        HELD.append(values)
        self.address = values.ctypes.data
        self.buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=values)

    def release(self) -> None:
        """Give it back."""
        self.buffer.release()
        self._driver.free += self.size


class Tensor:
    """An array of a library of CUDA that works in the stream `stream`, or does not say in which."""

    def __init__(self, values: np.ndarray, stream: int | None = STREAM, **named: Any) -> None:
        self.values = values
        self.__cuda_array_interface__ = {
            "shape": values.shape, "typestr": values.dtype.str, "data": (values.ctypes.data, False), "version": 3,
            "strides": values.strides, "stream": stream, **named,
        }  # fmt: skip


def pretend(monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Return the driver that `clrng.cuda` calls from now on."""
    made = Driver()
    for module in (driver, order):
        monkeypatch.setattr(module, "library", lambda: made)
    for module in (pool, foreign):
        monkeypatch.setattr(module, "CudaDevice", Device)
    monkeypatch.setattr(pool, "SharedMemory", lambda context, _, size: Memory(made, context, size))
    return made
