"""Panneton, L'Ecuyer and Matsumoto's generator WELL512a."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators.base import Words, all_zero
from clrng.generators.binary_recurrence import BinaryRecurrence, BinaryRecurrenceCode
from clrng.generators.maths import gf2
from clrng.generators.maths.gf2 import connection
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

    Raises
    ------
    TypeError
        If `state` is not made of integers.
    ValueError
        If there are not 16, one is out of range, or all are 0.

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

    def __init__(self, state: Sequence[int]) -> None:
        self._set(str, state=state)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        self._words = _checked(name("state"), values["state"])

    def _values(self) -> dict[str, Any]:
        return {"state": list(self._words)}

    def __repr__(self) -> str:
        return f"WELL512a(state={list(self._words)})"

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited; they are short
        return (
            "a = (1 + L^16) v[0] ⊕ (1 + L^15) v[13], b = (1 + R^11) v[9], c = a ⊕ b, "
            f"v' = (1 + L^2) v[15] ⊕ (1 + L^18) a ⊕ L^28 b ⊕ c ⊕ (L^5 c & 0x{TEMPERING:x}), then v = v', c, v[1..14]"
        )

    @property
    def linear_order(self) -> int:  # noqa: D102  # as inherited
        return ORDER

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:
        """Return the first of `states` all of whose words are 0, and what is legal."""
        return all_zero(states)

    @property
    def linear_period(self) -> int:  # noqa: D102  # as inherited
        period: int = 2 ** (32 * ORDER) - 1
        return period

    @property
    def powers(self) -> gf2.Powers:  # noqa: D102  # as inherited
        return _powers()

    def linear_step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        found: Words = stepped(words)
        return found

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return words[0]


def stepped(words: Any) -> Any:
    """Return the words after `words`; each may be an array, of many states."""
    newest, middle, late, oldest = words[0], words[9], words[13], words[15]
    a = newest ^ newest << 16 & MASK ^ late ^ late << 15 & MASK
    b = middle ^ middle >> 11
    c = a ^ b
    value = oldest ^ oldest << 2 & MASK ^ a ^ a << 18 & MASK ^ b << 28 & MASK ^ c ^ c << 5 & TEMPERING
    return (value, c, *words[1:15])


@cache
def _powers() -> gf2.Powers:
    """Return the powers of the step, whose characteristic polynomial each bit of the values has, as it is primitive."""
    first = (1, *[0] * (ORDER - 1))
    states = accumulate(repeat(None, 64 * ORDER), lambda words, _: stepped(words), initial=first)
    return gf2.Powers(stepped, ORDER, np.dtype(np.uint32), connection([words[0] & 1 for words in states]))


def _checked(name: str, values: Any) -> Words:
    """Return `values` if they are the words of a state."""
    validation.sequence(name, values)
    if len(values) != ORDER:
        raise ValueError(f"{name} must be {ORDER} integers, not {len(values)}")
    words = tuple(validation.integer(f"{name}[{i}]", word, 0, MASK) for i, word in enumerate(values))
    if not any(words):
        raise ValueError(f"{name} must have a word other than 0, as all values would be 0, not {list(words)}")
    return words


class WELL512aCode(BinaryRecurrenceCode):
    """Sixteen words, of which a step makes two."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/well512a.cl.mako", **values, tempering=TEMPERING)
