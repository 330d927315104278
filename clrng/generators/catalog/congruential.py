"""The congruential generators of libraries and books, and Coveyou's, seeded as these seed them."""

from collections.abc import Callable
from dataclasses import dataclass

from clrng.generators.arithmetic import MODULUS as MERSENNE
from clrng.generators.base import BitGenerator
from clrng.generators.catalog.named_row import GSL, KNUTH, Named
from clrng.generators.congruential import LCG, ParkMiller
from clrng.generators.coveyou import Coveyou

RAND48, RANF = 0x5DEECE66D, 0x2875A2E7B175
MCG31M1, MCG59 = 1132489760, 13**13


@dataclass(frozen=True, kw_only=True)
class NamedCongruential(Named):
    """A linear congruential generator of a library or a book, or Coveyou's.

    Attributes
    ----------
    modulus : int
        The modulus m of the state.
    multiplier : int or None
        The multiplier a, or None for Coveyou's, which is quadratic.
    increment : int
        The increment c.
    output : (int, int) or None
        The shift and the number of bits of a value, or None where it is the whole state.
    seeding : function of int
        What the library's seeding function makes of a seed: the state before the first value.
    """

    modulus: int
    multiplier: int | None
    increment: int = 0
    output: tuple[int, int] | None = None
    seeding: Callable[[int], int] = int

    def _made(self, seed: int) -> BitGenerator:
        state = self.seeding(seed)
        if self.multiplier is None:
            return Coveyou(state)
        if (self.increment, self.modulus, self.output) == (0, MERSENNE, None):
            return ParkMiller(state, self.multiplier)
        return LCG(self.multiplier, self.increment, self.modulus, state, self.output)


def _modulo_2_31(seed: int) -> int:
    """Drop the bit of an unsigned int above a state of 31 bits."""
    return seed % 2**31


def _srand48(seed: int) -> int:
    """Put the seed above 16 bits of a constant."""
    return (seed << 16) + 0x330E


def _java(seed: int) -> int:
    """Scramble the seed with the multiplier."""
    return (seed ^ RAND48) % 2**48


def _musl(seed: int) -> int:
    """Take 1 off an unsigned int."""
    return (seed - 1) % 2**32


def _one_back(multiplier: int, modulus: int) -> Callable[[int], int]:
    """Return the seeding of a library that shows the seed itself first: a step back from it."""
    inverse = pow(multiplier, -1, modulus)
    return lambda seed: seed * inverse % modulus


def _ranf(seed: int) -> int:
    """Go a step back from the seed made odd."""
    return _one_back(RANF, 2**48)(seed | 1)


def _slatec(seed: int) -> int:
    """Spread the eight seeds evenly."""
    return seed * 2**19


def _coveyou(seed: int) -> int:
    """Return a state that is 2 modulo 4.

    GSL adds 2 to a seed that is 0 modulo 4 and takes 1 off one that is 3, but leaves one that is 1, whose next state
    is that of -1 - seed.
    """
    return (seed + 2, -1 - seed, seed, seed - 1)[seed % 4] % 2**32


CPP = "ISO/IEC 14882:2011, 26.5.5 [rand.predef]"
POSIX = "IEEE Std 1003.1-2017, System Interfaces, drand48"
MKL = "Intel oneMKL, Notes for Vector Statistics"

