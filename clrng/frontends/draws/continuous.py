"""The methods that draw real numbers, under the names, the arguments and the defaults of NumPy's `Generator`."""

from abc import ABC, abstractmethod
from typing import Any

import pyopencl.array as cla

from clrng import validation
from clrng.distributions.catalog import distribution
from clrng.distributions.distribution import Distribution
from clrng.distributions.quantiles.closed_forms import Exponential, Gumbel, Laplace, Logistic, Normal, Rayleigh
from clrng.distributions.quantiles.quantile import Quantile
from clrng.frontends.arguments import Size

Number = float | Any
"""A number; for `loc` and `scale` also an array of the host or the device."""


class ContinuousDraws(ABC):
    """Methods that draw from continuous distributions.

    Every value is the inverse of the distribution function at (X + 1/2)/N, where X is the raw value counted from 0 and
    N how many raw values there are. As float32 it takes one step of the stream; as float64 two where raw values have at
    most 32 bits, and X is then made of both. All methods take these arguments too:

    size : int or tuple of int, optional
        The shape of the result, filled in C order. By default that of `out`, that of arrays among the arguments, or ().
    dtype : {"float32", "float64"}, optional
        By default that of `out`, and without it float32, which every device has.
    out : pyopencl.array.Array or numpy.ndarray, optional
        Where to put the values: an array of `dtype` or a slice of one. The class ``numpy.ndarray`` asks for a new
        array of NumPy.

    Where `loc` or `scale` is an array it has a number for every value, broadcast to the shape of the result. All raise

    TypeError
        If an argument is of the wrong type.
    ValueError
        If a parameter is out of its range, which the message names, or `size`, `dtype` or `out` is not legal.
    UnsupportedError
        If `dtype` is float64 and the device has no double precision; it is a `ValueError` too.
    BuildError
        If the device's compiler refuses the kernel. The stream has not moved then.
    """

    @abstractmethod
    def sample(
        self, distribution: Distribution, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Return the next values of a distribution."""

    @abstractmethod
    def _located(
        self, quantile: Quantile, loc: Number, scale: Number, size: Size | None, dtype: Any, out: Any,
        names: tuple[str, str] = ("loc", "scale"),
    ) -> cla.Array:  # fmt: skip
        """Return loc + scale·x, where x is drawn from the distribution of `quantile`; errors use the `names`."""

    def standard_normal(self, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the standard normal distribution.

        Parameters
        ----------
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("standard_normal"), size, dtype, out)

    def normal(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the normal distribution with mean `loc` and standard deviation `scale`.

        Parameters
        ----------
        loc : float or array
            What is added.
        scale : float or array
            What the standard values are multiplied by, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(Normal(), loc, scale, size, dtype, out)

    def lognormal(
        self, mean: float = 0.0, sigma: float = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw numbers whose logarithm is normal, with mean `mean` and standard deviation `sigma`.

        Parameters
        ----------
        mean : float
            The mean of the logarithm, from -88 to 88, or as float64 from -700 to 700.
        sigma : float
            The standard deviation of the logarithm, from 0 to 1024; with 0 all values are exp(mean).
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("lognormal", mean=mean, sigma=sigma), size, dtype, out)

    def standard_exponential(
        self, size: Size | None = None, dtype: Any = None, method: str = "inv", out: Any = None
    ) -> cla.Array:
        """Draw from the exponential distribution of mean 1.

        Parameters
        ----------
        method : {"inv"}
            NumPy's default, the ziggurat, throws values away; here it is always the inverse.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        validation.choice("method", method, ("inv",))
        return self.sample(distribution("standard_exponential"), size, dtype, out)

    def exponential(
        self, scale: Number = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the exponential distribution of mean `scale`.

        Parameters
        ----------
        scale : float or array
            What the standard values are multiplied by, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(Exponential(), 0.0, scale, size, dtype, out)

    def laplace(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the Laplace distribution, of density exp(-abs(x - loc)/scale)/(2 scale).

        Parameters
        ----------
        loc : float or array
            What is added.
        scale : float or array
            What the standard values are multiplied by, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(Laplace(), loc, scale, size, dtype, out)

    def logistic(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the logistic distribution.

        Parameters
        ----------
        loc : float or array
            What is added.
        scale : float or array
            What the standard values are multiplied by, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(Logistic(), loc, scale, size, dtype, out)

    def gumbel(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the Gumbel distribution of largest values.

        Parameters
        ----------
        loc : float or array
            What is added.
        scale : float or array
            What the standard values are multiplied by, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(Gumbel(), loc, scale, size, dtype, out)

    def standard_cauchy(self, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Cauchy distribution, of density 1/(pi (1 + x^2)).

        Parameters
        ----------
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("standard_cauchy"), size, dtype, out)

    def rayleigh(self, scale: Number = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Rayleigh distribution, the length of a normal vector in the plane.

        Parameters
        ----------
        scale : float or array
            What the standard values are multiplied by, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(Rayleigh(), 0.0, scale, size, dtype, out)
