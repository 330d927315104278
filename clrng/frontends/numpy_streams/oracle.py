"""What NumPy itself makes of words that are given.

The C library decides and makes some values of NumPy's ziggurats, and only on the machine of the host. NumPy's MT19937
is given a state whose outputs are the words wanted, and draws from it: its numbers are then those of any bit generator
with these words.
"""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.frontends.numpy_streams.positions import BLOCK, untempered

Integers = npt.NDArray[np.uint64]

WIDE = 64
"""Bits of the words of float64."""


class Oracle:
    """NumPy's values of a law, ``"normal"`` or ``"exponential"``, of 64 or 32 bits, by the words in rows.

    The first of a row is one of NumPy's words, and the others are uniforms, as integers of 53 or 24 bits.
    """

    def __init__(self, law: str, bits: int) -> None:
        self._twister: Any = np.random.MT19937(0)
        self._bits, self._in_halves = bits, bits < WIDE
        draw = getattr(np.random.Generator(self._twister), f"standard_{law}")
        self._draw = partial(draw, dtype=f"float{bits}")

    def values(self, rows: Integers) -> npt.NDArray[Any]:
        """Return the values of rows, each of which has the words that its value takes."""
        most = BLOCK * 32 // self._bits // rows.shape[1]
        drawn = [self._drawn(rows[first : first + most]) for first in range(0, len(rows), most)]
        return np.concatenate(drawn) if drawn else np.empty(0, f"float{self._bits}")

    def takes(self, row: Integers) -> bool:
        """Return whether NumPy makes a value of the words of a row, and does not go on with the next word."""
        self._drawn(row[np.newaxis])
        return int(self._twister.state["state"]["pos"]) * 32 // self._bits == row.size

    def _drawn(self, rows: Integers) -> npt.NDArray[Any]:
        """Return as many values as there are rows, of their words and then of others that make values at once."""
        outputs = np.full(BLOCK, 2**31, np.uint32)
        given = self._outputs(rows).reshape(-1)
        outputs[: given.size] = given
        state = {"key": untempered(outputs), "pos": 0}
        self._twister.state = {"bit_generator": "MT19937", "state": state}
        drawn: npt.NDArray[Any] = self._draw(len(rows))
        return drawn

    def _outputs(self, rows: Integers) -> npt.NDArray[np.uint32]:
        """Return the outputs of MT19937 that are the words of rows."""
        if self._in_halves:
            return np.concatenate([rows[:, :1], rows[:, 1:] << np.uint64(8)], axis=1).astype(np.uint32)
        high, low = rows >> np.uint64(32), rows & np.uint64(2**32 - 1)
        high[:, 1:] = rows[:, 1:] >> np.uint64(26) << np.uint64(5)
        low[:, 1:] = (rows[:, 1:] & np.uint64(2**26 - 1)) << np.uint64(6)
        return np.stack([high, low], axis=2).astype(np.uint32)
