"""Marsaglia's xorshift generators of 32 bits."""

from collections.abc import Callable
from typing import Any

from clrng import validation
from clrng.generators.base import argument
from clrng.generators.xorshift import XorShift, characteristic
from clrng.validation import shown

BITS = 32
PERIOD = 2**32 - 1

Shifts = tuple[int, int, int]


class XorShift32(XorShift):
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
    period is 2^32 - 1 from every state but 0 if and only if the characteristic polynomial of T is primitive, which the
    primes of 2^32 - 1, 3, 5, 17, 257 and 65537, tell. A jump of n multiplies by T^n, with n modulo the period, and
    takes O(log n). Each bit of the values has a linear recurrence of order 32, which tests of linear complexity and of
    the ranks of binary matrices find.

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

    def __init__(self, seed: int, shifts: Shifts = (13, 17, 5)) -> None:
        self._set(argument, state=seed, shifts=shifts)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        word = validation.integer(name("state"), values["state"], 1, PERIOD)
        a, b, c = _checked(name("shifts"), values["shifts"])
        self._take((1, 1, 1), (a, -b, c), BITS, 0, (word,))

    def __repr__(self) -> str:
        return f"XorShift32(seed={self.word}, shifts={self.shifts})"

    @property
    def word(self) -> int:
        """The current state."""
        return self._words[0]

    @property
    def shifts(self) -> Shifts:
        """The shifts a, b and c."""
        a, b, c = self._shifts
        return a, -b, c

    def _values(self) -> dict[str, Any]:
        return {"shifts": list(self.shifts), "state": self.word}

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited; they are short
        a, b, c = self.shifts
        return f"y ^= y << {a}, y ^= y >> {b}, y ^= y << {c}"


def has_full_period(shifts: Shifts) -> bool:
    """Return whether a state of these shifts, each from 1 to 31, comes again after 2^32 - 1 steps and not before."""
    a, b, c = shifts
    return characteristic((1, 1, 1), (a, -b, c), BITS) is not None


def _checked(name: str, value: Any) -> Shifts:
    if not validation.is_sequence(value) or len(value) != 3:  # noqa: PLR2004  # a, b and c
        raise TypeError(f"{name} must be three integers, not {shown(value)}")
    a, b, c = (validation.integer(f"{name}[{i}]", shift, 1, BITS - 1) for i, shift in enumerate(value))
    if not has_full_period((a, b, c)):
        raise ValueError(f"{name} must be three whose period is 2^32 - 1, such as (13, 17, 5), not {(a, b, c)}")
    return a, b, c
