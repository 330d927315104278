"""A seed of one integer for the words of a lagged Fibonacci generator."""

from typing import Any

from clrng import validation
from clrng.generators.base import Words


class Seed:
    """What fills a state.

    Parameters
    ----------
    seed : int
        From 0 to 2^64 - 1.
    """

    def __init__(self, seed: Any) -> None:
        self._seed = validation.integer("seed", seed, 0, 2**64 - 1)

    def words(self, p: int, op: str, modulus: int) -> Words:
        """Return `p` words below `modulus` that suit `op`."""
        words = [self._splitmix(i) * modulus >> 64 for i in range(1, p + 1)]
        if op == "*":
            return tuple(word | 1 for word in words)
        if modulus & (modulus - 1) == 0 or not any(words):
            words[0] |= 1
        return tuple(words)

    def _splitmix(self, i: int) -> int:
        """Return value i of SplitMix64."""
        z = (self._seed + i * 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31
