"""Values of discrete distributions that the host makes, each with parameters of its own: the same as by tables.

A value is the smallest k with X < T(k), as `clrng.distributions.discrete` defines it. The host sums or solves in double
precision, with errors far below `CERTAIN`. Where X/N is so close to F(k) or F(k - 1) that these might decide wrongly,
exact integers decide. So the values depend on no rounding, and on no library's functions.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions import large_means, masses
from clrng.distributions.discrete import (
    Binomial,
    Discrete,
    Geometric,
    Hypergeometric,
    Logseries,
    NegativeBinomial,
    Poisson,
    Zipf,
    largest_with_a_table,
    threshold_table,
)
from clrng.distributions.quantiles.quantile import MEDIAN
from clrng.distributions.transforms.by_element import Varying

Array = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Given = Mapping[str, npt.NDArray[Any]]
"""The parameters of so many values, by name."""

CERTAIN = 2.0**-40
"""X/N further from F(k) than this, times the number of masses that are summed where these are many, is sure."""

PER_MASS = 2.0**-50
"""So much of it for each mass."""

REACH, MARGIN, DECAY = 7.5, 14.0, 32.0
"""Masses are summed so many standard deviations to both sides of the mode and so many values further, and behind it so
many times as far as it takes a geometric tail to fall to 1/e."""

AT_ONCE = 2**17
"""About how many masses are summed at once: they stay in the caches."""

MOST = 2**63 - 1
"""The largest value. Zipf's distribution has none above it, as NumPy's."""

SURE_BITS = 46
"""Powers k^-a, of any k and a of which they are 2^-64 or more, have relative errors below 2^-SURE_BITS."""

TAILS, MORE = 2.0, 64.0
"""No value is further behind the mode than so many times what is summed, and so many more."""

HARD = 2.0**50
"""Parameters from here on are too large for sums in double precision."""

DIRECT = 32
"""So many first terms of the zeta function are added one by one; the others by Euler and Maclaurin's formula."""

BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)
"""B(2j)/(2j)! for j = 1, 2, ..."""


class Shape(NamedTuple):
    """How masses go up from the mode and down: `up` gives that of k + 1 divided by that of k, `down` of k - 1 by k."""

    mode: Whole
    above: Array
    """How far behind the mode masses count."""
    below: Array
    up: Callable[[Array, slice], Array]
    """Called with values of k, shape (n, width), and which laws they are of."""
    down: Callable[[Array, slice], Array]


def _spread(variance: Array) -> Array:
    result: Array = REACH * np.sqrt(variance) + MARGIN
    return result


def _column(values: Any, part: slice) -> Array:
    return np.asarray(values, np.float64)[part, None]


def _poisson(lam: Array) -> Shape:
    spread = _spread(lam)
    return Shape(
        np.floor(lam).astype(np.int64), spread, spread,
        lambda k, part: _column(lam, part) / (k + 1), lambda k, part: k / np.maximum(_column(lam, part), 1e-300),
    )  # fmt: skip


def _binomial(n: Whole, p: Array) -> Shape:
    count = n.astype(np.float64)
    spread = _spread(count * p * (1 - p))
    with np.errstate(divide="ignore"):
        odds = np.where(p < 1, p / (1 - p), 0.0)
    mode = np.where(p < 1, np.minimum(np.floor((count + 1) * p), count), count).astype(np.int64)
    return Shape(
        mode, spread, spread,
        lambda k, part: np.maximum(_column(count, part) - k, 0) / (k + 1) * _column(odds, part),
        lambda k, part: _down(k, (_column(count, part) - k + 1) * _column(odds, part)),
    )  # fmt: skip


def _down(above: Array, below: Array) -> Array:
    """Return above/below, and 0 where `below` is 0: there is no mass."""
    result: Array = np.divide(
        np.maximum(above, 0), below, out=np.zeros(np.broadcast(above, below).shape), where=below > 0
    )
    return result


def _negative_binomial(n: Array, p: Array) -> Shape:
    q = 1 - p
    spread = _spread(n * q) / p
    with np.errstate(divide="ignore"):
        behind = DECAY / np.maximum(-np.log1p(-np.minimum(p, 1 - 2.0**-53)), 2.0**-20)
    mode = np.clip(np.floor((n - 1) * q / p), 0, 2.0**62).astype(np.int64)
    return Shape(
        mode, spread + behind, spread,
        lambda k, part: (_column(n, part) + k) / (k + 1) * _column(q, part),
        lambda k, part: _down(k, (_column(n, part) + k - 1) * _column(q, part)),
    )  # fmt: skip


