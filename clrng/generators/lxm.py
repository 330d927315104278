"""LXM: the sum of a congruential generator and a word of a linear one over GF(2), after a mixer."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators.base import Words, first_bad
from clrng.generators.binary_recurrence import BinaryRecurrence
from clrng.generators.family import Family, Named
from clrng.generators.maths import gf2
from clrng.generators.maths.number_theory import affine_power
from clrng.generators.parameters import Attribute, Kind, Naming, Parameter
from clrng.generators.splitmix import GOLDEN, MURMUR_32, STAFFORD, Mixer, mixed
from clrng.generators.xoshiro import (
    SILVER,
    Scrambled,
    Xoroshiro,
    Xoroshiro1024,
    Xoshiro,
    XoshiroCode,
    of_seeds,
    powers_of,
)

MULTIPLIERS = {32: 0xADB4A92D, 64: 0xD1342543DE82EF95, 128: 0x1D605BBB58C8ABBFD}
"""Of the congruential generators, by their bits."""

LINEAR: dict[int, tuple[type[Scrambled], Words]] = {
    64: (Xoroshiro, (26, 9, 13)),
    128: (Xoroshiro, (24, 16, 37)),
    256: (Xoshiro, (17, 45)),
    1024: (Xoroshiro1024, (25, 27, 36)),
}
"""The other parts, by their bits, and their shifts."""

MIXERS: dict[int, Mixer] = {
    32: (16, 0xD36D884B, 16, 0xD36D884B, 16),
    64: (32, 0xDABA0B6EB09322E3, 32, 0xDABA0B6EB09322E3, 32),
}
"""Lea's, by the bits of a word."""

SIZES = (32, 64), (64, 128), (64, 256), (64, 1024), (128, 128), (128, 256), (128, 1024)
"""The bits of both parts that there are."""


def as_words(number: int, lcg: int) -> Words:
    """Return the words of a number of so many bits, the high one first."""
    return (number,) if lcg <= 64 else (number >> 64, number % 2**64)  # noqa: PLR2004  # a word's


def _lcg(name: Naming, key: str, value: Any, _: Any) -> int:
    found = validation.integer(name(key), value, 32, 128)
    if found not in MULTIPLIERS:
        raise ValueError(f"{name(key)} must be 32, 64 or 128, not {found}")
    return found


def _xbg(name: Naming, key: str, value: Any, generator: Any) -> int:
    found = validation.integer(name(key), value, 64, 1024)
    legal = [xbg for lcg, xbg in SIZES if lcg == generator.lcg]
    if found not in legal:
        raise ValueError(
            f"{name(key)} must be {' or '.join(map(str, legal))} where lcg is {generator.lcg}, not {found}"
        )
    return found


