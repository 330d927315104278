"""Fills with values that the host makes: raw values of the device go to the host, and values of them come back."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.on_host import OnHost
from clrng.fill.convert import Converter, MakeRaw
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.arrays import wait_list

AT_ONCE = 2**20
"""The numbers that the host makes values of at once."""


class HostFiller:
    """Makes values of `OnHost` on one queue."""

    def __init__(self, queue: cl.CommandQueue, code: GeneratorCode, converter: Converter) -> None:
        self._queue, self._converter = queue, converter
        self._least = code.recurrence.min_value
        self._base = code.recurrence.upper_bound - self._least

    def prepare(self, transform: OnHost) -> None:
        """Do nothing: raw values have their own kernels."""

    def fill(self, transform: OnHost, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, which is contiguous, with the elements from the first one of `transform` on, and wait.

        `make` makes rows of raw values: `out` is rows of `inner` values, of as many of these as a value has steps. In
        rows of several values, each is made alone.
        """
        if not out.size:
            return
        width, steps = transform.width, transform.steps

        def use(part: cla.Array, first: int, _: int) -> None:
            raw = part.get().reshape(-1, steps, inner).swapaxes(1, 2).reshape(-1, steps)
            rows = AT_ONCE // width * width or width
            for begin in range(0, len(raw), rows):
                place = first * width * inner + begin
                made = transform.values(self._numbers(raw[begin : begin + rows]), place)
                self._store(out, place, np.ascontiguousarray(made))

        self._converter.in_parts(out.size // (width * inner), inner, steps * width, make, use)

    def _numbers(self, raw: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """Return the numbers whose digits raw values are."""
        digits = raw.astype(np.uint64) - np.uint64(self._least)
        found = digits[:, 0]
        for digit in digits.T[1:]:
            found = found * np.uint64(self._base) + digit
        return found

    @staticmethod
    def _store(out: cla.Array, place: int, values: npt.NDArray[Any]) -> None:
        queue: Any = out.queue
        memory: Any = out.base_data
        offset = out.offset + place * out.dtype.itemsize
        cl.enqueue_copy(queue, memory, values, dst_offset=offset, wait_for=wait_list(out), is_blocking=True)
