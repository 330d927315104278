"""Congruential generators on a device."""

from typing import Any, TypeGuard

from clrng.generators import LCG, BitGenerator
from clrng.generators.code import modular
from clrng.generators.code.arithmetic import Arithmetic
from clrng.generators.code.base import GeneratorCode
from clrng.generators.park_miller import MODULUS
from clrng.opencl.templates import render


def is_multiplicative(recurrence: BitGenerator) -> TypeGuard[LCG]:
    """Return whether `recurrence` is multiplication modulo 2^31 - 1, for which all arithmetics are written."""
    return isinstance(recurrence, LCG) and recurrence.modulus == MODULUS and recurrence.increment == 0


class LCGCode(GeneratorCode):
    """A congruential generator: modulo 2^31 - 1 in any arithmetic, otherwise in integers."""

    recurrence: LCG

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: D102  # as inherited
        if not is_multiplicative(recurrence):
            return super().why_not(arithmetic, recurrence)
        if recurrence.multiplier <= arithmetic.limit:
            return None
        return f"its published step is exact for multipliers up to {arithmetic.limit}, not {recurrence.multiplier}"

    @property
    def digits(self) -> tuple[int, int] | None:  # noqa: D102  # as inherited
        known = self.arithmetic.digits
        return known(self.recurrence.multiplier) if known and is_multiplicative(self.recurrence) else None

    @property
    def plain_step(self) -> str | None:  # noqa: D102  # as inherited
        m = self.recurrence.modulus
        if m > 2**32:
            return None
        return f"((ulong)x * {self.recurrence.multiplier}UL + {self.recurrence.increment}UL) % {m}UL"

    def shares_values(self, other: BitGenerator) -> bool:
        """Return whether published values of `other` say whether this code is right.

        Those of all multipliers do that the arithmetic is exact for, where one code is for all of them.
        """
        if not is_multiplicative(self.recurrence):
            return super().shares_values(other)
        return is_multiplicative(other) and other.multiplier <= self.arithmetic.limit

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        multiplier, increment = self.recurrence.stride(n)
        if is_multiplicative(self.recurrence):
            return (multiplier,)
        return modular.factor(self.recurrence.modulus, multiplier, increment if self.recurrence.increment else None)

    def _arithmetic(self) -> tuple[str, dict[str, Any]]:
        """Return the template of the arithmetic and the values it takes."""
        if is_multiplicative(self.recurrence):
            name = self.arithmetic.name.replace("-", "_")
            return f"arithmetic/{name}.cl.mako", self.arithmetic.values(self.recurrence.multiplier)
        affine = self.recurrence.increment != 0
        values = modular.values(self.recurrence.modulus, affine)
        return modular.template(self.recurrence.modulus), {**values, "step": self.stride(1), "called": False}

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        template, numbers = self._arithmetic()
        output = self.recurrence.output
        values = {
            **self._common(prefix, width),
            **numbers,
            "powers": [self.stride(2**j) for j in range(64)] if width == 1 else [],
            "stride_words": len(self.stride(1)),
            "shift": output.shift if output else 0,
            "mask": 2**output.bits - 1 if output else None,
        }
        return render(template, **values) + render("generators/lcg.cl.mako", **values)
