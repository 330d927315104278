"""Integer arithmetic of any modulus: which template has it, and the numbers of a factor."""

from typing import Any


def template(modulus: int) -> str:
    """Return the template of the arithmetic modulo `modulus`."""
    return f"arithmetic/{'truncated' if is_power_of_two(modulus) else 'modular'}.cl.mako"


def is_power_of_two(n: int) -> bool:
    """Return whether `n`, 1 or more, is a power of two."""
    return n & (n - 1) == 0


def values(modulus: int, affine: bool) -> dict[str, Any]:
    """Return what the template takes: whether a factor has an increment too, and the numbers of the modulus."""
    return {
        "modulus": modulus,
        "affine": affine,
        "bits": (modulus - 1).bit_length(),
        "quotient_bits": quotient_bits(modulus),
    }


def quotient_bits(modulus: int) -> int:
    """Return how many bits the quotients of an arithmetic are scaled by: those of a word."""
    return 32 if modulus <= 2**32 else 64


def factor(modulus: int, a: int, c: int | None = None) -> tuple[int, ...]:
    """Return the words of x -> a x + c modulo `modulus`, or of x -> a x where `c` is None.

    Beside each number stands its quotient by the modulus, scaled by 2^32 or 2^64, except for powers of two.
    """
    numbers = (a,) if c is None else (a, c)
    if is_power_of_two(modulus):
        return numbers
    shift = quotient_bits(modulus)
    return tuple(word for number in numbers for word in (number, (number << shift) // modulus))
