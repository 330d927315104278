"""Affine maps of many states at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def mapped(
    states: npt.NDArray[Any], matrix: Sequence[Sequence[int]], constants: Sequence[int], modulus: int
) -> npt.NDArray[Any]:
    """Return matrix x + constants modulo `modulus` for each row x of `states`, of the same dtype.

    Parameters
    ----------
    states : ndarray of uint32 or uint64, shape (count, order)
    matrix : sequence of sequences of int, shape (order, order)
        From 0 to `modulus` - 1.
    constants : sequence of int, shape (order,)
        Likewise.
    modulus : int
        From 2 to 2^64.

    Notes
    -----
    Below 2^32 a product and what was there before fit 64 bits, as (m - 1)^2 + m - 1 < 2^64. Powers of two need no more
    than the low bits of a product. Other moduli take Python's integers.
    """
    wraps = modulus & (modulus - 1) == 0
    kind = np.dtype(np.uint64 if wraps or modulus <= 2**32 else object)
    found = np.empty_like(states)
    columns = states.T.astype(kind)
    for i, (row, constant) in enumerate(zip(matrix, constants, strict=True)):
        total = np.full(len(states), constant, kind)
        for column, weight in zip(columns, row, strict=True):
            total = total + column * kind.type(weight)
            total = total & np.uint64(modulus - 1) if wraps else total % kind.type(modulus)
        found[:, i] = total
    return found
