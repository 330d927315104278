"""What every bit generator has: words of state, a step, a value, and jumps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from math import gcd, isqrt
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from clrng import validation
from clrng.errors import UnsupportedError
from clrng.generators.legal_states import LegalStates
from clrng.validation import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    from typing_extensions import Self

LARGEST_MODULUS = 2**64

Words = tuple[int, ...]

LONGEST_JUMP = 2**128
"""Longer periods are jumped over as if they were this long."""


def in_state(key: str) -> str:
    """Return the name of an argument as a key of a state."""
    return f"state[{key!r}]"


class BitGenerator(LegalStates):
    """The sequential stream of a recurrence over the integers modulo m.

    Attributes
    ----------
    name : str
        The family, in lower case, which names its template and begins the names in its device code.
    modulus : int
        The modulus m of the state's words.
    sample_word : int
        A word such that it, and it plus any multiple of 4, is legal as every word of a state.
    consecutive_seeds : bool
        Whether a state is one word and s, s + 1, ..., m - 1 are all legal if s is, so that streams can count them.
    parameters_version : int
        How often `state` was assigned to: while this stays the same, so do the parameters.
    """

    name: ClassVar[str]
    sample_word: ClassVar[int] = 2
    consecutive_seeds: ClassVar[bool] = False
    parameters_version: int = 0

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
            raise TypeError(f"state must be a dictionary as the attribute gives it, not {shown(value)}")
        keys = {*self.parameters, "state"}
        if set(value) != keys:
            raise ValueError(f"state must have the keys {sorted(keys)}, not {shown(list(value))}")
        kind = value["bit_generator"]
        if not isinstance(kind, str) or kind != type(self).__name__:
            raise ValueError(f"state['bit_generator'] must be {type(self).__name__!r}, not {shown(kind)}")
        self._set(in_state, **{key: part for key, part in value.items() if key != "bit_generator"})
        self.parameters_version += 1

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

    def __dask_tokenize__(self) -> tuple[str, str, dict[str, Any]]:
        return type(self).__module__, type(self).__qualname__, self.state

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002  # others have numbers in it
        """Return the recurrence with its parameters as people read it, integers as `number` writes them."""
        return self.summary

    @property
    @abstractmethod
    def min_value(self) -> int:
        """The least raw value there can be."""

    @property
    @abstractmethod
    def upper_bound(self) -> int:
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
    def state_after(self, words: Words, n: int) -> Words:
        """Return the words `n` steps after the state `words`, in O(log n); a negative `n` is backwards.

        Raises
        ------
        ValueError
            If `n` is negative and the recurrence is not reversible.
        """

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
        """Return what `after` makes of each of `states`, shape (count, order), of `word_dtype`."""
        rows = [self.state_after(tuple(words), n) for words in states.tolist()]
        return np.array(rows, self.word_dtype)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of raw values: uint32 where they are all below 2^32, else uint64."""
        return np.dtype(np.uint32 if self.upper_bound <= 2**32 else np.uint64)

    @property
    def jump_distance(self) -> int:
        """How many values `jumped` goes over where it is not told: an odd number near 0.618 times the period.

        It is the first odd number that has no factor in common with the period, from the integer part of
        (sqrt(5) - 1) / 2 times the period on, or times 2^128 where the period is longer. So the places that jump after
        jump leads to lie evenly spread, and none comes again before every place of the period had its turn; and modulo
        powers of two the low bits, whose own periods are smaller powers of two, differ from place to place.

        Raises
        ------
        ValueError
            If the period is not known.
        """
        period = self.period
        if period is None:
            raise ValueError(f"delta must be given, as there is no default: the period of {shown(self)} is not known")
        span = min(period, LONGEST_JUMP)
        distance: int = (isqrt(5 * span * span) - span) // 2 | 1
        while gcd(distance, period) > 1:
            distance += 2
        return distance

    def checked_delta(self, delta: Any) -> int:
        """Return `delta`, a number of steps.

        Raises
        ------
        TypeError
            If it is not an integer.
        ValueError
            If it is negative and the recurrence is not reversible.
        """
        steps = validation.integer("delta", delta, None, None)
        if steps < 0 and not self.reversible:
            raise ValueError(
                f"delta must be an integer of 0 or more, as {shown(self)} cannot be run backwards, not {shown(steps)}"
            )
        return steps

    def advance(self, delta: int) -> Self:
        """Move on by `delta` values, as if they had been drawn, in O(log abs(delta)).

        Parameters
        ----------
        delta : int
            The number of values, of any size; a negative one is backwards, where the recurrence is `reversible`.

        Returns
        -------
        BitGenerator
            This generator itself.

        Raises
        ------
        TypeError
            If `delta` is not an integer.
        ValueError
            If `delta` is negative and the recurrence is not reversible.
        """
        self._words = self.state_after(self._words, self.checked_delta(delta))
        return self

    def copy(self) -> Self:
        """Return a new generator of the same parameters that stands at the same place; it shares `seed_seq`."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def jumped(self, delta: int | None = None) -> Self:
        """Return a new generator `delta` values further on; this one stays where it is.

        Parameters
        ----------
        delta : int, optional
            The number of values, of any size; a negative one is backwards, where the recurrence is `reversible`. By
            default `jump_distance`, far enough for a stream of its own; an error where the period is not known.

        Returns
        -------
        BitGenerator
            One of the same class.

        Raises
        ------
        TypeError
            If `delta` is not an integer.
        ValueError
            If `delta` is negative and the recurrence is not reversible, or left out and the period is not known.
        """
        return self.copy().advance(self.jump_distance if delta is None else delta)

    def leaping(self, n: int) -> BitGenerator:
        """Return a bit generator of which a step is `n` steps of this one, from where it stands.

        Raises
        ------
        UnsupportedError
            If there is none.
        """
        if n == 1:
            return self.copy()
        raise UnsupportedError(
            f"{type(self).__name__} has no bit generator that goes on by {shown(n)} steps at once; only a congruential "
            f"generator has, if they do not lead from all states to one"
        )

    def with_state(self, words: Words) -> Self:
        """Return a new generator of the same parameters with the state `words`."""
        other = self.copy()
        other._words, other._seed_seq = words, None  # noqa: SLF001  # of the same class
        return other

    def sequence(self, n: int) -> npt.NDArray[Any]:
        """Return the next `n` values from the plain sequential recurrence; the state stays where it is.

        This is the reference that every device is compared with: slow, and plain to read.

        Parameters
        ----------
        n : int
            The number of values, 0 or more and what memory holds.

        Returns
        -------
        ndarray of uint32 or, for values of more bits, uint64, shape (n,)

        Raises
        ------
        TypeError
            If `n` is not an integer.
        ValueError
            If `n` is negative, or more than any array has.
        """
        n = validation.integer("n", n, 0, validation.MOST_VALUES)
        values = np.empty(n, self.dtype)
        words = self._words
        for i in range(n):
            words = self.step(words)
            values[i] = self.value(words)
        return values


def argument(key: str) -> str:
    """Return what the constructors call a key of the state."""
    return "seed" if key == "state" else key


class Output(NamedTuple):
    """What a library shows of a state: `bits` bits of it, from bit `shift` on.

    Attributes
    ----------
    shift, bits : int
    """

    shift: int
    bits: int


def checked_output(name: str, value: Any, modulus: int) -> Output | None:
    """Return `value`, a pair of the shift and the bits of an output, if it is one for words below `modulus`."""
    if value is None:
        return None
    if not validation.is_sequence(value) or len(value) != 2:  # noqa: PLR2004  # shift and bits
        raise TypeError(f"{name} must be None or a pair (shift, bits) of integers, not {validation.shown(value)}")
    most = (modulus - 1).bit_length()
    shift = validation.integer(f"{name}[0]", value[0], 0, most - 1)
    return Output(shift, validation.integer(f"{name}[1]", value[1], 1, most - shift))


def all_zero(states: npt.NDArray[Any]) -> tuple[int, str] | None:
    """Return the first row of `states` that is all 0, and what is legal."""
    rows = np.flatnonzero(~states.any(axis=1))
    return (int(rows[0]), "not be all 0, which would stay so") if rows.size else None
