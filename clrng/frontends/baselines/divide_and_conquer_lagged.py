"""The divide-and-conquer algorithm of 2012 for lagged Fibonacci generators."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.errors import UnsupportedError
from clrng.frontends.baselines.divide_and_conquer_steps import Events, Matrix, Steps
from clrng.generators import LaggedFibonacci, source
from clrng.generators.base import Words
from clrng.generators.generator_code import CTYPES
from clrng.opencl import devices
from clrng.opencl.templates import render

Array = npt.NDArray[Any]

COMBINE: dict[str, Callable[..., Array]] = {"+": np.add, "-": np.subtract, "xor": np.bitwise_xor}
"""The ops under which a recurrence is linear: over the integers modulo 2^M, or over the bits."""

LONGEST_SUMS = 2**15
"""The most turns that all loops of a work-item of step 3 take together: half of those after which some drivers end
loops, see `clrng.fill.plan.LONGEST_LOOP`. It is that large because a single value takes many turns."""

LARGE_PRODUCT = 1000
"""The host extends a sequence by equation 10 where the product of the lags is less, else stretch by stretch: whichever
was faster."""

MOST_MASKED = 2**20
"""The most words that the host masks at a time, which bounds its memory."""


@dataclass
class LaggedMatrix(Matrix):
    """The columns that a request is cut into, and the end of the first one.

    Attributes
    ----------
    last : ndarray
        The last p entries of the first column, or of what there is of it.
    """

    last: Array


class LaggedSolver(Steps):
    """The three steps, for one lagged Fibonacci generator on one queue.

    Words are computed modulo 2^32 or 2^64, even where the modulus is a smaller power of two: bits beyond it are dropped
    where words become values.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    recurrence : LaggedFibonacci
        Gives the parameters; its state is not looked at.
    group : int
        Work-items of a work-group.
    """

    kernels = ("store", "step_3")
    _recurrence: LaggedFibonacci

    def __init__(self, queue: cl.CommandQueue, recurrence: LaggedFibonacci, group: int) -> None:
        super().__init__(queue, recurrence, group)
        self._word = recurrence.word_dtype
        self.shortest = recurrence.order + 1

    @staticmethod
    def largest_group(device: devices.DeviceInfo, recurrence: LaggedFibonacci) -> int:  # noqa: D102  # as inherited
        m, itemsize, limits = recurrence.modulus, recurrence.word_dtype.itemsize, device.device
        if recurrence.op not in COMBINE:
            raise UnsupportedError(
                f"bit_generator.op must be '+', '-' or 'xor', which make a linear recurrence, for the "
                f"divide-and-conquer algorithm, not {recurrence.op!r}"
            )
        if m & (m - 1):
            raise UnsupportedError(
                f"bit_generator.modulus must be a power of two for the divide-and-conquer algorithm, not {m}"
            )
        most = limits.local_mem_size // itemsize
        if recurrence.order >= most:
            raise UnsupportedError(
                f"bit_generator.lags must be at most {most - 1} for a piece of y in the {limits.local_mem_size} bytes "
                f"of local memory of {device.name}, not {recurrence.lags}"
            )
        return int(min(limits.max_work_group_size, limits.max_work_item_sizes[0], most - recurrence.order))

    def _text(self) -> str:
        return source.prelude() + kernels(self._recurrence, self._group)

    def extended(self, words: Array, count: int) -> Array:
        """Return `words` and the `count` words after them, computed by NumPy.

        Notes
        -----
        For short lags, equation 10 doubles the known entries of y until there are enough, and then gives the words.
        Otherwise the words are made in stretches as long as the smaller lag. For xor the stretches may be longer: a
        sequence with x_i = x_{i-p1} xor x_{i-p2} has the same relation with the lags 2^k p1 and 2^k p2, because the
        square of a polynomial over GF(2) has the squares of its terms alone.
        """
        first, second = self._recurrence.lags
        combine, p = COMBINE[self._recurrence.op], words.size
        if self._recurrence.op != "xor" and first * second < LARGE_PRODUCT:
            y = np.ones(1, words.dtype)
            while y.size < count:
                y = np.append(y, self._following(np.append(np.zeros(p, y.dtype), y)[-p:], y))
            return np.append(words, self._following(words, y[:count]))
        found = np.empty(p + count, words.dtype)
        found[:p] = words
        done, scale = p, 1
        while done < found.size:
            while self._recurrence.op == "xor" and 2 * scale * p <= done:
                scale *= 2
            n = min(scale * min(first, second), found.size - done)
            one, other = (found[done - scale * lag :][:n] for lag in (first, second))
            combine(one, other, out=found[done : done + n])
            done += n
        return found

    def _following(self, before: Array, y: Array) -> Array:
        """Return the entries that follow `before`, as many as `y` has, by equation 10; not for xor."""
        one, other = (np.pad(before[before.size - lag :], (0, before.size - lag)) for lag in self._recurrence.lags)
        return np.convolve(COMBINE[self._recurrence.op](one, other), y)[: y.size]

    def numbers(self, length: int) -> Array:
        """Return y of equation 10, with p zeros before it.

        Parameters
        ----------
        length : int
            The length s of a column.

        Returns
        -------
        ndarray of words, shape (p + length,)
            y_0 = 1, y_j = y_{j-p1} op y_{j-p2}, and 0 before y_0; for xor all bits of an entry are alike, so that it
            masks.
        """
        p = self._recurrence.order
        unit = np.zeros(p, self._word)
        unit[-1] = 1
        y = np.concatenate([np.zeros(1, self._word), self.extended(unit, length - 1)])
        return -y if self._recurrence.op == "xor" else y

    def _make_numbers(self, length: int) -> tuple[cl.Buffer, Array]:
        """Return y on the device, and the matrix of the y_{s-p+j-k} by which equation 10 gives the last p entries."""
        y, p = self.numbers(length), self._recurrence.order
        windows = np.lib.stride_tricks.sliding_window_view(y[length - p + 1 :], p)
        return self._buffer(y), windows[:, ::-1]

    def _store(self, words: Array, length: int, matrix: Matrix, offset: int, wait_for: Events) -> Events:
        """Store `words`, which are columns of `length` words, as values: the first column from `offset` on.

        Every other one begins a column of the matrix after the one before.
        """
        if words.size == 0:
            return wait_for
        arguments = (self._buffer(words), length, words.size, matrix.out.base_data, offset, matrix.length)
        return self._launch("store", words.size, wait_for, *arguments)

    def step_1(self, out: cla.Array, words: Words, length: int) -> tuple[LaggedMatrix, Events]:  # noqa: D102
        p = self._recurrence.order
        rows = min(length, int(out.size))
        column = self.extended(np.array(words, np.uint64).astype(self._word), rows)
        numbers = self._numbers(length)[0] if out.size > length else None
        matrix = LaggedMatrix(out, length, numbers, None, column[-p:])
        return matrix, self._store(column[p:], rows, matrix, matrix.offset(0), out.events)

    def step_2(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the last p entries of each column on the host, one column after the other, by equation 10.

        Parameters
        ----------
        matrix : LaggedMatrix
            It gets these entries, those of the first column before them.
        wait_for : list of pyopencl.Event

        Returns
        -------
        list of pyopencl.Event
            What step 3 has to wait for.
        """
        if matrix.numbers is None:
            return wait_for
        p, length = self._recurrence.order, matrix.length
        entries = np.empty((matrix.whole, p), self._word)
        entries[0] = matrix.last  # type: ignore[attr-defined]  # a LaggedMatrix
        lags, y, op = self._recurrence.lags, self._numbers(length)[1], self._recurrence.op
        (one, first), (other, second) = ((y[:, :lag], p - lag) for lag in lags)
        combine, add = COMBINE[op], masked if op == "xor" else np.dot
        for before, column in pairwise(entries):
            combine(add(one, before[first:]), add(other, before[second:]), out=column)
        matrix.z = self._buffer(entries)
        return self._store(entries[1:].reshape(-1), p, matrix, matrix.offset(2) - p, wait_for)

    def step_3(self, matrix: Matrix, wait_for: Events) -> Events:  # noqa: D102  # as inherited
        p, length, out = self._recurrence.order, matrix.length, matrix.out.base_data
        for first, columns, rest in matrix.launches(self._columns_of_a_launch()):
            arguments = (matrix.numbers, length, matrix.z, (first - 1) * p, out, matrix.offset(first), columns, rest)
            rows = max(length - p if columns else 0, rest)
            wait_for = self._launch("step_3", rows, wait_for, *arguments)
        return wait_for

    def _columns_of_a_launch(self) -> int:
        """Return the most columns of a launch: each takes p1 + p2 turns of a work-item, and reading y at most p + 1."""
        return max(1, (LONGEST_SUMS - self._recurrence.order - 2) // (sum(self._recurrence.lags) + 3))


def masked(y: Array, z: Array) -> Array:
    """Return for each row of `y` the xor of what its masks leave of `z`."""
    rows = max(1, MOST_MASKED // z.size)
    parts = [np.bitwise_xor.reduce(y[i : i + rows] & z, axis=1) for i in range(0, len(y), rows)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def kernels(recurrence: LaggedFibonacci, group: int) -> str:
    """Return the OpenCL C of the kernels for work-groups of at most `group` work-items."""
    m, output = recurrence.modulus, recurrence.output
    return render(
        "baselines/divide_and_conquer_lagged.cl.mako",
        word=CTYPES[recurrence.word_dtype.name],
        out=CTYPES[recurrence.dtype.name],
        shift=output.shift if output else 0,
        mask=2**output.bits - 1 if output else m - 1,
        lags=recurrence.lags,
        order=recurrence.order,
        combine={"+": "+", "-": "-", "xor": "^"}[recurrence.op],
        masked=recurrence.op == "xor",
        group_size=group,
    )
