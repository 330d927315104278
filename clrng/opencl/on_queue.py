"""What is made on one queue and stays there."""

from typing import Any, ClassVar

import pyopencl as cl


class OnQueue:
    """A front end on one queue."""

    _elsewhere: ClassVar[str]
    """How to go on in another queue."""

    _queue: cl.CommandQueue

    @property
    def queue(self) -> cl.CommandQueue:
        """The queue, which stays the same one."""
        return self._queue

    @queue.setter
    def queue(self, _: Any) -> None:
        raise AttributeError(f"queue of {type(self).__name__} cannot be changed; {self._elsewhere}")
