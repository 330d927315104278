"""Uniform numbers in [0, 1) as other libraries make them of raw values of 32 or 64 bits."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from clrng import validation
from clrng.distributions.distribution import Distribution
from clrng.distributions.transform import Transform

LIBRARY_FLOATS = ("random_sample", "generate_canonical")
"""The names of the functions of libraries."""

RAW_VALUES = (2**32, 2**64)


@dataclass(frozen=True)
class LibraryFloats(Distribution):
    """Uniform numbers in [0, 1) as a function of a library makes them of whole words of 32 or 64 bits.

    ``"random_sample"`` is that of NumPy, in `RandomState` and in `Generator.random` on its MT19937, and Python's
    ``random.random``: 53 bits, the upper 27 of a raw value and the upper 26 of the next, or the upper 53 of one of 64
    bits; as float32 the upper 24 of one, as NumPy's `Generator` has them. ``"generate_canonical"`` is that of C++: the
    number whose digits to the base 2^32 or 2^64 the raw values are, the lowest first, rounded to the nearest number and
    divided by the power that it is below; 1 is replaced by the number below it.

    Attributes
    ----------
    function : {"random_sample", "generate_canonical"}
    """

    function: str

    dtypes: ClassVar[tuple[str, ...]] = ("float64", "float32")

    def __post_init__(self) -> None:
        validation.choice("function", self.function, LIBRARY_FLOATS)

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Transform:  # noqa: D102
        if min_value or upper_bound not in RAW_VALUES:
            raise ValueError(
                f"{self.function} needs raw values of 32 or 64 bits, each from 0 on, as those of MT19937 are, not from "
                f"{min_value} to {upper_bound - 1}"
            )
        steps = 2 if dtype == np.float64 and upper_bound == RAW_VALUES[0] else 1
        return LibraryFloat("library_float", dtype, steps, function=self.function)


@dataclass(frozen=True)
class LibraryFloat(Transform):
    """What a function of a library makes of raw values.

    Attributes
    ----------
    function : str
        One of `LIBRARY_FLOATS`.
    """

    function: str = LIBRARY_FLOATS[0]

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: ARG002, D102  # as inherited
        return {"function": self.function, "digit_bits": upper_bound.bit_length() - 1}