class LXM(BinaryRecurrence):
    """An LXM generator of Java 17, such as L64X128Mix: a congruential and a linear generator, and a mixer.

    A value is the upper word of s plus x_0, after Lea's mixer: z' = M (z ^ (z >> h)), z'' = M (z' ^ (z' >> h)) and
    z'' ^ (z'' >> h), where h is half the bits of a word. Then s' = m s + a, and x goes on as `Xoroshiro` or `Xoshiro`.

    Parameters
    ----------
    state : sequence of int
        The words of a, s and x that the first value is made of, as Java's constructors take them, the high word of two
        first. a is odd, and x not all 0.
    lcg : int, optional
        The bits of the congruential generator, 32, 64, the usual number, or 128. Words have 32 bits where this is 32,
        else 64.
    xbg : int, optional
        The bits of x: 64 where `lcg` is 32, else 128, the usual number, 256 or 1024.

    See Also
    --------
    clrng.named : ``"java_l64x128mix"`` and others, from a seed of 64 bits.

    Notes
    -----
    The multiplier m is 0xadb4a92d, 0xd1342543de82ef95 or 0x1d605bbb58c8abbfd. The period is 2^lcg (2^xbg - 1). A jump
    takes O(log n), as that of `XorShift`. Generators of different a are different streams; Java's ``split()`` chooses
    it at random.

    `words` are x, s and a before the last step, `state` has what the next value is made of.

    References
    ----------
    G. L. Steele Jr. and S. Vigna, "LXM: better splittable pseudorandom number generators (and almost as fast)",
    Proceedings of the ACM on Programming Languages 5, OOPSLA, 2021.

    Examples
    --------
    >>> import clrng
    >>> clrng.named("java_l64x128mix", 42).sequence(2)
    array([12846568433200376850, 12377759891370973456], dtype=uint64)
    """

    name = "lxm"
    sample_word = 1
    _words_are = ", a, s and x"

    lcg = Parameter("The bits of the congruential generator.", Kind(_lcg), early=True, usual=64)
    xbg = Parameter("The bits of x.", Kind(_xbg), usual=128)

    bits: Attribute[int] = Attribute("The bits of a word.")
    linear_order = cast("int", Attribute("The number of words of x."))
    linear_period = cast("int", Attribute("The number of steps before x comes again."))

    def __init__(self, state: Sequence[int], lcg: int = 64, xbg: int = 128) -> None:
        self._set(state=state, lcg=lcg, xbg=xbg)

    def _derive(self) -> None:
        self._bits = min(self.lcg, 64)
        self._modulus = 2**self._bits
        self._linear_order: int = self.xbg // self._bits
        self._linear_period: int = 2**self.xbg - 1

    @property
    def _halves(self) -> int:
        """The words of a, and of s."""
        return self.lcg // self.bits

    @property
    def order(self) -> int:  # noqa: D102  # as inherited
        return self.linear_order + 2 * self._halves

    @property
    def period(self) -> int:  # noqa: D102  # as inherited
        return self.linear_period << self.lcg

    @property
    def state_count(self) -> int:
        """How many states there are, if all words can be any legal one: half as many as if a were not odd."""
        return 1 << self.order * self.bits - 1

    @property
    def powers(self) -> gf2.Powers:  # noqa: D102  # as inherited
        return cast("gf2.Powers", powers_of(*LINEAR[self.xbg], self.bits))

    def linear_step(self, words: Any) -> Any:  # noqa: D102  # as inherited
        kind, shifts = LINEAR[self.xbg]
        return kind._stepped(words, shifts, self.bits)  # noqa: SLF001  # which the families share

    def _beside_after(self, words: Words, n: int) -> Words:
        power, added = affine_power(2**self.lcg, MULTIPLIERS[self.lcg], n)
        beside = words[self.linear_order :]
        s, a = beside[: self._halves], beside[self._halves :]
        after = (power * self._number(s) + added * self._number(a)) % 2**self.lcg
        return (*as_words(after, self.lcg), *a)

    def _number(self, words: Words) -> int:
        return words[0] if len(words) == 1 else words[0] << self.bits | words[1]

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        found = super().states_after(states, n)
        found[:, self.linear_order :] = [self._beside_after(tuple(words), n) for words in states.tolist()]
        return found

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        bad = first_bad(~states[:, : self.linear_order].any(axis=1), "have a word of x other than 0, or they stay 0")
        even = first_bad(states[:, -1] % 2 == 0, "have an odd a")
        return min((found for found in (bad, even) if found), default=None)

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        legal = states.copy()
        legal[:, -1] |= 1
        return legal

    def _checked_state(self, name: str, values: Any) -> Words:
        words, halves = self._checked_words(name, values), self._halves
        words = (*words[2 * halves :], *words[halves : 2 * halves], *words[:halves])
        bad = self.bad_states(np.array([words], self.word_dtype))
        if bad is not None:
            raise ValueError(f"{name} must {bad[1]}, not {validation.shown(list(values))}")
        return self.state_after(words, -1)

    def _plain(self, words: Words) -> list[int]:
        later, x, halves = self.step(words), self.linear_order, self._halves
        return [*later[x + halves :], *later[x : x + halves], *later[:x]]

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        total = (words[self.linear_order] + words[0]) % self.modulus
        return mixed(total, MIXERS[self.bits], self.bits)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        name = f"{LINEAR[self.xbg][0].name.rstrip('0123456789')}{self.xbg}"
        return f"s' = ({number(MULTIPLIERS[self.lcg])} s + a) mod {number(2**self.lcg)} and x by {name}"

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        return f"{'the upper word of s' if self._halves > 1 else 's'} plus x0, before the step, after Lea's mixer"


