"""Statistics of samples: right samples pass, and wrong ones do not."""

from typing import Any

import numpy as np
import pyopencl as cl
import pytest
import scipy.stats
from exactness import samples  # which is among the scripts
from exactness.samples import LAWS, Law

import clrng
from clrng.opencl.devices import describe

N = 200_000
LEAST = 1e-9
"""Below this is no chance, in some hundred p-values."""


def rng_of(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.default_rng(7, queue)


@pytest.mark.parametrize("name", LAWS)
def test_samples_are_of_their_distribution(queue: cl.CommandQueue, name: str) -> None:
    law = LAWS[name]
    for dtype in law.dtypes:
        if dtype != "float64" or describe(queue.device).fp64:
            found = samples.statistics(rng_of(queue), law, dtype, N)
            values = samples.p_values(found)
            assert {"chi-square"} <= set(values)
            assert min(values.values()) > LEAST, values
            assert found["values"] == N


WRONG: list[tuple[str, Law, str]] = [
    ("a mean that is a hundredth off", Law("normal", {"loc": 0.02}, lambda s: s.norm()), "KS"),
    ("a scale that is a hundredth off", Law("normal", {"scale": 1.02}, lambda s: s.norm()), "variance"),
    ("another shape", Law("standard_gamma", {"shape": 2.5}, lambda s: s.gamma(2.53)), "mean"),
    ("other tails", Law("standard_t", {"df": 30.0}, lambda s: s.norm()), "upper tail"),
    ("another rate", Law("poisson", {"lam": 3.5}, lambda s: s.poisson(3.47), discrete=True, dtypes=("int32",)), "mean"),
    ("one more", Law("integers", {"low": 101}, lambda s: s.randint(0, 100), discrete=True, dtypes=("int32",)), "mean"),
]


@pytest.mark.parametrize(("about", "law", "shown_by"), WRONG, ids=[row[0] for row in WRONG])
def test_other_distributions_are_found(queue: cl.CommandQueue, about: str, law: Law, shown_by: str) -> None:
    found = samples.p_values(samples.statistics(rng_of(queue), law, law.dtypes[0], N))
    assert min(found.values()) < LEAST, about
    assert found[shown_by] < 1e-3 or found["chi-square"] < LEAST


def test_values_that_are_drawn_twice_are_found(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces that repeat one another have statistics of fewer values."""
    monkeypatch.setattr(samples, "CHUNK", 2000)
    right = clrng.Generator.standard_normal

    def stuck(self: clrng.Generator, out: Any) -> None:
        right(self, out=out)
        self.bit_generator = rng_of(queue).bit_generator

    monkeypatch.setattr(clrng.Generator, "standard_normal", stuck)
    found = samples.p_values(samples.statistics(rng_of(queue), LAWS["standard_normal"], "float32", N))
    assert found["chi-square"] < LEAST


def test_bins_have_the_probabilities_of_rounded_values() -> None:
    """Of two neighbours in float32 with one limit between: the middle decides to which of them values are rounded."""
    limits, below = samples._bins(scipy.stats.norm(), "float32", 10**6)
    assert np.all(np.diff(below) > 0)
    middles = (limits.astype(np.float64) + np.nextafter(limits, np.float32(np.inf))) / 2
    np.testing.assert_allclose(below, scipy.stats.norm.cdf(middles), rtol=1e-14)
    assert below[0] == pytest.approx(1 / (4 * samples.BINS), rel=1e-5)
    assert below[1] == pytest.approx(1 / samples.BINS, rel=1e-5)


def test_every_value_is_in_a_bin(queue: cl.CommandQueue) -> None:
    """Of 600 values of six numbers, those of each are counted."""
    limits, below = samples._discrete_bins(scipy.stats.randint(0, 6), 600)
    assert limits.tolist() == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(below, np.arange(1, 6) / 6)
    drawn = rng_of(queue).integers(6, size=600, dtype="int32").get()
    expected = scipy.stats.chisquare(np.bincount(drawn, minlength=6))
    found = samples.statistics(rng_of(queue), LAWS["integers(6)"], "int32", 600)
    assert found["chi-square"] == pytest.approx(expected.statistic)
    assert found["p of chi-square"] == pytest.approx(expected.pvalue)


def test_kolmogorov_smirnov_is_that_of_scipy(queue: cl.CommandQueue) -> None:
    drawn = rng_of(queue).standard_normal(N).get().astype(np.float64)
    found = samples.statistics(rng_of(queue), LAWS["standard_normal"], "float32", N)
    exact = scipy.stats.kstest(drawn, "norm")
    assert exact.statistic - 1 / samples.BINS < found["KS distance"] <= exact.statistic + 1e-6
    assert found["mean"] == pytest.approx(drawn.mean() * N**0.5, abs=1e-6)
