"""Xorshift generators of any words and shifts: Marsaglia's, Panneton and L'Ecuyer's, and xorwow."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators import scrambler as scramblers
from clrng.generators.base import Words, first_bad
from clrng.generators.binary_recurrence import BinaryRecurrence, BinaryRecurrenceCode
from clrng.generators.family import Family, Named
from clrng.generators.maths import gf2
from clrng.generators.one_word import OneWord
from clrng.generators.parameters import WORD_BITS, Attribute, Kind, Naming, Parameter, integers, several
from clrng.generators.scrambler import Scrambler
from clrng.generators.splitmix import splitmix64
from clrng.opencl.templates import render
from clrng.validation import shown

PRIMES = (
    3, 5, 7, 11, 13, 17, 29, 31, 41, 43, 97, 113, 127, 193, 241, 257, 449, 641, 673, 2689, 5153, 61681, 65537, 274177,
    414721, 6700417, 15790321, 22253377, 183076097, 4278255361, 54410972897, 44479210368001, 67280421310721,
    358429848460993, 59649589127497217, 18446744069414584321, 5704689200685129054721, 1238926361552897,
    93461639715357977769163558199606896584051237541638188580280321, 2424833,
    7455602825647884208337395736200454918783366342657,
    741640062627530801524787141901937474059940781097519023905821316144415759504705008092818711693940737,
)  # fmt: skip
"""All that divide the period of some state, which has 32, 64, ..., 256 bits, or 512 or 1024."""


def primes_of_period(bits: int) -> list[int]:
    """Return the primes that divide 2^bits - 1, for a state of so many bits."""
    return [prime for prime in PRIMES if pow(2, bits, prime) == 1]


MOST_SHIFTS = 16
LARGEST, LARGER = 256, (512, 1024)
"""The most bits of a state, and which larger numbers of bits are legal too."""

Moves = tuple[tuple[int, int], ...]
"""Lags and shifts, in pairs."""


def _increment(name: Naming, key: str, value: Any, generator: Any) -> int:
    found = validation.integer(name(key), value, 0, 2**generator.bits - 1)
    if found and found % 2 == 0:
        raise ValueError(f"{name(key)} must be an odd integer, or 0 for none, not {found}")
    return found


def _scrambler(name: Naming, key: str, value: Any, generator: Any) -> Scrambler | None:
    if value is None:
        return None
    if generator.increment:
        raise ValueError(f"{name(key)} must be None where there is an increment, not {shown(value)}")
    return scramblers.checked(name(key), value, max(generator.lags), generator.bits)


def _lags(name: Naming, key: str, value: Any, generator: Any) -> Words:
    if not 1 <= len(validation.sequence(name(key), value)) <= MOST_SHIFTS:
        raise ValueError(f"{name(key)} must be 1 to {MOST_SHIFTS} integers, not {len(value)}")
    lags = integers(name(key), value, 1, LARGER[-1] // generator.bits)
    size = max(lags) * generator.bits
    if size > LARGEST and size not in LARGER:
        legal = [str(bits // generator.bits) for bits in LARGER]
        most = LARGEST // generator.bits
        raise ValueError(f"{name(key)} must have a largest of {most} at most, or {' or '.join(legal)}, not {max(lags)}")
    return lags


def _shifts(name: Naming, key: str, value: Any, generator: Any) -> Words:
    """Return shifts if they have the longest period with the lags."""
    lags, bits = generator.lags, generator.bits
    shifts = integers(name(key), value, 1 - bits, bits - 1)
    if not shifts:
        raise ValueError(f"{name(key)} must be {len(lags)} integers, as many as lags, not 0")
    if len(lags) != len(shifts):
        raise ValueError(f"{name('lags')} must be {len(shifts)} integers, as many as shifts, not {len(lags)}")
    if characteristic(tuple(zip(lags, shifts, strict=True)), bits) is None:
        raise ValueError(
            f"{name(key)} must be such that the period is 2^{max(lags) * bits} - 1 with {name('lags')} "
            f"{list(lags)}, not {list(shifts)}; clrng.named('xorshift128', 1) has such"
        )
    return shifts


def _three(name: Naming, key: str, value: Any, _: Any) -> tuple[int, int, int]:
    """Return the shifts of a generator of one word if they have the longest period."""
    a, b, c = integers(name(key), several(name(key), value, 3, "three integers"), 1, 31)
    if not has_full_period((a, b, c)):
        raise ValueError(f"{name(key)} must be three whose period is 2^32 - 1, such as (13, 17, 5), not {(a, b, c)}")
    return a, b, c


class XorShift(BinaryRecurrence):
    """A xorshift generator: a word is the xor of earlier words, each xored with shifted copies of itself.

    Parameters
    ----------
    lags : sequence of int
        Which earlier words are taken, from 1, the newest one, on. The largest is the number p of words that are kept.
    shifts : sequence of int
        As many as lags. Shift s replaces the word y at its lag by y ^ (y << s) or, where s is negative, by
        y ^ (y >> -s), and leaves it as it is where s is 0; from 1 - bits to bits - 1. Where a lag comes several times,
        its shifts follow one another on the same word.
    state : sequence of int
        The p words before the first value, the oldest first, not all 0; behind them, where there is an increment, the
        Weyl sequence.
    bits : int, optional
        The bits of a word, 32 or 64. A state has 256 bits at most, or 512 or 1024.
    increment : int, optional
        Where it is not 0, an odd number that a Weyl sequence goes up by at every step; a value is then the sum of this
        and the newest word, as in xorwow.
    scrambler : tuple, optional
        What makes a value of the words, in place of the newest one, as for `Xoshiro`: such as ``("+", 0, 1)``, the sum
        of both of two words, of xorshift128+.

    See Also
    --------
    clrng.XorShift32 : the one of a single word of 32 bits and three shifts.
    clrng.named : ``"xorshift64"``, ``"xorshift96"``, ``"xorshift128"``, ``"xorwow"``, ``"xorshift7"`` and
        ``"xorshift128plus"``.

    Notes
    -----
    Only lags and shifts are legal that lead from every state of the words but 0 through all others, so that the period
    is 2^(p bits) - 1, times 2^bits with an increment. A step of the words is linear over GF(2). It is that long if and
    only if the characteristic polynomial of the step is primitive, which the primes of the period tell. A jump of n is
    the sum of the first powers of the step whose weights are the coefficients of x^n modulo this polynomial, and takes
    O(log n). Each bit of the words has a linear recurrence, which tests of linear complexity and of the ranks of binary
    matrices find.

    References
    ----------
    G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003. F. Panneton and P. L'Ecuyer, "On the
    xorshift random number generators", ACM Transactions on Modeling and Computer Simulation 15(4), 2005, pp. 346-361.

    Examples
    --------
    The ``xor128()`` of Marsaglia 2003:

    >>> import clrng
    >>> words = [123456789, 362436069, 521288629, 88675123]
    >>> clrng.XorShift([4, 4, 1], [11, -8, -19], words).sequence(3).tolist()
    [3701687786, 458299110, 2500872618]
    """

    name = "xorshift"

    lags = Parameter("Which earlier words are taken.", Kind(_lags, several=True))
    shifts: Parameter[Words] = Parameter("The shifts of the words at the lags.", Kind(_shifts, several=True))
    bits = Parameter("The bits of a word.", WORD_BITS, early=True)
    increment: Parameter[int] = Parameter("What the Weyl sequence goes up by; 0 where there is none.", Kind(_increment))
    scrambler: Parameter[Scrambler | None] = Parameter(
        "What a value is made by, or None: a name, and the words and constants that it takes.",
        Kind(_scrambler), usual=None, optional=True,
    )  # fmt: skip

    moves: Attribute[Moves] = Attribute("The lags and the shifts, in pairs.")
    linear_order = cast("int", Attribute("The number of words of the state without a Weyl sequence."))
    linear_period = cast("int", Attribute("The number of steps before the words without a Weyl sequence come again."))

    def __init__(
        self, lags: Sequence[int], shifts: Sequence[int], state: Sequence[int], bits: int = 32, increment: int = 0,
        scrambler: Sequence[Any] | None = None,
    ) -> None:  # fmt: skip
        self._set(lags=lags, shifts=shifts, state=state, bits=bits, increment=increment, scrambler=scrambler)

    _scrambler: Scrambler | None = None

    def _derive(self) -> None:
        self._modulus = 2**self.bits
        self._moves: Moves = tuple(zip(self.lags, self.shifts, strict=True))
        self._linear_order = max(self.lags)
        self._least = int(self.order == 1)  # a single word is never 0
        self._linear_period: int = 2 ** (self._linear_order * self.bits) - 1

    @property
    def taps(self) -> list[tuple[int, list[int]]]:
        """The lags, each with the shifts of its word, in their order."""
        found: dict[int, list[int]] = {}
        for lag, shift in self.moves:
            found.setdefault(lag, []).extend([shift] if shift else [])
        return list(found.items())

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        return first_bad(
            ~states[:, : self.linear_order].any(axis=1), "have a word other than 0 for the shifts, or they stay 0"
        )

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        terms = [_term(f"x[i - {lag}]", shifts) for lag, shifts in self.taps]
        plus = f", plus a Weyl sequence in steps of {number(self.increment)}" if self.increment else ""
        return f"x[i] = {' ⊕ '.join(terms)}{plus}"

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        if self._scrambler:
            return scramblers.formula(self._scrambler)
        return f"the newest word{' plus the Weyl sequence' if self.increment else ''}"

    @property
    def powers(self) -> gf2.Powers:  # noqa: D102  # as inherited
        return _powers(self.moves, self.bits)

    def linear_step(self, words: Any) -> Any:  # noqa: D102  # as inherited
        return stepped(words, self.moves, self.bits)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        if self._scrambler:
            return scramblers.scrambled(words, self._scrambler, self.bits)
        return (words[-2] + words[-1]) % self._modulus if self.increment else words[-1]


class XorShift32(OneWord, XorShift):
    """The xorshift generator of 32 bits.

    A step is y ^= y << a, y ^= y >> b, y ^= y << c on words of 32 bits.

    Parameters
    ----------
    seed : int
        The state before the first value, from 1 to 4294967295.
    shifts : (int, int, int), optional
        The shifts a, b and c, each from 1 to 31, by default 13, 17 and 5. Only those are legal that lead from every
        state through all others, as 162 triples do.

    Attributes
    ----------
    modulus : int
        2^32.

    Notes
    -----
    A value is the state itself. A step is linear over GF(2): it multiplies the 32 bits of the state by a matrix T. The
    period is 2^32 - 1 from every state but 0 if and only if the characteristic polynomial of T is primitive, which the
    primes of 2^32 - 1, 3, 5, 17, 257 and 65537, tell. A jump of n multiplies by T^n, with n modulo the period, and
    takes O(log n). Each bit of the values has a linear recurrence of order 32, which tests of linear complexity and of
    the ranks of binary matrices find.

    References
    ----------
    G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, whose example ``xor()`` has the default
    shifts and the seed 2463534242.

    Examples
    --------
    >>> import clrng
    >>> clrng.XorShift32(seed=2463534242).sequence(3).tolist()
    [723471715, 2497366906, 2064144800]
    """

    name = "xorshift32"
    consecutive_seeds = True
    _lags, _bits, _modulus, _increment, _least = (1, 1, 1), 32, 2**32, 0, 1
    _linear_order, _linear_period = 1, 2**32 - 1

    shifts = Parameter("The shifts a, b and c.", Kind(_three, several=True, count=3))

    def __init__(self, seed: int, shifts: tuple[int, int, int] = (13, 17, 5)) -> None:
        self._set(state=seed, shifts=shifts)

    def _derive(self) -> None:
        a, b, c = self.shifts
        self._moves = (1, a), (1, -b), (1, c)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited; they are short
        a, b, c = self.shifts
        return f"y ^= y << {a}, y ^= y >> {b}, y ^= y << {c}"


def has_full_period(shifts: tuple[int, int, int]) -> bool:
    """Return whether a state of these shifts, each from 1 to 31, comes again after 2^32 - 1 steps and not before."""
    a, b, c = shifts
    return characteristic(((1, a), (1, -b), (1, c)), 32) is not None


def stepped(words: Any, moves: Moves, bits: int) -> Any:
    """Return the words after `words`; each may be an array, of many states."""
    mask, shifted = 2**bits - 1, {lag: words[-lag] for lag, _ in moves}
    for lag, shift in moves:
        y = shifted[lag]
        if shift:
            shifted[lag] = y ^ (y << shift & mask if shift > 0 else y >> -shift)
    total, *others = shifted.values()
    for y in others:
        total = total ^ y
    return (*words[1:], total)


@lru_cache(maxsize=256)
def characteristic(moves: Moves, bits: int) -> int | None:
    """Return the characteristic polynomial of the step if it is primitive, so that the period is the longest."""
    order = max(lag for lag, _ in moves)
    return longest(partial(stepped, moves=moves, bits=bits), order, bits, is_known=(moves, bits) == XORSHIFT_1024)


XORSHIFT_1024 = ((16, 31), (16, -11), (1, -30)), 64
"""The moves of xorshift1024*, which are published as those of the longest period; to find that out takes seconds."""


def longest(step: Callable[[Any], Any], order: int, bits: int, *, is_known: bool = False) -> int | None:
    """Return the characteristic polynomial of a step if it is primitive, so that the period is the longest.

    It is a step of `order` words of so many bits, of which this may be known.
    """
    found = gf2.characteristic(step, (1,) + (0,) * (order - 1), itemgetter(-1), order * bits)
    if is_known:
        return found
    is_longest = found.bit_length() > order * bits and gf2.is_primitive(found, primes_of_period(order * bits))
    return found if is_longest else None


@lru_cache(maxsize=16)
def _powers(moves: Moves, bits: int) -> gf2.Powers:
    """Return the powers of the step of these lags and shifts, legal ones."""
    polynomial = cast("int", characteristic(moves, bits))
    order = max(lag for lag, _ in moves)
    return gf2.Powers(partial(stepped, moves=moves, bits=bits), order, np.dtype(f"u{bits // 8}"), polynomial)


def _term(y: str, shifts: Sequence[int]) -> str:
    """Return how a term reads: the word `y` after its xorshifts."""
    factors = [f"(1 {'+' if s else ''} {'L' if s > 0 else 'R'}^{abs(s)})" for s in reversed(shifts)]
    return " ".join([*factors, y])


MOST_NESTED = 3
"""The most shifts of a plain step, whose text doubles with each."""


class XorShiftCode(BinaryRecurrenceCode):
    """Shifts and xors."""

    recurrence: XorShift

    @property
    def plain_step(self) -> str | None:
        """OpenCL C of the step of a ``uint`` x, put together from its shifts in 64 bits; None of larger states."""
        shifts = self.recurrence.taps[0][1]
        if not self.folded or self.recurrence.increment or self.recurrence.scrambler or len(shifts) > MOST_NESTED:
            return None
        y = "(ulong)x"
        for shift in shifts:
            y = f"(({y} ^ {y} << {shift}) & 0xffffffffUL)" if shift > 0 else f"({y} ^ {y} >> {-shift})"
        return y

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        found = self.recurrence.scrambler
        newest = f"s.x{self.linear - 1}{' + s.d' if self.recurrence.increment else ''}"
        shown = scramblers.text(found, f"{values['p']}rotl", values["u"]) if found else newest
        values = {**values, "shown": shown, "rotates": found is not None}
        return render("generators/xorshift.cl.mako", **values, taps=self.recurrence.taps)


FAMILIES = (
    Family(
        generator=XorShift,
        code=XorShiftCode,
        title="Xorshift generators",
        arguments={
            "lags": [4, 4, 1],
            "shifts": [11, -8, -19],
            "state": [123456789, 362436069, 521288629, 88675123],
            "bits": 32,
            "increment": 0,
        },
        about="xorshift generators of any --lags and --shifts of the longest period, from --state",
        source="Marsaglia 2003; Panneton and L'Ecuyer 2005",
        helps={
            "lags": "such as 4,4,1",
            "shifts": "as many, such as 11,-8,-19",
            "state": "x_0,x_1,...",
            "bits": "32 or 64, by default 32",
            "increment": "by default 0",
        },
    ),
    Family(
        generator=XorShift32,
        code=XorShiftCode,
        title="Xorshift generators",
        arguments={"seed": 2463534242, "shifts": (13, 17, 5)},
        about="Marsaglia's xorshift generator of 32 bits, with any --shifts of full period",
        seeds="1 to 4294967295",
        source="Marsaglia 2003",
        helps={"seed": "by default 1", "shifts": "such as 13,17,5"},
        defaults={"seed": 1},
    ),
)

VIGNA_STAR = (
    'S. Vigna, "An experimental exploration of Marsaglia\'s xorshift generators, scrambled", ACM Transactions on '
    "Mathematical Software 42(4), 2016"
)
VIGNA = (
    'S. Vigna, "Further scramblings of Marsaglia\'s xorshift generators", Journal of Computational and Applied '
    "Mathematics 315, 2017"
)
MARSAGLIA = 'G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003'
PANNETON = (
    "F. Panneton and P. L'Ecuyer, On the xorshift random number generators, ACM Transactions on Modeling and Computer "
    "Simulation 15(4), 2005, pp. 346-361"
)
WEYL = 6615241
"""Where Marsaglia's Weyl sequence begins."""


