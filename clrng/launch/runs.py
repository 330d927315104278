"""Which values of a stream a fill makes, and where in memory it puts them: runs of neighbouring values.

A rectangle of an array, or a slice of one in memory, is runs of its last axis that lie at equal distances along each of
the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Axis:
    """Equally distant runs.

    Attributes
    ----------
    count : int
        How many runs.
    pitch : int
        How many values of the stream lie from the first value of a run to that of the next.
    stride : int
        How many values of memory lie between the two; a negative one is backwards.
    """

    count: int
    pitch: int
    stride: int


@dataclass(frozen=True)
class Runs:
    """Runs of values that follow one another in the stream and in memory.

    Attributes
    ----------
    first : int
        The place in the stream of the first value of the first run, counted in values from 0.
    length : int
        Values of a run.
    axes : tuple of Axis
        Along which the runs lie, the outermost first; none where there is one run.
    """

    first: int
    length: int
    axes: tuple[Axis, ...]

    @property
    def size(self) -> int:
        """How many values there are."""
        size = self.length
        for axis in self.axes:
            size *= axis.count
        return size

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield where each run begins: in the stream, and in memory counted in values from the first run."""
        for indices in product(*(range(axis.count) for axis in self.axes)):
            pairs = list(zip(indices, self.axes, strict=True))
            yield self.first + sum(i * axis.pitch for i, axis in pairs), sum(i * axis.stride for i, axis in pairs)


def contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    """Return how many values lie between neighbours along each axis of a C-contiguous array of this shape."""
    strides, values = [], 1
    for size in reversed(shape):
        strides.append(values)
        values *= size
    return tuple(reversed(strides))


def runs_of(shape: Sequence[int], starts: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> Runs:
    """Return the runs of a rectangle of an array.

    Parameters
    ----------
    shape : sequence of int
        Of the whole array, whose values follow one another in C order.
    starts, sizes : sequences of int
        The rectangle has the indices from ``starts[d]`` to ``starts[d] + sizes[d]`` - 1 along axis d.
    strides : sequence of int
        How many values of memory lie between neighbours of the rectangle along each axis.

    Returns
    -------
    Runs
        As few and as long as there can be.
    """
    pitches = contiguous(shape)
    first = sum(start * pitch for start, pitch in zip(starts, pitches, strict=True))
    if 0 in sizes:
        return Runs(first, 0, ())
    axes: list[Axis] = []
    for inner in (Axis(*numbers) for numbers in zip(sizes, pitches, strides, strict=True) if numbers[0] > 1):
        outer = axes[-1] if axes else None
        if outer and (outer.pitch, outer.stride) == (inner.count * inner.pitch, inner.count * inner.stride):
            axes[-1] = Axis(outer.count * inner.count, inner.pitch, inner.stride)
        else:
            axes.append(inner)
    if axes and (axes[-1].pitch, axes[-1].stride) == (1, 1):
        return Runs(first, axes[-1].count, tuple(axes[:-1]))
    return Runs(first, 1, tuple(axes))
