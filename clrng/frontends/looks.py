"""Arrays of parameters that are looked at on the device, so that large ones need not cross to the host."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.by_element import Look, zeros_and_ones
from clrng.distributions.transforms.in_ranges import Bounds
from clrng.fill.each_number import exponentials, rounded
from clrng.fill.locate import on_device, on_host
from clrng.fill.pairs import paired
from clrng.fill.ranges import range_sizes
from clrng.fill.ratios import ratios
from clrng.fill.triangular import are_triangles
from clrng.opencl.arrays import flush_others, queued, upload
from clrng.opencl.devices import info
from clrng.order.arguments import KEYS
from clrng.order.copies import move
from clrng.order.count_values import extremes_of
from clrng.order.selection import unique
from clrng.validation import name_of

LARGE = 2**16
"""From so many elements on, the device finds distinct values faster than the host, PoCL too."""

WORDS = 2**32
"""So many pairs of numbers have numbers of uint32."""

MOST = 2**31
"""The maximum of elements that are sorted on the device."""


def _is_large(array: Any) -> bool:
    """Return whether an array should be on the device, and can."""
    return LARGE <= array.size < MOST and array.dtype.isnative and name_of(array.dtype) in KEYS


def checked(queue: cl.CommandQueue, given: Mapping[str, Any], dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return what values are multiplied by, the "scale", or moved by: as arrays of `dtype` of the host or the device.

    Numbers of another dtype are rounded to it: by the device if a large array is there, or else by the host. Errors are
    those of `on_host`, and one for a device's arrays of another context.
    """
    found = {name: _looked_at(queue, name, value, dtype) for name, value in given.items()}
    here = {name: value for name, value in found.items() if isinstance(value, cla.Array)}
    ends = extremes_of([value.with_queue(queue) for value in here.values()])
    for (name, value), (least, most) in zip(here.items(), ends, strict=True):
        with np.errstate(over="ignore"):
            finite = np.isfinite(np.array([least, most]).astype(dtype)).all()
        if not finite or (name == "scale" and least < 0):
            on_host(name, value.get(), dtype)  # which names the first that is not legal
        found[name] = value if value.dtype == dtype else rounded(queue, value, dtype)
    return found


