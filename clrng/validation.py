"""Checks of arguments: every failure names the argument, its value and what is legal.

Each raises a TypeError for a value of the wrong type, and a ValueError for one out of range.
"""

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from importlib import import_module
from math import prod
from reprlib import Repr
from typing import Any

import numpy as np
import numpy.typing as npt

MAX_BITS_SHOWN, MAX_CHARACTERS = 1024, 400
"""The maximum bits of a number, and the maximum characters of a value, that a message shows."""

MAX_ALIKE, MIN_WORD, MIN_LIKENESS = 5, 3, 0.6
"""How many names a message suggests, from how many letters on a word is looked for, and what is like another."""

WORD_BITS = 64
"""A message shows a limit of more bits as a power, where it is the largest number of so many bits."""

LONGEST, MAX_DIMENSIONS = 2**63 - 1, 64
"""The limits of NumPy's arrays."""

MAX_VALUES = LONGEST // 8
"""The maximum product of the lengths of an array of 8 bytes a value, those of 0 left out."""


class _Short(Repr):
    """Writes values for messages: whole where they are short, else the beginning and the end."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = self.maxdeque = 20
        self.maxstring, self.maxother = 200, 400

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002  # as inherited
        """Return the digits of `x`, or how many bits it has where these are many."""
        return int.__repr__(x) if x.bit_length() <= MAX_BITS_SHOWN else f"an integer of {x.bit_length()} bits"

    def repr_instance(self, x: Any, level: int) -> str:
        """Return what `x` says it is; a class, a large array or one on a device is not asked for its values."""
        if isinstance(x, type):
            return f"the class {x.__name__}"
        if isinstance(x, np.dtype):
            return str(x) if len(str(x)) <= self.maxother else f"one of {x.itemsize} bytes"
        if type(x).__module__.startswith("pyopencl"):
            return f"a {type(x).__module__}.{type(x).__qualname__}"
        if isinstance(x, int) and x.bit_length() > MAX_BITS_SHOWN:
            return self.repr_int(x, level)
        return super().repr_instance(x, level)


_SHORT = _Short()


def of_element(name: str, index: tuple[int, ...], kind: str = "element") -> str:
    """Return the end of an error that says at which index of an array `name` it is; nothing of one without axes."""
    return f", as {kind} {index[0] if len(index) == 1 else index} of {name} has it" if index else ""


def shown(value: Any) -> str:
    """Return `value` as a message shows it, abbreviated where it is long."""
    text = _SHORT.repr(value)
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 3]}..."


def integer(name: str, value: Any, low: int | None, high: int | None) -> int:
    """Return `value`, an integer but no bool, as an int from `low` to `high` inclusive, where None is no limit."""
    try:
        number = int(operator.index(value))
    except Exception:  # noqa: BLE001  # whatever the __index__ of somebody's class raises
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be {_range(low, high)}, not {shown(value)}")
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"{name} must be {_range(low, high)}, not {shown(number)}")
    return number


def _range(low: int | None, high: int | None) -> str:
    if low is None:
        return "an integer"
    return f"an integer of {low} or more" if high is None else f"an integer from {low} to {bound(high)}"


def bound(number: int) -> str:
    """Return the largest legal integer as a message shows it: 2^k - 1 as that, where it has many digits."""
    power = number.bit_length()
    return f"2^{power} - 1" if power > WORD_BITS and number == (1 << power) - 1 else shown(number)


def limit(number: float) -> str:
    """Return the smallest or the largest legal number as a message shows it: in the shortest digits that are it."""
    return repr(float(number)).removesuffix(".0")


def flag(name: str, value: Any) -> bool:
    """Return `value` if it is True or False, of Python or NumPy."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)


def is_sequence(values: Any) -> bool:
    """Return whether `values` is a sequence, and no text, or a one-dimensional array."""
    if isinstance(values, np.ndarray):
        return values.ndim == 1
    return isinstance(values, Sequence) and not isinstance(values, (str, bytes, bytearray, memoryview))


def sequence(name: str, values: Any) -> Any:
    """Return `values` if it is a sequence, and no text, or a one-dimensional array."""
    if not is_sequence(values):
        raise TypeError(f"{name} must be a sequence of integers, not {shown(values)}")
    return values


def shape(name: str, value: Any) -> tuple[int, ...]:
    """Return `value`, an integer or a sequence of integers of 0 or more, as a tuple; errors name the dimension."""
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu":
        value = value.tolist()
    if not isinstance(value, (tuple, list)):
        try:
            return (integer(name, value, 0, LONGEST),)
        except TypeError:
            legal = f"an integer from 0 to {LONGEST}, or a tuple of them"
            raise TypeError(f"{name} must be {legal}, not {shown(value)}") from None
    lengths = tuple(integer(f"{name}[{i}]", length, 0, LONGEST) for i, length in enumerate(value))
    if len(lengths) > MAX_DIMENSIONS:
        raise ValueError(f"{name} must have at most {MAX_DIMENSIONS} dimensions, not {len(lengths)}")
    if 0 in lengths and prod(filter(None, lengths)) > MAX_VALUES:
        raise ValueError(
            f"{name} must have lengths other than 0 whose product is at most {MAX_VALUES}, not {shown(lengths)}"
        )
    return lengths


BFLOAT16 = "bfloat16"
"""The dtype that NumPy knows once the package ml_dtypes is imported."""


def dtype_named(name: str) -> np.dtype[Any]:
    """Return the dtype of this name."""
    if name == BFLOAT16:
        try:
            import_module("ml_dtypes")
        except ImportError:
            raise ImportError(f"dtype {name} needs ml_dtypes: pip install ml_dtypes", name="ml_dtypes") from None
    return np.dtype(name)


