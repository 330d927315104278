"""What the generators that go on with NumPy's streams have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, MutableSequence
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.cuda.foreign import filled
from clrng.documented import Common, complete_all
from clrng.errors import UnsupportedError
from clrng.fill.locate import broadcast_shape
from clrng.frontends.distribution_methods import SIZE
from clrng.frontends.drawing import (
    Allocator,
    Number,
    Queue,
    Size,
    as_array,
    check_dtype,
    check_precision,
    check_queue,
    dtype_of,
    is_nothing,
    on_queue,
)  # fmt: skip
from clrng.frontends.numpy_streams import bounded, choice, known_numbers, shuffles
from clrng.frontends.numpy_streams.affine import Numbers, affine
from clrng.frontends.numpy_streams.ranges import DTYPES
from clrng.frontends.numpy_streams.words import Words
from clrng.generators import BitGenerator
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, devices
from clrng.opencl.arrays import is_foreign
from clrng.opencl.kernel import check_process, in_any_order
from clrng.order.copies import Picks, move
from clrng.validation import LONGEST, shown

if TYPE_CHECKING:
    from typing_extensions import Self

FLOATS = ("float64", "float32")
"""The dtypes of real numbers, NumPy's default first."""

FLOAT64 = np.dtype(np.float64)

MAX_BYTES = 2**62
"""The maximum of `length`; in practice the host's memory sets the limit."""

AS_FLOAT32 = "random, standard_normal or standard_exponential with dtype='float32'"

INSTEAD = (
    "rng.to_numpy() does it on the host, and clrng.from_numpy goes on from there; clrng.default_rng(seed) draws many "
    "distributions on the device, in numbers of its own"
)
"""What errors say where NumPy has something that this has not."""

WORDS = Common(
    arguments={
        "size": SIZE,
        "dtype": "dtype_like, optional\n    float64 or float32; by default that of `out`, and without it float64.",
        "out": """pyopencl.array.Array or numpy.ndarray, optional
    Where to put the values: contiguous, of their dtype; or the class ``numpy.ndarray`` for a new array of NumPy.""",
        "low": "int\n    The minimum; without `high`, the minimum is 0 and `low` is taken as `high`.",
        "high": "int, optional\n    Above `low`, or from it on with `endpoint`.",
        "endpoint": "bool, optional\n    Whether `high` is included.",
        "a": """int or array_like
    An array is of one dimension, of the host or the device, and has numbers of at most 64 bits; the result has its
    dtype. No `out` is taken then.""",
        "replace": "bool, optional\n    It must be true.",
        "p": """array_like of float, shape (a,), optional
    Probabilities, which add up to 1. By default all are equally likely.""",
        "x": """int or array_like
    An array is of one dimension, of the host or the device, and has numbers of at most 64 bits; the result has its
    dtype, and is else of int64.""",
        "axis": "int, optional\n    The one that there is.",
        "shape": "int\n    The shape of the result.",
    },
    raises={
        "TypeError": "If an argument is of the wrong type.",
        "ValueError": "If an argument is out of its range or shape, which the message names.",
        "UnsupportedError": """If something that NumPy takes is not drawn here, or the device has no double precision
    for float64.""",
        "BuildError": "If the device's compiler refuses a kernel. After any error the stream stands where it stood.",
    },
    returns="clrng.Array",
    notes="The stream moves on as far as NumPy's would.",
    example=""">>> import clrng
>>> import numpy as np
>>> rng = clrng.from_numpy(np.random.default_rng(2026))""",
)
"""What the methods have in common."""

Draw = Callable[[Words, cla.Array], BitGenerator]
"""Called with words and an array, fills this and returns the bit generator that stands where NumPy's would then."""

Direct = Callable[..., BitGenerator] | None
"""The same for numbers `scale` and `loc`, of which values are then; None where there is no such thing."""


