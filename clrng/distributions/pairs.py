"""Beta and F distributions whose parameters are arrays: as float32 the nearest values, as float64 those of the host."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions import beta_values
from clrng.distributions.on_host import OnHost
from clrng.distributions.quantiles.integrated import LARGEST_RATIO
from clrng.distributions.shapes import OfArrays
from clrng.distributions.transforms.beta_near import BetaByElement
from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.uniform import digits

PAIRS = {"beta": ("a", "b"), "f": ("dfnum", "dfden")}
"""The parameters of the distributions by name."""


class OfPairs(OfArrays):
    """A distribution by name of `PAIRS`, one or both of whose parameters are arrays."""

    def _check(self) -> None:
        super()._check()
        (least, most), (others_least, others_most) = (
            map(float, self._extremes[key]) if key in self._arrays else (float(self._given[key]),) * 2
            for key in PAIRS[self._name]
        )
        if others_most > least * LARGEST_RATIO or most > others_least * LARGEST_RATIO:
            self._refuse(self._are_together())

    def _are_together(self) -> npt.NDArray[np.bool_]:
        a, b = (self._in_double(each) for each in self._held(*PAIRS[self._name]))
        legal: npt.NDArray[np.bool_] = (b >= a / LARGEST_RATIO) & (b <= a * LARGEST_RATIO)
        return legal

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        is_ratio = self._name == "f"
        if dtype == np.float32:
            a, b = self._held(*PAIRS[self._name])
            return BetaByElement(
                "beta", dtype, 1, {}, self.fits_half(dtype), a, self._shape, trials=b, is_ratio=is_ratio
            )
        steps = digits(upper_bound - min_value)
        numbers = (upper_bound - min_value) ** steps
        one, other = (self._in_double(each) / (2 if is_ratio else 1) for each in self._held(*PAIRS[self._name]))

        def make(found: npt.NDArray[np.uint64], here: Callable[[Any], Any]) -> npt.NDArray[np.float64]:
            return beta_values.doubles(here(one), here(other), found, numbers, is_ratio=is_ratio)

        return OnHost("on_host", dtype, steps, {}, False, np.zeros((), np.uint32), self._shape, make=make)
