"""Subtract with carry generators, of which only some words of each block may be used: RANLUX."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import ceil, lcm, log2
from operator import methodcaller
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions import Table
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words
from clrng.generators.family import GSL, Family, Named
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.generators.maths.carry_numbers import LIMB_BITS, CarryNumbers
from clrng.generators.parameters import OUTPUT, Attribute, Kind, Naming, Output, Parameter, integer, several
from clrng.opencl.templates import render

LARGEST_LAG = 64
LARGEST_BLOCK = 2**16


def _checked_lags(name: Naming, key: str, value: Any, _: Any) -> tuple[int, int]:
    """Return `value` if it is a pair of lags, the smaller first."""
    s, r = several(name(key), value, 2)
    r = validation.integer(f"{name(key)}[1]", r, 2, LARGEST_LAG)
    return validation.integer(f"{name(key)}[0]", s, 1, r - 1), r


def _checked_split(name: Naming, key: str, value: Any, generator: Any) -> int:
    """Return `value` if it divides the number of bits that are used."""
    bits = generator.output.bits if generator.output else generator.bits
    split = validation.integer(name(key), value, 1, bits)
    if bits % split:
        raise ValueError(f"{name(key)} must be a divisor of {bits}, the bits that are used, not {split}")
    return split


class SubtractWithCarry(BitGenerator):
    """The subtract with carry generator x_i = x_{i-s} - x_{i-r} - c mod 2^bits, where c is the carry.

    The carry of the next step is 1 where the difference was below 0, else 0. C++ has it as
    ``std::subtract_with_carry_engine``, and with `block` and `used` as ``std::discard_block_engine``.

    Parameters
    ----------
    bits : int
        Those of a word, from 1 to 64.
    lags : (int, int)
        s and r, with 1 <= s < r <= 64.
    state : sequence of int
        x_0, ..., x_{r-1}, the oldest first, from 0 to 2^bits - 1; then the carry, 0 or 1, by default 0; then, where the
        values of a block are counted, the position: how many values of the current block have been given, by default
        0. The words must not all be 0 with carry 0, nor all 2^bits - 1 with carry 1. A state that the recurrence does
        not lead to is replaced by the one that it does lead to with the same values.
    block, used : int, optional
        Of every `block` words, up to 65536, the first `used` are used and the others discarded, as levels of luxury of
        RANLUX have it. By default all are used.
    output : (int, int), optional
        The part of a word that is used: the shift and the number of its bits. By default all of it.
    split : int, optional
        How many values a word gives, from its lowest bits to its highest; a divisor of the number of bits that are
        used. By default 1.

    See Also
    --------
    clrng.named : ``"ranlux0"`` to ``"ranlux4"``, and the generators of C++ and GSL as these seed them.

    Notes
    -----
    With b = 2^bits the words and the carry are, but for states that lead to no other, a number z modulo m = b^r - b^s +
    1, and a step multiplies z by 1 / b. So a jump takes O(log n), and words that are discarded are jumped over. For
    RANLUX m is the prime 2^576 - 2^240 + 1. Its period is (m - 1) / 48 with words of 24 bits, and half of that with
    48 bits.

    Without discarding, points of r + 1 successive values lie on few planes, and the spectral and other tests find it.

    References
    ----------
    G. Marsaglia and A. Zaman, "A new class of random number generators", Annals of Applied Probability 1(3), 1991, pp.
    462-480. M. Lüscher, "A portable high-quality random number generator for lattice field theory simulations",
    Computer Physics Communications 79, 1994, pp. 100-110. F. James, "RANLUX: a Fortran implementation of the
    high-quality pseudorandom number generator of Lüscher", ibid., pp. 111-114.

    Examples
    --------
    >>> import clrng
    >>> bits = clrng.SubtractWithCarry(24, (10, 24), range(1, 25), block=223, used=24)
    >>> bits.sequence(3).tolist()
    [14, 14, 14]
    >>> clrng.named("std_ranlux24", 19780503).jumped(9999).sequence(1).tolist()  # as the C++ standard says
    [9901578]
    """

    name = "subtract_with_carry"
    _bare_state = True
    _modulus = cast("int", property(lambda self: 1 << self.bits))

    bits = Parameter("The bits of a word.", integer(1, 64), bare=True)
    lags: Parameter[tuple[int, int]] = Parameter(
        "The lags s and r.", Kind(_checked_lags, several=True, count=2), bare=True
    )
    block = Parameter("How many words a block has; 1 where none is discarded.", integer(1, LARGEST_BLOCK), usual=1)
    used = Parameter(
        "How many words of a block are used.", integer(1, lambda so_far: so_far.block), usual=lambda made: made.block
    )
    output = Parameter("The part of a word that is used, or None for all of it.", OUTPUT, usual=None)
    split = Parameter("How many values a word gives.", Kind(_checked_split), usual=1)

    part: Attribute[Output] = Attribute("The part of a word that is the first value that it gives.")
    values_of_block: Attribute[int] = Attribute("How many values a block gives.")

    def __init__(
        self,
        bits: int,
        lags: tuple[int, int],
        state: Sequence[int],
        block: int = 1,
        used: int | None = None,
        output: tuple[int, int] | None = None,
        split: int = 1,
    ) -> None:
        used = block if used is None else used
        start = methodcaller("_led_to", state)
        self._set(bits=bits, lags=lags, block=block, used=used, output=output, split=split, start=start)

    def _derive(self) -> None:
        if self.used == self.block:
            vars(self).update(_block=1, _used=1)
        shift, bits = self.output or Output(0, self.bits)
        self._part = Output(shift, bits // self.split)  # of a word, the first value that it gives
        self.numbers = CarryNumbers(self.bits, *self.lags)
        self._values_of_block = self.used * self.split

    def _checked_words(self, name: str, values: Any) -> Words:
        return self._checked_parts(name, values, whole=True)

    def _led_to(self, state: Any) -> Words:
        """Return the words of the state that `state`, of which parts may be left out, leads to."""
        words = self._checked_parts("state", state, whole=False)
        r = self.numbers.r
        z = self.numbers.number(words[:r], words[r])
        if not 0 < z < self.numbers.modulus:
            what = "0 with carry 0" if z == 0 else f"{self.modulus - 1} with carry 1"
            raise ValueError(f"state must not have words that are all {what}, which would stay so")
        position = words[r + 1]
        if position == 0:
            z = z * self.numbers.factor(self.used - self.block) % self.numbers.modulus
            position = self.values_of_block
        return self._words_of(z, position)

    def _checked_parts(self, name: str, values: Any, *, whole: bool) -> Words:
        """Return the words, the carry and the position; a state of the user's may leave out the last two."""
        validation.sequence(name, values)
        r, most = self.numbers.r, self.values_of_block
        longest = r + 1 + self.counts_positions
        if len(values) != longest if whole else not r <= len(values) <= longest:
            counts = f"{longest} integers" if whole else f"{r} to {longest} integers"
            others = ", the carry and the position in a block" if self.counts_positions else " and the carry"
            raise ValueError(f"{name} must be {counts}, the {r} words{others}, not {len(values)}")
        limits = [(0, self.modulus - 1)] * r + [(0, 1), (int(whole), most)]
        found = [validation.integer(f"{name}[{i}]", v, *limits[i]) for i, v in enumerate(values)]
        return tuple(found) if whole else (*found, *[0] * (r + 2 - len(found)))

    def _words_of(self, z: int, position: int) -> Words:
        words, carry = self.numbers.state(z)
        return (*words, carry, position) if self.counts_positions else (*words, carry)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        s, r = self.lags
        text = f"x[i] = (x[i - {s}] - x[i - {r}] - c) mod {number(self.modulus)}, where c is the carry of x[i - 1]"
        return text + (f"; of {self.block} words {self.used} are used" if self.block > 1 else "")

    @property
    def counts_positions(self) -> bool:
        """Whether the last word of a state is the position in a block, from 1 on."""
        return self.block > 1 or self.split > 1

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        if self.split == 1:
            return super().value_formula(number)
        return f"{self.part.bits} bits of a word, which gives {self.split} values, its lowest bits first"

    @property
    def order(self) -> int:
        """The number of words of the state: the words, the carry and, where there is one, the position."""
        return self.numbers.r + 1 + self.counts_positions

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:  # noqa: D102  # as inherited
        position = [(1, self.values_of_block)] if self.counts_positions else []
        return [(0, self.modulus - 1)] * self.numbers.r + [(0, 1), *position]

    @property
    def state_count(self) -> int:
        """How many states there are: the carry follows from the words."""
        return (self.numbers.modulus - 1) * self.values_of_block

    def _compared(self, states: npt.NDArray[Any]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return of which states the last r - s words are, as a number, larger than the first, and of which as large.

        The recurrence leads to states with z b^s <= m alone, and so to those with carry 1 where they are larger, and
        to those with carry 0 where they are smaller.
        """
        s, r = self.lags
        larger, equal = np.zeros(len(states), np.bool_), np.ones(len(states), np.bool_)
        for i in range(r - 1, s - 1, -1):
            larger |= equal & (states[:, i] > states[:, i - s])
            equal &= states[:, i] == states[:, i - s]
        return larger, equal

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return `states` with the carries that the recurrence leads to."""
        found = states.copy()
        found[:, self.numbers.r] = self._compared(states)[0]
        return found

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        s, r = self.lags
        larger, equal = self._compared(states)
        for row in np.flatnonzero(equal | (states[:, r] != larger)):
            again = f"not repeat the same {s} words again and again, which the recurrence does not lead to"
            carry = f"have the carry that the recurrence leads to, {int(larger[row])} after these words"
            return int(row), again if equal[row] else carry
        return None

    @property
    def upper_bound(self) -> int:  # noqa: D102  # as inherited
        return 1 << self.part.bits

    @property
    def period(self) -> int | None:
        """The number of values before the sequence repeats, where it is known, as for RANLUX, else None."""
        words = self.numbers.period
        return words and lcm(words, self.block) // self.block * self.values_of_block

    def _position(self, words: Words) -> int:
        return words[-1] if self.counts_positions else 1

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        s, r = self.lags
        window, carry, position = list(words[:r]), words[r], self._position(words)
        in_block = position % self.values_of_block
        steps = int(in_block % self.split == 0) + (self.block - self.used if in_block == 0 else 0)
        for _ in range(steps):
            difference = window[-s] - window[-r] - carry
            window.append(difference % self.modulus)
            carry = int(difference < 0)
        return (*window[steps:], carry, in_block + 1)[: len(words)]

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        shift, bits = self.part
        number = (self._position(words) - 1) % self.split
        return words[self.numbers.r - 1] >> shift + number * bits & (1 << bits) - 1

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        place, r = self._position(words) - 1, self.numbers.r
        blocks, within = divmod(place + n, self.values_of_block)
        steps = blocks * self.block + within // self.split - place // self.split  # from word to word
        z = self.numbers.number(words[:r], words[r])
        return self._words_of(z * self.numbers.factor(steps) % self.numbers.modulus, within + 1)


DIGIT_BITS, TABLE_BITS = 4, 8
"""The bits of the digits of jumps in a program, of 64 bits, and of those by tables, of less than 2^40 steps."""

LIMBS_OF_FEW_POWERS, FEW_DIGIT_BITS = 64, 2
"""Of numbers with as many limbs as the first or more, digits have so few bits in a program that its factors fit 64 KiB,
which is all the constant memory that many GPUs have."""

TABLE_STEPS = 2**40


class SubtractWithCarryCode(GeneratorCode):
    """A difference and a carry for each word; a jump is a product modulo a number of hundreds of bits.

    A jump goes over a multiple of `unit` values, and steps make the rest: those of a block or, where blocks are short,
    of as many as have about as many words, `unit_words`, as a state.
    """

    recurrence: SubtractWithCarry
    fill_strategy = "blocks"
    shortest_block = 128

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        block, values, numbers = self.recurrence.block, self.recurrence.values_of_block, self.recurrence.numbers
        self.unit_words = block * max(numbers.r // block, 1)
        self.unit = self.unit_words // block * values
        self.phases = values if block > 1 else 1
        if block == 1:
            self.lanes_of_gpu = 256  # as every lane jumps by tables first
        self._digit_bits = DIGIT_BITS if numbers.limbs < LIMBS_OF_FEW_POWERS else FEW_DIGIT_BITS

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        units, rest = divmod(n, self.unit)
        factor = self.recurrence.numbers.factor(units * self.unit_words - self.recurrence.numbers.r)
        return (*self.recurrence.numbers.to_limbs([factor]).ravel().tolist(), rest)

    @property
    def jump_tables(self) -> Table | None:
        """The factors of jumps by digits of `TABLE_BITS` bits."""
        places = ceil(log2(TABLE_STEPS / self.unit) / TABLE_BITS)
        return _jump_tables(self.recurrence.numbers, self.unit_words, places, self.word)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        recurrence, numbers = self.recurrence, self.recurrence.numbers
        number, word = CTYPES[self.value.name] + suffix(width), CTYPES[self.word.name] + suffix(width)
        values = {
            **self._common(prefix, width),
            "r": numbers.r,
            "lag": numbers.s,
            "bits": numbers.bits,
            "word_bits": 8 * self.word.itemsize,
            "counts": recurrence.counts_positions,
            "discarded": recurrence.block - recurrence.used,
            "values_of_block": recurrence.values_of_block,
            "split": recurrence.split,
            "shift": recurrence.part.shift,
            "part": recurrence.part.bits,
            "convert": (lambda x: x) if number == word else (lambda x: f"convert_{number}({x})"),
        }
        jumps = {
            "limbs": numbers.limbs,
            "unit": self.unit,
            "unit_words": self.unit_words,
            "pieces": _pieces,
            "digit_of": lambda name, i: _digit(name, i, numbers.bits, numbers.limbs, CTYPES[self.word.name]),
            "limb": lambda name, k, shift: _limb(name, k, shift, numbers.limbs),
            "doublings": numbers.doublings,
            "product": render("generators/wide_product.cl.mako", p=prefix, **numbers.template_values),
            "digit_bits": self._digit_bits,
            "table_bits": TABLE_BITS,
            "powers": self._powers() if width == 1 else [],
        }
        step = render("generators/subtract_with_carry.cl.mako", **values)
        return step + render("generators/carry_jumps.cl.mako", **values, **jumps)

    @property
    def constant_bytes(self) -> int:  # noqa: D102  # as inherited
        return 4 * (len(self._powers()) + self.recurrence.numbers.limbs + 1)

    def _powers(self) -> list[int]:
        """Return the limbs of the factors of jumps of a program, one after another."""
        bits = self._digit_bits
        places = ceil(log2(2**64 / self.unit) / bits)
        found: list[int] = _factors(self.recurrence.numbers, self.unit_words, bits, places).ravel().tolist()
        return found


@lru_cache(maxsize=8)
def _factors(numbers: CarryNumbers, unit_words: int, digit_bits: int, places: int) -> Any:
    """Return the limbs in rows of the factors of jumps over d 2^(digit_bits j) units, one place after another.

    Those of the first place also go back over the words of a state.
    """
    found, base = [], numbers.factor(unit_words)
    for place in range(places):
        power = 1 if place else numbers.factor(-numbers.r)
        for _ in range(1 << digit_bits):
            found.append(power)
            power = power * base % numbers.modulus
        base = pow(base, 1 << digit_bits, numbers.modulus)
    return np.ascontiguousarray(numbers.to_limbs(found).T)


@lru_cache(maxsize=8)
def _jump_tables(numbers: CarryNumbers, unit_words: int, places: int, word: np.dtype[Any]) -> Table:
    return Table(_factors(numbers, unit_words, TABLE_BITS, places).astype(word))


def _limb(name: str, k: int, shift: int, limbs: int) -> str:
    """Return limb k of the array `name`, of so many limbs, shifted to the right, or where negative to the left.

    Shifts of 32 bits, put together, would become a function of LLVM that Oclgrind does not know.
    """
    whole, some = divmod(k * LIMB_BITS + shift, LIMB_BITS)
    low, high = (f"{name}[{i}]" if 0 <= i < limbs else "0u" for i in (whole, whole + 1))
    return f"(uint)(upsample({high}, {low}) >> {some})" if some else low


def _digit(name: str, i: int, bits: int, limbs: int, word: str) -> str:
    """Return digit i, of `bits` bits, of the number whose limbs are the array `name`, as a word."""
    if word == "uint":
        mask = "" if bits == LIMB_BITS else f" & {(1 << bits) - 1}u"
        return f"{_limb(name, 0, i * bits, limbs)}{mask}"
    return _pieces(i, bits, LIMB_BITS, limbs, lambda k: f"{name}[{k}]", word)


def _pieces(k: int, bits: int, given_bits: int, given: int, name: Callable[[int], str], word: str) -> str:
    """Return the expression of digit k, of `bits` bits, of the number whose `given` digits have `given_bits` bits.

    `name` gives the expression of such a digit, and `word` is the type of the result.
    """
    begin, end = k * bits, (k + 1) * bits
    parts = []
    for i in range(begin // given_bits, min(-(-end // given_bits), given)):
        place = i * given_bits - begin
        parts.append(f"({word})({name(i)} >> {-place})" if place < 0 else f"({word}){name(i)} << {place}")
    mask = "" if bits in (32, 64) else f" & {(1 << bits) - 1}{'u' if word == 'uint' else 'UL'}"
    return f"({' | '.join(parts)}){mask}"


FAMILIES = (
    Family(
        generator=SubtractWithCarry,
        code=SubtractWithCarryCode,
        title="Subtract with carry generators",
        arguments={"bits": 24, "lags": (10, 24), "state": tuple(range(1, 25)), "block": 48, "used": 24},
        about="subtract with carry of any --bits and --lags, of whose words --block and --used discard some, "
        "from --state",
        source="Marsaglia and Zaman 1991; Lüscher 1994",
        helps={
            "bits": "those of a word, up to 64",
            "lags": "such as 10,24",
            "state": "x_0,x_1,... and the carry",
            "block": "the words of a block, by default 1",
            "used": "how many of these are used, by default all",
        },
    ),
)

LECUYER = 2147483563
"""That of L'Ecuyer's congruential generator, of multiplier 40014, from which C++ and James take the words of a seed."""

CPP_SEED = 19780503
"""The seed that the engines of C++ have if none is given (C++ [rand.eng.sub])."""

LUSCHER = (
    "M. Lüscher, A portable high-quality random number generator for lattice field theory simulations, Computer "
    "Physics Communications 79, 1994, pp. 100-110"
)
JAMES = f"F. James, RANLUX, Computer Physics Communications 79, 1994, pp. 111-114; {LUSCHER}"

Seeded = tuple[Sequence[int], int]
"""The words, the oldest first, and the carry that a seed stands for."""


def _congruential(seed: int, count: int) -> list[int]:
    """Return `count` values of L'Ecuyer's congruential generator."""
    found = []
    for _ in range(count):
        seed = 40014 * seed % LECUYER
        found.append(seed)
    return found


def _cpp(bits: int, seed: int) -> Seeded:
    """Return what C++ makes of a seed, of which 0 stands for the usual one: a word of 48 bits of two values."""
    words = _congruential((seed or CPP_SEED) % LECUYER or 1, 24)
    if bits > 32:  # noqa: PLR2004  # the bits that C++ takes from a value
        words = [low + (high << 32) for low, high in zip(words[::2], words[1::2], strict=True)]
    words = [word % 2**bits for word in words]
    return words, int(words[-1] == 0)


def _gsl(seed: int) -> Seeded:
    return [value % 2**24 for value in _congruential(seed, 24)][::-1], 0


def _james(seed: int) -> Seeded:
    words, _ = _gsl(seed)
    return words, int(words[0] == 0)


def _luscher(inverted: int, seed: int) -> Seeded:
    """Return the words that are made of the bits of a shift register, of which the bits may be `inverted`."""
    register = [seed >> i & 1 for i in range(31)]
    words = []
    for _ in range(12):
        word = 0
        for _ in range(48):
            word = 2 * word + (register[0] ^ inverted)
            register = [*register[1:], register[0] ^ register[18]]
        words.append(word)
    return words, 0


LEVELS = 24, 48, 97, 223, 389
"""The words of a block of 24 used ones at James's levels of luxury."""

SHORT, LONG = (24, (10, 24)), (48, (5, 12))
"""The bits of a word and the lags."""


def _named(  # noqa: PLR0913  # the columns of the table
    name: str,
    what: str,
    source: str,
    seeds: tuple[int, int],
    seeding: Callable[[int], Seeded],
    *,
    words: tuple[int, tuple[int, int]] = SHORT,
    block: int = 1,
    used: int = 1,
    discards_first: bool = False,
    split: int = 1,
) -> Named:
    """Return the row of a generator of a library, whose seeding function makes the words and the carry.

    `discards_first` says whether the words of a block that are not used come before the others.
    """

    def made(seed: int) -> SubtractWithCarry:
        state, carry = seeding(seed)
        if discards_first:
            *state, carry = SubtractWithCarry(*words, [*state, carry]).advance(block - used).words
        return SubtractWithCarry(*words, [*state, carry], block, used, split=split)

    return Named(name, what, source, seeds, made)


def _gsl_luscher(name: str, block: int, what: str, inverted: int, split: int) -> Named:
    """Return the row of a generator of words of 48 bits of GSL."""
    what = f"GSL's {name}, which uses 12 of {block} words of 48 bits{what}; GSL takes 1 for seed 0"
    return _named(
        f"gsl_{name}", what, f"{GSL}, gsl_rng_{name}; {LUSCHER}", (1, 2**31 - 1), partial(_luscher, inverted),
        words=LONG, block=block, used=12, discards_first=True, split=split,
    )  # fmt: skip


WHOLE = "; a value is all of them, which gsl_rng_uniform divides by 2^48 and of which gsl_rng_get gives the upper 32"
UINT = 2**32 - 1
NAMED = (
    *(
        _named(f"ranlux{level}", f"James's RANLUX at level {level}, which uses 24 of {block} words, as CERN's library "
               "has it; a value is a number times 2^24 before small ones get more bits", JAMES, (1, LECUYER - 1),
               _james, block=block, used=24)
        for level, block in enumerate(LEVELS)
    ),
    *(
        _named(f"gsl_{name}", f"GSL's {name}, which uses 24 of {block} words; GSL takes 314159265 for seed 0",
               f"{GSL}, gsl_rng_{name}; {JAMES}", (1, LECUYER - 1), _gsl, block=block, used=24)
        for name, block in (("ranlux", 223), ("ranlux389", 389))
    ),
    *(
        _gsl_luscher(f"ranlxs{level}", block, ", each as two values of 24 bits", 0, 2)
        for level, block in enumerate((109, 202, 397))
    ),
    *(_gsl_luscher(f"ranlxd{level}", block, WHOLE, 1, 1) for level, block in enumerate((202, 397), 1)),
    _named("std_ranlux24_base", "std::ranlux24_base of C++", f"C++ [rand.predef] ranlux24_base; {LUSCHER}", (0, UINT),
           partial(_cpp, 24)),
    _named("std_ranlux24", "std::ranlux24 of C++, which uses 23 of 223 words",
           f"C++ [rand.predef] ranlux24; {LUSCHER}", (0, UINT), partial(_cpp, 24), block=223, used=23),
    _named("std_ranlux48_base", "std::ranlux48_base of C++", f"C++ [rand.predef] ranlux48_base; {LUSCHER}", (0, UINT),
           partial(_cpp, 48), words=LONG),
    _named("std_ranlux48", "std::ranlux48 of C++, which uses 11 of 389 words",
           f"C++ [rand.predef] ranlux48; {LUSCHER}", (0, UINT), partial(_cpp, 48), words=LONG, block=389, used=11),
)  # fmt: skip
"""The subtract with carry generators of libraries, seeded as these seed them: RANLUX in its kinds."""
