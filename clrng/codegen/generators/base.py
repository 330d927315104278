"""What the source and the launches need to know of a recurrence in an arithmetic."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np

    from clrng.bit_generators import BitGenerator
    from clrng.codegen.arithmetic import Arithmetic

CTYPES = {"uint32": "uint", "uint64": "ulong", "float32": "float", "float64": "double"}
"""The OpenCL types of dtypes."""


def suffix(width: int) -> str:
    """Return what is put behind the name of a type for a vector of `width`."""
    return "" if width == 1 else str(width)


class GeneratorCode(ABC):
    """A recurrence, written for a device in an arithmetic.

    Parameters
    ----------
    recurrence : BitGenerator
        Gives the parameters; its state is not looked at.
    arithmetic : Arithmetic

    Attributes
    ----------
    word, value : numpy.dtype
        The types of a word of state and of a raw value.
    fills_in_blocks : bool
        Whether a fill gives every lane a block of its own, because a step is cheaper than a jump; else a lane goes on
        by strides.
    fits_registers : bool
        Whether the state is a structure that a work-item holds, with a step of its own.
    """

    fills_in_blocks = False
    fits_registers = True

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        self.recurrence = recurrence
        self.arithmetic = arithmetic
        self.word: np.dtype[Any] = recurrence.word_dtype
        self.value: np.dtype[Any] = recurrence.dtype

    @property
    def key(self) -> Hashable:
        """What tells its text apart from that of other forms."""
        return type(self), self.arithmetic, self.recurrence.summary

    @property
    def order(self) -> int:
        """The number of words of a state."""
        return self.recurrence.order

    @property
    def max_vector_width(self) -> int:
        """The longest vector it is written for: one that fills 64 bytes."""
        return min(self.arithmetic.max_vector_width, 64 // self.word.itemsize)

    @abstractmethod
    def stride(self, n: int) -> tuple[int, ...]:
        """Return the words of a stride of `n` steps, as the device takes them."""

    @abstractmethod
    def generator(self, prefix: str, width: int) -> str:
        """Return the arithmetic and the recurrence on vectors of `width`, every name beginning with `prefix`."""

    def _common(self, prefix: str, width: int) -> dict[str, Any]:
        word = CTYPES[self.word.name]
        return {
            "p": prefix,
            "width": width,
            "w": suffix(width),
            "half": suffix(width // 2),
            "word": word,
            "u": "u" if word == "uint" else "UL",
            "value": CTYPES[self.value.name],
            "order": self.order,
            "modulus": self.recurrence.modulus,
        }
