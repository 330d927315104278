"""The dtypes of results, and of arrays that elements are taken from, as callers of front ends give them."""

from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import UNIFORM, Transform
from clrng.distributions.distribution import WHOLE
from clrng.errors import UnsupportedError
from clrng.opencl.devices import DeviceInfo

Size = int | tuple[int, ...]
"""What methods take as the shape of a result."""

Number = float | Any
"""A number, or where a method says so an array of the host or the device."""

ELEMENTS = (*WHOLE, "float32", "float64", "complex64", "complex128")
"""The dtypes of arrays that `choice` draws from."""


def dtype_of(out: Any) -> np.dtype[Any] | None:
    """Return the dtype of an array of any kind; None where `out` is not an array, such as the class of arrays."""
    try:
        found = getattr(out, "dtype", None)
    except Exception:  # noqa: BLE001  # whatever a user's class raises
        return None
    return found if isinstance(found, np.dtype) else None


def check_dtype(legal: tuple[str, ...], dtype: Any, out: Any, device: DeviceInfo) -> np.dtype[Any]:
    """Return `dtype`, by default that of the array `out`, and without it the first of the `legal` ones.

    An `UnsupportedError` is raised if it is float64 and the device has no double precision.
    """
    name, instead, chosen = "dtype", "dtype='float32'", dtype
    if dtype is None and out is not None and dtype_of(out):
        name, chosen, instead = "out.dtype", dtype_of(out), "an array of float32"
    found = np.dtype(legal[0]) if chosen is None else validation.dtype(name, chosen, legal)
    if found == np.float64 and not device.fp64:
        raise UnsupportedError(
            f"{name} float64 needs double precision, which {device.name} does not have; use {instead}"
        )
    return found


def check_uniform(dtype: Any, out: Any, device: DeviceInfo) -> Transform:
    """Return the uniform transform of the dtype that `check_dtype` returns."""
    return UNIFORM[check_dtype(tuple(UNIFORM), dtype, out, device).name]


def whole_dtype(dtype: Any, out: Any) -> np.dtype[Any]:
    """Return `dtype`, by default that of `out`, and without it int64, if it is one of integers."""
    given = dtype_of(out)
    if dtype is None and given is not None:
        return validation.dtype("out.dtype", given, WHOLE)
    return validation.dtype("dtype", "int64" if dtype is None else dtype, WHOLE)


def as_array(name: str, value: Any, legal: str) -> Any:
    """Return an array of the device as it is, and anything else as an array of the host, in native byte order."""
    if isinstance(value, cla.Array):
        return value
    try:
        found = np.asarray(value)
    except Exception:  # noqa: BLE001  # ragged lists, and whatever a user's class raises
        kind = ValueError if isinstance(value, (list, tuple)) else TypeError
        raise kind(f"{name} must be {legal}, not {validation.shown(value)}") from None
    return found.astype(found.dtype.newbyteorder("="), copy=False)


def checked_elements(a: Any) -> Any:
    """Return the array `a` that `choice` draws from, of the device or the host, if it is of numbers and not empty."""
    legal = "an integer, or an array of one dimension or more and of one number or more"
    elements = as_array("a", a, legal)
    if elements.dtype.name not in ELEMENTS:
        raise TypeError(f"a must be {legal}, of {', '.join(ELEMENTS)}, not {validation.shown(a)}")
    if elements.ndim == 0 or elements.size == 0:
        raise ValueError(f"a must be {legal}, not {validation.shown(a)}")
    return elements
