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

    A RuntimeError says if `source` does not define exactly one kernel of that name.
    """
    found = re.findall(rf"__kernel void {re.escape(name)}\(([^()]*)\)", source)
    if len(found) != 1:
        raise RuntimeError(f"clrng expects one definition of the kernel {name!r} in a program, and found {len(found)}")
    declarations = [" ".join(declaration.split()) for declaration in found[0].split(",")]
    return [] if declarations == ["void"] else declarations


def argument_names(source: str, name: str) -> tuple[str, ...]:
    """Return the names of the parameters of the kernel `name`, in its order."""
    return tuple(declared_name(declaration) for declaration in parameters(source, name))


def declared_name(declaration: str) -> str:
    """Return the name that a declaration such as ``"const uint n"`` declares."""
    return declaration.rpartition(" ")[2].lstrip("*")


def argument_types(source: str, name: str) -> list[Any]:
    """Return the NumPy types of the arguments of the kernel `name`, as PyOpenCL takes them: None for a buffer.

    A RuntimeError says which parameter is neither a pointer to global memory nor a ``const`` scalar. Templates that
    every test renders can only have one by a mistake in clrng.
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
