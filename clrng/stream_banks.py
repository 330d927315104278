"""The states of many streams on a device: made, moved on, and copied to the host and back."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import program, results, source
from clrng.devices import DeviceInfo
from clrng.distributions import RAW, Distribution
from clrng.fill_lagged import LaggedFillers
from clrng.forms.form import Form
from clrng.forms.lagged_fibonacci import JUMPED, LaggedFibonacciForm
from clrng.plan import LONGEST_LOOP
from clrng.recurrences.base import Words
from clrng.state_tree import StateTree

LONGEST_LAUNCH = LONGEST_LOOP // 16
"""Steps of one launch; a work-item may step up to 15 streams one after the other."""

MOST_ROWS = 2**26
"""Words of the rows in which states are made together."""

LOCAL = 128
"""Work-items of a work-group."""


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


class Bank(ABC):
    """The states of streams.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    form : Form
    count : int
        The number of streams.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, form: Form, count: int) -> None:
        self._queue, self._device, self._form, self._count = queue, device, form, count

    def dtype(self, distribution: Distribution) -> np.dtype[Any]:
        """Return the dtype of the outputs of `distribution`."""
        found: np.dtype[Any] = source.output_dtype(self._form, distribution)
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


class Columns(Bank):
    """States in columns: word j of stream i is element (j, i). A work-item holds the words of its streams."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, form: Form, count: int, step: int = 1) -> None:
        super().__init__(queue, device, form, count)
        self._step = step
        self._advancing = lru_cache(maxsize=None)(self._prepare)
        self._states = results.array(queue, device, (form.order, count), form.word, name="count")
        self._stride = self._to_device([form.stride(step)])

    def _to_device(self, rows: list[tuple[int, ...]]) -> cla.Array:
        return cla.to_device(self._queue, np.array(rows, self._form.word))

    def _lanes(self, out_bytes: int, aligned: bool) -> tuple[int, int]:
        """Return the vector width and the chains of a work-item; CPUs take vectors wherever they begin."""
        if self._device.kind == "cpu" and self._form.widest > 1:
            return self._form.widest, 1
        return 1, self._group(out_bytes) if aligned and self._form.widest > 1 else 1

    def _group(self, out_bytes: int) -> int:
        """Return how many neighbouring streams a work-item of a GPU takes: words or outputs of 16 bytes."""
        return 16 // max(out_bytes, self._form.word.itemsize)

    def _kernel(
        self, name: str, distribution: Distribution, types: list[Any], *, keep_all: bool = True, aligned: bool = True
    ) -> tuple[program.Kernel, int]:
        width, chains = self._lanes(self.dtype(distribution).itemsize, aligned)
        values = {"chains": chains, "leaping": self._step > 1, "keep_all": keep_all, "stride_words": self._stride.size}
        text = source.kernel(f"{name}.cl.mako", self._form, distribution, width, values)
        return program.Kernel(self._queue.context, text, name, types), width * chains

    def _prepare(self, distribution: Distribution, keep_all: bool, aligned: bool) -> tuple[program.Kernel, int, int]:
        types = [None, None, np.uint64, np.uint32, np.uint32, None]
        kernel, group = self._kernel("advance_streams", distribution, types, keep_all=keep_all, aligned=aligned)
        return kernel, group, min(LOCAL, kernel.largest_group)

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as inherited
        words = [self._form.word.type] * self._form.order
        kernel, _ = self._kernel("seed_streams", RAW, [None, *words, np.uint32, np.uint32, np.uint32, None])
        strides = self._to_device([self._form.stride(start.distance << j) for j in range(32)])
        numbers = (*start.words, start.count, start.spread, start.discard)
        local = min(LOCAL, kernel.largest_group)
        items = -(-start.count // local) * local
        event = kernel(self._queue, items, local, self._states.base_data, *numbers, strides.data)
        self._states.add_event(event)

    def rows(self) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        copied: npt.NDArray[Any] = self._states.get()
        return copied.T.copy()

    def set_rows(self, rows: npt.NDArray[Any]) -> None:  # noqa: D102  # as inherited
        self._states.finish()
        self._states.set(rows.T.copy())

    def advance(  # noqa: D102  # as inherited
        self, distribution: Distribution, result: cla.Array, steps: int, *, keep_all: bool
    ) -> None:
        size = result.dtype.itemsize
        offset, group = result.offset // size, self._group(size)
        rows = self._form.order > 1 or (keep_all and steps > 1)
        aligned = offset % group == 0 and (not rows or self._count % group == 0)
        kernel, group, local = self._advancing(distribution, keep_all, aligned)
        for first in range(0, steps, LONGEST_LAUNCH):
            event = kernel(
                self._queue,
                -(-self._count // (group * local)) * local,
                local,
                self._states.base_data,
                result.base_data,
                offset + first * self._count if keep_all else offset,
                self._count,
                min(LONGEST_LAUNCH, steps - first),
                self._stride.data,
                wait_for=[*self._states.events, *result.events],
            )
            self._states.add_event(event)
            results.announce(self._queue, result, event)


class LaggedColumns(Columns):
    """States of a lagged Fibonacci generator in columns, made by a tree of jumps.

    Up to the largest order that has jumps a work-item holds them. Larger states stay in memory, each a ring: word j
    is in row (at + j) mod p.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, form: LaggedFibonacciForm, count: int) -> None:
        super().__init__(queue, device, form, count)
        self._lagged, self._at = form, 0
        self._width = form.widest if device.kind == "cpu" else 1
        self._advancing_rings = lru_cache(maxsize=None)(self._prepare_rings)

    def _prepare_rings(self, distribution: Distribution, keep_all: bool) -> program.Kernel:
        values = {"lags": self._lagged.recurrence.lags, "keep_all": keep_all}
        text = source.kernel("advance_rings.cl.mako", self._form, distribution, self._width, values)
        types = [None, None, np.uint64, *[np.uint32] * 3]
        return program.Kernel(self._queue.context, text, "advance_rings", types)

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as inherited
        tree = StateTree(self._queue, self._device, self._lagged)
        together = max(MOST_ROWS // tree.row_words, 1)
        for first in range(0, start.count, together):
            words = self._lagged.recurrence.after(start.words, first * start.distance)
            last = tree.states(tree.row(words), min(together, start.count - first), start.distance)
            self._states.add_event(tree.columns(last, self._states, first))

    def rows(self) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return np.roll(super().rows(), -self._at, axis=1)

    def set_rows(self, rows: npt.NDArray[Any]) -> None:  # noqa: D102  # as inherited
        super().set_rows(rows)
        self._at = 0

    def advance(  # noqa: D102  # as inherited
        self, distribution: Distribution, result: cla.Array, steps: int, *, keep_all: bool
    ) -> None:
        if self._form.order <= JUMPED:
            super().advance(distribution, result, steps, keep_all=keep_all)
            return
        kernel = self._advancing_rings(distribution, keep_all)
        local = min(LOCAL, kernel.largest_group)
        items = -(-self._count // (self._width * local)) * local
        offset = result.offset // result.dtype.itemsize
        for first in range(0, steps, LONGEST_LAUNCH):
            some = min(LONGEST_LAUNCH, steps - first)
            event = kernel(
                self._queue, items, local, self._states.base_data, result.base_data,
                offset + first * self._count if keep_all else offset, self._count, some, self._at,
                wait_for=[*self._states.events, *result.events],
            )  # fmt: skip
            self._at = (self._at + some) % self._form.order
            self._states.add_event(event)
            results.announce(self._queue, result, event)


class Dealt(Bank):
    """The one sequence of a lagged Fibonacci generator, dealt out value by value: all streams have its one state.

    The state of stream i is i + 1 - count steps after it, as `count` steps more are the next of that stream.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, form: LaggedFibonacciForm, count: int) -> None:
        super().__init__(queue, device, form, count)
        self._fillers = LaggedFillers(queue, device, form)
        self._moving = form.recurrence.copy()

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as inherited
        self._moving = self._moving.at(start.words).advance(self._count - 1)

    def seeding(self) -> Seeding:  # noqa: D102  # as inherited
        return Seeding(self._count, self._oldest(), 0, 1, 0)

    def _oldest(self) -> Words:
        """Return the state of the first stream."""
        return self._moving.after(self._moving.words, 1 - self._count)

    def _windows(self, oldest: Words) -> npt.NDArray[Any]:
        """Return the states of `count` streams, of which `oldest` is the first."""
        words = np.array(self._moving.continued(oldest, self._count - 1), self._form.word)
        return np.lib.stride_tricks.sliding_window_view(words, self._form.order)

    def rows(self) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return self._windows(self._oldest()).copy()

    def set_rows(self, rows: npt.NDArray[Any]) -> None:  # noqa: D102  # as inherited
        wrong = np.flatnonzero((rows != self._windows(tuple(rows[0].tolist()))).any(axis=1))
        if wrong.size:
            raise ValueError(
                f"states must be one step apart each, as streams have them that a lagged Fibonacci sequence is dealt "
                f"out to; states[{wrong[0]}] is not one step after the state before it"
            )
        self._moving = self._moving.at(tuple(rows[-1].tolist()))

    def advance(  # noqa: D102  # as inherited
        self, distribution: Distribution, result: cla.Array, steps: int, *, keep_all: bool
    ) -> None:
        start = self._moving if keep_all else self._moving.jumped((steps - 1) * self._count)
        self._fillers.fill(distribution, result, start)
        self._moving = start.advance(result.size)


def bank(
    queue: cl.CommandQueue, device: DeviceInfo, form: Form, count: int, step: int, start: Seeding | npt.NDArray[Any]
) -> Bank:
    """Return the states of `count` streams that each go on by `step` steps of the recurrence, made as `start` says.

    Raises
    ------
    ValueError
        If these streams cannot go on so, or there is no room for them.
    """
    made: Bank
    if not isinstance(form, LaggedFibonacciForm):
        made = Columns(queue, device, form, count, step)
    elif step == 1:
        made = LaggedColumns(queue, device, form, count)
    elif step == count:
        made = Dealt(queue, device, form, count)
    else:
        raise ValueError(f"step must be 1 or the number of streams, {count}, for lagged Fibonacci streams, not {step}")
    if isinstance(start, Seeding):
        made.seed(start)
    else:
        made.set_rows(start)
    return made
