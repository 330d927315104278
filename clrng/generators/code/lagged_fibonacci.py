"""Lagged Fibonacci generators on a device."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.generators import BitGenerator, LaggedFibonacci
from clrng.generators.code import modular
from clrng.generators.code.arithmetic import Arithmetic
from clrng.generators.code.lagged import LaggedCode
from clrng.opencl.templates import render

FITS_REGISTERS = 128
"""The largest order whose state a work-item can keep in registers."""

JUMPED = 64
"""The largest order whose jumps a work-item can make by itself."""


class LaggedFibonacciCode(LaggedCode):
    """A lagged Fibonacci generator: one operation a value, whatever the op.

    The word after a state is `combine` of two words. Jumps are sums of words, of their logarithms or of their bits,
    `scaled` by weights.

    Parameters
    ----------
    recurrence, arithmetic : as for `GeneratorCode`
    for_user_kernel : bool, optional
        Whether it is for a kernel of the user's own, whose work-items seed it by themselves.

    Attributes
    ----------
    fits_registers : bool
        Whether the state is a structure of words.
    jumps : bool
        Whether that structure has jumps.
    """

    recurrence: LaggedFibonacci

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic, *, for_user_kernel: bool = False) -> None:
        super().__init__(recurrence, arithmetic)
        self.fits_registers = self.order <= (JUMPED if for_user_kernel else FITS_REGISTERS)
        self.jumps = for_user_kernel and self.fits_registers

    def user_code(self) -> "LaggedFibonacciCode":  # noqa: D102  # as inherited
        return LaggedFibonacciCode(self.recurrence, self.arithmetic, for_user_kernel=True)

    def of_words(self) -> "LaggedFibonacciCode":  # noqa: D102  # as inherited
        return LaggedFibonacciCode(self.recurrence.of_words(), self.arithmetic) if self.recurrence.output else self

    @property
    def key(self) -> Hashable:
        """What tells its text apart from that of other forms."""
        return super().key, self.fits_registers, self.jumps

    @property
    def weight_words(self) -> int:
        """The words of a weight: itself and, where words are summed modulo other than powers of two, its quotient."""
        return 1 if modular.is_power_of_two(self.recurrence.modulus) else 2

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return tuple(self.weights(self.recurrence.jumps.power(n)).tolist())

    def weights(self, polynomials: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the words of the weights of a jump, or of those of several in rows, as the device takes them."""
        weights: npt.NDArray[Any] = np.asarray(polynomials, self.word)
        if self.weight_words == 1:
            if self.recurrence.op == "*":  # the lowest bit, which the signs take, also in the highest, which is free
                weights = weights | weights << self.word.type(8 * self.word.itemsize - 1)
            return -weights if self.recurrence.op == "xor" else weights  # masks
        factors = [modular.factor(self.recurrence.modulus, weight) for weight in weights.ravel().tolist()]
        return np.array(factors, self.word).reshape(*weights.shape[:-1], -1)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        recurrence, m = self.recurrence, self.recurrence.modulus
        numbers = {
            **self._common(prefix, width),
            "op": recurrence.op,
            "lags": recurrence.lags,
            "bits": (m - 1).bit_length(),
            "word_bits": 8 * self.word.itemsize,
            "power_of_two": modular.is_power_of_two(m),
            "weight_words": self.weight_words,
            "shift": recurrence.output.shift if recurrence.output else 0,
            "mask": 2**recurrence.output.bits - 1 if recurrence.output else None,
        }
        summing = {**numbers, **modular.values(m, affine=False), "p": f"{prefix}z_", "step": None, "called": False}
        parts = [render(modular.template(m), **summing)] if recurrence.op in ("+", "-") else []
        parts.append(render("generators/lagged_fibonacci.cl.mako", **numbers))
        if self.fits_registers:
            powers = [self.stride(2**j) for j in range(64)] if width == 1 and self.jumps else []
            numbers["jumps"] = self.jumps
            parts.append(render("generators/lagged_registers.cl.mako", **numbers, powers=powers))
        return "".join(parts)
