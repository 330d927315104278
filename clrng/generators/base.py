"""What every bit generator has: parameters, words of state and which are legal, a step, a value, jumps and seeds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from inspect import signature
from math import gcd, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from clrng import validation
from clrng.distributions.distribution import new_transform_of, transform_of
from clrng.distributions.transforms.uniform import HALF
from clrng.documented import complete_all
from clrng.errors import UnsupportedError
from clrng.generators import seeding
from clrng.generators.maths.number_theory import golden_distance, largest_factorial
from clrng.generators.parameters import Attribute, Output, Parameter, check_state
from clrng.generators.words import MAKING, SAYING
from clrng.validation import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt
    from numpy.random.bit_generator import ISeedSequence
    from typing_extensions import Self

    from clrng.distributions import Transform
    from clrng.distributions.distribution import Distribution
    from clrng.generators.parameters import Naming

Words = tuple[int, ...]

LONGEST_SHOWN = 100
"""The maximum number of words of a state in a repr."""


class BitGenerator(ABC):
    """The sequential stream of a recurrence over the integers modulo m.

    Attributes
    ----------
    name : str
        The family, in lower case, which names its template and begins the names in its device code.
    modulus : int
        The modulus m of the state's words.
    sample_word : int
        A number which, plus any multiple of 4 that is in range, is a legal value of every word of a state.
    consecutive_seeds : bool
        Whether a state is one word and s, s + 1, ..., m - 1 are all legal if s is, so that streams can count them.
    parameters_version : int
        How often parameters and state were assigned: while this stays the same, so do the parameters.
    has_halves : bool
        Whether numbers of 32 bits take half a value each, as those of NumPy's generators of 64 bits do.

    Raises
    ------
    TypeError
        If an argument of any class is not an integer, or not a sequence of them where it is to be one.
    ValueError
        If one is out of range or of another length, or words are no legal state, as when all are 0 and would stay so.
    """

    name: ClassVar[str]
    sample_word: ClassVar[int] = 2
    consecutive_seeds: ClassVar[bool] = False
    parameters_version: int = 0
    has_halves: ClassVar[bool] = False

    declared: ClassVar[dict[str, Parameter[Any]]] = {}
    _arguments: ClassVar[tuple[str, ...]] = ()
    _least: int = 0
    _keeps_factors: bool = False
    _reversible: bool = True
    _words_are: ClassVar[str] = ""
    _formula: ClassVar[str] = ""
    _value_is: ClassVar[str] = "the whole word"
    _bare_state: ClassVar[bool] = False

    modulus: Attribute[int] = Attribute("The modulus m of the state's words.")
    words: Attribute[Words] = Attribute(
        "The words of the current state, the oldest first where the class does not say otherwise."
    )
    _modulus: int
    _words: Words
    _output: Output | None = None
    _seed_seq: ISeedSequence | None = None

    def __init_subclass__(cls) -> None:
        """Note the parameters of a family: `_words_are` is what errors add to how many words a state has."""
        super().__init_subclass__()
        own = {key: value for key, value in cls.__dict__.items() if isinstance(value, Parameter)}
        if own or "name" in cls.__dict__:
            cls.declared = own or ({} if "__init__" in cls.__dict__ else cls.declared)
            cls._arguments = (cls.__name__, *list(signature(cls.__init__).parameters)[1:])

    @classmethod
    def _argument(cls, key: str) -> str:
        """Return what the constructor calls a key of the state."""
        return "seed" if key == "state" and "state" not in cls._arguments else key

    def _set(self, name: Naming | None = None, /, **values: Any) -> None:
        """Check all values of the state, of which `name` gives the names for errors, then take them over at once."""
        made = type(self).__new__(type(self))
        made._fill(name or self._argument, values)  # noqa: SLF001  # of the same class
        if name is not None:
            made.parameters_version = self.parameters_version + 1
        vars(self).update(vars(made))  # one step, which no other thread and no Ctrl-C sees half done

    def _fill(self, name: Naming, values: Mapping[str, Any]) -> None:
        for parameter in sorted(self.declared.values(), key=lambda parameter: not parameter.early):
            key = parameter.key
            given = parameter.usual if parameter.optional and key not in values else values[key]
            setattr(self, f"_{key}", parameter.kind.check(name, key, given, self))
        self._derive()
        start = values.get("start")  # in place of a state, which it makes for the parameters
        self._words = start(self) if start else self._checked_state(name("state"), values["state"])

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what a pickle has, and compute what follows from it: another version may have had less of that."""
        vars(self).update(state)
        self._derive()

    def _derive(self) -> None:  # noqa: B027  # many have nothing
        """Compute what follows from the parameters alone, which are set."""

    def _checked_state(self, name: str, values: Any) -> Words:
        """Return the words of a state that `values` are, if it is legal."""
        words = self._checked_words(name, values)
        bad = self.bad_states(np.array([words], self.word_dtype))
        if bad is not None:
            raise ValueError(f"{name} must {bad[1]}, not {shown(self._plain(words))}")
        return words

    def _checked_words(self, name: str, values: Any) -> Words:
        """Return `values` if they are as many integers as words, each a legal one."""
        validation.sequence(name, values)
        limits = self.word_limits
        if len(values) != len(limits):
            raise ValueError(f"{name} must be {len(limits)} integers{self._words_are}, not {len(values)}")
        return tuple(self._checked_word(f"{name}[{i}]", value, *limits[i]) for i, value in enumerate(values))

    def _checked_word(self, name: str, value: Any, low: int, high: int) -> int:
        return validation.integer(name, value, low, high)

    def _plain(self, words: Words) -> Any:
        """Return words of state as the dictionary of a state has them."""
        return list(words)

    @property
    def order(self) -> int:
        """The number of words of the state."""
        return len(self._words)

    @property
    def word_dtype(self) -> np.dtype[Any]:
        """The dtype of a word of state: uint32 for moduli up to 2^32, else uint64."""
        return np.dtype(np.uint32 if self.modulus <= 2**32 else np.uint64)

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [(self._least, self.modulus - 1)] * self.order

    @property
    def word_step(self) -> int:
        """The spacing of the legal values of a word: each is the smallest one plus a multiple of it."""
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
        return largest_factorial(self.state_count)

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: ARG002  # none is bad here
        """Return the first of `states`, shape (count, order), that is not legal though its words are, and what is."""
        return None

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return `states`, shape (count, order), of legal words, with the bits that follow from others as they must be.

        `bad_states` may still find some that are not legal.
        """
        return states

    def has_common_factor(self, words: Words) -> bool:
        """Return whether all `words` have a factor in common with m that all values keep, which shortens the period."""
        return self._keeps_factors and gcd(self.modulus, *words) > 1

    def checked_states(self, name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return `values` as an array of states, shape (count, order), if all are legal; errors name the first bad."""
        states = validation.states(name, values, self.word_limits, self.word_dtype)
        bad = self.bad_states(states)
        if bad is not None:
            raise ValueError(f"{name}[{bad[0]}] must {bad[1]}, not {shown(states[bad[0]].tolist())}")
        return states

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
            Integers of 0 or more, of any size, and what else ``numpy.random.SeedSequence`` takes, go through that. Any
            other object with the interface of ``numpy.random.bit_generator.ISeedSequence`` is taken as it is too. By
            default the operating system gives the seed, another one at each call.

        Returns
        -------
        BitGenerator
            One of the same class, which keeps the SeedSequence as `seed_seq`.

        Raises
        ------
        ValueError
            If an integer is negative, or an object of one's own yields no legal state.

        Notes
        -----
        The state of a seed is the same in every version of clrng. `PCG64`, `PCG64DXSM`, `PCG32`, `Philox` and
        `CounterBased` say what theirs is; of the other bit generators it is made as follows. A word of state with N
        possible values takes k = 2 ceil(b / 32) + 1 numbers of ``SeedSequence.generate_state``, where b is the number
        of bits of N - 1. They are the digits to the base 2^32 of an integer X, the lowest first, and the word is the
        value number X mod N, counted from 0 in ascending order. The words follow one another as in `words`. Possible
        are the values that are legal for the word alone: of `LaggedFibonacci` with ``"*"`` the odd ones, of `Coveyou`
        those that are 2 modulo 4. The lowest bits of the words of `LFSR113`, and of the first word of `MT19937` and
        `MT19937_64`, are then replaced by those that the recurrence leads to, and so is the carry of
        `SubtractWithCarry`; the last word of `LXM` is made odd, and gamma of `SplitMix` stays as it is. If the state is
        not legal as a whole, as with all words 0, the numbers that follow make another. So they do where all words have
        a factor in common with m that all values keep, which shortens the period: for `LCG` and `LinearRecurrence`
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

    def _seeded_words(self, sequence: ISeedSequence) -> Words:
        """Return the words of the state that a seed stands for."""
        return seeding.state_of(sequence, self)

    def spawn(self, n_children: int) -> list[Self]:
        """Return new generators of the same parameters, each with a state of its own, as NumPy's `spawn` does.

        Their seeds are the next children of `seed_seq`. They depend on the seed and on how many were spawned before,
        not on where this generator stands, and the children can spawn others.

        Returns
        -------
        list of BitGenerator
            Of the same class.

        Raises
        ------
        TypeError
            If this generator was not seeded by `seeded` or `default_rng`, or by a SeedSequence that cannot spawn.

        Notes
        -----
        The streams begin at places left to chance; `seeded` says how soon they overlap. Those of an explicit state
        cannot be spawned by counting on from it, as the children of a child would meet those of its parent; take
        `jumped`, or `Streams.by_jumps` for many at once.

        Examples
        --------
        >>> clrng.PCG64(2026).spawn(2)[1].sequence(2)
        array([12379846323123809911,  2914571020365838342], dtype=uint64)
        """
        count = validation.integer("n_children", n_children, 0, None)
        return [self.seeded(child) for child in seeding.spawned(self, count)]

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
        return {**self.parameters, "state": self._plain(self.words)}

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        optional = {key for key, parameter in self.declared.items() if parameter.optional}
        check_state(self, value, {"bit_generator", "state", *self.declared} - optional, optional)
        values = {key: part for key, part in value.items() if key != "bit_generator"}
        self._set(lambda key: f"state[{key!r}]", **values)

    @property
    def parameters(self) -> dict[str, Any]:
        """All of the dictionary `state` but the state itself."""
        kept = (key for key, each in self.declared.items() if not (each.optional and each.is_usual(self)))
        plain = {key: getattr(self, key) for key in kept}
        listed = {key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()}
        return {"bit_generator": type(self).__name__, **listed}

    @property
    def summary(self) -> str:
        """The kind and the parameters in a line, without the state."""
        return ", ".join(f"{key}={value}" for key, value in self.parameters.items() if value is not None).removeprefix(
            "bit_generator="
        )

    def __repr__(self) -> str:
        """Return a call that makes it: of long states, only the first and the last word."""
        class_name, *arguments = self._arguments
        state = self._argument("state")
        shown_parts = {key: parameter.shown(self) for key, parameter in self.declared.items()}
        value = self._plain(self.words)
        long = isinstance(value, list) and len(value) > LONGEST_SHOWN
        text = f"[{value[0]}, ..., {value[-1]}]" if long else f"{value}"
        shown_parts[state] = text if self._bare_state else f"{state}={text}"
        parts = (shown_parts.get(argument) for argument in arguments)
        return f"{class_name}({', '.join(part for part in parts if part)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.state == other.state

    __hash__ = None  # type: ignore[assignment]  # mutable: the state moves

    def __dask_tokenize__(self) -> tuple[str, str, dict[str, Any]]:
        return type(self).__module__, type(self).__qualname__, self.state

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002  # others have numbers in it
        """Return the recurrence with its parameters as people read it, integers as `number` writes them.

        >>> bits.formula()
        "x' = (16807 x) mod 2147483647"
        """
        return self._formula or self.summary

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002  # others have numbers in it
        """Return what a raw value is made of, as people read it.

        >>> clrng.named("java", seed=42).value_formula()
        '32 bits, from bit 16 on'
        """
        output = self.parameters.get("output")
        return f"{output[1]} bits, from bit {output[0]} on" if output else self._value_is

    @property
    def min_value(self) -> int:
        """The least raw value there can be: that of a word, or 0 where a value shows a part that may be 0."""
        return self._least if self._output is None or (self.word_step > 1 and self._output.shift == 0) else 0

    @property
    def upper_bound(self) -> int:
        """What a raw value is divided by to make it uniform in [0, 1); every raw value is below it.

        The modulus, or 2^bits where only some bits of a word are shown.
        """
        return 1 << self._output.bits if isinstance(self._output, Output) else self.modulus

    @property
    def period(self) -> int | None:
        """The number of steps before the state comes again, or None if that is not known."""
        return None

    @property
    def reversible(self) -> bool:
        """Whether every state has a single one before it.

        Of congruential generators, and of linear recurrences, where the multiplier a, or the last coefficient a_p, and
        m have no factor in common; of all others always.
        """
        return self._reversible

    @abstractmethod
    def step(self, words: Words) -> Words:
        """Return the words of the state after that of `words`."""

    def value(self, words: Words) -> int:
        """Return the raw value of the state `words`: by default what is shown of the last word."""
        return self._shown(words[-1])

    def _shown(self, word: int) -> int:
        """Return what a value shows of a word: by default all of it, or the part that `output` says."""
        return self._output.of(word) if isinstance(self._output, Output) else word

    @abstractmethod
    def state_after(self, words: Words, n: int) -> Words:
        """Return the words `n` steps after the state `words`, in O(log n); a negative `n` is backwards.

        A ValueError says where that cannot be.
        """

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
        """Return the state `n` steps after each of `states`, shape (count, order), of `word_dtype`."""
        return np.array([self.state_after(tuple(words), n) for words in states.tolist()], self.word_dtype)

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
        return golden_distance(period)

    def checked_delta(self, delta: Any) -> int:
        """Return `delta` if it is a number of steps that the recurrence can go."""
        steps = validation.integer("delta", delta, None, None)
        if steps < 0 and not self.reversible:
            raise ValueError(
                f"delta must be an integer of 0 or more, as {shown(self)} cannot be run backwards, not {shown(steps)}"
            )
        return steps

    def advance(self, delta: int) -> Self:
        """Move on by `delta` values, as if they had been drawn, in O(log abs(delta)).

        Returns
        -------
        BitGenerator
            This generator itself.

        Raises
        ------
        ValueError
            If `delta` is negative and the recurrence is not reversible.

        Examples
        --------
        >>> bits.advance(10**12).sequence(2)
        array([ 646850790, 1059006416], dtype=uint32)
        """
        self._words = self.state_after(self._words, self.checked_delta(delta))
        return self

    def transform_of(self, chosen: Distribution, dtype: np.dtype[Any]) -> Transform:
        """Return what makes values of a distribution of this generator's raw values, or of halves of them."""
        make = transform_of if chosen.reused else new_transform_of
        if self.has_halves and chosen.fits_half(dtype):
            return make(chosen, 0, HALF, dtype, numpys=True)
        return make(chosen, self.min_value, self.upper_bound, dtype, numpys=self.has_halves)

    def taken(self, transform: Transform) -> BitGenerator:  # noqa: ARG002  # others are drawn from in two ways
        """Return what the raw values of `transform` are taken from: this generator itself, or its halves."""
        return self

    def drawn(self, taken: BitGenerator, count: int) -> None:  # noqa: ARG002  # as above
        """Move on by `count` values of `taken`, which is this generator itself or its halves."""
        self.advance(count)

    def copy(self) -> Self:
        """Return a new generator of the same parameters that stands at the same place; it shares `seed_seq`.

        >>> bits.copy()
        ParkMiller(seed=1, multiplier=16807)
        """
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        return other

    def jumped(self, delta: int | None = None) -> Self:
        """Return a new generator `delta` values further on; this one stays where it is.

        Parameters
        ----------
        delta : int, optional
            The number of values, of any size; a negative one is backwards, where the recurrence is `reversible`. By
            default `jump_distance`, far enough for a stream of its own; an error where the period is not known.

        Raises
        ------
        ValueError
            If `delta` is negative and the recurrence is not reversible, or left out and the period is not known.

        Examples
        --------
        >>> bits.jumped(2).sequence(1), bits.sequence(1)
        (array([1622650073], dtype=uint32), array([16807], dtype=uint32))
        """
        return self.copy().advance(self.jump_distance if delta is None else delta)

    def leaping(self, n: int) -> BitGenerator:
        """Return a bit generator of which a step is `n` steps of this one.

        Raises
        ------
        UnsupportedError
            If there is none: only a congruential generator has one, if its steps do not lead from all states to one.

        Examples
        --------
        >>> bits.leaping(2).sequence(2)
        array([282475249, 984943658], dtype=uint32)
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

        Examples
        --------
        >>> bits.sequence(5)
        array([     16807,  282475249, 1622650073,  984943658, 1144108930],
              dtype=uint32)
        """
        n = validation.integer("n", n, 0, validation.MAX_VALUES)
        values = np.empty(n, self.dtype)
        words = self._words
        for i in range(n):
            words = self.step(words)
            values[i] = self.value(words)
        return values


complete_all(BitGenerator, MAKING, "advance", "copy", "jumped", "leaping", "seeded", "sequence", "spawn")
complete_all(BitGenerator, SAYING, "formula", "value_formula")


def first_bad(bad: Any, legal: str) -> tuple[int, str] | None:
    """Return the index of the first of `bad` states, and what is `legal`; None where there is none."""
    rows = np.flatnonzero(bad)
    return (int(rows[0]), legal) if rows.size else None
