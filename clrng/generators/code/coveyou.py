"""Coveyou's quadratic generator on a device."""

from clrng.generators import Coveyou
from clrng.generators.code.base import GeneratorCode
from clrng.opencl.templates import render


class CoveyouCode(GeneratorCode):
    """x' = x (x + 1) mod 2^32; a stride is a polynomial in t = (x - 2) / 4."""

    recurrence: Coveyou

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return self.recurrence.polynomial(n)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        values = {
            **self._common(prefix, width),
            "powers": [self.stride(2**j) for j in range(64)] if width == 1 else [],
            "stride_words": len(self.stride(1)),
        }
        return render("generators/coveyou.cl.mako", **values)
