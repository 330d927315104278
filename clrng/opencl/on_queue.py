"""Front ends are made on a queue, and stay on it."""

from typing import Any, ClassVar

import pyopencl as cl

from clrng.opencl.devices import DeviceInfo
from clrng.validation import shown


class OnQueue:
    """A front end on one queue."""

    _elsewhere: ClassVar[str]
    """What the error for assigning another queue says: how to go on there."""

    _queue: cl.CommandQueue
    _device: DeviceInfo

    @property
    def device(self) -> DeviceInfo:
        """The device of the queue."""
        return self._device

    @property
    def queue(self) -> cl.CommandQueue:
        """The queue, which stays the same one."""
        return self._queue

    @queue.setter
    def queue(self, _: Any) -> None:
        raise AttributeError(f"queue of {type(self).__name__} cannot be changed; {self._elsewhere}")


class HasAllocator:
    """A front end that returns arrays whose memory an allocator may give."""

    _allocator: Any

    @property
    def allocator(self) -> Any:
        """What gives the memory of the arrays that are returned, or None; another may be assigned.

        Raises
        ------
        TypeError
            On assignment, if it cannot be called and is not None.
        """
        return self._allocator

    @allocator.setter
    def allocator(self, value: Any) -> None:
        if value is not None and not callable(value):
            raise TypeError(
                f"allocator must be an allocator of PyOpenCL such as pyopencl.tools.MemoryPool, or None, not "
                f"{shown(value)}"
            )
        self._allocator = value