def _hypergeometric(ngood: Whole, nbad: Whole, nsample: Whole) -> Shape:
    good, bad, sample = (np.asarray(each, np.float64) for each in (ngood, nbad, nsample))
    everything = good + bad
    share = good / np.maximum(everything, 1)
    variance = sample * share * (1 - share) * (everything - sample) / np.maximum(everything - 1, 1)
    lowest = np.maximum(0, sample - bad)
    mode = np.maximum(np.floor((good + 1) * ((sample + 1) / (everything + 2))), lowest)
    mode = np.minimum(mode, np.minimum(good, sample))
    spread = _spread(variance)
    rest = bad - sample
    return Shape(
        mode.astype(np.int64), spread, spread,
        lambda k, part: (
            np.maximum(_column(good, part) - k, 0) * np.maximum(_column(sample, part) - k, 0)
            / ((k + 1) * np.maximum(_column(rest, part) + 1 + k, 1))
        ),
        lambda k, part: _down(
            k * np.maximum(_column(rest, part) + k, 0), (_column(good, part) - k + 1) * (_column(sample, part) - k + 1)
        ),
    )  # fmt: skip


def _logseries(p: Array) -> Shape:
    with np.errstate(divide="ignore"):
        behind = DECAY / -np.log(np.clip(p, 1e-300, None))
    return Shape(
        np.ones(p.shape, np.int64), behind + MARGIN, np.zeros(p.shape),
        lambda k, part: _column(p, part) * k / (k + 1), lambda k, part: np.zeros_like(k + _column(p, part)),
    )  # fmt: skip


SHAPES: dict[type[Discrete], Callable[..., Shape]] = {
    Poisson: _poisson,
    Binomial: _binomial,
    NegativeBinomial: _negative_binomial,
    Hypergeometric: _hypergeometric,
    Logseries: _logseries,
}


def _summed(shape: Shape, wanted: Array) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Return the smallest k of each law with F(k) above what is `wanted`, and which of them are sure."""
    found, sure = np.zeros(wanted.shape, np.int64), np.zeros(wanted.shape, np.bool_)
    widths = shape.above + shape.below
    order = np.argsort(widths, kind="stable")
    begin = 0
    while begin < order.size:
        rows = max(int(AT_ONCE // max(widths[order[begin]], 1)), 1)
        end = min(begin + rows, order.size)
        while end - begin > 1 and (end - begin) * widths[order[end - 1]] > 2 * AT_ONCE:
            end = begin + (end - begin) // 2
        found_here, sure_here = _summed_part(_taken(shape, order[begin:end]), wanted[order[begin:end]])
        found[order[begin:end]], sure[order[begin:end]] = found_here, sure_here
        begin = end
    return found, sure


def _taken(shape: Shape, places: npt.NDArray[np.intp]) -> Shape:
    """Return the laws at these places, whose functions are asked for all of them."""

    def of(function: Callable[[Array, slice], Array]) -> Callable[[Array, slice], Array]:
        return lambda k, _: function(k, places)  # type: ignore[arg-type]  # an index like any other

    return Shape(shape.mode[places], shape.above[places], shape.below[places], of(shape.up), of(shape.down))


def _reached(shape: Shape) -> tuple[Whole, Array]:
    """Return the first k of each law that counts, and F(k) for it and the next ones."""
    whole = slice(None)
    mode = shape.mode.astype(np.float64)[:, None]
    above, below = int(shape.above.max()) + 1, int(min(shape.below.max() + 1, shape.mode.max()))
    up = np.cumprod(shape.up(mode + np.arange(above), whole), axis=1)
    down = np.cumprod(shape.down(mode - np.arange(below), whole), axis=1) if below else np.empty((len(mode), 0))
    reached = np.concatenate([down[:, ::-1], np.ones((len(mode), 1)), up], axis=1, dtype=np.float64)
    np.cumsum(reached, axis=1, out=reached)
    reached /= reached[:, -1:]
    return shape.mode - below, reached


def probabilities(kind: type[Discrete], given: Given) -> tuple[int, Array]:
    """Return the first k of a law that counts, and F(k) for it and the next ones; parameters have one element each."""
    if kind is Geometric:
        with np.errstate(divide="ignore"):
            (lost,) = -np.log1p(-given["p"])
        return 1, -np.expm1(-lost * np.arange(1.0, DECAY / lost + MARGIN))
    first, (reached,) = _reached(SHAPES[kind](*given.values()))
    return int(first[0]), reached


def _summed_part(shape: Shape, wanted: Array) -> tuple[Whole, npt.NDArray[np.bool_]]:
    first, reached = _reached(shape)
    index = (reached <= wanted[:, None]).sum(axis=1)
    last = reached.shape[1] - 1
    rows = np.arange(len(first))
    at, before = reached[rows, np.minimum(index, last)], reached[rows, np.maximum(index - 1, 0)]
    certain = max(CERTAIN, PER_MASS * reached.shape[1])
    before = np.where(index > 0, before, -1.0)
    sure = (index < last) & (at - wanted > certain) & (wanted - before > certain) & (wanted > certain)
    return first + index, sure & (wanted < 1 - certain)


def _geometric(p: Array, wanted: Array, left: Array) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Return the smallest k with (1 - p)^k below what is `left`, 1 less what is `wanted`, and which are sure."""
    logarithm = np.where(wanted < MEDIAN, np.log1p(-wanted), np.log(left))
    exact = np.where(p < 1, logarithm / np.log1p(-np.minimum(p, 1 - 2.0**-53)), 0.0)
    below = np.floor(exact)
    near = np.maximum(exact, 1) * 2.0**-SURE_BITS
    sure = (exact - below > near) & (below + 1 - exact > near) & (exact < 2.0**62)
    return np.clip(below + 1, 1, 2.0**62).astype(np.int64), sure | (p >= 1)


