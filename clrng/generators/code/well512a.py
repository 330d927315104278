"""WELL512a on a device."""

from typing import Any

from clrng.generators.code.binary_recurrence import BinaryRecurrenceCode
from clrng.generators.well512a import TEMPERING
from clrng.opencl.templates import render


class WELL512aCode(BinaryRecurrenceCode):
    """Sixteen words, of which a step makes two."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/well512a.cl.mako", **values, tempering=TEMPERING)
