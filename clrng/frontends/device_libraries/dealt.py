"""Words of many streams, which libraries of GPUs deal values out from."""

from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.device_libraries.converted import EIGHT, TWISTER, Laid, converted
from clrng.frontends.device_libraries.forms import Form
from clrng.frontends.streams import Streams
from clrng.generators import BitGenerator
from clrng.opencl import arrays, devices
from clrng.opencl.arrays import wait_list

KEPT = 8
"""How many rows are kept: a call mostly begins a few rows before the end of the one before."""


class Made(NamedTuple):
    """What has been made of streams: the row behind, where they stand, and the last rows."""

    end: int
    streams: Streams
    last: cla.Array


class Dealt:
    """The words of streams that begin `apart` words apart, in rows that have a word of each; the last `kept` rows stay.

    Threads must not share it.
    """

    def __init__(self, queue: cl.CommandQueue, first: BitGenerator, count: int, apart: int, kept: int = KEPT) -> None:
        self._queue, self._first, self.count, self._apart, self._kept = queue, first, count, apart, kept
        self._made: Made | None = None

    def rows(self, begin: int, count: int) -> cla.Array:
        """Return the words of `count` rows, 1 or more, from row `begin` on, which must not be written to."""
        made, self._made = self._made, None  # in case of an error
        if made is None or not made.end - len(made.last) <= begin <= made.end:
            streams = Streams.by_jumps(self._first.jumped(begin), self.count, self._apart, self._queue)
            made = Made(begin, streams, self._new(0))
        end, streams, last = made
        known = end - begin
        if known >= count:
            self._made = made
            return self._part(last, len(last) - known, count)
        words = self._new(count)
        if known:
            copied(self._queue, self._part(last, len(last) - known, known), self._part(words, 0, known))
        streams.random_raw(count - known, out=self._part(words, known, count - known))
        last = words
        if count > self._kept:
            last = self._new(self._kept)
            copied(self._queue, self._part(words, count - self._kept, self._kept), last)
        self._made = Made(begin + count, streams, last)
        return words

    def _new(self, rows: int) -> cla.Array:
        device = devices.describe(self._queue.device)
        return arrays.output_array(self._queue, device, (rows, self.count), np.dtype(np.uint32))

    def _part(self, words: cla.Array, begin: int, rows: int) -> cla.Array:
        place = begin * self.count * words.dtype.itemsize
        shape = rows, self.count
        return cla.Array(self._queue, shape, words.dtype, data=words.base_data, offset=place, events=words.events)


def copied(queue: cl.CommandQueue, source: Any, to: Any) -> None:
    """Copy all of an array to another."""
    event = cl.enqueue_copy(
        queue, to.base_data, source.base_data, byte_count=to.nbytes, src_offset=source.offset, dst_offset=to.offset,
        wait_for=wait_list(source, to),
    )  # fmt: skip
    arrays.attach_event(queue, to, event)


def of_twisters(queue: cl.CommandQueue, dealt: Dealt, form: Form, out: cla.Array, taken: int) -> None:
    """Fill `out` with values of the items behind so many, block by block: a block has all words of all states."""
    done, whole = 0, items_of_block(dealt, form)
    while done < out.size:
        block, first = divmod(taken + done // form.values, whole)
        part = arrays.part(out, done, min(out.size - done, (whole - first) * form.values))
        words = dealt.rows(TWISTER * block, TWISTER)
        converted(queue, form, words, part, laid=Laid("in_eights", dealt.count, first))
        out.add_event(part.events[-1])
        done += part.size


def items_of_block(dealt: Dealt, form: Form) -> int:
    """Return how many items of a form are made of all words of the states of Mersenne Twisters."""
    return TWISTER // EIGHT // form.words * EIGHT * dealt.count
