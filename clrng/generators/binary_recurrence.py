"""Recurrences over GF(2), whose step takes the bits of a few words to sums of these: LFSR113 and WELL512a."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache, lru_cache, partial, reduce
from math import prod
from operator import xor
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions import Table
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import GSL, Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.maths import gf2
from clrng.generators.parameters import Attribute, constant
from clrng.opencl.templates import render

MASK = 2**32 - 1


class BinaryRecurrence(BitGenerator):
    """A bit generator whose words, all but that of a Weyl sequence at the end if there is one, have a linear step.

    `linear_order` is the number of words of the state without a Weyl sequence, `linear_period` the number of steps
    before these come again, `increment` what the Weyl sequence goes up by, 0 where there is none.
    """

    linear_order: int
    linear_period: int
    increment: int = cast("int", Attribute("What the Weyl sequence goes up by; 0 where there is none."))
    _increment: int = 0

    @property
    def powers(self) -> gf2.Powers:
        """The powers of the step of the words without a Weyl sequence."""
        return _powers(type(self))

    @abstractmethod
    def linear_step(self, words: Any) -> Any:
        """Return the words after `words`, without a Weyl sequence; each may be an array, of many states."""

    @property
    def order(self) -> int:  # noqa: D102  # as inherited
        return self.linear_order + (self._increment > 0)

    @property
    def period(self) -> int:  # noqa: D102  # as inherited
        return self.linear_period * (self._modulus if self._increment else 1)

    def _beside_after(self, words: Words, n: int) -> Words:
        return ((words[-1] + n * self._increment) % self._modulus,) if self._increment else ()

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return (*self.linear_step(words[: self.linear_order]), *self._beside_after(words, 1))

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        linear = self.powers.after(words[: self.linear_order], n % self.linear_period)
        return (*linear, *self._beside_after(words, n))

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        found, linear = states.copy(), states[:, : self.linear_order]
        found[:, : self.linear_order] = self.powers.all_after(linear, n % self.linear_period)
        if self._increment:
            found[:, -1] += states.dtype.type(n * self._increment % self._modulus)
        return found


@cache
def _powers(kind: type[BinaryRecurrence]) -> gf2.Powers:
    """Return the powers of the step of a class without parameters; bits of the xor of all words have its polynomial."""
    bits, degree = kind.__new__(kind), kind.linear_period.bit_length()
    first = bits.made_legal(np.full((1, kind.linear_order), 2**31, bits.word_dtype))[0].tolist()
    polynomial = gf2.characteristic(bits.linear_step, tuple(first), partial(reduce, xor), degree)
    return gf2.Powers(bits.linear_step, kind.linear_order, bits.word_dtype, polynomial)


PLACES, TABLE_PLACES = 16, 10
"""The hexadecimal digits of the jumps in a program, of 64 bits, and of those by tables, of less than 2^40 steps."""

LONGEST_BY_TABLES = 64
"""The bytes of the largest state whose jumps are in tables; those of twice as many would take 80 MB and seconds."""

SHORT, LONG = 16, 32
"""Bytes of a state. To the second, fills are faster on a GPU in small work-groups; beyond it tables of jumps are large,
and fills are faster where the work-items of a group share what they read."""

LANES_OF_SHORT, LANES_OF_LONG, LANES_WITHOUT_TABLES = 256, 128, 64
"""`lanes_of_gpu` of states of up to `SHORT` bytes, of longer ones, and of those whose jumps are in no tables: as
measured on an H100, where 64 of xoroshiro1024** were 11 times as fast as 1024."""


class BinaryRecurrenceCode(GeneratorCode):
    """A linear step of a few words over GF(2); a stride is the columns of a matrix.

    `linear`: the words of the state without a Weyl sequence. `state_bytes`: their bytes. `folded`: whether these are a
    single one of 32 bits, of which the 32 matrices of all jumps are constants of a program.
    """

    recurrence: BinaryRecurrence
    fill_strategy = "blocks"

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self.linear = self.recurrence.linear_order
        self.state_bytes = self.linear * self.word.itemsize
        self.folded = self.state_bytes == 4  # noqa: PLR2004  # bytes
        self.has_tables = not self.folded and self.state_bytes <= LONGEST_BY_TABLES
        self.in_small_groups = not self.folded and self.state_bytes <= LONG
        if not self.folded:
            long = LANES_OF_LONG if self.has_tables else LANES_WITHOUT_TABLES
            self.lanes_of_gpu = LANES_OF_SHORT if self.state_bytes <= SHORT else long
        self.jumps_by_groups = LONG < self.state_bytes <= LONGEST_BY_TABLES

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        recurrence = self.recurrence
        return (*recurrence.powers.columns(n % recurrence.linear_period).ravel().tolist(), *self.beside_stride(n))

    def beside_stride(self, n: int) -> tuple[int, ...]:
        """Return the words of a stride of what is beside the linear words, which is a Weyl sequence or nothing."""
        return (n * self.recurrence.increment % self.recurrence.modulus,) if self.beside else ()

    @property
    def beside(self) -> list[str]:
        """What the text calls the words beside the linear ones."""
        return ["d"] if self.recurrence.increment else []

    @property
    def table_row(self) -> int:
        """The words of a row of the tables of jumps, a power of two."""
        return 1 << (self.linear - 1).bit_length()

    @property
    def jump_tables(self) -> Table | None:
        """The tables of jumps by d 16^j steps, for which constants would be too many; None where there are none."""
        return _jump_tables(self.recurrence.powers, self.table_row) if self.has_tables else None

    @property
    def powers(self) -> Sequence[Sequence[int]]:
        """The jumps of a program: matrices of 2^j steps where `folded`, else polynomials of d 16^j steps."""
        if self.folded:
            return [self.stride(2**j)[:32] for j in range(32)]  # without what is beside the word
        return _polynomials(self.recurrence.powers)

    @property
    def constant_bytes(self) -> int:  # noqa: D102  # as inherited
        return 4 * sum(map(len, self.powers))

    @abstractmethod
    def step(self, values: dict[str, Any]) -> str:
        """Return the state and the step, from the values that all templates take."""

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        word_bits = 8 * self.word.itemsize
        values = {
            **self._common(prefix, width),
            "linear": self.linear,
            "increment": self.recurrence.increment,
            "beside": self.beside,
            "word_bits": word_bits,
            "degree": self.recurrence.powers.degree,
            "folded": self.folded,
            "by_tables": self.has_tables,
            "powers": self.powers if width == 1 else [],
            "table_row": self.table_row,
            "table_words": self.linear * word_bits // 4 * 16 * self.table_row,
        }
        return self.step(values) + render("generators/binary_jumps.cl.mako", **values)


@lru_cache(maxsize=8)
def _polynomials(powers: gf2.Powers) -> list[tuple[int, ...]]:
    """Return the polynomials of jumps by d 16^j steps, each as words of 32 bits, the lowest first."""
    weights = [powers.weights(digit << 4 * place) for place in range(PLACES) for digit in range(1, 16)]
    words = range(0, powers.degree, 32)
    return [tuple(number >> place & MASK for place in words) for number in weights]


@lru_cache(maxsize=8)
def _jump_tables(powers: gf2.Powers, row: int) -> Table:
    """Return the tables of jumps by d 16^j steps, shape (places * 15, groups, 16, row), for every four bits."""
    count, order = powers.columns(0).shape
    found = np.zeros((15 * TABLE_PLACES, count // 4, 16, row), powers.columns(0).dtype)
    for i, table in enumerate(found):
        columns = powers.columns(i % 15 + 1 << 4 * (i // 15)).reshape(count // 4, 4, order)
        for bit in range(4):
            table[:, 1 << bit : 2 << bit, :order] = table[:, : 1 << bit, :order] ^ columns[:, bit, None]
    return Table(found)


class Component(NamedTuple):
    """A component: bits of the recurrence x_i = x_{i-k} + x_{i-k+q} modulo 2, which go on by s at every step."""

    k: int
    q: int
    s: int

    @property
    def least(self) -> int:
        """The least legal word, whose upper k bits are not all 0."""
        return 1 << 32 - self.k


COMPONENTS = Component(31, 6, 18), Component(29, 2, 2), Component(28, 13, 7), Component(25, 3, 13)


class LFSR113(BinaryRecurrence):
    """The combined Tausworthe generator LFSR113.

    Four linear feedback shift registers of 31, 29, 28 and 25 bits, each in the upper bits of a word; a value is the xor
    of the four words.

    Parameters
    ----------
    seed : int or sequence of 4 int, optional
        The four words before the first value, from 2, 8, 16 and 128 to 4294967295; a single integer from 128 stands for
        all four. The lowest 1, 3, 4 and 7 bits of the words have no influence on any value, and are replaced by those
        that the recurrences lead to, which a `state` must have. By default 987654321, as in L'Ecuyer's program.

    Notes
    -----
    The period is (2^31 - 1) (2^29 - 1) (2^28 - 1) (2^25 - 1), about 2^113. A step is linear over GF(2), and a jump
    takes O(log n), as that of `XorShift`.

    References
    ----------
    P. L'Ecuyer, "Tables of maximally equidistributed combined LFSR generators", Mathematics of Computation 68(225),
    1999, pp. 261-269.

    Examples
    --------
    >>> import clrng
    >>> clrng.LFSR113(seed=12345).sequence(3).tolist()
    [3338197162, 227261592, 1979908174]
    """

    name = "lfsr113"
    sample_word = 130
    _modulus = 2**32

    linear_order = 4
    linear_period = prod((1 << component.k) - 1 for component in COMPONENTS)
    state_count = constant(
        linear_period, "How many states there are: of each, the lowest bits of the words follow from the others."
    )
    word_limits = constant(
        tuple((component.least, MASK) for component in COMPONENTS),
        "The least and the largest legal value of each word of the state.",
    )
    _words_are = ", one for each component"
    _formula = "four registers of bits: " + "; ".join(
        f"x[i] = x[i - {k}] ⊕ x[i - {k - q}], {s} bits a step" for k, q, s in COMPONENTS
    )
    _value_is = "the exclusive or of the four words"

    def __init__(self, seed: int | Sequence[int] = 987654321) -> None:
        if not validation.is_sequence(seed):
            seed = [validation.integer("seed", seed, COMPONENTS[-1].least, MASK)] * 4
        self._words = tuple(map(canonical, self._checked_words("seed", seed), COMPONENTS))

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        legal = self.made_legal(states)
        for row in np.flatnonzero((states != legal).any(axis=1)):
            return int(row), f"have lowest bits that the recurrence leads to, as {legal[row].tolist()}"
        return None

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return np.stack([canonical(z, component) for z, component in zip(states.T, COMPONENTS, strict=True)], axis=1)

    def linear_step(self, words: Any) -> Any:  # noqa: D102  # as inherited
        found = []
        for z, (k, q, s) in zip(words, COMPONENTS, strict=True):
            b = ((z << q & MASK) ^ z) >> k - s
            found.append(((z >> 32 - k << 32 - k) << s & MASK) ^ b)
        return tuple(found)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return reduce(xor, words)


def canonical(z: Any, component: Component) -> Any:
    """Return `z`, or every word of it, with the lowest bits that the recurrence leads to from the upper k ones."""
    k, q, _ = component
    upper = z >> 32 - k << 32 - k
    return upper | ((z << q & MASK) ^ upper) >> k


class LFSR113Code(BinaryRecurrenceCode):
    """Four linear feedback shift registers and their xor."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/lfsr113.cl.mako", **values, components=COMPONENTS)