def dtype(name: str, value: Any, legal: tuple[str, ...]) -> np.dtype[Any]:
    """Return `value` as one of the `legal` dtypes, in the byte order of the host."""
    if isinstance(value, str) and value == BFLOAT16 and value in legal:
        return dtype_named(value)
    try:
        found: np.dtype[Any] | None = None if value is None else np.dtype(value)
    except Exception:  # noqa: BLE001  # NumPy has many for what is no dtype
        found = None
    if found is not None and name_of(found) in legal and found.isnative:
        return found
    error = TypeError if found is None else ValueError
    raise error(f"{name} must be {' or '.join(legal)}, not {shown(value if found is None else found)}")


@lru_cache
def name_of(dtype: np.dtype[Any]) -> str:
    """Return the name of a dtype, which NumPy puts together anew whenever it is asked."""
    return dtype.name


def choice(name: str, value: Any, legal: Iterable[str]) -> str:
    """Return the one of the `legal` strings that `value` equals."""
    legal = tuple(legal)
    found = next((one for one in legal if isinstance(value, str) and one == value), None)
    if found is None:
        error = ValueError if isinstance(value, str) else TypeError
        raise error(f"{name} must be one of {', '.join(map(repr, legal))}, not {shown(value)}")
    return found


def key(name: str, value: Any, titles: Mapping[str, str], listed: str, other: str = "") -> str:
    """Return the key of `titles` that `value` equals; errors name what may be meant, and say `other`."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be {listed}, not {shown(value)}")
    found = next((one for one in titles if one == value), None)
    if found is None:
        names = alike(value, titles)
        hint = f", such as {' or '.join(map(repr, names))}" if names else ""
        raise ValueError(f"{name} must be {listed}{hint}{other}, not {shown(value)}")
    return found


def alike(value: str, titles: Mapping[str, str]) -> list[str]:
    """Return at most `MAX_ALIKE` keys that `value` may mean: it is in a key or its title, else its words, or alike."""
    asked = _plain(value[:MAX_CHARACTERS])
    words = [word for word in asked.split() if len(word) >= MIN_WORD]
    texts = {one: f"{_plain(one)} {_plain(title)}" for one, title in titles.items()}
    likeness = {one: SequenceMatcher(None, asked, _plain(one)).ratio() for one in titles}
    found = [one for one, text in texts.items() if words and asked in text] or [
        one for one, text in texts.items()
        if (words and all(word in text for word in words)) or likeness[one] >= MIN_LIKENESS
    ]  # fmt: skip
    return sorted(found, key=lambda one: (texts[one].find(asked), -likeness[one]))[:MAX_ALIKE]


def _plain(text: str) -> str:
    return " ".join(re.findall("[a-z0-9]+", text.lower()))


def states(name: str, values: Any, limits: Sequence[tuple[int, int]], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return `values`, shape (count,) or (count, words), as rows of words, if each word is within its `limits`."""
    lists = len(limits) > 1
    legal = f"integers from {limits[0][0]} to {limits[0][1]}" if not lists else f"rows of {len(limits)} integers"
    shaped = f"a {'two' if lists else 'one'}-dimensional array of {legal}"
    try:
        array = _as_array(values)
    except Exception:  # noqa: BLE001  # NumPy has many, and asks objects for what they hold
        _check_each(name, values, limits)
        raise ValueError(f"{name} must be {shaped}, not {shown(values)}") from None
    if array.ndim == 0:
        raise ValueError(f"{name} must be {shaped}, not {shown(values)}")
    if array.ndim != 1 + lists or array.size == 0 or (lists and array.shape[1] != len(limits)):
        raise ValueError(f"{name} must be {shaped} and not empty, not of shape {array.shape}")
    array = array.reshape(len(array), len(limits))
    if array.dtype == object:
        array = array.copy()
        for (row, column), value in np.ndenumerate(array):
            array[row, column] = integer(
                f"{name}[{row}, {column}]" if lists else f"{name}[{row}]", value, *limits[column]
            )
    elif array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be {legal}, not of dtype {shown(array.dtype)}")
    for column, (low, high) in enumerate(limits):
        words = array[:, column]
        if int(words.min()) < low or int(words.max()) > high:
            row = int(np.flatnonzero((words < low) | (words > high))[0])
            integer(f"{name}[{row}, {column}]" if lists else f"{name}[{row}]", words[row], low, high)
    return array.astype(dtype)


def _check_each(name: str, values: Any, limits: Sequence[tuple[int, int]]) -> None:
    """Name the first of `values` that is no legal word, where NumPy makes no array of them all."""
    if not isinstance(values, (list, tuple)):
        return
    for row, value in enumerate(values):
        if isinstance(value, (list, tuple)):
            for column, word in enumerate(value if 1 < len(limits) == len(value) else ()):
                integer(f"{name}[{row}, {column}]", word, *limits[column])
        elif len(limits) == 1:
            integer(f"{name}[{row}]", value, *limits[0])


def _as_array(values: Any) -> npt.NDArray[Any]:
    """Return `values` as an array of integers, or of objects where NumPy would make something else of them."""
    if type(values).__module__.startswith("pyopencl"):
        raise TypeError("an array of a device is not read")
    array = np.asarray(values)
    if isinstance(values, np.ndarray) or (array.dtype.kind in "iu" and not _has_bools(values)):
        return array
    return np.array(values, dtype=object)  # of integers on both sides of 2^63 NumPy makes floats, of bools integers


def _has_bools(values: Any) -> bool:
    if isinstance(values, (list, tuple)):
        return any(_has_bools(value) for value in values)
    return isinstance(values, (bool, np.bool_))
