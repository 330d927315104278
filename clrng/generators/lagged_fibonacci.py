"""Lagged Fibonacci generators, x_i = x_{i-p1} op x_{i-p2}, where op is +, -, * or xor."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators import seeding
from clrng.generators.arithmetic import MODULUS, Arithmetic, factor_words, products
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import GSL, KNUTH, Family, Named
from clrng.generators.generator_code import output_values
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.generators.lagged_seedings import (
    DOTNET_LAGS,
    GO_LAGS,
    KNUTH_LAGS,
    RAN3,
    SPRNG_LAGS,
    boost,
    dotnet,
    glibc,
    gsl_r250,
    of_go,
    ran3,
    ran_start,
    sprng,
)
from clrng.generators.maths import number_theory
from clrng.generators.maths.gf2 import is_primitive_trinomial
from clrng.generators.maths.number_theory import is_power_of_two
from clrng.generators.maths.polynomials import Polynomial, multiply, powers_of_x
from clrng.generators.parameters import LARGEST_MODULUS, OUTPUT, Kind, Naming, Parameter, choice, integers, several
from clrng.generators.splitmix import splitmix64
from clrng.opencl.templates import render
from clrng.validation import shown

LARGEST_LAG = 2**16


class Op(NamedTuple):
    """What combines two words.

    `sign`: how formulas have it. `combined`: makes a word of two and the modulus. `undone`: make the first of the two,
    and the second, of the result, the other one and the modulus. `second`: the coefficient of the second lag in the
    recurrence of the words, their exponents or their bits. `jump_modulus`: returns the modulus of the weights of jumps,
    given that of the words.
    """

    sign: str
    combined: Callable[[int, int, int], int]
    undone: tuple[Callable[[int, int, int], int], ...]
    second: int
    jump_modulus: Callable[[int], int]


OPS = {
    "+": Op("+", lambda a, b, m: (a + b) % m, (lambda c, b, m: (c - b) % m,) * 2, 1, int),
    "-": Op("-", lambda a, b, m: (a - b) % m, (lambda c, b, m: (c + b) % m, lambda c, a, m: (a - c) % m), -1, int),
    "*": Op("·", lambda a, b, m: a * b % m, (lambda c, b, m: c * pow(b, -1, m) % m,) * 2, 1, lambda m: max(m >> 2, 2)),
    "xor": Op("⊕", lambda a, b, _: a ^ b, (lambda c, b, _: c ^ b,) * 2, 1, lambda _: 2),
}


def _seeded(seed: int, generator: "LaggedFibonacci") -> Words:
    """Return the words of the state that `seed` stands for, which suit the operation."""
    m = generator.modulus
    words = [z * m >> 64 for z in splitmix64(seed, generator.order)]
    if generator.op == "*":
        return tuple(word | 1 for word in words)
    if is_power_of_two(m) or not any(words):
        words[0] |= 1
    return tuple(words)


def _checked_lags(name: Naming, key: str, value: Any, _: Any) -> tuple[int, int]:
    """Return `value` if it is a pair of different lags."""
    first, second = integers(name(key), several(name(key), value, 2), 1, LARGEST_LAG)
    if first == second:
        raise ValueError(f"{name(key)} must be two different integers, not {first} twice")
    return first, second


def _checked_modulus(name: Naming, key: str, value: Any, generator: Any) -> int:
    """Return `value` if it is a modulus that words of the op can have."""
    m = validation.integer(name(key), value, 2, LARGEST_MODULUS)
    if generator.op in ("*", "xor") and not is_power_of_two(m):
        raise ValueError(f"{name(key)} must be a power of two for {generator.op!r}, not {m}")
    return m


class LaggedFibonacci(Lagged):
    """The lagged Fibonacci generator x_i = x_{i-p1} op x_{i-p2} mod m.

    Parameters
    ----------
    lags : (int, int)
        p1 and p2, different integers from 1 to 65536; for ``"-"`` the second is that of the word taken away. The
        larger is the order p.
    op : {"+", "-", "*", "xor"}
    bits : int, optional
        The bits of a word, from 1 to 64, which makes m = 2^bits. By default 32.
    modulus : int, optional
        In place of `bits` the modulus m itself, from 2 to 2^64; a power of two for ``"*"`` and ``"xor"``.
    state : sequence of int, optional
        x_0, ..., x_{p-1}, from 0 to m - 1, not all 0. The first value is x_p. All must be odd for ``"*"``, and one of
        them for ``"+"`` and ``"-"`` modulo a power of two, unless `output` leaves out the lowest bit.
    seed : int, optional
        In place of `state` an integer from 0 to 2^64 - 1, to fill it from (Notes).
    output : (int, int), optional
        The shift and the number of bits of a value that shows only a part of a word, as for `LCG`.

    Raises
    ------
    TypeError
        If an argument is of the wrong type, or `bits` and `modulus`, or `state` and `seed`, are given together.
    ValueError
        If one is out of range, neither `state` nor `seed` is given, or the state has not p words or does not suit
        its op.

    See Also
    --------
    clrng.named : the generators of libraries and books by name, lagged Fibonacci ones among them.

    Notes
    -----
    For + and - x_n is the combination of x_0, ..., x_{p-1} whose weights are the coefficients of x^n modulo the
    characteristic polynomial, for xor the same modulo 2. For ``"*"`` each odd word is (-1)^s 5^e modulo 2^M, where e
    goes like an additive generator modulo 2^(M-2), and s like an xor one. A jump takes O(p log p log n) for + and -
    modulo powers of two, O(p^2 + p log p log n) for xor and ``"*"``, and longer for other moduli: seconds for lags of
    thousands.

    A seed is the state of the generator SplitMix64, of whose values z, one a word, the word is floor(z m / 2^64).
    Then x_0 is made odd where m is a power of two, every word for ``"*"``; for other moduli x_0 is made 1 where all
    words are 0.

    References
    ----------
    R. P. Brent, "Uniform random number generators for supercomputers", Proc. Fifth Australian Supercomputer
    Conference, 1992, pp. 95-104. D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., section 3.2.2,
    Addison-Wesley, 1997. G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
    OOPSLA 2014, pp. 453-472.

    Examples
    --------
    >>> import clrng
    >>> clrng.LaggedFibonacci((1, 2), "+", modulus=1000, state=[1, 1]).sequence(10).tolist()
    [2, 3, 5, 8, 13, 21, 34, 55, 89, 144]
    """

    name = "lagged_fibonacci"
    sample_word = 3
    _words_are = ", as many as the larger lag"

    lags: Parameter[tuple[int, int]] = Parameter(
        "The lags p1 and p2.", Kind(_checked_lags, several=True, count=2), bare=True
    )
    op = Parameter("The operation.", choice(tuple(OPS)), early=True, bare=True)
    modulus = Parameter("The modulus m of the words.", Kind(_checked_modulus), early=True)
    output = Parameter("The part of a word that a value shows, or None for all of it.", OUTPUT, usual=None)

    def __init__(
        self,
        lags: tuple[int, int],
        op: str,
        bits: int | None = None,
        modulus: int | None = None,
        state: Sequence[int] | None = None,
        seed: int | None = None,
        output: tuple[int, int] | None = None,
    ) -> None:
        if bits is not None and modulus is not None:
            raise TypeError(f"bits and modulus must not both be given, not {shown(bits)} and {shown(modulus)}")
        if state is not None and seed is not None:
            raise TypeError(f"state and seed must not both be given, not {shown(state)} and {shown(seed)}")
        if modulus is None:
            modulus = 2 ** validation.integer("bits", 32 if bits is None else bits, 1, 64)
        if state is None and seed is None:
            raise ValueError("state or seed must be given, not neither")
        start = partial(_seeded, validation.integer("seed", seed, 0, 2**64 - 1)) if state is None else None
        self._set(lags=lags, op=op, modulus=modulus, state=state, start=start, output=output)

    def _derive(self) -> None:
        self._least, self._keeps_factors = int(self.op == "*"), self.op in ("+", "-")
        coefficients = [0] * max(self.lags)
        coefficients[self.lags[0] - 1], coefficients[self.lags[1] - 1] = 1, OPS[self.op].second
        self.jumps = powers_of_x(coefficients, OPS[self.op].jump_modulus(self.modulus))

    def _checked_word(self, name: str, value: Any, low: int, high: int) -> int:
        if self.op != "*":
            return super()._checked_word(name, value, low, high)
        try:
            word = validation.integer(name, value, low, high)
        except ValueError:
            word = 0
        if word % 2 == 0:
            raise ValueError(f"{name} must be an odd integer from {low} to {high} for '*', not {shown(value)}")
        return word

    @property
    def word_step(self) -> int:
        """The spacing of the legal values of a word: 2 for ``"*"``, else 1."""
        return 1 + (self.op == "*")

    @property
    def _needs_odd_word(self) -> bool:
        """Whether a sum or difference has to have an odd word, without which the lowest bit it shows stays 0."""
        shows_it = not (self.output and self.output.shift)
        return self.op in ("+", "-") and is_power_of_two(self.modulus) and shows_it

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        if self.op != "*" and not self._needs_odd_word:
            return first_bad(~states.any(axis=1), f"have an integer from 1 to {self.modulus - 1} in it, or it stays 0")
        odd = states & states.dtype.type(1)
        if self.op != "*":
            ring = f"for {self.op!r} modulo 2^{self.modulus.bit_length() - 1}"
            return first_bad(~odd.any(axis=1), f"have an odd integer in it {ring}, or the lowest bit stays 0")
        for row in np.flatnonzero(~odd.all(axis=1))[:1].tolist():
            even = int(odd[row].argmin())
            return row, f"have odd words only, which word {even}, {states[row, even]}, is not"
        return None

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return states | states.dtype.type(1) if self.op == "*" else states

    def of_words(self) -> "LaggedFibonacci":
        """Return a generator at the same place whose values are whole words."""
        other = self.copy()
        vars(other)["_output"] = None
        return other

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        return f"x[i] = (x[i - {self.lags[0]}] {OPS[self.op].sign} x[i - {self.lags[1]}]) mod {number(self.modulus)}"

    @property
    def period(self) -> int | None:
        """The number of steps before the state comes again, where the lags are known to give the longest, else None.

        Modulo 2^M it is (2^p - 1) 2^(M-1) for + and - where a word is odd, (2^p - 1) 2^(M-3) for * where a word is 3 or
        5 modulo 8, and 2^p - 1 for xor, if the trinomial x^p + x^q + 1 of the lags p > 2 and q is primitive modulo 2.

        References
        ----------
        R. P. Brent, "On the periods of generalized Fibonacci recurrences", Math. Comp. 63, 1994, pp. 389-401.
        """
        m, p = self.modulus, self.order
        if not is_power_of_two(m) or p <= 2 or not is_primitive_trinomial(p, min(self.lags)):  # noqa: PLR2004  # as the theorem says
            return None
        longest: int = 2**p - 1
        if self.op == "xor":
            return longest
        if self.op != "*":
            return longest * (m >> 1) if any(word & 1 for word in self._place[0]) else None
        return longest * (m >> 3) if m >> 3 and any(word % 8 in (3, 5) for word in self._place[0]) else None

    def _new(self, words: Sequence[int]) -> int:
        return OPS[self.op].combined(words[-self.lags[0]], words[-self.lags[1]], self.modulus)

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        if 0 <= n <= 2 * self.order:
            return tuple(self.continued(words, n)[n:])
        if -2 * self.order <= n < 0:
            return self._before(words, -n)
        return self._combined(self.jumps.power(n), words)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        if abs(n) <= 2 * self.order:
            return super().states_after(states, n)
        weights = self.jumps.power(n)
        return np.array([self._combined(weights, tuple(words)) for words in states.tolist()], self.word_dtype)

    def _before(self, words: Words, n: int) -> Words:
        """Return the state `n` steps before `words`, by the recurrence solved for its oldest word."""
        undone, other = OPS[self.op].undone[self.lags[1] == self.order], min(self.lags)
        found = list(reversed(words))
        for k in range(n):
            found.append(undone(found[k], found[k + other], self.modulus))
        return tuple(reversed(found[n:]))

    def _combined(self, weights: Polynomial, words: Words) -> Words:
        """Return the sum over i of weight_i times the state i steps after `words`."""
        p, bits = self.order, (self.modulus - 1).bit_length()
        window = self.continued(words, p - 1)
        if self.op in ("+", "-"):
            return tuple(multiply(window, weights[::-1], self.modulus)[p - 1 : 2 * p - 1])
        if self.op == "xor":
            return tuple(_xors(window, weights).tolist())
        signs, exponents = number_theory.logarithms(np.array(window, np.uint64), bits)
        summed = multiply(exponents.tolist(), weights[::-1], self.jumps.modulus)[p - 1 : 2 * p - 1]
        parities = _xors(signs.tolist(), [weight & 1 for weight in weights])
        return tuple(number_theory.words_of(parities, np.array(summed, np.uint64), bits).tolist())


def _xors(window: Sequence[int], weights: Polynomial) -> npt.NDArray[np.uint64]:
    """Return for each k the xor of the words window_(k+i) whose weight_i is 1."""
    words, p = np.array(window, np.uint64), len(weights)
    total = np.zeros(p, np.uint64)
    for i, weight in enumerate(weights):
        if weight:
            total ^= words[i : i + p]
    return total


FITS_REGISTERS = 128
"""The largest order whose state a work-item can keep in registers."""

JUMPED = 64
"""The largest order whose jumps a work-item can make by itself."""


class LaggedFibonacciCode(LaggedCode):
    """A lagged Fibonacci generator: jumps are sums of words, their logarithms or bits, `scaled` by weights.

    `for_user_kernel`: whether work-items seed it by themselves. `jumps`: whether the structure of a state has jumps.
    `weight_words`: the words of a weight: itself and, where words are summed modulo other than powers of two, its
    quotient.
    """

    recurrence: LaggedFibonacci

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic, *, for_user_kernel: bool = False) -> None:
        super().__init__(recurrence, arithmetic)
        self.fits_registers = self.order <= (JUMPED if for_user_kernel else FITS_REGISTERS)
        self.jumps = for_user_kernel and self.fits_registers
        self.variant = self.fits_registers, self.jumps
        self.weight_words = 1 if is_power_of_two(self.recurrence.modulus) else 2

    def user_code(self) -> "LaggedFibonacciCode":  # noqa: D102  # as inherited
        return LaggedFibonacciCode(self.recurrence, self.arithmetic, for_user_kernel=True)

    def of_words(self) -> "LaggedFibonacciCode":  # noqa: D102  # as inherited
        return LaggedFibonacciCode(self.recurrence.of_words(), self.arithmetic) if self.recurrence.output else self

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return tuple(self.weights(self.recurrence.jumps.power(n)).tolist())

    def weights(self, polynomials: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the words of the weights of a jump, or of those of several in rows, as the device takes them."""
        weights: npt.NDArray[Any] = np.asarray(polynomials, self.word)
        if self.weight_words == 1:
            if self.recurrence.op == "*":  # the lowest bit, which the signs take, also in the highest, which is free
                weights = weights | weights << self.word.type(8 * self.word.itemsize - 1)
            return -weights if self.recurrence.op == "xor" else weights  # masks
        factors = [factor_words(self.recurrence.modulus, weight) for weight in weights.ravel().tolist()]
        return np.array(factors, self.word).reshape(*weights.shape[:-1], -1)

    @property
    def powers(self) -> Sequence[Sequence[int]]:  # noqa: D102  # as inherited
        return self.doublings if self.jumps else []

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        recurrence, m = self.recurrence, self.recurrence.modulus
        numbers = {
            **self._common(prefix, width),
            "op": recurrence.op,
            "lags": recurrence.lags,
            "bits": (m - 1).bit_length(),
            "word_bits": 8 * self.word.itemsize,
            "power_of_two": is_power_of_two(m),
            "weight_words": self.weight_words,
            **output_values(recurrence.output),
        }
        parts = [products(m, numbers)] if recurrence.op in ("+", "-") else []
        parts.append(render("generators/lagged_fibonacci.cl.mako", **numbers))
        if self.fits_registers:
            jumps = {"jumps": self.jumps, "powers": self.powers if width == 1 else []}
            parts.append(render("generators/lagged_registers.cl.mako", **numbers, **jumps))
        return "".join(parts)


