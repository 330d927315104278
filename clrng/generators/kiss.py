"""Combinations of simple generators of 32 bits by Marsaglia: KISS, multiply with carry in pairs, Super-Duper."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from clrng import validation
from clrng.generators import seeding
from clrng.generators.base import BitGenerator, Words
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.maths.number_theory import affine_power
from clrng.generators.parameters import Parameter, choice
from clrng.opencl.templates import render

LAST = 2**32 - 1


@dataclass(frozen=True)
class Congruential:
    """x' = (a x + c) mod 2^32; a stride is the a and the c of so many steps."""

    multiplier: int
    increment: int

    limits: ClassVar[tuple[int, int]] = (0, LAST)
    stride_words: ClassVar[int] = 2

    def step(self, x: int) -> int:  # noqa: D102  # the next word
        return (self.multiplier * x + self.increment) & LAST

    def stride(self, n: int) -> Words:  # noqa: D102  # of n steps
        power, added = affine_power(2**32, self.multiplier, n)
        return power, added * self.increment & LAST

    def after(self, x: int, n: int) -> int:  # noqa: D102  # the word n steps on
        power, added = self.stride(n)
        return (power * x + added) & LAST


@dataclass(frozen=True)
class Carry:
    """Multiply with carry: x' = a (x mod 2^16) + floor(x / 2^16).

    As 2^16 a is 1 modulo m = 2^16 a - 1, x' is a x mod m. A stride is a power of a.
    """

    multiplier: int

    stride_words: ClassVar[int] = 1

    @property
    def modulus(self) -> int:
        """m, a prime."""
        return (self.multiplier << 16) - 1

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest legal word: 0 and m would stay as they are, and those above m never come again."""
        return 1, self.modulus - 1

    def step(self, x: int) -> int:  # noqa: D102  # the next word
        return self.multiplier * (x & 0xFFFF) + (x >> 16)

    def stride(self, n: int) -> Words:  # noqa: D102  # of n steps
        return (pow(self.multiplier, n, self.modulus),)

    def after(self, x: int, n: int) -> int:  # noqa: D102  # the word n steps on
        return x * self.stride(n)[0] % self.modulus


@dataclass(frozen=True)
class Shifts:
    """x ^= x << s for each shift s, or x ^= x >> -s; a stride is a matrix over GF(2), by its columns."""

    shifts: Words

    limits: ClassVar[tuple[int, int]] = (1, LAST)
    stride_words: ClassVar[int] = 32

    def step(self, x: int) -> int:  # noqa: D102  # the next word
        for shift in self.shifts:
            x ^= x << shift & LAST if shift > 0 else x >> -shift
        return x

    def step_back(self, x: int) -> int:  # noqa: D102  # the word before
        for shift in reversed(self.shifts):
            y = x
            for _ in range(32 // abs(shift)):
                x = y ^ (x << shift & LAST if shift > 0 else x >> -shift)
        return x

    def stride(self, n: int) -> Words:  # noqa: D102  # of n steps
        return tuple(self.after(1 << j, n) for j in range(32))

    def after(self, x: int, n: int) -> int:  # noqa: D102  # the word n steps on
        left, place = abs(n), 0
        while left:
            if left & 1:
                x = product(power_of_two(self, place, n < 0), x)
            left, place = left >> 1, place + 1
        return x


def product(columns: Words, x: int) -> int:
    """Return the product of a matrix over GF(2) and the bits of a word."""
    total = 0
    for j, column in enumerate(columns):
        total ^= column if x >> j & 1 else 0
    return total


@lru_cache(maxsize=4096)
def power_of_two(part: Shifts, place: int, backwards: bool) -> Words:
    """Return the columns of 2^place steps."""
    if place == 0:
        return tuple((part.step_back if backwards else part.step)(1 << j) for j in range(32))
    half = power_of_two(part, place - 1, backwards)
    return tuple(product(half, column) for column in half)


class Combination(NamedTuple):
    """Parts, of a word each, OpenCL C of a value of the words x0, x1, ..., and the period, None where that differs."""

    parts: tuple[Congruential | Carry | Shifts, ...]
    value: str
    period: int | None = None


PAIR = Carry(36969), Carry(18000)
COMBINATIONS = {
    "kiss99": Combination((*PAIR, Shifts((17, -13, 5)), Congruential(69069, 1234567)), "(((x0 << 16) + x1) ^ x3) + x2"),
    "multicarry": Combination(PAIR, "(x0 << 16) ^ (x1 & 0xffff)", (PAIR[0].modulus // 2) * (PAIR[1].modulus // 2)),
    "super_duper": Combination((Shifts((-15, 17)), Congruential(69069, 0)), "x0 ^ x1"),
}


class KISS(BitGenerator):
    """A combination of simple generators of 32 bits, such as Marsaglia's KISS.

    Parameters
    ----------
    combination : str
        ``"kiss99"``, ``"multicarry"`` or ``"super_duper"``, as below.
    state : sequence of int
        The words before the first value: four of ``"kiss99"``, else two. Those of multiply with carry are from 1 to
        2^16 a - 2, those that are shifted from 1 to 2^32 - 1, the others from 0 to 2^32 - 1.

    Attributes
    ----------
    combination : str

    Raises
    ------
    ValueError
        If `combination` is not one of these, or there are not as many words as it has.

    See Also
    --------
    clrng.named : ``"r_marsaglia_multicarry"`` and ``"r_super_duper"``, as R seeds them.

    Notes
    -----
    ``"kiss99"``: z and w by multiply with carry, z' = a (z mod 2^16) + floor(z / 2^16), with a = 36969 and 18000; s by
    the shifts 17, -13 and 5, s ^= s << 17, s ^= s >> 13, s ^= s << 5; and x' = (69069 x + 1234567) mod 2^32. A value
    is ((2^16 z + w) ^ x) + s, modulo 2^32. ``"multicarry"``, R's Marsaglia-Multicarry: z and w alone, a value is
    2^16 z + (w mod 2^16). ``"super_duper"``, R's: s by the shifts -15 and 17, and x' = 69069 x mod 2^32, where x should
    be odd; a value is s ^ x.

    A step of multiply with carry is a product with a modulo the prime 2^16 a - 1. So the period of ``"multicarry"`` is
    (36969 2^15 - 1) (18000 2^15 - 1), near 7 · 10^17. Those of the others depend on the state, as both
    shifts have cycles of several lengths. A jump takes O(log n).

    References
    ----------
    G. Marsaglia, "Random numbers for C: the END?", sci.math, 20 January 1999. R, Random Number Generation,
    Marsaglia-Multicarry and Super-Duper.

    Examples
    --------
    The last value of KISS in Marsaglia's test:

    >>> import clrng
    >>> clrng.KISS("kiss99", [12345, 65435, 34221, 12345]).advance(10**6 + 255).sequence(1)
    array([1372460312], dtype=uint32)
    """

    name = "kiss"
    sample_word = 2
    _modulus = 2**32

    combination = Parameter("The name of the combination.", choice(tuple(COMBINATIONS)), early=True, bare=True)

    def __init__(self, combination: str, state: Sequence[int]) -> None:
        self._set(combination=combination, state=state)

    @property
    def traits(self) -> Combination:
        """What there is to say of the combination."""
        return COMBINATIONS[self.combination]

    @property
    def order(self) -> int:
        """The number of words of the state."""
        return len(self.traits.parts)

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [part.limits for part in self.traits.parts]

    @property
    def period(self) -> int | None:
        """The number of values before the sequence repeats, None where it depends on the state."""
        return self.traits.period

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return tuple(part.step(x) for part, x in zip(self.traits.parts, words, strict=True))

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        return tuple(part.after(x, n) for part, x in zip(self.traits.parts, words, strict=True))

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        if self.combination == "multicarry":
            return (words[0] << 16 & LAST) ^ (words[1] & 0xFFFF)
        if self.combination == "super_duper":
            return words[0] ^ words[1]
        z, w, s, x = words
        return (((z << 16) + w & LAST ^ x) + s) & LAST

    def formula(self, number: Any = str) -> str:  # noqa: D102  # as inherited
        texts = []
        for i, part in enumerate(self.traits.parts):
            if isinstance(part, Carry):
                texts.append(f"x{i}' = {number(part.multiplier)} (x{i} mod 2^16) + floor(x{i} / 2^16)")
            elif isinstance(part, Congruential):
                more = f" + {number(part.increment)}" if part.increment else ""
                texts.append(f"x{i}' = {number(part.multiplier)} x{i}{more} mod 2^32")
            else:
                texts.append(", ".join(f"x{i} ^= x{i} {'<<' if s > 0 else '>>'} {abs(s)}" for s in part.shifts))
        return "; ".join(texts)

    def value_formula(self, number: Any = str) -> str:  # noqa: ARG002, D102  # as inherited
        return f"{self.traits.value}, modulo 2^32"


class KISSCode(GeneratorCode):
    """Simple generators beside one another; a stride has those of all."""

    recurrence: KISS
    fill_strategy = "blocks"
    powers = GeneratorCode.doublings

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return tuple(word for part in self.recurrence.traits.parts for word in part.stride(n))

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        values = {**self._common(prefix, width), "parts": self.recurrence.traits.parts}
        shown, powers = self.recurrence.traits.value, self.powers if width == 1 else []
        return render("generators/kiss.cl.mako", **values, shown=shown, powers=powers)


FAMILIES = (
    Family(
        generator=KISS,
        code=KISSCode,
        title="KISS and its kin",
        arguments={"combination": "kiss99", "state": [362436069, 521288629, 123456789, 380116160]},
        about="a --combination of simple generators, kiss99, multicarry or super_duper, from --state",
        source="Marsaglia 1999",
        helps={"combination": "by default kiss99", "state": "z,w,s,x of kiss99, or two words"},
        defaults={"combination": "kiss99"},
    ),
)

R_KINDS = "R 4.2, RNGkind"


def _multicarry(seed: int) -> KISS:
    """Return what ``set.seed`` of R makes, which takes 1 for a word of 0.

    A word may be larger than its modulus, but after one step, of which the first value is made, it must be below.
    """
    words = [word or 1 for word in islice(seeding.of_r(seed), 1, 3)]
    if not all(part.step(word) < part.modulus for part, word in zip(PAIR, words, strict=True)):
        raise ValueError(
            "seed must be one whose words lie on the cycles of multiply with carry from the first step on, as those of "
            f"all but one in 56 000 do, not {validation.shown(seed)}"
        )
    return KISS("multicarry", [word % part.modulus for part, word in zip(PAIR, words, strict=True)])


def _super_duper(seed: int) -> KISS:
    """Return what ``set.seed`` of R makes, which takes 1 for a first word of 0 and makes the second one odd."""
    first, second = islice(seeding.of_r(seed), 1, 3)
    return KISS("super_duper", [first or 1, second | 1])


NAMED = (
    Named("r_marsaglia_multicarry", "set.seed of R with the kind Marsaglia-Multicarry, but for one seed in 56 000; "
          "runif() is a value times the float64 nearest to 1 / (2^32 - 1)", R_KINDS, (0, LAST), _multicarry),
    Named("r_super_duper", "set.seed of R with the kind Super-Duper; runif() is a value times the float64 nearest to "
          "1 / (2^32 - 1)", R_KINDS, (0, LAST), _super_duper),
)  # fmt: skip
"""The combinations of libraries, seeded as these seed them."""
