"""Park and Miller's minimal standard generator, x' = a x mod 2^31 - 1."""

from collections.abc import Callable
from typing import Any

from clrng import validation
from clrng.generators.base import argument
from clrng.generators.lcg import LCG

MODULUS = 2**31 - 1


class ParkMiller(LCG):
    """The multiplicative congruential generator x' = a x mod (2^31 - 1).

    Parameters
    ----------
    seed : int
        The state before the first value, from 1 to 2147483646.
    multiplier : int, optional
        The multiplier a, from 1 to 2147483646. The default, 16807, is the minimal standard of 1988;
        48271 is its authors' later choice (1993).

    Attributes
    ----------
    modulus : int
        2147483647, a prime.

    Raises
    ------
    TypeError
        If `seed` or `multiplier` is not an integer.
    ValueError
        If `seed` or `multiplier` is out of range.

    Notes
    -----
    A value is the state itself: after seed x_0 comes x_1 = a x_0 mod m, and a value lies between 1 and m - 1. For
    a primitive root such as 16807 the period is m - 1, so every one of them occurs once. The state n steps on is
    x_n = a^n x_0 mod m, reached in O(log n).

    References
    ----------
    S. K. Park and K. W. Miller, "Random number generators: good ones are hard to find", Communications of the
    ACM 31(10), 1988, pp. 1192-1201; and "Remarks on choosing and implementing random number generators",
    ibid. 36(7), 1993, pp. 105-110.

    Examples
    --------
    >>> import clrng
    >>> clrng.ParkMiller(seed=1).sequence(5).tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    """

    name = "park_miller"

    def __init__(self, seed: int, multiplier: int = 16807) -> None:
        self._set(argument, multiplier=multiplier, state=seed)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        word = validation.integer(name("state"), values["state"], 1, MODULUS - 1)
        multiplier = validation.integer(name("multiplier"), values["multiplier"], 1, MODULUS - 1)
        self._take(multiplier, 0, MODULUS, None, word)

    def __repr__(self) -> str:
        return f"ParkMiller(seed={self.word}, multiplier={self.multiplier})"

    def _values(self) -> dict[str, Any]:
        return {"multiplier": self.multiplier, "state": self.word}
