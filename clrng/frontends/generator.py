"""The front ends of one exact stream on a device, and of one process's pieces of it."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from math import prod
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from numpy.random.bit_generator import ISeedSequence

from clrng import validation
from clrng.cuda.foreign import filled
from clrng.distributions import Transform
from clrng.distributions.by_element import Look
from clrng.distributions.distribution import Continuous, Distribution
from clrng.fill.executor import executor_for
from clrng.fill.jump_tree import Reached
from clrng.fill.locate import build_locate, locate, on_device, rows_of
from clrng.fill.repeated import MAX_CALLS, Again, Calls
from clrng.frontends.draw_methods import MAX_BYTES, DrawMethods, are_unchanging, refused_orders
from clrng.frontends.drawing import Allocator, Piece, Queue, Size, check_bit_generator, check_dtype, on_queue
from clrng.frontends.looks import LookOnDevice, checked
from clrng.frontends.numpy_streams.positions import of_numpy
from clrng.frontends.order_methods import OrderMethods
from clrng.frontends.permutations import Permuter
from clrng.frontends.vector_methods import VectorMethods
from clrng.generators import PCG64, BitGenerator
from clrng.generators.arithmetic import check_name
from clrng.generators.families import code_for, select
from clrng.generators.parameters import Attribute
from clrng.generators.seeding import checked as checked_seed
from clrng.opencl import arrays
from clrng.opencl.arrays import is_foreign
from clrng.opencl.kernel import check_process
from clrng.order.copies import Picks, build, move
from clrng.validation import shown

if TYPE_CHECKING:
    from typing_extensions import Self

WITHOUT_SIZE = "size must be given, as the shape of the whole array of which a rank draws a piece, not None"
"""The error of a rank where neither `size` nor arrays of parameters give the shape."""

WHOLE = "Generator(rng.bit_generator, rng.queue)"
"""What draws whole arrays, in errors of a rank."""


class Generator(OrderMethods, VectorMethods):
    """Random numbers on an OpenCL device: the exact sequential stream of a bit generator.

    Every call continues where the last one ended. The numbers depend on the bit generator alone: not on the device,
    the arithmetic, the launch geometry, or how a request is cut into calls. Every value of a call takes the same
    number of steps of the stream. That is one step, unless the method or the notes say otherwise.

    Parameters
    ----------
    bit_generator : BitGenerator
        The stream; the generator moves it on as it draws.
    queue : pyopencl.CommandQueue, Device or Context, DeviceInfo, int or str, optional
        Where to run: a queue; or a device, a context of one device, or anything else that `clrng.choose_device` takes,
        for a new queue on that device. By default a new queue on the device that `clrng.choose_device` chooses.
    arithmetic : str, optional
        A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one.
    allocator : callable, "pool" or "cuda", optional
        What gives the memory of the arrays that are returned. ``"cuda"`` is memory on an NVIDIA GPU that CUDA's
        libraries use too, without a copy. ``"pool"`` is a ``pyopencl.tools.MemoryPool`` of the queue. Other allocators
        of PyOpenCL must be of the queue's context. A pool hands out the memory of an array again as soon as the array
        is dropped, even if commands still use it. So in a queue that runs commands in any order, a call waits for all
        commands queued there before. Ordering other uses of such memory is up to you: those in another queue, and those
        by arrays that PyOpenCL itself takes from the pool, as for ``result + 1``.
        By default memory is used again only when all commands that use it have ended, in all queues. At most
        2^28 bytes, or 1/32 of the device's memory, are kept for that, in parts of at most a quarter.

    Attributes
    ----------
    bit_generator : BitGenerator
    allocator : callable or None
    queue : pyopencl.CommandQueue
        It cannot be changed. To go on in another queue, make another generator of the same `bit_generator`.
    device : DeviceInfo
    arithmetic : str
        The name of the arithmetic in use.

    Raises
    ------
    TypeError
        If an argument is of the wrong type, or there is no device code for the class of `bit_generator`.
    ValueError
        If `arithmetic` is unknown or `queue` a context of several devices.
    UnsupportedError
        If the arithmetic is not exact on the device, or CUDA cannot share its memory; it is a `ValueError` too.
    NoDeviceError
        If there is no device, or none that matches.
    ForkError
        If this process was forked from one that had used OpenCL. Start processes with the method ``"spawn"``.

    Notes
    -----
    Kernels are built at the first call that needs them, and shared by generators of the same parameters, arithmetic
    and queue.

    All methods that draw take `size`, `dtype` and `out`, and make values in C order. ``out`` is one of these:

    - An array of `dtype` in the context of the generator's queue, or a slice of one, such as ``a[2:5, ::2]`` or
      ``a.T``.
    - An array of NumPy or a slice of one. If it is contiguous, a processor fills it in place.
    - The class ``numpy.ndarray``, for a new array of NumPy.
    - An array of another library with DLPack or the CUDA array interface. One on the host is filled as NumPy's are. One
      of CUDA must be on the same GPU. If clrng shares its memory, it is filled in place; if not, it must be
      C-contiguous, and values are copied on the device.

    These methods return a `clrng.Array`, or `out` if that was given. The array carries the event of its making, so that
    work that PyOpenCL queues on it waits. Numbers of 16 bits that are too large are infinite. If a call raises an
    error, the stream has not moved.

    Real numbers are the inverse of the distribution function at (X + 1/2)/N, where X is the raw value counted from 0,
    and N the number of raw values. As float32 they take one step of the stream. As float64 they take two where raw
    values have at most 32 bits, and X is made of both. Standard values are multiplied by `scale`, 0 or more, and `loc`
    or the mode `mu` is added. The first use of a shape parameter makes a table, in some 10 to 100 ms, and caches it; no
    kernel is built for it.

    Parameters may be arrays on the host or the device, which are broadcast to the shape of the result. Each element has
    the value that a call with its own parameters would give; with arrays of shapes, and with many parameters of float32
    `beta` and `f`, it may have other last bits. The page about distributions says how near the values are, and how
    fast they are made.

    A value of a discrete distribution is the smallest k for which X/N is below the distribution function at k. Here X
    is a number below N made of one raw value or, where raw values have at most 32 bits, of two. So k is drawn for
    T(k - 1) <= X < T(k), where the threshold T(k) is N times the distribution function at k, rounded up. Each
    probability is off by less than 1/N. Values whose cumulated probability is less than 1/N are not drawn. If the
    values spread over more than 2^22 integers, the distribution is refused with a `ValueError`, but not `poisson`,
    `zipf` and `geometric`, whose values the host then makes.

    Threads may share a generator: each call takes its own piece of the stream. Two generators of one bit generator may
    be used in turn, but not by two threads at once.

    A pickle of a generator keeps its bit generator and the arithmetic that was asked for. The unpickled generator runs
    on the device that `clrng.choose_device` chooses there.

    Examples
    --------
    >>> import clrng
    >>> rng = clrng.Generator(clrng.ParkMiller(seed=1))
    >>> rng.random_raw(5).get().tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    """

    allocator = Allocator()

    _takes_slices = True
    _legal_out = "a pyopencl.array.Array, an array of NumPy or the class numpy.ndarray"
    queue = Attribute[cl.CommandQueue](
        "The queue, which cannot be changed.",
        "Generator(rng.bit_generator, queue) goes on with the same stream on another",
    )

    def __init__(
        self, bit_generator: BitGenerator, queue: Queue | None = None, arithmetic: str = "auto", allocator: Any = None
    ) -> None:
        check_bit_generator(bit_generator)
        self._requested = check_name(arithmetic)
        super().__init__(bit_generator, queue)
        self._look = LookOnDevice(self._queue)
        self._last: tuple[str, tuple[int, ...]] | None = None  # The last call with arrays, and the shape of its values
        self.allocator = allocator

    def _use(self, recurrence: BitGenerator) -> None:
        code = code_for(recurrence, select(self._requested, self.device, recurrence))
        self._executor = executor_for(self.queue, self.device, code)
        self._reached = Reached()
        self._fill = partial(self._executor.fill, reached=self._reached)
        self._permuter = Permuter(self.queue, self.device, code)
        self._calls = lru_cache(maxsize=MAX_CALLS, typed=True)(Calls)

    def _options(self) -> dict[str, Any]:
        return {"arithmetic": self._requested}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.bit_generator!r}, arithmetic={self.arithmetic!r}) on {self.device.name}"

    @property
    def arithmetic(self) -> str:
        """The name of the arithmetic in use."""
        return self._executor.code.arithmetic.name

    def _like(self, bit_generator: BitGenerator) -> "Self":
        return type(self)(bit_generator, self.queue, allocator=self.allocator, **self._options())

    def piece(self, rank: int, size: int) -> "RankGenerator":
        """Return a generator that draws one process's piece of every array; the processes need not communicate.

        Parameters
        ----------
        rank : int
            Which of the processes this one is, from 0 to `size` - 1.
        size : int
            How many there are, from 1.

        Returns
        -------
        RankGenerator
            On the same queue and with the same bit generator: drawing from either generator moves it on.

        Raises
        ------
        TypeError, ValueError
            If an argument is not an integer, or out of range.

        Examples
        --------
        >>> import clrng
        >>> rng = clrng.Generator(clrng.ParkMiller(seed=1)).piece(1, 2)  # the second of two processes
        >>> print(rng.random_raw(5))
        [ 984943658 1144108930]
        """
        return RankGenerator(self.bit_generator, self.queue, self._requested, self.allocator, rank, size)

    def _named(self, name: str, size: Size, dtype: Any, out: Any, **parameters: Any) -> cla.Array:
        if not (out is None or isinstance(out, cla.Array)) or not are_unchanging(parameters):
            return super()._named(name, size, dtype, out, **parameters)
        kind, shape = (None, None) if out is None else (out.dtype, out.shape)
        if size is not None and type(size) is not int:
            size = validation.shape("size", size)
        check_process()
        with self._lock:
            bits = self._looked_at()
            try:
                calls = self._calls(name, size, dtype, kind, shape, **parameters)
            except TypeError:  # the dtype, or what is in a tuple, cannot be hashed
                calls = Calls()
            again = calls.again
            if again is None:
                calls.count += 1
                if calls.count == 2:  # noqa: PLR2004  # it is worth finding out what follows
                    again = calls.again = self._again(bits, name, size, dtype, out, parameters)
            if again is not None and (result := again(bits, out, self._allocator)) is not None:
                return result
        return super()._named(name, size, dtype, out, **parameters)

    def _by_elements(self, name: str, size: Size, dtype: Any, out: Any, *given: Any) -> cla.Array:
        try:
            found = super()._by_elements(name, size, dtype, out, *given)
        finally:
            self._reached.ahead = None
        self._last = name, found.shape
        return found

    def _looking(self, name: str, shape: tuple[int, ...], out: Any) -> Look:
        """Return what looks at parameters; raw values are made meanwhile if the call before was like this one."""
        if self._last != (name, shape) or not (out is None or isinstance(out, cla.Array)):
            return self._look
        return LookOnDevice(self._queue, self._make_ahead)

    def _make_ahead(self) -> None:
        """Make the raw values that this call is expected to need: as many as the one before."""
        with self._lock:
            bits: Any = self._looked_at().copy()
            count, are_halves = self._reached.needed
            if count:
                self._executor.make_ahead(count, bits.halves() if are_halves else bits, self._reached)

    def _again(
        self, bits: BitGenerator, name: str, size: Size, dtype: Any, out: Any, parameters: dict[str, Any]
    ) -> Again | None:
        """Return what makes calls with these arguments, if anything does."""
        chosen, kind = self._chosen(name, dtype, out, parameters)
        transform = self._transform(bits, chosen, kind)
        shape = validation.shape("size", () if size is None else size)
        found = transform.dtype or self._raw
        if out is not None:
            if out.dtype != found or (size is not None and out.shape != shape):
                return None
            shape = out.shape
        if prod(shape) * found.itemsize > self._device.largest_allocation:
            return None
        repeat = self._executor.repeated(transform, prod(shape), bits.taken(transform), self._reached)
        return None if repeat is None else Again(self._queue, repeat, shape, found)

    def _check_dtype(self, legal: tuple[str, ...], dtype: Any, out: Any) -> np.dtype[Any]:
        return check_dtype(legal, dtype, out, self._device)

    def _picker(self, elements: Any, axis: int, size: Size) -> Callable[[cla.Array], cla.Array]:
        picked = self._piece_shape(None if size is None else validation.shape("size", size), None)
        held: Any = on_queue("a", elements, self.queue, self.device)
        held = held if held.flags.c_contiguous else move(self.queue, held)
        before, behind = held.shape[:axis], held.shape[axis + 1 :]
        result: Any = self._output_array((*before, *picked, *behind), held.dtype, None)
        if result.size == 0:
            return lambda _: cast("cla.Array", result)
        rows = held.reshape(prod(before), held.shape[axis], prod(behind))
        chosen = result.reshape(prod(before), prod(picked), prod(behind))
        build(self.queue, rows, chosen, Picks.along(1, 3, arrays.model(self.queue, (1,), np.dtype(np.int64))))

        def pick(places: cla.Array) -> cla.Array:
            move(self.queue, rows, chosen, Picks.along(1, 3, places))
            return cast("cla.Array", result)

        return pick

    def _places(self, given: Mapping[str, Any], dtype: np.dtype[Any]) -> dict[str, Any]:
        return checked(self.queue, given, dtype)

    def _draw_located(
        self, standard: Continuous, shape: tuple[int, ...], dtype: np.dtype[Any], out: Any, loc: Any, scale: Any
    ) -> cla.Array:
        if is_foreign(out):  # here, so that the memory of `out` is compared with that of the parameters
            into: cla.Array = filled(
                self.queue, out, lambda array: self._draw_located(standard, shape, dtype, array, loc, scale)
            )
            return into
        circular = standard.quantile.circular
        wanted = self._piece_shape(shape, out)
        if isinstance(out, np.ndarray):
            arrays.check_host(wanted, dtype, out, strided=True)
        arrays.check_allocation(self.device, prod(wanted), dtype, "size")
        parameters = [on_device(self.queue, self._own(each, shape), out) for each in (loc, scale)]
        build_locate(self.queue, dtype, circular=circular)
        return self._draw(
            standard, shape, out, dtype, lambda result: locate(self.queue, result, *parameters, circular=circular)
        )

    def _piece_shape(self, shape: tuple[int, ...] | None, out: Any) -> tuple[int, ...]:  # noqa: ARG002  # ranks do
        """Return the shape of what a call returns of an array of `shape`: all of it, or this rank's piece."""
        return shape or ()

    def _own(self, array: Any, shape: tuple[int, ...]) -> Any:  # noqa: ARG002  # of which others draw pieces
        """Return what this generator needs of an array that is broadcast to `shape`: all of it."""
        return array


