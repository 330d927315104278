"""Values times one array plus another, both broadcast to the shape of the values."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.fill import proofs
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.opencl.transfers import upload, wait_list
from clrng.proof.prove import apart, prove


def _kernel(queue: cl.CommandQueue, name: str, dtype: np.dtype[Any], *, circular: bool = False) -> Kernel:
    values = {"out": CTYPES[dtype.name], "p": "s_", "w": "", "circular": circular}
    return kernel_of(queue, name, program, "fill/locate.cl.mako", values=values)


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
    prove(queue, [check], lambda: _check_finding(apart(queue), check, dtype))
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


def _check_finding(own: cl.CommandQueue, check: Kernel, dtype: np.dtype[Any]) -> None:
    proofs.check_finding(own, dtype, partial(_finds, own, check))


def on_device(queue: cl.CommandQueue, array: Any, out: Any) -> cla.Array:
    """Return `array`, of the host or the device, as one of the device whose memory no fill of `out` writes to."""
    if not isinstance(array, cla.Array):
        return upload(queue, array)
    if isinstance(out, cla.Array) and out.base_data == array.base_data:
        copied: cla.Array = array.copy(queue=queue)
        return copied
    return array


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


def _steps(array: cla.Array, shape: tuple[int, ...]) -> list[int]:
    """Return the strides of `array` when it is broadcast to `shape`, in numbers."""
    ones: npt.NDArray[Any] = np.empty(array.shape, np.uint8)
    return list(np.broadcast_to(ones, shape).strides)


def build_locate(queue: cl.CommandQueue, dtype: np.dtype[Any], *, circular: bool) -> None:
    """Build what `locate` needs for values of `dtype`, and prove it, so that errors come before anything is drawn."""
    kernel = _kernel(queue, "locate", dtype, circular=circular)

    def check() -> None:
        own = apart(queue)
        proofs.check_locate(own, dtype, partial(locate, own, circular=circular), circular=circular)

    prove(queue, [kernel], check)


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
    sizes = upload(queue, np.array(shape or (1,), np.uint64))
    strides = arrays.value_strides(values)
    rows = list(zip(_steps(scale, shape), _steps(loc, shape), strides, strict=True)) or [(0, 0, 0)]
    steps = upload(queue, np.array(rows, np.int64))
    event = kernel.for_each(
        queue, values.size, values=values.base_data, offset=values.offset // size, n=values.size,
        scale=scale.base_data, scale_offset=scale.offset // size, loc=loc.base_data, loc_offset=loc.offset // size,
        sizes=sizes.base_data, steps=steps.base_data, dimensions=len(shape),
        wait_for=wait_list(values, scale, loc),
    )  # fmt: skip
    arrays.attach_event(queue, values, event)
