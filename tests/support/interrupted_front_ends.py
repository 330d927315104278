"""Interrupt calls of front ends: ``python -m tests.support.interrupted_front_ends COUNT [NAME ...]``.

A timer of the system raises KeyboardInterrupt as Ctrl-C does, wherever the process is, and in every third round once
more shortly afterwards. After each round the front end must stand where it stood or where the call leads, its next
numbers must be right, nothing may have written to the call's arrays since, and no thread of the call may be left.

COUNT is the number of interrupts of each front end; without NAME all of them are tried. Prints for each how many calls
were interrupted and what was wrong, and ends with status 1 if anything was.
"""

import faulthandler
import itertools
import os
import random
import sys
import threading
import time
import traceback
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import InvalidStateError
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

import clrng
import clrng.dask
import clrng.order
from clrng.opencl import undisturbed
from clrng.opencl.kernel import OWN, _is_in
from tests.support.timer import Timer

Array = npt.NDArray[Any]

LONGEST = 120
"""Seconds after which a call is taken for one that never returns."""

SECOND, THIRD = 2, 3
"""In every third round there are two interrupts."""

SHOWN = 3
"""How many of the faults of a front end are shown."""


class FrontEnd(ABC):
    """A front end whose calls are interrupted."""

    size = 700
    """Values of a call."""

    steps = 700
    """How many steps of the stream a call takes."""

    def __init__(self, bits: clrng.BitGenerator) -> None:
        self.bits = bits.copy()
        """Where it has to be."""
        self.written: list[Array] = []
        """Arrays of the host that the last call may have written to."""

    @abstractmethod
    def call(self) -> object:
        """Make a call that takes `steps` steps of the stream."""

    @abstractmethod
    def place(self) -> clrng.BitGenerator:
        """Return where it is."""

    def drawn(self) -> tuple[Array, Array]:
        """Return the numbers of the next call, and what they must be."""
        return np.asarray(self.call()), self.bits.sequence(self.size)

    def check(self, calls: int) -> None:
        """Raise an AssertionError if it is not right after `calls` calls and an interrupted one."""
        held = [(out, out.copy()) for out in self.written]
        if self.steps:
            ends = [self.bits.jumped(made * self.steps) for made in (calls, calls + 1)]
            place = self.place()
            assert place in ends, "the state is neither that before the call nor that after it"
            self.bits = place.copy()
        time.sleep(0.0005)
        for out, before in held:
            assert (out == before).all(), "an array was written to after the call"
        found, expected = self.drawn()
        assert (found == expected).all(), "the next numbers are wrong"
        self.bits.advance(self.steps)


class Plain(FrontEnd):
    """Front ends with a bit generator, which draw arrays of a device."""

    def __init__(self, rng: Any) -> None:
        super().__init__(rng.bit_generator)
        self.rng = rng

    def call(self) -> Any:  # noqa: D102  # as inherited
        return self.rng.random_raw(self.size)

    def place(self) -> clrng.BitGenerator:  # noqa: D102  # as inherited
        return self.rng.bit_generator  # type: ignore[no-any-return]

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call().get(), self.bits.sequence(self.size)


class OnHost(Plain):
    """The same, which fill an array of the host."""

    def __init__(self, rng: Any) -> None:
        super().__init__(rng)
        self.written = [np.zeros(self.size, rng.bit_generator.dtype)]

    def call(self) -> Any:  # noqa: D102  # as inherited
        return self.rng.random_raw(out=self.written[0])

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call(), self.bits.sequence(self.size)


class Gathered(Plain):
    """An array of several devices, which is copied to the host."""

    def __init__(self, rng: Any) -> None:
        super().__init__(rng)
        self._made = rng.random_raw(self.size)
        self.bits.advance(self.size)
        self._values, self.written = self._made.get(), [np.zeros(self.size, np.uint32)]

    steps = 0

    def call(self) -> Any:  # noqa: D102  # as inherited
        return self._made.get(self.written[0])

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call(), self._values


