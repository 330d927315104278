"""LFSR113 on a device."""

from typing import Any

from clrng.bit_generators.lfsr113 import COMPONENTS
from clrng.codegen.generators.binary_recurrence import BinaryRecurrenceCode
from clrng.codegen.templates import render


class LFSR113Code(BinaryRecurrenceCode):
    """Four linear feedback shift registers and their xor."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/lfsr113.cl.mako", **values, components=COMPONENTS)