def _looked_at(queue: cl.CommandQueue, name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a parameter as an array of the device, which is to look at it, or as one of the host that is legal."""
    if not isinstance(value, cla.Array):
        return on_host(name, value, dtype)
    if value.context != queue.context:
        raise ValueError(f"{name} must be in the context of the generator's queue, not in another one")
    flush_others(queue, value)
    value = zeros_and_ones(value)
    value = move(queue, value) if not value.flags.c_contiguous else queued(value)
    here = value.dtype == dtype or (_is_large(value) and _is_rounded(queue, value.dtype, dtype))
    return value if here and value.size else on_host(name, value.get(), dtype)


def _is_rounded(queue: cl.CommandQueue, given: np.dtype[Any], dtype: np.dtype[Any]) -> bool:
    """Return whether the device rounds numbers of a dtype of `KEYS` to another one."""
    kinds = given.name, dtype.name
    return (
        dtype.name in ("float32", "float64")
        and "float16" not in kinds
        and ("float64" not in kinds or info(queue.device).fp64)
    )


class LookOnDevice(Look):
    """Looks at arrays of the device, and at large ones of the host, on one queue.

    `then` is called once, while the device looks: so it has work while the host finds out what to do.
    """

    def __init__(self, queue: cl.CommandQueue, then: Callable[[], object] | None = None) -> None:
        self._queue, self._then = queue, then

    def _is_looking(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()

    def distinct(self, array: Any) -> tuple[Any, Any]:
        """Return the distinct values in order, on the host, and the number of that of every element, on the device."""
        on_host = not isinstance(array, cla.Array)
        if on_host and not _is_large(array):
            return super().distinct(array)
        given: Any = upload(self._queue, np.ascontiguousarray(array)) if on_host else array
        values, codes = cast("tuple[cla.Array, ...]", unique(given.reshape(-1), return_inverse=True))
        numbers: Any = codes
        return values.get(), numbers.reshape(array.shape)

    def pairs(self, first: Any, second: Any, count: int, size: int) -> tuple[Any, Any]:  # noqa: D102  # as inherited
        on_device = isinstance(first, cla.Array) and isinstance(second, cla.Array)
        if on_device and first.shape == second.shape and count * size < WORDS:
            return self.distinct(paired(self._queue, first, second, size))
        return super().pairs(first, second, count, size)

    def near(self, array: Any) -> Any:
        """Return a copy on the device of a large array of the host, and others as they are."""
        if isinstance(array, cla.Array) or not _is_large(array):
            return array
        return upload(self._queue, np.ascontiguousarray(array))

    def extremes(self, array: Any) -> tuple[Any, Any]:
        """Return the minimum and the maximum; NaNs are one of them."""
        return self.extremes_of({"": array})[""] if isinstance(array, cla.Array) else super().extremes(array)

    def extremes_of(self, several: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:  # noqa: D102  # as inherited
        here = {key: array for key, array in several.items() if isinstance(array, cla.Array)}
        others = {key: array for key, array in several.items() if key not in here}
        found = extremes_of([*here.values()], self._is_looking)
        return dict(zip(here, found, strict=True)) | super().extremes_of(others)

    def on_host(self, array: Any) -> Any:
        """Return an array of the host."""
        return array.get() if isinstance(array, cla.Array) else array

    def ratios(self, over: Any, under: Any) -> Any:  # noqa: D102  # as inherited
        held = [each if isinstance(each, cla.Array) else np.asarray(each, order="C") for each in (over, under)]
        if not (any(isinstance(each, cla.Array) for each in held) and info(self._queue.device).fp64):
            return super().ratios(over, under)
        return ratios(self._queue, *(on_device(self._queue, each, None) for each in held))

    def exponentials(self, array: Any, dtype: np.dtype[Any]) -> Any:  # noqa: D102  # as inherited
        if not (isinstance(array, cla.Array) and info(self._queue.device).fp64):
            return super().exponentials(array, dtype)
        return exponentials(self._queue, on_device(self._queue, array, None), dtype)

    def rounded(self, array: Any, dtype: np.dtype[Any]) -> Any:  # noqa: D102  # as inherited
        is_here = isinstance(array, cla.Array) and array.dtype.isnative and name_of(array.dtype) in KEYS
        if not (is_here and _is_rounded(self._queue, array.dtype, dtype)):
            return super().rounded(array, dtype)
        return rounded(self._queue, array, dtype)

    def sizes(self, bounds: Bounds, low: Any, high: Any) -> tuple[int, int]:  # noqa: D102  # as inherited
        if not (isinstance(low, cla.Array) or isinstance(high, cla.Array)):
            return super().sizes(bounds, low, high)
        lows, highs = (on_device(self._queue, each, None) for each in (low, high))
        return range_sizes(self._queue, bounds, lows, highs, self._is_looking)

    def are_triangles(self, held: Sequence[Any], most: float) -> bool:  # noqa: D102  # as inherited
        is_here = any(isinstance(each, cla.Array) for each in held) and all(each.size for each in held)
        if not (is_here and all(self.reads(each.dtype) for each in held)):
            return super().are_triangles(held, most)
        here = [on_device(self._queue, each, None) for each in held]
        return are_triangles(self._queue, here, most, self._is_looking)

    def reads(self, dtype: np.dtype[Any]) -> bool:
        """Return whether kernels of the device read floats of a dtype."""
        return dtype.name != "float64" or info(self._queue.device).fp64

    def taken(self, array: cla.Array) -> cla.Array | None:
        """Return an array of the device on the queue, if it should stay there and can."""
        if not (_is_large(array) and array.context == self._queue.context):
            return None
        flush_others(self._queue, array)
        return (
            cast("cla.Array", array.with_queue(self._queue)) if array.flags.c_contiguous else move(self._queue, array)
        )
