"""What a sort moves: keys, and values with them."""

from collections.abc import Iterator, Sequence
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

    def spare(self, passes: int) -> tuple[int, int]:
        """Return how many arrays so many passes need, beside those of the call, for keys and for values."""
        keys = min(passes, 2) - 1 if self.keys_out else min(passes, 3) - 1
        return keys, 0 if self.value is None else min(passes, 2) - 1


class Column:
    """Keys or values, which passes move from their `source` through `arrays` in turn.

    Of these the first is the `result` that the last pass stores, if there is one. Without a source values are the
    places of the keys, which the first pass makes. Arrays may be numbers, which stand for them. `word` is the OpenCL
    type that they are moved as; no text where nothing is moved.
    """

    def __init__(
        self, dtype: np.dtype[Any] | None, source: Any = None, arrays: Sequence[Any] = (), *, result: bool = False
    ) -> None:
        self.source, self.arrays, self.result = source, arrays, result
        self.word = "" if dtype is None else WORDS[dtype.itemsize]

    def destination(self, left: int) -> Any:
        """Return the array to which the pass with `left` passes after it writes, or None."""
        if not self.result:
            return self.arrays[(left - 1) % len(self.arrays)] if left and self.arrays else None
        return self.arrays[left % len(self.arrays)]

    def from_destination(self, left: int) -> list[Any]:
        """Return the arrays, first the one to which the pass with `left` passes after it writes."""
        there = self.destination(left)
        return sorted(self.arrays, key=lambda each: each is not there)


def moves(columns: Sequence[Column], left: int, *, first: bool) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return what the pass with `left` passes after it moves from and to, of keys and values.

    It is the array that keys are taken from, in the `first` pass their source; the other arrays, by the names that a
    kernel has for them; and the values of its template that say which there are.
    """
    keys, values = columns
    taken = keys.source if first else keys.destination(left + 1)
    new_keys, new_values = keys.destination(left), values.destination(left)
    others: dict[str, Any] = {} if new_keys is None else {"new_keys": new_keys}
    if new_values is None:
        return taken, others, {"keys_out": True, "values": "", "value": ""}
    taken_values = values.source if first else values.destination(left + 1)
    others |= {"new_values": new_values} if taken_values is None else {"values": taken_values, "new_values": new_values}
    kinds = {
        "keys_out": new_keys is not None,
        "values": "made" if taken_values is None else "read",
        "value": values.word,
    }
    return taken, others, kinds


def of_passes(columns: Sequence[Column], count: int) -> Iterator[tuple[Any, dict[str, Any], dict[str, Any]]]:
    """Yield what each of `count` passes moves from and to, as `moves` returns it."""
    for left in reversed(range(count)):
        yield moves(columns, left, first=left == count - 1)