def _named(name: str, what: str, source: str, lags: Words, shifts: Words, bits: int = 32, increment: int = 0) -> Named:
    """Return the row of a paper's generator: a seed is all words of the state, the first in its lowest digits."""
    order, weyl = max(lags), (WEYL,) if increment else ()

    def made(seed: int) -> XorShift:
        words = (seed >> bits * i & 2**bits - 1 for i in range(order))
        return XorShift(lags, shifts, (*words, *weyl), bits, increment)

    return Named(name, what, source, (1, 2 ** (bits * order) - 1), made)


def _star(seed: int) -> XorShift:
    """Return xorshift1024*, whose newest word is s[p], and the oldest one the next in the circle."""
    newest, *words = splitmix64(seed, 16)
    return XorShift((16, 16, 1), (31, -11, -30), [*words, newest], 64, scrambler=("*", 15, 1181783497276652981))


def _plus(seed: int) -> XorShift:
    """Return xorshift128+, whose values are the sums of the words before a step."""
    words = splitmix64(seed, 2)
    return XorShift((2, 2, 1), (23, -18, -5), words, 64, scrambler=("+", 0, 1)).advance(-1)


def _kotlin(seed: int) -> XorShift:
    """Return what Random of Kotlin makes of a long: it begins with both halves of it, and draws 64 values."""
    low, high = seed % 2**32, seed >> 32
    state = low, high, 0, 0, low ^ 2**32 - 1, low << 10 & 2**32 - 1 ^ high >> 4
    return XorShift((5, 5, 1), (-2, 1, 4), state, increment=362437).advance(64)


