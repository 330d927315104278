"""Polynomials in the basis of Chebyshev, on [-1, 1], from exactly specified operations.

References
----------
C. W. Clenshaw, A. R. Curtis, "A method for numerical integration on an automatic computer", Numerische Mathematik 2
(1960), 197-205; L. N. Trefethen, Approximation Theory and Approximation Practice, SIAM 2013.
"""

from functools import lru_cache

import numpy as np

from clrng.distributions.quantiles.elementary import Array, cos_pi, sin_pi

QUARTER, HALF = 0.25, 0.5


def _cosines(count: int) -> Array:
    """Return cos(pi·j/(2·count)) for j = 0 ... 4·count - 1."""
    x = np.arange(count + 1) / (2.0 * count)
    first = np.where(x <= QUARTER, cos_pi(np.minimum(x, QUARTER)), sin_pi(HALF - np.maximum(x, QUARTER)))
    half = np.concatenate([first, -first[count - 1 : 0 : -1]])
    return np.concatenate([half, -half])


@lru_cache
def nodes(count: int) -> Array:
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


def coefficients(values: Array) -> Array:
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


def value(series: Array, t: Array) -> Array:
    """Return the value at t[i] of the i-th series, by Clenshaw's recurrence; `series` of shape (count, n)."""
    after, last = np.zeros_like(t), np.zeros_like(t)
    twice = t + t
    for row in series[:0:-1]:
        after, last = (row - last) + twice * after, after
    result: Array = (series[0] - last) + t * after
    return result
