"""A short battery of tests of randomness: those that classic generators are known to fail, a second or so in all.

Every test is one of the literature, with a p-value that is uniform on [0, 1] where the words are independent and
uniform. It is a battery that finds bad generators quickly; that a generator passes says little, for which TestU01 and
PractRand are.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy.typing as npt

from clrng.quality import bit_tests, stream_tests, value_tests
from clrng.quality.stream_tests import interleaved
from clrng.quality.tested_words import FEWEST_WORDS, Found, Sample, checked_words
from clrng.validation import shown

FAIL, SUSPICIOUS = 1e-10, 1e-4
"""A p-value below the first fails, one below the second is suspicious, any other passes."""

VERDICTS = ("pass", "suspicious", "fail")
"""From the best to the worst."""

FEWEST_STREAMS, FEWEST_WORDS_OF_A_STREAM = 2, 2**12

KNUTH = "Knuth, The Art of Computer Programming, vol. 2, 3.3.2"
L_ECUYER_SIMARD_2001 = "L'Ecuyer and Simard 2001, Math. Comput. Simul. 55"
L_ECUYER_SIMARD_2007 = "L'Ecuyer and Simard 2007, ACM TOMS 33(4), 22"
MARSAGLIA_1985 = "Marsaglia 1985, A current view of random number generators"
COVEYOU_MACPHERSON = "Coveyou and MacPherson 1967, J. ACM 14"
MARSAGLIA_TSAY = "Marsaglia and Tsay 1985, Linear Algebra Appl. 67"
RUEPPEL = "Massey 1969, IEEE Trans. Inf. Theory 15; Rueppel 1986, Analysis and Design of Stream Ciphers"
COMPAGNER = "Compagner 1991, J. Stat. Phys. 63"


@dataclass(frozen=True)
class Test:
    """A test of the battery.

    Attributes
    ----------
    source : str
        Where it is published.
    call : callable
        What runs it.
    """

    source: str
    call: Callable[[Any], Found]


@dataclass(frozen=True)
class Result:
    """What a test found.

    Attributes
    ----------
    test : str
        Its name, a key of `TESTS` or `STREAM_TESTS`.
    source : str
        Where it is published.
    statistic : float
    lower, upper : float
        The probabilities of a statistic at most and at least as large, of independent and uniform words.
    detail : str
        What was counted, and how many are expected.
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
        """One of `VERDICTS`: fail for p below 1e-10, suspicious for p below 1e-4, else pass."""
        return "fail" if self.p < FAIL else "suspicious" if self.p < SUSPICIOUS else "pass"


TESTS: dict[str, Test] = {
    "frequency of bits": Test(f"{KNUTH} A; Good 1953", bit_tests.bit_frequency),
    "serial pairs, top bits": Test(f"{KNUTH} B", value_tests.serial_pairs),
    "serial pairs, low bits": Test(f"{KNUTH} B", partial(value_tests.serial_pairs, low=True)),
    "gaps": Test(f"{KNUTH} D", value_tests.gaps),
    "birthday spacings of one word": Test(
        f"{MARSAGLIA_1985}; {L_ECUYER_SIMARD_2001}", partial(value_tests.birthday_spacings, dimension=1)
    ),
    "birthday spacings of two words": Test(
        L_ECUYER_SIMARD_2001, partial(value_tests.birthday_spacings, dimension=2)
    ),
    "birthday spacings of three words": Test(
        L_ECUYER_SIMARD_2001, partial(value_tests.birthday_spacings, dimension=3)
    ),
    "birthday spacings of low bits": Test(
        L_ECUYER_SIMARD_2001, partial(value_tests.birthday_spacings, dimension=2, low=True)
    ),
    "collisions of two words": Test(f"{KNUTH} I", partial(value_tests.collisions, dimension=2)),
    "collisions of four words": Test(f"{KNUTH} I", partial(value_tests.collisions, dimension=4)),
    "collisions of single bits": Test(f"{KNUTH} I", value_tests.bits_collisions),
    "autocorrelation": Test(f"{KNUTH} K; {COVEYOU_MACPHERSON}", value_tests.autocorrelation),
    "three words at lags": Test(f"{COVEYOU_MACPHERSON}; {L_ECUYER_SIMARD_2001}", value_tests.three_words),
    "three bits at lags": Test(COMPAGNER, value_tests.three_bits),
    "lattice in 2 dimensions": Test(COVEYOU_MACPHERSON, partial(value_tests.lattice, dimension=2)),
    "lattice in 3 dimensions": Test(COVEYOU_MACPHERSON, partial(value_tests.lattice, dimension=3)),
    "matrix rank, 64 by 64": Test(MARSAGLIA_TSAY, partial(bit_tests.matrix_rank, size=64)),
    "matrix rank, 320 by 320": Test(MARSAGLIA_TSAY, partial(bit_tests.matrix_rank, size=320)),
    "linear complexity, top bit": Test(RUEPPEL, bit_tests.linear_complexity),
    "linear complexity, lowest bit": Test(RUEPPEL, partial(bit_tests.linear_complexity, low=True)),
    "Hamming weights of pairs": Test(L_ECUYER_SIMARD_2007, bit_tests.hamming_weights),
    "random walk": Test("Vattulainen, Ala-Nissila and Kankaala 1994, Phys. Rev. Lett. 73", bit_tests.random_walk),
}  # fmt: skip
"""The tests of one stream, by their names."""

