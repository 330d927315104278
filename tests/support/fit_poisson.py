"""Fit the polynomials of `poisson_near`, and print them: ``python -m tests.support.fit_poisson``.

The place x of a normal number v and a mean lam is lam r + c + d/lam, but for smaller terms, where r is the inverse of
f(r) = (2 (1 - r + r ln r))^1/2, with the sign of r - 1, at s = v/lam^1/2 (Temme 1979, Giles 2016).
"""

from collections.abc import Callable

import mpmath as mp
import numpy as np
import numpy.typing as npt

from clrng.distributions.transforms.poisson_near import HIGH_S, LOW_S

Array = npt.NDArray[np.float64]

MIDDLE, FARTHEST_TAIL = 5.0, 5.5
"""Where normal numbers change from one polynomial to the other, and the root of the largest argument."""


def nodes(low: float, high: float, count: int) -> Array:
    """Return places between two that are good for fits."""
    found: Array = (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (np.arange(count) + 0.5) / count)
    return found


def fit(x: Array, y: Array, degree: int, near: Array) -> list[float]:
    """Return a polynomial whose largest error, in units of what is `near` enough, is about the smallest there is."""
    powers, weights = np.vander(x, degree + 1), 1 / near
    for _ in range(60):
        found = np.linalg.lstsq(powers * weights[:, None], y * weights, rcond=None)[0]
        errors = abs(powers @ found - y) / near
        weights = weights * (errors / errors.max() + 0.02) ** 0.25
    return [float(f"{each:.8g}") for each in found]


def inverse(s: float) -> mp.mpf:
    """Return r."""
    if s == 0:
        return mp.mpf(1)
    r = max(1 + s + mp.mpf(s) ** 2 / 6 - mp.mpf(s) ** 3 / 72, mp.mpf("0.05"))
    for _ in range(60):
        r = max(r - (2 * (1 - r + r * mp.log(r)) - mp.mpf(s) ** 2) / (2 * mp.log(r)), r / 4)
    return r


def first(s: float) -> mp.mpf:
    """Return c."""
    r = inverse(s)
    return mp.log(s * mp.sqrt(r) / (r - 1)) / mp.log(r)


def place(lam: int, v: mp.mpf) -> mp.mpf:
    """Return x, where Q(x, lam) is the probability of a normal number below v."""
    s = v / mp.sqrt(lam)
    start, tail = lam * inverse(s) + first(s), mp.ncdf(-abs(v))
    ends = (0, lam) if v > 0 else (lam, mp.inf)
    return mp.findroot(
        lambda x: mp.log(mp.gammainc(x, *ends, regularized=True) / tail), (start, start + 1e-3), tol=1e-22, verify=False
    )


def second(s: float) -> mp.mpf:
    """Return d, without the next term, by two means."""
    found = [lam * (place(lam, s * mp.sqrt(lam)) - lam * inverse(s) - first(s)) for lam in (60, 120)]
    return 2 * found[1] - found[0]


def central(t: float) -> mp.mpf:
    """Return a normal number divided by 2 u - 1, where t is -ln(4 u (1 - u))."""
    x = mp.sqrt(1 - mp.exp(-mp.mpf(t)))
    return mp.sqrt(2) * mp.erfinv(x) / x


def tail(root: float) -> mp.mpf:
    """Do the same by the root of t."""
    x = mp.sqrt(1 - mp.exp(-(mp.mpf(root) ** 2)))
    y = (1 - x) / 2
    return mp.findroot(lambda v: mp.log(mp.ncdf(-v) / y), mp.sqrt(-2 * mp.log(y)) - 0.2) / x


def at(function: Callable[[float], mp.mpf], places: Array) -> Array:
    """Return values of a function."""
    return np.array([float(function(each)) for each in places.tolist()])


def main() -> None:
    """Print the polynomials, the coefficients of the highest powers first."""
    with mp.workdps(34):
        s, few = nodes(LOW_S, HIGH_S, 90), nodes(LOW_S, HIGH_S, 20)
        curve = at(lambda s: (inverse(s) - 1 - s) / mp.mpf(s) ** 2, s)
        print("H", fit(s, curve, 8, 3e-7 * (1 + (abs(s) / 0.45) ** 3)))
        print("C", fit(s, at(first, s), 6, 5e-6 * (1 + (abs(s) / 0.5) ** 2)))
        print("D", fit(few, at(second, few), 4, 2e-5 * (1 + (abs(few) / 0.3) ** 2)))
        t, root = nodes(0, MIDDLE, 60), nodes(MIDDLE**0.5, FARTHEST_TAIL, 80)
        print("CENTRAL", fit(t - MIDDLE / 2, at(central, t), 8, at(central, t)))
        print("TAIL", fit(root - 4, at(tail, root), 9, at(tail, root) * (1 + (root / 4) ** 6 / 5)))
    one, half = nodes(2**-0.5 - 1, 2**0.5 - 1, 400), nodes(-np.log(2) / 2, np.log(2) / 2, 400)
    print("LOGARITHM", [float(f"{each:.8g}") for each in np.polyfit(one, np.log1p(one) / one, 7)])
    print("EXPONENTIAL", [float(f"{each:.8g}") for each in np.polyfit(half, np.exp(half), 6, w=np.exp(-half))])


if __name__ == "__main__":
    main()
