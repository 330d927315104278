"""What clrng keeps for an OpenCL context, such as its built programs, for as long as the context is in use.

A program or a buffer holds its context, so a cache of them in a module would keep every context alive for ever. They
are kept in a `ContextCache` instead, which each queue holds, as an attribute, that a front end was made on. When the
last of these queues goes, it goes too. All queues of one context have the same one.
"""

import atexit
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from threading import Lock
from typing import Any
from weakref import WeakMethod, WeakSet, WeakValueDictionary

import pyopencl as cl

from clrng.opencl import processes

ATTRIBUTE = "_clrng_kept"
"""The name of the attribute by which a queue holds it."""

SEEN = "_clrng_seen"
"""The name of the attribute that marks a queue seen before."""

LONGEST_WAIT = 10
"""Seconds that the end of a process waits for its queues: an event that it waits for may never come."""

MOST_KEPT = 256
"""Results of a function that are kept for a context."""


class ContextCache:
    """The cache of a context: its programs and kernels, tables in its memory, and what else is made once for it."""

    def __init__(self, context: cl.Context) -> None:
        self._context = context
        self._functions: dict[Callable[..., Any], Callable[..., Any]] = {}

    def cached(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function` with the context as its first argument, and with a cache of its results."""
        try:
            return self._functions[function]
        except KeyError:
            found = self._functions[function] = lru_cache(maxsize=MOST_KEPT)(partial(function, self._context))
            return found


class Seen:
    """A queue that a front end uses, which holds this; PyOpenCL's queues themselves cannot be referred to weakly."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._pointer = queue.int_ptr

    def wait(self, end: float) -> None:
        """Wait until the queue is idle, or the monotonic clock says `end`; an interrupt is not held up."""
        with suppress(cl.Error):
            queue = cl.CommandQueue.from_int_ptr(self._pointer, retain=True)
            marker = cl.enqueue_marker(queue)
            queue.flush()
            while marker.command_execution_status > cl.command_execution_status.COMPLETE and time.monotonic() < end:
                time.sleep(0.001)


_all: WeakValueDictionary[int, ContextCache] = WeakValueDictionary()
_queues: "WeakSet[Seen]" = WeakSet()
_lock = Lock()


def of_context(context: cl.Context) -> ContextCache:
    """Return what is kept for `context`; it lasts as long as somebody holds it."""
    with _lock:
        found = _all.get(context.int_ptr)
        if found is None:
            found = _all[context.int_ptr] = ContextCache(context)
        return found


def of_queue(queue: cl.CommandQueue) -> ContextCache:
    """Return what is kept for the context of `queue`; from now on the queue holds it."""
    found: ContextCache | None = getattr(queue, ATTRIBUTE, None)
    if found is None:
        found = of_context(queue.context)
        seen = Seen(queue)
        setattr(queue, SEEN, seen)
        with _lock:
            if not _queues:
                atexit.unregister(_finish)
                atexit.register(_finish)  # only now, so that it comes before the removal of folders of compilers
            _queues.add(seen)
        setattr(queue, ATTRIBUTE, found)  # last of all, so that an interrupt leaves nothing out
    return found


def _finish() -> None:
    """Wait at the end of the process until its queues are idle: PoCL crashes if it then still compiles or works.

    Threads that are daemons begin no other calls.
    """
    if processes.is_user():
        end = time.monotonic() + LONGEST_WAIT
        processes.end(end)
        for seen in list(_queues):
            seen.wait(end)


def cached_method(method: Callable[..., Any], most: int | None = None) -> Any:
    """Return a method that keeps its results, all or the `most` last ones; as `functools.lru_cache` does.

    Unlike a cache of the bound method it has no reference to the object. So what the object has on a device is freed
    with its last user, and not when Python next collects cycles of references.
    """
    weak = WeakMethod(method)

    @lru_cache(maxsize=most)
    def call(*arguments: Any) -> Any:
        bound = weak()
        if bound is None:
            raise ReferenceError("a method is called whose object is gone")
        return bound(*arguments)

    return call
