"""Values times one array plus another, both broadcast to the shape of the values."""

from collections.abc import Iterator, Mapping, Sequence
from math import pi
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions.by_element import in_double, real_numbers
from clrng.generators.generator_code import CTYPES, suffix
from clrng.opencl import arrays
from clrng.opencl.arrays import in_memory, upload, wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel, kernel_of, of_queue
from clrng.opencl.templates import program
from clrng.opencl.traits import vector_width
from clrng.proof import references
from clrng.proof.examples import Array, Example, poison, prove_by

TOGETHER = 4
"""So many values of a work-item are read together, where these run side by side."""

LENGTH = 5123
"""In proofs, the number of contiguous values; it is odd."""

SHAPE = 3, 5, 549
"""In proofs, the shape of values that are not contiguous."""

EXPONENTS = 20
"""In proofs, the maximum of the exponents of numbers, and minus their minimum."""


def _text(dtype: np.dtype[Any], circular: bool, values: Mapping[str, Any]) -> str:
    own = {"out": CTYPES[dtype.name], "p": "s_", "w": suffix(values["width"]), "circular": circular}
    return program("fill/locate.cl.mako", {**own, **values})


def _kernel(queue: cl.CommandQueue, dtype: np.dtype[Any], circular: bool) -> tuple[Kernel, int]:
    """Return the kernel, and how many values a work-item makes."""
    width = vector_width(info(queue.device), dtype.itemsize)
    together = TOGETHER if width == 1 else 1
    values = {"width": width, "together": together}
    return kernel_of(queue, "locate", _text, dtype, circular, values=values), width * together


def on_device(queue: cl.CommandQueue, array: Any, out: Any) -> cla.Array:
    """Return `array`, of the host or the device, as one of the device whose memory no fill of `out` writes to."""
    if not isinstance(array, cla.Array):
        if array.ndim:
            return upload(queue, array)
        return in_memory(queue, of_queue(queue).cached(_copied)(array.tobytes()), (), array.dtype)
    if isinstance(out, cla.Array) and out.base_data == array.base_data:
        copied: cla.Array = array.copy(queue=queue)
        return copied
    return array


def _copied(context: cl.Context, numbers: bytes) -> cl.Buffer:
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=np.frombuffer(numbers, np.uint8))


def on_host(name: str, value: Any, dtype: np.dtype[Any], *, begins: tuple[int, ...] = ()) -> npt.NDArray[Any]:
    """Return `value`, a number or an array of the host, as an array of `dtype`.

    Numbers are rounded to it. Errors, which call it `name`, are raised for numbers that are not finite and real, and
    for negative ones if it is the "scale". If `value` is part of an array, it `begins` there.
    """
    found, positive = real_numbers(value), name == "scale"
    if found is None:
        raise TypeError(f"{name} must be {_legal(positive)}, not {validation.shown(value)}")
    found = in_double(found) if found.dtype == object else found
    with np.errstate(over="ignore"):
        rounded = found.astype(dtype)
    wrong = np.asarray(~np.isfinite(rounded) | (found < 0 if positive else False))
    if wrong.any():
        at = tuple(map(int, np.unravel_index(wrong.argmax(), wrong.shape)))
        shown = validation.shown(found[at].item())
        at = tuple(map(sum, zip(at, begins or (0,) * len(at), strict=True)))
        where = validation.of_element(name, at)
        raise ValueError(f"{name} must be {_legal(positive)} as {dtype}, not {shown}{where}")
    return rounded


def rows_of(array: Any, shape: tuple[int, ...], rows: slice) -> Any:
    """Return what the `rows` of values of `shape` need of `array`, of the host or the device, which is broadcast."""
    return array[rows] if array.ndim == len(shape) and array.shape[0] > 1 else array


def _legal(positive: bool) -> str:
    return f"finite numbers{' of 0 or more' if positive else ''}"


def broadcast_shape(size: Any, out: Any, shapes: Mapping[str, tuple[int, ...]], less: int = 0) -> tuple[int, ...]:
    """Return the shape of values, or of vectors, whose parameters have these `shapes`.

    It is `size` or else that of `out`, without its last `less` axes, or else that to which the shapes are broadcast.
    Errors name the argument that does not fit.
    """
    common = _together(shapes)
    name, wanted, whole = "size", size, ()
    if size is None and out is not np.ndarray and hasattr(out, "shape"):
        name, whole = "out", tuple(out.shape)
        wanted = whole[: len(whole) - less]
    if wanted is None:
        return common
    checked = validation.shape(name, wanted)
    try:
        fits = checked == common or np.broadcast_shapes(checked, common) == checked
    except ValueError:
        fits = False
    if not fits:
        shown = checked if name == "size" else whole
        legal = "be a shape" if name == "size" else f"have {'rows in ' * bool(less)}a shape"
        raise ValueError(f"{name} must {legal} to which {_listed(shapes)} can be broadcast, not {shown}")
    return checked


