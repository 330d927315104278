"""Values times one array plus another, both broadcast to the shape of the values."""

from collections.abc import Callable
from functools import partial
from itertools import product
from math import pi
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.kernel import Kernel, of_queue
from clrng.opencl.templates import program
from clrng.proof import references
from clrng.proof.prove import GUARD, POISON, MismatchError, apart, check_guard, compare, prove

Array = npt.NDArray[Any]

LENGTH = 5123
"""In proofs, the number of contiguous values; it is odd."""

SHAPE, OFFSET = (7, 5, 149), 5
"""In proofs, the shape of values that are not contiguous, and where they begin in memory."""

EXPONENTS = 20
"""In proofs, the maximum of the exponents of numbers, and minus their minimum."""

Locate = Callable[[cla.Array, cla.Array, cla.Array], None]
"""Replaces values by loc + scale * values, called with values, loc and scale."""


def _kernel(queue: cl.CommandQueue, name: str, dtype: np.dtype[Any], *, circular: bool = False) -> Kernel:
    found: Kernel = of_queue(queue).cached(_made)(name, dtype, circular)
    return found


def _made(context: cl.Context, name: str, dtype: np.dtype[Any], circular: bool) -> Kernel:
    values = {"out": CTYPES[dtype.name], "p": "s_", "w": "", "circular": circular}
    return Kernel(context, program("fill/locate.cl.mako", values), name)


def checked(queue: cl.CommandQueue, name: str, value: Any, dtype: np.dtype[Any], *, positive: bool) -> Any:
    """Return `value`, a number or an array of the host or the device, as an array of `dtype` that is there.

    Numbers and arrays of the host are rounded to it. Errors, which call it `name`, are raised for numbers that are not
    finite and real, for negative ones if it must be `positive`, and for a device's arrays of another dtype or context.
    """
    if not isinstance(value, cla.Array):
        return on_host(name, value, dtype, positive=positive)
    if value.dtype != dtype:
        raise ValueError(f"{name} must have dtype {dtype}, that of the values, not {value.dtype}")
    if value.context != queue.context:
        raise ValueError(f"{name} must be in the context of the generator's queue, not in another one")
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous, not with shape {value.shape} and strides {value.strides}")
    check = _kernel(queue, "check_located", dtype)
    prove(queue, [check], lambda: _check_finding(own := apart(queue), dtype, partial(_finds, own, check)))
    if _finds(queue, check, value, positive=positive):
        raise ValueError(f"{name} must be {_legal(positive)}, not an array with others")
    return value


def _finds(queue: cl.CommandQueue, check: Kernel, value: cla.Array, *, positive: bool) -> bool:
    """Wait, and return whether an array of the device has a number that is not finite, or negative but must not be."""
    bad = upload(queue, np.zeros(1, np.uint32))
    if value.size:
        check.for_each(
            queue, value.size, numbers=value.base_data, offset=value.offset // value.dtype.itemsize, n=value.size,
            positive=int(positive), bad=bad.base_data, wait_for=wait_list(value),
        )  # fmt: skip
    queue.finish()
    return bool(bad.get()[0])


def on_device(queue: cl.CommandQueue, array: Any, out: Any) -> cla.Array:
    """Return `array`, of the host or the device, as one of the device whose memory no fill of `out` writes to."""
    if not isinstance(array, cla.Array):
        return upload(queue, array) if array.ndim else _number(queue, array)
    if isinstance(out, cla.Array) and out.base_data == array.base_data:
        copied: cla.Array = array.copy(queue=queue)
        return copied
    return array


def _number(queue: cl.CommandQueue, number: npt.NDArray[Any]) -> cla.Array:
    """Return an array of the device, of shape (), with a number of the host; nobody writes to it."""
    return cla.Array(queue, (), number.dtype, data=of_queue(queue).cached(_copied)(number.tobytes()))


def _copied(context: cl.Context, numbers: bytes) -> cl.Buffer:
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=np.frombuffer(numbers, np.uint8))


