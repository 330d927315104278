"""Build programs, once for each context and source, and show the source when a build fails."""

import warnings
from functools import lru_cache

import pyopencl as cl

from clrng.errors import BuildError

OPTIONS = ("-cl-std=CL1.2",)
"""No option that lets a compiler trade exactness for speed."""


def numbered(source: str) -> str:
    """Return `source` with its line numbers."""
    return "\n".join(f"{number:4d}  {line}" for number, line in enumerate(source.splitlines(), 1))


@lru_cache(maxsize=256)
def build(context: cl.Context, source: str) -> cl.Program:
    """Return the built program, from memory if it was built for this context before.

    Raises
    ------
    BuildError
        If the device's compiler refuses it: with the device, the compiler's log and the numbered source.
    """
    program = cl.Program(context, source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a compiler's remarks on a program that it accepts
            return program.build(list(OPTIONS))
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


def kernel(context: cl.Context, source: str, name: str, scalars: list[object]) -> cl.Kernel:
    """Return a kernel of its own for the caller, with the types of its arguments: a NumPy type, or None for a buffer."""
    made = cl.Kernel(build(context, source), name)
    made.set_scalar_arg_dtypes(scalars)
    return made
