"""Tail probabilities by integration of a density with mpmath, for parameters at which series have too many terms.

The variable w is one in which the density falls at least exponentially on both sides. Only the shape of the density
counts: what is returned is the share of the whole.
"""

from collections.abc import Callable
from functools import lru_cache

import mpmath as mp

LogDensity = Callable[[mp.mpf], mp.mpf]

NODES = 28
STEEPEST, MOST_BENT = 6.0, 1.5
"""How much the logarithm of the density may change in a panel, and be off a line in its middle."""

NEGLIGIBLE = mp.mpf(10) ** -26

FAR = 200
"""Where the logarithm of the density is this much below that at its mode, a tail is taken as 0."""


@lru_cache
def gauss_legendre(precision: int) -> list[tuple[mp.mpf, mp.mpf]]:
    """Return the nodes and weights on [-1, 1]."""
    with mp.workprec(precision):
        found = []
        for i in range(NODES):
            x = mp.cos(mp.pi * (i + mp.mpf(3) / 4) / (NODES + mp.mpf(1) / 2))
            for _ in range(8):
                before, now = mp.mpf(1), x
                for k in range(2, NODES + 1):
                    before, now = now, ((2 * k - 1) * x * now - (k - 1) * before) / k
                slope = NODES * (x * now - before) / (x * x - 1)
                x -= now / slope
            found.append((x, 2 / ((1 - x * x) * slope * slope)))
        return found


def share(
    log_density: LogDensity,
    w: mp.mpf,
    upper: bool,
    *,
    scale: mp.mpf,
    mode: mp.mpf | int = 0,
    end: mp.mpf | None = None,
) -> mp.mpf:
    """Return the share of the mass that is above w, or below it.

    Parameters
    ----------
    log_density : callable
        Analytic within 3 of every w, and everywhere within |w|/2.
    w : mpf
    upper : bool
    scale : mpf
        About the width of the density.
    mode : mpf
        About where it is largest.
    end : mpf, optional
        The mass is between -end and end; else everywhere.
    """
    start = log_density(w)
    if log_density(mode) - start > FAR:
        return mp.mpf(upper == (w < mode))
    sides = [_mass(log_density, w, direction, start, scale, end) for direction in (-1, 1)]
    return sides[upper] / (sides[0] + sides[1])


def _mass(
    log_density: LogDensity, w: mp.mpf, direction: int, start: mp.mpf, scale: mp.mpf, end: mp.mpf | None
) -> mp.mpf:
    """Return the mass from w to one end, divided by the density at w."""
    total, h, at = mp.mpf(0), scale, start
    while end is None or w * direction < end:
        h = min(2 * h, mp.mpf(2) + abs(w) / 4)
        while True:
            h = h if end is None else min(h, end - w * direction)
            far, middle = log_density(w + direction * h), log_density(w + direction * h / 2)
            if abs(far - at) <= STEEPEST and abs(middle - (far + at) / 2) <= MOST_BENT:
                break
            h /= 2
        centre, half = w + direction * h / 2, h / 2
        nodes = gauss_legendre(mp.mp.prec)
        part = half * mp.fsum(weight * mp.exp(log_density(centre + half * x) - start) for x, weight in nodes)
        total += part
        w, before, at = w + direction * h, at, far
        if far < before and part < NEGLIGIBLE * total:
            break
    return total
