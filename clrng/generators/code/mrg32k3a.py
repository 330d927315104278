"""MRG32k3a on a device."""

from clrng.generators import BitGenerator, MRG32k3a
from clrng.generators.code.arithmetic import Arithmetic
from clrng.generators.code.base import GeneratorCode
from clrng.generators.code.linear_recurrence import LinearRecurrenceCode
from clrng.generators.mrg32k3a import COMPONENTS
from clrng.opencl.templates import render


class MRG32k3aCode(GeneratorCode):
    """Two linear recurrences and their difference."""

    recurrence: MRG32k3a
    fill_strategy = "blocks"
    fastest_first = LinearRecurrenceCode.fastest_first

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self._parts = [LinearRecurrenceCode(part, arithmetic) for part in self.recurrence.components]

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: ARG003  # it has no parameters
        """Return why the mathematics of `arithmetic` is not that of the two recurrences, or None if it is."""
        return next(filter(None, (LinearRecurrenceCode.why_not(arithmetic, part) for part in COMPONENTS)), None)

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        first, second = self._parts
        return first.stride(n) + second.stride(n)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        first, second = self._parts
        values = {**self._common(prefix, width), "weight_words": len(first.stride(0))}
        parts = [first.generator(f"{prefix}x_", width), second.generator(f"{prefix}y_", width)]
        return "".join([*parts, render("generators/mrg32k3a.cl.mako", **values)])
