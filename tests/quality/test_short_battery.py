"""The short battery: its p-values are right, known bad generators fail it by the test that should, good ones pass."""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest
import scipy.stats
from exactness.samples import LAWS  # which is among the scripts

import clrng
from clrng.quality.short_battery import STREAM_TESTS, TESTS, Result, between_streams, run
from clrng.quality.tested_words import Sample, words_of
from tests.support.bad_words import BAD, N, Words, good

SAMPLES = 64
UNIFORM = 1e-3
"""The least p-value of the statistic of Kolmogorov and Smirnov that the p-values of a test may have."""

STREAMS = 8


def failed(results: list[Result]) -> set[str]:
    return {found.test for found in results if found.verdict == "fail"}


def assert_passes(results: list[Result]) -> None:
    worst = min(results, key=lambda found: found.p)
    assert worst.verdict == "pass", worst


@cache
def p_values() -> dict[str, list[float]]:
    """Return p-values of good words by tests; of whole numbers a random one between those of the two sides."""
    source, values = np.random.Generator(np.random.PCG64(2024)), defaultdict(list)
    for _ in range(SAMPLES):
        words = source.integers(0, 2**32, N, dtype=np.uint64)
        one, several = Sample(words, 32), Sample(words.reshape(STREAMS, -1), 32)
        for tests, sample in ((TESTS, one), (STREAM_TESTS, several)):
            for name, test in tests.items():
                lower, upper = test.call(sample).tails
                values[name].append(1 - upper + (lower + upper - 1) * source.random())
    return values


@pytest.mark.sampled
@pytest.mark.parametrize("test", [*TESTS, *STREAM_TESTS])
def test_p_values_of_good_words_are_uniform(test: str) -> None:
    values = p_values()[test]
    assert len(values) == SAMPLES
    assert scipy.stats.kstest(values, "uniform").pvalue > UNIFORM
    assert scipy.stats.kstest(np.power(values, 3), "uniform").pvalue < UNIFORM  # others would show


def test_every_test_has_words_that_it_must_fail() -> None:
    assert {test for _, _, tests in BAD.values() for test in tests} == set(TESTS)


@pytest.mark.parametrize("what", BAD)
def test_bad_words_fail(what: str) -> None:
    words, bits, tests = BAD[what]
    assert set(tests) <= failed(run(words, bits, tests))


def detail(what: str, test: str) -> str:
    words, bits, _ = BAD[what]
    return run(words, bits, [test])[0].detail


def test_results_say_where_the_fault_is() -> None:
    assert detail("LFG(24, 55, -)", "three words at lags").endswith("at 24 and 55")
    assert detail("LFG(31, 103, xor)", "three bits at lags").endswith("at 31 and 103")
    assert detail("RANDU", "lattice in 3 dimensions").endswith(("(9, -6, 1)", "(-9, 6, -1)"))
    assert "bit 6 is furthest from half" in detail("a stuck bit", "frequency of bits")
    assert int(detail("a period of 5000 words", "autocorrelation").split()[-1]) % 5000 == 0


