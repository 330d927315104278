"""Mersenne Twisters on a device."""

from collections.abc import Hashable
from math import isqrt

from clrng.generators.code.lagged import LaggedCode
from clrng.generators.mersenne_twister import MersenneTwister
from clrng.opencl.templates import render


class MersenneTwisterCode(LaggedCode):
    """A Mersenne Twister: a word follows from three earlier ones, and a value is a word after tempering."""

    recurrence: MersenneTwister
    fits_registers = False

    def of_words(self) -> "MersenneTwisterCode":  # noqa: D102  # as inherited
        return MersenneTwisterCode(self.recurrence.of_words(), self.arithmetic)

    @property
    def jump_order(self) -> int:  # noqa: D102  # as inherited
        return isqrt(self.order * self.recurrence.jumps.degree)

    @property
    def key(self) -> Hashable:
        """What tells its text apart from that of other forms."""
        return super().key, self.recurrence.tempers

    def stride(self, n: int) -> tuple[int, ...]:
        """Return the words of a jump of `n` steps: its polynomial in pieces of 32 bits, the lowest first."""
        polynomial = self.recurrence.jumps.power(n)
        return tuple(polynomial >> place & 2**32 - 1 for place in range(0, self.recurrence.jumps.degree, 32))

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        twister = self.recurrence.twister
        values = {**self._common(prefix, width), "twister": twister, "tempers": self.recurrence.tempers}
        return render("generators/mersenne_twister.cl.mako", **values)
