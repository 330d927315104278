"""What the streams of a proof must be: states a few steps apart in one sequence, and the values that they make."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions import Transform
from clrng.generators import BitGenerator
from clrng.generators.base import Words
from clrng.generators.lagged import Lagged
from clrng.proof import references
from clrng.proof.references import Stream, raw_values

APART = 5
"""Steps from the state of a stream to that of the next."""

LARGE_ORDER = 256
"""From so many words of a state on, there are fewer streams."""


@lru_cache(maxsize=8)
def _visited(stream: Stream, count: int) -> list[Words]:
    """Return the words of so many states, from that of a stream on."""
    words = stream.bits.words
    found = [words]
    for _ in range(count - 1):
        words = stream.bits.step(words)
        found.append(words)
    return found


@dataclass(frozen=True)
class SampleStreams:
    """Streams of a proof."""

    bits: BitGenerator  # Where the first stream stands
    count: int
    step: int  # The steps of the sequence that a stream goes on by

    def states(self, after: int = 0) -> npt.NDArray[Any]:
        """Return the states of the streams after so many steps of each, shape (count, order)."""
        bits, first, dtype = self.bits, after * self.step, self.bits.word_dtype
        if isinstance(bits, Lagged):
            all_words = np.array(bits.continued(bits.words, first + self.count * APART), dtype)
            return np.lib.stride_tricks.sliding_window_view(all_words, bits.order)[first::APART][: self.count]
        visited = _visited(Stream(bits), first + self.count * APART)
        return np.array(visited[first::APART][: self.count], dtype).reshape(self.count, -1)

    def values(self, transform: Transform, values: int) -> references.Values:
        """Return so many values of each stream, and which of them are sure, each of shape (values, count)."""
        steps = values * transform.steps
        raw = raw_values(Stream(self.bits), 0, self.count * APART + steps * self.step)
        places = np.arange(self.count)[:, None] * APART + (np.arange(steps) + 1) * self.step - 1
        made, sure = references.values(transform, self.bits, raw[places].reshape(-1, transform.steps))
        shape = self.count, values
        return made.reshape(shape).T, None if sure is None else sure.reshape(shape).T
