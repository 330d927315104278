"""Known values for the proof of the kernels that locate values, and what they must become."""

from collections.abc import Callable
from itertools import product
from math import pi
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.transfers import upload
from clrng.proof import references
from clrng.proof.fills import GUARD, POISON, check_guard
from clrng.proof.prove import MismatchError, compare

Array = npt.NDArray[Any]

LENGTH = 5123
"""Values that lie one behind the other; an odd number."""

SHAPE, OFFSET = (7, 5, 149), 5
"""Values that lie apart from one another, and where they begin in memory."""

EXPONENTS = 20
"""Numbers are between 2 to the power of minus and of plus this."""

Locate = Callable[[cla.Array, cla.Array, cla.Array], None]
"""Replaces values by loc + scale * values, called with values, loc and scale."""


class Finds(Protocol):
    """What finds numbers that are not legal."""

    def __call__(self, value: cla.Array, *, positive: bool) -> bool:
        """Return whether an array has one."""


def check_locate(queue: cl.CommandQueue, dtype: np.dtype[Any], run: Locate, *, circular: bool) -> None:
    """Check values that lie one behind the other, with one loc and scale, and others that do not, with many."""
    random = np.random.default_rng(LENGTH)

    def numbers(*shape: int) -> Array:
        if circular:
            return random.uniform(-pi, pi, shape).astype(dtype)
        return (random.uniform(-2, 2, shape) * 2.0 ** random.integers(-EXPONENTS, EXPONENTS, shape)).astype(dtype)

    def factors(*shape: int) -> Array:
        return np.ones(shape, dtype) if circular else abs(numbers(*shape))

    _check(queue, numbers(LENGTH), [dtype.itemsize], 3 * numbers(), factors(), run, circular=circular)
    inner, middle = 2 * dtype.itemsize, 2 * SHAPE[2] * dtype.itemsize
    strides = [SHAPE[1] * middle, middle, inner]
    loc, scale = 3 * numbers(SHAPE[1], 1), factors(SHAPE[0], 1, SHAPE[2])
    _check(queue, numbers(*SHAPE), strides, loc, scale, run, circular=circular)


def _check(
    queue: cl.CommandQueue, values: Array, strides: list[int], loc: Array, scale: Array, run: Locate, *, circular: bool
) -> None:
    """Check values that lie in memory by `strides`, with other memory around and between them that must stay."""
    size = values.dtype.itemsize
    last = sum((n - 1) * stride for n, stride in zip(values.shape, strides, strict=True)) // size
    memory = np.full((OFFSET + last + 1 + GUARD) * size, POISON, np.uint8).view(values.dtype)
    there = np.lib.stride_tricks.as_strided(memory[OFFSET:], values.shape, strides)
    there[...] = values
    held = upload(queue, memory)
    placed = cla.Array(
        queue, values.shape, values.dtype, strides=tuple(strides), data=held.base_data, offset=OFFSET * size
    )
    run(placed, upload(queue, loc), upload(queue, scale))
    queue.finish()
    memory[...] = held.get()
    x, times, plus = (np.ascontiguousarray(each).reshape(-1) for each in np.broadcast_arrays(values, scale, loc))
    y, fine = references.fma(x, times, plus)
    expected, sure = references.on_circle(y, fine) if circular else (y, fine)
    compare("value", np.ascontiguousarray(there).reshape(-1), expected, sure=sure)
    there[...] = np.full(size, POISON, np.uint8).view(values.dtype)[0]
    check_guard("around", memory)


def check_finding(queue: cl.CommandQueue, dtype: np.dtype[Any], finds: Finds) -> None:
    """Check that numbers which are not legal are found, wherever they are, and others are not."""
    largest = np.finfo(dtype).max
    legal = np.array([0.0, 1.5, largest, np.finfo(dtype).tiny, -0.0], dtype)
    memory = np.resize(legal, 2 * OFFSET + LENGTH)
    places, wrong = (0, LENGTH // 2, LENGTH - 1), (np.nan, np.inf, -np.inf, -1.5, -largest)
    cases: list[tuple[int, float]] = [(-1, np.nan), (LENGTH, np.nan), *product(places, wrong)]
    for place, number in cases:
        changed = memory.copy()
        changed[OFFSET + place] = number
        held = upload(queue, changed)
        given = held[OFFSET : OFFSET + LENGTH]
        within = 0 <= place < LENGTH
        for positive in (False, True):
            expected = within and (positive or not np.isfinite(number))
            found = finds(given, positive=positive)
            if found != expected:
                what = f"whether {number} at place {place} of {LENGTH} is found where positive is {positive}"
                raise MismatchError(what, found, expected)
