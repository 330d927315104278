"""Xoshiro and xoroshiro: shifts and rotations of a few words, and a scrambler that makes values of them."""

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from clrng.generators import scrambler as scramblers
from clrng.generators import seeding
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.binary_recurrence import BinaryRecurrence, BinaryRecurrenceCode
from clrng.generators.family import Family, Named
from clrng.generators.maths import gf2
from clrng.generators.parameters import WORD_BITS, Attribute, Kind, Naming, Parameter, integers, several
from clrng.generators.scrambler import Scrambler, rotated
from clrng.generators.splitmix import GOLDEN, STAFFORD, Mixer, mixed, splitmix64
from clrng.generators.xorshift import longest
from clrng.opencl.templates import render
from clrng.validation import shown

BLACKMAN = (
    'D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical '
    "Software 47(4), 2021"
)
GOLDEN_32 = 0x9E3779BB
USUAL: Any = object()
"""Stands for a scrambler or shifts that are not given."""

Published = dict[int, dict[str, tuple[tuple[int, ...], Scrambler]]]
"""The shifts and the scrambler by the bits of a word and the name of the scrambler."""


def _scrambler(name: Naming, key: str, value: Any, generator: Any) -> Scrambler:
    published = generator.published[generator.bits]
    value = next(iter(published)) if value is USUAL else value
    if isinstance(value, str):
        if value not in published:
            legal = " or ".join(map(repr, published))
            raise ValueError(f"{name(key)} must be {legal} or {scramblers.LEGAL}, not {shown(value)}")
        return cast("Scrambler", published[value][1])
    return scramblers.checked(name(key), value, generator.linear_order, generator.bits)


def _shifts(name: Naming, key: str, value: Any, generator: Any) -> Words:
    """Return shifts if they have the longest period."""
    count, bits = generator.shift_count, generator.bits
    if value is USUAL:
        found = generator.published[bits].get(generator.scrambler[0])
        if found is None:
            raise TypeError(f"{name(key)} must be {count} integers, as none are published for {generator.scrambler}")
        return cast("Words", found[0])
    shifts = integers(name(key), several(name(key), value, count, f"{count} integers"), 1, bits - 1)
    if powers_of(cast("type[Scrambled]", type(generator)), shifts, bits) is None:
        usual = next(iter(generator.published[bits].values()))[0]
        raise ValueError(
            f"{name(key)} must be such that the period is 2^{generator.linear_order * bits} - 1, as with "
            f"{list(usual)}, not {list(shifts)}"
        )
    return shifts


@lru_cache(maxsize=16)
def powers_of(kind: type["Scrambled"], shifts: Words, bits: int) -> gf2.Powers | None:
    """Return the powers of a step, or None if its period is not the longest."""
    step = partial(kind._stepped, shifts=shifts, bits=bits)  # noqa: SLF001  # of this module
    polynomial = longest(step, kind.linear_order, bits, is_known=(kind, shifts, bits) in KNOWN)
    return None if polynomial is None else gf2.Powers(step, kind.linear_order, np.dtype(f"u{bits // 8}"), polynomial)