FAMILIES = (
    Family(
        generator=LaggedFibonacci,
        code=LaggedFibonacciCode,
        title="Lagged Fibonacci generators",
        arguments={"lags": (5, 17), "op": "+", "seed": 1},
        about="any --lags up to 65536 with an --op, --bits up to 64 or a --modulus, from --seed or --state",
        seeds="0 to 18446744073709551615",
        source="Knuth, vol. 2, section 3.2.2",
        helps={
            "lags": "such as 24,55",
            "op": "",
            "bits": "those of a word, by default 32",
            "modulus": "",
            "seed": "by default 1",
            "state": "x_0,x_1,..., in place of a seed",
        },
        defaults={"seed": 1},
    ),
)

BRENT = (
    "R. P. Brent, Uniform random number generators for supercomputers, Proc. Fifth Australian Supercomputer "
    "Conference, 1992, pp. 95-104"
)
GLIBC = "GNU C Library, initstate and stdlib/random_r.c"
RAN_ARRAY = f"{KNUTH}, section 3.6"
TABLE = f"{KNUTH}, section 3.2.2, table 1"


def _named(  # noqa: PLR0913  # the columns of the table
    name: str,
    what: str,
    source: str,
    lags: tuple[int, int],
    seeds: tuple[int, int],
    seeding: Callable[[int], Words],
    *,
    op: str = "+",
    modulus: int = 2**32,
    output: tuple[int, int] | None = None,
    skipped: int = 0,
) -> Named:
    """Return the row of a generator of a library, whose seeding function makes the words, oldest first.

    The library draws `skipped` values before its first; of a negative number the first are the seeded words themselves.
    """

    def made(seed: int) -> BitGenerator:
        words = seeding(seed)
        generator = LaggedFibonacci(lags, op, modulus=modulus, state=words, output=output)
        return generator.with_state(generator.state_after(words, skipped))

    return Named(name, what, source, seeds, made)


