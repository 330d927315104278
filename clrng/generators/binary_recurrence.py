"""Recurrences over GF(2): a step takes the bits of a few words to sums of these bits."""

from abc import abstractmethod
from typing import Any

import numpy.typing as npt

from clrng.generators.base import BitGenerator, Words
from clrng.generators.maths import gf2


class BinaryRecurrence(BitGenerator):
    """A bit generator whose words, all but that of a Weyl sequence at the end if there is one, have a linear step.

    Attributes
    ----------
    increment : int
        What the Weyl sequence goes up by; 0 where there is none.
    """

    _increment: int = 0

    @property
    @abstractmethod
    def linear_order(self) -> int:
        """The number of words of the state without a Weyl sequence."""

    @property
    @abstractmethod
    def linear_period(self) -> int:
        """The number of steps before the words without a Weyl sequence come again."""

    @property
    @abstractmethod
    def powers(self) -> gf2.Powers:
        """The powers of the step of the words without a Weyl sequence."""

    @abstractmethod
    def linear_step(self, words: Words) -> Words:
        """Return the words after `words`, without a Weyl sequence."""

    @property
    def increment(self) -> int:
        """What the Weyl sequence goes up by; 0 where there is none."""
        return self._increment

    @property
    def min_value(self) -> int:
        """The least raw value there can be: 0, unless a value is all of the state."""
        return 0

    @property
    def upper_bound(self) -> int:
        """Two to the power of the bits of a word."""
        return self._modulus

    @property
    def reversible(self) -> bool:
        """Whether every state has a single one before it: always."""
        return True

    @property
    def period(self) -> int:
        """The number of values before the sequence repeats."""
        return self.linear_period * (self._modulus if self._increment else 1)

    def _weyl_after(self, words: Words, n: int) -> Words:
        return ((words[-1] + n * self._increment) % self._modulus,) if self._increment else ()

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return (*self.linear_step(words[: self.linear_order]), *self._weyl_after(words, 1))

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        linear = self.powers.after(words[: self.linear_order], n % self.linear_period)
        return (*linear, *self._weyl_after(words, n))

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        found, linear = states.copy(), states[:, : self.linear_order]
        found[:, : self.linear_order] = self.powers.all_after(linear, n % self.linear_period)
        if self._increment:
            found[:, -1] += states.dtype.type(n * self._increment % self._modulus)
        return found
