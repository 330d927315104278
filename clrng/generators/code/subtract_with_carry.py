"""Subtract with carry generators on a device."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, log2
from typing import Any

import numpy as np

from clrng.distributions import Table
from clrng.generators.code.base import CTYPES, GeneratorCode, suffix
from clrng.generators.maths.carry_numbers import CarryNumbers
from clrng.generators.maths.wide_modulus import LIMB_BITS, WideModulus
from clrng.generators.subtract_with_carry import SubtractWithCarry
from clrng.opencl.templates import render

DIGIT_BITS, TABLE_BITS = 4, 8
"""The bits of the digits of jumps in a program, of 64 bits, and of those by tables, of less than 2^40 steps."""

LIMBS_OF_FEW_POWERS, FEW_DIGIT_BITS = 64, 2
"""Of numbers with as many limbs as the first or more, digits have so few bits in a program that its factors fit 64 KiB,
which is all the constant memory that many GPUs have."""

TABLE_STEPS = 2**40


class SubtractWithCarryCode(GeneratorCode):
    """A difference and a carry for each word; a jump is a product modulo a number of hundreds of bits.

    Attributes
    ----------
    wide : WideModulus
    unit, unit_words : int
        Jumps are over so many values or a multiple of them, and the words these are made from; steps make the rest.
    """

    recurrence: SubtractWithCarry
    fill_strategy = "blocks"
    shortest_block = 128

    @property
    def numbers(self) -> CarryNumbers:
        """The numbers of states."""
        return self.recurrence.numbers

    @property
    def wide(self) -> WideModulus:
        """The modulus of the numbers."""
        numbers = self.numbers
        return WideModulus(numbers.bits * numbers.r, numbers.bits * numbers.s)

    @property
    def unit_words(self) -> int:
        """The words of a unit: a block or, of shorter blocks, as many as have about as many words as a state."""
        return self.recurrence.block * max(self.numbers.r // self.recurrence.block, 1)

    @property
    def unit(self) -> int:
        """The values of a unit."""
        return self.unit_words // self.recurrence.block * self.recurrence.values_of_block

    @property
    def phases(self) -> int:  # noqa: D102  # as inherited
        return self.recurrence.values_of_block if self.recurrence.block > 1 else 1

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        units, rest = divmod(n, self.unit)
        factor = self.numbers.factor(units * self.unit_words - self.numbers.r)
        return (*self.wide.to_limbs([factor]).ravel().tolist(), rest)

    @property
    def jump_tables(self) -> Table | None:
        """The factors of jumps by digits of `TABLE_BITS` bits."""
        places = ceil(log2(TABLE_STEPS / self.unit) / TABLE_BITS)
        return _jump_tables(self.numbers, self.unit_words, self.wide, places, self.word)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        recurrence, numbers, wide = self.recurrence, self.numbers, self.wide
        number, word = CTYPES[self.value.name] + suffix(width), CTYPES[self.word.name] + suffix(width)
        values = {
            **self._common(prefix, width),
            "r": numbers.r,
            "lag": numbers.s,
            "bits": numbers.bits,
            "word_bits": 8 * self.word.itemsize,
            "counts": recurrence.counts_positions,
            "discarded": recurrence.block - recurrence.used,
            "values_of_block": recurrence.values_of_block,
            "split": recurrence.split,
            "shift": recurrence.part.shift,
            "part": recurrence.part.bits,
            "convert": (lambda x: x) if number == word else (lambda x: f"convert_{number}({x})"),
        }
        jumps = {
            "limbs": wide.limbs,
            "unit": self.unit,
            "unit_words": self.unit_words,
            "pieces": _pieces,
            "digit_of": lambda name, i: _digit(name, i, numbers.bits, wide.limbs, CTYPES[self.word.name]),
            "limb": lambda name, k, shift: _limb(name, k, shift, wide.limbs),
            "doublings": _doublings(numbers),
            "product": render("generators/wide_product.cl.mako", p=prefix, **wide.template_values),
            "digit_bits": self._digit_bits,
            "table_bits": TABLE_BITS,
            "powers": self._powers() if width == 1 else [],
        }
        step = render("generators/subtract_with_carry.cl.mako", **values)
        return step + render("generators/carry_jumps.cl.mako", **values, **jumps)

    @property
    def _digit_bits(self) -> int:
        return DIGIT_BITS if self.wide.limbs < LIMBS_OF_FEW_POWERS else FEW_DIGIT_BITS

    def _powers(self) -> list[int]:
        """Return the limbs of the factors of jumps of a program, one after another."""
        bits = self._digit_bits
        places = ceil(log2(2**64 / self.unit) / bits)
        found: list[int] = _factors(self.numbers, self.unit_words, self.wide, bits, places).ravel().tolist()
        return found


@lru_cache(maxsize=8)
def _factors(numbers: CarryNumbers, unit_words: int, wide: WideModulus, digit_bits: int, places: int) -> Any:
    """Return the limbs in rows of the factors of jumps over d 2^(digit_bits j) units, one place after another.

    Those of the first place also go back over the words of a state.
    """
    found, base = [], numbers.factor(unit_words)
    for place in range(places):
        power = 1 if place else numbers.factor(-numbers.r)
        for _ in range(1 << digit_bits):
            found.append(power)
            power = power * base % wide.value
        base = pow(base, 1 << digit_bits, wide.value)
    return np.ascontiguousarray(wide.to_limbs(found).T)


@lru_cache(maxsize=8)
def _jump_tables(numbers: CarryNumbers, unit_words: int, wide: WideModulus, places: int, word: np.dtype[Any]) -> Table:
    return Table(_factors(numbers, unit_words, wide, TABLE_BITS, places).astype(word))


def _doublings(numbers: CarryNumbers) -> list[int]:
    """Return shifts w s, 2 w s, 4 w s, ... such that the products of 1 + 2^shift are 1 / (1 - 2^(w s)) mod 2^(w r)."""
    shift, found = numbers.bits * numbers.s, []
    while shift < numbers.bits * numbers.r:
        found.append(shift)
        shift *= 2
    return found


def _limb(name: str, k: int, shift: int, limbs: int) -> str:
    """Return limb k of the array `name`, of so many limbs, shifted to the right, or where negative to the left.

    Shifts of 32 bits, put together, would become a function of LLVM that Oclgrind does not know.
    """
    whole, some = divmod(k * LIMB_BITS + shift, LIMB_BITS)
    low, high = (f"{name}[{i}]" if 0 <= i < limbs else "0u" for i in (whole, whole + 1))
    return f"(uint)(upsample({high}, {low}) >> {some})" if some else low


def _digit(name: str, i: int, bits: int, limbs: int, word: str) -> str:
    """Return digit i, of `bits` bits, of the number whose limbs are the array `name`, as a word."""
    if word == "uint":
        mask = "" if bits == LIMB_BITS else f" & {(1 << bits) - 1}u"
        return f"{_limb(name, 0, i * bits, limbs)}{mask}"
    return _pieces(i, bits, LIMB_BITS, limbs, lambda k: f"{name}[{k}]", word)


def _pieces(k: int, bits: int, given_bits: int, given: int, name: Callable[[int], str], word: str) -> str:
    """Return the expression of digit k, of `bits` bits, of the number whose `given` digits have `given_bits` bits.

    `name` gives the expression of such a digit, and `word` is the type of the result.
    """
    begin, end = k * bits, (k + 1) * bits
    parts = []
    for i in range(begin // given_bits, min(-(-end // given_bits), given)):
        place = i * given_bits - begin
        parts.append(f"({word})({name(i)} >> {-place})" if place < 0 else f"({word}){name(i)} << {place}")
    mask = "" if bits in (32, 64) else f" & {(1 << bits) - 1}{'u' if word == 'uint' else 'UL'}"
    return f"({' | '.join(parts)}){mask}"