class Scrambled(BinaryRecurrence):
    """What `Xoshiro` and `Xoroshiro` have in common.

    Their values are made of the state before a step, so that `words` are the state before the last step. `state` is
    that which the next value is made of, as libraries have it.
    """

    published: ClassVar[Published]
    shift_count: ClassVar[int]

    bits = Parameter("The bits of a word.", WORD_BITS, early=True, usual=64)
    scrambler: Parameter[Scrambler] = Parameter(
        "What a value is made by: a name, and the words and constants that it takes.", Kind(_scrambler), early=True
    )
    shifts: Parameter[Words] = Parameter(
        "The shift and the rotations of a step.",
        Kind(_shifts, several=True),
        usual=lambda made: made.published[made.bits].get(made.scrambler[0], (None,))[0],
    )

    linear_period = cast("int", Attribute("The number of steps before a state comes again."))

    def __init__(
        self,
        state: Sequence[int],
        scrambler: str | Sequence[Any] | None = None,
        bits: int = 64,
        shifts: Sequence[int] | None = None,
    ) -> None:
        self._choose(state, bits=bits, scrambler=scrambler, shifts=shifts)

    def _choose(self, state: Sequence[int], **given: Any) -> None:
        """Take over arguments, of which those that are None are as published."""
        self._set(state=state, **{key: USUAL if value is None else value for key, value in given.items()})

    def _derive(self) -> None:
        self._modulus = 2**self.bits
        self._linear_period: int = 2 ** (self.linear_order * self.bits) - 1

    @staticmethod
    def _stepped(words: Any, shifts: Words, bits: int) -> Any:
        """Return the words after `words`; each may be an array, of many states."""
        raise NotImplementedError

    @property
    def powers(self) -> gf2.Powers:  # noqa: D102  # as inherited
        return cast("gf2.Powers", powers_of(type(self), self.shifts, self.bits))

    def linear_step(self, words: Any) -> Any:  # noqa: D102  # as inherited
        return self._stepped(words, self.shifts, self.bits)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return scramblers.scrambled(words, self.scrambler, self.bits)

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        return f"{scramblers.formula(self.scrambler)}, before the step"

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        return first_bad(~states.any(axis=1), "have a word other than 0, as all would stay 0")

    def _checked_state(self, name: str, values: Any) -> Words:
        return self.powers.after(super()._checked_state(name, values), -1)

    def _plain(self, words: Words) -> list[int]:
        return list(self.linear_step(words))


class Xoshiro(Scrambled):
    """A xoshiro generator, of four words and a scrambler: xoshiro256 and xoshiro128 with ``+``, ``++`` and ``**``.

    Parameters
    ----------
    state : sequence of 4 int
        The words s that the first value is made of, from 0 to 2^bits - 1, not all 0.
    scrambler : str or tuple, optional
        ``"+"``, ``"++"`` or ``"**"``, as published, by default ``"++"``. Or one of ``("+", i, j)``, whose values are
        s_i + s_j; ``("++", i, j, r)``, rotl(s_i + s_j, r) + s_i; ``("*", i, a)``, a s_i; and ``("**", i, a, r, b)``,
        b rotl(a s_i, r). All are modulo 2^bits, rotl rotates to the left, words have the numbers 0 to 3, and a and b
        are odd.
    bits : int, optional
        The bits of a word, 64, of xoshiro256, or 32, of xoshiro128.
    shifts : sequence of 2 int, optional
        The shift and the rotation of a step, by default those that are published.

    See Also
    --------
    clrng.named : ``"xoshiro256plusplus"`` and others, from a seed of 64 bits.

    Notes
    -----
    A step is t = s_1 << A; s_2 ^= s_0; s_3 ^= s_1; s_1 ^= s_2; s_0 ^= s_3; s_2 ^= t; s_3 = rotl(s_3, B). It is linear
    over GF(2), and the period is 2^(4 bits) - 1: only shifts that have this one are legal. A jump takes O(log n), as
    that of `XorShift`; the authors' ``jump()`` and ``long_jump()`` are those of 2^128 and 2^192 steps, or of 2^64 and
    2^96 with 32 bits. The scrambler makes values that are no linear recurrence; of ``"+"`` the lowest bits are nearly
    one.

    `words` are the state before the last step, `state` has what the next value is made of.

    References
    ----------
    D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical
    Software 47(4), 2021.

    Examples
    --------
    >>> import clrng
    >>> clrng.Xoshiro([1, 2, 3, 4]).sequence(3).tolist()
    [41943041, 58720359, 3588806011781223]
    """

    name = "xoshiro"
    linear_order = 4
    shift_count = 2
    published: ClassVar[Published] = {
        64: {
            "++": ((17, 45), ("++", 0, 3, 23)),
            "+": ((17, 45), ("+", 0, 3)),
            "**": ((17, 45), ("**", 1, 5, 7, 9)),
        },
        32: {
            "++": ((9, 11), ("++", 0, 3, 7)),
            "+": ((9, 11), ("+", 0, 3)),
            "**": ((9, 11), ("**", 1, 5, 7, 9)),
        },
    }

    @staticmethod
    def _stepped(words: Any, shifts: Words, bits: int) -> Any:
        a, b, c, d = words
        t = b << shifts[0] & 2**bits - 1
        c = c ^ a
        d = d ^ b
        return a ^ d, b ^ c, c ^ t, rotated(d, shifts[1], bits)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        shift, turn = self.shifts
        return (
            f"t = s1 << {shift}, s2 ^= s0, s3 ^= s1, s1 ^= s2, s0 ^= s3, s2 ^= t, s3 = rotl(s3, {turn}), "
            f"words of {self.bits} bits"
        )


