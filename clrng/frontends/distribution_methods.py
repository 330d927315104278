"""The methods that draw from distributions by name, under the names, the arguments and the defaults of NumPy's."""

import re
from abc import ABC, abstractmethod
from dataclasses import replace
from math import log2
from typing import Any

import pyopencl.array as cla

from clrng import validation
from clrng.distributions.catalog import DISTRIBUTIONS, NamedDistribution
from clrng.distributions.parameters import BY_NUMPY, NEEDED, Parameter
from clrng.distributions.quantiles.closed_forms import Normal
from clrng.distributions.quantiles.quantile import Quantile
from clrng.documented import Common, complete_all
from clrng.frontends.drawing import Number, Size

REAL = "float32 or float64. By default that of `out`; without `out`, float32, which every device has."
ALSO_SHORT = """float32, float64, float16 or bfloat16. By default that of `out`; without `out`, float32. Numbers of 16
    bits are those of float32, rounded to nearest, ties to even; bfloat16 is that of ml_dtypes."""
WHOLE = "Any integer dtype that holds all values. By default that of `out`; without `out`, int64."

SIZE = """int or tuple of int, optional
    The shape of the result, filled in C order. By default that of `out`, or that to which arrays among the parameters
    are broadcast, or () for a single value."""
SIZE_ALONE = """int or tuple of int, optional
    The shape of the result, filled in C order. By default that of `out`, or () for a single value."""
"""What methods without parameters say of their `size`."""

OUT = """pyopencl.array.Array or numpy.ndarray, optional
    Where to put the values: an array of their dtype or a slice of one; or the class ``numpy.ndarray`` for a new array
    of NumPy. `Generator` says which arrays of other libraries can be given."""

ARGUMENTS = {
    "mu": """float or array_like
    The mode, which is added to each value. An array is broadcast to the shape of the result.""",
    "size": SIZE,
    "dtype": f"dtype_like, optional\n    {REAL}",
    "out": OUT,
    "loc": """float or array_like, optional
    What is added to each value. An array is broadcast to the shape of the result.""",
    "scale": """float or array_like, optional
    What each value is multiplied by, 0 or more. An array is broadcast to the shape of the result.""",
}

RETURNS = """clrng.Array
    Or `out`, if that was given; of a `MultiDeviceGenerator`, a `MultiDeviceArray`."""

RAISES = {
    "TypeError": "If an argument is of the wrong type.",
    "ValueError": """If an argument is out of its range, which the message names with the first such element of an
    array; if `size` is more than the device can allocate; or if `dtype` or `out` is not legal, or `out` has two values
    at one place.""",
    "UnsupportedError": "If `dtype` is float64 and the device has no double precision.",
    "BuildError": "If the device's compiler refuses the kernel. After any error the stream stands where it stood.",
}

EXAMPLE = ">>> import clrng\n>>> rng = clrng.default_rng(2026)"

CONTINUOUS = """A value takes one step of the stream; as float64 it takes two where raw values have at most 32 bits. As
float32 it takes half a raw value of `PCG64`, `PCG64DXSM` and `Philox`, as in NumPy."""
DISCRETE = "A value takes one step of the stream, or two where raw values have at most 32 bits."

DRAWING = Common(ARGUMENTS, RAISES, RETURNS, example=EXAMPLE)
"""What the methods that draw have in common."""


def with_dtypes(dtypes: str, notes: str = "", **arguments: str) -> Common:
    """Return what methods of these dtypes and parameters have in common, and what is noted of them."""
    own = {"dtype": f"dtype_like, optional\n    {dtypes}", **arguments}
    return replace(DRAWING, arguments=ARGUMENTS | own, notes=notes)


