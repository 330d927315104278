"""float16 and bfloat16 numbers: those of float32, rounded to nearest, of two as near to the even one."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from clrng.distributions.transforms.transform import IN_KERNEL, RAW, Declaration, Surroundings, Transform
from clrng.distributions.transforms.uniform import UNIFORM, bounds

LARGEST = {"float16": 65504.0, "bfloat16": float.fromhex("0x1.fep127")}
"""The dtypes that float32 numbers are rounded to, and the largest number of each."""

ROUNDED = tuple(LARGEST)

SIGN = 2**15
"""The bit of the sign in 16 bits."""


@dataclass(frozen=True)
class Rounded(Transform):
    """The numbers of `whole`, which are float32, as the nearest ones of 16 bits, in steps of the same stream.

    Where they are `bounded`, those that would be rounded out of an interval are the number at its end.
    """

    whole: Transform = RAW

    bounded: bool = False
    signed: bool = True
    """Whether there may be negative numbers."""

    @property
    def fits_half(self) -> bool:  # noqa: D102  # as inherited
        return self.whole.fits_half

    @property
    def inner(self) -> Transform | None:  # noqa: D102  # as inherited
        return self.whole

    def local_copies(self, local_bytes: int) -> int:  # noqa: D102  # as inherited
        return self.whole.local_copies(local_bytes)

    def convert_parameters(self, copies: int) -> tuple[Declaration, ...]:  # noqa: D102  # as inherited
        return (*self.whole.convert_parameters(copies), *self.parameters[len(self.whole.parameters) :])

    def opening(self, copies: int, names: Surroundings = IN_KERNEL) -> list[str]:  # noqa: D102  # as inherited
        return self.whole.opening(copies, names)

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: ARG002, D102  # as inherited
        return {"rounded_to": str(self.dtype), "bounded": self.bounded, "signed": self.signed}


def rounded(whole: Transform, dtype: np.dtype[Any], ends: tuple[np.int32, np.int32] | None = None) -> Rounded:
    """Return what makes the numbers of `whole` as `dtype`, one of `ROUNDED`; `ends` are those of `ends_between`."""
    if ends is None:
        return Rounded("rounded", dtype, whole.steps, whole.given, whole)
    declared = (Declaration("int", "lower_end"), Declaration("int", "upper_end"))
    given = {**whole.given, **dict(zip(declared, ends, strict=True))}
    return Rounded("rounded", dtype, whole.steps, given, whole, bounded=True, signed=bool(ends[0] < 0))


def ends_between(low: float, high: float, interval: str, dtype: np.dtype[Any]) -> tuple[np.int32, np.int32]:
    """Return the bits, as `_bits` has them, of the first and the last number of an interval, one of `INTERVALS`.

    The bounds are rounded to `dtype`; an error is raised where one is not finite then, or there is no number.
    """
    a, b = bounds(low, high, dtype, LARGEST[dtype.name])
    first, last = _number_of(a) + (interval[0] == "("), _number_of(b) - (interval[1] == ")")
    if last < first:
        raise ValueError(f"high must be further above low, {low!r}, not {high!r}: no {dtype} is between them")
    return _bits(first, dtype), _bits(last, dtype)


def _number_of(x: Any) -> int:
    """Return the number of a float of 16 bits, counted up from 0, down for negative ones."""
    bits = int(x.view(np.uint16))
    return SIGN - bits if bits >= SIGN else bits


def _bits(number: int, dtype: np.dtype[Any]) -> np.int32:
    """Return the bits of the float of this number as float32, all but the sign inverted where it is negative."""
    size = np.array(abs(number), np.uint16).view(dtype).astype(np.float32).view(np.int32)
    return np.int32(~size if number < 0 else size)


@cache
def standard_uniform(dtype: np.dtype[Any]) -> Transform:
    """Return what makes uniform numbers in [0, 1) as `dtype`."""
    if dtype.name in ROUNDED:
        return rounded(UNIFORM["float32"], dtype, ends_between(0.0, 1.0, "[)", dtype))
    return UNIFORM[dtype.name]