class Xoroshiro(Scrambled):
    """A xoroshiro generator, of two words and a scrambler: xoroshiro128, and xoroshiro64 with ``*`` and ``**``.

    Parameters
    ----------
    state : sequence of 2 int
        The words s that the first value is made of, from 0 to 2^bits - 1, not all 0.
    scrambler : str or tuple, optional
        ``"+"``, ``"++"`` or ``"**"`` of 64 bits, by default ``"++"``, and ``"*"`` or ``"**"`` of 32 bits, by default
        ``"**"``, as published. Or a tuple, as for `Xoshiro`.
    bits : int, optional
        The bits of a word, 64, of xoroshiro128, or 32, of xoroshiro64.
    shifts : sequence of 3 int, optional
        The rotation, the shift and the rotation of a step, by default those published with the scrambler.

    See Also
    --------
    clrng.named : ``"xoroshiro128plusplus"`` and others, from a seed of 64 bits.

    Notes
    -----
    A step is s_1 ^= s_0; s_0 = rotl(s_0, A) ^ s_1 ^ (s_1 << B); s_1 = rotl(s_1, C). It is linear over GF(2), and the
    period is 2^(2 bits) - 1: only shifts that have this one are legal. A jump takes O(log n), as that of `XorShift`;
    the authors' ``jump()`` and ``long_jump()`` of xoroshiro128 are those of 2^64 and 2^96 steps.

    `words` are the state before the last step, `state` has what the next value is made of.

    References
    ----------
    D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical
    Software 47(4), 2021.

    Examples
    --------
    >>> import clrng
    >>> clrng.Xoroshiro([1, 2]).sequence(3).tolist()
    [393217, 669327710093319, 1732421326133921491]
    """

    name = "xoroshiro"
    linear_order = 2
    shift_count = 3
    published: ClassVar[Published] = {
        64: {
            "++": ((49, 21, 28), ("++", 0, 1, 17)),
            "**": ((24, 16, 37), ("**", 0, 5, 7, 9)),
            "+": ((24, 16, 37), ("+", 0, 1)),
        },
        32: {"**": ((26, 9, 13), ("**", 0, GOLDEN_32, 5, 5)), "*": ((26, 9, 13), ("*", 0, GOLDEN_32))},
    }

    @staticmethod
    def _stepped(words: Any, shifts: Words, bits: int) -> Any:
        turn, shift, other = shifts
        a, *between, b = words
        b = b ^ a
        return (*between, rotated(a, turn, bits) ^ b ^ b << shift & 2**bits - 1, rotated(b, other, bits))

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        turn, shift, other = self.shifts
        return (
            f"s1 ^= s0, s0 = rotl(s0, {turn}) ^ s1 ^ (s1 << {shift}), s1 = rotl(s1, {other}), words of {self.bits} bits"
        )


class LongWords(Scrambled):
    """Those whose words have 64 bits alone."""

    _bits = 64
    scrambler = vars(Scrambled)["scrambler"]
    shifts = vars(Scrambled)["shifts"]

    def __init__(
        self, state: Sequence[int], scrambler: str | Sequence[Any] | None = None, shifts: Sequence[int] | None = None
    ) -> None:
        self._choose(state, scrambler=scrambler, shifts=shifts)


