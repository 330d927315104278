"""Measure how right the values of continuous distributions are: ``python -m tests.support.measure_accuracy``.

Values of chosen raw values, by the exact evaluator, are compared with the distributions in mpmath, to 50 digits. The
result is ``tests/data/accuracy.json``, of which the page of the documentation is made.
"""

import json
import time
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

from clrng.distributions.inverse_table import inverse_table
from clrng.distributions.quantile import Quantile
from clrng.distributions.tables import InverseTable
from clrng.distributions.wald_vonmises import VonMises
from tests.support import exact_distributions as exact
from tests.support import reference_inverse
from tests.support.drawn_cases import CONTINUOUS
from tests.support.exact_distributions import Law
from tests.support.reference_draws import Located

PATH = Path(__file__).parents[1] / "data" / "accuracy.json"
DIGITS = 50
POINTS = 400
"""Raw values of a side that are tried."""

GENERATORS = {"park_miller": 2**31 - 2, "mmix": 2**64}
"""Raw values of generators, by their names in `clrng.NAMED`."""


def by_tails(below: Any, above: Any, density: Any) -> Law:
    """Return the law of two functions for its tails, and its density."""
    return lambda x, upper: ((above if upper else below)(x), density(x))


def laws() -> dict[str, Law]:
    """Return what mpmath has for each of `CONTINUOUS` that is not another one with loc or scale."""
    half, pi = mp.mpf(1) / 2, mp.pi
    normal, mode, sigma = exact.normal(), mp.mpf(0.3), mp.mpf(0.5)
    return {
        "standard_normal": normal,
        "standard_exponential": by_tails(lambda x: -mp.expm1(-x), lambda x: mp.exp(-x), lambda x: mp.exp(-x)),
        "laplace": by_tails(
            lambda x: mp.exp(x) / 2 if x < 0 else 1 - mp.exp(-x) / 2,
            lambda x: mp.exp(-x) / 2 if x > 0 else 1 - mp.exp(x) / 2,
            lambda x: mp.exp(-abs(x)) / 2,
        ),
        "logistic": by_tails(
            lambda x: 1 / (1 + mp.exp(-x)),
            lambda x: 1 / (1 + mp.exp(x)),
            lambda x: 1 / (2 + mp.exp(x) + mp.exp(-x)),
        ),
        "gumbel": by_tails(
            lambda x: mp.exp(-mp.exp(-x)),
            lambda x: -mp.expm1(-mp.exp(-x)),
            lambda x: mp.exp(-x - mp.exp(-x)),
        ),
        "standard_cauchy": by_tails(
            lambda x: mp.atan2(1, -x) / pi, lambda x: mp.atan2(1, x) / pi, lambda x: 1 / (pi * (1 + x * x))
        ),
        "rayleigh": by_tails(
            lambda x: -mp.expm1(-x * x / 2), lambda x: mp.exp(-x * x / 2), lambda x: x * mp.exp(-x * x / 2)
        ),
        "weibull": by_tails(
            lambda x: -mp.expm1(-(x**1.5)), lambda x: mp.exp(-(x**1.5)), lambda x: 1.5 * x**half * mp.exp(-(x**1.5))
        ),
        "pareto": by_tails(lambda x: -mp.expm1(-3 * mp.log1p(x)), lambda x: (1 + x) ** -3, lambda x: 3 * (1 + x) ** -4),
        "power": by_tails(lambda x: x * x, lambda x: (1 - x) * (1 + x), lambda x: 2 * x),
        "triangular": by_tails(
            lambda x: x * x / mode if x < mode else 1 - (1 - x) ** 2 / (1 - mode),
            lambda x: (1 - x) ** 2 / (1 - mode) if x > mode else 1 - x * x / mode,
            lambda x: 2 * x / mode if x < mode else 2 * (1 - x) / (1 - mode),
        ),
        "lognormal": lambda x, upper: (
            normal(mp.log(x) / sigma, upper)[0],
            normal(mp.log(x) / sigma, upper)[1] / (sigma * x),
        ),
        "vonmises": von_mises(4),
        "vonmises_3": von_mises(mp.mpf(0.5)),
        "wald": exact.wald(1.0, 2.0),
        "standard_gamma": exact.gamma(2.5),
        "gamma_0.5": exact.gamma(0.5),
        "chisquare": exact.gamma(2.5, 2),
        "beta": exact.beta(2.0, 5.0),
        "beta_0.5_0.5": exact.beta(0.5, 0.5),
        "f": exact.f(5.0, 7.0),
        "standard_t": exact.student_t(4.0),
        "noncentral_chisquare": exact.noncentral_chisquare(3.0, 2.0),
        "noncentral_f": exact.noncentral_f(3.0, 20.0, 2.0),
    }


