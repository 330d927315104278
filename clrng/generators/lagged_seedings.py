"""What libraries fill the words of lagged Fibonacci generators with, each of a seed of its own."""

from clrng.generators.arithmetic import MODULUS
from clrng.generators.base import Words

KNUTH_LAGS = (100, 37)
KNUTH_SQUARINGS = 69
"""How often Knuth squares once the bits of the seed are used up, which keeps the streams of all seeds 2^70 apart."""

RAN3 = (55, 24)
DOTNET_LAGS = (55, 34)
SPRNG_LAGS = (63, 31)


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


def ran_start(seed: int, *, first_printing: bool = False) -> Words:
    """Return what Knuth's ran_start of 2002, or of 1997, makes of a seed, before it draws values to warm up.

    The words are the coefficients of a polynomial modulo z^100 + z^37 + 1. That of 1997 differs in what the upper bits
    do: only odd coefficients are folded back, and the gaps of the lower part of a square are filled with the even parts
    of its upper coefficients, mirrored.
    """
    order, short = KNUTH_LAGS
    word, words = seed + 2 & ~1, []
    for _ in range(order):  # 29 bits of the seed and 2, rotated from word to word above a zero bit
        words.append(word)
        word = word * 2 % 2**30 + (word >> 28 & 2)
    words[1] += 1
    for place in range(seed.bit_length() + KNUTH_SQUARINGS):
        square = [0] * (2 * order - 1)
        square[::2] = words
        if first_printing:
            for i in range(1, order + short, 2):
                square[i] = square[2 * order - 1 - i] & ~1
        for i in range(len(square) - 1, order - 1, -1):  # -z^37 - 1 in place of z^100
            if square[i] & 1 or not first_printing:
                square[i - order + short] = (square[i - order + short] - square[i]) % 2**30
                square[i - order] = (square[i - order] - square[i]) % 2**30
        words = square[:order]
        if seed >> place & 1:  # times z
            lead = words[-1] if words[-1] & 1 or not first_printing else 0
            words = [words[-1], *words[:-1]]
            words[short] = (words[short] - lead) % 2**30
    return tuple(words[short:] + words[:short])


GO_LAGS = 273, 607


def of_go(seed: int, shifts: tuple[int, int] = (40, 20)) -> Words:
    """Return the words that Go makes of a seed, from three values of ``minstd`` each, the oldest first."""
    x, words = seed % (2**31 - 1) or 89482311, []
    for i in range(-20, 607):
        drawn = [x := 48271 * x % (2**31 - 1) for _ in range(3 if i >= 0 else 1)]
        words += [drawn[0] << shifts[0] ^ drawn[1] << shifts[1] ^ drawn[2]] if i >= 0 else []
    return tuple(words[(333 - k) % 607] for k in range(607))


def dotnet(seed: int) -> Words:
    """Return what System.Random of .NET makes of a seed, in integers of 32 bits with a sign, which wrap around.

    They are as those of ran3, but for the number of a word that the last four passes take.
    """
    words, last, word = [0] * 55, 161803398 - seed, 1
    words[54] = last
    for i in range(1, 55):
        words[21 * i % 55 - 1] = word
        word, last = _below_0_raised(last - word), word
    for _ in range(4):
        for i in range(55):
            words[i] = _below_0_raised(words[i] - words[(i + 31) % 55])
    return tuple(words)


def _below_0_raised(difference: int) -> int:
    wrapped = (difference + 2**31) % 2**32 - 2**31
    return wrapped + MODULUS if wrapped < 0 else wrapped


REGISTER_ENDS = (0xB0000000, 0x1B), (0x60000000, 0x2D), (0xC0000000, 0x5A), (0x80000000, 0xAF)
"""The bits of the lower and of the upper word of SPRNG's register whose sums are its four highest bits."""


def _register(low: int, high: int) -> tuple[int, int]:
    """Return SPRNG's register of 64 bits after a call, by x_i + x_{i+1} + x_{i+3} + x_{i+4} for all but four bits."""
    both = high << 32 | low
    added = [x ^ x >> 1 ^ x >> 3 ^ x >> 4 for x in (both, high)]
    ends = ((low & first).bit_count() + (high & second).bit_count() & 1 for first, second in REGISTER_ENDS)
    return added[0] % 2**32, added[1] % 2**28 | sum(bit << 28 + i for i, bit in enumerate(ends))


def sprng(seed: int) -> Words:
    """Return what SPRNG makes of a seed for the first of its multiplicative generators with the lags 63 and 31.

    The words are powers of 3, or these times -1, by exponents from a register, of which only one is odd. The upper word
    of an exponent is that of the register only where the highest bit of the lower one is 0, which is taken for a sign.
    """
    start, odd, negative = 0x372F05AC, 14, 0x5A38
    order, register = max(SPRNG_LAGS), (seed ^ start or start, 0)
    exponents = []
    for _ in range(order):
        low, high = register = _register(*register)
        exponents.append(((high if low < 2**31 else -1) << 32 | low) % 2**61 << 1)
    exponents = [0, *exponents[2:], 0]
    exponents[odd] |= 1
    words = [pow(3, n, 2**64) * (-1 if negative >> i & 1 else 1) % 2**64 for i, n in enumerate(exponents)]
    return tuple(reversed(words))
