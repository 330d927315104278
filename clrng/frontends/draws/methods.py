"""The methods that draw, whatever draws: a device, several of them or a rank of many."""

from abc import abstractmethod
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import RAW, UNIFORM, Transform
from clrng.distributions.distribution import REALS, Between, Continuous, Distribution
from clrng.distributions.foreign import as_distribution
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.transforms.interval import INTERVALS
from clrng.fill.locate import broadcast_shape
from clrng.frontends.arguments import Size
from clrng.frontends.draws.discrete import DiscreteDraws
from clrng.frontends.draws.refused import RefusedDraws
from clrng.frontends.draws.shaped import ShapedDraws

ARRAYS = (cla.Array, np.ndarray, list, tuple)
"""What is taken for an array of numbers."""


class Draws(ShapedDraws, DiscreteDraws, RefusedDraws):
    """All methods that draw; what has them says how a call is carried out."""

    @abstractmethod
    def _draw(
        self, chosen: Transform | Distribution, size: Size | None, out: Any, dtype: np.dtype[Any] | None = None
    ) -> cla.Array:
        """Return the next values, in `out` or in a new array of the shape `size`.

        `chosen` says what they are: a transform, or a distribution with one of its dtypes.
        """

    @abstractmethod
    def _check_dtype(self, legal: tuple[str, ...], dtype: Any, out: Any) -> np.dtype[Any]:
        """Return `dtype`, by default that of `out`, or without it the first of the `legal` ones; or raise an error."""

    @abstractmethod
    def _parameter(self, name: str, value: Any, dtype: np.dtype[Any], *, positive: bool) -> Any:
        """Return `value`, a number or an array, as an array of `dtype` wherever it is.

        Raises
        ------
        TypeError, ValueError
            If it cannot be, or a number is negative and must not be; errors call it `name`.
        """

    @abstractmethod
    def _draw_located(
        self, standard: Continuous, shape: tuple[int, ...], dtype: np.dtype[Any], out: Any, loc: Any, scale: Any
    ) -> cla.Array:
        """Return the next values of `standard`, times `scale` plus `loc`, of `_parameter`, broadcast to `shape`."""

    def _located(
        self, quantile: Quantile, loc: Any, scale: Any, size: Size | None, dtype: Any, out: Any,
        names: tuple[str, str] = ("loc", "scale"),
    ) -> cla.Array:  # fmt: skip
        given = [name for name, value in zip(names, (loc, scale), strict=True) if isinstance(value, ARRAYS)]
        if not given:
            return self.sample(Continuous(quantile, loc, scale, names), size, dtype, out)
        chosen = self._check_dtype(REALS, dtype, out)
        factors = self._parameter(names[1], scale, chosen, positive=True)
        offsets = self._parameter(names[0], loc, chosen, positive=False)
        wanted = getattr(out, "shape", None) if size is None and out is not np.ndarray else size
        wanted = None if wanted is None else validation.shape("size", wanted)
        shapes = {names[0]: offsets.shape, names[1]: factors.shape}
        shape = broadcast_shape(wanted, **{name: shapes[name] for name in given})
        return self._draw_located(Continuous(quantile), shape, chosen, out, offsets, factors)

    def random_raw(self, size: Size | None = None, out: cla.Array | None = None) -> cla.Array:
        """Return the next raw values, as the textbook has them.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result, filled in C order. By default that of `out`, or () for a single value.
        out : pyopencl.array.Array, optional
            Where to put them, in C order: an array of the values' dtype or a slice of one, such as ``a[2:5, ::2]`` or
            ``a.T``, in the context of the generator's queue. Or an array of NumPy or a slice of one, which a processor
            fills in place where it is contiguous, or the class ``numpy.ndarray`` for a new one.

        Returns
        -------
        pyopencl.array.Array of ``bit_generator.dtype``
            uint32 or, where a value can have more than 32 bits, uint64; from ``bit_generator.min_value`` to
            ``bit_generator.upper_bound`` - 1. It is `out` if that was given. It carries the event of its making, so
            that work PyOpenCL queues on it waits.

        Raises
        ------
        TypeError
            If `size` is not made of integers, or `out` is not an array.
        ValueError
            If `size` is negative or more than the device can allocate, or `out` is of another shape, dtype or
            context or has two values at one place.
        BuildError
            If the device's compiler refuses the kernel. The stream has not moved then.
        """
        return self._draw(RAW, size, out)

    def random(
        self, size: Size | None = None, dtype: Any = None, out: cla.Array | None = None, interval: str = "[)"
    ) -> cla.Array:
        """Return the next values as uniform numbers between 0 and 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result, filled in C order. By default that of `out`, or () for a single value.
        dtype : {"float32", "float64"}, optional
            By default that of `out`, and without it float32, which every device has.
        out : pyopencl.array.Array, optional
            Where to put them: an array of `dtype`, or a slice of one, in the context of the generator's queue; or an
            array of NumPy, or ``numpy.ndarray`` for a new one.
        interval : {"[)", "(]", "()", "[]"}, optional
            Whether 0 and 1 are among the numbers: a square bracket says so. For another one than the default, the
            numbers are those of `uniform`.

        Returns
        -------
        pyopencl.array.Array
            x / d, where x is the raw value and d is ``bit_generator.upper_bound``; never 1. As float32 it is rounded
            down to a multiple of 2^-24. As float64 it is rounded correctly where d is at most 2^53, and down to a
            multiple of 2^-53 where d is larger.

        Raises
        ------
        TypeError
            If `size` is not made of integers, `dtype` is no dtype, or `out` is not an array.
        ValueError
            If `size` is negative or more than the device can allocate, `dtype` is neither of the two, or `out` is
            of another shape, dtype or context or has two values at one place.
        UnsupportedError
            If `dtype` is float64 and the device has no double precision; it is a `ValueError` too.
        BuildError
            If the device's compiler refuses the kernel. The stream has not moved then.

        Examples
        --------
        >>> import clrng
        >>> clrng.Generator(clrng.ParkMiller(seed=1)).random(2).get().tolist()
        [7.808208465576172e-06, 0.13153773546218872]
        """
        if not isinstance(interval, str) or interval != "[)":
            validation.choice("interval", interval, INTERVALS)
            return self.uniform(0.0, 1.0, size, dtype, out, interval)
        return self._draw(UNIFORM[self._check_dtype(tuple(UNIFORM), dtype, out).name], size, out)

    def uniform(
        self, low: float = 0.0, high: float = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None,
        interval: str = "[)",
    ) -> cla.Array:  # fmt: skip
        """Return the next values as uniform numbers between `low` and `high`.

        Parameters
        ----------
        low, high : float
            Finite numbers, low < high.
        size, dtype, out : optional
            As for `random`.
        interval : {"[)", "(]", "()", "[]"}, optional
            Which bounds are among the numbers: a square bracket says that one is. By default `low` is, `high` is not.

        Returns
        -------
        pyopencl.array.Array
            Floats that are equally far apart, as far as floats are at the larger one of the two bounds, which are
            rounded to `dtype` first; a bound that the interval leaves out is never returned, and none is -0.0. Of n
            such floats it is number floor(X n / N), where X is a raw value, counted from 0, of N; for float64 and raw
            values of at most 32 bits, X is made of two. Where n is above N it is number floor(X (n - 1) / (N - 1)) of
            ``"[]"`` and ceil((X + 1) n / N) - 1 of ``"(]"``, so that the last X gives `high`.

        Raises
        ------
        TypeError, ValueError, UnsupportedError, BuildError
            As for `random`; or if `low` or `high` is not finite as `dtype`, or the interval has no number.
        """
        return self.sample(Between(low, high, interval), size, dtype, out)

    def sample(self, distribution: Any, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Return the next values of a distribution.

        Parameters
        ----------
        distribution : Distribution, frozen distribution of scipy.stats, or callable
            Such as ``clrng.distribution("gamma", shape=2.5)``. A callable is an inverse distribution function, of an
            array of probabilities; the values of one, and of SciPy's distributions, are only as much the same
            everywhere as the functions are.
        size, dtype, out : optional
            As for `random`; `dtype` is one of ``distribution.dtypes``, by default the first.

        Returns
        -------
        pyopencl.array.Array

        Raises
        ------
        TypeError, ValueError, UnsupportedError, BuildError
            As for `random`.
        """
        chosen = as_distribution(distribution)
        return self._draw(chosen, size, out, self._check_dtype(chosen.dtypes, dtype, out))
