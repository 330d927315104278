"""Park and Miller's minimal standard generator, x' = a x mod 2^31 - 1."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation

MODULUS = 2**31 - 1
ORDER_PRIMES = (2, 3, 7, 11, 31, 151, 331)
"""The prime factors of MODULUS - 1, the number of states."""


class ParkMiller:
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
    >>> ParkMiller(seed=1).sequence(5).tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    """

    name = "park_miller"
    modulus = MODULUS

    def __init__(self, seed: int, multiplier: int = 16807) -> None:
        self._word = validation.integer("seed", seed, 1, MODULUS - 1)
        self._multiplier = validation.integer("multiplier", multiplier, 1, MODULUS - 1)

    def __repr__(self) -> str:
        return f"ParkMiller(seed={self._word}, multiplier={self._multiplier})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ParkMiller) and self.state == other.state

    __hash__ = None  # type: ignore[assignment]  # mutable: the state moves

    @property
    def multiplier(self) -> int:
        """The multiplier a."""
        return self._multiplier

    @property
    def word(self) -> int:
        """The current state, from 1 to 2147483646."""
        return self._word

    @property
    def state(self) -> dict[str, Any]:
        """The whole state as a dictionary of plain values; assign one to restore it.

        Raises
        ------
        TypeError
            On assignment, if it is not a mapping or a value in it is not an integer.
        ValueError
            On assignment, if a key is missing or unknown, it is of another generator, or a value is out of range.
        """
        return {"bit_generator": "ParkMiller", "multiplier": self._multiplier, "state": self._word}

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        if not isinstance(value, Mapping):
            raise TypeError(f"state must be a dictionary as the attribute gives it, not {value!r}")
        if set(value) != set(self.state):
            raise ValueError(f"state must have the keys {sorted(self.state)}, not {sorted(map(str, value))}")
        if value["bit_generator"] != "ParkMiller":
            raise ValueError(f"state['bit_generator'] must be 'ParkMiller', not {value['bit_generator']!r}")
        multiplier = validation.integer("state['multiplier']", value["multiplier"], 1, MODULUS - 1)
        word = validation.integer("state['state']", value["state"], 1, MODULUS - 1)
        self._multiplier, self._word = multiplier, word

    @property
    def period(self) -> int:
        """The number of values before the sequence repeats: the order of the multiplier modulo 2^31 - 1."""
        order = MODULUS - 1
        for prime in ORDER_PRIMES:
            while order % prime == 0 and pow(self._multiplier, order // prime, MODULUS) == 1:
                order //= prime
        return order

    def stride(self, n: int) -> int:
        """Return the multiplier of `n` steps at once, a^n mod m.

        Parameters
        ----------
        n : int
            The number of steps; negative is backwards.
        """
        return pow(self._multiplier, n % (MODULUS - 1), MODULUS)

    def after(self, word: int, n: int) -> int:
        """Return the state `n` steps after the state `word`; negative is backwards."""
        return word * self.stride(n) % MODULUS

    def advance(self, delta: int) -> "ParkMiller":
        """Move on by `delta` values, as if they had been drawn, in O(log delta).

        Parameters
        ----------
        delta : int
            The number of values, 0 or more, of any size.

        Returns
        -------
        ParkMiller
            This generator itself.

        Raises
        ------
        TypeError
            If `delta` is not an integer.
        ValueError
            If `delta` is negative.
        """
        self._word = self.after(self._word, validation.integer("delta", delta, 0, None))
        return self

    def jumped(self, delta: int) -> "ParkMiller":
        """Return a new generator `delta` values further on; this one stays where it is.

        Parameters
        ----------
        delta : int
            The number of values, 0 or more, of any size.

        Raises
        ------
        TypeError
            If `delta` is not an integer.
        ValueError
            If `delta` is negative.
        """
        return ParkMiller(self._word, self._multiplier).advance(delta)

    def sequence(self, n: int) -> npt.NDArray[np.uint32]:
        """Return the next `n` values from the plain sequential recurrence; the state stays where it is.

        This is the reference that every device is compared with: slow, and plain to read.

        Parameters
        ----------
        n : int
            The number of values, 0 or more.

        Returns
        -------
        ndarray of uint32, shape (n,)

        Raises
        ------
        TypeError
            If `n` is not an integer.
        ValueError
            If `n` is negative.
        """
        n = validation.integer("n", n, 0, None)
        values = np.empty(n, np.uint32)
        x = self._word
        for i in range(n):
            x = self._multiplier * x % MODULUS
            values[i] = x
        return values
