"""The lags and the state of lagged Fibonacci generators: checked, and filled from a seed."""

from typing import Any

from clrng import validation
from clrng.bit_generators.base import Output, Words
from clrng.validation import shown

LARGEST_LAG = 2**16


def checked_lags(name: str, value: Any) -> tuple[int, int]:
    """Return `value` if it is a pair of different lags."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:  # noqa: PLR2004  # a pair
        raise TypeError(f"{name} must be a pair of integers, not {shown(value)}")
    first, second = (validation.integer(f"{name}[{i}]", lag, 1, LARGEST_LAG) for i, lag in enumerate(value))
    if first == second:
        raise ValueError(f"{name} must be two different integers, not {first} twice")
    return first, second


def needs_odd_word(op: str, m: int, output: Output | None) -> bool:
    """Return whether a sum or difference has to have an odd word, without which the lowest bit it shows stays 0."""
    return op in ("+", "-") and m & (m - 1) == 0 and not (output and output.shift)


def checked_words(name: str, values: Any, p: int, op: str, m: int, *, odd: bool) -> Words:
    """Return `values` if they are `p` words modulo `m` that suit `op`, one of them odd where `odd` asks for that."""
    validation.sequence(name, values)
    if len(values) != p:
        raise ValueError(f"{name} must be {p} integers, as many as the larger lag, not {len(values)}")
    if op == "*":
        return tuple(_odd(f"{name}[{i}]", value, m) for i, value in enumerate(values))
    words = tuple(validation.integer(f"{name}[{i}]", value, 0, m - 1) for i, value in enumerate(values))
    if odd and not any(word & 1 for word in words):
        raise ValueError(
            f"{name} must have an odd integer in it for {op!r} modulo 2^{m.bit_length() - 1}, or the lowest bit stays "
            f"0, not {p} even ones, the first {words[0]}"
        )
    if not any(words):
        raise ValueError(f"{name} must have an integer from 1 to {m - 1} in it, or it stays 0, not {p} zeros")
    return words


def _odd(name: str, value: Any, m: int) -> int:
    try:
        word = validation.integer(name, value, 1, m - 1)
    except ValueError:
        word = 0
    if word % 2 == 0:
        raise ValueError(f"{name} must be an odd integer from 1 to {m - 1} for '*', not {shown(value)}")
    return word


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
