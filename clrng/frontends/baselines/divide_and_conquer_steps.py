"""What the divide-and-conquer algorithms of 2012 share: the matrix of columns, kernels and launches."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW
from clrng.fill.plan import launches, whole_groups
from clrng.generators import BitGenerator
from clrng.generators.base import Words
from clrng.opencl import arrays, devices, program
from clrng.opencl.contexts import kept
from clrng.opencl.transfers import upload
from clrng.proof.fills import check_fill
from clrng.proof.prove import apart, prove

Events = list[cl.Event]

COLUMNS, ODD = 3, 5
"""Whole columns by which kernels are proved, and by how much each is longer than two work-groups."""


@dataclass
class Matrix:
    """The columns that a request is cut into.

    Attributes
    ----------
    out : pyopencl.array.Array
        Where the values go, in C order: column after column.
    length : int
        Entries of a column, s.
    numbers : pyopencl.Buffer or None
        What step 1 has made beside the first column; None where there is one column.
    z : pyopencl.Buffer or None
        The states that columns go on from; None before they are there.
    """

    out: cla.Array
    length: int
    numbers: cl.Buffer | None
    z: cl.Buffer | None

    @property
    def whole(self) -> int:
        """The number of columns of `length` entries."""
        return int(self.out.size) // self.length

    @property
    def rest(self) -> int:
        """The number of entries of the column after these, which may be 0."""
        return int(self.out.size) % self.length

    def offset(self, column: int) -> int:
        """Return where a column begins in the buffer of `out`, in values."""
        return int(self.out.offset) // self.out.dtype.itemsize + column * self.length

    def launches(self, most: int) -> Iterator[tuple[int, int, int]]:
        """Cut the columns but the first into launches of at most `most` columns.

        Yields
        ------
        first, columns, rest : int
            The first column of a launch, how many whole ones it has, and how many entries of the one after these.
        """
        end = self.whole + (self.rest > 0)
        for first, n in launches(1, end, most):
            yield first, min(n, self.whole - first), self.rest if first + n > self.whole else 0


class Steps(ABC):
    """The three steps, for one recurrence on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    recurrence : BitGenerator
        Gives the parameters; its state is not looked at.
    group : int
        Work-items of a work-group.

    Attributes
    ----------
    shortest : int
        The least length s of a column.
    kernels : tuple of str
        The names of the kernels of its program.
    """

    shortest: int
    kernels: ClassVar[tuple[str, ...]]

    def __init__(self, queue: cl.CommandQueue, recurrence: Any, group: int) -> None:
        self._queue, self._recurrence = queue, recurrence
        self._group = group
        self._numbers = kept(self._make_numbers, 1)
        self._kernels: dict[str, program.Kernel] = {}

    @staticmethod
    @abstractmethod
    def largest_group(device: devices.DeviceInfo, recurrence: Any) -> int:
        """Return the most work-items of a work-group on `device`.

        Raises
        ------
        UnsupportedError
            If there are none, or the recurrence is one that the algorithm does not solve.
        """

    @abstractmethod
    def _text(self) -> str:
        """Return the program with the `kernels`."""

    @abstractmethod
    def _make_numbers(self, length: int) -> Any:
        """Return what depends on the parameters and the length of a column alone."""

    @abstractmethod
    def step_1(self, out: cla.Array, words: Words, length: int) -> tuple[Matrix, Events]:
        """Make the first column and the numbers that the other steps need on the host, and store that column's values.

        Parameters
        ----------
        out : pyopencl.array.Array
            Contiguous, of the values' dtype, in the queue's context, and not empty.
        words : tuple of int
            The state before the first value.
        length : int
            The length s of a column.

        Returns
        -------
        Matrix
            For the other steps.
        list of pyopencl.Event
            What they have to wait for.
        """

    @abstractmethod
    def step_2(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the last entries of each column, one column after the other; return what to wait for."""

    @abstractmethod
    def step_3(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the other entries of all columns but the first, a row a work-item; return what to wait for."""

    def _kernel(self, name: str) -> program.Kernel:
        if not self._kernels:
            text = self._text()
            self._kernels = {kernel: program.Kernel(self._queue.context, text, kernel) for kernel in self.kernels}
        return self._kernels[name]

    def _launch(self, name: str, items: int, wait_for: Events, *arguments: Any) -> Events:
        """Launch a work-item each for `items`, in whole work-groups."""
        kernel = self._kernel(name)
        group = min(self._group, kernel.largest_group)
        return [kernel(self._queue, whole_groups(items, group), group, *arguments, wait_for=wait_for)]

    def _buffer(self, words: npt.NDArray[Any]) -> Any:
        """Return the memory of a copy of `words` on the device."""
        return upload(self._queue, words).base_data

    def forget(self) -> None:
        """Forget the numbers of step 1, which are else kept for the next request with columns of the same length."""
        self._numbers.cache_clear()

    def fill(self, out: cla.Array, words: Words, length: int) -> None:
        """Fill `out` with the values that follow the state `words`, in columns of `length`; see `step_1`.

        Raises
        ------
        WrongNumbersError
            If the kernels make wrong values; before anything is written.
        """
        if out.size == 0:
            return
        kernels = [self._kernel(name) for name in self.kernels]
        if not all(kernel.proved for kernel in kernels):
            prove(self._queue, kernels, lambda: self._on(apart(self._queue)).check())
        self._fill(out, words, length)

    def _fill(self, out: cla.Array, words: Words, length: int) -> None:
        matrix, events = self.step_1(out, words, length)
        for step in (self.step_2, self.step_3):
            events = step(matrix, events)
        arrays.attach_event(self._queue, out, events[-1])

    def _on(self, queue: cl.CommandQueue) -> "Steps":
        """Return the same steps on another queue."""
        return type(self)(queue, self._recurrence, self._group)

    def check(self) -> None:
        """Check short columns, of which the last is cut off, with several work-groups in each."""
        length = max(self.shortest, 2 * self._group) + ODD
        n = COLUMNS * length + ODD

        def make(out: cla.Array, offset: int, some: int, start: BitGenerator) -> None:
            self._fill(out[offset : offset + some], start.words, length)

        check_fill(self._queue, self._recurrence, RAW, make, n, [length * column for column in range(COLUMNS + 1)])