class RankGenerator(Generator):
    """Draws one piece of every array, and moves on by all of it: for processes that together make one exact stream.

    A rank is one of these processes. Calls give the shape of the whole array, and return this rank's piece along the
    first axis, as ``numpy.array_split`` cuts it: of n rows, the first n mod `size` ranks have one more than the others.
    Ranks that make the same calls have pieces of the same arrays, which are those that one `Generator` draws. So the
    result is the same with 1 rank or 1000. Ranks send nothing to one another. `Generator.piece` makes a rank.

    Parameters
    ----------
    bit_generator, queue, arithmetic, allocator : as for `Generator`
        The bit generator must stand at the same place in all ranks.
    rank : int
        Which of the ranks this is, from 0 to `size` - 1.
    size : int
        How many ranks there are, from 1.

    Attributes
    ----------
    rank, size : int

    Raises
    ------
    TypeError, ValueError
        As for `Generator`; or if `rank` or `size` is not an integer, or out of range.

    Notes
    -----
    Every call must give the shape of the whole array, by its argument `size` or by arrays of parameters; the shape must
    have a first axis. ``out`` has the shape of the piece. Arrays of parameters, such as `loc` of `normal`, are for the
    whole array. `bytes` takes the number of bytes of all ranks together. Each rank has a multiple of 4 of them, except
    the last that has any.

    Examples
    --------
    >>> import clrng
    >>> ranks = [clrng.Generator(clrng.ParkMiller(seed=1)).piece(rank, 2) for rank in range(2)]
    >>> [rng.random_raw(5).get().tolist() for rng in ranks]
    [[16807, 282475249, 1622650073], [984943658, 1144108930]]
    """

    rank = Attribute[int]("Which of the ranks this is.")
    size = Attribute[int]("How many ranks there are.")

    _named = DrawMethods._named  # noqa: SLF001  # which asks for the whole array's shape
    permutation, permuted, shuffle, _unreplaced = refused_orders(WHOLE)

    def __init__(
        self, bit_generator: BitGenerator, queue: Queue | None = None, arithmetic: str = "auto", allocator: Any = None,
        rank: int = 0, size: int = 1,
    ) -> None:  # fmt: skip
        self._size = validation.integer("size", size, 1, None)
        self._rank = validation.integer("rank", rank, 0, self._size - 1)
        super().__init__(bit_generator, queue, arithmetic, allocator)

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "rank": self._rank, "size": self._size}

    def __repr__(self) -> str:
        return f"{super().__repr__()}, rank {self._rank} of {self._size}"

    def _rows(self, count: int) -> slice:
        """Return which of `count` rows are those of this rank."""
        each, longer = divmod(count, self._size)
        begin = self._rank * each + min(self._rank, longer)
        return slice(begin, begin + each + (self._rank < longer))

    def _piece_shape(self, shape: tuple[int, ...] | None, out: Any) -> tuple[int, ...]:
        if shape is None:
            raise TypeError(WITHOUT_SIZE)
        if not shape:
            raise ValueError("size must have a first axis, along which ranks draw pieces, not be ()")
        rows = self._rows(shape[0])
        sizes = rows.stop - rows.start, *shape[1:]
        if getattr(out, "shape", sizes) != sizes and out is not np.ndarray:
            raise ValueError(f"out must have shape {sizes}, that of this rank's piece of {shape}, not {out.shape}")
        return sizes

    def _draw(
        self, chosen: Transform | Distribution, size: Size, out: Any, dtype: np.dtype[Any] | None = None,
        finish: Callable[[cla.Array], object] | None = None, piece: Piece | None = None,
    ) -> cla.Array:  # fmt: skip
        if size is None:
            raise TypeError(WITHOUT_SIZE)
        shape = validation.shape("size", size)
        sizes = self._piece_shape(shape, out)
        piece = self._place(shape), sizes
        return super()._draw(chosen, shape, out, dtype, finish, piece)

    def _place(self, shape: tuple[int, ...]) -> int:
        begin: int = self._rows(shape[0]).start
        return begin * prod(shape[1:])

    def _vector_shape(self, size: Size, out: Any, count: int, **shapes: tuple[int, ...]) -> tuple[int, ...]:
        if size is None and not ((out is None or out is np.ndarray) and any(shapes.values())):
            raise TypeError(WITHOUT_SIZE)
        shape = super()._vector_shape(size, out, count, **shapes)
        self._piece_shape(shape[:-1], None)
        return shape

    def _placed(self, name: str, size: Size, dtype: Any, out: Any, **parameters: Any) -> cla.Array:
        if size is None and out is not None and out is not np.ndarray:  # the shape of a piece says nothing of the whole
            raise TypeError(WITHOUT_SIZE)
        return super()._placed(name, size, dtype, out, **parameters)

    def piece(self, rank: int, size: int) -> "RankGenerator":
        """Raise an error; call ``clrng.Generator(rng.bit_generator).piece(rank, size)`` instead.

        Raises
        ------
        TypeError
            Always: a rank's piece has no pieces of its own.
        """
        raise TypeError(f"piece({rank!r}, {size!r}) must be asked of the generator of the whole stream, not of a rank")

    def _own(self, array: Any, shape: tuple[int, ...]) -> Any:
        return rows_of(array, shape, self._rows(shape[0]))

    def bytes(self, length: int) -> bytes:
        """Return this rank's piece of `length` random bytes on the host, as `Generator.bytes` draws them.

        Parameters
        ----------
        length : int
            The number of bytes of all ranks together, from 0 to 2^62.

        Returns
        -------
        bytes

        Raises
        ------
        TypeError, ValueError, MemoryError
            As for `Generator.bytes`.

        Notes
        -----
        The stream moves on by the steps of all ranks together.

        Examples
        --------
        >>> import clrng
        >>> [clrng.default_rng(2026).piece(rank, 2).bytes(8).hex() for rank in range(2)]
        ['aaf912da', '04acce2d']
        """
        length = validation.integer("length", length, 0, MAX_BYTES)
        count = -(-length // 4)
        words: Any = self.integers(0, 2**32, count, np.uint32, out=np.ndarray)
        last = length - 4 * self._rows(count).start
        return cast("bytes", words.astype("<u4").tobytes()[: max(last, 0)])


Seed = (
    int
    | Sequence[Any]
    | npt.NDArray[Any]
    | ISeedSequence
    | BitGenerator
    | np.random.BitGenerator
    | np.random.Generator
    | np.random.RandomState
    | None
)
"""What `default_rng` takes as a seed, beside a generator of its own."""


def bits_of(seed: Seed) -> BitGenerator:
    """Return the bit generator that a seed of `default_rng` stands for: that of NumPy's own, unless `seed` is one."""
    if isinstance(seed, BitGenerator):
        return seed
    if isinstance(seed, np.random.Generator):
        seed = seed.bit_generator
    elif isinstance(seed, np.random.RandomState):
        seed = seed._bit_generator  # noqa: SLF001  # as NumPy's default_rng takes it
    if isinstance(seed, np.random.BitGenerator):
        ours = getattr(seed, "bits", None)  # of a NumpyBitGenerator
        return ours if isinstance(ours, BitGenerator) else cast("BitGenerator", of_numpy(seed, "seed"))
    return PCG64(checked_seed("seed", seed))


def default_rng(
    seed: Seed | Generator = None, queue: Queue | None = None, arithmetic: str = "auto", allocator: Any = None
) -> Generator:
    """Return a generator of the stream of ``numpy.random.default_rng(seed)``, that of `PCG64`.

    Parameters
    ----------
    seed : int, sequence of int, SeedSequence, or a generator or bit generator of NumPy or clrng, optional
        Whatever NumPy's ``default_rng`` takes. These seed a `PCG64`: integers of 0 or more, of any size; sequences and
        arrays of them; and a ``numpy.random.SeedSequence`` or any other object with the interface of
        ``numpy.random.bit_generator.ISeedSequence``. By default the operating system gives a new seed at each call. A
        ``numpy.random.BitGenerator``, ``Generator`` or ``RandomState`` is copied, and the copy continues its stream
        from where it stands.

        A bit generator of clrng is taken as the stream, and a `Generator` is returned as it is.
    queue, arithmetic, allocator : optional
        As for `Generator`; they must not be given if `seed` is a `Generator`.

    Returns
    -------
    Generator

    Raises
    ------
    TypeError
        If `seed` is none of these; if `queue`, `arithmetic` or `allocator` is given with a `Generator`; or as for
        `Generator`.
    ValueError
        If an integer of `seed` is negative, or as for `Generator`.
    UnsupportedError
        If NumPy's bit generator is none of `PCG64`, `PCG64DXSM`, `Philox` and `MT19937`, or as for `Generator`.
    NoDeviceError, ForkError
        As for `Generator`.

    See Also
    --------
    from_numpy : NumPy's own distributions on a device.
    Generator.spawn : independent generators for parts of a program.
    BitGenerator.seeded : the state that a seed stands for; and any other bit generator from any seed.

    Notes
    -----
    `Generator.random`, `uniform` of float64, `random_raw`, `bytes` and `spawn` give what NumPy gives for the seed, bit
    for bit, in any order of the calls; `random_raw` gives what NumPy's bit generator gives. All other methods draw
    clrng's own values, which take a fixed number of steps each and are the same on every device. `from_numpy` draws
    NumPy's.

    The period of `PCG64` is 2^128, and there are 2^127 sequences. A seed or a spawned stream begins at a random place
    on one of them. With a million streams of 10^15 values each, the probability that any two overlap is below 10^-49.
    It is likelier that two of them have the same SeedSequence, which keeps 128 bits: 1.5 10^-27.

    The same seed gives the same raw values in every version of clrng. Values of distributions stay the same in all
    versions of a major release.

    References
    ----------
    M. E. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number
    generation", report HMC-CS-2014-0905, Harvey Mudd College, 2014.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> rng = clrng.default_rng(2026)
    >>> bool(np.all(rng.random(1000, "float32").get() == np.random.default_rng(2026).random(1000, "float32")))
    True
    >>> clrng.default_rng(clrng.ParkMiller(seed=1)).random_raw(3).get().tolist()
    [16807, 282475249, 1622650073]
    """
    if isinstance(seed, Generator):
        given = {"queue": queue is not None, "arithmetic": arithmetic != "auto", "allocator": allocator is not None}
        for name in filter(given.get, given):
            raise TypeError(f"{name} must not be given with a Generator, which is returned as it is, not {shown(seed)}")
        return seed
    return Generator(bits_of(seed), queue, arithmetic, allocator)
