"""Permuted congruential generators: x' = (a x + c) mod 2^64 or 2^128 with a function of x as the value."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

from clrng import validation
from clrng.distributions.transforms.uniform import HALF
from clrng.documented import complete_all
from clrng.generators import seeding
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.halves import Halved
from clrng.generators.maths.number_theory import affine_power
from clrng.generators.parameters import Kind, Naming, Parameter, check_state, constant
from clrng.generators.words import SAYING
from clrng.opencl.templates import render
from clrng.validation import shown

WORD = 2**64
ONEILL = (
    "M. E. O'Neill, PCG: a family of simple fast space-efficient statistically good algorithms for random number "
    "generation, report HMC-CS-2014-0905, Harvey Mudd College, 2014"
)
MULTIPLIER_64, MULTIPLIER_128 = 6364136223846793005, 0x2360ED051FC65DA44385DF649FCCF645
CHEAP_MULTIPLIER = 0xDA942042E4DD58B5


def _checked_multiplier(name: Naming, key: str, value: Any, generator: Any) -> int:
    largest = 2**generator._bits - 1  # noqa: SLF001  # of this module
    multiplier = validation.integer(name(key), value, 1, largest)
    if multiplier % 2 == 0:
        raise ValueError(f"{name(key)} must be an odd integer from 1 to {validation.bound(largest)}, not {multiplier}")
    return multiplier


class PermutedCongruential(BitGenerator):
    """What generators of this kind have in common: words of x and of c, each of `_bits` bits, the high word first.

    The increment c is part of the state, so that generators of different increments share their code.
    """

    _modulus = WORD
    _bits: ClassVar[int] = 128
    _usual: ClassVar[int] = MULTIPLIER_128
    _of_seeding: ClassVar[int] = MULTIPLIER_128
    """The multiplier of the steps of a seeding, which may be another one."""

    _of_old_state: ClassVar[bool] = False
    """Whether a value is made of the state before the step. The words then are the state before the last step."""

    sample_word = 1
    _multiplier: int
    multiplier = Parameter(
        "The multiplier a, an odd number.",
        Kind(_checked_multiplier),
        usual=lambda generator: generator._usual,  # noqa: SLF001  # of this class
    )

    def __init__(
        self,
        seed: int | Sequence[int] | npt.NDArray[Any] | ISeedSequence | None = None,
        *,
        state: int | None = None,
        increment: int | None = None,
        multiplier: int | None = None,
    ) -> None:
        chosen = self._usual if multiplier is None else multiplier
        sequence = None
        if state is None and increment is None:
            sequence = seeding.checked("seed", seed)
            self._set(multiplier=chosen, start=lambda made: made._seeded_words(sequence))  # noqa: SLF001
        else:
            if seed is not None:
                raise TypeError(f"seed must be None where state and increment are given, not {shown(seed)}")
            x = validation.integer("state", state, 0, 2**self._bits - 1)
            c = validation.integer("increment", increment, 0, 2**self._bits - 1)
            self._set(multiplier=chosen, start=lambda made: made._words_of(x, c))  # noqa: SLF001
        self._seed_seq = sequence

    @property
    def increment(self) -> int:
        """The increment c."""
        return self._numbers(self._words)[1]

    @property
    def word(self) -> int:
        """The current state x."""
        x, c = self._numbers(self._words)
        return (self.multiplier * x + c) % 2**self._bits if self._of_old_state else x

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [(0, WORD - 1)] * (2 * self._bits // 64)

    def _numbers(self, words: Words) -> tuple[int, int]:
        """Return x, of which the next value is made after or before a step, and c."""
        if self._bits < 128:  # noqa: PLR2004  # a word each
            return words[0], words[1]
        return words[0] << 64 | words[1], words[2] << 64 | words[3]

    def _as_words(self, x: int, c: int) -> Words:
        return (x, c) if self._bits < 128 else (x >> 64, x % WORD, c >> 64, c % WORD)  # noqa: PLR2004

    def _words_of(self, state: int, increment: int) -> Words:
        """Return the words of a state and an increment."""
        if self._of_old_state:
            state = (state - increment) * pow(self.multiplier, -1, 2**self._bits) % 2**self._bits
        return self._as_words(state, increment)

    def _of_seeds(self, initial: int, sequence: int) -> Words:
        """Return the words where a seed and the number of a sequence lead, as PCG's and NumPy's seedings do.

        NumPy's for `PCG64DXSM` has the multiplier of `PCG64`.
        """
        increment = (2 * sequence + 1) % 2**self._bits
        state = (self._of_seeding * (increment + initial) + increment) % 2**self._bits
        return self._words_of(state, increment)

    def _seeded_words(self, sequence: ISeedSequence) -> Words:
        words = [int(word) for word in sequence.generate_state(2 * self._bits // 64, np.uint64)]
        return self._of_seeds(*self._numbers(tuple(words)))

    def stride(self, n: int) -> tuple[int, int]:
        """Return a^n and the sum of the n powers of a below it, modulo 2^64 or 2^128.

        After n steps x is a^n x plus that sum times c.

        Returns
        -------
        power, sum : int

        Examples
        --------
        >>> clrng.PCG64(2026).stride(1)
        (47026247687942121848144207491837523525, 1)
        """
        return affine_power(2**self._bits, self._multiplier, n)

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        x, c = self._numbers(words)
        return self._with(words, (self.multiplier * x + c) % 2**self._bits)

    def _with(self, words: Words, x: int) -> Words:
        """Return `words` with another x."""
        return ((x,) if self._bits < 128 else (x >> 64, x % WORD)) + words[self._bits // 64 :]  # noqa: PLR2004

    @abstractmethod
    def value(self, words: Words) -> int:
        """Return the value that is made of x, the first of the words."""

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        multiplier, added = self.stride(n)
        x, c = self._numbers(words)
        return self._with(words, (multiplier * x + added * c) % 2**self._bits)

    @property
    def period(self) -> int | None:
        """The number of values before the sequence repeats, 2^64 or 2^128.

        None where it may be shorter: unless c is odd and a is 1 modulo 4 (Knuth, vol. 2, section 3.2.1.2, theorem A).
        """
        return 2**self._bits if self.multiplier % 4 == 1 and self.increment % 2 else None

    def leaping(self, n: int) -> BitGenerator:  # noqa: D102  # as inherited
        multiplier, added = self.stride(n)
        x, c = self._numbers(self._words)
        leaping = self.copy()
        vars(leaping).update(_multiplier=multiplier, _seed_seq=None)
        leaping._words = self._as_words(x, c * added % 2**self._bits) + self._words[2 * self._bits // 64 :]  # noqa: SLF001
        return leaping

    @property
    def state(self) -> dict[str, Any]:
        """The whole state as a dictionary of plain values, NumPy's own where it has the generator; assign one.

        Raises
        ------
        TypeError
            On assignment, if it is not a mapping or a value in it is not an integer.
        ValueError
            On assignment, if a key is missing or unknown, it is of another generator, or a value is out of range.
        """
        found = {"bit_generator": type(self).__name__, "state": {"state": self.word, "inc": self.increment}}
        return {**found, **self._more_state()}

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        check_state(self, value, {"bit_generator", "state", *self._more_keys}, optional={"multiplier"})
        numbers = value["state"]
        if not isinstance(numbers, Mapping) or set(numbers) != {"state", "inc"}:
            raise ValueError(f"state['state'] must have the keys ['inc', 'state'], not {shown(numbers)}")
        x = validation.integer("state['state']['state']", numbers["state"], 0, 2**self._bits - 1)
        c = validation.integer("state['state']['inc']", numbers["inc"], 0, 2**self._bits - 1)
        more = self._checked_more(value)
        self._set(
            lambda key: f"state[{key!r}]",
            multiplier=value.get("multiplier", self._usual),
            start=lambda made: made._words_of(x, c)[: 2 * self._bits // 64] + more,  # noqa: SLF001  # of this class
        )

    def _more_state(self) -> dict[str, Any]:
        return {} if self.multiplier == self._usual else {"multiplier": self.multiplier}

    _more_keys: ClassVar[tuple[str, ...]] = ()

    def _checked_more(self, value: Mapping[str, Any]) -> Words:  # noqa: ARG002  # others have more
        """Return the words of the state behind those of x and c."""
        return ()

    def __repr__(self) -> str:
        more = "".join(f", {key}={value}" for key, value in self._more_state().items() if value)
        return f"{type(self).__name__}(state={self.word}, increment={self.increment}{more})"

    def formula(self, number: Any = str) -> str:  # noqa: D102  # as inherited
        return f"x' = ({number(self.multiplier)} x + {number(self.increment)}) mod {number(2**self._bits)}"


complete_all(PermutedCongruential, SAYING, "stride")


def _waiting(name: Naming, value: Mapping[str, Any]) -> int:
    """Return the last word of a state of these parts of a dictionary."""
    has = validation.integer(name("has_uint32"), value["has_uint32"], 0, 1)
    return HALF * has + validation.integer(name("uinteger"), value["uinteger"], 0, HALF - 1)


class PCG64(Halved, PermutedCongruential):
    """The permuted congruential generator PCG XSL RR 128/64, which is that of ``numpy.random.default_rng``.

    Its state is x' = (a x + c) mod 2^128. A value is the exclusive or of the two halves of x after the step, rotated to
    the right by its 6 upper bits.

    Parameters
    ----------
    seed : int, sequence of int or numpy.random.SeedSequence, optional
        Any seed that NumPy takes; the stream is that of ``numpy.random.PCG64(seed)``. By default the operating system
        gives one.
    state : int, optional
        In place of a seed: the state x before the first value, from 0 to 2^128 - 1.
    increment : int, optional
        With `state`: the increment c, from 0 to 2^128 - 1; an odd one for the full period, as all seeds have.
    multiplier : int, optional
        The multiplier a, an odd number, by default that of NumPy.
    has_uint32, uinteger : int, optional
        Whether half of a value waits for the next number of 32 bits, and which one, as in `state`. By default 0.

    Attributes
    ----------
    word, increment, multiplier : int
    has_uint32 : bool
    uinteger : int

    Raises
    ------
    TypeError
        If an argument is not an integer, or a seed is given beside a state.
    ValueError
        If one is out of range, or the multiplier is even.

    Notes
    -----
    Numbers of 32 bits, such as float32, take half a value each, the low half first, and the other half waits for the
    next of them, as in NumPy. A state has five words of 64 bits: two of x and two of c, the high ones first, and
    `uinteger` with 2^32 added where it waits.

    `state` is the dictionary that ``numpy.random.PCG64`` has, and takes one of it; the multiplier is in it only where
    it is not NumPy's. `advance` and `jumped` lead where NumPy's lead.

    References
    ----------
    M. E. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number
    generation", report HMC-CS-2014-0905, Harvey Mudd College, 2014.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> bool(np.all(clrng.PCG64(2026).sequence(5) == np.random.PCG64(2026).random_raw(5)))
    True
    """

    name = "pcg64"
    multiplier = PermutedCongruential.multiplier  # which a class with arguments of its own declares again
    _more_keys = ("has_uint32", "uinteger")

    def __init__(
        self,
        seed: int | Sequence[int] | npt.NDArray[Any] | ISeedSequence | None = None,
        *,
        state: int | None = None,
        increment: int | None = None,
        multiplier: int | None = None,
        has_uint32: int = 0,
        uinteger: int = 0,
    ) -> None:
        waiting = _waiting(str, {"has_uint32": has_uint32, "uinteger": uinteger})
        super().__init__(seed, state=state, increment=increment, multiplier=multiplier)
        self._words = (*self._words[:-1], waiting)

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [*super().word_limits, (0, 2 * HALF - 1)]

    @property
    def order(self) -> int:
        """The number of words of the state."""
        return 5

    state_count = constant(2**255, "How many pairs of a state and an odd increment there are.")

    def _words_of(self, state: int, increment: int) -> Words:
        return (*super()._words_of(state, increment), 0)

    def _more_state(self) -> dict[str, Any]:
        return {"has_uint32": int(self.has_uint32), "uinteger": self.uinteger, **super()._more_state()}

    def _checked_more(self, value: Mapping[str, Any]) -> Words:
        return (_waiting(lambda key: f"state[{key!r}]", value),)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        high = words[0]
        mixed, turn = high ^ words[1], high >> 58
        return (mixed >> turn | mixed << (64 - turn)) % WORD


class PCG64DXSM(PCG64):
    """The permuted congruential generator PCG CM DXSM 128/64 of NumPy, whose multiplier has 64 bits.

    Its state is x' = (a x + c) mod 2^128. A value is made of x before the step, h 2^64 + l: h is replaced by the
    exclusive or of h and h / 2^32, by a h, and by the exclusive or of h and h / 2^48; the value is h times l with its
    last bit set.

    Parameters
    ----------
    seed, state, increment, multiplier, has_uint32, uinteger : optional
        As for `PCG64`; the stream of a seed is that of ``numpy.random.PCG64DXSM(seed)``.

    Raises
    ------
    TypeError, ValueError
        As for `PCG64`.

    Notes
    -----
    All is as for `PCG64`, but that the words of x are those of the state before the last step.

    References
    ----------
    M. E. O'Neill, PCG's C++ library, ``pcg_engines::cm_setseq_dxsm_128_64``; NumPy, bit generators, PCG64DXSM.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> bool(np.all(clrng.PCG64DXSM(2026).sequence(5) == np.random.PCG64DXSM(2026).random_raw(5)))
    True
    """

    name = "pcg64_dxsm"
    _usual = CHEAP_MULTIPLIER
    _of_old_state = True

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        high, low = words[0], words[1] | 1
        high ^= high >> 32
        high = high * CHEAP_MULTIPLIER % WORD
        high ^= high >> 48
        return high * low % WORD


class PCG32(PermutedCongruential):
    """The permuted congruential generator PCG XSH RR 64/32.

    Its state is x' = (a x + c) mod 2^64. A value is made of x before the step: bits 27 to 58 of the exclusive or of x
    and x / 2^18, rotated to the right by the 5 upper bits of x.

    Parameters
    ----------
    seed : int, sequence of int or numpy.random.SeedSequence, optional
        Any seed that NumPy's SeedSequence takes: its first number of 64 bits is the seed of ``pcg32_srandom``, its
        second one the number of the sequence. By default the operating system gives one.
    state : int, optional
        In place of a seed: the state x before the first value, from 0 to 2^64 - 1.
    increment : int, optional
        With `state`: the increment c, from 0 to 2^64 - 1; an odd one for the full period, as all seeds have.
    multiplier : int, optional
        The multiplier a, an odd number, by default that of PCG, 6364136223846793005.

    Attributes
    ----------
    word, increment, multiplier : int

    Raises
    ------
    TypeError
        If an argument is not an integer, or a seed is given beside a state.
    ValueError
        If one is out of range, or the multiplier is even.

    Notes
    -----
    A state has two words: x before the last step, and c.

    References
    ----------
    M. E. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number
    generation", report HMC-CS-2014-0905, Harvey Mudd College, 2014.

    Examples
    --------
    >>> import clrng
    >>> [hex(value) for value in clrng.named("pcg32", 42).sequence(2).tolist()]
    ['0xa15c02b7', '0x7b47f409']
    """

    name = "pcg32"
    _bits, _usual, _of_seeding, _of_old_state = 64, MULTIPLIER_64, MULTIPLIER_64, True
    order: int = 2
    upper_bound = constant(2**32, "2^32.")
    state_count = constant(2**127, "How many pairs of a state and an odd increment there are.")

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        x = words[0]
        mixed, turn = ((x >> 18) ^ x) >> 27 & (HALF - 1), x >> 59
        return (mixed >> turn | mixed << (32 - turn)) % HALF


MOVING = 2**20
"""The steps of strides, or a divisor of them, that are made by adding differences instead of by a product."""

MIN_TWOS = 17
"""The factors of two of A - 1, at least, where this is faster."""


def _twos(number: int) -> int:
    """Return the exponent of the largest power of two that divides a number; of 0 that is any large one."""
    return (number & -number).bit_length() - 1 if number else 128


class PCGCode(GeneratorCode):
    """A permuted congruential generator, in scalars and in vectors."""

    recurrence: PermutedCongruential
    powers = GeneratorCode.doublings
    fixes_strides = True

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self.moving_steps = MOVING if self._differences else None

    @property
    def _words(self) -> int:
        return self.recurrence.order // 2

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return self._split(*self.recurrence.stride(n))

    def mover(self, n: int) -> Callable[[Words], Words]:  # noqa: D102  # as inherited
        multiplier, added = self.recurrence.stride(n)
        if self._words == 1:
            return lambda words: ((multiplier * words[0] + added * words[1]) % WORD, *words[1:])

        last = WORD - 1

        def moved(words: Words) -> Words:
            high, low, c_high, c_low, waiting = words
            x = multiplier * (high << 64 | low) + added * (c_high << 64 | c_low)
            return x >> 64 & last, x & last, c_high, c_low, waiting

        return moved

    def _split(self, *numbers: int) -> tuple[int, ...]:
        """Return the words of numbers, the high one first."""
        return numbers if self._words == 1 else tuple(part for x in numbers for part in divmod(x, WORD))

    @cached_property
    def _differences(self) -> tuple[int, ...]:
        """The powers of two that divide the differences of states `MOVING` steps apart, the differences of these, ....

        Such a stride changes x by (A - 1) x + G c, so the first is divisible by what divides A - 1 and G, and each
        other one by what divides A - 1 more. From 2^128 on it is 0: x is a polynomial in the number of strides.
        """
        multiplier, added = self.recurrence.stride(MOVING)
        of_multiplier, of_both = _twos(multiplier - 1), _twos(multiplier - 1 | added)
        return tuple(range(of_both, 128, of_multiplier)) if self._words > 1 and of_multiplier >= MIN_TWOS else ()

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        values = {
            **self._common(prefix, width),
            "less_one": self._split(self.recurrence.multiplier - 1),
            "differences": self._differences,
            "output": self.recurrence.name,
            "multiplier": self._split(self.recurrence.multiplier),
            "mixer": CHEAP_MULTIPLIER,
            "powers": self.powers if width == 1 else [],
        }
        return render(f"generators/permuted{self._words * 64}.cl.mako", **values)


TITLE, EXAMPLE = "Permuted congruential generators", {"seed": 1}

FAMILIES = (
    Family(generator=PCG64, code=PCGCode, title=TITLE, arguments=EXAMPLE),
    Family(
        generator=PCG64DXSM,
        code=PCGCode,
        title=TITLE,
        arguments=EXAMPLE,
        about="O'Neill's PCG CM DXSM 128/64, NumPy's PCG64DXSM",
        seeds="0 or more",
        source="PCG's C++ library",
        helps={"seed": "by default 1"},
        defaults=EXAMPLE,
    ),
    Family(generator=PCG32, code=PCGCode, title=TITLE, arguments=EXAMPLE),
)

SEQUENCE = 54
"""The number of the sequence in the demonstrations of PCG."""

PCG_INCREMENT = 6364136223846793005 << 64 | 1442695040888963407
"""The increment of PCG's generators of 128 bits that have none to choose."""


