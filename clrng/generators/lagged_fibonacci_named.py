"""The lagged Fibonacci generators of libraries and books, and how these make words from a seed, the oldest first."""

from collections.abc import Callable
from functools import partial

from clrng.generators.arithmetic import MODULUS
from clrng.generators.base import BitGenerator, Words
from clrng.generators.family import GSL, KNUTH, Named
from clrng.generators.lagged_fibonacci import LaggedFibonacci
from clrng.generators.maths.polynomials import Polynomial

KNUTH_LAGS = (100, 37)
KNUTH_SQUARINGS = 69
"""How often Knuth squares once the bits of the seed are used up, which keeps the streams of all seeds 2^70 apart."""

RAN3 = (55, 24)


def glibc(degree: int, separation: int, seed: int) -> Words:
    """Return what srandom of the GNU C library makes of a seed.

    The words are those of the minimal standard from the seed as a signed int; the library adds its first word, as the
    one `separation` back, to the word of this index.
    """
    words, word = [seed], seed if seed < 2**31 else seed - 2**32
    for _ in range(degree - 1):
        word = 16807 * word % MODULUS
        words.append(word)
    return tuple(words[separation:] + words[:separation])


def boost(order: int, seed: int) -> Words:
    """Return what Boost makes of a seed: words of 48 bits from two of the minimal standard, the lower first."""
    words = []
    for _ in range(order):
        low = 16807 * seed % MODULUS
        seed = 16807 * low % MODULUS
        words.append(low + (seed % 2**16 << 32))
    return tuple(words)


def gsl_r250(seed: int) -> Words:
    """Return what GSL makes of a seed.

    The words are those of the multiplier 69069. Every seventh from x_3 on then gets a bit set and those above it
    cleared, the highest first, so that the columns of bits are linearly independent.
    """
    words = []
    for _ in range(250):
        seed = 69069 * seed % 2**32
        words.append(seed)
    for i in range(32):
        top = 2 ** (31 - i)
        words[3 + 7 * i] = words[3 + 7 * i] % top + top
    return tuple(words)


def ran3(seed: int) -> Words:
    """Return what ran3 of Numerical Recipes makes of a seed.

    The Fibonacci numbers backwards, from 161803398 - seed and 1, are spread by steps of 21 words.
    """
    order = max(RAN3)
    words, number, following = [0] * order, 161803398 - seed, 1
    for i in range(order):
        words[(21 * i - 1) % order] = number
        number, following = following, (number - following) % 10**9
    return tuple(words)


def ran_start(seed: int) -> Words:
    """Return what Knuth's ran_start of 2002 makes of a seed, before it draws values to warm up."""
    words = _even_words(seed)
    for bit in _bits(seed):
        spread = [0] * (2 * len(words) - 1)
        spread[::2] = words
        words = _folded(spread)
        if bit:
            words = _shifted(words, words[-1])
    return _as_state(words)


def ran_start_1997(seed: int) -> Words:
    """Return what Knuth's ran_start of 1997 makes of a seed.

    It differs from that of 2002 in what the upper bits do: only odd coefficients are folded back, and the gaps of the
    lower part of a square are filled with the even parts of its upper coefficients, mirrored.
    """
    order, short = KNUTH_LAGS
    words = _even_words(seed)
    for bit in _bits(seed):
        spread = [0] * (2 * order - 1)
        spread[::2] = words
        for i in range(1, order + short, 2):
            spread[i] = spread[2 * order - 1 - i] & ~1
        words = _folded(spread, only_odd=True)
        if bit:
            words = _shifted(words, words[-1] * (words[-1] & 1))
    return _as_state(words)


def _even_words(seed: int) -> Polynomial:
    """Return 29 bits of the seed and 2, rotated from word to word above a zero bit, but 1 more in the second word."""
    word, words = seed + 2 & ~1, []
    for _ in range(max(KNUTH_LAGS)):
        words.append(word)
        word = word * 2 % 2**30 + (word >> 28 & 2)
    words[1] += 1
    return words


def _bits(seed: int) -> list[int]:
    """Return for each squaring whether a multiplication by z follows: the bits of the seed, the lowest first."""
    return [seed >> i & 1 for i in range(seed.bit_length() + KNUTH_SQUARINGS)]


def _folded(f: Polynomial, *, only_odd: bool = False) -> Polynomial:
    """Return `f` with -z^37 - 1 in place of z^100, coefficients modulo 2^30; where asked, for odd coefficients only."""
    order, short = KNUTH_LAGS
    f = list(f)
    for i in range(len(f) - 1, order - 1, -1):
        if f[i] & 1 or not only_odd:
            f[i - order + short] = (f[i - order + short] - f[i]) % 2**30
            f[i - order] = (f[i - order] - f[i]) % 2**30
    return f[:order]


