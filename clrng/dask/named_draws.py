"""The methods of NumPy's `Generator` that draw from distributions by name, for arrays of dask."""

from abc import ABC, abstractmethod
from typing import Any

from dask.array import Array

from clrng.frontends.arguments import Size


class NamedDraws(ABC):
    """Methods of the names and the parameters of NumPy, each of which returns an array of dask.

    The parameters are those of the same method of `clrng.Generator`, which gives the same values. Here all of them are
    numbers. All methods take these arguments too:

    size : int or tuple of int, optional
        The shape of the array, by default ().
    chunks : optional
        How the array is cut, in any way that dask takes. The values do not depend on it.
    dtype : dtype_like, optional
        By default float32, or int64 for discrete distributions.

    They raise what that method of `clrng.Generator` raises, at once and not when the array is computed.
    """

    @abstractmethod
    def _named(self, name: str, size: Size | None, chunks: Any, dtype: Any, **parameters: Any) -> Array:
        """Return the array of the next values of the distribution `name` with these parameters."""

    def standard_normal(self, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the standard normal distribution."""
        return self._named("standard_normal", size, chunks, dtype)

    def normal(
        self, loc: float = 0.0, scale: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the normal distribution with mean `loc` and standard deviation `scale`."""
        return self._named("normal", size, chunks, dtype, loc=loc, scale=scale)

    def lognormal(
        self, mean: float = 0.0, sigma: float = 1.0,
        size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None,
    ) -> Array:  # fmt: skip
        """Draw numbers whose logarithm is normal, with mean `mean` and standard deviation `sigma`."""
        return self._named("lognormal", size, chunks, dtype, mean=mean, sigma=sigma)

    def exponential(
        self, scale: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the exponential distribution of mean `scale`."""
        return self._named("exponential", size, chunks, dtype, scale=scale)

    def laplace(
        self, loc: float = 0.0, scale: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the Laplace distribution, of density exp(-abs(x - loc)/scale)/(2 scale)."""
        return self._named("laplace", size, chunks, dtype, loc=loc, scale=scale)

    def logistic(
        self, loc: float = 0.0, scale: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the logistic distribution."""
        return self._named("logistic", size, chunks, dtype, loc=loc, scale=scale)

    def gumbel(
        self, loc: float = 0.0, scale: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the Gumbel distribution of largest values."""
        return self._named("gumbel", size, chunks, dtype, loc=loc, scale=scale)

    def standard_cauchy(self, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the Cauchy distribution, of density 1/(pi (1 + x^2))."""
        return self._named("standard_cauchy", size, chunks, dtype)

    def rayleigh(
        self, scale: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the Rayleigh distribution, the length of a normal vector in the plane."""
        return self._named("rayleigh", size, chunks, dtype, scale=scale)

    def weibull(self, a: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the Weibull distribution of shape `a`."""
        return self._named("weibull", size, chunks, dtype, a=a)

    def pareto(self, a: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the Pareto distribution of the second kind (Lomax), of shape `a`."""
        return self._named("pareto", size, chunks, dtype, a=a)

    def power(self, a: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw numbers in [0, 1] of density a x^(a - 1)."""
        return self._named("power", size, chunks, dtype, a=a)

    def triangular(
        self, left: float, mode: float, right: float,
        size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None,
    ) -> Array:  # fmt: skip
        """Draw from the triangular distribution; next to the mode to 4e-6 as float32, to 4e-7 as float64."""
        return self._named("triangular", size, chunks, dtype, left=left, mode=mode, right=right)

    def vonmises(
        self, mu: float, kappa: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw angles from the von Mises distribution, from -pi to pi."""
        return self._named("vonmises", size, chunks, dtype, mu=mu, kappa=kappa)

    def wald(
        self, mean: float, scale: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the Wald (inverse Gaussian) distribution."""
        return self._named("wald", size, chunks, dtype, mean=mean, scale=scale)

    def standard_gamma(
        self, shape: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the gamma distribution of scale 1."""
        return self._named("standard_gamma", size, chunks, dtype, shape=shape)

    def gamma(
        self, shape: float, scale: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the gamma distribution."""
        return self._named("gamma", size, chunks, dtype, shape=shape, scale=scale)

    def chisquare(self, df: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the chi-square distribution."""
        return self._named("chisquare", size, chunks, dtype, df=df)

    def beta(self, a: float, b: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the beta distribution."""
        return self._named("beta", size, chunks, dtype, a=a, b=b)

    def f(
        self, dfnum: float, dfden: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from Fisher's F distribution."""
        return self._named("f", size, chunks, dtype, dfnum=dfnum, dfden=dfden)

    def standard_t(self, df: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from Student's t distribution."""
        return self._named("standard_t", size, chunks, dtype, df=df)

    def noncentral_chisquare(
        self, df: float, nonc: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw from the noncentral chi-square distribution."""
        return self._named("noncentral_chisquare", size, chunks, dtype, df=df, nonc=nonc)

    def noncentral_f(
        self, dfnum: float, dfden: float, nonc: float,
        size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None,
    ) -> Array:  # fmt: skip
        """Draw from the noncentral F distribution."""
        return self._named("noncentral_f", size, chunks, dtype, dfnum=dfnum, dfden=dfden, nonc=nonc)

    def poisson(self, lam: float = 1.0, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the Poisson distribution."""
        return self._named("poisson", size, chunks, dtype, lam=lam)

    def binomial(self, n: int, p: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw how many of `n` trials succeed, each with probability `p`."""
        return self._named("binomial", size, chunks, dtype, n=n, p=p)

    def negative_binomial(
        self, n: float, p: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw how many trials fail before `n` have succeeded, each with probability `p`."""
        return self._named("negative_binomial", size, chunks, dtype, n=n, p=p)

    def geometric(self, p: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw how many trials it takes until one succeeds, each with probability `p`; 1 or more."""
        return self._named("geometric", size, chunks, dtype, p=p)

    def hypergeometric(
        self, ngood: int, nbad: int, nsample: int, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None
    ) -> Array:
        """Draw how many are good of `nsample` things, taken without replacement from `ngood` good and `nbad` bad."""
        return self._named("hypergeometric", size, chunks, dtype, ngood=ngood, nbad=nbad, nsample=nsample)

    def logseries(self, p: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from the logarithmic series distribution, of probabilities in proportion to p^k / k."""
        return self._named("logseries", size, chunks, dtype, p=p)

    def zipf(self, a: float, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Draw from Zipf's distribution, of probabilities in proportion to k^-a."""
        return self._named("zipf", size, chunks, dtype, a=a)
