"""Xorshift generators of any words and shifts: Marsaglia's, Panneton and L'Ecuyer's, and xorwow."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators.base import Words, all_zero, argument
from clrng.generators.binary_recurrence import BinaryRecurrence, BinaryRecurrenceCode
from clrng.generators.maths import gf2
from clrng.opencl.templates import render
from clrng.validation import shown

PRIMES = {
    32: (3, 5, 17, 257, 65537),
    64: (3, 5, 17, 257, 641, 65537, 6700417),
    96: (3, 5, 7, 13, 17, 97, 193, 241, 257, 673, 65537, 22253377),
    128: (3, 5, 17, 257, 641, 65537, 274177, 6700417, 67280421310721),
    160: (3, 5, 11, 17, 31, 41, 257, 61681, 65537, 414721, 4278255361, 44479210368001),
    192: (3, 5, 7, 13, 17, 97, 193, 241, 257, 641, 673, 65537, 6700417, 22253377, 18446744069414584321),
    224: (
        3, 5, 17, 29, 43, 113, 127, 257, 449, 2689, 5153, 65537, 15790321, 183076097, 54410972897, 358429848460993,
    ),
    256: (
        3, 5, 17, 257, 641, 65537, 274177, 6700417, 67280421310721, 59649589127497217, 5704689200685129054721,
    ),
}  # fmt: skip
"""The bits of a state, and the primes that divide the period, two to their power less 1."""

MOST_SHIFTS = 16


class XorShift(BinaryRecurrence):
    """A xorshift generator: a word is the xor of earlier words, each xored with shifted copies of itself.

    Parameters
    ----------
    lags : sequence of int
        Which earlier words are taken, from 1, the newest one, to 8. The largest is the number p of words that are kept.
    shifts : sequence of int
        As many as lags. Shift s replaces the word y at its lag by y ^ (y << s) or, where s is negative, by
        y ^ (y >> -s), and leaves it as it is where s is 0; from 1 - bits to bits - 1. Where a lag comes several times,
        its shifts follow one another on the same word.
    state : sequence of int
        The p words before the first value, the oldest first, not all 0; behind them, where there is an increment, the
        Weyl sequence.
    bits : int, optional
        The bits of a word, 32 or 64. A state has 256 bits at most.
    increment : int, optional
        Where it is not 0, an odd number that a Weyl sequence goes up by at every step; a value is then the sum of this
        and the newest word, as in xorwow.

    Raises
    ------
    TypeError
        If an argument is not an integer, or a sequence of them where it has to be.
    ValueError
        If one is out of range, a sequence has not the right length, all words are 0, or the period of the words is not
        2^(p bits) - 1.

    See Also
    --------
    clrng.XorShift32 : the one of a single word of 32 bits and three shifts.
    clrng.named : ``"xorshift64"``, ``"xorshift96"``, ``"xorshift128"``, ``"xorwow"`` and ``"xorshift7"``.

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

    def __init__(
        self, lags: Sequence[int], shifts: Sequence[int], state: Sequence[int], bits: int = 32, increment: int = 0
    ) -> None:
        self._set(str, lags=lags, shifts=shifts, state=state, bits=bits, increment=increment)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        bits = validation.integer(name("bits"), values["bits"], 32, 64)
        if bits not in (32, 64):
            raise ValueError(f"{name('bits')} must be 32 or 64, not {bits}")
        increment = validation.integer(name("increment"), values["increment"], 0, 2**bits - 1)
        if increment and increment % 2 == 0:
            raise ValueError(f"{name('increment')} must be an odd integer, or 0 for none, not {increment}")
        lags, shifts = _checked_lags(name, values["lags"], values["shifts"], bits)
        words = _checked_words(name("state"), values["state"], max(lags), 2**bits, weyl=increment > 0)
        self._take(lags, shifts, bits, increment, words)

    def _take(self, lags: Words, shifts: Words, bits: int, increment: int, words: Words) -> None:
        self._modulus, self._lags, self._shifts = 2**bits, lags, shifts
        self._bits, self._increment, self._words = bits, increment, words

    def _values(self) -> dict[str, Any]:
        return {
            "lags": list(self._lags),
            "shifts": list(self._shifts),
            "bits": self._bits,
            "increment": self._increment,
            "state": list(self._words),
        }

    def __repr__(self) -> str:
        return (
            f"XorShift(lags={list(self._lags)}, shifts={list(self._shifts)}, state={list(self._words)}, "
            f"bits={self._bits}, increment={self._increment})"
        )

    @property
    def taps(self) -> list[tuple[int, list[int]]]:
        """The lags, each with the shifts of its word, in their order."""
        found: dict[int, list[int]] = {}
        for lag, shift in zip(self._lags, self._shifts, strict=True):
            found.setdefault(lag, []).extend([shift] if shift else [])
        return list(found.items())

    @property
    def linear_order(self) -> int:  # noqa: D102  # as inherited
        return max(self._lags)

    @property
    def bits(self) -> int:
        """The bits of a word."""
        return self._bits

    @property
    def word_limits(self) -> list[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [(int(self.order == 1), self._modulus - 1)] * self.order

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:
        """Return the first of `states` all of whose words are 0 but for the Weyl sequence, and what is legal."""
        bad = all_zero(states[:, : self.linear_order])
        return (bad[0], "have a word other than 0 for the shifts, or they stay 0") if bad else None

    @property
    def min_value(self) -> int:
        """The least raw value there can be: 1 where a value is all of the state, else 0."""
        return int(self.order == 1)

    @property
    def upper_bound(self) -> int:
        """2^bits."""
        return self._modulus

    @property
    def linear_period(self) -> int:  # noqa: D102  # as inherited
        period: int = 2 ** (self.linear_order * self._bits) - 1
        return period

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        terms = [_term(f"x[i - {lag}]", shifts) for lag, shifts in self.taps]
        plus = f", plus a Weyl sequence in steps of {number(self._increment)}" if self._increment else ""
        return f"x[i] = {' ⊕ '.join(terms)}{plus}"

    @property
    def powers(self) -> gf2.Powers:  # noqa: D102  # as inherited
        return _powers_of(self._lags, self._shifts, self._bits)

    def linear_step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        found: Words = stepped(words, self._lags, self._shifts, self._bits)
        return found

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return (words[-2] + words[-1]) % self._modulus if self._increment else words[-1]


def stepped(words: Any, lags: Words, shifts: Words, bits: int) -> Any:
    """Return the words after `words`; each may be an array, of many states."""
    mask, shifted = 2**bits - 1, {lag: words[-lag] for lag in lags}
    for lag, shift in zip(lags, shifts, strict=True):
        y = shifted[lag]
        if shift:
            shifted[lag] = y ^ (y << shift & mask if shift > 0 else y >> -shift)
    total, *others = shifted.values()
    for y in others:
        total = total ^ y
    return (*words[1:], total)


@lru_cache(maxsize=256)
def characteristic(lags: Words, shifts: Words, bits: int) -> int | None:
    """Return the characteristic polynomial of the step if it is primitive, so that the period is the longest."""
    size, words, newest = max(lags) * bits, (1,) + (0,) * (max(lags) - 1), []
    for _ in range(2 * size):
        words = stepped(words, lags, shifts, bits)
        newest.append(words[-1] & 1)
    found = gf2.connection(newest)
    if found.bit_length() <= size or not gf2.is_primitive(found, PRIMES[size]):
        return None
    return found


@lru_cache(maxsize=16)
def _powers_of(lags: Words, shifts: Words, bits: int) -> gf2.Powers:
    """Return the powers of the step of these lags and shifts, legal ones."""
    polynomial = characteristic(lags, shifts, bits)
    if polynomial is None:
        raise ValueError(f"lags {lags} and shifts {shifts} have not the longest period")
    return gf2.Powers(
        lambda words: stepped(words, lags, shifts, bits), max(lags), np.dtype(f"u{bits // 8}"), polynomial
    )


def _checked_lags(name: Callable[[str], str], lags: Any, shifts: Any, bits: int) -> tuple[Words, Words]:
    """Return lags and shifts if they have the longest period."""
    validation.sequence(name("lags"), lags)
    validation.sequence(name("shifts"), shifts)
    if not 1 <= len(lags) <= MOST_SHIFTS:
        raise ValueError(f"{name('lags')} must be 1 to {MOST_SHIFTS} integers, not {len(lags)}")
    if len(shifts) == 0:
        raise ValueError(f"{name('shifts')} must be {len(lags)} integers, as many as lags, not 0")
    most = 256 // bits
    legal = tuple(validation.integer(f"{name('lags')}[{i}]", lag, 1, most) for i, lag in enumerate(lags))
    moved = tuple(validation.integer(f"{name('shifts')}[{i}]", s, 1 - bits, bits - 1) for i, s in enumerate(shifts))
    if len(lags) != len(shifts):
        raise ValueError(f"{name('lags')} must be {len(shifts)} integers, as many as shifts, not {len(lags)}")
    if characteristic(legal, moved, bits) is None:
        raise ValueError(
            f"{name('shifts')} must be such that the period is 2^{max(legal) * bits} - 1 with {name('lags')} "
            f"{list(legal)}, not {list(moved)}; clrng.named('xorshift128', 1) has such"
        )
    return legal, moved


def _checked_words(name: str, values: Any, order: int, modulus: int, *, weyl: bool) -> Words:
    """Return `values` if they are words of a state, with the Weyl sequence behind them where there is one."""
    validation.sequence(name, values)
    if len(values) != order + weyl:
        raise ValueError(f"{name} must be {order + weyl} integers, not {len(values)}")
    least = int(order + weyl == 1)
    words = tuple(validation.integer(f"{name}[{i}]", word, least, modulus - 1) for i, word in enumerate(values))
    if not any(words[:order]):
        raise ValueError(f"{name} must have a word other than 0 for the shifts, or they stay 0, not {list(words)}")
    return words


def _term(y: str, shifts: Sequence[int]) -> str:
    """Return how a term reads: the word `y` after its xorshifts."""
    factors = [f"(1 {'+' if s else ''} {'L' if s > 0 else 'R'}^{abs(s)})" for s in reversed(shifts)]
    return " ".join([*factors, y])


BITS = 32
PERIOD = 2**32 - 1

Shifts = tuple[int, int, int]


class XorShift32(XorShift):
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

    Raises
    ------
    TypeError
        If `seed` is not an integer, or `shifts` is not three integers.
    ValueError
        If one is out of range, or the period of the shifts is not 2^32 - 1.

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

    def __init__(self, seed: int, shifts: Shifts = (13, 17, 5)) -> None:
        self._set(argument, state=seed, shifts=shifts)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        word = validation.integer(name("state"), values["state"], 1, PERIOD)
        a, b, c = _checked(name("shifts"), values["shifts"])
        self._take((1, 1, 1), (a, -b, c), BITS, 0, (word,))

    def __repr__(self) -> str:
        return f"XorShift32(seed={self.word}, shifts={self.shifts})"

    @property
    def word(self) -> int:
        """The current state."""
        return self._words[0]

    @property
    def shifts(self) -> Shifts:
        """The shifts a, b and c."""
        a, b, c = self._shifts
        return a, -b, c

    def _values(self) -> dict[str, Any]:
        return {"shifts": list(self.shifts), "state": self.word}

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited; they are short
        a, b, c = self.shifts
        return f"y ^= y << {a}, y ^= y >> {b}, y ^= y << {c}"


def has_full_period(shifts: Shifts) -> bool:
    """Return whether a state of these shifts, each from 1 to 31, comes again after 2^32 - 1 steps and not before."""
    a, b, c = shifts
    return characteristic((1, 1, 1), (a, -b, c), BITS) is not None


def _checked(name: str, value: Any) -> Shifts:
    if not validation.is_sequence(value) or len(value) != 3:  # noqa: PLR2004  # a, b and c
        raise TypeError(f"{name} must be three integers, not {shown(value)}")
    a, b, c = (validation.integer(f"{name}[{i}]", shift, 1, BITS - 1) for i, shift in enumerate(value))
    if not has_full_period((a, b, c)):
        raise ValueError(f"{name} must be three whose period is 2^32 - 1, such as (13, 17, 5), not {(a, b, c)}")
    return a, b, c


MOST_NESTED = 3
"""The most shifts of a plain step, whose text doubles with each."""


class XorShiftCode(BinaryRecurrenceCode):
    """Shifts and xors."""

    recurrence: XorShift

    @property
    def plain_step(self) -> str | None:
        """OpenCL C of the step of a ``uint`` x, put together from its shifts in 64 bits; None of larger states."""
        shifts = self.recurrence.taps[0][1]
        if not self.folded or self.recurrence.increment or len(shifts) > MOST_NESTED:
            return None
        y = "(ulong)x"
        for shift in shifts:
            y = f"(({y} ^ {y} << {shift}) & 0xffffffffUL)" if shift > 0 else f"({y} ^ {y} >> {-shift})"
        return y

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/xorshift.cl.mako", **values, taps=self.recurrence.taps)
