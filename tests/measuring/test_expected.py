"""Bins of histograms and what is expected in them, against formulas."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import clrng
from clrng.measuring.expected import BINS, TAIL, Expected, expected


def of(name: str, **parameters: Any) -> Expected:
    return expected(clrng.distribution(name, **parameters))


def beta(x: float, a: float, b: float) -> float:
    return math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)) * x ** (a - 1) * (1 - x) ** (b - 1)


@pytest.mark.parametrize(
    ("name", "parameters", "density"),
    [
        ("normal", {"loc": 3, "scale": 2}, lambda x: math.exp(-((x - 3) ** 2) / 8) / math.sqrt(8 * math.pi)),
        ("exponential", {"scale": 2}, lambda x: math.exp(-x / 2) / 2),
        ("standard_cauchy", {}, lambda x: 1 / (math.pi * (1 + x * x))),
        ("gamma", {"shape": 2.5, "scale": 3}, lambda x: (x / 3) ** 1.5 * math.exp(-x / 3) / math.gamma(2.5) / 3),
        ("beta", {"a": 0.5, "b": 3}, lambda x: beta(x, 0.5, 3)),
        ("lognormal", {"mean": 1, "sigma": 0.5}, lambda x: math.exp(-2 * (math.log(x) - 1) ** 2)
            / (0.5 * x * math.sqrt(2 * math.pi))),
        ("triangular", {"left": 0, "mode": 1, "right": 3}, lambda x: 2 * x / 3 if x < 1 else (3 - x) / 3),
        ("vonmises", {"mu": 3, "kappa": 0.5}, lambda x: math.exp(0.5 * math.cos(x - 3))
            / (2 * math.pi * 1.0634833707413236)),
    ],
)  # fmt: skip
def test_densities(name: str, parameters: dict[str, Any], density: Callable[[float], float]) -> None:
    found = of(name, **parameters)
    assert found.bins == BINS
    assert len(found.x) > 500
    assert (np.diff(found.x) > 0).all()
    assert found.edges[0] <= found.x[0] <= found.x[-1] <= found.edges[-1]
    assert_allclose(found.y, [density(x) for x in found.x], rtol=3e-5)


def test_what_is_shown_of_real_values() -> None:
    edges = of("standard_normal").edges  # not the outermost part of 1e-4 at both sides
    assert_allclose(edges[[0, -1]], [-3.719016485455709, 3.719016485455709], rtol=1e-14)
    edges = of("standard_cauchy").edges  # quartiles at -1 and 1, and 8 times their distance
    assert_allclose(edges[[0, -1]], [-17, 17], rtol=1e-14)
    edges = of("standard_exponential").edges  # from the very beginning
    assert_allclose(edges[[0, -1]], [0, -math.log(TAIL)], rtol=1e-14, atol=1e-20)
    assert_allclose(of("beta", a=2, b=2).edges, np.linspace(0, 1, BINS + 1), atol=1e-10)
    assert_array_equal(of("normal", loc=5, scale=0).edges[[0, -1]], [4.5, 5.5])
    assert_allclose(of("normal", loc=1e20).edges[[0, -1]], [1e20 - 1e14, 1e20 + 1e14], rtol=1e-15)
    for mu in (3, -3, 9):  # all of the circle, or what is inside it
        assert_allclose(of("vonmises", mu=mu, kappa=4).edges[[0, -1]], [-math.pi, math.pi], rtol=1e-15)
    edges = of("vonmises", mu=2 + 2 * math.pi, kappa=100).edges
    assert_allclose(edges + edges[::-1], 4)
    for extreme in (of("normal", scale=1e308), of("pareto", a=2**-10), of("power", a=2**-10)):
        assert np.isfinite(extreme.edges).all()
        assert np.isfinite(extreme.y).all()
        assert (np.diff(extreme.edges) > 0).all()


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 2), (-3e-5, 1e30), (5, 5.5)])
@pytest.mark.parametrize("interval", ["[)", "(]", "()", "[]"])
def test_numbers_between_bounds(low: float, high: float, interval: str) -> None:
    found = of("uniform", low=low, high=high, interval=interval)
    assert_array_equal(found.edges, np.linspace(low, high, BINS + 1))
    assert_array_equal(found.x, [low, high])
    assert_allclose(found.y, [1 / (high - low)] * 2, rtol=1e-15)


def test_numbers_between_bounds_that_are_near_or_far() -> None:
    near, far = of("uniform", low=1, high=1 + 2**-30), of("uniform", low=-1.7e308, high=1.7e308)
    assert_array_equal(near.edges[[0, -1]], [0.5, 1.5])
    assert_array_equal(near.y, [2**30] * 2)
    for extreme in (near, far, of("uniform", low=0, high=5e-324), of("uniform", low=1e300, high=1.7e308)):
        assert np.isfinite(extreme.edges).all()
        assert np.isfinite(extreme.y).all()
        assert (np.diff(extreme.edges) > 0).all()


def poisson(k: int, mean: float) -> float:
    return math.exp(k * math.log(mean) - mean - math.lgamma(k + 1))


@pytest.mark.parametrize(
    ("name", "parameters", "first", "last", "probability"),
    [
        ("poisson", {"lam": 8}, 0, 20, lambda k: poisson(k, 8)),
        ("geometric", {"p": 0.3}, 1, 26, lambda k: 0.3 * 0.7 ** (k - 1)),
        ("binomial", {"n": 10, "p": 0.5}, 0, 10, lambda k: math.comb(10, k) / 1024),
        ("binomial", {"n": 0, "p": 0.5}, 0, 0, lambda _: 1),
        ("choice", {"a": 3, "p": [0.5, 0.125, 0.375]}, 0, 2, lambda k: (0.5, 0.125, 0.375)[k]),
        ("choice", {"a": 7}, 0, 6, lambda _: 1 / 7),
        ("integers", {"low": -3, "high": 97}, -3, 96, lambda _: 1 / 100),
    ],
)
def test_probabilities(
    name: str, parameters: dict[str, Any], first: int, last: int, probability: Callable[[int], float]
) -> None:
    found = of(name, **parameters)
    assert (found.first, found.together, found.origin) == (first, 1, 0)
    assert_array_equal(found.x, np.arange(first, last + 1))
    assert_array_equal(found.edges, np.arange(first, last + 2) - 0.5)
    assert_allclose(found.y, [probability(k) for k in range(first, last + 1)], rtol=1e-10)


def test_neighbours_are_put_together() -> None:
    found = of("poisson", lam=5000)
    assert (found.together, found.bins) == (6, 88)
    sums = [sum(poisson(found.first + 6 * i + j, 5000) for j in range(6)) for i in range(found.bins)]
    assert_allclose(found.y, sums, rtol=1e-9)
    assert_allclose(found.x, found.first + 2.5 + 6 * np.arange(found.bins))
    found = of("integers", low=0, high=2**64, dtype="uint64")
    assert found.bins == BINS
    assert_allclose(found.y[:-1], found.together / 2**64)
    assert found.y.sum() == pytest.approx(1)


def test_real_values_are_counted() -> None:
    shape = of("uniform")
    values = np.array([0, 0.005, 0.015, 0.9999999, 0.5], np.float32)
    counts = shape.counts(values)
    assert {i: int(n) for i, n in enumerate(counts) if n} == {0: 2, 1: 1, 50: 1, 99: 1}
    assert_allclose(shape.heights(counts, 5)[[0, 1, 2]], [40, 20, 0])


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_integers_are_counted_exactly(dtype: str) -> None:
    begin = 2**62
    shape = of("integers", low=begin, high=begin + 7, dtype=dtype)
    assert (shape.first, shape.origin, shape.bins) == (begin, begin, 7)
    assert_array_equal(shape.x, np.arange(7))
    values = np.array([begin, begin + 1, begin + 1, begin + 6, begin - 1, begin + 7, 0], dtype)
    counts = shape.counts(values)
    assert counts.tolist() == [1, 2, 0, 0, 0, 0, 1]
    assert_allclose(shape.heights(counts, 7), counts / 7)


def test_negative_integers_of_short_dtypes_are_counted() -> None:
    shape = of("integers", low=-100, high=100)
    assert (shape.first, shape.together, shape.bins) == (-100, 2, 100)
    counts = shape.counts(np.array([-100, -99, -98, 99, 100, -101], np.int8))
    assert counts[[0, 1, 99]].tolist() == [2, 1, 1]
    assert counts.sum() == 4
