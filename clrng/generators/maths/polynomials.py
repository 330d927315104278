"""Polynomials modulo m, their products, and powers of x modulo a characteristic polynomial, which are jumps.

A polynomial is the list of its coefficients, that of x^0 first. A product of long ones is one product of two Python
integers (Kronecker's substitution) or, modulo powers of two, a convolution by Fourier transforms. These are exact:
coefficients are cut into digits, small enough that the error of a transform is less than a half and rounding gives the
integers themselves. Where many products have factors in common, these are transformed once.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng.generators.maths.number_theory import is_power_of_two

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

    `long`, `short`: the most coefficients of either factor. `modulus`: A power of two of at most 2^64.

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


Polynomial = list[int]

SHORT = 64
"""The fewest coefficients of the shorter factor for which Fourier transforms were faster than Python's integers."""

SHORTEST_STRETCH = 32
"""The fewest coefficients that are reduced together for which that was faster in arrays than in lists."""

MOST_TOGETHER = 2**17
"""The most coefficients of factors that are multiplied together: with more, processors run out of cache."""

CACHED = 64
"""How many powers x^(2^j) are cached."""


def multiply(f: Sequence[int], g: Sequence[int], modulus: int) -> Polynomial:
    """Return the product of `f` and `g`, coefficients from 0 to `modulus` - 1, modulo `modulus`."""
    if min(len(f), len(g)) >= SHORT and _wraps(modulus):
        words = np.array(f, np.uint64)
        found: Polynomial = convolved(words, words if g is f else np.array(g, np.uint64), modulus).tolist()
        return found
    size = (2 * (modulus - 1).bit_length() + min(len(f), len(g)).bit_length() + 7) // 8
    x, y = (int.from_bytes(b"".join(c.to_bytes(size, "little") for c in p), "little") for p in (f, g))
    n = len(f) + len(g) - 1
    packed = (x * y).to_bytes(n * size, "little")
    return [int.from_bytes(packed[i * size : (i + 1) * size], "little") % modulus for i in range(n)]


def _wraps(modulus: int) -> bool:
    """Return whether `modulus` is a power of two that divides 2^64."""
    return is_power_of_two(modulus) and modulus <= 2**64


LARGEST_CACHED = 2048
"""The largest degree whose powers are cached for later recurrences with the same coefficients: 5 MB each."""


