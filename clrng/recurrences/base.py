"""What every bit generator has: words of state, a step, a value, and jumps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from reprlib import Repr
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from clrng import validation

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    from typing_extensions import Self

Words = tuple[int, ...]

SHORT = Repr()
SHORT.maxlist = 20
"""Shows the first words of a long state."""


def in_state(key: str) -> str:
    """Return the name of an argument as a key of a state."""
    return f"state[{key!r}]"


class BitGenerator(ABC):
    """The sequential stream of a recurrence over the integers modulo m.

    Attributes
    ----------
    name : str
        The family, in lower case, which names its template and begins the names in its device code.
    modulus : int
        The modulus m of the state's words.
    restored : int
        How often its state was assigned to, which may have changed its parameters.
    """

    name: ClassVar[str]
    modulus: int
    restored: int = 0
    _words: Words

    @abstractmethod
    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        """Check all values of the state, of which `name` gives the names for errors, then take them over."""

    @abstractmethod
    def _values(self) -> dict[str, Any]:
        """Return parameters and state as plain values."""

    @property
    def state(self) -> dict[str, Any]:
        """The whole state as a dictionary of plain values; assign one to restore it.

        Raises
        ------
        TypeError
            On assignment, if it is not a mapping or a value in it is not an integer.
        ValueError
            On assignment, if a key is missing or unknown, it is of another generator, or a value is out of range.
        """
        return {"bit_generator": type(self).__name__, **self._values()}

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        if not isinstance(value, Mapping):
            raise TypeError(f"state must be a dictionary as the attribute gives it, not {value!r}")
        keys = {*self.parameters, "state"}
        if set(value) != keys:
            raise ValueError(f"state must have the keys {sorted(keys)}, not {sorted(map(str, value))}")
        kind = type(self).__name__
        if value["bit_generator"] != kind:
            raise ValueError(f"state['bit_generator'] must be {kind!r}, not {value['bit_generator']!r}")
        self._set(in_state, **{key: part for key, part in value.items() if key != "bit_generator"})
        self.restored += 1

    @property
    def parameters(self) -> dict[str, Any]:
        """All of the dictionary `state` but the state itself."""
        return {key: value for key, value in self.state.items() if key != "state"}

    @property
    def summary(self) -> str:
        """The kind and the parameters in a line, without the state."""
        return ", ".join(f"{key}={value}" for key, value in self.parameters.items() if value is not None).removeprefix(
            "bit_generator="
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.state == other.state

    __hash__ = None  # type: ignore[assignment]  # mutable: the state moves

    @property
    def words(self) -> Words:
        """The words of the current state, the oldest first."""
        return self._words

    @property
    def order(self) -> int:
        """The number of words of the state."""
        return len(self._words)

    @property
    def word_limits(self) -> list[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [(0, self.modulus - 1)] * self.order

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: ARG002  # none is bad here
        """Return the first of `states`, shape (count, order), that is not legal though its words are, and what is."""
        return None

    def checked_states(self, name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return `values` as an array of states, shape (count, order).

        Raises
        ------
        TypeError, ValueError
            If they are not legal states: the first that is not is named.
        """
        states = validation.states(name, values, self.word_limits, self.word_dtype)
        bad = self.bad_states(states)
        if bad is not None:
            row, legal = bad
            raise ValueError(f"{name}[{row}] must {legal}, not {SHORT.repr(states[row].tolist())}")
        return states

    @property
    @abstractmethod
    def least(self) -> int:
        """The least raw value there can be."""

    @property
    @abstractmethod
    def denominator(self) -> int:
        """What a raw value is divided by to make it uniform in [0, 1); every raw value is below it."""

    @property
    @abstractmethod
    def period(self) -> int | None:
        """The number of steps before the state comes again, or None if that is not known."""

    @property
    @abstractmethod
    def reversible(self) -> bool:
        """Whether every state has a single one before it."""

    @abstractmethod
    def step(self, words: Words) -> Words:
        """Return the words of the state after that of `words`."""

    @abstractmethod
    def value(self, words: Words) -> int:
        """Return the raw value of the state `words`."""

    @abstractmethod
    def after(self, words: Words, n: int) -> Words:
        """Return the words `n` steps after the state `words`, in O(log n); a negative `n` is backwards.

        Raises
        ------
        ValueError
            If `n` is negative and the recurrence is not reversible.
        """

    @property
    def word_dtype(self) -> np.dtype[Any]:
        """The dtype of a word of state: uint32 for moduli up to 2^32, else uint64."""
        return np.dtype(np.uint32 if self.modulus <= 2**32 else np.uint64)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of raw values: uint32 where they are all below 2^32, else uint64."""
        return np.dtype(np.uint32 if self.denominator <= 2**32 else np.uint64)

    def advance(self, delta: int) -> Self:
        """Move on by `delta` values, as if they had been drawn, in O(log delta).

        Parameters
        ----------
        delta : int
            The number of values, 0 or more, of any size.

        Returns
        -------
        BitGenerator
            This generator itself.

        Raises
        ------
        TypeError
            If `delta` is not an integer.
        ValueError
            If `delta` is negative.
        """
        self._words = self.after(self._words, validation.integer("delta", delta, 0, None))
        return self

    def jumped(self, delta: int) -> Self:
        """Return a new generator `delta` values further on; this one stays where it is.

        Parameters
        ----------
        delta : int
            The number of values, 0 or more, of any size.

        Raises
        ------
        TypeError
            If `delta` is not an integer.
        ValueError
            If `delta` is negative.
        """
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other.advance(delta)

    def at(self, words: Words) -> Self:
        """Return a new generator of the same parameters with the state `words`."""
        other = self.jumped(0)
        other._words = words  # noqa: SLF001  # of the same class
        return other

    def sequence(self, n: int) -> npt.NDArray[Any]:
        """Return the next `n` values from the plain sequential recurrence; the state stays where it is.

        This is the reference that every device is compared with: slow, and plain to read.

        Parameters
        ----------
        n : int
            The number of values, 0 or more.

        Returns
        -------
        ndarray of uint32 or, for values of more bits, uint64, shape (n,)

        Raises
        ------
        TypeError
            If `n` is not an integer.
        ValueError
            If `n` is negative.
        """
        n = validation.integer("n", n, 0, None)
        values = np.empty(n, self.dtype)
        words = self._words
        for i in range(n):
            words = self.step(words)
            values[i] = self.value(words)
        return values
