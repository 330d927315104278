"""The transforms whose raw values are the digits of a number: by thresholds, and by a product."""

from dataclasses import dataclass
from typing import Any

from clrng.distributions.transform import Transform


@dataclass(frozen=True)
class Thresholds(Transform):
    """The inverse of a discrete distribution function, by thresholds.

    Attributes
    ----------
    halvings : int
        The most halvings of a search.
    """

    halvings: int = 0

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "numbers": raw_values**self.steps,
            "halvings": self.halvings,
        }


@dataclass(frozen=True)
class UniformIntegers(Transform):
    """Integers of a range by Canon's method.

    Attributes
    ----------
    product_bits : int
        How long its products are, 64 or 128.
    """

    product_bits: int = 128

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {
            "min_value": min_value,
            "raw_values": upper_bound - min_value,
            "product_bits": self.product_bits,
        }
