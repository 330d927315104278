"""Panneton, L'Ecuyer and Matsumoto's generator WELL512a."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt

from clrng.generators.base import Words, first_bad
from clrng.generators.binary_recurrence import BinaryRecurrence, BinaryRecurrenceCode
from clrng.generators.family import Family, Named
from clrng.opencl.templates import render

ORDER = 16
MASK = 2**32 - 1
TEMPERING = 0xDA442D24
"""The bits that the last matrix of the recurrence lets through, as corrected in the errata of the paper."""


class WELL512a(BinaryRecurrence):
    """The generator WELL512a, well equidistributed long-period linear, of 16 words of 32 bits.

    Parameters
    ----------
    state : sequence of 16 int
        The words v[0] to v[15], from 0 to 4294967295, not all 0. They are those that the authors' C program takes: the
        array of ``InitWELLRNG512a``, from which its index 0 begins. v[0] is the newest word, which is the last value,
        and v[15] the oldest one; v[1] has become another word since it was a value. A C program that has gone on has
        v[j] in its ``STATE[(state_i + j) % 16]``.

    See Also
    --------
    clrng.named : ``"well512a"``, whose seed is the whole state, and ``"commons_math_well512a"``.

    Notes
    -----
    A step makes two words, with << and >> for shifts within 32 bits: a = v[0] ^ (v[0] << 16) ^ v[13] ^ (v[13] << 15),
    b = v[9] ^ (v[9] >> 11) and c = a ^ b, then the value v' = v[15] ^ (v[15] << 2) ^ a ^ (a << 18) ^ (b << 28) ^ c ^
    ((c << 5) & 0xda442d24). The words are then v', c, v[1], ..., v[14].

    The period is 2^512 - 1: the characteristic polynomial of a step, which is linear over GF(2), is primitive. A
    jump takes O(log n), as that of `XorShift`. Of the coefficients of the polynomial 225 are 1, so that states with
    few bits soon lead to others. The values are maximally equidistributed: over the period, the first l bits of
    floor(512 / l) successive values take all their values equally often, for every l. Every bit has a linear
    recurrence, which tests of linear complexity and of the ranks of binary matrices find.

    References
    ----------
    F. Panneton, P. L'Ecuyer and M. Matsumoto, "Improved long-period generators based on linear recurrences modulo 2",
    ACM Transactions on Mathematical Software 32(1), 2006, pp. 1-16, and its errata.

    Examples
    --------
    >>> import clrng
    >>> clrng.WELL512a([1] * 16).sequence(3).tolist()
    [268435492, 278135812, 2450784260]
    """

    name = "well512a"
    _modulus = 2**32

    linear_order = ORDER
    linear_period = 2 ** (32 * ORDER) - 1

    def __init__(self, state: Sequence[int]) -> None:
        self._set(state=state)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited; they are short
        return (
            "a = (1 + L^16) v[0] ⊕ (1 + L^15) v[13], b = (1 + R^11) v[9], c = a ⊕ b, "
            f"v' = (1 + L^2) v[15] ⊕ (1 + L^18) a ⊕ L^28 b ⊕ c ⊕ (L^5 c & 0x{TEMPERING:x}), then v = v', c, v[1..14]"
        )

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        return "the newest word, v[0]"

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        return first_bad(~states.any(axis=1), "have a word other than 0, as all values would be 0")

    def linear_step(self, words: Any) -> Any:  # noqa: D102  # as inherited
        newest, middle, late, oldest = words[0], words[9], words[13], words[15]
        a = newest ^ newest << 16 & MASK ^ late ^ late << 15 & MASK
        b = middle ^ middle >> 11
        c = a ^ b
        value = oldest ^ oldest << 2 & MASK ^ a ^ a << 18 & MASK ^ b << 28 & MASK ^ c ^ c << 5 & TEMPERING
        return (value, c, *words[1:15])

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return words[0]


class WELL512aCode(BinaryRecurrenceCode):
    """Sixteen words, of which a step makes two."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/well512a.cl.mako", **values, tempering=TEMPERING)


FAMILIES = (
    Family(
        generator=WELL512a,
        code=WELL512aCode,
        title="WELL generators",
        arguments={"state": [123456789 * k % 2**32 for k in range(1, 17)]},
    ),
)

PANNETON = (
    "F. Panneton, P. L'Ecuyer and M. Matsumoto, Improved long-period generators based on linear recurrences modulo 2, "
    "ACM Transactions on Mathematical Software 32(1), 2006, pp. 1-16"
)


def _commons_math(seed: int) -> WELL512a:
    """Return what ``setSeed`` of Commons Math makes, which shifts signed integers of 32 bits."""
    words = [seed]
    for i in range(1, ORDER):
        word = words[-1] - (words[-1] >> 31 << 32)
        words.append((1812433253 * (word ^ word >> 30) + i) % 2**32)
    return WELL512a(words)


NAMED = (
    Named("well512a", "Panneton, L'Ecuyer and Matsumoto's WELL512a; the digits of the seed to the base 2^32, the "
          "lowest first, are the 16 words that their InitWELLRNG512a takes", PANNETON, (1, 2**512 - 1),
          lambda seed: WELL512a([seed >> 32 * i & MASK for i in range(ORDER)])),
    Named("commons_math_well512a", "Well512a of Apache Commons Math from an int, whose 32 bits are the seed; its "
          "nextInt() gives values of 2^31 and more less 2^32", f"{PANNETON}; Apache Commons Math 3.6.1, Well512a",
          (0, 2**32 - 1), _commons_math),
)  # fmt: skip