class Located(Plain):
    """Normals with arrays of means."""

    def __init__(self, rng: Any) -> None:
        super().__init__(rng)
        self._loc = np.arange(self.size, dtype=np.float32)

    def call(self) -> Any:  # noqa: D102  # as inherited
        return self.rng.normal(self._loc, 2.0, dtype="float32")

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        other = type(self.rng)(self.bits.copy(), self.rng.queue)
        return self.call().get(), other.normal(self._loc, 2.0, dtype="float32").get()


class Rank(Plain):
    """The middle one of three ranks."""

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        each = self.size // 3 + 1
        return self.call().get(), self.bits.sequence(self.size)[each : 2 * each - 1]


class Dask(Plain):
    """Arrays of dask, which are made and computed."""

    size = steps = 90

    def call(self) -> Any:  # noqa: D102  # as inherited
        array = self.rng.random_raw(self.size, chunks=30)
        try:
            return array.compute(scheduler="synchronous")
        except InvalidStateError as error:  # what dask makes of an interrupt of its own code
            raise KeyboardInterrupt from error

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call(), self.bits.sequence(self.size)


class Streams(FrontEnd):
    """Streams, of which the first says where all are."""

    size = steps = 300

    def __init__(self, bits: clrng.BitGenerator) -> None:
        super().__init__(bits)
        self._streams = clrng.Streams.by_jumps(bits, 5, 10**6, clrng.make_queue())

    def call(self) -> Any:  # noqa: D102  # as inherited
        return self._streams.random_raw(self.size)

    def place(self) -> clrng.BitGenerator:  # noqa: D102  # as inherited
        first, *others = self._streams
        assert others == [first.jumped(i * 10**6) for i in range(1, 5)], "streams are at different places"
        return first

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call().get()[:, 0], self.bits.sequence(self.size)


class Permutation(Plain):
    """Random orders."""

    steps = 1400

    def call(self) -> Any:  # noqa: D102  # as inherited
        return self.rng.permutation(self.size)

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call().get(), clrng.Generator(self.bits.copy(), self.rng.queue).permutation(self.size).get()


class Sort(FrontEnd):
    """Sorts of an array of the device."""

    steps = 0

    def __init__(self, bits: clrng.BitGenerator) -> None:
        super().__init__(bits)
        self._array = clrng.Generator(bits.copy()).random_raw(5000)
        self._values = np.sort(self._array.get())

    def call(self) -> Any:  # noqa: D102  # as inherited
        return clrng.order.sort(self._array)

    def place(self) -> clrng.BitGenerator:  # noqa: D102  # as inherited
        return self.bits

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call().get(), self._values


class NumpysHands(FrontEnd):
    """NumPy's generator, which asks a callback for doubles one by one and makes calls of different lengths."""

    def __init__(self, bits: clrng.BitGenerator) -> None:
        super().__init__(bits)
        self._bits = clrng.numpy_bit_generator(bits)
        self._rng = np.random.Generator(self._bits)

    def call(self) -> Any:  # noqa: D102  # as inherited
        return self._rng.random(self.size)

    def place(self) -> clrng.BitGenerator:  # noqa: D102  # as inherited
        assert _answers(self._bits.lock.acquire, self._bits.lock.release), "the lock is held"
        return self._bits.bits

    def drawn(self) -> tuple[Array, Array]:  # noqa: D102  # as inherited
        return self.call(), self.bits.sequence(self.size) / self.bits.upper_bound


class NumpysKinds(NumpysHands):
    """The same for two kinds of values by turns, and for jumps."""

    size = 400

    steps = 1600  # a number takes one, and a word three

    def call(self) -> Any:  # noqa: D102  # as inherited
        self._numbers()
        return self._words()

    def _numbers(self) -> Any:
        return self._rng.random(self.size)

    def _words(self) -> Any:
        return self._rng.integers(2**32, size=self.size, dtype=np.uint32)

    def check(self, calls: int) -> None:  # noqa: D102  # as inherited
        ends = [self.bits.jumped(calls * 4 * self.size + more) for more in (0, self.size, 4 * self.size)]
        place = self.place()
        assert place in ends, "the state is neither that before a call nor that after it"
        self._bits.advance(7)
        self.bits = place.jumped(7)
        expected = self.bits.sequence(self.size) / self.bits.upper_bound
        assert (self._numbers() == expected).all(), "the next numbers are wrong"
        self._words()
        self.bits.advance(4 * self.size)


