"""Linear maps over GF(2) of states of several words, which take xor to xor, and the powers of one.

A map is an array of its columns, shape (order * bits, order): row j is what it makes of the state whose only bit is bit
j, the bits of the oldest word first, the lowest of each first.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.generators.maths.binary_polynomials import Remainders

Columns = npt.NDArray[Any]

KEPT = 64
"""How many powers of a map are kept."""


def bits_of(states: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return the bits of `states`, shape (count, order), one in each place, shape (count, order * bits)."""
    little = np.ascontiguousarray(states, states.dtype.newbyteorder("<"))
    return np.unpackbits(little.view(np.uint8), axis=1, bitorder="little")


def mapped(columns: Columns, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what a map makes of each of `states`, shape (count, order): the xor of the columns of its bits."""
    total = np.zeros_like(states)
    for column, bit in zip(columns, bits_of(states).T, strict=True):
        total ^= bit[:, None].astype(states.dtype) * column
    return total


class Powers:
    """The powers of a linear step.

    Parameters
    ----------
    step : callable
        Takes the words of a state and returns those one step later; each may be an array, of many states.
    order : int
        The words of a state.
    dtype : numpy.dtype
        That of a word.
    characteristic : int
        A polynomial that makes 0 of the step, as `binary_polynomials` has them: the n-th power is then the sum of the
        first powers whose weights are the coefficients of x^n modulo it.
    """

    def __init__(self, step: Callable[[Any], Any], order: int, dtype: np.dtype[Any], characteristic: int) -> None:
        self._remainders = Remainders(characteristic)
        count = 8 * dtype.itemsize * order
        unit = np.packbits(np.eye(count, dtype=np.uint8), axis=1, bitorder="little")
        words = tuple(unit.view(dtype.newbyteorder("<")).astype(dtype).T)
        self._first = np.empty((self.degree, count, order), dtype)
        for power in self._first:
            power[:] = np.stack(words, axis=1)
            words = tuple(step(words))
        self.columns: Callable[[int], Columns] = lru_cache(maxsize=KEPT)(self._columns)

    @property
    def degree(self) -> int:
        """That of the characteristic polynomial."""
        return self._remainders.degree

    def _columns(self, n: int) -> Columns:
        """Return the map of `n` steps, 0 or more."""
        weights = self._remainders.power_of_x(n)
        chosen = [i for i in range(self.degree) if weights >> i & 1]
        found: Columns = np.bitwise_xor.reduce(self._first[chosen], axis=0)
        found.flags.writeable = False
        return found

    def weights(self, n: int) -> int:
        """Return the polynomial of `n` steps."""
        return self._remainders.power_of_x(n)

    def after(self, words: tuple[int, ...], n: int) -> tuple[int, ...]:
        """Return the state `n` steps after that of `words`."""
        columns = self.columns(n)
        states = np.array([words], columns.dtype)
        chosen = columns[bits_of(states)[0] != 0]
        found: list[int] = np.bitwise_xor.reduce(chosen, axis=0).tolist()
        return tuple(found)

    def all_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
        """Return the same of each of `states`, shape (count, order)."""
        return mapped(self.columns(n), states)
