"""Build programs, once for each context and source, and say what to do when a build fails."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from math import prod
from threading import Lock
from typing import Any

import pyopencl as cl

from clrng.errors import BuildError
from clrng.opencl import cache_folder, compiler_cache, contexts, pocl_cpu_name
from clrng.opencl.signatures import argument_types

OPTIONS = ("-cl-std=CL1.2", "-w")
"""No option that lets a compiler trade exactness for speed. Without -w PoCL prints how many warnings it has, such as
those about vectors of 64 bytes on processors without AVX-512."""


INSTALL = (
    "install another OpenCL driver: your distribution's PoCL ('apt install pocl-opencl-icd' on Debian and Ubuntu), or "
    "for x86-64 processors Intel's ('pip install intel-opencl-rt intel-cmplr-lib-rt', which is found with "
    f"OCL_ICD_VENDORS={sys.prefix}/lib/libintelocl.so)"
)
"""What to do where the compiler of a driver builds nothing."""

SVM = cl.SVMPointer
"""Shared virtual memory, which arrays may have in place of a buffer."""

USUAL_GROUP = 64
"""Work-items of a work-group where nothing asks for another number."""

TRIAL = "__kernel void trial(__global uint *x) { x[0] = 0; }"


def numbered(source: str) -> str:
    """Return `source` with its line numbers."""
    return "\n".join(f"{number:4d}  {line}" for number, line in enumerate(source.splitlines(), 1))


def _compile(context: cl.Context, source: str) -> cl.Program:
    """Return the built program; what the compiler says of one that it accepts is not shown."""
    return compiler_cache.build(context, source, [*OPTIONS, *pocl_cpu_name.build_options(context.devices[0])])


INSTALL_LINKER = "install the linker: 'apt install binutils' on Debian and Ubuntu, the package binutils elsewhere"


def _lacks_linker(device: cl.Device) -> bool:
    """Return whether it is a PoCL that would end the whole process for want of a linker, as version 3 does."""
    is_pocl = device.platform.name == pocl_cpu_name.PLATFORM and device.driver_version.startswith("3.")
    return is_pocl and shutil.which("ld", path=os.environ.get("PATH", "")) is None


def _remedy(device: cl.Device) -> str:
    """Return what to do where the compiler of `device` builds nothing."""
    if _lacks_linker(device):
        return INSTALL_LINKER
    return f"let {cache_folder.POCL_VARIABLE} name a folder that can be written to" if _cache_fault(device) else INSTALL


def _cache_fault(device: cl.Device) -> str | None:
    return cache_folder.fault() if device.platform.name == pocl_cpu_name.PLATFORM else None


def _first_error(log: str) -> str:
    """Return the line of a compiler's log that says what is wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return next((line for line in lines if re.search(r"\berror:", line)), lines[0] if lines else "no reason given")


@cache
def fault(device: cl.Device) -> str | None:
    """Return in a line why the compiler of `device` builds nothing at all, or None where it does."""
    if _lacks_linker(device):
        return "PoCL needs the linker ld, which is in no folder of PATH"
    if reason := _cache_fault(device):
        return reason
    try:
        _compile(cl.Context([device]), TRIAL)
    except Exception as error:  # noqa: BLE001  # PyOpenCL's own troubles are of many classes
        return _first_error(str(error))
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
    """Return the built program, from memory if it was built for this context before and the context is still in use.

    Raises
    ------
    BuildError
        If the device's compiler refuses it, in three lines: what happened, what to do, and the name of a file with the
        compiler's log and the numbered source.
    """
    built: cl.Program = contexts.of_context(context).cached(_built)(source)
    return built


def _built(context: cl.Context, source: str) -> cl.Program:
    device = context.devices[0]
    if _lacks_linker(device):
        raise _failure(device, source, "not built")
    try:
        return _compile(context, source)
    except Exception as error:
        raise _failure(device, source, str(error)) from error


class Kernel:
    """A kernel object of its own: nobody else sets its arguments.

    Threads may share it: one sets the arguments and launches it, then the next one does.

    Parameters
    ----------
    context : pyopencl.Context
    source : str
        The program, which says what types the arguments have.
    name : str
        One of its kernels.

    Attributes
    ----------
    largest_group : int
        The most work-items of a work-group; where the kernel requires a number of them, that number.

    Raises
    ------
    BuildError
        If the device's compiler refuses the program.
    """

    def __init__(self, context: cl.Context, source: str, name: str) -> None:
        self._kept = contexts.of_context(context)
        self._program, self._name, self._types = build(context, source), name, argument_types(source, name)
        self._memory = [place for place, kind in enumerate(self._types) if kind is None]
        self._kernel, self._with_svm = self._made(), False
        self._lock = Lock()
        self.largest_group = self._largest_group(context.devices[0])

    def _largest_group(self, device: cl.Device) -> int:
        """Return the group that the kernel requires, or the largest that the driver allows.

        NVIDIA's driver names fewer work-items than it launches where a kernel requires more.
        """
        info = cl.kernel_work_group_info
        required = prod(self._kernel.get_work_group_info(info.COMPILE_WORK_GROUP_SIZE, device))
        return int(required or self._kernel.get_work_group_info(info.WORK_GROUP_SIZE, device))

    def _made(self) -> cl.Kernel:
        kernel = cl.Kernel(self._program, self._name)
        kernel.set_scalar_arg_dtypes(self._types)
        return kernel

    def __call__(
        self,
        queue: cl.CommandQueue,
        global_size: int,
        group_size: int | None,
        *arguments: Any,
        wait_for: Sequence[cl.Event] | None = None,
    ) -> cl.Event:
        """Launch the kernel and return the event.

        Parameters
        ----------
        queue : pyopencl.CommandQueue
        global_size : int
            Work-items.
        group_size : int or None
            Work-items of a work-group; None leaves it to the driver.
        *arguments
            Those of the kernel, in its order.
        wait_for : sequence of pyopencl.Event, optional
            What must have finished before; it may be empty.
        """
        with_svm = False
        for place in self._memory:
            with_svm |= isinstance(arguments[place], SVM)
        local_size = (group_size,) if group_size else None
        with self._lock:
            if with_svm != self._with_svm:  # NVIDIA's driver refuses a buffer where such memory was set before
                self._kernel, self._with_svm = self._made(), with_svm
            return self._kernel(queue, (global_size,), local_size, *arguments, wait_for=wait_for or None)

    def for_each(
        self, queue: cl.CommandQueue, n: int, *arguments: Any, wait_for: Sequence[cl.Event] | None = None
    ) -> cl.Event:
        """Launch `n` work-items or a few more, in work-groups of `USUAL_GROUP` or as many as the kernel may have.

        Parameters
        ----------
        queue, *arguments, wait_for
            As for a call.
        n : int
        """
        group_size = min(USUAL_GROUP, self.largest_group)
        return self(queue, -(-n // group_size) * group_size, group_size, *arguments, wait_for=wait_for)
