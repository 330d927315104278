"""Where the chunks of an array lie, in a graph whose size does not grow with their number."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from dask.layers import ArrayBlockwiseDep

Place = tuple[tuple[int, ...], tuple[int, ...]]
"""Where a chunk begins along each axis, and how long it is."""


@dataclass(frozen=True)
class EqualChunks:
    """The chunks of an axis, all of one length but for the last, which may be shorter.

    Attributes
    ----------
    count, chunk, length : int
        How many there are, their length and that of the axis.
    """

    count: int
    chunk: int
    length: int

    def __getitem__(self, index: int) -> tuple[int, int]:
        """Return where chunk `index` begins, and its length."""
        start = index * self.chunk
        return start, min(self.chunk, self.length - start)


@dataclass(frozen=True)
class UnequalChunks:
    """The chunks of an axis.

    Attributes
    ----------
    starts, lengths : tuple of int
    """

    starts: tuple[int, ...]
    lengths: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.lengths)

    def __getitem__(self, index: int) -> tuple[int, int]:
        """Return where chunk `index` begins, and its length."""
        return self.starts[index], self.lengths[index]


def axis_of(lengths: Sequence[int]) -> EqualChunks | UnequalChunks:
    """Return the chunks of an axis, by their lengths, in the shortest form."""
    first = lengths[0] if lengths else 0
    if lengths and all(length == first for length in lengths[:-1]) and lengths[-1] <= first:
        return EqualChunks(len(lengths), first, sum(lengths))
    return UnequalChunks((0, *accumulate(lengths[:-1])), tuple(lengths))


class Places(ArrayBlockwiseDep):  # type: ignore[misc]  # dask is not type-checked
    """What dask hands to the function that makes a chunk: the chunk's `Place`.

    Unlike ``dask.layers.ArraySliceDep`` it does not list equal chunks one by one.

    Parameters
    ----------
    chunks : tuple of tuple of int
        The lengths of the chunks along each axis, as dask writes them.
    """

    produces_tasks = False

    def __init__(self, chunks: tuple[tuple[int, ...], ...]) -> None:
        self.axes = tuple(axis_of(lengths) for lengths in chunks)
        self.numblocks = tuple(axis.count for axis in self.axes)

    @property
    def chunks(self) -> tuple[tuple[int, ...], ...]:
        """The lengths of the chunks along each axis, as dask writes them."""
        return tuple(tuple(axis[i][1] for i in range(axis.count)) for axis in self.axes)

    def __getitem__(self, index: tuple[int, ...]) -> Place:
        found = [axis[i] for axis, i in zip(self.axes, index, strict=True)]
        return tuple(start for start, _ in found), tuple(length for _, length in found)

    def __dask_tokenize__(self) -> Any:
        return type(self).__name__, repr(self.axes)
