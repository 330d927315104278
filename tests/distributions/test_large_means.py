"""Poisson numbers of means up to 9.2e18: as by tables where there are some, and compared with mpmath beyond."""

from typing import Any

import mpmath as mp
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.distributions import large_means, masses, on_host
from clrng.distributions.discrete import Poisson, largest_with_a_table, threshold_table
from clrng.distributions.large_means import CERTAIN, EXPANDED, LARGEST, LEAST, SMOOTH

MEANS = [LEAST, LEAST + 0.37, 3e9 + 0.1, 1e12, 1e15 + 0.5, 1e18, LARGEST]


def probability(k: int, lam: float) -> mp.mpf:
    """Return F(k), the integral of the density of the gamma distribution from the mean on."""
    a, mean = mp.mpf(k + 1), mp.mpf(lam)
    deviation, constant = mp.sqrt(mean), mp.loggamma(a)
    towards = 1 if mean > a else -1
    ends = [mean + towards * i * deviation for i in range(31)]
    tail = mp.quad(lambda t: mp.exp((a - 1) * mp.log(t) - t - constant), ends, method="gauss-legendre")
    return tail if towards > 0 else 1 + tail


@pytest.mark.parametrize("lam", MEANS)
def test_probabilities_in_integers(lam: float) -> None:
    with mp.workdps(80):
        for v in (-9.2, -3.3, -0.7, 0.0, 1.1, 4.4, 9.1):
            k = int(lam) + int(v * lam**0.5)
            assert abs(mp.mpf(large_means.reached(lam, k)) / 2**masses.BITS - probability(k, lam)) < mp.mpf(2) ** -180


@pytest.mark.parametrize("lam", [SMOOTH, SMOOTH + 0.3, 2.0**17 - 0.1, 1e6, 1e8 + 0.7])
def test_probabilities_of_means_that_may_have_tables(lam: float) -> None:
    """They are right to 2^-110, ten bits more than `is_sure` needs."""
    with mp.workdps(80):
        for v in np.linspace(-9.2, 9.1, 19).tolist():
            k = int(lam) + int(v * lam**0.5)
            found = mp.mpf(large_means.reached(lam, k)) / 2**masses.BITS
            assert abs(found - probability(k, lam)) < mp.mpf(2) ** -(CERTAIN + 10)


def test_what_the_expansion_leaves_open_has_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    lam, table = SMOOTH + 0.3, threshold_table(Poisson(SMOOTH + 0.3), 2**64)
    inside = np.flatnonzero((table.thresholds > 2**40) & (table.thresholds < 2**64 - 2**40))
    ks = table.low + inside[::150]
    calls: list[Any] = []
    monkeypatch.setattr(on_host, "threshold_table", lambda *given: calls.append(given) or table)
    for certain, asked in ((CERTAIN, 0), (60, 2 * ks.size)):  # the larger margin contains each threshold
        monkeypatch.setattr(large_means, "CERTAIN", certain)
        for k in ks.tolist():
            threshold = int(table.thresholds[k - table.low])
            assert on_host.exact(Poisson(lam), threshold - 1, 2**64, k) == k
            assert on_host.exact(Poisson(lam), threshold, 2**64, k) == k + 1
        assert len(calls) == asked


