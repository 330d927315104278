"""The YARN output of linear recurrences on a device: powers of a primitive root, by a table for each digit."""

from collections.abc import Sequence
from typing import Any

from clrng.opencl.templates import joined, render

DIGIT_BITS = 8
"""Bits of a digit. Longer ones make fewer products and larger tables: for words of 31 bits, 8 take three products and
3.5 KiB, and 11 two and 20 KiB."""


def root_powers(root: int, modulus: int, word_bits: int) -> list[int]:
    """Return the powers by the digits of words below `modulus`, as the template has them.

    Those of the last place are only as many as words have.
    """
    powers, bits = [], (modulus - 1).bit_length()
    for place in range(0, bits, DIGIT_BITS):
        base = pow(root, 1 << place, modulus)
        power = 1 if place == 0 else (1 << word_bits) % modulus
        for _ in range(1 << min(DIGIT_BITS, bits - place)):
            powers.append(power)
            power = power * base % modulus
    return powers


def yarn_value(root: int, modulus: int, powers: Sequence[int], numbers: dict[str, Any]) -> str:
    """Return the OpenCL C of values that are powers of `root`; `numbers` are what templates of generators take."""
    word_bits = 32 if numbers["word"] == "uint" else 64
    return render(
        "generators/yarn.cl.mako",
        **numbers,
        root=root,
        root_powers=powers,
        place_bits=DIGIT_BITS,
        places=-(-(modulus - 1).bit_length() // DIGIT_BITS),
        word_bits=word_bits,
        joined=joined,
        inverse=pow(modulus, -1, 1 << word_bits),
    )
