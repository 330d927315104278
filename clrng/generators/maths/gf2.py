"""Polynomials over GF(2), linear maps of states of several words over GF(2), and powers of both.

A polynomial is an integer: the coefficient of x^i is bit i.

A map is an array of its columns, shape (order * bits, order): row j is what it makes of the state whose only bit is bit
j, the bits of the oldest word first, the lowest of each first.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, repeat
from operator import xor
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.generators.maths.number_theory import factors

STRETCH = 8
"""How many coefficients a division takes away at once."""


class Remainders:
    """Products and powers modulo `modulus`, a polynomial of degree 1 or more, its `degree`."""

    def __init__(self, modulus: int) -> None:
        self._modulus = modulus
        self.degree = modulus.bit_length() - 1
        row = modulus ^ 1 << self.degree  # x^degree, then x^(degree + 1), ...
        self._table = [0]  # entry t is t x^degree, for each polynomial t of STRETCH coefficients
        for _ in range(STRETCH):
            self._table += [entry ^ row for entry in self._table]
            row = row << 1 ^ (modulus if row << 1 >> self.degree else 0)

    def reduced(self, f: int) -> int:
        """Return the remainder of `f`."""
        for place in range(f.bit_length() - self.degree, 0, -STRETCH):
            low = max(place - STRETCH, 0) + self.degree
            above = f >> low
            f ^= above << low ^ self._table[above] << low - self.degree
        return f

    def squared(self, f: int) -> int:
        """Return the square of `f`: there are zeros between its coefficients."""
        return self.reduced(int(f"{f:b}", 4))

    def power(self, n: int) -> int:
        """Return x^n; a negative `n` is a power of the inverse of x, which needs a modulus with the term 1."""
        digits = abs(n)
        later = max(digits.bit_length() - self.degree.bit_length() + 1, 0)  # bits after those that are plain powers
        result = self._shifted(1, digits >> later, backwards=n < 0)
        for bit in range(later - 1, -1, -1):
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


def characteristic(step: Callable[[Any], Any], first: Sequence[int], bit: Callable[[Any], int], degree: int) -> int:
    """Return the characteristic polynomial of a linear step, of so high a degree.

    It is that of a `bit` of the states from `first` on.
    """
    states = accumulate(repeat(None, 2 * degree), lambda words, _: step(words), initial=first)
    return connection([bit(words) & 1 for words in states])


def is_primitive(modulus: int, primes: Sequence[int]) -> bool:
    """Return whether the powers of x modulo `modulus` are all 2^degree - 1 polynomials but 0.

    `primes` are those that divide 2^degree - 1.
    """
    remainders = Remainders(modulus)
    order = 2**remainders.degree - 1
    return remainders.power(order) == 1 and all(remainders.power(order // prime) != 1 for prime in primes)


class SparseModulus(Remainders):
    """Products and powers modulo a polynomial with the term 1, whose other terms are far below the first."""

    def __init__(self, modulus: int) -> None:
        super().__init__(modulus)
        self._terms = [i for i in range(self.degree) if modulus >> i & 1]
        self._gap = self.degree - self._terms[-1]
        self._power = lru_cache(maxsize=16)(super().power)  # the streams of all seeds lie the same distance apart

    def power(self, n: int) -> int:  # noqa: D102  # as inherited
        return self._power(n)

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

    def product(self, f: int, g: int) -> int:
        """Return the product of two remainders.

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

    def powers_of(self, f: int, count: int) -> list[int]:
        """Return f, f^2, ..., f^count."""
        found = [f]
        for n in range(2, count + 1):
            found.append(self.product(found[-1], f) if n % 2 else self.squared(found[n // 2 - 1]))
        return found

    def positions(self, f: int) -> npt.NDArray[np.intp]:
        """Return the exponents of the terms of `f`."""
        return np.flatnonzero(self._coefficients(f))


PUBLISHED = {
    (89, 38), (97, 6), (97, 12), (97, 33), (97, 34), (98, 11), (98, 27), (100, 37), (127, 1), (127, 7), (127, 15),
    (127, 30), (127, 63), (250, 103), (258, 83), (378, 107), (521, 32), (521, 48), (521, 158), (521, 168), (607, 105),
    (607, 147), (607, 273), (1279, 216), (1279, 418), (2281, 715), (2281, 915), (2281, 1029), (3217, 67), (3217, 576),
    (4423, 271), (4423, 369), (4423, 370), (4423, 649), (4423, 1393), (4423, 1419), (4423, 2098), (9689, 84),
    (9689, 471), (9689, 1836), (9689, 2444), (9689, 4187), (19937, 881), (19937, 7083), (19937, 9842), (23209, 1530),
    (23209, 6619), (23209, 9739), (44497, 8575), (44497, 21034),
}  # fmt: skip
"""Primitive x^p + x^q + 1 with p > 64 and q <= p/2 as (p, q): N. Zierler, "Primitive trinomials whose degree is a
Mersenne exponent", Information and Control 15, 1969, pp. 67-69; N. Zierler and J. Brillhart, "On primitive trinomials
(mod 2)", Information and Control 13, 1968, pp. 541-554; Knuth, vol. 2, section 3.2.2, table 1; Y. Kurita and
M. Matsumoto, "Primitive t-nomials (t = 3, 5) over GF(2) whose degree is a Mersenne exponent <= 44497", Math. Comp. 56,
1991, pp. 817-821."""


@lru_cache(maxsize=256)
def is_primitive_trinomial(p: int, q: int) -> bool:
    """Return whether x^p + x^q + 1, 0 < q < p, is primitive modulo 2: found out up to p = 64, beyond as published."""
    q = min(q, p - q)  # of a polynomial and its reciprocal both are or none
    if p > 64:  # noqa: PLR2004  # whose 2^p - 1 is too large to factor
        return (p, q) in PUBLISHED
    return is_primitive(1 << p | 1 << q | 1, list(factors(2**p - 1)))


Columns = npt.NDArray[Any]

MAPPED = 512
"""The highest degree at which a single state is moved by a map: beyond it, steps in integers are made sooner."""

CACHED = 64
"""How many powers of a map are cached."""


def bits_of(states: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return the bits of `states`, shape (count, order), one in each place, shape (count, order * bits)."""
    little = np.ascontiguousarray(states, states.dtype.newbyteorder("<"))
    return np.unpackbits(little.view(np.uint8), axis=1, bitorder="little")


def mapped(columns: Columns, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what a map makes of each of `states`, shape (count, order): the xor of the columns of its bits."""
    total = np.zeros_like(states)
    for column, bit in zip(columns, bits_of(states).T, strict=True):
        total ^= bit[:, None].astype(states.dtype) * column
    return total


class Powers:
    """The powers of a linear step.

    `step`: takes the words of a state and returns those one step later; each may be an array, of many states. `order`:
    the words of a state. `dtype`: that of a word. `characteristic`: a polynomial of which the step is a root: the n-th
    power is then the sum of the first powers whose weights are the coefficients of x^n modulo it.
    """

    def __init__(self, step: Callable[[Any], Any], order: int, dtype: np.dtype[Any], characteristic: int) -> None:
        self._remainders, self._step, self._order, self._dtype = Remainders(characteristic), step, order, dtype
        self.columns: Callable[[int], Columns] = lru_cache(maxsize=CACHED)(self._columns)

    @cached_property
    def _first(self) -> Columns:
        """The first powers, as many as the degree."""
        count = 8 * self._dtype.itemsize * self._order
        unit = np.packbits(np.eye(count, dtype=np.uint8), axis=1, bitorder="little")
        words = tuple(unit.view(self._dtype.newbyteorder("<")).astype(self._dtype).T)
        found: Columns = np.empty((self.degree, count, self._order), self._dtype)
        for power in found:
            power[:] = np.stack(words, axis=1)
            words = tuple(self._step(words))
        return found

    @property
    def degree(self) -> int:
        """That of the characteristic polynomial."""
        return self._remainders.degree

    def _columns(self, n: int) -> Columns:
        """Return the map of `n` steps, 0 or more."""
        weights = self._remainders.power(n)
        chosen = [i for i in range(self.degree) if weights >> i & 1]
        found: Columns = np.bitwise_xor.reduce(self._first[chosen], axis=0)
        found.flags.writeable = False
        return found

    def weights(self, n: int) -> int:
        """Return the polynomial of `n` steps."""
        return self._remainders.power(n)

    def after(self, words: tuple[int, ...], n: int) -> tuple[int, ...]:
        """Return the state `n` steps after that of `words`."""
        if self.degree > MAPPED:
            return self._summed(words, n)
        columns = self.columns(n)
        states = np.array([words], columns.dtype)
        chosen = columns[bits_of(states)[0] != 0]
        found: list[int] = np.bitwise_xor.reduce(chosen, axis=0).tolist()
        return tuple(found)

    def _summed(self, words: tuple[int, ...], n: int) -> tuple[int, ...]:
        """Return the same as the sum of the states 0, 1, 2, ... steps on that the polynomial of `n` steps has."""
        weights, total = self.weights(n), (0,) * self._order
        while weights:
            if weights & 1:
                total = tuple(map(xor, total, words))
            words, weights = tuple(self._step(words)), weights >> 1
        return total

    def all_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
        """Return the same of each of `states`, shape (count, order)."""
        return mapped(self.columns(n), states)
