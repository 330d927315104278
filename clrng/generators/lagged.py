"""Recurrences whose next word follows from earlier ones at a few lags, with states of many words."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from clrng import validation
from clrng.generators.base import BitGenerator, Words
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.parameters import Attribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from typing_extensions import Self


class Lagged(BitGenerator):
    """A bit generator whose state is its last words, and of which a value shows the newest word or a part of it.

    Jumps of states of many words take long, so `advance` only notes how far the current state is ahead of a known one;
    its words are computed when they are asked for.

    `jumps`: the powers of x modulo the characteristic polynomial of the recurrence, ``jumps.power(n)``: the weights of
    the states 0, 1, 2, ... steps on, whose weighted sum is the state n steps on.
    """

    jumps: Any
    place: Attribute[tuple[Words, int]] = Attribute(
        "The words of a state before, and how many steps the current one is ahead of it."
    )
    _place: tuple[Words, int]
    _looked: tuple[tuple[Words, int], Words]

    @property
    def _words(self) -> Words:  # jumps wait until somebody looks
        place, (seen, words) = self._place, self._looked
        if seen[0] is not place[0] or abs(place[1] - seen[1]) > abs(place[1]):
            seen, words = (place[0], 0), place[0]
        words = self.state_after(words, place[1] - seen[1])
        self._looked = (place, words)  # and not `_place`, which another thread may have moved on
        return words

    @_words.setter
    def _words(self, words: Words) -> None:
        self._place = (words, 0)
        self._looked = (self._place, words)

    @property
    @abstractmethod
    def lags(self) -> tuple[int, ...]:
        """How far back the words are that the next one follows from."""

    @property
    def order(self) -> int:
        """The number of words of the state, the largest lag."""
        return max(self.lags)

    def advance(self, delta: int) -> Self:  # noqa: D102  # as inherited
        words, ahead = self._place
        self._place = (words, ahead + self.checked_delta(delta))
        return self

    @abstractmethod
    def _new(self, words: Sequence[int]) -> int:
        """Return the word after `words`, of which there may be more than those of a state."""

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return (*words[1:], self._new(words))

    def continued(self, words: Sequence[int], n: int) -> list[int]:
        """Return `words` and the `n` words that follow them."""
        found = list(words)
        for _ in range(n):
            found.append(self._new(found))
        return found

    def sequence(self, n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        n = validation.integer("n", n, 0, validation.MAX_VALUES)
        words = self.continued(self.words, n)
        return np.array([self._shown(word) for word in islice(words, self.order, None)], self.dtype)


class LaggedCode(GeneratorCode):
    """A recurrence whose next word follows from those at a few lags, of which a value shows a word or a part of it.

    The word after a state is `combine` of the words at its lags.
    """

    recurrence: Lagged
    fill_strategy = "lagged"
    streams_strategy = "lagged"

    @abstractmethod
    def of_words(self) -> LaggedCode:
        """Return the code whose raw values are the words."""

    @cached_property
    def jump_order(self) -> int:
        """The order p of a recurrence whose jumps take as many products, p^2, as a jump of this one."""
        return self.order

    @property
    def ring(self) -> tuple[int, ...] | None:  # noqa: D102  # as inherited
        return None if self.fits_registers else self.recurrence.lags
