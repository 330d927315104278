"""Checks of arguments that several front ends take."""

from typing import Any

import numpy as np
import pyopencl as cl

from clrng import validation
from clrng.distributions import UNIFORM, Transform
from clrng.errors import NoDeviceError, UnsupportedError
from clrng.generators import BitGenerator
from clrng.opencl import contexts, devices, processes

Size = int | tuple[int, ...]
"""What methods take as the shape of a result."""


def check_bit_generator(value: Any) -> BitGenerator:
    """Return `value` if it is a bit generator.

    Raises
    ------
    TypeError
        If it is not.
    """
    if not isinstance(value, BitGenerator):
        raise TypeError(
            f"bit_generator must be a clrng bit generator such as clrng.ParkMiller(seed=1), not "
            f"{validation.shown(value)}"
        )
    return value


Queue = cl.CommandQueue | cl.Device | cl.Context | devices.DeviceInfo | int | str
"""What the front ends take as `queue`, beside None."""


def check_queue(value: Any, name: str = "queue") -> cl.CommandQueue:
    """Return `value` if it is a queue, or a new queue on the device that it stands for.

    Parameters
    ----------
    value : pyopencl.CommandQueue, Device or Context, DeviceInfo, int, str or None
        A context must be of one device. An integer, a string or None is as for `clrng.choose_device`.
    name : str, optional
        What errors call it.

    Raises
    ------
    TypeError
        If it is something else.
    ValueError
        If it is a context of several devices.
    NoDeviceError
        If there is no device, or none that matches.
    ForkError
        If this process was forked from one that used OpenCL before.
    """
    processes.check()
    queue = value if isinstance(value, cl.CommandQueue) else _new_queue(value, name)
    contexts.of_queue(queue)
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
    shown = validation.shown(value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer, str)):
        raise TypeError(
            f"{name} must be a pyopencl.CommandQueue, Context or Device, a clrng.DeviceInfo, what clrng.choose_device "
            f"takes, or None, not {shown}"
        )
    try:
        return devices.make_queue(value if isinstance(value, str) else int(value))
    except NoDeviceError as error:
        raise NoDeviceError(f"{name} must be on a device that there is, not {shown}: {error}") from None


def dtype_of(out: Any) -> np.dtype[Any] | None:
    """Return the dtype of an array of any kind; None where `out` is none, as the class of arrays is not."""
    try:
        found = getattr(out, "dtype", None)
    except Exception:  # noqa: BLE001  # whatever somebody's class raises
        return None
    return found if isinstance(found, np.dtype) else None


def unreadable(name: str, value: Any, legal: str) -> TypeError | ValueError:
    """Return the error for a `value` of which NumPy makes no array: of nested lists a ValueError, else a TypeError."""
    kind = ValueError if isinstance(value, (list, tuple)) else TypeError
    return kind(f"{name} must be {legal}, not {validation.shown(value)}")


def check_dtype(legal: tuple[str, ...], dtype: Any, out: Any, device: devices.DeviceInfo) -> np.dtype[Any]:
    """Return `dtype`, by default that of the array `out`, and without it the first of the `legal` ones.

    Raises
    ------
    TypeError, ValueError
        If `dtype`, or without it the dtype of `out`, is not one of the legal ones.
    UnsupportedError
        If it is float64 and the device has no double precision.
    """
    name, instead = "dtype", "dtype='float32'"
    if dtype is None and dtype_of(out):
        name, dtype, instead = "out.dtype", dtype_of(out), "an array of float32"
    chosen = validation.dtype(name, legal[0] if dtype is None else dtype, legal)
    if chosen == np.float64 and not device.fp64:
        raise UnsupportedError(
            f"{name} float64 needs double precision, which {device.name} does not have; use {instead}"
        )
    return chosen


def check_uniform(dtype: Any, out: Any, device: devices.DeviceInfo) -> Transform:
    """Return the uniform transform of `dtype`, which is as for `check_dtype`; errors are its own."""
    return UNIFORM[check_dtype(tuple(UNIFORM), dtype, out, device).name]
