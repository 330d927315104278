"""Streams as a sequence of bit generators, and their jumps."""

from collections.abc import Iterator
from dataclasses import replace
from threading import Lock
from typing import Any

import numpy.typing as npt
from typing_extensions import Self

from clrng import validation
from clrng.fill.stream_states import Seeding, StreamStates
from clrng.generators import BitGenerator
from clrng.generators.base import Words
from clrng.opencl import processes
from clrng.validation import shown


class StreamSequence:
    """The part of `Streams` that draws nothing: their number, each of them as a bit generator, and jumps.

    Attributes
    ----------
    count : int
        The number of streams.
    step : int
        How many steps of the recurrence make one step of a stream.
    """

    _count: int
    _step: int
    _recurrence: BitGenerator
    _stream_states: StreamStates
    _lock: Lock

    @property
    def count(self) -> int:
        """The number of streams."""
        return self._count

    @property
    def step(self) -> int:
        """How many steps of the recurrence make one step of a stream."""
        return self._step

    def _seeding(self) -> Seeding | None:
        """Return what the states can be made from again, where that is less than the states."""
        processes.check()
        with self._lock:
            return self._stream_states.seeding()

    def _rows(self) -> npt.NDArray[Any]:
        """Return the states, one a row, shape (count, order)."""
        processes.check()
        with self._lock:
            return self._stream_states.rows()

    def __len__(self) -> int:
        """Return the number of streams."""
        return self.count

    def __getitem__(self, index: int) -> BitGenerator:
        """Return a bit generator that stands where stream `index` does and has that stream's next values.

        Parameters
        ----------
        index : int
            From 0, or negative from the end.

        Returns
        -------
        BitGenerator
            A copy: neither moves the other. For streams by leapfrog it is an `LCG` whose multiplier and increment do
            `step` steps of the recurrence at once.

        Raises
        ------
        TypeError
            If `index` is not an integer.
        IndexError
            If there is no such stream.
        UnsupportedError
            If one step of a stream is several steps of the recurrence, and that is not congruential.
        """
        index = validation.integer("index", index, None, None)
        if not -self.count <= index < self.count:
            raise IndexError(f"index must be an integer from {-self.count} to {self.count - 1}, not {shown(index)}")
        seeding, place = self._seeding(), index % self.count
        words = self._recurrence.state_after(seeding.words, place) if seeding else tuple(self._rows()[place].tolist())
        return self._stream(words)

    def __iter__(self) -> Iterator[BitGenerator]:
        """Iterate over the streams as indexing gives them, all as they stand when the iteration begins."""
        seeding = self._seeding()
        if seeding is not None:
            return (self._stream(self._recurrence.state_after(seeding.words, i)) for i in range(self.count))
        return (self._stream(tuple(words)) for words in self._rows().tolist())

    def _stream(self, words: Words) -> BitGenerator:
        """Return the bit generator of a stream whose state is `words`."""
        return self._recurrence.with_state(words).leaping(self.step)

    def advance(self, delta: int) -> Self:
        """Move every stream on by `delta` of its steps, as if they had been drawn.

        The jumps are computed on the host.

        Parameters
        ----------
        delta : int
            The number of steps, of any size; a negative one is backwards, where the recurrence is reversible.

        Returns
        -------
        Streams
            These streams themselves.

        Raises
        ------
        TypeError
            If `delta` is not an integer.
        ValueError
            If `delta` is negative and the recurrence is not reversible.
        ForkError
            If this process was forked from one that had used OpenCL.
        """
        processes.check()
        steps = self._recurrence.checked_delta(delta) * self.step
        with self._lock:
            seeding = self._stream_states.seeding()
            if seeding is not None:
                self._stream_states.seed(replace(seeding, words=self._recurrence.state_after(seeding.words, steps)))
            else:
                self._stream_states.set_rows(self._recurrence.states_after(self._stream_states.rows(), steps))
        return self
