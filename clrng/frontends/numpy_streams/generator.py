"""NumPy's Generator on a device."""

from typing import TYPE_CHECKING, Any

import numpy as np

from clrng import validation
from clrng.frontends.drawing import Number, Queue, Size
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.stream import NumpyStream
from clrng.generators import seeding
from clrng.validation import shown

if TYPE_CHECKING:
    from typing_extensions import Self

INSTEAD = (
    "not drawn as NumPy draws it. On the host {rng}.to_numpy().{name}(...) is; clrng.default_rng(seed).{name}(...) "
    "draws other numbers of the same distribution on the device"
)


class NumpyGenerator(NumpyStream):
    """What a ``numpy.random.Generator`` would draw next, bit for bit, on a device; `from_numpy` makes it.

    Parameters
    ----------
    rng : numpy.random.Generator
        Of `numpy.random.PCG64`, `PCG64DXSM`, `MT19937` or `Philox`. It stays where it stands.
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
        pyopencl.array.Array
        """
        return self._doubles(size, out, dtype)

    def uniform(self, low: Number = 0.0, high: Number = 1.0, size: Size = None, out: Any = None) -> Any:
        """Return uniform float64 numbers from `low` to `high`.

        Parameters
        ----------
        low, high : float or array_like of float
            Of the host. `high` is not below `low`.
        size, out : optional
            As for all methods.

        Returns
        -------
        pyopencl.array.Array
            low + (high - low) * x of `random`, each operation rounded once.
        """
        return self._uniform(low, high, size, out, ordered=True)

    def bytes(self, length: int) -> bytes:
        """Return random bytes on the host.

        Parameters
        ----------
        length : int
            From 0 to 2^62.

        Returns
        -------
        bytes
        """
        return self._bytes(length)