def test_words_that_are_too_even_fail() -> None:
    """All points lie in cells of their own, where some 255 collisions are expected."""
    cells = np.arange(N // 2, dtype=np.uint32) * np.uint32(2654435769) % np.uint32(2**21)
    words = np.stack([cells >> 10 << 21, cells << 22], axis=1).ravel()
    (found,) = run(words, 32, ["collisions of two words"])
    assert found.detail.startswith("0 collisions")
    assert (found.verdict, found.upper) == ("fail", 1.0)
    assert found.lower < 1e-100


@pytest.mark.parametrize(("p", "verdict"), [(0.9e-10, "fail"), (1.1e-10, "suspicious"), (1.1e-4, "pass")])
def test_verdicts_are_by_both_sides(p: float, verdict: str) -> None:
    assert Result("", "", 0.0, p / 2, 1 - p / 2, "").verdict == verdict
    assert Result("", "", 0.0, 1 - p / 2, p / 2, "").verdict == verdict
    assert Result("", "", 0.0, 0.7, 0.8, "").p == 1.0


def streams() -> Words:
    return good(8).reshape(STREAMS, -1)


def changed(change: Callable[[Words], object]) -> Words:
    every = streams()
    change(every)
    return every


def equal(every: Words) -> None:
    every[6] = every[1]


def behind(every: Words) -> None:
    every[6, 1000:] = every[1, :-1000]


def overlapping(every: Words) -> None:
    every[6, :5] = every[1, -5:]


def same_low_bits(every: Words) -> None:
    every[6] = every[6] & np.uint32(2**32 - 256) | every[1] & np.uint32(255)


def a_constant_apart(every: Words) -> None:
    every[6] = every[1] + np.uint32(0x40000001)


@pytest.mark.parametrize(
    ("change", "tests", "said"),
    [
        (equal, set(STREAM_TESTS) | {"autocorrelation (interleaved)"}, "streams 1 and 6, the second 0 words"),
        (behind, {"words in common", "streams shifted"}, "streams 1 and 6, the second 1000 words"),
        (overlapping, {"words in common"}, ""),
        (same_low_bits, {"equal bits of streams"}, ""),
        (a_constant_apart, {"streams shifted", "equal bits of streams"}, "streams 1 and 6, the second 0 words"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_streams_that_depend_on_one_another_fail(change: Callable[[Words], object], tests: set[str], said: str) -> None:
    results = between_streams(changed(change))
    assert tests <= failed(results)
    assert said in {found.test: found for found in results}["streams shifted"].detail


def test_good_streams_pass() -> None:
    assert_passes(between_streams(streams()))


def values_of(made: Any) -> npt.NDArray[Any]:
    return np.asarray(made.get())


MMIX = clrng.named("mmix", 1).state
GOOD = {
    "MRG32k3a": clrng.MRG32k3a(seed=12345),
    "MT19937": clrng.MT19937(seed=5489),
    "LCG of 64 bits, its top 32": clrng.LCG(
        MMIX["multiplier"], MMIX["increment"], MMIX["modulus"], 1, output=(32, 32)
    ),
    "LFG(418, 1279, +)": clrng.named("lfg_418_1279", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_good_generators_and_their_streams_pass(queue: cl.CommandQueue, name: str) -> None:
    bits, starts = GOOD[name], [GOOD[name]]
    drawn = values_of(clrng.Generator(bits, queue).random_raw(N * STREAMS))
    words, width = words_of(drawn, bits.upper_bound)
    assert_passes(run(words[:N], width))
    assert_passes(run(words[::STREAMS], width))
    assert_passes(between_streams(words[:N].reshape(-1, STREAMS).T, width))
    while len(starts) < STREAMS:
        starts.append(starts[-1].jumped())
    jumped = np.stack([values_of(clrng.Generator(start, queue).random_raw(N // STREAMS)) for start in starts])
    assert_passes(between_streams(*words_of(jumped, bits.upper_bound)))


@pytest.mark.parametrize("name", ["standard_normal", "standard_exponential", "gamma(2.5)"])
def test_distributions_of_a_good_generator_pass(queue: cl.CommandQueue, name: str) -> None:
    law = LAWS[name]
    rng = clrng.Generator(clrng.MRG32k3a(seed=12345), queue)
    values = values_of(getattr(rng, law.method)(**law.arguments, size=N, dtype="float32"))
    uniform = law.known(scipy.stats).cdf(values.astype(np.float64))
    assert_passes(run((uniform * 2**20).astype(np.uint32), 20))


def test_streams_of_an_lcg_a_power_of_two_apart_fail(queue: cl.CommandQueue) -> None:
    bits = GOOD["LCG of 64 bits, its top 32"]
    streams = [clrng.Generator(bits.jumped(i * 2**60), queue).random_raw(N // STREAMS) for i in range(STREAMS)]
    assert "streams shifted" in failed(between_streams(np.stack([values_of(words) for words in streams])))


def test_words_are_raw_values_below_powers_of_two() -> None:
    values = np.array([0, 1, 2**31 - 2], np.uint32)
    for bound in (2**31, 2**31 - 1, 2**31 - 2**15):
        words, bits = words_of(values, bound)
        assert (words.tolist(), bits) == (values.tolist(), 31)


@pytest.mark.parametrize(("bound", "bits"), [(10**9, 24), (2**31 - 2**16, 25), (3 * 2**62, 46)])
def test_words_of_other_bounds_are_uniform(bound: int, bits: int) -> None:
    values = [0, bound // 3 + 1, bound // 2, bound - 1]
    words, width = words_of(np.array(values, np.uint64), bound)
    assert width == bits
    assert words.tolist() == [0, 2**bits // 3, 2 ** (bits - 1), 2**bits - 1]


WORDS = good(9)
REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: run(WORDS[:-1]), ValueError, "words must be at least 65536, not 65535"),
    (lambda: run(WORDS.reshape(2, -1)), ValueError, "words must have 1 dimension, not the shape (2, 32768)"),
    (lambda: run(WORDS, 31), ValueError, f"words must all be below 2^bits = 2^31, not {WORDS.max()}"),
    (lambda: run(WORDS, 7), ValueError, "bits must be an integer from 8 to 64, not 7"),
    (lambda: run(WORDS, 65), ValueError, "bits must be an integer from 8 to 64, not 65"),
    (lambda: run(WORDS, 32.0), TypeError, "bits must be an integer from 8 to 64, not 32.0"),  # type: ignore[arg-type]
    (lambda: run([1, 2]), TypeError, "words must be a NumPy array of unsigned integers, not [1, 2]"),  # type: ignore[arg-type]
    (
        lambda: run(WORDS.view(np.int32)),
        TypeError,
        "words must be a NumPy array of unsigned integers, not one of the dtype int32",
    ),
    (lambda: run(WORDS, tests=["gap"]), ValueError, f"tests must be of {', '.join(TESTS)}, not 'gap'"),
    (lambda: between_streams(WORDS), ValueError, "streams must have 2 dimensions, not the shape (65536,)"),
    (
        lambda: between_streams(WORDS.reshape(1, -1)),
        ValueError,
        "streams must be at least 2, of at least 4096 words each and 65536 in all, not of the shape (1, 65536)",
    ),
    (
        lambda: between_streams(WORDS.reshape(32, -1)),
        ValueError,
        "streams must be at least 2, of at least 4096 words each and 65536 in all, not of the shape (32, 2048)",
    ),
    (
        lambda: words_of(WORDS, 1000),
        ValueError,
        "upper_bound must be a power of two from 2^8 on or more than 2^13, not 1000",
    ),
]


@pytest.mark.parametrize(("call", "error", "said"), REFUSED)
def test_bad_input_is_refused(call: Callable[[], object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(said)}$"):
        call()
