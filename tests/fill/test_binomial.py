"""Binomial numbers of many parameters where these are hard to find: at thresholds, in tails, where nothing is sure."""

from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from scipy import special

import clrng
from clrng.distributions.discrete import Binomial, threshold_table
from clrng.distributions.transforms import binomial_near, poisson_near
from clrng.distributions.transforms.binomial_near import BinomialByElement
from clrng.fill import near
from tests.fill.test_poisson import around_thresholds, digits_of, made
from tests.support.fit_binomial import place

GIVEN = [
    (0, 0.3),
    (1, 1e-300),
    (1, 0.5),
    (1, 1 - 2**-53),
    (7, 0.0),
    (7, 1.0),
    (2, 0.25),
    (20, 0.5),
    (19, 0.51),
    (20, 0.97),
    (25, 0.49),
    (99, 0.1),
    (127, 0.5),
    (128, 0.500001),
    (640, 0.1),
    (1000, 0.0625),
    (1000, 0.9375),
    (1001, 1e-3),
    (10**5, 1e-4),
    (10**5, 0.7),
    (10**6, 1 - 1e-4),
    (2**31 - 2, 4e-8),
    (2**31 - 2, 1e-6),
    (2**31 - 2, 1 - 2**-30),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("short", [False, True])
def test_numbers_at_thresholds_and_in_tails(queue: cl.CommandQueue, short: bool, dtype: str) -> None:
    bits: clrng.BitGenerator = clrng.ParkMiller(seed=1) if short else clrng.PCG64(1)
    base = bits.upper_bound - bits.min_value
    steps, random = (2 if short else 1), np.random.default_rng(3)
    trials, chances, numbers, expected = [], [], [], []
    for n, chance in GIVEN:
        p = float(np.dtype(dtype).type(chance))
        found, values = around_thresholds(Binomial(n, p), base**steps, random)
        trials += [n] * len(found)
        chances += [p] * len(found)
        numbers += found
        expected += values
    raw = digits_of(numbers, bits, steps)
    drawn = made(queue, bits, BinomialByElement, np.array(chances, dtype), raw, np.array(trials))
    np.testing.assert_array_equal(drawn, expected)


def thresholds_of(bits: clrng.BitGenerator, n: npt.NDArray[Any], p: npt.NDArray[Any]) -> list[int]:
    """Return the values of the raw values of a generator of 64 bits, by tables."""
    found = []
    for x, trials, chance in zip(bits.sequence(n.size), n.tolist(), p.tolist(), strict=True):
        table = threshold_table(Binomial(trials, chance), 2**64)
        found.append(table.low + int(np.searchsorted(table.thresholds[:-1], np.uint64(x), side="right")))
    return found


@pytest.mark.parametrize("trials", ["uint8", "int16", "uint32", "int64", "uint64"])
def test_dtypes_and_broadcasting(queue: cl.CommandQueue, trials: str) -> None:
    n, p = np.arange(5, 105, 20).astype(trials)[:, None], np.linspace(0, 1, 7)
    both = np.broadcast_arrays(n, p)
    expected = np.reshape(thresholds_of(clrng.PCG64(4), *(each.reshape(-1) for each in both)), (5, 7))
    for given in (n, cla.to_device(queue, np.ascontiguousarray(n))):
        made = clrng.Generator(clrng.PCG64(4), queue).binomial(given, p).get()
        np.testing.assert_array_equal(made, expected)
    one = clrng.Generator(clrng.PCG64(4), queue).binomial(n.reshape(-1), 0.25, dtype=np.int32).get()
    quarters = np.full(5, 0.25)
    np.testing.assert_array_equal(one, thresholds_of(clrng.PCG64(4), n.reshape(-1), quarters))


def test_one_number_of_trials_of_many_parts(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "AT_ONCE", {"cpu": 256, "gpu": 256})
    p = np.random.default_rng(5).random(1000)
    made = clrng.Generator(clrng.PCG64(7), queue).binomial(30, p).get()
    np.testing.assert_array_equal(made, thresholds_of(clrng.PCG64(7), np.full(1000, 30), p))


BITS = {
    "64 bits": lambda: clrng.PCG64(8),
    "32 bits": lambda: clrng.named("pcg32", 8),
    "31 bits": lambda: clrng.ParkMiller(seed=8),
}


@pytest.mark.parametrize("bits", BITS)
def test_more_trials_than_kernels_take_and_other_generators(queue: cl.CommandQueue, bits: str) -> None:
    """Values are those of calls with one number of trials and one probability, whichever way they are made."""
    n = np.resize([2**31 - 2, 2**31 - 1, 2**40, 20], 1100)
    p = np.random.default_rng(2).random(1100) * np.resize([1e-6, 1e-6, 1e-9, 1.0], 1100)
    for first in (0, 3):  # with too large numbers of trials, and without
        trials, chances = n[first::4] if first else n, p[first::4] if first else p
        drawn = clrng.Generator(BITS[bits](), queue).binomial(trials, chances).get()
        for i in range(0, drawn.size, 29):
            one = clrng.Generator(BITS[bits](), queue)
            steps = 1 if bits == "64 bits" else 2
            one.bit_generator.advance(steps * i)
            assert one.binomial(int(trials[i]), float(chances[i]), size=1).get()[0] == drawn[i]


@pytest.mark.parametrize("of", ["nothing is sure", "single precision is not"])
@pytest.mark.parametrize("room", [1 << 10, 7])
def test_what_is_not_sure_is_made_by_exact_thresholds(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, of: str, room: int
) -> None:
    random = np.random.default_rng(6)
    n, p = random.integers(1, 2000, 1500), random.random(1500)
    expected = thresholds_of(clrng.PCG64(9), n, p)
    monkeypatch.setattr(binomial_near, "OFF", (0.4, 0.0, 0.0))
    monkeypatch.setattr(binomial_near, "SUM_OFF", (0.4, 0.0))
    monkeypatch.setattr(near, "CAPACITY", room)
    if of == "nothing is sure":
        monkeypatch.setattr(poisson_near, "CERTAIN", 2.0)
    np.testing.assert_array_equal(clrng.Generator(clrng.PCG64(9), queue).binomial(n, p).get(), expected)
    out = cla.zeros(queue, (1500, 3), np.int32)
    clrng.Generator(clrng.PCG64(9), queue).binomial(n, p, out=out[:, 1])
    np.testing.assert_array_equal(out.get()[:, 1], expected)
    assert not out.get()[:, ::2].any()


@pytest.mark.parametrize("mean", [10.0, 13.0, 20.0, 50.0, 255.0, 4000.0, 30_000.0])
@pytest.mark.parametrize("p", [1e-6, 0.01, 0.1, 0.3, 0.4, 0.5])
def test_the_expansion_is_far_closer_than_it_must_be(mean: float, p: float) -> None:
    n = round(mean / p) - 1
    root, v = ((n + 1) * p * (1 - p)) ** 0.5, np.linspace(-7.2, 7.2, 59)
    s = v * (1 - p) / root
    inside = (s > binomial_near.LOW_S) & (s < binomial_near.HIGH_S)
    s, v = s[inside], v[inside]
    h, c, d = (
        np.polyval([np.polyval(row, p) for row in rows], s)
        for rows in (binomial_near.H, binomial_near.C, binomial_near.D)
    )
    found = (n + 1) * p + root * v + v**2 * h + c + d / root**2
    constant, of_root, of_s = binomial_near.OFF
    off = constant + of_root * root * (1 + v**2) + of_s * s**2
    assert np.max(abs(found - place(np.array(float(n)), np.array(p), v)) / off) < 0.5


def test_sums_of_probabilities_are_far_closer_than_they_must_be() -> None:
    p = np.concatenate([10 ** np.linspace(-8, -0.31, 4000), np.linspace(1e-3, 0.5, 4000)])
    n = np.floor(np.resize(np.linspace(1, 10, 97), p.size) / p)
    n, p = n[n >= 1], p[n >= 1]
    single, trials = p.astype(np.float32), n.astype(np.float32)
    power = np.zeros_like(single)
    for each in binomial_near.LOG1P:
        power = power * single + np.float32(each)
    mass = np.exp(-(trials * single * power))
    left = np.float32(1) - mass
    for k in range(poisson_near.TERMS):
        reached = np.where(k < n, special.betainc(np.maximum(n - k, 1), k + 1.0, 1 - p), 1.0)
        assert np.max(abs(1 - left.astype(np.float64) - reached)) < binomial_near.SUM_OFF[0] / 4
        odds = single / (np.float32(1) - single)
        more = np.maximum(trials * odds - np.float32(k) * odds, np.float32(0))
        mass = mass * (more * np.float32(1 / (k + 1)))
        left = left - mass


@pytest.mark.parametrize(("n", "p"), [(128, 0.5), (200, 0.33), (10**4, 0.0065), (10**4, 0.3), (10**6, 0.4)])
def test_the_integral_in_double_precision_is_far_closer_than_it_must_be(n: int, p: float) -> None:
    with mp.workdps(40):
        nodes, weights = (np.array(binomial_near.constants()[name]) for name in ("nodes", "weights"))
        for v in (-6, -3, -1, 0, 1, 3, 6):
            nearest = int(n * p + v * (n * p * (1 - p)) ** 0.5)
            a, b = nearest - 1, n - nearest
            peak, deviation = mp.mpf(a) / (a + b), mp.sqrt(mp.mpf(a) * b / (a + b)) / (a + b)
            if min(a, b) < binomial_near.EXACT_FROM:
                continue
            away = mp.mpf(p) - peak
            side = 1 if away >= 0 else -1
            end = min(binomial_near.REACH * deviation + binomial_near.FURTHER / (a + b), 1 - peak if side > 0 else peak)
            span = max(end - abs(away), 0) / 2
            t = [side * (abs(away) + span * (node + half)) for node in nodes for half in (0, 1)]
            terms = [a * mp.log1p(x / peak) + b * mp.log1p(-x / (1 - peak)) for x in t]
            part = span * sum(w * mp.exp(term) for w, term in zip(np.repeat(weights, 2), terms, strict=True))
            whole = mp.exp(mp.log(mp.beta(a + 1, b + 1)) - a * mp.log(peak) - b * mp.log(1 - peak))
            reached = part / whole if side > 0 else 1 - part / whole
            assert abs(reached - exactly(n, mp.mpf(p), nearest - 1)) < poisson_near.CERTAIN / 16


def exactly(n: int, p: mp.mpf, k: int) -> mp.mpf:
    """Return F(k) by adding up probabilities of k and less."""
    choices = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
    mass, total = mp.exp(choices + k * mp.log(p) + (n - k) * mp.log1p(-p)), mp.mpf(0)
    while mass > mp.mpf(2) ** -70 and k >= 0:
        total += mass
        mass *= k * (1 - p) / ((n - k + 1) * p)
        k -= 1
    return total
