"""Draw large samples of every distribution, and compare them with SciPy's: the p-values of statistics.

Values are counted, exactly, between the limits of bins; the probabilities of bins are those of SciPy, which shares
nothing with clrng. From the counts follow the statistics of Kolmogorov and Smirnov and of Pearson; from sums the mean
and the variance; and far tails are counted by themselves.

Each distribution has a stream of its own. A p-value is uniform on [0, 1] where all is right, so of a hundred the
smallest is about 0.01; it ends with an error where one is below `MIN_P`.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from harness.common import Results, arguments, chosen, run

import clrng
from clrng.opencl.devices import describe

MIN_P = 1e-6
"""The p-value below which something is wrong: a run of all has some 200."""

BINS = 4096
"""Bins of continuous distributions, all of about one probability."""

CHUNK = 2**22
"""Values counted at once."""

BLUR = 0.3
"""How many standard deviations of the count of a bin the values may be that are at its limit up to their last bit."""

FAR = 1000.0
"""How many values are expected in each far tail."""

FEWEST = 20.0
"""How many values are expected in a bin of a discrete distribution at least; less likely ones share a bin."""

VON_MISES = "vonmises"
"""SciPy's name of the distribution whose quantiles and moments take it seconds."""

ANGLES = np.linspace(-np.pi, np.pi, 2**16 + 1)

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Law:
    """A distribution: a method of `Generator` with its arguments, and what makes SciPy's of `scipy.stats`."""

    method: str
    arguments: dict[str, Any]
    known: Callable[[Any], Any] = field(compare=False)
    discrete: bool = False
    dtypes: tuple[str, ...] = ("float32", "float64")


def _discrete(method: str, arguments: dict[str, Any], known: Callable[[Any], Any], dtype: str = "int32") -> Law:
    return Law(method, arguments, known, discrete=True, dtypes=(dtype,))


LAWS = {
    "standard_normal": Law("standard_normal", {}, lambda s: s.norm()),
    "normal(1.5, 2)": Law("normal", {"loc": 1.5, "scale": 2.0}, lambda s: s.norm(1.5, 2)),
    "standard_exponential": Law("standard_exponential", {}, lambda s: s.expon()),
    "laplace": Law("laplace", {}, lambda s: s.laplace()),
    "logistic": Law("logistic", {}, lambda s: s.logistic()),
    "gumbel": Law("gumbel", {}, lambda s: s.gumbel_r()),
    "standard_cauchy": Law("standard_cauchy", {}, lambda s: s.cauchy()),
    "rayleigh": Law("rayleigh", {}, lambda s: s.rayleigh()),
    "weibull(1.5)": Law("weibull", {"a": 1.5}, lambda s: s.weibull_min(1.5)),
    "pareto(3)": Law("pareto", {"a": 3.0}, lambda s: s.lomax(3)),
    "power(2)": Law("power", {"a": 2.0}, lambda s: s.powerlaw(2)),
    "triangular(0, 0.3, 1)": Law("triangular", {"left": 0.0, "mode": 0.3, "right": 1.0}, lambda s: s.triang(0.3)),
    "lognormal(0, 0.5)": Law("lognormal", {"sigma": 0.5}, lambda s: s.lognorm(0.5)),
    "vonmises(0, 4)": Law("vonmises", {"mu": 0.0, "kappa": 4.0}, lambda s: s.vonmises(4)),
    "wald(1, 2)": Law("wald", {"mean": 1.0, "scale": 2.0}, lambda s: s.invgauss(0.5, scale=2)),
    "gamma(2.5)": Law("standard_gamma", {"shape": 2.5}, lambda s: s.gamma(2.5)),
    "gamma(0.5)": Law("standard_gamma", {"shape": 0.5}, lambda s: s.gamma(0.5)),
    "chisquare(5)": Law("chisquare", {"df": 5.0}, lambda s: s.chi2(5)),
    "beta(2, 5)": Law("beta", {"a": 2.0, "b": 5.0}, lambda s: s.beta(2, 5)),
    "beta(0.5, 0.5)": Law("beta", {"a": 0.5, "b": 0.5}, lambda s: s.beta(0.5, 0.5)),
    "f(5, 7)": Law("f", {"dfnum": 5.0, "dfden": 7.0}, lambda s: s.f(5, 7)),
    "standard_t(4)": Law("standard_t", {"df": 4.0}, lambda s: s.t(4)),
    "integers(6)": _discrete("integers", {"low": 6}, lambda s: s.randint(0, 6)),
    "integers(2^20)": _discrete("integers", {"low": 2**20}, lambda s: s.randint(0, 2**20)),
    "integers(-9, 9)": _discrete("integers", {"low": -9, "high": 9}, lambda s: s.randint(-9, 9), "int8"),
    "poisson(3.5)": _discrete("poisson", {"lam": 3.5}, lambda s: s.poisson(3.5)),
    "poisson(1000)": _discrete("poisson", {"lam": 1000.0}, lambda s: s.poisson(1000)),
    "binomial(20, 0.3)": _discrete("binomial", {"n": 20, "p": 0.3}, lambda s: s.binom(20, 0.3)),
    "negative_binomial(2.5, 0.4)": _discrete("negative_binomial", {"n": 2.5, "p": 0.4}, lambda s: s.nbinom(2.5, 0.4)),
    "geometric(0.1)": _discrete("geometric", {"p": 0.1}, lambda s: s.geom(0.1)),
    "hypergeometric(20, 30, 10)": _discrete(
        "hypergeometric", {"ngood": 20, "nbad": 30, "nsample": 10}, lambda s: s.hypergeom(50, 20, 10)
    ),
}  # fmt: skip
"""What is drawn, by the names of reports."""


