"""LFSR113 on a device."""

from typing import Any

from clrng.generators.code.binary_recurrence import BinaryRecurrenceCode
from clrng.generators.lfsr113 import COMPONENTS
from clrng.opencl.templates import render


class LFSR113Code(BinaryRecurrenceCode):
    """Four linear feedback shift registers and their xor."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/lfsr113.cl.mako", **values, components=COMPONENTS)