NAMED = (
    _named("xorshift64", "Marsaglia's xor64: the shifts 13, 7 and 17 on a word of 64 bits, which is the seed",
           MARSAGLIA, (1, 1, 1), (13, -7, 17), bits=64),
    _named("xorshift96", "Marsaglia's generator of three words with the shifts 10, 5 and 26; the seed is x + y 2^32 + "
           "z 2^64", MARSAGLIA, (3, 3, 1), (10, -5, -26)),
    _named("xorshift128", "Marsaglia's xor128: four words with the shifts 11, 8 and 19; the seed is x + y 2^32 + z "
           "2^64 + w 2^96", MARSAGLIA, (4, 4, 1), (11, -8, -19)),
    _named("xorwow", "Marsaglia's xorwow: five words and a Weyl sequence; the seed is x + y 2^32 + z 2^64 + w 2^96 + "
           "v 2^128, and d is 6615241", MARSAGLIA, (5, 5, 1), (-2, 1, 4), increment=362437),
    _named("xorshift7", "Panneton and L'Ecuyer's generator of seven xorshifts on eight words, the digits of the seed "
           "to the base 2^32, the lowest first", PANNETON, (1, 1, 4, 5, 7, 8, 8), (13, 9, 7, -3, -10, -7, 24)),
    Named("xorshift1024star", "Vigna's xorshift1024* with the multiplier 1181783497276652981; the words s[0] to s[15] "
          "are values of SplitMix64 from the seed, and p is 0", VIGNA_STAR, (0, 2**64 - 1), _star),
    Named("xorshift128plus", "Vigna's xorshift128+ of 2016, whose shifts are 23, 18 and 5; the two words are values of "
          "SplitMix64 from the seed", VIGNA, (0, 2**64 - 1), _plus),
    Named("kotlin_random", "Random(seed) of Kotlin, whose 64 bits are the seed, with its sign: nextInt(), plus 2^32 "
          "where that is negative", f"{MARSAGLIA}; Kotlin 1.9, kotlin.random.XorWowRandom", (0, 2**64 - 1), _kotlin),
)  # fmt: skip
"""The xorshift generators of papers."""
