"""PoCL of the wheel on a processor that its compiler does not know, made on any processor by naming it "generic"."""

import subprocess
import sys
from types import SimpleNamespace

import pyopencl as cl
import pytest

import clrng
from clrng.opencl import pocl_cpu_name
from tests.support import oracle

NAMING = """
import ctypes
import pyopencl as cl
from clrng.opencl import pocl_cpu_name as names
device = next(
    device
    for platform in cl.get_platforms()
    if (platform.name, platform.version) == (names.PLATFORM, names.VERSION)
    for device in platform.get_devices()
)
field = ctypes.c_char_p.from_address(device.int_ptr + names.NAME_OFFSET)
field.value = name = {name!r}  # the process keeps the name
def build():
    cl.Program(cl.Context([device]), "kernel void f(global uint *x) {{ x[0] = 1; }}").build(cache_dir=False)
"""

WHEELS = [
    platform for platform in cl.get_platforms() if (platform.name, platform.version) ==
    (pocl_cpu_name.PLATFORM, pocl_cpu_name.VERSION)
]  # fmt: skip

on_the_wheel = pytest.mark.skipif(not WHEELS, reason="PoCL of the wheel is not among the platforms")


def run(name: bytes, code: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a process of its own in which that PoCL has this name for the processor."""
    whole = NAMING.format(name=name) + code
    return subprocess.run([sys.executable, "-W", "ignore", "-c", whole], capture_output=True, text=True, check=False)


@on_the_wheel
def test_clang_refuses_generic() -> None:
    ran = run(b"generic", "build()")
    assert ran.returncode == 1
    assert "error: unknown target CPU 'generic'" in ran.stderr


@on_the_wheel
def test_a_generic_processor_gets_the_name_of_the_library() -> None:
    draw = """
import clrng
queue = cl.CommandQueue(cl.Context([device]))
print(clrng.Generator(clrng.ParkMiller(seed=1), queue).random_raw(5).get().tolist())
print(field.value == names.target(device).encode())
build()
"""
    ran = run(b"generic", draw)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"{oracle.sequence(1, 5).tolist()}\nTrue\n"


@on_the_wheel
@pytest.mark.parametrize("name", [b"haswell", b"nonesuch", b"generic-64", b""])
def test_any_other_name_is_left_alone(name: bytes) -> None:
    ran = run(name, "names.correct(device); print(field.value)")
    assert ran.stdout == f"{name!r}\n"


@on_the_wheel
@pytest.mark.parametrize(
    "other",
    [{"version": "OpenCL 3.0 PoCL 3.1+debian  Linux"}, {"version": "OpenCL 3.0 PoCL 3.0-rc2"}, {"name": "Another"}],
)
def test_any_other_version_is_left_alone(other: dict[str, str]) -> None:
    code = f"""
from types import SimpleNamespace
platform = SimpleNamespace(**{{"name": names.PLATFORM, "version": names.VERSION, **{other!r}}})
names.correct(SimpleNamespace(platform=platform, int_ptr=device.int_ptr))
print(field.value)
"""
    assert run(b"generic", code).stdout == "b'generic'\n"


def test_an_address_that_cannot_be_read_is_not_followed() -> None:
    platform = SimpleNamespace(name=pocl_cpu_name.PLATFORM, version=pocl_cpu_name.VERSION)
    assert pocl_cpu_name._read(8, 8) == b""
    pocl_cpu_name.correct(SimpleNamespace(platform=platform, int_ptr=8))


@pytest.mark.parametrize(
    ("lanes", "fma", "name"),
    [(16, True, "skylake-avx512"), (8, True, "haswell"), (8, False, "sandybridge"), (4, False, "x86-64")],
)
def test_the_target_is_the_processor_of_the_library(lanes: int, fma: bool, name: str) -> None:
    flags = cl.device_fp_config.FMA if fma else cl.device_fp_config.ROUND_TO_NEAREST
    assert pocl_cpu_name.target(SimpleNamespace(native_vector_width_float=lanes, single_fp_config=flags)) == name


@on_the_wheel
def test_caches_keep_processors_apart() -> None:
    (device,) = WHEELS[0].get_devices()
    assert pocl_cpu_name.build_options(device) == (f"-DCLRNG_BUILT_FOR={pocl_cpu_name.target(device)}",)


def test_other_drivers_get_no_option(device: clrng.DeviceInfo) -> None:
    if device.device.platform not in WHEELS:
        assert pocl_cpu_name.build_options(device.device) == ()


BROKEN = "import clrng\nfaults = {info.driver: info.fault for info in clrng.list_devices()}\n"


@on_the_wheel
def test_a_compiler_that_builds_nothing_is_shown_and_not_chosen() -> None:
    ran = run(b"nonesuch", BROKEN + "print(faults); print(clrng.choose_device().driver)")
    assert ran.returncode == 0, ran.stderr
    faults, chosen = ran.stdout.splitlines()
    others = [info.driver for info in clrng.list_devices() if info.driver != "3.0-rc2"]
    assert "'3.0-rc2': \"error: unknown target CPU 'nonesuch'\"" in faults
    assert faults.count(": None") == len(others)
    assert chosen == (others or ["3.0-rc2"])[0]


@on_the_wheel
def test_the_command_shows_a_compiler_that_builds_nothing() -> None:
    code = "import sys; sys.argv = ['clrng', 'devices']; from clrng.cli.commands import main; main()"
    ran = run(b"nonesuch", code)
    assert ran.returncode == 0, ran.stderr
    assert "none: error: unknown target CPU 'nonesuch'" in ran.stdout


@on_the_wheel
def test_a_failed_build_tells_in_three_lines_what_to_do() -> None:
    code = """
import clrng
try:
    clrng.Generator(clrng.ParkMiller(seed=1), cl.CommandQueue(cl.Context([device]))).random_raw(5)
except clrng.BuildError as error:
    print(error)
    print(len(error.source.splitlines()) > 50, "nonesuch" in error.log)
"""
    ran = run(b"nonesuch", code)
    assert ran.returncode == 0, ran.stderr
    what, remedy, place, attributes = ran.stdout.splitlines()
    assert what.startswith("the OpenCL compiler of ")
    assert what.endswith(" builds nothing: error: unknown target CPU 'nonesuch'")
    assert "apt install pocl-opencl-icd" in remedy
    assert "pip install intel-opencl-rt" in remedy
    with open(place.removeprefix("The compiler's log and the numbered source are in ")) as file:  # noqa: PTH123  # short
        text = file.read()
    assert "unknown target CPU 'nonesuch'" in text
    assert "   1  //" in text
    assert attributes == "True True"


@on_the_wheel
def test_without_a_linker_there_is_an_error_not_an_abort() -> None:
    code = f"""
import os
os.environ["PATH"] = "/nonexistent"
{BROKEN}
print(faults["3.0-rc2"])
try:
    clrng.Generator(clrng.ParkMiller(seed=1), cl.CommandQueue(cl.Context([device]))).random_raw(5)
except clrng.BuildError as error:
    print(error)
"""
    ran = run(pocl_cpu_name.target(WHEELS[0].get_devices()[0]).encode(), code)
    assert ran.returncode == 0, ran.stderr
    fault, what, remedy, _ = ran.stdout.splitlines()
    assert fault == "PoCL needs the linker ld, which is in no folder of PATH"
    assert what.endswith(f" builds nothing: {fault}")
    assert remedy.startswith("What to do: install the linker: 'apt install binutils'")
