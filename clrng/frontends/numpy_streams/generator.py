"""NumPy's Generator on a device."""

from typing import TYPE_CHECKING, Any

import numpy as np

from clrng import validation
from clrng.documented import complete_all
from clrng.frontends.drawing import Queue, Size, check_dtype
from clrng.frontends.numpy_streams import ziggurat
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.stream import FLOATS, WORDS, NumpyStream
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

        Examples
        --------
        >>> bool(rng.random().get() == np.random.default_rng(2026).random()), rng.to_numpy().random(2)
        (True, array([0.63991317, 0.4672684 ]))
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

        Examples
        --------
        >>> [int(child.to_numpy().integers(100)) for child in rng.spawn(3)]
        [62, 74, 8]
        """
        count = validation.integer("n_children", n_children, 0, None)
        with self._lock:
            kind: Any = type(as_numpy(self._bit_generator))
            return [self._like(of_numpy(kind(child))) for child in seeding.spawned(self._bit_generator, count)]

    def random(self, size: Size = None, dtype: Any = None, out: Any = None) -> Any:
        """Return uniform numbers in [0, 1).

        >>> print(rng.random(3))
        [0.17893481 0.63991317 0.4672684 ]
        """
        return self._doubles(size, out, dtype)

    def integers(
        self, low: int, high: int | None = None, size: Size = None, dtype: Any = None, endpoint: bool = False,
        out: Any = None,
    ) -> Any:  # fmt: skip
        """Return integers from `low` to `high` - 1.

        Parameters
        ----------
        dtype : dtype_like, optional
            bool or any dtype of integers, which must hold the range. By default that of `out`, and without it int64.

        Examples
        --------
        >>> print(rng.integers(1, 6, 10, endpoint=True))
        [6 2 1 4 3 3 1 3 4 3]
        """
        return self._integers(low, high, size, dtype, endpoint, out, masked=False)

    def choice(
        self, a: Any, size: Size = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True,
        out: Any = None,
    ) -> Any:  # fmt: skip
        """Return integers below `a`, or elements of the array `a`, with replacement.

        Parameters
        ----------
        axis, shuffle : optional
            They are there for NumPy's callers, and make no difference.

        Examples
        --------
        >>> print(rng.choice([2, 3, 5, 7], 4), rng.choice(3, 4, p=[0.5, 0.3, 0.2]))
        [7 2 2 5] [0 0 0 1]
        """
        validation.flag("shuffle", shuffle)
        validation.integer("axis", axis, -1, 0)
        return self._choice(a, size, replace, p, out, masked=False)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Return the integers below `x`, or the elements of the array `x`, in a random order.

        >>> print(rng.permutation(8))
        [0 1 5 6 3 7 4 2]
        """
        validation.integer("axis", axis, -1, 0)
        return self._permutation(x)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Put the elements of the array `x` in a random order, in place.

        Parameters
        ----------
        x : pyopencl.array.Array, numpy.ndarray or list
            Of one dimension. On the host its elements may be anything.

        Examples
        --------
        >>> x = np.arange(8)
        >>> rng.shuffle(x)
        >>> print(x)
        [0 1 5 6 3 7 4 2]
        """
        validation.integer("axis", axis, -1, 0)
        self._shuffle(x)

    def standard_normal(self, size: Size = None, dtype: Any = None, out: Any = None) -> Any:
        """Return normal numbers of mean 0 and standard deviation 1.

        >>> print(rng.standard_normal(3, "float32"))
        [-1.5658321   0.06712227  0.05326913]
        """
        kind = check_dtype(FLOATS, dtype, out, self._device)
        return self._draw(kind, size, out, ziggurat.standard_normal)

    def standard_exponential(self, size: Size = None, dtype: Any = None, method: str = "zig", out: Any = None) -> Any:
        """Return exponential numbers of mean 1.

        Parameters
        ----------
        method : {"zig", "inv"}, optional
            By a ziggurat, or by logarithms, which are made on the host.

        Examples
        --------
        >>> print(rng.standard_exponential(3, method="inv"))
        [0.19715277 1.02141007 0.62973755]
        """
        kind, by = check_dtype(FLOATS, dtype, out, self._device), validation.choice("method", method, ("zig", "inv"))
        return self._draw(kind, size, out, lambda words, to: ziggurat.standard_exponential(words, to, by))


complete_all(NumpyGenerator, WORDS)
