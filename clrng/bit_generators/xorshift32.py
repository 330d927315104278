"""Marsaglia's xorshift generators of 32 bits."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy.typing as npt

from clrng import validation
from clrng.bit_generators.base import Words, argument
from clrng.bit_generators.maths import gf2
from clrng.bit_generators.one_word import OneWord
from clrng.validation import shown

BITS = 32
MODULUS = 2**32
PERIOD = MODULUS - 1
PRIMES = 3, 5, 17, 257, 65537
"""The primes of the period, each of which divides it once."""

Shifts = tuple[int, int, int]


class XorShift32(OneWord):
    """The xorshift generator of 32 bits.

    A step is y ^= y << a, y ^= y >> b, y ^= y << c on words of 32 bits.

    Parameters
    ----------
    seed : int
        The state before the first value, from 1 to 4294967295.
    shifts : (int, int, int), optional
        The shifts a, b and c, each from 1 to 31, by default 13, 17 and 5. Only those are legal that lead from every
        state through all others, as 162 triples do.

    Attributes
    ----------
    modulus : int
        2^32.

    Raises
    ------
    TypeError
        If `seed` is not an integer, or `shifts` is not three integers.
    ValueError
        If one is out of range, or the period of the shifts is not 2^32 - 1.

    Notes
    -----
    A value is the state itself. A step is linear over GF(2): it multiplies the 32 bits of the state by a matrix T. The
    period is 2^32 - 1 from every state but 0 if and only if T^(2^32 - 1) is the identity and T^((2^32 - 1) / q) is not
    for any of the primes q of 2^32 - 1, which are 3, 5, 17, 257 and 65537. A jump of n multiplies by T^n, with n modulo
    the period, and takes O(log n). Each bit of the values has a linear recurrence of order 32, which tests of linear
    complexity and of the ranks of binary matrices find.

    References
    ----------
    G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, whose example ``xor()`` has the default
    shifts and the seed 2463534242.

    Examples
    --------
    >>> import clrng
    >>> clrng.XorShift32(seed=2463534242).sequence(3).tolist()
    [723471715, 2497366906, 2064144800]
    """

    name = "xorshift32"
    consecutive_seeds = True
    _modulus = MODULUS

    def __init__(self, seed: int, shifts: Shifts = (13, 17, 5)) -> None:
        self._set(argument, state=seed, shifts=shifts)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        word = validation.integer(name("state"), values["state"], 1, PERIOD)
        shifts = _checked(name("shifts"), values["shifts"])
        self._shifts, self._words = shifts, (word,)

    def __repr__(self) -> str:
        return f"XorShift32(seed={self.word}, shifts={self._shifts})"

    @property
    def shifts(self) -> Shifts:
        """The shifts a, b and c."""
        return self._shifts

    def _values(self) -> dict[str, Any]:
        return {"shifts": list(self._shifts), "state": self.word}

    @property
    def word_limits(self) -> list[tuple[int, int]]:
        """The least and the largest legal state."""
        return [(1, PERIOD)]

    @property
    def period(self) -> int:
        """The number of values before the sequence repeats, 2^32 - 1: every number but 0 occurs once."""
        return PERIOD

    def power(self, n: int) -> gf2.Matrix:
        """Return the columns of the matrix of `n` steps, of any number of them; a negative `n` is backwards."""
        return gf2.power(doublings(self._shifts), n % PERIOD)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited; they are short
        a, b, c = self._shifts
        return f"y ^= y << {a}, y ^= y >> {b}, y ^= y << {c}"

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return (stepped(words[0], self._shifts),)

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        word, n = words[0], n % PERIOD
        for bit, matrix in enumerate(doublings(self._shifts)):
            if n >> bit & 1:
                word = gf2.mapped(matrix, word)
        return (word,)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return gf2.mapped_all(self.power(n), states)


def stepped(y: int, shifts: Shifts) -> int:
    """Return the state after `y`."""
    a, b, c = shifts
    y ^= y << a & PERIOD
    y ^= y >> b
    return y ^ (y << c & PERIOD)


@lru_cache(maxsize=256)
def doublings(shifts: Shifts) -> tuple[gf2.Matrix, ...]:
    """Return the matrices of 1, 2, 4, ..., 2^31 steps."""
    return gf2.doublings(tuple(stepped(1 << j, shifts) for j in range(BITS)), BITS)


@lru_cache(maxsize=256)
def has_full_period(shifts: Shifts) -> bool:
    """Return whether a state of these shifts, each from 1 to 31, comes again after 2^32 - 1 steps and not before."""
    powers, one = doublings(shifts), gf2.identity(BITS)
    return gf2.power(powers, PERIOD) == one and all(gf2.power(powers, PERIOD // q) != one for q in PRIMES)


def _checked(name: str, value: Any) -> Shifts:
    if not isinstance(value, (tuple, list)) or len(value) != 3:  # noqa: PLR2004  # a, b and c
        raise TypeError(f"{name} must be three integers, not {shown(value)}")
    a, b, c = (validation.integer(f"{name}[{i}]", shift, 1, BITS - 1) for i, shift in enumerate(value))
    if not has_full_period((a, b, c)):
        raise ValueError(f"{name} must be three whose period is 2^32 - 1, such as (13, 17, 5), not {(a, b, c)}")
    return a, b, c
