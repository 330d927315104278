"""Coveyou's quadratic generator, x' = x (x + 1) mod 2^32."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.generators.base import OneWord, Words, first_bad
from clrng.generators.family import GSL, KNUTH, Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.parameters import constant
from clrng.opencl.templates import render

MODULUS, PERIOD = 2**32, 2**30
LARGEST = MODULUS - 2
DEGREE = 15
"""The largest degree of the map of n steps as a polynomial in t; the term of t^k is 0 from 4^(k - 1) = 2^30 on."""

Map = tuple[int, ...]


class Coveyou(OneWord):
    """The quadratic congruential generator x' = x (x + 1) mod 2^32.

    Parameters
    ----------
    seed : int
        The state before the first value, from 2 to 4294967294 and 2 modulo 4.

    Attributes
    ----------
    modulus : int
        2^32.

    Notes
    -----
    A value is the state itself. All states are 2 modulo 4: for x = 2 + 4 t the next is 2 + 4 t', with

        t' = 1 + 5 t + 4 t^2 mod 2^30.

    By Knuth's exercise 3.2.2-8 for d = 4, a = 5, c = 1 (c odd, d even, a = d + 1 modulo 4) the period of t is 2^30
    from every seed, so n steps back are 2^30 - n steps on.

    With s = 4 t a step is s' = s^2 + 5 s + 4, so n steps are a polynomial in s with integer coefficients c_k. In t it
    is the sum of c_k 4^(k - 1) t^k, whose terms from k = 16 on are 0 modulo 2^30: the map of n steps is a polynomial in
    t of degree at most 15. Maps of 1, 2, 4, ... steps come each from the one before put into itself, so a jump takes
    O(log n).

    References
    ----------
    R. R. Coveyou, in D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., section 3.2.2, Addison-Wesley,
    1997; GNU Scientific Library, ``gsl_rng_coveyou``.

    Examples
    --------
    >>> import clrng
    >>> clrng.Coveyou(seed=2).sequence(4).tolist()
    [6, 42, 1806, 3263442]
    """

    name = "coveyou"
    _modulus, _least = MODULUS, 2
    word_limits = constant(((2, LARGEST),), "The least and the largest legal state.")
    word_step = constant(4, "The spacing of legal states, 4.")
    period = constant(
        PERIOD, "The number of values before the sequence repeats, 2^30: every number that is 2 modulo 4 occurs once."
    )

    def __init__(self, seed: int) -> None:
        self._set(state=seed)

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        odd = states[:, 0] % 4 != 2  # noqa: PLR2004  # which x (x + 1) keeps
        return first_bad(odd, f"be an integer from 2 to {LARGEST} that is 2 modulo 4")

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        return f"x' = x (x + 1) mod {number(MODULUS)}"

    def polynomial(self, n: int) -> Map:
        """Return the 16 coefficients modulo 2^30, the constant first, of t after `n` steps as a polynomial in t.

        Parameters
        ----------
        n : int
            The number of steps, of any size; a negative `n` is backwards.

        Returns
        -------
        tuple of int

        Examples
        --------
        >>> import clrng
        >>> clrng.Coveyou(seed=2).polynomial(1)[:4]
        (1, 5, 4, 0)
        """
        result = identity()
        for bit in _bits(n):
            result = composed(doubled(bit), result)
        return result

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return (words[0] * (words[0] + 1) % MODULUS,)

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        return (_moved(words[0], n),)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        moved: npt.NDArray[Any] = _moved(states.astype(np.uint64), n)
        return moved.astype(self.word_dtype)


def _moved(x: Any, n: int) -> Any:
    """Return the state `n` steps after `x`, which may be an array of many, of 64 bits each."""
    t = x // 4
    for bit in _bits(n):
        t = at(doubled(bit), t)
    return 2 + 4 * t


def identity() -> Map:
    """Return the map of no steps, t."""
    return (0, 1, *[0] * (DEGREE - 1))


@cache
def doubled(bit: int) -> Map:
    """Return the map of 2^bit steps."""
    if bit == 0:
        return (1, 5, 4, *[0] * (DEGREE - 2))
    half = doubled(bit - 1)
    return composed(half, half)


def composed(outer: Map, inner: Map) -> Map:
    """Return outer(inner(t)), by Horner's rule on polynomials up to t^15."""
    total = [0] * (DEGREE + 1)
    for coefficient in reversed(outer):
        total = [sum(total[j] * inner[k - j] for j in range(k + 1)) % PERIOD for k in range(DEGREE + 1)]
        total[0] = (total[0] + coefficient) % PERIOD
    return tuple(total)


def at(coefficients: Map, t: Any) -> Any:
    """Return the value of a map at `t`, which may be an array, by Horner's rule."""
    total = 0
    for coefficient in reversed(coefficients):
        total = (total * t + coefficient) % PERIOD
    return total


def _bits(n: int) -> list[int]:
    """Return which bits of `n` modulo the period are 1."""
    n %= PERIOD
    return [bit for bit in range(n.bit_length()) if n >> bit & 1]


class CoveyouCode(GeneratorCode):
    """x' = x (x + 1) mod 2^32; a stride is a polynomial in t = (x - 2) / 4."""

    recurrence: Coveyou
    powers = GeneratorCode.doublings

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return self.recurrence.polynomial(n)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        powers, common = self.powers if width == 1 else [], self._common(prefix, width)
        return render("generators/coveyou.cl.mako", **common, powers=powers, stride_words=DEGREE + 1)


def _seeding(seed: int) -> int:
    """Return a state that is 2 modulo 4.

    GSL adds 2 to a seed that is 0 modulo 4 and takes 1 off one that is 3, but leaves one that is 1, whose next state
    is that of -1 - seed.
    """
    return (seed + 2, -1 - seed, seed, seed - 1)[seed % 4] % 2**32


FAMILIES = (
    Family(
        generator=Coveyou,
        code=CoveyouCode,
        title="Linear congruential generators",
        arguments={"seed": LARGEST},
    ),
)
NAMED = (
    Named("coveyou", "Coveyou's quadratic generator x (x + 1) modulo 2^32, from a seed that GSL makes 2 modulo 4",
          f"{KNUTH}, section 3.2.2; {GSL}, gsl_rng_coveyou", (0, 2**32 - 1), lambda seed: Coveyou(_seeding(seed))),
)  # fmt: skip
