"""What the front ends share that draw one stream: a bit generator, a queue, and calls that follow one another."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from threading import Lock
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import Transform
from clrng.distributions.distribution import Distribution, transform_of
from clrng.fill.runs import Runs, contiguous, runs_of
from clrng.frontends.arguments import Queue, Size, check_bit_generator, check_queue
from clrng.generators import BitGenerator
from clrng.opencl import arrays, devices, host_arrays, processes
from clrng.opencl.on_queue import OnQueue


class Drawing(OnQueue, ABC):
    """A front end that draws the stream of its bit generator and moves it on.

    The bit generator is the position. It may be moved, replaced by another and given other parameters between calls:
    each call begins by looking at it.

    An interrupt may end a call anywhere. So the bit generator moves on last of all, by the one assignment in its
    `advance`; and if anything is raised while the device works, the queue is finished first. What is raised leads to
    that wait without a call in between, and so, from Python 3.11 on, without a second interrupt.

    Parameters
    ----------
    bit_generator : BitGenerator
    queue : pyopencl.CommandQueue or what `check_queue` takes for one

    Attributes
    ----------
    bit_generator : BitGenerator
    queue : pyopencl.CommandQueue
    device : DeviceInfo

    Raises
    ------
    TypeError, ValueError, NoDeviceError, ForkError
        As `check_queue` does.
    """

    _allocator: Any = None
    """What gives the memory of new arrays; None is a buffer each."""

    _takes_slices = False
    """Whether `_fill_runs` fills slices of arrays that are not contiguous."""

    _legal_out = "a pyopencl.array.Array"
    """What errors say that `out` must be."""

    def __init__(self, bit_generator: BitGenerator, queue: Queue | None) -> None:
        self.bit_generator = bit_generator
        self._queue = check_queue(queue)
        self._device = devices.describe(self.queue.device)
        self._lock = Lock()
        self._take(bit_generator)

    @abstractmethod
    def _use(self, recurrence: BitGenerator) -> None:
        """Take the parameters of `recurrence`, or raise an error and change nothing."""

    @abstractmethod
    def _options(self) -> dict[str, Any]:
        """Return the arguments of the constructor that are kept by pickling, but for the bit generator."""

    @abstractmethod
    def _fill(self, transform: Transform, result: cla.Array, start: BitGenerator) -> None:
        """Fill `result` with the outputs that follow where `start` stands; it stays there."""

    def _fill_runs(self, transform: Transform, result: cla.Array, start: BitGenerator, runs: Runs) -> None:
        """Fill runs of the memory of `result`; places count from its first value, and from where `start` stands."""
        raise NotImplementedError

    def _check_shape(self, shape: tuple[int, ...]) -> None:
        """Raise an error if no array of this shape can be filled."""

    def __getstate__(self) -> dict[str, Any]:
        return {"bit_generator": self.bit_generator.copy(), **self._options()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # the arguments that do not belong to a machine

    def _take(self, bit_generator: BitGenerator) -> None:
        """Take the parameters of `bit_generator`, and take note of which they are."""
        self._use(bit_generator.copy())
        self._parameters, self._raw = bit_generator.parameters, bit_generator.dtype
        self._known, self._version = bit_generator, bit_generator.parameters_version

    def _look(self, bit_generator: Any) -> None:
        """Take the parameters of `bit_generator` if they are not those in use.

        Raises
        ------
        TypeError
            If it is no bit generator.
        """
        if check_bit_generator(bit_generator).parameters != self._parameters:
            self._take(bit_generator)
        else:
            self._known, self._version = bit_generator, bit_generator.parameters_version

    def _draw(
        self, chosen: Transform | Distribution, size: Size | None, out: Any, dtype: np.dtype[Any] | None = None
    ) -> cla.Array:
        """Return the next values, in `out` or in a new array of the shape `size`.

        `chosen` says what they are: a transform, or a distribution with one of its dtypes.
        """
        processes.check()
        shape = None if size is None else validation.shape("size", size)
        with self._lock:
            bits = self._looked_at()
            if shape is not None:
                self._check_shape(shape)
            transform = self._transform(chosen, dtype)
            kind = transform.dtype or self._raw
            if out is np.ndarray:
                out = host_arrays.empty(() if shape is None else shape, kind)
            if isinstance(out, np.ndarray):
                return cast("cla.Array", self._draw_on_host(transform, shape, kind, out))  # what the caller gave
            result = self._output_array(shape, kind, out)
            try:
                if out is None or out.flags.c_contiguous:
                    self._fill(transform, result, bits)
                else:
                    runs = runs_of(out.shape, [0] * out.ndim, out.shape, arrays.value_strides(out))
                    self._fill_runs(transform, result, bits, runs)
            except BaseException:
                self._queue.finish()
                raise
            bits.advance(result.size * transform.steps)
        return result

    def _draw_rectangle(
        self, chosen: Transform | Distribution, shape: Sequence[int], starts: Sequence[int], sizes: Sequence[int],
        out: Any = None, dtype: np.dtype[Any] | None = None,
    ) -> Any:  # fmt: skip
        """Return a rectangle of the next array, as `runs_of` has it; the stream moves on by the whole array.

        `chosen`, `out` and `dtype` are as for `_draw`; `out` is of the shape `sizes`.
        """
        processes.check()
        with self._lock:
            bits = self._looked_at()
            transform = self._transform(chosen, dtype)
            kind, sizes = transform.dtype or self._raw, tuple(sizes)
            if out is np.ndarray:
                out = host_arrays.empty(sizes, kind)
            if isinstance(out, np.ndarray):
                host_arrays.check(sizes, kind, out, strided=self._takes_slices)
            else:
                out = self._output_array(sizes, kind, out)
            try:
                self._fill_rectangle(transform, shape, starts, out, bits)
            except BaseException:
                self._queue.finish()
                raise
            bits.advance(prod(shape) * transform.steps)
        return out

    def _fill_rectangle(
        self, transform: Transform, shape: Sequence[int], starts: Sequence[int], out: Any, bits: BitGenerator
    ) -> None:
        """Fill `out`, of the host or the device, with a rectangle of the array of `shape` that begins at `bits`."""
        if isinstance(out, cla.Array):
            self._fill_runs(transform, out, bits, runs_of(shape, starts, out.shape, arrays.value_strides(out)))
            return
        for offsets, portion in host_arrays.rectangles(self._device, out):
            begins = [start + offset for start, offset in zip(starts, offsets, strict=True)]
            runs = runs_of(shape, begins, portion.shape, contiguous(portion.shape))
            with host_arrays.on_device(self._queue, self._device, portion) as result:
                self._fill_runs(transform, result, bits, runs)

    def _output_array(
        self, shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: Any, name: str = "size"
    ) -> cla.Array:
        return arrays.output_array(
            self._queue, self._device, shape, dtype, out, name, self._allocator, strided=self._takes_slices,
            legal=self._legal_out,
        )  # fmt: skip

    def _looked_at(self) -> BitGenerator:
        """Return the bit generator, whose parameters are now those in use."""
        bits = self.bit_generator
        if bits is not self._known or bits.parameters_version != self._version:
            self._look(bits)
        return bits

    def _transform(self, chosen: Transform | Distribution, dtype: np.dtype[Any] | None) -> Transform:
        if dtype is None:
            return cast("Transform", chosen)
        bits = self.bit_generator
        return transform_of(cast("Distribution", chosen), bits.min_value, bits.upper_bound, dtype)

    def _draw_on_host(
        self, transform: Transform, shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: npt.NDArray[Any]
    ) -> npt.NDArray[Any]:
        """Fill an array of the host, in place where the device shares its memory."""
        host_arrays.check(shape, dtype, out, strided=self._takes_slices)
        moving = self.bit_generator.copy()
        try:
            for portion in host_arrays.portions(self._device, out):
                with host_arrays.on_device(self._queue, self._device, portion) as result:
                    self._fill(transform, result, moving)
                moving.advance(portion.size * transform.steps)
        except BaseException:
            self._queue.finish()
            raise
        self.bit_generator.advance(out.size * transform.steps)
        return out
