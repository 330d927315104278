"""OpenCL C of a generator for the user's own kernels."""

import re
from typing import Any

import pyopencl as cl

from clrng import arithmetic as arithmetics
from clrng import devices, source
from clrng.distributions import RAW, UNIFORM
from clrng.recurrences import ParkMiller
from clrng.templates import render
from clrng.version import __version__


def device_code(
    bit_generator: ParkMiller | type[ParkMiller],
    arithmetic: str = "auto",
    device: cl.Device | devices.DeviceInfo | None = None,
    prefix: str = "park_miller_",
) -> str:
    """Return OpenCL C that defines a generator, to be put before the kernels of a program.

    Parameters
    ----------
    bit_generator : ParkMiller or the class ParkMiller
        Whose multiplier to use; the class has the default. The seed is given in the kernel.
    arithmetic : str, optional
        A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one.
    device : pyopencl.Device or DeviceInfo, optional
        The device it will run on; by default the one that `clrng.choose_device` chooses.
    prefix : str, optional
        What every name in it begins with. Give each generator of a program a prefix of its own.

    Returns
    -------
    str
        With prefix ``park_miller_`` it defines the type ``park_miller_state`` and the functions
        ``park_miller_seed(uint seed, ulong n)``, the state n steps after the seed, and
        ``park_miller_next_raw``, ``park_miller_next_float`` and, where the device has double precision,
        ``park_miller_next_double``, each of which takes a pointer to a state and moves it on by one value. The
        values are those of `Generator.random_raw` and `Generator.random` for the same seed and position.

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
    give wrong numbers. ``arithmetic="integer"`` is exact with any option.
    """
    recurrence = _recurrence(bit_generator)
    _check_prefix(prefix)
    info = _device(device)
    chosen = arithmetics.select(arithmetic, info, recurrence.multiplier)
    parts = [
        source.prelude(),
        source.generator(recurrence, chosen, prefix, 1),
        source.distribution(recurrence, RAW, prefix, 1),
        source.distribution(recurrence, UNIFORM["float32"], f"{prefix}clrng_float_", 1),
    ]
    if info.fp64:
        parts.append(source.distribution(recurrence, UNIFORM["float64"], f"{prefix}clrng_double_", 1))
    return render(
        "device_code.cl.mako",
        p=prefix,
        guard=f"CLRNG_{prefix}{recurrence.multiplier}_{chosen.name.replace('-', '_')}",
        version=__version__,
        title=f"Park-Miller with multiplier {recurrence.multiplier}",
        arithmetic=chosen.name,
        modulus=recurrence.modulus,
        fp64=info.fp64,
        body="".join(parts),
    )


def _recurrence(value: Any) -> ParkMiller:
    if value is ParkMiller:
        return ParkMiller(seed=1)
    if not isinstance(value, ParkMiller):
        raise TypeError(f"bit_generator must be clrng.ParkMiller or one made from it, not {value!r}")
    return value


def _check_prefix(prefix: Any) -> None:
    if not isinstance(prefix, str):
        raise TypeError(f"prefix must be a string that can begin a C name, not {prefix!r}")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", prefix) or prefix.upper().startswith("CLRNG_"):
        raise ValueError(
            f"prefix must be letters, digits and underscores, not begin with a digit or with CLRNG_, not {prefix!r}"
        )
    if prefix == "vec_":
        raise ValueError("prefix must not be 'vec_', which makes vec_step, a function of OpenCL C")


def _device(value: Any) -> devices.DeviceInfo:
    if value is None:
        return devices.choose_device()
    if isinstance(value, cl.Device):
        return devices.describe(value)
    if not isinstance(value, devices.DeviceInfo):
        raise TypeError(f"device must be a pyopencl.Device, a clrng.DeviceInfo or None, not {value!r}")
    return value
