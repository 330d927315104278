"""The states of many streams on a device: made, moved on, and copied to the host and back."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.bit_generators.base import Words
from clrng.codegen import source
from clrng.codegen.generators.base import GeneratorCode
from clrng.codegen.generators.lagged_fibonacci import JUMPED, LaggedFibonacciCode
from clrng.distributions import RAW, Distribution
from clrng.launch.fill_lagged import LaggedStreamFiller
from clrng.launch.jump_tree import JumpTree
from clrng.launch.plan import LONGEST_LOOP
from clrng.opencl import arrays, program
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.transfers import upload, wait_list

LONGEST_LAUNCH = LONGEST_LOOP // 16
"""Steps of one launch; a work-item may step up to 15 streams one after the other."""

MOST_ROWS = 2**26
"""Words of the rows in which states are made together."""

LOCAL = 128
"""Work-items of a work-group."""

ADVANCING = [None, None, np.uint64, np.uint32, np.uint32, None, np.uint64]
"""The types of what the kernels that move streams on take: the states, the values, where among them to begin, the
streams, the steps, where on the device to note down the steps made, and these."""


@dataclass(frozen=True)
class Seeding:
    """How states are made on the device.

    That of stream i is distance * i + discard steps after `words`, to the first of which spread * i is added.

    Attributes
    ----------
    count, spread, distance, discard : int
    words : tuple of int
    """

    count: int
    words: Words
    spread: int
    distance: int
    discard: int


class StreamStates(ABC):
    """The states of streams.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    code : GeneratorCode
    count : int
        The number of streams.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, count: int) -> None:
        self._queue, self._device, self._code, self._count = queue, device, code, count

    def dtype(self, distribution: Distribution) -> np.dtype[Any]:
        """Return the dtype of the outputs of `distribution`."""
        found: np.dtype[Any] = source.output_dtype(self._code, distribution)
        return found

    @abstractmethod
    def seed(self, start: Seeding) -> None:
        """Make the states on the device."""

    def seeding(self) -> Seeding | None:
        """Return what would make the states anew, if that is less than the states."""
        return None

    @abstractmethod
    def rows(self) -> npt.NDArray[Any]:
        """Return the states, one a row, shape (count, order)."""

    @abstractmethod
    def set_rows(self, rows: npt.NDArray[Any]) -> None:
        """Take `rows`, which are legal, in place of the states.

        Raises
        ------
        ValueError
            If these streams cannot have them.
        """

    @abstractmethod
    def advance(self, distribution: Distribution, result: cla.Array, steps: int, *, keep_all: bool) -> None:
        """Move every stream on, and put the outputs of all steps or of the last one into `result`."""


class Progress(NamedTuple):
    """How far streams are.

    Attributes
    ----------
    made : int
        The steps that all calls before have made.
    goal : int
        The steps after the call that is in progress, or `made` where there is none.
    columns : ndarray or None
        The states that are being copied to the device in place of the old ones.
    """

    made: int
    goal: int
    columns: npt.NDArray[Any] | None = None


