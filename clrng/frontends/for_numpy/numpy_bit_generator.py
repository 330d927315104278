"""A bit generator as NumPy's own."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from math import prod
from typing import Any

import numpy as np
from numpy.random.bit_generator import ISeedSequence, SeedlessSeedSequence

from clrng import validation
from clrng.documented import complete_all
from clrng.frontends.drawing import Queue, check_bit_generator
from clrng.frontends.for_numpy.callbacks import Lock, Prefetched, fill_in
from clrng.generators import PCG64, BitGenerator, words
from clrng.opencl import arrays
from clrng.opencl.devices import DeviceInfo

MAKING = replace(
    words.MAKING,
    returns="NumpyBitGenerator",
    example=">>> import clrng\n>>> bits = clrng.numpy_bit_generator(clrng.ParkMiller(seed=1))",
)
"""What the methods have in common."""

OF_RANDOM_STATE = {"has_gauss", "gauss"}
"""What `numpy.random.RandomState` adds to the state of its bit generator."""


class _Unseeded(SeedlessSeedSequence):
    """The seed sequence for NumPy where there is no seed. NumPy's own gives children from which nothing can be made."""

    def spawn(self, n_children: int) -> Any:  # noqa: ARG002  # as inherited
        raise TypeError(
            "spawn needs a bit generator that was made from a seed, such as clrng.PCG64(2026), not one without seed_seq"
        )


