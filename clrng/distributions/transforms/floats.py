"""Uniform numbers in [0, 1), divided by the number of raw values or as other libraries make them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clrng.distributions.transforms.transform import Transform


@dataclass(frozen=True)
class Uniform(Transform):
    """A raw value divided by the upper bound of raw values, with so many bits of the significand."""

    bits: int = 24

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: ARG002, D102  # as inherited
        return {"bits": self.bits, "division": self.division(upper_bound), "denominator": upper_bound}

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


UNIFORM = {
    "float32": Uniform("uniform", np.dtype("float32"), bits=24),
    "float64": Uniform("uniform", np.dtype("float64"), bits=53),
}
"""The uniform distributions on [0, 1) by dtype."""

LIBRARY_FLOATS = ("random_sample", "generate_canonical")
"""The names of the functions of libraries."""


@dataclass(frozen=True)
class LibraryFloat(Transform):
    """What a function of a library, one of `LIBRARY_FLOATS`, makes of raw values."""

    function: str = LIBRARY_FLOATS[0]

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {**super().values(min_value, upper_bound), "digit_bits": upper_bound.bit_length() - 1}
