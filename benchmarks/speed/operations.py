"""The rates of a device's basic operations, each in a kernel that does nothing else in registers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import clrng
from clrng.measuring.timing import Work
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render

CHAINS, REPEATS = 8, 16
"""Independent values of a lane, enough to hide what an operation takes; and steps of each in a turn of the loop."""

Step = Callable[[Any, Any, Any, Any], Any]


@dataclass(frozen=True)
class Operation:
    """One operation, or some that belong together.

    Attributes
    ----------
    type : str
        The OpenCL type of its values.
    text : str
        The next x, from x, the neighbouring y and the constants a and b.
    step : callable
        The same for arrays of NumPy.
    a, b : int or float
        The constants, which compilers do not know.
    size : int
        The elementary operations of 32 bits it stands for at least where a work-item has scalars, of fp64 those of 64
        bits; a product and a sum are one.
    lanes : int
        The lanes of 32 bits that it takes in vectors.
    """

    type: str
    text: str
    step: Step
    a: float
    b: float
    size: int
    lanes: int


def _upper(x: Any, a: Any) -> Any:
    """Return the upper half of the products of unsigned integers."""
    bits = 8 * x.dtype.itemsize
    return np.array([int(value) * int(a) >> bits for value in x], x.dtype)


_INTEGERS: dict[str, tuple[str, Step, int, int]] = {
    "add": ("x + y", lambda x, y, *_: x + y, 1, 1),
    "shift and xor": ("x ^ (y >> 1)", lambda x, y, *_: x ^ (y >> 1), 2, 2),
    "reduction": ("CLRNG_MIN(x, x - a)", lambda x, _, a, __: np.minimum(x, x - a), 2, 2),
    "multiply-add": ("x * a + b", lambda x, _, a, b: x * a + b, 1, 2),
    "high product": ("mul_hi(x, a) + b", lambda x, _, a, b: _upper(x, a) + b, 2, 2),
}
_FLOATS: dict[str, tuple[str, Step, int, int]] = {
    "fma": ("CLRNG_FMA(x, a, b)", lambda x, _, __, b: b - x, 1, 1),
    "add": ("b - x", lambda x, _, __, b: b - x, 1, 1),
    "product": ("x * a", lambda x, _, a, __: x * a, 1, 1),
    "product and floor": ("floor(x * a)", lambda x, _, a, __: np.floor(x * a), 2, 2),
    "to integer and back": ("b - convert_TYPE(convert_UINT(x))", lambda x, _, __, b: b - np.floor(x), 3, 3),
}
_WIDE: tuple[str, Step] = ("(x >> 32) * (a & 0xffffffffUL) + b", lambda x, _, a, b: (x >> 32) * a + b)


def _all() -> dict[str, Operation]:
    found = {}
    for name, (text, step, size, lanes) in _FLOATS.items():
        found[f"fp32 {name}"] = Operation("float", text, step, -1, 2**23 - 1, size, lanes)
        found[f"fp64 {name}"] = Operation("double", text, step, -1, 2**32 - 1, size, 2 * lanes)
    for name, (text, step, size, lanes) in _INTEGERS.items():
        found[f"int32 {name}"] = Operation("uint", text, step, 1664525, 2**31 - 1, size, lanes)
        found[f"int64 {name}"] = Operation("ulong", text, step, 2**61 + 5, 2**63 + 1, 2 * size, 2 * lanes)
    return {**found, "32x32 to 64 bits": Operation("ulong", *_WIDE, 2**32 - 5, 2**62 + 1, 1, 6)}


OPERATIONS = _all()
"""By name. With a = -1, which compilers do not know, a fused multiply-add gives the rounded difference."""

DTYPES: dict[str, Any] = {"float": np.float32, "double": np.float64, "uint": np.uint32, "ulong": np.uint64}


def measurable(device: DeviceInfo) -> dict[str, Operation]:
    """Return the operations that the device has."""
    return {
        name: operation
        for name, operation in OPERATIONS.items()
        if (operation.type != "double" or device.fp64) and (name != "fp32 fma" or device.fma)
    }


def kernel_name(name: str) -> str:
    """Return the name of the kernel of an operation."""
    return "op_" + "".join(letter if letter.isalnum() else "_" for letter in name)


def text_of(operations: Mapping[str, Operation], width: int) -> str:
    """Return the program of some operations on vectors of `width`."""
    rows = [(kernel_name(name), operation.type, operation.text) for name, operation in operations.items()]
    head = prelude()
    return head + render("bench/operations.cl.mako", operations=rows, width=width, interleaved=CHAINS, repeats=REPEATS)


def expected(operation: Operation, width: int, turns: int) -> Any:
    """Return the sum of the values of the first work-item after some turns, as the host computes it."""
    dtype = DTYPES[operation.type]
    x = [np.array([lane * CHAINS + c for lane in range(width)], dtype) for c in range(CHAINS)]
    a, b = dtype(operation.a), dtype(operation.b)
    with np.errstate(over="ignore"):
        for _ in range(turns * REPEATS):
            for c in range(CHAINS):
                x[c] = operation.step(x[c], x[(c + 1) % CHAINS], a, b)
        return np.sum(np.array(x), dtype=dtype)


def work(queue: cl.CommandQueue, name: str, program_text: str, width: int, turns: int) -> Work:
    """Return a call of so many turns of an operation, after checking one of them; its values are operations.

    Raises
    ------
    ClrngError
        If the device computes other values than the host.
    """
    device, operation = describe(queue.device), OPERATIONS[name]
    dtype = DTYPES[operation.type]
    items, local = (16 * device.units, 1) if device.kind == "cpu" else (2048 * device.units, 256)
    kernel = Kernel(queue.context, program_text, kernel_name(name))
    local = min(local, kernel.largest_group)
    sums = cla.Array(queue, items, dtype)

    def call(turns: int = turns) -> None:
        kernel(queue, items, local, sums.data, turns, dtype(operation.a), dtype(operation.b))

    call(1)
    if sums[:1].get()[0] != expected(operation, width, 1):
        raise clrng.ClrngError(f"{name} on {device.name} gave {sums[:1].get()[0]}, not {expected(operation, width, 1)}")
    return Work(items * width * CHAINS * REPEATS * turns, call)
