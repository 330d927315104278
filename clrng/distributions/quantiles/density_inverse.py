"""The inverse of a distribution function from its density: integration and inversion panel by panel.

The variable w is chosen so that the density falls off at least exponentially at both ends and is largest at 0. The
range of w is cut into panels, on which the density changes by a factor of e at most. On each it is interpolated by a
polynomial at Chebyshev nodes, which is integrated exactly. The mass of a tail is a sum from its own end, so that each
tail is accurate relative to itself. The total is the sum of both: no constant of the density needs to be known. The
inverse is found by Newton's iteration on the polynomial of a panel.

References
----------
G. Derflinger, W. Hörmann, J. Leydold, "Random variate generation by numerical inversion when only the density is
known", ACM Transactions on Modeling and Computer Simulation 20 (2010), article 18; C. W. Clenshaw, A. R. Curtis, "A
method for numerical integration on an automatic computer", Numerische Mathematik 2 (1960), 197-205; L. N. Trefethen,
Approximation Theory and Approximation Practice, SIAM 2013.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from clrng.distributions.quantiles.elementary import Array, Pair, cos_pi, exp, sin_pi, two_sum

LogDensity = Callable[[Array], Pair]

QUARTER, HALF = 0.25, 0.5


def _cosines(count: int) -> Array:
    """Return cos(pi·j/(2·count)) for j = 0 ... 4·count - 1."""
    x = np.arange(count + 1) / (2.0 * count)
    first = np.where(x <= QUARTER, cos_pi(np.minimum(x, QUARTER)), sin_pi(HALF - np.maximum(x, QUARTER)))
    half = np.concatenate([first, -first[count - 1 : 0 : -1]])
    return np.concatenate([half, -half])


@lru_cache
def chebyshev_nodes(count: int) -> Array:
    """Return the zeros of the Chebyshev polynomial of degree `count`, ascending."""
    return -_cosines(count)[1 : 2 * count : 2]


@lru_cache
def _transform(count: int) -> Array:
    """Return the matrix from values at the nodes to coefficients, shape (count, count)."""
    cosines = _cosines(count)
    j, k = np.arange(count), np.arange(count)[:, None]
    signs = np.where(k % 2 == 1, -1.0, 1.0)  # the nodes ascend
    matrix: Array = signs * cosines[(2 * j + 1) * k % (4 * count)] * (2.0 / count)
    matrix[0] = 1.0 / count
    return matrix


def chebyshev_coefficients(values: Array) -> Array:
    """Return the Chebyshev coefficients of the polynomials with `values` at the nodes, both of shape (n, count)."""
    matrix = _transform(values.shape[1])
    total = np.zeros_like(values)
    for j in range(values.shape[1]):
        total = total + values[:, j : j + 1] * matrix[:, j]
    return total


def antiderivative(series: Array) -> Array:
    """Return the coefficients, shape (n, count + 1), of the integrals from -1 of series, shape (n, count)."""
    count = series.shape[1]
    padded = np.concatenate([series, np.zeros((len(series), 2))], axis=1)
    padded[:, 0] = 2 * padded[:, 0]
    result = np.zeros((len(series), count + 1))
    for k in range(count, 0, -1):
        result[:, k] = (padded[:, k - 1] - padded[:, k + 1]) / (2.0 * k)
        result[:, 0] = result[:, 0] + (result[:, k] if k % 2 else -result[:, k])
    return result


def chebyshev_value(series: Array, t: Array) -> Array:
    """Return the value at t[i] of the i-th series, by Clenshaw's recurrence; `series` of shape (count, n)."""
    after, last = np.zeros_like(t), np.zeros_like(t)
    twice = t + t
    for row in series[:0:-1]:
        after, last = (row - last) + twice * after, after
    result: Array = (series[0] - last) + t * after
    return result


NODES = 20
DEEPEST = 92
"""Panels end where the logarithm of the density is so far below its maximum; a tail of 2^-70 begins about 49 below."""
WIDEST, GROWTH = 1.0, 4.0
"""A panel at the distance d from the features of the density is at most 1 + d/4 wide."""
NEWTON_STEPS = 6


@dataclass(frozen=True, eq=False)
class Side:
    """The panels as seen from one end: arrays with an element for each panel.

    w = middle + half·s, where s runs from -1, on the side of that end, to 1; half is negative as seen from the upper
    end. `before` is the mass between that end and the panel, and `total` that of the panel. `density` and `integral`
    are Chebyshev coefficients in s, of the shapes (NODES, panels) and (NODES + 1, panels).
    """

    before: Array
    total: Array
    middle: Array
    half: Array
    density: Array
    integral: Array

    @classmethod
    def of(cls, values: Array, middle: Array, half: Array) -> "Side":
        """Return the side from whose end panels and nodes are in order."""
        density = chebyshev_coefficients(values)
        integral = antiderivative(density)
        total = np.zeros(len(values))
        for k in range(1, NODES + 1, 2):
            total = total + 2 * integral[:, k]
        before, mass = [], 0.0
        for panel in total.tolist():
            before.append(mass)
            mass += panel
        columns = (np.ascontiguousarray(table.T) for table in (density, integral))
        return cls(np.array(before), total, middle, half, *columns)

    def inverse(self, mass: Array) -> Pair:
        """Return the w with `mass` between the end and w, as a pair."""
        panel = np.clip(np.searchsorted(self.before, mass, side="right") - 1, 0, len(self.before) - 1)
        rest, total = mass - self.before[panel], self.total[panel]
        density, integral = self.density[:, panel], self.integral[:, panel]
        s = 2 * (rest / total) - 1
        for _ in range(NEWTON_STEPS):
            s = s - (chebyshev_value(integral, s) - rest) / chebyshev_value(density, s)
            s = np.minimum(np.maximum(s, -1.0), 1.0)
        return two_sum(self.middle[panel], self.half[panel] * s)


