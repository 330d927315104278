"""Run the `convert` of a distribution on raw values of the caller's choice."""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.transforms.transform import Declaration
from clrng.generators.generator_code import CTYPES, suffix
from clrng.opencl.templates import joined, prelude, render

C_TYPES = {
    **CTYPES,
    "int8": "char",
    "uint8": "uchar",
    "int16": "short",
    "uint16": "ushort",
    "int32": "int",
    "int64": "long",
}


@cache
def built(context: cl.Context, text: str) -> cl.Program:
    """Return a program, built once."""
    return cl.Program(context, text).build()


def converted(
    queue: cl.CommandQueue,
    template: str,
    raw: Sequence[npt.NDArray[Any]],
    out: str,
    parameters: Sequence[Declaration],
    arguments: Sequence[Any],
    width: int,
    **values: Any,
) -> npt.NDArray[Any]:
    """Return what `convert` makes of raw values.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    template : str
        Its file, without folder and ending.
    raw : sequence of numpy.ndarray of uint32 or uint64, shape (n,)
        One array for each raw value that a value takes.
    out : str
        The dtype of values.
    parameters, arguments : sequence
        The declarations of the arguments that `convert` takes after raw values, and what is passed.
    width : int
    **values
        Other values of the template.
    """
    value, ctype, w = CTYPES[raw[0].dtype.name], C_TYPES[out], suffix(width)
    count = len(raw[0])
    text = prelude() + render(
        f"distributions/{template}.cl.mako", p="p_", width=width, w=w, half=suffix(width // 2), value=value, out=ctype,
        steps=len(raw), joined=joined, parameters=parameters, copies=0, space="__global",
        one="get_work_dim()", each="", **values,
    )  # fmt: skip
    load = "x{j}[i]" if width == 1 else f"vload{width}(i, x{{j}})"
    names = [each.name for each in parameters]
    call = f"p_convert({', '.join([*(load.format(j=j) for j in range(len(raw))), *names])})"
    inputs = [f"__global const {value} *x{j}" for j in range(len(raw))]
    store = f"out[i] = {call};" if width == 1 else f"vstore{width}({call}, i, out);"
    text += (
        f"\n__kernel void converted({', '.join([*inputs, f'__global {ctype} *out', *parameters])})\n"
        f"{{\n    const size_t i = get_global_id(0);\n    {store}\n}}\n"
    )
    kernel = cl.Kernel(built(queue.context, text), "converted")
    padding = -count % width
    buffers = [cla.to_device(queue, np.pad(digits, (0, padding), mode="edge")) for digits in raw]
    found = cla.to_device(queue, np.full(count + padding, 77, out))
    passed = [cla.to_device(queue, each) if isinstance(each, np.ndarray) else each for each in arguments]
    kernel(
        queue, ((count + padding) // width,), (1,),  # PoCL compiles a kernel for each size of work-groups
        *(cast("Any", each.data) if isinstance(each, cla.Array) else each for each in (*buffers, found, *passed)),
    )  # fmt: skip
    return found.get()[:count]
