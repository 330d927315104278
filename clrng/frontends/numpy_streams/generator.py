"""NumPy's Generator on a device."""

from typing import TYPE_CHECKING, Any

import numpy as np

from clrng import validation
from clrng.frontends.drawing import Queue, Size, check_dtype
from clrng.frontends.numpy_streams import ziggurat
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.stream import FLOATS, NumpyStream
from clrng.generators import seeding
from clrng.validation import shown

if TYPE_CHECKING:
    from typing_extensions import Self


class NumpyGenerator(NumpyStream):
    """What a ``numpy.random.Generator`` would draw next, bit for bit, on a device; `from_numpy` makes it.

    Parameters
    ----------
    rng : numpy.random.Generator
        Of ``numpy.random.PCG64``, `PCG64DXSM`, `MT19937` or `Philox`. It stays where it stands.
    queue, allocator : optional
        As for `Generator`.

    Attributes
    ----------
    bit_generator : BitGenerator
        Where the stream stands. Draws move it on, and it may be moved.
    allocator : callable or None
    queue : pyopencl.CommandQueue
    device : DeviceInfo

    Raises
    ------
    TypeError
        If an argument is of the wrong type.
    ValueError
        If `queue` is a context of several devices.
    UnsupportedError
        If it is of another bit generator.
    WrongNumbersError
        If the installed NumPy draws other numbers than those that this was written for.
    NoDeviceError, ForkError
        As for `Generator`.

    Notes
    -----
    The methods have NumPy's names, arguments and defaults, and make its numbers in the order of the calls. Unlike those
    of `Generator` some take a variable number of steps of the stream. `size` and `out` are as for `Generator`, but
    `out` must be contiguous; all methods that return an array take `out`. A single value is an array of shape ().

    If a call raises an error or is interrupted, the stream stands where it stood before. Threads may share a generator.

    A pickled or copied generator goes on from where this stands, on the device that `clrng.choose_device` chooses.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> rng = np.random.default_rng(2026)
    >>> ours = clrng.from_numpy(rng)
    >>> bool(np.all(ours.random(5, dtype="float32").get() == rng.random(5, dtype="float32")))
    True
    """

    _numpy = np.random.Generator
    _is_ordered = True
    _normals = ziggurat.standard_normal, ziggurat.normal
    _exponentials = ziggurat.standard_exponential, ziggurat.exponential

    def __init__(self, rng: np.random.Generator, queue: Queue | None = None, allocator: Any = None) -> None:
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng must be a numpy.random.Generator, not {shown(rng)}")
        super().__init__(of_numpy(rng.bit_generator), queue, allocator)

    def to_numpy(self) -> np.random.Generator:
        """Return a new generator of NumPy that goes on where this one stands.

        Returns
        -------
        numpy.random.Generator
        """
        with self._lock:
            return np.random.Generator(as_numpy(self._bit_generator))

    def spawn(self, n_children: int) -> "list[Self]":
        """Return new generators, those of the children that NumPy's `spawn` would give.

        Parameters
        ----------
        n_children : int
            How many, from 0.

        Returns
        -------
        list of NumpyGenerator
            On the same queue.

        Raises
        ------
        TypeError, ValueError
            As for `BitGenerator.spawn`.
        """
        count = validation.integer("n_children", n_children, 0, None)
        with self._lock:
            kind: Any = type(as_numpy(self._bit_generator))
            return [self._like(of_numpy(kind(child))) for child in seeding.spawned(self._bit_generator, count)]

    def random(self, size: Size = None, dtype: Any = None, out: Any = None) -> Any:
        """Return uniform numbers in [0, 1).

        Parameters
        ----------
        size, out : optional
            As for all methods.
        dtype : dtype_like, optional
            float64 or float32; by default that of `out`, and without it float64.

        Returns
        -------
        clrng.Array
        """
        return self._doubles(size, out, dtype)

    def integers(
        self, low: int, high: int | None = None, size: Size = None, dtype: Any = None, endpoint: bool = False,
        out: Any = None,
    ) -> Any:  # fmt: skip
        """Return integers from `low` to `high` - 1.

        Parameters
        ----------
        low : int
            The minimum; without `high`, the minimum is 0 and `low` is taken as `high`.
        high : int, optional
        size, out : optional
            As for all methods.
        dtype : dtype_like, optional
            bool or any dtype of integers, which must hold the range. By default that of `out`, and without it int64.
        endpoint : bool, optional
            Whether `high` is included.

        Returns
        -------
        clrng.Array
        """
        return self._integers(low, high, size, dtype, endpoint, out, masked=False)

    def choice(
        self, a: Any, size: Size = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True,
        out: Any = None,
    ) -> Any:  # fmt: skip
        """Return integers below `a`, or elements of the array `a`, with replacement.

        Parameters
        ----------
        a : int or array_like
            An array is of one dimension, of the host or the device, and has numbers of at most 64 bits.
        size : optional
            As for all methods.
        replace : bool, optional
            It must be true.
        p : array_like of float, shape (a,), optional
            Probabilities, which add up to 1. By default all are equally likely.
        axis, shuffle : optional
            They are there for NumPy's callers, and make no difference.
        out : optional
            As for all methods, where `a` is an integer.

        Returns
        -------
        clrng.Array
            Of int64, or of the dtype of the array.
        """
        validation.flag("shuffle", shuffle)
        validation.integer("axis", axis, -1, 0)
        return self._choice(a, size, replace, p, out, masked=False)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Return the integers below `x`, or the elements of the array `x`, in a random order.

        Parameters
        ----------
        x : int or array_like
            An array is of one dimension, of the host or the device, and has numbers of at most 64 bits.
        axis : int, optional
            The one that there is.

        Returns
        -------
        clrng.Array
            Of int64, or of the dtype of the array.
        """
        validation.integer("axis", axis, -1, 0)
        return self._permutation(x)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Put the elements of the array `x` in a random order, in place.

        Parameters
        ----------
        x : pyopencl.array.Array or numpy.ndarray
            Of one dimension. One of the host may have elements of any kind.
        axis : int, optional
            The one that there is.
        """
        validation.integer("axis", axis, -1, 0)
        self._shuffle(x)

    def standard_normal(self, size: Size = None, dtype: Any = None, out: Any = None) -> Any:
        """Return normal numbers of mean 0 and standard deviation 1.

        Parameters
        ----------
        size, out : optional
            As for all methods.
        dtype : dtype_like, optional
            float64 or float32; by default that of `out`, and without it float64.

        Returns
        -------
        clrng.Array
        """
        kind = check_dtype(FLOATS, dtype, out, self._device)
        return self._draw(kind, size, out, ziggurat.standard_normal)

    def standard_exponential(self, size: Size = None, dtype: Any = None, method: str = "zig", out: Any = None) -> Any:
        """Return exponential numbers of mean 1.

        Parameters
        ----------
        size, out : optional
            As for all methods.
        dtype : dtype_like, optional
            float64 or float32; by default that of `out`, and without it float64.
        method : {"zig", "inv"}, optional
            By a ziggurat, or by logarithms, which are made on the host.

        Returns
        -------
        clrng.Array
        """
        kind, by = check_dtype(FLOATS, dtype, out, self._device), validation.choice("method", method, ("zig", "inv"))
        return self._draw(kind, size, out, lambda words, to: ziggurat.standard_exponential(words, to, by))
