"""Words of a stream that are made before they are asked for, so that a small request takes a single launch.

Making the states of blocks takes several launches, whatever the number of values. Where small requests follow one
another, the words of many of them are made at once and kept on the device; a request then turns its own into values.
"""

from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill import lagged_plan
from clrng.fill.arguments import device_arguments, names_of
from clrng.fill.reached import DeviceState, Place, Window
from clrng.generators import BitGenerator, source
from clrng.generators.lagged import LaggedCode
from clrng.opencl import arrays
from clrng.opencl.contexts import cached_method
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of, whole_groups
from clrng.opencl.traits import traits_of
from clrng.opencl.transfers import upload, wait_list
from clrng.proof.fills import check_fill
from clrng.proof.prove import apart, prove
from clrng.proof.references import Stream, raw_values

FEWEST_WORDS = 2**18
"""The minimum number of words of a window; it is larger where so few are not cut into blocks."""

REQUESTS = 16
"""The words of a window are enough for so many requests like the one that it is made for."""

FEWEST_REQUESTS = 8
"""Or for so many, where `MOST_BYTES` allows no more; larger requests have no window."""

MOST_BYTES = {"cpu": 2**21, "gpu": 2**26}
"""The maximum bytes of a window; on a CPU it stays in the caches."""

ALIGNED = 256
"""The first word of a window is at a multiple of so many, so that any fill can begin there."""

GROUP_SIZE = 128
"""Work-items of a work-group."""


class WordsAhead:
    """Makes windows of words, and values of them, on one queue."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode) -> None:
        self._queue, self._device, self._code = queue, device, code
        most = min(MOST_BYTES[traits_of(device).family], device.largest_allocation // 32)
        self._most = 1 << (most // code.word.itemsize).bit_length() - 1
        self._fewest = min(max(FEWEST_WORDS, lagged_plan.FEWEST_STEPS * code.order), self._most)
        self._in_order = not queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        self._kernel = cached_method(self._prepare)

    def _prepare(self, transform: Transform) -> Kernel:
        template = "fill/convert_words.cl.mako"
        kernel = kernel_of(self._queue, "convert_words", source.kernel, template, self._code, transform, 1)
        kernel.taking("words", "first", "out", "offset", "n", *names_of(transform.parameters))
        prove(
            self._queue, [kernel],
            lambda: WordsAhead(apart(self._queue), self._device, self._code).check(kernel, transform),
        )  # fmt: skip
        return kernel

    def check(self, kernel: Kernel, transform: Transform) -> None:
        """Check the kernel by words that the host has made."""
        words_of, arguments = self._code.of_words().recurrence, device_arguments(self._queue, transform)

        def make(out: cla.Array, offset: int, n: int, start: BitGenerator) -> None:
            words = upload(self._queue, raw_values(Stream(words_of.with_state(start.words)), 0, n * transform.steps))
            arrays.attach_event(self._queue, out, self._launch(kernel, words, 0, out, offset, n, arguments))

        check_fill(self._queue, self._code.recurrence, transform, make, far=39)

    def _launch(
        self, kernel: Kernel, words: cla.Array, first: int, out: cla.Array, offset: int, n: int,
        arguments: dict[str, Any], event: cl.Event | None = None,
    ) -> cl.Event:  # fmt: skip
        """Launch the conversion of words from the `first` on to `n` values from `offset` on in `out`."""
        return kernel(
            self._queue, whole_groups(n, GROUP_SIZE), min(GROUP_SIZE, kernel.largest_group), words.base_data, first,
            out.base_data, offset, n, *arguments.values(), wait_for=wait_list(event, out),
        )  # fmt: skip

    def takes(self, steps: int) -> bool:
        """Return whether a request of so many words is small enough."""
        return 0 < steps <= self._most // FEWEST_REQUESTS and 4 * self._code.order <= self._most

    def empty(self, window: Window | None, start: DeviceState, place: Place, steps: int) -> Window:
        """Return a window, for requests of `steps` words, that so far has only the state `start`, which is at `place`.

        The given `window` is not needed any more: the new one is not smaller, and in its memory where that is enough.
        """
        order, size = self._code.order, self._code.word.itemsize
        wanted = max(REQUESTS * steps, self._fewest, 4 * order, window.count if window else 0)
        count = min(1 << (wanted - 1).bit_length(), self._most)
        first = whole_groups(order, ALIGNED)
        before = None
        if window is not None and window.count == count:
            words = window.words
            words.events.clear()
            if not self._in_order:
                before = cl.enqueue_marker(self._queue)  # after all that reads the words that were there
        else:
            words = cla.Array(self._queue, (first + count, 1), self._code.word)
        given: Any = start.states.base_data
        taken: Any = words.base_data
        event = cl.enqueue_copy(
            self._queue, taken, given, byte_count=order * size, src_offset=start.first_byte,
            dst_offset=(first - order) * size, wait_for=wait_list(start.event, before),
        )  # fmt: skip
        return Window(place, words, first, count, event)

    def convert(self, transform: Transform, out: cla.Array, window: Window, place: Place) -> cl.Event:
        """Fill `out` with the values made of the words after `place`, which `window` has; return the event."""
        event = self._launch(
            self._kernel(transform), window.words, window.first + place[1] - window.place[1], out,
            out.offset // out.dtype.itemsize, out.size, device_arguments(self._queue, transform), window.event,
        )  # fmt: skip
        arrays.attach_event(self._queue, out, event)
        return event
