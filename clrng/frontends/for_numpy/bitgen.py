"""NumPy's C interface of bit generators, numpy/random/bitgen.h, filled in with ctypes."""

import ctypes
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat, starmap
from threading import RLock
from typing import Any, ClassVar

FUNCTIONS = {
    "uint64": ctypes.CFUNCTYPE(ctypes.c_uint64),
    "uint32": ctypes.CFUNCTYPE(ctypes.c_uint32),
    "double": ctypes.CFUNCTYPE(ctypes.c_double),
    "raw": ctypes.CFUNCTYPE(ctypes.c_uint64),
}
"""The types of the functions, by the kinds of their values.

C code calls them with the state, of which they know nothing: in C's calling conventions that is the business of who
calls. So ctypes calls an iterator itself, which is twice as fast as a function of Python's."""

_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class Bitgen(ctypes.Structure):
    """The structure bitgen_t."""

    _fields_: ClassVar = [("state", ctypes.c_void_p), *((f"next_{kind}", FUNCTIONS[kind]) for kind in FUNCTIONS)]


def fill_in(capsule: Any, iterators: Mapping[str, Iterator[Any]]) -> list[Any]:
    """Let the functions of the bitgen_t in `capsule` give what `iterators` do; return what must live as long as it."""
    bitgen = Bitgen.from_address(_get_pointer(capsule, b"BitGenerator"))
    functions = {kind: FUNCTIONS[kind](iterators[kind].__next__) for kind in FUNCTIONS}
    for kind, function in functions.items():
        setattr(bitgen, f"next_{kind}", function)
    return list(functions.values())


class _Method(ctypes.Structure):
    """The structure PyMethodDef: what Python knows of a function of C."""

    _fields_: ClassVar = [
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("text", ctypes.c_char_p)
    ]  # fmt: skip


_FASTCALL = 0x80
"""Such a function is given its object, the address of the arguments and their number."""

_next = _Method(b"next", ctypes.cast(ctypes.pythonapi.PyIter_Next, ctypes.c_void_p), _FASTCALL, None)

_new_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


def asking(iterator: Iterator[Any]) -> Callable[..., Any]:
    """Return a function of C that asks an iterator, whatever arguments it is given.

    It is C's own function, which looks at its first argument alone.
    """
    found: Callable[..., Any] = _new_function(ctypes.addressof(_next), iterator, None)
    return found


def _raise_first(errors: list[BaseException], *_: None) -> None:
    """Raise the first of the errors that were there when a lock was released."""
    if errors:
        try:
            raise errors[0]
        finally:
            del errors  # which hold this frame


class Lock:
    """The lock that NumPy holds while it draws. When it is released, the error that came in between is raised.

    So the error of a callback ends the very call of NumPy during which it came. The lock is reentrant.

    A signal may come at any time, and a handler that raises something while Python takes the lock or gives it back
    would leave it held for ever. So both are functions of C alone, and no handler runs before the lock is free.

    Parameters
    ----------
    errors : list
        Where callbacks put errors. It is emptied when the lock is released.

    Attributes
    ----------
    acquire : callable
        Takes the lock, as `threading.RLock` does.
    release : callable
        Releases it, and raises the first of the errors.
    """

    __slots__ = ("__enter__", "__exit__", "acquire", "release")

    def __init__(self, errors: list[BaseException]) -> None:
        lock = RLock()
        self.acquire = self.__enter__ = lock.acquire
        steps = (starmap(call, repeat(())) for call in (errors.copy, errors.clear, lock.release))
        self.release = self.__exit__ = asking(map(_raise_first, *steps))  # which makes them in turn, as `in_turn` does
