"""Negative binomial and geometric numbers of many parameters where these are hard to find, and who decides of them."""

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest
from scipy import special

import clrng
from clrng.distributions.discrete import Discrete, Geometric, NegativeBinomial
from clrng.distributions.transforms import binomial_near, geometric_near, negative_binomial_near, poisson_near
from clrng.distributions.transforms.geometric_near import GeometricByElement
from clrng.distributions.transforms.negative_binomial_near import NegativeBinomialByElement
from clrng.fill.near import NearFiller
from tests.fill.test_poisson import around_thresholds, digits_of, made
from tests.support.fit_negative_binomial import place

Array = npt.NDArray[Any]

SUCCESSES = [
    (1e-30, 0.5),
    (1e-3, 2**-7),
    (0.25, 1.0),
    (0.5, 0.03125),
    (1.0, 0.5),
    (2.5, 0.015625),
    (10.0, 0.25),
    (12.0, 0.0625),
    (19.5, 0.5),
    (20.0, 0.125),
    (35.75, 0.75),
    (100.0, 0.5),
    (300.0, 0.0625),
    (1000.5, 0.875),
    (4096.0, 0.5),
    (2.0**25, 1 - 2**-18),
    (2.0**40, 1 - 2**-24),
    (2.0**100, 1.0),
]
CHANCES = [1.0, 1 - 2**-24, 0.75, 0.5, 0.3, 0.0625, 1e-3, 2.0**-14]


