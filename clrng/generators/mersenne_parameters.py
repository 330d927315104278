"""The parameters of a Mersenne Twister, and what follows from them: its step, its tempering and its polynomial."""

from typing import Any, NamedTuple


class Twister(NamedTuple):
    """The parameters of a Mersenne Twister, as its authors call them.

    Attributes
    ----------
    w, n, m, r, a : int
        The bits of a word, the words of a state, the middle word, the lower bits, and the last row of the matrix.
    u, d, s, b, t, c, l : int
        The shifts and masks of tempering.
    """

    w: int
    n: int
    m: int
    r: int
    a: int
    u: int
    d: int
    s: int
    b: int
    t: int
    c: int
    l: int  # noqa: E741  # the authors' name

    @property
    def lower(self) -> int:
        """The mask of the lower bits, which are taken from the word after."""
        return (1 << self.r) - 1

    @property
    def upper(self) -> int:
        """The mask of the other bits."""
        return (1 << self.w) - 1 ^ self.lower

    def twisted(self, first: Any, second: Any, middle: Any) -> Any:
        """Return the word after a state, from its first two words and the middle one; each may be an array."""
        y = first & self.upper | second & self.lower
        return middle ^ y >> 1 ^ (y & 1) * self.a

    def untwisted(self, newest: Any, middle: Any) -> Any:
        """Return the y above from the word that it led to and the middle one; each may be an array."""
        found = newest ^ middle
        odd = found >> self.w - 1  # as only a has the highest bit
        return (found ^ odd * self.a) << 1 & (1 << self.w) - 1 | odd

    def tempered(self, x: int) -> int:
        """Return the value that a word gives."""
        x ^= x >> self.u & self.d
        x ^= x << self.s & self.b
        x ^= x << self.t & self.c
        return x ^ x >> self.l

    def characteristic(self) -> int:
        """Return the characteristic polynomial of the recurrence, the coefficient of x^i in bit i.

        References
        ----------
        M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random
        number generator", ACM Transactions on Modeling and Computer Simulation 8(1), 1998, appendix A.
        """
        powers = [1]
        for i in range(self.w):
            f, less = powers[-1], i >= self.w - self.r
            powers.append(f << self.n - less ^ f << self.m - less)
        total, plain = powers[self.w], 1
        for i in range(self.r):
            total ^= powers[self.w - 1 - i] * (self.a >> i & 1)
        for i in range(self.w - 1, self.r - 1, -1):
            total ^= plain * (self.a >> i & 1)
            plain = plain << self.n ^ plain << self.m
        return total
