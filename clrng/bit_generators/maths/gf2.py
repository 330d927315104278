"""Square matrices over GF(2): maps of words of bits to words, which take xor to xor.

A matrix is a tuple of its columns: column j is what it makes of the word whose only bit is bit j.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = tuple[int, ...]


def identity(order: int) -> Matrix:
    """Return the matrix that leaves words of `order` bits as they are."""
    return tuple(1 << j for j in range(order))


def mapped(matrix: Matrix, word: int) -> int:
    """Return what `matrix` makes of `word`: the xor of the columns of the bits that are 1."""
    total = 0
    while word:
        total ^= matrix[word.bit_length() - 1]
        word ^= 1 << word.bit_length() - 1
    return total


def mapped_all(matrix: Matrix, words: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what `matrix` makes of each of `words`, of the same shape and dtype."""
    total, one = np.zeros_like(words), words.dtype.type(1)
    for j, column in enumerate(matrix):
        total ^= (words >> words.dtype.type(j) & one) * words.dtype.type(column)
    return total


def product(second: Matrix, first: Matrix) -> Matrix:
    """Return the matrix of `first` and then `second`."""
    return tuple(mapped(second, column) for column in first)


def doublings(matrix: Matrix, count: int) -> tuple[Matrix, ...]:
    """Return the powers of `matrix` to 1, 2, 4, ..., 2^(count - 1)."""
    powers = [matrix]
    while len(powers) < count:
        powers.append(product(powers[-1], powers[-1]))
    return tuple(powers)


def power(powers: Sequence[Matrix], n: int) -> Matrix:
    """Return the power to `n`, from 0 to 2^len(powers) - 1, of the matrix whose `doublings` are `powers`."""
    factors = [matrix for bit, matrix in enumerate(powers) if n >> bit & 1]
    return reduce(product, factors, identity(len(powers[0])))
