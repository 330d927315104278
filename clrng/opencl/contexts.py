"""What clrng keeps for an OpenCL context, such as its built programs, for as long as the context is in use.

A program or a buffer holds its context, so a cache of them in a module would keep every context alive for ever. They
are kept in a `Kept` instead, which those who use the context hold: each queue that a front end was made on, as an
attribute, and each kernel. When the last of them goes, it goes too. All queues of one context have the same one.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from threading import Lock
from typing import Any
from weakref import WeakMethod, WeakValueDictionary

import pyopencl as cl

ATTRIBUTE = "_clrng_kept"
"""What the attribute of a queue is called."""

MOST_KEPT = 256
"""Results of a function that are kept for a context."""


class Kept:
    """What is kept for a context.

    Parameters
    ----------
    context : pyopencl.Context
    """

    def __init__(self, context: cl.Context) -> None:
        self._context = context
        self._functions: dict[Callable[..., Any], Callable[..., Any]] = {}

    def cached(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function` with the context as its first argument, and with a cache of its results."""
        found = self._functions.get(function)
        if found is None:
            found = self._functions[function] = lru_cache(maxsize=MOST_KEPT)(partial(function, self._context))
        return found


_all: WeakValueDictionary[int, Kept] = WeakValueDictionary()
_lock = Lock()


def of_context(context: cl.Context) -> Kept:
    """Return what is kept for `context`; it lasts as long as somebody holds it."""
    with _lock:
        found = _all.get(context.int_ptr)
        if found is None:
            found = _all[context.int_ptr] = Kept(context)
        return found


def of_queue(queue: cl.CommandQueue) -> Kept:
    """Return what is kept for the context of `queue`; from now on the queue holds it."""
    found: Kept | None = getattr(queue, ATTRIBUTE, None)
    if found is None:
        found = of_context(queue.context)
        setattr(queue, ATTRIBUTE, found)
    return found


def kept(method: Callable[..., Any], most: int | None = None) -> Any:
    """Return a method that keeps its results, all or the `most` last ones; as `functools.lru_cache` does.

    Unlike a cache of the bound method it does not hold the object. What that has on a device is so freed with its last
    user, and not when Python next looks for circles of references.
    """
    weak = WeakMethod(method)

    @lru_cache(maxsize=most)
    def call(*arguments: Any) -> Any:
        bound = weak()
        if bound is None:
            raise ReferenceError("a method is called whose object is gone")
        return bound(*arguments)

    return call