def _is_worked_on() -> bool:
    """Return whether another thread runs code of clrng, other than the end of a thread that has done its work."""
    others = [frame for thread, frame in sys._current_frames().items() if thread != threading.get_ident()]
    return any(_is_in(OWN, frame) for frame in others if frame.f_code.co_filename != undisturbed.__file__)


def _answers(acquire: Callable[..., bool], release: Callable[[], object]) -> bool:
    """Return whether another thread gets a lock."""
    found = []

    def ask() -> None:
        found.append(acquire(timeout=10))
        if found[0]:
            release()

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return found[0]


PARK_MILLER = clrng.ParkMiller(seed=1)
RINGS = clrng.LaggedFibonacci((37, 100), "+", seed=4)


def _several() -> clrng.MultiDeviceGenerator:
    return clrng.MultiDeviceGenerator(PARK_MILLER.copy(), [clrng.make_queue() for _ in range(3)], [1, 2, 1])


FRONT_ENDS: dict[str, Callable[[], FrontEnd]] = {
    "generator": lambda: Plain(clrng.Generator(PARK_MILLER.copy())),
    "generator of a lagged sequence": lambda: Plain(clrng.Generator(RINGS.copy())),
    "generator to the host": lambda: OnHost(clrng.Generator(PARK_MILLER.copy())),
    "located": lambda: Located(clrng.Generator(PARK_MILLER.copy())),
    "streams": lambda: Streams(PARK_MILLER),
    "streams of a lagged sequence": lambda: Streams(RINGS),
    "several devices": lambda: Plain(_several()),
    "several devices to the host": lambda: OnHost(_several()),
    "gathering": lambda: Gathered(_several()),
    "ranks": lambda: Rank(clrng.Generator(PARK_MILLER.copy()).piece(1, 3)),
    "dask": lambda: Dask(clrng.dask.Generator(PARK_MILLER.copy())),
    "numpy": lambda: NumpysHands(PARK_MILLER),
    "kinds of numpy": lambda: NumpysKinds(PARK_MILLER),
    "permutation": lambda: Permutation(clrng.Generator(PARK_MILLER.copy())),
    "sort": lambda: Sort(PARK_MILLER),
}


def seconds(front: FrontEnd) -> float:
    """Return how long a call takes, once all is built."""
    times = []
    for _ in range(12):
        begin = time.perf_counter()
        front.drawn()
        times.append(time.perf_counter() - begin)
        front.bits.advance(front.steps)
    return sorted(times)[6]


def try_out(name: str, count: int, timer: Timer) -> tuple[int, int]:
    """Interrupt a front end `count` times; return how often that was, and how often something was wrong then."""
    chance, faults, before = random.Random(name), 0, timer.raised
    front = FRONT_ENDS[name]()
    long = seconds(front)
    for number in itertools.count():
        if timer.raised - before >= count:
            break
        delays = [chance.random() * 2 * long + 1e-6]
        if number % THIRD == 0:
            delays.append(chance.random() ** 4 * long + 1e-6)
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        calls = timer.interrupt(front.call, *delays)
        try:
            front.check(calls)
            assert not _is_worked_on(), "a thread is left"
        except Exception:  # noqa: BLE001  # any is a fault
            faults += 1
            if faults <= SHOWN:
                print(f"{name}, round {number}: {traceback.format_exc()}", file=sys.stderr, flush=True)
            front = FRONT_ENDS[name]()
            seconds(front)
    faulthandler.cancel_dump_traceback_later()
    return timer.raised - before, faults


def main() -> None:
    """Try the front ends that are asked for."""
    warnings.simplefilter("ignore")
    cla.zeros(clrng.make_queue(), 1, np.uint8)
    count, names = int(sys.argv[1]), sys.argv[2:] or list(FRONT_ENDS)
    wrong = 0
    with Timer() as timer:
        for name in names:
            interrupts, faults = try_out(name, count, timer)
            wrong += faults
            print(f"{name}: {interrupts} interrupts, {faults} faults", flush=True)
    sys.stdout.flush()
    os._exit(int(wrong > 0))  # as some drivers fail when a process takes them down


if __name__ == "__main__":
    main()
