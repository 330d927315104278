"""What a raw value is turned into before it is stored: itself, or a uniform number."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Distribution:
    """A transform of raw values, one output for each.

    Attributes
    ----------
    template : str
        Its file in ``cl_kernels/distributions``, without the ending.
    dtype : numpy.dtype or None
        The type of an output; None is that of the raw values.
    bits : int
        For uniform numbers, those of the significand.
    """

    template: str
    dtype: np.dtype[Any] | None
    bits: int = 0

    def values(self, denominator: int) -> dict[str, Any]:
        """Return the values its template needs for raw values below `denominator`."""
        return {"bits": self.bits, "division": self.division(denominator), "denominator": denominator}

    def division(self, denominator: int) -> str:
        """Return how it divides a raw value x by `denominator` d.

        ``"shift"`` where d is a power of two, or one less than one of more than `bits` bits, as the lower bits of x
        can then not reach the next multiple of 2^-bits; ``"divide"`` for float64 where x is exact and IEEE division
        rounds correctly; else a quotient that may be one too small and is put right, from a reciprocal of ``"short"``
        words of 32 bits or ``"long"`` ones of 64.
        """
        exact = self.bits == np.finfo(np.float64).nmant + 1 and denominator <= 2**self.bits
        if denominator & (denominator - 1) == 0:
            return "shift"
        if exact:
            return "divide"
        if denominator & (denominator + 1) == 0 and denominator > 2**self.bits:
            return "shift"
        return "short" if denominator <= 2**32 else "long"


RAW = Distribution("raw", None)
UNIFORM = {
    "float32": Distribution("uniform", np.dtype("float32"), 24),
    "float64": Distribution("uniform", np.dtype("float64"), 53),
}
"""The uniform distributions on [0, 1) by dtype."""