def chunks(rng: clrng.Generator, law: Law, dtype: str, n: int) -> Iterator[npt.NDArray[Any]]:
    """Yield the next `n` values of a distribution in pieces."""
    for first in range(0, n, CHUNK):
        part = np.empty(min(CHUNK, n - first), dtype)
        getattr(rng, law.method)(**law.arguments, out=part)
        yield part


def _in_threads(count: Callable[[Any], Any], parts: Iterator[Any]) -> Iterator[Any]:
    """Yield what `count` returns for each of `parts`, in their order; some are counted while the next are drawn."""
    threads = os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[Any]] = deque()
        for part in parts:
            begun.append(pool.submit(count, part))
            if len(begun) > threads:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()


def statistics(rng: clrng.Generator, law: Law, dtype: str, n: int) -> Any:
    """Draw `n` values and return their statistics and p-values by name."""
    import scipy.stats  # noqa: PLC0415  # which takes a second and not everybody has

    known = law.known(scipy.stats)
    limits, below = _discrete_bins(known, n) if law.discrete else _bins(known, dtype, n)
    counts = np.zeros(len(limits), np.int64)
    mean, variance, kurtosis = known_moments(known)
    deviation = variance**0.5
    sums = np.zeros(2)

    def count(part: npt.NDArray[Any]) -> tuple[Any, Any]:
        part.sort()
        below_limits = np.searchsorted(part, limits, side="right")
        if not np.isfinite(deviation):
            return below_limits, 0.0
        scaled = (part.astype(np.float64) - mean) / deviation
        return below_limits, (scaled.sum(), scaled @ scaled)

    for found_below, found_sums in _in_threads(count, chunks(rng, law, dtype, n)):
        counts += found_below
        sums += found_sums
    found: dict[str, Any] = {"values": n, "dtype": dtype, "generator": repr(rng.bit_generator.name)}
    tails = 0 if law.discrete else 2
    body = slice(tails // 2, len(limits) - tails // 2)
    found |= _pearson(counts[body], below[body], n)
    if not law.discrete:
        found |= _kolmogorov_smirnov(counts[body], below[body], n)
        found |= _tail("lower tail", int(counts[0]), float(below[0]), n)
        found |= _tail("upper tail", n - int(counts[-1]), 1 - float(below[-1]), n)
    return found | _moments(variance, kurtosis, sums, n)


def known_moments(known: Any) -> tuple[float, float, float]:
    """Return mean, variance and excess kurtosis of a distribution of SciPy; infinite or nan where there are none."""
    if known.dist.name != VON_MISES:
        mean, variance, kurtosis = (float(known.stats(what)) for what in "mvk")
        return mean, variance, kurtosis
    from scipy.integrate import simpson  # noqa: PLC0415  # as above

    variance, fourth = (float(simpson(known.pdf(ANGLES) * ANGLES**power, ANGLES)) for power in (2, 4))
    return 0.0, variance, fourth / variance**2 - 3


def _bins(known: Any, dtype: str, n: int) -> tuple[Any, Array]:
    """Return the upper limits of bins and the probabilities below; the first and the last limit are far tails.

    A value that was rounded is at most a limit if the exact one was below the middle between this and the next number.
    """
    far = min(FAR / n, 1 / (4 * BINS))
    wanted = np.concatenate([[far], np.arange(1, BINS) / BINS])
    if known.dist.name == VON_MISES:  # about these quantiles is enough
        limits = np.interp([*wanted, 1 - far], known.cdf(ANGLES), ANGLES).astype(dtype)
    else:
        limits = np.append(known.ppf(wanted), known.isf(far)).astype(dtype)
    limits = limits[_is_sharp(known, limits, n)]
    above = np.nextafter(limits, np.array(np.inf, dtype))
    return limits, known.cdf(limits.astype(np.float64) / 2 + above.astype(np.float64) / 2)


def _is_sharp(known: Any, limits: Any, n: int) -> Any:
    """Return which of the limits of bins are as sharp as counting needs; the far tails' count as such.

    Values that are right but for their last bit may fall to the other side of a limit. A limit is no good where the
    values so near to it would be more than some of the standard deviation of a count.
    """
    near = n * known.pdf(limits) * np.spacing(np.abs(limits)).astype(np.float64)
    sharp = near <= BLUR * (n / BINS) ** 0.5
    sharp[[0, -1]] = True
    return sharp


def _discrete_bins(known: Any, n: int) -> tuple[Any, Array]:
    """Return the largest values of bins, in each of which `FEWEST` are expected at least, and the probabilities."""
    low, high = int(known.ppf(1e-12)), int(known.isf(1e-12))
    values = np.arange(low, high + 1)
    below = known.cdf(values)
    kept, last = [], 0.0
    for value, reached in zip(values.tolist(), below.tolist(), strict=True):
        if (reached - last) * n >= FEWEST and (1 - reached) * n >= FEWEST:
            kept.append((value, reached))
            last = reached
    limits, probabilities = zip(*kept, strict=True)
    return np.array(limits), np.array(probabilities)


def _pearson(counts: Any, below: Array, n: int) -> dict[str, float]:
    from scipy.stats import chi2  # noqa: PLC0415  # as above

    observed = np.diff(counts, prepend=0, append=n)
    expected = n * np.diff(below, prepend=0.0, append=1.0)
    value = float(np.sum((observed - expected) ** 2 / expected))
    return {"bins": len(expected), "chi-square": value, "p of chi-square": float(chi2.sf(value, len(expected) - 1))}


def _kolmogorov_smirnov(counts: Any, below: Array, n: int) -> dict[str, float]:
    from scipy.stats import kstwobign  # noqa: PLC0415  # as above

    distance = float(np.max(np.abs(counts / n - below)))
    return {"KS distance": distance, "p of KS": float(kstwobign.sf(distance * n**0.5))}


def _tail(name: str, count: int, probability: float, n: int) -> dict[str, float]:
    """Return how many values are in a far tail, how many should be, and both sides' probability of that or worse."""
    from scipy.stats import binom  # noqa: PLC0415  # as above

    one_side = min(binom.cdf(count, n, probability), binom.sf(count - 1, n, probability))
    return {name: count, f"{name} expected": n * probability, f"p of {name}": float(min(2 * one_side, 1.0))}


def _moments(variance: float, kurtosis: float, sums: Array, n: int) -> dict[str, float]:
    """Return mean and variance in their own standard deviations, and p-values, where these exist."""
    from scipy.stats import norm  # noqa: PLC0415  # as above

    found = {}
    if np.isfinite(variance):
        found["mean"] = float(sums[0] / n**0.5)
    if np.isfinite(variance) and np.isfinite(kurtosis):
        found["variance"] = float((sums[1] / n - 1) / ((kurtosis + 2) / n) ** 0.5)
    return found | {f"p of {name}": float(2 * norm.sf(abs(z))) for name, z in found.items()}


def p_values(found: dict[str, Any]) -> dict[str, float]:
    """Return the p-values among statistics, by what they are of."""
    return {name.removeprefix("p of "): p for name, p in found.items() if name.startswith("p of ")}


def main() -> None:
    """Draw, and print a line for each distribution and dtype."""
    options = arguments(
        __doc__,
        values={"type": int, "default": 10**8, "help": "values of each sample"},
        only={"default": "", "help": "the distributions with this in their name"},
        seed={"type": int, "default": 1, "help": "of clrng.default_rng, which spawns a stream for each"},
    )
    n = min(options.values, 10**5) if options.quick else options.values
    queue = clrng.make_queue(options.device)
    results = Results(options, "samples", queue, values=n, seed=options.seed)
    names = chosen(list(LAWS)[:: 6 if options.quick else 1], options.only)
    streams = iter(clrng.default_rng(options.seed, queue).spawn(2 * len(LAWS)))
    fp64, wrong = describe(queue.device).fp64, []
    for name, law in LAWS.items():
        for dtype in law.dtypes:
            rng = next(streams)
            if name not in names or (dtype == "float64" and not fp64):
                continue
            began = time.perf_counter()
            found = statistics(rng, law, dtype, n)
            results.add(f"{name}, {dtype}", {**found, "seconds": round(time.perf_counter() - began, 1)})
            values = p_values(found)
            told = ", ".join(f"{what} {p:.3g}" for what, p in values.items())
            print(f"{name}, {dtype}: p of {told}", flush=True)
            wrong += [f"{name}, {dtype}: p of {what} is {p:.3g}" for what, p in values.items() if p < MIN_P]
    results.close()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    run(main)
