"""Distributions whose parameters are arrays, each element with parameters of its own, compared with SciPy and mpmath.

``python -m tests.support.sweep_elements exact --count 1000000`` decides of every discrete value whether it is the
smallest k with X/N below F(k): by SciPy's functions where these are far enough from X/N, else by mpmath. ``fit`` counts
how values are spread under their own distributions: a chi-square test and that of Kolmogorov and Smirnov.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import scipy.special
import scipy.stats

import clrng

Array = npt.NDArray[Any]
Given = dict[str, Array]

SURE = 1e-9
"""SciPy's probabilities are taken to be right to so much."""

DIGITS = 60
BINS = 1000
CALL = 10**7
"""So many values a call draws of which it is counted how they are spread."""

SMALLEST_P = 1e-6
"""A test with a smaller p-value fails."""


@dataclass(frozen=True)
class Family:
    """A distribution by the name of its method: how parameters are drawn, and its distribution function."""

    name: str
    drawn: Callable[[np.random.Generator, int], Given]
    below: Callable[..., Any]
    """Called with k, or x, and the parameters in order, returns F of arrays by SciPy."""
    exactly: Callable[..., Any] | None = None
    """Does the same with one k of a discrete distribution and numbers of mpmath."""
    dtype: str = "float64"
    """Of numbers of a continuous one, where the device has it: float32 is too coarse near to an end of their range."""


def spread(random: np.random.Generator, low: float, high: float, n: int) -> Array:
    """Return numbers whose logarithms are uniform."""
    return np.exp(random.uniform(np.log(low), np.log(high), n))


def _hypergeometric(random: np.random.Generator, n: int) -> Given:
    good, bad = random.integers(0, 500, n), random.integers(0, 500, n)
    return {"ngood": good, "nbad": bad, "nsample": (random.random(n) * (good + bad + 1)).astype(np.int64)}


def _hypergeometric_below(k: Any, good: Any, bad: Any, sample: Any) -> Any:
    return scipy.stats.hypergeom.cdf(k, good + bad, good, sample)


def _hypergeometric_exactly(k: int, good: Any, bad: Any, sample: Any) -> Any:
    whole, masses = mp.binomial(good + bad, sample), (
        mp.binomial(good, j) * mp.binomial(bad, sample - j) for j in range(k + 1)
    )  # fmt: skip
    return mp.fsum(masses) / whole


def _poisson_exactly(k: int, lam: Any) -> Any:
    return mp.gammainc(k + 1, lam, mp.inf, regularized=True) if k >= 0 else mp.mpf(0)


def _binomial_exactly(k: int, n: Any, p: Any) -> Any:
    return mp.fsum(mp.binomial(n, j) * p**j * (1 - p) ** (n - j) for j in range(min(k, int(n)) + 1))


def _negative_binomial_exactly(k: int, n: Any, p: Any) -> Any:
    return mp.fsum(mp.binomial(n + j - 1, j) * (1 - p) ** j for j in range(k + 1)) * p**n


def _zipf_exactly(k: int, a: Any) -> Any:
    return 1 - mp.zeta(a, k + 1) / mp.zeta(a)


def _zipf_below(k: Any, a: Any) -> Any:
    return 1 - scipy.special.zeta(a, k + 1.0) / scipy.special.zeta(a)


DISCRETE = (
    Family("poisson", lambda random, n: {"lam": spread(random, 1e-300, 6e4, n)},
           scipy.special.pdtr, _poisson_exactly),
    Family("poisson", lambda random, n: {"lam": spread(random, 0.5, 300, n).astype(np.float32)},
           lambda k, lam: scipy.special.pdtr(k, lam.astype(np.float64)), _poisson_exactly),
    Family("binomial", lambda random, n: {"n": spread(random, 1, 3000, n).astype(np.int64), "p": random.random(n)},
           lambda k, n, p: scipy.special.bdtr(k.astype(np.float64), n, p), _binomial_exactly),
    Family("binomial", lambda random, n: {"n": random.integers(0, 40, n), "p": spread(random, 1e-300, 1, n)},
           lambda k, n, p: scipy.special.bdtr(k.astype(np.float64), n, p), _binomial_exactly),
    Family("negative_binomial",
           lambda random, n: {"n": spread(random, 1e-300, 100, n), "p": random.uniform(0.02, 1, n)},
           lambda k, n, p: np.where(k < 0, 0.0, scipy.special.betainc(n, np.maximum(k, 0) + 1.0, p)),
           _negative_binomial_exactly),
    Family("hypergeometric", _hypergeometric, _hypergeometric_below, _hypergeometric_exactly),
    Family("geometric", lambda random, n: {"p": spread(random, 1e-15, 1, n)},
           lambda k, p: -np.expm1(k * np.log1p(-p)), lambda k, p: 1 - (1 - p) ** k),
    Family("zipf", lambda random, n: {"a": 2 + spread(random, 0.1, 300, n)}, _zipf_below, _zipf_exactly),
)  # fmt: skip

