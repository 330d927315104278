"""OpenCL works in the process that began to use it until that ends, and not in a forked copy of that process."""

import os
import sys
import time
from pathlib import Path
from threading import Lock, get_ident
from types import FrameType

from clrng.errors import ForkError

OWN = f"{Path(__file__).parent.parent}{os.sep}"
"""The folder with the code of clrng."""

LONGEST_REST = 0.5
"""Seconds that the end of a process waits for threads in PyOpenCL, which may come back to it again and again."""

_users: list[int] = []
"""The number of the process that began to use OpenCL, once one has; forked processes have a copy of this list."""


_ending: list[int] = []
"""The thread that ends the process, once it does."""

_stopped: set[int] = set()
"""The threads that have been stopped since."""

_never = Lock()
_never.acquire()


def check() -> None:
    """Take note that this process uses OpenCL; every call of a user begins with this, before it takes a lock.

    It does not return where another thread ends the process: a driver may crash if it is used while it is taken down.
    """
    if _ending and _ending[0] != get_ident():
        _stopped.add(get_ident())
        _never.acquire()
    process = os.getpid()
    if not _users:
        _users.append(process)
    elif _users[0] != process:
        raise ForkError(
            f"OpenCL does not work in process {process}, which was forked from process {_users[0]} after that had used "
            f"it. Start processes with the 'spawn' or the 'forkserver' method, as multiprocessing.get_context('spawn') "
            f"does, and make queues and generators in them, or fork before anything uses OpenCL; bit generators work "
            f"in every process"
        )


def is_user() -> bool:
    """Return whether this process uses OpenCL, and was not forked from one that did."""
    return _users == [os.getpid()]


def end(until: float) -> None:
    """Let this thread alone begin calls from now on; wait for those of others until the monotonic clock says `until`.

    These are daemons, as Python has waited for all others before.
    """
    _ending.append(get_ident())
    rest = min(until, time.monotonic() + LONGEST_REST)
    pyopencl = f"{Path(str(sys.modules['pyopencl'].__file__)).parent}{os.sep}"
    while (_others_are_in(OWN) and time.monotonic() < until) or (_others_are_in(pyopencl) and time.monotonic() < rest):
        time.sleep(0.001)


def _others_are_in(folder: str) -> bool:
    """Return whether another thread runs code of a folder, or code that this has called, and has not been stopped."""
    others = {thread: frame for thread, frame in sys._current_frames().items() if thread != get_ident()}  # noqa: SLF001
    return any(thread not in _stopped and _is_in(folder, frame) for thread, frame in others.items())


def _is_in(folder: str, frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(folder):
            return True
        frame = frame.f_back
    return False