class PlainStates(StreamStates):
    """States in columns: word j of stream i is element (j, i). A work-item holds the words of its streams.

    A call may be left in the middle, by an interrupt or by an error of OpenCL. The next one then completes it, so that
    the states are always those before a call or those after it: the host notes down where the call is to lead before
    its first launch, and every launch itself notes down on the device how many steps have been made by it.
    """

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, count: int, step: int = 1
    ) -> None:
        super().__init__(queue, device, code, count)
        self._step = step
        self._advancing = lru_cache(maxsize=None)(self._prepare)
        self._states = arrays.output_array(queue, device, (code.order, count), code.word, name="count")
        self._stride = self._to_device([code.stride(step)])
        self._made = upload(queue, np.zeros(1, np.uint64))
        self._progress = Progress(0, 0)

    def _to_device(self, rows: list[tuple[int, ...]]) -> cla.Array:
        return upload(self._queue, np.array(rows, self._code.word))

    def _lanes(self, out_bytes: int, aligned: bool) -> tuple[int, int]:
        """Return the vector width and the chains of a work-item; CPUs take vectors wherever they begin."""
        if self._device.kind == "cpu" and self._code.max_vector_width > 1:
            return self._code.max_vector_width, 1
        return 1, self._group(out_bytes) if aligned and self._code.max_vector_width > 1 else 1

    def _group(self, out_bytes: int) -> int:
        """Return how many neighbouring streams a work-item of a GPU takes: words or outputs of 16 bytes."""
        return 16 // max(out_bytes, self._code.word.itemsize)

    def _kernel(
        self, name: str, distribution: Distribution, types: list[Any], *, keep_all: bool = True, aligned: bool = True
    ) -> tuple[program.Kernel, int]:
        width, chains = self._lanes(self.dtype(distribution).itemsize, aligned)
        values = {"chains": chains, "leaping": self._step > 1, "keep_all": keep_all, "stride_words": self._stride.size}
        text = source.kernel(f"streams/{name}.cl.mako", self._code, distribution, width, values)
        return program.Kernel(self._queue.context, text, name, types), width * chains

    def _prepare(self, distribution: Distribution, keep_all: bool, aligned: bool) -> tuple[program.Kernel, int]:
        """Return the kernel that moves streams on, and how many of them a work-item takes."""
        return self._kernel("advance_streams", distribution, [*ADVANCING, None], keep_all=keep_all, aligned=aligned)

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as inherited
        words = [self._code.word.type] * self._code.order
        kernel, _ = self._kernel("seed_streams", RAW, [None, *words, np.uint32, np.uint32, np.uint32, None])
        strides = self._to_device([self._code.stride(start.distance << j) for j in range(32)])
        numbers = (*start.words, start.count, start.spread, start.discard)
        local = min(LOCAL, kernel.largest_group)
        items = -(-start.count // local) * local
        event = kernel(self._queue, items, local, self._states.base_data, *numbers, strides.data)
        self._states.add_event(event)

    def rows(self) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        self._settle()
        copied: npt.NDArray[Any] = self._states.get()
        return np.ascontiguousarray(np.roll(copied, -self._at(self._progress.made), axis=0).T)

    def set_rows(self, rows: npt.NDArray[Any]) -> None:  # noqa: D102  # as inherited
        self._settle()
        made = self._progress.made
        self._progress = Progress(made, made, np.ascontiguousarray(np.roll(rows.T, self._at(made), axis=0)))
        self._settle()

    def _at(self, made: int) -> int:  # noqa: ARG002  # where states are rings
        """Return the row of the oldest words after so many steps."""
        return 0

    def advance(  # noqa: D102  # as inherited
        self, distribution: Distribution, result: cla.Array, steps: int, *, keep_all: bool
    ) -> None:
        self._settle()
        made = self._progress.made
        self._progress = Progress(made, made + steps)
        self._launch(distribution, result, made, made + steps, keep_all=keep_all)
        self._progress = Progress(made + steps, made + steps)

    def _settle(self) -> None:
        """Complete what was left in the middle, or forget a call that had not begun to change the states."""
        progress = self._progress
        if progress.columns is None and progress.made == progress.goal:
            return
        self._queue.finish()
        if progress.columns is not None:
            states: Any = self._states.base_data
            cl.enqueue_copy(self._queue, states, progress.columns).wait()
        elif (made := int(self._made.get()[0])) != progress.made:
            unseen = cla.Array(self._queue, self._count, self.dtype(RAW))
            self._launch(RAW, unseen, made, progress.goal, keep_all=False)
        else:
            progress = Progress(made, made)
        self._progress = Progress(progress.goal, progress.goal)

    def _launch(self, distribution: Distribution, result: cla.Array, made: int, goal: int, *, keep_all: bool) -> None:
        """Move the streams on from `made` steps to `goal`."""
        size = result.dtype.itemsize
        offset, group = result.offset // size, self._group(size)
        rows = self._code.order > 1 or (keep_all and goal - made > 1)
        aligned = offset % group == 0 and (not rows or self._count % group == 0)
        kernel, group = self._advancing(distribution, keep_all, aligned)
        local = min(LOCAL, kernel.largest_group)
        items = (-(-self._count // group) // local + 1) * local  # at least one more than have streams
        waiting = wait_list(self._states, result)
        for first in range(made, goal, LONGEST_LAUNCH):
            end = min(first + LONGEST_LAUNCH, goal)
            event = kernel(
                self._queue, items, local, self._states.base_data, result.base_data, offset, self._count, end - first,
                self._made.base_data, end, self._onward(first), wait_for=waiting,
            )  # fmt: skip
            offset += (end - first) * self._count if keep_all else 0
            self._states.events[:] = waiting = [event]  # after which there is nothing else to wait for
            arrays.attach_event(self._queue, result, event)

    def _onward(self, made: int) -> Any:  # noqa: ARG002  # where states are rings
        """Return the last argument of the kernel, by which it finds the next words after so many steps."""
        return self._stride.base_data


class LaggedStates(PlainStates):
    """States of a lagged Fibonacci generator in columns, made by a tree of jumps.

    Up to the largest order that has jumps a work-item holds them. Larger states stay in memory, each a ring: after n
    steps word j is in row (n + j) mod p.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedFibonacciCode, count: int) -> None:
        super().__init__(queue, device, code, count)
        self._lagged, self._rings = code, code.order > JUMPED
        self._width = code.max_vector_width if device.kind == "cpu" else 1

    def _prepare(self, distribution: Distribution, keep_all: bool, aligned: bool) -> tuple[program.Kernel, int]:
        if not self._rings:
            return super()._prepare(distribution, keep_all, aligned)
        values = {"lags": self._lagged.recurrence.lags, "keep_all": keep_all}
        text = source.kernel("streams/advance_rings.cl.mako", self._code, distribution, self._width, values)
        kernel = program.Kernel(self._queue.context, text, "advance_rings", [*ADVANCING, np.uint32])
        return kernel, self._width

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as inherited
        tree = JumpTree(self._queue, self._device, self._lagged)
        together = max(MOST_ROWS // tree.row_words, 1)
        for first in range(0, start.count, together):
            words = self._lagged.recurrence.state_after(start.words, first * start.distance)
            last = tree.states(tree.row(words), min(together, start.count - first), start.distance)
            self._states.add_event(tree.columns(last, self._states, first))

    def _at(self, made: int) -> int:
        return made % self._code.order if self._rings else 0

    def _onward(self, made: int) -> Any:
        return self._at(made) if self._rings else super()._onward(made)


class LeapfrogStates(StreamStates):
    """The one sequence of a lagged Fibonacci generator, dealt out value by value: all streams have its one state.

    The state of stream i is i + 1 - count steps after it, as `count` steps more are the next of that stream.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedFibonacciCode, count: int) -> None:
        super().__init__(queue, device, code, count)
        self._fillers = LaggedStreamFiller(queue, device, code)
        self._moving = code.recurrence.copy()

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as inherited
        self._moving = self._moving.with_state(start.words).advance(self._count - 1)

    def seeding(self) -> Seeding:  # noqa: D102  # as inherited
        return Seeding(self._count, self._oldest(), 0, 1, 0)

    def _oldest(self) -> Words:
        """Return the state of the first stream."""
        return self._moving.state_after(self._moving.words, 1 - self._count)

    def _windows(self, oldest: Words) -> npt.NDArray[Any]:
        """Return the states of `count` streams, of which `oldest` is the first."""
        words = np.array(self._moving.continued(oldest, self._count - 1), self._code.word)
        return np.lib.stride_tricks.sliding_window_view(words, self._code.order)

    def rows(self) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return self._windows(self._oldest()).copy()

    def set_rows(self, rows: npt.NDArray[Any]) -> None:  # noqa: D102  # as inherited
        wrong = np.flatnonzero((rows != self._windows(tuple(rows[0].tolist()))).any(axis=1))
        if wrong.size:
            raise ValueError(
                f"states must be one step apart each, as streams have them that a lagged Fibonacci sequence is dealt "
                f"out to; states[{wrong[0]}] is not one step after the state before it"
            )
        self._moving = self._moving.with_state(tuple(rows[-1].tolist()))

    def advance(  # noqa: D102  # as inherited
        self, distribution: Distribution, result: cla.Array, steps: int, *, keep_all: bool
    ) -> None:
        start = self._moving if keep_all else self._moving.jumped((steps - 1) * self._count)
        self._fillers.fill(distribution, result, start)
        self._moving = start.advance(result.size)


def make_states(
    queue: cl.CommandQueue,
    device: DeviceInfo,
    code: GeneratorCode,
    count: int,
    step: int,
    start: Seeding | npt.NDArray[Any],
) -> StreamStates:
    """Return the states of `count` streams that each go on by `step` steps of the recurrence, made as `start` says.

    Raises
    ------
    ValueError
        If these streams cannot go on so, or there is no room for them.
    """
    made: StreamStates
    if code.streams_strategy == "plain":
        made = PlainStates(queue, device, code, count, step)
    elif step == 1:
        made = LaggedStates(queue, device, cast("LaggedFibonacciCode", code), count)
    elif step == count:
        made = LeapfrogStates(queue, device, cast("LaggedFibonacciCode", code), count)
    else:
        raise ValueError(f"step must be 1 or the number of streams, {count}, for lagged Fibonacci streams, not {step}")
    if isinstance(start, Seeding):
        made.seed(start)
    else:
        made.set_rows(start)
    return made
