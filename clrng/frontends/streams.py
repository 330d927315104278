"""Many streams side by side, whose states stay on the device."""

from threading import Lock
from typing import Any

import numpy.typing as npt

from clrng import validation
from clrng.fill import stream_states
from clrng.fill.stream_states import Seeding
from clrng.frontends.arguments import (
    Queue,
    check_bit_generator,
    check_queue,
)
from clrng.frontends.draws.stream import StreamDraws
from clrng.generators import BitGenerator
from clrng.generators.arithmetic import check_name
from clrng.generators.families import code_for, select
from clrng.opencl import devices, processes
from clrng.validation import shown

MOST_STREAMS = 2**31
DISCARDED = 3
"""Values that the papers throw away after seeding stream i with master seed + i."""


class Streams(StreamDraws):
    """Many streams of one recurrence, whose states stay on the device.

    Make them with `by_jumps`, `by_leapfrog`, `from_seeds` or `from_master_seed`. Every call moves all streams on by the
    same number of steps, and returns the values of all those steps or of the last one.

    Parameters
    ----------
    bit_generator : BitGenerator
        Gives the parameters of all streams.
    start : array_like of int, shape (count,) or, for states of several words, (count, order)
        The states. The methods named above give a `Seeding` instead, from which the device makes the states.
    step : int, optional
        How many steps of the recurrence make one step of a stream, 1 or more. For lagged Fibonacci generators it is 1,
        or for states that are one step apart each, as `by_leapfrog` makes them, the number of streams.
    queue, arithmetic, allocator : optional
        As for `Generator`, which says what is up to you with a pool and a queue that runs commands in any order.

    Attributes
    ----------
    count : int
        The number of streams.
    allocator : callable or None
    queue : pyopencl.CommandQueue
        It cannot be changed.
    device : DeviceInfo
    arithmetic : str
        The name of the arithmetic in use.
    step : int
        How many steps of the recurrence make one step of a stream: by leapfrog the number of streams, else 1.

    Raises
    ------
    TypeError
        If an argument is of the wrong type, or there is no device code for the class of `bit_generator`.
    ValueError
        If a state or `step` is not legal, `arithmetic` is unknown, `queue` is a context of several devices, or the
        device has no room for the states.
    UnsupportedError
        If the arithmetic is not exact on the device; it is a `ValueError` too.
    NoDeviceError
        If there is no device, or none that matches.
    ForkError
        If this process was forked from one that had used OpenCL. Start processes with the method ``"spawn"``.
    BuildError
        If the device's compiler refuses a kernel.

    Notes
    -----
    A call that is interrupted, or ends with an error of OpenCL, leaves the states as they were before it or as they
    would be after it, all of them alike. Pickled streams keep their states and the arithmetic that was asked for; where
    they are unpickled they run on the device that `clrng.choose_device` chooses there.

    Examples
    --------
    >>> import clrng
    >>> streams = clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), 3)
    >>> streams.random_raw(2).get().tolist()
    [[16807, 282475249, 1622650073], [984943658, 1144108930, 470211272]]
    >>> len(streams), streams.advance(10**9)[0].sequence(1).tolist()
    (3, [190998260])
    """

    _elsewhere = "Streams(bit_generator, streams.states, streams.step, queue) goes on with the same states on another"

    def __init__(
        self,
        bit_generator: BitGenerator,
        start: Seeding | npt.ArrayLike,
        step: int = 1,
        queue: Queue | None = None,
        arithmetic: str = "auto",
        allocator: Any = None,
    ) -> None:
        self._recurrence = check_bit_generator(bit_generator).copy()
        if not isinstance(start, Seeding):
            start = self._recurrence.checked_states("start", start)
        self._count = start.count if isinstance(start, Seeding) else len(start)
        self._step = validation.integer("step", step, 1, None)
        self._requested = check_name(arithmetic)
        self.allocator = allocator
        self._queue = check_queue(queue)
        self._device = devices.describe(self.queue.device)
        code = code_for(self._recurrence, select(self._requested, self.device, self._recurrence))
        self._arithmetic = code.arithmetic.name
        self._lock = Lock()
        self._stream_states = stream_states.make_states(self.queue, self.device, code, self.count, self.step, start)

    @classmethod
    def by_jumps(
        cls,
        bit_generator: BitGenerator,
        count: int,
        distance: int | None = None,
        queue: Queue | None = None,
        arithmetic: str = "auto",
        allocator: Any = None,
    ) -> "Streams":
        """Make streams that begin `distance` values apart on the sequence of `bit_generator`.

        Parameters
        ----------
        bit_generator : BitGenerator
            Stream 0 begins where it stands; it stays there.
        count : int
            The number of streams, from 1 to its period and to 2^31.
        distance : int, optional
            How many values the beginnings of two neighbouring streams are apart, from 1 to the period. By default
            period // count, the largest at which no two overlap; for lags of thousands such jumps take minutes. Where
            the period is not known there is no upper limit, and `distance` must be given. No value is in two streams
            as long as distance * count is at most the period and each stream is moved on by at most `distance` steps.
        queue, arithmetic, allocator : optional
            As for `Generator`.

        Raises
        ------
        TypeError, ValueError, UnsupportedError, NoDeviceError, ForkError, BuildError
            If an argument is not legal, or as for `Streams`.

        Examples
        --------
        >>> import clrng
        >>> streams = clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), 2, distance=3)
        >>> streams.random_raw(3).get().T.tolist()
        [[16807, 282475249, 1622650073], [984943658, 1144108930, 470211272]]
        """
        count, period = _checked_count(bit_generator, count)
        if distance is None and period is None:
            raise ValueError(
                f"distance must be an integer of 1 or more, not None: the period of {shown(bit_generator)} is not known"
            )
        apart = validation.integer("distance", period // count if period and distance is None else distance, 1, period)
        return cls(bit_generator, Seeding(count, bit_generator.words, 0, apart, 0), 1, queue, arithmetic, allocator)

    @classmethod
    def by_leapfrog(
        cls,
        bit_generator: BitGenerator,
        count: int,
        queue: Queue | None = None,
        arithmetic: str = "auto",
        allocator: Any = None,
    ) -> "Streams":
        """Deal the sequence of `bit_generator` out to the streams, value by value.

        Stream i has the values at positions i + 1, i + 1 + count, i + 1 + 2 count, ... The values of all streams at
        the first step, then those at the second, and so on, are the sequence itself. The recurrence must be
        reversible.

        Parameters
        ----------
        bit_generator : BitGenerator
            The sequence goes on from where it stands; it stays there.
        count : int
            The number of streams, from 1 to its period and to 2^31.
        queue, arithmetic, allocator : optional
            As for `Generator`.

        Raises
        ------
        TypeError, ValueError, UnsupportedError, NoDeviceError, ForkError, BuildError
            If an argument is not legal, the recurrence cannot be run backwards, or as for `Streams`.
        """
        if not check_bit_generator(bit_generator).reversible:
            raise ValueError(
                f"bit_generator must be reversible for leapfrog, its multiplier or last coefficient without a factor "
                f"in common with the modulus, not {shown(bit_generator)}"
            )
        count, _ = _checked_count(bit_generator, count)
        first = bit_generator.state_after(bit_generator.words, 1 - count)
        return cls(bit_generator, Seeding(count, first, 0, 1, 0), count, queue, arithmetic, allocator)

    @classmethod
    def from_seeds(
        cls,
        bit_generator: BitGenerator,
        seeds: npt.ArrayLike,
        queue: Queue | None = None,
        arithmetic: str = "auto",
        allocator: Any = None,
    ) -> "Streams":
        """Make one stream for each seed.

        Parameters
        ----------
        bit_generator : BitGenerator
            Gives the parameters of all streams; its own state is not used.
        seeds : array_like of int, shape (count,), or for states of several words (count, order)
            The state of each stream before its first value, the oldest word first. These numbers are the states
            themselves, even of a generator by name whose library makes its states from seeds in some other way.
        queue, arithmetic, allocator : optional
            As for `Generator`.

        Raises
        ------
        TypeError
            If the seeds are not integers.
        ValueError
            If one is out of range: the first such index and its value are named.
        """
        checked = check_bit_generator(bit_generator).checked_states("seeds", seeds)
        seeds = checked if bit_generator.order > 1 else checked[:, 0]
        return cls(bit_generator, seeds, 1, queue, arithmetic, allocator)

    @classmethod
    def from_master_seed(
        cls,
        bit_generator: BitGenerator,
        count: int,
        queue: Queue | None = None,
        arithmetic: str = "auto",
        allocator: Any = None,
    ) -> "Streams":
        """Seed stream i with master seed + i and throw away its first 3 values, as the paper of 2008 does.

        This is for reproducing old results. For new work take `by_jumps`. Streams of a congruential generator that
        begin at s and s + 1 differ by a^n modulo m after n steps, whatever s is: at any time all neighbouring streams
        differ by the same number, so they are correlated. And where each begins on the sequence is left to chance,
        so they may overlap.

        Parameters
        ----------
        bit_generator : BitGenerator
            An `LCG` or a `XorShift32`. Its state is the master seed; it stays as it is.
        count : int
            The number of streams, from 1; master seed + count - 1 must be below the modulus.
        queue, arithmetic, allocator : optional
            As for `Generator`.

        Raises
        ------
        TypeError, ValueError, UnsupportedError, NoDeviceError, ForkError, BuildError
            If an argument is not legal, or as for `Streams`.

        References
        ----------
        W. B. Langdon, "A fast high quality pseudo random number generator for graphics processing units", IEEE
        World Congress on Computational Intelligence, 2008, pp. 459-465.
        """
        words = check_bit_generator(bit_generator).words
        if not bit_generator.consecutive_seeds:
            raise TypeError(
                f"bit_generator must have all integers from a seed up to its modulus as seeds, as an LCG has, for a "
                f"master seed, not {shown(bit_generator)}"
            )
        count = validation.integer("count", count, 1, min(bit_generator.modulus - words[0], MOST_STREAMS))
        return cls(bit_generator, Seeding(count, words, 1, 0, DISCARDED), 1, queue, arithmetic, allocator)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "bit_generator": self._recurrence,
            "start": self._start(),
            "step": self.step,
            "arithmetic": self._requested,
        }

    def _start(self) -> Seeding | npt.NDArray[Any]:
        """Return what these streams can be made from again."""
        return self._seeding() or self.states

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # what does not belong to a machine

    def __repr__(self) -> str:
        return f"<{self.count} Streams of {self._recurrence.name}, {self.arithmetic} arithmetic, on {self.device.name}>"

    @property
    def arithmetic(self) -> str:
        """The name of the arithmetic in use."""
        return self._arithmetic

    @property
    def states(self) -> npt.NDArray[Any]:
        """The states, copied to the host, shape (count,) or (count, order); assign an array to restore them.

        Raises
        ------
        TypeError, ValueError
            On assignment, if it is not `count` legal states, or those of a lagged Fibonacci sequence that is dealt
            out are not one step apart each; nothing is changed then.
        """
        rows = self._rows()
        return rows if self._recurrence.order > 1 else rows[:, 0].copy()

    @states.setter
    def states(self, values: npt.ArrayLike) -> None:
        processes.check()
        checked = self._recurrence.checked_states("states", values)
        if len(checked) != self.count:
            raise ValueError(f"states must be {self.count} states, one a stream, not {len(checked)}")
        with self._lock:
            self._stream_states.set_rows(checked)


def _checked_count(bit_generator: BitGenerator, count: int) -> tuple[int, int | None]:
    """Return the number of streams, at most the period, and the period."""
    period = check_bit_generator(bit_generator).period
    return validation.integer("count", count, 1, min(period or MOST_STREAMS, MOST_STREAMS)), period