CONGRUENTIAL = (
    NamedCongruential(
        name="numerical_recipes",
        what="the quick and dirty generator ranqd1 of Numerical Recipes",
        source="W. H. Press, S. A. Teukolsky, W. T. Vetterling and B. P. Flannery, Numerical Recipes in C, 2nd ed., "
        "Cambridge University Press, 1992, p. 284",
        multiplier=1664525,
        increment=1013904223,
        modulus=2**32,
        seeds=(0, 2**32 - 1),
    ),
    NamedCongruential(
        name="mmix",
        what="Knuth's generator for MMIX, with C. E. Haynes's multiplier",
        source=f"{KNUTH}, section 3.3.4, table 1, line 26, and p. 108",
        multiplier=6364136223846793005,
        increment=1442695040888963407,
        modulus=2**64,
        seeds=(0, 2**64 - 1),
    ),
    NamedCongruential(
        name="lewis_goodman_miller",
        what="the generator for the IBM System/360 that became the minimal standard",
        source="P. A. W. Lewis, A. S. Goodman and J. M. Miller, A pseudo-random number generator for the System/360, "
        "IBM Systems Journal 8(2), 1969, pp. 136-146",
        multiplier=16807,
        modulus=MERSENNE,
        seeds=(1, MERSENNE - 1),
    ),
    NamedCongruential(
        name="minstd_rand0",
        what="std::minstd_rand0 of C++, Park and Miller's minimal standard of 1988",
        source=CPP,
        multiplier=16807,
        modulus=MERSENNE,
        seeds=(1, MERSENNE - 1),
    ),
    NamedCongruential(
        name="minstd",
        what="std::minstd_rand of C++, Park and Miller's minimal standard of 1993",
        source=CPP,
        multiplier=48271,
        modulus=MERSENNE,
        seeds=(1, MERSENNE - 1),
    ),
    NamedCongruential(
        name="drand48",
        what="drand48 seeded by srand48: all 48 bits, which it divides by 2^48",
        source=POSIX,
        multiplier=RAND48,
        increment=0xB,
        modulus=2**48,
        seeds=(0, 2**32 - 1),
        seeding=_srand48,
    ),
    NamedCongruential(
        name="lrand48",
        what="lrand48 seeded by srand48: the upper 31 bits",
        source=POSIX,
        multiplier=RAND48,
        increment=0xB,
        modulus=2**48,
        seeds=(0, 2**32 - 1),
        output=(17, 31),
        seeding=_srand48,
    ),
    NamedCongruential(
        name="mrand48",
        what="mrand48 seeded by srand48: the upper 32 bits, unsigned",
        source=POSIX,
        multiplier=RAND48,
        increment=0xB,
        modulus=2**48,
        seeds=(0, 2**32 - 1),
        output=(16, 32),
        seeding=_srand48,
    ),
    NamedCongruential(
        name="java",
        what="java.util.Random.nextInt, unsigned",
        source="Java Platform, Standard Edition, API specification, class java.util.Random",
        multiplier=RAND48,
        increment=0xB,
        modulus=2**48,
        seeds=(-(2**63), 2**63 - 1),
        output=(16, 32),
        seeding=_java,
    ),
    NamedCongruential(
        name="ansi_c",
        what="the C standard's example of rand and srand",
        source="ISO/IEC 9899:2011, 7.22.2.2, paragraph 5",
        multiplier=1103515245,
        increment=12345,
        modulus=2**32,
        seeds=(0, 2**32 - 1),
        output=(16, 15),
    ),
    NamedCongruential(
        name="microsoft_c",
        what="rand and srand of Microsoft's C library",
        source="Microsoft C run-time library, rand.c",
        multiplier=214013,
        increment=2531011,
        modulus=2**32,
        seeds=(0, 2**32 - 1),
        output=(16, 15),
    ),
    NamedCongruential(
        name="musl_c",
        what="rand and srand of the C library musl: the upper 31 of 64 bits",
        source="musl, src/prng/rand.c",
        multiplier=6364136223846793005,
        increment=1,
        modulus=2**64,
        seeds=(0, 2**32 - 1),
        output=(33, 31),
        seeding=_musl,
    ),
    NamedCongruential(
        name="glibc_type_0",
        what="random of the GNU C library with a state of 8 bytes; for its seed 0 give 1",
        source="GNU C Library, initstate and stdlib/random_r.c, TYPE_0",
        multiplier=1103515245,
        increment=12345,
        modulus=2**31,
        seeds=(1, 2**32 - 1),
        seeding=_modulo_2_31,
    ),
    NamedCongruential(
        name="bsd_rand",
        what="the old rand of BSD",
        source=f"{GSL}, gsl_rng_rand",
        multiplier=1103515245,
        increment=12345,
        modulus=2**31,
        seeds=(0, 2**32 - 1),
        seeding=_modulo_2_31,
    ),
    NamedCongruential(
        name="vax",
        what="MTH$RANDOM of the VAX run-time library, with Marsaglia's multiplier",
        source=f"{GSL}, gsl_rng_vax",
        multiplier=69069,
        increment=1,
        modulus=2**32,
        seeds=(0, 2**32 - 1),
    ),
    NamedCongruential(
        name="randu",
        what="RANDU of IBM's System/360 Scientific Subroutine Package",
        source=f"{GSL}, gsl_rng_randu; {KNUTH}, section 3.3.4, table 1",
        multiplier=65539,
        modulus=2**31,
        seeds=(1, 2**31 - 1),
    ),
    NamedCongruential(
        name="mcg31m1",
        what="MCG31m1 of Intel MKL, whose first value is the seed",
        source="P. L'Ecuyer, Tables of linear congruential generators of different sizes and good lattice structure, "
        f"Mathematics of Computation 68(225), 1999, pp. 249-260; {MKL}, MCG31m1",
        multiplier=MCG31M1,
        modulus=MERSENNE,
        seeds=(1, MERSENNE - 1),
        seeding=_one_back(MCG31M1, MERSENNE),
    ),
    NamedCongruential(
        name="mcg59",
        what="MCG59 of Intel MKL and NAG, whose first value is the seed",
        source=f"{MKL}, MCG59",
        multiplier=MCG59,
        modulus=2**59,
        seeds=(1, 2**59 - 1),
        seeding=_one_back(MCG59, 2**59),
    ),
    NamedCongruential(
        name="borosh13",
        what="Borosh and Niederreiter's generator",
        source=f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_borosh13",
        multiplier=1812433253,
        modulus=2**32,
        seeds=(1, 2**32 - 1),
    ),
    NamedCongruential(
        name="fishman18",
        what="Fishman and Moore's generator",
        source=f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_fishman18",
        multiplier=62089911,
        modulus=MERSENNE,
        seeds=(1, MERSENNE - 1),
    ),
    NamedCongruential(
        name="fishman20",
        what="line 20 of the table in Knuth, the same as minstd",
        source=f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_fishman20",
        multiplier=48271,
        modulus=MERSENNE,
        seeds=(1, MERSENNE - 1),
    ),
    NamedCongruential(
        name="lecuyer21",
        what="L'Ecuyer's generator modulo 2^31 - 249",
        source=f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_lecuyer21",
        multiplier=40692,
        modulus=2**31 - 249,
        seeds=(1, 2**31 - 250),
    ),
    NamedCongruential(
        name="waterman14",
        what="Waterman's generator",
        source=f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_waterman14",
        multiplier=1566083941,
        modulus=2**32,
        seeds=(1, 2**32 - 1),
    ),
    NamedCongruential(
        name="transputer",
        what="the generator of the INMOS Transputer Development System",
        source=f"{GSL}, gsl_rng_transputer",
        multiplier=1664525,
        modulus=2**32,
        seeds=(1, 2**32 - 1),
    ),
    NamedCongruential(
        name="cray_ranf",
        what="RANF of the CRAY as GSL has it: the upper 32 bits; GSL takes its default state for seed 0",
        source=f"{GSL}, gsl_rng_ranf",
        multiplier=RANF,
        modulus=2**48,
        seeds=(1, 2**32 - 1),
        output=(16, 32),
        seeding=_ranf,
    ),
    NamedCongruential(
        name="slatec",
        what="RAND of the SLATEC library as GSL has it, with its eight seeds",
        source=f"{GSL}, gsl_rng_slatec",
        multiplier=1536 * 2**11 + 1029,
        increment=1731,
        modulus=2**22,
        seeds=(0, 7),
        seeding=_slatec,
    ),
    NamedCongruential(
        name="gsl_rand48",
        what="rand48 of GSL: the upper 32 bits; GSL takes its default state for seed 0",
        source=f"{GSL}, gsl_rng_rand48",
        multiplier=RAND48,
        increment=0xB,
        modulus=2**48,
        seeds=(1, 2**32 - 1),
        output=(16, 32),
        seeding=_srand48,
    ),
    NamedCongruential(
        name="coveyou",
        what="Coveyou's quadratic generator x (x + 1) modulo 2^32, from a seed that GSL makes 2 modulo 4",
        source=f"{KNUTH}, section 3.2.2; {GSL}, gsl_rng_coveyou",
        multiplier=None,
        modulus=2**32,
        seeds=(0, 2**32 - 1),
        seeding=_coveyou,
    ),
)
