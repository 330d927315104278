"""Vectors of numbers that depend on one another: counts of categories, shares of a whole, and normal vectors.

Counts are drawn one after the other, each given those before it; those of categories a device can make. Shares are
divided by a sum or cut off one after the other, and normal vectors are sums of products: on the host, in double
precision, each operation rounded by itself and in a fixed order, so that no library and no device has other bits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions import discrete, on_host
from clrng.distributions.by_element import ByElements, numbered, placed
from clrng.distributions.catalog import by_name
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.on_host import OnHost
from clrng.distributions.pairs import OfPairs
from clrng.distributions.parameters import Range
from clrng.distributions.quantiles.integrated import LARGEST_SHAPE, SMALLEST_SHAPE, FisherF, Gamma
from clrng.distributions.shapes import OfShapes
from clrng.distributions.transforms import poisson
from clrng.distributions.transforms.binomial_near import LARGEST
from clrng.distributions.transforms.uniform import digits

Array = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

WIDEST = 2.0**17
"""The maximum of the standard deviations of counts."""

ROUNDED = 2.0**-26
"""Probabilities whose sum is so close to 1 add up to 1; as in NumPy a last one that does not is replaced."""

MAX_SUM = 1 + 1e-12
"""The maximum of the sum of all probabilities but the last, as in NumPy."""

SMALL = {"float32": 0.5, "float64": 0.1}
"""Where all numbers of a row are smaller, gamma variates might all be 0 in the dtype: shares are cut off then."""

MOST, MAX_TOTAL = 2**63 - 1, 2**62
"""The largest count, and what the numbers of things of all colours are below."""

FEW = 2**8
"""Up to so many different pairs, of a number of `alpha` and the sum of those behind it, have tables.

