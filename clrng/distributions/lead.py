"""The leading digits of keys by which permutations are sorted."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clrng.distributions.transform import Transform

BITS = 64
"""Those of a lead."""

LEAST_SHORTAGE = 16
"""Leads are spread out where more than a sixteenth of the integers of 64 bits would stay unused above them."""


@dataclass(frozen=True)
class Lead(Transform):
    """The first raw values of a key as one integer of 64 bits: that of a lesser key is less or the same.

    The raw values of the steps of a value are the key, and its digits. As many of the first as fit are the digits of a
    number, which is then shifted up and, if need be, spread out, so that leads are about evenly spread over all
    integers of 64 bits.
    """

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        digits = 1
        while digits < self.steps and raw_values ** (digits + 1) <= 2**BITS:
            digits += 1
        shift = BITS - (raw_values**digits - 1).bit_length()
        used = raw_values**digits << shift
        unused = 2**BITS - used
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "digits": digits,
            "shift": shift,
            "spread": (unused << 32) // used if unused * LEAST_SHORTAGE > 2**BITS else 0,
        }


def lead(steps: int) -> Lead:
    """Return what makes the leads of keys of so many raw values."""
    return Lead("lead", np.dtype(np.uint64), steps)
