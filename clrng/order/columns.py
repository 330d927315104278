"""What a sort moves: keys, and values with them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyopencl.array as cla

from clrng.opencl.spare import Lent
from clrng.order.arguments import WORDS, offset_of, placed


class Kind(NamedTuple):
    """What is sorted, and how."""

    dtype: np.dtype[Any]  # Of the keys
    keys_out: bool  # Whether the sorted keys are stored
    in_place: bool  # Whether they are stored in their own memory
    value: np.dtype[Any] | None  # That of the values that are moved with them
    read: bool  # Whether these are given; else they are the places of the keys
    bits: tuple[int, int]  # The first bit to sort by and the one behind the last
    descending: bool


class Column:
    """Keys or values, which passes move from their `source` through arrays in turn, of which the last is the `result`.

    Without a source values are the places of the keys, which the first pass makes; without a result the last pass
    does not store keys. There are `count` arrays beside the source, which are lent and like `like`, except for the
    result. `word` is the OpenCL type that they are moved as; no text where nothing is moved.
    """

    def __init__(
        self, source: cla.Array | None, result: cla.Array | None, like: cla.Array, count: int, lent: Lent
    ) -> None:
        self.source, self.result = source, result
        self.arrays = [] if result is None else [result]
        self.arrays += [lent.array(like.size, like.dtype, "a sort") for _ in range(count - len(self.arrays))]
        self.word = WORDS[self.arrays[0].dtype.itemsize] if self.arrays else ""

    def destination(self, left: int) -> cla.Array | None:
        """Return the array to which the pass with `left` passes after it writes, if there is one."""
        if self.result is None:
            return self.arrays[(left - 1) % len(self.arrays)] if left and self.arrays else None
        return self.arrays[left % len(self.arrays)]

    def from_destination(self, left: int) -> list[cla.Array]:
        """Return the arrays, first the one to which the pass with `left` passes after it writes."""
        there = self.destination(left)
        return sorted(self.arrays, key=lambda each: each is not there)


def moves(columns: Sequence[Column], left: int, *, first: bool) -> tuple[cla.Array, dict[str, Any], dict[str, Any]]:
    """Return what the pass with `left` passes after it moves from and to, of keys and values.

    It is the array that keys are taken from, in the `first` pass their source; the arguments of a kernel for the other
    arrays; and the values of its template that say which there are.
    """
    keys, values = columns
    taken: Any = keys.source if first else keys.destination(left + 1)
    new_keys, new_values = keys.destination(left), values.destination(left)
    named: dict[str, Any] = {}
    if new_keys is not None:
        named["new_keys"], named["new_offset"] = new_keys.base_data, offset_of(new_keys)
    if new_values is None:
        return taken, named, {"keys_out": True, "values": "", "value": ""}
    taken_values = values.source if first else values.destination(left + 1)
    named |= placed(("values", taken_values), ("new_values", new_values))
    kinds = {
        "keys_out": new_keys is not None,
        "values": "made" if taken_values is None else "read",
        "value": values.word,
    }
    return taken, named, kinds


def of_passes(columns: Sequence[Column], count: int) -> Iterator[tuple[cla.Array, dict[str, Any], dict[str, Any]]]:
    """Yield what each of `count` passes moves from and to, as `moves` returns it."""
    for left in reversed(range(count)):
        yield moves(columns, left, first=left == count - 1)