@pytest.mark.parametrize("lam", MEANS)
def test_probabilities_far_from_the_mean(lam: float) -> None:
    root = int(lam**0.5)
    for far in (25 * root, 10**4 * root, int(lam) // 2):
        assert large_means.reached(lam, int(lam) - far) == 0
        assert large_means.reached(lam, int(lam) + far) == 1 << masses.BITS
    assert large_means.reached(lam, 0) == 0


def test_thresholds_are_those_of_tables() -> None:
    lam, random = LEAST + 0.37, np.random.default_rng(1)
    table = threshold_table(Poisson(lam), 2**64)
    for place in [0, 1, 2, table.thresholds.size - 2, *random.integers(0, table.thresholds.size - 1, 100).tolist()]:
        threshold, k = int(table.thresholds[place]), table.low + place
        assert large_means.is_reached(lam, k, threshold - 1, 2**64)
        assert not large_means.is_reached(lam, k, threshold, 2**64)
    assert large_means.is_reached(lam, table.low, 0, 2**64)
    assert not large_means.is_reached(lam, table.low - 1, 0, 2**64)


@pytest.mark.parametrize("lam", [EXPANDED, 2.0**15 + 0.7, 2.0**17, 2.0**20, 2.0**24])
def test_places_of_thresholds_are_far_closer_than_they_must_be(lam: float, monkeypatch: pytest.MonkeyPatch) -> None:
    table = threshold_table(Poisson(lam), 2**64)
    thresholds = table.thresholds[:-1]
    wanted, left = thresholds / 2.0**64, (~thresholds + np.uint64(1)) / 2.0**64  # the second is (2^64 - T)/2^64
    means, ks = np.full(thresholds.size, lam), table.low + 1 + np.arange(thresholds.size)
    for name in ("OFF", "OFF_ROOTS", "OFF_NEXT"):
        monkeypatch.setattr(large_means, name, getattr(large_means, name) / 3)
    # with a third of what they may be off none is sure, as each is that of an integer, but for its rounding
    certain = (thresholds > 2**40) & (thresholds < 2**64 - 2**40)
    found, sure = large_means.places(means, wanted, left)
    assert not sure[certain].any()
    assert np.isin(found[certain] - ks[certain], [-1, 0]).all()


@pytest.mark.parametrize("numbers", [2**64, 2**48, 2**16])
@pytest.mark.parametrize("lam", [EXPANDED, 2.0**15 + 0.7, 2.0**18])
def test_values_at_all_thresholds_and_between(lam: float, numbers: int) -> None:
    table = threshold_table(Poisson(lam), numbers)
    last = table.thresholds[:-1] - np.uint64(1)
    between = last - np.minimum(last - np.append(np.uint64(0), last[:-1]), np.uint64(2**40)) // np.uint64(2)
    for found in (last, last + np.uint64(1), between):
        made = on_host.values(Poisson, {"lam": np.full(last.size, lam)}, found, numbers)
        expected = table.low + np.searchsorted(table.thresholds[:-1], found, side="right")
        np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("numbers", [2**64, 2**48, (2**31 - 2) ** 2, 3])
def test_values_are_the_smallest_whose_threshold_is_above_the_number(numbers: int) -> None:
    random = np.random.default_rng(2)
    found = [0, 1, 2, numbers - 1, numbers - 2, numbers // 2, *(numbers >> i for i in range(1, 64, 3))]
    found += [numbers - 1 - (numbers >> i) for i in range(1, 64, 3)]
    found += [int(x * numbers) for x in random.random(30)]
    for lam in (*MEANS, *np.exp(random.uniform(np.log(LEAST), np.log(LARGEST), 20)).tolist()):
        own = np.array([max(min(x, numbers - 1), 0) for x in found], np.uint64)
        made = on_host.values(Poisson, {"lam": np.full(own.size, lam)}, own, numbers)
        for x, k in zip(own.tolist(), made.tolist(), strict=True):
            assert large_means.is_reached(lam, k, x, numbers)
            assert not large_means.is_reached(lam, k - 1, x, numbers)


def test_places_at_thresholds_are_not_sure() -> None:
    for lam in MEANS:
        k = int(lam) + int(lam**0.5)
        x = (large_means.reached(lam, k) << 64 >> masses.BITS) + 1  # the threshold
        own = np.array([x - 1, x], np.uint64)
        assert on_host.values(Poisson, {"lam": np.full(2, lam)}, own, 2**64).tolist() == [k, k + 1]


@pytest.mark.parametrize("bits", [clrng.PCG64, clrng.ParkMiller])
def test_scalars_and_arrays_draw_the_same(queue: cl.CommandQueue, bits: Any) -> None:
    means = [0.5, 100.0, LEAST - 1, LEAST, 4e9, 1e12, 1e18, LARGEST]
    size = (11, len(means))
    drawn = clrng.Generator(bits(5), queue).poisson(means, size).get()
    for place, lam in enumerate(means):
        if lam < LEAST or lam > largest_with_a_table(2**64):
            alone = clrng.Generator(bits(5), queue).poisson(lam, size).get()
            np.testing.assert_array_equal(drawn[:, place], alone[:, place])
    streams = [clrng.Streams.by_jumps(clrng.MRG32k3a(), 2, distance=2**100, queue=queue) for _ in range(2)]
    of_arrays, alone = (
        stream.sample(clrng.distribution("poisson", lam=lam), 7).get()
        for stream, lam in zip(streams, ([1e15, 1e15], 1e15), strict=True)
    )
    np.testing.assert_array_equal(of_arrays, alone)


def test_large_means_of_a_device(queue: cl.CommandQueue) -> None:
    means = np.exp(np.random.default_rng(3).uniform(0, np.log(LARGEST), 2**16 + 5))
    drawn = clrng.Generator(clrng.PCG64(5), queue).poisson(cla.to_device(queue, means)).get()
    raw = clrng.PCG64(5).sequence(means.size)
    few = np.arange(0, means.size, 97)
    large = few[means[few] >= LEAST]
    for place in large.tolist():
        lam, k, x = means[place].item(), int(drawn[place]), int(raw[place])
        assert large_means.is_reached(lam, k, x, 2**64)
        assert not large_means.is_reached(lam, k - 1, x, 2**64)
    small = means < LEAST
    others = np.where(small, means, 1.0)
    same = clrng.Generator(clrng.PCG64(5), queue).poisson(others).get()
    np.testing.assert_array_equal(drawn[small], same[small])


def test_what_is_refused_says_what_is_legal(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.PCG64(5), queue)
    legal = r"^lam must be a number from 0 to 9\.223372006484771e\+18, not 9\.3e\+18"
    with pytest.raises(ValueError, match=legal):
        rng.poisson(9.3e18)
    with pytest.raises(ValueError, match=f"{legal}, as element 1 of lam has it"):
        rng.poisson([1.0, 9.3e18])
    for given in (1e12, [1.0, 1e12]):
        with pytest.raises(
            ValueError, match=r"^dtype must hold the values of Poisson\(lam=1000000000000.0\), some above"
        ):
            rng.poisson(given, dtype="int32")
    assert rng.poisson([1.0, 1e12], 2, dtype="uint64").dtype == np.uint64
    with pytest.raises(ValueError, match=r"entries; take a lam of at most 52000000000; numpy"):
        clrng.device_code(clrng.PCG64(5), device=queue.device, distributions=[clrng.distribution("poisson", lam=1e12)])


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [2**32, 2**48, 2**64])
def test_the_largest_mean_with_a_table_has_one(numbers: int) -> None:
    lam = largest_with_a_table(numbers)
    table = threshold_table(Poisson(lam), numbers)
    assert 0.95 * masses.MAX_ENTRIES < table.thresholds.size <= masses.MAX_ENTRIES
