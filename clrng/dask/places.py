"""Where the chunks of an array lie, in a graph whose size does not grow with their number."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from dask.layers import ArrayBlockwiseDep

Place = tuple[tuple[int, ...], tuple[int, ...]]
"""Where a chunk begins along each axis, and how long it is."""


class Axis(NamedTuple):
    """The chunks of an axis: where each begins, and where the last one ends.

    Where all have the same length, but for the last, which may be shorter, `starts` is a range.
    """

    starts: Sequence[int]
    end: int

    @classmethod
    def of(cls, lengths: Sequence[int]) -> "Axis":
        """Return the axis whose chunks have these lengths."""
        starts, end = tuple(accumulate(lengths[:-1], initial=0)), sum(lengths)
        equal = range(0, end, lengths[0] or 1)
        return cls(equal if len(equal) == len(starts) and tuple(equal) == starts else starts, end)

    def place(self, index: int) -> tuple[int, int]:
        """Return where chunk `index` begins, and its length."""
        start = self.starts[index]
        return start, (self.starts[index + 1] if index + 1 < len(self.starts) else self.end) - start


class Places(ArrayBlockwiseDep):  # type: ignore[misc]  # dask is not type-checked
    """What dask hands to the function that makes a chunk: the chunk's `Place`.

    Unlike ``dask.layers.ArraySliceDep`` it does not list equal chunks one by one. It is made of the lengths of the
    chunks along each axis, as dask writes them.
    """

    produces_tasks = False

    def __init__(self, chunks: tuple[tuple[int, ...], ...]) -> None:
        self.axes = tuple(map(Axis.of, chunks))
        self.numblocks = tuple(len(axis.starts) for axis in self.axes)

    @property
    def chunks(self) -> tuple[tuple[int, ...], ...]:
        """The lengths of the chunks along each axis, as dask writes them."""
        return tuple(tuple(axis.place(i)[1] for i in range(len(axis.starts))) for axis in self.axes)

    def __getitem__(self, index: tuple[int, ...]) -> Place:
        found = [axis.place(i) for axis, i in zip(self.axes, index, strict=True)]
        return tuple(start for start, _ in found), tuple(length for _, length in found)

    def __dask_tokenize__(self) -> Any:
        return type(self).__name__, repr(self.axes)
