"""The recurrences over GF(2) of libraries and papers, seeded as these seed them: xorshift, Tausworthe and WELL ones."""

from collections.abc import Callable
from dataclasses import dataclass

from clrng.generators.base import BitGenerator, Words
from clrng.generators.catalog.named_row import GSL, Named
from clrng.generators.lfsr113 import COMPONENTS, LFSR113
from clrng.generators.well512a import ORDER, WELL512a
from clrng.generators.xorshift import XorShift

MARSAGLIA = 'G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003'
PANNETON = (
    "F. Panneton and P. L'Ecuyer, On the xorshift random number generators, ACM Transactions on Modeling and Computer "
    "Simulation 15(4), 2005, pp. 346-361"
)
WELL = (
    "F. Panneton, P. L'Ecuyer and M. Matsumoto, Improved long-period generators based on linear recurrences modulo 2, "
    "ACM Transactions on Mathematical Software 32(1), 2006, pp. 1-16"
)
WEYL = 6615241
"""Where Marsaglia's Weyl sequence begins."""


@dataclass(frozen=True, kw_only=True)
class NamedXorShift(Named):
    """A xorshift generator of a paper. A seed is all words of the state, the first one in its lowest digits.

    Attributes
    ----------
    lags, shifts : tuple of int
    bits, increment : int
        As for `XorShift`.
    """

    lags: Words
    shifts: Words
    bits: int = 32
    increment: int = 0

    def _made(self, seed: int) -> BitGenerator:
        weyl = (WEYL,) if self.increment else ()
        words = (*_digits(seed, max(self.lags), self.bits), *weyl)
        return XorShift(self.lags, self.shifts, words, self.bits, self.increment)


@dataclass(frozen=True, kw_only=True)
class NamedTausworthe(Named):
    """A combined Tausworthe generator of a library.

    Attributes
    ----------
    seeding : function of int
        What the library's seeding function makes of a seed: the words.
    skipped : int
        How many values the library draws before its first.
    """

    seeding: Callable[[int], Words]
    skipped: int = 0

    def _made(self, seed: int) -> BitGenerator:
        return LFSR113(self.seeding(seed)).advance(self.skipped)


@dataclass(frozen=True, kw_only=True)
class NamedWELL(Named):
    """A WELL generator of a paper or a library.

    Attributes
    ----------
    seeding : function of int
        What is made of a seed: the words.
    """

    seeding: Callable[[int], Words]

    def _made(self, seed: int) -> BitGenerator:
        return WELL512a(self.seeding(seed))


def _digits(seed: int, count: int = ORDER, bits: int = 32) -> Words:
    """Return the words of a seed that is all of them, the first one in its lowest digits."""
    return tuple(seed >> bits * i & 2**bits - 1 for i in range(count))


def _commons_math(seed: int) -> Words:
    """Return the words of ``setSeed`` of Commons Math, which shifts signed integers of 32 bits."""
    words = [seed]
    for i in range(1, ORDER):
        word = words[-1] - (words[-1] >> 31 << 32)
        words.append((1812433253 * (word ^ word >> 30) + i) % 2**32)
    return tuple(words)


def _gsl(seed: int) -> Words:
    """Return the words of ``taus113_set`` of GSL: each is 69069 times the one before, and made legal by an addition."""
    words, word = [], seed
    for component in COMPONENTS:
        word = 69069 * word % 2**32
        word += component.least if word < component.least else 0
        words.append(word)
    return tuple(words)


BINARY = (
    NamedXorShift(
        name="xorshift64",
        what="Marsaglia's xor64: the shifts 13, 7 and 17 on a word of 64 bits, which is the seed",
        source=MARSAGLIA,
        lags=(1, 1, 1),
        shifts=(13, -7, 17),
        bits=64,
        seeds=(1, 2**64 - 1),
    ),
    NamedXorShift(
        name="xorshift96",
        what="Marsaglia's generator of three words with the shifts 10, 5 and 26; the seed is x + y 2^32 + z 2^64",
        source=MARSAGLIA,
        lags=(3, 3, 1),
        shifts=(10, -5, -26),
        seeds=(1, 2**96 - 1),
    ),
    NamedXorShift(
        name="xorshift128",
        what="Marsaglia's xor128: four words with the shifts 11, 8 and 19; the seed is x + y 2^32 + z 2^64 + w 2^96",
        source=MARSAGLIA,
        lags=(4, 4, 1),
        shifts=(11, -8, -19),
        seeds=(1, 2**128 - 1),
    ),
    NamedXorShift(
        name="xorwow",
        what="Marsaglia's xorwow: five words and a Weyl sequence; the seed is x + y 2^32 + z 2^64 + w 2^96 + v 2^128, "
        "and d is 6615241",
        source=MARSAGLIA,
        lags=(5, 5, 1),
        shifts=(-2, 1, 4),
        increment=362437,
        seeds=(1, 2**160 - 1),
    ),
    NamedXorShift(
        name="xorshift7",
        what="Panneton and L'Ecuyer's generator of seven xorshifts on eight words, the digits of the seed to the base "
        "2^32, the lowest first",
        source=PANNETON,
        lags=(1, 1, 4, 5, 7, 8, 8),
        shifts=(13, 9, 7, -3, -10, -7, 24),
        seeds=(1, 2**256 - 1),
    ),
    NamedTausworthe(
        name="gsl_taus113",
        what="taus113 of GSL, which is LFSR113; GSL takes 1 for seed 0",
        source=f"P. L'Ecuyer, Tables of maximally equidistributed combined LFSR generators, Mathematics of Computation "
        f"68(225), 1999, pp. 261-269; {GSL}, gsl_rng_taus113",
        seeds=(1, 2**32 - 1),
        seeding=_gsl,
        skipped=10,
    ),
    NamedWELL(
        name="well512a",
        what="Panneton, L'Ecuyer and Matsumoto's WELL512a; the digits of the seed to the base 2^32, the lowest first, "
        "are the 16 words that their InitWELLRNG512a takes",
        source=WELL,
        seeds=(1, 2**512 - 1),
        seeding=_digits,
    ),
    NamedWELL(
        name="commons_math_well512a",
        what="Well512a of Apache Commons Math from an int, whose 32 bits are the seed; its nextInt() gives values of "
        "2^31 and more less 2^32",
        source=f"{WELL}; Apache Commons Math 3.6.1, Well512a",
        seeds=(0, 2**32 - 1),
        seeding=_commons_math,
    ),
)
