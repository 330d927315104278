"""Values of several steps from raw values in memory, where a kernel cannot have the steps of a value at hand."""

from collections.abc import Callable
from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill.arguments import device_arguments
from clrng.generators import BitGenerator, source
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.contexts import cached_method
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of, launches, whole_groups
from clrng.opencl.traits import traits_of
from clrng.opencl.transfers import upload, wait_list
from clrng.proof.fills import check_fill, poisoned
from clrng.proof.prove import apart, compare, prove
from clrng.proof.references import FORMS, Stream, raw_values, values

AT_ONCE = {"cpu": 2**20, "gpu": 2**27}
"""About how many raw values are made at once: on a CPU they stay in its caches, and on a GPU the launches are long."""

ROWS, COLUMNS = 37, 11
"""The rows and columns of a proof."""

GROUP_SIZE = 128
"""Work-items of a work-group."""


class Converter:
    """Makes values in two passes: raw values into memory of its own, and values of these."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode) -> None:
        self._queue, self._device, self._code = queue, device, code
        most = device.largest_allocation // (8 * code.value.itemsize)
        self._at_once = min(AT_ONCE[traits_of(device).family], most)
        self._kernel = cached_method(self._prepare)

    def _prepare(self, transform: Transform) -> Kernel:
        kernel = kernel_of(
            self._queue, "convert_values", source.kernel, "fill/convert.cl.mako", self._code, transform, 1
        )
        prove(
            self._queue, [kernel],
            lambda: Converter(apart(self._queue), self._device, self._code).check(kernel, transform),
        )  # fmt: skip
        return kernel

    def check(self, kernel: Kernel, transform: Transform) -> None:
        """Check the kernel: values of one stream, and of several side by side."""
        arguments = device_arguments(self._queue, transform)

        def make(out: cla.Array, offset: int, n: int, start: BitGenerator) -> None:
            raw = upload(self._queue, raw_values(Stream(start), 0, n * transform.steps))
            arrays.attach_event(self._queue, out, self._launch(kernel, raw, out, offset, n, 1, arguments))

        check_fill(self._queue, self._code.recurrence, transform, make, far=39)
        self._check_columns(kernel, transform, arguments)

    def _launch(
        self, kernel: Kernel, raw: cla.Array, out: cla.Array, offset: int, n: int, inner: int, arguments: dict[str, Any]
    ) -> cl.Event:
        """Launch a conversion to `n` values from `offset` on in `out`, of which `inner` are side by side."""
        return kernel(
            self._queue, whole_groups(n, GROUP_SIZE), min(GROUP_SIZE, kernel.largest_group), raw=raw.base_data,
            out=out.base_data, offset=offset, n=n, inner=inner, **arguments, wait_for=wait_list(raw, out),
        )  # fmt: skip

    def _check_columns(self, kernel: Kernel, transform: Transform, arguments: dict[str, Any]) -> None:
        """Check values that are made side by side, `COLUMNS` in a row."""
        stream, steps, rows = Stream(self._code.recurrence), transform.steps, ROWS
        if type(transform) not in FORMS:
            return
        raw = raw_values(stream, 0, rows * steps * COLUMNS)
        out = poisoned(self._queue, rows * COLUMNS, source.output_dtype(self._code, transform))
        self._launch(kernel, upload(self._queue, raw), out, 0, rows * COLUMNS, COLUMNS, arguments).wait()
        given = raw.reshape(rows, steps, COLUMNS).swapaxes(1, 2).reshape(rows * COLUMNS, steps)
        expected, sure = values(transform, stream.bits, given)
        compare("value of a column", out.get(), expected, sure=sure)

    def prepare(self, transform: Transform) -> None:
        """Build the kernel."""
        self._kernel(transform)

    def fill(
        self, transform: Transform, out: cla.Array, make: Callable[[cla.Array, int], object], inner: int = 1
    ) -> None:
        """Fill `out`, rows of `inner` values; a row of them is made of as many rows of raw values as a value has steps.

        `make` is called with an array of raw values and the number of rows that were asked for before; it fills the
        array with the rows that follow.
        """
        kernel, arguments = self._kernel(transform), device_arguments(self._queue, transform)
        rows, offset = out.size // inner, out.offset // out.dtype.itemsize
        most = max(self._at_once // (inner * transform.steps), 1)
        raw = cla.Array(self._queue, min(most, rows) * inner * transform.steps, self._code.value)
        for first, some in launches(0, rows, most):
            part, n = raw[: some * inner * transform.steps], some * inner
            make(part, first * transform.steps)
            event = self._launch(kernel, part, out, offset + first * inner, n, inner, arguments)
            raw.events[:] = [event]
            arrays.attach_event(self._queue, out, event)
