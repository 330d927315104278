"""The front end of one exact stream on several devices, and the arrays that it returns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import Transform
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.vectors import Vectors
from clrng.fill.locate import build_locate, locate, on_host, rows_of
from clrng.fill.repeated import MAX_CALLS, Again
from clrng.frontends.draw_methods import are_unchanging, refused_orders
from clrng.frontends.drawing import Queue, Size, check_bit_generator, check_dtype, check_queues
from clrng.frontends.parallel.shares import Balance, Worker, check_shares
from clrng.frontends.vector_methods import VectorMethods, finish_vectors
from clrng.generators import BitGenerator
from clrng.generators.arithmetic import check_name
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, staging
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import check_process
from clrng.opencl.results import Array
from clrng.opencl.undisturbed import at_once, in_turn
from clrng.order import copies
from clrng.validation import shown

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class ArrayPart:
    """The part of a `MultiDeviceArray` that one device has.

    Attributes
    ----------
    begin, end : int
        Its values are those from place `begin` to `end` - 1 of the whole array, counted in C order:
        ``whole.reshape(-1)[begin:end]``.
    rows : slice or None
        The rows along the first axis, if they are whole: ``whole[rows]``. None where rows are cut, and `array` then has
        one dimension; or where the whole array has no axis, and `array` has none either.
    array : pyopencl.array.Array
        The values. It carries the event of their making, so that work PyOpenCL queues on it waits. Its ``queue`` is
        that which made them.
    """

    begin: int
    end: int
    rows: slice | None
    array: cla.Array

    @property
    def device(self) -> cl.Device:
        """The device that has it."""
        return cast("cl.CommandQueue", self.array.queue).device


class MultiDeviceArray:
    """An array whose values are on several devices, as `MultiDeviceGenerator` returns it.

    Work on with the `parts`, each on its device, or gather the values with `get`. ``numpy.asarray`` takes it too.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    parts : tuple of ArrayPart
        In the order of the values; none of them is empty.
    """

    shape = Attribute[tuple[int, ...]]("The shape.")
    dtype = Attribute[np.dtype[Any]]("The dtype.")
    parts = Attribute[tuple[ArrayPart, ...]]("The parts, in the order of the values; none of them is empty.")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], parts: Sequence[ArrayPart]) -> None:
        self._shape, self._dtype, self._parts = shape, dtype, tuple(parts)
        self._layout = tuple((part.array.queue, part.begin, part.array.shape) for part in self._parts)
        end = 0
        for part in self.parts:
            if part.begin != end or part.array.size != part.end - part.begin:
                raise ValueError(f"parts must follow one another and have their values, not {shown(parts)}")
            end = part.end
        if end != self.size:
            raise ValueError(f"parts must have all {self.size} values of shape {shape}, not {end}")

    @property
    def size(self) -> int:
        """The number of values."""
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """The bytes of all values."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of no dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        places = ", ".join(f"{part.end - part.begin} on {part.device.name.strip()}" for part in self.parts)
        return f"MultiDeviceArray(shape={self.shape}, dtype={self.dtype}; {places or 'empty'})"

    def wait(self) -> None:
        """Return when all values are made.

        Examples
        --------
        >>> import clrng
        >>> clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), [0, 0]).random(10**6).wait()
        """
        check_process()
        for part in self.parts:
            for event in part.array.events:
                event.wait()

    def get(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Copy all values to the host, from all devices at the same time.

        Parameters
        ----------
        out : ndarray, optional
            Where to put them: C-contiguous, of the shape and dtype. By default a new array.

        Returns
        -------
        ndarray

        Raises
        ------
        TypeError
            If `out` is not an array of NumPy.
        ValueError
            If `out` is of another shape or dtype, not C-contiguous or read-only.

        Examples
        --------
        >>> import clrng
        >>> rng = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), [0, 0], shares=[1, 1])
        >>> rng.random_raw(4).get()
        array([     16807,  282475249, 1622650073,  984943658], dtype=uint32)
        """
        check_process()
        if out is None:
            out = np.empty(self.shape, self.dtype)
        arrays.check_host(self.shape, self.dtype, out)
        flat = out.reshape(-1)
        at_once([lambda part=part: _copy(part.array, flat[part.begin : part.end]) for part in self.parts])  # type: ignore[misc]  # a default argument
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("copy must not be False, as the values are on devices and have to be copied")
        values = self.get()
        return values if dtype is None else values.astype(dtype, copy=False)


def _copy(array: cla.Array, out: npt.NDArray[Any]) -> None:
    """Copy `array` to `out`; a processor's memory is that of the host, and needs no blocks in between."""
    queue = cast("cl.CommandQueue", array.queue)
    if queue.device.type & cl.device_type.CPU:
        data: Any = array.base_data
        cl.enqueue_copy(queue, out, data, src_offset=array.offset, wait_for=array.events, is_blocking=True)
    else:
        staging.copy_to_host(queue, array, out)