class DistributionMethods(ABC):
    """The methods of the distributions that have names."""

    @abstractmethod
    def _named(self, name: str, size: Size, dtype: Any, out: Any, **parameters: Any) -> cla.Array:
        """Return the next values of a distribution by name."""

    @abstractmethod
    def _placed(self, name: str, size: Size, dtype: Any, out: Any, **parameters: Any) -> cla.Array:
        """Do the same, where the parameters loc, mu and scale may be arrays."""

    def standard_normal(self, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the normal distribution of mean 0 and standard deviation 1.

        >>> print(rng.standard_normal(size=3))
        [ 1.0444096 -0.9194321 -1.9362664]
        """
        return self._named("standard_normal", size, dtype, out)

    def normal(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the normal distribution with mean `loc` and standard deviation `scale`.

        If `dtype` is float16 or bfloat16, both must be numbers, not arrays, and are applied in float32.

        >>> print(rng.normal(100, 15, size=3))
        [115.666145  86.20852   70.956   ]
        """
        return self._placed("normal", size, dtype, out, loc=loc, scale=scale)

    def lognormal(
        self, mean: Number = 0.0, sigma: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw numbers whose logarithm is normal, with mean `mean` and standard deviation `sigma`.

        Parameters
        ----------
        mean : float or array_like, optional
            From -88 to 88; as float64, from -700 to 700.
        sigma : float or array_like, optional
            From 0 to 1024; with 0 all values are exp(mean).

        Examples
        --------
        >>> print(rng.lognormal(0, 0.25, size=3))
        [1.2983606  0.7946464  0.61627215]
        """
        return self._named("lognormal", size, dtype, out, mean=mean, sigma=sigma)

    def standard_exponential(
        self, size: Size = None, dtype: Any = None, method: str = "inv", out: Any = None
    ) -> cla.Array:
        """Draw from the exponential distribution of mean 1, of density exp(-x).

        Parameters
        ----------
        method : {"inv"}, optional
            The inverse distribution function. NumPy's default, the ziggurat, is refused, as it rejects values.

        Examples
        --------
        >>> print(rng.standard_exponential(size=3))
        [1.9095439  0.19715276 0.02677275]
        """
        if method == "zig":
            raise ValueError(f"method must be 'inv', not 'zig'; {BY_NUMPY}")
        validation.choice("method", method, ("inv",))
        return self._named("standard_exponential", size, dtype, out)

    def exponential(self, scale: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the exponential distribution of mean `scale`, of density exp(-x/scale)/scale.

        >>> print(rng.exponential(2, size=3))
        [3.8190877  0.39430553 0.0535455 ]
        """
        return self._placed("exponential", size, dtype, out, scale=scale)

    def laplace(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the Laplace distribution, of density exp(-abs(x - loc)/scale)/(2 scale).

        >>> print(rng.laplace(size=3))
        [ 1.2163967 -1.0275865 -2.94058  ]
        """
        return self._placed("laplace", size, dtype, out, loc=loc, scale=scale)

    def logistic(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the logistic distribution, loc + scale * log(U/(1 - U)).

        >>> print(rng.logistic(size=3))
        [ 1.7492013 -1.5235809 -3.6069543]
        """
        return self._placed("logistic", size, dtype, out, loc=loc, scale=scale)

    def gumbel(
        self, loc: Number = 0.0, scale: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the Gumbel distribution of largest values, loc - scale * log(-log U).

        >>> print(rng.gumbel(size=3))
        [ 1.8304436 -0.5427508 -1.2902589]
        """
        return self._placed("gumbel", size, dtype, out, loc=loc, scale=scale)

    def standard_cauchy(self, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Cauchy distribution, of density 1/(pi (1 + x^2)).

        >>> print(rng.standard_cauchy(size=3))
        [  1.9911667  -1.5874652 -12.02151  ]
        """
        return self._named("standard_cauchy", size, dtype, out)

    def rayleigh(self, scale: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Rayleigh distribution, the length of a normal vector in the plane.

        >>> print(rng.rayleigh(2, size=3))
        [3.9084973  1.2558751  0.46279803]
        """
        return self._placed("rayleigh", size, dtype, out, scale=scale)

    def weibull(self, a: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Weibull distribution, of density a x^(a - 1) exp(-x^a); with a = 0 all values are 0.

        >>> print(rng.weibull(2, size=3))
        [1.3818625  0.4440189  0.16362381]
        """
        return self._named("weibull", size, dtype, out, a=a)

    def pareto(self, a: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Pareto distribution of the second kind (Lomax), of density a/(1 + x)^(a + 1).

        >>> print(rng.pareto(3, size=3))
        [0.8898824  0.06792509 0.00896419]
        """
        return self._named("pareto", size, dtype, out, a=a)

    def power(self, a: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw numbers in [0, 1] of density a x^(a - 1).

        >>> print(rng.power(2, size=3))
        [0.9229583  0.42300686 0.16253473]
        """
        return self._named("power", size, dtype, out, a=a)

    def triangular(
        self, left: Number, mode: Number, right: Number, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the triangular distribution from `left` to `right`, whose density is highest at `mode`.

        Close to the mode, values are right to 4e-6 as float32, and to 4e-7 as float64.

        Parameters
        ----------
        left, mode, right : float or array_like
            Finite numbers, left <= mode <= right and left < right, up to 3.27e150 in size.

        Examples
        --------
        >>> print(rng.triangular(0, 1, 4, size=3))
        [2.6666675  0.8460137  0.32506946]
        """
        return self._named("triangular", size, dtype, out, left=left, mode=mode, right=right)

    def vonmises(self, mu: Number, kappa: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw angles in [-pi, pi] from the von Mises distribution of mode `mu`, in radians, and concentration `kappa`.

        They are drawn for the mode 0; then `mu` is added, and whole turns are removed. If `mu` is a number beyond 1024,
        whole turns are first removed from it exactly. Elements of an array are rounded to `dtype` first, so large ones
        lose digits: beyond 10^6 as float32 and 10^14 as float64 hardly any are left.

        >>> print(rng.vonmises(0, 4, size=3))
        [ 0.54983747 -0.48241937 -1.0617554 ]
        """
        return self._placed("vonmises", size, dtype, out, mu=mu, kappa=kappa)

    def wald(self, mean: Number, scale: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Wald (inverse Gaussian) distribution of mean `mean` and shape `scale`.

        Parameters
        ----------
        mean, scale : float or array_like
            From 2^-40 to 2^40.

        Examples
        --------
        >>> print(rng.wald(1, 2, size=3))
        [1.615301   0.44449    0.24649875]
        """
        return self._named("wald", size, dtype, out, mean=mean, scale=scale)

    def standard_gamma(self, shape: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the gamma distribution of scale 1, of density x^(shape - 1) exp(-x)/gamma(shape).

        With shape 0 all values are 0.

        >>> print(rng.standard_gamma(2.5, size=3))
        [4.075117  1.0992064 0.4261192]
        """
        return self._named("standard_gamma", size, dtype, out, shape=shape)

    def gamma(
        self, shape: Number, scale: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the gamma distribution: `scale` times values of `standard_gamma`.

        >>> print(rng.gamma(2.5, 3, size=3))
        [12.225351   3.2976193  1.2783576]
        """
        return self._placed("gamma", size, dtype, out, shape=shape, scale=scale)

    def chisquare(self, df: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the chi-square distribution of `df` degrees of freedom.

        >>> print(rng.chisquare(4, size=3))
        [6.777081   1.5313998  0.49916247]
        """
        return self._named("chisquare", size, dtype, out, df=df)

    def beta(self, a: Number, b: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the beta distribution, of density in proportion to x^(a - 1) (1 - x)^(b - 1).

        >>> print(rng.beta(2, 3, size=3))
        [0.6283042  0.19878383 0.06957151]
        """
        return self._named("beta", size, dtype, out, a=a, b=b)

    def f(self, dfnum: Number, dfden: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from Fisher's F distribution of `dfnum` and `dfden` degrees of freedom.

        >>> print(rng.f(4, 9, size=3))
        [2.2135093  0.37489218 0.11580648]
        """
        return self._named("f", size, dtype, out, dfnum=dfnum, dfden=dfden)

    def standard_t(self, df: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from Student's t distribution of `df` degrees of freedom.

        >>> print(rng.standard_t(4, size=3))
        [ 1.2001595 -1.0380614 -2.7227788]
        """
        return self._named("standard_t", size, dtype, out, df=df)

    def noncentral_chisquare(
        self, df: Number, nonc: Number, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from the chi-square distribution of `df` degrees of freedom and noncentrality `nonc`.

        Of arrays with more than 1024 elements, once broadcast, a value takes two steps, or four if raw values have at
        most 32 bits.

        >>> print(rng.noncentral_chisquare(4, 1, size=3))
        [8.435441   1.9492751  0.63902014]
        """
        return self._named("noncentral_chisquare", size, dtype, out, df=df, nonc=nonc)

    def noncentral_f(
        self, dfnum: Number, dfden: Number, nonc: Number, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw from Fisher's F distribution, whose numerator has the noncentrality `nonc`.

        >>> print(rng.noncentral_f(4, 9, 1, size=3))
        [2.7604702  0.47643417 0.14813788]
        """
        return self._named("noncentral_f", size, dtype, out, dfnum=dfnum, dfden=dfden, nonc=nonc)

    def poisson(self, lam: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Poisson distribution of mean `lam`.

        For `lam` above about 5e10, and arrays with a mean of 2^30 or more, the host makes the values.

        >>> print(rng.poisson(100, size=3))
        [ 91 103  99]
        """
        return self._named("poisson", size, dtype, out, lam=lam)

    def binomial(self, n: Number, p: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw how many of `n` trials succeed, each with probability `p`.

        >>> print(rng.binomial(100, 0.3, size=3))
        [26 32 30]
        """
        return self._named("binomial", size, dtype, out, n=n, p=p)

    def negative_binomial(
        self, n: Number, p: Number, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw how many trials fail before `n` have succeeded, each with probability `p`.

        >>> print(rng.negative_binomial(10, 0.3, size=3))
        [15 26 22]
        """
        return self._named("negative_binomial", size, dtype, out, n=n, p=p)

    def geometric(self, p: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw how many trials it takes until one succeeds, each with probability `p`; 1 or more.

        For `p` below about 10^-5 the host makes the values. It is refused for `p` below 5 10^-18.

        >>> print(rng.geometric(0.3, size=3))
        [1 3 2]
        """
        return self._named("geometric", size, dtype, out, p=p)

    def hypergeometric(
        self, ngood: Number, nbad: Number, nsample: Number, size: Size = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw how many of `nsample` things are good, taken without replacement from `ngood` good and `nbad` bad ones.

        Parameters
        ----------
        ngood, nbad : int or array_like
            From 0 to 2^63 - 1.
        nsample : int or array_like
            At most `ngood` + `nbad`.

        Examples
        --------
        >>> print(rng.hypergeometric(50, 50, 10, size=3))
        [4 6 5]
        """
        return self._named("hypergeometric", size, dtype, out, ngood=ngood, nbad=nbad, nsample=nsample)

    def logseries(self, p: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the logarithmic series distribution, of probabilities in proportion to p^k/k.

        >>> print(rng.logseries(0.9, size=3))
        [1 3 2]
        """
        return self._named("logseries", size, dtype, out, p=p)

    def zipf(self, a: Number, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from Zipf's distribution, of probabilities in proportion to k^-a.

        For `a` below 2, values above 2^63 - 1 are not drawn, as in NumPy. Where values spread over more than 2^22
        integers, for `a` below about 3.8, the host makes them.

        >>> print(rng.zipf(4, size=3))
        [1 1 1]
        """
        return self._named("zipf", size, dtype, out, a=a)


def _said(parameter: Parameter) -> str:
    """Return what a docstring says of a parameter behind its name, with numbers as powers of two where they are."""

    def power(found: re.Match[str]) -> str:
        exponent = log2(float(found[0]))
        return f"2^{exponent:.0f}" if exponent.is_integer() else found[0]

    kind = f"{'int' if parameter.kind == 'integer' else 'float'} or array_like"
    legal = re.sub(r"\d[\d.e+-]{5,}", power, parameter.legal)
    return f"{kind}{'' if parameter.default is NEEDED else ', optional'}\n    {legal.capitalize()}."


def _complete(row: NamedDistribution) -> None:
    """Add to the docstring of the method of a distribution what follows from its row."""
    is_real = issubclass(row.law, Quantile)
    dtypes = WHOLE if not is_real else ALSO_SHORT if row.law is Normal else REAL
    own = {each.name: _said(each) for each in row.parameters if each.legal}
    if not row.parameters:
        own["size"] = SIZE_ALONE
    complete_all(DistributionMethods, with_dtypes(dtypes, CONTINUOUS if is_real else DISCRETE, **own), row.name)


for _row in DISTRIBUTIONS.values():
    if _row.name in vars(DistributionMethods):
        _complete(_row)
