"""Fit the polynomials of `negative_binomial_near`, and print them: ``python -m tests.support.fit_negative_binomial``.

The place x of a normal number v, of n successes and a probability p is n q/p (1 + a) + (c + d/(n q))/p, but for smaller
terms, where q is 1 - p, and a is such that 2 (g(a) - g(a q)/q)/p = s^2 with g(a) = (1 + a) ln(1 + a) - a and
s = v (n q)^-1/2, which has the sign of a (Temme 1992). Polynomials are of s and q.
"""

import numpy as np
import numpy.typing as npt
from scipy import special

from clrng.distributions.transforms.negative_binomial_near import HIGH_S, LOW_S
from tests.support.fit_binomial import fit, g
from tests.support.fit_poisson import nodes

Array = npt.NDArray[np.float64]


def inverse(s: Array, q: Array) -> Array:
    """Return a, by halving intervals."""
    low, high = np.where(s > 0, 0.0, -1 + 1e-12), np.where(s > 0, 12.0, 0.0)
    for _ in range(80):
        middle = (low + high) / 2
        below = np.copysign(np.sqrt(2 * (g(middle) - g(middle * q) / q) / (1 - q)), middle) < s
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    found: Array = (low + high) / 2
    return found


def first(s: Array, q: Array) -> Array:
    """Return c."""
    a = inverse(s, q)
    found: Array = np.log(s * np.sqrt((1 + a) / (1 + a * q)) / a) / (np.log1p(a) - np.log1p(a * q)) * (1 - q)
    return found


def place(n: Array, p: Array, v: Array) -> Array:
    """Return x, where I(n, x; p) is the probability of a normal number below v: for v above 0 by the tails."""
    low, high = np.zeros(np.broadcast(n, p, v).shape), 60 * n / p
    for _ in range(100):
        x = (low + high) / 2
        below = np.where(
            v > 0, special.betaincc(n, x, p) > special.ndtr(-v), special.betainc(n, x, p) < special.ndtr(v)
        )
        low, high = np.where(below, x, low), np.where(below, high, x)
    found: Array = (low + high) / 2
    return found


def second(s: Array, q: Array) -> Array:
    """Return d, without the next term, by two numbers of successes."""
    found = []
    for mean in (60.0, 120.0):
        n, p = mean / q, 1 - q
        left = (place(n, p, s * np.sqrt(mean)) - mean / p * (1 + inverse(s, q))) * p - first(s, q)
        found.append(left * mean)
    return 2 * found[1] - found[0]


def main() -> None:
    """Print the polynomials, the coefficients of the highest powers first."""
    grid = np.meshgrid(nodes(LOW_S, HIGH_S, 40), nodes(1e-6, 1 - 1e-4, 16))
    s, q = (each.reshape(-1) for each in grid)
    print("H =", fit(s, q, (inverse(s, q) - s) / s**2, (9, 4), 1 + (abs(s) / 0.45) ** 3))
    print("C =", fit(s, q, first(s, q), (8, 4), 1 + (abs(s) / 0.5) ** 2))
    grid = np.meshgrid(nodes(LOW_S, HIGH_S, 14), nodes(1e-3, 0.999, 8))
    s, q = (each.reshape(-1) for each in grid)
    print("D =", fit(s, q, second(s, q), (4, 2), 1 + (abs(s) / 0.3) ** 2))


if __name__ == "__main__":
    main()
