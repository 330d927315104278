"""What PyOpenCL's operators need of their operands: one shape, one order of values in memory, and fitting dtypes.

They go through the memory of both operands from its beginning to its end. Where these are in different orders the
values would be paired wrongly, and gaps, other shapes or another queue raise errors: such operands are copied first, on
the device. And they compute in the types of C, which for two dtypes, or for scalars of NumPy, are often not those of
NumPy: such operands are converted first.
"""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.kernel import check_process, in_any_order
from clrng.validation import shown

COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
BINARY = ("__add__", "__sub__", "__mul__", "__truediv__", "__and__", "__or__", "__xor__", "__pow__", *COMPARISONS)
REFLECTED = {f"__r{name}__": f"__{name}__" for name in ("add", "sub", "mul", "truediv", "and", "or", "xor", "pow")}
IN_PLACE = ("__iadd__", "__isub__", "__imul__", "__itruediv__", "__iand__", "__ior__", "__ixor__")
OF_ONE = ("__neg__", "__abs__", "__invert__", "copy", "astype", "get", "any", "all")

ADDS = {"__sub__": "__add__", "__rsub__": "__add__", "__isub__": "__iadd__"}
"""What adds the negative of what each of these subtracts."""

UNTOLD = ("__le__", "__isub__")
"""Operators of PyOpenCL that, with a scalar, do not add the event of their command to the array that they return."""

WRITE = ("fill", "set", "__setitem__")
"""Methods that change values, as those that are in place do."""

WHOLE = (*COMPARISONS, "__pow__")
"""Operators of PyOpenCL that do not take an array of shape () beside another one."""

NUMBERS = (int, float, np.integer, np.floating)
"""Real numbers, with which integers are compared."""

BITS = tuple(f"__{way}{name}__" for way in ("", "r", "i") for name in ("and", "or", "xor"))
QUOTIENTS = ("__truediv__", "__rtruediv__", "__itruediv__")
POWERS = ("__pow__", "__rpow__")

MIRRORED = {"__lt__": "__gt__", "__gt__": "__lt__", "__le__": "__ge__", "__ge__": "__le__"}
"""The comparisons of the second operand with the first."""

UNLIKE = [{"u8", f"i{size}"} for size in (1, 2, 4, 8)]
"""The kinds of integers of which no dtype has all."""

Method = Callable[..., Any]
Move = Callable[[Any, cla.Array, cla.Array], cla.Array]
"""Copies an array, which need not be contiguous, to another one in a queue."""


def _laid(move: Move, of: Any, a: cla.Array, shape: tuple[int, ...], order: str) -> Any:
    """Return an array of the class of `of` with the values of `a`, broadcast to `shape`, in a new memory in `order`."""
    steps = [0] * (len(shape) - a.ndim) + [
        0 if size == 1 else step for size, step in zip(a.shape, a.strides, strict=True)
    ]
    view: Any = a._new_with_changes(a.base_data, a.offset, shape=shape, strides=tuple(steps))  # noqa: SLF001
    return move(of.queue, view, type(of)(of.queue, shape, a.dtype, order, of.allocator))


def _alike(a: cla.Array, b: cla.Array) -> bool:
    """Return whether the values of two arrays of one shape are in the same order in memory, without gaps."""
    return bool((a.flags.c_contiguous and b.flags.c_contiguous) or (a.flags.f_contiguous and b.flags.f_contiguous))


def _is_elsewhere(a: Any, b: Any) -> bool:
    """Return whether an operand has another queue than the first one; its events may then be waited for."""
    if not isinstance(b, cla.Array) or b.queue == a.queue:
        return False
    if b.context != a.context:
        raise ValueError(
            "operands must be in one context, as that of one device, not in two; take get() of one of them"
        )
    if b.queue is not None:
        b.queue.flush()
    return True


def _operands(move: Move, name: str, a: Any, b: Any) -> tuple[Any, Any]:
    """Return two operands, of which the first is one of clrng's, as PyOpenCL's operator `name` needs them."""
    fixed, order = name in IN_PLACE, "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    if a.queue is None:
        return a, b
    elsewhere = _is_elsewhere(a, b)
    if not elsewhere and isinstance(b, cla.Array) and a.shape == b.shape and _alike(a, b):
        return a, b
    together = isinstance(b, cla.Array) and (name in WHOLE or () not in (a.shape, b.shape))
    shape = np.broadcast_shapes(a.shape, b.shape) if together else a.shape
    if fixed and (shape != a.shape or not a.flags.forc):
        return a, b  # which PyOpenCL refuses
    if shape != a.shape or not a.flags.forc:
        a, order = _laid(move, a, a, shape, "C"), "C"
    if together and (elsewhere or not (b.shape == shape and _alike(a, b))):
        b = _laid(move, a, b, shape, order)
    elif isinstance(b, cla.Array) and (elsewhere or not b.flags.forc):
        b = _laid(move, a, b, b.shape, "C")
    return a, b


