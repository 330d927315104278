"""Put together the OpenCL C of a generator: prelude, arithmetic, recurrence, distribution, and a kernel on top."""

from collections.abc import Mapping
from typing import Any

from clrng.arithmetic import Arithmetic
from clrng.distributions import Distribution
from clrng.recurrences import ParkMiller
from clrng.templates import render

SCALAR, VECTOR = "s_", "v_"


def prelude() -> str:
    """Return the macros that everything else uses."""
    return render("prelude.cl.mako")


def generator(recurrence: ParkMiller, arithmetic: Arithmetic, prefix: str, width: int) -> str:
    """Return the arithmetic and the recurrence on vectors of `width`, every name beginning with `prefix`."""
    values = {
        "p": prefix,
        "width": width,
        "w": _suffix(width),
        "half": _suffix(width // 2),
        "modulus": recurrence.modulus,
        "powers": [recurrence.stride(2**j) for j in range(64)],
        **arithmetic.values(recurrence.multiplier),
    }
    return render(f"arithmetic/{arithmetic.name.replace('-', '_')}.cl.mako", **values) + render(
        f"generators/{recurrence.name}.cl.mako", **values
    )


def distribution(recurrence: ParkMiller, chosen: Distribution, prefix: str, width: int) -> str:
    """Return the transform of raw values on vectors of `width`, its name beginning with `prefix`."""
    return render(
        f"distributions/{chosen.template}.cl.mako", p=prefix, w=_suffix(width), **chosen.values(recurrence.modulus)
    )


def kernel(
    template: str,
    recurrence: ParkMiller,
    arithmetic: Arithmetic,
    chosen: Distribution,
    width: int,
    values: Mapping[str, Any],
) -> str:
    """Return a whole program: `template` on top of the generator in scalars and in vectors of `width`."""
    vector = SCALAR if width == 1 else VECTOR
    parts = [prelude()]
    for prefix, lanes in {SCALAR: 1, vector: width}.items():
        parts.append(generator(recurrence, arithmetic, prefix, lanes))
        parts.append(distribution(recurrence, chosen, prefix, lanes))
    parts.append(render(template, s=SCALAR, v=vector, width=width, w=_suffix(width), out=chosen.ctype, **values))
    return "".join(parts)


def _suffix(width: int) -> str:
    return "" if width == 1 else str(width)
