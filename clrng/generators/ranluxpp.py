"""RANLUX++: RANLUX of a high luxury level, as the linear congruential generator that it is."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions import Table
from clrng.generators.base import BitGenerator, Words
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.maths.carry_numbers import CarryNumbers
from clrng.generators.parameters import constant
from clrng.opencl.templates import joined, render

NUMBERS = CarryNumbers(24, 10, 24)
"""The numbers of the states of RANLUX, modulo m = 2^576 - 2^240 + 1."""

M = NUMBERS.modulus
SKIPPED = 2048
"""The steps of RANLUX in a step of the state."""

MULTIPLIER = NUMBERS.factor(SKIPPED)
STATES = 2**225 * (2**336 - 1) // 3
"""The number of states before one comes again: the order of the multiplier."""

PIECES, PIECE_BITS = 12, 48
"""The values of a state, and the bits of each."""

LIMBS = 9
"""Words of 64 bits in a state."""

SEED_DISTANCE = 2**96
"""How many states lie between those of neighbouring seeds."""

MOST = 2**64 - 1


class RANLUXpp(BitGenerator):
    """RANLUX++ as in ROOT: x' = a x mod m with m = 2^576 - 2^240 + 1 and a = 2^(-24 * 2048) mod m.

    A number x stands for 24 words of RANLUX, the digits of x / m after the point to the base 2^24, and a x for as
    many after 2048 steps of RANLUX. They are the 576 bits of the integer part of 2^576 x / m, which are given out as 12
    values of 48 bits, the lowest first.

    Parameters
    ----------
    seed : int or sequence of 10 int, optional
        A single integer s from 0 to 2^64 - 1 stands for x = a^(2^96 s) mod m, whose lowest value is the first, as in
        ROOT's ``RanluxppEngine2048``. Otherwise the state before the first value: the nine digits of x to the base
        2^64, the lowest first, x from 1 to m - 1; and the number of the value of x that was given out last, from 0 to
        11. By default 314159265, as in ROOT.

    Attributes
    ----------
    modulus : int
        2^64, that of the words.

    Notes
    -----
    The period is 12 times the order of a, 2^225 (2^336 - 1) / 3: about 2^563. A jump multiplies by a power of a, and
    takes O(log n).

    References
    ----------
    A. Sibidanov, "A revision of the subtract-with-borrow random number generators", Computer Physics Communications
    221, 2017, pp. 299-303; J. Hahnfeld and L. Moneta, "A portable implementation of RANLUX++", EPJ Web of Conferences
    251, 2021, 03008.

    Examples
    --------
    >>> import clrng
    >>> clrng.RANLUXpp(seed=314159265).sequence(2).tolist()
    [39378223178113, 160644077475575]
    """

    name = "ranluxpp"
    order: int = LIMBS + 1
    _modulus = 2**64
    word_limits = constant(
        ((0, MOST),) * LIMBS + ((0, PIECES - 1),), "The least and the largest legal value of each word of the state."
    )
    state_count = constant(PIECES * (M - 1), "How many states there are.")
    upper_bound = constant(1 << PIECE_BITS, "2^48.")
    period = constant(PIECES * STATES, "The number of values before the sequence repeats, 12 * 2^225 (2^336 - 1) / 3.")
    _words_are = ", nine digits of x and the number of a value"
    _formula = "x' = 2^(-24·2048) x mod 2^576 - 2^240 + 1, of which the integer part of 2^576 x / m gives 12 values"
    _value_is = "48 of the 576 bits of the integer part of 2^576 x / m, the lowest first"

    def __init__(self, seed: int | Sequence[int] = 314159265) -> None:
        if validation.is_sequence(seed):
            self._set(state=seed)
        else:
            x = pow(MULTIPLIER, SEED_DISTANCE * validation.integer("seed", seed, 0, MOST) - 1, M)
            self._words = (*_digits(x), PIECES - 1)

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        for row, words in enumerate(states.tolist()):
            if not 0 < _number(words) < M:
                return row, "have an x from 1 to m - 1, m = 2^576 - 2^240 + 1, in its first nine words"
        return None

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        *digits, piece = words
        if piece + 1 < PIECES:
            return (*digits, piece + 1)
        return (*_digits(_number(words) * MULTIPLIER % M), 0)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return (_number(words) << NUMBERS.top) // M >> PIECE_BITS * words[LIMBS] & (1 << PIECE_BITS) - 1

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        states, piece = divmod(words[LIMBS] + n, PIECES)
        return (*_digits(_number(words) * power(states) % M), piece)


def power(states: int) -> int:
    """Return the power of the multiplier modulo m that moves a state on by so many states, backwards where negative."""
    return pow(MULTIPLIER, states % STATES, M)


def _number(words: Sequence[int]) -> int:
    """Return the x of a state."""
    return sum(word << 64 * i for i, word in enumerate(words[:LIMBS]))


def _digits(x: int, count: int = LIMBS, bits: int = 64) -> Words:
    """Return the digits of x to the base 2^bits, the lowest first."""
    return tuple(x >> bits * i & (1 << bits) - 1 for i in range(count))


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
    max_vector_width: int = 1  # a state fills the registers of a CPU
    phases = PIECES
    constant_bytes: int = 4 * POWERS * DIGITS

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        states, piece = divmod(n, PIECES)
        return (*_packed(power(states)), piece)

    @property
    def jump_tables(self) -> Table:  # noqa: D102  # as inherited
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
        multiplier=_digits(MULTIPLIER, DIGITS, DIGIT_BITS),
        powers=[_digits(power(1 << j), DIGITS, DIGIT_BITS) for j in range(POWERS)],
        a=f"2^(-24 * {SKIPPED})",
    )


def _packed(x: int) -> tuple[int, ...]:
    """Return the digits of x, two in each word of 64 bits, the lower one first."""
    digits = _digits(x, DIGITS, DIGIT_BITS)
    return tuple(low | high << 32 for low, high in zip(digits[::2], digits[1::2], strict=True))


@cache
def _jump_tables() -> Table:
    """Return the powers by d 16^j states, for d = 1 ... 15."""
    rows: list[Any] = [_packed(power(d << 4 * j)) for j in range(TABLE_PLACES) for d in range(1, 16)]
    return Table(np.array(rows, np.uint64))


FAMILIES = (
    Family(
        generator=RANLUXpp,
        code=RANLUXppCode,
        title="Subtract with carry generators",
        arguments={"seed": 314159265},
        about="RANLUX++, RANLUX of luxury 2048 as a product of 576 bits",
        seeds="0 to 18446744073709551615",
        source="Sibidanov 2017; Hahnfeld and Moneta 2021",
        helps={"seed": "by default 314159265", "state": "ten integers, in place of a seed"},
    ),
)
NAMED = (
    Named("root_ranluxpp", "RanluxppEngine2048 of ROOT, that of TRandomRanluxpp: a raw value is what IntRndm gives, "
          "and Rndm divides it by 2^48",
          "J. Hahnfeld and L. Moneta, A portable implementation of RANLUX++, EPJ Web of Conferences 251, 2021, 03008; "
          "A. Sibidanov, A revision of the subtract-with-borrow random number generators, Computer Physics "
          "Communications 221, 2017, pp. 299-303", (0, 2**64 - 1), RANLUXpp),
)  # fmt: skip
