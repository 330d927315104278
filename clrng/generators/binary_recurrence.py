"""Recurrences over GF(2): a step takes the bits of a few words to sums of these bits."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache, lru_cache, partial, reduce
from operator import xor
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng.distributions import Table
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.maths import gf2
from clrng.generators.parameters import Attribute
from clrng.opencl.templates import render


class BinaryRecurrence(BitGenerator):
    """A bit generator whose words, all but that of a Weyl sequence at the end if there is one, have a linear step.

    `linear_order` is the number of words of the state without a Weyl sequence, `linear_period` the number of steps
    before these come again, `increment` what the Weyl sequence goes up by, 0 where there is none.
    """

    linear_order: int
    linear_period: int
    increment: int = cast("int", Attribute("What the Weyl sequence goes up by; 0 where there is none."))
    _increment: int = 0

    @property
    def powers(self) -> gf2.Powers:
        """The powers of the step of the words without a Weyl sequence."""
        return _powers(type(self))

    @abstractmethod
    def linear_step(self, words: Any) -> Any:
        """Return the words after `words`, without a Weyl sequence; each may be an array, of many states."""

    @property
    def order(self) -> int:  # noqa: D102  # as inherited
        return self.linear_order + (self._increment > 0)

    @property
    def period(self) -> int:  # noqa: D102  # as inherited
        return self.linear_period * (self._modulus if self._increment else 1)

    def _weyl_after(self, words: Words, n: int) -> Words:
        return ((words[-1] + n * self._increment) % self._modulus,) if self._increment else ()

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return (*self.linear_step(words[: self.linear_order]), *self._weyl_after(words, 1))

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        linear = self.powers.after(words[: self.linear_order], n % self.linear_period)
        return (*linear, *self._weyl_after(words, n))

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        found, linear = states.copy(), states[:, : self.linear_order]
        found[:, : self.linear_order] = self.powers.all_after(linear, n % self.linear_period)
        if self._increment:
            found[:, -1] += states.dtype.type(n * self._increment % self._modulus)
        return found


@cache
def _powers(kind: type[BinaryRecurrence]) -> gf2.Powers:
    """Return the powers of the step of a class without parameters; bits of the xor of all words have its polynomial."""
    bits, degree = kind.__new__(kind), kind.linear_period.bit_length()
    first = bits.made_legal(np.full((1, kind.linear_order), 2**31, bits.word_dtype))[0].tolist()
    return gf2.Powers.of_step(bits.linear_step, tuple(first), partial(reduce, xor), degree, bits.word_dtype)


PLACES, TABLE_PLACES = 16, 10
"""The hexadecimal digits of the jumps in a program, of 64 bits, and of those by tables, of less than 2^40 steps."""

SHORT, LONG = 16, 32
"""Bytes of a state. To the first, tables of jumps are small, and fills are faster on a GPU in small work-groups; beyond
the second they are large, and fills are faster where the work-items of a group share what they read."""


class BinaryRecurrenceCode(GeneratorCode):
    """A linear step of a few words over GF(2); a stride is the columns of a matrix.

    `linear`: the words of the state without a Weyl sequence. `state_bytes`: their bytes. `folded`: whether these are a
    single one of 32 bits, of which the 32 matrices of all jumps are constants of a program.
    """

    recurrence: BinaryRecurrence
    fill_strategy = "blocks"

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self.linear = self.recurrence.linear_order
        self.state_bytes = self.linear * self.word.itemsize
        self.folded = self.state_bytes == 4  # noqa: PLR2004  # bytes

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        recurrence = self.recurrence
        weyl = (n * recurrence.increment % recurrence.modulus,) if recurrence.increment else ()
        return (*recurrence.powers.columns(n % recurrence.linear_period).ravel().tolist(), *weyl)

    @property
    def table_row(self) -> int:
        """The words of a row of the tables of jumps, a power of two."""
        return 1 << (self.linear - 1).bit_length()

    @property
    def jump_tables(self) -> Table | None:
        """The tables of jumps by d 16^j steps, for which constants would be too many; None where `folded`."""
        return None if self.folded else _jump_tables(self.recurrence.powers, self.table_row)

    @property
    def in_small_groups(self) -> bool:  # noqa: D102  # as inherited
        return not self.folded and self.state_bytes <= SHORT

    @property
    def jumps_by_groups(self) -> bool:  # noqa: D102  # as inherited
        return self.state_bytes > LONG

    @property
    def powers(self) -> Sequence[Sequence[int]]:
        """The jumps of a program: matrices of 2^j steps where `folded`, else polynomials of d 16^j steps."""
        if self.folded:
            return [self.stride(2**j) for j in range(32)]
        return _polynomials(self.recurrence.powers)

    @property
    def constant_bytes(self) -> int:  # noqa: D102  # as inherited
        return 4 * sum(map(len, self.powers))

    @abstractmethod
    def step(self, values: dict[str, Any]) -> str:
        """Return the state and the step, from the values that all templates take."""

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        word_bits = 8 * self.word.itemsize
        values = {
            **self._common(prefix, width),
            "linear": self.linear,
            "increment": self.recurrence.increment,
            "word_bits": word_bits,
            "degree": self.recurrence.powers.degree,
            "folded": self.folded,
            "powers": self.powers if width == 1 else [],
            "table_row": self.table_row,
            "table_words": self.linear * word_bits // 4 * 16 * self.table_row,
        }
        return self.step(values) + render("generators/binary_jumps.cl.mako", **values)


@lru_cache(maxsize=8)
def _polynomials(powers: gf2.Powers) -> list[tuple[int, ...]]:
    """Return the polynomials of jumps by d 16^j steps, each as words of 32 bits, the lowest first."""
    weights = [powers.weights(digit << 4 * place) for place in range(PLACES) for digit in range(1, 16)]
    words = range(0, powers.degree, 32)
    return [tuple(number >> place & 2**32 - 1 for place in words) for number in weights]


@lru_cache(maxsize=8)
def _jump_tables(powers: gf2.Powers, row: int) -> Table:
    """Return the tables of jumps by d 16^j steps, shape (places * 15, groups, 16, row), for every four bits."""
    count, order = powers.columns(0).shape
    found = np.zeros((15 * TABLE_PLACES, count // 4, 16, row), powers.columns(0).dtype)
    for i, table in enumerate(found):
        columns = powers.columns(i % 15 + 1 << 4 * (i // 15)).reshape(count // 4, 4, order)
        for bit in range(4):
            table[:, 1 << bit : 2 << bit, :order] = table[:, : 1 << bit, :order] ^ columns[:, bit, None]
    return Table(found)
