"""The subtract with carry generators of libraries, seeded as these seed them: RANLUX in its kinds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clrng.generators.base import BitGenerator
from clrng.generators.catalog.named_row import GSL, Named
from clrng.generators.subtract_with_carry import SubtractWithCarry

MODULUS = 2147483563
"""That of L'Ecuyer's congruential generator, of multiplier 40014, from which C++ and James take the words of a seed."""

CPP_SEED = 19780503
"""The seed that the engines of C++ have if none is given (C++ [rand.eng.sub])."""

LUSCHER = (
    "M. Lüscher, A portable high-quality random number generator for lattice field theory simulations, Computer "
    "Physics Communications 79, 1994, pp. 100-110"
)
JAMES = f"F. James, RANLUX, Computer Physics Communications 79, 1994, pp. 111-114; {LUSCHER}"

Seeded = tuple[Sequence[int], int]
"""The words, the oldest first, and the carry that a seed stands for."""


@dataclass(frozen=True, kw_only=True)
class NamedCarry(Named):
    """A subtract with carry generator of a library.

    Attributes
    ----------
    seeding : function of int
        Makes the words and the carry of a seed.
    bits : int
    lags : (int, int)
    block, used : int
        Of every `block` words the first `used` are used; 1 where none is discarded.
    discards_first : bool
        Whether the words of a block that are not used come before the others.
    output : (int, int) or None
    split : int
    """

    seeding: Callable[[int], Seeded]
    bits: int = 24
    lags: tuple[int, int] = (10, 24)
    block: int = 1
    used: int = 1
    discards_first: bool = False
    output: tuple[int, int] | None = None
    split: int = 1

    def _made(self, seed: int) -> BitGenerator:
        words, carry = self.seeding(seed)
        if self.discards_first:
            words, carry = self._after_first_words(words, carry)
        return SubtractWithCarry(self.bits, self.lags, [*words, carry], self.block, self.used, self.output, self.split)

    def _after_first_words(self, words: Sequence[int], carry: int) -> Seeded:
        """Return words and carry after those that are discarded before the first values."""
        bits = SubtractWithCarry(self.bits, self.lags, [*words, carry]).advance(self.block - self.used)
        return bits.words[:-1], bits.words[-1]


def _congruential(seed: int, count: int) -> list[int]:
    """Return `count` values of L'Ecuyer's congruential generator."""
    found = []
    for _ in range(count):
        seed = 40014 * seed % MODULUS
        found.append(seed)
    return found


def _cpp_start(seed: int) -> int:
    """Return where C++ begins the congruential generator: a seed of 0 stands for the usual one."""
    return (seed or CPP_SEED) % MODULUS or 1


def _cpp_24(seed: int) -> Seeded:
    words = [value % 2**24 for value in _congruential(_cpp_start(seed), 24)]
    return words, int(words[-1] == 0)


def _cpp_48(seed: int) -> Seeded:
    halves = _congruential(_cpp_start(seed), 24)
    words = [(low + (high << 32)) % 2**48 for low, high in zip(halves[::2], halves[1::2], strict=True)]
    return words, int(words[-1] == 0)


def _gsl(seed: int) -> Seeded:
    return [value % 2**24 for value in _congruential(seed, 24)][::-1], 0


def _james(seed: int) -> Seeded:
    words, _ = _gsl(seed)
    return words, int(words[0] == 0)


def _luscher(seed: int, inverted: int) -> Seeded:
    """Return the words that are made of the bits of a shift register, of which the bits may be `inverted`."""
    register = [seed >> i & 1 for i in range(31)]
    words = []
    for _ in range(12):
        word = 0
        for _ in range(48):
            word = 2 * word + (register[0] ^ inverted)
            register = [*register[1:], register[0] ^ register[18]]
        words.append(word)
    return words, 0


def _single(seed: int) -> Seeded:
    return _luscher(seed, 0)


def _double(seed: int) -> Seeded:
    return _luscher(seed, 1)


LEVELS = 24, 48, 97, 223, 389
"""The words of a block of 24 used ones at James's levels of luxury."""

CARRY = (
    *(
        NamedCarry(
            name=f"ranlux{level}",
            what=f"James's RANLUX at level {level}, which uses 24 of {block} words, as CERN's library has it; a value "
            f"is a number times 2^24 before small ones get more bits",
            source=JAMES,
            seeds=(1, MODULUS - 1),
            seeding=_james,
            block=block,
            used=24,
        )
        for level, block in enumerate(LEVELS)
    ),
    *(
        NamedCarry(
            name=name,
            what=f"GSL's {name.removeprefix('gsl_')}, which uses 24 of {block} words; GSL takes 314159265 for seed 0",
            source=f"{GSL}, {name.replace('gsl_', 'gsl_rng_')}; {JAMES}",
            seeds=(1, MODULUS - 1),
            seeding=_gsl,
            block=block,
            used=24,
        )
        for name, block in (("gsl_ranlux", 223), ("gsl_ranlux389", 389))
    ),
    *(
        NamedCarry(
            name=f"gsl_ranlxs{level}",
            what=f"GSL's ranlxs{level}, which uses 12 of {block} words of 48 bits, each as two values of 24 bits; GSL "
            f"takes 1 for seed 0",
            source=f"{GSL}, gsl_rng_ranlxs{level}; {LUSCHER}",
            seeds=(1, 2**31 - 1),
            seeding=_single,
            bits=48,
            lags=(5, 12),
            block=block,
            used=12,
            discards_first=True,
            split=2,
        )
        for level, block in enumerate((109, 202, 397))
    ),
    *(
        NamedCarry(
            name=f"gsl_ranlxd{level}",
            what=f"GSL's ranlxd{level}, which uses 12 of {block} words of 48 bits; a value is all of them, which "
            f"gsl_rng_uniform divides by 2^48 and of which gsl_rng_get gives the upper 32; GSL takes 1 for seed 0",
            source=f"{GSL}, gsl_rng_ranlxd{level}; {LUSCHER}",
            seeds=(1, 2**31 - 1),
            seeding=_double,
            bits=48,
            lags=(5, 12),
            block=block,
            used=12,
            discards_first=True,
        )
        for level, block in enumerate((202, 397), 1)
    ),
    NamedCarry(
        name="std_ranlux24_base",
        what="std::ranlux24_base of C++",
        source=f"C++ [rand.predef] ranlux24_base; {LUSCHER}",
        seeds=(0, 2**32 - 1),
        seeding=_cpp_24,
    ),
    NamedCarry(
        name="std_ranlux24",
        what="std::ranlux24 of C++, which uses 23 of 223 words",
        source=f"C++ [rand.predef] ranlux24; {LUSCHER}",
        seeds=(0, 2**32 - 1),
        seeding=_cpp_24,
        block=223,
        used=23,
    ),
    NamedCarry(
        name="std_ranlux48_base",
        what="std::ranlux48_base of C++",
        source=f"C++ [rand.predef] ranlux48_base; {LUSCHER}",
        seeds=(0, 2**32 - 1),
        seeding=_cpp_48,
        bits=48,
        lags=(5, 12),
    ),
    NamedCarry(
        name="std_ranlux48",
        what="std::ranlux48 of C++, which uses 11 of 389 words",
        source=f"C++ [rand.predef] ranlux48; {LUSCHER}",
        seeds=(0, 2**32 - 1),
        seeding=_cpp_48,
        bits=48,
        lags=(5, 12),
        block=389,
        used=11,
    ),
)
