"""Noncentral chi-square distributions whose parameters are many, as mixtures: no table is made for each."""

from math import ceil
from typing import Any

import numpy as np

from clrng.distributions.by_element import ByElements
from clrng.distributions.quantiles.surfaces import surface
from clrng.distributions.shapes import SURFACES, OfArrays
from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.noncentral import NoncentralByElement
from clrng.distributions.transforms.poisson import MIN_NUMBERS
from clrng.distributions.transforms.poisson_near import farthest
from clrng.distributions.transforms.uniform import digits


class OfNoncentral(OfArrays):
    """Noncentral chi-square distributions some of whose parameters are arrays.

    A number is that of a chi-square distribution of df + 2k degrees of freedom, where k is a Poisson number of mean
    nonc/2.

    References
    ----------
    N. L. Johnson, S. Kotz, N. Balakrishnan, Continuous Univariate Distributions, volume 2, second edition, 1995,
    chapter 29.
    """

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> Varying:  # noqa: D102
        steps = digits(upper_bound - min_value)
        if (upper_bound - min_value) ** steps < MIN_NUMBERS:
            return ByElements(self._name, self._given, self._arrays, self._shape, self._whole, self._look).transform(
                min_value, upper_bound, dtype
            )
        df, nonc = self._held("df", "nonc")
        least, most = self._ends("df")
        largest = self._ends("nonc")[1] / 2
        octaves = SURFACES["chisquare"].octaves(least, most + 2 * ceil(farthest(largest)))
        return NoncentralByElement(
            "noncentral", dtype, 2 * steps, {}, False, df, self._shape,
            twice_means=nonc, largest=largest,
            surface=surface("gamma", dtype.name, *octaves),
        )  # fmt: skip

    def _ends(self, key: str) -> tuple[float, float]:
        """Return the least and the largest of a parameter."""
        least, most = self._extremes[key] if key in self._arrays else (self._given[key],) * 2
        return float(least), float(most)

    def fits_half(self, dtype: np.dtype[Any]) -> bool:  # noqa: ARG002, D102  # as inherited
        return False
