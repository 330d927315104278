"""The methods that draw integers, under the names, the arguments and the defaults of NumPy's `Generator`."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

from clrng import validation
from clrng.distributions.catalog import distribution
from clrng.distributions.distribution import WHOLE, Distribution
from clrng.frontends.arguments import Size, dtype_of, unreadable

MOST_BYTES = 2**62
"""The most that may be asked for; the host's memory sets the limit."""


ELEMENTS = (*WHOLE, "float32", "float64", "complex64", "complex128")
"""The dtypes of arrays that `choice` draws from."""


def checked_elements(a: Any) -> Any:
    """Return the array `a`, of the device or, where it is anything else, of the host.

    Raises
    ------
    TypeError
        If it is not made of numbers.
    ValueError
        If it is empty or has no dimension.
    """
    legal = "an integer, or an array of one dimension or more and of one number or more"
    elements = a
    if not isinstance(a, cla.Array):
        try:
            elements = np.asarray(a)
        except Exception:  # noqa: BLE001  # lists of lists of several lengths, and whatever classes of others raise
            raise unreadable("a", a, legal) from None
        elements = elements.astype(elements.dtype.newbyteorder("="), copy=False)
    if elements.dtype.name not in ELEMENTS:
        raise TypeError(f"a must be {legal}, of {', '.join(ELEMENTS)}, not {validation.shown(a)}")
    if elements.ndim == 0 or elements.size == 0:
        raise ValueError(f"a must be {legal}, not {validation.shown(a)}")
    return elements


def whole_dtype(dtype: Any, out: Any) -> np.dtype[Any]:
    """Return `dtype`, by default that of `out`, and without it int64, if it is one of integers.

    Raises
    ------
    TypeError, ValueError
        If it is not.
    """
    given = dtype_of(out)
    if dtype is None and given is not None:
        return validation.dtype("out.dtype", given, WHOLE)
    return validation.dtype("dtype", "int64" if dtype is None else dtype, WHOLE)


