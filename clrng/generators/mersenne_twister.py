"""The Mersenne Twister, of 32 and of 64 bits."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from math import isqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.random import SeedSequence
from typing_extensions import Self

from clrng import validation
from clrng.generators import seeding
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words
from clrng.generators.family import Family, Named
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.generators.maths.gf2 import SparseModulus
from clrng.generators.parameters import Attribute, constant
from clrng.opencl.templates import render
from clrng.validation import shown


class Twister(NamedTuple):
    """The parameters of a Mersenne Twister, as its authors call them.

    `w`, `n`, `m`, `r`, `a`: the bits of a word, the words of a state, the middle word, the lower bits, and the last row
    of the matrix. `u`, `d`, `s`, `b`, `t`, `c`, `l`: the shifts and masks of tempering. `factor`: the multiplier of
    ``init_genrand``. `first_pass`, `second_pass`: those of ``init_by_array`` in its passes over the words.
    """

    w: int
    n: int
    m: int
    r: int
    a: int
    u: int
    d: int
    s: int
    b: int
    t: int
    c: int
    l: int  # noqa: E741  # the authors' name
    factor: int
    first_pass: int
    second_pass: int

    @property
    def lower(self) -> int:
        """The mask of the lower bits, which are taken from the word after."""
        return (1 << self.r) - 1

    @property
    def upper(self) -> int:
        """The mask of the other bits."""
        return (1 << self.w) - 1 ^ self.lower

    def twisted(self, first: Any, second: Any, middle: Any) -> Any:
        """Return the word after a state, from its first two words and the middle one; each may be an array."""
        y = first & self.upper | second & self.lower
        return middle ^ y >> 1 ^ (y & 1) * self.a

    def untwisted(self, newest: Any, middle: Any) -> Any:
        """Return the y above from the word that it led to and the middle one; each may be an array."""
        found = newest ^ middle
        odd = found >> self.w - 1  # as only a has the highest bit
        return (found ^ odd * self.a) << 1 & (1 << self.w) - 1 | odd

    def first(self, words: Any) -> Any:
        """Return the first of the words of a state with the bits that follow from the others; each may be an array."""
        y = self.untwisted(words[-1], words[self.m - 1])
        return words[0] & self.upper | y & self.lower

    def tempered(self, x: int) -> int:
        """Return the value that a word gives."""
        x ^= x >> self.u & self.d
        x ^= x << self.s & self.b
        x ^= x << self.t & self.c
        return x ^ x >> self.l

    def characteristic(self) -> int:
        """Return the characteristic polynomial of the recurrence, the coefficient of x^i in bit i.

        M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random
        number generator", ACM Transactions on Modeling and Computer Simulation 8(1), 1998, appendix A.
        """
        powers = [1]
        for i in range(self.w):
            f, less = powers[-1], i >= self.w - self.r
            powers.append(f << self.n - less ^ f << self.m - less)
        total, plain = powers[self.w], 1
        for i in range(self.r):
            total ^= powers[self.w - 1 - i] * (self.a >> i & 1)
        for i in range(self.w - 1, self.r - 1, -1):
            total ^= plain * (self.a >> i & 1)
            plain = plain << self.n ^ plain << self.m
        return total


ARRAYS_SEED = 19650218
"""What ``init_by_array`` begins with."""


def from_integer(twister: Twister, seed: int) -> list[int]:
    """Return the words of ``init_genrand``, which C++ has too, for a seed of one word."""
    words = [seed]
    for i in range(1, twister.n):
        last = words[-1]
        words.append((twister.factor * (last ^ last >> twister.w - 2) + i) % 2**twister.w)
    return words


def from_array(twister: Twister, key: Sequence[int]) -> list[int]:
    """Return the words of ``init_by_array`` for one word or more."""
    words, m, n, i = from_integer(twister, ARRAYS_SEED), 2**twister.w, twister.n, 1

    def moved(i: int) -> int:
        if i < n:
            return i
        words[0] = words[n - 1]
        return 1

    def mixed(i: int, factor: int) -> int:
        return words[i] ^ (words[i - 1] ^ words[i - 1] >> twister.w - 2) * factor

    for k in range(max(n, len(key))):
        j = k % len(key)
        words[i] = (mixed(i, twister.first_pass) + key[j] + j) % m
        i = moved(i + 1)
    for _ in range(n - 1):
        words[i] = (mixed(i, twister.second_pass) - i) % m
        i = moved(i + 1)
    words[0] = 1 << twister.w - 1
    return words


def of_python(seed: int) -> list[int]:
    """Return the words of ``random.Random(seed)`` for an integer: those of its digits to the base 2^32."""
    return from_array(MT19937.twister, [seed >> 32 * i & 2**32 - 1 for i in range(max(-(-seed.bit_length() // 32), 1))])


def of_numpy(seed: int) -> tuple[Words, int]:
    """Return the words of ``numpy.random.MT19937(seed)`` for an integer, and its position among them."""
    order = MT19937.twister.n
    return (2**31, *SeedSequence(seed).generate_state(order)[1:].tolist()), order - 1


DEGREE = 19937


class MersenneTwister(Lagged):
    """What the Mersenne Twisters of 32 and 64 bits have in common."""

    twister: ClassVar[Twister]
    period = constant((1 << DEGREE) - 1, "The number of values before the sequence repeats, 2^19937 - 1.")
    state_count = constant(
        (1 << DEGREE) - 1, "How many states there are: the lowest bits of the first word follow from the others."
    )
    tempers: Attribute[bool] = Attribute("Whether values are words after tempering.")
    _tempers = True
    _value_is = "the newest word after tempering"

    def __init__(self, seed: int | Sequence[int] | None = None, state: Sequence[int] | None = None) -> None:
        if seed is not None and state is not None:
            raise TypeError(f"seed and state must not both be given, not {shown(seed)} and {shown(state)}")
        if state is not None:
            self._set(state=state)
        else:
            self._words = self.canonical(tuple(self._words_of(5489 if seed is None else seed)))

    def _words_of(self, seed: Any) -> list[int]:
        most = self.modulus - 1
        if not validation.is_sequence(seed):
            return from_integer(self.twister, validation.integer("seed", seed, 0, most))
        if not len(seed):
            raise ValueError("seed must be an integer, or a sequence of one or more, not an empty one")
        key = [validation.integer(f"seed[{i}]", number, 0, most) for i, number in enumerate(seed)]
        return from_array(self.twister, key)

    @classmethod
    def from_block(cls, words: Sequence[int], position: int) -> Self:
        """Return the generator that stands inside a block of words, as other libraries keep it.

        Parameters
        ----------
        words : sequence of int
            The block, as many words as a state has.
        position : int
            How many of them have been drawn, from 0 to all. NumPy calls them ``state["state"]["key"]`` and
            ``["pos"]``; Python's ``random.getstate()[1]`` has both in one tuple, and so has the text that C++ writes.

        Returns
        -------
        MersenneTwister

        Raises
        ------
        TypeError
            If `position` is not an integer, or `words` is not a sequence of them.
        ValueError
            If one is out of range, there are not as many words as in a state, all bits with influence are 0, or the
            first word is still to be drawn, and is not one that the recurrence leads to.

        Examples
        --------
        >>> import clrng
        >>> import numpy as np
        >>> state = np.random.MT19937(2026).state["state"]
        >>> clrng.MT19937.from_block(state["key"].tolist(), state["pos"]).sequence(2)
        array([3345532825, 3447419329], dtype=uint32)
        """
        checked, n = cls.__new__(cls)._checked_words("words", words), cls.twister.n  # noqa: SLF001  # of this class
        ahead = validation.integer("position", position, 0, n)
        legal = cls.canonical(checked)
        if ahead == 0 and legal != checked:
            raise ValueError(
                f"words[0] must be {legal[0]} at position 0, as the recurrence leads to no other first word that other "
                f"words follow, not {checked[0]}"
            )
        return cls(state=legal).advance(ahead - n)

    @property
    def block(self) -> tuple[list[int], int]:
        """The last words drawn as a block, and its length: a state for other libraries to go on with."""
        return list(self.words), self.order

    def _checked_words(self, name: str, values: Any) -> Words:
        if isinstance(values, Mapping) and {"key", "pos"} <= values.keys():
            raise TypeError(
                f"{name} must be {self.order} integers, not 'key' and 'pos' of NumPy's {type(self).__name__}, of which "
                f"{type(self).__name__}.from_block(key, pos) makes the generator"
            )
        words = super()._checked_words(name, values)
        if not words[0] & self.twister.upper and not any(words[1:]):
            found = f"{words[0]} and {self.order - 1} zeros" if words[0] else f"{self.order} zeros"
            raise ValueError(f"{name} must {self._legal()}, not {found}")
        return words

    def _checked_state(self, name: str, values: Any) -> Words:
        words = self._checked_words(name, values)
        first = self.canonical(words)[0]
        if words[0] != first:
            raise ValueError(
                f"{name}[0] must have the lowest {self.twister.r} bits that the recurrence leads to, as {first}, not "
                f"{words[0]}; from_block takes any"
            )
        return words

    @classmethod
    def _legal(cls) -> str:
        """Return what the words of a state must have, for errors."""
        bits = cls.twister.w - cls.twister.r
        highest = "the highest bit" if bits == 1 else f"the {bits} highest bits"
        return f"have a 1 in {highest} of the first integer or anywhere in the others, or all values are 0"

    @classmethod
    def canonical(cls, words: Words) -> Words:
        """Return `words` with the lowest bits of the first one, which have no influence, as the recurrence has them."""
        return (cls.twister.first(words), *words[1:])

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        twister = self.twister
        return (
            f"x[i] = x[i - {twister.n - twister.m}] ⊕ y A, where y is the upper {twister.w - twister.r} bits of "
            f"x[i - {twister.n}] and the lower {twister.r} of x[i - {twister.n - 1}], and the last row of A is "
            f"{number(twister.a)}; a value is x[i] after tempering"
        )

    @property
    def lags(self) -> tuple[int, int, int]:  # noqa: D102  # as inherited
        twister = self.twister
        return twister.n, twister.n - 1, twister.n - twister.m

    @property
    def jumps(self) -> SparseModulus:
        """The powers of x modulo the characteristic polynomial."""
        return _jumps(self.twister)

    def of_words(self) -> Self:
        """Return a generator at the same place whose values are words without tempering."""
        other = self.copy()
        other._tempers = False  # noqa: SLF001  # of the same class
        return other

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        first = self.twister.first(states.T)
        zero = ~(states[:, 1:].any(axis=1) | (states[:, 0] & self.twister.upper != 0))
        for row in np.flatnonzero(zero | (first != states[:, 0])):
            lowest = f"begin with lowest bits that the recurrence leads to, as {first[row]}"
            return int(row), self._legal() if zero[row] else lowest
        return None

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        found = states.copy()
        found[:, 0] = self.twister.first(states.T)
        return found

    def _new(self, words: Sequence[int]) -> int:
        twister = self.twister
        found: int = twister.twisted(words[-twister.n], words[1 - twister.n], words[twister.m - twister.n])
        return found

    def _shown(self, word: int) -> int:
        return self.twister.tempered(word) if self._tempers else word

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        if 0 <= n <= 2 * self.order:
            return tuple(self.continued(words, n)[n:])
        if -2 * self.order <= n < 0:
            return self._before(words, -n)
        window = self._window(words)
        chosen = self.jumps.positions(self.jumps.power(n))
        windows = np.lib.stride_tricks.sliding_window_view(window, self.order)
        total = np.zeros(self.order, window.dtype)
        for i in range(0, len(chosen), 256):
            total ^= np.bitwise_xor.reduce(windows[chosen[i : i + 256]], axis=0)
        return tuple(total.tolist())

    def _before(self, words: Words, n: int) -> Words:
        """Return the state `n` steps before `words`."""
        twister, found = self.twister, list(words[::-1])  # the newest first
        order, middle = twister.n, twister.n - twister.m
        for i in range(n):
            upper = twister.untwisted(found[i], found[i + middle])
            lower = twister.untwisted(found[i + 1], found[i + 1 + middle])
            found.append(upper & twister.upper | lower & twister.lower)
        return tuple(found[n : n + order][::-1])

    def _window(self, words: Words) -> npt.NDArray[Any]:
        """Return `words` and those that follow, as many as have in them all the states whose sum a jump is."""
        twister, total = self.twister, self.order + DEGREE
        window = np.empty(total, self.word_dtype)
        window[: self.order] = words
        for begin in range(self.order, total, twister.n - twister.m):
            end = min(begin + twister.n - twister.m, total)
            window[begin:end] = twister.twisted(
                window[begin - twister.n : end - twister.n],
                window[begin + 1 - twister.n : end + 1 - twister.n],
                window[begin + twister.m - twister.n : end + twister.m - twister.n],
            )
        return window


@cache
def _jumps(twister: Twister) -> SparseModulus:
    return SparseModulus(twister.characteristic())


class MT19937(MersenneTwister):
    """The Mersenne Twister MT19937 of Matsumoto and Nishimura, of 32 bits.

    Parameters
    ----------
    seed : int or sequence of int, optional
        An integer from 0 to 4294967295 for ``init_genrand``, as ``std::mt19937`` and ``numpy.random.RandomState`` take
        it, or a sequence of such for ``init_by_array``, as ``RandomState`` takes it. By default 5489, as in C++.
    state : sequence of int, optional
        In place of a seed the last 624 words, the oldest first, as `words` has them.

    Raises
    ------
    TypeError
        If an argument is not an integer or a sequence of them, or both are given.
    ValueError
        If one is out of range or a state has not 624 words, is all 0, or begins with a word that the recurrence does
        not lead to.

    See Also
    --------
    clrng.named : ``"numpy_mt19937"`` and ``"python_random"`` are seeded as ``numpy.random.MT19937`` and Python's
        ``random.Random`` are.
    from_block : the states of other libraries, in the middle of a block of 624 words too.

    Notes
    -----
    Of the oldest of the 624 words only the highest bit has influence on what follows; the others are kept as the
    recurrence leads to them. So a state is 19937 bits, and the period is 2^19937 - 1. A jump of n is the sum of states
    whose weights are the coefficients of x^n modulo the characteristic polynomial, and takes O(log n): some
    milliseconds for each bit of n.

    The outputs are linear over GF(2), which tests of linear complexity and of the ranks of large binary matrices find.

    References
    ----------
    M. Matsumoto and T. Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random number
    generator", ACM Transactions on Modeling and Computer Simulation 8(1), 1998, pp. 3-30.

    Examples
    --------
    >>> import clrng
    >>> clrng.MT19937(seed=5489).sequence(3).tolist()
    [3499211612, 581869302, 3890346734]
    >>> clrng.MT19937().jumped(9999).sequence(1).tolist()  # as the C++ standard says of std::mt19937
    [4123659995]
    """

    name = "mt19937"
    _modulus = 2**32
    twister = Twister(32, 624, 397, 31, 0x9908B0DF, 11, 0xFFFFFFFF, 7, 0x9D2C5680, 15, 0xEFC60000, 18,
                      1812433253, 1664525, 1566083941)  # fmt: skip


class MT19937_64(MersenneTwister):  # noqa: N801  # as it is known
    """The Mersenne Twister MT19937-64 of Nishimura and Matsumoto, of 64 bits.

    Parameters
    ----------
    seed : int or sequence of int, optional
        An integer from 0 to 18446744073709551615 for ``init_genrand64``, as ``std::mt19937_64`` takes it, or a sequence
        of such for ``init_by_array64``. By default 5489, as in C++.
    state : sequence of int, optional
        In place of a seed the last 312 words, the oldest first, as `words` has them.

    Notes
    -----
    All is as for `MT19937`, but for the words.

    References
    ----------
    T. Nishimura, "Tables of 64-bit Mersenne Twisters", ACM Transactions on Modeling and Computer Simulation 10(4),
    2000, pp. 348-357.

    Examples
    --------
    >>> import clrng
    >>> clrng.MT19937_64().jumped(9999).sequence(1).tolist()  # as the C++ standard says of std::mt19937_64
    [9981545732273789042]
    """

    name = "mt19937_64"
    _modulus = 2**64
    twister = Twister(
        64, 312, 156, 31, 0xB5026F5AA96619E9, 29, 0x5555555555555555, 17, 0x71D67FFFEDA60000, 37, 0xFFF7EEE000000000,
        43, 6364136223846793005, 3935559000370003845, 2862933555777941757,
    )  # fmt: skip


class MersenneTwisterCode(LaggedCode):
    """A Mersenne Twister: a word follows from three earlier ones, and a value is a word after tempering."""

    recurrence: MersenneTwister
    fits_registers = False

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self.variant = self.recurrence.tempers

    def of_words(self) -> "MersenneTwisterCode":  # noqa: D102  # as inherited
        return MersenneTwisterCode(self.recurrence.of_words(), self.arithmetic)

    @cached_property
    def jump_order(self) -> int:  # noqa: D102  # as inherited
        return isqrt(self.order * self.recurrence.jumps.degree)

    def stride(self, n: int) -> tuple[int, ...]:
        """Return the words of a jump of `n` steps: its polynomial in pieces of 32 bits, the lowest first."""
        polynomial = self.recurrence.jumps.power(n)
        return tuple(polynomial >> place & 2**32 - 1 for place in range(0, self.recurrence.jumps.degree, 32))

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        twister = self.recurrence.twister
        values = {**self._common(prefix, width), "twister": twister, "tempers": self.recurrence.tempers}
        return render("generators/mersenne_twister.cl.mako", **values)


def _family(generator: type[MersenneTwister], bits: int, most: int, source: str) -> Family:
    return Family(
        generator=generator,
        code=MersenneTwisterCode,
        title="Mersenne Twisters",
        arguments={"seed": 5489},
        about=f"the Mersenne Twister of {bits} bits, from --seed as in C++, or --state",
        seeds=f"0 to {most}",
        source=source,
        helps={"seed": "by default 5489", "state": "x_0,x_1,..., in place of a seed"},
    )


FAMILIES = (
    _family(MT19937, 32, 2**32 - 1, "Matsumoto and Nishimura 1998"),
    _family(MT19937_64, 64, 2**64 - 1, "Nishimura 2000"),
)

MATSUMOTO = (
    "M. Matsumoto and T. Nishimura, Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random number "
    "generator, ACM Transactions on Modeling and Computer Simulation 8(1), 1998, pp. 3-30"
)


def _of_ruby(seed: int) -> MT19937:
    """Return what Ruby makes of an integer, from which it removes a highest word of 1 for a guard of its own."""
    words = [seed >> place & 2**32 - 1 for place in range(0, max(seed.bit_length(), 1), 32)]
    if len(words) > 1 and words[-1] == 1:
        words.pop()
    return MT19937(words[0] if len(words) == 1 else words)


def _of_r(seed: int) -> MT19937:
    """Return what ``set.seed`` of R makes, whose first word is that of a place."""
    return MT19937.from_block(list(islice(seeding.of_r(seed), 2, 2 + MT19937.twister.n)), MT19937.twister.n)


NAMED = (
    Named("std_mt19937", "std::mt19937 of C++, and GSL's mt19937 but for its seed 0",
          f"C++ [rand.predef] mt19937; {MATSUMOTO}", (0, 2**32 - 1), MT19937),
    Named("std_mt19937_64", "std::mt19937_64 of C++",
          "C++ [rand.predef] mt19937_64; T. Nishimura, Tables of 64-bit Mersenne Twisters, ACM Transactions on "
          "Modeling and Computer Simulation 10(4), 2000, pp. 348-357", (0, 2**64 - 1), MT19937_64),
    Named("numpy_random_state", "NumPy's RandomState and numpy.random.seed with an integer",
          f"NumPy, numpy.random.RandomState; {MATSUMOTO}", (0, 2**32 - 1), MT19937),
    Named("numpy_mt19937", "NumPy's bit generator MT19937 with an integer, which goes through SeedSequence",
          f"NumPy, numpy.random.MT19937; {MATSUMOTO}", (0, 2**128 - 1),
          lambda seed: MT19937.from_block(*of_numpy(seed))),
    Named("python_random", "Python's random.seed with an integer; a value is what random.getrandbits(32) gives",
          f"Python, random.Random; {MATSUMOTO}", (0, 2**128 - 1),
          lambda seed: MT19937.from_block(of_python(seed), MT19937.twister.n)),
    Named("ruby_random", "Random.new and srand of Ruby with an integer; a value is what rand(2**32) gives",
          f"Ruby 3.1, Random; {MATSUMOTO}", (0, 2**128 - 1), _of_ruby),
    Named("r_mersenne_twister", "set.seed of R with its usual kind of generator; the seed is an integer modulo 2^32; "
          "runif() gives the floats of Generator.random in double precision, but for 0 another one",
          f"R 4.2, set.seed; {MATSUMOTO}", (0, 2**32 - 1), _of_r),
    Named("php_mt_rand", "mt_srand of PHP from version 7.1 on; mt_rand() gives the upper 31 bits of a value",
          f"PHP 8.2, mt_rand; {MATSUMOTO}", (0, 2**32 - 1), MT19937),
    Named("matlab_twister", "rng(seed, 'twister') of MATLAB, whose usual seed 0 is 5489; rand() is a double of "
          "random_sample, but never 0", f"MATLAB, rng, of which only published values were compared; "
          f"{MATSUMOTO}", (0, 2**32 - 1), lambda seed: MT19937(seed or 5489)),
    Named("octave_twister", "rand('twister', seed) of GNU Octave; rand() is a double of random_sample, but never 0",
          f"GNU Octave 7.3, rand; {MATSUMOTO}", (0, 2**32 - 1), lambda seed: MT19937([seed])),
)  # fmt: skip
"""The Mersenne Twisters of libraries, seeded as these seed them."""
