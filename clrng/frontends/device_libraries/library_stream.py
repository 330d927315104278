"""What the streams of the libraries of GPUs have in common."""

from collections.abc import Callable
from math import prod
from threading import Lock
from typing import Any, ClassVar

import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.documented import Common
from clrng.errors import UnsupportedError
from clrng.frontends.device_libraries.forms import Form
from clrng.frontends.drawing import Allocator, Queue, Size, check_queue
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, devices
from clrng.opencl.kernel import check_process

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


class LibraryStream:
    """A stream of a library on a queue; calls take their pieces of it under a lock and move it on last of all."""

    _place: Any
    """Where the stream stands: what a call replaces in one step."""

    _arguments: ClassVar[tuple[str, ...]] = ()
    """The attributes that the constructor takes."""

    allocator = Allocator()
    device = Attribute[devices.DeviceInfo]("The device of the queue.")
    queue = Attribute[cl.CommandQueue]("The queue, which cannot be changed.")

    def __init__(self, queue: Queue | None, allocator: Any) -> None:
        self._queue = check_queue(queue)
        self.allocator = allocator
        self._device = devices.describe(self._queue.device)
        self._lock = Lock()

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

    def _check_form(self, what: str, form: Form) -> None:
        if form.needs_double and not self._device.fp64:
            raise UnsupportedError(f"{what} needs double precision, which {self._device.name} does not have")

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
