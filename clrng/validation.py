"""Checks of arguments: every failure names the argument, its value and what is legal."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

LONGEST_SHOWN = 1024
"""The most bits of a number that a message shows."""

LONGEST, MOST_DIMENSIONS = 2**63 - 1, 64
"""The limits of NumPy's arrays."""


def integer(name: str, value: Any, low: int, high: int | None) -> int:
    """Return `value` as an int from `low` to `high` inclusive (no upper limit where `high` is None).

    Raises
    ------
    TypeError
        If `value` is not an integer; a bool is not one.
    ValueError
        If it is out of range.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be {_range(low, high)}, not {value!r}")
    if number < low or (high is not None and number > high):
        shown = number if number.bit_length() <= LONGEST_SHOWN else f"one of {number.bit_length()} bits"
        raise ValueError(f"{name} must be {_range(low, high)}, not {shown}")
    return number


def _range(low: int, high: int | None) -> str:
    if high is None:
        return f"an integer of {low} or more"
    return (
        f"an integer from {low} to {high if high.bit_length() <= LONGEST_SHOWN else f'one of {high.bit_length()} bits'}"
    )


def sequence(name: str, values: Any) -> Any:
    """Return `values` if it is a sequence or a one-dimensional array.

    Raises
    ------
    TypeError
        If it is something else, or text.
    """
    listed = isinstance(values, Sequence) and not isinstance(values, (str, bytes, bytearray, memoryview))
    if not listed and not (isinstance(values, np.ndarray) and values.ndim == 1):
        raise TypeError(f"{name} must be a sequence of integers, not {values!r}")
    return values


def shape(name: str, value: Any) -> tuple[int, ...]:
    """Return `value`, an integer or a tuple or list of integers of 0 or more, as a tuple.

    Raises
    ------
    TypeError, ValueError
        As `integer` does, naming the dimension.
    """
    if not isinstance(value, (tuple, list)):
        return (integer(name, value, 0, LONGEST),)
    if len(value) > MOST_DIMENSIONS:
        raise ValueError(f"{name} must have at most {MOST_DIMENSIONS} dimensions, not {len(value)}")
    return tuple(integer(f"{name}[{i}]", length, 0, LONGEST) for i, length in enumerate(value))


def dtype(name: str, value: Any, legal: tuple[str, ...]) -> np.dtype[Any]:
    """Return `value` as one of the `legal` dtypes.

    Raises
    ------
    TypeError
        If `value` names no dtype.
    ValueError
        If it is a dtype that is not legal here.
    """
    choices = " or ".join(legal)
    if value is None:
        raise TypeError(f"{name} must be {choices}, not None")
    try:
        found: np.dtype[Any] = np.dtype(value)
    except TypeError:
        raise TypeError(f"{name} must be {choices}, not {value!r}") from None
    if found.name not in legal or not found.isnative:
        raise ValueError(f"{name} must be {choices}, not {found}")
    return found


def choice(name: str, value: Any, legal: Iterable[str]) -> str:
    """Return `value`, one of the `legal` strings.

    Raises
    ------
    TypeError
        If `value` is not a string.
    ValueError
        If it is not a legal one.
    """
    legal = tuple(legal)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be one of {', '.join(map(repr, legal))}, not {value!r}")
    if value not in legal:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, legal))}, not {value!r}")
    return value


def states(name: str, values: Any, limits: Sequence[tuple[int, int]], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return `values` as an array of states, shape (count, words).

    Parameters
    ----------
    name : str
    values : array_like of int, shape (count,) for states of one word, else (count, words)
    limits : sequence of (int, int)
        The least and the largest legal value of each word.
    dtype : numpy.dtype
        Of the result.

    Raises
    ------
    TypeError
        If the values are not integers.
    ValueError
        If there are none, they are of another shape, or one is out of range: the first such index is named.
    """
    lists = len(limits) > 1
    legal = f"integers from {limits[0][0]} to {limits[0][1]}" if not lists else f"rows of {len(limits)} integers"
    shaped = f"a {'two' if lists else 'one'}-dimensional array of {legal}"
    try:
        array = np.asarray(values)
        if isinstance(values, (list, tuple)) and _has_bools(values):
            array = np.asarray(values, dtype=object)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be {shaped}: {error}") from None
    if array.dtype.kind not in "iu" and not isinstance(values, np.ndarray):
        array = np.asarray(values, dtype=object)  # NumPy makes floats of integers on both sides of 2^63
    if array.ndim != 1 + lists or array.size == 0 or (lists and array.shape[1] != len(limits)):
        raise ValueError(f"{name} must be {shaped} and not empty, not of shape {array.shape}")
    array = array.reshape(len(array), len(limits))
    if array.dtype == object:
        for (row, column), value in np.ndenumerate(array):
            integer(f"{name}[{row}, {column}]" if lists else f"{name}[{row}]", value, *limits[column])
    elif array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be {legal}, not of dtype {array.dtype}")
    for column, (low, high) in enumerate(limits):
        words = array[:, column]
        if int(words.min()) < low or int(words.max()) > high:
            row = int(np.flatnonzero((words < low) | (words > high))[0])
            integer(f"{name}[{row}, {column}]" if lists else f"{name}[{row}]", words[row], low, high)
    return array.astype(dtype)


def _has_bools(values: Any) -> bool:
    if isinstance(values, (list, tuple)):
        return any(_has_bools(value) for value in values)
    return isinstance(values, (bool, np.bool_))
