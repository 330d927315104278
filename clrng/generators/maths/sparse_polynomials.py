"""Powers of x modulo a long polynomial over GF(2) with few terms.

A polynomial is an integer: the coefficient of x^i is bit i.
"""

import numpy as np
import numpy.typing as npt


class SparseModulus:
    """Products and powers modulo a polynomial whose other terms are far below the first.

    Parameters
    ----------
    modulus : int
        One with the term 1.

    Attributes
    ----------
    degree : int
        That of the modulus.
    """

    def __init__(self, modulus: int) -> None:
        self._modulus = modulus
        self.degree = modulus.bit_length() - 1
        self._terms = [i for i in range(self.degree) if modulus >> i & 1]
        self._gap = self.degree - self._terms[-1]

    def reduced(self, f: int) -> int:
        """Return the remainder of `f`; as many coefficients are taken away at once as do not depend on one another."""
        for place in range(f.bit_length() - self._gap, self.degree - self._gap, -self._gap):
            low = max(place, self.degree)
            above = f >> low
            multiple = above << self.degree
            for term in self._terms:
                multiple ^= above << term
            f ^= multiple << low - self.degree
        return f

    def squared(self, f: int) -> int:
        """Return the square of `f`: there are zeros between its coefficients."""
        return self.reduced(int(f"{f:b}", 4))

    def product(self, f: int, g: int) -> int:
        """Return the product of two remainders.

        Notes
        -----
        It is a convolution of zeros and ones by Fourier transforms in double precision. For 2^15 coefficients at most
        it is off by less than 10^-6, as `polynomials` says for larger numbers, so that rounding gives the integers.
        """
        length = 1 << (2 * self.degree).bit_length()
        first, second = (np.fft.rfft(self._coefficients(h).astype(float), length) for h in (f, g))
        sums = np.rint(np.fft.irfft(first * second, length)).astype(np.int64) & 1
        return self.reduced(int.from_bytes(np.packbits(sums.astype(np.uint8), bitorder="little").tobytes(), "little"))

    def _coefficients(self, f: int) -> npt.NDArray[np.uint8]:
        packed = np.frombuffer(f.to_bytes(-(-self.degree // 8), "little"), np.uint8)
        return np.unpackbits(packed, count=self.degree, bitorder="little")

    def power(self, n: int) -> int:
        """Return x^n; a negative `n` is a power of the inverse of x."""
        digits = abs(n)
        known = max(digits.bit_length() - self.degree.bit_length() + 1, 0)  # bits after those that are plain powers
        result = self._shifted(1, digits >> known, backwards=n < 0)
        for bit in range(known - 1, -1, -1):
            result = self.squared(result)
            if digits >> bit & 1:
                result = self._shifted(result, 1, backwards=n < 0)
        return result

    def _shifted(self, f: int, count: int, *, backwards: bool) -> int:
        """Return `f` times x^count, or divided by that."""
        if not backwards:
            return self.reduced(f << count)
        for _ in range(count):
            f = (f ^ self._modulus if f & 1 else f) >> 1
        return f

    def powers_of(self, f: int, count: int) -> list[int]:
        """Return f, f^2, ..., f^count."""
        found = [f]
        for n in range(2, count + 1):
            found.append(self.product(found[-1], f) if n % 2 else self.squared(found[n // 2 - 1]))
        return found

    def positions(self, f: int) -> npt.NDArray[np.intp]:
        """Return the exponents of the terms of `f`."""
        return np.flatnonzero(self._coefficients(f))
