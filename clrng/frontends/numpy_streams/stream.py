"""What the generators that go on with NumPy's streams have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.errors import UnsupportedError
from clrng.fill.locate import broadcast_shape
from clrng.frontends.drawing import Allocator, Number, Queue, Size, check_dtype, check_precision, check_queue
from clrng.frontends.numpy_streams.affine import affine
from clrng.frontends.numpy_streams.words import Words
from clrng.generators import BitGenerator
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, devices
from clrng.opencl.kernel import check_process
from clrng.validation import shown

if TYPE_CHECKING:
    from typing_extensions import Self

FLOATS = ("float64", "float32")
"""The dtypes of real numbers, NumPy's default first."""

FLOAT64 = np.dtype(np.float64)

MAX_BYTES = 2**62
"""The maximum of `length`; in practice the host's memory sets the limit."""

KEPT = ("_seed_seq", "gauss")
"""What draws of words alone do not change: attributes of a position."""

Draw = Callable[[Words, cla.Array], BitGenerator]
"""Called with words and an array, fills this and returns the bit generator that stands where NumPy's would then."""


class NumpyStream(ABC):
    """The stream of a generator of NumPy on a queue; a copy of where that stands is its position.

    A call takes its piece of the stream under a lock, and moves the bit generator on last of all, in one step.
    """

    allocator = Allocator()
    device = Attribute[devices.DeviceInfo]("The device of the queue.")
    queue = Attribute[cl.CommandQueue]("The queue, which cannot be changed.")
    bit_generator = Attribute[BitGenerator]("Where the stream stands; draws move it on, and it may be moved.")

    def __init__(self, bits: BitGenerator, queue: Queue | None, allocator: Any) -> None:
        self.allocator = allocator
        self._bit_generator = bits
        self._queue = check_queue(queue)
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

    @abstractmethod
    def to_numpy(self) -> Any:
        """Return a new generator of NumPy that goes on where this one stands."""

    def _like(self, bits: BitGenerator) -> "Self":
        """Return one of another bit generator that is otherwise like this one."""
        made = type(self).__new__(type(self))
        NumpyStream.__init__(made, bits, self._queue, self.allocator)
        return made

    def _draw(self, dtype: Any, size: Size, out: Any, draw: Draw, *kept: str) -> Any:
        """Return the next values in `out`, or in a new array of `dtype` and the shape `size`; then move on.

        What is `kept` of a position is as it was.
        """
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
            self._move(end, kept or KEPT)
        return out

    def _drawn(self, result: cla.Array, draw: Draw) -> BitGenerator:
        """Fill `result`, and return where the stream stands then."""
        bits = self._bit_generator
        if not result.size:
            return bits
        try:
            return draw(self._words.at(bits.copy()), result)
        except BaseException:
            self._queue.finish()
            raise

    def _move(self, end: BitGenerator, kept: tuple[str, ...]) -> None:
        """Move on to `end` in one step, which no other thread and no Ctrl-C sees half done."""
        now = vars(self._bit_generator)
        now.update({**vars(end), **{name: now[name] for name in kept if name in now}})

    def _doubles(self, size: Size, out: Any, dtype: Any = None) -> Any:
        """Return uniform numbers in [0, 1)."""
        return self._draw(check_dtype(FLOATS, dtype, out, self._device), size, out, lambda words, to: words.random(to))

    def _uniform(self, low: Number, high: Number, size: Size, out: Any, *, ordered: bool) -> Any:
        """Return uniform numbers from `low` to `high`, which is not below `low` where that is `ordered`."""
        check_precision(FLOAT64, self._device, instead="random(dtype='float32')")
        a, b = (_bounds(name, value) for name, value in (("low", low), ("high", high)))
        wanted = getattr(out, "shape", None) if size is None and out is not np.ndarray else size
        shape = broadcast_shape(None if wanted is None else validation.shape("size", wanted), low=a.shape, high=b.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            width = np.asarray(b - a)
        bad = ~np.isfinite(width) | (np.signbit(width) if ordered else False)
        if bad.any():
            above = "low or above, and " if ordered else ""
            raise ValueError(f"high must be {above}a finite float64 away from low, {shown(low)}, not {shown(high)}")

        def draw(words: Words, to: cla.Array) -> BitGenerator:
            end = words.random(to)
            affine(self._queue, to, width, a)
            return end

        return self._draw(FLOAT64, shape, out, draw)

    def _bytes(self, length: int) -> bytes:
        """Return bytes of 32-bit halves."""
        length = validation.integer("length", length, 0, MAX_BYTES)
        count = max(-(-length // 4), 1)  # NumPy draws one for no bytes too
        words = self._draw(np.uint32, count, np.ndarray, lambda words, to: words.whole(to))
        found: bytes = words.astype("<u4").tobytes()[:length]
        return found


def _bounds(name: str, value: Any) -> Any:
    """Return a number, or an array of them of the host, as an array of float64."""
    legal = "a number or an array of numbers of the host"
    if isinstance(value, cla.Array):
        raise UnsupportedError(f"{name} must be {legal}, not {shown(value)}; take its get()")
    try:
        found = np.asarray(value)
    except ValueError:  # rows of several lengths
        found = np.array(None)
    if found.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be {legal}, not {shown(value)}")
    return found.astype(np.float64)
