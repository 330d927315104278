"""Polynomials over GF(2) as integers: the coefficient of x^i is bit i.

They are short, of some hundred coefficients: those of recurrences whose states are a few words.
"""

from collections.abc import Sequence

STRETCH = 8
"""How many coefficients a division takes away at once."""


class Remainders:
    """Products and powers modulo a polynomial.

    Parameters
    ----------
    modulus : int
        Of degree 1 or more.

    Attributes
    ----------
    degree : int
        That of the modulus.
    """

    def __init__(self, modulus: int) -> None:
        self.degree = modulus.bit_length() - 1
        rows = [modulus ^ 1 << self.degree]  # row i is x^(degree + i)
        for _ in range(STRETCH - 1):
            rows.append(self._shifted(rows[-1], rows[0]))
        self._table = [0]  # entry t is t x^degree, for each polynomial t of STRETCH coefficients
        for row in rows:
            self._table += [entry ^ row for entry in self._table]

    def _shifted(self, f: int, top: int) -> int:
        """Return f times x, where x^degree is `top`."""
        f <<= 1
        return f ^ (1 << self.degree | top) if f >> self.degree else f

    def reduced(self, f: int) -> int:
        """Return the remainder of `f`."""
        for place in range(f.bit_length() - self.degree, 0, -STRETCH):
            low = max(place - STRETCH, 0) + self.degree
            above = f >> low
            f ^= above << low ^ self._table[above] << low - self.degree
        return f

    def power_of_x(self, n: int) -> int:
        """Return x^n for `n` of 0 or more."""
        result = self.reduced(1)
        for bit in f"{n:b}":
            spread = int(f"{result:b}", 4)  # the square has zeros between the bits
            result = self.reduced(spread << 1 if bit == "1" else spread)
        return result


def connection(bits: Sequence[int]) -> int:
    """Return the characteristic polynomial of the shortest linear recurrence of `bits`, each 0 or 1.

    It is the only one where there are at least twice as many bits as its degree. For bits s_0, s_1, ... it is the c of
    lowest degree L with c_0 s_k + ... + c_L s_{k+L} = 0 for all k (J. L. Massey, "Shift-register synthesis and BCH
    decoding", IEEE Trans. Information Theory 15, 1969, pp. 122-127).
    """
    found, before = 1, 1  # with coefficients of the oldest bit last, as Massey has them
    length, gap, past = 0, 1, 0
    for n, bit in enumerate(bits):
        past = past << 1 | bit  # bit i is s_{n-i}
        if (found & past).bit_count() & 1:
            longer = found ^ before << gap
            if 2 * length <= n:
                length, before, gap = n + 1 - length, found, 0
            found = longer
        gap += 1
    return int(f"{found:0{length + 1}b}"[::-1], 2)


def is_primitive(modulus: int, primes: Sequence[int]) -> bool:
    """Return whether the powers of x modulo `modulus` are all 2^degree - 1 polynomials but 0.

    `primes` are those that divide 2^degree - 1.
    """
    remainders = Remainders(modulus)
    order = 2**remainders.degree - 1
    return remainders.power_of_x(order) == 1 and all(remainders.power_of_x(order // prime) != 1 for prime in primes)
