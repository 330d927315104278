"""The states of subtract with carry as numbers, of which a step is a product.

With words x_0, ..., x_{r-1} to the base b, the oldest first, and the carry c, let X be the number whose digits they
are, the oldest the lowest, and Y that of the last s of them. A step appends the word x = x_{n-s} - x_{n-r} - c + b c',
where c' is the new carry. So z = X - Y + c becomes z' with b z' = z + m x, for m = b^r - b^s + 1: z is multiplied by
1 / b modulo m, and all that follows depends on z alone. z has values from 0 to m; 0 and m stay as they are. After r
steps from any state z b^r = X m + u, where u is z of the state r steps before, so X is floor(z b^r / m).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

MODULI_OF_KNOWN_ORDER = {(576, 240): 2}
"""Pairs w r and w s for which m is prime, and the index (m - 1) / ord(2) of the powers of 2 modulo m."""

LIMB_BITS = 32


@dataclass(frozen=True)
class CarryNumbers:
    """The numbers of the states of words of `bits` bits with the lags s < r, and products of them in limbs.

    A product is brought below m = 2^top - 2^middle + 1 by folds: as 2^top is 2^middle - 1 modulo m, a number h 2^top +
    l becomes l + h (2^middle - 1), which is never negative.
    """

    bits: int
    s: int
    r: int

    @property
    def top(self) -> int:
        """The bits of all words of a state, w r."""
        return self.bits * self.r

    @property
    def middle(self) -> int:
        """The bits of its last s words, w s."""
        return self.bits * self.s

    @cached_property
    def modulus(self) -> int:
        """The modulus m."""
        return (1 << self.top) - (1 << self.middle) + 1

    def number(self, words: Sequence[int], carry: int) -> int:
        """Return z of the last r `words`, the oldest first, and the carry."""
        x = sum(word << self.bits * i for i, word in enumerate(words))
        return x - (x >> self.top - self.middle) + carry

    def state(self, z: int) -> tuple[tuple[int, ...], int]:
        """Return the words and the carry that z, from 1 to m - 1, has after any r steps."""
        x = (z << self.top) // self.modulus
        mask = (1 << self.bits) - 1
        words = tuple(x >> self.bits * i & mask for i in range(self.r))
        return words, z - x + (x >> self.top - self.middle)

    @lru_cache(maxsize=64)  # noqa: B019  # of few objects, each small
    def factor(self, steps: int) -> int:
        """Return what z is multiplied by in so many steps, of which a negative number is backwards."""
        return pow(2, -self.bits * steps, self.modulus)

    @cached_property
    def period(self) -> int | None:
        """The number of steps before z comes again, or None where it is not known."""
        index = MODULI_OF_KNOWN_ORDER.get((self.top, self.middle))
        if index is None:
            return None
        order = (self.modulus - 1) // index
        return order // gcd(order, self.bits)

    @property
    def limbs(self) -> int:
        """The limbs of a number below m."""
        return -(-self.top // LIMB_BITS)

    @cached_property
    def reduction(self) -> tuple[int, int]:
        """How many folds a product of two numbers below m needs, and how many times m may have to be subtracted then.

        The largest number that there can be is followed through the folds until it gets no smaller.
        """
        largest, folds = (self.modulus - 1) ** 2, 0
        while (folded := (1 << self.top) - 1 + (largest >> self.top) * ((1 << self.middle) - 1)) < largest:
            largest, folds = folded, folds + 1
        return folds, largest // self.modulus

    @property
    def doublings(self) -> list[int]:
        """The shifts w s, 2 w s, 4 w s, ... such that the products of 1 + 2^shift are 1 / (1 - 2^(w s)) mod 2^(w r)."""
        return [self.middle << j for j in range(((self.top - 1) // self.middle).bit_length())]

    @property
    def template_values(self) -> dict[str, Any]:
        """What the templates of products are rendered with."""
        return {
            "value": self.modulus,
            **{name: getattr(self, name) for name in ("top", "middle", "limbs", "reduction")},
        }

    def to_limbs(self, numbers: Iterable[int]) -> npt.NDArray[Any]:
        """Return numbers from 0 to m - 1 in columns: row l has limb l of each, the lowest first; uint32."""
        size = LIMB_BITS // 8 * self.limbs
        rows = np.frombuffer(b"".join(number.to_bytes(size, "little") for number in numbers), "<u4")
        return np.ascontiguousarray(rows.reshape(-1, self.limbs).T, np.uint32)
