"""Xorshift generators of 32 bits on a device."""

from clrng.bit_generators.xorshift32 import BITS, XorShift32
from clrng.codegen.generators.base import GeneratorCode
from clrng.codegen.templates import render


class XorShift32Code(GeneratorCode):
    """Three shifts and xors; a stride is the columns of a matrix over GF(2)."""

    recurrence: XorShift32
    fill_strategy = "blocks"

    @property
    def plain_step(self) -> str:
        """OpenCL C of the step of a ``uint`` x, put together from its shifts in 64 bits."""
        a, b, c = self.recurrence.shifts
        left = "(({0} ^ {0} << {1}) & 0xffffffffUL)"
        first = left.format("(ulong)x", a)
        return left.format(f"({first} ^ {first} >> {b})", c)

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return self.recurrence.power(n)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        values = {
            **self._common(prefix, width),
            "shifts": self.recurrence.shifts,
            "bits": BITS,
            "powers": [self.stride(2**j) for j in range(BITS)] if width == 1 else [],
        }
        return render("generators/xorshift32.cl.mako", **values)
