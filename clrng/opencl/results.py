"""What calls return: an array of PyOpenCL that is a good guest in Python and NumPy, and may share its memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.documented import Common, complete_all
from clrng.opencl import operators
from clrng.opencl.devices import info
from clrng.opencl.dlpack import of_bfloat16
from clrng.opencl.kernel import check_process, in_any_order
from clrng.opencl.staging import BLOCK, copy_to_host
from clrng.opencl.traits import traits_of
from clrng.validation import BFLOAT16

OWNER = "_clrng_owner"
"""The name of the attribute by which a buffer holds its owner."""

SPARSE = 4
"""A slice is copied on the device first where its memory is large, and has more than so many times its bytes."""

PICKING = (cla.Array, np.ndarray, list, bool, np.bool_)
"""The types of indices that pick elements, which a view has not."""

OF_OUTLINES = (
    np.result_type, np.can_cast, np.common_type, np.iscomplexobj, np.isrealobj, np.shape, np.ndim, np.size,
    np.empty_like, np.zeros_like, np.ones_like, np.full_like,
)  # fmt: skip
"""Functions of NumPy that look at dtypes and shapes alone, as PyOpenCL's operators do."""

NOTHING: npt.NDArray[Any] = np.empty((), np.uint8)
"""What stands for every value of an array where NumPy says what shape a view has."""

Axis = int | tuple[int, ...] | None

WORDS = Common(
    arguments={
        "axis": "int, or for sums and extremes tuple of int, optional\n    Along what; by default of all values.",
        "dtype": """dtype_like, optional
    What values are added in: by default int64, uint64 or that of the floats, of 16 bits as float32.""",
        "keepdims": "bool, optional\n    Whether the axes stay, with a length of 1.",
        "ddof": "float, optional\n    The number of values minus `ddof` divides the sum.",
        "indices": "int or array_like of int\n    The places of the elements.",
    },
    raises={
        "TypeError": "If an argument is of the wrong type.",
        "ValueError": "If there is no such axis, or no value that could be returned.",
        "UnsupportedError": "If there is no such function of this dtype on the device.",
    },
    returns="clrng.Array",
    example=">>> import clrng\n>>> x = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, (2, 4))",
)
"""What the methods have in common."""


class Owner:
    """What an allocator may return in place of a buffer: it owns one that another library shares.

    Attributes
    ----------
    buffer : pyopencl.Buffer
    events : sequence of pyopencl.Event
        What the last array in it had to wait for; then what the array in it has to.
    queues : dict
        The queues, by their addresses, whose commands may have used the last array in it; then those of the array in
        it. They hold nothing of Python.
    """

    buffer: cl.Buffer
    events: Sequence[cl.Event]
    queues: dict[int, cl.CommandQueue]

    def is_used_by(self, queue: cl.CommandQueue | None) -> None:
        """Note that commands of a queue may use the array, those that read it without an event of its own too."""
        if queue is not None and queue.int_ptr not in self.queues:
            self.queues[queue.int_ptr] = cl.CommandQueue.from_int_ptr(queue.int_ptr, retain=True)

    def passed_on(self, queue: cl.CommandQueue | None) -> list[cl.Event]:
        """Return events for what may still use the last array, but does not come first in `queue` of the next one."""
        before, self.queues = self.queues, {}
        others = [each for each in before.values() if each != queue or in_any_order(each)]
        events = [cl.enqueue_marker(each) for each in others]
        for each in others:
            each.flush()
        if queue is not None and queue.int_ptr in before:
            self.queues[queue.int_ptr] = before[queue.int_ptr]
        self.is_used_by(queue)
        return events

    def before_writing(self) -> None:
        """Wait for the other library's work on the memory, which OpenCL is about to write to."""


