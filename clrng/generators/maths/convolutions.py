"""Products of long polynomials modulo powers of two, exact though they are made by Fourier transforms.

Coefficients are cut into digits, small enough that the error of a transform is less than a half and rounding gives the
integers themselves. Where many products have factors in common, these are transformed once.
"""

from functools import lru_cache
from math import sqrt
from typing import Any, cast

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
"""The coefficients of a polynomial, or those of several in rows."""

LARGEST_ERROR = 0.45
"""The most by which a sum may be off that is rounded."""

EPSILON = 2.0**-53
"""The unit of the errors: half of what neighbouring numbers of double precision near 1 are apart."""

ROUNDING = 1.5 * 2.0**52
"""Added to a number of less than 2^51 it leaves the nearest integer in the bits of the sum, above those of its own."""

ROUNDING_BITS = np.float64(ROUNDING).view(np.uint64)

ODD_FACTORS = (1, 3, 5)
"""The lengths of transforms are a power of two times one of these: the next such number is near."""


def transform_length(n: int) -> tuple[int, int, int]:
    """Return the least length of 4 or more that is enough for `n` numbers, its power of two and its odd factor."""
    lengths = ((odd << max(-(-n // odd) - 1, 3).bit_length(), odd) for odd in ODD_FACTORS)
    length, odd = min(lengths)
    return length, (length // odd).bit_length() - 1, odd


def relative_error(power: int, odd: int) -> float:
    """Return the bound of the error of a product by transforms of length odd * 2^power (see `Convolution`)."""
    one_transform = power * (1 + sqrt(5) + sqrt(0.5)) + (16 if odd > 1 else 0)
    return EPSILON * (3 * one_transform + sqrt(5)) * 1.001  # terms of second order


def digits_for(long: int, short: int, bits: int) -> tuple[int, int]:
    """Return how many digits a coefficient of `bits` bits is cut into, and the bits of each: as few as are exact."""
    _, power, odd = transform_length(long + short - 1)
    for count in range(1, bits + 1):
        size = -(-bits // count)
        largest = 4.0 ** (size - 1)  # the product of two digits
        if count * largest * sqrt(long * short) * relative_error(power, odd) < LARGEST_ERROR:
            return count, size
    raise ValueError(f"long and short must be the lengths of polynomials that have a product, not {long} and {short}")


class Convolution:
    """Products of polynomials of `long` and `short` coefficients modulo a power of two.

    Parameters
    ----------
    long, short : int
        The most coefficients of either factor.
    modulus : int
        A power of two of at most 2^64.

    Notes
    -----
    A digit of b bits is taken from -2^(b-1) to 2^(b-1). A convolution by transforms of length 2^k in double precision
    is off by less than |x| |y| e, where |x| and |y| are the Euclidean norms and e is about (3 k (1 + sqrt(5) +
    sqrt(1/2)) + sqrt(5)) 2^-53 (R. P. Brent, C. Percival and P. Zimmermann, Error bounds on complex floating-point
    multiplication, Math. Comp. 76, 2007, pp. 1469-1481).

    A length of 5 * 2^k adds a step in each of the three transforms, in which every five numbers become their transform.
    That is sums and differences of pairs, then sums of three products with constants, then sums of pairs again. The
    errors of the second of these, at most 4 roundings of sums whose absolute matrix has a norm below 2.48, are the
    largest: 4 * 2.48 * 2 / sqrt(5) = 8.9 in units of 2^-53 and relative to the norm of the result. The first adds
    sqrt(2), the third 1, and the roots of unity sqrt(5) + sqrt(1/2): together less than 16. A step of three numbers is
    shorter. Digits are so small that the bounds of all products of which digits are summed stay below 0.45. NumPy's
    transforms, whose steps take two or four numbers at a time where they can, were off by less than a tenth of that.
    """

    def __init__(self, long: int, short: int, modulus: int) -> None:
        self._size = long + short - 1
        self._length, _, _ = transform_length(self._size)
        self._count, self._bits = digits_for(long, short, (modulus - 1).bit_length())
        self._places = [np.uint64(self._bits * i) for i in range(self._count)]
        self._half = 1 << (self._bits - 1)
        self._halves = np.uint64(sum(self._half << (self._bits * i) for i in range(self._count)) % 2**64)
        self._mask = np.uint64(modulus - 1)

    def transformed(self, words: Words) -> Any:
        """Return the transforms of the digits of a polynomial, or of several in rows; the digits are the first axis."""
        raised = words + self._halves  # whose digits are those wanted, plus a half of their range
        largest = np.uint64((1 << self._bits) - 1)
        digits = np.array([raised >> place & largest for place in self._places], float)
        return np.fft.rfft(digits - self._half, self._length)

    def product(self, x: Any, y: Any) -> Words:
        """Return the product of polynomials, or of rows of them, that were `transformed`."""
        found: Any = None
        for k, place in enumerate(self._places):
            total = x[0] * y[k]
            for i in range(1, k + 1):
                total += x[i] * y[k - i]
            sums = np.fft.irfft(total, self._length)
            sums += ROUNDING
            words: Words = sums.view(np.uint64)[..., : self._size]
            words -= ROUNDING_BITS
            words <<= place
            found = words if found is None else np.add(found, words, out=found)
        found &= self._mask
        return cast("Words", found)


@lru_cache(maxsize=64)
def convolution(long: int, short: int, modulus: int) -> Convolution:
    """Return the convolution of these lengths, the same one each time."""
    return Convolution(long, short, modulus)


def convolved(f: Words, g: Words, modulus: int) -> Words:
    """Return the product of two polynomials modulo a power of two of at most 2^64."""
    made = convolution(max(len(f), len(g)), min(len(f), len(g)), modulus)
    x = made.transformed(f)
    return made.product(x, x if g is f else made.transformed(g))[: len(f) + len(g) - 1]
