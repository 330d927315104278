"""Xorshift generators on a device."""

from typing import Any

from clrng.generators import XorShift
from clrng.generators.code.binary_recurrence import BinaryRecurrenceCode
from clrng.opencl.templates import render

MOST_NESTED = 3
"""The most shifts of a plain step, whose text doubles with each."""


class XorShiftCode(BinaryRecurrenceCode):
    """Shifts and xors."""

    recurrence: XorShift

    @property
    def plain_step(self) -> str | None:
        """OpenCL C of the step of a ``uint`` x, put together from its shifts in 64 bits; None of larger states."""
        shifts = self.recurrence.taps[0][1]
        if not self.folded or self.recurrence.increment or len(shifts) > MOST_NESTED:
            return None
        y = "(ulong)x"
        for shift in shifts:
            y = f"(({y} ^ {y} << {shift}) & 0xffffffffUL)" if shift > 0 else f"({y} ^ {y} >> {-shift})"
        return y

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/xorshift.cl.mako", **values, taps=self.recurrence.taps)