class Xoshiro512(LongWords):
    """A xoshiro512 generator, of eight words of 64 bits and a scrambler.

    Parameters
    ----------
    state : sequence of 8 int
        The words s that the first value is made of, from 0 to 2^64 - 1, not all 0.
    scrambler : str or tuple, optional
        ``"+"``, ``"++"`` or ``"**"``, as published, by default ``"++"``. Or a tuple, as for `Xoshiro`.
    shifts : sequence of 2 int, optional
        The shift and the rotation of a step, by default those that are published, 11 and 21.

    See Also
    --------
    clrng.named : ``"xoshiro512plusplus"`` and others, from a seed of 64 bits.

    Notes
    -----
    A step is t = s_1 << A; s_2 ^= s_0; s_5 ^= s_1; s_1 ^= s_2; s_7 ^= s_3; s_3 ^= s_4; s_4 ^= s_5; s_0 ^= s_6;
    s_6 ^= s_7; s_6 ^= t; s_7 = rotl(s_7, B). The period is 2^512 - 1. The authors' ``jump()`` and ``long_jump()`` are
    those of 2^256 and 2^384 steps. All else is as for `Xoshiro`, whose states are smaller and faster to jump.

    References
    ----------
    D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical
    Software 47(4), 2021.

    Examples
    --------
    >>> import clrng
    >>> clrng.Xoshiro512(range(1, 9)).sequence(3).tolist()
    [524291, 1048578, 539099140]
    """

    name = "xoshiro512"
    linear_order = 8
    shift_count = 2
    published: ClassVar[Published] = {
        64: {
            "++": ((11, 21), ("++", 2, 0, 17)),
            "+": ((11, 21), ("+", 0, 2)),
            "**": ((11, 21), ("**", 1, 5, 7, 9)),
        },
    }

    @staticmethod
    def _stepped(words: Any, shifts: Words, bits: int) -> Any:
        a, b, c, d, e, f, g, h = words
        t = b << shifts[0] & 2**bits - 1
        c = c ^ a
        f = f ^ b
        h = h ^ d
        return a ^ g, b ^ c, c, d ^ e, e ^ f, f, g ^ h ^ t, rotated(h, shifts[1], bits)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        shift, turn = self.shifts
        return (
            f"t = s1 << {shift}, s2 ^= s0, s5 ^= s1, s1 ^= s2, s7 ^= s3, s3 ^= s4, s4 ^= s5, s0 ^= s6, s6 ^= s7, "
            f"s6 ^= t, s7 = rotl(s7, {turn}), words of 64 bits"
        )


class Xoroshiro1024(LongWords, Xoroshiro):
    """A xoroshiro1024 generator, of sixteen words of 64 bits and a scrambler.

    Parameters
    ----------
    state : sequence of 16 int
        The words s that the first value is made of, from 0 to 2^64 - 1, not all 0. Programs keep them in a circle: the
        first is behind the place p of the program, the last one at p.
    scrambler : str or tuple, optional
        ``"++"``, ``"**"`` or ``"*"``, as published, by default ``"++"``. Or a tuple, as for `Xoshiro`.
    shifts : sequence of 3 int, optional
        The rotation, the shift and the rotation of a step, by default those that are published, 25, 27 and 36.

    See Also
    --------
    clrng.named : ``"xoroshiro1024plusplus"`` and others, from a seed of 64 bits.

    Notes
    -----
    A step is y = s_15 ^ s_0, after which the words are s_1, ..., s_14, rotl(s_0, A) ^ y ^ (y << B) and rotl(y, C). The
    period is 2^1024 - 1. The authors' ``jump()`` and ``long_jump()`` are those of 2^512 and 2^768 steps. All else is as
    for `Xoroshiro`, whose states are smaller and faster to jump.

    References
    ----------
    D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on Mathematical
    Software 47(4), 2021.

    Examples
    --------
    >>> import clrng
    >>> clrng.Xoroshiro1024(range(1, 17)).sequence(2).tolist()
    [142606352, 9799833957406081024]
    """

    name = "xoroshiro1024"
    linear_order = 16
    published: ClassVar[Published] = {
        64: {
            "++": ((25, 27, 36), ("++", 15, 0, 23)),
            "**": ((25, 27, 36), ("**", 0, 5, 7, 9)),
            "*": ((25, 27, 36), ("*", 0, 0x9E3779B97F4A7C13)),
        },
    }

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        turn, shift, other = self.shifts
        return (
            f"y = s15 ^ s0, s0 to s13 are s1 to s14, s14 = rotl(s0, {turn}) ^ y ^ (y << {shift}), "
            f"s15 = rotl(y, {other}), words of 64 bits"
        )


