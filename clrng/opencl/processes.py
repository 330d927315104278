"""OpenCL works in the process that began to use it, not in a forked copy of that process."""

import os

from clrng.errors import ForkError

_users: list[int] = []
"""The number of the process that began to use OpenCL, once one has; forked processes have a copy of this list."""


def check() -> None:
    """Take note that this process uses OpenCL.

    Raises
    ------
    ForkError
        If it was forked from one that used it before: calls of OpenCL would then wait for ever for threads that only
        the other process has.
    """
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
