"""General linear recurrences over Z_m, x_k = c + a_1 x_{k-1} + ... + a_p x_{k-p} mod m."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd
from operator import mul
from typing import Any, NamedTuple

import numpy.typing as npt

from clrng import validation
from clrng.generators.arithmetic import ARITHMETICS, MODULUS, Arithmetic, balanced, factor_words, products
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import CTYPES, GeneratorCode, ValueTable
from clrng.generators.maths.number_theory import is_power_of_two, is_prime, is_primitive_root, mapped
from clrng.generators.maths.polynomials import Polynomial, PowersOfX, powers_of_x
from clrng.generators.parameters import LARGEST_MODULUS, Kind, Naming, Parameter, integer, integers
from clrng.opencl.templates import joined, render

LARGEST_ORDER = 64


def _coefficients(name: Naming, key: str, value: Any, recurrence: Any) -> Words:
    """Return coefficients if there are not too many, and the last is not 0."""
    m = recurrence.modulus
    found = integers(name(key), value, 0, m - 1)
    p = len(found)
    if not 1 <= p <= LARGEST_ORDER:
        raise ValueError(f"{name(key)} must be 1 to {LARGEST_ORDER} integers, not {p}")
    if found[-1] == 0:
        raise ValueError(f"{name(key)}[{p - 1}], the last, must be an integer from 1 to {m - 1}, not 0")
    return found


def _primitive_root(name: Naming, key: str, value: Any, recurrence: Any) -> int | None:
    """Return `value` if it is a primitive root modulo the modulus, an odd prime, or None."""
    if value is None:
        return None
    m = recurrence.modulus
    root = validation.integer(name(key), value, 1, m - 1)
    if m == 2 or not is_prime(m):  # noqa: PLR2004  # the even prime
        raise ValueError(f"{name('modulus')} must be an odd prime where {name(key)} is given, not {m}")
    if not is_primitive_root(root, m):
        raise ValueError(
            f"{name(key)} must be a primitive root modulo {m}, whose powers are all of 1 to {m - 1}, not {root}"
        )
    return root


class LinearRecurrence(BitGenerator):
    """The recurrence x_k = c + a_1 x_{k-1} + ... + a_p x_{k-p} mod m.

    Parameters
    ----------
    coefficients : sequence of int
        a_1, ..., a_p, from 0 to m - 1; the last is not 0. The order p is from 1 to 64.
    state : sequence of int
        x_0, ..., x_{p-1}, from 0 to m - 1. The first value is x_p. They must not all be 0 where the constant is 0,
        unless a_p and m have a factor in common, which may bring states to 0.
    modulus : int
        The modulus m, from 2 to 2^64.
    constant : int, optional
        The constant c, from 0 to m - 1.
    yarn : int, optional
        A primitive root g modulo m, which must be an odd prime: a value is then g^x mod m of the newest word x, or 0
        of 0. By default a value is the newest word itself.

    Notes
    -----
    Vectors of successive values of a linear recurrence lie on a lattice. Powers g^x, the output of the YARN generators
    of TRNG ("yet another random number"), do not. As g is a primitive root, the powers of all words but 0 are these
    words in another order: every value is as frequent as it was, and the period stays. The state, and so all jumps and
    streams, are those of the linear recurrence.

    A jump of n takes O(p^2 log n): x_n is the combination of x_0, ..., x_{p-1} whose weights are the coefficients of
    x^n modulo the characteristic polynomial. A constant is one more dimension: it multiplies that polynomial by x - 1.

    References
    ----------
    P. Stpiczynski, D. Szalkowski and J. Potiopa, "Parallel GPU-accelerated recursion-based generators of pseudorandom
    numbers", FedCSIS 2012, pp. 571-578, equation (3). D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed.,
    section 3.2.2, Addison-Wesley, 1997. H. Bauke and S. Mertens, "Random numbers for large-scale distributed Monte
    Carlo simulations", Physical Review E 75, 066701, 2007, for `yarn`.

    Examples
    --------
    >>> import clrng
    >>> clrng.LinearRecurrence([1, 1], state=[0, 1], modulus=1000).sequence(10).tolist()
    [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
    >>> clrng.LinearRecurrence([1, 1], state=[0, 1], modulus=101, yarn=2).sequence(10).tolist()
    [2, 4, 8, 32, 54, 11, 89, 70, 69, 83]
    """

    name = "linear_recurrence"
    _words_are = ", one for each coefficient"

    coefficients = Parameter("The coefficients a_1, ..., a_p.", Kind(_coefficients, several=True), bare=True)
    modulus = Parameter("The modulus m.", integer(2, LARGEST_MODULUS), early=True)
    constant = Parameter("The constant c.", integer(0), usual=0)
    yarn = Parameter(
        "The primitive root g of values g^x mod m, or None where a value is x.", Kind(_primitive_root), usual=None
    )

    def __init__(
        self,
        coefficients: Sequence[int],
        state: Sequence[int],
        modulus: int,
        constant: int = 0,
        yarn: int | None = None,
    ) -> None:
        self._set(coefficients=coefficients, state=state, modulus=modulus, constant=constant, yarn=yarn)

    def _derive(self) -> None:
        self._reversible = gcd(self.coefficients[-1], self.modulus) == 1
        self._keeps_factors = self.constant == 0
        self.jumps = jumps(self.coefficients, self.constant, self.modulus)

    @property
    def order(self) -> int:  # noqa: D102  # as inherited
        return len(self.coefficients)

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        terms = [f"{f'{number(a)} ' if a > 1 else ''}x[i - {j}]" for j, a in enumerate(self.coefficients, 1) if a]
        terms += [number(self.constant)] if self.constant else []
        m = number(self.modulus)
        power = f"; a value is {number(self.yarn)}^x[i] mod {m}, or 0 where x[i] is 0" if self.yarn else ""
        return f"x[i] = ({' + '.join(terms)}) mod {m}{power}"

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        if self.constant or not self.reversible:
            return None
        return first_bad(~states.any(axis=1), f"have an integer from 1 to {self.modulus - 1} in it, or it stays 0")

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        total = sum(a * x for a, x in zip(self.coefficients, reversed(words), strict=True))
        return (*words[1:], (total + self.constant) % self.modulus)

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        if not self.yarn:
            return super().value_formula(number)
        return f"{number(self.yarn)}^x mod {number(self.modulus)} of the newest word x, or 0 of 0"

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        x = words[-1]
        return pow(self.yarn, x, self.modulus) if self.yarn and x else x

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        if n < 0 and not self.reversible:
            raise ValueError(f"n must be 0 or more, not {n}: last coefficient and modulus have a factor in common")
        longer = words if self.jumps.degree == self.order else (*words, self.step(words)[-1])
        return tuple([sum(map(mul, row, longer)) % self.modulus for row in jump_rows(self.jumps, n, self.order)])

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        p, m, rows = self.order, self.modulus, jump_rows(self.jumps, n, self.order)
        if self.constant == 0:
            return mapped(states, rows, [0] * p, m)
        first_new = self.coefficients[::-1]  # x_p is the sum of these times x_0, ..., x_{p-1}, and the constant
        matrix = [[(w + row[p] * a) % m for w, a in zip(row[:p], first_new, strict=True)] for row in rows]
        return mapped(states, matrix, [row[p] * self.constant % m for row in rows], m)


def jumps(coefficients: Sequence[int], constant: int, modulus: int) -> PowersOfX:
    """Return the powers of x modulo the characteristic polynomial, times x - 1 where there is a constant."""
    if constant == 0:
        return powers_of_x(coefficients, modulus)
    longer = [*coefficients, 0]
    shifted = [-1, *coefficients]
    return powers_of_x([a - b for a, b in zip(longer, shifted, strict=True)], modulus)


def terms_of(recurrence: LinearRecurrence) -> list[tuple[int, int]]:
    """Return the coefficients that are not 0, each after the index of its word of a state, that of the newest first."""
    return [(recurrence.order - j, a) for j, a in enumerate(recurrence.coefficients, 1) if a]


@lru_cache(maxsize=16)
def jump_rows(jumps: PowersOfX, n: int, order: int) -> list[Polynomial]:
    """Return the weights of x_n, ..., x_{n+order-1}: calls that move a state on by the same `n` share them."""
    rows = [jumps.power(n)]
    for _ in range(order - 1):
        rows.append(jumps.times_x(rows[-1]))
    return rows


LARGEST_SUM = 2**53
LARGEST_SUMMED_MODULUS = 2**32
SMALLEST_MODULUS = 2**8


class DoubleSum(NamedTuple):
    """The numbers of a sum.

    `terms`: the index of a word of state and its balanced coefficient, for those that are not 0; the oldest, of index
    0, first, so that the newest is waited for last. `constant`: k, balanced: it makes the sum of the shifted residues
    the shifted sum. `half`: h. `largest`: the largest abs(t).
    """

    terms: list[tuple[int, int]]
    constant: int
    half: int
    largest: int


def double_sum(recurrence: LinearRecurrence) -> DoubleSum:
    """Return the numbers of the sum of `recurrence`."""
    m, half = recurrence.modulus, (recurrence.modulus - 1) // 2
    terms = [(i, balanced(a, m)) for i, a in terms_of(recurrence)[::-1]]
    constant = balanced(((sum(a for _, a in terms) - 1) * half + recurrence.constant) % m, m)
    return DoubleSum(terms, constant, half, half * sum(abs(a) for _, a in terms) + abs(constant))


def why_no_double_sum(recurrence: LinearRecurrence) -> str | None:
    """Return why the sums of `recurrence` are not exact in double precision, or None if they are.

    The sum is exact below 2^53. The quotient is one fused multiply-add of t and the reciprocal of m as rounded,
    r = (1 + e)/m. For odd m the true t/m is at least 1/(2m) away from the middle between two integers, so the nearest
    integer is the right one if abs(t e) < 1/2; then the residue is again in -h ... h, and unique.
    """
    m = recurrence.modulus
    if m % 2 == 0 or not SMALLEST_MODULUS < m < LARGEST_SUMMED_MODULUS:
        return f"its sums are exact for odd moduli between {SMALLEST_MODULUS} and {LARGEST_SUMMED_MODULUS}, not for {m}"
    largest = double_sum(recurrence).largest
    if largest >= LARGEST_SUM or largest * abs(Fraction(1.0 / m) * m - 1) >= Fraction(1, 2):
        return f"with these coefficients its sums reach {largest}, and are not exact so far modulo {m}"
    return None


DIGIT_BITS = 8
"""Bits of a digit. Longer ones make fewer products and larger tables: for words of 31 bits, 8 take three products and
3.5 KiB, and 11 two and 20 KiB."""


def root_powers(root: int, modulus: int, word_bits: int) -> list[int]:
    """Return the powers by the digits of words below `modulus`, as the template has them.

    Those of the last place are only as many as words have.
    """
    powers, bits = [], (modulus - 1).bit_length()
    for place in range(0, bits, DIGIT_BITS):
        base = pow(root, 1 << place, modulus)
        power = 1 if place == 0 else (1 << word_bits) % modulus
        for _ in range(1 << min(DIGIT_BITS, bits - place)):
            powers.append(power)
            power = power * base % modulus
    return powers


def yarn_value(root: int, modulus: int, powers: Sequence[int], numbers: dict[str, Any]) -> str:
    """Return the OpenCL C of values that are powers of `root`; `numbers` are what templates of generators take."""
    word_bits = 32 if numbers["word"] == "uint" else 64
    return render(
        "generators/yarn.cl.mako",
        **numbers,
        root=root,
        root_powers=powers,
        place_bits=DIGIT_BITS,
        places=-(-(modulus - 1).bit_length() // DIGIT_BITS),
        word_bits=word_bits,
        joined=joined,
        inverse=pow(modulus, -1, 1 << word_bits),
    )


SMALL_ORDER = 8
"""The largest order whose steps are unrolled and whose weights come with their quotients."""

TABLE_ORDER = 4
"""The largest order whose jumps go by hexadecimal digits, not by bits."""


class ShortSum(NamedTuple):
    """A sum of products that fits 64 bits and takes a single reduction.

    `terms`: the index of a word of state, the oldest 0, and the balanced coefficient. `constant`: what is added: the
    constant, and what the complements of words with negative coefficients have too much. `drop`, `reciprocal`, `shift`:
    the quotient of a sum t is (t >> drop) * reciprocal >> shift, or one more.
    """

    terms: list[tuple[int, int]]
    constant: int
    drop: int
    reciprocal: int
    shift: int


def short_sum(recurrence: LinearRecurrence) -> ShortSum | None:
    """Return the numbers of the sum of `recurrence` in 64 bits, or None if it does not fit or needs no reduction.

    A word x with a negative coefficient -a is taken as a (m - 1 - x), which is a (m - 1) too much. The quotient
    computed falls short of t/m by less than 2^drop/m for the bits dropped, 2^(32 - shift) for the rounded reciprocal,
    and 1 for its own rounding down; where the first two make at most 1, a single subtraction is left to do.
    """
    m = recurrence.modulus
    if m > 2**32 or is_power_of_two(m):
        return None
    terms = [(i, balanced(a, m)) for i, a in terms_of(recurrence)]
    constant = (recurrence.constant + sum(a * (m - 1) for _, a in terms if a < 0)) % m
    largest = (m - 1) * sum(abs(a) for _, a in terms) + constant
    drop = max(largest.bit_length() - 32, 0)
    shift = m.bit_length() + 31 - drop
    if largest >= 2**64 or shift < 32 or 2**drop * 2 ** (shift - 32) + m > m * 2 ** (shift - 32):  # noqa: PLR2004
        return None
    return ShortSum(terms, constant, drop, 2 ** (drop + shift) // m, shift)


class LinearRecurrenceCode(GeneratorCode):
    """A linear recurrence, its sums in integers or, where they are small enough, in double precision."""

    recurrence: LinearRecurrence
    fill_strategy = "blocks"
    fastest_first = ("double", "integer", *ARITHMETICS)

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self.degree = self.recurrence.jumps.degree
        self.small = self.order <= SMALL_ORDER
        self.digit_bits = 4 if self.order <= TABLE_ORDER else 1
        root, bits = self.recurrence.yarn, 8 * self.word.itemsize
        self._root_powers = root_powers(root, self.recurrence.modulus, bits) if root else []
        if root:
            self.value_table = ValueTable("root_powers", CTYPES[self.word.name], len(self._root_powers))

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: D102  # as inherited
        if arithmetic.name == "double" and isinstance(recurrence, LinearRecurrence):
            return why_no_double_sum(recurrence)
        return super().why_not(arithmetic, recurrence)

    @property
    def max_vector_width(self) -> int:
        """The longest vector; large orders have none, as they would not fit the registers of a CPU."""
        registers = 2 if self.arithmetic.name == "double" else 1  # with two there is work while one waits for a step
        return registers * super().max_vector_width if self.small else 1

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return _weights(self.recurrence.jumps.power(n), self.recurrence.modulus if self.small else None)

    @property
    def powers(self) -> Sequence[Sequence[int]]:
        """The weights of the jumps by d 2^(b j), for the digits d = 1 ... 2^b - 1 of each of 64/b places j."""
        return _powers(self.recurrence.jumps, self.digit_bits, self.recurrence.modulus if self.small else None)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        m = self.recurrence.modulus
        numbers = {
            **self._common(prefix, width),
            "z": f"{prefix}z_",
            "coefficients": [(i, factor_words(m, a)) for i, a in terms_of(self.recurrence)],
            "constant": factor_words(m, self.recurrence.constant) if self.recurrence.constant else None,
            "degree": self.degree,
            "quotients": self.small and not is_power_of_two(m),
            "digit_bits": self.digit_bits,
            "powers": self.powers if width == 1 else (),
            "weight_words": len(self.stride(0)),
            "yarn": self.recurrence.yarn,
            "in_halves": self.in_halves,
            "offset": (m - 1) // 2,
        }  # fmt: skip
        parts = [products(m, numbers, called=not self.small), self._sum(numbers)]
        parts.append(render("generators/linear_recurrence.cl.mako", **numbers))
        if self.recurrence.yarn:
            parts.append(yarn_value(self.recurrence.yarn, m, self._root_powers, numbers))
        return "".join(parts)

    @property
    def in_halves(self) -> bool:
        """Whether jumps take sums in double precision of states by halves of weights.

        They are exact: of at most nine products of 48 bits and one of 47 they are below 2^52, so a quotient by the
        modulus is within 1/2 of what it is without rounding.
        """
        return self.small and self.arithmetic.name == "double"

    def _sum(self, numbers: dict[str, Any]) -> str:
        if self.arithmetic.name == "double":
            return render("arithmetic/sum_double.cl.mako", **numbers, sum=double_sum(self.recurrence))
        short = short_sum(self.recurrence)
        if short is not None:
            return render("arithmetic/sum_short.cl.mako", **numbers, sum=short)
        return render("arithmetic/sum_modular.cl.mako", **numbers)


def _weights(polynomial: Polynomial, modulus: int | None) -> tuple[int, ...]:
    """Return the weights of a jump, and with a modulus the quotients that go with them."""
    if modulus is None:
        return tuple(polynomial)
    return tuple(word for weight in polynomial for word in factor_words(modulus, weight))


@lru_cache(maxsize=8)
def _powers(jumps: PowersOfX, digit_bits: int, modulus: int | None) -> list[tuple[int, ...]]:
    digits, places = range(1, 2**digit_bits), range(0, 64, digit_bits)
    return [_weights(jumps.power(digit << place), modulus) for place in places for digit in digits]


FAMILIES = (
    Family(
        generator=LinearRecurrence,
        code=LinearRecurrenceCode,
        title="Linear recurrences",
        arguments={"coefficients": [63308, 0, 2**31 - 183327], "state": [1, 2, 2**31 - 2], "modulus": 2**31 - 1},
        about="any --coefficients, --constant and --modulus up to 2^64, from --state, or powers by --yarn",
        source="Stpiczynski, Szalkowski and Potiopa 2012, equation (3)",
        helps={
            "coefficients": "a_1,a_2,...",
            "constant": "by default 0",
            "modulus": "",
            "state": "x_0,x_1,...",
            "yarn": "a primitive root g, for values g^x mod m",
        },
    ),
)

TRNG = (
    "H. Bauke and S. Mertens, Random numbers for large-scale distributed Monte Carlo simulations, Physical Review E "
    "75, 066701, 2007; TRNG 4"
)
ROOT = 123567893
"""The primitive root modulo 2^31 - 1."""


def _trng(name: str, parameters: str, coefficients: Words, modulus: int = MODULUS, root: int = ROOT) -> Named:
    """Return the row of ``trng::name``, whose parameters TRNG calls `parameters`."""

    def made(seed: int) -> LinearRecurrence:
        newest = (seed if seed < 2**63 else seed - 2**64) % modulus
        return LinearRecurrence(coefficients, [*[1] * (len(coefficients) - 1), newest], modulus, yarn=root)

    what = (
        f"{name} of TRNG with the parameters {parameters}, powers of a linear recurrence of order "
        f"{len(coefficients)}; the seed, as a signed integer of 64 bits, is the newest word, and the others are 1"
    )
    return Named(f"trng_{name}", what, f"{TRNG}, trng::{name}", (0, 2**64 - 1), made)


NAMED = (
    _trng("yarn2", "LEcuyer1", (1498809829, 1160990996)),
    _trng("yarn3", "LEcuyer1", (2021422057, 1826992351, 1977753457)),
    _trng("yarn3s", "trng0", (2025213985, 1112953677, 2038969601), 2**31 - 21069, 1616076847),
    _trng("yarn4", "LEcuyer1", (2001982722, 1412284257, 1155380217, 1668339922)),
    _trng("yarn5", "LEcuyer1", (107374182, 0, 0, 0, 104480)),
    _trng("yarn5s", "trng0", (1053223373, 1530818118, 1612122482, 133497989, 573245311), 2**31 - 22641, 889744251),
)
"""The YARN generators of TRNG, seeded as it seeds them: powers of primitive roots, of linear recurrences."""
