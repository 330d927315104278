"""Values by a table of the inverse of a distribution function: the kernel of all continuous distributions."""

from dataclasses import dataclass
from typing import Any

from clrng.distributions.transform import Transform

LOCAL_COPIES = 8
"""Copies of a table in local memory: so eight work-items, which GPUs of NVIDIA serve together, read from banks of their
own."""

BASE_BYTES = 256
"""Bytes of local memory that are left to the driver."""


@dataclass(frozen=True)
class Inverse(Transform):
    """The inverse of a distribution function by piecewise polynomials, whose coefficients are an argument.

    Attributes
    ----------
    degree : int
        That of the polynomials, 3 or more.
    segment_bits : int
        An octave of tail probabilities has 2^segment_bits polynomials.
    rows : int
        Polynomials of a side.
    symmetric : bool
        Whether the upper side is the lower one with the other sign.
    scaled : bool
        Whether values are multiplied by the argument ``scale`` and then added to the argument ``loc``.
    """

    degree: int = 3
    segment_bits: int = 3
    rows: int = 0
    symmetric: bool = False
    scaled: bool = False

    @property
    def _real(self) -> str:
        return "float" if self.dtype == "float32" else "double"

    @property
    def _fours(self) -> int:
        """The groups of four numbers that the table has."""
        rows = self.rows * (1 if self.symmetric else 2)
        return rows + -(-rows * (self.degree - 3) // 4)

    def local_copies(self, local_bytes: int) -> int:  # noqa: D102  # as inherited
        if self._real == "double":
            return 0
        fitting = (local_bytes - BASE_BYTES) // (16 * self._fours)
        return min(1 << (fitting.bit_length() - 1), LOCAL_COPIES if self.degree == 3 else 1) if fitting else 0  # noqa: PLR2004

    def kernel_parameters(self, copies: int) -> tuple[str, ...]:  # noqa: D102  # as inherited
        table, *others = self.parameters
        return (table.replace("table", "whole_table") if copies else table, *others)

    def opening(self, copies: int) -> str:  # noqa: D102  # as inherited
        size = self._fours * copies
        return (
            f"    __local {self._real}4 tables[{size}];    // copy c of row i is tables[{copies} * i + c]\n"
            f"    for (uint i = get_local_id(0); i < {size}u; i += get_local_size(0))\n"
            f"        tables[i] = whole_table[i / {copies}u];\n"
            f"    barrier(CLK_LOCAL_MEM_FENCE);\n"
            f"    __local const {self._real}4 *const table = tables + get_local_id(0) % {copies}u;\n"
        )

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {
            "min_value": min_value,
            "raw_values": upper_bound - min_value,
            "degree": self.degree,
            "segment_bits": self.segment_bits,
            "rows": self.rows,
            "symmetric": self.symmetric,
            "scaled": self.scaled,
        }
