"""Powers of x modulo the characteristic polynomial of a recurrence, which are its jumps.

A polynomial is the list of its coefficients, that of x^0 first. A product of long ones is one product of two Python
integers (Kronecker's substitution) or, modulo powers of two, a convolution by Fourier transforms.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Polynomial = list[int]

Words = npt.NDArray[np.uint64]
"""The coefficients of a polynomial, or those of several in rows."""

SHORT = 512
"""The fewest coefficients of the shorter factor for which Fourier transforms were faster than Python's integers."""

LIMB = 11
"""Bits of the pieces that coefficients are cut into for Fourier transforms."""

CACHED = 64
"""How many powers x^(2^j) are kept."""


def multiply(f: Sequence[int], g: Sequence[int], modulus: int) -> Polynomial:
    """Return the product of `f` and `g`, coefficients from 0 to `modulus` - 1, modulo `modulus`."""
    if min(len(f), len(g)) >= SHORT and _wraps(modulus):
        return _convolved(f, g, modulus)
    size = (2 * (modulus - 1).bit_length() + min(len(f), len(g)).bit_length() + 7) // 8
    x, y = (int.from_bytes(b"".join(c.to_bytes(size, "little") for c in p), "little") for p in (f, g))
    n = len(f) + len(g) - 1
    packed = (x * y).to_bytes(n * size, "little")
    return [int.from_bytes(packed[i * size : (i + 1) * size], "little") % modulus for i in range(n)]


def _wraps(modulus: int) -> bool:
    """Return whether `modulus` is a power of two that divides 2^64."""
    return modulus & (modulus - 1) == 0 and modulus <= 2**64


def _convolved(f: Sequence[int], g: Sequence[int], modulus: int) -> Polynomial:
    """Return the product of `f` and `g` modulo a power of two of at most 64 bits."""
    words = np.array(f, np.uint64)
    found: Polynomial = _convolved_rows(words, words if g is f else np.array(g, np.uint64), modulus).tolist()
    return found


