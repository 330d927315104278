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
    tops, guide : int
        The sizes of the tables of these names.
    """

    halvings: int = 0
    tops: int = 0
    guide: int = 0

    def local_copies(self, local_bytes: int) -> int:  # noqa: D102  # as inherited
        return int(4 * (self.tops + self.guide) <= local_bytes // 2)

    def convert_parameters(self, copies: int) -> tuple[str, ...]:  # noqa: D102  # as inherited
        near = ("__local const uint *near_tops", "__local const uint *near_guide")
        return (*near, *self.parameters) if copies else self.parameters

    def opening(self, copies: int) -> str:  # noqa: ARG002, D102  # there is one
        lines = []
        for name, size in (("tops", self.tops), ("guide", self.guide)):
            lines += [
                f"    __local uint near_{name}[{size}];\n",
                f"    for (uint i = get_local_id(0); i < {size}u; i += get_local_size(0)) near_{name}[i] = {name}[i];\n",
            ]
        return "".join([*lines, "    barrier(CLK_LOCAL_MEM_FENCE);\n"])

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
