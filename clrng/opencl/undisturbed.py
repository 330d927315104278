"""Calls that no signal disturbs.

Python runs the handler of a signal, such as that of Ctrl-C, in the main thread alone: between two bytecodes, or in a
wait that C code lets signals end. What the handler raises may so end any function at any place.

`undisturbed` makes a call in a thread of its own, where no handler ever runs. The thread that asks for it waits in C
code that signals do not end. It is C code, too, that starts the one thread and lets the other wait, and no bytecode
lies between. So a handler runs before the call begins or after it has ended, and never in between.
"""

import ctypes
from _thread import start_new_thread
from collections.abc import Callable, Sequence
from functools import partial
from itertools import repeat, starmap
from typing import Any, TypeVar, cast

Result = TypeVar("Result")

_python = ctypes.CDLL(None, handle=ctypes.pythonapi._handle)  # noqa: SLF001  # lets other threads run meanwhile
_allocate = _python.PyThread_allocate_lock
_allocate.restype, _allocate.argtypes = ctypes.c_void_p, ()
_acquire = _python.PyThread_acquire_lock
_acquire.restype, _acquire.argtypes = ctypes.c_int, (ctypes.c_void_p, ctypes.c_int)
_release = _python.PyThread_release_lock
_release.restype, _release.argtypes = None, (ctypes.c_void_p,)
_free = _python.PyThread_free_lock
_free.restype, _free.argtypes = None, (ctypes.c_void_p,)


class Latch:
    """What a thread waits for and another one opens; a signal does not end the wait."""

    __slots__ = ("__del__", "open", "wait")

    def __init__(self) -> None:
        lock = _allocate()
        _acquire(lock, 1)
        self.wait, self.open = partial(_acquire, lock, 1), partial(_release, lock)
        self.__del__ = partial(_free, lock)  # in C too, where no interrupt gets lost


def in_turn(*calls: Callable[[], object]) -> Callable[[], tuple[Any, ...]]:
    """Return a function of C that makes `calls`, one after the other, and returns their results.

    No bytecode lies between those that are functions of C themselves. If one raises an error, those behind it are not
    made; the function can be called again.
    """
    return zip(*(starmap(call, repeat(())) for call in calls), strict=False).__next__


class _Errand:
    """A call that another thread makes."""

    def __init__(self, call: Callable[[], Any]) -> None:
        latch = Latch()
        self._found: list[tuple[Any, BaseException | None]] = []
        found = self._found

        def make() -> None:
            try:
                found.append((call(), None))
            except BaseException as error:  # noqa: BLE001  # it is raised where the call was asked for
                found.append((None, error))
            finally:
                latch.open()

        self.start, self.wait = partial(start_new_thread, make, ()), latch.wait

    def result(self) -> Any:
        """Return what the call returned, or raise what it raised, once it has ended."""
        result, error = self._found.pop()
        if error is None:
            return result
        try:
            raise error
        finally:
            del error  # which holds this frame


def undisturbed(call: Callable[[], Result]) -> Result:
    """Return what `call` returns or raise what it raises; interrupts are raised before it begins or after its end."""
    errand = _Errand(call)
    in_turn(errand.start, errand.wait)()
    return cast("Result", errand.result())


def at_once(calls: Sequence[Callable[[], object]]) -> None:
    """Make all `calls` at the same time, a thread each, and return when all have ended; the first error is raised.

    An interrupt is raised when all have ended, or before any has begun. A single call is made in this thread.
    """
    if len(calls) == 1:
        calls[0]()
    elif calls:
        undisturbed(partial(_at_once, calls))


def _at_once(calls: Sequence[Callable[[], object]]) -> None:
    """Make all calls at once, of which this thread makes the first; no signal disturbs it."""
    first, *others = calls
    errands, begun = [_Errand(call) for call in others], []
    try:
        for errand in errands:
            errand.start()
            begun.append(errand)
        first()
    finally:
        for errand in begun:
            errand.wait()
    for errand in errands:
        errand.result()