def _zeta(a: Array, y: Array) -> Array:
    """Return the sum of k^-a over all integers k from y on, y at least `DIRECT`, relative to what it is."""
    power = y ** (1 - a)
    total = power / (a - 1) + power / y / 2
    term = a * power / y**2
    for j, factor in enumerate(BERNOULLI):
        total = total + factor * term
        term = term * (a + 2 * j + 1) * (a + 2 * j + 2) / y**2
    return total


def _zipf(a: Array, left: Array, numbers: int) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Return the smallest k for which the probability of more is below what is `left`, and which are sure."""
    powers = np.arange(1.0, DIRECT) ** -a[:, None]
    rest = _zeta(a, np.full(a.shape, float(DIRECT)))
    above = np.cumsum(np.concatenate([rest[:, None], powers[:, ::-1]], axis=1), axis=1)[:, ::-1]  # k + 1 and more
    end = _zeta(a, np.full(a.shape, 2.0**63))
    end = np.where(_end_early(a, end * float(numbers), above[:, 0], numbers), end, 0.0)
    wanted = left * (above[:, 0] - end) + end
    k = (above[:, 1:] >= wanted[:, None]).sum(axis=1).astype(np.float64) + 1
    far = wanted <= rest
    root = np.maximum((wanted * (a - 1)) ** (-1 / (a - 1)) + 0.5, DIRECT)
    for _ in range(3):
        root = np.clip(root + (_zeta(a, root) - wanted) * root**a, DIRECT, 2.0**62)
    k = np.where(far, np.floor(root), k)
    near = 2.0**-SURE_BITS * (2 + 1 / (a - 1))
    place, rows = np.minimum(k, DIRECT - 1).astype(np.int64), np.arange(len(a))
    more = np.where(k >= DIRECT, _zeta(a, np.maximum(k + 1, DIRECT)), above[rows, place])
    also = np.where(k > DIRECT, _zeta(a, np.maximum(k, DIRECT)), above[rows, place - (k < DIRECT)])
    sure = (more < wanted * (1 - near)) & (also > wanted * (1 + near)) & (k < 2.0**SURE_BITS)
    return k.astype(np.int64), sure


def _end_early(a: Array, beyond: Array, total: Array, numbers: int) -> npt.NDArray[np.bool_]:
    """Return which of Zipf's distributions end at `MOST`; `beyond` is N times the sum above it, `total` that of all."""
    early: npt.NDArray[np.bool_] = beyond > total
    for place in np.flatnonzero(np.abs(beyond - total) <= CERTAIN * total).tolist():
        early[place] = ends_early(float(a[place]), numbers)
    return early