class Ahead(NamedTuple):
    """Workers that have moved on to where their parts of the next call begin, if it is like the last one."""

    key: Any
    """What is equal for such calls."""
    transform: Transform
    bits: BitGenerator
    """A copy of the bit generator, which has not moved since."""
    parts: list[tuple[Worker, BitGenerator, Again]]
    """For each part its worker, that one's bit generator, and what makes it."""

    def is_of(self, bits: BitGenerator) -> bool:
        """Return whether a bit generator stands where the next call is to begin."""
        then, now = vars(self.bits), vars(bits)
        return len(then) == len(now) and all(then.get(name) is value for name, value in now.items())


def _move(bits: BitGenerator, transform: Transform, count: int) -> None:
    """Move on by so many values of a transform."""
    bits.drawn(bits.taken(transform), count * transform.steps)


Finish = Callable[[ArrayPart], object]
"""What is done with each part once it is drawn."""


class MultiDeviceGenerator(VectorMethods):
    """Random numbers on several OpenCL devices at once: the one exact sequential stream of a bit generator.

    Each device makes a part of every array, all at the same time. The numbers are those that `Generator` gives on one
    device, whatever the devices and the parts are. It has the methods of `Generator`, which return a
    `MultiDeviceArray`.

    Parameters
    ----------
    bit_generator : BitGenerator
        The stream; the generator moves it on as it draws.
    queues : sequence, optional
        Where to run: for each device what `Generator` takes as `queue`. They may be of different platforms and kinds;
        two queues of one device are legal, the same queue twice is not. By default new queues on all GPUs, or where
        there is none, on the device that `clrng.choose_device` chooses.
    shares : sequence of float, optional
        The relative sizes of the parts of the devices: [3, 1] gives the first device three quarters of every array. By
        default they are in proportion to the rates of the devices (Notes).
    arithmetic : str, optional
        A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one on each device.

    Attributes
    ----------
    bit_generator : BitGenerator
    queues : tuple of pyopencl.CommandQueue
    devices : tuple of DeviceInfo
    shares : tuple of float or None
    arithmetics : tuple of str
        The arithmetic that each device uses.

    Raises
    ------
    TypeError
        If an argument is of the wrong type, or there is no device code for the class of `bit_generator`.
    ValueError
        If `queues` is empty or has a queue twice; `shares` are not as many as the queues, or one is negative or not
        finite, or all are 0; or `arithmetic` is unknown.
    UnsupportedError
        If the arithmetic is not exact on one of the devices; it is a `ValueError` too.
    NoDeviceError, ForkError
        As for `Generator`.

    Notes
    -----
    Rows of an array, along its first axis, stay whole where that moves no cut by more than 1/64 of the array; each part
    is then an array of rows. Otherwise rows are cut, but no vectors, and the parts are arrays of one dimension.

    Without `shares`, the first call of 2^20 values or more from each kind of distribution times a fill on each device,
    which takes some milliseconds; so do the first of 2^23 or more and the first of 2^26 or more. Calls that take
    the fastest device less than a millisecond go to it alone. With `shares`, every call is cut as they say.

    ``out`` of the methods is an earlier result, whose memory and cuts are used again; an array of NumPy or a slice of
    one; or the class ``numpy.ndarray`` for a new one. Arrays of NumPy are filled by all devices at once. An array of a
    device that is given as a parameter, such as `loc` of `normal`, is copied to the host.

    If a call raises an error the stream has not moved. Every kernel is built before a device begins, so that `out` is
    as it was if a compiler refuses one. After Ctrl-C the stream has not moved or stands after the call, and no device
    writes to `out` any more: a call that fills an array of NumPy ends first.

    Threads may share a generator, as for `Generator`. Other front ends of the same bit generator may be used in turn.
    A pickled one keeps its bit generator and the arithmetic that was asked for; where it is unpickled it runs on the
    devices that it takes by default there.

    Examples
    --------
    >>> import clrng
    >>> queues = [clrng.make_queue(), clrng.make_queue()]  # or one each on two devices: [0, 1]
    >>> rng = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), queues, shares=[3, 2])
    >>> values = rng.random_raw(5)
    >>> [part.array.get().tolist() for part in values.parts]
    [[16807, 282475249, 1622650073], [984943658, 1144108930]]
    """

    queues = Attribute[tuple[cl.CommandQueue, ...]]("The queues, which cannot be changed.")
    devices = Attribute[tuple[DeviceInfo, ...]]("The devices of the queues.")
    shares = Attribute[tuple[float, ...] | None]("The shares that were given, or None.")

    permutation, permuted, shuffle, _unreplaced = refused_orders("Generator(rng.bit_generator, rng.queues[0])")

    def __init__(
        self,
        bit_generator: BitGenerator,
        queues: Sequence[Queue | None] | None = None,
        shares: Sequence[float] | None = None,
        arithmetic: str = "auto",
    ) -> None:
        self.bit_generator = check_bit_generator(bit_generator)
        self._requested = check_name(arithmetic)
        found = check_queues(queues)
        self._shares = check_shares(shares, len(found))
        self._workers = [Worker(bit_generator.copy(), queue, arithmetic) for queue in found]
        self._queues, self._devices = tuple(found), tuple(worker.device for worker in self._workers)
        self._by_queue: dict[Any, Worker] = dict(zip(found, self._workers, strict=True))
        self._balance = Balance(self._workers, self._shares)
        self._finish = in_turn(*(queue.finish for queue in found))
        self._known = bit_generator, bit_generator.parameters_version
        self._made: dict[Any, Transform] = {}  # What makes the values of calls that fill earlier results
        self._ahead: Ahead | None = None
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {"bit_generator": self.bit_generator.copy(), "arithmetic": self._requested}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]  # the arguments that do not depend on the machine

    def __repr__(self) -> str:
        names = " and ".join(info.name for info in self.devices)
        return f"MultiDeviceGenerator({self.bit_generator!r}, arithmetic={self._requested!r}) on {names}"

    @property
    def arithmetics(self) -> tuple[str, ...]:
        """The name of the arithmetic in use on each device."""
        return tuple(worker.arithmetic for worker in self._workers)

    def _like(self, bit_generator: BitGenerator) -> "Self":
        return type(self)(bit_generator, self.queues, self._shares, self._requested)

    def _check_dtype(self, legal: tuple[str, ...], dtype: Any, out: Any) -> np.dtype[Any]:
        *_, chosen = [check_dtype(legal, dtype, out, worker.device) for worker in self._workers]
        return chosen

    def _named(self, name: str, size: Size, dtype: Any, out: Any, **parameters: Any) -> Any:
        if not isinstance(out, MultiDeviceArray) or not are_unchanging(parameters):
            return super()._named(name, size, dtype, out, **parameters)
        kinds = tuple(map(type, parameters.values()))  # an integer is legal where an equal float is not
        key = name, size, dtype, out._layout, out.shape, out.dtype, tuple(parameters.items()), kinds  # noqa: SLF001
        bits = self.bit_generator
        try:
            if self._go_on(key, name, dtype, out, parameters):
                return out
            transform = self._made.get(key)
        except (TypeError, ValueError):  # the size or the dtype cannot be compared or hashed
            return super()._named(name, size, dtype, out, **parameters)
        if transform is not None and self._knows(bits):
            return self._once_more(key, transform, name, dtype, out, parameters)
        made = super()._named(name, size, dtype, out, **parameters)
        self._remember(key, bits, *self._chosen(name, dtype, out, parameters))
        return made

    def _knows(self, bits: BitGenerator) -> bool:
        """Return whether the calls that were made before have drawn from `bits`, with its parameters of today."""
        return bits is self._known[0] and bits.parameters_version == self._known[1]

    def _remember(
        self, key: Any, bits: BitGenerator, chosen: Transform | Distribution, dtype: np.dtype[Any] | None
    ) -> None:
        """Note what makes values of `chosen`, as `_draw` takes it, by a bit generator."""
        if not self._knows(bits) or len(self._made) >= MAX_CALLS:
            self._made.clear()
        self._known = bits, bits.parameters_version
        self._made[key] = cast("Transform", chosen if dtype is None else bits.transform_of(cast("Any", chosen), dtype))

    def _once_more(
        self, key: Any, transform: Transform, name: str, dtype: Any, out: MultiDeviceArray, parameters: dict[str, Any]
    ) -> MultiDeviceArray:
        """Fill `out` by a call that was made before: each device by the call of its worker for its part."""
        check_process()
        with self._lock:
            bits, self._ahead = self.bit_generator, None
            workers = [self._by_queue[part.array.queue] for part in out.parts]
            try:
                for worker, part in zip(workers, out.parts, strict=True):
                    worker.bit_generator = bits.copy()
                    _move(worker.bit_generator, transform, part.begin)
                    worker.draw_next(name, dtype, part.array, parameters)
            except BaseException:
                self._finish()  # no command of this call still runs
                raise
            _move(bits, transform, out.size)
            again = [
                worker.again(name, dtype, part.array, parameters)
                for worker, part in zip(workers, out.parts, strict=True)
            ]
            if len(set(workers)) == len(workers) and None not in again:
                starts = [worker.bit_generator for worker in workers]
                own = list(zip(workers, starts, cast("list[Again]", again), strict=True))
                self._move_on(Ahead(key, transform, bits, own), out)
        return out

    def _go_on(self, key: Any, name: str, dtype: Any, out: MultiDeviceArray, parameters: dict[str, Any]) -> bool:
        """Fill `out` by a call that is like the last one, or return False, and nothing has happened."""
        ahead = self._ahead
        if ahead is None or ahead.key != key:
            return False
        check_process()
        with self._lock:
            bits = self.bit_generator
            if ahead is not self._ahead or not ahead.is_of(bits):
                return False
            self._ahead = None
            try:
                for (worker, start, again), part in zip(ahead.parts, out.parts, strict=True):
                    if again(start, part.array, None) is None:
                        worker.bit_generator = start
                        worker.draw_next(name, dtype, part.array, parameters)
                for worker, *_ in ahead.parts:
                    worker.queue.flush()
                _move(bits, ahead.transform, out.size)
            except BaseException:
                self._finish()
                raise
            self._move_on(ahead._replace(bits=bits), out)
        return True

    def _move_on(self, ahead: Ahead, out: MultiDeviceArray) -> None:
        """Move the bit generators of workers on to where their parts of the next call begin, while devices draw."""
        for (_, start, _), part in zip(ahead.parts, out.parts, strict=True):
            _move(start, ahead.transform, out.size - part.array.size)
        self._ahead = ahead._replace(bits=ahead.bits.copy())

    def _draw(
        self, chosen: Transform | Distribution, size: Size, out: Any, dtype: np.dtype[Any] | None = None,
        finish: Finish | None = None, others: Sequence[Distribution] = (), width: int = 1,
    ) -> Any:  # fmt: skip
        """Return the next values, in `out` or in a new array of the shape `size`; `finish` is called for every part.

        Parts have whole vectors of `width` numbers. `finish` draws from `others`, whose kernels are built before.
        """
        check_process()
        shape = None if size is None else validation.shape("size", size)
        with self._lock:
            bits = check_bit_generator(self.bit_generator)
            for worker in self._workers:
                worker.follow(bits)
            transform = cast("Transform", chosen)
            if dtype is not None:
                transform = bits.transform_of(cast("Distribution", chosen), dtype)
            transforms = [transform, *(bits.transform_of(each, cast("Any", dtype)) for each in others)]
            kind = transform.dtype or bits.dtype
            if out is np.ndarray:
                out = arrays.host_array(() if shape is None else shape, kind)
            on_host = isinstance(out, np.ndarray)
            if on_host:
                arrays.check_host(shape, kind, out, strided=True)
            elif out is None:
                out = self._result(transform, shape or (), kind, width)
            else:
                self._check_out(shape, kind, out, width)
            try:
                if on_host:
                    self._on_host(transforms, out, finish, width)
                else:
                    self._on_devices(transforms, cast("Any", out), finish)
            except BaseException:
                self._finish()  # no command of this call still runs
                raise
            bits.drawn(bits.taken(transform), out.size * transform.steps)
        return out

    def _on_host(
        self, transforms: Sequence[Transform], out: npt.NDArray[Any], finish: Finish | None, width: int
    ) -> npt.NDArray[Any]:
        """Fill an array of the host: in place where devices share its memory and nothing is done with the parts."""
        if not out.flags.c_contiguous:
            out[...] = self._on_host(transforms, np.empty(out.shape, out.dtype), finish, width)
            return out
        transform = transforms[0]
        if finish is not None:
            result = self._result(transform, out.shape, out.dtype, width)
            return self._on_devices(transforms, result, finish).get(out)
        flat = out.reshape(-1)
        parts = self._balance.parts(transform, out.shape)
        for worker, cut in parts:
            worker.prepare(transform, (cut.end - cut.begin) * out.itemsize)
        fills = [
            partial(each.fill, transform.at(cut.begin), flat[cut.begin : cut.end], cut.begin) for each, cut in parts
        ]
        at_once(fills)
        return out

    def _on_devices(
        self, transforms: Sequence[Transform], result: MultiDeviceArray, finish: Finish | None
    ) -> MultiDeviceArray:
        """Have every device draw its part of `result` by the first of the transforms; none is waited for."""
        parts = [(self._by_queue[part.array.queue], part) for part in result.parts]
        for worker, part in parts:
            for each in transforms:
                worker.prepare(each, part.array.nbytes)
        for worker, part in parts:
            worker.fill(transforms[0].at(part.begin), part.array, part.begin)
        if finish is not None:
            for worker, part in parts:
                finish(part)
                worker.queue.flush()
        return result

    def _result(
        self, transform: Transform, shape: tuple[int, ...], dtype: np.dtype[Any], width: int
    ) -> MultiDeviceArray:
        """Return a new array, with memory on each device for its part."""
        cut_up = self._balance.parts(transform, shape, width)
        parts = [ArrayPart(cut.begin, cut.end, cut.rows, worker.output(cut.shape, dtype)) for worker, cut in cut_up]
        return MultiDeviceArray(shape, dtype, parts)

    def _check_out(self, shape: tuple[int, ...] | None, dtype: np.dtype[Any], out: Any, width: int) -> None:
        """Raise an error unless the parts of `out` can be filled."""
        if not isinstance(out, MultiDeviceArray):
            raise TypeError(
                f"out must be a MultiDeviceArray, as an earlier call returned it, an array of NumPy or the class "
                f"numpy.ndarray, not {shown(out)}"
            )
        if out.dtype != dtype:
            raise ValueError(f"out must have dtype {dtype}, not {out.dtype}")
        if shape is not None and out.shape != shape:
            raise ValueError(f"out must have shape {shape}, the size asked for, not {out.shape}")
        for part in out.parts:
            if part.array.queue not in self._by_queue:
                raise ValueError("out must have all its parts on queues of this generator, not on others")
            if part.begin % width:
                raise ValueError(
                    f"out must have parts of whole vectors, of {width} numbers, not one from {part.begin} on"
                )
            self._by_queue[part.array.queue].output(part.array.shape, dtype, part.array)

    def _places(self, given: Mapping[str, Any], dtype: np.dtype[Any]) -> dict[str, Any]:
        return {name: on_host(name, self._values_of(name, value), dtype) for name, value in given.items()}

    def _draw_located(
        self, standard: Continuous, shape: tuple[int, ...], dtype: np.dtype[Any], out: Any, loc: Any, scale: Any
    ) -> cla.Array:
        circular = standard.quantile.circular
        for queue in self.queues:
            build_locate(queue, dtype, circular=circular)

        def finish(part: ArrayPart) -> None:
            queue: Any = part.array.queue
            parameters = (arrays.upload(queue, _part_of(each, shape, part)) for each in (loc, scale))
            locate(queue, part.array, *parameters, circular=circular)

        return cast("cla.Array", self._draw(standard, shape, out, dtype, finish))

    def _vectors(self, found: Vectors, shape: tuple[int, ...], kind: np.dtype[Any], out: Any) -> cla.Array:
        law, *others = found.laws

        def finish(part: ArrayPart) -> None:
            array, begin = part.array, part.begin
            worker = self._by_queue[array.queue]
            more = (worker._drawn_too(each, array, begin) for each in others)  # noqa: SLF001  # as in `_draw`
            finish_vectors(worker.queue, array, more, found, shape, begin)

        return cast("cla.Array", self._draw(law, shape, out, kind, finish, others, max(shape[-1], 1)))

    def _picker(
        self, elements: Any, axis: int, size: Size,  # noqa: ARG002  # there is one axis; places have the size
    ) -> Callable[[cla.Array], cla.Array]:  # fmt: skip
        elements = self._values_of("a", elements)
        if elements.ndim > 1:
            raise ValueError(f"a must have one dimension where several devices draw, not shape {elements.shape}")
        held: dict[Any, Any] = {queue: arrays.upload(queue, elements) for queue in self.queues}
        for queue, array in held.items():
            two = cla.Array(queue, (2,), np.int64)  # in place of those of a call
            copies.build(queue, array, cla.Array(queue, (2,), elements.dtype), copies.Picks.along(0, 1, two))

        def pick(places: Any) -> cla.Array:
            parts = []
            for part in places.parts:
                indices: Any = part.array
                queue = indices.queue
                found: Any = Array(queue, (indices.size,), elements.dtype)
                copies.move(queue, held[queue], found, copies.Picks.along(0, 1, indices.ravel()))
                parts.append(replace(part, array=found.reshape(indices.shape)))
            return cast("cla.Array", MultiDeviceArray(places.shape, elements.dtype, parts))

        return pick


def _part_of(array: npt.NDArray[Any], shape: tuple[int, ...], part: ArrayPart) -> npt.NDArray[Any]:
    """Return what a part of the values needs of `array`, which is broadcast to their whole shape."""
    if array.size == 1:
        return array.reshape(())
    if part.rows is None:
        return np.broadcast_to(array, shape).flat[part.begin : part.end]
    found: npt.NDArray[Any] = rows_of(array, shape, part.rows)
    return found
