"""The transforms whose raw values are the digits of a number: by thresholds, and by a product."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from clrng.distributions.transform import Transform

SHORT = 2**32
"""Products of two numbers of at most 2^32 fit words of 64 bits."""


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
        return int(4 * (self.tops + self.guide) <= local_bytes * 2 // 3)

    def convert_parameters(self, copies: int) -> tuple[str, ...]:  # noqa: D102  # as inherited
        near = ("__local const uint *near_tops", "__local const uint *near_guide")
        return (*near, *self.parameters) if copies else self.parameters

    def opening(self, copies: int) -> str:  # noqa: ARG002, D102  # there is one
        lines = []
        for name, size in (("tops", self.tops), ("guide", self.guide)):
            lines += [
                f"    __local uint near_{name}[{size}];\n",
                f"    for (uint i = get_local_id(0); i < {size}u; i += get_local_size(0))\n",
                f"        near_{name}[i] = {name}[i];\n",
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
        How long products are: 64 bits, or 128 where n or m is above 2^32.
    closed : bool
        Whether they are spread over the range with both ends among them.
    """

    product_bits: int = 64
    closed: bool = False

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "divisor": raw_values**self.steps - 1 if self.closed else raw_values,
            "product_bits": self.product_bits,
            "closed": self.closed,
        }


def index_transform(n: int, raw_values: int, steps: int, dtype: np.dtype[Any], low: int = 0) -> UniformIntegers:
    """Return what makes the integers low + floor(X n / m^K), where K raw values, of m each, are the digits of X.

    Parameters
    ----------
    n : int
        From 1 to 2^64.
    raw_values : int
        m.
    steps : int
        K.
    dtype : numpy.dtype
        Of the integers.
    low : int, optional
    """
    parameters: tuple[str, ...] = ("const ulong last", "const ulong low")
    arguments: tuple[np.uint64, ...] = (np.uint64(n - 1), np.uint64(low % 2**64))
    if raw_values & (raw_values - 1) and n < raw_values <= SHORT:
        quotient = np.uint64((n << 32) // raw_values)
        parameters, arguments = (*parameters, "const ulong quotient"), (*arguments, quotient)
        return UniformIntegers("short_integers", dtype, steps, parameters, arguments)
    bits = 64 if max(n, raw_values) <= SHORT else 128
    return UniformIntegers("integers", dtype, steps, parameters, arguments, product_bits=bits)


def spread_transform(n: int, steps: int, dtype: np.dtype[Any]) -> UniformIntegers:
    """Return what makes the integers floor(X (n - 1) / (N - 1)), of which the least X makes 0 and the greatest n - 1.

    Parameters
    ----------
    n : int
        Above N = m^K, and below 2^63.
    steps : int
        K: so many raw values, of m each, are the digits of X, which is below N.
    dtype : numpy.dtype
        Of the integers.
    """
    parameters, arguments = ("const ulong last", "const ulong low"), (np.uint64(n - 2), np.uint64(0))
    bits = 64 if n <= SHORT else 128
    return UniformIntegers("integers", dtype, steps, parameters, arguments, product_bits=bits, closed=True)
