"""Scramblers: sums and products of words of a linear state, which are its values in place of a word."""

from typing import Any

from clrng import validation
from clrng.generators.base import Words
from clrng.validation import shown

Scrambler = tuple[Any, ...]
"""What is done, and with which words and constants: ("+", i, j), ("++", i, j, r), ("*", i, a) or ("**", i, a, r, b).

With s for the words of the state, the oldest first, these are s_i + s_j; rotl(s_i + s_j, r) + s_i; a s_i; and
b rotl(a s_i, r), all modulo 2^bits."""

PARTS = {"+": "ww", "++": "wwr", "*": "wm", "**": "wmrm"}
"""What follows the name of a scrambler: words, rotations and multipliers."""

LEGAL = "('+', i, j), ('++', i, j, r), ('*', i, a) or ('**', i, a, r, b)"


def checked(name: str, value: Any, order: int, bits: int) -> Scrambler:
    """Return `value` if it is a scrambler of a state of `order` words of so many bits."""
    if not validation.is_sequence(value) or not len(value) or not isinstance(value[0], str):
        raise TypeError(f"{name} must be {LEGAL}, not {shown(value)}")
    operation, *numbers = value
    if len(numbers) != len(PARTS.get(operation, "")) or not numbers:
        raise ValueError(f"{name} must be {LEGAL}, not {shown(value)}")
    limits = {"w": (0, order - 1), "r": (1, bits - 1), "m": (1, 2**bits - 1)}
    found = []
    for i, (part, number) in enumerate(zip(PARTS[operation], numbers, strict=True), 1):
        found.append(validation.integer(f"{name}[{i}]", number, *limits[part]))
        if part == "m" and found[-1] % 2 == 0:
            raise ValueError(f"{name}[{i}] must be an odd multiplier, not {number}")
    if operation[0] == "+" and found[0] == found[1]:
        raise ValueError(f"{name} must be of two words, not twice of word {found[0]}")
    return (str(operation), *found)


def rotated(x: Any, r: int, bits: int) -> Any:
    """Return a word of so many bits rotated to the left by r of them."""
    return x << r & 2**bits - 1 | x >> bits - r


def scrambled(words: Words, scrambler: Scrambler, bits: int) -> int:
    """Return the value of a state."""
    operation, i, *rest = scrambler
    if operation[0] == "+":
        total = words[i] + words[rest[0]] & 2**bits - 1
        return int(total if operation == "+" else rotated(total, rest[1], bits) + words[i] & 2**bits - 1)
    product = words[i] * rest[0] & 2**bits - 1
    return int(product if operation == "*" else rotated(product, rest[1], bits) * rest[2] & 2**bits - 1)


def text(scrambler: Scrambler, rotate: str, u: str) -> str:
    """Return OpenCL C of the value of a state s; `rotate` is what rotates to the left, `u` what ends a constant."""
    operation, i, *rest = scrambler
    if operation[0] == "+":
        total = f"s.x{i} + s.x{rest[0]}"
        return total if operation == "+" else f"{rotate}({total}, {rest[1]}) + s.x{i}"
    product = f"s.x{i} * {rest[0]}{u}"
    return product if operation == "*" else f"{rotate}({product}, {rest[1]}) * {rest[2]}{u}"


def formula(scrambler: Scrambler) -> str:
    """Return the value as people read it."""
    operation, i, *rest = scrambler
    if operation[0] == "+":
        total = f"s{i} + s{rest[0]}"
        return total if operation == "+" else f"rotl({total}, {rest[1]}) + s{i}"
    product = f"{rest[0]} s{i}"
    return product if operation == "*" else f"{rest[2]} rotl({product}, {rest[1]})"