def _convolved_rows(f: Words, g: Words, modulus: int) -> Words:
    """Return the product of `f`, or of each of its rows, and `g` modulo a power of two of at most 64 bits.

    Notes
    -----
    A convolution by transforms of length 2^k in double precision is off by less than |a| |b| e, where |a| and |b| are
    the Euclidean norms and e is about (3 k (1 + sqrt(5) + sqrt(1/2)) + sqrt(5)) 2^-53 (R. P. Brent, C. Percival and
    P. Zimmermann, Error bounds on complex floating-point multiplication, Math. Comp. 76, 2007, pp. 1469-1481). Pieces
    of 11 bits keep the sum of six such products below 0.06 for 2^17 by 2^16 coefficients, those of a jump at the
    largest lag, so that rounding gives the integers themselves. The bound is of transforms of radix 2; NumPy's were
    off by 0.001 at most.
    """
    count = -(-(modulus - 1).bit_length() // LIMB)
    n = f.shape[-1] + g.shape[-1] - 1
    length = 1 << (n - 1).bit_length()
    a = _transformed(f, count, length)
    b = a if g is f else _transformed(g, count, length)
    total = np.zeros((*f.shape[:-1], n), np.uint64)
    for k in range(count):
        piece = np.fft.irfft(sum(a[i] * b[k - i] for i in range(k + 1)), length)[..., :n]
        total += np.rint(piece).astype(np.uint64) << np.uint64(LIMB * k)
    return total & np.uint64(modulus - 1)


def _transformed(words: Words, count: int, length: int) -> Any:
    pieces = [(words >> np.uint64(LIMB * i)) & np.uint64(2**LIMB - 1) for i in range(count)]
    return np.fft.rfft(np.array(pieces, float), length)


LARGEST_KEPT = 2048
"""The largest degree whose powers are kept for later recurrences with the same coefficients: 5 MB each."""


class PowersOfX:
    """The powers of x modulo the characteristic polynomial of x_k = a_1 x_{k-1} + ... + a_p x_{k-p}.

    Parameters
    ----------
    coefficients : sequence of int
        a_1, ..., a_p.
    modulus : int

    Attributes
    ----------
    modulus : int
    """

    def __init__(self, coefficients: Sequence[int], modulus: int) -> None:
        self._top = [c % modulus for c in reversed(coefficients)]  # x^p is congruent to this
        self._terms = [(i, c) for i, c in enumerate(self._top) if c]
        self.modulus = modulus
        self._squares: list[Polynomial] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_squares": []}

    @property
    def degree(self) -> int:
        """The degree of the characteristic polynomial."""
        return len(self._top)

    def _reduce(self, f: Polynomial) -> Polynomial:
        p, m = self.degree, self.modulus
        f = [*f, *[0] * (p - len(f))]
        if p >= SHORT and _wraps(m):
            found: Polynomial = self._reduced_by_stretches(np.array(f, np.uint64)).tolist()
            return found
        for k in range(len(f) - 1, p - 1, -1):
            lead = f[k] % m
            if lead:
                for i, c in self._terms:
                    f[k - p + i] += lead * c
        return [c % m for c in f[:p]]

    def _reduced_by_stretches(self, words: Words) -> Words:
        """Return the same of one or several modulo a power of two, as many coefficients at a time as can be.

        Those are as many as do not depend on one another. `words` is overwritten.
        """
        p = self.degree
        length = p - max(i for i, _ in self._terms)
        for end in range(words.shape[-1], p, -length):
            start = max(p, end - length)
            above = words[..., start:end].copy()
            for i, c in self._terms:
                words[..., start - p + i : end - p + i] += above * np.uint64(c)
        return words[..., :p] & np.uint64(self.modulus - 1)

    def product(self, f: Polynomial, g: Polynomial) -> Polynomial:
        """Return the product of two polynomials of `degree` coefficients, again of as many."""
        return self._reduce(multiply(f, g, self.modulus))

    def powers_of(self, f: Polynomial, count: int) -> Words:
        """Return f, f^2, ..., f^count, shape (count, degree), for `f` of `degree` coefficients."""
        if not _wraps(self.modulus):
            found = [f]
            for _ in range(count - 1):
                found.append(self.product(found[-1], f))
            return np.array(found, np.uint64)
        rows = np.array([f], np.uint64)
        while len(rows) < count:
            product = _convolved_rows(rows[: count - len(rows)], rows[-1], self.modulus)
            rows = np.concatenate([rows, self._reduced_by_stretches(product)])
        return rows

    def times_x(self, f: Polynomial) -> Polynomial:
        """Return the product of `f`, of `degree` coefficients, and x."""
        return self._reduce([0, *f])

    def doubled(self, j: int) -> Polynomial:
        """Return x^(2^j), of `degree` coefficients; threads may put the same one in its place."""
        for k in range(len(self._squares), j + 1):
            last = self._squares[k - 1] if k else []
            self._squares[k : k + 1] = [self.product(last, last) if k else self._reduce([0, 1])]
        return self._squares[j]

    def power(self, n: int) -> Polynomial:
        """Return x^n for `n` of 0 or more, of `degree` coefficients."""
        if n < self.degree:
            return [int(i == n) for i in range(self.degree)]
        result = self._reduce([1 % self.modulus])
        for place in reversed(range(0, n.bit_length(), CACHED)):
            if place + CACHED < n.bit_length():
                for _ in range(CACHED):
                    result = self.product(result, result)
            for j in range(CACHED):
                if n >> place + j & 1:
                    result = self.product(result, self.doubled(j))
        return result


def powers_of_x(coefficients: Sequence[int], modulus: int) -> PowersOfX:
    """Return the powers of x of these coefficients; recurrences of equal ones share them."""
    if len(coefficients) > LARGEST_KEPT:
        return PowersOfX(coefficients, modulus)
    return _shared(tuple(coefficients), modulus)


@lru_cache(maxsize=8)
def _shared(coefficients: tuple[int, ...], modulus: int) -> PowersOfX:
    return PowersOfX(coefficients, modulus)
