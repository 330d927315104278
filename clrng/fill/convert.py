"""Values of what has been made before, and is in the memory of a device: of raw values, or of the words of a state.

Raw values are made first where a kernel cannot have the steps of a value at hand. Words are made ahead, before they are
asked for, so that a small request takes a single launch: making the states of blocks takes several, whatever the number
of values.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill.fill import device_arguments, names_of
from clrng.fill.jump_tree import DeviceState, Place, Reached, Window
from clrng.generators import BitGenerator, source
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, Repeated, cached_method, in_any_order, kernel_of, launches, whole_groups
from clrng.opencl.spare import Lent
from clrng.opencl.traits import traits_of
from clrng.proof.prove import check_fill, compare, poisoned, prove
from clrng.proof.references import FORMS, Stream, raw_values, values

AT_ONCE = {"cpu": 2**20, "gpu": 2**27}
"""About how many raw values are made at once: on a CPU they stay in its caches, and on a GPU the launches are long."""

ROWS, COLUMNS = 37, 11
"""The rows and columns of a proof."""

MIN_WORDS = 2**18
"""The minimum number of words of a window; it is larger where so few are not cut into blocks."""

REQUESTS = 16
"""The words of a window are enough for so many requests like the one that it is made for."""

MIN_REQUESTS = 8
"""Or for so many, where `MAX_BYTES` allows no more; larger requests have no window."""

MAX_BYTES = {"cpu": 2**21, "gpu": 2**26}
"""The maximum bytes of a window; on a CPU it stays in the caches."""

ALIGNED = 256
"""The first word of a window is at a multiple of so many, so that any fill can begin there."""

RAW_VALUES = "convert_values", "fill/convert.cl.mako", ("out", "offset", "inner", "n", "raw")
WORDS = "convert_words", "fill/convert_words.cl.mako", ("out", "offset", "first", "n", "words")
"""Kernels, their templates, and their arguments before those of a transform."""

CHANGING = 1, 2
"""The places of the arguments that differ from one request for values of words to the next."""

MakeRaw = Callable[[cla.Array, int], object]
"""Called with an array, and how many rows of raw values were asked for before, fills it with those that follow.

