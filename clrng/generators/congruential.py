"""Congruential generators: linear ones, x' = (a x + c) mod m, such as Park and Miller's, and Coveyou's quadratic."""

from collections.abc import Callable
from functools import cache
from math import gcd
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from clrng.documented import complete_all
from clrng.generators import seeding
from clrng.generators.arithmetic import MODULUS, Arithmetic, factor_words, modular_template, modular_values
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import GSL, KNUTH, Family, Named
from clrng.generators.generator_code import GeneratorCode, output_values
from clrng.generators.maths.number_theory import affine_power, exponent, factors, mapped
from clrng.generators.one_word import OneWord
from clrng.generators.parameters import LARGEST_MODULUS, OUTPUT, Parameter, constant, integer
from clrng.generators.words import SAYING
from clrng.opencl.templates import render


class LCG(OneWord):
    """The linear congruential generator x' = (a x + c) mod m.

    Parameters
    ----------
    multiplier : int
        The multiplier a, from 1 to m - 1.
    increment : int
        The increment c, from 0 to m - 1.
    modulus : int
        The modulus m, from 2 to 2^64.
    seed : int
        The state before the first value, from 0 to m - 1. It must not be 0 where c is 0, unless a and m have a factor
        in common, which brings states to 0.
    output : (int, int), optional
        The shift and the number of bits of an output that shows only a part of the state, as many libraries have:
        the value is floor(x / 2^shift) mod 2^bits. By default a value is the state itself.

    See Also
    --------
    clrng.named : the generators of libraries and books by name.

    Notes
    -----
    A value is made of the state after a step: after seed x_0 comes x_1. The state n steps on is
    x_n = a^n x_0 + c (a^n - 1) / (a - 1) mod m, reached in O(log n).

    References
    ----------
    D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., section 3.2.1, Addison-Wesley, 1997.

    Examples
    --------
    >>> import clrng
    >>> clrng.LCG(1664525, 1013904223, 2**32, seed=0).sequence(3).tolist()
    [1013904223, 1196435762, 3519870697]
    """

    name = "lcg"
    consecutive_seeds = True

    multiplier = Parameter("The multiplier a.", integer(1))
    increment = Parameter("The increment c.", integer(0))
    modulus = Parameter("The modulus m of the state.", integer(2, LARGEST_MODULUS), early=True)
    output = Parameter(
        "The shift and the number of bits of the output, or None where it is the whole state.", OUTPUT, usual=None
    )

    def __init__(
        self, multiplier: int, increment: int, modulus: int, seed: int, output: tuple[int, int] | None = None
    ) -> None:
        self._set(multiplier=multiplier, increment=increment, modulus=modulus, state=seed, output=output)

    def _derive(self) -> None:
        self._reversible = gcd(self.multiplier, self.modulus) == 1
        self._keeps_factors = self.increment == 0
        self._least = int(self._keeps_factors and self._reversible)  # 0 would stay, and no other state leads to it

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        added = f" + {number(self.increment)}" if self.increment else ""
        return f"x' = ({number(self.multiplier)} x{added}) mod {number(self.modulus)}"

    @property
    def period(self) -> int | None:
        """The number of values before the sequence repeats, or None where a and m have a factor in common.

        Then it may never come back to its state.

        Notes
        -----
        If a and m have no factor in common, the n with x_n = x_0 are the multiples of the period, and e m is one of
        them, where e is a multiple of the orders of all numbers modulo m: after e steps a^e = 1, so x has moved by a
        constant, and after m times as many that is a multiple of m. What is left is to divide out its primes.
        """
        if not self.reversible:
            return None
        n = exponent(self.modulus) * self.modulus
        primes = set(factors(self.modulus)).union(*(factors(p - 1) for p in factors(self.modulus)))
        for prime in primes:
            while n % prime == 0 and self.state_after(self._words, n // prime) == self._words:
                n //= prime
        return n

    def stride(self, n: int) -> tuple[int, int]:
        """Return multiplier and increment of `n` steps at once.

        Returns
        -------
        multiplier, increment : int

        Raises
        ------
        ValueError
            If `n` is negative and the multiplier has a factor in common with the modulus.

        Examples
        --------
        >>> bits.stride(2)
        (282475249, 0)
        """
        m, a, c = self.modulus, self.multiplier, self.increment
        if n < 0 and not self.reversible:
            raise ValueError(f"n must be 0 or more, not {n}: multiplier and modulus have a factor in common")
        if c == 0:
            return pow(a, n, m), 0
        power, added = affine_power(m, a, n)
        return power, added * c % m

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return ((self.multiplier * words[0] + self.increment) % self.modulus,)

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        multiplier, increment = self.stride(n)
        return ((multiplier * words[0] + increment) % self.modulus,)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        multiplier, increment = self.stride(n)
        return mapped(states, [[multiplier]], [increment], self.modulus)

    def leaping(self, n: int) -> BitGenerator:  # noqa: D102  # as inherited
        multiplier, increment = self.stride(n)
        if n == 1 or multiplier == 0:
            return super().leaping(n)
        return LCG(multiplier, increment, self.modulus, self.word, self.output)


complete_all(LCG, SAYING, "stride")


class ParkMiller(LCG):
    """The multiplicative congruential generator x' = a x mod (2^31 - 1).

    Parameters
    ----------
    seed : int
        The state before the first value, from 1 to 2147483646.
    multiplier : int, optional
        The multiplier a, from 1 to 2147483646. The default, 16807, is the minimal standard of 1988;
        48271 is its authors' later choice (1993).

    Attributes
    ----------
    modulus : int
        2147483647, a prime.

    Notes
    -----
    A value is the state itself: after seed x_0 comes x_1 = a x_0 mod m, and a value lies between 1 and m - 1. For
    a primitive root such as 16807 the period is m - 1, so every one of them occurs once. The state n steps on is
    x_n = a^n x_0 mod m, reached in O(log n).

    References
    ----------
    S. K. Park and K. W. Miller, "Random number generators: good ones are hard to find", Communications of the
    ACM 31(10), 1988, pp. 1192-1201; and "Remarks on choosing and implementing random number generators",
    ibid. 36(7), 1993, pp. 105-110.

    Examples
    --------
    >>> import clrng
    >>> clrng.ParkMiller(seed=1).sequence(5).tolist()
    [16807, 282475249, 1622650073, 984943658, 1144108930]
    """

    name = "park_miller"
    _modulus, _increment = MODULUS, 0

    multiplier = Parameter("The multiplier a.", integer(1))

    def __init__(self, seed: int, multiplier: int = 16807) -> None:
        self._set(multiplier=multiplier, state=seed)


def is_multiplicative(recurrence: BitGenerator) -> TypeGuard[LCG]:
    """Return whether `recurrence` is multiplication modulo 2^31 - 1, for which all arithmetics are written."""
    return isinstance(recurrence, LCG) and recurrence.modulus == MODULUS and recurrence.increment == 0


class LCGCode(GeneratorCode):
    """A congruential generator: modulo 2^31 - 1 in any arithmetic, otherwise in integers."""

    recurrence: LCG
    powers = GeneratorCode.doublings

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: D102  # as inherited
        if not is_multiplicative(recurrence):
            return super().why_not(arithmetic, recurrence)
        if recurrence.multiplier <= arithmetic.limit:
            return None
        return f"its published step is exact for multipliers up to {arithmetic.limit}, not {recurrence.multiplier}"

    def mover(self, n: int) -> Callable[[Words], Words]:  # noqa: D102  # as inherited
        (multiplier, increment), modulus = self.recurrence.stride(n), self.recurrence.modulus
        return lambda words: ((multiplier * words[0] + increment) % modulus,)

    @property
    def digits(self) -> tuple[int, int] | None:  # noqa: D102  # as inherited
        known = self.arithmetic.digits
        return known(self.recurrence.multiplier) if known and is_multiplicative(self.recurrence) else None

    @property
    def plain_step(self) -> str | None:  # noqa: D102  # as inherited
        m = self.recurrence.modulus
        if m > 2**32:
            return None
        return f"((ulong)x * {self.recurrence.multiplier}UL + {self.recurrence.increment}UL) % {m}UL"

    def shares_values(self, other: BitGenerator) -> bool:
        """Return whether published values of `other` test this code.

        Where all multipliers have the same code, those of every multiplier for which the arithmetic is exact do.
        """
        if not is_multiplicative(self.recurrence):
            return super().shares_values(other)
        return is_multiplicative(other) and other.multiplier <= self.arithmetic.limit

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        multiplier, increment = self.recurrence.stride(n)
        if is_multiplicative(self.recurrence):
            return (multiplier,)
        return factor_words(self.recurrence.modulus, multiplier, increment if self.recurrence.increment else None)

    def _arithmetic(self) -> tuple[str, dict[str, Any]]:
        """Return the template of the arithmetic and the values it takes."""
        if is_multiplicative(self.recurrence):
            name = self.arithmetic.name.replace("-", "_")
            return f"arithmetic/{name}.cl.mako", self.arithmetic.values(self.recurrence.multiplier)
        affine = self.recurrence.increment != 0
        values = modular_values(self.recurrence.modulus, affine)
        return modular_template(self.recurrence.modulus), {**values, "step": self.stride(1), "called": False}

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        template, numbers = self._arithmetic()
        values = {
            **self._common(prefix, width),
            **numbers,
            "powers": self.powers if width == 1 else [],
            "stride_words": len(self.stride(1)),
            **output_values(self.recurrence.output),
        }
        return render(template, **values) + render("generators/lcg.cl.mako", **values)


PERIOD = 2**30
DEGREE = 15
"""The largest degree of the map of n steps as a polynomial in t; the term of t^k is 0 from 4^(k - 1) = 2^30 on."""

Map = tuple[int, ...]
"""The coefficients of a polynomial in t, the constant first."""

IDENTITY: Map = (0, 1, *[0] * (DEGREE - 1))


class Coveyou(OneWord):
    """The quadratic congruential generator x' = x (x + 1) mod 2^32.

    Parameters
    ----------
    seed : int
        The state before the first value, from 2 to 4294967294 and 2 modulo 4.

    Attributes
    ----------
    modulus : int
        2^32.

    Notes
    -----
    A value is the state itself. All states are 2 modulo 4: for x = 2 + 4 t the next is 2 + 4 t', with

        t' = 1 + 5 t + 4 t^2 mod 2^30.

    By Knuth's exercise 3.2.2-8 for d = 4, a = 5, c = 1 (c odd, d even, a = d + 1 modulo 4) the period of t is 2^30
    from every seed, so n steps back are 2^30 - n steps on.

    With s = 4 t a step is s' = s^2 + 5 s + 4, so n steps are a polynomial in s with integer coefficients c_k. In t it
    is the sum of c_k 4^(k - 1) t^k, whose terms from k = 16 on are 0 modulo 2^30: the map of n steps is a polynomial in
    t of degree at most 15. Maps of 1, 2, 4, ... steps come each from the one before put into itself, so a jump takes
    O(log n).

    References
    ----------
    R. R. Coveyou, in D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., section 3.2.2, Addison-Wesley,
    1997; GNU Scientific Library, ``gsl_rng_coveyou``.

    Examples
    --------
    >>> import clrng
    >>> clrng.Coveyou(seed=2).sequence(4).tolist()
    [6, 42, 1806, 3263442]
    """

    name = "coveyou"
    _modulus, _least = 2**32, 2
    word_limits = constant(((2, 2**32 - 2),), "The least and the largest legal state.")
    word_step = constant(4, "The spacing of legal states, 4.")
    period = constant(
        PERIOD, "The number of values before the sequence repeats, 2^30: every number that is 2 modulo 4 occurs once."
    )

    def __init__(self, seed: int) -> None:
        self._set(state=seed)

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        odd = states[:, 0] % 4 != 2  # noqa: PLR2004  # which x (x + 1) keeps
        return first_bad(odd, f"be an integer from 2 to {2**32 - 2} that is 2 modulo 4")

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        return f"x' = x (x + 1) mod {number(2**32)}"

    def polynomial(self, n: int) -> Map:
        """Return the 16 coefficients modulo 2^30, the constant first, of t after `n` steps as a polynomial in t.

        Parameters
        ----------
        n : int
            The number of steps, of any size; a negative `n` is backwards.

        Returns
        -------
        tuple of int

        Examples
        --------
        >>> import clrng
        >>> clrng.Coveyou(seed=2).polynomial(1)[:4]
        (1, 5, 4, 0)
        """
        result = IDENTITY
        for bit in _bits(n):
            result = maps_composed(map_doubled(bit), result)
        return result

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return (words[0] * (words[0] + 1) % 2**32,)

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        return (_moved(words[0], n),)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        moved: npt.NDArray[Any] = _moved(states.astype(np.uint64), n)
        return moved.astype(self.word_dtype)


def _moved(x: Any, n: int) -> Any:
    """Return the state `n` steps after `x`, which may be an array of many, of 64 bits each."""
    t = x // 4
    for bit in _bits(n):
        t = map_at(map_doubled(bit), t)
    return 2 + 4 * t


@cache
def map_doubled(bit: int) -> Map:
    """Return the map of 2^bit steps."""
    if bit == 0:
        return (1, 5, 4, *[0] * (DEGREE - 2))
    half = map_doubled(bit - 1)
    return maps_composed(half, half)


def maps_composed(outer: Map, inner: Map) -> Map:
    """Return outer(inner(t)), by Horner's rule on polynomials up to t^15."""
    total = [0] * (DEGREE + 1)
    for coefficient in reversed(outer):
        total = [sum(total[j] * inner[k - j] for j in range(k + 1)) % PERIOD for k in range(DEGREE + 1)]
        total[0] = (total[0] + coefficient) % PERIOD
    return tuple(total)


def map_at(coefficients: Map, t: Any) -> Any:
    """Return the value of a map at `t`, which may be an array, by Horner's rule."""
    total = 0
    for coefficient in reversed(coefficients):
        total = (total * t + coefficient) % PERIOD
    return total


def _bits(n: int) -> list[int]:
    """Return which bits of `n` modulo the period are 1."""
    n %= PERIOD
    return [bit for bit in range(n.bit_length()) if n >> bit & 1]


class CoveyouCode(GeneratorCode):
    """x' = x (x + 1) mod 2^32; a stride is a polynomial in t = (x - 2) / 4."""

    recurrence: Coveyou
    powers = GeneratorCode.doublings

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return self.recurrence.polynomial(n)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        powers, common = self.powers if width == 1 else [], self._common(prefix, width)
        return render("generators/coveyou.cl.mako", **common, powers=powers, stride_words=DEGREE + 1)


FAMILIES = (
    Family(
        generator=ParkMiller,
        code=LCGCode,
        title="Linear congruential generators",
        arguments={"seed": 1},
        about="Park and Miller's minimal standard, with any --multiplier",
        seeds="1 to 2147483646",
        source="Park and Miller 1988",
        helps={"seed": "by default 1", "multiplier": "by default 16807"},
        defaults={"seed": 1},
    ),
    Family(
        generator=LCG,
        code=LCGCode,
        title="Linear congruential generators",
        arguments={"multiplier": 1664525, "increment": 1013904223, "modulus": 2**32, "seed": 0},
        about="any --multiplier, --increment and --modulus up to 2^64",
        seeds="0 or 1 to m - 1",
        source="Knuth, vol. 2, section 3.2.1",
        helps={
            "seed": "by default 1",
            "multiplier": "",
            "increment": "by default 0",
            "modulus": "for example 2^61-1",
        },
        defaults={"seed": 1, "increment": 0},
    ),
    Family(
        generator=Coveyou,
        code=CoveyouCode,
        title="Linear congruential generators",
        arguments={"seed": 2**32 - 2},
    ),
)

RAND48, RANF = (0x5DEECE66D, 0xB, 2**48), 0x2875A2E7B175
MCG31M1, MCG59 = 1132489760, 13**13
UINT = 2**32 - 1


def _named(  # the columns of the table
    name: str,
    what: str,
    source: str,
    step: tuple[int, int, int],
    seeds: tuple[int, int] | None = None,
    output: tuple[int, int] | None = None,
    seeding: Callable[[int], int] = int,
) -> Named:
    """Return the row of a generator of a library or a book.

    `step` is the multiplier, the increment and the modulus. All states are seeds unless `seeds` has the least and the
    largest one. `seeding` makes the state before the first value of a seed, as the library does.
    """
    multiplier, increment, modulus = step

    def made(seed: int) -> BitGenerator:
        if (increment, modulus, output) == (0, MODULUS, None):
            return ParkMiller(seeding(seed), multiplier)
        return LCG(multiplier, increment, modulus, seeding(seed), output)

    return Named(name, what, source, seeds or (int(increment == 0), modulus - 1), made)


def _srand48(seed: int) -> int:
    """Put the seed above 16 bits of a constant."""
    return (seed << 16) + 0x330E


def _one_back(multiplier: int, modulus: int) -> Callable[[int], int]:
    """Return the seeding of a library that shows the seed itself first: a step back from it."""
    inverse = pow(multiplier, -1, modulus)
    return lambda seed: seed * inverse % modulus


def _modulo_2_31(seed: int) -> int:
    """Drop the bit of an unsigned int above a state of 31 bits."""
    return seed % 2**31


def _coveyou(seed: int) -> int:
    """Return a state that is 2 modulo 4.

    GSL adds 2 to a seed that is 0 modulo 4 and takes 1 off one that is 3, but leaves one that is 1, whose next state
    is that of -1 - seed.
    """
    return (seed + 2, -1 - seed, seed, seed - 1)[seed % 4] % 2**32


WICHMANN_HILL = 16555425264690, 0, seeding.WICHMANN_HILL
WICHMANN = "B. A. Wichmann and I. D. Hill, Algorithm AS 183, Applied Statistics 31(2), 1982, pp. 188-190"
CPP = "ISO/IEC 14882:2011, 26.5.5 [rand.predef]"
POSIX = "IEEE Std 1003.1-2017, System Interfaces, drand48"
MKL = "Intel oneMKL, Notes for Vector Statistics"

NAMED = (
    _named("numerical_recipes", "the quick and dirty generator ranqd1 of Numerical Recipes",
           "W. H. Press, S. A. Teukolsky, W. T. Vetterling and B. P. Flannery, Numerical Recipes in C, 2nd ed., "
           "Cambridge University Press, 1992, p. 284", (1664525, 1013904223, 2**32)),
    _named("mmix", "Knuth's generator for MMIX, with C. E. Haynes's multiplier",
           f"{KNUTH}, section 3.3.4, table 1, line 26, and p. 108", (6364136223846793005, 1442695040888963407, 2**64)),
    _named("lewis_goodman_miller", "the generator for the IBM System/360 that became the minimal standard",
           "P. A. W. Lewis, A. S. Goodman and J. M. Miller, A pseudo-random number generator for the System/360, "
           "IBM Systems Journal 8(2), 1969, pp. 136-146", (16807, 0, MODULUS)),
    _named("minstd_rand0", "std::minstd_rand0 of C++, Park and Miller's minimal standard of 1988", CPP,
           (16807, 0, MODULUS)),
    _named("minstd", "std::minstd_rand of C++, Park and Miller's minimal standard of 1993", CPP, (48271, 0, MODULUS)),
    _named("drand48", "drand48 seeded by srand48: all 48 bits, which it divides by 2^48", POSIX, RAND48, (0, UINT),
           seeding=_srand48),
    _named("lrand48", "lrand48 seeded by srand48: the upper 31 bits", POSIX, RAND48, (0, UINT), (17, 31), _srand48),
    _named("mrand48", "mrand48 seeded by srand48: the upper 32 bits, unsigned", POSIX, RAND48, (0, UINT), (16, 32),
           _srand48),
    _named("java", "java.util.Random.nextInt, unsigned",
           "Java Platform, Standard Edition, API specification, class java.util.Random", RAND48,
           (-(2**63), 2**63 - 1), (16, 32), lambda seed: (seed ^ RAND48[0]) % 2**48),
    _named("ansi_c", "the C standard's example of rand and srand", "ISO/IEC 9899:2011, 7.22.2.2, paragraph 5",
           (1103515245, 12345, 2**32), output=(16, 15)),
    _named("microsoft_c", "rand and srand of Microsoft's C library", "Microsoft C run-time library, rand.c",
           (214013, 2531011, 2**32), output=(16, 15)),
    _named("musl_c", "rand and srand of the C library musl: the upper 31 of 64 bits", "musl, src/prng/rand.c",
           (6364136223846793005, 1, 2**64), (0, UINT), (33, 31), lambda seed: (seed - 1) % 2**32),
    _named("glibc_type_0", "random of the GNU C library with a state of 8 bytes; for its seed 0 give 1",
           "GNU C Library, initstate and stdlib/random_r.c, TYPE_0", (1103515245, 12345, 2**31), (1, UINT),
           seeding=_modulo_2_31),
    _named("bsd_rand", "the old rand of BSD", f"{GSL}, gsl_rng_rand", (1103515245, 12345, 2**31), (0, UINT),
           seeding=_modulo_2_31),
    _named("vax", "MTH$RANDOM of the VAX run-time library, with Marsaglia's multiplier", f"{GSL}, gsl_rng_vax",
           (69069, 1, 2**32)),
    _named("randu", "RANDU of IBM's System/360 Scientific Subroutine Package",
           f"{GSL}, gsl_rng_randu; {KNUTH}, section 3.3.4, table 1", (65539, 0, 2**31)),
    _named("mcg31m1", "MCG31m1 of Intel MKL, whose first value is the seed",
           "P. L'Ecuyer, Tables of linear congruential generators of different sizes and good lattice structure, "
           f"Mathematics of Computation 68(225), 1999, pp. 249-260; {MKL}, MCG31m1", (MCG31M1, 0, MODULUS),
           seeding=_one_back(MCG31M1, MODULUS)),
    _named("mcg59", "MCG59 of Intel MKL and NAG, whose first value is the seed", f"{MKL}, MCG59", (MCG59, 0, 2**59),
           seeding=_one_back(MCG59, 2**59)),
    _named("borosh13", "Borosh and Niederreiter's generator", f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_borosh13",
           (1812433253, 0, 2**32)),
    _named("fishman18", "Fishman and Moore's generator", f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_fishman18",
           (62089911, 0, MODULUS)),
    _named("fishman20", "line 20 of the table in Knuth, the same as minstd",
           f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_fishman20", (48271, 0, MODULUS)),
    _named("lecuyer21", "L'Ecuyer's generator modulo 2^31 - 249", f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_lecuyer21",
           (40692, 0, 2**31 - 249)),
    _named("waterman14", "Waterman's generator", f"{KNUTH}, pp. 106-108; {GSL}, gsl_rng_waterman14",
           (1566083941, 0, 2**32)),
    _named("transputer", "the generator of the INMOS Transputer Development System", f"{GSL}, gsl_rng_transputer",
           (1664525, 0, 2**32)),
    _named("cray_ranf", "RANF of the CRAY as GSL has it: the upper 32 bits; GSL takes its default state for seed 0",
           f"{GSL}, gsl_rng_ranf", (RANF, 0, 2**48), (1, UINT), (16, 32),
           lambda seed: _one_back(RANF, 2**48)(seed | 1)),
    _named("slatec", "RAND of the SLATEC library as GSL has it, with its eight seeds", f"{GSL}, gsl_rng_slatec",
           (1536 * 2**11 + 1029, 1731, 2**22), (0, 7), seeding=lambda seed: seed * 2**19),
    _named("gsl_rand48", "rand48 of GSL: the upper 32 bits; GSL takes its default state for seed 0",
           f"{GSL}, gsl_rng_rand48", RAND48, (1, UINT), (16, 32), _srand48),
    Named("coveyou", "Coveyou's quadratic generator x (x + 1) modulo 2^32, from a seed that GSL makes 2 modulo 4",
          f"{KNUTH}, section 3.2.2; {GSL}, gsl_rng_coveyou", (0, UINT), lambda seed: Coveyou(_coveyou(seed))),
    _named("python_wichmann_hill", "random.WichmannHill of Python 2, and Excel 2003's, from x, y and z: 1 plus digits "
           "of the seed to the bases 30268, 30306 and 30322; random() is a value over 27817185604309, to 15 digits",
           f"Python 2.7, random, compared with the definition alone; {WICHMANN}", WICHMANN_HILL,
           (0, 30268 * 30306 * 30322 - 1), seeding=seeding.wichmann_hill_of_python),
    _named("r_wichmann_hill", "set.seed of R with the kind Wichmann-Hill; runif() is a value over 27817185604309, to "
           "15 digits", f"R 4.2, RNGkind; {WICHMANN}", WICHMANN_HILL, (0, UINT), seeding=seeding.wichmann_hill_of_r),
)  # fmt: skip
"""The congruential generators of libraries and books, seeded as these seed them."""
