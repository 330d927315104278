"""The arithmetics, and what a device must have for each to be exact.

An arithmetic is a template in ``cl_kernels/arithmetic`` that defines, under one set of names, a residue modulo m, its
making from and to an integer, its product with a factor and its step. The integers know every modulus; modulo 2^31 - 1
without an increment there are those in floating point too; and double has the sums of linear recurrences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from clrng import validation
from clrng.generators.maths.number_theory import is_power_of_two
from clrng.opencl.templates import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from clrng.opencl.devices import DeviceInfo

MODULUS = 2**31 - 1
"""The modulus that the arithmetics in floating point are for, a Mersenne prime."""

BALANCED = 2**14, 2**15 + 4
"""The largest digits of a balanced residue of the float arithmetics."""

HORNER = 16640, 33280
"""The largest digits of the arithmetic without fused multiply-add, whose sums stay below 384 * 33280 < 2^24."""


def balanced(a: int, modulus: int = MODULUS) -> int:
    """Return the representative of `a`, from 0 to modulus - 1, that is nearest to 0."""
    return a - modulus if a > modulus // 2 else a


def balanced_digits(a: int, base: int) -> list[int]:
    """Return the digits of the balanced `a` from -base/2 to base/2 - 1, the most significant first."""
    value = balanced(a)
    digits: list[int] = []
    while value or not digits:
        digit = (value + base // 2) % base - base // 2
        digits.append(digit)
        value = (value - digit) // base
    return digits[::-1]


class FloatStep(NamedTuple):
    """How the ``float`` arithmetic steps by a multiplier.

    `kind`: ``"short"`` takes 8 operations; ``"carried"`` 12, with a carry out of h, which keeps abs(h) <= 2^14;
    ``"long"`` takes the product of two residues, for multipliers whose products with a digit leave the range of the
    rounding constants. `h`, `l`: the largest digits that a step can leave, and with which it may begin.
    """

    kind: str
    h: int
    l: int  # noqa: E741  # the digits are h and l everywhere


def float_step(multiplier: int) -> FloatStep:
    """Return the cheapest step of the ``float`` arithmetic that is exact for `multiplier`, and its bounds.

    `multiplier`: the multiplier of the step, from 1 to 2^31 - 2.

    A short step leaves l' = u + k / 2^15 and h' = v + c / 2^16, where abs(u) <= 2^15, abs(v) <= 2^14, c is the
    multiple of 2^16 nearest a l, and k the multiple of 2^15 nearest a h. A carried step moves the multiple of 2^15
    nearest h' on to l'. The bounds are the fixed points of these, from the abs(h) <= 2^14, abs(l) <= 2^15 + 4 of a
    balanced start. The rounding constants hold for products below 2^38 and 2^37; and h 2^16 + l must stay below m,
    so that one conditional addition makes it canonical.
    """
    a = abs(balanced(multiplier))
    for kind in ("short", "carried"):
        h, low = BALANCED
        while h * 2**16 + low < MODULUS and a * low < 2**38 and a * h < 2**37:
            grown_h, grown_l = 2**14 + (a * low + 2**15) // 2**16, 2**15 + (a * h + 2**14) // 2**15
            if kind == "carried":
                grown_l += (grown_h + 2**14) // 2**15
                grown_h = 2**14
            if grown_h <= h and grown_l <= low:
                return FloatStep(kind, h, low)
            h, low = max(h, grown_h), max(low, grown_l)
    return FloatStep("long", *BALANCED)


def _float_values(multiplier: int) -> dict[str, Any]:
    high, low = ([0, *balanced_digits(multiplier, 2**16)])[-2:]
    return {"multiplier": balanced(multiplier), "kind": float_step(multiplier).kind, "high": high, "low": low}


@dataclass(frozen=True)
class Arithmetic:
    """One way to compute.

    `name`: the name users select it by; with underscores, its file in ``cl_kernels/arithmetic``. `max_vector_width`:
    the longest vector it is written for. `needs`: which of `LACKS` a device must have for it to be exact. `limit`: the
    largest multiplier modulo 2^31 - 1 its step is exact for, as a canonical integer. `values`: returns the values
    its template modulo 2^31 - 1 needs for a multiplier. `digits`: for one that computes with digits, returns the
    largest abs(h) and abs(l) of a multiplier's step. `baseline`: whether it is a published algorithm kept for
    comparison, never chosen automatically.
    """

    name: str
    max_vector_width: int
    needs: tuple[str, ...]
    limit: int
    values: Callable[[int], dict[str, Any]]
    digits: Callable[[int], tuple[int, int]] | None = None
    baseline: bool = False

    def missing(self, device: DeviceInfo) -> str | None:
        """Return what `device` lacks for it to be exact, or None."""
        return next((LACKS[need] for need in self.needs if not getattr(device, need)), None)


LACKS = {
    "fp64": "the device has no double precision (fp64)",
    "round_to_nearest": "the device does not round single precision to nearest",
    "fma": "the device has no exact fused multiply-add in single precision (CL_FP_FMA)",
}
"""What is said of a device that has not what an arithmetic needs."""


def _plain(multiplier: int) -> dict[str, Any]:
    return {"multiplier": multiplier}


ARITHMETICS = {
    arithmetic.name: arithmetic
    for arithmetic in (
        Arithmetic("integer", 16, (), MODULUS - 1, _plain),
        Arithmetic("double", 8, ("fp64",), MODULUS - 1, _plain),
        Arithmetic("float", 16, ("round_to_nearest", "fma"), MODULUS - 1, _float_values, lambda a: float_step(a)[1:]),
        Arithmetic("float-nofma", 16, ("round_to_nearest",), MODULUS - 1,
                   lambda a: {"digits": balanced_digits(a, 2**8)}, lambda _: HORNER),
        Arithmetic("limbs-2008", 1, ("round_to_nearest",), 2**16 - 1, _plain, baseline=True),
        Arithmetic("double-2009", 1, ("fp64",), 2**21 - 1, _plain, baseline=True),
    )
}  # fmt: skip
"""Every arithmetic by name: the fastest where it can be used comes first, the baselines last."""


def modular_template(modulus: int) -> str:
    """Return the template of the integers modulo `modulus`."""
    return f"arithmetic/{'truncated' if is_power_of_two(modulus) else 'modular'}.cl.mako"


def modular_values(modulus: int, affine: bool) -> dict[str, Any]:
    """Return what this template takes; `affine`: whether a factor has an increment too."""
    bits = (modulus - 1).bit_length()
    return {"modulus": modulus, "affine": affine, "bits": bits, "quotient_bits": quotient_bits(modulus)}


def products(modulus: int, values: dict[str, Any], *, called: bool = False) -> str:
    """Return the text of products modulo `modulus`, whose names begin with the prefix of `values` and z_."""
    more = {**modular_values(modulus, affine=False), "p": f"{values['p']}z_", "step": None, "called": called}
    return render(modular_template(modulus), **{**values, **more})


def quotient_bits(modulus: int) -> int:
    """Return how many bits the quotients of an arithmetic are scaled by: those of a word."""
    return 32 if modulus <= 2**32 else 64


def factor_words(modulus: int, a: int, c: int | None = None) -> tuple[int, ...]:
    """Return the words of x -> a x + c modulo `modulus`, or of x -> a x where `c` is None.

    Beside each number stands its quotient by the modulus, scaled by 2^32 or 2^64, except for powers of two.
    """
    numbers = (a,) if c is None else (a, c)
    if is_power_of_two(modulus):
        return numbers
    shift = quotient_bits(modulus)
    return tuple(word for number in numbers for word in (number, (number << shift) // modulus))


def check_name(value: Any) -> str:
    """Return `value` if it is ``"auto"`` or a name in `ARITHMETICS`."""
    return validation.choice("arithmetic", value, ["auto", *ARITHMETICS])
