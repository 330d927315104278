"""An array whose values are on several devices."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.opencl import arrays
from clrng.opencl.kernel import check_process
from clrng.opencl.undisturbed import at_once


@dataclass(frozen=True)
class ArrayPart:
    """The part of a `MultiDeviceArray` that one device has.

    Attributes
    ----------
    begin, end : int
        Its values are those from place `begin` to `end` - 1 of the whole array, counted in C order:
        ``whole.reshape(-1)[begin:end]``.
    rows : slice or None
        The rows along the first axis, if they are whole: ``whole[rows]``. None where rows are cut, and `array` then has
        one dimension; or where the whole array has no axis, and `array` has none either.
    array : pyopencl.array.Array
        The values. It carries the event of their making, so that work PyOpenCL queues on it waits. Its ``queue`` is
        that which made them.
    """

    begin: int
    end: int
    rows: slice | None
    array: cla.Array

    @property
    def device(self) -> cl.Device:
        """The device that has it."""
        return cast("cl.CommandQueue", self.array.queue).device


class MultiDeviceArray:
    """An array whose values are on several devices, as `MultiDeviceGenerator` returns it.

    Work on with the `parts`, each on its device, or gather the values with `get`. ``numpy.asarray`` takes it too.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    parts : tuple of ArrayPart
        In the order of the values; none of them is empty.
    """

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], parts: Sequence[ArrayPart]) -> None:
        self.shape, self.dtype, self.parts = shape, dtype, tuple(parts)
        end = 0
        for part in self.parts:
            if part.begin != end or part.array.size != part.end - part.begin:
                raise ValueError(f"parts must follow one another and have their values, not {validation.shown(parts)}")
            end = part.end
        if end != self.size:
            raise ValueError(f"parts must have all {self.size} values of shape {shape}, not {end}")

    @property
    def size(self) -> int:
        """The number of values."""
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """The bytes of all values."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of no dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        places = ", ".join(f"{part.end - part.begin} on {part.device.name.strip()}" for part in self.parts)
        return f"MultiDeviceArray(shape={self.shape}, dtype={self.dtype}; {places or 'empty'})"

    def wait(self) -> None:
        """Return when all values are made."""
        check_process()
        for part in self.parts:
            for event in part.array.events:
                event.wait()

    def get(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Copy all values to the host, from all devices at the same time.

        Parameters
        ----------
        out : ndarray, optional
            Where to put them: C-contiguous, of the shape and dtype. By default a new array.

        Returns
        -------
        ndarray

        Raises
        ------
        TypeError
            If `out` is not an array of NumPy.
        ValueError
            If `out` is of another shape or dtype, not C-contiguous or read-only.
        """
        check_process()
        if out is None:
            out = np.empty(self.shape, self.dtype)
        arrays.check_host(self.shape, self.dtype, out)
        flat = out.reshape(-1)
        at_once([lambda part=part: _copy(part.array, flat[part.begin : part.end]) for part in self.parts])  # type: ignore[misc]  # a default argument
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("copy must not be False, as the values are on devices and have to be copied")
        values = self.get()
        return values if dtype is None else values.astype(dtype, copy=False)


def _copy(array: cla.Array, out: npt.NDArray[Any]) -> None:
    """Copy `array` to `out`; a processor's memory is that of the host, and needs no blocks in between."""
    queue = cast("cl.CommandQueue", array.queue)
    if queue.device.type & cl.device_type.CPU:
        data: Any = array.base_data
        cl.enqueue_copy(queue, out, data, src_offset=array.offset, wait_for=array.events, is_blocking=True)
    else:
        arrays.copy_to_host(queue, array, out)
