"""The divide-and-conquer algorithms of 2012, kept by name for comparison, and that for congruential generators."""

from math import isqrt, prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import RAW, Transform
from clrng.fill.plan import LONGEST_LOOP, launches
from clrng.frontends.arguments import Queue, Size, check_bit_generator
from clrng.frontends.baselines.divide_and_conquer_lagged import LaggedSolver
from clrng.frontends.baselines.divide_and_conquer_steps import Events, Matrix, Steps
from clrng.frontends.draws.drawing import Drawing
from clrng.generators import LCG, BitGenerator, LaggedFibonacci, modular, source
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.base import Words
from clrng.generators.congruential import LCGCode
from clrng.generators.families import code_for, family_of
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.opencl import devices

BEST_GROUP_SIZE = 256
"""The work-group size that the paper finds best."""

BEST_RATIO = 10
"""The column length over the number of columns that the paper finds best."""

LONGEST_COLUMN = 2**31

ROW_BYTES = 32
"""The most bytes of the numbers of a row: y, t and a quotient of each, of 64 bits."""


class Solver(Steps):
    """The three steps, for one congruential generator on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    recurrence : LCG
        Gives the parameters; its state is not looked at.
    group : int
        Work-items of a work-group.
    """

    shortest = 2
    kernels = ("step_1", "step_2", "step_3")
    _recurrence: LCG

    def __init__(self, queue: cl.CommandQueue, recurrence: LCG, group: int) -> None:
        super().__init__(queue, recurrence, group)
        self._code = code_for(recurrence, ARITHMETICS["integer"])

    @staticmethod
    def largest_group(device: devices.DeviceInfo, recurrence: LCG) -> int:  # noqa: ARG004, D102  # as inherited
        return largest_group(device)

    def _text(self) -> str:
        values = {"group_size": self._group, "stride_words": len(self._code.stride(1))}
        return source.kernel("baselines/divide_and_conquer.cl.mako", self._code, RAW, 1, values)

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
        if len(self._code.stride(1)) > len(rows):
            shift = modular.quotient_bits(recurrence.modulus)
            rows = [words for row in rows for words in (row, (row << shift) // recurrence.modulus)]
        return np.array([row.astype(self._code.word) for row in rows])

    def _make_numbers(self, length: int) -> Any:
        return self._buffer(self.numbers(length))

    def step_1(self, out: cla.Array, words: Words, length: int) -> tuple[Matrix, Events]:
        """Make y, t and the first column on the host, copy them to the device, and store the values of that column.

        The `z` of the matrix has the states of the first column, and room for the last state of every whole column
        after it.
        """
        rows, columns = min(length, out.size), max(out.size // length, 1)
        (first,) = self._recurrence.step(words)
        states = np.zeros(rows + columns - 1, self._code.word)
        states[:rows] = sequence(self._recurrence, first, rows)
        numbers = self._numbers(length) if out.size > length else None
        matrix = Matrix(out, length, numbers, self._buffer(states))
        return matrix, self._launch("step_1", rows, out.events, matrix.z, out.base_data, matrix.offset(0), rows)

    def step_2(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the last entry of each column, one after the other in one work-item; return what to wait for."""
        length, out = matrix.length, matrix.out.base_data
        for first, columns in launches(1, matrix.whole, LONGEST_LOOP):
            before, end = length + first - 2, matrix.offset(first) + length - 1
            arguments = (matrix.numbers, length, matrix.z, before, out, end, columns)
            wait_for = [self._kernel("step_2")(self._queue, 1, 1, *arguments, wait_for=wait_for)]
        return wait_for

    def step_3(self, matrix: Matrix, wait_for: Events) -> Events:  # noqa: D102  # as inherited
        length, out = matrix.length, matrix.out.base_data
        for first, columns, rest in matrix.launches(LONGEST_LOOP):
            arguments = (matrix.numbers, length, matrix.z, length + first - 2, out, matrix.offset(first), columns, rest)
            wait_for = self._launch("step_3", length - 1, wait_for, *arguments)
        return wait_for


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
    The sequence is doubled again and again, in NumPy: with k numbers known, a stride of k steps from each gives k more.
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


class DivideAndConquer(Drawing):
    """The published divide-and-conquer algorithm for a congruential or an additive lagged Fibonacci generator.

    It is kept for comparison. `clrng.Generator` gives the same numbers faster: none of its steps is left to a single
    work-item, and it stores whole vectors.

    The stream is taken as a matrix, column after column. For an `LCG` the host makes its first column and two vectors
    y and t (step 1), one work-item finds the last entry of each column from that of the column before (step 2), and
    then each work-item finds the other entries of one row, t_j + y_j z where z is the last entry of the column before
    (step 3).

    For a `LaggedFibonacci` of lags p1 and p2, the larger p, the host makes the first column and one vector y (step 1)
    and finds the last p entries of each column from those of the column before (step 2), and then each work-item finds
    the other entries of one row, two sums of p1 and p2 products of y and those entries (step 3).

    Parameters
    ----------
    bit_generator : LCG or LaggedFibonacci
        The stream; it is moved on as values are drawn. An LCG may have any modulus and increment, a lagged Fibonacci
        generator has a power of two and one of the ops ``"+"``, ``"-"`` and ``"xor"``; any output.
    queue : optional
        As for `Generator`.
    s : int, optional
        The length of a column, 2 or more, and for lagged Fibonacci generators more than p. By default as long as `r`
        columns have to be for each request.
    r : int, optional
        The number of columns, 2 or more. By default as many as are needed, and without `s` about s / 10, which the
        paper finds best.
    group : int, optional
        Work-items of a work-group. By default 256, which the paper finds best, or the most the device allows.

    Attributes
    ----------
    bit_generator : LCG or LaggedFibonacci
    queue : pyopencl.CommandQueue
    device : DeviceInfo
    s, r : int or None
    group : int

    Raises
    ------
    TypeError
        If an argument is of the wrong type; `bit_generator` must be an `LCG`, of which `ParkMiller` is one, or a
        `LaggedFibonacci`.
    ValueError
        If `s`, `r` or `group` is out of range.
    UnsupportedError
        If a lagged Fibonacci generator is not linear, its modulus is no power of two, or its lags are so large that the
        piece of y of a work-group does not fit the device's local memory; it is a `ValueError` too.
    NoDeviceError
        If there is no device, or none that matches.
    ForkError
        If this process was forked from one that had used OpenCL.

    Notes
    -----
    Differences from the paper: the first value is that after the seed or the state, the last column may be cut short,
    modulo numbers other than powers of two and 2^31 - 1 every number of y and t is followed by its quotient by m, the
    states that columns go on from are kept apart from the values, the vectors are made by doubling or in stretches,
    and long loops are split into several launches. y and t are kept for the next request with columns of the same
    length.

    For lagged Fibonacci generators the paper has x_i = x_{i-p1} + x_{i-p2} with p1 < p2 < r, s. With op for + and the
    lags in any order, y_0 = 1 and y_j = y_{j-p1} op y_{j-p2}, entry j of a column that follows the entries x_{-p}, ...,
    x_{-1} is

        sum_{k=0}^{p1-1} x_{k-p1} y_{j-k}  op  sum_{k=0}^{p2-1} x_{k-p2} y_{j-k},

    which is equation 10 with a sign where that is -; for xor sums and products are of bits. A column must be longer
    than p; that there are more columns than p is not needed.

    References
    ----------
    P. Stpiczynski, D. Szalkowski and J. Potiopa, "Parallel GPU-accelerated recursion-based generators of pseudorandom
    numbers", Proc. Federated Conference on Computer Science and Information Systems (FedCSIS), 2012, pp. 571-578:
    equations 4 to 7, steps 1 to 3 and figure 3 for the congruential, equations 8 to 10 and figure 4 for the lagged
    Fibonacci generators.

    Examples
    --------
    >>> import clrng
    >>> clrng.DivideAndConquer(clrng.ParkMiller(seed=1), s=3, r=2).random_raw(5).get().tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    >>> bits = clrng.LaggedFibonacci((1, 2), "+", state=[0, 1])
    >>> clrng.DivideAndConquer(bits, s=4, r=3).random_raw(10).get().tolist()
    [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
    """

    _elsewhere = "DivideAndConquer(solver.bit_generator, queue) goes on with the same stream on another"

    def __init__(
        self,
        bit_generator: LCG | LaggedFibonacci,
        queue: Queue | None = None,
        s: int | None = None,
        r: int | None = None,
        group: int | None = None,
    ) -> None:
        solver_of(bit_generator)
        self._r = None if r is None else validation.integer("r", r, 2, None)
        self._s = None if s is None else validation.integer("s", s, 2, LONGEST_COLUMN)
        self._requested = group
        super().__init__(bit_generator, queue)

    @property
    def s(self) -> int | None:
        """The length of a column, or None where it is chosen for each request."""
        return self._s

    @property
    def r(self) -> int | None:
        """The number of columns, or None where it is chosen for each request."""
        return self._r

    @property
    def group(self) -> int:
        """Work-items of a work-group."""
        return self._group

    def _use(self, recurrence: BitGenerator) -> None:
        solver = solver_of(recurrence)
        most, group = solver.largest_group(self.device, recurrence), self._requested
        group = min(BEST_GROUP_SIZE, most) if group is None else validation.integer("group", group, 1, most)
        made = solver(self.queue, recurrence, group)
        longest = min(LONGEST_COLUMN, self.device.largest_allocation // ROW_BYTES)
        if self.s is not None:
            validation.integer("s", self.s, made.shortest, longest)
        self._group, self._longest, self._solver = group, longest, made

    def _options(self) -> dict[str, Any]:
        return {"s": self.s, "r": self.r, "group": self._requested}

    def _check_shape(self, shape: tuple[int, ...]) -> None:
        self._columns("size", prod(shape))

    def _fill(self, transform: Transform, result: cla.Array, start: BitGenerator) -> None:  # noqa: ARG002
        length, _ = self._columns("out", result.size)
        self._solver.fill(result, start.words, length)

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
        r = self.r or max(2, isqrt(n // BEST_RATIO))
        s = self.s or max(self._solver.shortest, -(-n // r))
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
        BuildError
            If the device's compiler refuses the kernels. The stream has not moved then.
        """
        return self._draw(RAW, size, out)


SOLVERS: dict[type[GeneratorCode], type[Steps]] = {LCGCode: Solver, LaggedFibonacciCode: LaggedSolver}
"""The three steps for the families of each kind of code."""


def solver_of(bit_generator: Any) -> Any:
    """Return the `Steps` that solve the recurrence of `bit_generator`.

    Raises
    ------
    TypeError
        If there are none.
    """
    solver = SOLVERS.get(family_of(check_bit_generator(bit_generator)).code)
    if solver is None:
        raise TypeError(
            f"bit_generator must be an LCG such as clrng.ParkMiller(seed=1), or a LaggedFibonacci, not "
            f"{validation.shown(bit_generator)}"
        )
    return solver


def largest_group(device: devices.DeviceInfo) -> int:
    """Return the most work-items of a work-group that keep a row's numbers each in local memory."""
    limits = device.device
    return int(min(limits.max_work_group_size, limits.max_work_item_sizes[0], limits.local_mem_size // ROW_BYTES))
