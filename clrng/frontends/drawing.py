"""What front ends that draw one stream have in common: a bit generator, a queue, and calls that follow one another."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import prod
from threading import Lock
from typing import Any, ClassVar, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import Transform
from clrng.distributions.distribution import Distribution, transform_of
from clrng.fill.runs import Runs, contiguous, runs_of
from clrng.frontends.dtypes import Size
from clrng.frontends.queues import Queue, check_queue, fixed
from clrng.generators import BitGenerator
from clrng.opencl import arrays, devices, host_arrays, processes

Piece = tuple[Sequence[int], Sequence[int]]
"""A rectangle of an array: where it begins along each axis, and its shape."""


def check_bit_generator(value: Any) -> BitGenerator:
    """Return `value` if it is a bit generator."""
    if not isinstance(value, BitGenerator):
        raise TypeError(
            f"bit_generator must be a clrng bit generator such as clrng.ParkMiller(seed=1), not "
            f"{validation.shown(value)}"
        )
    return value


class Drawing(ABC):
    """A front end that draws the stream of its bit generator and moves it on.

    The bit generator is the position. It may be moved, replaced by another and given other parameters between calls:
    each call begins by looking at it.

    An interrupt may end a call anywhere. So the bit generator moves on last of all, by the one assignment in its
    `advance`; and if anything is raised while the device works, the queue is finished first. No call comes
    between the error and that wait, and so, from Python 3.11 on, no second interrupt.
    """

    _allocator: Any = None
    """The allocator of new arrays; None gives each a buffer of its own."""

    _takes_slices = False
    """Whether `_fill_runs` fills slices of arrays that are not contiguous."""

    _legal_out = "a pyopencl.array.Array"
    """What errors say that `out` must be."""

    _elsewhere: ClassVar[str]
    """How to go on in another queue; the error for assigning one says it."""

    def __init__(self, bit_generator: BitGenerator, queue: Queue | None) -> None:
        self.bit_generator = bit_generator
        self._queue = check_queue(queue)
        self._device = devices.describe(self._queue.device)
        self._lock = Lock()
        self._take(bit_generator)

    @property
    def device(self) -> devices.DeviceInfo:
        """The device of the queue."""
        return self._device

    @property
    def queue(self) -> cl.CommandQueue:
        """The queue, which cannot be changed."""
        return self._queue

    @queue.setter
    def queue(self, _: Any) -> None:
        raise fixed(self, self._elsewhere)

    @abstractmethod
    def _use(self, recurrence: BitGenerator) -> None:
        """Take the parameters of `recurrence`, or raise an error and change nothing."""

    @abstractmethod
    def _options(self) -> dict[str, Any]:
        """Return the arguments of the constructor that a pickle has, but for the bit generator."""

    @abstractmethod
    def _fill(self, transform: Transform, result: cla.Array, start: BitGenerator) -> None:
        """Fill `result` with the outputs that follow where `start` stands; it stays there."""

    def _fill_runs(self, transform: Transform, result: cla.Array, start: BitGenerator, runs: Runs) -> None:
        """Fill runs of the memory of `result`; places count from its first value, and from where `start` stands."""
        raise NotImplementedError

    def _check_shape(self, shape: tuple[int, ...]) -> None:  # noqa: B027  # most can fill any
        """Raise an error if no array of this shape can be filled."""

    def __getstate__(self) -> dict[str, Any]:
        return {"bit_generator": self.bit_generator.copy(), **self._options()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # the arguments that do not depend on the machine

    def _take(self, bit_generator: BitGenerator) -> None:
        """Take the parameters of `bit_generator`, and remember which they are."""
        self._use(bit_generator.copy())
        self._parameters, self._raw = bit_generator.parameters, bit_generator.dtype
        self._raw_values = bit_generator.min_value, bit_generator.upper_bound
        self._known, self._version = bit_generator, bit_generator.parameters_version

    def _looked_at(self) -> BitGenerator:
        """Return the bit generator, whose parameters are now those in use."""
        bits = self.bit_generator
        if bits is not self._known or bits.parameters_version != self._version:
            if check_bit_generator(bits).parameters != self._parameters:
                self._take(bits)
            else:
                self._known, self._version = bits, bits.parameters_version
        return bits

    def _draw(
        self, chosen: Transform | Distribution, size: Size | None, out: Any, dtype: np.dtype[Any] | None = None,
        piece: Piece | None = None,
    ) -> cla.Array:  # fmt: skip
        """Return the next values, in `out` or in a new array of the shape `size`, or only a `piece` of that array.

        `chosen` says what they are: a transform, or a distribution with one of its dtypes. The stream moves on by the
        whole array in any case.
        """
        processes.check()
        shape = None if size is None else validation.shape("size", size)
        wanted = shape if piece is None else tuple(piece[1])
        with self._lock:
            bits = self._looked_at()
            if shape is not None:
                self._check_shape(shape)
            transform = cast("Transform", chosen)
            if dtype is not None:
                transform = transform_of(cast("Distribution", chosen), *self._raw_values, dtype)
            kind = transform.dtype or self._raw
            if out is np.ndarray:
                out = host_arrays.empty(wanted or (), kind)
            on_host = isinstance(out, np.ndarray)
            if on_host:
                host_arrays.check(wanted, kind, out, strided=self._takes_slices)
            result = out if on_host else self._output_array(wanted, kind, out)
            try:
                if on_host:
                    self._fill_on_host(transform, out, bits, shape, piece)
                elif piece is None and (out is None or out.flags.c_contiguous):
                    self._fill(transform, result, bits)
                else:
                    begins = [0] * result.ndim if piece is None else piece[0]
                    runs = runs_of(shape or result.shape, begins, result.shape, arrays.value_strides(result))
                    self._fill_runs(transform, result, bits, runs)
            except BaseException:
                self._queue.finish()
                raise
            bits.advance((result.size if piece is None else prod(shape or ())) * transform.steps)
        return result

    def _fill_on_host(
        self, transform: Transform, out: Any, bits: BitGenerator, shape: tuple[int, ...] | None, piece: Piece | None
    ) -> None:
        """Fill an array of the host as `_draw` does, by portions; in place where the device shares its memory."""
        if piece is None:
            moving = bits.copy()
            for portion in host_arrays.portions(self._device, out):
                with host_arrays.on_device(self._queue, self._device, portion) as result:
                    self._fill(transform, result, moving)
                moving.advance(portion.size * transform.steps)
            return
        for offsets, portion in host_arrays.rectangles(self._device, out):
            begins = [start + offset for start, offset in zip(piece[0], offsets, strict=True)]
            runs = runs_of(shape or (), begins, portion.shape, contiguous(portion.shape))
            with host_arrays.on_device(self._queue, self._device, portion) as result:
                self._fill_runs(transform, result, bits, runs)

    def _output_array(
        self, shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: Any, name: str = "size"
    ) -> cla.Array:
        return arrays.output_array(
            self._queue, self._device, shape, dtype, out, name, self._allocator, strided=self._takes_slices,
            legal=self._legal_out,
        )  # fmt: skip