def _shifted(f: Polynomial, lead: int) -> Polynomial:
    """Return z times `f` with the top coefficient moved to the bottom and `lead` taken off that of z^37."""
    short = min(KNUTH_LAGS)
    f = [f[-1], *f[:-1]]
    f[short] = (f[short] - lead) % 2**30
    return f


def _as_state(words: Polynomial) -> Words:
    """Return the words in the order in which the recurrence goes over them."""
    short = min(KNUTH_LAGS)
    return tuple(words[short:] + words[:short])


BRENT = (
    "R. P. Brent, Uniform random number generators for supercomputers, Proc. Fifth Australian Supercomputer "
    "Conference, 1992, pp. 95-104"
)
GLIBC = "GNU C Library, initstate and stdlib/random_r.c"
RAN_ARRAY = f"{KNUTH}, section 3.6"
TABLE = f"{KNUTH}, section 3.2.2, table 1"


def _named(  # noqa: PLR0913  # the columns of the table
    name: str,
    what: str,
    source: str,
    lags: tuple[int, int],
    seeds: tuple[int, int],
    seeding: Callable[[int], Words],
    *,
    op: str = "+",
    modulus: int = 2**32,
    output: tuple[int, int] | None = None,
    skipped: int = 0,
) -> Named:
    """Return the row of a generator of a library, whose seeding function makes the words, oldest first.

    The library draws `skipped` values before its first; of a negative number the first are the seeded words themselves.
    """

    def made(seed: int) -> BitGenerator:
        words = seeding(seed)
        generator = LaggedFibonacci(lags, op, modulus=modulus, state=words, output=output)
        return generator.with_state(generator.state_after(words, skipped))

    return Named(name, what, source, seeds, made)


def _pair(name: str, lags: tuple[int, int], source: str, op: str = "+") -> Named:
    """Return the row of a pair of lags without a library: words of 32 bits, seeded by the rule of `LaggedFibonacci`."""
    what = f"the lags {lags[0]} and {lags[1]}, {op} on 32 bits, with clrng's own seeding"
    return Named(name, what, source, (0, 2**64 - 1), lambda seed: LaggedFibonacci(lags, op, seed=seed))


def _glibc(number: int, size: int, degree: int, separation: int) -> Named:
    """Return the row of random of the GNU C library with a state of `size` bytes."""
    what = f"random of the GNU C library with a state of {size} bytes; for its seed 0 give 1"
    return _named(
        f"glibc_type_{number}", what, f"{GLIBC}, TYPE_{number}", (degree, separation), (1, 2**32 - 1),
        partial(glibc, degree, separation), output=(1, 31), skipped=10 * degree,
    )  # fmt: skip


def _boost(order: int, lag: int) -> Named:
    """Return the row of a generator of doubles of Boost, as integers."""
    what = f"lagged_fibonacci{order} of Boost: all 48 bits, which it divides by 2^48"
    return _named(
        f"boost_lagged_fibonacci_{order}", what, f"Boost, Boost.Random, lagged_fibonacci{order}; {BRENT}",
        (order, lag), (1, MODULUS - 1), partial(boost, order), modulus=2**48,
    )  # fmt: skip


NAMED = (
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
    _named("knuth_ran_array_1997", "ran_array of Knuth as first printed, all its values",
           f"{RAN_ARRAY}, first to eighth printing; {GSL}, gsl_rng_knuthran", KNUTH_LAGS, (0, 2**30 - 3),
           ran_start_1997, op="-", modulus=2**30, skipped=-100),
    _named("knuth_ran_array_2002", "ran_array of Knuth with the better seeding of 2002, all its values",
           f"{RAN_ARRAY}, ninth printing, 2002; {GSL}, gsl_rng_knuthran2002", KNUTH_LAGS, (0, 2**30 - 3),
           ran_start, op="-", modulus=2**30, skipped=10 * 199 - 100),
    _named("gsl_r250", "r250 of GSL, whose shorter lag is 147; GSL takes 1 for seed 0", f"{GSL}, gsl_rng_r250",
           (250, 147), (1, 2**32 - 1), gsl_r250, op="xor"),
    _named("ran3", "the subtractive generator ran3 of Numerical Recipes, there seeded by -seed, and of GSL",
           "W. H. Press, S. A. Teukolsky, W. T. Vetterling and B. P. Flannery, Numerical Recipes in C, 2nd ed., "
           f"Cambridge University Press, 1992, p. 283; {GSL}, gsl_rng_ran3", RAN3, (1, 161803398), ran3, op="-",
           modulus=10**9, skipped=4 * 55),
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