def _unfinished(events: Sequence[cl.Event], queue: cl.CommandQueue | None) -> list[cl.Event]:
    """Return those of the events that commands of a queue must wait for, and may."""
    if not events or (queue and not in_any_order(queue)):
        events = [event for event in events if event.command_queue != queue]
    found = [event for event in events if event.command_execution_status != cl.command_execution_status.COMPLETE]
    for event in found:
        event.command_queue.flush()
    return found


class Array(cla.Array):
    """An array on a device, as clrng's calls return it: a ``pyopencl.array.Array`` that does more.

    NumPy's functions, and operators with arrays of NumPy, take its values from one copy to the host, which NumPy may
    not write to, and give what they give for arrays of NumPy. Operators between arrays of the device, and with
    scalars, are PyOpenCL's, and their results are on the device; arrays are broadcast, and may have any strides.

    Attributes
    ----------
    memory : object or None
        What owns the memory where another library shares it; it then answers ``__dlpack__``, ``__dlpack_device__`` and
        ``__cuda_array_interface__`` for every array in it. None where the memory is OpenCL's alone.

    Examples
    --------
    >>> import clrng, numpy
    >>> x = clrng.default_rng(1).random(4)
    >>> numpy.sort(x)
    array([0.47318864, 0.51182157, 0.7551675 , 0.95046365], dtype=float32)
    >>> float(x[0])
    0.4731886386871338
    """

    __array_priority__: ClassVar[float] = -1  # type: ignore[assignment]  # so that arrays of NumPy do not leave it to these
    memory: Any = None
    functions: ClassVar[dict[str, Callable[..., Any]]] = {}
    """Those of the room above that launch kernels, by their names; it puts them here."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.take_owner()

    def take_owner(self) -> None:
        """Take the memory of an `Owner`, if it is that of one; the last step of making an array."""
        if isinstance(self.base_data, Owner):
            self.memory = self.base_data
            buffer: Any = cl.Buffer.from_int_ptr(self.memory.buffer.int_ptr, retain=True)
            self.base_data = buffer
            setattr(buffer, OWNER, self.memory)  # so that whoever has the buffer has the memory
            before = _unfinished(self.memory.events, self.queue) + self.memory.passed_on(self.queue)
            if before and self.queue is not None:  # for all commands: not every one of PyOpenCL's waits for the events
                before = [cl.enqueue_barrier(self.queue, wait_for=before)]
            self.events += before
            self.memory.events = self.events

    def _new_with_changes(self, data: Any, *args: Any, **named: Any) -> Any:
        """Return an array like this one: a view, which has the same owner of its memory, where `data` is given."""
        made = super()._new_with_changes(data, *args, **named)
        if data is not None and self.memory is not None:
            made.memory = self.memory
            if made.queue != self.queue:
                made.memory.is_used_by(made.queue)
        return made

    def _new_like_me(self, dtype: Any = None, queue: cl.CommandQueue | None = None) -> Any:
        """Return a new array for the results of an operator, whose values are in the same order in memory."""
        made: Any = super()._new_like_me(dtype, queue)
        if made.dtype != self.dtype and self.flags.f_contiguous and not self.flags.c_contiguous:
            made.strides, made._flags = np.empty(self.shape, made.dtype, "F").strides, None  # noqa: SLF001
        if made.allocator is not None and made.queue is not None and in_any_order(made.queue):
            made.add_event(cl.enqueue_marker(made.queue))  # behind what may still use memory of a pool
        return made

    def is_written(self) -> None:
        """Wait for another library's work on the memory, which is about to be written to."""
        if self.memory is not None:
            self.memory.before_writing()

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("an array must have an axis for a length, which one of shape () has not")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        """Return a view, or where `index` is an array a copy of elements along the first axis, as NumPy does.

        Arrays, of the device or of NumPy, have integers, or are masks: those of bool, and of int8 as comparisons are.
        """
        if isinstance(index, PICKING):
            return self._call("picked", index)
        if isinstance(index, (slice, tuple)):
            shape = np.broadcast_to(NOTHING, self.shape)[index].shape
            if 0 in shape:  # which PyOpenCL counts otherwise: x[3:1] has two values there
                return self._new_with_changes(
                    self.base_data, self.offset, shape, strides=np.empty(shape, self.dtype).strides
                )
        view: Any = super()
        return view.__getitem__(index)

    def setitem(self, subscript: Any, value: Any, queue: Any = None, wait_for: Any = None) -> None:
        """Set values as PyOpenCL's arrays do; where `subscript` is an array, those that it picks, to one or to as many.

        The array, which picks as in `__getitem__`, is for one dimension.
        """
        check_process()
        self.is_written()
        if isinstance(subscript, PICKING):
            subscript = self._call("places", subscript)
            if not isinstance(value, cla.Array):
                value = cla.to_device(subscript.queue, np.array(value, self.dtype, ndmin=1))
            if value.size not in (1, subscript.size):
                raise ValueError(f"value must have 1 or {subscript.size} elements, as are picked, not {value.size}")
            if not subscript.size:
                return
        super().setitem(subscript, value, queue, wait_for)
        operators.attach_reads(self, subscript, value)

    def take(self, indices: Any, axis: int | None = None) -> "Array":
        """Return the elements at `indices`, integers, of an axis or of all in C order, as ``numpy.take`` does.

        >>> print(x.take([0, 2], axis=1))
        [[0 5]
         [6 8]]
        """
        return self._call("take", indices, axis)

    def to_numpy(self) -> npt.NDArray[Any]:
        """Return the values in a new array of NumPy, when the device has made them.

        Returns
        -------
        numpy.ndarray

        Raises
        ------
        ValueError
            If the array has no queue.

        Examples
        --------
        >>> import clrng
        >>> clrng.Generator(clrng.ParkMiller(seed=1)).random_raw(3).to_numpy().tolist()
        [16807, 282475249, 1622650073]
        """
        check_process()
        if self.queue is None:
            raise ValueError("an array without a queue cannot be copied; with_queue(queue) gives it one")
        if not self.size:
            return np.empty(self.shape, self.dtype)
        memory, before = _memory(self)
        if memory.size > max(BLOCK, SPARSE * self.nbytes):
            copied: Array = self.copy()  # which leaves on the device what lies between them
            return copied.to_numpy()
        held = np.empty(memory.size, np.uint8)
        if held.size > BLOCK and isinstance(self.base_data, cl.Buffer):
            copy_to_host(self.queue, memory, held)
        else:
            memory.get(ary=held)
        values: npt.NDArray[Any] = np.ndarray(self.shape, self.dtype, held, before, self.strides)
        return np.ascontiguousarray(values).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return the values as NumPy asks for them."""
        if copy is False:
            raise ValueError("the values are on a device: an array of NumPy is a copy, so copy=False cannot be had")
        return self.to_numpy() if dtype is None else self.to_numpy().astype(dtype, copy=False)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Any:
        """Return what a function of NumPy makes of the values on the host, or of dtypes and shapes alone."""
        del types
        look = _outline if func in OF_OUTLINES else _copied
        return func(*_each(args, look), **_each(kwargs, look))

    def item(self) -> Any:
        """Return the only value as a scalar of Python.

        Returns
        -------
        int, float, complex or bool

        Raises
        ------
        ValueError
            If there is not one value.

        Examples
        --------
        >>> import clrng
        >>> clrng.Generator(clrng.ParkMiller(seed=1)).random_raw().item()
        16807
        """
        if self.size != 1:
            raise ValueError(f"an array must have one value to be a scalar, not the {self.size} of shape {self.shape}")
        return self.to_numpy().item()

    def _call(self, function: str, *args: Any) -> "Array":
        check_process()
        made: Array = self.functions[function](self, *args)
        return made

    def sum(self, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> "Array":
        """Return the sum of all values, or those along one or more axes, as ``numpy.sum`` does, on the device.

        Nothing is waited for. Sums of integers are NumPy's, exact modulo 2^64. Those of floats have the same bits on
        every device whose numbers below the smallest normal one are not 0, and are as accurate as NumPy's: a tree,
        whose shape depends on the number of values only, says which values are added. In a block of 4096, 256 values
        side by side are added to the next 256, 15 times, and the 256 sums by halves; the sums of blocks likewise.

        >>> print(x.sum(), x.sum(axis=0))
        29 [ 6 10 13  0]
        """
        return self._call("sum", axis, dtype, keepdims)

    def mean(self, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> "Array":
        """Return the mean, as ``numpy.mean`` does: sums of `sum`, of short integers exact, divided on the host.

        >>> print(x.mean(axis=1))
        [3.   4.25]
        """
        return self._call("moment", "mean", axis, dtype, keepdims)

    def var(self, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False) -> "Array":
        """Return the variance, as ``numpy.var`` does: sums of `sum` of squared differences, divided on the host.

        >>> print(x.var())
        9.734375
        """
        return self._call("moment", "var", axis, dtype, keepdims, ddof)

    def std(self, axis: Axis = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False) -> "Array":
        """Return the square root of `var`, as ``numpy.std`` does.

        >>> print(x.std(axis=0))
        [3.  2.  1.5 0. ]
        """
        return self._call("moment", "std", axis, dtype, keepdims, ddof)

    def min(self, axis: Axis = None, keepdims: bool = False) -> "Array":
        """Return the smallest value, or NaN if there is one, as ``numpy.min`` does; nothing is waited for.

        >>> print(x.min())
        0
        """
        return self._call("extreme", "min", axis, keepdims)

    def max(self, axis: Axis = None, keepdims: bool = False) -> "Array":
        """Return the largest value, or NaN if there is one, as ``numpy.max`` does; nothing is waited for.

        >>> print(x.max(axis=0))
        [6 7 8 0]
        """
        return self._call("extreme", "max", axis, keepdims)

    def argmin(self, axis: int | None = None, keepdims: bool = False) -> "Array":
        """Return where the first smallest value or NaN is, as ``numpy.argmin`` does; nothing is waited for.

        >>> print(x.argmin(axis=1))
        [0 3]
        """
        return self._call("extreme", "argmin", axis, keepdims)

    def argmax(self, axis: int | None = None, keepdims: bool = False) -> "Array":
        """Return where the first largest value or NaN is, as ``numpy.argmax`` does; nothing is waited for.

        >>> print(x.argmax())
        6
        """
        return self._call("extreme", "argmax", axis, keepdims)

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise TypeError(f"an array must have an integer to be an index, not {self.dtype}")
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and not self.ndim else super().__format__(spec)

    def __str__(self) -> str:
        return super().__str__() if self.queue is None else _shown(self, "")

    def __repr__(self) -> str:
        if self.queue is None:
            return super().__repr__()
        values = _shown(self, "clrng.Array(", separator=", ")
        return f"clrng.Array({values}, shape={self.shape}, dtype={self.dtype}, device={self.queue.device.name!r})"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Where CUDA finds the values; there is no such attribute where their memory is not CUDA's."""
        if self.memory is None:
            raise AttributeError("__cuda_array_interface__: the memory of this array is not shared with CUDA")
        check_process()
        return dict(self.memory.cuda_array_interface(self))

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the type and the number of the device, as DLPack counts them."""
        return _of_host(self).__dlpack_device__() if self.memory is None else self.memory.dlpack_device(self)

    def __dlpack__(self, **named: Any) -> Any:
        """Return the values as a capsule of DLPack: on a processor a view of the same memory, once they are made."""
        check_process()
        if self.memory is not None:
            return self.memory.dlpack(self, **named)
        values = _of_host(self)
        return of_bfloat16(values, **named) if self.dtype.name == BFLOAT16 else values.__dlpack__(**named)


complete_all(Array, WORDS, "take", "sum", "mean", "var", "std", "min", "max", "argmin", "argmax")

for _name in (*operators.BINARY, *operators.REFLECTED, *operators.IN_PLACE, *operators.WRITE, *operators.OF_ONE):
    if hasattr(cla.Array, _name):
        setattr(Array, _name, operators.arranged(_name, Array.functions))


def extent(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> tuple[int, int]:
    """Return how many bytes of values, of which there are some, lie before the first value, and how many in all."""
    spans = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    return -sum(min(span, 0) for span in spans), sum(map(abs, spans)) + itemsize


def _memory(a: cla.Array) -> tuple[cla.Array, int]:
    """Return the bytes from the first to the last of those of values, and at which of them the values begin."""
    before, nbytes = extent(a.shape, a.strides, a.dtype.itemsize)
    return cla.Array(a.queue, nbytes, np.uint8, data=a.base_data, offset=a.offset - before, events=a.events), before


def _copied(a: Array) -> npt.NDArray[Any]:
    """Return a copy of the values, which may not be written to."""
    values = a.to_numpy()
    values.flags.writeable = False
    return values


def _outline(a: Array) -> npt.NDArray[Any]:
    """Return an array of the same shape and dtype that takes no memory."""
    return np.broadcast_to(np.zeros((), a.dtype), a.shape)


def _each(value: Any, look: Callable[[Array], Any]) -> Any:
    """Return `value` with what `look` returns in place of the arrays of a device in it."""
    if isinstance(value, Array):
        return look(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_each(each, look) for each in value) if type(value) in (list, tuple) else value
    return {name: _each(each, look) for name, each in value.items()} if isinstance(value, dict) else value


def _shown(a: Array, prefix: str, **options: Any) -> str:
    """Return the values as NumPy prints them, having copied only those that it prints."""
    given: Any = np.get_printoptions()
    if a.size <= given["threshold"]:
        return np.array2string(a.to_numpy(), prefix=prefix, **options)
    return np.array2string(_ends(a, given["edgeitems"]), prefix=prefix, threshold=0, **options)


def _ends(a: Array, edge: int) -> npt.NDArray[Any]:
    """Return the first and last values along each axis, with something between them where there are others."""
    if a.ndim == 0 or (a.ndim == 1 and a.size <= 2 * edge + 1):
        return a.to_numpy()
    if a.ndim == 1:
        first = a[: edge + 1].to_numpy()
        return np.concatenate([first, a[a.size - edge :].to_numpy()])
    rows = a.shape[0]
    places = range(rows) if rows <= 2 * edge + 1 else [*range(edge + 1), *range(rows - edge, rows)]
    return np.stack([_ends(a[place], edge) for place in places])


class _Mapped:
    """The memory of an array of a processor, in NumPy's terms; whoever holds it holds the array."""

    def __init__(self, a: Array, queue: cl.CommandQueue, kind: np.dtype[Any]) -> None:
        self._array = a
        memory, before = _memory(a)
        mapped: Any = memory.map_to_host(queue)
        place = mapped.ctypes.data + before, False
        mapped.base.release(queue).wait()
        self.__array_interface__ = {
            "version": 3, "shape": a.shape, "typestr": kind.str, "strides": a.strides, "data": place,
        }  # fmt: skip


def _of_host(a: Array) -> npt.NDArray[Any]:
    """Return an array of NumPy in the memory of `a`, once its values are made, if that is memory of the host."""
    check_process()
    if a.queue is None or not traits_of(info(a.queue.device)).host_memory:
        raise BufferError(
            "DLPack needs memory of a processor, or memory that is shared (allocator='cuda'); to_numpy() copies it"
        )
    kind = np.dtype(np.uint16) if a.dtype.name == BFLOAT16 else a.dtype  # which NumPy's interface has not
    return np.asarray(_Mapped(a, a.queue, kind)) if a.size else np.empty(a.shape, kind)