class PowersOfX:
    """The powers of x modulo the characteristic polynomial of x_k = a_1 x_{k-1} + ... + a_p x_{k-p}.

    `coefficients`: a_1, ..., a_p.
    """

    def __init__(self, coefficients: Sequence[int], modulus: int) -> None:
        self._top = [c % modulus for c in reversed(coefficients)]  # x^p is congruent to this
        self._terms = [(i, c) for i, c in enumerate(self._top) if c]
        self.modulus = modulus
        self._stretch = self.degree - max((i for i, _ in self._terms), default=0)
        self._in_words = self.degree >= SHORT and self._stretch >= SHORTEST_STRETCH and _wraps(modulus)
        self._squares: tuple[list[Any], list[Any]] = [], []  # of x and of 1/x

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_squares": ([], [])}

    @property
    def degree(self) -> int:
        """The degree of the characteristic polynomial."""
        return len(self._top)

    def _reduce(self, f: Polynomial) -> Polynomial:
        p, m = self.degree, self.modulus
        f = [*f, *[0] * (p - len(f))]
        for k in range(len(f) - 1, p - 1, -1):
            lead = f[k] % m
            if lead:
                for i, c in self._terms:
                    f[k - p + i] += lead * c
        return [c % m for c in f[:p]]

    def _reduced_by_stretches(self, words: Words) -> Words:
        """Return the remainder of one polynomial, or of several in rows, modulo a power of two; overwrites `words`.

        As many coefficients are taken away at a time as do not depend on one another.
        """
        p = self.degree
        for end in range(words.shape[-1], p, -self._stretch):
            start = max(p, end - self._stretch)
            above = words[..., start:end].copy()
            for i, c in self._terms:
                words[..., start - p + i : end - p + i] += above * np.uint64(c)
        return words[..., :p] & np.uint64(self.modulus - 1)

    def _product(self, f: Any, g: Any) -> Any:
        """Return the product of two polynomials of `degree` coefficients, again of as many.

        They are lists or, where transforms are faster, arrays of words.
        """
        if self._in_words:
            return self._reduced_by_stretches(convolved(f, g, self.modulus))
        return self._reduce(multiply(f, g, self.modulus))

    def _factor(self, f: Polynomial) -> Any:
        """Return `f` as `_product` takes it, of `degree` coefficients."""
        reduced = self._reduce(f)
        return np.array(reduced, np.uint64) if self._in_words else reduced

    def powers_of(self, f: Sequence[int] | Words, count: int) -> Words:
        """Return f, f^2, ..., f^count, shape (count, degree), for `f` of `degree` coefficients."""
        if not _wraps(self.modulus):
            f = [int(c) for c in f]
            found = [f]
            for _ in range(count - 1):
                found.append(self._reduce(multiply(found[-1], f, self.modulus)))
            return np.array(found, np.uint64)
        p, made = self.degree, 1
        products, rows = convolution(p, p, self.modulus), np.empty((count, p), np.uint64)
        rows[0] = f
        factors = products.transformed(rows[:1])  # the first rows, each of which every later row is a product with
        while made < count:
            known = factors.shape[1]
            some, last = min(known, count - made), products.transformed(rows[made - 1 : made])
            rows[made : made + some] = self._reduced_by_stretches(products.product(factors[:, :some], last))
            made += some
            if known == made - some and made * p <= MOST_TOGETHER and made < count:
                factors = np.concatenate([factors, products.transformed(rows[known:made])], axis=1)
        return rows

    def times_x(self, f: Polynomial) -> Polynomial:
        """Return the product of `f`, of `degree` coefficients, and x."""
        return self._reduce([0, *f])

    def doubled(self, j: int, *, backwards: bool = False) -> Any:
        """Return x^(2^j), or the power of 1/x, as a factor; threads may put the same one in its place."""
        squares = self._squares[backwards]
        if not squares:
            squares[:1] = [self._factor(self._inverse() if backwards else [0, 1])]
        for k in range(len(squares), j + 1):
            squares[k : k + 1] = [self._product(squares[k - 1], squares[k - 1])]
        return squares[j]

    def _inverse(self) -> Polynomial:
        """Return 1/x = (x^(p-1) - a_1 x^(p-2) - ... - a_(p-1)) / a_p."""
        inverse = pow(self._top[0], -1, self.modulus)
        return [-c * inverse for c in self._top[1:]] + [inverse]

    def power(self, n: int) -> Polynomial:
        """Return x^n, of `degree` coefficients; a negative `n` needs a last coefficient a_p that has an inverse."""
        if 0 <= n < self.degree:
            return [int(i == n) for i in range(self.degree)]
        digits = abs(n)
        result: Any = None
        for place in reversed(range(0, digits.bit_length(), CACHED)):
            if result is not None:
                for _ in range(CACHED):
                    result = self._product(result, result)
            for j in range(CACHED):
                if digits >> place + j & 1:
                    square = self.doubled(j, backwards=n < 0)
                    result = square if result is None else self._product(result, square)
        return cast("Polynomial", result.tolist() if self._in_words and result is not None else result)


def powers_of_x(coefficients: Sequence[int], modulus: int) -> PowersOfX:
    """Return the powers of x of these coefficients; recurrences of equal ones share them."""
    if len(coefficients) > LARGEST_CACHED:
        return PowersOfX(coefficients, modulus)
    return _shared(tuple(coefficients), modulus)


@lru_cache(maxsize=8)
def _shared(coefficients: tuple[int, ...], modulus: int) -> PowersOfX:
    return PowersOfX(coefficients, modulus)
