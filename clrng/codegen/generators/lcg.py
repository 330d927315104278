"""Congruential generators on a device."""

from typing import Any

from clrng.bit_generators import LCG
from clrng.codegen import modular
from clrng.codegen.arithmetic import is_multiplicative
from clrng.codegen.generators.base import GeneratorCode
from clrng.codegen.templates import render


class LCGCode(GeneratorCode):
    """A congruential generator: modulo 2^31 - 1 in any arithmetic, otherwise in integers."""

    recurrence: LCG

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
