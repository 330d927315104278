"""Which states of a bit generator are legal, and which of them a seed stands for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from math import ceil, factorial, lgamma, log, log2, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from clrng import validation
from clrng.generators import seeding
from clrng.validation import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from numpy.random.bit_generator import ISeedSequence
    from typing_extensions import Self

MOST_TRIES = 1000
"""How many states are made from a seed until one is taken: of any family at least one in eight is."""


class LegalStates(ABC):
    """The part of a bit generator that knows its words of state, which of them are legal, and makes them from seeds.

    Attributes
    ----------
    modulus : int
        The modulus m of the state's words.
    """

    _modulus: int
    _words: tuple[int, ...]
    _seed_seq: ISeedSequence | None = None

    @property
    def modulus(self) -> int:
        """The modulus m of the state's words."""
        return self._modulus

    @property
    def words(self) -> tuple[int, ...]:
        """The words of the current state, the oldest first, but of `WELL512a` the newest."""
        return self._words

    @property
    def order(self) -> int:
        """The number of words of the state."""
        return len(self._words)

    @property
    def word_dtype(self) -> np.dtype[Any]:
        """The dtype of a word of state: uint32 for moduli up to 2^32, else uint64."""
        return np.dtype(np.uint32 if self.modulus <= 2**32 else np.uint64)

    @property
    def word_limits(self) -> list[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [(0, self.modulus - 1)] * self.order

    @property
    def word_step(self) -> int:
        """What legal values of a word are apart: each is the least one plus a multiple of this."""
        return 1

    @property
    def state_count(self) -> int:
        """How many states there are, if all words can be any legal one."""
        limits = Counter(self.word_limits)
        return prod(((last - least) // self.word_step + 1) ** count for (least, last), count in limits.items())

    @property
    def largest_permutation(self) -> int:
        """The largest n for which there are as many states as orders of n elements, if all words can be any legal one.

        A permutation of more elements is one of few of all n! orders, wherever the stream stands.
        """
        states = self.state_count
        bits = log2(states)
        n = bisect_right(range(2, ceil(bits) + 3), bits, key=lambda n: lgamma(n + 1) / log(2)) + 1
        while factorial(n) > states:  # the logarithms are rounded
            n -= 1
        while factorial(n + 1) <= states:
            n += 1
        return n

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: ARG002  # none is bad here
        """Return the first of `states`, shape (count, order), that is not legal though its words are, and what is."""
        return None

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return `states`, shape (count, order), of legal words, with bits changed that are rarely legal by chance.

        `bad_states` may still find some that are not legal.
        """
        return states

    def has_common_factor(self, words: tuple[int, ...]) -> bool:  # noqa: ARG002  # none has here
        """Return whether all `words` have a factor in common with m that all values keep, which shortens the period."""
        return False

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
            raise ValueError(f"{name}[{row}] must {legal}, not {shown(states[row].tolist())}")
        return states

    @abstractmethod
    def with_state(self, words: tuple[int, ...]) -> Self:
        """Return a new generator of the same parameters with the state `words`."""

    @property
    def seed_seq(self) -> ISeedSequence | None:
        """The SeedSequence that `seeded` made the state from, or None.

        Generators by `copy`, ``copy.copy`` and `jumped` share it, so that no two of them `spawn` the same streams: the
        children of one are counted on from those of the other. Pickles and ``copy.deepcopy`` take a copy of it, and so
        spawn the same streams as what they were made of goes on to spawn. NumPy's bit generators do so too, but for
        `jumped`, which gives a seed of the operating system there.
        """
        return self._seed_seq

    def seeded(self, seed: int | Sequence[int] | npt.NDArray[Any] | ISeedSequence | None = None) -> Self:
        """Return a new generator of the same parameters whose state is made from any seed.

        Parameters
        ----------
        seed : int, sequence of int or numpy.random.SeedSequence, optional
            Integers of 0 or more, of any size, go through ``numpy.random.SeedSequence``. Any other object with the
            interface of ``numpy.random.bit_generator.ISeedSequence`` is taken as it is too. By default the operating
            system gives the seed, another one at each call.

        Returns
        -------
        BitGenerator
            One of the same class, which keeps the SeedSequence as `seed_seq`.

        Raises
        ------
        TypeError
            If `seed` is neither of these.
        ValueError
            If an integer is negative, or an object of one's own yields no legal state.

        Notes
        -----
        The state of a seed is the same in every version of clrng. A word of state with N possible values takes k =
        2 ceil(b / 32) + 1 numbers of ``SeedSequence.generate_state``, where b is the number of bits of N - 1. They are
        the digits to the base 2^32 of an integer X, the lowest first, and the word is the value number X mod N, counted
        from 0 in ascending order. The words follow one another as in `words`. Possible are the values that are legal
        for the word alone: of `LaggedFibonacci` with ``"*"`` the odd ones, of `Coveyou` those that are 2 modulo
        4. The lowest bits of the words of `LFSR113`, and of the first word of `MT19937` and `MT19937_64`, are then
        replaced by those that the recurrence leads to, and so is the carry of `SubtractWithCarry`. If the state is not
        legal as a whole, as with all words 0, the numbers that follow make another. So they do where all words have a
        factor in common with m that all values keep, which shortens the period: for `LCG` and `LinearRecurrence`
        without a constant, and for `LaggedFibonacci` with + and -.

        X has at least 64 bits more than N - 1, so that all values of a word are equally likely but for a factor within
        2^-64 of 1, as far as the numbers of SeedSequence are.

        Where a seed begins on the sequence is left to chance. Among s streams of n values each of a period P some two
        overlap with a chance of about s^2 n / P, if that is small. So seeds are for long periods: among a hundred
        streams of `ParkMiller` with 100 000 values each some overlap with a chance of 37 %. `Streams.by_jumps` makes
        streams of short periods that are disjoint for certain.

        Examples
        --------
        >>> import clrng
        >>> clrng.ParkMiller(seed=1).seeded(2026)
        ParkMiller(seed=357927480, multiplier=16807)
        """
        sequence = seeding.checked("seed", seed)
        other = self.with_state(self._seeded_words(sequence))
        other._seed_seq = sequence  # noqa: SLF001  # of the same class
        return other

    def _seeded_words(self, sequence: ISeedSequence) -> tuple[int, ...]:
        """Return the state that `sequence` stands for."""
        step = self.word_step
        values = [(low, (high - low) // step + 1) for low, high in self.word_limits]
        for attempt in range(MOST_TRIES):
            numbers = seeding.integers(sequence, [count for _, count in values], attempt)
            words = tuple(low + step * number for (low, _), number in zip(values, numbers, strict=True))
            states = self.made_legal(np.array([words], self.word_dtype))
            words = tuple(states[0].tolist())
            if not self.has_common_factor(words) and self.bad_states(states) is None:
                return words
        raise ValueError(f"seed must yield numbers that make a legal state of {shown(self)}, not {shown(sequence)}")

    def spawn(self, n_children: int) -> list[Self]:
        """Return new generators of the same parameters, each with a state of its own, as NumPy's `spawn` does.

        Their seeds are the next children of `seed_seq`. They depend on the seed and on how many were spawned before,
        not on where this generator stands, and the children can spawn others.

        Parameters
        ----------
        n_children : int
            How many, from 0.

        Returns
        -------
        list of BitGenerator
            Of the same class.

        Raises
        ------
        TypeError
            If `n_children` is not an integer, or this generator was not seeded by `seeded` or `default_rng`, or by a
            SeedSequence that cannot spawn.
        ValueError
            If `n_children` is negative.

        Notes
        -----
        The streams begin at places left to chance; `seeded` says how soon they overlap. Those of an explicit state
        cannot be spawned by counting on from it, as the children of a child would meet those of its parent; take
        `jumped`, or `Streams.by_jumps` for many at once.
        """
        count = validation.integer("n_children", n_children, 0, None)
        if self._seed_seq is None:
            raise TypeError(
                f"spawn needs a bit generator that was made by clrng.default_rng(seed) or by seeded(seed), not one of "
                f"an explicit state, {shown(self)}; jumped() gives a stream far away on its sequence, and "
                f"clrng.Streams.by_jumps many"
            )
        return [self.seeded(child) for child in seeding.spawned(self._seed_seq, count)]
