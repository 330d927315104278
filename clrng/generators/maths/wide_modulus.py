"""The moduli of subtract with carry generators, 2^(w r) - 2^(w s) + 1, and their numbers as limbs of 32 bits."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

LIMB_BITS = 32


@dataclass(frozen=True)
class WideModulus:
    """The modulus m = 2^top - 2^middle + 1, where 0 < middle < top.

    A product is brought below m by folds: as 2^top is 2^middle - 1 modulo m, a number h 2^top + l becomes
    l + h (2^middle - 1), which is never negative.

    Attributes
    ----------
    top, middle : int
        w r and w s of a generator with words of w bits and the lags r and s.
    """

    top: int
    middle: int

    @property
    def value(self) -> int:
        """The modulus m itself."""
        return (1 << self.top) - (1 << self.middle) + 1

    @property
    def limbs(self) -> int:
        """The limbs of a number below m."""
        return -(-self.top // LIMB_BITS)

    @cached_property
    def reduction(self) -> tuple[int, int]:
        """How many folds a product of two numbers below m needs, and how many times m may have to be subtracted then.

        The largest number that there can be is followed through the folds until it gets no smaller.
        """
        largest, folds = (self.value - 1) ** 2, 0
        while (folded := (1 << self.top) - 1 + (largest >> self.top) * ((1 << self.middle) - 1)) < largest:
            largest, folds = folded, folds + 1
        return folds, largest // self.value

    @property
    def template_values(self) -> dict[str, Any]:
        """What the templates of products are rendered with."""
        return {name: getattr(self, name) for name in ("top", "middle", "limbs", "value", "reduction")}

    def to_limbs(self, numbers: Iterable[int]) -> npt.NDArray[Any]:
        """Return numbers from 0 to m - 1 in columns: row l has limb l of each, the least first; uint32."""
        size = LIMB_BITS // 8 * self.limbs
        rows = np.frombuffer(b"".join(number.to_bytes(size, "little") for number in numbers), "<u4")
        return np.ascontiguousarray(rows.reshape(-1, self.limbs).T, np.uint32)

    def from_limbs(self, columns: npt.NDArray[Any]) -> list[int]:
        """Return the numbers of columns such as those of `to_limbs`."""
        return [int.from_bytes(row.tobytes(), "little") for row in np.ascontiguousarray(columns.T, "<u4")]