It may have an attribute `made`, which returns an array of so many raw values from the first one on, if there is one."""

UseRaw = Callable[[cla.Array, int, int], cl.Event | None]
"""Called with raw values, the rows of values before theirs and the number of theirs, returns the event after which
their memory is free, or None if that is an event of the array."""


def copying(queue: cl.CommandQueue, found: cla.Array, inner: int = 1) -> MakeRaw:
    """Return what copies raw values that have been made, in rows of `inner`."""

    def copy(part: Any, first: int) -> None:
        memory: Any = found
        size = memory.dtype.itemsize
        event = cl.enqueue_copy(
            queue, part.base_data, memory.base_data, src_offset=first * inner * size, dst_offset=part.offset,
            byte_count=part.size * size, wait_for=wait_list(memory, part),
        )  # fmt: skip
        arrays.attach_event(queue, part, event)

    return copy


class _Conversions:
    """The kernels that turn what is in memory into values, one for each transform."""

    def __init__(self, queue: cl.CommandQueue, code: GeneratorCode, *, of_words: bool) -> None:
        self._queue, self._code, self._of_words = queue, code, of_words
        self._kernel = cached_method(self._prepare)

    def _prepare(self, transform: Transform) -> Kernel:
        name, template, names = WORDS if self._of_words else RAW_VALUES
        kernel = kernel_of(self._queue, name, source.kernel, template, self._code, transform, 1)
        kernel.taking(*names, *names_of(transform.parameters))
        prove(self._queue, [kernel], lambda own: self._check(own, kernel, transform))
        return kernel

    def _launch(
        self, kernel: Kernel, transform: Transform, given: cla.Array, out: cla.Array, offset: int, n: int, which: int,
        waiting: list[cl.Event] | None,
    ) -> cl.Event:  # fmt: skip
        """Put `n` values from `offset` on in `out`, on the queue of what is `given`; return the event.

        `which` is the first word of the values or, of raw values, how many are side by side.
        """
        queue: Any = given.queue
        event = kernel.for_each(
            queue, n, out.base_data, offset, which, n, given.base_data,
            *device_arguments(queue, transform).values(), wait_for=waiting,
        )  # fmt: skip
        arrays.attach_event(queue, out, event)
        return event

    def _check(self, own: cl.CommandQueue, kernel: Kernel, transform: Transform) -> None:
        """Check values of one stream, of what the host has made."""
        bits, which = self._code.recurrence, 0 if self._of_words else 1

        def make(out: cla.Array, offset: int, n: int, start: BitGenerator) -> None:
            given = upload(own, raw_values(Stream(self._given(start)), 0, n * transform.steps))
            self._launch(kernel, transform, given, out, offset, n, which, wait_list(out))

        check_fill(own, bits, transform, make, far=39)

    def _given(self, start: BitGenerator) -> BitGenerator:
        """Return what makes the numbers that values are made of, from where `start` stands."""
        return start


class Converter(_Conversions):
    """Makes values in two passes: raw values into memory of its own, and values of these."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode) -> None:
        super().__init__(queue, code, of_words=False)
        self._device = device
        self._most = device.largest_allocation // (8 * code.value.itemsize)
        self._at_once = min(AT_ONCE[traits_of(device).family], self._most)
        self.made_together = 0  # The raw values of the last fill, if they were made together

    def _check(self, own: cl.CommandQueue, kernel: Kernel, transform: Transform) -> None:
        """Check values of one stream, and values that are made side by side, `COLUMNS` in a row."""
        super()._check(own, kernel, transform)
        stream, steps, n = Stream(self._code.recurrence), transform.steps, ROWS * COLUMNS
        if type(transform) not in FORMS:
            return
        raw = raw_values(stream, 0, n * steps)
        out = poisoned(own, n, source.output_dtype(self._code, transform))
        self._launch(kernel, transform, upload(own, raw), out, 0, n, COLUMNS, wait_list(out)).wait()
        given = raw.reshape(ROWS, steps, COLUMNS).swapaxes(1, 2).reshape(n, steps)
        expected, sure = values(transform, stream.bits, given)
        compare("value of a column", out.get(), expected, sure=sure)

    def prepare(self, transform: Transform) -> None:
        """Build the kernel."""
        self._kernel(transform)

    def convert(self, transform: Transform, raw: cla.Array, out: cla.Array) -> None:
        """Fill `out` with values of `raw`, which has all their raw values, in one launch."""
        offset, waiting = out.offset // out.dtype.itemsize, wait_list(raw, out)
        self._launch(self._kernel(transform), transform, raw, out, offset, out.size, 1, waiting)

    def fill(self, transform: Transform, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, rows of `inner` values, each made of as many rows of raw values as a value has steps."""
        kernel, offset = self._kernel(transform), out.offset // out.dtype.itemsize

        def convert(part: cla.Array, first: int, some: int) -> cl.Event:
            place, waiting = offset + first * inner, wait_list(part, out)
            return self._launch(kernel, transform, part, out, place, some * inner, inner, waiting)

        self.in_parts(out.size // inner, inner, transform.steps, make, convert)

    def in_parts(
        self, rows: int, inner: int, steps: int, make: MakeRaw, use: UseRaw, at_once: int | None = None, least: int = 1
    ) -> None:
        """Have rows of `inner` values made, of so many steps each, and used, part by part in the same memory.

        About so many raw values are made `at_once`, or at `least` so many rows if their memory can be allocated.
        """
        most = min(at_once or self._at_once, self._at_once) // (inner * steps)
        most = max(most, min(least, self._most // (inner * steps)), 1)
        together, made = (rows * inner * steps if rows <= most else 0), getattr(make, "made", None)
        ahead = made(together) if made is not None and together else None
        with Lent(self._queue, self._device) as lent:
            raw = lent.array(min(most, rows) * inner * steps, self._code.value, "size") if ahead is None else ahead
            for first, some in launches(0, rows, most):
                count = some * inner * steps
                part = raw if count == raw.size else raw[:count]
                if ahead is None:
                    make(part, first * steps)
                if (event := use(part, first, some)) is not None:
                    raw.events[:] = [event]
        self.made_together = together


class WordsAhead(_Conversions):
    """Makes windows of the words of many small requests, and values of them, on one queue."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode, min_steps: int) -> None:
        super().__init__(queue, code, of_words=True)
        self._words_of = code.of_words().recurrence
        most = min(MAX_BYTES[traits_of(device).family], device.largest_allocation // 32)
        self._max_words = 1 << (most // code.word.itemsize).bit_length() - 1
        self._min_words = min(max(MIN_WORDS, min_steps), self._max_words)
        self.in_order = not in_any_order(queue)

    def _given(self, start: BitGenerator) -> BitGenerator:
        return self._words_of.with_state(start.words)

    def takes(self, steps: int) -> bool:
        """Return whether a request of so many words is small enough."""
        return 0 < steps <= self._max_words // MIN_REQUESTS and 4 * self._code.order <= self._max_words

    def empty(
        self, window: Window | None, start: DeviceState, place: Place, steps: int, last: cl.Event | None
    ) -> Window:
        """Return a window, for requests of `steps` words, that so far has only the state `start`, which is at `place`.

        The given `window` is not needed any more: the new one is not smaller, and in its memory where that is enough.
        The state is copied after `last`, the last work on states.
        """
        order = self._code.order
        wanted = max(REQUESTS * steps, self._min_words, 4 * order, window.count if window else 0)
        count = min(1 << (wanted - 1).bit_length(), self._max_words)
        first = whole_groups(order, ALIGNED)
        before = None
        if window is not None and window.count == count:
            words = window.words
            words.events.clear()
            if not self.in_order:
                before = cl.enqueue_marker(self._queue)  # after all that reads the words that were there
        else:
            words = cla.Array(self._queue, (first + count, 1), self._code.word)
        event = start.copy(self._queue, order, words, first - order, before, last)
        return Window(place, words, first, count, event)

    def convert(self, transform: Transform, out: cla.Array, window: Window, place: Place) -> cl.Event:
        """Fill `out` with the values made of the words after `place`, which `window` has; return the event."""
        kernel, first = self._kernel(transform), window.first + place[1] - window.place[1]
        offset, waiting = out.offset // out.dtype.itemsize, wait_list(window.event, out)
        return self._launch(kernel, transform, window.words, out, offset, out.size, first, waiting)

    def repeated(self, transform: Transform, n: int, words: cla.Array) -> Repeated | None:
        """Return what makes `n` values of `words` again and again, given memory, a place in it and the first word.

        None where PyOpenCL cannot.
        """
        kernel = self._kernel(transform)
        if not kernel.can_repeat(CHANGING):
            return None
        given = None, 0, 0, n, words.base_data, *device_arguments(self._queue, transform).values()
        items, group = kernel.sizes(n)
        return Repeated(kernel, self._queue, items, group, given, CHANGING)


class RepeatAhead:
    """Requests for `n` values of one transform, one after the other, of words that were made ahead: see `Repeat`."""

    def __init__(self, ahead: WordsAhead, transform: Transform, n: int, reached: Reached) -> None:
        self._ahead, self._transform, self._n, self._reached = ahead, transform, n, reached
        self._steps = n * transform.steps
        self._words: cla.Array | None = None  # Those that are in use
        self._launch: Repeated | None = None  # What makes values of these

    def numbers(self, bits: BitGenerator) -> tuple[int, ...] | None:  # noqa: D102  # as inherited
        window, place = self._reached.window, cast("Lagged", bits).place
        if window is None or not window.has(place, self._steps):
            return None
        if window.words is not self._words:
            self._words, self._launch = window.words, self._ahead.repeated(self._transform, self._n, window.words)
        return None if self._launch is None else (window.first + place[1] - window.place[1],)

    def launch(self, memory: Any, numbers: tuple[int, ...], wait_for: Sequence[cl.Event] | None) -> cl.Event:  # noqa: D102
        launch, window = cast("Repeated", self._launch), cast("Window", self._reached.window)
        if not self._ahead.in_order and window.event is not None:
            wait_for = [window.event, *(wait_for or ())]
        return launch(memory, numbers, wait_for)

    def move(self, bits: BitGenerator) -> None:  # noqa: D102
        moved = cast("Lagged", bits)
        words, ahead = moved.place
        self._reached.state = None  # as the window has it
        self._reached.place = place = words, ahead + self._steps
        moved._place = place  # noqa: SLF001  # as `advance` does