TEMPERING = 0xDA442D24
"""The bits that the last matrix of the recurrence lets through, as corrected in the errata of the paper."""


class WELL512a(BinaryRecurrence):
    """The generator WELL512a, well equidistributed long-period linear, of 16 words of 32 bits.

    Parameters
    ----------
    state : sequence of 16 int
        The words v[0] to v[15], from 0 to 4294967295, not all 0. They are those that the authors' C program takes: the
        array of ``InitWELLRNG512a``, from which its index 0 begins. v[0] is the newest word, which is the last value,
        and v[15] the oldest one; v[1] has become another word since it was a value. A C program that has gone on has
        v[j] in its ``STATE[(state_i + j) % 16]``.

    See Also
    --------
    clrng.named : ``"well512a"``, whose seed is the whole state, and ``"commons_math_well512a"``.

    Notes
    -----
    A step makes two words, with << and >> for shifts within 32 bits: a = v[0] ^ (v[0] << 16) ^ v[13] ^ (v[13] << 15),
    b = v[9] ^ (v[9] >> 11) and c = a ^ b, then the value v' = v[15] ^ (v[15] << 2) ^ a ^ (a << 18) ^ (b << 28) ^ c ^
    ((c << 5) & 0xda442d24). The words are then v', c, v[1], ..., v[14].

    The period is 2^512 - 1: the characteristic polynomial of a step, which is linear over GF(2), is primitive. A
    jump takes O(log n), as that of `XorShift`. Of the coefficients of the polynomial 225 are 1, so that states with
    few bits soon lead to others. The values are maximally equidistributed: over the period, the first l bits of
    floor(512 / l) successive values take all their values equally often, for every l. Every bit has a linear
    recurrence, which tests of linear complexity and of the ranks of binary matrices find.

    References
    ----------
    F. Panneton, P. L'Ecuyer and M. Matsumoto, "Improved long-period generators based on linear recurrences modulo 2",
    ACM Transactions on Mathematical Software 32(1), 2006, pp. 1-16, and its errata.

    Examples
    --------
    >>> import clrng
    >>> clrng.WELL512a([1] * 16).sequence(3).tolist()
    [268435492, 278135812, 2450784260]
    """

    name = "well512a"
    _modulus = 2**32

    linear_order = 16
    linear_period = 2**512 - 1
    _formula = (
        "a = (1 + L^16) v[0] ⊕ (1 + L^15) v[13], b = (1 + R^11) v[9], c = a ⊕ b, "
        f"v' = (1 + L^2) v[15] ⊕ (1 + L^18) a ⊕ L^28 b ⊕ c ⊕ (L^5 c & 0x{TEMPERING:x}), then v = v', c, v[1..14]"
    )
    _value_is = "the newest word, v[0]"

    def __init__(self, state: Sequence[int]) -> None:
        self._set(state=state)

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        return first_bad(~states.any(axis=1), "have a word other than 0, as all values would be 0")

    def linear_step(self, words: Any) -> Any:  # noqa: D102  # as inherited
        newest, middle, late, oldest = words[0], words[9], words[13], words[15]
        a = newest ^ newest << 16 & MASK ^ late ^ late << 15 & MASK
        b = middle ^ middle >> 11
        c = a ^ b
        value = oldest ^ oldest << 2 & MASK ^ a ^ a << 18 & MASK ^ b << 28 & MASK ^ c ^ c << 5 & TEMPERING
        return (value, c, *words[1:15])

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return words[0]


