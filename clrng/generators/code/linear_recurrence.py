"""General linear recurrences on a device."""

from functools import lru_cache
from typing import Any, NamedTuple

from clrng.generators import BitGenerator, LinearRecurrence
from clrng.generators.code import modular
from clrng.generators.code.arithmetic import ARITHMETICS, Arithmetic
from clrng.generators.code.base import CTYPES, GeneratorCode, ValueTable
from clrng.generators.code.double_sums import double_sum, why_no_double_sum
from clrng.generators.code.yarn import root_powers, yarn_value
from clrng.generators.maths.polynomials import Polynomial, PowersOfX
from clrng.opencl.templates import render

SMALL_ORDER = 8
"""The largest order whose steps are unrolled and whose weights come with their quotients."""

TABLE_ORDER = 4
"""The largest order whose jumps go by hexadecimal digits, not by bits."""


class ShortSum(NamedTuple):
    """A sum of products that fits 64 bits and takes a single reduction.

    Attributes
    ----------
    terms : list of (int, int)
        The index of a word of state, the oldest 0, and the balanced coefficient.
    constant : int
        What is added: the constant, and what the complements of words with negative coefficients have too much.
    drop, reciprocal, shift : int
        The quotient of a sum t is (t >> drop) * reciprocal >> shift, or one more.
    """

    terms: list[tuple[int, int]]
    constant: int
    drop: int
    reciprocal: int
    shift: int


def short_sum(recurrence: LinearRecurrence) -> ShortSum | None:
    """Return the numbers of the sum of `recurrence` in 64 bits, or None if it does not fit or needs no reduction.

    Notes
    -----
    A word x with a negative coefficient -a is taken as a (m - 1 - x), which is a (m - 1) too much. The quotient
    computed falls short of t/m by less than 2^drop/m for the bits dropped, 2^(32 - shift) for the rounded reciprocal,
    and 1 for its own rounding down; where the first two make at most 1, a single subtraction is left to do.
    """
    m, p = recurrence.modulus, recurrence.order
    if m > 2**32 or modular.is_power_of_two(m):
        return None
    terms = [(p - j, a - m if a > m // 2 else a) for j, a in enumerate(recurrence.coefficients, 1) if a]
    constant = (recurrence.constant + sum(a * (m - 1) for _, a in terms if a < 0)) % m
    largest = (m - 1) * sum(abs(a) for _, a in terms) + constant
    drop = max(largest.bit_length() - 32, 0)
    shift = m.bit_length() + 31 - drop
    if largest >= 2**64 or shift < 32 or 2**drop * 2 ** (shift - 32) + m > m * 2 ** (shift - 32):  # noqa: PLR2004
        return None
    return ShortSum(terms, constant, drop, 2 ** (drop + shift) // m, shift)


class LinearRecurrenceCode(GeneratorCode):
    """A linear recurrence, its sums in integers or, where they are small enough, in double precision."""

    recurrence: LinearRecurrence
    fill_strategy = "blocks"
    fastest_first = ("double", "integer", *ARITHMETICS)

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self.degree = self.recurrence.jumps.degree
        self.small = self.order <= SMALL_ORDER
        self.digit_bits = 4 if self.order <= TABLE_ORDER else 1
        root, bits = self.recurrence.yarn, 8 * self.word.itemsize
        self._root_powers = root_powers(root, self.recurrence.modulus, bits) if root else []

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: D102  # as inherited
        if arithmetic.name == "double" and isinstance(recurrence, LinearRecurrence):
            return why_no_double_sum(recurrence)
        return super().why_not(arithmetic, recurrence)

    @property
    def max_vector_width(self) -> int:
        """The longest vector; large orders have none, as they would not fit the registers of a CPU."""
        return super().max_vector_width if self.small else 1

    @property
    def value_table(self) -> ValueTable | None:  # noqa: D102  # as inherited
        size = len(self._root_powers)
        return ValueTable("root_powers", CTYPES[self.word.name], size) if size else None

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return self._weights(self.recurrence.jumps.power(n))

    def _weights(self, polynomial: Polynomial) -> tuple[int, ...]:
        return _weights(polynomial, self.recurrence.modulus if self.small else None)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        m = self.recurrence.modulus
        numbers = {
            **self._common(prefix, width),
            "z": f"{prefix}z_",
            "coefficients": [(self.order - j, modular.factor(m, a))
                             for j, a in enumerate(self.recurrence.coefficients, 1) if a],
            "constant": modular.factor(m, self.recurrence.constant) if self.recurrence.constant else None,
            "degree": self.degree,
            "quotients": self.small and not modular.is_power_of_two(m),
            "digit_bits": self.digit_bits,
            "powers": _powers(self.recurrence.jumps, self.digit_bits, m if self.small else None) if width == 1 else (),
            "weight_words": len(self.stride(0)),
            "yarn": self.recurrence.yarn,
        }  # fmt: skip
        product = {**modular.values(m, affine=False), "p": f"{prefix}z_", "step": None, "called": not self.small}
        parts = [render(modular.template(m), **{**numbers, **product})]
        parts.append(self._sum(numbers))
        parts.append(render("generators/linear_recurrence.cl.mako", **numbers))
        if self.recurrence.yarn:
            parts.append(yarn_value(self.recurrence.yarn, m, self._root_powers, numbers))
        return "".join(parts)

    def _sum(self, numbers: dict[str, Any]) -> str:
        if self.arithmetic.name == "double":
            return render("arithmetic/sum_double.cl.mako", **numbers, sum=double_sum(self.recurrence))
        short = short_sum(self.recurrence)
        if short is not None:
            return render("arithmetic/sum_short.cl.mako", **numbers, sum=short)
        return render("arithmetic/sum_modular.cl.mako", **numbers)


def _weights(polynomial: Polynomial, modulus: int | None) -> tuple[int, ...]:
    """Return the weights of a jump, and with a modulus the quotients that go with them."""
    if modulus is None:
        return tuple(polynomial)
    return tuple(word for weight in polynomial for word in modular.factor(modulus, weight))


@lru_cache(maxsize=8)
def _powers(jumps: PowersOfX, digit_bits: int, modulus: int | None) -> list[tuple[int, ...]]:
    """Return the weights of the jumps by d 2^(b j), for the digits d = 1 ... 2^b - 1 of each of 64/b places j."""
    digits, places = range(1, 2**digit_bits), range(0, 64, digit_bits)
    return [_weights(jumps.power(digit << place), modulus) for place in places for digit in digits]
