"""The front end: one exact stream as arrays of dask."""

import inspect
import pickle
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from itertools import chain
from math import prod
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import dask.array as da
import numpy as np
import numpy.typing as npt
import pyopencl.array as cla
from dask.array import Array
from dask.array.core import normalize_chunks
from dask.base import is_dask_collection, tokenize
from dask.delayed import delayed

from clrng import validation
from clrng.dask.worker import Elements, Laws, Located, OfVectors, Places, Source, fill
from clrng.distributions import Transform
from clrng.distributions.by_element import LOOK, ByElements, numbers_of
from clrng.distributions.catalog import by_name
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.elements import by_elements, of_frozen, standing_for
from clrng.distributions.foreign import FrozenArrays
from clrng.distributions.vectors import Vectors
from clrng.documented import entries, joined, sections
from clrng.fill.locate import on_host
from clrng.frontends.draw_methods import ARRAYS, ORDERS, refused, shape_with, values_of
from clrng.frontends.drawing import Size, check_bit_generator, checked_elements, is_nothing, whole_dtype
from clrng.frontends.generator import Seed, bits_of
from clrng.frontends.vector_methods import VectorMethods
from clrng.generators import BitGenerator
from clrng.generators.families import family_of

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_INLINE = 1024
"""The maximum bytes of a source that is sent with every task; a longer one is a task of its own, once in a graph."""


class Asked(NamedTuple):
    """What the methods of `VectorMethods` get as `out`: the name of the method, and the chunks of the array."""

    name: str
    chunks: Any


WORDS = {
    "size": "size : int or tuple of int, optional\n    The shape of the array; by default (), for a single value.",
    "chunks": """chunks : optional
    The chunks of the array, in any form that dask takes. The values do not depend on them.""",
}
"""Parameters of methods that are not as those of `VectorMethods`, which they are in place of."""

OF_VECTORS = {
    "chunks": """chunks : optional
    The chunks of the array without its last axis, which is not cut, in any form that dask takes. The values do not
    depend on them.""",
}
"""Those of methods that draw vectors."""

ERRORS = """TypeError
    If an argument is of the wrong type.
ValueError
    If an argument is out of its range, which the message names, or `dtype` or `chunks` is not legal. The stream has
    not moved then. Errors of devices, and of the elements of arrays of dask, are raised when the array is computed."""

LIKE_DASKS = {"random_raw", "random", "integers"}
"""The methods whose parameters stand in the order in which dask's generator has them, with `chunks` behind `dtype`."""

Methods: Any = VectorMethods
"""The methods, of which type checkers do not know the parameters, as `lazy` changes them."""


def lazy(method: Callable[..., Any]) -> Callable[..., Array]:
    """Return `method` for dask, with `chunks` instead of `out`; what stands behind them is keyword-only."""
    given, place = list(inspect.signature(method).parameters.values()), "dtype"
    if method.__name__ in LIKE_DASKS:
        place = "out"
    places = [each.name for each in given]
    first = places.index(place)
    chunks = given[first].replace(name="chunks", default="auto", annotation=Any)
    behind = [each.replace(kind=each.KEYWORD_ONLY) for each in given[first:] if each.name != "out"]
    signature = inspect.Signature([*given[:first], chunks, *behind], return_annotation=Array)

    @wraps(method)
    def drawn(*args: Any, **kwargs: Any) -> Array:
        arguments = signature.bind(*args, **kwargs).arguments
        asked = Asked(method.__name__, arguments.pop("chunks", "auto"))
        return method(**arguments, out=asked)

    drawn.__signature__ = signature  # type: ignore[attr-defined]  # which `inspect` looks for
    drawn.__doc__ = (
        _for_dask(method, list(signature.parameters)) if method.__doc__ else None
    )  # Python may have no docstrings
    return drawn


def _for_dask(method: Callable[..., Any], names: list[str]) -> str:
    """Return the docstring of `method` for arrays of dask, with arguments of these names, in their order."""
    found = sections(method.__doc__ or "")
    given = entries(found["Parameters"].replace("\nout :", "\nchunks :"))
    in_order = sorted(given.items(), key=lambda entry: names.index(entry[0].split(",")[0]))
    words = OF_VECTORS if method.__name__ in vars(VectorMethods) else WORDS
    said = [re.sub(r"that of `out`;\s+without `out`, ", "", words.get(name, text)) for name, text in in_order]
    example = re.sub(r"print\((rng\..*)\)", r"print(\1.compute())", found["Examples"])
    return joined(
        found
        | {
            "Parameters": "\n".join(said),
            "Returns": f"dask.array.Array\n    Its values are those of `clrng.Generator.{method.__name__}`.",
            "Raises": ERRORS if "dtype" in names else ERRORS.replace("`dtype` or ", ""),
            "Examples": example.replace("import clrng", "import clrng.dask").replace(".default", ".dask.default"),
        }
    )


