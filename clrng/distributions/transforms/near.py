"""Values of which every element of arrays has parameters of its own, found by expansions, and sure in most elements."""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any, ClassVar

from clrng.distributions.transforms.by_element import Varying

ONE_IN, ONE_IN_ROOTS = 2.0**-8, 1e-5
"""Fewer than so many of all values are not sure, in most arrays, and so many times the root of the largest variance."""


@dataclass(frozen=True, eq=False)
class NearByElement(Varying):
    """Values of a `law` whose variances are at most `largest`."""

    __hash__ = object.__hash__

    law: ClassVar[str]

    largest: float = 2.0**30

    trials: Any = field(default=None, repr=False)
    """The second parameter, if there is one: an array of the host or a device that is broadcast to `shape`."""

    halved: bool = False
    """Whether means are half of what is in `each`, which are floats."""

    @property
    def unsure(self) -> float:
        """Return more than the part of values that are not sure in single precision, in most arrays."""
        return min(ONE_IN + ONE_IN_ROOTS * sqrt(self.largest), 1.0)