class DiscreteDraws(ABC):
    """Methods that draw from discrete distributions.

    A value is the least k for which X/N is below the distribution function at k, where X is a number below N made of
    one raw value or, where raw values have at most 32 bits, of two. So k is drawn for all X below T(k) and not below
    T(k - 1), where the threshold T(k) is N times the distribution function, rounded up, and a probability is off by
    less than 1/N. Of a tail below, values whose cumulated probability is less than 1/N are not drawn. All methods take
    these arguments too:

    size : int or tuple of int, optional
        The shape of the result, filled in C order. By default that of `out`, or () for a single value.
    dtype : dtype_like, optional
        Any dtype of integers that holds all values. By default that of `out`, and without it int64.
    out : pyopencl.array.Array or numpy.ndarray, optional
        Where to put the values: an array of `dtype` or a slice of one. The class ``numpy.ndarray`` asks for a new
        array of NumPy.

    Parameters are numbers, not arrays. All raise

    TypeError
        If an argument is of the wrong type.
    ValueError
        If a parameter is out of its range, which the message names, the values spread over more than 2^22 integers, or
        `size`, `dtype` or `out` is not legal.
    BuildError
        If the device's compiler refuses the kernel. The stream has not moved then.
    """

    @abstractmethod
    def sample(
        self, distribution: Distribution, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Return the next values of a distribution."""

    @abstractmethod
    def _picker(self, elements: Any, axis: int, size: Size | None) -> Callable[[cla.Array], cla.Array]:
        """Return what takes the elements of an array, of the host or the device, at places along an axis.

        The places are an array of int64 of the shape `size`. All kernels are built here, before the stream moves.
        """

    @abstractmethod
    def _unreplaced(self, count: int, size: Size | None, p: Any, dtype: Any, out: Any) -> cla.Array:
        """Return different integers below `count`, as `choice` has them."""

    def integers(
        self, low: int, high: int | None = None, size: Size | None = None, dtype: Any = None, endpoint: bool = False,
        out: Any = None,
    ) -> cla.Array:  # fmt: skip
        """Draw integers from `low` to `high` - 1, each as likely as the others up to 2^-40 in total variation.

        Parameters
        ----------
        low : int
            The least; without `high`, the least is 0 and `low` stands for `high`.
        high : int, optional
        size, out : optional
            As for all methods of `DiscreteDraws`.
        dtype : dtype_like, optional
            Any dtype of integers, which must hold the range. By default that of `out`, and without it int64.
        endpoint : bool, optional
            Whether `high` is one of them.

        Returns
        -------
        pyopencl.array.Array

        Notes
        -----
        A value is floor(X n / m^K), where n integers are in the range and K raw values, of m each, are the digits of X.
        K is the least that is close enough: one where n divides m; two for n below 2^24 and raw values of 32 bits.
        """
        chosen = whole_dtype(dtype, out)
        drawn = distribution("integers", low=low, high=high, dtype=chosen, endpoint=endpoint)
        return self.sample(drawn, size, chosen, out)

    def choice(
        self, a: Any, size: Size | None = None, replace: bool = True, p: npt.ArrayLike | None = None, axis: int = 0,
        shuffle: bool = True, dtype: Any = None, out: Any = None,
    ) -> cla.Array:  # fmt: skip
        """Draw integers below `a`, or elements of the array `a`, with or without replacement.

        Parameters
        ----------
        a : int or array_like
            An array of the host or the device, of one dimension or more and not empty, of integers or of floating or
            complex numbers of 32 or 64 bits each; where it is one, the result is a new array of its dtype.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`; `dtype` and `out` only where `a` is an integer.
        replace : bool, optional
            Whether the same integer or element may come more than once.
        p : array_like of float, shape (a,), optional
            Their probabilities, which add up to 1. One of probability 0 is never drawn. By default all are as likely.
        axis : int, optional
            Along which slices of the array are drawn.
        shuffle : bool, optional
            Without replacement the result is in random order whatever this says; it is there for NumPy's callers.

        Returns
        -------
        pyopencl.array.Array
            Where `a` is an array of several dimensions, `size` takes the place of the axis.

        Raises
        ------
        UnsupportedError
            If `replace` is False and the front end draws parts of arrays, as `RankGenerator` and
            `MultiDeviceGenerator` do; the message says what to do.

        Notes
        -----
        Without replacement and without `p`, let k of n be drawn. If k is at most n/8, integers below n are drawn as
        `integers` draws them, and each that came before is passed over, until there are k: the stream then stands
        behind the last of them. If k is more, the result is the first k of `permutation` (n), and the stream moves on
        as for that.

        Without replacement and with `p`, each of the integers i takes as many steps as raw values fit a number of 64
        bits, and has an exponentially distributed waiting time that is divided by p[i]; the first k to come are the
        result. So each is drawn from those that are left, in proportion to their `p`. The host does this in exactly
        rounded float64, the same everywhere; waiting times are right to 2 units in the last place, and probabilities
        to about 2^-62 where raw values have 31 bits.
        """
        for name, value in (("replace", replace), ("shuffle", shuffle)):
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError(f"{name} must be True or False, not {validation.shown(value)}")
        if isinstance(a, np.ndarray) and a.ndim == 0:
            a = a[()]
        pick, count = None, a
        if not isinstance(a, (int, np.integer)):
            elements = checked_elements(a)
            if dtype is not None or out is not None:
                raise TypeError("dtype and out must not be given where a is an array, whose dtype the result has")
            axis = validation.integer("axis", axis, -elements.ndim, elements.ndim - 1) % elements.ndim
            pick, count, dtype = self._picker(elements, axis, size), elements.shape[axis], "int64"
        count = validation.integer("a", count, 1, 2**63)
        kind = whole_dtype(dtype, out)
        if count - 1 > np.iinfo(kind).max:
            raise ValueError(f"dtype must hold {count - 1}, the largest of the integers below a, not {kind}")
        if not replace:
            drawn = self._unreplaced(count, size, p, dtype, out)
        elif p is None:
            drawn = self.integers(count, None, size, dtype, False, out)
        else:
            drawn = self.sample(distribution("choice", a=count, p=p), size, dtype, out)
        return drawn if pick is None else pick(drawn)

    def poisson(self, lam: float = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the Poisson distribution.

        Parameters
        ----------
        lam : float
            The mean.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("poisson", lam=lam), size, dtype, out)

    def binomial(self, n: int, p: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw how many of `n` trials succeed, each with probability `p`.

        Parameters
        ----------
        n : int
        p : float
            From 0 to 1.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("binomial", n=n, p=p), size, dtype, out)

    def negative_binomial(
        self, n: float, p: float, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw how many trials fail before `n` have succeeded, each with probability `p`.

        Parameters
        ----------
        n : float
            Above 0.
        p : float
            Above 0, at most 1.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("negative_binomial", n=n, p=p), size, dtype, out)

    def geometric(self, p: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw how many trials it takes until one succeeds, each with probability `p`; 1 or more.

        Parameters
        ----------
        p : float
            Above 0, at most 1.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("geometric", p=p), size, dtype, out)

    def hypergeometric(
        self, ngood: int, nbad: int, nsample: int, size: Size | None = None, dtype: Any = None, out: Any = None
    ) -> cla.Array:
        """Draw how many of `nsample` things are good, taken from `ngood` good and `nbad` bad ones without replacement.

        Parameters
        ----------
        ngood, nbad : int
        nsample : int
            At most ngood + nbad.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("hypergeometric", ngood=ngood, nbad=nbad, nsample=nsample), size, dtype, out)

    def logseries(self, p: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from the logarithmic series distribution, of probabilities in proportion to p^k / k.

        Parameters
        ----------
        p : float
            From 0 to below 1.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("logseries", p=p), size, dtype, out)

    def zipf(self, a: float, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw from Zipf's distribution, of probabilities in proportion to k^-a.

        Parameters
        ----------
        a : float
            Above 1. Its values spread too far below about 3.8, or 2.4 where two raw values make 32 bits.
        size, dtype, out : optional
            As for all methods of `DiscreteDraws`.

        Returns
        -------
        pyopencl.array.Array
        """
        return self.sample(distribution("zipf", a=a), size, dtype, out)

    def bytes(self, length: int) -> bytes:
        """Return random bytes on the host.

        Parameters
        ----------
        length : int
            From 0 to 2^62. Four bytes take the steps of one of `integers` below 2^32, the lowest byte first.

        Returns
        -------
        bytes

        Raises
        ------
        MemoryError
            If the host has no room for them. The stream has not moved then.
        """
        length = validation.integer("length", length, 0, MOST_BYTES)
        words = np.empty(-(-length // 4), np.uint32)
        self.integers(0, 2**32, out=words)
        return words.astype("<u4").tobytes()[:length]