STREAM_TESTS: dict[str, Test] = {
    "words in common": Test(f"{L_ECUYER_SIMARD_2007}; {KNUTH} I", stream_tests.words_in_common),
    "streams shifted": Test(COVEYOU_MACPHERSON, stream_tests.shifted),
    "equal bits of streams": Test(COMPAGNER, stream_tests.equal_bits),
}
"""The tests of several streams, by their names."""

INTERLEAVED = (
    "serial pairs, top bits",
    "birthday spacings of two words",
    "collisions of two words",
    "autocorrelation",
    "three words at lags",
    "lattice in 3 dimensions",
    "matrix rank, 64 by 64",
    "Hamming weights of pairs",
)
"""The tests that are run of all streams interleaved, too."""


def result(name: str, test: Test, sample: Sample) -> Result:
    """Run a test, and return what it found."""
    found = test.call(sample)
    return Result(name, test.source, found.statistic, found.tails.lower, found.tails.upper, found.detail)


def run(words: npt.NDArray[Any], bits: int = 32, tests: Iterable[str] = tuple(TESTS)) -> list[Result]:
    """Run the tests of one stream.

    Parameters
    ----------
    words : ndarray of unsigned integers, shape (n,)
        At least 2^16, each uniform on 0 to 2^bits - 1; `words_of` makes them of raw values. From 2^20 words on, the
        tests find generators of 48 bits of state, too.
    bits : int, optional
        The significant bits of each word, from 8 to 64.
    tests : iterable of str, optional
        Keys of `TESTS`, by default all.

    Returns
    -------
    list of Result
        One of each test, in the order of `tests`.

    Raises
    ------
    TypeError
        If `words` is not an array of unsigned integers, or `bits` is not an integer.
    ValueError
        If there are fewer words than 2^16, `words` has not one dimension, a word is 2^bits or more, `bits` is not from
        8 to 64, or a test is unknown.
    """
    names = list(tests)
    if unknown := [name for name in names if name not in TESTS]:
        raise ValueError(f"tests must be of {', '.join(TESTS)}, not {shown(unknown[0])}")
    sample = Sample(*checked_words("words", words, bits))
    if len(sample.words) < FEWEST_WORDS:
        raise ValueError(f"words must be at least {FEWEST_WORDS}, not {len(sample.words)}")
    return [result(name, TESTS[name], sample) for name in names]


def between_streams(streams: npt.NDArray[Any], bits: int = 32) -> list[Result]:
    """Run the tests of several streams: whether any two share words or bits, and some of `TESTS` on all interleaved.

    Parameters
    ----------
    streams : ndarray of unsigned integers, shape (k, n)
        A stream a row: 2 or more, of at least 2^12 words each and 2^16 in all. Words as `run` takes them.
    bits : int, optional
        The significant bits of each word, from 8 to 64.

    Returns
    -------
    list of Result
        One of each of `STREAM_TESTS`, then one of each of `INTERLEAVED`, whose names end in ", interleaved".

    Raises
    ------
    TypeError
        If `streams` is not an array of unsigned integers, or `bits` is not an integer.
    ValueError
        If there are fewer streams or words, `streams` has not two dimensions, a word is 2^bits or more, or `bits` is
        not from 8 to 64.
    """
    sample = Sample(*checked_words("streams", streams, bits, dimensions=2))
    count, length = sample.words.shape
    if count < FEWEST_STREAMS or length < FEWEST_WORDS_OF_A_STREAM or count * length < FEWEST_WORDS:
        raise ValueError(
            f"streams must be at least {FEWEST_STREAMS}, of at least {FEWEST_WORDS_OF_A_STREAM} words each and "
            f"{FEWEST_WORDS} in all, not of the shape {sample.words.shape}"
        )
    together = interleaved(sample)
    return [result(name, test, sample) for name, test in STREAM_TESTS.items()] + [
        result(f"{name}, interleaved", TESTS[name], together) for name in INTERLEAVED
    ]


def worst(results: Iterable[Result]) -> Result:
    """Return the result of the least p-value."""
    return min(results, key=lambda found: found.p)