def _pair(name: str, lags: tuple[int, int], source: str, op: str = "+") -> Named:
    """Return the row of a pair of lags without a library: words of 32 bits, seeded by the rule of `LaggedFibonacci`."""
    what = f"the lags {lags[0]} and {lags[1]}, {op} on 32 bits, with clrng's own seeding"
    return Named(name, what, source, (0, 2**64 - 1), lambda seed: LaggedFibonacci(lags, op, seed=seed))


def _glibc(number: int, size: int, degree: int, separation: int) -> Named:
    """Return the row of random of the GNU C library with a state of `size` bytes."""
    what = f"random of the GNU C library with a state of {size} bytes; for its seed 0 give 1"
    return _named(
        f"glibc_type_{number}", what, f"{GLIBC}, TYPE_{number}", (degree, separation), (1, 2**32 - 1),
        partial(glibc, degree, separation), output=(1, 31), skipped=10 * degree,
    )  # fmt: skip


def _boost(order: int, lag: int) -> Named:
    """Return the row of a generator of doubles of Boost, as integers."""
    what = f"lagged_fibonacci{order} of Boost: all 48 bits, which it divides by 2^48"
    return _named(
        f"boost_lagged_fibonacci_{order}", what, f"Boost, Boost.Random, lagged_fibonacci{order}; {BRENT}",
        (order, lag), (1, MODULUS - 1), partial(boost, order), modulus=2**48,
    )  # fmt: skip


