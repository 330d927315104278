"""OpenCL C of a generator for the user's own kernels."""

import hashlib
import re
from typing import Any

import pyopencl as cl

from clrng.bit_generators import BitGenerator, ParkMiller
from clrng.codegen import source
from clrng.codegen.arithmetic import check_name
from clrng.codegen.generators.base import CTYPES
from clrng.codegen.templates import render
from clrng.distributions import RAW, UNIFORM
from clrng.families import code_for, select
from clrng.opencl import devices
from clrng.validation import shown
from clrng.version import __version__

BUILTINS = {"vec_": "vec_step", "smooth": "smoothstep", "atomic_": "atomic_load"}
"""Prefixes that make a function of OpenCL C, and which."""


def device_code(
    bit_generator: BitGenerator | type[ParkMiller],
    arithmetic: str = "auto",
    device: cl.Device | devices.DeviceInfo | None = None,
    prefix: str | None = None,
) -> str:
    """Return OpenCL C that defines a generator, to be put before the kernels of a program.

    Parameters
    ----------
    bit_generator : BitGenerator or the class ParkMiller
        Whose parameters to use; the class has the default. The seed is given in the kernel.
    arithmetic : str, optional
        A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one.
    device : pyopencl.Device or DeviceInfo, optional
        The device it will run on; by default the one that `clrng.choose_device` chooses.
    prefix : str, optional
        What every name in it begins with; by default the name of the family, such as ``park_miller_``, ``lcg_`` or
        ``mrg32k3a_``. Give each generator of a program a prefix of its own.

    Returns
    -------
    str
        With prefix ``park_miller_`` it defines the type ``park_miller_state`` and the functions
        ``park_miller_seed(uint seed, ulong n)``, the state n steps after the seed, and
        ``park_miller_next_raw``, ``park_miller_next_float`` and, where the device has double precision,
        ``park_miller_next_double``, each of which takes a pointer to a state and moves it on by one value. The
        values are those of `Generator.random_raw` and `Generator.random` for the same seed and position. A seed is
        the state before the first value, a ``uint`` or, for moduli above 2^32, a ``ulong``; of a state of several
        words it is a pointer to them in private memory, the oldest first. Raw values are ``uint`` or ``ulong``.

        A lagged Fibonacci state of more than 64 words stays in global memory, where it is moved on:
        ``lagged_fibonacci_seed(__global uint *words)`` takes a pointer to words that belong to one work-item alone,
        such as a row of the states of `Streams.by_jumps`, and has no ``n``.

    Raises
    ------
    TypeError
        If an argument is of the wrong type.
    ValueError
        If `arithmetic` is unknown or `prefix` cannot begin a C name.
    UnsupportedError
        If the arithmetic is not exact on the device.
    NoDeviceError
        If no device is given and there is none.

    Notes
    -----
    Including the same text twice in a program is harmless; two generators of one prefix do not compile. Build the
    program without options that trade exactness for speed: with ``-cl-fast-relaxed-math`` the floating-point
    arithmetics refuse to be compiled, and with ``-cl-unsafe-math-optimizations``, which a program cannot see, they may
    give wrong numbers. With ``arithmetic="integer"`` raw values and floats are exact with any option; doubles, which
    may take a division, are not, and ``-cl-fast-relaxed-math`` leaves those out.
    """
    recurrence = _recurrence(bit_generator)
    prefix = f"{recurrence.name}_" if prefix is None else prefix
    _check_prefix(prefix)
    name, info = check_name(arithmetic), _device(device)
    code = code_for(recurrence, select(name, info, recurrence)).user_code()
    parts = [
        source.prelude(),
        code.generator(prefix, 1),
        source.transform(code, RAW, prefix, 1),
        source.transform(code, UNIFORM["float32"], f"{prefix}clrng_float_", 1),
    ]
    if info.fp64:
        parts.append(source.transform(code, UNIFORM["float64"], f"{prefix}clrng_double_", 1))
    body = "".join(parts)
    return render(
        "user/device_code.cl.mako",
        p=prefix,
        guard=f"CLRNG_{prefix}{hashlib.sha256(body.encode()).hexdigest()[:16]}",
        version=__version__,
        title=recurrence.summary,
        arithmetic=code.arithmetic.name,
        word=CTYPES[code.word.name],
        value=CTYPES[code.value.name],
        order=code.order,
        least=recurrence.min_value,
        most=recurrence.upper_bound - 1,
        ring=code.ring,
        fp64=info.fp64,
        divides=UNIFORM["float64"].division(recurrence.upper_bound) == "divide",
        body=body,
    )


def _recurrence(value: Any) -> BitGenerator:
    if value is ParkMiller:
        return ParkMiller(seed=1)
    if not isinstance(value, BitGenerator):
        raise TypeError(
            f"bit_generator must be a clrng bit generator or the class clrng.ParkMiller, not {shown(value)}"
        )
    return value


def _check_prefix(prefix: Any) -> None:
    if not isinstance(prefix, str):
        raise TypeError(f"prefix must be a string that can begin a C name, not {shown(prefix)}")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", prefix) or prefix.upper().startswith("CLRNG_"):
        raise ValueError(
            f"prefix must be letters, digits and underscores, not begin with a digit or with CLRNG_, not "
            f"{shown(prefix)}"
        )
    if prefix in BUILTINS:
        raise ValueError(f"prefix must not be {prefix!r}, which makes {BUILTINS[prefix]}, a function of OpenCL C")


def _device(value: Any) -> devices.DeviceInfo:
    if value is None:
        return devices.choose_device()
    if isinstance(value, cl.Device):
        return devices.describe(value)
    if not isinstance(value, devices.DeviceInfo):
        raise TypeError(f"device must be a pyopencl.Device, a clrng.DeviceInfo or None, not {shown(value)}")
    return value
