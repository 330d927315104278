"""Fit the polynomials of `binomial_near`, and print them: ``python -m tests.support.fit_binomial``.

The place x of a normal number v, of n trials and a probability p is N p (1 + a) + c + d/(N p q), but for smaller terms,
where N is n + 1, q is 1 - p, and a is such that 2 (q g(a) + q^2/p g(-a p/q)) = s^2 with g(a) = (1 + a) ln(1 + a) - a
and s = v (q/(N p))^1/2, which has the sign of a (Temme 1992, Giles and Beentjes 2024). Polynomials are of s and p.
"""

import numpy as np
import numpy.typing as npt
from scipy import special

from clrng.distributions.transforms.binomial_near import HIGH_S, LOW_S
from tests.support.fit_poisson import nodes

Array = npt.NDArray[np.float64]


def g(a: Array) -> Array:
    """Return (1 + a) ln(1 + a) - a."""
    series = sum((-1) ** k * a**k / (k * (k - 1)) for k in range(2, 12))
    return np.where(abs(a) < 0.02, series, (1 + a) * np.log1p(a) - a)


def inverse(s: Array, p: Array) -> Array:
    """Return a, by halving intervals."""
    q = 1 - p
    low, high = np.where(s > 0, 0.0, -1 + 1e-12), np.where(s > 0, np.minimum(q / p, 4.0) - 1e-12, 0.0)
    for _ in range(80):
        middle = (low + high) / 2
        size = np.sqrt(2 * (q * g(middle) + q * q / p * g(-middle * p / q)))
        below = np.copysign(size, middle) < s
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    found: Array = (low + high) / 2
    return found


def first(s: Array, p: Array) -> Array:
    """Return c."""
    a = inverse(s, p)
    b = -a * p / (1 - p)
    found: Array = np.log(s * np.sqrt((1 + a) * (1 + b)) / a) / (np.log1p(a) - np.log1p(b))
    return found


def place(n: Array, p: Array, v: Array) -> Array:
    """Return x, where I(n - x + 1, x; q) is the probability of a normal number below v: for v above 0 by the tails."""
    low, high = np.zeros(np.broadcast(n, p, v).shape), n + 1.0
    for _ in range(100):
        x = (low + high) / 2
        below = np.where(
            v > 0,
            special.betainc(x, n - x + 1, p) > special.ndtr(-v),
            special.betainc(n - x + 1, x, 1 - p) < special.ndtr(v),
        )
        low, high = np.where(below, x, low), np.where(below, high, x)
    found: Array = (low + high) / 2
    return found


def second(s: Array, p: Array) -> Array:
    """Return d, without the next term, by two numbers of trials."""
    found = []
    for mean in (60.0, 120.0):
        total = mean / p
        left = place(total - 1, p, s * np.sqrt(mean / (1 - p))) - mean * (1 + inverse(s, p)) - first(s, p)
        found.append(left * mean * (1 - p))
    return 2 * found[1] - found[0]


def fit(s: Array, p: Array, y: Array, degrees: tuple[int, int], near: Array) -> list[list[float]]:
    """Return polynomials in p of powers of s, whose largest error in units of what is `near` is about the smallest."""
    powers = np.einsum("ik,il->ikl", np.vander(s, degrees[0] + 1), np.vander(p, degrees[1] + 1)).reshape(s.size, -1)
    best, weights = (np.inf, powers[0]), 1 / near
    for _ in range(100):
        found = np.linalg.lstsq(powers * weights[:, None], y * weights, rcond=None)[0]
        errors = abs(powers @ found - y) / near
        best = min(best, (errors.max(), found), key=lambda each: each[0])
        weights = weights * (errors / errors.max() + 0.02) ** 0.25
        weights = weights / weights.max()
    print(f"# errors of {best[0]:.3g}")
    return [[float(f"{each:.8g}") for each in row] for row in best[1].reshape(degrees[0] + 1, degrees[1] + 1)]


def main() -> None:
    """Print the polynomials, the coefficients of the highest powers first."""
    grid = np.meshgrid(nodes(LOW_S, HIGH_S, 40), nodes(1e-7, 0.5, 16))
    s, p = (each.reshape(-1) for each in grid)
    q = 1 - p
    print("H =", fit(s, p, (inverse(s, p) - s) / s**2 * q, (8, 6), 1 + (abs(s) / 0.45) ** 3))
    print("C =", fit(s, p, first(s, p), (7, 5), 1 + (abs(s) / 0.5) ** 2))
    grid = np.meshgrid(nodes(LOW_S, HIGH_S, 14), nodes(1e-3, 0.5, 8))
    s, p = (each.reshape(-1) for each in grid)
    print("D =", fit(s, p, second(s, p), (3, 2), 1 + (abs(s) / 0.3) ** 2))
    p = nodes(0, 0.5, 400)
    print("LOG1P =", [float(f"{each:.8g}") for each in np.polyfit(p, -np.log1p(-p) / p, 9)])


if __name__ == "__main__":
    main()
