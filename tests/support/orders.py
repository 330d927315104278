"""Random orders by their definition: the keys of the plain sequential recurrence, and Python's stable sort."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

import clrng


def steps(n: int, raw_values: int) -> int:
    """Return the least k for which n^2 / (2 m^k) is at most 2^-41."""
    k = 1
    while Fraction(n**2, 2 * raw_values**k) > Fraction(1, 2**41):
        k += 1
    return k


def orders(bits: clrng.BitGenerator, shape: tuple[int, int, int]) -> tuple[npt.NDArray[np.int64], int]:
    """Return the order of each row along the second axis of an array, in an array like it, and the steps it takes."""
    outer, length, inner = shape
    k = steps(length, bits.upper_bound - bits.min_value)
    raw = bits.sequence(outer * length * inner * k).reshape(outer, length, inner, k).tolist()
    found = np.empty(shape, np.int64)
    for o in range(outer):
        for i in range(inner):
            found[o, :, i] = sorted(range(length), key=lambda place, o=o, i=i: raw[o][place][i])  # type: ignore[misc]
    return found, outer * length * inner * k


def order(bits: clrng.BitGenerator, n: int) -> npt.NDArray[np.int64]:
    """Return the order of `n` elements, and move `bits` behind it."""
    found, taken = orders(bits, (1, n, 1))
    bits.advance(taken)
    return found.ravel()