KNOWN = (Xoshiro512, (11, 21), 64), (Xoroshiro1024, (25, 27, 36), 64)
"""Of which it is published that the period is the longest; to find that out takes seconds."""


class XoshiroCode(BinaryRecurrenceCode):
    """Shifts, rotations and a scrambler."""

    recurrence: Scrambled

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/xoshiro.cl.mako", **values, **self.own_values(values))

    def own_values(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return what only this template takes."""
        shown = scramblers.text(self.recurrence.scrambler, f"{values['p']}rotl", values["u"])
        none: dict[str, Any] = {"mixer": None, "multiplier": (), "beside_powers": []}
        return {"shifts": self.recurrence.shifts, "shown": shown, **none}


TITLE = "Xoshiro and xoroshiro"
FAMILIES = (
    Family(
        generator=Xoshiro,
        code=XoshiroCode,
        title=TITLE,
        arguments={"state": [1, 2, 3, 4]},
        about="xoshiro256++ or, with --bits 32, xoshiro128++ from --state",
        source="Blackman and Vigna 2021",
        helps={"state": "s_0,s_1,s_2,s_3", "bits": "64 or 32, by default 64"},
    ),
    Family(
        generator=Xoroshiro,
        code=XoshiroCode,
        title=TITLE,
        arguments={"state": [1, 2]},
        about="xoroshiro128++ or, with --bits 32, xoroshiro64** from --state",
        source="Blackman and Vigna 2021",
        helps={"state": "s_0,s_1", "bits": "64 or 32, by default 64"},
    ),
    Family(
        generator=Xoshiro512,
        code=XoshiroCode,
        title=TITLE,
        arguments={"state": [1, 2, 3, 4, 5, 6, 7, 8]},
        about="xoshiro512++ from --state",
        source="Blackman and Vigna 2021",
        helps={"state": "s_0,s_1,...,s_7"},
    ),
    Family(
        generator=Xoroshiro1024,
        code=XoshiroCode,
        title=TITLE,
        arguments={"state": list(range(1, 17))},
        about="xoroshiro1024++ from --state",
        source="Blackman and Vigna 2021",
        helps={"state": "s_0,s_1,...,s_15"},
    ),
)

SCRAMBLERS = {"+": "plus", "++": "plusplus", "*": "star", "**": "starstar"}
"""How names have them."""


def seeded_words(seed: int, count: int, bits: int) -> list[int]:
    """Return so many words, which are not all 0, from the bytes of SplitMix64, as Vigna advises and rand_xoshiro does.

    The seed whose words are all 0 is taken for 0, as in rand_xoshiro.
    """
    words = splitmix64(seed, count * bits // 64)
    if bits < 64:  # noqa: PLR2004  # halves, the low one first
        words = [word >> shift & 2**32 - 1 for word in words for shift in (0, 32)]
    return words if any(words) else seeded_words(0, count, bits)


def _named(kind: type[Scrambled], bits: int, operation: str) -> Named:
    """Return the row of a generator of the paper."""
    size = kind.linear_order * bits

    def made(seed: int) -> BitGenerator:
        words = seeded_words(seed, kind.linear_order, bits)
        if kind is Xoroshiro1024:  # whose programs begin with the place of the newest word
            words = [*words[1:], words[0]]
        make: Any = kind  # some of which have words of 64 bits alone
        return cast("BitGenerator", make(words, operation, *(() if size >= LARGE else (bits,))))

    title = kind.name.rstrip("0123456789")
    what = f"{title}{size}{operation} of Blackman and Vigna, whose words are values of SplitMix64 from the seed"
    name = f"{title}{size}{SCRAMBLERS[operation]}"
    return Named(name, what, f"{BLACKMAN}; rand_xoshiro, seed_from_u64", (0, 2**64 - 1), made)


LARGE = 512
"""The bits of states from which on words have 64 bits."""

SILVER = 0x6A09E667F3BCC909
"""What Java xors a seed with."""


def of_seeds(seed: int, count: int, mixer: Mixer = STAFFORD) -> list[int]:
    """Return `count` words that a mixer makes of `seed` and of what SplitMix64 adds to it, the seed itself first."""
    return [mixed((seed + i * GOLDEN[64]) % 2**64, mixer, 64) for i in range(count)]


def _of_java(name: str, kind: type[Scrambled], algorithm: str) -> Named:
    """Return the row of a generator of Java."""
    return Named(
        name,
        f"{algorithm} of Java 17 from a long, whose 64 bits are the seed: nextLong(), plus 2^64 where that is negative",
        f"{BLACKMAN}; Java SE 17, java.util.random",
        (0, 2**64 - 1),
        lambda seed: kind(of_seeds(seed ^ SILVER, kind.linear_order)),
    )


XOR_KEYS = 0xBD0C5B6E50C2DF49, 0xD46061CD46E1DF38, 0xBB4F4D4ED6103544, 0x114A583D0756AD39
"""What GNU Fortran xors the words of a seed with."""


def _gfortran(seed: int) -> BitGenerator:
    """Return what ``random_seed`` makes, which takes the integers in reverse order."""
    digits = [seed >> 32 * i & 2**32 - 1 for i in range(7, -1, -1)]
    words = (low | high << 32 for low, high in zip(digits[::2], digits[1::2], strict=True))
    return Xoshiro([word ^ key for word, key in zip(words, XOR_KEYS, strict=True)], "**")


def _small_rng(seed: int) -> BitGenerator:
    """Return what ``seed_from_u64`` of rand_core 0.6 makes."""
    halves = seeding.of_rust(seed, 8)
    return Xoshiro([low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True)])


def _of_julia(seed: int) -> BitGenerator:
    """Return the digest of the words of 32 bits of a seed, the lowest first, as words of a state."""
    digits = seed.to_bytes(max(-(-seed.bit_length() // 32), 1) * 4, "little")
    return Xoshiro(np.frombuffer(hashlib.sha256(digits).digest(), "<u8").tolist())


NAMED = (
    *(
        _named(kind, bits, operation)
        for kind in (Xoshiro, Xoroshiro, Xoshiro512, Xoroshiro1024)
        for bits, published in kind.published.items()
        for operation in published
    ),
    _of_java("java_xoshiro256plusplus", Xoshiro, "Xoshiro256PlusPlus"),
    _of_java("java_xoroshiro128plusplus", Xoroshiro, "Xoroshiro128PlusPlus"),
    Named("lua", "math.randomseed(n) of Lua 5.4, where the seed is n modulo 2^64; a value is math.random(0), plus 2^64 "
          "where that is negative, and random() gives the floats of Generator.random in double precision",
          f"{BLACKMAN}; Lua 5.4, lmathlib.c", (0, 2**64 - 1),
          lambda seed: Xoshiro([seed, 0xFF, 0, 0], "**").advance(16)),
    Named("gfortran", "random_seed(put=s) of GNU Fortran from version 9 on, in the first thread; the eight integers of "
          "s, modulo 2^32, are the digits of the seed to the base 2^32, the lowest first; random_number gives the "
          "floats of Generator.random", f"{BLACKMAN}; libgfortran, random.c", (0, 2**256 - 1), _gfortran),
    Named("rust_small_rng", "SmallRng::seed_from_u64 of Rust's rand 0.8, where words have 64 bits; a value is "
          "next_u64()", f"{BLACKMAN}; rand 0.8.5, rngs::SmallRng", (0, 2**64 - 1), _small_rng),
    Named("julia", "Xoshiro(seed), and Random.seed!(seed), of Julia from version 1.7 on; a value is rand(UInt64), and "
          "rand() gives the floats of Generator.random in double precision",
          f"{BLACKMAN}; Julia, Random, Xoshiro.jl, of which only published values were compared",
          (0, 2**128 - 1), _of_julia),
)  # fmt: skip
"""The generators of the paper and of libraries."""
