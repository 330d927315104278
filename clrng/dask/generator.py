"""The front end: one exact stream as arrays of dask."""

import pickle
from collections.abc import Sequence
from math import prod
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn

import dask.array as da
import numpy as np
import numpy.typing as npt
import pyopencl.array as cla
from dask import delayed, is_dask_collection
from dask.array import Array
from dask.base import tokenize
from numpy.random.bit_generator import ISeedSequence

from clrng import validation
from clrng.dask.chunks import Source, fill
from clrng.dask.named_draws import NamedDraws
from clrng.dask.places import Places
from clrng.distributions import RAW, UNIFORM, Transform
from clrng.distributions.catalog import distribution
from clrng.distributions.distribution import Between, Distribution, transform_of
from clrng.distributions.foreign import as_distribution
from clrng.distributions.transforms.interval import INTERVALS
from clrng.frontends.arguments import Size, check_bit_generator
from clrng.frontends.draws.discrete import checked_elements
from clrng.frontends.draws.refused import RefusedDraws, refuse
from clrng.generators import BitGenerator, MRG32k3a
from clrng.generators.families import family_of
from clrng.generators.seeding import checked
from clrng.generators.spawning import Spawning

if TYPE_CHECKING:
    from typing_extensions import Self

MOST_INLINE = 1024
"""The most bytes of a source that travel with every task; a longer one is a task of its own, once in a graph."""

ORDERS = "where an element goes depends on all others, so that no chunk can be made without them"