class NumpyBitGenerator(np.random.BitGenerator):
    """The exact stream of a bit generator for NumPy's distributions; `numpy_bit_generator` makes it.

    ``numpy.random.Generator`` and ``numpy.random.RandomState`` take it, and with them whatever takes these.

    Parameters
    ----------
    bit_generator : BitGenerator or numpy.random.SeedSequence
        The stream, from where it stands. A copy is taken: what NumPy draws does not move it. A seed sequence stands for
        ``clrng.PCG64(seed_sequence)``.
    queue, arithmetic : optional
        As for `Generator`: where the values are made, and how.

    Attributes
    ----------
    bits : clrng.BitGenerator
        A new one, which stands after the last value that NumPy got.
    device : DeviceInfo
        Where the values are made.
    lock : context manager
        What NumPy holds while it draws.
    seed_seq : numpy.random.SeedSequence or None
        The one that the state was made from, if any.
    state : dict
    capsule, ctypes, cffi
        NumPy's interfaces to C.

    Notes
    -----
    NumPy asks for values of four kinds. Each takes a fixed number of steps of the one stream, in the order in which
    they are asked for:

    - raw: the next value of `Generator.random_raw`.
    - double: the next of ``Generator.random(dtype="float64")``, one step. It has no more bits than a raw value.
    - uint32 and uint64: the next of ``Generator.integers(0, 2**32, dtype="uint32")`` and of ``Generator.integers(0,
      2**64, dtype="uint64")``. Where there are 2^64 raw values, uint64 is the raw value and uint32 its upper half; but
      those of NumPy's own generators, such as `PCG64`, give uint32 in halves as NumPy does, the lower one first.
      Where there are 2^32, uint32 is the raw value and uint64 two of them, the upper half first. Where there are about
      2^31 or 2^32, but no power of two, uint32 takes three steps and uint64 four, and they are uniform up to 2^-40.

    Raw values are made ahead on the device, 512 at first and at most 32768 at a time.

    NumPy cannot be told of Ctrl-C, or of an error of the device, while it draws: the call raises it at its end instead
    of returning numbers. After Ctrl-C the stream stands after the whole call. After an error of the device the rest of
    the call gets numbers that are not of the stream, and the stream goes on from where the error occurred.

    Threads may share it, and so may several of NumPy's generators: each call takes its own piece of the stream.
    In a forked process the values that were made ahead are given, and then calls raise `ForkError`.

    Some functions of SciPy, such as ``scipy.stats.qmc.Halton``, do not draw from the generator they are given, but
    from children that they make themselves: ``type(bit_generator)(seed_sequence)``, as NumPy's bit generators are made,
    with children of its `seed_seq`. Such a child is a stream of `PCG64` on the device that `clrng.choose_device`
    chooses, whatever the parent's bit generator and device are. A bit generator without `seed_seq` has no children:
    `TypeError` is raised.

    Copies and pickles go on where this stands, on the device that `clrng.choose_device` chooses.
    """

    def __init__(
        self, bit_generator: BitGenerator | ISeedSequence, queue: Queue | None = None, arithmetic: str = "auto"
    ) -> None:
        if isinstance(bit_generator, ISeedSequence):
            bit_generator = PCG64(bit_generator)
        self._arithmetic = arithmetic
        self._stream = Prefetched(check_bit_generator(bit_generator), queue, arithmetic)
        seeds: Any = _Unseeded() if bit_generator.seed_seq is None else bit_generator.seed_seq
        super().__init__(seeds)
        self._lock = Lock(self._stream.errors)
        self._iterators = self._stream.iterators()
        self._functions = fill_in(self.capsule, self._iterators)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, ((self.bits, self._arithmetic),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.bits!r}) on {self.device.name}"

    @property
    def lock(self) -> Any:  # type: ignore[override]  # NumPy's cannot be written either
        """What NumPy holds while it draws; when it is released, an error that came in between is raised."""
        return self._lock

    @property
    def bits(self) -> BitGenerator:
        """A new bit generator of clrng, which stands after the last value that NumPy got."""
        with self._lock:
            return self._stream.bits

    @property
    def device(self) -> DeviceInfo:
        """The device that makes the values."""
        return self._stream.generator.device

    @property
    def seed_seq(self) -> ISeedSequence | None:  # type: ignore[override]  # as BitGenerator.seed_seq of clrng
        """The SeedSequence that the state was made from, or None."""
        return self._stream.generator.bit_generator.seed_seq

    @property
    def state(self) -> dict[str, Any]:
        """The state of `bits`, exactly after the last value that NumPy got; assign one to go there.

        Raises
        ------
        TypeError, ValueError, UnsupportedError
            On assignment, as for the state of a bit generator; or if its parameters are not for the arithmetic.
        """
        return self.bits.state

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        if isinstance(value, Mapping):
            value = {key: part for key, part in value.items() if key not in OF_RANDOM_STATE}
        with self._lock:
            bits = self._stream.bits
            bits.state = value
            self._stream.seek(bits)

    def advance(self, delta: int) -> "NumpyBitGenerator":
        """Move on by `delta` steps of the stream, as if as many raw values had been drawn.

        Returns
        -------
        NumpyBitGenerator
            This one itself.

        Examples
        --------
        >>> bits.advance(3).random_raw(2)
        array([ 984943658, 1144108930], dtype=uint64)
        """
        with self._lock:
            self._stream.seek(self._stream.bits.advance(delta))
        return self

    def jumped(self, delta: int | None = None) -> "NumpyBitGenerator":
        """Return a new one on the same queue, `delta` steps further on; this one stays where it is.

        Parameters
        ----------
        delta : int, optional
            As for `BitGenerator.jumped`; by default far enough for a stream of its own.

        Examples
        --------
        >>> bits.jumped(3).random_raw(2), bits.random_raw(2)
        (array([ 984943658, 1144108930], dtype=uint64), array([    16807, 282475249], dtype=uint64))
        """
        return self._on_same_queue(self.bits.jumped(delta))

    def spawn(self, n_children: int) -> "list[NumpyBitGenerator]":
        """Return new ones on the same queue, of the bit generators that `BitGenerator.spawn` gives.

        Returns
        -------
        list of NumpyBitGenerator

        Raises
        ------
        TypeError
            If the bit generator was not made from a seed.

        Examples
        --------
        >>> import clrng
        >>> bits = clrng.numpy_bit_generator(clrng.PCG64(2026))
        >>> bits.spawn(2)[1].random_raw()
        12379846323123809911
        """
        return [self._on_same_queue(child) for child in self.bits.spawn(n_children)]

    def _on_same_queue(self, bits: BitGenerator) -> "NumpyBitGenerator":
        return type(self)(bits, self._stream.generator.queue, self._arithmetic)

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Return the next raw values, as the method of NumPy's bit generators does.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; by default a single integer.
        output : bool, optional
            If false, the values are left out and None is returned.

        Returns
        -------
        int, or ndarray of uint64, or None

        Raises
        ------
        ValueError
            If the array would have more bytes than NumPy can count.

        Examples
        --------
        >>> bits.random_raw(3)
        array([     16807,  282475249, 1622650073], dtype=uint64)
        """
        shape = () if size is None else validation.shape("size", size)
        if not validation.flag("output", output):
            with self._lock:
                bits = self._stream.bits
                bits.drawn(bits, prod(shape))  # with which a half goes on waiting, unlike with `advance`
                self._stream.seek(bits)
            return None
        arrays.check_host_size(shape, np.dtype(np.uint64))
        with self._lock:
            raw = islice(self._iterators["raw"], prod(shape))
            values = np.fromiter(raw, np.uint64, prod(shape)).reshape(shape)
        return int(values) if size is None else values


complete_all(NumpyBitGenerator, MAKING, "advance", "jumped", "spawn", "random_raw")


def _made_again(pickled: tuple[BitGenerator, str]) -> NumpyBitGenerator:
    bits, arithmetic = pickled
    return NumpyBitGenerator(bits, None, arithmetic)


def numpy_bit_generator(
    bit_generator: BitGenerator | ISeedSequence, queue: Queue | None = None, arithmetic: str = "auto"
) -> NumpyBitGenerator:
    """Return a bit generator as one of NumPy's, whose generators and distributions then draw its exact stream.

    Parameters
    ----------
    bit_generator, queue, arithmetic
        As for `NumpyBitGenerator`.

    Returns
    -------
    NumpyBitGenerator
        For ``numpy.random.Generator``.

    Raises
    ------
    TypeError
        If an argument is of the wrong type.
    ValueError
        If `arithmetic` is unknown, `queue` is a context of several devices, or all raw values are the same one.
    UnsupportedError, NoDeviceError, ForkError
        As for `Generator`.

    See Also
    --------
    Generator : draws the same names of distributions on the device, much faster.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> rng = np.random.Generator(clrng.numpy_bit_generator(clrng.ParkMiller(seed=1)))
    >>> rng.random(2).tolist()
    [7.826369259425611e-06, 0.13153778814316625]
    >>> rng.bit_generator.random_raw(3).tolist()
    [1622650073, 984943658, 1144108930]
    >>> deck = rng.permutation(52)
    """
    return NumpyBitGenerator(bit_generator, queue, arithmetic)