CONTINUOUS = (
    Family("gamma", lambda random, n: {"shape": spread(random, 0.1, 300, n)},
           lambda x, shape: scipy.special.gammainc(shape, x)),
    Family("beta", lambda random, n: {"a": spread(random, 2, 90, n), "b": spread(random, 2, 90, n)},
           lambda x, a, b: scipy.special.betainc(a, b, x), dtype="float32"),
    Family("f", lambda random, n: {"dfnum": spread(random, 4, 90, n), "dfden": spread(random, 4, 90, n)},
           lambda x, a, b: scipy.special.fdtr(a, b, x), dtype="float32"),
    Family("weibull", lambda random, n: {"a": spread(random, 0.2, 90, n)}, lambda x, a: -np.expm1(-(x**a))),
    Family("pareto", lambda random, n: {"a": spread(random, 0.2, 90, n)},
           lambda x, a: -np.expm1(-a * np.log1p(x))),
    Family("power", lambda random, n: {"a": spread(random, 0.2, 90, n)}, lambda x, a: x**a),
    Family("lognormal", lambda random, n: {"mean": random.normal(size=n), "sigma": spread(random, 0.01, 9, n)},
           lambda x, mean, sigma: scipy.special.ndtr((np.log(x) - mean) / sigma)),
    Family("standard_t", lambda random, n: {"df": spread(random, 0.5, 300, n)},
           lambda x, df: scipy.special.stdtr(df, x)),
    Family("wald", lambda random, n: {"mean": spread(random, 0.1, 10, n), "scale": spread(random, 0.1, 10, n)},
           lambda x, mean, scale: scipy.stats.invgauss.cdf(x, mean / scale, scale=scale)),
    Family("vonmises", lambda random, n: {"mu": np.zeros(n), "kappa": spread(random, 0.01, 300, n)},
           lambda x, mu, kappa: scipy.stats.vonmises.cdf(x, kappa, loc=mu)),
    Family("noncentral_chisquare",
           lambda random, n: {"df": spread(random, 0.125, 300, n), "nonc": spread(random, 0.01, 900, n)},
           scipy.special.chndtr),
    Family("uniform", lambda random, n: {"low": random.normal(size=n) * 9, "high": 99 * (1 + random.random(n))},
           lambda x, low, high: (x - low) / (high - low)),
    Family("normal", lambda random, n: {"loc": random.normal(size=n) * 9, "scale": spread(random, 1e-3, 1e3, n)},
           lambda x, loc, scale: scipy.special.ndtr((x - loc) / scale)),
)  # fmt: skip


def _reached(family: Family, k: Array, given: Given) -> Array:
    """Return F(k), which is 0 where SciPy has no number as k is negative."""
    return np.nan_to_num(family.below(k, *given.values()))


def wrong(family: Family, random: np.random.Generator, count: int) -> tuple[int, int]:
    """Return how many of so many values are not those of their numbers, and how many mpmath had to decide."""
    given, seed = family.drawn(random, count), int(random.integers(2**60))
    made = getattr(clrng.default_rng(seed), family.name)(**given).get()
    found = np.random.PCG64(seed).random_raw(count)
    wanted = found / 2.0**64
    with np.errstate(all="ignore"):
        reached, before = _reached(family, made, given), _reached(family, made - 1, given)
    sure = (reached - wanted > SURE) & (wanted - before > SURE)
    bad = 0
    with mp.workdps(DIGITS):
        for i in np.flatnonzero(~sure).tolist():
            bad += not _is_smallest(family, int(made[i]), [each[i].item() for each in given.values()], int(found[i]))
    return bad, int((~sure).sum())


def _is_smallest(family: Family, k: int, own: Iterable[Any], number: int) -> bool:
    """Return whether k is the smallest value with X/N below F(k)."""
    parameters = [mp.mpf(each) for each in own]
    exactly: Any = family.exactly
    least = {"geometric": 1, "zipf": 1}.get(family.name, 0)
    thresholds = [mp.ceil(exactly(each, *parameters) * 2**64) if each >= least else mp.mpf(0) for each in (k, k - 1)]
    return bool(thresholds[0] > number >= thresholds[1])


def p_values(family: Family, random: np.random.Generator, count: int) -> tuple[float, float]:
    """Return the p-values of a chi-square test and that of Kolmogorov and Smirnov, of values in their distributions."""
    rng = clrng.default_rng(int(random.integers(2**60)))
    options = {"dtype": family.dtype} if family.exactly is None and rng.device.fp64 else {}
    ranks, counts = np.empty(count), np.zeros(BINS, np.int64)
    for begin in range(0, count, CALL):
        part = ranks[begin : begin + CALL]
        given = family.drawn(random, part.size)
        part[:] = _ranks(family, random, getattr(rng, family.name)(**given, **options).get(), given)
        counts += np.histogram(part, BINS, (0, 1))[0]
    ranks.sort()
    steps = np.arange(count) / count
    distance = max(float((ranks - steps).max()), float((steps - ranks).max()) + 1 / count)
    return float(scipy.stats.chisquare(counts).pvalue), float(scipy.stats.kstwo.sf(distance, count))


def _ranks(family: Family, random: np.random.Generator, made: Array, given: Given) -> Array:
    """Return numbers that are uniform from 0 to 1 if values have their distributions."""
    with np.errstate(all="ignore"):
        if family.exactly is None:
            ranks: Array = family.below(made.astype(np.float64), *given.values())
            return ranks
        reached, before = _reached(family, made, given), _reached(family, made - 1, given)
        return before + (reached - before) * random.random(made.size)


def main() -> None:
    """Do what the command line asks for, and exit with 1 if a value is wrong or a test fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("exact", "fit"))
    parser.add_argument("--count", type=int, default=10**6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    failed = False
    for number, family in enumerate(DISCRETE if options.what == "exact" else DISCRETE + CONTINUOUS):
        if options.only not in ("", family.name):
            continue
        random = np.random.default_rng([options.seed, number])
        if options.what == "exact":
            bad, unsure = wrong(family, random, options.count)
            failed |= bad > 0
            print(f"{family.name}: {bad} of {options.count} are wrong; mpmath decided {unsure}", flush=True)
        else:
            found = p_values(family, random, options.count)
            failed |= min(found) < SMALLEST_P
            said = f"p = {found[0]:.3g} (chi-square), {found[1]:.3g} (Kolmogorov, Smirnov)"
            print(f"{family.name}, {options.count} values: {said}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