@lru_cache(maxsize=64)
def _totals(a: float, numbers: int) -> tuple[int, int]:
    """Return zeta(a) in units of 2^-BITS, and the sum over all k that are not drawn: those above `MOST`, if any are."""
    numerator, denominator = a.as_integer_ratio()
    total = masses.zeta(numerator, denominator, masses.BITS)
    end = masses.zeta_from(MOST + 1, numerator, denominator, masses.BITS)
    return total, end if end * numbers > total else 0


def ends_early(a: float, numbers: int) -> bool:
    """Return whether Zipf's distribution has values above `MOST`, which are not drawn."""
    return _totals(a, numbers)[1] > 0


def _is_reached_by_zipf(a: float, k: int, x: int, numbers: int) -> bool:
    """Return whether X < T(k)."""
    numerator, denominator = a.as_integer_ratio()
    total, end = _totals(a, numbers)
    above = max(masses.zeta_from(k + 1, numerator, denominator, masses.BITS) - end, 0) if k < MOST else 0
    return masses.is_below(x, (total - end) - above, total - end, numbers)


def _is_reached_by_geometric(p: float, k: int, x: int, numbers: int) -> bool:
    success, trials = p.as_integer_ratio()
    lost = masses.logarithm(trials, trials - success, masses.BITS) if success < trials else 0
    above = masses.exponential(-lost * k, masses.BITS) if success < trials else 0
    one = 1 << masses.BITS
    return masses.is_below(x, one - above, one, numbers)


REACHED: dict[type[Discrete], Callable[[float, int, int, int], bool]] = {
    Geometric: _is_reached_by_geometric,
    Zipf: _is_reached_by_zipf,
    Poisson: large_means.is_reached,
}
"""Of distributions whose values may spread too far for a table, whether X < T(k): called with a parameter, k, X and N.

That of Poisson's is for a mean of `large_means.LEAST` or more.
"""


def has_table(law: Discrete) -> bool:
    """Return whether a table decides of a distribution where sums do not; else what `REACHED` has."""
    return type(law) not in REACHED or (isinstance(law, Poisson) and law.lam < large_means.LEAST)


def exact(law: Discrete, number: int, numbers: int, near: int) -> int:
    """Return the value of a number by exact integers; `near` is a value that is near to it, or is not."""
    if not has_table(law):
        return _sought(law, number, numbers, near)
    if isinstance(law, Poisson) and law.lam >= large_means.SMOOTH:
        value = _sought(law, number, numbers, near)
        if large_means.is_sure(law.lam, value, number, numbers):
            return value
    table = threshold_table(law, numbers)
    return table.low + min(bisect_right(table.thresholds.tolist(), number), table.thresholds.size - 1)


def _sought(law: Discrete, number: int, numbers: int, near: int) -> int:
    """Return the value of a number by what `REACHED` has of a distribution."""
    reached, parameter = REACHED[type(law)], next(iter(vars(law).values()))
    low, high, step = near - 1, near, 1  # T(low) <= X < T(high) in the end
    while low >= 1 and reached(parameter, low, number, numbers):
        high, low, step = low, low - step, 2 * step
    low = max(low, 0)
    step = 1
    while not reached(parameter, high, number, numbers):
        low, high, step = high, min(high + step, MOST), 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(parameter, middle, number, numbers) else (middle, high)
    return high


def values(kind: type[Discrete], given: Given, found: npt.NDArray[np.uint64], numbers: int) -> npt.NDArray[np.int64]:
    """Return the values that laws of one kind, with parameters of their own, make of numbers below N = `numbers`."""
    reals = [np.asarray(each, np.int64 if each.dtype.kind in "iu" else np.float64) for each in given.values()]
    wanted = found.astype(np.float64) / float(numbers)
    left = ((np.uint64(numbers - 1) - found).astype(np.float64) + 1) / float(numbers)
    if kind is Poisson:
        made, sure = _poisson_numbers(reals[0].astype(np.float64), wanted, left)
    elif kind in SHAPES:
        made, sure = _summed(SHAPES[kind](*reals), wanted)
        for each in reals:
            sure &= each < HARD
    else:
        (parameter,) = (each.astype(np.float64) for each in reals)
        with np.errstate(all="ignore"):
            made, sure = _zipf(parameter, left, numbers) if kind is Zipf else _geometric(parameter, wanted, left)
    for place in np.flatnonzero(~sure).tolist():
        law = kind(**{key: each[place].item() for key, each in given.items()})
        made[place] = exact(law, int(found[place]), numbers, int(made[place]))
    return made


