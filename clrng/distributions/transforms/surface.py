"""Values by a surface: each element of an array has a shape of its own."""

from dataclasses import dataclass, field
from typing import Any

from clrng.distributions.quantiles.surfaces import Surface
from clrng.distributions.transforms.by_element import Varying


@dataclass(frozen=True, eq=False)
class BySurface(Varying):
    """Values of a surface, whose shapes are in `each`, of float32 or float64; of a shape of 0 they are 0."""

    __hash__ = object.__hash__

    surface: Surface = field(kw_only=True)
    scales: Any = field(kw_only=True, repr=False)
    """What values are multiplied by, or angles moved by: an array of their dtype, of the host or a device, that is
    broadcast to `shape`."""
    doublings: int = field(default=0, kw_only=True)
    """The shape is a half of what is in `each`, and the value is doubled, so many times."""
