"""How the Mersenne Twister's own programs, and libraries that have it, make its words from seeds."""

from collections.abc import Sequence
from typing import NamedTuple

from numpy.random import SeedSequence

from clrng.generators.base import Words


class Seeding(NamedTuple):
    """The numbers of ``init_genrand`` and ``init_by_array``.

    Attributes
    ----------
    bits, order : int
        Of a word, and the number of words.
    factor, first, second : int
        The multipliers of all words from one seed, and of both passes over them with an array.
    """

    bits: int
    order: int
    factor: int
    first: int
    second: int


SHORT = Seeding(32, 624, 1812433253, 1664525, 1566083941)
LONG = Seeding(64, 312, 6364136223846793005, 3935559000370003845, 2862933555777941757)

ARRAYS_SEED = 19650218
"""What ``init_by_array`` begins with."""


def from_integer(rule: Seeding, seed: int) -> list[int]:
    """Return the words of ``init_genrand``, which C++ has too, for a seed of one word."""
    words = [seed]
    for i in range(1, rule.order):
        last = words[-1]
        words.append((rule.factor * (last ^ last >> rule.bits - 2) + i) % 2**rule.bits)
    return words


def from_array(rule: Seeding, key: Sequence[int]) -> list[int]:
    """Return the words of ``init_by_array`` for one word or more."""
    words, m, n, i = from_integer(rule, ARRAYS_SEED), 2**rule.bits, rule.order, 1

    def moved(i: int) -> int:
        if i < n:
            return i
        words[0] = words[n - 1]
        return 1

    def mixed(i: int, factor: int) -> int:
        return words[i] ^ (words[i - 1] ^ words[i - 1] >> rule.bits - 2) * factor

    for k in range(max(n, len(key))):
        j = k % len(key)
        words[i] = (mixed(i, rule.first) + key[j] + j) % m
        i = moved(i + 1)
    for _ in range(n - 1):
        words[i] = (mixed(i, rule.second) - i) % m
        i = moved(i + 1)
    words[0] = 1 << rule.bits - 1
    return words


def of_python(seed: int) -> list[int]:
    """Return the words of ``random.Random(seed)`` for an integer: those of its digits to the base 2^32."""
    return from_array(SHORT, [seed >> 32 * i & 2**32 - 1 for i in range(max(-(-seed.bit_length() // 32), 1))])


def of_numpy(seed: int) -> tuple[Words, int]:
    """Return the words of ``numpy.random.MT19937(seed)`` for an integer, and its position among them."""
    words = SeedSequence(seed).generate_state(SHORT.order)
    return (2**31, *words[1:].tolist()), SHORT.order - 1
