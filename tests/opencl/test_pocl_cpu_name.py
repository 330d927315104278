"""PoCL of the wheel on processors of every kind: other names are planted, and others are emulated."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyopencl as cl
import pytest

import clrng
from clrng.opencl import pocl_cpu_name
from tests.support import oracle
from tests.support.processes import python

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


def run(name: bytes, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a process of its own in which that PoCL has this name for the processor."""
    return python("-c", NAMING.format(name=name) + code, **variables)


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


NAMES = [
    "alderlake", "athlon64", "bdver4", "btver2", "cascadelake", "core2", "generic", "haswell", "icelake-server",
    "k8-sse3", "knl", "nehalem", "nonesuch", "sandybridge", "sapphirerapids", "skylake", "x86-64", "x86-64-v4",
    "znver2", "znver3",
]  # fmt: skip
"""What LLVM 14 calls hosts of each vector width, too old or too new or unknown, and what it never says."""

STRATEGIES = """
import clrng, numpy
queue = cl.CommandQueue(cl.Context([device]))
for bits in (clrng.ParkMiller(seed=1), clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, seed=1),
             clrng.MRG32k3a(), clrng.named("ranlux3", 1), clrng.LaggedFibonacci((5, 17), "+", seed=1),
             clrng.LaggedFibonacci((418, 1279), "-", seed=1)):
    rng = clrng.Generator(bits.copy(), queue)
    drawn = numpy.concatenate([rng.random_raw(n).get() for n in (4099, 301)])
    print(bits.name, numpy.array_equal(drawn, bits.sequence(4400)))
print(rng.normal(size=3).get().tolist(), rng.permutation(5).get().tolist(), field.value.decode())
"""
"""Draws by every strategy of fills, and says whether the numbers are those of the recurrence."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the caches of all names: they are one target, and so share builds."""
    return tmp_path_factory.mktemp("caches")


@pytest.mark.slow
@on_the_wheel
@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_right_whatever_name_llvm_gave(name: str, folder: Path) -> None:
    ran = run(name.encode(), STRATEGIES, XDG_CACHE_HOME=str(folder), POCL_CACHE_DIR=str(folder / "pocl"))
    assert ran.returncode == 0, ran.stderr
    *drawn, last = ran.stdout.splitlines()
    assert len(drawn) == 6
    assert all(line.endswith(" True") for line in drawn), drawn
    assert last.split()[-1] == pocl_cpu_name.target(WHEELS[0].get_devices()[0])


@on_the_wheel
def test_without_the_right_name_numbers_are_refused_or_right(tmp_path: Path) -> None:
    caches = {"XDG_CACHE_HOME": str(tmp_path), "POCL_CACHE_DIR": str(tmp_path / "pocl")}
    draw = """
names.correct = lambda _: None
import clrng, numpy
bits = clrng.ParkMiller(seed=1)
rng = clrng.Generator(bits.copy(), cl.CommandQueue(cl.Context([device])))
try:
    print("right" if numpy.array_equal(rng.random_raw(5000).get(), bits.sequence(5000)) else "wrong")
except clrng.WrongNumbersError as error:
    print("refused" if "kernel fill" in str(error) and rng.bit_generator == bits else "moved")
    print(next(info for info in clrng.list_devices() if info.device == device).fault is not None)
"""
    ran = run(b"znver3", draw, **caches)
    if pocl_cpu_name.target(WHEELS[0].get_devices()[0]) == "skylake-avx512":
        assert ran.stdout == "refused\nTrue\n", ran.stderr
    else:
        assert ran.stdout in ("right\n", "refused\nTrue\n"), ran.stderr
    # what was built for the wrong target, in the same caches, is not found again with the right one
    again = draw.replace("names.correct = lambda _: None", "names.correct(device)").replace("5000", "5001")
    assert run(b"znver3", again, CLRNG_CACHE_DIR=str(tmp_path / "own"), **caches).stdout == "right\n"


HOSTS = {
    "Nehalem": (4, "penryn", "ssse3 sse4_1 cx16 popcnt"),
    "SandyBridge": (8, "sandybridge", "ssse3 sse4_1 cx16 popcnt avx"),
    "Opteron_G5": (8, "ivybridge", "ssse3 sse4_1 cx16 popcnt avx f16c fma abm"),  # but for what QEMU does not know
    "Haswell": (8, "haswell", "ssse3 sse4_1 cx16 popcnt avx f16c fma abm bmi1 bmi2 avx2"),
    "max": (8, "haswell", "ssse3 sse4_1 cx16 popcnt avx f16c fma abm bmi1 bmi2 avx2"),
}
"""Processors that QEMU emulates: the lanes of their vectors, the target that fits, and what Linux would list there. The
name that LLVM has for the last, k8-sse3, is of one without AVX."""


