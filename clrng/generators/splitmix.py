"""SplitMix: a Weyl sequence, whose words a mixer makes values of."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

from clrng import validation
from clrng.generators import seeding
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import GeneratorCode, output_values
from clrng.generators.parameters import OUTPUT, WORD_BITS, Kind, Naming, Parameter, integers, several
from clrng.opencl.templates import render

GOLDEN = {64: 0x9E3779B97F4A7C15, 32: 0x9E3779B9}
"""What the Weyl sequences go up by where nothing else is said: odd numbers near 2^bits over the golden ratio."""

Mixer = tuple[int, ...]
"""A shift, a multiplier, a shift, a multiplier and a shift."""

STAFFORD: Mixer = (30, 0xBF58476D1CE4E5B9, 27, 0x94D049BB133111EB, 31)
MURMUR_32: Mixer = (16, 0x85EBCA6B, 13, 0xC2B2AE35, 16)
MIXERS = {64: STAFFORD, 32: MURMUR_32}
USUAL: Any = object()
"""Stands for a mixer that is not given."""


def mixed(z: int, mixer: Mixer, bits: int) -> int:
    """Return a word of so many bits after a mixer."""
    first, a, second, b, last = mixer
    z = (z ^ z >> first) * a & 2**bits - 1
    z = (z ^ z >> second) * b & 2**bits - 1
    return z ^ z >> last if last else z


def splitmix64(seed: int, count: int) -> list[int]:
    """Return the first values of SplitMix64."""
    return [mixed((seed + i * GOLDEN[64]) % 2**64, STAFFORD, 64) for i in range(1, count + 1)]


def _mixer(name: Naming, key: str, value: Any, generator: Any) -> Mixer:
    bits = generator.bits
    if value is USUAL:
        return MIXERS[bits]
    legal = "five integers, a shift, a multiplier, a shift, a multiplier and a shift"
    found = integers(name(key), several(name(key), value, 5, legal), 0, 2**bits - 1)
    for i, number in enumerate(found):
        if i % 2 == 0:
            validation.integer(f"{name(key)}[{i}]", number, 0 if i == len(found) - 1 else 1, bits - 1)
        elif number % 2 == 0:
            raise ValueError(f"{name(key)}[{i}] must be an odd integer, not {number}")
    return found


class SplitMix(BitGenerator):
    """A SplitMix generator: the words of a Weyl sequence after a mixer.

    A step is x' = (x + gamma) mod 2^bits. With the mixer (i, a, j, b, k), a value is made of z = x' in three steps:
    z' = a (z ^ (z >> i)), z'' = b (z' ^ (z' >> j)) and z'' ^ (z'' >> k).

    Parameters
    ----------
    seed : int or sequence of 2 int
        The word x before the first value, from 0 to 2^bits - 1. Or x and the odd gamma, which is by default
        0x9e3779b97f4a7c15, or 0x9e3779b9 with 32 bits.
    bits : int, optional
        The bits of a word, 64, as in SplitMix64, or 32.
    mixer : sequence of 5 int, optional
        Shifts and odd multipliers. By default those of SplitMix64, Stafford's variant 13 of the finalizer of
        MurmurHash3, or with 32 bits those of that finalizer. The last shift may be 0, for none.
    output : pair of int, optional
        The shift and the number of the bits that a value shows of the last word. By default it shows all.

    See Also
    --------
    clrng.named : ``"splitmix64"``, ``"java_splittable_random"`` and others.

    Notes
    -----
    The period is 2^bits, and a jump is one product. With all bits of words shown every value comes once in a period:
    2^(bits / 2) of them without one that comes twice tell it from random numbers. `seeded` makes x of a seed, and
    leaves gamma as it is.

    References
    ----------
    G. L. Steele Jr., D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", Proceedings of OOPSLA
    2014. S. Vigna, ``splitmix64.c``, 2015.

    Examples
    --------
    >>> import clrng
    >>> clrng.SplitMix(1234567).sequence(2)
    array([6457827717110365317, 3203168211198807973], dtype=uint64)
    """

    name = "splitmix"
    order: int = 2
    sample_word = 1
    _words_are = ", x and gamma"

    bits = Parameter("The bits of a word.", WORD_BITS, early=True, usual=64)
    mixer: Parameter[Mixer] = Parameter(
        "The shifts and the multipliers of the mixer.",
        Kind(_mixer, several=True),
        usual=lambda made: MIXERS[made.bits],
    )
    output = Parameter("The shift and the number of the bits that are shown, or None for all.", OUTPUT, usual=None)

    def __init__(
        self,
        seed: int | Sequence[int],
        bits: int = 64,
        mixer: Sequence[int] | None = None,
        output: tuple[int, int] | None = None,
    ) -> None:
        if not validation.is_sequence(seed):
            size = WORD_BITS.check(str, "bits", bits, None)
            seed = validation.integer("seed", seed, 0, 2**size - 1), GOLDEN[size]
        self._set(state=seed, bits=bits, mixer=USUAL if mixer is None else mixer, output=output)

    @property
    def _modulus(self) -> int:  # type: ignore[override]
        return 1 << self.bits

    @property
    def gamma(self) -> int:
        """What the Weyl sequence goes up by."""
        return self._words[1]

    @property
    def period(self) -> int:  # noqa: D102  # as inherited
        return self.modulus

    @property
    def state_count(self) -> int:
        """How many pairs of a word and an odd gamma there are."""
        return self.modulus**2 // 2

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        return first_bad(states[:, 1] % 2 == 0, "have an odd gamma")

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        legal = states.copy()
        legal[:, 1] |= 1
        return legal

    def _seeded_words(self, sequence: ISeedSequence) -> Words:
        return (*seeding.integers(sequence, [self.modulus], 0), self.gamma)

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return self.state_after(words, 1)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return self._shown(mixed(words[0], self.mixer, self.bits))

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        x, gamma = words
        return (x + n * gamma) % self._modulus, gamma

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        return f"x' = (x + {number(self.gamma)}) mod {number(self.modulus)}"

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        first, a, second, b, last = self.mixer
        steps = [f"z = {number(a)} (x ^ x >> {first})", f"z' = {number(b)} (z ^ z >> {second})"]
        shown = f"; {super().value_formula(number)}" if self.output else ""
        return "; ".join([*steps, f"z' ^ z' >> {last}" if last else "z'"]) + shown


class SplitMixCode(GeneratorCode):
    """A Weyl sequence and its mixer; a stride is a number of steps."""

    recurrence: SplitMix
    fixes_strides = True

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return (n % self.recurrence.modulus,)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        values = {**self._common(prefix, width), **output_values(self.recurrence.output)}
        return render("generators/weyl.cl.mako", **values, mixer=self.recurrence.mixer)


FAMILIES = (
    Family(
        generator=SplitMix,
        code=SplitMixCode,
        title="SplitMix",
        arguments={"seed": 1},
        about="SplitMix64 or, with --bits 32, SplitMix32",
        seeds="0 to 18446744073709551615",
        source="Steele, Lea and Flood 2014",
        helps={"seed": "by default 1", "bits": "64 or 32, by default 64"},
        defaults={"seed": 1},
    ),
)

STEELE = (
    'G. L. Steele Jr., D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", Proceedings of OOPSLA '
    "2014"
)
MIXER_OF_INTS: Mixer = (33, 0x62A9D9ED799705F5, 28, 0xCB24D0A5C88C35B3, 0)
"""Of which Java's SplittableRandom shows the upper 32 bits in nextInt(): Stafford's variant 4."""

MURMUR_64: Mixer = (33, 0xFF51AFD7ED558CCD, 33, 0xC4CEB9FE1A85EC53, 33)
LEAST_CHANGES = 24
"""In how many places neighbouring bits of a gamma are different ones."""


def _of_haskell(seed: int) -> SplitMix:
    gamma = mixed((seed + GOLDEN[64]) % 2**64, STAFFORD, 64) | 1
    if (gamma ^ gamma >> 1).bit_count() < LEAST_CHANGES:
        gamma ^= 0xAAAAAAAAAAAAAAAA
    return SplitMix((mixed(seed, MURMUR_64, 64), gamma), mixer=MURMUR_64)


NAMED = (
    Named("splitmix64", "Vigna's splitmix64.c, from which the words of other generators are made", STEELE,
          (0, 2**64 - 1), SplitMix),
    Named("java_splittable_random", "java.util.SplittableRandom from a long, whose 64 bits are the seed: nextLong(), "
          "plus 2^64 where that is negative", f"{STEELE}; Java SE 8", (0, 2**64 - 1), SplitMix),
    Named("java_splittable_random_32", "the same, nextInt(), plus 2^32 where that is negative", f"{STEELE}; Java SE 8",
          (0, 2**64 - 1), lambda seed: SplitMix(seed, mixer=MIXER_OF_INTS, output=(32, 32))),
    Named("haskell_splitmix", "mkSMGen of Haskell's package splitmix, whose 64 bits are the seed, and mkStdGen of "
          "random from version 1.2 on; a value is nextWord64, and nextDouble gives the floats of Generator.random "
          "in double precision", f"{STEELE}; splitmix 0.1, System.Random.SplitMix", (0, 2**64 - 1), _of_haskell),
)  # fmt: skip
"""The Weyl sequences of libraries."""
