"""Calls that are like an earlier one: they go from the method to the launch in a few microseconds.

What follows from the arguments of a call is found out when it comes the second time, and kept. From then on only that
is looked at which may have changed: the process, the bit generator, and the memory of `out`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators import BitGenerator
from clrng.generators.base import Words
from clrng.opencl import arrays
from clrng.opencl.arrays import ROOM, room
from clrng.opencl.kernel import Repeated, in_any_order

MAX_CALLS = 64
"""The calls that a generator remembers."""


class Repeat(Protocol):
    """Makes requests for the same number of values of one transform, one after the other, in a launch each."""

    def numbers(self, bits: BitGenerator) -> tuple[int, ...] | None:
        """Return what a launch needs to know of where `bits` stands; None if a launch cannot make what follows."""

    def launch(self, memory: Any, numbers: tuple[int, ...], wait_for: Sequence[cl.Event] | None) -> cl.Event:
        """Fill memory with the values; `numbers` are the place of the first one in it, and those of `numbers`."""
        raise NotImplementedError

    def move(self, bits: BitGenerator) -> None:
        """Move `bits` on by the values, as `advance` does."""


@dataclass(frozen=True)
class RepeatPlain:
    """Such requests of a generator that a launch jumps to any place of."""

    launch: Repeated
    moved: Callable[[Words], Words]

    def numbers(self, bits: BitGenerator) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return bits.words

    def move(self, bits: BitGenerator) -> None:  # noqa: D102
        bits._words = self.moved(bits.words)  # noqa: SLF001


class Calls:
    """Calls with the same arguments, and with results of the same shape and dtype."""

    __slots__ = ("again", "count")

    def __init__(self, *_: Any, **__: Any) -> None:
        self.count = 0  # Those that nothing made
        self.again: Again | None = None  # What makes such calls, if anything does


class Again:
    """Makes calls with results of one shape and dtype: each in one launch, which `repeat` makes."""

    def __init__(self, queue: cl.CommandQueue, repeat: Repeat, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._queue, self._context = queue, queue.context
        self._numbers, self._launch, self._move = repeat.numbers, repeat.launch, repeat.move
        self._new = arrays.maker(queue, shape, dtype)
        like = arrays.model(queue, shape, dtype)
        self._strides, self._nbytes, self._itemsize = like.strides, like.nbytes, dtype.itemsize
        self._in_order = not in_any_order(queue)
        self._last: list[cl.Event] = []  # Of the queue, for which its next command need not wait

    def __call__(self, bits: BitGenerator, out: cla.Array | None, allocator: Any) -> cla.Array | None:
        """Return `out`, of the shape and the dtype, or a new array with the next values of `bits`, and move on.

        None where that takes more than a launch, or `out` must be looked at more closely; nothing has happened then.
        """
        known = self._numbers(bits)
        if known is None:
            return None
        result = self._new(allocator) if out is None else out
        offset, memory, events = result.offset, result.base_data, result.events
        if out is not None and not (
            out.queue is self._queue
            and out.context == self._context
            and out.strides == self._strides
            and not offset % self._itemsize
            and 0 <= offset <= (getattr(memory, ROOM, 0) or room(memory)) - self._nbytes
            and getattr(out, "memory", None) is None
        ):
            return None
        try:
            numbers = (offset // self._itemsize, *known)
            last = [self._launch(memory, numbers, None if events == self._last else events)]
            events[:] = last  # which comes after all that it has waited for
            if self._in_order:
                self._last = last
            self._move(bits)
        except BaseException:
            self._queue.finish()
            raise
        return result
