"""What draws parts of arrays on one device, while others draw the other parts."""

from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill.reached import Reached
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator
from clrng.opencl import arrays

FIRST_TIMED = 2**20
"""The number of values of the first fill that is timed."""

MAX_TIMED = 2**27
"""The maximum number of values that are timed: the launch of such a fill takes little of its time."""

LONG_ENOUGH = 2e-3
"""The seconds that fills must take to give the rate of a device; on a slow one, larger fills would take long."""

MAX_REPEATS = 64
"""The maximum number of fills that are timed together."""


class Worker(Generator):
    """Draws parts of arrays on one device; a `MultiDeviceGenerator` has the stream and moves it on."""

    def follow(self, bits: BitGenerator) -> None:
        """Take the parameters and the place of `bits`; raise an error where they do not suit the device."""
        self.bit_generator = bits.copy()
        self._looked_at()

    @property
    def key(self) -> Any:
        """What is equal for fills of one transform that take equally long."""
        return self._executor.code.key

    @property
    def model(self) -> Any:
        """What is equal for devices that are equally fast."""
        return self._device.platform, self._device.driver, self._device.name, self._device.units

    def output(self, shape: tuple[int, ...], dtype: np.dtype[Any], out: cla.Array | None = None) -> cla.Array:
        """Return `out` after checking it, or a new array."""
        return arrays.output_array(self._queue, self._device, shape, dtype, out)

    def prepare(self, transform: Transform, nbytes: int) -> None:
        """Build what a fill of so many bytes needs; raise an error where that fails."""
        self._executor.prepare(transform, nbytes)

    def fill(self, transform: Transform, out: cla.Array, begin: int) -> None:
        """Have `out` filled with the values from place `begin` of the next array on, and do not wait for it."""
        self._fill(transform, out, self.bit_generator.jumped(begin * transform.steps))
        self._queue.flush()

    def fill_on_host(self, transform: Transform, out: npt.NDArray[Any], begin: int) -> None:
        """Fill an array of the host, of one dimension, likewise, and return when it is done."""
        self._fill_on_host(transform, out, self.bit_generator.jumped(begin * transform.steps), None, None)

    def rate(self, transform: Transform, most: int) -> float:
        """Return how many values a second the device makes, from fills of at most `most` values."""
        dtype = transform.dtype or self._raw
        most = min(most, MAX_TIMED, self._device.largest_allocation // (8 * dtype.itemsize))
        size, repeats, reached = min(FIRST_TIMED, most), 1, Reached()
        while True:
            out = cla.Array(self._queue, size, dtype)
            self._seconds(transform, out, reached, 1)  # builds the kernel, touches the memory
            seconds = min(self._seconds(transform, out, reached, repeats) for _ in range(3))
            if seconds >= LONG_ENOUGH or repeats >= MAX_REPEATS:
                return size * repeats / seconds
            repeats *= 4 if size == most else 1
            size = min(8 * size, most)

    def _seconds(self, transform: Transform, out: cla.Array, reached: Reached, repeats: int) -> float:
        """Return how long so many fills of `out` take."""
        self._queue.finish()
        begin = perf_counter()
        for _ in range(repeats):
            self._executor.fill(transform, out, self.bit_generator, reached)
        self._queue.finish()
        return perf_counter() - begin
