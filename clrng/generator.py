"""The front end: one exact stream on a device."""

from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng import validation
from clrng.arguments import Queue, check_bit_generator, check_dtype, check_uniform
from clrng.bit_generators import BitGenerator
from clrng.codegen.arithmetic import check_name
from clrng.discrete_draws import DiscreteDraws
from clrng.distributions import RAW, Transform
from clrng.distributions.distribution import REALS, Continuous
from clrng.distributions.foreign import as_distribution
from clrng.distributions.interval import INTERVALS, Between
from clrng.distributions.quantile import Quantile
from clrng.drawing import Drawing, Size
from clrng.families import code_for, select
from clrng.launch.executor import executor_for
from clrng.launch.fill_lagged import Reached
from clrng.launch.locate import broadcast_shape, locate, on_device
from clrng.opencl.on_queue import HasAllocator
from clrng.refused_draws import RefusedDraws
from clrng.shaped_draws import ShapedDraws

ARRAYS = (cla.Array, np.ndarray, list, tuple)
"""What is taken for an array of numbers."""


class Generator(HasAllocator, Drawing, ShapedDraws, DiscreteDraws, RefusedDraws):
    """Random numbers on an OpenCL device: the exact sequential stream of a bit generator.

    Every call continues where the last one ended. The numbers depend on the bit generator alone: not on the device,
    the arithmetic, the launch geometry, or how a request is cut into calls. Every value of a call takes the same
    number of steps of the stream: one, or where a method says so two or more.

    Parameters
    ----------
    bit_generator : BitGenerator
        The stream; the generator moves it on as it draws.
    queue : pyopencl.CommandQueue, Device or Context, DeviceInfo, int or str, optional
        Where to run: a queue; or a device, a context of one device, or anything that `clrng.choose_device` takes, on
        which a new queue is made. By default a new queue on the device that `clrng.choose_device` chooses.
    arithmetic : str, optional
        A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one.
    allocator : callable, optional
        A PyOpenCL allocator, such as ``pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))``, for the
        arrays that are returned; it must be of the queue's context. A pool hands out the memory of an array again as
        soon as the array is dropped, even if commands still use it. In a queue that runs commands in any order a call
        therefore waits for all commands queued there before. To order other uses of such memory is up to you: those in
        another queue, and those by arrays that PyOpenCL takes from the same pool, as it does for ``result + 1``.

    Attributes
    ----------
    bit_generator : BitGenerator
    allocator : callable or None
    queue : pyopencl.CommandQueue
        It cannot be changed: another generator of the same `bit_generator` goes on with the stream in another queue.
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
        If the arithmetic is not exact on the device; it is a `ValueError` too.
    NoDeviceError
        If there is no device, or none that matches.
    ForkError
        If this process was forked from one that had used OpenCL. Start processes with the method ``"spawn"``.

    Notes
    -----
    Kernels are built at the first call that needs them, and shared by generators of the same parameters, arithmetic
    and queue.

    Threads may share a generator: each call takes a piece of the stream of its own. Two generators of one bit generator
    may be used by turns, but not by two threads at once.

    A pickled generator keeps its bit generator and the arithmetic that was asked for. Where it is unpickled it runs on
    the device that `clrng.choose_device` chooses there.

    Examples
    --------
    >>> import clrng
    >>> rng = clrng.Generator(clrng.ParkMiller(seed=1))
    >>> rng.random_raw(5).get().tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    """

    _elsewhere = "Generator(rng.bit_generator, queue) goes on with the same stream on another"

    def __init__(
        self,
        bit_generator: BitGenerator,
        queue: Queue | None = None,
        arithmetic: str = "auto",
        allocator: Any = None,
    ) -> None:
        check_bit_generator(bit_generator)
        self._requested = check_name(arithmetic)
        self.allocator = allocator
        super().__init__(bit_generator, queue)

    def _use(self, recurrence: BitGenerator) -> None:
        code = code_for(recurrence, select(self._requested, self.device, recurrence))
        self._executor = executor_for(self.queue, self.device, code)
        self._reached = Reached()

    def _options(self) -> dict[str, Any]:
        return {"arithmetic": self._requested}

    def _fill(self, transform: Transform, result: cla.Array, start: BitGenerator) -> None:
        self._executor.fill(transform, result, start, self._reached)

    def __repr__(self) -> str:
        return f"Generator({self.bit_generator!r}, arithmetic={self.arithmetic!r}) on {self.device.name}"

    @property
    def arithmetic(self) -> str:
        """The name of the arithmetic in use."""
        return self._executor.code.arithmetic.name

    def spawn(self, n_children: int) -> list["Generator"]:
        """Return new generators, each with a stream of its own, on the same queue, as NumPy's `spawn` does.

        Parameters
        ----------
        n_children : int
            How many, from 0.

        Returns
        -------
        list of Generator
            Of the bit generators that `BitGenerator.spawn` gives, and of the same arithmetic and allocator.

        Raises
        ------
        TypeError
            If `n_children` is not an integer, or the bit generator was not seeded by `default_rng` or
            `BitGenerator.seeded`.
        ValueError
            If `n_children` is negative.
        """
        children = self.bit_generator.spawn(n_children)
        return [type(self)(child, self.queue, allocator=self.allocator, **self._options()) for child in children]

    def random_raw(self, size: Size | None = None, out: cla.Array | None = None) -> cla.Array:
        """Return the next raw values, as the textbook has them.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result, filled in C order. By default that of `out`, or () for a single value.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of the values' dtype, in the context of the generator's queue. Or an array
            of NumPy, which a processor fills in place, or the class ``numpy.ndarray`` for a new one.

        Returns
        -------
        pyopencl.array.Array of ``bit_generator.dtype``
            uint32 or, where a value can have more than 32 bits, uint64; from ``bit_generator.min_value`` to
            ``bit_generator.upper_bound`` - 1. It is `out` if that was given. It carries the event of its making, so
            that work PyOpenCL queues on it waits.

        Raises
        ------
        TypeError
            If `size` is not made of integers, or `out` is not an array.
        ValueError
            If `size` is negative or more than the device can allocate, or `out` is of another shape, dtype or
            context or is not contiguous.
        BuildError
            If the device's compiler refuses the kernel. The stream has not moved then.
        """
        return self._draw(RAW, size, out)

    def random(
        self, size: Size | None = None, dtype: Any = None, out: cla.Array | None = None, interval: str = "[)"
    ) -> cla.Array:
        """Return the next values as uniform numbers between 0 and 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result, filled in C order. By default that of `out`, or () for a single value.
        dtype : {"float32", "float64"}, optional
            By default that of `out`, and without it float32, which every device has.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of `dtype`, in the context of the generator's queue; or an array of NumPy,
            or ``numpy.ndarray`` for a new one.
        interval : {"[)", "(]", "()", "[]"}, optional
            Whether 0 and 1 are among the numbers: a square bracket says so. For another one than the default, the
            numbers are those of `uniform`.

        Returns
        -------
        pyopencl.array.Array
            x / d, where x is the raw value and d is ``bit_generator.upper_bound``; never 1. As float32 it is rounded
            down to a multiple of 2^-24. As float64 it is rounded correctly where d is at most 2^53, and down to a
            multiple of 2^-53 where d is larger.

        Raises
        ------
        TypeError
            If `size` is not made of integers, `dtype` is no dtype, or `out` is not an array.
        ValueError
            If `size` is negative or more than the device can allocate, `dtype` is neither of the two, or `out` is
            of another shape, dtype or context or is not contiguous.
        UnsupportedError
            If `dtype` is float64 and the device has no double precision; it is a `ValueError` too.
        BuildError
            If the device's compiler refuses the kernel. The stream has not moved then.

        Examples
        --------
        >>> import clrng
        >>> clrng.Generator(clrng.ParkMiller(seed=1)).random(2).get().tolist()
        [7.808208465576172e-06, 0.13153773546218872]
        """
        if interval != "[)":
            validation.choice("interval", interval, INTERVALS)
            return self.uniform(0.0, 1.0, size, dtype, out, interval)
        return self._draw(check_uniform(dtype, out, self.device), size, out)

    def uniform(
        self, low: float = 0.0, high: float = 1.0, size: Size | None = None, dtype: Any = None, out: Any = None,
        interval: str = "[)",
    ) -> cla.Array:  # fmt: skip
        """Return the next values as uniform numbers between `low` and `high`.

        Parameters
        ----------
        low, high : float
            Finite numbers, low < high.
        size, dtype, out : optional
            As for `random`.
        interval : {"[)", "(]", "()", "[]"}, optional
            Which bounds are among the numbers: a square bracket says that one is. By default `low` is, `high` is not.

        Returns
        -------
        pyopencl.array.Array
            Floats that are equally far apart, as far as floats are at the larger one of the two bounds; a bound that
            the interval leaves out is never returned. Of n such floats it is number floor(X n / N), where X is a raw
            value, counted from 0, of N; for float64 and raw values of at most 32 bits, X is made of two.

        Raises
        ------
        TypeError, ValueError, UnsupportedError, BuildError
            As for `random`; or if `low` or `high` is not finite as `dtype`, or the interval has no number.
        """
        return self.sample(Between(low, high, interval), size, dtype, out)

    def sample(self, distribution: Any, size: Size | None = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Return the next values of a distribution.

        Parameters
        ----------
        distribution : Distribution, frozen distribution of scipy.stats, or callable
            Such as ``clrng.distribution("gamma", shape=2.5)``. A callable is an inverse distribution function, of an
            array of probabilities; the values of one, and of SciPy's distributions, are only as much the same
            everywhere as the functions are.
        size, dtype, out : optional
            As for `random`; `dtype` is one of ``distribution.dtypes``, by default the first.

        Returns
        -------
        pyopencl.array.Array

        Raises
        ------
        TypeError, ValueError, UnsupportedError, BuildError
            As for `random`.
        """
        chosen = as_distribution(distribution)
        return self._draw(chosen, size, out, check_dtype(chosen.dtypes, dtype, out, self.device))

    def _located(
        self, quantile: Quantile, loc: Any, scale: Any, size: Size | None, dtype: Any, out: Any,
        names: tuple[str, str] = ("loc", "scale"),
    ) -> cla.Array:  # fmt: skip
        given = [name for name, value in zip(names, (loc, scale), strict=True) if isinstance(value, ARRAYS)]
        if not given:
            return self.sample(Continuous(quantile, loc, scale, names), size, dtype, out)
        chosen = check_dtype(REALS, dtype, out, self.device)
        if isinstance(out, np.ndarray):
            raise TypeError(f"out must be a pyopencl.array.Array where {given[0]} is an array, not one of NumPy")
        factors = on_device(self.queue, names[1], scale, chosen, positive=True)
        offsets = on_device(self.queue, names[0], loc, chosen, positive=False)
        wanted = out.shape if size is None and out is not None else size
        wanted = None if wanted is None else validation.shape("size", wanted)
        shapes = {names[0]: offsets.shape, names[1]: factors.shape}
        shape = broadcast_shape(wanted, **{name: shapes[name] for name in given})
        result = self._draw(Continuous(quantile), shape, out, chosen)
        locate(self.queue, result, offsets, factors, circular=quantile.circular)
        return result
