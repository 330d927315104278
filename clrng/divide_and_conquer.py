"""The divide-and-conquer algorithm of 2012 for congruential generators, kept by name for comparison."""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt, prod
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import devices, program, results, source, validation
from clrng.arguments import Watch, check_queue
from clrng.arithmetic import ARITHMETICS
from clrng.distributions import RAW
from clrng.forms import form_of, modular
from clrng.plan import LONGEST_LOOP
from clrng.recurrences import LCG

Size = int | tuple[int, ...]
Events = list[cl.Event]

GROUP = 256
"""The work-group size that the paper finds best."""

RATIO = 10
"""The column length over the number of columns that the paper finds best."""

LONGEST_COLUMN = 2**31

ROW_BYTES = 32
"""The most bytes that a row's numbers take: y, t and a quotient of each, of 64 bits."""


@dataclass(frozen=True)
class Matrix:
    """The columns that a request is cut into.

    Attributes
    ----------
    out : pyopencl.array.Array
        Where the values go, in C order: column after column.
    length : int
        Entries of a column, s.
    numbers : pyopencl.Buffer or None
        y and t, with their quotients; None where there is one column.
    z : pyopencl.Buffer
        The states of the first column, and then room for the last state of every other whole column.
    """

    out: cla.Array
    length: int
    numbers: cl.Buffer | None
    z: cl.Buffer

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


