"""Tell PoCL of the wheel ``pocl-binary-distribution`` the processor that its library of built-in functions is for.

That PoCL, 3.0-rc2, is the last there is as a wheel. It has eight such libraries and takes the best that the processor's
features allow; but the target of every build is the name that its compiler, LLVM 14.0.6, has for the processor. For a
processor newer than LLVM the two need not fit: AMD's Zen 4 is "znver3" to it, which has no AVX-512, beside the library
for AVX-512; vectors of 64 bytes are then passed in registers where the other side does not look, and numbers are wrong
without an error. Zen 5 is "generic", which clang refuses. Later versions of PoCL take the name of the processor that
the library was compiled for. This does the same, whatever the name is: PoCL keeps the name as a C string, of which its
device structure has the address, and gets another before the first build. It touches this one version alone.
"""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pyopencl as cl

PLATFORM = "Portable Computing Language"
VERSION = "OpenCL 3.0 PoCL 3.0-rc2  Linux, Release, RELOC, LLVM 14.0.6, SLEEF, DISTRO, POCL_DEBUG"
"""What the wheel's platform says of itself; no other build of PoCL says the same."""

NAME_OFFSET = 640
"""Where in the device structure of this build the address of the name stands."""

LONGEST_NAME = 64
"""The most bytes of a name that are read."""

CPUINFO = Path("/proc/cpuinfo")
"""Where Linux lists the features of the processor."""


class Library(NamedTuple):
    """A library of built-in functions of the wheel."""

    processor: str  # What it was compiled for, as its functions say in their attribute ``target-cpu``
    lanes: int  # Floats of the widest vectors that its functions are given in a register
    features: frozenset[str]  # What PoCL asks of the processor before it takes the library, in the words of Linux


_AVX = "avx cx16 popcnt"
LIBRARIES = [
    Library(processor, lanes, frozenset(features.split()))
    for processor, lanes, features in (
        ("athlon64", 4, "sse2"),
        ("core2", 4, "ssse3 cx16"),
        ("penryn", 4, "sse4_1 cx16"),
        ("sandybridge", 8, _AVX),
        ("ivybridge", 8, f"{_AVX} f16c"),
        ("bdver1", 8, f"{_AVX} xop fma4"),
        ("haswell", 8, f"{_AVX} avx2 abm f16c fma bmi1 bmi2"),
        ("skylake-avx512", 16, "avx512f"),
    )
]
"""The libraries, in the order of PoCL, which takes the last one that fits."""

FURTHER_FEATURES = {"skylake-avx512": frozenset(["avx512bw", "avx512cd", "avx512dq", "avx512vl"])}
"""What libraries use beside what PoCL asks for: the first processors with AVX-512 (Knights Landing) lack it."""


@cache
def _listed(cpuinfo: Path) -> frozenset[str]:
    try:
        lines = cpuinfo.read_text().splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), []))


def features() -> frozenset[str]:
    """Return the features of the processor in the words of Linux; none where it does not tell them."""
    return _listed(CPUINFO)


def target(device: cl.Device) -> str:
    """Return the processor that the library of built-in functions was compiled for which PoCL takes for `device`.

    The features are those that Linux lists, as far as the device agrees: it shows how wide its vectors are, and whether
    it has fused multiply-add. Where Linux lists none, it is the least processor with such vectors.
    """
    lanes, known = device.native_vector_width_float, features()
    if not device.single_fp_config & cl.device_fp_config.FMA:
        known -= {"fma"}
    fitting = [library for library in LIBRARIES if library.lanes == min(max(lanes, 4), 16)]
    return next((each.processor for each in reversed(fitting) if each.features <= known), fitting[0].processor)


def fault(device: cl.Device) -> str | None:
    """Return why no target fits the library that the wheel's PoCL takes for `device`, or None."""
    if not is_the_wheel(device):
        return None
    lacking = FURTHER_FEATURES.get(target(device), frozenset()) - features()
    if not lacking or not features():
        return None
    return f"PoCL's library of built-in functions needs {', '.join(sorted(lacking))}, which this processor lacks"


def _read(address: int, size: int) -> bytes:
    """Return bytes of this process, none where there is no memory that can be read."""
    try:
        memory = os.open("/proc/self/mem", os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.pread(memory, size, address)
    except (OSError, OverflowError):
        return b""
    finally:
        os.close(memory)


def is_the_wheel(device: cl.Device) -> bool:
    """Return whether `device` is of the PoCL that this module is about."""
    platform = device.platform
    return (platform.name, platform.version) == (PLATFORM, VERSION)


def correct(device: cl.Device) -> None:
    """Give a PoCL of the wheel the name of `target` for the processor, if it has another one; else do nothing."""
    if not is_the_wheel(device):
        return
    field = device.int_ptr + NAME_OFFSET
    name = _read(int.from_bytes(_read(field, 8), sys.byteorder), LONGEST_NAME).split(b"\0")[0]
    if name and name != (wanted := target(device).encode()):
        duplicate = ctypes.CDLL(None).strdup  # PoCL may free it
        duplicate.restype = ctypes.c_void_p
        ctypes.c_void_p.from_address(field).value = duplicate(wanted)


def build_options(device: cl.Device) -> tuple[str, ...]:
    """Return options that keep programs built for different processors apart in caches.

    The wheel's PoCL keeps them by the name that LLVM gave, which is the same before and after `correct`, and on all
    processors that LLVM does not know.
    """
    return (f"-DCLRNG_TARGET={target(device)}",) if is_the_wheel(device) else ()
