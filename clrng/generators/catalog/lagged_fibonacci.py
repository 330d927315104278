"""The lagged Fibonacci generators of libraries and books, seeded as these seed them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from clrng.generators.arithmetic import MODULUS as MERSENNE
from clrng.generators.base import BitGenerator, Words
from clrng.generators.catalog import lagged_seedings
from clrng.generators.catalog.named_row import GSL, KNUTH, Named
from clrng.generators.lagged_fibonacci import LaggedFibonacci


@dataclass(frozen=True, kw_only=True)
class NamedLagged(Named):
    """A lagged Fibonacci generator of a library or a book.

    Attributes
    ----------
    lags : (int, int)
        The lags.
    op : str
        The operation.
    modulus : int
        The modulus m of the words.
    output : (int, int) or None
        The shift and the number of bits of a value, or None where it is the whole word.
    seeding : function of int, or None
        What the library's seeding function makes of a seed: the words, oldest first, or None where the source has
        no such function, and the rule of `LaggedFibonacci` is used.
    skipped : int
        How many values the library draws before its first; negative where its first are the seeded words themselves.
    """

    lags: tuple[int, int]
    op: str = "+"
    modulus: int = 2**32
    output: tuple[int, int] | None = None
    seeding: Callable[[int], Words] | None = None
    skipped: int = 0

    def _made(self, seed: int) -> BitGenerator:
        if self.seeding is None:
            return LaggedFibonacci(self.lags, self.op, modulus=self.modulus, seed=seed, output=self.output)
        words = self.seeding(seed)
        generator = LaggedFibonacci(self.lags, self.op, modulus=self.modulus, state=words, output=self.output)
        return generator.with_state(generator.state_after(words, self.skipped))


BRENT = (
    "R. P. Brent, Uniform random number generators for supercomputers, Proc. Fifth Australian Supercomputer "
    "Conference, 1992, pp. 95-104"
)
GLIBC = "GNU C Library, initstate and stdlib/random_r.c"
RAN_ARRAY = f"{KNUTH}, section 3.6"
TABLE = f"{KNUTH}, section 3.2.2, table 1"


def _pair(name: str, lags: tuple[int, int], source: str, op: str = "+") -> NamedLagged:
    """Return the row of a pair of lags without a library: words of 32 bits, seeded by clrng's rule."""
    what = f"the lags {lags[0]} and {lags[1]}, {op} on 32 bits, with clrng's own seeding"
    return NamedLagged(name=name, what=what, source=source, lags=lags, op=op, seeds=(0, 2**64 - 1))


def _glibc(number: int, size: int, degree: int, separation: int) -> NamedLagged:
    """Return the row of random of the GNU C library with a state of `size` bytes."""
    return NamedLagged(
        name=f"glibc_type_{number}",
        what=f"random of the GNU C library with a state of {size} bytes; for its seed 0 give 1",
        source=f"{GLIBC}, TYPE_{number}",
        lags=(degree, separation),
        seeds=(1, 2**32 - 1),
        output=(1, 31),
        seeding=partial(lagged_seedings.glibc, degree, separation),
        skipped=10 * degree,
    )


def _boost(order: int, lag: int) -> NamedLagged:
    """Return the row of a generator of doubles of Boost, as integers."""
    return NamedLagged(
        name=f"boost_lagged_fibonacci_{order}",
        what=f"lagged_fibonacci{order} of Boost: all 48 bits, which it divides by 2^48",
        source=f"Boost, Boost.Random, lagged_fibonacci{order}; {BRENT}",
        lags=(order, lag),
        modulus=2**48,
        seeds=(1, MERSENNE - 1),
        seeding=partial(lagged_seedings.boost, order),
    )


LAGGED = (
    _pair("lfg_7_10", (7, 10), "N. Zierler and J. Brillhart, On primitive trinomials (mod 2), Information and Control "
          "13(6), 1968, pp. 541-554"),
    _pair("lfg_5_17", (5, 17), "Thinking Machines Corporation, CMSSL for CM Fortran, lagged-Fibonacci random numbers"),
    _pair("mitchell_moore", (24, 55), f"G. J. Mitchell and D. P. Moore, 1958; {KNUTH}, section 3.2.2, equation (7)"),
    _pair("lfg_30_127", (30, 127), TABLE),
    _pair("lfg_273_607", (273, 607), f"{TABLE}; {BRENT}"),
    _pair("lfg_418_1279", (418, 1279), BRENT),
    _pair("lfg_1029_2281", (1029, 2281), f"{TABLE}; {BRENT}"),
    _pair("lfg_576_3217", (576, 3217), f"{TABLE}; {BRENT}"),
    _pair("lfg_4187_9689", (4187, 9689), f"{TABLE}; {BRENT}"),
    _pair("r250", (103, 250), "S. Kirkpatrick and E. P. Stoll, A very fast shift-register sequence random number "
          "generator, Journal of Computational Physics 40(2), 1981, pp. 517-526", op="xor"),
    _glibc(1, 32, 7, 3),
    _glibc(2, 64, 15, 1),
    _glibc(3, 128, 31, 3),
    _glibc(4, 256, 63, 1),
    NamedLagged(
        name="knuth_ran_array_1997",
        what="ran_array of Knuth as first printed, all its values",
        source=f"{RAN_ARRAY}, first to eighth printing; {GSL}, gsl_rng_knuthran",
        lags=lagged_seedings.KNUTH_LAGS,
        op="-",
        modulus=2**30,
        seeds=(0, 2**30 - 3),
        seeding=lagged_seedings.ran_start_1997,
        skipped=-100,
    ),
    NamedLagged(
        name="knuth_ran_array_2002",
        what="ran_array of Knuth with the better seeding of 2002, all its values",
        source=f"{RAN_ARRAY}, ninth printing, 2002; {GSL}, gsl_rng_knuthran2002",
        lags=lagged_seedings.KNUTH_LAGS,
        op="-",
        modulus=2**30,
        seeds=(0, 2**30 - 3),
        seeding=lagged_seedings.ran_start,
        skipped=10 * 199 - 100,
    ),
    NamedLagged(
        name="gsl_r250",
        what="r250 of GSL, whose shorter lag is 147; GSL takes 1 for seed 0",
        source=f"{GSL}, gsl_rng_r250",
        lags=(250, 147),
        op="xor",
        seeds=(1, 2**32 - 1),
        seeding=lagged_seedings.gsl_r250,
    ),
    NamedLagged(
        name="ran3",
        what="the subtractive generator ran3 of Numerical Recipes, there seeded by -seed, and of GSL",
        source="W. H. Press, S. A. Teukolsky, W. T. Vetterling and B. P. Flannery, Numerical Recipes in C, 2nd ed., "
        f"Cambridge University Press, 1992, p. 283; {GSL}, gsl_rng_ran3",
        lags=lagged_seedings.RAN3,
        op="-",
        modulus=10**9,
        seeds=(1, 161803398),
        seeding=lagged_seedings.ran3,
        skipped=4 * 55,
    ),
    _boost(607, 273),
    _boost(1279, 418),
    _boost(2281, 1252),
    _boost(3217, 576),
    _boost(4423, 2098),
    _boost(9689, 5502),
    _boost(19937, 9842),
    _boost(23209, 13470),
    _boost(44497, 21034),
)  # fmt: skip
"""The lagged Fibonacci generators of libraries and books."""