def _comparison(name: str, a: Any, b: Any) -> tuple[str, Any]:
    """Return the operator and the operand that compare integers `a` with a real number `b`, whatever that is.

    PyOpenCL takes `b` as a number of the dtype of `a`, or fails where that has no such number.
    """
    b, limits = b.item() if isinstance(b, np.generic) else b, np.iinfo(a.dtype)
    always, never = ("__eq__", a), ("__ne__", a)
    if math.isnan(b):
        return always if name == "__ne__" else never
    b = min(max(b, limits.min - 1), limits.max + 1)
    whole = math.ceil(b) if name in ("__lt__", "__ge__") else math.floor(b)
    if name in ("__eq__", "__ne__") and whole != b:
        return always if name == "__ne__" else never
    if limits.min <= whole <= limits.max:
        return name, whole
    return (
        always if name in (("__ne__", "__lt__", "__le__") if whole > 0 else ("__ne__", "__gt__", "__ge__")) else never
    )


def _negated(name: str, a: Any, b: Any) -> tuple[str, Any, Any]:
    """Return an operator and operands for a difference: where it is unsigned, a sum, modulo 2^N as differences are.

    PyOpenCL multiplies by -1, which is no unsigned integer, and fails.
    """
    if a.queue is None:
        return name, a, b
    if isinstance(b, cla.Array):
        kind = a.dtype if name == "__isub__" else np.result_type(a, b)
        if "u" in (kind.kind, b.dtype.kind if name == "__isub__" else ""):
            return ADDS[name], a, -(b if b.dtype == kind else b.astype(kind))
    elif name == "__rsub__" and isinstance(b, NUMBERS) and (kind := np.result_type(a, b)).kind == "u":
        return ADDS[name], -(a if a.dtype == kind else a.astype(kind)), b
    return name, a, b


def _check_bits(name: str, kind: np.dtype[Any]) -> None:
    """Raise an error for bits of a dtype that has none."""
    if name in BITS and kind.kind == "f":
        raise TypeError(f"{name} needs operands with a common dtype of integers, not {kind}; take astype() of one")


def _check_in_place(a: Any, kind: np.dtype[Any]) -> None:
    """Raise an error where values of a dtype are not to be put into `a`, as NumPy does."""
    if not np.can_cast(kind, a.dtype, "same_kind"):
        raise TypeError(f"an operator in place must give values for an array of {a.dtype}, not of {kind}")


def _with_scalar(name: str, a: Any, b: Any) -> tuple[Any, Any]:
    """Return an array, and a number of Python that gives with it what the scalar `b` of NumPy or Python gives there."""
    if isinstance(b, (bool, np.bool_)):
        b = int(b)
    kind = a.dtype
    if isinstance(b, (np.integer, np.floating)):
        kind, b = np.result_type(a, b), b.item()
    elif isinstance(b, int) and a.dtype.kind in "iu" and name not in QUOTIENTS:
        limits = np.iinfo(a.dtype)
        if not limits.min <= b <= limits.max:
            raise OverflowError(f"an operand must be from {limits.min} to {limits.max} for {a.dtype}, not {shown(b)}")
    elif isinstance(b, float) and a.dtype.kind in "iu" and name in IN_PLACE:
        kind = np.dtype(np.float64)
    _check_bits(name, kind)
    if name in IN_PLACE:
        _check_in_place(a, kind)
    elif kind != a.dtype:
        a = a.astype(kind)
    return a, b


def _of_one_dtype(name: str, a: Any, b: Any) -> tuple[Any, Any]:
    """Return two arrays of one dtype, where C would compute in another than NumPy."""
    if a.dtype == b.dtype or a.queue is None:
        return a, b
    kind = np.result_type(a, b)
    _check_bits(name, kind)
    if name in IN_PLACE:
        _check_in_place(a, kind)
    elif name not in ADDS and name != "__add__" and (kind != np.float64 or a.queue.device.double_fp_config):
        a, b = (each if each.dtype == kind else each.astype(kind) for each in (a, b))
    return a, b


def attach_reads(made: Any, *read: Any) -> None:
    """Have what writes to arrays wait for the command that has read them to make `made`, as PyOpenCL does not.

    In the same queue, if that runs commands in order, it comes behind it anyway.
    """
    if not isinstance(made, cla.Array) or made.queue is None or not made.events:
        return
    orderless = in_any_order(made.queue)
    for each in read:
        if isinstance(each, cla.Array) and each is not made and (orderless or each.queue != made.queue):
            each.add_event(made.events[-1])
            if each.queue != made.queue:
                made.queue.flush()


