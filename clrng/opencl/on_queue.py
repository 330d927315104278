"""Front ends are made on a queue, and stay on it."""

from typing import Any, ClassVar

import pyopencl as cl


class OnQueue:
    """A front end on one queue."""

    _elsewhere: ClassVar[str]
    """What the error for assigning another queue says: how to go on there."""

    _queue: cl.CommandQueue

    @property
    def queue(self) -> cl.CommandQueue:
        """The queue, which stays the same one."""
        return self._queue

    @queue.setter
    def queue(self, _: Any) -> None:
        raise AttributeError(f"queue of {type(self).__name__} cannot be changed; {self._elsewhere}")
