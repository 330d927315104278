"""Powers of x modulo the characteristic polynomial of a recurrence, which are its jumps.

A polynomial is the list of its coefficients, that of x^0 first. A product of long ones is one product of two Python
integers (Kronecker's substitution).
"""

from collections.abc import Sequence

Polynomial = list[int]


def multiply(f: Sequence[int], g: Sequence[int], modulus: int) -> Polynomial:
    """Return the product of `f` and `g` with coefficients modulo `modulus`."""
    size = (2 * (modulus - 1).bit_length() + min(len(f), len(g)).bit_length() + 7) // 8
    x, y = (int.from_bytes(b"".join(c.to_bytes(size, "little") for c in p), "little") for p in (f, g))
    n = len(f) + len(g) - 1
    packed = (x * y).to_bytes(n * size, "little")
    return [int.from_bytes(packed[i * size : (i + 1) * size], "little") % modulus for i in range(n)]


class PowersOfX:
    """The powers of x modulo the characteristic polynomial of x_k = a_1 x_{k-1} + ... + a_p x_{k-p}.

    Parameters
    ----------
    coefficients : sequence of int
        a_1, ..., a_p.
    modulus : int
    """

    def __init__(self, coefficients: Sequence[int], modulus: int) -> None:
        self._top = [c % modulus for c in reversed(coefficients)]  # x^p is congruent to this
        self._modulus = modulus
        self._squares: list[Polynomial] = []

    @property
    def degree(self) -> int:
        """The degree of the characteristic polynomial."""
        return len(self._top)

    def _reduce(self, f: Polynomial) -> Polynomial:
        p, m, terms = self.degree, self._modulus, [(i, c) for i, c in enumerate(self._top) if c]
        f = [*f, *[0] * (p - len(f))]
        for k in range(len(f) - 1, p - 1, -1):
            lead = f[k] % m
            if lead:
                for i, c in terms:
                    f[k - p + i] += lead * c
        return [c % m for c in f[:p]]

    def doubled(self, j: int) -> Polynomial:
        """Return x^(2^j), of `degree` coefficients; threads may put the same one in its place."""
        for k in range(len(self._squares), j + 1):
            last = self._squares[k - 1] if k else []
            square = multiply(last, last, self._modulus) if k else [0, 1]
            self._squares[k : k + 1] = [self._reduce(square)]
        return self._squares[j]

    def power(self, n: int) -> Polynomial:
        """Return x^n for `n` of 0 or more, of `degree` coefficients."""
        result = self._reduce([1 % self._modulus])
        for j in range(n.bit_length()):
            if n >> j & 1:
                result = self._reduce(multiply(result, self.doubled(j), self._modulus))
        return result