class Generator(Methods):  # type: ignore[misc]  # see there
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
    Chunks are NumPy arrays. A thread of a worker draws on the device that the environment variable ``CLRNG_DEVICE``
    asks for, as `clrng.choose_device` takes it. Without it, thread t of worker w, both counted from 0, takes GPU
    (w + t) mod n of the n GPUs of its machine, or the best other device. The number of a worker is the one at
    the end of its name, as in those of ``LocalCluster``; without one it is 0. Each thread caches its own queue and
    kernels.

    The methods take the parameters of those of `clrng.Generator` and give the same values. Parameters that are arrays
    may be arrays of dask too, but for the bounds of `integers` and the parameters of vectors; each chunk needs only its
    part of them. Instead of `out` there is

    chunks : optional
        The chunks of the array, in any form that dask takes. The values do not depend on them.

    Errors in arguments are raised at once, as by `clrng.Generator`; those of a device, and of the elements of arrays of
    dask, when the array is computed.

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

    _arrays = (*ARRAYS, Array)
    bytes = refused(
        "bytes",
        "bytes are no array; draw integers(0, 256, size, dtype='uint8')",
        "rng.integers(0, 256, size, dtype='uint8')",
    )
    permutation, permuted, shuffle = (
        refused(name, ORDERS.format(part="chunk")) for name in ("permutation", "permuted", "shuffle")
    )

    def choice(
        self, a: Any, size: Size = None, replace: bool = True, p: npt.ArrayLike | None = None, axis: int = 0,
        shuffle: bool = True, *, dtype: Any = None, chunks: Any = "auto",
    ) -> Array:  # fmt: skip
        """Draw integers below `a`, or elements of the array `a`, with replacement.

        Parameters
        ----------
        a : int or array_like
            An array must be on the host; the result has its dtype, and the graph has one copy of it.
        size : int or tuple of int, optional
            The shape of the array; by default (), for a single value.
        replace : bool, optional
            It must be True.
        p : array_like of float, shape (a,), optional
            Their probabilities, which add up to 1. By default all are equally likely.
        axis : int, optional
            The axis of the array along which slices are drawn; those of `size` take its place.
        shuffle : bool, optional
            It is there for NumPy's callers.
        dtype : dtype_like, optional
            Any dtype of integers that holds all below `a`, by default int64; only where `a` is an integer.
        chunks : optional
            The chunks of an array of the shape `size`, in any form that dask takes. The values do not depend on them.

        Returns
        -------
        dask.array.Array

        Raises
        ------
        TypeError, ValueError
            As for the other methods; or if `a` is on a device or another array of dask, or `replace` is not True.

        Notes
        -----
        A value takes as many steps of the stream as with `clrng.Generator.choice`.

        Examples
        --------
        >>> import clrng.dask
        >>> print(clrng.dask.default_rng(2026).choice([2, 3, 5, 7], 4).compute())
        [2 5 3 3]
        """
        validation.flag("shuffle", shuffle)
        if replace is not True:
            reason = "without replacement a value depends on those before it, and so a chunk on others"
            raise ValueError(f"replace must be True, not {validation.shown(replace)}: {reason}")
        slices = None if isinstance(a, (int, np.integer)) else _slices(a, axis, size)
        if slices is not None and dtype is not None:
            raise TypeError("dtype must not be given where a is an array, whose dtype the result has")
        drawn = by_name("choice", a=a if slices is None else len(slices), p=values_of(p, LOOK))
        places: Array = super().sample(drawn, size, dtype, Asked("choice", chunks))
        if slices is None:
            return places
        found = delayed(slices, pure=True)  # one task, on which all chunks depend
        axes, before = range(places.ndim, places.ndim + slices.ndim - 1), axis % slices.ndim
        taken = places.map_blocks(
            _taken, found, dtype=slices.dtype, chunks=(*places.chunks, *((size,) for size in slices.shape[1:])),
            new_axis=list(axes), meta=np.empty((0,) * (places.ndim + len(axes)), slices.dtype),
        )  # fmt: skip
        return taken.transpose((*axes[:before], *range(places.ndim), *axes[before:]))

    def _values_of(self, name: str, value: Any) -> Any:
        return _delayed(name, value) if isinstance(value, Array) else super()._values_of(name, value)

    def _by_elements(
        self, name: str, size: Size, dtype: Any, out: Any, parameters: dict[str, Any], arrays: dict[str, Any]
    ) -> Any:
        values = {key: self._values_of(key, value) for key, value in arrays.items()}
        held: dict[str, Any] = {
            key: value if isinstance(value, Array) else numbers_of(key, value) for key, value in values.items()
        }
        shape, given = shape_with(size, None, held), dict(parameters)
        late = [key for key, value in held.items() if isinstance(value, Array)]
        if name == "integers":
            given["dtype"] = whole_dtype(dtype, None)
            if late:
                raise TypeError(
                    f"{late[0]} must be an integer or an array of the host, not {validation.shown(held[late[0]])}: the "
                    f"steps of all values depend on the widest range; compute it first"
                )
        if name == "lognormal" and held.keys() == {"mean"} and not late and held["mean"].size:
            return self._lognormal_of_means(given["sigma"], held["mean"], shape, dtype, out)
        shapes = tuple(each.shape for each in held.values())
        chosen = standing_for(name, shapes) if late else by_elements(name, given, held, shape)
        kind = given["dtype"] if name == "integers" else self._check_dtype(chosen.dtypes, dtype, out)
        others = tuple((key, value) for key, value in given.items() if key not in held)
        parts = Elements(name, others, tuple(held), shapes, 0, chosen.fits_half(kind))
        return self._draw(chosen, shape, out, kind, parts, tuple(held.values()))

    def _of_frozen(self, chosen: FrozenArrays, size: Size, dtype: Any, out: Any) -> Any:
        shape = shape_with(size, None, chosen.arrays)
        found, kind = of_frozen(chosen, shape), self._check_dtype(chosen.dtypes, dtype, out)
        if not isinstance(found, ByElements):  # nothing is drawn
            return self._draw(found, shape, out, kind)
        return self._draw(found, shape, out, kind, Laws(tuple(found.laws), 0, found.fits_half(kind)), (found.codes,))

    def _numbers(self, name: str, value: Any) -> npt.NDArray[Any]:
        if isinstance(value, Array):
            raise TypeError(
                f"{name} must be a number or an array of the host, not {validation.shown(value)}: it is "
                f"looked at as a whole when vectors are asked for; compute it first"
            )
        return cast("npt.NDArray[Any]", super()._numbers(name, value))

    def _vectors(self, found: Vectors, shape: tuple[int, ...], kind: np.dtype[Any], out: Any) -> Array:
        return self._draw(found.laws[0], shape, out, kind, OfVectors(found.of_part), found.arrays)

    def _places(self, given: Mapping[str, Any], dtype: np.dtype[Any]) -> dict[str, Any]:
        held = {name: self._values_of(name, value) for name, value in given.items()}
        return {name: each if isinstance(each, Array) else on_host(name, each, dtype) for name, each in held.items()}

    def _draw_located(
        self, standard: Continuous, shape: tuple[int, ...], dtype: np.dtype[Any], out: Any, loc: Any, scale: Any
    ) -> Any:
        return self._draw(standard, shape, out, dtype, Located(standard, (loc.shape, scale.shape)), (loc, scale))

    def _check_dtype(self, legal: tuple[str, ...], dtype: Any, _: Any) -> np.dtype[Any]:
        return validation.dtype("dtype", legal[0] if dtype is None else dtype, legal)

    def _draw(
        self, chosen: Transform | Distribution, size: Size, out: Any, dtype: Any = None, parts: Any = None,
        arrays: tuple[Any, ...] = (),
    ) -> Array:  # fmt: skip
        """Return the array of the next values, and move on; `out` says its chunks and the beginning of its name.

        Where parameters are `arrays`, chunks are made as `parts` says, of the parts that they have of these.
        """
        shape = () if size is None else validation.shape("size", size)
        with self._lock:
            bits = check_bit_generator(self.bit_generator)
            transform: Any = chosen
            if isinstance(chosen, Distribution):
                transform = bits.transform_of(chosen, dtype)
            kind = transform.dtype or bits.dtype
            cut = (_cut_vectors if isinstance(parts, OfVectors) else _cut)(out.chunks, shape, kind)
            bare = bits.with_state(bits._words)  # noqa: SLF001  # without the seed sequence, which workers do not need
            made: Any = (
                replace(parts, steps=transform.steps) if isinstance(parts, (Elements, Laws)) else parts or chosen
            )
            blocks = [_cut_like(each, cut) for each in arrays]
            what = (made, *arrays) if parts else transform
            result = _from_source(out.name, Source(bare, made, shape, kind.name), what, cut, blocks)
            bits.drawn(bits.taken(transform), prod(shape) * transform.steps)
        return result


