"""What NumPy itself makes of words that are given.

The C library decides and makes some values of NumPy's ziggurats, and only on the machine of the host. NumPy's MT19937
is given a state whose outputs are the words wanted, and draws from it: its numbers are then those of any bit generator
with these words.
"""

import ctypes
from collections.abc import Callable
from functools import partial
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.frontends.numpy_streams.positions import BLOCK, untempered

Integers = npt.NDArray[np.uint64]
Outputs = npt.NDArray[np.uint32]

WIDE = 64
"""Bits of the words of float64."""


_of_thread = local()


def oracle_of(law: str, bits: int) -> "Oracle":
    """Return the oracle of a law that this thread has."""
    known: dict[tuple[str, int], Oracle] = vars(_of_thread).setdefault("oracles", {})
    return known.get((law, bits)) or known.setdefault((law, bits), Oracle(law, bits))


class Oracle:
    """NumPy's values of a law, ``"normal"`` or ``"exponential"``, of 64 or 32 bits, by the words in rows.

    The first of a row is one of NumPy's words, and the others are uniforms, as integers of 53 or 24 bits.
    """

    def __init__(self, law: str, bits: int) -> None:
        self._twister: Any = np.random.MT19937(0)
        self._bits, self._in_halves = bits, bits < WIDE
        rng: Any = np.random.Generator(self._twister)
        self._draw = partial(getattr(rng, f"standard_{law}"), dtype=f"float{bits}")
        self._invert = partial(rng.standard_exponential, dtype=f"float{bits}", method="inv")
        # The words of its state and behind them the position, as setting its state converts word by word in Python
        address = self._twister.ctypes.state_address
        self._key = np.ctypeslib.as_array((ctypes.c_uint32 * BLOCK).from_address(address))
        self._position = ctypes.c_int.from_address(address + self._key.nbytes)

    def values(self, rows: Integers) -> npt.NDArray[Any]:
        """Return the values of rows, each of which has the words that its value takes."""
        return np.concatenate(self._drawn(self._draw, self._outputs(rows)))

    def logarithms(self, uniforms: Integers) -> npt.NDArray[Any]:
        """Return -log(1 - u) of the uniforms u in a column, as float64 values of tails are made of."""
        return np.concatenate(self._drawn(self._invert, self._of_uniforms(uniforms)))

    def takes(self, rows: Integers) -> npt.NDArray[np.bool_]:
        """Return of which rows of two words NumPy makes a value. If of none, it goes on with the next word."""
        outputs = self._outputs(rows)
        ended = np.concatenate([outputs, np.zeros_like(outputs[:, :1])], axis=1)  # a word 0 makes the value 0
        ends = [np.flatnonzero(drawn == 0)[: drawn.size // 2] for drawn in self._drawn(self._draw, ended, of_row=2)]
        return np.concatenate([np.diff(each, prepend=-1) > 1 for each in ends])

    def takes_pair(self, row: Integers) -> bool:
        """Return whether NumPy makes a value of the three words of a row, and does not go on with the next pair."""
        self._drawn(self._draw, self._outputs(row[np.newaxis]))
        return self._position.value * 32 // self._bits == row.size

    def _drawn(self, draw: Callable[[int], Any], outputs: Outputs, of_row: int = 1) -> list[npt.NDArray[Any]]:
        """Return what `draw` makes of the outputs in rows, so many values of a row: an array for each block of rows."""
        most = BLOCK // outputs[0].size
        parts = [outputs[first : first + most] for first in range(0, len(outputs), most)]
        keys = np.full((len(parts), BLOCK), 2**31, np.uint32)  # behind the rows are words that make values at once
        for key, part in zip(keys, parts, strict=True):
            key[: part.size] = part.reshape(-1)
        drawn = []
        for key, part in zip(untempered(keys), parts, strict=True):
            self._key[:], self._position.value = key, 0
            drawn.append(draw(of_row * len(part)))
        return drawn

    def _outputs(self, rows: Integers) -> Outputs:
        """Return the outputs of MT19937 that are the words of rows."""
        first = rows[:, :1]
        if not self._in_halves:
            first = np.stack([first >> np.uint64(32), first & np.uint64(2**32 - 1)], axis=2)
        return np.concatenate([first.astype(np.uint32), self._of_uniforms(rows[:, 1:])], axis=1)

    def _of_uniforms(self, rows: Integers) -> Outputs:
        """Return the outputs of MT19937 that are the uniforms of rows."""
        if self._in_halves:
            return (rows << np.uint64(8)).astype(np.uint32)
        high, low = rows >> np.uint64(26) << np.uint64(5), (rows & np.uint64(2**26 - 1)) << np.uint64(6)
        return np.stack([high, low], axis=2).astype(np.uint32)
