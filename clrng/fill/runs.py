"""Which values of a stream a fill makes, and where in memory it puts them: runs of neighbouring values.

A rectangle of an array, or a slice of one in memory, is runs of its last axis that lie at equal distances along each of
the others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.generators import BitGenerator
from clrng.opencl.arrays import contiguous, joined_axes
from clrng.opencl.kernel import Kernel
from clrng.proof import references
from clrng.proof.prove import GUARD, check_guard, compare, expected_values, poisoned, prove
from clrng.proof.references import Stream

PLACES = 2**31
"""Kernels that divide places by pitches take places below this."""

RUN = 341
"""Values of a run, unless columns are longer."""


@dataclass(frozen=True)
class Axis:
    """Equally distant runs."""

    count: int  # How many runs
    pitch: int  # How many values of the stream lie from the first value of a run to that of the next
    stride: int  # How many values of memory lie between the two; a negative one is backwards


def numbers_of(axes: Iterable[Axis]) -> tuple[int, ...]:
    """Return the numbers of axes as kernels take them."""
    return tuple(number for axis in axes for number in (axis.count, axis.pitch, axis.stride))


def inverse(pitch: int) -> tuple[int, int]:
    """Return f and s such that floor(n / pitch) is floor(floor(n f / 2^32) / 2^s) for every n from 0 to 2^31 - 1.

    The pitch is 2 or more. With l bits in pitch - 1, f is the next integer above 2^(31 + l) / pitch, by at most 1. So
    n f / 2^(31 + l) is above n / pitch, by at most n / 2^(31 + l), which is less than 1 / pitch: not enough to reach
    the next integer.
    """
    if pitch >= PLACES:
        return 0, 0
    bits = (pitch - 1).bit_length()
    return (PLACES << bits) // pitch + 1, bits - 1


@dataclass(frozen=True)
class Runs:
    """Runs of values that follow one another in the stream, and lie at equal distances in memory."""

    first: int  # The place in the stream of the first value of the first run, counted in values from 0
    length: int  # Values of a run
    # The axes along which the runs lie, the outermost first; none for a single run. All runs along an axis end before
    # the next one of an axis further out begins
    axes: tuple[Axis, ...]
    spacing: int = 1  # How many values of memory lie from one value of a run to the next, a negative one backwards
    begin: int = 0  # The place in memory of the first value of the first run, counted in values

    @staticmethod
    def argument_names(axes: int) -> tuple[str, ...]:
        """Return the names of `arguments` of runs along so many axes."""
        return tuple(Runs(0, 1, (Axis(1, 2, 1),) * axes).arguments)

    @property
    def arguments(self) -> dict[str, int]:
        """The arguments of a kernel that divides places by pitches, in its order."""
        found = {"length": self.length, "spacing": self.spacing}
        for i, axis in enumerate(self.axes):
            factor, shift = inverse(axis.pitch)
            found |= {f"count_{i}": axis.count, f"pitch_{i}": min(axis.pitch, PLACES), f"inverse_{i}": factor}
            found |= {f"shift_{i}": shift, f"stride_{i}": axis.stride}
        return found

    @property
    def size(self) -> int:
        """How many values there are."""
        return self.length * prod(axis.count for axis in self.axes)

    @property
    def span(self) -> int:
        """How many values of the stream there are from the first to the last."""
        return sum((axis.count - 1) * axis.pitch for axis in self.axes) + self.length

    def values_before(self, place: int) -> int:
        """Return how many values of runs are among the first `place` values of the stream from the first run on."""
        before, inside = 0, self.size
        for axis in self.axes:
            inside //= axis.count
            i = min(place // axis.pitch, axis.count - 1)
            before += i * inside
            place -= i * axis.pitch
        return before + min(place, self.length)

    def of_steps(self, steps: int) -> "Runs":
        """Return the raw values that these values are made of, `steps` each, one run behind the other in memory."""
        axes: list[Axis] = []
        size = self.length * steps
        for axis in reversed(self.axes):
            axes.insert(0, Axis(axis.count, axis.pitch * steps, size))
            size *= axis.count
        return Runs(self.first * steps, self.length * steps, tuple(axes))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield where each run begins, in the stream and in memory."""
        for indices in product(*(range(axis.count) for axis in self.axes)):
            pairs = list(zip(indices, self.axes, strict=True))
            place = sum(i * axis.pitch for i, axis in pairs)
            value = sum(i * axis.stride for i, axis in pairs)
            yield self.first + place, self.begin + value

    def apart(self, most: int) -> "Iterator[Runs]":
        """Yield parts, in the order of the stream, each a single run or with a span of at most `most`."""
        if self.span <= most or not self.axes:
            yield self
            return
        outer, inner = self.axes[0], replace(self, axes=self.axes[1:])
        each = max((most - inner.span) // outer.pitch + 1, 1)
        for i in range(0, outer.count, each):
            some = min(each, outer.count - i)
            axes = (replace(outer, count=some), *inner.axes) if some > 1 else inner.axes
            begin = self.begin + i * outer.stride
            yield from replace(inner, first=self.first + i * outer.pitch, begin=begin, axes=axes).apart(most)

    def cut(self, most: int) -> "Iterator[Runs]":
        """Yield the same values as runs of at most `most` values: long ones are cut along an axis of their own."""
        whole, rest = divmod(self.length, most)
        if self.length <= most:
            yield self
            return
        along = Axis(whole, most, most * self.spacing)
        yield replace(self, length=most, axes=(*self.axes, along) if whole > 1 else self.axes)
        if rest:
            made = whole * most
            yield replace(self, first=self.first + made, length=rest, begin=self.begin + made * self.spacing)


def runs_of(shape: Sequence[int], starts: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> Runs:
    """Return the runs of a rectangle of an array, as few and as long as possible.

    The array has this `shape`, and its values follow one another in C order. The rectangle has the indices from
    ``starts[d]`` to ``starts[d] + sizes[d]`` - 1 along axis d, and `strides` are its strides in memory, in values.
    """
    pitches = contiguous(shape)
    first = sum(start * pitch for start, pitch in zip(starts, pitches, strict=True))
    if 0 in sizes:
        return Runs(first, 0, ())
    axes = [Axis(*numbers) for numbers in joined_axes(zip(sizes, pitches, strides, strict=True))]
    if axes and axes[-1].pitch == 1:
        return Runs(first, axes[-1].count, tuple(axes[:-1]), axes[-1].stride)
    return Runs(first, 1, tuple(axes))


MakeRuns = Callable[[cla.Array, Runs, BitGenerator], Any]
"""Called with an array, runs of its memory and a bit generator, stores the runs, whose places count from where this
stands."""


def _sample(axes: int = 2, column: int = 0, *, spaced: bool) -> Runs:
    """Return some runs along so many axes, with gaps in the stream and in memory.

    They are longer than `column` values, and where `spaced` there is memory between the values of a run.
    """
    length, spacing = max(RUN, column + RUN // 3), 3 if spaced else 1
    counts = [5, 3, *[2] * (axes - 2)][:axes] if column < RUN else [2] * axes
    found: list[Axis] = []
    pitch, stride = length + 29, length * spacing + 11
    for count in counts:
        found.insert(0, Axis(count, pitch, stride))
        pitch, stride = count * pitch + 17, count * stride + 5
    return Runs(2, length, tuple(found), spacing, 1)


def prove_runs(
    queue: cl.CommandQueue, kernels: Sequence[Kernel], bits: BitGenerator, transform: Transform, make: MakeRuns,
    axes: int = 2, column: int = 0, *, spaced: bool,
) -> None:  # fmt: skip
    """Have kernels that store runs of values of `transform` proved, from where `bits` stands, on a queue of their own.

    That is the queue of the array that `make` is called with; for the runs see `_sample`.
    """
    if type(transform) in references.FORMS:
        given = Stream(bits), transform, make
        prove(queue, kernels, lambda own: _check(own, *given, _sample(axes, column, spaced=spaced)))


def _check(queue: cl.CommandQueue, stream: Stream, transform: Transform, make: MakeRuns, runs: Runs) -> None:
    bits = stream.bits
    places = [value + i * runs.spacing for _, value in runs for i in range(runs.length)]
    out: Any = poisoned(queue, max(places) + 1 + GUARD, transform.dtype or bits.dtype)
    make(out, runs, bits)
    made = out.get()
    expected, sure = expected_values(transform, stream, 0, runs.first + runs.span)
    wanted = np.array([place + i for place, _ in runs for i in range(runs.length)])
    at: Any = np.array(places)
    compare(f"value {bits.name} of runs", made[at], expected[wanted], sure=None if sure is None else sure[wanted])
    others = np.ones(made.size, bool)
    others[at] = False
    check_guard("between", made[others])
