"""Rendered programs: arguments are typed as the templates declare them, and kernels call what the contract says."""

import re
from collections.abc import Iterator

import numpy as np
import pyopencl as cl
import pytest

from clrng.opencl import program, templates
from clrng.opencl.kernel import argument_types
from tests.opencl.test_contract import section
from tests.support import render_everything

CTYPES = {np.int32: "int", np.uint32: "uint", np.int64: "long", np.uint64: "ulong", np.float32: "float",
          np.float64: "double"}  # fmt: skip


@pytest.fixture(scope="module")
def programs() -> dict[str, list[str]]:
    """Return the different programs of each template that has kernels."""
    found: dict[str, list[str]] = {}
    for template, text in render_everything.programs():
        found.setdefault(template, []).append(text)
    return {template: list(dict.fromkeys(texts)) for template, texts in found.items()}


IN_OTHERS = {
    "user/check.cl.mako",
    "order/scan.cl.mako",
    "order/count.cl.mako",
    "streams/jump_states_by_bytes.cl.mako",
    "streams/states_in_columns.cl.mako",
    "numpy_streams/attempts.cl.mako",
}
"""Those whose kernels are in programs of others."""


def kernels(text: str) -> list[str]:
    names = re.findall(r"__kernel void (\w+)", text)
    assert len(names) == len(re.findall("__kernel", text))
    return names


def test_every_kernel_of_every_template_is_understood(programs: dict[str, list[str]]) -> None:
    own = {name: (templates.directory() / name).read_text() for name in templates.names()}
    with_kernels = {name for name, text in own.items() if "__kernel" in text or "<%inherit" in text}
    assert set(programs) | IN_OTHERS == with_kernels
    for text in (text for texts in programs.values() for text in texts):
        for name in kernels(text):
            types = argument_types(text, name).values()
            signature = text.split(f"__kernel void {name}(")[1].split(")")[0]
            assert [kind is None for kind in types] == [
                "*" in parameter for parameter in signature.split(",") if parameter != "void"
            ]


def compiled_on_pocl(programs: dict[str, list[str]], device: cl.Device) -> Iterator[tuple[str, cl.Kernel]]:
    """Build the last program of each template so that the driver knows the arguments of its kernels."""
    context = cl.Context([device])
    options = [*program.OPTIONS, "-cl-kernel-arg-info", *program.pocl_cpu_name.build_options(device)]
    for texts in programs.values():
        built = cl.Program(context, texts[-1]).build(options)
        for name in kernels(texts[-1]):
            yield texts[-1], cl.Kernel(built, name)


@pytest.mark.slow
def test_types_are_those_that_pocl_has_read(programs: dict[str, list[str]]) -> None:
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()
               if platform.name == "Portable Computing Language" and "fp64" in device.extensions]  # fmt: skip
    if not devices:
        pytest.skip("no PoCL device here")
    for text, kernel in compiled_on_pocl(programs, devices[0]):
        for i, kind in enumerate(argument_types(text, kernel.function_name).values()):
            found = kernel.get_arg_info(i, cl.kernel_arg_info.TYPE_NAME)
            assert found.endswith("*") if kind is None else found == CTYPES[kind], (kernel.function_name, i)


@pytest.mark.parametrize(
    ("parameters", "types"),
    [
        ("void", []),
        ("__global uint *restrict out,\n     const ulong offset", [None, np.uint64]),
        ("volatile __global uint *report, const int a, const long b", [None, np.int32, np.int64]),
        ("__global const float16 *restrict x, const float y, const double z", [None, np.float32, np.float64]),
    ],
)
def test_signatures(parameters: str, types: list[type | None]) -> None:
    found = argument_types(f"__kernel void other(const uint n) {{}}\n__kernel void f({parameters})", "f")
    assert list(found.values()) == types
    assert list(found) == re.findall(r"(\w+)(?:,|$)", "" if parameters == "void" else parameters)


@pytest.mark.parametrize(
    "parameter", ["uint n", "const uint4 v", "const half x", "__local uint *x", "uint *x", "void", ""]
)
def test_a_parameter_of_another_kind_is_named(parameter: str) -> None:
    with pytest.raises(
        RuntimeError, match=re.escape("kernel 'f' to be a __global pointer or a const int, uint")
    ) as error:
        argument_types(f"__kernel void f(const uint n, {parameter}) {{}}", "f")
    assert str(error.value).endswith(repr(parameter))


@pytest.mark.parametrize("text", ["", "__kernel void g(void) {}", "void f(void) {}", "__kernel void f(void);" * 2])
def test_a_kernel_must_be_there_once(text: str) -> None:
    with pytest.raises(RuntimeError, match="one definition of the kernel 'f' in a program, and found [02]"):
        argument_types(text, "f")


# Which kernels with vectors define for themselves.
OWN = {f"zip_{half}_{r}" for half in ("low", "high") for r in range(4)}


def called(text: str) -> set[str]:
    """Return the functions of the contract that the kernels of a program call, which come after `convert`."""
    last = text[max(text.rindex("s_convert(const "), text.rfind("v_convert(const ")) :]
    kernels = last[re.search(r"\}\n(?=\S|\n)", last).end() :]  # type: ignore[union-attr]  # it has an end
    kernels = re.sub(r"^CLRNG_INLINE \w+ s_output\(.*?^\}$", "", kernels, flags=re.DOTALL | re.MULTILINE)
    return {re.sub(r"(?<![a-z])word_\d+$", "word_i", name) for name in re.findall(r"\b[sv]_(\w+)\(", kernels)} - OWN


def test_kernels_call_what_the_contract_says() -> None:
    found: dict[str, set[str]] = {}
    for template, text in render_everything.programs():
        if "s_convert(const " in text:
            found.setdefault(template.removesuffix(".cl.mako"), set()).update(called(text))
    rows = re.findall(r"^\| `(\w+/\w+)` \| ([^|]+) \|", section("What kernels call"), re.MULTILINE)
    assert found == {template: set(names.strip().split(", ")) for template, names in rows}


def test_no_program_defines_a_function_twice() -> None:
    for template, text in render_everything.programs():
        names = re.findall(r"^CLRNG_(?:INLINE|CALLED) \w+ (\w+)\(", text, re.MULTILINE)
        assert len(names) == len(set(names)), f"{template}: {sorted({name for name in names if names.count(name) > 1})}"


@pytest.mark.slow
def test_no_kernel_has_a_variable_of_the_name_of_an_argument() -> None:
    """A variable in an inner block would hide an argument of the transform, and compilers accept that."""
    types = r"(?:^ *|\()(?:const |__local )*(?:u?(?:char|short|int|long)|float|double|bool|size_t)\d* "
    kernel = re.compile(r"^__kernel void \w+\(([^()]*)\)\n(\{.*?^\})", re.DOTALL | re.MULTILINE)
    for template, text in render_everything.programs():
        for signature, body in kernel.findall(text):
            for name in (each.split()[-1].lstrip("*") for each in signature.split(",")):
                hiding = re.search(rf"{types}(?:\*|[^;\n]*, )?{name}(?: = |\[\d+\][;,])", body, re.MULTILINE)
                assert not hiding, f"{template}: {hiding and hiding[0]}"
