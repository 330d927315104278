"""Triangular numbers of which every element has parameters of its own, by formulas in double precision."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.on_host import OnHost, tails
from clrng.distributions.quantiles import closed_forms

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TriangularByElement(OnHost):
    """Triangular numbers whose parameters are arrays of float32 or float64, of the host or a device."""

    __hash__ = object.__hash__

    left: Any = field(kw_only=True, repr=False)
    mode: Any = field(kw_only=True, repr=False)
    right: Any = field(kw_only=True, repr=False)


def values(
    found: npt.NDArray[np.uint64], count: int, left: Array, mode: Array, right: Array, dtype: np.dtype[Any]
) -> Array:
    """Return the triangular numbers that numbers below `count` have, in float64; none is too large for `dtype`."""
    lower, upper = tails(found, count)
    made = [closed_forms.triangular(p, is_upper, left, mode, right) for p, is_upper in ((lower, False), (upper, True))]
    largest = float(np.finfo(dtype).max)
    return np.clip(np.where(lower <= upper, *made), np.maximum(left, -largest), np.minimum(right, largest))