def _of_pcg(kind: type[PermutedCongruential], seed: int, increment: int = 2 * SEQUENCE + 1) -> BitGenerator:
    """Return what PCG's own seeding makes of a seed and an increment."""
    made = kind(0)
    return made.with_state(made._of_seeds(seed, increment // 2))  # noqa: SLF001  # of this module


def _of_go(seed: int) -> PCG64DXSM:
    """Return what NewPCG of Go makes of a high and a low word; it makes values after its steps."""
    state = (MULTIPLIER_128 * seed + PCG_INCREMENT) % 2**128
    return PCG64DXSM(state=state, increment=PCG_INCREMENT, multiplier=MULTIPLIER_128)


def _of_rust(kind: type[PermutedCongruential], seed: int) -> BitGenerator:
    """Return what ``seed_from_u64`` of rand_core 0.6 makes: a seed of PCG's own seeding and an increment."""
    size = kind._bits // 32  # noqa: SLF001  # of this module
    initial, increment = map(joined, np.array(seeding.of_rust(seed, 2 * size)).reshape(2, size).tolist())
    return _of_pcg(kind, initial, increment)


def joined(words: Sequence[int]) -> int:
    """Return the number whose digits to the base 2^32 are these, the lowest first."""
    return sum(word << 32 * i for i, word in enumerate(words))


RAND_PCG = f"Rust, crate rand_pcg 0.3; {ONEILL}"

NAMED = (
    Named("numpy_pcg64", "PCG64 of NumPy, the generator of numpy.random.default_rng", "NumPy, numpy.random.PCG64",
          (0, 2**128 - 1), PCG64),
    Named("numpy_pcg64dxsm", "PCG64DXSM of NumPy", "NumPy, numpy.random.PCG64DXSM", (0, 2**128 - 1), PCG64DXSM),
    Named("pcg64", "pcg64 of PCG's libraries, seeded by pcg64_srandom with the sequence 54 of its demonstration",
          ONEILL, (0, 2**128 - 1), lambda seed: _of_pcg(PCG64, seed)),
    Named("pcg32", "pcg32 of PCG's libraries, seeded by pcg32_srandom with the sequence 54 of its demonstration",
          ONEILL, (0, WORD - 1), lambda seed: _of_pcg(PCG32, seed)),
    Named("go_pcg", "NewPCG(a, b) of Go's math/rand/v2, where a and b are the upper and the lower 64 bits of the seed; "
          "a value is Uint64()", f"Go 1.22, math/rand/v2, pcg.go; {ONEILL}", (0, 2**128 - 1), _of_go),
    Named("php_pcg", "Random\\Engine\\PcgOneseq128XslRr64 of PHP with an integer, whose 64 bits are the seed; a value "
          "is generate() as an integer, its lowest byte first", f"PHP 8.2, Random; {ONEILL}", (0, WORD - 1),
          lambda seed: _of_pcg(PCG64, seed, PCG_INCREMENT)),
    Named("rust_pcg32", "Pcg32::seed_from_u64 of Rust; a value is next_u32()", RAND_PCG, (0, WORD - 1),
          lambda seed: _of_rust(PCG32, seed)),
    Named("rust_pcg64", "Pcg64::seed_from_u64 of Rust; a value is next_u64()", RAND_PCG, (0, WORD - 1),
          lambda seed: _of_rust(PCG64, seed)),
    Named("rust_pcg64mcg", "Pcg64Mcg::seed_from_u64 of Rust, with the increment 0; a value is next_u64()", RAND_PCG,
          (0, WORD - 1), lambda seed: PCG64(state=joined(seeding.of_rust(seed, 4)) | 1, increment=0)),
)  # fmt: skip
"""The permuted congruential generators of libraries, seeded as these seed them."""
