"""The types of a kernel's arguments, read from its text."""

import re
from typing import Any

import numpy as np

SCALARS = {
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "float": np.float32,
    "double": np.float64,
}
"""The NumPy types of the OpenCL types that kernels take by value."""

BUFFER = re.compile(r"(volatile )?__global (const )?[a-z]+[0-9]* \*(restrict )?\w+")
SCALAR = re.compile(r"const ([a-z]+) \w+")


def parameters(source: str, name: str) -> list[str]:
    """Return the declarations of the parameters of the kernel `name`, such as ``"const uint n"``.

    Raises
    ------
    RuntimeError
        If `source` does not define exactly one kernel of that name.
    """
    found = re.findall(rf"__kernel void {re.escape(name)}\(([^()]*)\)", source)
    if len(found) != 1:
        raise RuntimeError(f"clrng expects one definition of the kernel {name!r} in a program, and found {len(found)}")
    declarations = [" ".join(declaration.split()) for declaration in found[0].split(",")]
    return [] if declarations == ["void"] else declarations


def argument_types(source: str, name: str) -> list[Any]:
    """Return what PyOpenCL is told of the arguments of the kernel `name`.

    Parameters
    ----------
    source : str
        The program, in which a parameter of a kernel is either a pointer to global memory or a ``const`` scalar.
    name : str

    Returns
    -------
    list
        For each argument None if it is a buffer, else the NumPy type of a scalar.

    Raises
    ------
    RuntimeError
        If a parameter is neither, or `source` does not define exactly one kernel of that name. Templates that every
        test renders can only do so by a mistake in clrng.
    """
    types: list[Any] = []
    for declaration in parameters(source, name):
        scalar = SCALAR.fullmatch(declaration)
        if scalar and scalar[1] in SCALARS:
            types.append(SCALARS[scalar[1]])
        elif BUFFER.fullmatch(declaration):
            types.append(None)
        else:
            raise RuntimeError(
                f"clrng expects each parameter of the kernel {name!r} to be a __global pointer or a const "
                f"{', '.join(SCALARS)}, not {declaration!r}"
            )
    return types
