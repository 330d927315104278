"""Values by a table of the inverse of a distribution function: of polynomials, of its logarithm, or of thresholds."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clrng.distributions.quantiles import packed
from clrng.distributions.quantiles.tables import EXP2, FRACTION_BITS
from clrng.distributions.transforms.transform import IN_KERNEL, Declaration, Surroundings, Transform

HOT_OCTAVES = {"float32": (16, 10), "float64": (11, 10)}
"""How many octaves of tail probabilities, from 1/2 down, have their rows copied to local memory: in tables of one side,
and of two. More would leave no room for eight copies, or four and two of float64, in 44 KB. One value in 2^16, 2^11 or
2^10 needs another row."""

HOT_OCTAVES_OF_ONE_COPY = {"float32": (16, 10), "float64": (11, 8)}
"""The same where there is room for one copy."""

LOCAL_COPIES = 8
"""Copies of these rows: the eight work-items that NVIDIA's GPUs serve together then read from a bank each."""

SPARED_BYTES = 4096
"""Bytes of local memory that are left to the driver."""


@dataclass(frozen=True)
class Inverse(Transform):
    """The inverse of a distribution function by piecewise polynomials, whose coefficients are an argument.

    An octave of tail probabilities has 2^segment_bits polynomials, and a side of the table so many `rows`. The upper
    side of a symmetric one is the lower one with the other sign.
    """

    degree: int = 3
    segment_bits: int = 3
    rows: int = 0
    symmetric: bool = False

    scaled: bool = False
    """Whether values are multiplied by the argument ``scale`` and then added to the argument ``loc``."""

    bounded: bool = False
    """Whether a scaled value beyond the largest number is replaced by that."""

    circular: bool = False
    """Whether they are angles, brought back to -pi to pi then."""

    flushed: bool = False
    """Whether a scaled value below the smallest normal number is replaced by 0."""

    @property
    def _sides(self) -> int:
        return 1 if self.symmetric else 2

    @property
    def packed(self) -> bool:
        """Whether rows are those of ``quantiles/packed.py``."""
        return self.dtype == np.float64 and self.degree == packed.DEGREE

    @property
    def has_places(self) -> bool:  # noqa: D102  # as inherited
        return True

    def hot_rows(self, copies: int) -> int:
        """Return the rows of a side that most values find theirs in, of which a group has copies in local memory."""
        octaves = (HOT_OCTAVES if copies > 1 else HOT_OCTAVES_OF_ONE_COPY)["float64" if self.packed else "float32"]
        return min(octaves[self._sides - 1] << self.segment_bits, self.rows)

    def local_copies(self, local_bytes: int) -> int:  # noqa: D102  # as inherited
        if not self.packed and (self.dtype != np.float32 or self.degree != 3):  # noqa: PLR2004  # a row of 16 bytes
            return 0
        row, copies = (32 if self.packed else 16), LOCAL_COPIES
        while copies and row * self.hot_rows(copies) * self._sides * copies > local_bytes - SPARED_BYTES:
            copies //= 2
        return copies

    def convert_parameters(self, copies: int) -> tuple[Declaration, ...]:  # noqa: D102  # as inherited
        ctype = "ulong2" if self.packed else "float4"
        return (Declaration(ctype, "hot_rows", "__local"), *self.parameters) if copies else self.parameters

    def opening(self, copies: int, names: Surroundings = IN_KERNEL) -> list[str]:  # noqa: D102  # as inherited
        hot = self.hot_rows(copies)
        cold, size = self.rows - hot, hot * self._sides * copies
        row = f"i / {copies}u"
        row += f" + (i < {hot * copies}u ? {cold}u : {2 * cold}u)" if self._sides > 1 else f" + {cold}u"
        near, table = f"{names.near}hot", names.tables.get("table", "table")
        ctype, words = ("ulong2", 2 * size) if self.packed else ("float4", size)
        comment = f"    // copy c of row i is {near}[{copies} * i + c]" if names.comments else ""
        comment += f", and its second half {size} behind that" if comment and self.packed else ""
        parts = [(f"{near}[i]", ".lo"), (f"{near}[i + {size}u]", ".hi")] if self.packed else [(f"{near}[i]", "")]
        return [
            f"    __local {ctype} {near}[{words}];{comment}",
            f"    for (uint i = {names.item}; i < {size}u; i += {names.items}) {{",
            *(f"        {place} = {table}[{row}]{half};" for place, half in parts),
            "    }",
            "    barrier(CLK_LOCAL_MEM_FENCE);",
            f"    __local const {ctype} *const {near}_rows = {near} + {names.item} % {copies}u;",
        ]

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        chosen = {
            "hot_rows": self.hot_rows,
            "packed": self.packed,
            "units": {k: packed.unit(k, self.segment_bits) for k in packed.FIELDS},
            "fields": packed.FIELDS,
        }
        return {**super().values(min_value, upper_bound), **chosen}


@dataclass(frozen=True)
class Logarithms(Transform):
    """The inverse of a distribution function as a power of two, or a hyperbolic sine, of piecewise polynomials.

    All of it is computed in integers. It is slower than `Inverse`, and right where that cannot be.
    """

    degree: int = 5

    hyperbolic: bool = False
    """Whether values are hyperbolic sines, those of the lower side negative; both sides have the same rows then."""

    scaled: bool = False
    bounded: bool = False
    """As those of `Inverse`."""

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {**super().values(min_value, upper_bound), "fraction_bits": FRACTION_BITS, "exp2": EXP2}


@dataclass(frozen=True)
class Thresholds(Transform):
    """The inverse of a discrete distribution function, by thresholds.

    A search takes so many `halvings` at most. `places` is the size of the table of this name, which most values are
    found by where it is in local memory; in it places take `place_bits` bits, or there is none where these are 0.
    """

    halvings: int = 0
    places: int = 0
    place_bits: int = 0

    def searching(self, halvings: int) -> "Thresholds":
        """Return the same without a table for local memory, with searches of so many halvings."""
        given = {declaration: each for declaration, each in self.given.items() if declaration.name != "places"}
        return replace(self, given=given, halvings=halvings, places=0, place_bits=0)

    def local_copies(self, local_bytes: int) -> int:  # noqa: D102  # as inherited
        return int(self.place_bits > 0 and 4 * self.places <= local_bytes * 2 // 3)

    def convert_parameters(self, copies: int) -> tuple[Declaration, ...]:  # noqa: D102  # as inherited
        near = Declaration("uint", "near_places", "__local")
        return (near, *self.parameters) if copies else self.parameters

    def opening(self, copies: int, names: Surroundings = IN_KERNEL) -> list[str]:  # noqa: ARG002, D102  # there is one
        return [*names.copied("uint", "places", self.places), "    barrier(CLK_LOCAL_MEM_FENCE);"]

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "numbers": raw_values**self.steps,
            "halvings": self.halvings,
            "place_bits": self.place_bits,
        }
