"""Arrays of parameters that are looked at on the device, so that large ones need not cross to the host."""

from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.by_element import Look
from clrng.opencl.arrays import upload
from clrng.order.arguments import KEYS
from clrng.order.count_values import extremes
from clrng.order.selection import unique

LARGE = 2**16
"""From so many elements on, the device finds distinct values faster than the host, PoCL too."""

MOST = 2**31
"""The maximum of elements that are sorted on the device."""


class LookOnDevice(Look):
    """Looks at arrays of the device, and at large ones of the host, on one queue."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._queue = queue

    def distinct(self, array: Any) -> tuple[Any, Any]:
        """Return the distinct values in order, on the host, and the number of that of every element, on the device."""
        on_host = not isinstance(array, cla.Array)
        if on_host and not (LARGE <= array.size < MOST and array.dtype.isnative and array.dtype.name in KEYS):
            return super().distinct(array)
        given: Any = upload(self._queue, np.ascontiguousarray(array)) if on_host else array
        values, codes = cast("tuple[cla.Array, ...]", unique(given.reshape(-1), return_inverse=True))
        numbers: Any = codes
        return values.get(), numbers.reshape(array.shape)

    def extremes(self, array: Any) -> tuple[Any, Any]:
        """Return the minimum and the maximum; NaNs are one of them."""
        return extremes(array) if isinstance(array, cla.Array) else super().extremes(array)

    def on_host(self, array: Any) -> Any:
        """Return an array of the host."""
        return array.get() if isinstance(array, cla.Array) else array

    def taken(self, array: cla.Array) -> cla.Array | None:
        """Return an array of the device on the queue, if it should stay there and can."""
        large = LARGE <= array.size < MOST and array.dtype.name in KEYS
        if not (large and array.flags.c_contiguous and array.context == self._queue.context):
            return None
        for event in array.events:  # of any queue
            event.wait()
        return cast("cla.Array", array.with_queue(self._queue))
