"""The front end of the divide-and-conquer algorithms of 2012, which are there for comparison."""

from math import isqrt, prod
from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import RAW, Transform
from clrng.frontends.baselines.divide_and_conquer_steps import ROW_BYTES, Steps, steps_of
from clrng.frontends.drawing import Drawing, Fixed, Queue, Size
from clrng.generators import LCG, BitGenerator, LaggedFibonacci

BEST_GROUP_SIZE = 256
"""The work-group size that the paper finds best."""

BEST_RATIO = 10
"""The column length over the number of columns that the paper finds best."""

LONGEST_COLUMN = 2**31


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
        Work-items of a work-group. By default 256, which the paper finds best, or the maximum of the device if less.

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
    NoDeviceError, ForkError
        As for `Generator`.

    Notes
    -----
    Differences from the paper: the first value is that after the seed or the state, the last column may be cut short,
    modulo numbers other than powers of two and 2^31 - 1 every number of y and t is followed by its quotient by m, the
    states that columns go on from are kept apart from the values, the vectors are made by doubling or in stretches,
    and long loops are split into several launches. y and t are cached for the next request with columns of the same
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

    queue = Fixed[cl.CommandQueue](
        "The queue, which cannot be changed.",
        "DivideAndConquer(solver.bit_generator, queue) goes on with the same stream on another",
    )
    s = Fixed[int | None]("The length of a column, or None where it is chosen for each request.")
    r = Fixed[int | None]("The number of columns, or None where it is chosen for each request.")
    group = Fixed[int]("Work-items of a work-group.")

    def __init__(
        self,
        bit_generator: LCG | LaggedFibonacci,
        queue: Queue | None = None,
        s: int | None = None,
        r: int | None = None,
        group: int | None = None,
    ) -> None:
        steps_of(bit_generator)
        self._r = None if r is None else validation.integer("r", r, 2, None)
        self._s = None if s is None else validation.integer("s", s, 2, LONGEST_COLUMN)
        self._requested = group
        super().__init__(bit_generator, queue)

    def _use(self, recurrence: BitGenerator) -> None:
        steps = steps_of(recurrence)
        limit, group = steps.largest_group(self.device, recurrence), self._requested
        group = min(BEST_GROUP_SIZE, limit) if group is None else validation.integer("group", group, 1, limit)
        made: Steps = steps(self.queue, recurrence, group)
        longest = min(LONGEST_COLUMN, self.device.largest_allocation // ROW_BYTES)
        if self.s is not None:
            validation.integer("s", self.s, made.shortest, longest)
        self._group, self._longest, self._steps = group, longest, made

    def _options(self) -> dict[str, Any]:
        return {"s": self.s, "r": self.r, "group": self._requested}

    def _check_shape(self, shape: tuple[int, ...]) -> None:
        self._columns("size", prod(shape))

    def _fill(self, transform: Transform, result: cla.Array, start: BitGenerator, runs: Any = None) -> None:  # noqa: ARG002
        length, _ = self._columns("out", result.size)
        self._steps.fill(result, start.words, length)

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
        s = self.s or max(self._steps.shortest, -(-n // r))
        if s > self._longest:
            raise ValueError(
                f"r must be at least {-(-n // self._longest)} for {n} values in columns of at most {self._longest}, "
                f"not {r}"
            )
        return s, self.r or max(2, -(-n // s))

    def random_raw(self, size: Size = None, out: cla.Array | None = None) -> cla.Array:
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
        TypeError, ValueError, BuildError
            As for `Generator`; or if `out` is not contiguous, or there are more than r s values where both were given.
        """
        return self._draw(RAW, size, out)
