"""A short battery of tests of randomness that classic generators are known to fail; it takes a second or so.

Every test is one of the literature, with a p-value that is uniform on [0, 1] where the words are independent and
uniform. The battery finds bad generators quickly. Passing it says little about a generator: for that there are
TestU01 and PractRand.

References
----------
A. Compagner, The hierarchy of correlations in random binary sequences, J. Stat. Phys. 63, 1991.
R. R. Coveyou and R. D. MacPherson, Fourier analysis of uniform random number generators, J. ACM 14, 1967.
A. De Matteis and S. Pagnutti, Long-range correlations in linear and non-linear random number generators, Parallel
    Computing 14, 1990.
D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., Addison-Wesley, 1997.
P. L'Ecuyer, D. Munger, B. Oreshkin and R. Simard, Random numbers for parallel computers: requirements and methods,
    Math. Comput. Simul. 135, 2017.
P. L'Ecuyer and R. Simard, On the performance of birthday spacings tests with certain families of random number
    generators, Math. Comput. Simul. 55, 2001.
P. L'Ecuyer and R. Simard, TestU01: a C library for empirical testing of random number generators, ACM Trans. Math.
    Softw. 33(4), 22, 2007.
G. Marsaglia, A current view of random number generators, Computer Science and Statistics: 16th Symposium on the
    Interface, 1985.
G. Marsaglia and L.-H. Tsay, Matrices and the structure of random number sequences, Linear Algebra Appl. 67, 1985.
J. L. Massey, Shift-register synthesis and BCH decoding, IEEE Trans. Inf. Theory 15, 1969.
O. E. Percus and M. H. Kalos, Random number generators for MIMD parallel processors, J. Parallel Distrib. Comput. 6,
    1989.
R. A. Rueppel, Analysis and Design of Stream Ciphers, Springer, 1986.
A. Srinivasan, M. Mascagni and D. Ceperley, Testing parallel random number generators, Parallel Computing 29, 2003.
I. Vattulainen, T. Ala-Nissila and K. Kankaala, Physical tests for random numbers in simulations, Phys. Rev. Lett. 73,
    1994.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.quality import tested_words
from clrng.quality.tested_words import MIN_WORDS, Found, Sample, checked_words
from clrng.validation import shown

FAIL, SUSPICIOUS = 1e-10, 1e-4
"""A p-value below the first fails, one below the second is suspicious, any other passes."""


def verdict(p: float) -> str:
    """Return what a p-value says."""
    return "fail" if p < FAIL else "suspicious" if p < SUSPICIOUS else "pass"


MIN_STREAMS, MIN_WORDS_OF_A_STREAM = 2, 2**12

KNUTH = "Knuth 1997, 3.3.2"
L_ECUYER_SIMARD_2001 = "L'Ecuyer and Simard 2001"
L_ECUYER_SIMARD_2007 = "L'Ecuyer and Simard 2007"
COVEYOU_MACPHERSON = "Coveyou and MacPherson 1967"
MARSAGLIA_TSAY = "Marsaglia and Tsay 1985"
RUEPPEL = "Massey 1969; Rueppel 1986"
COMPAGNER = "Compagner 1991"


@dataclass(frozen=True)
class Test:
    """A test of the battery: what runs it, what it is known to find, and where it is published (see References)."""

    call: Callable[[Sample], Found]
    finds: str
    source: str


@dataclass(frozen=True)
class Result:
    """What a test, a key of `TESTS` or `STREAM_TESTS`, found; `detail` is what was counted, and how many are expected.

    `lower` and `upper` are the probabilities that independent and uniform words give a statistic at most, and at least,
    as large.
    """

    test: str
    source: str
    statistic: float
    lower: float
    upper: float
    detail: str

    @property
    def p(self) -> float:
        """The probability of a statistic as far out as this, on either side."""
        return min(1.0, 2 * min(self.lower, self.upper))

    @property
    def verdict(self) -> str:
        """What the p-value says: fail below 1e-10, suspicious below 1e-4, else pass."""
        return verdict(self.p)


def _tests(*rows: tuple[str, Callable[..., Found], dict[str, Any], str, str]) -> dict[str, Test]:
    """Return tests by name: of rows of a name, what runs it and how, what it finds, and its source."""
    return {name: Test(partial(call, **options), finds, source) for name, call, options, finds, source in rows}


TESTS = _tests(
    ("frequency of bits", tested_words.bit_frequency, {},
     "bits that are stuck, or more often one than the other", f"{KNUTH} A"),
    ("serial pairs of top bits", tested_words.serial_pairs, {},
     "pairs of words that come too often, or never", f"{KNUTH} B"),
    ("serial pairs of low bits", tested_words.serial_pairs, {"low": True},
     "low bits of short periods, as of LCGs modulo 2^k", f"{KNUTH} B"),
    ("gaps", tested_words.gaps, {}, "small words that come too regularly, as of short lags", f"{KNUTH} C"),
    ("birthday spacings of one word", tested_words.birthday_spacings, {"dimension": 1},
     "lagged Fibonacci generators, and short periods", f"Marsaglia 1985; {KNUTH} J; {L_ECUYER_SIMARD_2001}"),
    ("birthday spacings of two words", tested_words.birthday_spacings, {"dimension": 2},
     "LCGs whose period is below (n/16)³ for n points", L_ECUYER_SIMARD_2001),
    ("birthday spacings of three words", tested_words.birthday_spacings, {"dimension": 3},
     "the same in three dimensions", L_ECUYER_SIMARD_2001),
    ("birthday spacings of low bits", tested_words.birthday_spacings, {"dimension": 2, "low": True},
     "the low bits of LCGs modulo 2^k", L_ECUYER_SIMARD_2001),
    ("collisions of two words", tested_words.collisions, {"dimension": 2},
     "points that come again, or that avoid each other", f"{KNUTH} I"),
    ("collisions of four words", tested_words.collisions, {"dimension": 4},
     "the same in four dimensions", f"{KNUTH} I"),
    ("collisions of single bits", tested_words.bits_collisions, {},
     "top bits that depend on one another, in some 17 dimensions or more", f"{KNUTH} I"),
    ("autocorrelation", tested_words.autocorrelation, {},
     "periods, and words that depend on one", f"{KNUTH} K; {COVEYOU_MACPHERSON}"),
    ("three words at lags", tested_words.three_words, {},
     "lagged Fibonacci generators of lags up to 128, by + and -", f"{COVEYOU_MACPHERSON}; {L_ECUYER_SIMARD_2001}"),
    ("three bits at lags", tested_words.three_bits, {},
     "such generators by exclusive or, as shift registers of two taps", COMPAGNER),
    ("lattice in 2 dimensions", tested_words.lattice, {"dimension": 2},
     "pairs that lie on few lines", COVEYOU_MACPHERSON),
    ("lattice in 3 dimensions", tested_words.lattice, {"dimension": 3},
     "triples that lie in few planes, as RANDU's", COVEYOU_MACPHERSON),
    ("rank of matrices 64 by 64", tested_words.matrix_rank, {"size": 64},
     "generators over GF(2) of less than 64 bits of state", MARSAGLIA_TSAY),
    ("rank of matrices 320 by 320", tested_words.matrix_rank, {"size": 320},
     "such generators of less than 320 bits", MARSAGLIA_TSAY),
    ("linear complexity of top bits", tested_words.linear_complexity, {},
     "such generators of under 1000 bits", RUEPPEL),
    ("linear complexity of lowest bits", tested_words.linear_complexity, {"low": True},
     "additive lagged Fibonacci generators of lags up to 1000, and low bits of LCGs", RUEPPEL),
    ("Hamming weights of pairs", tested_words.hamming_weights, {},
     "words whose number of ones depends on that of the word before", L_ECUYER_SIMARD_2007),
    ("random walk", tested_words.random_walk, {},
     "top bits that depend on those before", f"Vattulainen, Ala-Nissila and Kankaala 1994; {L_ECUYER_SIMARD_2007}"),
)  # fmt: skip
"""The tests of one stream, by their names."""

STREAM_TESTS = _tests(
    ("words in common", tested_words.words_in_common, {},
     "streams that are equal or overlap", "L'Ecuyer, Munger, Oreshkin and Simard 2017"),
    ("streams shifted", tested_words.shifted, {},
     "streams of which one follows the other, or is a constant apart from it, as LCGs modulo 2^k half a period on",
     "De Matteis and Pagnutti 1990; Percus and Kalos 1989"),
    ("equal bits of streams", tested_words.equal_bits, {},
     "streams of equal low bits, as LCGs modulo 2^k a power of two apart", "Percus and Kalos 1989"),
)  # fmt: skip
"""The tests of several streams, by their names."""

INTERLEAVED = (
    "serial pairs of top bits",
    "birthday spacings of two words",
    "collisions of two words",
    "autocorrelation",
    "three words at lags",
    "lattice in 3 dimensions",
    "rank of matrices 64 by 64",
    "Hamming weights of pairs",
)
"""The tests that are run on all streams interleaved, too, as Srinivasan, Mascagni and Ceperley do it."""


def result(name: str, test: Test, sample: Sample) -> Result:
    """Run a test, and return what it found."""
    found = test.call(sample)
    return Result(name, test.source, found.statistic, found.tails.lower, found.tails.upper, found.detail)


def run(words: npt.NDArray[Any], bits: int = 32, tests: Iterable[str] = tuple(TESTS)) -> list[Result]:
    """Run the tests of one stream, keys of `TESTS` and by default all, and return a result of each in their order.

    The `words` are a one-dimensional array of at least 2^16 unsigned integers below 2^bits, which should be uniform,
    with `bits` from 8 to 64; `words_of` makes them of raw values. From 2^20 words on, the tests also find generators
    with 48 bits of state. `TypeError` or `ValueError` is raised for other arguments.
    """
    names = list(tests)
    if unknown := [name for name in names if name not in TESTS]:
        raise ValueError(f"tests must be of {', '.join(TESTS)}, not {shown(unknown[0])}")
    sample = Sample(*checked_words("words", words, bits))
    if len(sample.words) < MIN_WORDS:
        raise ValueError(f"words must be at least {MIN_WORDS}, not {len(sample.words)}")
    return [result(name, TESTS[name], sample) for name in names]


def between_streams(streams: npt.NDArray[Any], bits: int = 32, *, interleaved: bool = True) -> list[Result]:
    """Run the tests of several streams: whether any two share words or bits, and some of `TESTS` on all interleaved.

    There are 2 or more `streams`, a row each, of at least 2^12 words each and 2^16 in all; words are as `run` takes
    them. Return a result of each of `STREAM_TESTS`, then, if `interleaved`, of each of `INTERLEAVED`, whose names end
    in " (interleaved)": these are run on the first word of each stream, then the second of each, and so on, as one
    stream. Interleaved streams by leapfrog are the sequence from which they are dealt.
    """
    sample = Sample(*checked_words("streams", streams, bits, dimensions=2))
    count, length = sample.words.shape
    if count < MIN_STREAMS or length < MIN_WORDS_OF_A_STREAM or count * length < MIN_WORDS:
        raise ValueError(
            f"streams must be at least {MIN_STREAMS}, of at least {MIN_WORDS_OF_A_STREAM} words each and "
            f"{MIN_WORDS} in all, not of the shape {sample.words.shape}"
        )
    results = [result(name, test, sample) for name, test in STREAM_TESTS.items()]
    if interleaved:
        together = Sample(np.ascontiguousarray(sample.words.T).ravel(), sample.bits)
        results += [result(f"{name} (interleaved)", TESTS[name], together) for name in INTERLEAVED]
    return results
