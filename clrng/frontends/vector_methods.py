"""The methods that draw vectors whose numbers depend on one another, under NumPy's names and arguments."""

import warnings
from collections.abc import Callable, Iterable
from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import vectors
from clrng.distributions.by_element import LOOK, in_double, numbers_of
from clrng.distributions.distribution import REALS, Distribution
from clrng.documented import complete_all
from clrng.fill.locate import broadcast_shape
from clrng.frontends.distribution_methods import REAL, WHOLE, with_dtypes
from clrng.frontends.draw_methods import DrawMethods, values_of
from clrng.frontends.drawing import Size, whole_dtype
from clrng.opencl import arrays
from clrng.order.copies import move

AT_ONCE = 2**18
"""The numbers of which the host makes values at once."""

SIZE = """int or tuple of int, optional
    The shape of the result without its last axis, to which the parameters are broadcast but for their last axes."""

Array = npt.NDArray[Any]


class VectorMethods(DrawMethods):
    """The methods that draw vectors."""

    queue: cl.CommandQueue

    _drawn_too: Callable[[Distribution, cla.Array, int], cla.Array]
    """Called in what `_draw` calls to finish an array, with another distribution and the place of the first value,
    returns what that makes of the same raw values."""

    def multinomial(self, n: Any, pvals: Any, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw how many of `n` trials fall into each of several categories.

        Parameters
        ----------
        n : int or array_like of int
            From 0 to 2^63 - 1.
        pvals : array_like of float, shape (..., k)
            The probabilities of the k categories along the last axis, each from 0 to 1. As in NumPy the last one is
            what the others leave, whatever it is, and these may add up to 1 + 1e-12.

        Returns
        -------
        clrng.Array
            Of shape (..., k); the counts along the last axis add up to `n`.

        Notes
        -----
        A count is the value that `binomial` makes of the same raw values, with the trials that are left and the
        category's probability among those that are left; the last one is what is left. So each of the k counts takes
        the steps of one of `binomial`. Standard deviations of counts may be up to 2^17. The device makes the values;
        those of fewer than 512 rows, and of `n` above 2^31 - 2, the host makes.

        Examples
        --------
        >>> print(rng.multinomial(100, [0.2, 0.3, 0.5], size=2))
        [[16 33 51]
         [19 29 52]]
        """
        trials = self._whole("n", n)
        chances = self._reals("pvals", pvals)
        count = _last_axis("pvals", chances)
        _refuse("pvals", "be numbers from 0 to 1", chances, ~((chances >= 0) & (chances <= 1)))
        sums = chances[..., :-1].sum(axis=-1)
        _refuse("pvals", "add up to 1 or less without the last", sums, sums > vectors.MAX_SUM, "row")
        shape = self._vector_shape(size, out, count, n=trials.shape, pvals=chances.shape[:-1])
        return self._counts(vectors.multinomial(trials, chances, shape), shape, dtype, out)

    def multivariate_hypergeometric(
        self, colors: Any, nsample: Any, size: Size = None, method: str = "marginals", dtype: Any = None,
        out: Any = None,
    ) -> cla.Array:  # fmt: skip
        """Draw how many things of each colour are among `nsample` things that are taken without replacement.

        Parameters
        ----------
        colors : array_like of int, shape (..., k)
            How many things of each of k colours there are, along the last axis: 0 or more, below 2^62 in all.
        nsample : int or array_like of int
            From 0 to the sum of `colors`.
        method : {"marginals", "count"}, optional
            It has no effect, and is here for calls written for NumPy.

        Returns
        -------
        clrng.Array
            Of shape (..., k); the counts along the last axis add up to `nsample`.

        Notes
        -----
        A count is the value that `hypergeometric` makes of the same raw values, of this colour and all that follow it,
        and of what is left of the sample; the last one is what is left. So each of the k counts takes the steps of one
        of `hypergeometric`. Standard deviations of counts may be up to 2^17. The host makes the values.

        Examples
        --------
        >>> print(rng.multivariate_hypergeometric([16, 8, 4], 6, size=2))
        [[2 3 1]
         [3 2 1]]
        """
        validation.choice("method", method, ("marginals", "count"))
        held = self._whole("colors", colors)
        samples = self._whole("nsample", nsample)
        count = _last_axis("colors", held, empty=True)
        total = held.astype(object).sum(axis=-1)
        _refuse("colors", "add up to less than 2^62", np.asarray(total), total >= vectors.MAX_TOTAL, "row")
        shape = self._vector_shape(size, out, count, colors=held.shape[:-1], nsample=samples.shape)
        drawn, most = np.broadcast_arrays(samples, total)
        if np.any(drawn > most):
            legal = f"be at most {most.flat[int((drawn > most).argmax())]}, the sum of colors"
            _refuse("nsample", legal, drawn, drawn > most, "vector")
        return self._counts(vectors.hypergeometric(held, samples, shape), shape, dtype, out)

    def dirichlet(self, alpha: Any, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Draw shares of a whole from the Dirichlet distribution, of density in proportion to the product of x^(a - 1).

        Parameters
        ----------
        alpha : array_like of float, shape (..., k)
            From 2^-10 to 2^40, or 0, along the last axis; not all of them 0.

        Returns
        -------
        clrng.Array
            Of shape (..., k); numbers along the last axis add up to 1, but for rounding.

        Notes
        -----
        Each of the k numbers takes the steps of one of `standard_gamma`. It is what `standard_gamma` makes of the raw
        values, divided by the sum of the k. If all of `alpha` along the axis are below 0.5, or as float64 below 0.1,
        all of these might be 0. Then each number is x/(1 + x) of what the numbers before it have left of 1. Here x is
        what `f` makes of the raw values, of twice its `alpha` and twice the sum of those that follow, times the
        quotient of these. The host divides and multiplies, in double precision.

        If `alpha` has more than 256 different numbers, where those that are cut off count as different if other sums
        follow them, the values are those that `standard_gamma` and `f` make of arrays of many, without tables.
        They may differ from those of few by the errors of both: a value of `standard_gamma` as float32 by 24 units of
        2^-24 of its magnitude.

        Examples
        --------
        >>> print(rng.dirichlet([2, 3, 5], size=2))
        [[0.522332   0.2236526  0.25401542]
         [0.2465965  0.24416585 0.50923765]]
        """
        held = self._reals("alpha", alpha)
        count = _last_axis("alpha", held, empty=True)
        if count and (held >= 0).all():
            _refuse("alpha", "have a number above 0 in every row", held[..., 0], ~(held > 0).any(axis=-1), "row")
        shape = self._vector_shape(size, out, count, alpha=held.shape[:-1])
        kind = self._check_dtype(REALS, dtype, out)
        return self._vectors(vectors.shares(shape, held, kind), shape, kind, out)

    def multivariate_normal(
        self, mean: Any, cov: Any, size: Size = None, check_valid: str = "warn", tol: float = 1e-8, *,
        method: str = "svd", dtype: Any = None, out: Any = None,
    ) -> cla.Array:  # fmt: skip
        """Draw vectors from the multivariate normal distribution.

        Parameters
        ----------
        mean : array_like of float, shape (..., k)
            Finite numbers.
        cov : array_like of float, shape (..., k, k)
            The covariance: finite, symmetric and positive semidefinite. Other axes are broadcast with those of `mean`.
        check_valid : {"warn", "raise", "ignore"}, optional
            What to do if `cov` is not symmetric and positive semidefinite: ``"warn"`` gives a RuntimeWarning.
        tol : float, optional
            How far, relatively and absolutely, elements of `cov` may be from those of L L^T.
        method : {"svd", "eigh", "cholesky"}, optional
            It has no effect, and is here for calls written for NumPy.

        Returns
        -------
        clrng.Array
            Of shape (..., k).

        Notes
        -----
        A vector is mean + L z, where z are k values of `standard_normal`, each of which takes the steps of one. L is
        the lower triangular matrix with L L^T = `cov`, by Cholesky's method; a column is 0 where nothing is left of its
        variance. The host makes L and the products, in double precision, each operation rounded and in a fixed order.

        Examples
        --------
        >>> print(rng.multivariate_normal([0, 10], [[2, 1], [1, 3]], size=2))
        [[ 1.4770182  9.2847595]
         [-2.7382941  9.197259 ]]
        """
        validation.choice("method", method, ("svd", "eigh", "cholesky"))
        validation.choice("check_valid", check_valid, ("warn", "raise", "ignore"))
        middle, spread = self._finite("mean", mean), self._finite("cov", cov)
        count = _last_axis("mean", middle)
        if spread.shape[-2:] != (count, count):
            raise ValueError(f"cov must have shape (..., {count}, {count}), as mean has {count}, not {spread.shape}")
        shape = self._vector_shape(size, out, count, mean=middle.shape[:-1], cov=spread.shape[:-2])
        kind = self._check_dtype(REALS, dtype, out)
        made = vectors.factor(spread)
        if wrong := vectors.check_positive(spread, made, check_valid, tol):
            if check_valid == "raise":
                raise ValueError(wrong)
            warnings.warn(wrong, RuntimeWarning, stacklevel=2)
        found = vectors.normals(shape, middle, made.reshape(*made.shape[:-2], count**2))
        return self._vectors(found, shape, kind, out)

    def _numbers(self, name: str, value: Any) -> Array:
        """Return an array of the host of real numbers."""
        return np.asarray(numbers_of(name, values_of(self._values_of(name, value), LOOK)))

    def _whole(self, name: str, value: Any) -> Array:
        """Return an array of integers of 0 or more as int64."""
        found = self._numbers(name, value)
        if found.dtype.kind not in "iuO" and found.size:
            raise TypeError(f"{name} must be an integer or an array of integers, not {validation.shown(value)}")
        _refuse(name, "be integers from 0 to 2^63 - 1", found, (found < 0) | (found > vectors.MOST))
        return found.astype(np.int64)

    def _reals(self, name: str, value: Any) -> Array:
        """Return an array of real numbers as float64."""
        found = self._numbers(name, value)
        return in_double(found) if found.dtype == object else found.astype(np.float64)

    def _finite(self, name: str, value: Any) -> Array:
        found = self._reals(name, value)
        _refuse(name, "be finite numbers", found, ~np.isfinite(found))
        return found

    def _counts(self, chosen: vectors.Counted, shape: tuple[int, ...], dtype: Any, out: Any) -> cla.Array:
        """Return the next counts."""
        return self._vectors(chosen.vectors, shape, whole_dtype(dtype, out), out)

    def _vector_shape(self, size: Size, out: Any, count: int, **shapes: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of vectors of `count` numbers."""
        return *broadcast_shape(size, out, shapes, 1), count

    def _place(self, shape: tuple[int, ...]) -> int:  # noqa: ARG002  # ranks do
        """Return the place of the first value that is drawn of an array of `shape`."""
        return 0

    def _vectors(self, found: vectors.Vectors, shape: tuple[int, ...], kind: np.dtype[Any], out: Any) -> cla.Array:
        """Return the next vectors; they are made in one array, as the numbers of each are made together."""
        law, *others = found.laws
        begin = self._place(shape)

        def finish(drawn: cla.Array) -> None:
            more = (self._drawn_too(each, drawn, begin) for each in others)
            finish_vectors(self.queue, drawn, more, found, shape, begin)

        draw: Any = self._draw
        return cast("cla.Array", draw(law, shape, out, kind, finish))


def finish_vectors(
    queue: cl.CommandQueue, drawn: cla.Array, others: Iterable[cla.Array], found: vectors.Vectors,
    shape: tuple[int, ...], begin: int,
) -> None:  # fmt: skip
    """Replace numbers that the first law of vectors drew by the vectors.

    They are whole ones, from place `begin` on, of an array of `shape`. `others` are the numbers of other laws.
    """
    if found.make is None or not drawn.size:
        return
    held, *more = (
        (each if each.flags.c_contiguous else move(queue, each)).get().reshape(-1, shape[-1])
        for each in (drawn, *others)
    )
    rows = [_rows_of(each, shape) for each in found.rows]
    first, step = begin // shape[-1], max(AT_ONCE // shape[-1], 1)
    for place in range(0, len(held), step):
        here = slice(place, min(place + step, len(held)))
        there = slice(first + here.start, first + here.stop)
        held[here] = found.make([each[here] for each in (held, *more)], *(each(there) for each in rows))
    move(queue, arrays.upload(queue, held.reshape(drawn.shape)), drawn)


def _refuse(name: str, legal: str, found: Array, bad: Any, kind: str = "element") -> None:
    """Raise an error that says which is the first of some numbers that is `bad`, if any is."""
    if not np.any(bad):
        return
    place = int(np.argmax(bad))
    index = tuple(map(int, np.unravel_index(place, found.shape)))
    where = validation.of_element(name, index, kind)
    raise ValueError(f"{name} must {legal}, not {np.asarray(found.flat[place]).item()!r}{where}")


def _last_axis(name: str, array: Array, *, empty: bool = False) -> int:
    """Return the length of the last axis, which there must be."""
    if not array.ndim or not (array.shape[-1] or empty):
        raise ValueError(
            f"{name} must have an axis of {'0' if empty else '1'} or more elements, not shape {array.shape}"
        )
    return int(array.shape[-1])


def _rows_of(array: Array, shape: tuple[int, ...]) -> Callable[[slice], Array]:
    """Return what gives the rows that an array has, broadcast to those of `shape`, by their numbers."""
    if prod(array.shape[:-1]) == 1:
        alone = array.reshape(1, -1)
        return lambda here: np.broadcast_to(alone, (here.stop - here.start, alone.shape[1]))
    whole = np.broadcast_to(array, (*shape[:-1], array.shape[-1]))
    return lambda here: whole[np.unravel_index(np.arange(here.start, here.stop), shape[:-1])]


complete_all(VectorMethods, with_dtypes(REAL, size=SIZE), "dirichlet", "multivariate_normal")
complete_all(VectorMethods, with_dtypes(WHOLE, size=SIZE), "multinomial", "multivariate_hypergeometric")