class WELL512aCode(BinaryRecurrenceCode):
    """Sixteen words, of which a step makes two."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/well512a.cl.mako", **values, tempering=TEMPERING)


FAMILIES = (
    Family(
        generator=LFSR113,
        code=LFSR113Code,
        title="Tausworthe generators",
        arguments={"seed": 987654321},
        about="L'Ecuyer's combined Tausworthe generator",
        seeds="128 to 4294967295",
        source="L'Ecuyer 1999",
        helps={"seed": "by default 987654321", "state": "four integers, in place of a seed"},
    ),
    Family(
        generator=WELL512a,
        code=WELL512aCode,
        title="WELL generators",
        arguments={"state": [123456789 * k % 2**32 for k in range(1, 17)]},
    ),
)

LECUYER = (
    "P. L'Ecuyer, Tables of maximally equidistributed combined LFSR generators, Mathematics of Computation 68(225), "
    "1999, pp. 261-269"
)
PANNETON = (
    "F. Panneton, P. L'Ecuyer and M. Matsumoto, Improved long-period generators based on linear recurrences modulo 2, "
    "ACM Transactions on Mathematical Software 32(1), 2006, pp. 1-16"
)


def _gsl(seed: int) -> LFSR113:
    """Return what ``taus113_set`` of GSL makes: words, each 69069 times the one before, made legal by additions.

    GSL draws ten values before its first.
    """
    words, word = [], seed
    for component in COMPONENTS:
        word = 69069 * word % 2**32
        word += component.least if word < component.least else 0
        words.append(word)
    return LFSR113(words).advance(10)


def _commons_math(seed: int) -> WELL512a:
    """Return what ``setSeed`` of Commons Math makes, which shifts signed integers of 32 bits."""
    words = [seed]
    for i in range(1, 16):
        word = words[-1] - (words[-1] >> 31 << 32)
        words.append((1812433253 * (word ^ word >> 30) + i) % 2**32)
    return WELL512a(words)


NAMED = (
    Named("gsl_taus113", "taus113 of GSL, which is LFSR113; GSL takes 1 for seed 0",
          f"{LECUYER}; {GSL}, gsl_rng_taus113", (1, 2**32 - 1), _gsl),
    Named("well512a", "Panneton, L'Ecuyer and Matsumoto's WELL512a; the digits of the seed to the base 2^32, the "
          "lowest first, are the 16 words that their InitWELLRNG512a takes", PANNETON, (1, 2**512 - 1),
          lambda seed: WELL512a([seed >> 32 * i & MASK for i in range(16)])),
    Named("commons_math_well512a", "Well512a of Apache Commons Math from an int, whose 32 bits are the seed; its "
          "nextInt() gives values of 2^31 and more less 2^32", f"{PANNETON}; Apache Commons Math 3.6.1, Well512a",
          (0, 2**32 - 1), _commons_math),
)  # fmt: skip