def von_mises(kappa: float) -> Law:
    """Return the law of the von Mises distribution of mode 0, by its Fourier series."""
    terms = [mp.besseli(j, kappa) / mp.besseli(0, kappa) for j in range(60)]

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        at_mean = x / 2 + mp.fsum(terms[j] * mp.sin(j * x) / j for j in range(1, len(terms)))
        density = mp.exp(kappa * mp.cos(x)) / (2 * mp.pi * mp.besseli(0, kappa))
        return mp.mpf(1) / 2 + (-at_mean if upper else at_mean) / mp.pi, density

    return law


def places(count: int) -> list[int]:
    """Return numbers of the lower half of `count`: the least, the largest, powers of two, and others of every size."""
    half = count // 2
    rng = np.random.default_rng(count % 2**63)
    found = {0, 1, 2, 3, half - 1, half - 2} | {2**k + d for k in range(64) for d in (-1, 0) if 2**k < half}
    while len(found) < POINTS:
        size = rng.uniform(0, np.log2(half)) if len(found) % 2 else np.log2(half * rng.uniform())
        found.add(min(int(2**size), half - 1))
    return sorted(found)


def errors(quantile: Quantile, law: Law, table: InverseTable, *, upper: bool) -> dict[str, float]:
    """Return the largest errors of one side of a table."""
    count = table.raw_values
    tails = places(count)
    numbers = [count - 1 - d if upper else d for d in tails]
    values = reference_inverse.values(
        np.array(numbers, np.uint64), count, table.coefficients, table.segment_bits, table.symmetric
    )
    near = quantile(np.array([(2 * d + 1) / (2 * count) for d in tails]), upper)
    floor = max(abs(float(quantile(0.25, side))) for side in (False, True)) / 2
    ends = [float(quantile(2.0**-70, side)) for side in (False, True)]
    floor = floor if ends[0] < 0 < ends[1] else 0.0
    smallest = float(4 * np.finfo(table.dtype).tiny)  # smaller values are 0
    half_turn = float(np.dtype(table.dtype).type(np.pi)) if isinstance(quantile, VonMises) else np.inf
    found = {"value": 0.0, "probability": 0.0, "tail": 0.0}
    for d, value, start in zip(tails, values, near, strict=True):
        p, x = mp.mpf(2 * d + 1) / (2 * count), mp.mpf(float(start))
        right = improved(law, x, p, upper)
        made = mp.mpf(float(value))
        at_end = (made in (0, 1) or abs(made) == half_turn) and 4 * p < 1  # where nothing is beyond
        off = p if at_end else abs(law(made, upper)[0] - p)
        size = max(abs(right), floor)
        now = {"value": abs(made - right) / size if size >= smallest else 0.0, "probability": off, "tail": off / p}
        found = {name: max(found[name], float(now[name])) for name in found}
    return found


def improved(law: Law, x: mp.mpf, p: mp.mpf, upper: bool) -> mp.mpf:
    """Return a quantile in full precision from one that is right to 1e-14, by Newton's method."""
    for _ in range(2):
        if x in (0, 1):  # the end of the support, where no float64 is nearer
            break
        tail, density = law(x, upper)
        x += (tail - p) / density * (1 if upper else -1)
    return x


def row(name: str, law: Law, generator: str, dtype: str) -> dict[str, Any]:
    """Return what is known of the values of a distribution from one generator."""
    case = CONTINUOUS[name]
    reference = case.reference
    if not isinstance(reference, Located):
        raise TypeError(f"{name} must be a continuous distribution")
    raw_values = GENERATORS[generator]
    steps = reference.steps(raw_values, dtype)
    table = inverse_table(reference.quantile, raw_values**steps, dtype)
    sides = [errors(reference.quantile, law, table, upper=upper) for upper in ([True] if table.symmetric else [0, 1])]
    return {
        "distribution": repr(reference.quantile),
        "generator": generator,
        "dtype": dtype,
        "steps": steps,
        "rows": len(table.coefficients),
        "degree": table.degree,
        "segments": 2**table.segment_bits,
        "least": table.least,
        "greatest": table.greatest,
        "values": len(sides) * POINTS,
        **{what: max(side[what] for side in sides) for what in sides[0]},
        "digest": table.digest,
    }


def main() -> None:
    """Measure all, and write the result."""
    mp.mp.dps = DIGITS
    rows = []
    for name, law in laws().items():
        for generator in GENERATORS:
            for dtype in CONTINUOUS[name].dtypes:
                began = time.perf_counter()
                rows.append(row(name, law, generator, dtype))
                last = rows[-1]
                told = f"value {last['value']:.2g}, probability {last['probability']:.2g}, tail {last['tail']:.2g}"
                print(f"{name} {generator} {dtype}: {told}; {time.perf_counter() - began:.1f} s", flush=True)
    PATH.write_text(json.dumps({"digits": DIGITS, "rows": rows}, indent=1) + "\n")
    print(f"-> {PATH}")


if __name__ == "__main__":
    main()