class LXMCode(XoshiroCode):
    """A congruential generator beside a linear one, and the mixer."""

    recurrence: LXM  # type: ignore[assignment]  # which shares the linear part

    @property
    def beside(self) -> list[str]:  # noqa: D102  # as inherited
        return ["y", "a"] if self.recurrence.lcg == self.recurrence.bits else ["yh", "yl", "ah", "al"]

    def beside_stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        recurrence = self.recurrence
        both = affine_power(2**recurrence.lcg, MULTIPLIERS[recurrence.lcg], n)
        return tuple(word for number in both for word in as_words(number, recurrence.lcg))

    @property
    def constant_bytes(self) -> int:  # noqa: D102  # as inherited
        return super().constant_bytes + 64 * len(self.beside) * self.word.itemsize

    def own_values(self, values: dict[str, Any]) -> dict[str, Any]:  # noqa: D102  # as inherited
        recurrence = self.recurrence
        return {
            "shifts": LINEAR[recurrence.xbg][1],
            "shown": "",
            "mixer": MIXERS[recurrence.bits],
            "multiplier": as_words(MULTIPLIERS[recurrence.lcg], recurrence.lcg),
            "beside_powers": [self.beside_stride(1 << j) for j in range(64)] if values["width"] == 1 else [],
        }


FAMILIES = (
    Family(
        generator=LXM,
        code=LXMCode,
        title="LXM",
        arguments={"state": [1, 2, 3, 4]},
        about="L64X128Mix of Java 17 or others of its kind, from --state",
        source="Steele and Vigna 2021",
        helps={
            "state": "a,s,x_0,x_1,...",
            "lcg": "32, 64 or 128, by default 64",
            "xbg": "by default 128",
        },
    ),
)

STEELE = (
    'G. L. Steele Jr. and S. Vigna, "LXM: better splittable pseudorandom number generators (and almost as fast)", '
    "Proceedings of the ACM on Programming Languages 5, OOPSLA, 2021"
)
MURMUR: Mixer = (33, 0xFF51AFD7ED558CCD, 33, 0xC4CEB9FE1A85EC53, 33)


def _of_java(seed: int, lcg: int, xbg: int) -> LXM:
    """Return what Java's constructors make of a long."""
    seed ^= SILVER
    if lcg < 64:  # noqa: PLR2004  # halves of the seed
        low, lea = seed % 2**32, MIXERS[32]
        x = [mixed(low, lea, 32), mixed((low + GOLDEN[32]) % 2**32, lea, 32)]
        return LXM([mixed(seed >> 32, MURMUR_32, 32) | 1, 1, *x], lcg, xbg)
    a = of_seeds(seed, lcg // 64, MURMUR)
    a[-1] |= 1
    x = of_seeds((seed + (len(a) - 1) * GOLDEN[64]) % 2**64, xbg // 64, STAFFORD)
    return LXM([*a, *[0] * (len(a) - 1), 1, *x], lcg, xbg)


def _named(lcg: int, xbg: int) -> Named:
    draws = "nextInt(), plus 2^32" if lcg == 32 else "nextLong(), plus 2^64"  # noqa: PLR2004  # bits
    return Named(
        f"java_l{lcg}x{xbg}mix",
        f"L{lcg}X{xbg}MixRandom of Java 17 from a long, whose 64 bits are the seed: {draws} where that is negative",
        f"{STEELE}; Java SE 17, java.util.random",
        (0, 2**64 - 1),
        lambda seed: _of_java(seed, lcg, xbg),
    )


NAMED = tuple(_named(lcg, xbg) for lcg, xbg in SIZES)
"""The generators of Java."""