def _poisson_numbers(lam: Array, wanted: Array, left: Array) -> tuple[Whole, npt.NDArray[np.bool_]]:
    """Return the smallest k of each mean with F(k) above what is `wanted`, and which of them are sure."""
    made, sure = np.zeros(lam.shape, np.int64), np.zeros(lam.shape, np.bool_)
    large = lam >= large_means.EXPANDED
    made[large], sure[large] = large_means.places(lam[large], wanted[large], left[large])
    made[~large], sure[~large] = _summed(_poisson(lam[~large]), wanted[~large])
    return made, sure


def is_wide(kind: type[Discrete], parameter: npt.NDArray[Any], numbers: int) -> npt.NDArray[np.bool_]:
    """Return where values of a kind of `REACHED` may spread too far for a table: a little more often than they do."""
    far, given = float(masses.MAX_ENTRIES), parameter.astype(np.float64)
    with np.errstate(all="ignore"):
        if kind is Poisson:
            return np.asarray(given > largest_with_a_table(numbers))
        if kind is Zipf:
            above = given - 1
            beyond = far**-above / (1 + above)  # at most what is above, relative to all
        else:
            beyond = np.exp(far * np.log1p(-given))
    wide: npt.NDArray[np.bool_] = beyond * float(numbers) > 1 / 2
    return wide


def check_dtype(law: Discrete, numbers: int, dtype: np.dtype[Any]) -> None:
    """Raise an error if the largest value of a distribution of `REACHED` does not fit a dtype."""
    most = min(int(np.iinfo(dtype).max), MOST)
    parameter = next(iter(vars(law).values()))
    if REACHED[type(law)](parameter, most, numbers - 1, numbers):
        return
    if most < MOST:
        raise ValueError(f"dtype must hold the values of {validation.shown(law)}, some above {most}, not {dtype}")
    raise ValueError(f"p must be larger, not {parameter!r}: values would be above 2^63 - 1")


def extent(kind: type[Discrete], given: Given, numbers: int) -> tuple[Array, Array]:
    """Return how far values of laws spread at most, and what is at least their largest value."""
    if kind in SHAPES:
        shape = SHAPES[kind](*given.values())
        widths = np.zeros(shape.above.shape) if kind in REACHED else shape.above + shape.below
        return widths, shape.mode + TAILS * shape.above + MORE
    (parameter,) = (each.astype(np.float64) for each in given.values())
    with np.errstate(all="ignore"):
        if kind is Zipf:
            largest = (2.0 * float(numbers) * parameter / (parameter - 1)) ** (1 / (parameter - 1)) + 2
            largest = np.minimum(largest, 2.0**62)
        else:
            largest = np.log(float(numbers)) / -np.log1p(-parameter) + 2
    return np.zeros(parameter.shape), largest


def tails(found: npt.NDArray[np.uint64], numbers: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the tail probabilities of numbers, of the lower and of the upper side."""
    lower, upper = (
        (2 * each.astype(np.float64) + 1) * (0.5 / numbers) for each in (found, np.uint64(numbers - 1) - found)
    )
    return lower, upper


@dataclass(frozen=True, eq=False)
class OnHost(Varying):
    """Values that the host makes, element by element, of the numbers X whose digits are their raw values."""

    __hash__ = object.__hash__

    one_behind_another: ClassVar = True

    make: Callable[[npt.NDArray[np.uint64], Callable[[npt.NDArray[Any]], npt.NDArray[Any]]], npt.NDArray[Any]] = (
        lambda found, _: found.astype(np.int64)
    )
    """Called with numbers X, and with what gives the elements of an array of parameters at the places of the values."""

    width: int = 1
    """So many values, and multiples of it, are made together; rows of an array have so many."""

    def values(self, found: npt.NDArray[np.uint64], place: int) -> npt.NDArray[Any]:  # type: ignore[override]
        """Return values of numbers; `place` is how many elements from `first` on were made before."""
        begin = self.first + place

        def here(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
            if array.size == 1:
                return np.broadcast_to(array.reshape(-1), found.shape)
            return np.broadcast_to(array, self.shape).flat[begin : begin + found.size]

        return self.make(found, here).astype(self.dtype)