def _called(name: str, a: Any, b: Any) -> Any:
    """Return what operator `name` of PyOpenCL gives of operands as it needs them."""
    made = getattr(cla.Array, name)(a, b)
    if name in UNTOLD and isinstance(made, cla.Array) and made.queue is not None and made.size:
        made.add_event(cl.enqueue_marker(made.queue))
    attach_reads(made, a, b)
    return made


def _compared(name: str, a: Any, b: Any) -> Any:
    """Return what a comparison of uint64 with signed integers gives, exactly, of which no dtype has all."""
    if a.dtype.kind == "i":
        return _compared(MIRRORED.get(name, name), b, a)
    same = _called(name, a, b.astype(a.dtype))
    return (same | (b < 0)) if name in ("__ne__", "__gt__", "__ge__") else (same & (b >= 0))


def _power(name: str, a: Any, b: Any) -> Any:
    """Return powers of integers, modulo 2^N as NumPy's: PyOpenCL asks for a function of C that there is not."""
    if name == "__rpow__" or not isinstance(b, (int, np.integer)) or b < 0:
        raise TypeError(
            f"powers of an array of {a.dtype} must have an exponent that is an integer of 0 or more, or be of floats; "
            f"take astype() of the array"
        )
    a, exponent = _with_scalar(name, a, b)
    result = a * 0 + 1
    while exponent:
        result = result * a if exponent & 1 else result
        exponent >>= 1
        a = a * a if exponent else a
    return result


def _as_in_numpy(name: str, a: Any, b: Any) -> tuple[str, Any, Any]:
    """Return the operator of PyOpenCL, and its operands, that give what `name` gives in NumPy."""
    if name in COMPARISONS and not isinstance(b, cla.Array):
        if a.dtype.kind in "iu" and isinstance(b, NUMBERS):
            name, b = _comparison(name, a, b)
        return name, a, b
    if isinstance(b, cla.Array):
        a, b = _of_one_dtype(name, a, b)
    else:
        a, b = _with_scalar(name, a, b)
    return _negated(name, a, b) if name in ADDS else (name, a, b)


def _is_whole(b: Any) -> bool:
    """Return whether an operand is an integer, or an array of integers."""
    return b.dtype.kind in "iu" if isinstance(b, (cla.Array, np.generic)) else isinstance(b, int)


def _made(name: str, move: Move, a: Any, b: Any) -> Any:
    """Return what operator `name` gives of two operands, as it gives in NumPy."""
    if name in COMPARISONS and isinstance(b, cla.Array) and {a.dtype.str[1:], b.dtype.str[1:]} in UNLIKE:
        return _compared(name, *_operands(move, name, a, b))
    if name in POWERS and a.dtype.kind in "iu" and _is_whole(b):
        return _power(name, a, b)
    chosen, a, b = _as_in_numpy(name, a, b)
    return _called(chosen, *_operands(move, chosen, a, b))


def _as_ours(kind: type[Any], b: cla.Array) -> Any:
    """Return an array of PyOpenCL's own class as one of clrng's, in the same memory, as it may make the result."""
    cq, where = b.queue or b.context, {"data": b.base_data, "offset": b.offset, "strides": b.strides}
    return kind(cq, b.shape, b.dtype, allocator=b.allocator, events=b.events, **where)


def _wait_for_others(a: cla.Array) -> None:
    """Wait for the commands on an array that its queue's next command does not come behind anyway."""
    for event in list(a.events):
        if a.queue is None or in_any_order(a.queue) or event.command_queue != a.queue:
            event.wait()


def arranged(name: str, functions: dict[str, Any]) -> Method:
    """Return the method `name` of PyOpenCL's arrays for any shapes and strides; `functions` has ``move``."""
    inherited = getattr(cla.Array, name)

    @wraps(inherited)
    def of_one(a: Any, *args: Any, **named: Any) -> Any:
        check_process()
        if a.queue is not None and not a.flags.forc:
            a = _laid(functions["move"], a, a, a.shape, "C")
        made = inherited(a, *args, **named)
        attach_reads(made, a)
        return made

    @wraps(inherited)
    def write(a: Any, *args: Any, **named: Any) -> Any:
        check_process()
        a.is_written()
        if name == "set":  # which does not wait for events
            _wait_for_others(a)
        return inherited(a, *args, **named)

    @wraps(inherited)
    def of_two(a: Any, b: Any) -> Any:
        check_process()
        if name in IN_PLACE:
            a.is_written()
        if isinstance(b, cla.Array) and type(b) is cla.Array:
            b = _as_ours(type(a), b)
        if name in REFLECTED and isinstance(b, cla.Array):
            return getattr(b, REFLECTED[name])(a)
        return _made(name, functions["move"], a, b)

    return of_one if name in OF_ONE else write if name in WRITE else of_two
