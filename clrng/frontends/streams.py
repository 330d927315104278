"""Many streams side by side, whose states stay on the device."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.cuda.foreign import filled
from clrng.distributions import RAW, Transform
from clrng.distributions.by_element import numbers_of
from clrng.distributions.catalog import OfArrays, by_name, is_array
from clrng.distributions.distribution import WITH_ROUNDED, Distribution
from clrng.distributions.elements import by_elements, drawable, of_frozen
from clrng.distributions.foreign import FrozenArrays, as_distribution
from clrng.distributions.transforms.rounded import standard_uniform
from clrng.documented import Common, complete_all
from clrng.fill import stream_states
from clrng.fill.locate import build_locate, locate, on_device
from clrng.fill.stream_states import Seeding
from clrng.frontends.distribution_methods import ALSO_SHORT
from clrng.frontends.draw_methods import NEUTRAL, check_located, values_of
from clrng.frontends.drawing import Allocator, Queue, check_bit_generator, check_dtype, check_queue, whole_dtype
from clrng.frontends.looks import LookOnDevice, checked
from clrng.generators import BitGenerator
from clrng.generators.arithmetic import check_name
from clrng.generators.base import Words
from clrng.generators.families import code_for, select
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, devices
from clrng.opencl.arrays import is_foreign
from clrng.opencl.kernel import check_process
from clrng.validation import shown

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_STREAMS = 2**31
MAX_STEPS = 2**32 - 1
"""The maximum number of steps of a call."""

WORDS = Common(
    arguments={
        "queue": "optional\n    As for `Generator`: a queue, or where to make one.",
        "arithmetic": 'str, optional\n    A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one.',
        "allocator": 'callable, "pool" or "cuda", optional\n    As for `Generator`: what gives the memory of results.',
        "steps": """int, optional
    How many values to draw from every stream, from 0 to 4294967295.""",
        "keep": """{"all", "last"}, optional
    Whether to return all values, or only the last one of every stream; for ``"last"``, `steps` must be 1 or more.""",
        "dtype": f"dtype_like, optional\n    {ALSO_SHORT}",
        "out": """pyopencl.array.Array, optional
    Where to put the values: C-contiguous, of their dtype, in the context of the queue.""",
    },
    raises={
        "TypeError": "If an argument is of the wrong type.",
        "ValueError": "If an argument is not legal, or the device has no room for the result.",
        "UnsupportedError": "If `dtype` is float64 and the device has no double precision.",
        "BuildError": "If the device's compiler refuses a kernel. All states are then as they were.",
    },
    returns="""clrng.Array
    Of shape (steps, count); row j has value j of every stream. With ``"last"`` of shape (count,).""",
    notes="Every stream moves on by `steps` times as many steps as a value of `Generator` takes.",
    example=">>> import clrng\n>>> streams = clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), 4)",
)
"""What the methods have in common."""

MAKING = replace(
    WORDS, raises={
        **WORDS.raises,
        "ValueError": "If an argument is not legal, or the device has no room for the states.",
        "UnsupportedError": "If the arithmetic is not exact on the device.",
        "NoDeviceError": "If there is no device, or none that matches.",
        "ForkError": "If this process was forked from one that had used OpenCL.",
    }, returns="Streams", notes="",
)  # fmt: skip

DISCARDED = 3
"""How many values the papers discard after seeding stream i with master seed + i."""


class Streams:
    """Many streams of one recurrence, whose states stay on the device.

    Make them with `by_jumps`, `by_leapfrog`, `from_seeds` or `from_master_seed`. Every call moves all streams on by the
    same number of steps, and returns all their values or only the last ones.

    Parameters
    ----------
    bit_generator : BitGenerator
        Gives the parameters of all streams.
    start : array_like of int, shape (count,) or, for states of several words, (count, order)
        The states. The methods named above pass a `Seeding` instead, from which the device makes the states.
    step : int, optional
        How many steps of the recurrence make one step of a stream, 1 or more. For lagged Fibonacci generators it must
        be 1, or the number of streams if neighbouring states are one step apart, as `by_leapfrog` makes them.
    queue, arithmetic, allocator : optional
        As for `Generator`. It also says which order is up to you with a pool, and how a queue that runs commands in any
        order behaves.

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
        If an argument is of the wrong type, or there is no device code for the class of `bit_generator`. The four
        methods raise all these errors too.
    ValueError
        If a state, a seed or another number is not legal, `arithmetic` is unknown, `queue` is a context of several
        devices, or the device has no room for the states.
    UnsupportedError, NoDeviceError, ForkError
        As for `Generator`.
    BuildError
        If the device's compiler refuses a kernel.

    Notes
    -----
    If a call is interrupted, or ends with an error of OpenCL, then either all states are as before the call, or all are
    as after it. A pickle of streams keeps their states and the arithmetic that was asked for. The unpickled streams run
    on the device that `clrng.choose_device` chooses there.

    Examples
    --------
    >>> import clrng
    >>> streams = clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), 3)
    >>> streams.random_raw(2).get().tolist()
    [[16807, 282475249, 1622650073], [984943658, 1144108930, 470211272]]
    >>> len(streams), streams.advance(10**9)[0].sequence(1).tolist()
    (3, [190998260])
    """

    allocator = Allocator()
    arithmetic = Attribute[str]("The name of the arithmetic in use.")
    count = Attribute[int]("The number of streams.")
    device = Attribute[devices.DeviceInfo]("The device of the queue.")
    queue = Attribute[cl.CommandQueue](
        "The queue, which cannot be changed.",
        "Streams(bit_generator, streams.states, streams.step, queue) goes on with the same states on another",
    )
    step = Attribute[int]("How many steps of the recurrence make one step of a stream.")
    _allocator: Any

    def __init__(
        self, bit_generator: BitGenerator, start: Seeding | npt.ArrayLike, step: int = 1, queue: Queue | None = None,
        arithmetic: str = "auto", allocator: Any = None,
    ) -> None:  # fmt: skip
        self._recurrence = check_bit_generator(bit_generator).copy()
        if not isinstance(start, Seeding):
            start = self._recurrence.checked_states("start", start)
        self._count = start.count if isinstance(start, Seeding) else len(start)
        self._step = validation.integer("step", step, 1, None)
        self._requested = check_name(arithmetic)
        self._queue = check_queue(queue)
        self.allocator = allocator
        self._device = devices.describe(self.queue.device)
        code = code_for(self._recurrence, select(self._requested, self.device, self._recurrence))
        self._arithmetic = code.arithmetic.name
        self._lock = Lock()
        self._stream_states = stream_states.make_states(self.queue, self.device, code, self.count, self.step, start)

    @classmethod
    def by_jumps(
        cls, bit_generator: BitGenerator, count: int, distance: int | None = None, queue: Queue | None = None,
        arithmetic: str = "auto", allocator: Any = None,
    ) -> "Streams":  # fmt: skip
        """Make streams that begin `distance` values apart on the sequence of `bit_generator`.

        Parameters
        ----------
        bit_generator : BitGenerator
            Stream 0 begins where this stands. It is not moved.
        count : int
            The number of streams, from 1 to the period of `bit_generator`, and at most 2^31.
        distance : int, optional
            The distance in values between the beginnings of neighbouring streams, from 1 to the period. By default
            period // count, the largest at which no two overlap; for lags in the thousands such jumps take minutes.
            If the period is not known, `distance` must be given and has no upper limit. No value is in two streams as
            long as distance * count is at most the period and each stream is moved on by at most `distance` steps.

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
        distance = period // count if period and distance is None else distance
        distance = validation.integer("distance", distance, 1, period)
        return cls(bit_generator, Seeding(count, bit_generator.words, 0, distance, 0), 1, queue, arithmetic, allocator)

    @classmethod
    def by_leapfrog(
        cls, bit_generator: BitGenerator, count: int, queue: Queue | None = None, arithmetic: str = "auto",
        allocator: Any = None,
    ) -> "Streams":  # fmt: skip
        """Deal the sequence of `bit_generator` out to the streams, value by value.

        Stream i has the values at positions i + 1, i + 1 + count, i + 1 + 2 count, ... So the first values of all
        streams, then their second values, and so on, are the sequence itself. The recurrence must be reversible.

        Parameters
        ----------
        bit_generator : BitGenerator
            The sequence continues from where this stands. It is not moved.
        count : int
            The number of streams, from 1 to the period of `bit_generator`, and at most 2^31.

        Raises
        ------
        ValueError
            If the recurrence cannot be run backwards.

        Examples
        --------
        >>> import clrng
        >>> streams = clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), 3)
        >>> streams.random_raw(2).get().tolist()
        [[16807, 282475249, 1622650073], [984943658, 1144108930, 470211272]]
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
        cls, bit_generator: BitGenerator, seeds: npt.ArrayLike, queue: Queue | None = None, arithmetic: str = "auto",
        allocator: Any = None,
    ) -> "Streams":  # fmt: skip
        """Make one stream for each seed.

        Parameters
        ----------
        bit_generator : BitGenerator
            Gives the parameters of all streams; its own state is not used.
        seeds : array_like of int, shape (count,), or for states of several words (count, order)
            The state of each stream before its first value, the oldest word first. These numbers are taken as the
            states themselves, even for a named generator whose library makes its states from seeds in another way.

        Raises
        ------
        ValueError
            If a seed is out of range; the message names the first such seed by index and value.

        Examples
        --------
        >>> import clrng
        >>> print(clrng.Streams.from_seeds(clrng.ParkMiller(seed=1), [1, 42, 2026]).random_raw(2))
        [[     16807     705894   34050982]
         [ 282475249 1126542223 1064204372]]
        """
        checked = check_bit_generator(bit_generator).checked_states("seeds", seeds)
        seeds = checked if bit_generator.order > 1 else checked[:, 0]
        return cls(bit_generator, seeds, 1, queue, arithmetic, allocator)

    @classmethod
    def from_master_seed(
        cls, bit_generator: BitGenerator, count: int, queue: Queue | None = None, arithmetic: str = "auto",
        allocator: Any = None,
    ) -> "Streams":  # fmt: skip
        """Seed stream i with master seed + i and discard its first 3 values, as the paper of 2008 does.

        Use this only to reproduce old results; for new work use `by_jumps`. Streams of a congruential generator that
        begin at s and s + 1 differ by a^n modulo m after n steps, whatever s is. So at any time all neighbouring
        streams differ by the same number: they are correlated. And each begins at a random place of the sequence, so
        they may overlap.

        Parameters
        ----------
        bit_generator : BitGenerator
            An `LCG` or a `XorShift32`. Its state is the master seed. It is not moved.
        count : int
            The number of streams, 1 or more; master seed + count - 1 must be below the modulus.

        References
        ----------
        W. B. Langdon, "A fast high quality pseudo random number generator for graphics processing units", IEEE
        World Congress on Computational Intelligence, 2008, pp. 459-465.

        Examples
        --------
        >>> import clrng
        >>> print(clrng.Streams.from_master_seed(clrng.ParkMiller(seed=1), 3).random_raw(2))
        [[ 984943658 1969887316  807347327]
         [1144108930  140734213 1284843143]]
        """
        words = check_bit_generator(bit_generator).words
        if not bit_generator.consecutive_seeds:
            raise TypeError(
                f"bit_generator must have all integers from a seed up to its modulus as seeds, as an LCG has, for a "
                f"master seed, not {shown(bit_generator)}"
            )
        count = validation.integer("count", count, 1, min(bit_generator.modulus - words[0], MAX_STREAMS))
        return cls(bit_generator, Seeding(count, words, 1, 0, DISCARDED), 1, queue, arithmetic, allocator)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "bit_generator": self._recurrence,
            "start": self._seeding() or self.states,
            "step": self.step,
            "arithmetic": self._requested,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # what does not depend on the machine

    def __repr__(self) -> str:
        return f"<{self.count} Streams of {self._recurrence.name}, {self.arithmetic} arithmetic, on {self.device.name}>"

    @property
    def states(self) -> npt.NDArray[Any]:
        """The states, copied to the host, shape (count,) or (count, order); assign an array to restore them.

        Raises
        ------
        TypeError, ValueError
            On assignment, if the array is not `count` legal states, or if neighbouring states of a lagged Fibonacci
            sequence by leapfrog are not one step apart. Nothing is changed then.
        """
        rows = self._rows()
        return rows if self._recurrence.order > 1 else rows[:, 0].copy()

    @states.setter
    def states(self, values: npt.ArrayLike) -> None:
        check_process()
        checked = self._recurrence.checked_states("states", values)
        if len(checked) != self.count:
            raise ValueError(f"states must be {self.count} states, one a stream, not {len(checked)}")
        with self._lock:
            self._stream_states.set_rows(checked)

    def _seeding(self) -> Seeding | None:
        """Return the seeding that the states can be made from again, where there is one."""
        check_process()
        with self._lock:
            return self._stream_states.seeding()

    def _rows(self) -> npt.NDArray[Any]:
        """Return the states, one a row, shape (count, order)."""
        check_process()
        with self._lock:
            return self._stream_states.rows()

    def __len__(self) -> int:
        """Return the number of streams."""
        return self.count

    def __getitem__(self, index: int) -> BitGenerator:
        """Return a bit generator that gives the next values of stream `index`.

        Parameters
        ----------
        index : int
            Counted from 0; negative ones count from the end.

        Returns
        -------
        BitGenerator
            A copy: drawing from one does not move the other. For streams by leapfrog it is an `LCG` that does `step`
            steps of the recurrence at once.

        Raises
        ------
        TypeError
            If `index` is not an integer.
        IndexError
            If there is no such stream.
        UnsupportedError
            If one step of a stream is several steps of the recurrence, and the recurrence is not congruential.
        """
        index = validation.integer("index", index, None, None)
        if not -self.count <= index < self.count:
            raise IndexError(f"index must be an integer from {-self.count} to {self.count - 1}, not {shown(index)}")
        seeding, place = self._seeding(), index % self.count
        words = self._recurrence.state_after(seeding.words, place) if seeding else tuple(self._rows()[place].tolist())
        return self._stream(words)

    def __iter__(self) -> Iterator[BitGenerator]:
        """Iterate over the bit generators that indexing gives, all as the streams stand when the iteration begins."""
        seeding = self._seeding()
        if seeding is not None:
            return (self._stream(self._recurrence.state_after(seeding.words, i)) for i in range(self.count))
        return (self._stream(tuple(words)) for words in self._rows().tolist())

    def _stream(self, words: Words) -> BitGenerator:
        """Return the bit generator of a stream whose state is `words`."""
        return self._recurrence.with_state(words).leaping(self.step)

    def advance(self, delta: int) -> "Self":
        """Move every stream on by `delta` of its steps, as if its values had been drawn.

        The jumps are computed on the host.

        Parameters
        ----------
        delta : int
            The number of steps, of any size. A negative number moves back, if the recurrence is reversible.

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

        Examples
        --------
        >>> import clrng
        >>> print(clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), 3).advance(10**9).random_raw(1))
        [[ 174021418 2052728759  887463458]]
        """
        check_process()
        steps = self._recurrence.checked_delta(delta) * self.step
        with self._lock:
            seeding = self._stream_states.seeding()
            if seeding is not None:
                self._stream_states.seed(replace(seeding, words=self._recurrence.state_after(seeding.words, steps)))
            else:
                self._stream_states.set_rows(self._recurrence.states_after(self._stream_states.rows(), steps))
        return self

    def random_raw(self, steps: int = 1, keep: str = "all", out: cla.Array | None = None) -> cla.Array:
        """Return raw values of each stream, of ``bit_generator.dtype``, as `Generator.random_raw` does of one.

        >>> print(streams.random_raw(2))
        [[     16807  282475249 1622650073  984943658]
         [1144108930  470211272  101027544 1457850878]]
        """
        return self._advance(RAW, steps, keep, out)

    def random(self, steps: int = 1, dtype: Any = None, keep: str = "all", out: cla.Array | None = None) -> cla.Array:
        """Return uniform numbers in [0, 1), as `Generator.random` makes them.

        >>> print(streams.random(2), streams.random(10, keep="last"))
        [[7.8082085e-06 1.3153774e-01 7.5560528e-01 4.5865011e-01]
         [5.3276724e-01 2.1895915e-01 4.7044575e-02 6.7886466e-01]] [0.6515185  0.07268584 0.6316347  0.8847071 ]
        """
        transform = standard_uniform(check_dtype(WITH_ROUNDED, dtype, out, self._device))
        return self._advance(transform, steps, keep, out)

    def sample(
        self, distribution: Any, steps: int = 1, dtype: Any = None, keep: str = "all", out: cla.Array | None = None
    ) -> cla.Array:
        """Return values of a distribution, as `Generator.sample` makes them of each stream.

        In leapfrog streams too, a value takes the next steps of its own stream.

        Parameters
        ----------
        distribution : Distribution, frozen distribution of scipy.stats, or callable
            As for `Generator.sample`. Arrays of parameters are broadcast to the shape of the result: of shape (count,)
            they are those of the streams, and of shape (steps, 1) those of the values of every stream.
        dtype : dtype_like, optional
            One of ``distribution.dtypes``. By default that of `out`; without `out`, the first of them.

        Examples
        --------
        >>> print(streams.sample(clrng.distribution("poisson", lam=100), 2))
        [[ 60  89 107  99]
         [105 115  97 100]]
        """
        chosen: Any = as_distribution(distribution)
        if isinstance(chosen, OfArrays) and chosen.only_places:
            return self._sample_located(chosen, steps, dtype, keep, out)
        kind = self._kind(chosen, dtype, out)
        if isinstance(chosen, (OfArrays, FrozenArrays)):
            chosen = self._elements(chosen, self._shape(steps, keep), kind)
        return self._advance(self._recurrence.transform_of(drawable(chosen), kind), steps, keep, out)

    def _kind(self, chosen: Distribution, dtype: Any, out: Any) -> np.dtype[Any]:
        """Return the dtype of values: `dtype`, by default that of `out`, and without it one of the distribution's."""
        if isinstance(chosen, OfArrays) and chosen.name == "integers":
            own = chosen.parameters.get("dtype")
            return whole_dtype(own if dtype is None and out is None else dtype, out)
        return check_dtype(chosen.dtypes, dtype, out, self._device)

    def _elements(self, chosen: OfArrays | FrozenArrays, shape: tuple[int, ...], kind: np.dtype[Any]) -> Distribution:
        """Return the distributions of the elements of a result."""
        look = LookOnDevice(self._queue)
        if isinstance(chosen, FrozenArrays):
            _check_broadcast(shape, chosen.arrays)
            return of_frozen(chosen, shape, look)
        given = dict(chosen.parameters)
        held = {key: numbers_of(key, values_of(value, look)) for key, value in given.items() if is_array(value)}
        _check_broadcast(shape, held)
        if chosen.name == "integers":
            given["dtype"] = kind
        return by_elements(chosen.name, given, held, shape, look=look)

    def _sample_located(self, chosen: OfArrays, steps: int, dtype: Any, keep: str, out: Any) -> cla.Array:
        """Return values of a distribution of which only loc, mu or scale are arrays."""
        given = chosen.parameters
        standard: Any = by_name(chosen.name, **{key: NEUTRAL.get(key, value) for key, value in given.items()})
        kind, loc = check_dtype(standard.dtypes, dtype, out, self._device), "mu" if "mu" in given else "loc"
        check_located(kind, [key for key, value in given.items() if is_array(value)])
        places = checked(self._queue, {name: given.get(name, NEUTRAL[name]) for name in (loc, "scale")}, kind)
        _check_broadcast(self._shape(steps, keep), {key: each for key, each in places.items() if each.ndim})
        held, circular = [on_device(self._queue, each, out) for each in places.values()], standard.quantile.circular
        build_locate(self._queue, kind, circular=circular)
        finish = partial(locate, self._queue)
        return self._advance(
            self._recurrence.transform_of(standard, kind), steps, keep, out,
            lambda result: finish(result, *held, circular=circular),
        )  # fmt: skip

    def _shape(self, steps: int, keep: str) -> tuple[int, ...]:
        """Return the shape of the result of a call."""
        steps = validation.integer("steps", steps, 0, MAX_STEPS)
        keep_all = validation.choice("keep", keep, ("all", "last")) == "all"
        if steps == 0 and not keep_all:
            raise ValueError(f"steps must be an integer from 1 to {MAX_STEPS} for keep='last', not 0")
        return (steps, self._count) if keep_all else (self._count,)

    def _advance(
        self, transform: Transform, steps: int, keep: str, out: Any, finish: Callable[[cla.Array], object] | None = None
    ) -> cla.Array:
        """Return values of `transform`, after `finish` was called with them."""
        if is_foreign(out):
            made: cla.Array = filled(
                self._queue, out, lambda array: self._advance(transform, steps, keep, array, finish)
            )
            return made
        check_process()
        shape, keep_all = self._shape(steps, keep), keep == "all"
        with self._lock:
            dtype = self._stream_states.dtype(transform)
            result = arrays.output_array(self._queue, self._device, shape, dtype, out, "steps", self._allocator)
            try:
                if steps:
                    self._stream_states.advance(transform, result, steps, keep_all=keep_all)
                if finish is not None:
                    finish(result)
            except BaseException:
                self._queue.finish()  # no command of this call still runs
                raise
        return result


complete_all(Streams, MAKING, "by_jumps", "by_leapfrog", "from_seeds", "from_master_seed")
complete_all(Streams, WORDS, "random_raw", "random", "sample")


def _check_broadcast(shape: tuple[int, ...], arrays: Mapping[str, Any]) -> None:
    """Raise an error if arrays of parameters cannot be broadcast to the shape of a result."""
    for name, array in arrays.items():
        try:
            fits = np.broadcast_shapes(shape, array.shape) == shape
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(
                f"{name} must be an array that can be broadcast to {shape}, the shape of the result, not "
                f"one of shape {array.shape}"
            )


def _checked_count(bit_generator: BitGenerator, count: int) -> tuple[int, int | None]:
    """Return the number of streams, at most the period, and the period."""
    period = check_bit_generator(bit_generator).period
    return validation.integer("count", count, 1, min(period or MAX_STREAMS, MAX_STREAMS)), period
