"""Values by a surface: each element of an array has a shape of its own."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clrng.distributions.quantiles.surfaces import Surface
from clrng.distributions.transforms.by_element import Varying


@dataclass(frozen=True, eq=False)
class BySurface(Varying):
    """Values of a surface, whose shapes are in `each`, of float32 or float64; of a shape of 0 they are 0."""

    __hash__ = object.__hash__

    surface: Surface = field(kw_only=True)
    scales: Any = field(kw_only=True, repr=False)
    """What values are multiplied by, or angles moved by: an array of the host or a device that is broadcast to
    `shape`. It has their dtype, or kernels round it to that."""
    doublings: int = field(default=0, kw_only=True)
    """The shape is a half of what is in `each`, and the value is doubled, so many times."""


def values_of(count: int, out: str) -> dict[str, Any]:
    """Return what a kernel whose values are of the type `out` has of N, how many numbers they are made of."""
    bits, inverse = (count - 1).bit_length(), 1 / count
    return {
        "numbers": count,
        "bits": bits,
        "reciprocal": (1 << 63 + bits) // count,
        "inverse": float(np.float32(inverse)) if out == "float" else inverse,
    }
