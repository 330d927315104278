"""What a sort moves: keys, and values with them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from clrng.order.arguments import WORDS


class Kind(NamedTuple):
    """What is sorted, and how."""

    dtype: np.dtype[Any]  # Of the keys
    keys_out: bool  # Whether the sorted keys are stored
    in_place: bool  # Whether they are stored in their own memory
    value: np.dtype[Any] | None  # That of the values that are moved with them
    read: bool  # Whether these are given; else they are the places of the keys
    bits: tuple[int, int]  # The first bit to sort by and the one behind the last
    descending: bool

    @property
    def word(self) -> str:
        """The OpenCL type that values are moved as; no text where there are none."""
        return "" if self.value is None else WORDS[self.value.itemsize]

    def spare(self, passes: int) -> tuple[int, int]:
        """Return how many arrays so many passes need, beside those of the call, for keys and for values."""
        keys = min(passes, 2) - 1 if self.keys_out else min(passes, 3) - 1
        return keys, 0 if self.value is None else min(passes, 2) - 1


class Column:
    """Keys or values, which passes move from their `source` through `arrays` in turn.

    Where there is a `result`, the last pass stores it in the first of these. Without a source values are the places of
    the keys, which the first pass makes. Numbers may stand for arrays.
    """

    def __init__(self, source: Any, arrays: Sequence[Any], *, result: bool) -> None:
        self.source, self.arrays, self.result = source, arrays, result

    def destination(self, left: int) -> Any:
        """Return the array to which the pass with `left` passes after it writes, or None."""
        if not self.result:
            return self.arrays[(left - 1) % len(self.arrays)] if left and self.arrays else None
        return self.arrays[left % len(self.arrays)]

    def from_destination(self, left: int) -> list[Any]:
        """Return the arrays, first the one to which the pass with `left` passes after it writes."""
        there = self.destination(left)
        return sorted(self.arrays, key=lambda each: each is not there)


def moves(columns: Sequence[Column], left: int, *, first: bool) -> tuple[Any, dict[str, Any]]:
    """Return what the pass with `left` passes after it moves from and to, of keys and values.

    It is the array that keys are taken from, in the `first` pass their source, and the other arrays, by the names that
    a kernel has for them.
    """
    keys, values = columns
    taken = keys.source if first else keys.destination(left + 1)
    taken_values = values.source if first else values.destination(left + 1)
    others = {"new_keys": keys.destination(left), "values": taken_values, "new_values": values.destination(left)}
    return taken, {name: array for name, array in others.items() if array is not None}


def kinds_of(kind: Kind, others: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the template of a pass that say which arrays there are, beside that of the keys."""
    if kind.value is None:
        return {"keys_out": True, "values": "", "value": ""}
    return {
        "keys_out": "new_keys" in others,
        "values": "read" if "values" in others else "made",
        "value": kind.word,
    }


def of_passes(columns: Sequence[Column], count: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield what each of `count` passes moves from and to, as `moves` returns it."""
    for left in reversed(range(count)):
        yield moves(columns, left, first=left == count - 1)
