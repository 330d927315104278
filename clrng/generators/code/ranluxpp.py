"""RANLUX++ on a device."""

from functools import cache, lru_cache
from typing import Any

import numpy as np

from clrng.distributions import Table
from clrng.generators.code.base import GeneratorCode
from clrng.generators.ranluxpp import MULTIPLIER, PIECES, SKIPPED, power
from clrng.opencl.templates import joined, render

DIGITS, DIGIT_BITS = 20, 29
"""The digits of a state: a column of a product, of 20 products of two digits, fits 64 bits."""

POWERS = 61
"""The powers by 1, 2, 4, ... states of a program, for jumps by less than 2^64 values and 12 more."""

TABLE_PLACES = 10
"""The hexadecimal digits of the jumps by tables, of less than 2^40 values."""


class RANLUXppCode(GeneratorCode):
    """A product of 576 bits, in digits of 29 bits, for every 12 values; a stride is a product with a power."""

    fill_strategy = "blocks"

    in_small_groups = True

    @property
    def max_vector_width(self) -> int:
        """The longest vector, 1: a state fills the registers of a CPU."""
        return 1

    @property
    def phases(self) -> int:  # noqa: D102  # as inherited
        return PIECES

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        states, piece = divmod(n, PIECES)
        return (*_packed(power(states)), piece)

    @property
    def jump_tables(self) -> Table:
        """The table of jumps by d 16^j states."""
        return _jump_tables()

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        return _text(**self._common(prefix, width))


@lru_cache(maxsize=8)
def _text(**common: Any) -> str:
    """Return the text, which no parameter changes but the prefix."""
    return render(
        "generators/ranluxpp.cl.mako",
        **common,
        joined=joined,
        multiplier=_digits(MULTIPLIER),
        powers=[_digits(power(1 << j)) for j in range(POWERS)],
        a=f"2^(-24 * {SKIPPED})",
    )


def _digits(x: int) -> list[int]:
    """Return the digits of x, the lowest first."""
    return [x >> DIGIT_BITS * k & (1 << DIGIT_BITS) - 1 for k in range(DIGITS)]


def _packed(x: int) -> tuple[int, ...]:
    """Return the digits of x, two in each word of 64 bits, the lower one first."""
    digits = _digits(x)
    return tuple(low | high << 32 for low, high in zip(digits[::2], digits[1::2], strict=True))


@cache
def _jump_tables() -> Table:
    """Return the powers by d 16^j states, for d = 1 ... 15."""
    rows: list[Any] = [_packed(power(d << 4 * j)) for j in range(TABLE_PLACES) for d in range(1, 16)]
    return Table(np.array(rows, np.uint64))
