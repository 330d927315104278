"""Triangular distributions whose parameters are many, without tables."""

from collections.abc import Callable
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.closed_forms import LARGEST
from clrng.distributions.shapes import OfArrays
from clrng.distributions.transforms.triangular import TriangularByElement, values
from clrng.distributions.transforms.uniform import digits


class OfTriangles(OfArrays):
    """Triangular distributions some of whose parameters are arrays; operations are exactly specified, in float64."""

    @property
    def _in_place(self) -> dict[str, float]:
        numbers = {key: value for key, value in self._given.items() if isinstance(value, Real)}
        near = float(next((numbers[key] for key in ("mode", "left", "right") if key in numbers), 0.0))
        apart = max(1.0, abs(near) * 2.0**-50)
        legal = {"left": near - apart, "mode": near, "right": near + apart}
        return {key: legal[key] for key in self._arrays}

    def _check(self) -> None:
        if not self._look.are_triangles(self._held("left", "mode", "right"), LARGEST):
            super()._check()
            self._refuse(self._are_together())

    def _are_together(self) -> npt.NDArray[np.bool_]:
        left, mode, right = self._all
        return np.asarray((left < right) & (left <= mode) & (mode <= right))

    @cached_property
    def _all(self) -> list[npt.NDArray[np.float64]]:
        """All parameters as arrays of the host."""
        return [self._in_double(each) for each in self._held("left", "mode", "right")]

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> TriangularByElement:  # noqa: D102
        steps = 1 if dtype == np.float32 else digits(upper_bound - min_value)
        numbers, halves, codes = (upper_bound - min_value) ** steps, self.fits_half(dtype), np.zeros((), np.uint32)

        def make(found: npt.NDArray[np.uint64], here: Callable[[Any], Any]) -> npt.NDArray[np.float64]:
            left, mode, right = map(here, self._all)
            return values(found, numbers, left, mode, right, dtype)

        left, mode, right = self._held("left", "mode", "right")
        return TriangularByElement(
            "on_host", dtype, steps, {}, halves, codes, self._shape, make=make, left=left, mode=mode, right=right
        )
