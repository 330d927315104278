"""What a sort moves from array to array: keys, or values."""

from functools import cache
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.opencl.devices import describe
from clrng.order.keys import WORDS

info = cache(describe)
"""What a device is, asked once."""


def new_array(
    queue: cl.CommandQueue, like: cla.Array, dtype: np.dtype[Any] | None = None, size: int | None = None
) -> cla.Array:
    """Return an array on `queue` of the size and the dtype of `like`, or others, from its allocator."""
    shape = like.shape if size is None else (size,)
    return arrays.output_array(
        queue, info(queue.device), shape, dtype or like.dtype, name="a sort", allocator=like.allocator
    )


def memory(*given: cla.Array | None) -> list[Any]:
    """Return of each array that is there its memory, and where in it the array begins, in values."""
    return [part for each in given if each is not None for part in (each.base_data, each.offset // each.dtype.itemsize)]


def as_bytes(a: cla.Array) -> cla.Array:
    """Return the memory of an array of values of one byte as an array of uint8, which shares its events."""
    return cla.Array(a.queue, a.shape, np.dtype(np.uint8), data=a.base_data, offset=a.offset, events=a.events)


class Moves:
    """Keys or values, where they are and where they go.

    Parameters
    ----------
    source : pyopencl.array.Array or None
        Where they are first; None for values that are the places of the keys, which the first pass makes.
    result : pyopencl.array.Array or None
        Where they are at last; None for keys, if they are not wanted.
    like : pyopencl.array.Array
        What memory between is like.
    count : int
        How many arrays there must be beside the source, with the result.

    Attributes
    ----------
    source, result
    arrays : list of pyopencl.array.Array
        All but the source.
    """

    def __init__(self, source: cla.Array | None, result: cla.Array | None, like: cla.Array, count: int) -> None:
        queue: Any = like.queue  # which checked arrays have
        self.source, self.result = source, result
        self.arrays = [] if result is None else [result]
        self.arrays += [new_array(queue, like) for _ in range(count - len(self.arrays))]

    @property
    def word(self) -> str:
        """The OpenCL type that they are moved as; no text where nothing is moved."""
        return WORDS[self.arrays[0].dtype.itemsize] if self.arrays else ""

    def target(self, after: int) -> cla.Array | None:
        """Return what a pass writes to that `after` others follow: arrays by turns, so that the last is the result."""
        if self.result is None:
            return self.arrays[(after - 1) % len(self.arrays)] if after and self.arrays else None
        return self.arrays[after % len(self.arrays)]
