"""Bit generators whose values are their states."""

from typing import Any

from clrng.generators.base import BitGenerator, Words


class OneWord(BitGenerator):
    """A bit generator whose values are its states: integers, each with a single one before it."""

    order: int = 1

    @property
    def word(self) -> int:
        """The current state; `word_limits` has its least and its largest value."""
        return self._words[0]

    @property
    def min_value(self) -> int:
        """The least raw value there can be: the least state, or 0 where a value shows a part of it that may be 0."""
        return self.word_limits[0][0] if self._output is None else super().min_value

    def _checked_words(self, name: str, values: Any) -> Words:
        return (self._checked_word(name, values, *self.word_limits[0]),)

    def _plain(self, words: Words) -> int:
        return words[0]
