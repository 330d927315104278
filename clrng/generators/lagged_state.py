"""The lags and the states that are legal for lagged Fibonacci generators."""

from typing import Any

from clrng import validation
from clrng.generators.base import Output, Words
from clrng.validation import shown

LARGEST_LAG = 2**16


def checked_lags(name: str, value: Any) -> tuple[int, int]:
    """Return `value` if it is a pair of different lags."""
    if not validation.is_sequence(value) or len(value) != 2:  # noqa: PLR2004  # a pair
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