@cache
def _go_numbers() -> Words:
    """Return the numbers of Go's table, the state of its program ``gen_cooked.go`` after 7.8 * 10^12 steps.

    A step stores its word at the place before that of the last step, so the table is turned.
    """
    steps = 7_800_000_000_000
    words = LaggedFibonacci(GO_LAGS, "+", 64, state=of_go(1, (20, 10))).advance(steps).words
    return tuple(words[(k - steps) % 607] for k in range(607))


def _go(seed: int) -> Words:
    """Return the words of a source of Go after ``Seed``, of a seed of 64 bits with a sign."""
    words = of_go(seed - (seed >> 63 << 64))
    return tuple((word ^ number) % 2**64 for word, number in zip(words, _go_numbers(), strict=True))


def _of_r(seed: int) -> int:
    """Return the seed of ran_start that ``set.seed`` of R makes."""
    return next(seeding.of_r(seed)) % (2**30 - 3)


NAMED = (
    _pair("lfg_7_10", (7, 10), "N. Zierler and J. Brillhart, On primitive trinomials (mod 2), Information and Control "
          "13(6), 1968, pp. 541-554"),
    _pair("lfg_5_17", (5, 17), "Thinking Machines Corporation, CMSSL for CM Fortran, lagged-Fibonacci random numbers"),
    _pair("mitchell_moore", (24, 55), f"G. J. Mitchell and D. P. Moore, 1958; {KNUTH}, section 3.2.2, equation (7)"),
    _pair("lfg_30_127", (30, 127), TABLE),
    _pair("lfg_273_607", (273, 607), f"{TABLE}; {BRENT}"),
    _pair("lfg_418_1279", (418, 1279), BRENT),
    _pair("lfg_1029_2281", (1029, 2281), f"{TABLE}; {BRENT}"),
    _pair("lfg_576_3217", (576, 3217), f"{TABLE}; {BRENT}"),
    _pair("lfg_4187_9689", (4187, 9689), f"{TABLE}; {BRENT}"),
    _pair("r250", (103, 250), "S. Kirkpatrick and E. P. Stoll, A very fast shift-register sequence random number "
          "generator, Journal of Computational Physics 40(2), 1981, pp. 517-526", op="xor"),
    *(_glibc(*row) for row in ((1, 32, 7, 3), (2, 64, 15, 1), (3, 128, 31, 3), (4, 256, 63, 1))),
    _named("knuth_ran_array_1997", "ran_array of Knuth as first printed, all its values",
           f"{RAN_ARRAY}, first to eighth printing; {GSL}, gsl_rng_knuthran", KNUTH_LAGS, (0, 2**30 - 3),
           partial(ran_start, first_printing=True), op="-", modulus=2**30, skipped=-100),
    _named("knuth_ran_array_2002", "ran_array of Knuth with the better seeding of 2002, all its values",
           f"{RAN_ARRAY}, ninth printing, 2002; {GSL}, gsl_rng_knuthran2002", KNUTH_LAGS, (0, 2**30 - 3),
           ran_start, op="-", modulus=2**30, skipped=10 * 199 - 100),
    _named("gsl_r250", "r250 of GSL, whose shorter lag is 147; GSL takes 1 for seed 0", f"{GSL}, gsl_rng_r250",
           (250, 147), (1, 2**32 - 1), gsl_r250, op="xor"),
    _named("go_math_rand", "math/rand of Go after Seed with an int64, whose 64 bits are the seed; a value is Uint64(), "
           "and its lower 63 bits are Int63()", "Go, math/rand, rng.go and gen_cooked.go", GO_LAGS, (0, 2**64 - 1), _go,
           modulus=2**64),
    *(
        _named(f"r_knuth_taocp{end}", f"set.seed of R with the kind Knuth-TAOCP{dashed}, all values of its ran_array; "
               "runif() gives those with the numbers 0 to 99 modulo 1009, divided by 2^30, but for 0 another one",
               f"R 4.2, RNGkind; {RAN_ARRAY}", KNUTH_LAGS, (0, 2**32 - 1), start, op="-", modulus=2**30,
               skipped=1009 + more)
        for end, dashed, start, more in (
            ("", "", lambda seed: ran_start(_of_r(seed), first_printing=True), -100),
            ("_2002", "-2002", lambda seed: ran_start(_of_r(seed)), 10 * 199 - 100),
        )
    ),
    _named("dotnet_random", "new System.Random(seed) of .NET Framework and .NET; a value is Next(), and NextDouble() "
           "is a value times the float64 nearest to 1 / (2^31 - 1)", ".NET Core 3.1 and Mono 6.8, System.Random",
           DOTNET_LAGS, (0, 2**31 - 1), dotnet, op="-", modulus=MODULUS),
    _named("sprng_mlfg_63_31", "MLFG6331_64, which is SPRNG's multiplicative generator with the parameter (63, 31), in "
           "its stream 0 of one; the upper 52 bits of a value divided by 2^52 are sprng()",
           "SPRNG 2.0, mlfg.c; M. Mascagni and A. Srinivasan, Parameterizing parallel multiplicative lagged-Fibonacci "
           "generators, Parallel Computing 30(7), 2004, pp. 899-916", SPRNG_LAGS, (0, 2**31 - 1), sprng, op="*",
           modulus=2**64, skipped=4 * 63),
    _named("ran3", "the subtractive generator ran3 of Numerical Recipes, there seeded by -seed, and of GSL",
           "W. H. Press, S. A. Teukolsky, W. T. Vetterling and B. P. Flannery, Numerical Recipes in C, 2nd ed., "
           f"Cambridge University Press, 1992, p. 283; {GSL}, gsl_rng_ran3", RAN3, (1, 161803398), ran3, op="-",
           modulus=10**9, skipped=4 * 55),
    *(
        _boost(*lags)
        for lags in ((607, 273), (1279, 418), (2281, 1252), (3217, 576), (4423, 2098), (9689, 5502), (19937, 9842),
                     (23209, 13470), (44497, 21034))
    ),
)  # fmt: skip
"""The lagged Fibonacci generators of libraries and books."""