def on_host(name: str, value: Any, dtype: np.dtype[Any], *, positive: bool) -> npt.NDArray[Any]:
    """Return `value`, a number or an array of the host, as an array of `dtype`; parameters and errors as above."""
    try:
        found = np.asarray(value)
    except ValueError:  # rows of several lengths
        found = np.array(None)
    if found.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be {_legal(positive)}, not {validation.shown(value)}")
    with np.errstate(over="ignore"):
        rounded = found.astype(dtype)
    wrong = ~np.isfinite(rounded) | (found < 0 if positive else False)
    if wrong.any():
        shown = validation.shown(found[wrong].flat[0].item())
        raise ValueError(f"{name} must be {_legal(positive)} as {dtype}, not {shown}")
    return rounded


def rows_of(array: Any, shape: tuple[int, ...], rows: slice) -> Any:
    """Return what the `rows` of values of `shape` need of `array`, of the host or the device, which is broadcast."""
    return array[rows] if array.ndim == len(shape) and array.shape[0] > 1 else array


def _legal(positive: bool) -> str:
    return f"finite numbers{' of 0 or more' if positive else ''}"


def broadcast_shape(size: tuple[int, ...] | None, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of values with these parameters: `size`, or that to which the `shapes` are broadcast."""
    listed = " and ".join(f"{name} of shape {shape}" for name, shape in shapes.items())
    try:
        common = np.broadcast_shapes(*shapes.values())
        fits = size is None or np.broadcast_shapes(size, common) == size
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"size must be a shape to which {listed} can be broadcast, not {size}")
    return common if size is None else size


def _layout(
    context: cl.Context, shape: tuple[int, ...], strides: tuple[int, ...], *broadcast: tuple[int, ...]
) -> tuple[cl.Buffer, cl.Buffer]:
    """Return the sizes of `shape` on the device, and the steps along each axis, in numbers.

    Steps are those of arrays of the shapes that are `broadcast` to it, and then the `strides`.
    """
    ones: list[npt.NDArray[Any]] = [np.broadcast_to(np.empty(each, np.uint8), shape) for each in broadcast]
    rows = list(zip(*(each.strides for each in ones), strides, strict=True)) or [(0, 0, 0)]
    sizes, steps = np.array(shape or (1,), np.uint64), np.array(rows, np.int64)
    return _copied(context, sizes.tobytes()), _copied(context, steps.tobytes())


def build_locate(queue: cl.CommandQueue, dtype: np.dtype[Any], *, circular: bool) -> None:
    """Build what `locate` needs for values of `dtype`, and prove it, so that errors come before anything is drawn."""
    kernel = _kernel(queue, "locate", dtype, circular=circular)

    run = partial(locate, circular=circular)
    prove(queue, [kernel], lambda: _check_locate(own := apart(queue), dtype, partial(run, own), circular=circular))


def locate(
    queue: cl.CommandQueue, values: cla.Array, loc: cla.Array, scale: cla.Array, *, circular: bool = False
) -> None:
    """Replace `values`, in place, by loc + scale * values, each rounded once; `loc` and `scale` are broadcast.

    Where they are `circular`, they are angles, and brought back to -pi to pi.
    """
    if values.size == 0:
        return
    kernel = _kernel(queue, "locate", values.dtype, circular=circular)
    shape, size = values.shape, values.dtype.itemsize
    strides = tuple(arrays.value_strides(values))
    sizes, steps = of_queue(queue).cached(_layout)(shape, strides, scale.shape, loc.shape)
    event = kernel.for_each(
        queue, values.size, values=values.base_data, offset=values.offset // size, n=values.size,
        scale=scale.base_data, scale_offset=scale.offset // size, loc=loc.base_data, loc_offset=loc.offset // size,
        sizes=sizes, steps=steps, dimensions=len(shape),
        wait_for=wait_list(values, scale, loc),
    )  # fmt: skip
    arrays.attach_event(queue, values, event)


class Finds(Protocol):
    """What finds numbers that are not legal."""

    def __call__(self, value: cla.Array, *, positive: bool) -> bool:
        """Return whether an array has one."""


def _check_locate(queue: cl.CommandQueue, dtype: np.dtype[Any], run: Locate, *, circular: bool) -> None:
    """Check contiguous values with one loc and scale, and others, that are not contiguous, with many."""
    random = np.random.default_rng(LENGTH)

    def numbers(*shape: int) -> Array:
        if circular:
            return random.uniform(-pi, pi, shape).astype(dtype)
        return (random.uniform(-2, 2, shape) * 2.0 ** random.integers(-EXPONENTS, EXPONENTS, shape)).astype(dtype)

    def factors(*shape: int) -> Array:
        return np.ones(shape, dtype) if circular else abs(numbers(*shape))

    _check_located(queue, numbers(LENGTH), [dtype.itemsize], 3 * numbers(), factors(), run, circular=circular)
    inner, middle = 2 * dtype.itemsize, 2 * SHAPE[2] * dtype.itemsize
    strides = [SHAPE[1] * middle, middle, inner]
    loc, scale = 3 * numbers(SHAPE[1], 1), factors(SHAPE[0], 1, SHAPE[2])
    _check_located(queue, numbers(*SHAPE), strides, loc, scale, run, circular=circular)


def _check_located(
    queue: cl.CommandQueue, values: Array, strides: list[int], loc: Array, scale: Array, run: Locate, *, circular: bool
) -> None:
    """Check values that lie in memory by `strides`, with other memory around and between them that must stay."""
    size = values.dtype.itemsize
    last = sum((n - 1) * stride for n, stride in zip(values.shape, strides, strict=True)) // size
    memory = np.full((OFFSET + last + 1 + GUARD) * size, POISON, np.uint8).view(values.dtype)
    there = np.lib.stride_tricks.as_strided(memory[OFFSET:], values.shape, strides)
    there[...] = values
    held = upload(queue, memory)
    placed = cla.Array(
        queue, values.shape, values.dtype, strides=tuple(strides), data=held.base_data, offset=OFFSET * size
    )
    run(placed, upload(queue, loc), upload(queue, scale))
    queue.finish()
    memory[...] = held.get()
    x, times, plus = (np.ascontiguousarray(each).reshape(-1) for each in np.broadcast_arrays(values, scale, loc))
    y, fine = references.fma(x, times, plus)
    expected, sure = references.on_circle(y, fine) if circular else (y, fine)
    compare("value", np.ascontiguousarray(there).reshape(-1), expected, sure=sure)
    there[...] = np.full(size, POISON, np.uint8).view(values.dtype)[0]
    check_guard("around", memory)


def _check_finding(queue: cl.CommandQueue, dtype: np.dtype[Any], finds: Finds) -> None:
    """Check that numbers which are not legal are found, wherever they are, and others are not."""
    largest = np.finfo(dtype).max
    legal = np.array([0.0, 1.5, largest, np.finfo(dtype).tiny, -0.0], dtype)
    memory = np.resize(legal, 2 * OFFSET + LENGTH)
    places, wrong = (0, LENGTH // 2, LENGTH - 1), (np.nan, np.inf, -np.inf, -1.5, -largest)
    cases: list[tuple[int, float]] = [(-1, np.nan), (LENGTH, np.nan), *product(places, wrong)]
    for place, number in cases:
        changed = memory.copy()
        changed[OFFSET + place] = number
        held = upload(queue, changed)
        given = held[OFFSET : OFFSET + LENGTH]
        within = 0 <= place < LENGTH
        for positive in (False, True):
            expected = within and (positive or not np.isfinite(number))
            found = finds(given, positive=positive)
            if found != expected:
                what = f"whether {number} at place {place} of {LENGTH} is found where positive is {positive}"
                raise MismatchError(what, found, expected)
