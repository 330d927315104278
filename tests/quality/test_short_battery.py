"""The short battery: its p-values are right, known bad generators fail it by the test that should, good ones pass."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest
import scipy.stats

import clrng
from clrng.quality.samples import LAWS
from clrng.quality.short_battery import STREAM_TESTS, TESTS, Result, between_streams, run, worst
from clrng.quality.tested_words import words_of
from tests.quality.bad_words import BAD, N, Words, good

SAMPLES = 100
UNIFORM = 1e-3
"""The least p-value of the statistic of Kolmogorov and Smirnov that the p-values of a test may have."""

STREAMS = 8


def failed(results: list[Result]) -> set[str]:
    return {found.test for found in results if found.verdict == "fail"}


def assert_passes(results: list[Result]) -> None:
    assert worst(results).verdict == "pass", worst(results)


@cache
def p_values() -> dict[str, list[float]]:
    """Return p-values of good words by tests; of whole numbers a random one between those of the two sides."""
    source, values = np.random.Generator(np.random.PCG64(2024)), defaultdict(list)
    for _ in range(SAMPLES):
        words = source.integers(0, 2**32, N, dtype=np.uint32)
        every = run(words) + between_streams(words.reshape(STREAMS, -1))[: len(STREAM_TESTS)]
        for found in every:
            both = found.lower + found.upper - 1
            values[found.test].append(1 - found.upper + both * source.random())
    return values


@pytest.mark.parametrize("test", [*TESTS, *STREAM_TESTS])
def test_p_values_of_good_words_are_uniform(test: str) -> None:
    values = p_values()[test]
    assert len(values) == SAMPLES
    assert scipy.stats.kstest(values, "uniform").pvalue > UNIFORM
    assert scipy.stats.kstest(np.power(values, 1.6), "uniform").pvalue < UNIFORM  # it would show


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
        (equal, set(STREAM_TESTS) | {"autocorrelation, interleaved"}, "streams 1 and 6, the second 0 words"),
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


def good_generators() -> dict[str, clrng.BitGenerator]:
    mmix = clrng.named("mmix", 1)
    return {
        "MRG32k3a": clrng.MRG32k3a(seed=12345),
        "MT19937": clrng.MT19937(seed=5489),
        "LCG of 64 bits, its top 32": clrng.LCG(**{**arguments(mmix), "output": (32, 32)}),
        "LFG(418, 1279, +)": clrng.named("lfg_418_1279", 1),
    }


def arguments(bits: clrng.LCG) -> dict[str, int]:
    return {"multiplier": bits.multiplier, "increment": bits.increment, "modulus": bits.modulus, "seed": 1}


@pytest.mark.parametrize("name", good_generators())
def test_good_generators_and_their_streams_pass(queue: cl.CommandQueue, name: str) -> None:
    bits = good_generators()[name]
    words, width = words_of(values_of(clrng.Generator(bits, queue).random_raw(N)), bits.upper_bound)
    assert_passes(run(words, width))
    for made in (
        clrng.Streams.by_jumps(bits, STREAMS, bits.jump_distance, queue),
        clrng.Streams.by_leapfrog(bits, STREAMS, queue),
    ):
        words, width = words_of(values_of(made.random_raw(N // STREAMS)), bits.upper_bound)
        assert_passes(between_streams(words.T, width))


@pytest.mark.parametrize("name", ["standard_normal", "standard_exponential", "gamma(2.5)"])
def test_distributions_of_a_good_generator_pass(queue: cl.CommandQueue, name: str) -> None:
    law = LAWS[name]
    rng = clrng.Generator(clrng.MRG32k3a(seed=12345), queue)
    values = values_of(getattr(rng, law.method)(**law.arguments, size=N, dtype="float32"))
    uniform = law.known(scipy.stats).cdf(values.astype(np.float64))
    assert_passes(run((uniform * 2**20).astype(np.uint32), 20))
