"""NumPy's C interface of bit generators, numpy/random/bitgen.h, filled in with ctypes."""

import ctypes
from collections.abc import Iterator, Mapping
from threading import RLock
from types import TracebackType
from typing import Any, ClassVar

from clrng.for_numpy.prefetched import Prefetched

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


class Lock:
    """The lock that NumPy holds while it draws. When it is released, the error that came in between is raised.

    So the error of a callback ends the very call of NumPy during which it came. The lock is reentrant.

    Parameters
    ----------
    stream : Prefetched
    """

    def __init__(self, stream: Prefetched) -> None:
        self._stream = stream
        self._lock = RLock()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock, as `threading.RLock` does."""
        return self._lock.acquire(blocking, timeout)

    def release(self) -> None:
        """Release the lock; raise the error of the device, or of Ctrl-C, that came while it was held."""
        try:
            error = self._stream.settle()
        finally:
            self._lock.release()
        if error is not None:
            raise error

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