def _together(shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the shape to which shapes are broadcast; an error names the first parameter that does not fit others."""
    if len(found := {*shapes.values()}) == 1:
        return found.pop()
    common: tuple[int, ...] = ()
    before: dict[str, tuple[int, ...]] = {}
    for name, shape in shapes.items():
        try:
            common = np.broadcast_shapes(common, shape)
        except ValueError:
            legal = f"have a shape that can be broadcast with {_listed(before)}"
            raise ValueError(f"{name} must {legal}, not {shape}") from None
        before[name] = shape
    return common


def _listed(shapes: Mapping[str, tuple[int, ...]]) -> str:
    return " and ".join(f"{name} of shape {shape}" for name, shape in shapes.items())


def _layout(
    context: cl.Context, shape: tuple[int, ...], strides: tuple[int, ...], *broadcast: tuple[int, ...]
) -> tuple[cl.Buffer, cl.Buffer, int]:
    """Return the sizes of axes on the device, the steps along each axis, in numbers, and how many axes there are.

    Axes are those of `shape`, joined. Steps are those of arrays of the shapes that are `broadcast` to it, and then the
    `strides`.
    """
    ones: list[npt.NDArray[Any]] = [np.broadcast_to(np.empty(each, np.uint8), shape) for each in broadcast]
    axes = arrays.joined_axes(zip(shape, *(each.strides for each in ones), strides, strict=True)) or [(1, 0, 0, 0)]
    sizes, steps = np.array([axis[0] for axis in axes], np.uint64), np.array([axis[1:] for axis in axes], np.int64)
    return _copied(context, sizes.tobytes()), _copied(context, steps.tobytes()), len(axes)


def build_locate(queue: cl.CommandQueue, dtype: np.dtype[Any], *, circular: bool) -> None:
    """Build what `locate` needs for values of `dtype`, and prove it, so that errors come before anything is drawn."""

    def example(given: Sequence[cla.Array], _: object, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        memory, loc, scale = given
        queue: Any = memory.queue
        values = cla.Array(queue, shape, dtype, strides=strides, data=memory.base_data, offset=memory.offset)
        locate(queue, values, loc, scale, circular=circular)

    prove_by(queue, [_kernel(queue, dtype, circular)[0]], example, _locations(dtype, circular))


def locate(
    queue: cl.CommandQueue, values: cla.Array, loc: cla.Array, scale: cla.Array, *, circular: bool = False
) -> None:
    """Replace `values`, in place, by loc + scale * values, each rounded once; `loc` and `scale` are broadcast.

    Where they are `circular`, they are angles, and brought back to -pi to pi.
    """
    if values.size == 0:
        return
    kernel, width = _kernel(queue, values.dtype, circular)
    shape, size = values.shape, values.dtype.itemsize
    strides = tuple(arrays.value_strides(values))
    sizes, steps, dimensions = of_queue(queue).cached(_layout)(shape, strides, scale.shape, loc.shape)
    event = kernel.for_each(
        queue, -(-values.size // width), values=values.base_data, offset=values.offset // size, n=values.size,
        scale=scale.base_data, scale_offset=scale.offset // size, loc=loc.base_data, loc_offset=loc.offset // size,
        sizes=sizes, steps=steps, dimensions=dimensions,
        wait_for=wait_list(values, scale, loc),
    )  # fmt: skip
    arrays.attach_event(queue, values, event)
    arrays.attach_read(queue, event, scale, loc)


def _locations(dtype: np.dtype[Any], circular: bool) -> Iterator[Example]:
    """Yield contiguous values with one loc and scale and with many, and others, with gaps between them in memory.

    Products are far from 0 or, of the largest scale, beyond the largest number: the host is sure of all values.
    """
    random = np.random.default_rng(LENGTH)

    def numbers(*shape: int) -> Array:
        if circular:
            return random.uniform(-pi, pi, shape).astype(dtype)
        return (random.uniform(-2, 2, shape) * 2.0 ** random.integers(-EXPONENTS, EXPONENTS, shape)).astype(dtype)

    cases: list[tuple[tuple[int, ...], tuple[int, ...], list[tuple[int, ...]]]] = [
        ((LENGTH,), (1,), [(), ()]),
        (SHAPE, arrays.contiguous(SHAPE), [SHAPE[2:], SHAPE]),
        (SHAPE, (2 * SHAPE[1] * SHAPE[2], 2 * SHAPE[2], 2), [(SHAPE[1], 1), (SHAPE[0], 1, SHAPE[2])]),
    ]
    for shape, strides, (of_loc, of_scale) in cases:
        in_bytes = tuple(stride * dtype.itemsize for stride in strides)
        last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
        memory, values, loc = poison(last + 1, dtype), numbers(*shape), 3 * numbers(*of_loc)
        scale = np.ones(of_scale, dtype) if circular else abs(numbers(*of_scale))
        if of_scale and not circular:
            scale[..., -1] = np.finfo(dtype).max  # many of these values are beyond that
        np.lib.stride_tricks.as_strided(memory, shape, in_bytes)[...] = values
        x, times, plus = (np.ascontiguousarray(each) for each in np.broadcast_arrays(values, scale, loc))
        y, sure = references.placed(x, times, plus)
        result = memory.copy()
        made, _ = references.on_circle(y, sure) if circular else (y, sure)
        np.lib.stride_tricks.as_strided(result, shape, in_bytes)[...] = made
        yield Example([memory, np.array(loc), np.array(scale)], {"value": result}, {}, (shape, in_bytes), in_place=0)
