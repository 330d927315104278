"""Fills with Poisson numbers of which every element has a mean of its own."""

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.discrete import Poisson, threshold_table
from clrng.distributions.transforms import poisson
from clrng.distributions.transforms.poisson import PoissonByElement, probabilities
from clrng.fill.by_element import INNER, Layout, in_rows
from clrng.fill.convert import Converter, MakeRaw
from clrng.fill.fill import copied
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, numbers, raw_values

CAPACITY = 1 << 10
"""The minimum number of elements that a list of those that are not sure has room for."""

ONE_IN = 256
"""It has room for one in so many elements."""

ONE_BY_ONE = 256
"""Up to so many raw values of elements that are not sure are copied to the host alone, each by itself."""

CERTAIN = 2.0**-38
"""A number that is further from F(k) in double precision is on the right side of it."""

LENGTH = 1 << 11
"""The values of a proof."""

DOWN_TO, UP_TO = -40, 14.9
"""The binary logarithms of means of a proof."""


def _text(code: GeneratorCode, values: dict[str, Any]) -> str:
    """Return the program of Poisson numbers."""
    least, end = code.recurrence.min_value, code.recurrence.upper_bound
    return program(
        "fill/poisson.cl.mako",
        {
            "value": CTYPES[code.value.name], "min_value": least, "raw_values": end - least, "q": "", "entry": "ushort",
            **poisson.CONSTANTS, **values,
        },
    )  # fmt: skip


