"""Check a user's built program: whether the generators in it make the right numbers on its device, with its options."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl

from clrng.distributions import RAW, UNIFORM, Transform
from clrng.distributions.distribution import transform_of
from clrng.frontends.user_code.user_distributions import Functions
from clrng.generators import BitGenerator
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.generators.lagged import Lagged
from clrng.opencl import devices
from clrng.opencl.templates import render
from clrng.opencl.transfers import upload
from clrng.proof.fills import GUARD, check_guard, expected_values, poisoned
from clrng.proof.prove import MismatchError, compare, wrong_numbers
from clrng.proof.references import Stream

EACH, ITEMS = 67, 64
"""How many values of each work-item are checked, and how many work-items there are."""


@dataclass(frozen=True)
class Checked:
    """A function of a generator, named without the prefix, that a kernel of its own checks.

    The name of the kernel ends with `name`; `called` is the name of the distribution, if any; `near` says whether its
    tables are copied to local memory; `guard` is a macro under which the function is left out, if any.
    """

    name: str
    function: str
    called: str
    transform: Transform
    near: bool = False
    guard: str = ""


def checked_functions(code: GeneratorCode, drawn: list[Functions], *, fp64: bool) -> Iterator[Checked]:
    """Yield the functions of a generator that are checked."""
    yield Checked("raw", "next_raw", "", RAW)
    yield Checked("float", "next_float", "", UNIFORM["float32"])
    if fp64:
        divides = UNIFORM["float64"].division(code.recurrence.upper_bound) == "divide"
        guard = "__FAST_RELAXED_MATH__" if divides else ""
        yield Checked("double", "next_double", "", UNIFORM["float64"], guard=guard)
    for each in drawn:
        bits, name = code.recurrence, each.wanted.name
        transform = transform_of(each.wanted.distribution, bits.min_value, bits.upper_bound, each.wanted.dtype)
        yield Checked(name, f"next_{name}", name, transform)
        if each.tables:
            yield Checked(f"{name}_local", f"next_{name}_local", name, transform, near=True)


def kernels(code: GeneratorCode, prefix: str, drawn: list[Functions], *, fp64: bool) -> str:
    """Return the kernels that `check` runs, as text to be put after that of the generator."""
    return "".join(
        render(
            "user/check.cl.mako",
            p=prefix,
            checked=each.name,
            function=each.function,
            called=each.called,
            near=each.near,
            guard=each.guard,
            steps=each.transform.steps,
            each=EACH,
            word=CTYPES[code.word.name],
            out=CTYPES[(each.transform.dtype or code.value).name],
            order=code.order,
            ring=code.ring,
        )
        for each in checked_functions(code, drawn, fp64=fp64)
    )


def check(
    program: cl.Program, queue: cl.CommandQueue, code: GeneratorCode, prefix: str, drawn: list[Functions]
) -> list[str]:
    """Run the kernels for checks that `program` has, and return their names; it is an error if it has none."""
    there = {kernel.function_name for kernel in program.all_kernels()}
    functions = checked_functions(code, drawn, fp64=devices.describe(queue.device).fp64)
    found = {f"{prefix}check_{each.name}": each for each in functions if f"{prefix}check_{each.name}" in there}
    if not found:
        raise ValueError(
            f"program must be built from the text of clrng.device_code(..., checks=True) with the prefix {prefix!r}, "
            f"not have only the kernels {sorted(there)}"
        )
    for name, each in found.items():
        _check(cl.Kernel(program, name), queue, code, each)
    return list(found)


def _check(kernel: cl.Kernel, queue: cl.CommandQueue, code: GeneratorCode, each: Checked) -> None:
    """Run one kernel, and raise a WrongNumbersError if one of its values is wrong."""
    bits, size = code.recurrence, EACH * ITEMS
    out: Any = poisoned(queue, size + GUARD, each.transform.dtype or bits.dtype)
    out.events[-1].wait()
    states = _states(bits, EACH * each.transform.steps) if code.ring else np.array(bits.words, code.word)
    words: Any = upload(queue, states)
    group = min(ITEMS, kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, queue.device))
    group = 1 << group.bit_length() - 1
    kernel(queue, (ITEMS,), (group,), out.base_data, words.base_data).wait()
    made = out.get()
    expected, sure = expected_values(each.transform, Stream(bits), 0, size)
    try:
        compare("value", made[:size], expected, sure=sure)
        check_guard("behind", made[size:])
    except MismatchError as mismatch:
        remedy = "build the program with other options, or take another device"
        raise wrong_numbers(queue.device, kernel.function_name, mismatch, remedy) from None


def _states(bits: BitGenerator, apart: int) -> Any:
    """Return the states of the work-items, `apart` steps apart, in rows."""
    if not isinstance(bits, Lagged):
        raise TypeError(f"bit_generator must have lags, not be {bits!r}")
    words = np.array(bits.continued(bits.words, apart * ITEMS), bits.word_dtype)
    return np.lib.stride_tricks.sliding_window_view(words, bits.order)[::apart][:ITEMS]
