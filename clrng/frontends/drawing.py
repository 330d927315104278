"""What front ends are given, and what those that draw one stream have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from threading import RLock
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from pyopencl.tools import ImmediateAllocator, MemoryPool

from clrng import validation
from clrng.cuda.foreign import dtype_of_foreign, filled, taken
from clrng.cuda.pool import pool_of
from clrng.distributions import Transform
from clrng.distributions.distribution import WHOLE, Distribution, new_transform_of, transform_of
from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.uniform import HALF
from clrng.errors import NoDeviceError, UnsupportedError
from clrng.fill.executor import executor_for
from clrng.fill.jump_tree import Reached
from clrng.fill.runs import runs_of
from clrng.generators import BitGenerator
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, devices
from clrng.opencl.arrays import is_foreign
from clrng.opencl.kernel import check_process, of_queue
from clrng.order.copies import move
from clrng.validation import shown

Queue = cl.CommandQueue | cl.Device | cl.Context | devices.DeviceInfo | int | str
"""What the front ends take as `queue`, beside None."""


def check_queue(value: Any, name: str = "queue") -> cl.CommandQueue:
    """Return `value`, which errors call `name`, if it is a queue, or a new queue on the device that it stands for."""
    check_process()
    queue = value if isinstance(value, cl.CommandQueue) else _new_queue(value, name)
    try:
        of_queue(queue)
    except cl.LogicError as error:
        raise ValueError(
            f"{name} must be a queue whose context is still there: queues of {queue.device.platform.name} do not hold "
            "theirs; keep it in a variable, as in context = cl.Context([device]); queue = cl.CommandQueue(context)"
        ) from error
    return queue


def _new_queue(value: Any, name: str) -> cl.CommandQueue:
    if value is None:
        return devices.make_queue()
    if isinstance(value, cl.Context):
        if len(value.devices) != 1:
            raise ValueError(f"{name} must be a context of one device, not one of {len(value.devices)} devices")
        return cl.CommandQueue(value)
    if isinstance(value, (cl.Device, devices.DeviceInfo)):
        return devices.queue_on(value.device if isinstance(value, devices.DeviceInfo) else value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer, str)):
        raise TypeError(
            f"{name} must be a pyopencl.CommandQueue, Context or Device, a clrng.DeviceInfo, what clrng.choose_device "
            f"takes, or None, not {shown(value)}"
        )
    try:
        return devices.make_queue(value if isinstance(value, str) else int(value))
    except NoDeviceError as error:
        raise NoDeviceError(f"{name} must be on a device that there is, not {shown(value)}: {error}") from None


def check_queues(values: Any) -> list[cl.CommandQueue]:
    """Return a queue for each of `values`; None stands for all GPUs, or the best device where there is none."""
    if values is None:
        working = [info for info in devices.list_devices("gpu") if info.fault is None]
        return [check_queue(info) for info in working or [devices.choose_device()]]
    legal = "a sequence of one queue or more, or of what clrng.Generator takes as queue"
    if not isinstance(values, Sequence) or isinstance(values, (str, bytes)):
        raise TypeError(f"queues must be {legal}, not {shown(values)}")
    if not values:
        raise ValueError(f"queues must be {legal}, not {shown(values)}")
    found: list[cl.CommandQueue] = []
    for i, value in enumerate(values):
        queue = check_queue(value, f"queues[{i}]")
        if queue in found:
            raise ValueError(
                f"queues[{i}] must be another queue than queues[{found.index(queue)}], not the same; a second queue of "
                f"the same device is legal"
            )
        found.append(queue)
    return found


POOLS: dict[str, Callable[[cl.CommandQueue], Any]] = {
    "pool": lambda queue: MemoryPool(ImmediateAllocator(queue)),
    "cuda": pool_of,
}
"""The pools of a queue, by the names that users give them: of the memory of OpenCL, and of that which CUDA shares."""


class Allocator:
    """The attribute `allocator` of front ends: what gives the memory of the arrays that are returned, or None.

    A name of `POOLS` becomes that pool, of the front end's queue.
    """

    def __get__(self, front: Any, _: type | None = None) -> Any:
        return self if front is None else front._allocator  # noqa: SLF001  # its own

    def __set__(self, front: Any, value: Any) -> None:
        if isinstance(value, str) and value in POOLS:
            value = POOLS[value](front.queue)
        if value is not None and not callable(value):
            raise TypeError(
                f"allocator must be 'pool', 'cuda', an allocator of PyOpenCL such as a "
                f"pyopencl.tools.MemoryPool, or None, not {shown(value)}"
            )
        front._allocator = value  # noqa: SLF001


Size = int | tuple[int, ...] | None
"""What methods take as the shape of a result; without it `out` or arrays of parameters have it, or it is ()."""

Number = float | Any
"""A number, or where a method says so an array of the host or the device."""

ELEMENTS = (*WHOLE, "float32", "float64", "complex64", "complex128")
"""The dtypes of arrays that `choice` draws from."""


def on_queue(name: str, elements: Any, queue: cl.CommandQueue, device: devices.DeviceInfo) -> Any:
    """Return an array of the host as one on the queue, and one of the device, for whose events that may wait."""
    if not isinstance(elements, cla.Array):
        arrays.check_allocation(device, elements.size, elements.dtype, name)
        return arrays.upload(queue, elements)
    if elements.context != queue.context:
        raise ValueError(f"{name} must be in the context of the generator's queue, not in another one")
    arrays.flush_others(queue, elements)
    return elements


def dtype_of(out: Any) -> np.dtype[Any] | None:
    """Return the dtype of an array of any kind; None where `out` is not an array, such as the class of arrays."""
    try:
        found = getattr(out, "dtype", None)
    except Exception:  # noqa: BLE001  # whatever a user's class raises
        return None
    if isinstance(found, np.dtype):
        return found
    return dtype_of_foreign(out) if is_foreign(out) else None


def check_dtype(legal: tuple[str, ...], dtype: Any, out: Any, device: devices.DeviceInfo) -> np.dtype[Any]:
    """Return `dtype`, by default that of `out`, and without it the first of the `legal` ones, if the device has it."""
    name, instead, chosen = "dtype", "dtype='float32'", dtype
    if dtype is None and out is not None and dtype_of(out):
        name, chosen, instead = "out.dtype", dtype_of(out), "an array of float32"
    found = np.dtype(legal[0]) if chosen is None else validation.dtype(name, chosen, legal)
    check_precision(found, device, name, instead)
    return found


def check_precision(
    dtype: np.dtype[Any], device: devices.DeviceInfo, name: str = "dtype", instead: str = "dtype='float32'"
) -> None:
    """Check that the device has double precision if `dtype` is float64."""
    if dtype == np.float64 and not device.fp64:
        raise UnsupportedError(
            f"{name} float64 needs double precision, which {device.name} does not have; use {instead}"
        )


def whole_dtype(dtype: Any, out: Any) -> np.dtype[Any]:
    """Return `dtype`, by default that of `out`, and without it int64, if it is one of integers."""
    given = dtype_of(out)
    if dtype is None and given is not None:
        return validation.dtype("out.dtype", given, WHOLE)
    return validation.dtype("dtype", "int64" if dtype is None else dtype, WHOLE)


def as_array(name: str, value: Any, legal: str, queue: cl.CommandQueue | None = None) -> Any:
    """Return an array of the device as it is, and anything else as an array of the host, in native byte order.

    With a `queue` an array of CUDA is taken to its device.
    """
    if isinstance(value, cla.Array):
        return value
    if queue is not None and is_foreign(value):
        value = taken(queue, name, value)
        if isinstance(value, cla.Array):
            return value
    try:
        found = np.asarray(value)
    except Exception:  # noqa: BLE001  # ragged lists, and whatever a user's class raises
        kind = ValueError if isinstance(value, (list, tuple)) else TypeError
        raise kind(f"{name} must be {legal}, not {shown(value)}") from None
    return found if found.dtype.isnative else found.astype(found.dtype.newbyteorder("="))


def checked_elements(a: Any, axis: Any, nothing: bool) -> tuple[Any, int]:
    """Return the array `a` that `choice` draws from, of the host or, of numbers, the device, and its axis from 0.

    It may be empty if `nothing` is drawn, and then stands for one of the host with an element there.
    """
    legal = "an integer, or an array of one dimension or more, and of one element or more if a value is drawn"
    elements = as_array("a", a, legal)
    if isinstance(a, cla.Array) and elements.dtype.name not in ELEMENTS:
        raise TypeError(f"a must be {legal}, on the device of {', '.join(ELEMENTS)}, not {shown(a)}")
    if elements.ndim == 0:
        raise (ValueError if elements.dtype.kind in "biufc" else TypeError)(f"a must be {legal}, not {shown(a)}")
    axis = validation.integer("axis", axis, -elements.ndim, elements.ndim - 1) % elements.ndim
    if elements.shape[axis]:
        return elements, axis
    if not nothing:
        raise ValueError(f"a must be {legal}, not {shown(a)}")
    return np.zeros([size or int(i == axis) for i, size in enumerate(elements.shape)], elements.dtype), axis


def is_nothing(size: Any, out: Any) -> bool:
    """Return whether an array of the shape `size`, by default that of `out`, has no values."""
    shape = getattr(out, "shape", ()) if size is None else validation.shape("size", size)
    return isinstance(shape, tuple) and 0 in shape


Piece = tuple[int, tuple[int, ...]]
"""A part of an array whose values follow one another: the place of the first one, and its shape."""


def check_bit_generator(value: Any) -> BitGenerator:
    """Return `value` if it is a bit generator."""
    if not isinstance(value, BitGenerator):
        raise TypeError(
            f"bit_generator must be a clrng bit generator such as clrng.ParkMiller(seed=1), not {shown(value)}"
        )
    return value


def filling(queue: cl.CommandQueue, device: devices.DeviceInfo, code: GeneratorCode) -> Callable[..., None]:
    """Return what fills arrays with the stream of one generator, as `Drawing._fill` says."""
    return partial(executor_for(queue, device, code).fill, reached=Reached())


def fill_on_host(
    queue: cl.CommandQueue, device: devices.DeviceInfo, fill: Callable[..., None], transform: Transform, out: Any,
    start: BitGenerator,
) -> None:  # fmt: skip
    """Fill an array of the host as `fill` fills one of the device; in place where the device shares its memory."""
    moving, place = start.copy(), 0
    for portion in arrays.portions(device, out):
        with arrays.on_device(queue, device, portion) as result:
            fill(transform.at(place) if place else transform, result, moving)
        moving.advance(portion.size * transform.steps)
        place += portion.size


class Drawing(ABC):
    """A front end that draws the stream of its bit generator and moves it on.

    The bit generator is the position. It may be moved, replaced by another and given other parameters between calls:
    each call begins by looking at it.

    An interrupt may end a call anywhere. So the bit generator moves on last of all, by the one assignment in its
    `advance`; and if anything is raised while the device works, the queue is finished first. No call comes
    between the error and that wait, and so, from Python 3.11 on, no second interrupt.
    """

    _fill: Callable[..., None]
    """Called with a transform, an array and a bit generator `start`, fills the array, or where `runs` are given these
    of its memory, with the outputs that follow where the bit generator stands; that stays there."""

    _allocator: Any = None  # Of new arrays; None gives each a buffer of its own
    _takes_slices = False  # Whether `_fill` fills slices of arrays that are not contiguous
    _legal_out = "a pyopencl.array.Array"  # What errors say that `out` must be

    device = Attribute[devices.DeviceInfo]("The device of the queue.")
    queue = Attribute[cl.CommandQueue]("The queue, which cannot be changed.")

    def __init__(self, bit_generator: BitGenerator, queue: Queue | None) -> None:
        self.bit_generator = bit_generator
        self._queue = check_queue(queue)
        self._device = devices.describe(self._queue.device)
        self._lock = RLock()  # raw values may be made once parameters have been looked at
        self._take(bit_generator)

    @abstractmethod
    def _use(self, recurrence: BitGenerator) -> None:
        """Take the parameters of `recurrence`, or raise an error and change nothing."""

    @abstractmethod
    def _options(self) -> dict[str, Any]:
        """Return the arguments of the constructor that a pickle has, but for the bit generator."""

    def _check_shape(self, shape: tuple[int, ...]) -> None:  # noqa: B027  # most can fill any
        """Raise an error if no array of this shape can be filled."""

    def __getstate__(self) -> dict[str, Any]:
        return {"bit_generator": self.bit_generator.copy(), **self._options()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # the arguments that do not depend on the machine

    def _take(self, bit_generator: BitGenerator) -> None:
        """Take the parameters of `bit_generator`, and remember which they are."""
        self._use(bit_generator.copy())
        self._parameters, self._raw = bit_generator.parameters, bit_generator.dtype
        self._raw_values = bit_generator.min_value, bit_generator.upper_bound
        self._known, self._version = bit_generator, bit_generator.parameters_version

    def _looked_at(self) -> BitGenerator:
        """Return the bit generator, whose parameters are now those in use."""
        bits = self.bit_generator
        if bits is not self._known or bits.parameters_version != self._version:
            if check_bit_generator(bits).parameters != self._parameters:
                self._take(bits)
            else:
                self._known, self._version = bits, bits.parameters_version
        return bits

    def _transform(
        self, bits: BitGenerator, chosen: Transform | Distribution, dtype: np.dtype[Any] | None
    ) -> Transform:
        """Return the transform that `chosen` is, or what makes its values as `dtype`."""
        if dtype is None:
            return cast("Transform", chosen)
        law = cast("Distribution", chosen)
        limits = (0, HALF) if bits.has_halves and law.fits_half(dtype) else self._raw_values
        make = transform_of if law.reused else new_transform_of
        return make(law, *limits, dtype, numpys=bits.has_halves)

    def _draw(
        self, chosen: Transform | Distribution, size: Size, out: Any, dtype: np.dtype[Any] | None = None,
        finish: Callable[[cla.Array], object] | None = None, piece: Piece | None = None,
    ) -> cla.Array:  # fmt: skip
        """Return the next values, in `out` or in a new array of the shape `size`, or only a `piece` of that array.

        `chosen` says what they are: a transform, or a distribution with one of its dtypes. `finish` is called with the
        array that the device has filled. The stream moves on by the whole array in any case.
        """
        if is_foreign(out):
            into: cla.Array = filled(
                self._queue, out, lambda array: Drawing._draw(self, chosen, size, array, dtype, finish, piece)
            )
            return into
        check_process()
        shape = None if size is None else validation.shape("size", size)
        begin, wanted = (0, shape) if piece is None else piece
        with self._lock:
            bits = self._looked_at()
            if shape is not None:
                self._check_shape(shape)
            transform = self._transform(bits, chosen, dtype)
            taken = bits.taken(transform)
            kind = transform.dtype or self._raw
            if out is np.ndarray:
                out = arrays.host_array(wanted or (), kind)
            on_host = isinstance(out, np.ndarray)
            if on_host:
                arrays.check_host(wanted, kind, out, strided=self._takes_slices)
            direct = on_host and finish is None
            result: Any = out if direct else self._output_array(wanted, kind, None if on_host else out)
            try:
                start = taken.jumped(begin * transform.steps) if begin and result.size else taken
                filled_by = transform.at(begin) if begin else transform
                if direct:
                    fill_on_host(self._queue, self._device, self._fill, filled_by, out, start)
                elif result is not out or out.flags.c_contiguous:
                    self._fill(filled_by, result, start)
                elif isinstance(filled_by, Varying) and filled_by.one_behind_another:
                    made = arrays.output_array(self._queue, self._device, result.shape, kind)
                    self._fill(filled_by, made, start)
                    move(self._queue, made, result)
                else:
                    runs = runs_of(result.shape, [0] * result.ndim, result.shape, arrays.value_strides(result))
                    self._fill(filled_by, result, start, runs=runs)
                if finish is not None:
                    finish(result)
                    result = arrays.copied(self._queue, result, out) if on_host else result
            except BaseException:
                self._queue.finish()
                raise
            bits.drawn(taken, (result.size if piece is None else prod(shape or ())) * transform.steps)
        return cast("cla.Array", result)

    def _drawn_too(self, chosen: Distribution, like: cla.Array, begin: int) -> cla.Array:
        """Return what another distribution makes of the raw values of an array with which `_draw` calls `finish`.

        It begins at place `begin` of the whole array.
        """
        bits = self._known  # which `_draw` has looked at; there may be another one by now
        transform = self._transform(bits, chosen, like.dtype)
        made = arrays.output_array(self._queue, self._device, like.shape, like.dtype)
        self._fill(transform.at(begin), made, bits.taken(transform).jumped(begin * transform.steps))
        return made

    def _output_array(
        self, shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: Any, name: str = "size"
    ) -> cla.Array:
        return arrays.output_array(
            self._queue, self._device, shape, dtype, out, name, self._allocator, strided=self._takes_slices,
            legal=self._legal_out,
        )  # fmt: skip