class NumpyStream(ABC):
    """The stream of a generator of NumPy on a queue; a copy of where that stands is its position.

    A call takes its piece of the stream under a lock, and moves the bit generator on last of all, in one step.
    """

    _numpy: ClassVar[type]
    """The class of NumPy."""

    _is_ordered: ClassVar[bool]
    """Whether `uniform` takes no `high` below `low`."""

    _normals: ClassVar[tuple[Draw, Direct]]
    _exponentials: ClassVar[tuple[Draw, Direct]]
    """What draws standard values, and what moves and scales them too, if anything does."""

    allocator = Allocator()
    device = Attribute[devices.DeviceInfo]("The device of the queue.")
    queue = Attribute[cl.CommandQueue]("The queue, which cannot be changed.")
    bit_generator = Attribute[BitGenerator]("Where the stream stands; draws move it on, and it may be moved.")

    def __init__(self, bits: BitGenerator, queue: Queue | None, allocator: Any) -> None:
        known_numbers.check()
        self._bit_generator = bits
        self._queue = check_queue(queue)
        self.allocator = allocator
        self._device = devices.describe(self._queue.device)
        self._lock = Lock()
        self._words = Words.of(self._queue, self._device, bits)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"bits": self._bit_generator.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        NumpyStream.__init__(self, state["bits"], None, None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({type(self._bit_generator).__name__}) on {self._device.name}"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a method that raises `UnsupportedError`, in place of one that only NumPy's has."""
            if name.startswith("_") or not callable(getattr(self._numpy, name, None)):
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

            def refused(*_: Any, **__: Any) -> Any:
                raise UnsupportedError(f"{name} is not a method of {type(self).__name__}; {INSTEAD}")

            return refused

    @abstractmethod
    def to_numpy(self) -> Any:
        """Return a new generator of NumPy that goes on where this one stands.

        Returns
        -------
        numpy.random.Generator or numpy.random.RandomState
        """

    def _like(self, bits: BitGenerator) -> "Self":
        """Return one of another bit generator that is otherwise like this one."""
        made = type(self).__new__(type(self))
        NumpyStream.__init__(made, bits, self._queue, self.allocator)
        return made

    def _draw(self, dtype: Any, size: Size, out: Any, draw: Draw) -> Any:
        """Return the next values in `out`, or in a new array of `dtype` and the shape `size`; then move on."""
        if is_foreign(out):
            return filled(self._queue, out, lambda array: self._draw(dtype, size, array, draw))
        check_process()
        kind, shape = np.dtype(dtype), None if size is None else validation.shape("size", size)
        if out is np.ndarray:
            out = arrays.host_array(shape or (), kind)
        with self._lock:
            if isinstance(out, np.ndarray):
                arrays.check_host(shape, kind, out)
                arrays.check_allocation(self._device, out.size, kind, "size")
                with arrays.on_device(self._queue, self._device, out) as result:
                    end = self._drawn(result, draw)
            else:
                result = arrays.output_array(
                    self._queue, self._device, shape, kind, out, allocator=self.allocator,
                    legal="a pyopencl.array.Array, an array of NumPy or the class numpy.ndarray",
                )  # fmt: skip
                out, end = result, self._drawn(result, draw)
            self._move(end)
        return out

    def _drawn(self, result: Any, draw: Draw) -> BitGenerator:
        """Have `draw` fill `result`, or change it in place; return where the stream stands then."""
        bits = self._bit_generator
        if not result.size:
            return bits
        if isinstance(result, cla.Array):
            self._wait_for_others(result)
        try:
            return draw(self._words.at(bits.copy()), result)
        except BaseException:
            self._queue.finish()
            raise

    def _wait_for_others(self, result: cla.Array) -> None:
        """Wait for the commands on `result` that a copy from the host could overtake: all but those before in order."""
        in_order = not in_any_order(self._queue)
        for event in result.events:
            if not in_order or event.command_queue != self._queue:
                event.wait()

    def _move(self, end: BitGenerator) -> None:
        """Move on to `end` in one step, which no other thread and no Ctrl-C sees half done."""
        vars(self._bit_generator).update(vars(end))

    def _doubles(self, size: Size, out: Any, dtype: Any = None) -> Any:
        """Return uniform numbers in [0, 1)."""
        return self._draw(check_dtype(FLOATS, dtype, out, self._device), size, out, lambda words, to: words.random(to))

    def uniform(self, low: Number = 0.0, high: Number = 1.0, size: Size = None, out: Any = None) -> Any:
        """Return uniform float64 numbers from `low` to `high`.

        Parameters
        ----------
        low, high : float or array_like of float, optional
            Of the host. Only a `RandomState` takes a `high` below `low`.

        Returns
        -------
        clrng.Array
            low + (high - low) * x of `random`, each operation rounded once.

        Examples
        --------
        >>> print(rng.uniform(-1, 1, 3))
        [-0.64213037  0.27982633 -0.0654632 ]
        """
        a, b = _numbers("low", low), _numbers("high", high)
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                width = np.asarray(b - a)
            except ValueError:  # that they cannot be broadcast is said below
                width = b
        bad = ~np.isfinite(width) | (np.signbit(width) if self._is_ordered else False)
        if bad.any():
            above = "low or above, and " if self._is_ordered else ""
            raise ValueError(f"high must be {above}a finite float64 away from low, {shown(low)}, not {shown(high)}")
        return self._placed(Words.random, size, out, width, a, low=a.shape, high=b.shape)

    def normal(self, loc: Number = 0.0, scale: Number = 1.0, size: Size = None, out: Any = None) -> Any:
        """Return normal float64 numbers; NumPy makes those of a `RandomState` on the host.

        Parameters
        ----------
        loc, scale : float or array_like of float, optional
            The mean, and the standard deviation, of 0 or more; arrays are of the host.

        Examples
        --------
        >>> print(rng.normal(100, 15, 3))
        [ 88.10316287 103.60856925  71.55510476]
        """
        return self._scaled(*self._normals, size, out, loc=loc, scale=scale)

    def exponential(self, scale: Number = 1.0, size: Size = None, out: Any = None) -> Any:
        """Return exponential float64 numbers; NumPy makes those of a `RandomState` on the host, as logarithms.

        Parameters
        ----------
        scale : float or array_like of float, optional
            The mean, 0 or more; an array is of the host.

        Examples
        --------
        >>> print(rng.exponential(2, 3))
        [0.29763403 2.53146155 0.85773207]
        """
        return self._scaled(*self._exponentials, size, out, scale=scale)

    def _scaled(self, standard: Draw, direct: Direct, size: Size, out: Any, **given: Number) -> Any:
        """Return values of `standard` times a scale plus a loc, which `direct` makes at once where they are numbers."""
        numbers = {name: _numbers(name, value) for name, value in given.items()}
        scale, loc = numbers["scale"], numbers.get("loc", np.zeros(()))
        if (np.signbit(scale) & ~np.isnan(scale)).any():
            raise ValueError(f"scale must be 0 or more, not {shown(given['scale'])}")
        if direct is None or scale.ndim or loc.ndim:
            return self._placed(standard, size, out, scale, loc, loc=loc.shape, scale=scale.shape)
        check_precision(FLOAT64, self._device, instead=AS_FLOAT32)
        floats = {name: float(value) for name, value in numbers.items()}
        return self._draw(FLOAT64, size, out, lambda words, to: direct(words, to, **floats))

    def _placed(
        self, standard: Draw, size: Size, out: Any, factor: Numbers, offset: Numbers, **shapes: tuple[int, ...]
    ) -> Any:
        """Return float64 values of `standard` times factors plus offsets, for arrays of these `shapes`."""
        check_precision(FLOAT64, self._device, instead=AS_FLOAT32)
        shape = broadcast_shape(size, out, shapes)

        def draw(words: Words, to: cla.Array) -> BitGenerator:
            end = standard(words, to)
            affine(self._queue, to, factor, offset)
            return end

        return self._draw(FLOAT64, shape, out, draw)

    def bytes(self, length: int) -> bytes:
        """Return random bytes on the host.

        Parameters
        ----------
        length : int
            From 0 to 2^62.

        Returns
        -------
        bytes

        Examples
        --------
        >>> rng.bytes(4).hex()
        'aaf912da'
        """
        length = validation.integer("length", length, 0, MAX_BYTES)
        count = max(-(-length // 4), 1)  # NumPy draws one for no bytes too
        words = self._draw(np.uint32, count, np.ndarray, lambda words, to: words.whole(to))
        found: bytes = words.astype("<u4").tobytes()[:length]
        return found

    def _integers(
        self, low: int, high: int | None, size: Size, dtype: Any, endpoint: bool, out: Any, *, masked: bool
    ) -> Any:
        """Return integers from `low` to `high` - 1, or to `high` where it is an `endpoint`."""
        name = "out.dtype" if dtype is None and dtype_of(out) else "dtype"
        kind = validation.dtype(name, (dtype_of(out) or np.int64) if dtype is None else dtype, DTYPES)
        limits = (0, 1) if kind == np.bool_ else (int(np.iinfo(kind).min), int(np.iinfo(kind).max))
        first, last = (0, _whole("low", low)) if high is None else (_whole("low", low), _whole("high", high))
        last -= not validation.flag("endpoint", endpoint)
        if not limits[0] <= first <= last <= limits[1]:
            raise ValueError(
                f"low and high must be the bounds of one integer or more of {kind}, not {shown(low)} and {shown(high)}"
            )
        return self._draw(kind, size, out, lambda words, to: bounded.draw(words, first, last, to, masked=masked))

    def _choice(self, a: Any, size: Size, replace: bool, p: Any, out: Any, *, masked: bool) -> Any:
        """Return integers below `a`, or elements of the array `a`, with replacement."""
        if not validation.flag("replace", replace):
            raise UnsupportedError(
                f"replace must be True, not {replace}: choices without replacement are not made as NumPy makes them; "
                f"{INSTEAD}"
            )
        if np.ma.is_masked(p):  # whose sums NumPy makes without what is masked
            raise TypeError(f"p must be an array with nothing masked, not {shown(p)}")
        a, p = a[()] if isinstance(a, np.ndarray) and a.ndim == 0 else a, p.get() if isinstance(p, cla.Array) else p
        elements = None if isinstance(a, (int, np.integer)) else self._elements("a", a)
        least = int(not is_nothing(size, out))
        if elements is not None and (out is not None or elements.size < least):
            what = "and not empty" if out is None else "where out is given an integer"
            raise ValueError(f"a must be an integer of 1 or more, or an array of one dimension {what}, not {shown(a)}")
        count = validation.integer("a", a, least, 2**63) if elements is None else elements.size
        among = None if p is None else choice.bounds(p, count)

        def places(words: Words, to: cla.Array) -> BitGenerator:
            if among is None:
                return cast("BitGenerator", bounded.draw(words, 0, count - 1, to, masked=masked))
            return cast("BitGenerator", choice.draw_places(words, among, to))

        if elements is None:
            return self._draw(np.int64, size, out, places)
        if isinstance(elements, np.ndarray):
            drawn = self._draw(np.int64, size, np.ndarray, places)
            return elements[drawn] if size is None else elements[drawn.ravel()].reshape(drawn.shape)

        def draw(words: Words, to: cla.Array) -> BitGenerator:
            drawn = cla.Array(self._queue, to.size, np.int64)
            end = places(words, drawn)
            move(self._queue, elements, arrays.part(to, 0, to.size), Picks.along(0, 1, drawn))
            return end

        return self._draw(elements.dtype, size, None, draw)

    def _permutation(self, x: Any) -> Any:
        """Return the integers below `x`, or the elements of the array `x`, in a random order."""
        if isinstance(x, (int, np.integer)):
            return self._draw(np.int64, validation.integer("x", x, 0, LONGEST), None, shuffles.permutation)
        elements = self._elements("x", x)
        if isinstance(elements, np.ndarray):
            moved = elements.copy()
            self._shuffle(moved)
            return moved

        def draw(words: Words, to: cla.Array) -> BitGenerator:
            move(self._queue, elements, to)
            return cast("BitGenerator", shuffles.shuffle(words, to))

        return self._draw(elements.dtype, elements.size, None, draw)

    def _shuffle(self, x: Any) -> None:
        """Shuffle `x`, an array of the host or the device, in place."""
        check_process()
        if is_foreign(x):
            filled(self._queue, x, self._shuffle, "x", reads=True)
            return
        if isinstance(x, cla.Array):
            arrays.check(self._queue, None, x.dtype, x, strided=True, name="x")
        elif isinstance(x, MutableSequence):
            moved = np.fromiter(x, object, len(x))
            self._shuffle(moved)
            for place, element in enumerate(moved):
                x[place] = element
            return
        elif not isinstance(x, np.ndarray):
            raise TypeError(f"x must be an array of NumPy or of the device, or a list, not {shown(x)}")
        elif not x.flags.writeable:
            raise ValueError("x must be an array that may be written to, not one that is read-only")
        _check_one_dimension("x", x)
        with self._lock:
            self._move(self._drawn(x, shuffles.shuffle))

    def _elements(self, name: str, value: Any) -> Any:
        """Return an array of one dimension as one of the device, if the device can have its elements."""
        check_process()
        legal = "an integer or an array of one dimension"
        found = as_array(name, value, legal, self._queue)
        if found.ndim == 0:
            raise TypeError(f"{name} must be {legal}, not {shown(value)}")
        _check_one_dimension(name, found)
        if found.dtype.name not in (*DTYPES, *FLOATS):
            if isinstance(found, np.ndarray):
                return found
            kinds = ", ".join((*DTYPES, *FLOATS))
            raise TypeError(f"{name} must be on the device of {kinds}, not of {found.dtype}")
        held = on_queue(name, found, self._queue, self._device)
        return held if held.flags.c_contiguous else move(self._queue, held)


complete_all(NumpyStream, WORDS)


def _check_one_dimension(name: str, x: Any) -> None:
    if x.ndim != 1:
        raise UnsupportedError(
            f"{name} must be of one dimension, not of {x.ndim}: slices are not permuted as NumPy does it; {INSTEAD}"
        )


def _whole(name: str, value: Any) -> int:
    """Return a bound of integers."""
    if isinstance(value, (list, tuple, cla.Array)) or (isinstance(value, np.ndarray) and value.ndim):
        raise UnsupportedError(
            f"{name} must be an integer, not {shown(value)}: integers between arrays are not drawn; {INSTEAD}"
        )
    return validation.integer(name, value, None, None)


def _numbers(name: str, value: Any) -> Numbers:
    """Return a number, or an array of them of the host, as an array of float64."""
    legal = "a number or an array of numbers of the host"
    if isinstance(value, cla.Array):
        raise UnsupportedError(f"{name} must be {legal}, not {shown(value)}; take its get()")
    found = as_array(name, value, legal)
    if found.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be {legal}, not {shown(value)}")
    return cast("Numbers", found.astype(np.float64))