@pytest.mark.parametrize("law", ["geometric", "negative binomial"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("short", [False, True])
def test_numbers_at_thresholds_and_in_tails(queue: cl.CommandQueue, short: bool, dtype: str, law: str) -> None:
    bits: clrng.BitGenerator = clrng.ParkMiller(seed=1) if short else clrng.PCG64(1)
    base, steps, random = bits.upper_bound - bits.min_value, (2 if short else 1), np.random.default_rng(3)
    given: list[tuple[float, ...]] = SUCCESSES if law == "negative binomial" else [(p,) for p in CHANCES]
    rows, numbers, expected = [], [], []
    for own in np.array(given, dtype).tolist():
        chosen: Discrete = NegativeBinomial(*own) if len(own) == 2 else Geometric(*own)
        found, values = around_thresholds(chosen, base**steps, random)
        rows += [own] * len(found)
        numbers += found
        expected += values
    kind = NegativeBinomialByElement if law == "negative binomial" else GeometricByElement
    each = np.array(rows, dtype).T.copy()
    drawn = made(queue, bits, kind, each[-1], digits_of(numbers, bits, steps), each[0] if len(each) == 2 else None)
    np.testing.assert_array_equal(drawn, expected)


@pytest.mark.parametrize("of", ["few are not sure", "single precision is not", "nothing is sure"])
@pytest.mark.parametrize("law", ["geometric", "negative_binomial"])
def test_values_are_those_of_calls_with_one_probability(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, of: str, law: str
) -> None:
    random = np.random.default_rng(6)
    n, p = random.integers(1, 60, 1100), random.uniform(0.1, 1, 1100)
    p[::100] = 1
    given: dict[str, Any] = {"n": n, "p": p} if law == "negative_binomial" else {"p": p}
    if of != "few are not sure":
        for module, off in ((negative_binomial_near, (0.45, 0.0, 0.0, 0.0)), (geometric_near, (0.45,))):
            monkeypatch.setattr(module, "OFF", off)
        monkeypatch.setattr(negative_binomial_near, "SUM_OFF", (0.4, 0.0))
    if of == "nothing is sure":
        monkeypatch.setattr(poisson_near, "CERTAIN", 2.0)
        monkeypatch.setattr(geometric_near, "CERTAIN", 2.0)
    for dtype in ("float64", "float32"):
        given["p"] = p.astype(dtype)
        drawn = getattr(clrng.Generator(clrng.PCG64(9), queue), law)(**given).get()
        for i in range(0, n.size, 20):
            one = clrng.Generator(clrng.PCG64(9), queue)
            one.bit_generator.advance(i)
            own = {key: value[i].item() for key, value in given.items()}
            assert getattr(one, law)(**own, size=1).get()[0] == drawn[i]


def test_geometric_numbers_of_small_probabilities(queue: cl.CommandQueue) -> None:
    p = np.exp(np.linspace(np.log(6e-18), 0, 1100))
    drawn = clrng.Generator(clrng.PCG64(2), queue).geometric(p).get()
    with mp.workdps(60):
        for i, number in enumerate(clrng.PCG64(2).sequence(p.size).tolist()):
            lost, k = mp.log1p(-mp.mpf(p[i])) if p[i] < 1 else -mp.inf, int(drawn[i])
            assert -mp.expm1(lost * k) * 2**64 > number
            assert k == 1 or mp.ceil(-mp.expm1(lost * (k - 1)) * 2**64) <= number
    p[700] = 4e-18
    with pytest.raises(ValueError, match="p must be larger, not 4e-18: values would be above 2.63 - 1, as element 700"):
        clrng.Generator(clrng.PCG64(2), queue).geometric(p)
    p[700] = 1e-5
    with pytest.raises(ValueError, match="dtype must hold"):
        clrng.Generator(clrng.PCG64(2), queue).geometric(p[600:], dtype="int16", size=(2, 500))


def test_successes_that_are_many_where_probabilities_are_not_small(queue: cl.CommandQueue) -> None:
    n, p = np.exp(np.linspace(0, np.log(1e9), 1100)), 1 - np.exp(np.linspace(np.log(0.999), np.log(1e-8), 1100))
    drawn = clrng.Generator(clrng.PCG64(3), queue).negative_binomial(n, p).get()
    share = clrng.PCG64(3).sequence(n.size) / 2.0**64
    assert np.all(special.betainc(n, drawn + 1.0, p) > share - 1e-9)
    assert np.all((drawn == 0) | (special.betainc(n, np.maximum(drawn, 1.0), p) < share + 1e-9))
    n[-1] = 1e20
    with pytest.raises(ValueError, match="spreads over too many values.* as element 1099"):
        clrng.Generator(clrng.PCG64(3), queue).negative_binomial(n, p)


SHARES: dict[str, tuple[Callable[..., dict[str, Any]], float]] = {
    "poisson": (lambda random, n: {"lam": random.uniform(10, 255, n)}, 2e-3),
    "binomial": (lambda random, n: {"n": 1000, "p": random.random(n)}, 1e-2),
    "negative_binomial": (lambda random, n: {"n": 10, "p": random.uniform(0.1, 1, n)}, 1e-2),
    "geometric": (lambda random, n: {"p": random.uniform(1e-4, 1e-2, n)}, 5e-3),
}


@pytest.mark.parametrize("law", SHARES)
def test_double_precision_decides_of_few_and_the_host_of_hardly_any(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, law: str
) -> None:
    counts = [0, 0]
    settle, exact = NearFiller._settle, NearFiller._exact

    def settled(self: Any, *args: Any) -> Any:
        counts[0] += int(args[3][:1].get()[0])
        return settle(self, *args)

    def decided(self: Any, transform: Any, words: Any, count: int) -> Any:
        counts[1] += count
        return exact(self, transform, words, count)

    given, most = SHARES[law]
    size, rng = 2**16, clrng.Generator(clrng.PCG64(1), queue)
    getattr(rng, law)(**given(np.random.default_rng(1), 2000))  # with the proof
    monkeypatch.setattr(NearFiller, "_settle", settled)
    monkeypatch.setattr(NearFiller, "_exact", decided)
    getattr(rng, law)(**given(np.random.default_rng(1), size))
    of_doubles, of_host = counts if rng.device.fp64 else (counts[1], 0)
    assert 0 < of_doubles < most * size
    assert of_host <= 1


@pytest.mark.parametrize("m", [10.0, 13.0, 20.0, 50.0, 255.0, 4000.0, 1e6])
@pytest.mark.parametrize("q", [1e-6, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999])
def test_the_expansion_is_far_closer_than_it_must_be(m: float, q: float) -> None:
    v = np.linspace(-7.2, 7.2, 59)
    s = v / m**0.5
    inside = (s > negative_binomial_near.LOW_S) & (s < negative_binomial_near.HIGH_S)
    s, v = s[inside], v[inside]
    near_m = negative_binomial_near
    h, c, d = (np.polyval([np.polyval(row, q) for row in rows], s) for rows in (near_m.H, near_m.C, near_m.D))
    found = m + m**0.5 * v + v**2 * h + c + d / m
    constant, of_root, of_m, of_s = near_m.OFF
    off = constant + of_root * m**0.5 * (1 + v**2) + (of_m + of_s * s**2) / m
    assert np.max(abs(found - place(np.array(m / q), np.array(1 - q), v) * (1 - q)) / off) < 0.5


def test_sums_of_probabilities_are_far_closer_than_they_must_be() -> None:
    q = np.concatenate([np.linspace(0.01, 0.998, 2000), 1 - 10 ** np.linspace(-3, -0.5, 2000)])
    n = np.resize(np.exp(np.linspace(-5, np.log(10), 97)), q.size) / q
    single_q, single_p, successes = q.astype(np.float32), (1 - q).astype(np.float32), n.astype(np.float32)
    n, p = successes.astype(np.float64), single_p.astype(np.float64)
    lost = -(successes * np.log(single_p))
    mass = np.where(lost < 80, np.exp(-lost), 0)
    left, first = np.float32(1) - mass, successes * single_q
    constant, of_k = negative_binomial_near.SUM_OFF
    for k in range(negative_binomial_near.TERMS):
        wrong = abs(1 - left.astype(np.float64) - special.betainc(n, k + 1.0, p))
        assert np.max(np.where(lost < 80, wrong, 0)) < (constant + of_k * k) / 4
        mass = mass * ((first + np.float32(k) * single_q) * np.float32(1 / (k + 1)))
        left = left - mass


@pytest.mark.parametrize("p", [1e-4, 0.01, 0.3, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("n", [17.25, 40.5, 1000.0])
def test_the_integral_of_real_numbers_of_successes(n: float, p: float) -> None:
    """Nodes and reach are right for it: as the kernel has it, but in mpmath's numbers."""
    nodes, weights = (np.array(binomial_near.constants()[name]) for name in ("nodes", "weights"))
    with mp.workdps(40):
        for v in (-4, -1, 0, 2, 6):
            nearest = round((n * (1 - p) + v * (n * (1 - p)) ** 0.5) / p)
            a, b, chance = (n - 1, nearest - 1, p) if p <= 0.5 else (nearest - 1, n - 1, 1 - p)
            if min(a, b) < binomial_near.EXACT_FROM:
                continue
            total = mp.mpf(a) + b
            peak, away = a / total, (mp.mpf(chance) * total - a) / total
            side, deviation = (1 if away >= 0 else -1), mp.sqrt(a * b / total) / total
            end = min(binomial_near.REACH * deviation + binomial_near.FURTHER / total, 1 - peak if side > 0 else peak)
            span = max(end - abs(away), 0) / 2
            t = [side * (abs(away) + span * (node + half)) for node in nodes for half in (0, 1)]
            terms = [a * mp.log1p(x / peak) + b * mp.log1p(-x / (1 - peak)) for x in t]
            part = span * sum(w * mp.exp(term) for w, term in zip(np.repeat(weights, 2), terms, strict=True))
            tail = part / mp.exp(mp.log(mp.beta(a + 1, b + 1)) - a * mp.log(peak) - b * mp.log(1 - peak))
            exactly = mp.betainc(a + 1, b + 1, chance, 1, regularized=True)
            assert abs((tail if side > 0 else 1 - tail) - exactly) < poisson_near.CERTAIN / 16