So many are kept for later calls, and they take the host about as long as the surfaces of ten octaves.
"""

LEGAL = Range(SMALLEST_SHAPE, LARGEST_SHAPE, or_zero=True, wider=True)
"""What an element of `alpha` may be."""


@dataclass(frozen=True)
class Vectors:
    """What vectors are made of, all of them or a rectangle of whole ones."""

    laws: Sequence[Distribution]
    """They draw numbers of the same raw values."""
    arrays: tuple[npt.NDArray[Any], ...]
    """The parameters, whose axes but the last are broadcast to those of the vectors."""
    of_part: Callable[..., "Vectors"]
    """Called with the shape of a rectangle and what it has of `arrays`, returns what its vectors are made of."""
    make: Callable[..., npt.NDArray[Any]] | None = None
    """Called with rows of numbers of each law, and those of `rows`, returns vectors; without it, numbers are these."""
    rows: tuple[npt.NDArray[Any], ...] = ()


@dataclass(frozen=True, eq=False)
class OfCategories(OnHost):
    """Multinomial counts that a device makes as well as the host: binomial numbers of arrays, column by column."""

    __hash__ = object.__hash__

    trials: npt.NDArray[Any] = field(kw_only=True, repr=False)
    """The trials of rows, up to `LARGEST`, with a last axis of 1, which are broadcast to the rows of `shape`."""
    chances: Array = field(kw_only=True, repr=False)
    """The probability of each category among those that are left, which are broadcast to `shape`."""
    most: int = field(kw_only=True)
    """The largest number of trials."""


class Counted(Distribution):
    """Rows of counts, each given those before it in its row."""

    dtypes = discrete.Discrete.dtypes
    reused = False

    def __init__(self, arrays: tuple[npt.NDArray[Any], ...], shape: tuple[int, ...], largest: int) -> None:
        self._arrays, self._shape, self._largest = arrays, shape, largest

    def _made(self, found: npt.NDArray[np.uint64], numbers: int, *rows: npt.NDArray[Any]) -> Counts:
        """Return the counts of rows of numbers, of arrays whose elements are those of these rows."""
        raise NotImplementedError

    @property
    def vectors(self) -> Vectors:
        """What the vectors are made of."""
        return Vectors((self,), self._arrays, partial(_counts, type(self), self._largest))

    def _form(self, numbers: int) -> Callable[..., OnHost]:  # noqa: ARG002  # others do
        """Return what makes the transform, where numbers are below N = `numbers`."""
        return OnHost

    def transform(self, min_value: int, upper_bound: int, dtype: np.dtype[Any]) -> OnHost:  # noqa: D102
        if self._largest > np.iinfo(dtype).max:
            raise ValueError(f"dtype must hold counts up to {self._largest}, not {dtype}")
        steps, width = digits(upper_bound - min_value), max(self._shape[-1], 1)
        numbers = (upper_bound - min_value) ** steps

        def make(found: npt.NDArray[np.uint64], here: Callable[[Any], Any]) -> Counts:
            rows = (np.asarray(here(array)).reshape(-1, width) for array in self._arrays)
            return self._made(found.reshape(-1, width), numbers, *rows).reshape(-1)

        codes = np.zeros((), np.uint32)
        return self._form(numbers)("on_host", dtype, steps, {}, False, codes, self._shape, make=make, width=width)


class Multinomial(Counted):
    """How many of n trials fall into each category: binomial counts, each of the trials that are left.

    `trials` and `chances` are broadcast to the shape of the counts; `chances` are the probabilities of categories
    among those that are left.
    """

    def _made(self, found: npt.NDArray[np.uint64], numbers: int, *rows: npt.NDArray[Any]) -> Counts:
        trials, chances = rows
        left: Counts = trials[:, 0].astype(np.int64)
        made = np.empty(found.shape, np.int64)
        for j in range(found.shape[1] - 1):
            given = {"n": left, "p": chances[:, j]}
            made[:, j] = on_host.values(discrete.Binomial, given, found[:, j], numbers)
            left = left - made[:, j]
        made[:, -1] = left
        return made

    def _form(self, numbers: int) -> Callable[..., OnHost]:
        if self._largest > LARGEST or numbers < poisson.MIN_NUMBERS:
            return OnHost
        trials, chances = self._arrays
        return partial(OfCategories, trials=trials, chances=chances, most=self._largest)


class MultivariateHypergeometric(Counted):
    """How many things of each colour are among those drawn without replacement, each of the colours that are left."""

    def _made(self, found: npt.NDArray[np.uint64], numbers: int, *rows: npt.NDArray[Any]) -> Counts:
        colors, samples = rows
        left: Counts = samples[:, 0].astype(np.int64)
        others = colors.sum(axis=1)
        made = np.empty(found.shape, np.int64)
        for j in range(found.shape[1] - 1):
            others = others - colors[:, j]
            given = {"ngood": colors[:, j], "nbad": others, "nsample": left}
            made[:, j] = on_host.values(discrete.Hypergeometric, given, found[:, j], numbers)
            left = left - made[:, j]
        made[:, -1] = left
        return made


def _counts(kind: type[Counted], largest: int, shape: tuple[int, ...], *arrays: npt.NDArray[Any]) -> Vectors:
    return kind(arrays, shape, largest).vectors


def multinomial(n: npt.NDArray[Any], pvals: Array, shape: tuple[int, ...]) -> Multinomial:
    """Return the counts of `n` trials in categories of probabilities `pvals`, broadcast to `shape` with all rows."""
    chances = _chances(pvals)
    trials = n[..., np.newaxis]
    _check_width("n", n, np.sqrt(trials * (pvals * (1 - pvals))))
    return Multinomial((trials, chances), shape, int(n.max(initial=0)))


def _check_width(name: str, counts: npt.NDArray[Any], deviations: Array) -> None:
    """Raise the error of the first of `counts` for which a standard deviation is too large, if any is."""
    wide = (deviations > WIDEST).any(axis=-1)
    if wide.any():
        numbers, wide = np.broadcast_arrays(np.arange(counts.size).reshape(counts.shape), wide)
        place = int(numbers[wide][0])
        said = f"{name} must be smaller, not {counts.flat[place]}; a count's standard deviation would be above 2^17"
        raise placed(ValueError(said), place, {name: counts}, (), {})


def _chances(pvals: Array) -> Array:
    """Return the probability of each category among those that are not before it; sums are made from the last on."""
    count = pvals.shape[-1]
    before = np.zeros(pvals.shape[:-1])
    for j in range(count - 1):
        before = before + pvals[..., j]
    rest = np.maximum(1 - before, 0.0)
    last = pvals[..., -1]
    left = np.where(np.abs(last - rest) <= ROUNDED, last, rest)
    chances = np.ones(pvals.shape)
    for j in range(count - 2, -1, -1):
        left = left + pvals[..., j]
        chances[..., j] = np.minimum(np.divide(pvals[..., j], left, out=np.zeros(left.shape), where=left > 0), 1.0)
    return chances


def hypergeometric(colors: npt.NDArray[Any], nsample: npt.NDArray[Any], shape: tuple[int, ...]) -> Counted:
    """Return the counts of `colors` among `nsample` things, broadcast to `shape` with all rows."""
    total = colors.sum(axis=-1, dtype=np.float64)
    samples, everything = nsample[..., np.newaxis], np.maximum(total, 1.0)[..., np.newaxis]
    share = colors / everything
    _check_width("nsample", nsample, np.sqrt(samples * share * (1 - share) * np.maximum(1 - samples / everything, 0.0)))
    return MultivariateHypergeometric((colors, samples), shape, int(nsample.max(initial=0)))


def _piece(values: tuple[tuple[str, Any], ...]) -> Distribution:
    alpha, rest = (value for _, value in values)
    if alpha == 0 or rest <= 0:
        return Continuous(Gamma(alpha))
    return Continuous(FisherF(2 * alpha, 2 * rest))


def shares(shape: tuple[int, ...], alpha: Array, dtype: np.dtype[Any], few: bool | None = None) -> Vectors:
    """Return what shares are made of; `few` says whether they have tables, which part of an array does not show.

    Their rows are, for each share, its number of `alpha`, and the sum of those behind it, or -1 where they are divided.
    A share that is cut off and always 0 has an infinite sum. Of two distributions the first is for shares that are
    divided, and the second for those that are cut off.
    """
    if not prod(shape):
        return Vectors((by_name("standard_gamma", shape=1.0),), (), shares)
    _check(alpha)
    small = (alpha.max(axis=-1, initial=0.0) < SMALL[dtype.name])[..., np.newaxis]
    rest = np.zeros(alpha.shape)
    for j in range(alpha.shape[-1] - 2, -1, -1):
        rest[..., j] = rest[..., j + 1] + alpha[..., j + 1]
    rest = np.where(small, np.where((alpha == 0) & (rest > 0), np.inf, rest), -1.0)
    arrays: Mapping[str, Array] = {"alpha": alpha, "rest": rest}
    found = None
    if few is None:
        part = {key: each.reshape(-1)[: 16 * FEW] for key, each in arrays.items()}  # which mostly has more already
        few = numbered(part).columns[0].size <= FEW and (found := numbered(arrays)).columns[0].size <= FEW
    laws: list[Distribution]
    if few:
        laws = [ByElements("dirichlet", {}, arrays, shape, law=_piece, found=found)]
    else:
        laws = _without_tables(alpha, rest, small, shape)
    return Vectors(laws, (alpha,), partial(shares, dtype=dtype, few=few), shared, (alpha, rest))


def _without_tables(
    alpha: Array, rest: Array, small: npt.NDArray[np.bool_], shape: tuple[int, ...]
) -> list[Distribution]:
    """Return the distributions of shares of many different numbers."""
    laws: list[Distribution] = []
    cut = (rest > 0) & (rest < np.inf)
    if not (small.all() and cut.any()):
        gamma = {"shape": np.where(small, 0.0, alpha)}
        laws.append(OfShapes("standard_gamma", gamma, gamma, shape))
    if cut.any():
        given = {key: 2 * np.where(cut, x, x[cut][0]) for key, x in (("dfnum", alpha), ("dfden", rest))}
        laws.append(OfPairs("f", given, given, shape))
    return laws


def _check(alpha: Array) -> None:
    """Raise the error of the first element that is not legal, if any is not."""
    legal = LEGAL.takes(alpha)
    if not legal.all():
        place = int(legal.argmin())
        try:
            LEGAL.check("alpha", alpha.flat[place].item())
        except ValueError as error:
            raise placed(error, place, {"alpha": alpha}, (), {}) from None


def shared(pieces: Sequence[npt.NDArray[Any]], alpha: Array, rest: Array) -> npt.NDArray[Any]:
    """Return shares of rows of pieces, in double precision and then as their dtype.

    `pieces` has the values of each of the distributions of `shares`. What is cut off and what is left are made of their
    ratio, so that neither loses digits where it is small.
    """
    wide = np.where(rest < 0, pieces[0], pieces[-1]).astype(np.float64)
    total, left, cut = np.zeros(len(wide)), np.ones(len(wide)), np.empty(wide.shape)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # each way has no use for some numbers
        for j in range(wide.shape[1]):
            total = total + wide[:, j]
        divided = wide / total[:, np.newaxis]
        for j in range(wide.shape[1]):
            odds = wide[:, j] * (alpha[:, j] / rest[:, j])
            odds = np.where(rest[:, j] == 0, np.inf, np.where(rest[:, j] == np.inf, 0.0, odds))
            cut[:, j] = left / (1 + 1 / odds)
            left = left / (1 + odds)
    return np.where(rest < 0, divided, cut).astype(pieces[0].dtype)


def factor(cov: Array) -> Array:
    """Return the lower triangular matrix L with L L^T = `cov`, by Cholesky's method, in a fixed order.

    A column whose pivot is lost in rounding, or negative, is 0. Only the lower triangle of `cov` is used.
    """
    left, size = np.array(cov, np.float64), cov.shape[-1]
    least = np.diagonal(left, axis1=-2, axis2=-1) * (8 * size * 2.0**-53)
    made = np.zeros(left.shape)
    for j in range(size):
        pivot = left[..., j, j]
        used = pivot > np.maximum(least[..., j], 0.0)
        root = np.sqrt(np.where(used, pivot, 1.0))
        column = np.where(used[..., np.newaxis], left[..., j:, j] / root[..., np.newaxis], 0.0)
        column[..., 0] = np.where(used, root, 0.0)
        made[..., j:, j] = column
        left[..., j:, j:] -= column[..., :, np.newaxis] * column[..., np.newaxis, :]
    return made


def normals(shape: tuple[int, ...], mean: Array, factors: Array) -> Vectors:  # noqa: ARG001  # others do
    """Return what normal vectors are made of; the last axis of `factors` has all elements of a matrix."""
    return Vectors((by_name("standard_normal"),), (mean, factors), normals, located, (mean, factors))


def located(pieces: Sequence[npt.NDArray[Any]], mean: Array, factors: Array) -> npt.NDArray[Any]:
    """Return rows mean + L z of rows of standard normal numbers z, in double precision and then as their dtype.

    The products of each row are added to the mean one after the other; each operation is rounded.
    """
    (standard,) = pieces
    factors = factors.reshape(-1, *standard.shape[1:] * 2)
    wide, made = standard.astype(np.float64), np.array(np.broadcast_to(mean, standard.shape))
    for j in range(wide.shape[1]):
        made = made + factors[..., :, j] * wide[:, j, np.newaxis]
    largest = float(np.finfo(standard.dtype).max)
    return np.clip(made, -largest, largest).astype(standard.dtype)


def check_positive(cov: Array, made: Array, check_valid: str, tol: float) -> str | None:
    """Return what is wrong with a covariance whose factor was `made`, unless `check_valid` is ``"ignore"``."""
    if check_valid == "ignore":
        return None
    close = np.isclose(made @ np.swapaxes(made, -1, -2), cov, rtol=tol, atol=tol).all(axis=(-1, -2))
    if close.all():
        return None
    first = np.unravel_index(int(np.argmin(close)), close.shape)
    where = f", as matrix {validation.shown(tuple(map(int, first)))} is not" if close.ndim else ""
    return f"cov must be symmetric and positive semidefinite{where}"
