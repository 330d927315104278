"""Odd numbers modulo 2^M as (-1)^s 5^e, which turns their products into sums.

For M of 3 or more every odd number has one s modulo 2 and one e modulo 2^(M-2) (C. F. Gauss, Disquisitiones
Arithmeticae, 1801, articles 90 and 91). A number is 5^e where it is 1 modulo 4, else -5^e.
"""

import numpy as np
import numpy.typing as npt

UInt64s = npt.NDArray[np.uint64]


def powers_of_5(bits: int) -> list[int]:
    """Return 5^(2^j) modulo 2^bits for j = 0 ... bits - 3."""
    return [pow(5, 2**j, 2**bits) for j in range(bits - 2)]


def logarithms(words: UInt64s, bits: int) -> tuple[UInt64s, UInt64s]:
    """Return signs s and exponents e of odd `words` modulo 2^bits.

    Notes
    -----
    Modulo 2^(j+3) the numbers 1 and 5^(2^j) differ in bit j + 2 alone, so bit j of e is that bit of what is left
    after dividing the lower powers out.
    """
    mask = np.uint64(2**bits - 1)
    signs = words >> np.uint64(1) & np.uint64(1) if bits > 1 else np.zeros_like(words)
    left = np.where(signs == 1, -words, words) & mask
    exponents = np.zeros_like(words)
    for j in range(bits - 2):
        found = left >> np.uint64(j + 2) & np.uint64(1)
        exponents |= found << np.uint64(j)
        left = np.where(found == 1, left * np.uint64(pow(5, -(2**j), 2**bits)), left) & mask
    return signs, exponents


def words_of(signs: UInt64s, exponents: UInt64s, bits: int) -> UInt64s:
    """Return the odd words modulo 2^bits with these signs and exponents."""
    words = np.ones_like(exponents)
    for j, power in enumerate(powers_of_5(bits)):
        words = np.where(exponents >> np.uint64(j) & np.uint64(1) == 1, words * np.uint64(power), words)
    return np.where(signs & np.uint64(1) == 1, -words, words) & np.uint64(2**bits - 1)
