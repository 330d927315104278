"""NumPy's RandomState on a device."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.documented import complete_all
from clrng.errors import UnsupportedError
from clrng.frontends.drawing import Queue, Size, check_precision
from clrng.frontends.numpy_streams.positions import MT19937
from clrng.frontends.numpy_streams.stream import AS_FLOAT32, FLOAT64, WORDS, Draw, NumpyStream
from clrng.frontends.numpy_streams.words import Words
from clrng.validation import shown


def _as_numpy(bits: Any) -> np.random.RandomState:
    """Return NumPy's generator that stands where `bits` does."""
    made = np.random.RandomState(0)
    made.set_state({**bits.for_numpy(), "has_gauss": int(bits.gauss is not None), "gauss": bits.gauss or 0.0})
    return made


def _on_host(method: str) -> Draw:
    """Return what draws by a method of NumPy's own."""

    def draw(words: Words, out: cla.Array) -> MT19937:
        rng = _as_numpy(words.bits)
        out.set(getattr(rng, method)(out.shape), words.queue)
        state: Any = rng.get_state(legacy=False)
        end = MT19937.of(state)
        end.gauss = state["gauss"] if state["has_gauss"] else None
        return end

    return draw


class NumpyRandomState(NumpyStream):
    """What a ``numpy.random.RandomState`` would draw next, bit for bit, on a device; `from_numpy` makes it.

    Parameters
    ----------
    rng : numpy.random.RandomState
        Of ``numpy.random.MT19937``, which it has by default. It stays where it stands.
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
    TypeError, ValueError, UnsupportedError, WrongNumbersError, NoDeviceError, ForkError
        As for `NumpyGenerator`.

    Notes
    -----
    All is as for `NumpyGenerator`. Real numbers are float64. ``clrng.from_numpy(numpy.random.mtrand._rand)`` goes on
    with the functions of ``numpy.random`` themselves.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> ours = clrng.from_numpy(np.random.RandomState(2026))
    >>> ours.bytes(4) == np.random.RandomState(2026).bytes(4)
    True
    """

    _numpy = np.random.RandomState
    _is_ordered = False
    _normals = _on_host("standard_normal"), None
    _exponentials = _on_host("standard_exponential"), None

    def __init__(self, rng: np.random.RandomState, queue: Queue | None = None, allocator: Any = None) -> None:
        if not isinstance(rng, np.random.RandomState):
            raise TypeError(f"rng must be a numpy.random.RandomState, not {shown(rng)}")
        state: Any = rng.get_state(legacy=False)
        if state["bit_generator"] != "MT19937":
            raise UnsupportedError(
                f"rng must be of MT19937, as numpy.random.RandomState(seed) is, not of {state['bit_generator']}; "
                f"clrng.from_numpy takes a numpy.random.Generator of that"
            )
        super().__init__(MT19937.of(state), queue, allocator)

    def to_numpy(self) -> np.random.RandomState:
        """Return a new generator of NumPy that goes on where this one stands.

        Returns
        -------
        numpy.random.RandomState

        Examples
        --------
        >>> rng.to_numpy().rand(2)
        array([0.21934563, 0.41301174])
        """
        with self._lock:
            return _as_numpy(self._bit_generator.copy())

    def random_sample(self, size: Size = None, out: Any = None) -> Any:
        """Return uniform float64 numbers in [0, 1).

        >>> print(rng.random_sample(3))
        [0.21934563 0.41301174 0.97663548]
        """
        return self._doubles(size, out, np.float64)

    def random(self, size: Size = None, out: Any = None) -> Any:
        """Return uniform float64 numbers in [0, 1), as `random_sample` does.

        >>> print(rng.random(3))
        [0.21934563 0.41301174 0.97663548]
        """
        return self.random_sample(size, out)

    def rand(self, *shape: int) -> Any:
        """Return uniform float64 numbers in [0, 1), as `random_sample` does.

        >>> print(rng.rand(3))
        [0.21934563 0.41301174 0.97663548]
        """
        return self.random_sample(shape or None)

    def randint(self, low: int, high: int | None = None, size: Size = None, dtype: Any = None, out: Any = None) -> Any:
        """Return integers from `low` to `high` - 1.

        Parameters
        ----------
        dtype : dtype_like, optional
            bool or any dtype of integers, which must hold the range. By default that of `out`, and without it int64.

        Examples
        --------
        >>> print(rng.randint(1, 7, 10))
        [2 3 1 6 6 6 5 5 4 6]
        """
        return self._integers(low, high, size, dtype, False, out, masked=True)

    def choice(self, a: Any, size: Size = None, replace: bool = True, p: Any = None, out: Any = None) -> Any:
        """Return integers below `a`, or elements of the array `a`, with replacement.

        >>> print(rng.choice([2, 3, 5, 7], 4))
        [3 5 5 2]
        """
        return self._choice(a, size, replace, p, out, masked=True)

    def permutation(self, x: Any) -> Any:
        """Return the integers below `x`, or the elements of the array `x`, in a random order.

        >>> print(rng.permutation(8))
        [4 5 3 7 0 2 6 1]
        """
        return self._permutation(x)

    def shuffle(self, x: Any) -> None:
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
        [4 5 3 7 0 2 6 1]
        """
        self._shuffle(x)

    def standard_normal(self, size: Size = None, out: Any = None) -> Any:
        """Return normal float64 numbers of mean 0 and standard deviation 1, which NumPy makes on the host.

        >>> print(rng.standard_normal(3))
        [-0.43171852 -1.39287397  0.31157067]
        """
        check_precision(FLOAT64, self.device, instead=AS_FLOAT32)
        return self._draw(FLOAT64, size, out, self._normals[0])

    def randn(self, *shape: int) -> Any:
        """Return normal float64 numbers, as `standard_normal` does.

        >>> print(rng.randn(3))
        [-0.43171852 -1.39287397  0.31157067]
        """
        return self.standard_normal(shape or None)

    def standard_exponential(self, size: Size = None, out: Any = None) -> Any:
        """Return exponential float64 numbers of mean 1, which NumPy makes on the host, as logarithms.

        >>> print(rng.standard_exponential(3))
        [0.24762278 0.53275045 3.75653657]
        """
        check_precision(FLOAT64, self.device, instead=AS_FLOAT32)
        return self._draw(FLOAT64, size, out, self._exponentials[0])


complete_all(NumpyRandomState, replace(WORDS, example=WORDS.example.replace("default_rng", "RandomState")))
