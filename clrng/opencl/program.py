"""Build programs, and say what to do when a build fails."""

import os
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from clrng.errors import BuildError
from clrng.opencl import caches, ledger, pocl_cpu_name

OPTIONS = ("-cl-std=CL1.2", "-w")
"""No option that lets a compiler trade exactness for speed. Without -w PoCL prints how many warnings it has, such as
those about vectors of 64 bytes on processors without AVX-512."""

INSTALL = (
    "install another OpenCL driver: your distribution's PoCL ('apt install pocl-opencl-icd' on Debian and Ubuntu), or "
    "for x86-64 processors Intel's ('pip install intel-opencl-rt intel-cmplr-lib-rt', which is found with "
    f"OCL_ICD_VENDORS={sys.prefix}/lib/libintelocl.so)"
)
"""What to do where the compiler of a driver builds nothing."""

MAX_REBUILDS = 4
"""The maximum number of builds of a program that lacks kernels."""

KERNEL = re.compile(r"__kernel void (\w+)")
"""How kernels begin."""

TRIAL = "__kernel void trial(__global uint *x) { x[0] = 0; }"


def numbered(source: str) -> str:
    """Return `source` with its line numbers."""
    return "\n".join(f"{number:4d}  {line}" for number, line in enumerate(source.splitlines(), 1))


def options(device: cl.Device) -> tuple[str, ...]:
    """Return the options with which programs are built for `device`."""
    return *OPTIONS, *pocl_cpu_name.build_options(device)


def _compile(context: cl.Context, source: str, *further: str) -> cl.Program:
    """Return the built program; what the compiler says of one that it accepts is not shown."""
    device = context.devices[0]
    if device.platform.name == pocl_cpu_name.PLATFORM:
        caches.restore()
    return caches.build(context, source, [*options(device), *further])


INSTALL_LINKER = "install the linker: 'apt install binutils' on Debian and Ubuntu, the package binutils elsewhere"


def _lacks_linker(device: cl.Device) -> bool:
    """Return whether it is a PoCL that would end the whole process for want of a linker, as version 3 does."""
    is_pocl = device.platform.name == pocl_cpu_name.PLATFORM and device.driver_version.startswith("3.")
    return is_pocl and shutil.which("ld", path=os.environ.get("PATH", "")) is None


def _remedy(device: cl.Device) -> str:
    """Return what to do where the compiler of `device` builds nothing."""
    if _lacks_linker(device):
        return INSTALL_LINKER
    return f"let {caches.POCL_VARIABLE} name a folder that can be written to" if _cache_fault(device) else INSTALL


def _cache_fault(device: cl.Device) -> str | None:
    return caches.fault() if device.platform.name == pocl_cpu_name.PLATFORM else None


def _first_error(log: str) -> str:
    """Return the line of a compiler's log that says what is wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return next((line for line in lines if re.search(r"\berror:", line)), lines[0] if lines else "no reason given")


_working: set[cl.Device] = set()
"""The devices whose compilers have built a program."""


def fault(device: cl.Device) -> str | None:
    """Return in a line why the compiler of `device` builds nothing at all, or None where it does, or once did.

    Where it does not, that is found out anew each time.
    """
    if device in _working:
        return None
    if _lacks_linker(device):
        return "PoCL needs the linker ld, which is in no folder of PATH"
    if reason := _cache_fault(device):
        return reason
    if reason := pocl_cpu_name.fault(device):
        return reason
    try:
        _compile(cl.Context([device]), TRIAL)
    except Exception as error:  # noqa: BLE001  # PyOpenCL's own troubles are of many classes
        return _first_error(str(error))
    _working.add(device)
    return None


def _failure(device: cl.Device, source: str, log: str) -> BuildError:
    """Return the error of a failed build: what happened, what to do, and the file that has all of it."""
    what = f"the OpenCL compiler of {device.name} ({device.platform.name}, {device.driver_version})"
    if reason := fault(device):
        lines = [
            f"{what} builds nothing: {reason}",
            f"What to do: {_remedy(device)}.",
        ]
    else:
        lines = [
            f"{what} refused a program of clrng: {_first_error(log)}",
            "What to do: take another device= or arithmetic=, and please report this with the file named below.",
        ]
    try:
        with tempfile.NamedTemporaryFile("w", prefix="clrng-build-", suffix=".txt", delete=False) as file:
            file.write(f"{what}\n{log}\n{numbered(source)}\n")
        lines.append(f"The compiler's log and the numbered source are in {file.name}")
    except OSError as error:
        lines.append(f"The compiler's log and the source are in this error's attributes; no file: {error}")
    return BuildError("\n".join(lines), source, log)


def build(context: cl.Context, source: str) -> cl.Program:
    """Return the built program.

    A BuildError says if the device's compiler refuses it, in three lines: what happened, what to do, and the name of a
    file with the compiler's log and the numbered source.
    """
    device = context.devices[0]
    if _lacks_linker(device):
        raise _failure(device, source, "not built")
    known, digest = ledger.of_device(device), ledger.of_device(device).key(source, "", options(device))
    try:
        if digest in known:
            return _whole(context, source)
        with ledger.marked(device, digest, f"a program with {', '.join(KERNEL.findall(source))}", source):
            built = _whole(context, source)
    except ledger.CrashError as error:
        raise crashed(device, source, error) from None
    except Exception as error:
        raise _failure(device, source, str(error)) from error
    known.add([digest])
    return built


def kernel(built: cl.Program, name: str, types: Sequence[Any] | None = None) -> cl.Kernel:
    """Return a kernel of a built program, for arguments of these `types` as PyOpenCL writes them, where there are any.

    PyOpenCL writes how it is called to a database, which somebody may have removed or which may be broken: then this
    process goes on without it.
    """
    try:
        return _kernel(built, name, types)
    except sqlite3.Error:
        cl._PYOPENCL_NO_CACHE = True  # noqa: SLF001  # what the environment variable PYOPENCL_NO_CACHE says at first
        return _kernel(built, name, types)


def _kernel(built: cl.Program, name: str, types: Sequence[Any] | None) -> cl.Kernel:
    made = cl.Kernel(built, name)
    if types is not None:
        made.set_scalar_arg_dtypes(types)
    return made


def _whole(context: cl.Context, source: str) -> cl.Program:
    """Return the built program with all its kernels.

    A process that ended while PoCL built may have left a program without kernels in PoCL's cache, which is found again
    for ever; then it is built under another name.
    """
    for attempt in range(MAX_REBUILDS):
        built = _compile(context, source, *([f"-DCLRNG_REBUILT={attempt}"] if attempt else []))
        try:
            for name in KERNEL.findall(source):
                kernel(built, name)
        except cl.Error as error:
            if error.code != cl.status_code.INVALID_KERNEL_NAME or attempt == MAX_REBUILDS - 1:
                raise
        else:
            break
    return built


def crashed(device: cl.Device, source: str, error: ledger.CrashError) -> BuildError:
    """Return the error that says what ended processes before, and note it in the ledger of the device."""
    what = f"the OpenCL compiler of {device.name} ({device.platform.name}, {device.driver_version}): {error}"
    ledger.of_device(device).add_wrong(what)
    note = ledger.of_device(device).note
    remedy = f"What to do: {INSTALL}; or, to try again nevertheless, remove {error.remove} and {note}"
    return BuildError(f"{what}\n{remedy}", source, str(error))
