"""What executes the fills of a stream, without its position.

A position is a bit generator, which a front end holds. All else that a fill needs, the code, the kernels and the
weights of jumps, follows from the queue, the parameters and the arithmetic: generators with the same share it.
"""

from collections.abc import Hashable
from functools import lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, cast
from weakref import WeakValueDictionary

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.distributions.transforms.by_element import Varying
from clrng.fill.convert import Converter, MakeRaw, copying
from clrng.fill.fill import FillKernel
from clrng.fill.fill_lagged import LaggedStreamFiller
from clrng.fill.fill_runs import LaggedRuns, RunsKernel
from clrng.fill.jump_tree import Ahead, Reached
from clrng.fill.repeated import Repeat, RepeatPlain
from clrng.fill.runs import Runs
from clrng.fill.varying import fillers
from clrng.generators import BitGenerator
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.halves import Halves, HalvesCode
from clrng.opencl import arrays
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.spare import array_between

if TYPE_CHECKING:
    from clrng.generators.lagged import LaggedCode


class RawMaker:
    """Makes the raw values that follow a position: see `MakeRaw`."""

    def __init__(self, executor: "Executor", start: BitGenerator, reached: Reached) -> None:
        self._executor, self._start, self._reached = executor, start, reached

    def __call__(self, out: cla.Array, first: int) -> None:
        """Fill `out` with the raw values from number `first` on."""
        start = self._start.jumped(first) if first else self._start
        self._executor.fill(RAW, out, start, self._reached)

    def made(self, count: int) -> cla.Array | None:
        """Return the first `count` raw values if they were made ahead, and keep those that were no more."""
        ahead, self._reached.ahead = self._reached.ahead, None
        return ahead.raw if ahead is not None and ahead.raw.size == count and ahead.start == self._start else None


class Executor:
    """Fills arrays with the streams of one recurrence on one queue; what it needs is made at the first fill.

    Threads may share it.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode) -> None:
        self.code, self._queue, self._device = code, queue, device
        self._lock = Lock()
        lagged = code.fill_strategy == "lagged"
        self._lagged = LaggedStreamFiller(queue, device, cast("LaggedCode", code)) if lagged else None
        self._converter = Converter(queue, device, code)
        self._varying = fillers(queue, device, code, self._converter)
        self._plain = lru_cache(maxsize=None)(lambda transform: FillKernel(queue, device, code, transform))
        self._runs = lru_cache(maxsize=None)(lambda transform: RunsKernel(queue, device, code, transform))
        self._lagged_runs = LaggedRuns(queue, device, code, self._lagged, self._converter) if self._lagged else None
        has_halves = code.recurrence.has_halves
        self._of_halves = lru_cache(partial(executor_for, queue, device, HalvesCode(code))) if has_halves else None

    def fill(
        self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached, runs: Runs | None = None
    ) -> None:
        """Fill `out`, which is contiguous, with the outputs that follow the position of `start`, in C order.

        Or fill runs of its memory, counted from its first value; places count from where `start` stands. Of a `Varying`
        transform runs are all of `out`, which need not be contiguous. `start` is not advanced, and the event is
        attached to `out`. `reached` is what this stream has on the device: a new one at its first fill, then always the
        same. A fill that begins where the one before ended is faster.
        """
        if runs is not None and runs.size == 0:
            return
        if runs is not None and not runs.axes and runs.spacing == 1:
            out, start = arrays.part(out, runs.begin, runs.length), start.jumped(runs.first * transform.steps)
            runs = None
        if isinstance(start, Halves) and self._of_halves is not None:
            self._of_halves().fill(transform, out, start, reached, runs)
            return
        if isinstance(transform, Varying):
            make = self._raw_maker(transform.steps, start, reached, runs)
            self._varying[type(transform)].fill(transform, out, make)
            reached.needed = self._converter.made_together, isinstance(start, Halves)
            return
        with self._lock:
            if runs is not None:
                if self._lagged_runs is None:
                    self._runs(transform).fill(out, start, runs, transform)
                else:
                    self._lagged_runs.fill(transform, out, start, reached, runs)
            elif self._lagged is None:
                self._plain(transform).fill(out, start, transform)
            elif self._lagged.takes(transform):
                self._lagged.fill(transform, out, start, reached)
            elif self._lagged.fill_ahead(transform, out, start, reached) is None:
                self._converter.fill(transform, out, self._lagged.going_on(start.copy(), reached))

    def _raw_maker(self, steps: int, start: BitGenerator, reached: Reached, runs: Runs | None) -> MakeRaw:
        """Return what makes the raw values of values, or of `runs` of them, of so many steps each."""
        if runs is None or runs.span == runs.size:
            return RawMaker(self, start, reached)
        of_raw = runs.of_steps(steps)
        arrays.check_allocation(self._device, of_raw.size, self.code.value, "size")
        found = cla.Array(self._queue, (of_raw.size,), self.code.value)
        self.fill(RAW, found, start, reached, of_raw)
        return copying(self._queue, found)

    def make_ahead(self, count: int, start: BitGenerator, reached: Reached) -> None:
        """Make the `count` raw values that follow `start`, which the next fill is expected to need."""
        if isinstance(start, Halves) and self._of_halves is not None:
            self._of_halves().make_ahead(count, start, reached)
            return
        raw = array_between(self._queue, (count,), self.code.value)
        self.fill(RAW, raw, start, reached)
        reached.ahead = Ahead(start, raw)

    def repeated(self, transform: Transform, n: int, start: BitGenerator, reached: Reached) -> Repeat | None:
        """Return what makes fills of `n` values from where `start` and others of its parameters stand.

        None where a fill takes more than a launch, or none.
        """
        if isinstance(start, Halves) and self._of_halves is not None:
            return self._of_halves().repeated(transform, n, start, reached)
        if isinstance(transform, Varying):
            return None
        with self._lock:
            if self._lagged is not None:
                return self._lagged.repeated(transform, n, reached)
            launch = self._plain(transform).repeated(n, transform)
        return None if launch is None else RepeatPlain(launch, self.code.mover(n * transform.steps))

    def prepare(self, transform: Transform, nbytes: int) -> None:
        """Build what a fill of so many bytes needs, so that errors of the compiler come before anything is filled."""
        if transform.fits_half and self._of_halves is not None:
            self._of_halves().prepare(transform, nbytes)
            return
        if isinstance(transform, Varying):
            self._varying[type(transform)].prepare(transform)
            transform = RAW
        with self._lock:
            if self._lagged is None:
                self._plain(transform).prepare(nbytes)
            else:
                at_once = self._lagged.takes(transform)
                self._lagged.prepare(transform if at_once else RAW, nbytes)
                if not at_once:
                    self._converter.prepare(transform)


_used: WeakValueDictionary[Hashable, Executor] = WeakValueDictionary()
"""The executors in use, by queue and code. One holds its queue, so that no other queue gets its address."""

_lock = Lock()


def executor_for(queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode) -> Executor:
    """Return the executor of `code` on `queue`: the one that is in use, or a new one, for `Executor`'s parameters."""
    key = queue.int_ptr, code.key
    with _lock:
        found = _used.get(key)
        if found is None:
            found = _used[key] = Executor(queue, device, code)
        return found
