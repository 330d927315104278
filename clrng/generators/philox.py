"""Philox, a generator that counts: the values are a bijection of a counter under a key."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

from clrng import validation
from clrng.distributions.transforms.uniform import HALF
from clrng.generators import seeding
from clrng.generators.base import Words
from clrng.generators.counter_based import CountingCode, digits, number_of, several, words_of
from clrng.generators.family import Family, Named
from clrng.generators.halves import Halved
from clrng.generators.maths.bijections import BIJECTIONS
from clrng.generators.parameters import check_state, constant
from clrng.validation import shown

WORD = 2**64
COUNTER, KEY = 4, 2
"""The words of a counter, which the bijection makes as many values of, and those of a key."""

PLACE, WAITING = COUNTER, COUNTER + 1 + KEY
"""Where a state has the number of a value of its counter, and the half that waits."""


def bijection(counter: Words, key: Words) -> Words:
    """Return the four words that Philox 4x64 makes of a counter under a key."""
    return BIJECTIONS["philox4x64"].made(counter, key)


class Philox(Halved):
    """The counter-based generator Philox 4x64 with 10 rounds, as NumPy has it.

    Four values are the four words that a bijection makes of a counter of 256 bits under a key of 128 bits. The counter
    goes up by one before each four.

    Parameters
    ----------
    seed : int, sequence of int or numpy.random.SeedSequence, optional
        Any seed that NumPy takes, for a key; the stream is that of ``numpy.random.Philox(seed)``. By default the
        operating system gives one.
    counter : int or sequence of 4 int, optional
        The counter before the first value, from 0 to 2^256 - 1, or its words, the lowest first. By default 0.
    key : int or sequence of 2 int, optional
        In place of a seed the key, from 0 to 2^128 - 1, or its words, the lowest first.
    state : sequence of 8 int, optional
        In place of all others the words, as `words` has them.

    Attributes
    ----------
    counter : tuple of int
        The words of the counter that the last value is made of, the lowest first.
    key : tuple of int
    has_uint32 : bool
    uinteger : int

    Raises
    ------
    TypeError
        If an argument is not an integer or a sequence of them, or is given beside one that it takes the place of.
    ValueError
        If one is out of range, or there are not as many words as it has.

    Notes
    -----
    A state has eight words of 64 bits: four of the counter; which of its four values was given out last, from 0 to 3;
    two of the key; and `uinteger`, with 2^32 added where it waits. A jump adds to the counter, so that every place is
    reached at once. The period is 2^258.

    `state` is the dictionary that ``numpy.random.Philox`` has, in lists, and takes one of it. NumPy's `advance` and
    `jumped` move the counter and leave the values of a counter that are still to come: its ``advance(n)`` leads from
    ``buffer_pos`` b where ``advance(4 * n + 4 - b)`` leads here, and from 4 on its ``jumped()`` where
    ``jumped(2**130)`` leads. No half waits then, there and here.

    References
    ----------
    J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", Proceedings
    of SC11, 2011.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> bool(np.all(clrng.Philox(2026).sequence(5) == np.random.Philox(2026).random_raw(5)))
    True
    >>> hex(clrng.Philox(key=0, counter=2**256 - 1).sequence(1)[0])
    '0x16554d9eca36314c'
    """

    name = "philox"
    order: int = COUNTER + 1 + KEY + 1
    _modulus = WORD
    word_limits = constant(
        ((0, WORD - 1),) * COUNTER + ((0, COUNTER - 1),) + ((0, WORD - 1),) * KEY + ((0, 2 * HALF - 1),),
        "The least and the largest legal value of each word of the state.",
    )
    state_count = constant(COUNTER * WORD ** (COUNTER + KEY), "How many places there are on the streams of all keys.")
    period = constant(COUNTER * WORD**COUNTER, "The number of values before the sequence repeats, 2^258.")
    _words_are = ", four of the counter, the number of a value, two of the key and the half that waits"
    _formula = "ten rounds of products and exclusive ors make four values of a counter and a key"
    _value_is = "one of the four words of a counter"

    def __init__(
        self,
        seed: int | Sequence[int] | npt.NDArray[Any] | ISeedSequence | None = None,
        counter: int | Sequence[int] = 0,
        key: int | Sequence[int] | None = None,
        *,
        state: Sequence[int] | None = None,
    ) -> None:
        if state is not None:
            if seed is not None or key is not None or validation.is_sequence(counter) or counter != 0:
                raise TypeError(f"state must be given alone, not with a seed, a counter or a key, as {shown(state)} is")
            self._set(state=state)
            return
        if seed is not None and key is not None:
            raise TypeError(f"seed and key must not both be given, not {shown(seed)} and {shown(key)}")
        sequence = seeding.checked("seed", seed) if key is None else None
        self._words = _begun(
            digits("counter", counter, COUNTER, 64), key_of(sequence) if sequence else digits("key", key, KEY, 64)
        )
        self._seed_seq = sequence

    @property
    def counter(self) -> Words:
        """The words of the counter that the last value is made of, the lowest first."""
        return self._words[:PLACE]

    @property
    def key(self) -> Words:
        """The two words of the key, the lowest first."""
        return self._words[PLACE + 1 : WAITING]

    def _seeded_words(self, sequence: ISeedSequence) -> Words:
        return _begun((0,) * COUNTER, key_of(sequence))

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        if words[PLACE] + 1 < COUNTER:
            return (*words[:PLACE], words[PLACE] + 1, *words[PLACE + 1 :])
        return (*words_of(number_of(words[:PLACE], 64) + 1, COUNTER, 64), 0, *words[PLACE + 1 :])

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return bijection(words[:PLACE], words[PLACE + 1 : WAITING])[words[PLACE]]

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        counters, place = divmod(words[PLACE] + n, COUNTER)
        return (*words_of(number_of(words[:PLACE], 64) + counters, COUNTER, 64), place, *words[PLACE + 1 :])

    @property
    def _buffer(self) -> list[int]:
        """The values of the counter; 0 where NumPy begins, which has drawn none of them."""
        if self._words[:PLACE] == (0,) * COUNTER and self._words[PLACE] == COUNTER - 1:
            return [0] * COUNTER
        return list(bijection(self.counter, self.key))

    @property
    def state(self) -> dict[str, Any]:
        """The whole state as NumPy's dictionary, in lists; assign one, of arrays too, to restore it.

        Where ``buffer_pos`` is 4, NumPy never reads the numbers of ``buffer``, and none are looked at here.

        Raises
        ------
        TypeError
            On assignment, if it is not a mapping or a value in it is not an integer.
        ValueError
            On assignment, if a key is missing or unknown, it is of another generator, a value is out of range, or one
            of ``buffer`` is still to come and not that of the counter.
        """
        return {
            "bit_generator": type(self).__name__,
            "state": {"counter": list(self.counter), "key": list(self.key)},
            "buffer": self._buffer,
            "buffer_pos": self._words[PLACE] + 1,
            "has_uint32": int(self.has_uint32),
            "uinteger": self.uinteger,
        }

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        check_state(self, value, {"bit_generator", "state", "buffer", "buffer_pos", "has_uint32", "uinteger"})
        numbers = value["state"]
        if not isinstance(numbers, Mapping) or set(numbers) != {"counter", "key"}:
            raise ValueError(f"state['state'] must be a dictionary of 'counter' and 'key', not {shown(numbers)}")
        counter = several("state['state']['counter']", numbers["counter"], COUNTER, 64)
        key = several("state['state']['key']", numbers["key"], KEY, 64)
        buffer = several("state['buffer']", value["buffer"], COUNTER, 64)
        drawn = validation.integer("state['buffer_pos']", value["buffer_pos"], 1, COUNTER)
        if drawn < COUNTER and buffer[drawn:] != (made := bijection(counter, key))[drawn:]:
            raise ValueError(f"state['buffer'] must have the values of the counter, {list(made)}, not {list(buffer)}")
        waits = validation.integer("state['has_uint32']", value["has_uint32"], 0, 1)
        waiting = validation.integer("state['uinteger']", value["uinteger"], 0, HALF - 1)
        self._set(lambda name: f"state[{name!r}]", state=(*counter, drawn - 1, *key, HALF * waits + waiting))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(state={list(self._words)})"


def key_of(sequence: ISeedSequence) -> Words:
    """Return the key that NumPy makes of a seed."""
    return tuple(int(word) for word in sequence.generate_state(KEY, np.uint64))


def _begun(counter: Words, key: Words) -> Words:
    """Return the words of a state from which the next value is the first of the next counter."""
    return (*counter, COUNTER - 1, *key, 0)


class PhiloxCode(CountingCode):
    """The bijection, whose four values a state holds, with the half that waits."""

    bijection, rounds, waiting = BIJECTIONS["philox4x64"], BIJECTIONS["philox4x64"].rounds, 1


FAMILIES = (
    Family(
        generator=Philox,
        code=PhiloxCode,
        title="Generators that count",
        arguments={"seed": 1},
        about="Philox 4x64 with 10 rounds, as NumPy has it",
        seeds="0 or more",
        source="Salmon, Moraes, Dror and Shaw 2011",
        helps={"seed": "by default 1", "state": "eight integers, in place of a seed"},
        defaults={"seed": 1},
    ),
)

NAMED = (
    Named("numpy_philox", "Philox of NumPy, Philox 4x64 with 10 rounds",
          "NumPy, numpy.random.Philox; J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel random numbers: "
          "as easy as 1, 2, 3, Proceedings of SC11, 2011", (0, 2**128 - 1), Philox),
)  # fmt: skip
