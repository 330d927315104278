"""What bit generators have in common whose state is a single word, of which a value shows all."""

from clrng.generators.base import BitGenerator, Words


class OneWord(BitGenerator):
    """A bit generator whose values are its states: integers, each with a single one before it."""

    @property
    def word(self) -> int:
        """The current state; `word_limits` has its least and its largest value."""
        return self._words[0]

    @property
    def min_value(self) -> int:
        """The least raw value there can be: the least state."""
        return self.word_limits[0][0]

    @property
    def upper_bound(self) -> int:
        """The modulus."""
        return self.modulus

    @property
    def reversible(self) -> bool:
        """Whether every state has a single one before it: always."""
        return True

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return words[0]
