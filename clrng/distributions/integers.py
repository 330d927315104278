"""Integers of a range, each as likely as the others."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clrng import validation

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
"""The dtypes of integers."""

CLOSENESS_BITS = 40
"""The total variation from the uniform distribution is at most 2^-40."""


def steps_for(n: int, raw_values: int) -> int:
    """Return how many raw values make one of `n` integers, so that they are equally likely up to 2^-40.

    With K raw values of m each, the total variation is at most n/(4 m^K), and 0 where n divides m^K. The result is the
    least K for which it is at most 2^-40.

    Parameters
    ----------
    n : int
        From 1 to 2^64.
    raw_values : int
        m, from 2 to 2^64.

    Returns
    -------
    int
        1 or more; at most 5 for m of 2^21 or more.

    Raises
    ------
    TypeError, ValueError
        If a parameter is something else.
    """
    validation.integer("n", n, 1, 2**64)
    validation.integer("raw_values", raw_values, 2, 2**64)
    steps, numbers = 1, raw_values
    while numbers % n and n << CLOSENESS_BITS > 4 * numbers:
        steps, numbers = steps + 1, numbers * raw_values
    return steps


@dataclass(frozen=True)
class Integers:
    """The integers from `low` to ``low + n - 1``, each as likely as the others.

    Attributes
    ----------
    low : int
    n : int
        From 1 to 2^64.
    dtype : numpy.dtype
        One of the eight dtypes of integers, which holds all of them.
    """

    low: int
    n: int
    dtype: np.dtype[Any]


def integers(low: Any, high: Any = None, dtype: Any = "int64", endpoint: Any = False) -> Integers:
    """Return the integers from `low` to `high` - 1, or to `high` with `endpoint`, as NumPy's ``integers`` takes them.

    Parameters
    ----------
    low : int
        The least. If `high` is None, `low` is taken as `high`, and the least is 0.
    high : int, optional
        It may be one above the largest of `dtype`, unless `endpoint` is true.
    dtype : dtype_like, optional
        int8, uint8, int16, uint16, int32, uint32, int64 or uint64.
    endpoint : bool, optional

    Raises
    ------
    TypeError
        If `low` or `high` is not an integer, `dtype` is no dtype or `endpoint` is not a bool.
    ValueError
        If there is no integer in the range, or it does not fit `dtype`, or this is another dtype.
    """
    kind = validation.dtype("dtype", dtype, DTYPES)
    if not isinstance(endpoint, (bool, np.bool_)):
        raise TypeError(f"endpoint must be True or False, not {validation.shown(endpoint)}")
    upper = "low" if high is None else "high"
    first, end = (0, low) if high is None else (low, high)
    least, largest = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    beyond = 0 if endpoint else 1
    first = _fitting("low", first, least, largest, kind)
    end = _fitting(upper, end, least, largest + beyond, kind) + 1 - beyond
    if end <= first:
        wanted = f"{'' if endpoint else 'above '}{first}{' or more' if endpoint else ''}"
        instead = "" if high is None else ", which is low"
        raise ValueError(f"{upper} must be {wanted}{instead}, not {validation.shown(end - 1 + beyond)}")
    return Integers(first, end - first, kind)


def _fitting(name: str, value: Any, least: int, largest: int, kind: np.dtype[Any]) -> int:
    """Return `value` if it is an integer of the range, which `kind` sets."""
    try:
        return validation.integer(name, value, least, largest)
    except ValueError as error:
        raise ValueError(f"{error}, as dtype is {kind}") from None
