"""OpenCL devices: list them, choose one, and say what each can do exactly."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pyopencl as cl

from clrng import validation
from clrng.errors import NoDeviceError
from clrng.opencl import caches, ledger, pocl_cpu_name, program
from clrng.opencl.kernel import ContextCache, check_process, of_context

DEVICE_VARIABLE = "CLRNG_DEVICE"
KINDS = {"gpu": cl.device_type.GPU, "accelerator": cl.device_type.ACCELERATOR, "cpu": cl.device_type.CPU}
"""The kinds of device, the preferred ones first."""

VENDORS_VARIABLE = "OCL_ICD_VENDORS"


def no_device() -> str:
    """Return what to do where there is no device."""
    message = (
        "no OpenCL device found. Install a driver: 'pip install pocl-binary-distribution' for the processor of an "
        "x86-64 Linux machine, your distribution's pocl-opencl-icd elsewhere, or your GPU vendor's OpenCL driver"
    )
    if vendors := os.environ.get(VENDORS_VARIABLE):
        message += f"; drivers are looked for only where {VENDORS_VARIABLE} says, {vendors}"
    if reason := caches.fault():
        message += f"; {reason}, without which PoCL shows no device"
    return message


@dataclass(frozen=True)
class DeviceInfo:
    """An OpenCL device and what it can do exactly.

    Attributes
    ----------
    index : int or None
        Its place in the list of all devices, GPUs first; None where it comes from a queue.
    name, platform, driver, version : str
        The device's and its platform's own words.
    kind : str
        ``"gpu"``, ``"accelerator"`` or ``"cpu"``.
    fp64 : bool
        Whether it computes in double precision, with rounding to nearest and fused multiply-add.
    fma : bool
        Whether a fused multiply-add of single precision is exact.
    round_to_nearest : bool
        Whether single precision rounds to nearest.
    units : int
        Compute units.
    largest_allocation : int
        The largest single buffer, in bytes.
    memory : int
        Global memory, in bytes.
    device : pyopencl.Device
    fault : str or None
        Why it is of no use, in a line: its compiler builds nothing, or ended a process, or its numbers were found
        wrong; None where it works. When first asked for, a small program is built to find out.
    """

    index: int | None = field(compare=False)
    name: str
    platform: str
    driver: str
    version: str
    kind: str
    fp64: bool
    fma: bool
    round_to_nearest: bool
    units: int
    largest_allocation: int
    memory: int
    device: cl.Device

    @property
    def fault(self) -> str | None:
        """Why it is of no use, in a line, or None where it works."""
        return ledger.of_device(self.device).wrong or program.fault(self.device)


def _kind(device: cl.Device) -> str:
    return next((kind for kind, bit in KINDS.items() if device.type & bit), "accelerator")


def describe(device: cl.Device, index: int | None = None) -> DeviceInfo:
    """Return what `device` is and can do exactly; a PoCL that does not know the processor is first told a name."""
    pocl_cpu_name.correct(device)
    single = device.single_fp_config
    double_bits = cl.device_fp_config.FMA | cl.device_fp_config.ROUND_TO_NEAREST
    return DeviceInfo(
        index=index,
        name=device.name.strip(),
        platform=device.platform.name.strip(),
        driver=device.driver_version.strip(),
        version=device.version.strip(),
        kind=_kind(device),
        fp64=device.double_fp_config & double_bits == double_bits,
        fma=bool(single & cl.device_fp_config.FMA),
        round_to_nearest=bool(single & cl.device_fp_config.ROUND_TO_NEAREST),
        units=device.max_compute_units,
        largest_allocation=device.max_mem_alloc_size,
        memory=device.global_mem_size,
        device=device,
    )


_infos: dict[int, DeviceInfo] = {}


def info(device: cl.Device) -> DeviceInfo:
    """Return what a device is, asked once; by the handle, as the hash of a device takes long."""
    found = _infos.get(device.int_ptr)
    if found is None:
        found = _infos[device.int_ptr] = describe(device)  # which holds the device, and so the handle
    return found


def group_size_of(device: DeviceInfo, wanted: int) -> int:
    """Return the work-items of a work-group: `wanted`, a power of two, or the largest one that the device allows."""
    return min(wanted, 1 << device.device.max_work_group_size.bit_length() - 1)


def _platform_devices() -> Iterator[cl.Device]:
    """Yield the devices of every platform; one that is empty, broken or listed twice adds nothing."""
    check_process()
    caches.provide()
    try:
        platforms = cl.get_platforms()
    except cl.Error:  # the loader's way of saying that there is none
        return
    seen = set()
    for platform in platforms:
        key = (platform.name, platform.vendor, platform.version)
        if key in seen:
            continue
        seen.add(key)
        try:
            found = platform.get_devices()
        except cl.Error:
            continue
        yield from (device for device in found if device.available and device.compiler_available)


def list_devices(kind: str | None = None, name: str | None = None) -> list[DeviceInfo]:
    """List the OpenCL devices that can be used: GPUs first, then accelerators, then CPUs.

    Parameters
    ----------
    kind : {"gpu", "accelerator", "cpu"}, optional
        Only devices of this kind.
    name : str, optional
        Only devices with this text in their name or their platform's, in upper or lower case.

    Returns
    -------
    list of DeviceInfo
        Empty where there is none. The `index` of a device is its place among all devices, also where `kind` or `name`
        leaves some out.

    Raises
    ------
    TypeError
        If `kind` or `name` is not a string.
    ValueError
        If `kind` is none of the three.
    ForkError
        If this process was forked from one that used OpenCL before.

    Examples
    --------
    >>> import clrng
    >>> {info.kind for info in clrng.list_devices("cpu")}
    {'cpu'}
    """
    if kind is not None:
        validation.choice("kind", kind, KINDS)
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a string, not {validation.shown(name)}")
    order = list(KINDS)
    ordered = sorted(_platform_devices(), key=lambda device: order.index(_kind(device)))
    found = [describe(device, index) for index, device in enumerate(ordered)]
    return [
        info
        for info in found
        if (kind is None or info.kind == kind)
        and (name is None or name.lower() in f"{info.platform} {info.name}".lower())
    ]


def choose_device(which: int | str | None = None) -> DeviceInfo:
    """Choose a device by its index, its kind or its name, or the best there is.

    Parameters
    ----------
    which : int or str, optional
        An index in the list of all devices; a kind, ``"gpu"``, ``"accelerator"`` or ``"cpu"``; or part of the name of a
        device or platform. By default what the environment variable ``CLRNG_DEVICE`` says; if that is not set, any
        device, GPUs before others. Of several that match it is the first whose compiler works.

    Returns
    -------
    DeviceInfo

    Raises
    ------
    NoDeviceError
        If there is no device, or none that matches; the message lists those there are.
    TypeError
        If `which` is neither an integer nor a string.
    ForkError
        If this process was forked from one that had used OpenCL.

    Examples
    --------
    >>> import clrng
    >>> clrng.choose_device() in clrng.list_devices()
    True
    """
    source = "device"
    if which is None:
        source, which = (
            f"the environment variable {DEVICE_VARIABLE}",
            os.environ.get(DEVICE_VARIABLE, "").strip() or None,
        )
    if isinstance(which, bool) or not isinstance(which, int | np.integer | str | None):
        raise TypeError(f"device must be an index, a kind or part of a name, not {validation.shown(which)}")
    found = list_devices()
    if not found:
        raise NoDeviceError(no_device())
    if which is None:
        return _working(found)
    text = (which if isinstance(which, str) else validation.shown(int(which))).strip()
    if re.fullmatch("-?[0-9]+", text):
        matching = [info for info in found if str(info.index) == (text.lstrip("0") or "0")]
    elif text.lower() in KINDS:
        matching = [info for info in found if info.kind == text.lower()]
    else:
        matching = list_devices(name=text)
    if not matching:
        listed = "; ".join(f"{info.index}: {info.name} ({info.platform}, {info.kind})" for info in found)
        raise NoDeviceError(f"no device matches {source} = {validation.shown(which)}; the devices are {listed}")
    return _working(matching)


def _working(found: list[DeviceInfo]) -> DeviceInfo:
    """Return the first of several devices whose compiler works; where none does, or there is but one, the first."""
    if len(found) == 1:
        return found[0]
    return next((info for info in found if info.fault is None), found[0])


@cache
def _context(device: cl.Device) -> tuple[cl.Context, ContextCache]:
    """Return the one context of a device, which is never given back, and what is kept for it."""
    context = cl.Context([device])
    return context, of_context(context)


def make_queue(which: int | str | None = None) -> cl.CommandQueue:
    """Make a command queue on the device that `choose_device` chooses.

    All queues that this makes on one device are in one context, so that they share built programs and arrays.

    Parameters
    ----------
    which : int or str, optional
        As for `choose_device`.

    Returns
    -------
    pyopencl.CommandQueue

    Raises
    ------
    NoDeviceError, TypeError
        As `choose_device` does.
    ForkError
        If this process was forked from one that used OpenCL before.

    Examples
    --------
    >>> import clrng
    >>> print(clrng.default_rng(2026, queue=clrng.make_queue()).integers(100))
    17
    """
    return queue_on(choose_device(which).device)


def queue_on(device: cl.Device) -> cl.CommandQueue:
    """Return a new command queue on `device`, in the context that all of these share."""
    context, _ = _context(device)
    return cl.CommandQueue(context)