@pytest.mark.slow
@on_the_wheel
@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="QEMU's emulator of processors is not installed")
@pytest.mark.parametrize("host", HOSTS)
def test_other_processors(host: str, tmp_path: Path) -> None:
    lanes, target, features = HOSTS[host]
    (tmp_path / "cpuinfo").write_text(f"flags\t\t: {features}\n")
    code = f"""
from pathlib import Path
from clrng.opencl import pocl_cpu_name as names
names.CPUINFO = Path({str(tmp_path / "cpuinfo")!r})
import pyopencl as cl
device = next(device for platform in cl.get_platforms() if platform.version == names.VERSION
              for device in platform.get_devices())
import clrng, numpy
print(device.native_vector_width_float, names.target(device))
for bits in (clrng.ParkMiller(seed=1), clrng.MRG32k3a()):
    rng = clrng.Generator(bits.copy(), cl.CommandQueue(cl.Context([device])))
    print(numpy.array_equal(rng.random_raw(5001).get(), bits.sequence(5001)))
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "POCL_CACHE_DIR": str(tmp_path / "pocl")}
    command = ["qemu-x86_64", "-cpu", host, sys.executable, "-W", "ignore", "-c", code]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [f"{lanes} {target}", "True", "True"]


def test_a_processor_without_all_of_avx_512_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags : sse2 avx512f avx512cd\n")
    monkeypatch.setattr(pocl_cpu_name, "CPUINFO", cpuinfo)
    assert "needs avx512bw, avx512dq, avx512vl" in str(pocl_cpu_name.fault(machine(16, fma=True)))
    cpuinfo.write_text("flags : sse2 avx512f avx512cd avx512bw avx512dq avx512vl\n")
    pocl_cpu_name._listed.cache_clear()
    assert pocl_cpu_name.fault(machine(16, fma=True)) is None


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


def machine(lanes: int, *, fma: bool) -> Any:
    """Return what stands for a device of the wheel's PoCL with such vectors."""
    flags = cl.device_fp_config.FMA if fma else cl.device_fp_config.ROUND_TO_NEAREST
    platform = SimpleNamespace(name=pocl_cpu_name.PLATFORM, version=pocl_cpu_name.VERSION)
    return SimpleNamespace(native_vector_width_float=lanes, single_fp_config=flags, platform=platform)


AVX = "sse2 ssse3 sse4_1 cx16 popcnt avx"


@pytest.mark.parametrize(
    ("lanes", "fma", "features", "name"),
    [
        (16, True, f"{AVX} f16c fma abm bmi1 bmi2 avx2 avx512f", "skylake-avx512"),
        (8, True, f"{AVX} f16c fma abm bmi1 bmi2 avx2", "haswell"),
        (8, True, f"{AVX} f16c fma abm bmi1 bmi2 avx2 avx512f", "haswell"),  # hidden from the process
        (8, True, f"{AVX} f16c fma xop fma4", "bdver1"),
        (8, True, f"{AVX} f16c fma avx2 abm", "ivybridge"),  # a virtual machine without BMI
        (8, False, f"{AVX} f16c fma abm bmi1 bmi2 avx2", "ivybridge"),
        (8, False, AVX, "sandybridge"),
        (4, False, "sse2 ssse3 sse4_1 cx16", "penryn"),
        (4, False, "sse2 ssse3 cx16", "core2"),
        (4, False, "sse2", "athlon64"),
        (16, True, None, "skylake-avx512"),
        (8, True, None, "sandybridge"),
        (4, False, None, "athlon64"),
    ],
)
def test_the_target_is_the_processor_of_the_library(
    lanes: int, fma: bool, features: str | None, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    if features is not None:
        cpuinfo.write_text(f"processor : 0\nflags : {features}\n\nprocessor : 1\nflags : none\n")
    monkeypatch.setattr(pocl_cpu_name, "CPUINFO", cpuinfo)
    assert pocl_cpu_name.target(machine(lanes, fma=fma)) == name


@on_the_wheel
def test_caches_keep_processors_apart() -> None:
    (device,) = WHEELS[0].get_devices()
    assert pocl_cpu_name.build_options(device) == (f"-DCLRNG_TARGET={pocl_cpu_name.target(device)}",)


def test_other_drivers_get_no_option(device: clrng.DeviceInfo) -> None:
    if device.device.platform not in WHEELS:
        assert pocl_cpu_name.build_options(device.device) == ()


UNCORRECTED = "names.correct = lambda _: None\nimport clrng\n"
BROKEN = f"{UNCORRECTED}faults = {{info.driver: info.fault for info in clrng.list_devices()}}\n"


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
    ran = run(b"nonesuch", UNCORRECTED + code)
    assert ran.returncode == 0, ran.stderr
    assert "none: error: unknown target CPU 'nonesuch'" in ran.stdout


@on_the_wheel
def test_a_failed_build_tells_in_three_lines_what_to_do() -> None:
    code = """
names.correct = lambda _: None
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
