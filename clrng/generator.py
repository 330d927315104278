"""The front end: one exact stream on a device."""

from threading import Lock
from typing import Any

import pyopencl.array as cla

from clrng import validation
from clrng.arguments import Queue, Watch, check_allocator, check_bit_generator, check_queue, check_uniform
from clrng.bit_generators import BitGenerator
from clrng.codegen import source
from clrng.codegen.arithmetic import ARITHMETICS
from clrng.distributions import RAW, Distribution
from clrng.families import code_for, select
from clrng.launch.fill import StreamFiller
from clrng.opencl import arrays, devices, processes
from clrng.opencl.on_queue import OnQueue

Size = int | tuple[int, ...]


class Generator(OnQueue):
    """Random numbers on an OpenCL device: the exact sequential stream of a bit generator.

    Every call continues where the last one ended. The numbers depend on the bit generator alone: not on the device,
    the arithmetic, the launch geometry, or how a request is cut into calls. A value drawn as float32, float64 or raw
    takes one step of the stream each.

    Parameters
    ----------
    bit_generator : BitGenerator
        The stream; the generator moves it on as it draws.
    queue : pyopencl.CommandQueue, Device or Context, DeviceInfo, int or str, optional
        Where to run: a queue, or a device, a context of one device or what `clrng.choose_device` takes, for a new
        queue there. By default a new queue on the device that `clrng.choose_device` chooses.
    arithmetic : str, optional
        A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one.
    allocator : callable, optional
        A PyOpenCL allocator, such as ``pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))``, for the
        arrays that are returned; it must be of the queue's context.

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

    Notes
    -----
    Threads may share a generator: each call takes its own piece of the stream. Generators that share a bit generator
    may not be used by several threads at once. A process that was forked from one that used OpenCL cannot use it, and
    gets a `ForkError`: start processes with the method ``"spawn"``. A pickled generator keeps its stream and its
    arithmetic's name; where it is unpickled it takes the best device there.

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
        self.bit_generator = check_bit_generator(bit_generator)
        self._requested = validation.choice("arithmetic", arithmetic, ["auto", *ARITHMETICS])
        self.allocator = check_allocator(allocator)
        self._queue = check_queue(queue)
        self.device = devices.describe(self.queue.device)
        self._lock = Lock()
        self._use(self.bit_generator.copy())

    def _use(self, recurrence: BitGenerator) -> None:
        """Take the parameters of `recurrence`."""
        self._code = code_for(recurrence, select(self._requested, self.device, recurrence))
        self._watch = Watch(self.bit_generator)
        self._fillers = StreamFiller(self.queue, self.device, self._code)

    def __repr__(self) -> str:
        return f"Generator({self.bit_generator!r}, arithmetic={self.arithmetic!r}) on {self.device.name}"

    def __getstate__(self) -> dict[str, Any]:
        return {"bit_generator": self.bit_generator.copy(), "arithmetic": self._requested}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # the two arguments that do not belong to a machine

    @property
    def arithmetic(self) -> str:
        """The name of the arithmetic in use."""
        return self._code.arithmetic.name

    def random_raw(self, size: Size | None = None, out: cla.Array | None = None) -> cla.Array:
        """Return the next raw values, as the textbook has them.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result, filled in C order. By default that of `out`, or () for a single value.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of the values' dtype, in the context of the generator's queue.

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
        """
        return self._draw(RAW, size, out)

    def random(self, size: Size | None = None, dtype: Any = None, out: cla.Array | None = None) -> cla.Array:
        """Return the next values as uniform numbers in [0, 1).

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape of the result, filled in C order. By default that of `out`, or () for a single value.
        dtype : {"float32", "float64"}, optional
            By default that of `out`, and without it float32, which every device has.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of `dtype`, in the context of the generator's queue.

        Returns
        -------
        pyopencl.array.Array
            The raw value x over d, which is ``bit_generator.upper_bound``. float32: rounded down to a multiple of
            2^-24. float64: correctly rounded where d is at most 2^53, else rounded down to a multiple of 2^-53.
            Never 1.

        Raises
        ------
        TypeError
            If `size` is not made of integers, `dtype` is no dtype, or `out` is not an array.
        ValueError
            If `size` is negative or more than the device can allocate, `dtype` is neither of the two, or `out` is
            of another shape, dtype or context or is not contiguous.
        UnsupportedError
            If `dtype` is float64 and the device has no double precision; it is a `ValueError` too.

        Examples
        --------
        >>> import clrng
        >>> clrng.Generator(clrng.ParkMiller(seed=1)).random(2).get().tolist()
        [7.808208465576172e-06, 0.13153773546218872]
        """
        return self._draw(check_uniform(dtype, out, self.device), size, out)

    def _draw(self, distribution: Distribution, size: Size | None, out: cla.Array | None) -> cla.Array:
        processes.check()
        shape = None if size is None else validation.shape("size", size)
        with self._lock:
            if self._watch.changed(self.bit_generator):
                self._use(self.bit_generator.copy())
            dtype = source.output_dtype(self._code, distribution)
            result = arrays.output_array(self.queue, self.device, shape, dtype, out, allocator=self.allocator)
            self._fillers.fill(distribution, result, self.bit_generator)
            self.bit_generator.advance(result.size)
        return result
