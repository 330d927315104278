"""MTGP32, the Mersenne Twister for graphic processors of Saito and Matsumoto, in many streams at once.

M. Saito and M. Matsumoto, "Variants of Mersenne Twister Suitable for Graphic Processors", ACM Transactions on
Mathematical Software 39(2), 2013, article 12. Of the periods that they have, this is the one of 2^11213 - 1.

Each stream has parameters of its own. A set of them is a row of 11 words: the place from which a word is picked, two
shifts, to the left and to the right, and the four words each of two matrices, of the recurrence and of tempering.

The sets in ``mtgp32_sets.npy`` are the 512 that Saito and Matsumoto publish with their program, copyright 2009 to 2011
by them, Hiroshima University and the University of Tokyo, under the BSD licence of three clauses. rocRAND takes them.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import kernel_of, launches
from clrng.opencl.templates import prelude, render
from clrng.proof.examples import Example, prove_by

ORDER, TURN, NUMBERS = 351, 256, 11
"""The words of a state, how many are made of it at once, and the numbers of a set of parameters."""

MASK = 0xFFF80000
"""The bits of the oldest word that have influence: 11213 are 32 times 350, and these 13."""

LAST_PICK = ORDER - TURN
"""The last place from which a word can be picked: all that go into the 256 new words must be there before."""

MOST_ROWS = 4096
"""The most rows of a launch: drivers end kernels that take long, and loops of very many turns."""

Words = npt.NDArray[np.uint32]


@cache
def published_sets() -> Words:
    """Return the 512 sets of parameters that the authors have published."""
    sets: Words = np.load(Path(__file__).with_name("mtgp32_sets.npy"))
    return sets


def is_legal(sets: Words) -> bool:
    """Return whether the places and shifts of sets of parameters are such as the kernel takes."""
    return bool(((sets[:, :3] >= 1) & (sets[:, :3] <= (LAST_PICK, 31, 31))).all())


def first_states(sets: Words, seed: int) -> Words:
    """Return the state of each stream, shape (streams, 351), of which number i is seeded by `seed` + i + 1."""
    with np.errstate(over="ignore"):
        second = sets[:, 5] ^ sets[:, 6] << np.uint32(16)  # those of the table's entries 4 and 8
        folded = second + (second >> np.uint32(16))
        folded += folded >> np.uint32(8)
        states = np.repeat((folded & np.uint32(255))[:, None] * np.uint32(0x01010101), ORDER, axis=1)
        states[:, 0] = (seed + 1 + np.arange(len(sets), dtype=np.uint64)).astype(np.uint32)
        states[:, 1] = second
        for i in range(1, ORDER):
            last = states[:, i - 1]
            states[:, i] ^= np.uint32(1812433253) * (last ^ last >> np.uint32(30)) + np.uint32(i)
    return states


def on_host(sets: Words, states: Words, rows: int) -> tuple[Words, Words]:
    """Return the next rows of words of streams, shape (rows, streams, 256), and their states behind these."""
    x: Any = states.T
    made: list[Words] = []
    pick, left, right, *matrices = sets.T.copy()
    places, streams = np.arange(TURN)[:, None], np.arange(len(sets))
    for _ in range(rows):
        y = x[:TURN] & np.uint32(MASK) ^ x[1 : TURN + 1]
        y = y ^ y << left ^ x[places + pick, streams] >> right
        z = x[places + pick - 1, streams]
        z = z ^ z >> np.uint32(16)
        z = z ^ z >> np.uint32(8)
        new = y ^ _product(matrices[:4], y)
        made.append((new ^ _product(matrices[4:], z)).T)
        x = np.concatenate([x[TURN:], new])
    return np.array(made, np.uint32).reshape(rows, len(sets), TURN), x.T.copy()


def _product(matrix: Sequence[Words], words: Words) -> Words:
    """Return the sum of the words of a matrix that the lowest four bits of words choose."""
    total = np.zeros_like(words)
    for bit, word in enumerate(matrix):
        total ^= word * (words >> np.uint32(bit) & np.uint32(1))
    return total


def text(_: object) -> str:
    """Return the program."""
    return prelude() + render("device_libraries/mtgp32.cl.mako", order=ORDER, turn=TURN, numbers=NUMBERS, mask=MASK)


class Forward:
    """Streams of MTGP32 on a queue, which go forward from their states.

    `rows`: how many rows of 256 words come before, of each stream.
    """

    def __init__(self, queue: cl.CommandQueue, sets: Words, states: Words) -> None:
        self._queue, self._sets = queue, arrays.upload(queue, sets)
        self._states = arrays.upload(queue, states), arrays.upload(queue, states)  # the second one is written next
        self.rows = np.zeros(len(sets), np.int64)

    def states(self) -> Words:
        """Return the states, on the host; this waits for them."""
        return np.asarray(self._states[0].get())

    def fill(self, words: cla.Array, skipped: int, kept: int | npt.NDArray[np.int64]) -> None:
        """Leave out rows, fill `words`, contiguous, with the next ones, and keep the states that are `kept` rows on.

        `kept` is that of all streams, or of each; words behind that row may be wrong.
        """
        kernel = kernel_of(self._queue, "mtgp32", text)
        prove_by(self._queue, [kernel], _example, _examples())
        streams, group, (now, behind) = len(self._sets), min(TURN, kernel.largest_group), self._states
        ways = np.broadcast_to(np.asarray(kept, np.int64), streams)
        for begin, rows in launches(0, skipped + words.size // (streams * TURN), MOST_ROWS):
            way = arrays.upload(self._queue, np.clip(ways - begin, 0, rows).astype(np.uint32))
            event = kernel(
                self._queue, streams * group, group, words=words.base_data, offset=words.offset // words.dtype.itemsize,
                first=begin - skipped, after=behind.base_data, before=now.base_data, sets=self._sets.base_data,
                streams=streams, rows=rows, kept=way.base_data, wait_for=wait_list(words, now, behind),
            )  # fmt: skip
            for each in (words, now, behind):
                arrays.attach_event(self._queue, each, event)
            now, behind = behind, now
        self._states, self.rows = (now, behind), self.rows + ways


def _example(given: Sequence[cla.Array], results: Sequence[cla.Array], row: int, kept: tuple[int, ...]) -> list[Any]:
    """Fill the first result from a row on; return the states that are kept."""
    queue: Any = results[0].queue
    forward = Forward(queue, given[0].get(), given[1].get())
    forward.fill(results[0], row, np.array(kept))
    return [forward.states()]


def _examples() -> Iterator[Example]:
    """Yield rows of three streams: with the nearest and the farthest pick, and more than go once around the ring."""
    random = np.random.default_rng(11213)
    states, sets = (random.integers(0, 2**32, (3, each), np.uint32) for each in (ORDER, NUMBERS))
    sets[:, :3] = (1, 31, 1), (LAST_PICK, 1, 31), (50, 13, 7)
    for row, kept in ((0, (7, 7, 7)), (2, (6, 0, 7))):
        made, _ = on_host(sets, states, 7)
        behind = [on_host(sets[[i]], states[[i]], rows)[1][0] for i, rows in enumerate(kept)]
        yield Example([sets, states], {"word": made[row:]}, {"state": np.array(behind)}, (row, kept))
