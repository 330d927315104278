"""How libraries make the words of lagged Fibonacci generators from a seed; each returns them oldest first."""

from clrng.generators.arithmetic import MODULUS as MERSENNE
from clrng.generators.base import Words
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
        word = 16807 * word % MERSENNE
        words.append(word)
    return tuple(words[separation:] + words[:separation])


def boost(order: int, seed: int) -> Words:
    """Return what Boost makes of a seed: words of 48 bits from two of the minimal standard, the lower first."""
    words = []
    for _ in range(order):
        low = 16807 * seed % MERSENNE
        seed = 16807 * low % MERSENNE
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
