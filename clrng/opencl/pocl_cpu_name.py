"""Tell PoCL of the wheel ``pocl-binary-distribution`` the name of a processor that is newer than it.

That PoCL, 3.0-rc2, is the last there is as a wheel. It asks its compiler, LLVM 14.0.6, for the processor's name, gets
"generic" for one that LLVM does not know, such as AMD's Zen 5, and gives it to clang as the target of every build;
clang refuses it. Later versions of PoCL take the name of the processor that their library of built-in functions was
compiled for. This does the same: PoCL keeps the name as a C string, of which its device structure has the address, and
gets another before the first build. It touches this one version alone, and only while the name is "generic".
"""

import ctypes
import os
import sys

import pyopencl as cl

PLATFORM = "Portable Computing Language"
VERSION = "OpenCL 3.0 PoCL 3.0-rc2  Linux, Release, RELOC, LLVM 14.0.6, SLEEF, DISTRO, POCL_DEBUG"
"""What the wheel's platform says of itself; no other build of PoCL says the same."""

NAME_OFFSET = 640
"""Where in the device structure of this build the address of the name stands."""

REFUSED = b"generic"


def target(device: cl.Device) -> str:
    """Return the processor that the library of built-in functions of this PoCL was compiled for.

    PoCL chooses the library by what the processor has: AVX-512, AVX2 and FMA, AVX, or less. It shows the same as the
    width of vectors of floats and as the flag of fused multiply-add. A target with wider vectors than the library's, or
    narrower ones, would pass them to its functions in other registers.
    """
    lanes = device.native_vector_width_float
    if lanes >= 16:  # noqa: PLR2004  # 64 bytes: AVX-512
        return "skylake-avx512"
    if lanes >= 8:  # noqa: PLR2004  # 32 bytes: AVX
        return "haswell" if device.single_fp_config & cl.device_fp_config.FMA else "sandybridge"
    return "x86-64"


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


def _is_the_wheel(device: cl.Device) -> bool:
    platform = device.platform
    return (platform.name, platform.version) == (PLATFORM, VERSION)


def correct(device: cl.Device) -> None:
    """Give a PoCL of the wheel that calls the processor "generic" a name that its compiler takes; else do nothing."""
    if not _is_the_wheel(device):
        return
    field = device.int_ptr + NAME_OFFSET
    name = _read(int.from_bytes(_read(field, 8), sys.byteorder), 16).split(b"\0")[0]
    if name == REFUSED:
        duplicate = ctypes.CDLL(None).strdup  # PoCL may free it
        duplicate.restype = ctypes.c_void_p
        ctypes.c_void_p.from_address(field).value = duplicate(target(device).encode())


def build_options(device: cl.Device) -> tuple[str, ...]:
    """Return options that keep programs built for different processors apart in caches.

    The wheel's PoCL keeps them by the name that LLVM gave, which is "generic" for all processors it does not know.
    """
    return (f"-DCLRNG_BUILT_FOR={target(device)}",) if _is_the_wheel(device) else ()
