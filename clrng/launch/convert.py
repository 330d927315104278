"""Values of several steps from raw values in memory, where a kernel cannot have the steps of a value at hand."""

from collections.abc import Callable

import pyopencl as cl
import pyopencl.array as cla

from clrng.codegen import source
from clrng.codegen.generators.base import GeneratorCode
from clrng.distributions import Transform
from clrng.launch.arguments import device_arguments
from clrng.launch.plan import launches, whole_groups
from clrng.opencl import arrays, program
from clrng.opencl.contexts import kept
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.transfers import wait_list

AT_ONCE = {"cpu": 2**20, "gpu": 2**27}
"""About as many raw values are made at once: on a CPU they stay in its caches, and on a GPU the launches are long."""

GROUP_SIZE = 128
"""Work-items of a work-group."""


class Converter:
    """Makes values in two passes: raw values into memory of its own, and values of these.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    code : GeneratorCode
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode) -> None:
        self._queue, self._code = queue, code
        most = device.largest_allocation // (8 * code.value.itemsize)
        self._at_once = min(AT_ONCE["cpu" if device.kind == "cpu" else "gpu"], most)
        self._kernel = kept(self._prepare)

    def _prepare(self, transform: Transform) -> program.Kernel:
        text = source.kernel("fill/convert.cl.mako", self._code, transform, 1, {})
        return program.Kernel(self._queue.context, text, "convert_values")

    def prepare(self, transform: Transform) -> None:
        """Build the kernel."""
        self._kernel(transform)

    def fill(
        self, transform: Transform, out: cla.Array, make: Callable[[cla.Array, int], object], inner: int = 1
    ) -> None:
        """Fill `out` with values.

        Parameters
        ----------
        transform : Transform
        out : pyopencl.array.Array
            Contiguous, of the dtype of `transform`; its size is a multiple of `inner`.
        make : callable
            Called with an array of raw values and the number of rows of `inner` values that were asked for before;
            fills the array with the rows that follow.
        inner : int, optional
            How many values are made side by side: each takes a step of every row of raw values.
        """
        kernel, arguments = self._kernel(transform), device_arguments(self._queue, transform)
        rows, offset = out.size // inner, out.offset // out.dtype.itemsize
        most = max(self._at_once // (inner * transform.steps), 1)
        raw = cla.Array(self._queue, min(most, rows) * inner * transform.steps, self._code.value)
        for first, some in launches(0, rows, most):
            part, n = raw[: some * inner * transform.steps], some * inner
            make(part, first * transform.steps)
            event = kernel(
                self._queue, whole_groups(n, GROUP_SIZE), min(GROUP_SIZE, kernel.largest_group), raw.base_data,
                out.base_data, offset + first * inner, n, inner, *arguments, wait_for=wait_list(part, out),
            )  # fmt: skip
            raw.events[:] = [event]
            arrays.attach_event(self._queue, out, event)