@dataclass(frozen=True, eq=False)
class DensityInverse:
    """The inverse of a distribution function: both sides, and the mass of the whole."""

    lower: Side
    upper: Side
    mass: float
    log_density: LogDensity
    top: float
    """Masses are those of the density divided by the exponential of this."""

    @classmethod
    def of(cls, log_density: LogDensity, edges: Array) -> "DensityInverse":
        """Return the inverse for a density whose logarithm as a pair, up to a constant, is `log_density` of w.

        The edges of the panels ascend; what is beyond them is left out.
        """
        middle, half = 0.5 * (edges[:-1] + edges[1:]), 0.5 * (edges[1:] - edges[:-1])
        offsets = half[:, None] * chebyshev_nodes(NODES)
        w, w_low = two_sum(middle[:, None], offsets)
        high, low = log_density(w)
        top = float(high.max())
        high, error = two_sum(high, -top)
        low = low + error
        slope = (high[:, -1:] - high[:, :1]) / (w[:, -1:] - w[:, :1])
        values = exp(high, low + slope * w_low) * half[:, None]
        lower = Side.of(values, middle, half)
        upper = Side.of(values[::-1, ::-1], middle[::-1], -half[::-1])
        split = len(middle) // 2
        mass = float(lower.before[split] + upper.before[len(middle) - split])
        return cls(lower, upper, mass, log_density, top)

    def __call__(self, p: Array, upper: bool) -> Pair:
        """Return w with the probability p below it, or above it where `upper`, as a pair."""
        return (self.upper if upper else self.lower).inverse(p * self.mass)

    def within(self, w: Array) -> Array:
        """Return the probability from -w to w of a density that is even, and smooth up to w.

        It is right relative to itself, as a difference of probabilities is not.
        """
        places = np.asarray(w)[..., None] * (HALF + HALF * chebyshev_nodes(NODES))
        high, low = self.log_density(places)
        high, error = two_sum(high, -self.top)
        integral = antiderivative(chebyshev_coefficients(exp(high, low + error).reshape(-1, NODES)))
        mean = np.zeros(len(integral))
        for k in range(1, NODES + 1, 2):
            mean = mean + integral[:, k]
        found: Array = 2 * w * mean.reshape(np.shape(w)) / self.mass
        return found


def panels(log_density: LogDensity, features: tuple[float, float] = (0.0, 0.0), narrowest: float = 2.0**-30) -> Array:
    """Return the edges of panels for a density that falls on both sides of w = 0.

    Between the `features` the density is far from exponential: singularities of its analytic continuation have real
    parts there. `narrowest` is about the shortest distance from 0 over which the density may fall by e^92.
    """
    top = log_density(np.zeros(1))[0]
    signs = np.array([[-1.0], [1.0]])
    powers = np.ldexp(narrowest, np.arange(1 - math.frexp(narrowest)[1]))  # up to 1/2, where no density is extreme
    inside = np.minimum.accumulate(log_density(signs * powers)[0] - top > -DEEPEST, axis=1)
    reach = np.ldexp(narrowest, inside.sum(axis=1, keepdims=True))
    while (inside := log_density(signs * reach)[0] - top > -DEEPEST).any():
        reach = np.where(inside, 2 * reach, reach)
    depth = np.arange(1.0, DEEPEST + 1)
    near, far = np.zeros((2, len(depth))), np.repeat(reach, len(depth), axis=1)
    for _ in range(16):
        middle = 0.5 * (near + far)
        inside = log_density(signs * middle)[0] - top > -depth
        near, far = np.where(inside, middle, near), np.where(inside, far, middle)
    levels = np.concatenate([-far[0, ::-1], [0.0], far[1]])
    return _divided(levels, features)


def _divided(edges: Array, features: tuple[float, float]) -> Array:
    """Return the edges, and others between them so that no panel is too wide."""
    result = [float(edges[0])]
    for edge in edges[1:].tolist():
        while True:
            start = result[-1]
            distance = max(features[0] - edge, start - features[1], 0.0)
            pieces = int(np.ceil((edge - start) / (WIDEST + distance / GROWTH)))
            if pieces <= 1:
                break
            result.append(start + (edge - start) / pieces)
        if edge > result[-1]:
            result.append(edge)
    return np.array(result)