class Solver:
    """The three steps, for one recurrence on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    recurrence : LCG
        Gives the parameters; its state is not looked at.
    group : int
        Work-items of a work-group.
    """

    def __init__(self, queue: cl.CommandQueue, recurrence: LCG, group: int) -> None:
        self._queue = queue
        self._recurrence = recurrence
        self._form = form_of(recurrence, ARITHMETICS["integer"])
        self._group = group
        self._numbers = lru_cache(maxsize=1)(self._make_numbers)
        self._kernels: dict[str, program.Kernel] = {}

    def _kernel(self, name: str) -> program.Kernel:
        if not self._kernels:
            values = {"group_items": self._group, "stride_words": len(self._form.stride(1))}
            text = source.kernel("divide_and_conquer.cl.mako", self._form, RAW, 1, values)
            columns = [None, np.uint32, None, np.uint64, None, np.uint64, np.uint32]
            steps = {"step_1": [None, None, np.uint64, np.uint32], "step_2": columns, "step_3": [*columns, np.uint32]}
            self._kernels = {
                step: program.Kernel(self._queue.context, text, step, arguments) for step, arguments in steps.items()
            }
        return self._kernels[name]

    def _launch(self, name: str, items: int, wait_for: Events, *arguments: Any) -> Events:
        """Launch a work-item each for `items`, in whole work-groups."""
        kernel = self._kernel(name)
        group = min(self._group, kernel.largest_group)
        items = -(-items // group) * group
        return [kernel(self._queue, items, group, *arguments, wait_for=wait_for or None)]

    def numbers(self, length: int) -> npt.NDArray[Any]:
        """Return y and t, each followed by its quotients where the arithmetic needs them.

        Parameters
        ----------
        length : int
            The length s of a column.

        Returns
        -------
        ndarray of words, shape (k, length)
            In column j the words of the stride of j + 1 steps: x -> y_j x + t_j. There is no t where c is 0.
        """
        recurrence = self._recurrence
        rows = [sequence(recurrence, recurrence.multiplier, length, affine=False)]
        if recurrence.increment:
            rows.append(sequence(recurrence, recurrence.increment, length))
        if len(self._form.stride(1)) > len(rows):
            shift = modular.quotient_bits(recurrence.modulus)
            rows = [words for row in rows for words in (row, (row << shift) // recurrence.modulus)]
        return np.array([row.astype(self._form.word) for row in rows])

    def _make_numbers(self, length: int) -> cl.Buffer:
        return self._buffer(self.numbers(length), cl.mem_flags.READ_ONLY)

    def _buffer(self, words: npt.NDArray[Any], access: int) -> cl.Buffer:
        return cl.Buffer(self._queue.context, access | cl.mem_flags.COPY_HOST_PTR, hostbuf=words)

    def forget(self) -> None:
        """Forget y and t, which are otherwise kept for the next request with columns of the same length."""
        self._numbers.cache_clear()

    def step_1(self, out: cla.Array, words: tuple[int, ...], length: int) -> tuple[Matrix, Events]:
        """Make y, t and the first column on the host, copy them to the device and store that column's values.

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
        rows, columns = min(length, out.size), max(out.size // length, 1)
        (first,) = self._recurrence.step(words)
        states = np.zeros(rows + columns - 1, self._form.word)
        states[:rows] = sequence(self._recurrence, first, rows)
        numbers = self._numbers(length) if out.size > length else None
        matrix = Matrix(out, length, numbers, self._buffer(states, cl.mem_flags.READ_WRITE))
        return matrix, self._launch("step_1", rows, out.events, matrix.z, out.base_data, matrix.offset(0), rows)

    def step_2(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the last entry of each column, one after the other in one work-item; return what to wait for."""
        length, out = matrix.length, matrix.out.base_data
        for first in range(1, matrix.whole, LONGEST_LOOP):
            before, end = length + first - 2, matrix.offset(first) + length - 1
            columns = min(LONGEST_LOOP, matrix.whole - first)
            arguments = (matrix.numbers, length, matrix.z, before, out, end, columns)
            wait_for = [self._kernel("step_2")(self._queue, 1, 1, *arguments, wait_for=wait_for or None)]
        return wait_for

    def step_3(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the other entries of all columns but the first, a row a work-item; return what to wait for."""
        length, out, whole = matrix.length, matrix.out.base_data, matrix.whole
        end = whole + (matrix.rest > 0)
        for first in range(1, end, LONGEST_LOOP):
            stop = min(first + LONGEST_LOOP, end)
            columns, rest = min(stop, whole) - first, matrix.rest if stop > whole else 0
            arguments = (matrix.numbers, length, matrix.z, length + first - 2, out, matrix.offset(first), columns, rest)
            wait_for = self._launch("step_3", length - 1, wait_for, *arguments)
        return wait_for

    def fill(self, out: cla.Array, words: tuple[int, ...], length: int) -> None:
        """Fill `out` with the values that follow the state `words`, in columns of `length`; see `step_1`."""
        if out.size == 0:
            return
        matrix, events = self.step_1(out, words, length)
        for step in (self.step_2, self.step_3):
            events = step(matrix, events)
        results.announce(self._queue, out, events[-1])


def sequence(recurrence: LCG, start: int, count: int, *, affine: bool = True) -> npt.NDArray[Any]:
    """Return `start` and what follows it under x -> a x + c mod m, or under x -> a x if not `affine`.

    Parameters
    ----------
    recurrence : LCG
        Gives a, c and m.
    start : int
        The first number, from 0 to m - 1.
    count : int
        How many, 1 or more.
    affine : bool, optional

    Returns
    -------
    ndarray of uint64, or of Python integers where products do not fit, shape (count,)

    Notes
    -----
    As many again as there are come from a stride over these, so that NumPy does the work.
    """
    m = recurrence.modulus
    wraps = modular.is_power_of_two(m)
    values = np.empty(count, np.uint64 if wraps or m <= 2**32 else object)
    values[0] = start
    done = 1
    while done < count:
        a, c = recurrence.stride(done)
        more = values[: min(done, count - done)] * values.dtype.type(a) + values.dtype.type(c if affine else 0)
        values[done : done + more.size] = more & np.uint64(m - 1) if wraps else more % values.dtype.type(m)
        done += more.size
    return values


class DivideAndConquer:
    """The published divide-and-conquer algorithm for the stream of a linear congruential generator.

    It is kept for comparison: `clrng.Generator` gives the same numbers faster, with no step in a single work-item and
    with stores of whole vectors.

    The stream is taken as a matrix, column after column. The host makes its first column and two vectors y and t
    (step 1), one work-item finds the last entry of each column from that of the column before (step 2), and then each
    work-item finds the other entries of one row, t_j + y_j z where z is the last entry of the column before (step 3).

    Parameters
    ----------
    bit_generator : LCG
        The stream, of any modulus, increment and output; it is moved on as values are drawn.
    queue : pyopencl.CommandQueue, optional
        Where to run. By default a new queue on the device that `clrng.choose_device` chooses.
    s : int, optional
        The length of a column, 2 or more. By default what `r` columns need.
    r : int, optional
        The number of columns, 2 or more. By default as many as are needed, and without `s` about s / 10, which the
        paper finds best.
    group : int, optional
        Work-items of a work-group. By default 256, which the paper finds best, or the most the device allows.

    Attributes
    ----------
    bit_generator : LCG
    queue : pyopencl.CommandQueue
    device : DeviceInfo
    s, r : int or None
    group : int

    Raises
    ------
    TypeError
        If an argument is of the wrong type; `bit_generator` must be an `LCG`, of which `ParkMiller` is one.
    ValueError
        If `s`, `r` or `group` is out of range.
    NoDeviceError
        If there is no device.

    Notes
    -----
    Differences from the paper: the first value is that after the seed, the last column may be cut short, modulo
    numbers other than powers of two and 2^31 - 1 every number of y and t is followed by its quotient by m, the states
    that columns go on from are kept apart from the values, the vectors are made by doubling, and long loops are split
    into several launches. y and t are kept for the next request with columns of the same length.

    References
    ----------
    P. Stpiczynski, D. Szalkowski and J. Potiopa, "Parallel GPU-accelerated recursion-based generators of pseudorandom
    numbers", Proc. Federated Conference on Computer Science and Information Systems (FedCSIS), 2012, pp. 571-578:
    equations 4 to 7, steps 1 to 3 and figure 3.

    Examples
    --------
    >>> DivideAndConquer(ParkMiller(seed=1), s=3, r=2).random_raw(5).get().tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    """

    def __init__(
        self,
        bit_generator: LCG,
        queue: cl.CommandQueue | None = None,
        s: int | None = None,
        r: int | None = None,
        group: int | None = None,
    ) -> None:
        if not isinstance(bit_generator, LCG):
            raise TypeError(f"bit_generator must be an LCG such as clrng.ParkMiller(seed=1), not {bit_generator!r}")
        self.bit_generator = bit_generator
        self.r = None if r is None else validation.integer("r", r, 2, None)
        self.s = None if s is None else validation.integer("s", s, 2, LONGEST_COLUMN)
        self.queue = check_queue(queue)
        self.device = devices.describe(self.queue.device)
        self._longest = min(LONGEST_COLUMN, self.device.largest_allocation // ROW_BYTES)
        if self.s is not None:
            validation.integer("s", s, 2, self._longest)
        most = largest_group(self.device)
        self.group = min(GROUP, most) if group is None else validation.integer("group", group, 1, most)
        self._lock = Lock()
        self._use(bit_generator.jumped(0))

    def _use(self, recurrence: LCG) -> None:
        """Take the parameters of `recurrence`."""
        if not isinstance(recurrence, LCG):
            raise TypeError(f"bit_generator must be an LCG such as clrng.ParkMiller(seed=1), not {recurrence!r}")
        self._watch = Watch(self.bit_generator)
        self._dtype = recurrence.dtype
        self._solver = Solver(self.queue, recurrence, self.group)

    def __repr__(self) -> str:
        shape = f"s={self.s}, r={self.r}, group={self.group}"
        return f"DivideAndConquer({self.bit_generator!r}, {shape}) on {self.device.name}"

    def columns(self, n: int) -> tuple[int, int]:
        """Return the length s and the number r of the columns for `n` values.

        Parameters
        ----------
        n : int
            The number of values, 0 or more.

        Raises
        ------
        TypeError
            If `n` is not an integer.
        ValueError
            If `n` is negative, or `s` and `r` were given and `n` is more than r s, or a column would be too long.
        """
        return self._columns("n", validation.integer("n", n, 0, None))

    def _columns(self, name: str, n: int) -> tuple[int, int]:
        if self.s is not None and self.r is not None and n > self.r * self.s:
            raise ValueError(
                f"{name} must have at most r * s = {self.r * self.s} values for r={self.r} and s={self.s}, not {n}; "
                f"leave out r, or make them in several calls, which continue one another"
            )
        r = self.r or max(2, isqrt(n // RATIO))
        s = self.s or max(2, -(-n // r))
        if s > self._longest:
            raise ValueError(
                f"r must be at least {-(-n // self._longest)} for {n} values in columns of at most {self._longest}, "
                f"not {r}"
            )
        return s, self.r or max(2, -(-n // s))

    def random_raw(self, size: Size | None = None, out: cla.Array | None = None) -> cla.Array:
        """Return the next raw values, those of `clrng.Generator.random_raw`.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result, filled in C order. By default that of `out`, or () for a single value.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of the values' dtype, in the context of the queue.

        Returns
        -------
        pyopencl.array.Array of ``bit_generator.dtype``
            It is `out` if that was given. It carries the event of its making, so that work PyOpenCL queues on it
            waits.

        Raises
        ------
        TypeError
            If `size` is not made of integers, or `out` is not an array.
        ValueError
            If `size` is negative, more than r s where both were given, or more than the device can allocate, or `out`
            is of another shape, dtype or context or is not contiguous.
        """
        shape = None if size is None else validation.shape("size", size)
        with self._lock:
            if self._watch.changed(self.bit_generator):
                self._use(self.bit_generator.jumped(0))
            if shape is not None:
                self._columns("size", prod(shape))
            result = results.array(self.queue, self.device, shape, self._dtype, out)
            length, _ = self._columns("out", result.size)
            self._solver.fill(result, self.bit_generator.words, length)
            self.bit_generator.advance(result.size)
        return result


def largest_group(device: devices.DeviceInfo) -> int:
    """Return the most work-items of a work-group that keep a row's numbers each in local memory."""
    limits = device.device
    return int(min(limits.max_work_group_size, limits.max_work_item_sizes[0], limits.local_mem_size // ROW_BYTES))
