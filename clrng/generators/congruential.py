"""Linear congruential generators, x' = (a x + c) mod m, and Park and Miller's minimal standard among them."""

from collections.abc import Callable
from math import gcd
from typing import Any, TypeGuard

import numpy.typing as npt

from clrng import validation
from clrng.generators import modular
from clrng.generators.arithmetic import MODULUS, Arithmetic
from clrng.generators.base import LARGEST_MODULUS, BitGenerator, Output, Words, argument, checked_output
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.maths.number_theory import exponent, factors, mapped
from clrng.opencl.templates import render


class LCG(BitGenerator):
    """The linear congruential generator x' = (a x + c) mod m.

    Parameters
    ----------
    multiplier : int
        The multiplier a, from 1 to m - 1.
    increment : int
        The increment c, from 0 to m - 1.
    modulus : int
        The modulus m, from 2 to 2^64.
    seed : int
        The state before the first value, from 0 to m - 1. It must not be 0 where c is 0, unless a and m have a factor
        in common, which brings states to 0.
    output : (int, int), optional
        The shift and the number of bits of an output that shows only a part of the state, as many libraries have:
        the value is floor(x / 2^shift) mod 2^bits. By default a value is the state itself.

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If one is out of range.

    See Also
    --------
    clrng.named : the generators of libraries and books by name.

    Notes
    -----
    A value is made of the state after a step: after seed x_0 comes x_1. The state n steps on is
    x_n = a^n x_0 + c (a^n - 1) / (a - 1) mod m, reached in O(log n).

    References
    ----------
    D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., section 3.2.1, Addison-Wesley, 1997.

    Examples
    --------
    >>> import clrng
    >>> clrng.LCG(1664525, 1013904223, 2**32, seed=0).sequence(3).tolist()
    [1013904223, 1196435762, 3519870697]
    """

    name = "lcg"
    consecutive_seeds = True

    def __init__(
        self, multiplier: int, increment: int, modulus: int, seed: int, output: tuple[int, int] | None = None
    ) -> None:
        self._set(argument, multiplier=multiplier, increment=increment, modulus=modulus, state=seed, output=output)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        m = validation.integer(name("modulus"), values["modulus"], 2, LARGEST_MODULUS)
        a = validation.integer(name("multiplier"), values["multiplier"], 1, m - 1)
        c = validation.integer(name("increment"), values["increment"], 0, m - 1)
        word = validation.integer(name("state"), values["state"], int(c == 0 and gcd(a, m) == 1), m - 1)
        output = checked_output(name("output"), values["output"], m)
        self._take(a, c, m, output, word)

    def _take(self, multiplier: int, increment: int, modulus: int, output: Output | None, word: int) -> None:
        """Take over values that have been checked."""
        self._modulus, self._multiplier, self._increment, self._output = modulus, multiplier, increment, output
        self._words = (word,)

    def __repr__(self) -> str:
        output = f", output={tuple(self._output)}" if self._output else ""
        return (
            f"LCG(multiplier={self._multiplier}, increment={self._increment}, modulus={self._modulus}, "
            f"seed={self.word}{output})"
        )

    @property
    def multiplier(self) -> int:
        """The multiplier a."""
        return self._multiplier

    @property
    def increment(self) -> int:
        """The increment c."""
        return self._increment

    @property
    def output(self) -> Output | None:
        """The shift and the number of bits of the output, or None where it is the whole state."""
        return self._output

    @property
    def word(self) -> int:
        """The current state, from 0 to m - 1."""
        return self._words[0]

    def _values(self) -> dict[str, Any]:
        return {
            "multiplier": self._multiplier,
            "increment": self._increment,
            "modulus": self._modulus,
            "output": list(self._output) if self._output else None,
            "state": self.word,
        }

    @property
    def word_limits(self) -> list[tuple[int, int]]:
        """The least and the largest legal state: not 0 where it would stay and is never reached."""
        return [(int(self._increment == 0 and self.reversible), self._modulus - 1)]

    def has_common_factor(self, words: Words) -> bool:
        """Return whether nothing is added to the product and `words` have a factor in common with m."""
        return self._increment == 0 and gcd(words[0], self._modulus) > 1

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        added = f" + {number(self._increment)}" if self._increment else ""
        return f"x' = ({number(self._multiplier)} x{added}) mod {number(self._modulus)}"

    @property
    def min_value(self) -> int:
        """The least raw value there can be: 1 where the state itself is shown and is never 0, else 0."""
        return self.word_limits[0][0] if self._output is None else 0

    @property
    def upper_bound(self) -> int:
        """The modulus, or 2^bits where only some bits of the state are shown."""
        return 2**self._output.bits if self._output else self._modulus

    @property
    def reversible(self) -> bool:
        """Whether every state has a single one before it: whether a and m have no factor in common."""
        return gcd(self._multiplier, self._modulus) == 1

    @property
    def period(self) -> int | None:
        """The number of values before the sequence repeats, or None where a and m have a factor in common.

        Then it may never come back to its state.

        Notes
        -----
        If a and m have no factor in common, the n with x_n = x_0 are the multiples of the period, and e m is one of
        them, where e is a multiple of the orders of all numbers modulo m: after e steps a^e = 1, so x has moved by a
        constant, and after m times as many that is a multiple of m. What is left is to divide out its primes.
        """
        if not self.reversible:
            return None
        n = exponent(self._modulus) * self._modulus
        primes = set(factors(self._modulus)).union(*(factors(p - 1) for p in factors(self._modulus)))
        for prime in primes:
            while n % prime == 0 and self.state_after(self._words, n // prime) == self._words:
                n //= prime
        return n

    def stride(self, n: int) -> tuple[int, int]:
        """Return multiplier and increment of `n` steps at once; a negative `n` is backwards.

        Raises
        ------
        ValueError
            If `n` is negative and the multiplier has a factor in common with the modulus.
        """
        m, a, c = self._modulus, self._multiplier, self._increment
        if n < 0 and not self.reversible:
            raise ValueError(f"n must be 0 or more, not {n}: multiplier and modulus have a factor in common")
        if c == 0:
            return pow(a, n, m), 0
        if n < 0:
            a = pow(a, -1, m)
            n, c = -n, -a * c % m
        multiplier, increment = 1, 0
        while n:
            if n & 1:
                multiplier, increment = multiplier * a % m, (increment * a + c) % m
            a, c = a * a % m, (a + 1) * c % m
            n >>= 1
        return multiplier, increment

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return ((self._multiplier * words[0] + self._increment) % self._modulus,)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return words[0] >> self._output.shift & (2**self._output.bits - 1) if self._output else words[0]

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        multiplier, increment = self.stride(n)
        return ((multiplier * words[0] + increment) % self._modulus,)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        multiplier, increment = self.stride(n)
        return mapped(states, [[multiplier]], [increment], self._modulus)

    def leaping(self, n: int) -> BitGenerator:  # noqa: D102  # as inherited
        multiplier, increment = self.stride(n)
        if n == 1 or multiplier == 0:
            return super().leaping(n)
        return LCG(multiplier, increment, self._modulus, self.word, self._output)


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


def is_multiplicative(recurrence: BitGenerator) -> TypeGuard[LCG]:
    """Return whether `recurrence` is multiplication modulo 2^31 - 1, for which all arithmetics are written."""
    return isinstance(recurrence, LCG) and recurrence.modulus == MODULUS and recurrence.increment == 0


class LCGCode(GeneratorCode):
    """A congruential generator: modulo 2^31 - 1 in any arithmetic, otherwise in integers."""

    recurrence: LCG

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: D102  # as inherited
        if not is_multiplicative(recurrence):
            return super().why_not(arithmetic, recurrence)
        if recurrence.multiplier <= arithmetic.limit:
            return None
        return f"its published step is exact for multipliers up to {arithmetic.limit}, not {recurrence.multiplier}"

    @property
    def digits(self) -> tuple[int, int] | None:  # noqa: D102  # as inherited
        known = self.arithmetic.digits
        return known(self.recurrence.multiplier) if known and is_multiplicative(self.recurrence) else None

    @property
    def plain_step(self) -> str | None:  # noqa: D102  # as inherited
        m = self.recurrence.modulus
        if m > 2**32:
            return None
        return f"((ulong)x * {self.recurrence.multiplier}UL + {self.recurrence.increment}UL) % {m}UL"

    def shares_values(self, other: BitGenerator) -> bool:
        """Return whether published values of `other` say whether this code is right.

        Those of all multipliers do that the arithmetic is exact for, where one code is for all of them.
        """
        if not is_multiplicative(self.recurrence):
            return super().shares_values(other)
        return is_multiplicative(other) and other.multiplier <= self.arithmetic.limit

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        multiplier, increment = self.recurrence.stride(n)
        if is_multiplicative(self.recurrence):
            return (multiplier,)
        return modular.factor(self.recurrence.modulus, multiplier, increment if self.recurrence.increment else None)

    def _arithmetic(self) -> tuple[str, dict[str, Any]]:
        """Return the template of the arithmetic and the values it takes."""
        if is_multiplicative(self.recurrence):
            name = self.arithmetic.name.replace("-", "_")
            return f"arithmetic/{name}.cl.mako", self.arithmetic.values(self.recurrence.multiplier)
        affine = self.recurrence.increment != 0
        values = modular.values(self.recurrence.modulus, affine)
        return modular.template(self.recurrence.modulus), {**values, "step": self.stride(1), "called": False}

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        template, numbers = self._arithmetic()
        output = self.recurrence.output
        values = {
            **self._common(prefix, width),
            **numbers,
            "powers": [self.stride(2**j) for j in range(64)] if width == 1 else [],
            "stride_words": len(self.stride(1)),
            "shift": output.shift if output else 0,
            "mask": 2**output.bits - 1 if output else None,
        }
        return render(template, **values) + render("generators/lcg.cl.mako", **values)
