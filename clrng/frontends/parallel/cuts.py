"""Where an array is cut for several devices."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import prod

NEAR = 64
"""Rows stay whole where that moves no cut by more than this part of the array."""


@dataclass(frozen=True)
class Cut:
    """A part of an array.

    Attributes
    ----------
    begin, end : int
        Its values are those from place `begin` to `end` - 1 of the whole array, counted in C order.
    shape : tuple of int
        That of the part: whole rows along the first axis; that of the array where it has no axis; or one dimension.
    rows : slice or None
        Which rows they are; None where rows are cut, or there is no axis.
    """

    begin: int
    end: int
    shape: tuple[int, ...]
    rows: slice | None


def edges(n: int, weights: Sequence[float]) -> list[int]:
    """Return where `n` things are cut in proportion to `weights`: from 0 to `n`, each cut at the nearest integer."""
    exact, found, sums = [Fraction(weight) for weight in weights], [0], Fraction(0)
    total = sum(exact)
    for weight in exact:
        sums += weight
        found.append(round(n * sums / total))
    return found


@lru_cache(maxsize=256)
def cuts(shape: tuple[int, ...], weights: tuple[float, ...]) -> tuple[Cut, ...]:
    """Return a part of an array for each of `weights`, in proportion to them; some may be empty.

    Rows stay whole where the parts are still near the weights.
    """
    n, rows = prod(shape), shape[0] if shape else 0
    flat = edges(n, weights)
    if not shape:
        return tuple(Cut(a, b, shape if b > a else (0,), None) for a, b in pairwise(flat))
    if rows:
        width = n // rows
        whole = edges(rows, weights)
        if max(abs(row * width - place) for row, place in zip(whole, flat, strict=True)) * NEAR <= n:
            return tuple(Cut(a * width, b * width, (b - a, *shape[1:]), slice(a, b)) for a, b in pairwise(whole))
    return tuple(Cut(a, b, (b - a,), None) for a, b in pairwise(flat))


def whole(shape: tuple[int, ...]) -> Cut:
    """Return a whole array as one part."""
    return Cut(0, prod(shape), shape, slice(0, shape[0]) if shape else None)
