"""Vectors are transposed by zips, with clang's builtin and without."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

from clrng.opencl import program
from clrng.opencl.templates import prelude, render


def text(kind: str, length: int, block: int) -> str:
    """Return a kernel that transposes `length` vectors of as many elements, with the functions that it calls."""
    rounds, vector = length.bit_length() - 1, f"{kind}{length}"
    zips = render("zip.cl.mako", prefix="", kind=kind, length=length, block=block, rounds=rounds)
    moved = render("transpose.cl.mako", prefix="", vector=vector, block=block, rounds=rounds)
    loads = "\n".join(f"const {vector} y0_{j}_0 = vload{length}({j}, given);" for j in range(length))
    stores = "\n".join(f"vstore{length}(y{rounds}_0_{j}, {j}, turned);" for j in range(length))
    kernel = f"__kernel void turn(__global const {kind} *given, __global {kind} *turned)"
    return f"{zips}\n{kernel}\n{{\n{loads}\n{moved}\n{stores}\n}}\n"


@pytest.mark.parametrize("builtin", [True, False])
@pytest.mark.parametrize(("kind", "length"), [("uchar", 16), ("ushort", 16), ("uint", 2), ("uint", 16), ("ulong", 8)])
def test_vectors_are_transposed(queue: cl.CommandQueue, kind: str, length: int, builtin: bool) -> None:
    dtype = np.dtype(f"uint{8 * {'uchar': 1, 'ushort': 2, 'uint': 4, 'ulong': 8}[kind]}")
    source = text(kind, length, min(length, 16 // dtype.itemsize))
    built = program.build(queue.context, prelude() + ("" if builtin else "#undef __clang__\n") + source)
    given = np.arange(length**2, dtype=dtype).reshape(length, length)
    turned = cla.zeros(queue, given.shape, dtype)
    cl.Kernel(built, "turn")(queue, (1,), None, cla.to_device(queue, given).data, turned.data)
    assert_array_equal(turned.get(), given.T)
