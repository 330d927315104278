"""The methods that draw real numbers whose distribution has a shape parameter, as NumPy's `Generator` has them."""

from typing import Any

import pyopencl.array as cla

from clrng.distributions.catalog import distribution
from clrng.distributions.quantiles.gamma_beta import Gamma
from clrng.distributions.quantiles.wald_vonmises import VonMises
from clrng.frontends.arguments import Size
from clrng.frontends.draws.continuous import ContinuousDraws, Number


class ShapedDraws(ContinuousDraws):
    """Methods like those of `ContinuousDraws`, with shape parameters, which are numbers and not arrays.

    A table is made for every shape when it is used first, in some 10 to 100 ms, and kept; no kernel is built for it.
    """

    def weibull(self, a: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Weibull distribution of shape `a`.

        Parameters
        ----------
        a : float
            The shape, from 2^-10 to 2^40, or 0, of which all values are 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("weibull", a=a), size, dtype, out)

    def pareto(self, a: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Pareto distribution of the second kind (Lomax), of shape `a`.

        Parameters
        ----------
        a : float
            The shape, above 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("pareto", a=a), size, dtype, out)

    def power(self, a: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw numbers in [0, 1] of density a x^(a - 1).

        Parameters
        ----------
        a : float
            The exponent plus 1, above 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("power", a=a), size, dtype, out)

    def triangular(
        self, left: float, mode: float, right: float, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the triangular distribution; next to the mode to 4e-6 as float32, to 4e-7 as float64.

        Parameters
        ----------
        left, mode, right : float
            left <= mode <= right and left < right.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("triangular", left=left, mode=mode, right=right), size, dtype, out)

    def vonmises(
        self, mu: Number, kappa: float, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw angles from the von Mises distribution, in [-pi, pi].

        They are made for the mode 0; then `mu` is added, and they are brought back by whole turns.

        Parameters
        ----------
        mu : float or array
            The mode, in radians. Whole turns in it cost digits: it is rounded to `dtype` first.
        kappa : float
            The concentration, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(VonMises(kappa), mu, 1.0, size, dtype, out, ("mu", "scale"))

    def wald(
        self, mean: float, scale: float, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the Wald (inverse Gaussian) distribution.

        Parameters
        ----------
        mean, scale : float
            Above 0; numbers, not arrays.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("wald", mean=mean, scale=scale), size, dtype, out)

    def standard_gamma(self, shape: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the gamma distribution of scale 1.

        Parameters
        ----------
        shape : float
            From 2^-10 to 2^40, or 0, of which all values are 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("standard_gamma", shape=shape), size, dtype, out)

    def gamma(
        self, shape: float, scale: Number = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the gamma distribution.

        Parameters
        ----------
        shape : float
            From 2^-10 to 2^40, or 0, of which all values are 0.
        scale : float or array
            What the standard values are multiplied by, 0 or more.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self._located(Gamma(shape), 0.0, scale, size, dtype, out)

    def chisquare(self, df: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the chi-square distribution.

        Parameters
        ----------
        df : float
            The degrees of freedom, above 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("chisquare", df=df), size, dtype, out)

    def beta(self, a: float, b: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the beta distribution.

        Parameters
        ----------
        a, b : float
            The shapes, above 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("beta", a=a, b=b), size, dtype, out)

    def f(self, dfnum: float, dfden: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from Fisher's F distribution.

        Parameters
        ----------
        dfnum, dfden : float
            The degrees of freedom of the numerator and of the denominator, above 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("f", dfnum=dfnum, dfden=dfden), size, dtype, out)

    def standard_t(self, df: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from Student's t distribution.

        Parameters
        ----------
        df : float
            The degrees of freedom, above 0.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("standard_t", df=df), size, dtype, out)

    def noncentral_chisquare(
        self, df: float, nonc: float, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the noncentral chi-square distribution.

        Parameters
        ----------
        df : float
            The degrees of freedom, from 1/8 to 65536.
        nonc : float
            The noncentrality, from 0 to 1024.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("noncentral_chisquare", df=df, nonc=nonc), size, dtype, out)

    def noncentral_f(
        self, dfnum: float, dfden: float, nonc: float, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the noncentral F distribution.

        Parameters
        ----------
        dfnum, dfden : float
            The degrees of freedom, from 1/8 to 65536.
        nonc : float
            The noncentrality, from 0 to 1024.
        size, dtype, out : optional
            As for all methods of `ContinuousDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("noncentral_f", dfnum=dfnum, dfden=dfden, nonc=nonc), size, dtype, out)