def _picked(array: Any, places: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return elements of an array of the device: few ones one by one, else of a copy of all."""
    flat = array.reshape(-1)
    if places.size > ONE_BY_ONE:
        return np.asarray(flat.get()[places])
    found = [flat[place : place + 1].get() for place in places.reshape(-1).tolist()]
    return np.concatenate(found).reshape(places.shape)


class PoissonFiller:
    """Makes Poisson numbers of many means on one queue."""

    def __init__(self, queue: cl.CommandQueue, code: GeneratorCode, converter: Converter) -> None:
        self._queue, self._code, self._converter = queue, code, converter
        self._base = code.recurrence.upper_bound - code.recurrence.min_value

    def prepare(self, transform: PoissonByElement) -> None:
        """Build and prove the kernel, and copy the tables."""
        self._kernel(transform)
        self._tables(self._queue, transform.octave)

    def fill(self, transform: PoissonByElement, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, which need not be contiguous, with the elements from the first one of `transform` on, and wait.

        `make` makes rows of raw values: `out` is rows of `inner` values, of as many of these as a value has steps.
        """
        if not out.size:
            return
        kernel, layout = self._kernel(transform), Layout(self._queue, transform, out)
        unsure: list[tuple[int, int]] = []

        def use(part: cla.Array, first: int, some: int) -> None:
            found, raw = self._launched(kernel, transform, layout, out, part, first * inner, some * inner, inner)
            unsure.extend(zip((found + first * inner).tolist(), numbers(self._code.recurrence, raw), strict=True))

        self._converter.in_parts(out.size // inner, inner, transform.steps, make, use)
        for place, number in unsure:
            self._store(out, place, self._exact(transform, layout.element(place), number))

    def _launched(
        self, kernel: Kernel, transform: PoissonByElement, layout: Layout, out: cla.Array, part: cla.Array, first: int,
        some: int, inner: int,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:  # fmt: skip
        """Make `some` values of raw values; return the places in the part that are not sure, and their raw values."""
        queue: Any = part.queue
        capacity, steps = max(some // ONE_IN, CAPACITY), transform.steps
        while True:
            listed = upload(queue, np.zeros(1 + capacity, np.uint32))
            event = kernel.for_each(
                queue, some, raw=part.base_data, inner=inner, n=some, **layout.arguments("mean", first),
                scale=np.uint64(2**96 // self._base**steps), **self._tables(queue, transform.octave),
                unsure=listed.base_data, capacity=capacity, wait_for=wait_list(part, listed, out, *layout.arrays),
            )  # fmt: skip
            arrays.attach_event(queue, out, event)
            listed.add_event(event)
            count = int(listed[:1].get()[0])
            if count <= capacity:
                break
            capacity = count
        if not count:
            return np.empty(0, np.int64), np.empty((0, steps), self._code.value)
        places = np.sort(listed.get()[1 : 1 + count]).astype(np.int64)
        firsts = places // inner * inner * steps + places % inner
        return places, _picked(part, firsts[:, np.newaxis] + np.arange(steps) * inner)

    def _exact(self, transform: PoissonByElement, mean: float, number: int) -> int:
        """Return the value of a number: by F in double precision where that is certain, else by exact thresholds."""
        count = self._base**transform.steps
        if mean >= 1:
            low, reached = probabilities(mean)
            wanted = number / count
            i = int(np.searchsorted(reached, wanted, side="right"))
            around = reached[max(i - 1, 0) : i + 1]
            if 0 < i < reached.size - 1 and np.all(abs(around - wanted) > CERTAIN):
                return low + i
        table = threshold_table(Poisson(mean), count)
        return table.low + min(bisect_right(table.thresholds.tolist(), number), table.thresholds.size - 1)

    @staticmethod
    def _store(out: cla.Array, place: int, value: int) -> None:
        """Store one value in an array of any strides, by its flat index."""
        index = np.unravel_index(place, out.shape)
        at = out.offset + sum(int(i) * step for i, step in zip(index, out.strides, strict=True))
        queue: Any = out.queue
        memory: Any = out.base_data
        cl.enqueue_copy(queue, memory, np.array([value], out.dtype), dst_offset=at, wait_for=wait_list(out))

    @staticmethod
    def _tables(queue: cl.CommandQueue, octave: int) -> dict[str, Any]:
        """Return the tables as a kernel is given them."""
        found = poisson.cells(octave)
        return {
            "reached": copied(queue, found.reached), "cells": copied(queue, found.cells),
            "guide": copied(queue, found.guide), "first_cell": copied(queue, found.first),
        }  # fmt: skip

    def _kernel(self, transform: PoissonByElement) -> Kernel:
        """Return the kernel, proved."""
        dtype: Any = transform.dtype
        mean = CTYPES[transform.each.dtype.name]
        values = {"out": CTYPES[dtype.name], "mean": mean, "steps": transform.steps, "unsure": poisson.UNSURE}
        kernel = kernel_of(self._queue, "poisson_by_element", _text, self._code, values=values)
        if not kernel.proved:
            prove(self._queue, [kernel], partial(self._check, kernel=kernel, like=transform))
        return kernel

    def _check(self, own: cl.CommandQueue, kernel: Kernel, like: PoissonByElement) -> None:
        """Compare numbers of many means with those of exact thresholds."""
        dtype: Any = np.dtype(like.dtype)
        up_to = min(UP_TO, np.iinfo(dtype).max.bit_length() - 1)  # the largest numbers fit the dtype
        means = np.exp2(np.linspace(DOWN_TO, up_to, LENGTH)).astype(like.each.dtype)
        means[::7] = np.minimum(np.arange(means[::7].size), 2.0**up_to)
        transform = PoissonByElement(
            "poisson", dtype, like.steps, {}, like.of_halves, means, means.shape, octave=poisson.MAX_OCTAVE
        )  # fmt: skip
        stream = Stream(self._code.recurrence)
        raw = raw_values(stream, 0, LENGTH * like.steps).reshape(LENGTH, like.steps)
        expected = list(self._values(means, numbers(stream.bits, raw), like.steps))
        for inner in (1, INNER):
            out: Any = poisoned(own, LENGTH, dtype)
            given = upload(own, in_rows(raw, inner))
            unsure, _ = self._launched(kernel, transform, Layout(own, transform, out), out, given, 0, LENGTH, inner)
            sure = np.ones(LENGTH, bool)
            sure[unsure] = False
            compare("Poisson number", out.get(), np.array(expected, dtype), sure=sure)

    def _values(self, means: npt.NDArray[Any], found: list[int], steps: int) -> Iterator[int]:
        """Yield the smallest k for which X < F(k) N, in double precision."""
        for mean, number in zip(means.tolist(), found, strict=True):
            wanted = float(Fraction(number, self._base**steps))
            low, reached = probabilities(mean)
            yield low + int(np.searchsorted(reached, wanted, side="right"))
