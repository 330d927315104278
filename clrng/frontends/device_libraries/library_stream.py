"""What the streams of the libraries of GPUs have in common."""

from collections.abc import Callable, Mapping
from math import prod
from threading import Lock
from typing import Any, ClassVar

import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions.distribution import LIMITS
from clrng.documented import Common
from clrng.errors import UnsupportedError
from clrng.frontends.device_libraries.forms import Form
from clrng.frontends.drawing import Allocator, Queue, Size, check_queue
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, devices
from clrng.opencl.kernel import check_process
from clrng.validation import shown

WORDS = Common(
    arguments={
        "size": "int or tuple of int, optional\n    The shape of the result, by default ().",
        "dtype": "dtype_like, optional\n    By default the first of those named above.",
        "low": "int\n    The minimum.",
        "high": "int\n    Above `low`.",
    },
    raises={
        "TypeError": "If an argument is of the wrong type.",
        "ValueError": "If an argument is out of its range, which the message names.",
        "UnsupportedError": "If the device has no double precision, and the values need it.",
        "BuildError": "If the device's compiler refuses a kernel. After any error the stream stands where it stood.",
    },
    returns="clrng.Array",
    example=">>> import clrng",
)
"""What the methods have in common."""

STREAM = Common(
    arguments={"queue, allocator": "optional\n    As for `Generator`."},
    attributes="queue : pyopencl.CommandQueue\ndevice : DeviceInfo\nallocator : callable or None",
    raises={
        "TypeError": "If an argument is of the wrong type.",
        "ValueError": "If an argument is out of its range, which the message names.",
        "NoDeviceError, ForkError": "As for `Generator`.",
    },
)
"""What the classes have in common."""


def chosen(forms: Mapping[str, Form], dtype: Any) -> Form:
    """Return the form of a dtype, which must be one of those of `forms`."""
    return forms[validation.dtype("dtype", dtype, tuple(forms)).name]


def whole_range(low: Any, high: Any, dtype: str, *, past: bool = False) -> tuple[int, int]:
    """Return the least of the integers of a dtype from `low` to `high` - 1, and how many there are.

    `past`: whether `high` may be one more than the greatest integer of the dtype.
    """
    least, most = LIMITS[dtype]
    first, end = validation.integer("low", low, least, most), validation.integer("high", high, least, most + past)
    if first >= end:
        raise ValueError(f"high must be above low, {first}, not {shown(high)}")
    return first, end - first


class LibraryStream:
    """A stream of a library on a queue; calls take their pieces of it under a lock and move it on last of all."""

    __slots__ = ("__weakref__", "_allocator", "_device", "_lock", "_place", "_queue")

    _place: Any
    """Where the stream stands: what a call replaces in one step."""

    _arguments: ClassVar[tuple[str, ...]] = ()
    """The attributes that the constructor takes."""

    allocator = Allocator()
    device = Attribute[devices.DeviceInfo]("The device of the queue.")
    queue = Attribute[cl.CommandQueue]("The queue, which cannot be changed.")

    def __init__(self, queue: Queue | None, allocator: Any, place: Any = None) -> None:
        self._queue = check_queue(queue)
        self.allocator = allocator  # noqa: PLE0237  # a descriptor
        self._device = devices.describe(self._queue.device)
        self._lock = Lock()
        self._place = place

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: getattr(self, name) for name in self._arguments} | {"_place": self._place}

    def __setstate__(self, state: dict[str, Any]) -> None:
        place = state.pop("_place")
        self.__init__(**state)  # type: ignore[misc]  # the arguments that do not depend on the machine
        self._place = place

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._arguments)
        return f"{type(self).__name__}({given}) on {self._device.name}"

    def _values(self, form: Form, out: cla.Array, place: Any, low: int = 0, number_range: int = 1) -> Any:
        """Fill `out` with values of a form from a place on, and return the place behind."""
        raise NotImplementedError

    def _made(self, what: str, form: Form, size: Size, *given: Any) -> Any:
        """Return a new array of values of a form; `what` names them in errors."""
        if form.needs_double and not self._device.fp64:
            raise UnsupportedError(f"{what} needs double precision, which {self._device.name} does not have")
        return self._draw(size, form.dtype, lambda out, place: self._values(form, out, place, *given))

    def _draw(self, size: Size, dtype: Any, fill: Callable[[cla.Array, Any], Any]) -> Any:
        """Return a new array, which `fill` fills from a place of the stream; it returns the place behind the values."""
        check_process()
        shape = () if size is None else validation.shape("size", size)
        with self._lock:
            out = arrays.output_array(
                self._queue, self._device, shape, validation.dtype_named(str(dtype)), allocator=self.allocator
            )  # fmt: skip
            place = self._place
            try:
                if prod(shape):
                    place = fill(out, place)
            except BaseException:
                self._queue.finish()
                raise
            self._place = place
        return out
