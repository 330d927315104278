"""Generators that count: the values are a bijection of a counter under a key."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

from clrng import validation
from clrng.generators import seeding
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.maths.bijections import BIJECTIONS, Bijection
from clrng.generators.parameters import Kind, Naming, Parameter, choice
from clrng.opencl.templates import render
from clrng.validation import shown


def number_of(words: Words, bits: int) -> int:
    """Return the number whose digits of so many bits are `words`, the lowest first."""
    return sum(word << bits * i for i, word in enumerate(words))


def words_of(number: int, count: int, bits: int) -> Words:
    """Return the lowest `count` digits of so many bits of a number, the lowest first."""
    return tuple(number >> bits * i & 2**bits - 1 for i in range(count))


def several(name: str, value: Any, count: int, bits: int) -> Words:
    """Return `value` if it is so many words."""
    if len(validation.sequence(name, value)) != count:
        raise ValueError(f"{name} must be {count} integers, not {len(value)}")
    return tuple(validation.integer(f"{name}[{i}]", word, 0, 2**bits - 1) for i, word in enumerate(value))


def digits(name: str, value: Any, count: int, bits: int) -> Words:
    """Return the words of an integer, or those that `value` is."""
    if validation.is_sequence(value):
        return several(name, value, count, bits)
    return words_of(validation.integer(name, value, 0, 2 ** (bits * count) - 1), count, bits)


def _checked_rounds(name: Naming, key: str, value: Any, generator: Any) -> int:
    """Return `value` if the bijection may have so many rounds."""
    legal = BIJECTIONS[generator.bijection].legal
    rounds = validation.integer(name(key), value, legal[0], legal[-1])
    if rounds not in legal:
        raise ValueError(
            f"{name(key)} must be a multiple of {legal.step} from {legal[0]} to {legal[-1]} for {generator.bijection}, "
            f"not {rounds}"
        )
    return rounds


class CounterBased(BitGenerator):
    """A generator that counts: a bijection makes the values of a counter and a key.

    A few values are made of each counter, which then goes up by one. So every position is reached at once, and each key
    has a stream of its own.

    Parameters
    ----------
    bijection : str
        One of the names of the table below.
    key : int or sequence of int
        The key, or its words, the lowest first.
    counter : int or sequence of int, optional
        The counter of the first values, or its words, the lowest first. By default 0.
    rounds : int, optional
        By default the usual number of the table.
    state : sequence of int, optional
        In place of a key and a counter the words of a state, as `words` has them.

    Attributes
    ----------
    counter : tuple of int
        The words of the counter that the next value is made of, the lowest first.
    key : tuple of int
        The words of the key, the lowest first.
    bijection : str
    rounds : int

    Raises
    ------
    TypeError
        If an argument is not an integer or a sequence of them, a key is missing, or is given beside a state.
    ValueError
        If one is out of range, or there are not as many words as it has.

    Notes
    -----
    ====================  ==============  ============  ====================  ============
    bijection             words of a      words of a    values of a counter   rounds
                          counter         key
    ====================  ==============  ============  ====================  ============
    ``philox2x32``        2 of 32 bits    1             2 of 32 bits          10: 1 to 16
    ``philox4x32``        4 of 32 bits    2             4 of 32 bits          10: 1 to 16
    ``philox2x64``        2 of 64 bits    1             2 of 64 bits          10: 1 to 16
    ``philox4x64``        4 of 64 bits    2             4 of 64 bits          10: 1 to 16
    ``threefry2x32``      2 of 32 bits    2             2 of 32 bits          20: 1 to 72
    ``threefry4x32``      4 of 32 bits    4             4 of 32 bits          20: 1 to 72
    ``threefry2x64``      2 of 64 bits    2             2 of 64 bits          20: 1 to 72
    ``threefry4x64``      4 of 64 bits    4             4 of 64 bits          20: 1 to 72
    ``jax_threefry2x32``  2 of 32 bits    2             1 of 32 bits          20: 1 to 72
    ``chacha``            2 of 32 bits    10            16 of 32 bits         20: 2 to 20
    ``squares32``         1 of 64 bits    1             1 of 32 bits          4
    ``squares64``         1 of 64 bits    1             1 of 64 bits          5
    ====================  ==============  ============  ====================  ============

    Of rounds the usual number comes first, then which there may be; those of ChaCha are even, and 8, 12 and 20 usual.

    The key of ChaCha is one of 256 bits, then a nonce of 64: a key below 2^256 has the nonce 0. Words are those of RFC
    8439, which has 32 bits more of the nonce in place of the upper word of the counter.

    ``jax_threefry2x32`` is the exclusive or of the two words that ``threefry2x32`` makes of the upper word of a counter
    and the lower one, in this order, as in ``jax.random.bits``.

    The key of Squares is odd. Its author asks for keys whose hexadecimal digits look irregular and are different ones
    next to each other; those of `seeded` are only random.

    A state has the words of the counter that the last value is made of, which of the values of that counter it is,
    from 0, and the words of the key. `seeded` and `spawn` make a key of ``SeedSequence.generate_state``, with the
    counter 0.

    In a kernel of one's own `device_code` gives the bijection too, as a function of pointers to the words of a counter
    and of a key and to the values.

    `Philox` is philox4x64 as NumPy has it: it counts before the first values, and takes float32 numbers of halves.

    References
    ----------
    J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", Proceedings
    of SC11, 2011.

    D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008. Y. Nir and A. Langley, "ChaCha20 and Poly1305 for IETF
    Protocols", RFC 8439, 2018.

    B. Widynski, "Squares: a fast counter-based RNG", arXiv:2004.06278, 2020.

    Examples
    --------
    >>> import clrng
    >>> bits = clrng.CounterBased("philox4x32", key=20111115)
    >>> bits.jumped(9999).sequence(1)
    array([1955073260], dtype=uint32)
    >>> bits.advance(6).counter
    (1, 0, 0, 0)
    """

    name = "counter_based"
    sample_word = 0
    bijection = Parameter("The name of the bijection.", choice(tuple(BIJECTIONS)), early=True, bare=True)
    rounds = Parameter("The number of rounds.", Kind(_checked_rounds), usual=lambda made: made.traits.rounds)

    def __init__(
        self,
        bijection: str,
        key: int | Sequence[int] | None = None,
        counter: int | Sequence[int] = 0,
        *,
        rounds: int | None = None,
        state: Sequence[int] | None = None,
    ) -> None:
        usual = BIJECTIONS[validation.choice("bijection", bijection, BIJECTIONS)].rounds
        rounds = usual if rounds is None else rounds
        if state is not None:
            if key is not None or validation.is_sequence(counter) or counter != 0:
                raise TypeError(f"state must be given alone, not with a key or a counter, as {shown(state)} is")
            self._set(bijection=bijection, rounds=rounds, state=state)
            return
        if key is None:
            raise TypeError("key must be an integer or a sequence of them where no state is given, not None")
        self._set(bijection=bijection, rounds=rounds, start=lambda made: made._begun(counter, key))  # noqa: SLF001

    @property
    def traits(self) -> Bijection:
        """What there is to say of the bijection."""
        return BIJECTIONS[self.bijection]

    def _derive(self) -> None:
        self._modulus = 2**self.traits.bits

    def _begun(self, counter: Any, key: Any) -> Words:
        """Return the words of a state from which the next value is the first of a counter."""
        traits, bits = self.traits, self.traits.bits
        before = number_of(digits("counter", counter, traits.counter, bits), bits) - 1
        words = digits("key", key, traits.key, bits)
        if self._odd_key and words[0] % 2 == 0:
            raise ValueError(
                f"key must be odd for {self.bijection}, as counters come again sooner else, not {words[0]}"
            )
        return (*words_of(before, traits.counter, bits), traits.values - 1, *words)

    @property
    def _odd_key(self) -> bool:
        return self.traits.template == "squares"

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        legal = "have an odd key"
        return first_bad(states[:, -1] % 2 == 0, legal) if self._odd_key else None

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        made = states.copy()
        made[:, -1] |= made.dtype.type(self._odd_key)
        return made

    @property
    def order(self) -> int:
        """The number of words of the state."""
        return self.traits.counter + 1 + self.traits.key

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        traits, word = self.traits, (0, self._modulus - 1)
        return [word] * traits.counter + [(0, traits.values - 1)] + [word] * traits.key

    @property
    def _words_are(self) -> str:  # type: ignore[override]
        traits = self.traits
        return f", {traits.counter} of the counter, the number of a value and {traits.key} of the key"

    @property
    def _formula(self) -> str:  # type: ignore[override]
        traits = self.traits
        return f"{self.rounds} rounds of {self.bijection} make {traits.values} value(s) of a counter and a key"

    @property
    def _value_is(self) -> str:  # type: ignore[override]
        return "one of the words that are made of a counter"

    @property
    def counter(self) -> Words:
        """The words of the counter that the next value is made of, the lowest first."""
        return self.step(self._words)[: self.traits.counter]

    @property
    def key(self) -> Words:
        """The words of the key, the lowest first."""
        return self._words[self.traits.counter + 1 :]

    @property
    def upper_bound(self) -> int:
        """What a raw value is divided by to make it uniform in [0, 1): 2 to the number of its bits."""
        return 1 << self.traits.value_bits

    @property
    def period(self) -> int:
        """The number of values before the sequence repeats: those of all counters."""
        return self.traits.values << self.traits.bits * self.traits.counter

    def values_of(self, counter: int | Sequence[int]) -> Words:
        """Return the values of a counter under the key: a pure function of both.

        Parameters
        ----------
        counter : int or sequence of int
            The counter, or its words, the lowest first.

        Returns
        -------
        tuple of int

        Raises
        ------
        TypeError
            If `counter` is not an integer or a sequence of them.
        ValueError
            If it is out of range, or there are not as many words as it has.

        Examples
        --------
        >>> import clrng
        >>> clrng.CounterBased("philox4x32", key=0).values_of(0)
        (1713891541, 3781805453, 3159862348, 2600524760)
        """
        traits = self.traits
        return traits.made(digits("counter", counter, traits.counter, traits.bits), self.key, self.rounds)

    def _seeded_words(self, sequence: ISeedSequence) -> Words:
        key = sequence.generate_state(self.traits.key, self.word_dtype.type)
        return self._begun(0, [int(word) | self._odd_key for word in key])

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return self.state_after(words, 1)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        count = self.traits.counter
        return self.traits.made(words[:count], words[count + 1 :], self.rounds)[words[count]]

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        traits, count = self.traits, self.traits.counter
        counters, place = divmod(words[count] + n, traits.values)
        counter = number_of(words[:count], traits.bits) + counters
        return (*words_of(counter, count, traits.bits), place, *words[count + 1 :])

    def sequence(self, n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        n = validation.integer("n", n, 0, validation.MAX_VALUES)
        values, words, count = np.empty(n, self.dtype), self._words, self.traits.counter
        made: Words = ()
        for i in range(n):
            words = self.step(words)
            if words[count] == 0 or not made:
                made = self.traits.made(words[:count], words[count + 1 :], self.rounds)
            values[i] = made[words[count]]
        return values


class CountingCode(GeneratorCode):
    """A bijection whose values a state holds; a stride is added to the counter.

    `waiting`: how many words of a state, behind its key, only wait.
    """

    bijection: Bijection
    rounds: int
    waiting: int = 0
    fill_strategy = "counters"
    max_vector_width: int = (
        1  # states are scalars; the values of vectors of counters are made by `bijection_text` alone
    )

    @property
    def phases(self) -> int:  # type: ignore[override]
        """The values of a counter."""
        return self.bijection.values

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        counters, more = divmod(n, self.bijection.values)
        return (*words_of(counters, self.bijection.counter, self.bijection.bits), more)

    def bijection_text(self, prefix: str, width: int, sets: int = 1) -> str:
        """Return the bijection, of so many `sets` of vectors of `width` counters."""
        values = {"rounds": self.rounds, "sets": sets, **self.counts, **self.bijection.constants}
        return render(f"generators/{self.bijection.template}.cl.mako", **self._common(prefix, width), **values)

    @property
    def counter_lanes(self) -> int:
        """For how many counters a CPU makes values at once."""
        return 64 // self.value.itemsize

    @property
    def counter_sets(self) -> int:
        """How many vectors of counters a CPU takes at once.

        The rounds of Philox wait for their products. Two vectors were 1.1 to 1.2 times as fast as one, three hardly
        faster than two.
        """
        return 2 if self.bijection.template == "philox" else 1

    @property
    def paired(self) -> bool:
        """Whether vectors have two neighbouring values of a counter in an element of 64 bits."""
        return self.bijection.template == "philox" and self.word.itemsize == 4  # noqa: PLR2004  # words of 32 bits

    @property
    def counts(self) -> dict[str, int]:
        """How many words there are of each kind."""
        return {"counter": self.bijection.counter, "key": self.bijection.key, "values": self.bijection.values}

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        values = {**self._common(prefix, width), **self.counts, "waiting": self.waiting}
        return self.bijection_text(prefix, width) + render("generators/counter_based.cl.mako", **values)


class CounterBasedCode(CountingCode):
    """The bijection of a generator in its number of rounds."""

    recurrence: CounterBased

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self.bijection, self.rounds = self.recurrence.traits, self.recurrence.rounds


FAMILIES = (
    Family(
        generator=CounterBased,
        code=CounterBasedCode,
        title="Generators that count",
        arguments={"bijection": "philox4x32", "key": 1},
        about="a --bijection of a counter under a key",
        seeds="none",
        source="Salmon, Moraes, Dror and Shaw 2011",
        helps={
            "bijection": "by default philox4x32",
            "key": "by default 1",
            "counter": "of the first values, by default 0",
            "state": "integers, in place of a key and a counter",
        },
        defaults={"bijection": "philox4x32", "key": 1},
    ),
)

RFC = "Y. Nir and A. Langley, ChaCha20 and Poly1305 for IETF Protocols, RFC 8439, 2018"
CPP = "C++26, [rand.predef]"


def _of_rust(rounds: int, seed: int) -> CounterBased:
    """Return what SeedableRng::seed_from_u64 of Rust's rand_core makes of a seed."""
    return CounterBased("chacha", [*seeding.of_rust(seed, 8), 0, 0], rounds=rounds)


NAMED = (
    Named("std_philox4x32", "std::philox4x32", CPP, (0, 2**32 - 1), lambda seed: CounterBased("philox4x32", seed)),
    Named("std_philox4x64", "std::philox4x64", CPP, (0, 2**64 - 1), lambda seed: CounterBased("philox4x64", seed)),
    Named("jax_bits", "jax.random.bits of 32 bits under jax.random.key(seed), as JAX counts by default",
          "JAX 0.10, jax.random.bits, jax_threefry_partitionable", (0, 2**32 - 1),
          lambda seed: CounterBased("jax_threefry2x32", [0, seed])),
    *(
        Named(f"rust_chacha{rounds}", f"ChaCha{rounds}Rng{of} of Rust, seeded by seed_from_u64, by next_u32",
              f"Rust, crate rand_chacha 0.3; {RFC}", (0, 2**64 - 1), partial(_of_rust, rounds))
        for rounds, of in ((8, ""), (12, ", and StdRng of rand 0.8,"), (20, ""))
    ),
)  # fmt: skip
