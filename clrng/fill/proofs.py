"""The cases that prove kernels that store runs, advance streams or locate values, and what must come of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import pi
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill.runs import Axis, Runs
from clrng.generators import BitGenerator
from clrng.generators.base import Words
from clrng.generators.lagged import Lagged
from clrng.opencl.transfers import upload
from clrng.proof import references
from clrng.proof.fills import GUARD, POISON, check_guard, expected_values, poisoned
from clrng.proof.prove import MismatchError, compare
from clrng.proof.references import Stream, raw_values

MakeRuns = Callable[[cla.Array, Runs, BitGenerator], Any]
"""Called with an array, runs of its memory and a bit generator, stores the runs, whose places count from where this
stands."""


RUN = 341
"""Values of a run, unless columns are longer."""


def sample_runs(axes: int = 2, column: int = 0, *, spaced: bool) -> Runs:
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


def check_runs(queue: cl.CommandQueue, bits: BitGenerator, transform: Transform, make: MakeRuns, runs: Runs) -> None:
    """Check runs of values of `transform` from where `bits` stands."""
    if type(transform) not in references.FORMS:
        return
    stream = Stream(bits)
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


APART = 5
"""Steps from the state of a stream to that of the next."""

LARGE_ORDER = 256
"""From so many words of a state on, there are fewer streams."""


@lru_cache(maxsize=8)
def _visited(stream: Stream, count: int) -> list[Words]:
    """Return the words of so many states, from that of a stream on."""
    words = stream.bits.words
    found = [words]
    for _ in range(count - 1):
        words = stream.bits.step(words)
        found.append(words)
    return found


@dataclass(frozen=True)
class SampleStreams:
    """Streams of a proof."""

    bits: BitGenerator  # Where the first stream stands
    count: int
    step: int  # The steps of the sequence in one step of a stream

    def states(self, after: int = 0) -> npt.NDArray[Any]:
        """Return the states of the streams after so many steps of each, shape (count, order)."""
        bits, first, dtype = self.bits, after * self.step, self.bits.word_dtype
        if isinstance(bits, Lagged):
            all_words = np.array(bits.continued(bits.words, first + self.count * APART), dtype)
            return np.lib.stride_tricks.sliding_window_view(all_words, bits.order)[first::APART][: self.count]
        visited = _visited(Stream(bits), first + self.count * APART)
        return np.array(visited[first::APART][: self.count], dtype).reshape(self.count, -1)

    def values(self, transform: Transform, values: int) -> references.Values:
        """Return so many values of each stream, and which of them are sure, each of shape (values, count)."""
        steps = values * transform.steps
        raw = raw_values(Stream(self.bits), 0, self.count * APART + steps * self.step)
        places = np.arange(self.count)[:, None] * APART + (np.arange(steps) + 1) * self.step - 1
        made, sure = references.values(transform, self.bits, raw[places].reshape(-1, transform.steps))
        shape = self.count, values
        return made.reshape(shape).T, None if sure is None else sure.reshape(shape).T


Array = npt.NDArray[Any]

LENGTH = 5123
"""The number of contiguous values; it is odd."""

SHAPE, OFFSET = (7, 5, 149), 5
"""The shape of values that are not contiguous, and where they begin in memory."""

EXPONENTS = 20
"""The maximum of the exponents of numbers, and minus their minimum."""

Locate = Callable[[cla.Array, cla.Array, cla.Array], None]
"""Replaces values by loc + scale * values, called with values, loc and scale."""


class Finds(Protocol):
    """What finds numbers that are not legal."""

    def __call__(self, value: cla.Array, *, positive: bool) -> bool:
        """Return whether an array has one."""


def check_locate(queue: cl.CommandQueue, dtype: np.dtype[Any], run: Locate, *, circular: bool) -> None:
    """Check contiguous values with one loc and scale, and others, that are not contiguous, with many."""
    random = np.random.default_rng(LENGTH)

    def numbers(*shape: int) -> Array:
        if circular:
            return random.uniform(-pi, pi, shape).astype(dtype)
        return (random.uniform(-2, 2, shape) * 2.0 ** random.integers(-EXPONENTS, EXPONENTS, shape)).astype(dtype)

    def factors(*shape: int) -> Array:
        return np.ones(shape, dtype) if circular else abs(numbers(*shape))

    _check_located(queue, numbers(LENGTH), [dtype.itemsize], 3 * numbers(), factors(), run, circular=circular)
    inner, middle = 2 * dtype.itemsize, 2 * SHAPE[2] * dtype.itemsize
    strides = [SHAPE[1] * middle, middle, inner]
    loc, scale = 3 * numbers(SHAPE[1], 1), factors(SHAPE[0], 1, SHAPE[2])
    _check_located(queue, numbers(*SHAPE), strides, loc, scale, run, circular=circular)


def _check_located(
    queue: cl.CommandQueue, values: Array, strides: list[int], loc: Array, scale: Array, run: Locate, *, circular: bool
) -> None:
    """Check values that lie in memory by `strides`, with other memory around and between them that must stay."""
    size = values.dtype.itemsize
    last = sum((n - 1) * stride for n, stride in zip(values.shape, strides, strict=True)) // size
    memory = np.full((OFFSET + last + 1 + GUARD) * size, POISON, np.uint8).view(values.dtype)
    there = np.lib.stride_tricks.as_strided(memory[OFFSET:], values.shape, strides)
    there[...] = values
    held = upload(queue, memory)
    placed = cla.Array(
        queue, values.shape, values.dtype, strides=tuple(strides), data=held.base_data, offset=OFFSET * size
    )
    run(placed, upload(queue, loc), upload(queue, scale))
    queue.finish()
    memory[...] = held.get()
    x, times, plus = (np.ascontiguousarray(each).reshape(-1) for each in np.broadcast_arrays(values, scale, loc))
    y, fine = references.fma(x, times, plus)
    expected, sure = references.on_circle(y, fine) if circular else (y, fine)
    compare("value", np.ascontiguousarray(there).reshape(-1), expected, sure=sure)
    there[...] = np.full(size, POISON, np.uint8).view(values.dtype)[0]
    check_guard("around", memory)


def check_finding(queue: cl.CommandQueue, dtype: np.dtype[Any], finds: Finds) -> None:
    """Check that numbers which are not legal are found, wherever they are, and others are not."""
    largest = np.finfo(dtype).max
    legal = np.array([0.0, 1.5, largest, np.finfo(dtype).tiny, -0.0], dtype)
    memory = np.resize(legal, 2 * OFFSET + LENGTH)
    places, wrong = (0, LENGTH // 2, LENGTH - 1), (np.nan, np.inf, -np.inf, -1.5, -largest)
    cases: list[tuple[int, float]] = [(-1, np.nan), (LENGTH, np.nan), *product(places, wrong)]
    for place, number in cases:
        changed = memory.copy()
        changed[OFFSET + place] = number
        held = upload(queue, changed)
        given = held[OFFSET : OFFSET + LENGTH]
        within = 0 <= place < LENGTH
        for positive in (False, True):
            expected = within and (positive or not np.isfinite(number))
            found = finds(given, positive=positive)
            if found != expected:
                what = f"whether {number} at place {place} of {LENGTH} is found where positive is {positive}"
                raise MismatchError(what, found, expected)
