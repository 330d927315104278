"""The divide-and-conquer algorithms of 2012, which are there for comparison: their front end, and their three steps."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt, prod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import RAW, Transform
from clrng.documented import complete
from clrng.errors import UnsupportedError
from clrng.frontends.distribution_methods import DRAWING
from clrng.frontends.drawing import Drawing, Queue, Size, check_bit_generator
from clrng.generators import LCG, BitGenerator, LaggedFibonacci, source
from clrng.generators.arithmetic import ARITHMETICS, quotient_bits
from clrng.generators.base import Words
from clrng.generators.congruential import LCGCode
from clrng.generators.families import code_for, family_of
from clrng.generators.generator_code import CTYPES
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.generators.maths.number_theory import is_power_of_two
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, devices
from clrng.opencl.kernel import Kernel, cached_method, launches, whole_groups
from clrng.opencl.templates import prelude, render
from clrng.opencl.traits import LONGEST_LOOP
from clrng.proof.prove import check_fill, prove

Array = npt.NDArray[Any]
Events = list[cl.Event]

COLUMNS, ODD = 3, 5
"""The number of whole columns with which kernels are proved, and by how much each is longer than two work-groups."""

ROW_BYTES = 32
"""The maximum bytes of the numbers of a row: y, t and a quotient of each, of 64 bits."""

COMBINE: dict[str, Callable[..., Array]] = {"+": np.add, "-": np.subtract, "xor": np.bitwise_xor}
"""The ops under which a recurrence is linear: over the integers modulo 2^M, or over the bits."""

LONGEST_SUMS = 2**15
"""The maximum turns that all loops of a work-item of step 3 take together for lagged Fibonacci generators: half of
those after which some drivers end loops, see `clrng.opencl.traits.LONGEST_LOOP`, as a single value takes many turns."""

LARGE_PRODUCT = 1000
"""The host extends a sequence by equation 10 where the product of the lags is less, else stretch by stretch: whichever
was faster."""

MAX_MASKED = 2**20
"""The maximum number of words that the host masks at a time, which bounds its memory."""

BEST_GROUP_SIZE, BEST_RATIO = 256, 10
"""The work-group size, and the column length over the number of columns, that the paper finds best."""

LONGEST_COLUMN = 2**31


@dataclass
class Matrix:
    """The columns of s = `length` entries that a request for `out` is cut into, one after another.

    There are `whole` columns of this length, and after these one of `rest` entries, which may be 0.
    """

    out: cla.Array
    length: int
    numbers: cl.Buffer | None  # What step 1 has made beside the first column; None where there is one column
    z: cl.Buffer | None  # The states that columns go on from; None before they are there
    first_state: int  # Where in `z` the last entries of the first column begin
    last: Array | None = None  # The last p entries of the first column of a lagged Fibonacci generator, or all it has

    def __post_init__(self) -> None:
        self.whole, self.rest = divmod(int(self.out.size), self.length)

    def offset(self, column: int) -> int:
        """Return where a column begins in the buffer of `out`, in values."""
        return int(self.out.offset) // self.out.dtype.itemsize + column * self.length

    def launches(self, limit: int) -> Iterator[tuple[int, int, int]]:
        """Yield the first column of each launch, how many whole ones it has, and how many entries of the next one."""
        end = self.whole + (self.rest > 0)
        for first, n in launches(1, end, limit):
            yield first, min(n, self.whole - first), self.rest if first + n > self.whole else 0


class Steps(ABC):
    """The three steps for one recurrence, whose state is not used, on one queue, in work-groups of `group`."""

    shortest: int  # The minimum length of a column
    kernels: ClassVar[tuple[str, ...]]  # Their names in the program

    def __init__(self, queue: cl.CommandQueue, recurrence: Any, group: int) -> None:
        self._queue, self._recurrence = queue, recurrence
        self._group = group
        self._numbers = cached_method(self._make_numbers, 1)
        self._kernels: dict[str, Kernel] = {}

    @staticmethod
    @abstractmethod
    def largest_group(device: devices.DeviceInfo, recurrence: Any) -> int:
        """Return the maximum work-group size, or raise an UnsupportedError if the algorithm cannot be used at all."""

    @abstractmethod
    def _text(self) -> str:
        """Return the program with the `kernels`."""

    @abstractmethod
    def _make_numbers(self, length: int) -> Any:
        """Return what step 1 makes of the parameters and the length of a column alone."""

    @abstractmethod
    def step_1(self, out: cla.Array, words: Words, length: int) -> tuple[Matrix, Events]:
        """Make the first column and the numbers that the other steps need on the host, and store that column's values.

        `out` is contiguous, of the values' dtype, in the queue's context, and not empty; its values follow the state
        `words`. Return the matrix and what the other steps have to wait for.
        """

    @abstractmethod
    def step_2(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the last entries of each column, one column after the other; return what to wait for."""

    def step_3(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the other entries of all columns but the first, a row a work-item; return what to wait for."""
        length, p = matrix.length, self._recurrence.order
        for first, columns, rest in matrix.launches(self._columns_of_a_launch()):
            states = matrix.z, matrix.first_state + (first - 1) * p
            places = matrix.out.base_data, matrix.offset(first), columns, rest
            rows = max(length - p if columns else 0, rest)
            wait_for = self._launch("step_3", rows, wait_for, matrix.numbers, length, *states, *places)
        return wait_for

    def _columns_of_a_launch(self) -> int:
        """Return the maximum number of columns of a launch of step 3, in which loops may not be long."""
        return LONGEST_LOOP

    def _kernel(self, name: str) -> Kernel:
        if not self._kernels:
            text = self._text()
            self._kernels = {kernel: Kernel(self._queue.context, text, kernel) for kernel in self.kernels}
        return self._kernels[name]

    def _launch(self, name: str, items: int, wait_for: Events, *arguments: Any) -> Events:
        """Launch one work-item for each of `items`, in whole work-groups."""
        kernel = self._kernel(name)
        group = min(self._group, kernel.largest_group)
        return [kernel(self._queue, whole_groups(items, group), group, *arguments, wait_for=wait_for)]

    def _buffer(self, words: Array) -> Any:
        """Return the memory of a copy of `words` on the device."""
        return arrays.upload(self._queue, words).base_data

    def forget(self) -> None:
        """Forget the numbers of step 1, which are cached for the next request with columns of the same length."""
        self._numbers.cache_clear()

    def fill(self, out: cla.Array, words: Words, length: int) -> None:
        """Fill `out` as `step_1` has it; kernels that make wrong values raise an error before anything is written."""
        if out.size == 0:
            return
        kernels = [self._kernel(name) for name in self.kernels]
        if not all(kernel.proved for kernel in kernels):
            prove(self._queue, kernels, lambda own: type(self)(own, self._recurrence, self._group).check())
        self._fill(out, words, length)

    def _fill(self, out: cla.Array, words: Words, length: int) -> None:
        matrix, events = self.step_1(out, words, length)
        for step in (self.step_2, self.step_3):
            events = step(matrix, events)
        arrays.attach_event(self._queue, out, events[-1])

    def check(self) -> None:
        """Check short columns, of which the last is cut off, with several work-groups in each."""
        length = max(self.shortest, 2 * self._group) + ODD
        n = COLUMNS * length + ODD

        def make(out: cla.Array, offset: int, some: int, start: BitGenerator) -> None:
            self._fill(out[offset : offset + some], start.words, length)

        check_fill(self._queue, self._recurrence, RAW, make, n, [length * column for column in range(COLUMNS + 1)])


class CongruentialSteps(Steps):
    """The three steps for a congruential generator: equations 4 to 7."""

    shortest = 2
    kernels = ("step_1", "step_2", "step_3")
    _recurrence: LCG

    def __init__(self, queue: cl.CommandQueue, recurrence: LCG, group: int) -> None:
        super().__init__(queue, recurrence, group)
        self._code = code_for(recurrence, ARITHMETICS["integer"])

    @staticmethod
    def largest_group(device: devices.DeviceInfo, recurrence: LCG) -> int:  # noqa: ARG004, D102  # as inherited
        limits = device.device
        return int(min(limits.max_work_group_size, limits.max_work_item_sizes[0], limits.local_mem_size // ROW_BYTES))

    def _text(self) -> str:
        values = {"group_size": self._group, "stride_words": len(self._code.stride(1))}
        return source.kernel("baselines/divide_and_conquer.cl.mako", self._code, RAW, 1, values)

    def numbers(self, length: int) -> Array:
        """Return y and t, each followed by its quotients where the arithmetic needs them, shape (k, length).

        Column j has the words of the stride of j + 1 steps: x -> y_j x + t_j. There is no t where c is 0.
        """
        recurrence = self._recurrence
        rows = [sequence(recurrence, recurrence.multiplier, length, affine=False)]
        if recurrence.increment:
            rows.append(sequence(recurrence, recurrence.increment, length))
        if len(self._code.stride(1)) > len(rows):
            shift = quotient_bits(recurrence.modulus)
            rows = [words for row in rows for words in (row, (row << shift) // recurrence.modulus)]
        return np.array([row.astype(self._code.word) for row in rows])

    def _make_numbers(self, length: int) -> Any:
        return self._buffer(self.numbers(length))

    def step_1(self, out: cla.Array, words: Words, length: int) -> tuple[Matrix, Events]:
        """Do the same; `z` has the states of the first column, and room for the last state of every whole one after."""
        rows, columns = min(length, out.size), max(out.size // length, 1)
        (first,) = self._recurrence.step(words)
        states = np.zeros(rows + columns - 1, self._code.word)
        states[:rows] = sequence(self._recurrence, first, rows)
        numbers = self._numbers(length) if out.size > length else None
        matrix = Matrix(out, length, numbers, self._buffer(states), length - 1)
        return matrix, self._launch("step_1", rows, out.events, matrix.z, out.base_data, matrix.offset(0), rows)

    def step_2(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find the last entry of each column, one after the other in one work-item; return what to wait for."""
        length, out = matrix.length, matrix.out.base_data
        for first, columns in launches(1, matrix.whole, LONGEST_LOOP):
            before, end = matrix.first_state + first - 1, matrix.offset(first) + length - 1
            arguments = (matrix.numbers, length, matrix.z, before, out, end, columns)
            wait_for = [self._kernel("step_2")(self._queue, 1, 1, *arguments, wait_for=wait_for)]
        return wait_for


def sequence(recurrence: LCG, start: int, count: int, *, affine: bool = True) -> Array:
    """Return `start` and what follows it under x -> a x + c mod m, or a x if not `affine`; `count` numbers.

    They are uint64, or integers of Python where products do not fit. The sequence is doubled again and again: with k
    numbers known, a stride of k steps from each gives k more.
    """
    m = recurrence.modulus
    wraps = is_power_of_two(m)
    values = np.empty(count, np.uint64 if wraps or m <= 2**32 else object)
    values[0] = start
    done = 1
    while done < count:
        a, c = recurrence.stride(done)
        more = values[: min(done, count - done)] * values.dtype.type(a) + values.dtype.type(c if affine else 0)
        values[done : done + more.size] = more & np.uint64(m - 1) if wraps else more % values.dtype.type(m)
        done += more.size
    return values


class LaggedSteps(Steps):
    """The three steps for a lagged Fibonacci generator: equations 8 to 10.

    Words are computed modulo 2^32 or 2^64; what makes values of words drops the bits beyond a smaller modulus.
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
        words = limits.local_mem_size // itemsize
        if recurrence.order >= words:
            raise UnsupportedError(
                f"bit_generator.lags must be at most {words - 1} for a piece of y in the {limits.local_mem_size} bytes "
                f"of local memory of {device.name}, not {recurrence.lags}"
            )
        return int(min(limits.max_work_group_size, limits.max_work_item_sizes[0], words - recurrence.order))

    def _text(self) -> str:
        recurrence, output = self._recurrence, self._recurrence.output
        return prelude() + render(
            "baselines/divide_and_conquer_lagged.cl.mako",
            word=CTYPES[recurrence.word_dtype.name],
            out=CTYPES[recurrence.dtype.name],
            shift=output.shift if output else 0,
            mask=2**output.bits - 1 if output else recurrence.modulus - 1,
            lags=recurrence.lags,
            order=recurrence.order,
            combine={"+": "+", "-": "-", "xor": "^"}[recurrence.op],
            masked=recurrence.op == "xor",
            group_size=self._group,
        )

    def extended(self, words: Array, count: int) -> Array:
        """Return `words` and the `count` words after them, computed by NumPy.

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
        """Return p zeros and `length` words y_0 = 1, y_j = y_{j-p1} op y_{j-p2}; for xor all bits of one are alike."""
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
        """Store `words`, columns of `length` words, as values: the first from `offset` on, each a column further."""
        if words.size == 0:
            return wait_for
        arguments = (self._buffer(words), length, words.size, matrix.out.base_data, offset, matrix.length)
        return self._launch("store", words.size, wait_for, *arguments)

    def step_1(self, out: cla.Array, words: Words, length: int) -> tuple[Matrix, Events]:  # noqa: D102
        p = self._recurrence.order
        rows = min(length, int(out.size))
        column = self.extended(np.array(words, np.uint64).astype(self._word), rows)
        numbers = self._numbers(length)[0] if out.size > length else None
        matrix = Matrix(out, length, numbers, None, 0, column[-p:])
        return matrix, self._store(column[p:], rows, matrix, matrix.offset(0), out.events)

    def step_2(self, matrix: Matrix, wait_for: Events) -> Events:
        """Find `z`, the last p entries of each column, on the host, one column after the other, by equation 10."""
        if matrix.numbers is None:
            return wait_for
        p, length = self._recurrence.order, matrix.length
        entries = np.empty((matrix.whole, p), self._word)
        entries[0] = matrix.last
        lags, y, op = self._recurrence.lags, self._numbers(length)[1], self._recurrence.op
        (one, first), (other, second) = ((y[:, :lag], p - lag) for lag in lags)
        combine, add = COMBINE[op], masked if op == "xor" else np.dot
        for before, column in pairwise(entries):
            combine(add(one, before[first:]), add(other, before[second:]), out=column)
        matrix.z = self._buffer(entries)
        return self._store(entries[1:].reshape(-1), p, matrix, matrix.offset(2) - p, wait_for)

    def _columns_of_a_launch(self) -> int:
        """Return the maximum: each column takes p1 + p2 turns of a work-item, and reading y at most p + 1."""
        return max(1, (LONGEST_SUMS - self._recurrence.order - 2) // (sum(self._recurrence.lags) + 3))


def masked(y: Array, z: Array) -> Array:
    """Return for each row of `y` the xor of what its masks leave of `z`."""
    rows = max(1, MAX_MASKED // z.size)
    parts = [np.bitwise_xor.reduce(y[i : i + rows] & z, axis=1) for i in range(0, len(y), rows)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def steps_of(bit_generator: Any) -> Any:
    """Return the class of the steps for the recurrence of `bit_generator`, or raise a TypeError if there is none."""
    of_code: dict[Any, Any] = {LCGCode: CongruentialSteps, LaggedFibonacciCode: LaggedSteps}
    found = of_code.get(family_of(check_bit_generator(bit_generator)).code)
    if found is None:
        raise TypeError(
            f"bit_generator must be an LCG such as clrng.ParkMiller(seed=1), or a LaggedFibonacci, not "
            f"{validation.shown(bit_generator)}"
        )
    return found


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

    queue = Attribute[cl.CommandQueue](
        "The queue, which cannot be changed.",
        "DivideAndConquer(solver.bit_generator, queue) goes on with the same stream on another",
    )
    s = Attribute[int | None]("The length of a column, or None where it is chosen for each request.")
    r = Attribute[int | None]("The number of columns, or None where it is chosen for each request.")
    group = Attribute[int]("Work-items of a work-group.")

    def __init__(
        self, bit_generator: LCG | LaggedFibonacci, queue: Queue | None = None, s: int | None = None,
        r: int | None = None, group: int | None = None,
    ) -> None:  # fmt: skip
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

        Returns
        -------
        s, r : int

        Raises
        ------
        TypeError
            If `n` is not an integer.
        ValueError
            If `n` is negative, or `s` and `r` were given and `n` is more than r s, or a column would be too long.

        Examples
        --------
        >>> import clrng
        >>> clrng.DivideAndConquer(clrng.ParkMiller(seed=1), s=4, r=5).columns(20)
        (4, 5)
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
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of the values' dtype, in the context of the queue.

        Raises
        ------
        ValueError
            If `out` is not contiguous, or there are more than r s values where both were given.

        Examples
        --------
        >>> import clrng
        >>> print(clrng.DivideAndConquer(clrng.ParkMiller(seed=1)).random_raw(3))
        [     16807  282475249 1622650073]
        """
        return self._draw(RAW, size, out)

    complete(random_raw, DRAWING)
