"""What NumPy must get from a stream, in plain Python: an oracle of single values, and a bit generator of NumPy."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

import clrng


class Oracle:
    """The values that NumPy asks for, made one by one of those that `sequence` gives.

    Parameters
    ----------
    bits : BitGenerator
    length : int
        How many raw values there are.

    Attributes
    ----------
    position : int
        How many were taken.
    bits : BitGenerator
    """

    def __init__(self, bits: clrng.BitGenerator, length: int) -> None:
        self._values = bits.sequence(length).tolist()
        self._least, self._bound = bits.min_value, bits.upper_bound
        self._start, self._waits, self._half = bits, False, 0
        self.position = 0

    @property
    def bits(self) -> clrng.BitGenerator:
        """The bit generator that stands where the oracle does, with the half that waits."""
        found = self._start.jumped(self.position)
        if self._start.has_halves:
            found.state = {**found.state, "has_uint32": int(self._waits), "uinteger": self._half}
        return found

    def raw(self) -> int:
        """Return the next raw value."""
        self.position += 1
        value: int = self._values[self.position - 1]
        return value

    def double(self) -> float:
        """Return x / d as Python divides integers, rounded correctly; for d above 2^53 rounded down to n 2^-53."""
        x, d = self.raw(), self._bound
        return x / d if d <= 2**53 else x * 2**53 // d / 2**53

    def word(self, length: int) -> int:
        """Return floor(X 2^length / m^K) with the least K for which that is uniform, or up to 2^-40."""
        m, n = self._bound - self._least, 2**length
        number, numbers = 0, 1
        while numbers == 1 or (numbers % n and 4 * numbers < n * 2**40):
            number, numbers = number * m + self.raw() - self._least, numbers * m
        return number * n // numbers

    def uint32(self) -> int:
        """Return the next integer of 32 bits: of NumPy's own generators a half, the low one of a raw value first."""
        if not self._start.has_halves:
            return self.word(32)
        self._waits = not self._waits
        if not self._waits:
            return self._half
        self._half, low = divmod(self.raw(), 2**32)
        return low

    def uint64(self) -> int:
        """Return the next integer of 64 bits."""
        return self.word(64)


class _Bitgen(ctypes.Structure):
    """bitgen_t of numpy/random/bitgen.h."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)),
        ("next_uint32", ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)),
        ("next_double", ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)),
        ("next_raw", ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)),
    )


class OracleBitGenerator(np.random.BitGenerator):
    """A bit generator of NumPy that gives what an oracle does.

    Parameters
    ----------
    oracle : Oracle
    seed : int or SeedSequence, optional
        What its children are made from; not its values.
    """

    def __init__(self, oracle: Oracle, seed: Any = 0) -> None:
        super().__init__(seed)
        get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
        get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        self._bitgen = _Bitgen.from_address(get_pointer(self.capsule, b"BitGenerator"))
        calls = (oracle.uint64, oracle.uint32, oracle.double, oracle.raw)
        self._kept = [
            kind(self._without_state(call)) for (_, kind), call in zip(_Bitgen._fields_[1:], calls, strict=True)
        ]
        for (name, _), function in zip(_Bitgen._fields_[1:], self._kept, strict=True):
            setattr(self._bitgen, name, function)

    @staticmethod
    def _without_state(call: Callable[[], Any]) -> Callable[[object], Any]:
        return lambda _: call()