class Generator(NamedDraws, RefusedDraws, Spawning):
    """Random numbers as arrays of dask: the exact sequential stream of a bit generator.

    Every call returns an array that is computed later, on the devices of dask's workers, and moves the bit generator
    on by the whole array at once. The value at an index is that of the stream at the index in C order. So the array
    does not depend on its chunks, on how it is sliced or rechunked, on the number of workers, the order in which they
    work, or the kinds of their devices; and it is the one that `clrng.Generator` gives on one device.

    Parameters
    ----------
    bit_generator : BitGenerator
        The stream.

    Attributes
    ----------
    bit_generator : BitGenerator
        It may be moved, or replaced by another, between calls.

    Raises
    ------
    TypeError
        If `bit_generator` is no bit generator, or there is no device code for its class.

    Notes
    -----
    Chunks are NumPy's arrays. A thread of a worker draws on the device that the environment variable ``CLRNG_DEVICE``
    asks for, as `clrng.choose_device` takes it. Without it, thread t of worker w, both counted from 0, takes GPU
    (w + t) mod n of the n GPUs of its machine, or the best other device. The number of a worker is the one that its
    name ends with, as those of ``LocalCluster`` do; it is 0 where there is none. Each thread keeps its queue and its
    kernels.

    This process needs no device, unless it computes arrays itself.

    Examples
    --------
    >>> import clrng.dask
    >>> rng = clrng.dask.Generator(clrng.ParkMiller(seed=1))
    >>> rng.random_raw(5, chunks=2).compute().tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    """

    def __init__(self, bit_generator: BitGenerator) -> None:
        family_of(check_bit_generator(bit_generator))
        self.bit_generator = bit_generator
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"clrng.dask.Generator({self.bit_generator!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {"bit_generator": self.bit_generator.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # the lock is made again

    def _like(self, bit_generator: BitGenerator) -> "Self":
        return type(self)(bit_generator)

    def random_raw(self, size: Size | None = None, chunks: Any = "auto") -> Array:
        """Return the next raw values, as the textbook has them.

        Parameters
        ----------
        size, chunks : optional
            As for all methods of `NamedDraws`.

        Returns
        -------
        dask.array.Array of ``bit_generator.dtype``
        """
        return self._array("random_raw", RAW, size, chunks)

    def random(
        self, size: Size | None = None, dtype: Any = None, chunks: Any = "auto", *, interval: str = "[)"
    ) -> Array:
        """Return the next values as uniform numbers between 0 and 1, as `clrng.Generator.random` does.

        Parameters
        ----------
        size, dtype, chunks : optional
            As for all methods of `NamedDraws`.
        interval : {"[)", "(]", "()", "[]"}, optional
            Whether 0 and 1 are among the numbers.

        Returns
        -------
        dask.array.Array
        """
        if not isinstance(interval, str) or interval != "[)":
            validation.choice("interval", interval, INTERVALS)
            return self.uniform(0.0, 1.0, size, chunks, dtype=dtype, interval=interval)
        kind = validation.dtype("dtype", "float32" if dtype is None else dtype, tuple(UNIFORM))
        return self._array("random", UNIFORM[kind.name], size, chunks)

    def uniform(
        self, low: float = 0.0, high: float = 1.0, size: Size | None = None, chunks: Any = "auto", *,
        dtype: Any = None, interval: str = "[)",
    ) -> Array:  # fmt: skip
        """Return uniform numbers between `low` and `high`, as `clrng.Generator.uniform` does.

        Parameters
        ----------
        low, high : float
            Finite numbers, low < high.
        size, chunks, dtype : optional
            As for all methods of `NamedDraws`.
        interval : {"[)", "(]", "()", "[]"}, optional
            Which bounds are among the numbers.

        Returns
        -------
        dask.array.Array
        """
        _check_numbers(low=low, high=high)
        return self._sample("uniform", Between(low, high, interval), size, chunks, dtype)

    def standard_exponential(
        self, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None, method: str = "inv"
    ) -> Array:
        """Draw from the exponential distribution of mean 1; the method is always the inverse."""
        validation.choice("method", method, ("inv",))
        return self._named("standard_exponential", size, chunks, dtype)

    def integers(
        self, low: int, high: int | None = None, size: Size | None = None, dtype: Any = None, endpoint: bool = False,
        chunks: Any = "auto",
    ) -> Array:  # fmt: skip
        """Draw integers from `low` to `high` - 1, as `clrng.Generator.integers` does.

        Parameters
        ----------
        low : int
            The least; without `high`, the least is 0 and `low` stands for `high`.
        high : int, optional
        size, chunks : optional
            As for all methods of `NamedDraws`.
        dtype : dtype_like, optional
            Any dtype of integers, which must hold the range; by default int64.
        endpoint : bool, optional
            Whether `high` is one of them.

        Returns
        -------
        dask.array.Array
        """
        kind = "int64" if dtype is None else dtype
        drawn = distribution("integers", low=low, high=high, dtype=kind, endpoint=endpoint)
        return self._sample("integers", drawn, size, chunks, kind)

    def choice(
        self, a: Any, size: Size | None = None, replace: bool = True, p: npt.ArrayLike | None = None, axis: int = 0,
        shuffle: bool = True, *, dtype: Any = None, chunks: Any = "auto",
    ) -> Array:  # fmt: skip
        """Draw integers below `a`, or elements of the array `a`, with replacement.

        Parameters
        ----------
        a : int or array_like, shape (k,)
            Where it is an array of the host, the result has its dtype. It travels once in a graph.
        size, chunks, dtype : optional
            As for all methods of `NamedDraws`; `dtype` only where `a` is an integer.
        replace : bool, optional
            It must be True.
        p : array_like of float, shape (k,), optional
            Their probabilities, which add up to 1. By default all are as likely.
        axis : int, optional
            That of the array, which has but one: 0 or -1.
        shuffle : bool, optional
            It says nothing with replacement, and is there for NumPy's callers.

        Returns
        -------
        dask.array.Array
        """
        validation.integer("axis", axis, -1, 0)
        if not isinstance(shuffle, (bool, np.bool_)):
            raise TypeError(f"shuffle must be True or False, not {validation.shown(shuffle)}")
        if replace is not True:
            reason = "without replacement a value depends on those before it, and so a chunk on others"
            raise ValueError(f"replace must be True, not {validation.shown(replace)}: {reason}")
        elements = None if isinstance(a, (int, np.integer)) else _elements(a)
        if elements is not None and dtype is not None:
            raise TypeError("dtype must not be given where a is an array, whose dtype the result has")
        drawn = distribution("choice", a=a if elements is None else elements.size, p=p)
        places = self._sample("choice", drawn, size, chunks, dtype)
        if elements is None:
            return places
        found = delayed(elements, pure=True)  # one task, on which all chunks depend
        return places.map_blocks(_taken, found, dtype=elements.dtype, meta=np.empty((0,) * places.ndim, elements.dtype))

    def sample(self, distribution: Any, size: Size | None = None, chunks: Any = "auto", *, dtype: Any = None) -> Array:
        """Return the next values of a distribution, as `clrng.Generator.sample` does.

        Parameters
        ----------
        distribution : Distribution, frozen distribution of scipy.stats, or callable
            Of SciPy's and of a callable only the numbers travel, made in this process.
        size, chunks : optional
            As for all methods of `NamedDraws`.
        dtype : dtype_like, optional
            One of ``distribution.dtypes``, by default the first.

        Returns
        -------
        dask.array.Array
        """
        return self._sample("sample", as_distribution(distribution), size, chunks, dtype)

    def bytes(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: bytes are no array."""
        refuse("bytes", "bytes are no array; draw integers(0, 256, size, dtype='uint8')")

    def permutation(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: where an element goes depends on all others."""
        refuse("permutation", ORDERS)

    def permuted(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: where an element goes depends on all others."""
        refuse("permuted", ORDERS)

    def shuffle(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: where an element goes depends on all others."""
        refuse("shuffle", ORDERS)

    def _named(self, name: str, size: Size | None, chunks: Any, dtype: Any, **parameters: Any) -> Array:
        _check_numbers(**parameters)
        return self._sample(name, distribution(name, **parameters), size, chunks, dtype)

    def _sample(self, name: str, drawn: Distribution, size: Size | None, chunks: Any, dtype: Any) -> Array:
        kind = validation.dtype("dtype", drawn.dtypes[0] if dtype is None else dtype, drawn.dtypes)
        return self._array(name, drawn, size, chunks, kind)

    def _array(
        self, name: str, chosen: Transform | Distribution, size: Size | None, chunks: Any,
        dtype: np.dtype[Any] | None = None,
    ) -> Array:  # fmt: skip
        """Return the array of the next values, and move on; `chosen` and `dtype` are as for `Drawing._draw`."""
        shape = () if size is None else validation.shape("size", size)
        with self._lock:
            bits = check_bit_generator(self.bit_generator)
            transform = _transform(chosen, bits, dtype)
            kind = transform.dtype or bits.dtype
            cut = _cut(chunks, shape, kind)
            bare = bits.with_state(bits._words)  # noqa: SLF001  # without the seed's sequence, which need not travel
            result = _from_source(name, Source(bare, chosen, shape, kind.name), transform, cut)
            bits.advance(prod(shape) * transform.steps)
        return result


def _transform(chosen: Transform | Distribution, bits: BitGenerator, dtype: np.dtype[Any] | None) -> Transform:
    return transform_of(chosen, bits.min_value, bits.upper_bound, dtype) if isinstance(chosen, Distribution) else chosen


def _cut(chunks: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the lengths of the chunks along each axis.

    Raises
    ------
    TypeError, ValueError
        If `chunks` does not cut an array of this shape.
    """
    legal = f"what dask takes as the chunks of an array of the shape {shape}"
    try:
        cut: tuple[tuple[int, ...], ...] = da.core.normalize_chunks(chunks, shape, dtype=dtype)
    except Exception as error:  # noqa: BLE001  # dask has many, and whatever somebody's class raises
        kind = ValueError if isinstance(error, (ValueError, ArithmeticError)) else TypeError
        raise kind(f"chunks must be {legal}, not {validation.shown(chunks)}: {error}") from None
    if tuple(map(sum, cut)) != shape or any(min(lengths) < 0 for lengths in cut):  # dask lets fractions through
        raise ValueError(f"chunks must be {legal}, not {validation.shown(chunks)}")
    return tuple(tuple(map(int, lengths)) for lengths in cut)


def _from_source(name: str, source: Source, transform: Transform, cut: tuple[tuple[int, ...], ...]) -> Array:
    """Return the array of a source.

    Its name says what the values are, and then how they are cut: chunks of other lengths need other keys.
    """
    values = tokenize(source.bits, transform, source.shape, source.dtype)
    axes, places, new_arrays = tuple(range(len(source.shape))), Places(cut), da.array_expr_enabled()
    given: Any = source
    if len(pickle.dumps(source)) > MOST_INLINE and not new_arrays:  # which take no tasks of others
        given = delayed(source, name=f"{name}-source-{values}", traverse=False)
    result = da.blockwise(
        fill, axes, places, axes, source=given,
        name=f"{name}-{values}-{tokenize(places)}",
        meta=np.empty((0,) * len(axes), source.dtype), dtype=np.dtype(source.dtype), align_arrays=False,
    )  # fmt: skip
    if not new_arrays:
        (result.dask.layers[result.name].collection_annotations or {}).pop("chunks", None)  # as long as a list of them
    return result


def _check_numbers(**parameters: Any) -> None:
    """Raise a TypeError if one of `parameters` is an array."""
    for name, value in parameters.items():
        if isinstance(value, (list, tuple)) or is_dask_collection(value) or getattr(value, "shape", ()) != ():
            raise TypeError(
                f"{name} must be a number, not {validation.shown(value)}; for many of them draw standard values and "
                f"compute with dask, such as loc + scale * rng.standard_normal(size)"
            )


def _elements(a: Any) -> npt.NDArray[Any]:
    """Return `a` as an array to take elements of.

    Raises
    ------
    TypeError, ValueError
        If it is on a device or of dask, or has not one dimension, and as `checked_elements` does.
    """
    if is_dask_collection(a) or isinstance(a, cla.Array):
        raise TypeError(f"a must be an integer or an array of the host, not {validation.shown(a)}")
    elements: npt.NDArray[Any] = checked_elements(a)
    if elements.ndim != 1:
        raise ValueError(f"a must be an integer, or an array of one dimension, not {validation.shown(a)}")
    return elements


def _taken(places: npt.NDArray[Any], elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = elements[places]
    return found


def default_rng(
    seed: int | Sequence[int] | npt.NDArray[Any] | ISeedSequence | BitGenerator | Generator | None = None,
) -> Generator:
    """Return a generator of arrays of dask from any seed: the stream of `clrng.default_rng`.

    Parameters
    ----------
    seed : int, sequence of int, numpy.random.SeedSequence, BitGenerator or Generator, optional
        As for `clrng.default_rng`; a `clrng.dask.Generator` is returned as it is.

    Returns
    -------
    Generator

    Raises
    ------
    TypeError, ValueError
        If `seed` is none of these.

    Examples
    --------
    >>> import clrng.dask
    >>> clrng.dask.default_rng(2026).random_raw((2, 2), chunks=1).compute().tolist()
    [[3588656951, 3291159430], [2274426737, 2725520717]]
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, BitGenerator) else MRG32k3a().seeded(checked("seed", seed)))