for _name, _method in inspect.getmembers(VectorMethods, inspect.isfunction):
    if not _name.startswith("_") and _name not in vars(Generator) and "out" in inspect.signature(_method).parameters:
        setattr(Generator, _name, lazy(_method))


def _cut(chunks: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the lengths of the chunks along each axis, if `chunks` cuts an array of this shape."""
    legal = f"what dask takes as the chunks of an array of the shape {shape}"
    try:
        cut: tuple[tuple[int, ...], ...] = normalize_chunks(chunks, shape, dtype=dtype)
    except Exception as error:  # noqa: BLE001  # dask raises many kinds, and a user's class any
        kind = ValueError if isinstance(error, (ValueError, ArithmeticError)) else TypeError
        raise kind(f"chunks must be {legal}, not {validation.shown(chunks)}: {error}") from None
    if tuple(map(sum, cut)) != shape or any(min(lengths) < 0 for lengths in cut):  # dask lets fractions through
        raise ValueError(f"chunks must be {legal}, not {validation.shown(chunks)}")
    return tuple(tuple(map(int, lengths)) for lengths in cut)


def _cut_vectors(chunks: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the lengths of the chunks of vectors along each axis, of which the last is not cut."""
    *whole, width = shape
    return *_cut(chunks, tuple(whole), np.dtype(f"V{max(width, 1) * dtype.itemsize}")), (width,)


def _cut_like(array: Any, cut: tuple[tuple[int, ...], ...]) -> Any:
    """Return an array of dask with the parts that chunks need of `array`; one without axes as it is.

    An axis of another length than that of the chunks stays whole.
    """
    if not array.ndim and not isinstance(array, Array):
        return array
    lengths = cut[len(cut) - array.ndim :]
    axes = zip(array.shape, lengths, strict=True)
    chunks: Any = tuple((size,) if size == 1 or size != sum(own) else own for size, own in axes)
    return array.rechunk(chunks) if isinstance(array, Array) else da.from_array(array.copy(), chunks)


def _from_source(
    name: str, source: Source, what: Any, cut: tuple[tuple[int, ...], ...], blocks: Sequence[Any] = ()
) -> Array:
    """Return the array of a source; its name depends on the chunks too, as those of other lengths need other keys.

    `what` says what the values are, and `blocks` are arrays of parameters.
    """
    values = tokenize(source.bits, what, source.shape, source.dtype)
    axes, places, new_arrays = tuple(range(len(source.shape))), Places(cut), da.array_expr_enabled()
    given: Any = source
    if len(pickle.dumps(source)) > MAX_INLINE and not new_arrays:  # which take no delayed values
        given = delayed(source, name=f"{name}-source-{values}", traverse=False)
    pairs = [(each, axes[len(axes) - each.ndim :] if isinstance(each, Array) else None) for each in blocks]
    result = da.blockwise(
        fill, axes, places, axes, *chain.from_iterable(pairs), source=given,
        name=f"{name}-{values}-{tokenize(places)}",
        meta=np.empty((0,) * len(axes), source.dtype), dtype=np.dtype(source.dtype), align_arrays=False,
    )  # fmt: skip
    if not new_arrays:
        (result.dask.layers[result.name].collection_annotations or {}).pop("chunks", None)  # one for each chunk
    return result


def _delayed(name: str, value: Array) -> Array:
    """Return an array of dask that is a parameter, if its shape is known and it has real numbers."""
    if value.dtype == np.bool_ and value.ndim:
        value = value.astype(np.uint8)
    if value.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a real number or an array of real numbers, not {validation.shown(value)}")
    if any(size != size for size in value.shape):  # noqa: PLR0124  # not a number
        raise ValueError(f"{name} must be of a known shape, not {value.shape}; call its compute_chunk_sizes first")
    return value


def _slices(a: Any, axis: Any, size: Size) -> npt.NDArray[Any]:
    """Return the array `a`, if it is on the host, with its axis along which slices are drawn as the first one."""
    if is_dask_collection(a) or isinstance(a, cla.Array):
        raise TypeError(f"a must be an integer or an array of the host, not {validation.shown(a)}")
    elements, along = checked_elements(a, axis, is_nothing(size, None))
    return np.moveaxis(elements, along, 0)


def _taken(places: npt.NDArray[Any], elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = elements[places]
    return found


def default_rng(
    seed: Seed | Generator = None,
) -> Generator:
    """Return a generator of arrays of dask from any seed: the stream of `clrng.default_rng`.

    Parameters
    ----------
    seed : int, sequence of int, SeedSequence, or a generator or bit generator of NumPy or clrng, optional
        As for `clrng.default_rng`; a `clrng.dask.Generator` is returned as it is.

    Returns
    -------
    Generator

    Raises
    ------
    TypeError, ValueError, UnsupportedError
        As for `clrng.default_rng`.

    Examples
    --------
    >>> import clrng.dask
    >>> clrng.dask.default_rng(2026).random_raw((2, 2), chunks=1).compute().tolist()
    [[3300764713747675562, 11804314397344746687], [8619580609625321962, 6834528402736651379]]
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(bits_of(seed))
