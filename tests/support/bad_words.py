"""Words of generators that are known to be bad, by plain recurrences, each with the tests that are to fail it."""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]

N = 2**16


def good(seed: int, n: int = N) -> Words:
    """Return words of a generator of NumPy's that passes all known batteries."""
    return np.random.Generator(np.random.Philox(seed)).integers(0, 2**32, n, dtype=np.uint32)


def first(words: Iterator[int]) -> Words:
    return np.fromiter(islice(words, N), np.uint32, N)


def congruential(multiplier: int, increment: int, modulus: int, seed: int) -> Iterator[int]:
    while True:
        seed = (multiplier * seed + increment) % modulus
        yield seed


def xorshift32() -> Iterator[int]:
    x = 2463534242
    while True:
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        yield x


def lagged(lags: tuple[int, int], operation: Callable[[int, int], int]) -> Iterator[int]:
    words = [int(word) for word in good(3, max(lags))]
    yield from words
    while True:
        words.append(operation(words[-lags[0]], words[-lags[1]]) % 2**32)
        del words[0]
        yield words[-1]


def repelled() -> Words:
    """Return words of which none below 2^28 comes right after another."""
    words = good(4)
    low = words < 2**28
    words[1:][low[1:] & low[:-1]] |= 2**31
    return words


def sticky(chance: float) -> Words:
    """Return words whose top bit is that of the word before with `chance` more than half."""
    words, same = good(5), np.random.Generator(np.random.Philox(6)).random(N) < 0.5 + chance
    tops = np.bitwise_xor.accumulate((~same).astype(np.uint32))
    return words & np.uint32(2**31 - 1) | tops << np.uint32(31)


def turned() -> Words:
    """Return words of which every second is the one before with its bits turned round by some places."""
    words = good(7)
    places = words[1::2] % 31 + np.uint32(1)
    words[1::2] = words[::2] << places | words[::2] >> np.uint32(32) - places
    return words


BAD: dict[str, tuple[Words, int, tuple[str, ...]]] = {}
"""Words, their bits and the tests that are to fail them, by what they are."""


def bad(what: str, words: Words, *tests: str, bits: int = 32) -> None:
    BAD[what] = words, bits, tests


bad(
    "RANDU",
    first(congruential(65539, 0, 2**31, 1)),
    "lattice in 3 dimensions",
    "birthday spacings of three words",
    bits=31,
)
bad(
    "a stuck bit",
    good(1) | np.uint32(64),
    "frequency of bits",
    "rank of matrices 64 by 64",
    "rank of matrices 320 by 320",
)
bad("a stuck top bit", good(1) | np.uint32(2**31), "linear complexity of top bits", "collisions of single bits", "gaps")
bad("a period of 5000 words", np.resize(good(2, 5000), N), "autocorrelation", "collisions of two words")
bad(
    "a counter",
    np.arange(N, dtype=np.uint32),
    "serial pairs of top bits",
    "lattice in 2 dimensions",
    "collisions of four words",
)
bad(
    "an LCG of 32 bits",
    first(congruential(1664525, 1013904223, 2**32, 0)),
    "birthday spacings of two words",
    "birthday spacings of low bits",
    "serial pairs of low bits",
    "linear complexity of lowest bits",
)
bad("xorshift32", first(xorshift32()), "rank of matrices 64 by 64", "linear complexity of top bits")
bad("LFG(7, 10, +)", first(lagged((7, 10), lambda a, b: a + b)), "three words at lags", "birthday spacings of one word")
bad("LFG(24, 55, -)", first(lagged((24, 55), lambda a, b: a - b)), "three words at lags")
bad(
    "LFG(31, 103, xor)",
    first(lagged((31, 103), lambda a, b: a ^ b)),
    "three bits at lags",
    "rank of matrices 320 by 320",
)
bad("low words apart", repelled(), "gaps")
bad("a top bit that stays", sticky(0.1), "random walk", "serial pairs of top bits")
bad("words turned round", turned(), "Hamming weights of pairs")
