"""Build programs, once for each context and source, and show the source when a build fails."""

import warnings
from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from clrng import contexts, pocl_cpu_name
from clrng.errors import BuildError

OPTIONS = ("-cl-std=CL1.2",)
"""No option that lets a compiler trade exactness for speed."""


def numbered(source: str) -> str:
    """Return `source` with its line numbers."""
    return "\n".join(f"{number:4d}  {line}" for number, line in enumerate(source.splitlines(), 1))


def build(context: cl.Context, source: str) -> cl.Program:
    """Return the built program, from memory if it was built for this context before and the context is still in use.

    Raises
    ------
    BuildError
        If the device's compiler refuses it: with the device, the compiler's log and the numbered source.
    """
    built: cl.Program = contexts.of_context(context).cached(_built)(source)
    return built


def _built(context: cl.Context, source: str) -> cl.Program:
    program = cl.Program(context, source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a compiler's remarks on a program that it accepts
            options = [*OPTIONS, *pocl_cpu_name.build_options(context.devices[0])]
            built: cl.Program = program.build(options)
            return built
    except cl.Error as error:
        device = context.devices[0]
        log = str(error)
        raise BuildError(
            f"the OpenCL compiler of {device.name} ({device.platform.name}, {device.driver_version}) refused a program "
            f"of clrng; please report this with the text below, and try another arithmetic= or device meanwhile.\n"
            f"{log}\n{numbered(source)}",
            source,
            log,
        ) from error


class Kernel:
    """A kernel of one's own, not shared with anybody.

    Parameters
    ----------
    context : pyopencl.Context
    source : str
        The program.
    name : str
    arguments : sequence
        The type of each argument: a NumPy type, or None for a buffer.

    Attributes
    ----------
    largest_group : int
        The most work-items of a work-group.

    Raises
    ------
    BuildError
        If the device's compiler refuses the program.
    """

    def __init__(self, context: cl.Context, source: str, name: str, arguments: Sequence[Any]) -> None:
        self._kept = contexts.of_context(context)
        self._kernel = cl.Kernel(build(context, source), name)
        self._kernel.set_scalar_arg_dtypes(list(arguments))
        self.largest_group: int = self._kernel.get_work_group_info(
            cl.kernel_work_group_info.WORK_GROUP_SIZE, context.devices[0]
        )

    def __call__(
        self,
        queue: cl.CommandQueue,
        items: int,
        group: int | None,
        *arguments: Any,
        wait_for: Sequence[cl.Event] | None = None,
    ) -> cl.Event:
        """Launch `items` work-items in work-groups of `group`, or as the driver likes, and return the event."""
        return self._kernel(queue, (items,), (group,) if group else None, *arguments, wait_for=wait_for)
