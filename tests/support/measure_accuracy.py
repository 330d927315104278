"""Measure how right continuous distributions are: ``python -m tests.support.measure_accuracy [name ...]``.

Values of chosen raw values, by the exact evaluator, are compared with the distributions in mpmath, to 50 digits: of
fixed places, and of those among a million random ones where the error is largest in double precision. The result is
``tests/data/accuracy.json``, of which the page of the documentation is made.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

from clrng.distributions.quantiles.integrated import VonMises
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import InverseTable, LogarithmTable, inverse_table
from tests.support import reference_logarithms
from tests.support.drawn_cases import CONTINUOUS, HARD
from tests.support.exact_distributions import Law
from tests.support.reference_draws import Located
from tests.support.sweep_laws import law_of

PATH = Path(__file__).parents[1] / "data" / "accuracy.json"
DIGITS = 50
POINTS = 400
"""Raw values of a side that mpmath looks at, whatever double precision says of them."""

VALUES, WORST = 10**6, 100
"""Random values of a distribution, and how many of a side are the worst by double precision, at which mpmath looks."""

CACHED = 2**13
"""Values that are made at once, so that they stay in a processor's caches."""

GENERATORS = {"park_miller": 2**31 - 2, "mmix": 2**64}
"""Raw values of generators, by their names in `clrng.NAMED`."""


def cases() -> dict[str, tuple[Located, tuple[str, ...]]]:
    """Return what is measured, by name: the distributions that are not another one with loc or scale, and dtypes."""
    found: dict[str, tuple[Located, tuple[str, ...]]] = {}
    for name, case in {**CONTINUOUS, **HARD}.items():
        if not isinstance(case.reference, Located):
            raise TypeError(f"{name} must be a continuous distribution")
        if case.reference.quantile not in [reference.quantile for reference, _ in found.values()]:
            found[name] = case.reference, case.dtypes
    return found


def places(count: int) -> list[int]:
    """Return numbers of the lower half of `count`: the least, the largest, powers of two, and others of every size."""
    half = count // 2
    rng = np.random.default_rng(count % 2**63)
    found = {0, 1, 2, 3, half - 1, half - 2} | {2**k + d for k in range(64) for d in (-1, 0) if 2**k < half}
    while len(found) < POINTS:
        size = rng.uniform(0, np.log2(half)) if len(found) % 2 else np.log2(half * rng.uniform())
        found.add(min(int(2**size), half - 1))
    return sorted(found)


def searched(quantile: Quantile, table: InverseTable, count: int, floor: float, *, upper: bool) -> list[int]:
    """Return the `WORST` of `count` random places of a side, by the quantiles in double precision.

    Half of them are evenly spread over the side, half over the sizes of their tail probabilities.
    """
    rng, half = np.random.default_rng(count), float(table.raw_values // 2)
    spread = np.concatenate([half * rng.uniform(size=count // 2), half ** rng.uniform(size=count - count // 2)])
    tails = np.minimum(spread.astype(np.uint64), np.uint64(table.raw_values // 2 - 1))
    numbers = np.uint64(table.raw_values - 1) - tails if upper else tails
    p = (2 * tails.astype(np.float64) + 1) / (2 * float(table.raw_values))
    pieces = range(0, count, CACHED)
    values = np.concatenate([reference_logarithms.of_table(numbers[i : i + CACHED], table) for i in pieces])
    right = np.concatenate([quantile(p[i : i + CACHED], upper) for i in pieces])
    limits = np.finfo(table.dtype)
    with np.errstate(all="ignore"):
        off = np.abs(values.astype(np.float64) - right) / np.maximum(np.abs(right), floor)
    has = (np.abs(right) >= float(4 * limits.tiny)) & (np.abs(right) <= float(limits.max))
    worst = np.argsort(np.where(has | (floor > 0), off, 0.0))[-WORST:]
    return [int(tails[i]) for i in worst]


def errors(quantile: Quantile, law: Law, table: InverseTable, *, upper: bool, several: int = 10**6) -> dict[str, float]:
    """Return the largest errors of one side of a table, of `several` random values too."""
    count = table.raw_values
    floor = max(abs(float(quantile(0.25, side))) for side in (False, True)) / 2
    ends = [float(quantile(2.0**-70, side)) for side in (False, True)]
    floor = floor if ends[0] < 0 < ends[1] else 0.0
    tails = sorted({*places(count), *searched(quantile, table, several, floor, upper=upper)})
    numbers = [count - 1 - d if upper else d for d in tails]
    values = reference_logarithms.of_table(np.array(numbers, np.uint64), table)
    near = quantile(np.array([(2 * d + 1) / (2 * count) for d in tails]), upper)
    smallest, largest = float(4 * np.finfo(table.dtype).tiny), float(np.finfo(table.dtype).max)
    half_turn = float(np.dtype(table.dtype).type(np.pi)) if isinstance(quantile, VonMises) else np.inf
    found = {"value": 0.0, "probability": 0.0, "tail": 0.0}
    for d, value, start in zip(tails, values, near, strict=True):
        if (abs(start) < smallest and not floor) or abs(start) >= largest:  # which the dtype has not
            continue
        p, x = mp.mpf(2 * d + 1) / (2 * count), mp.mpf(float(start))
        right = improved(law, x, p, upper)
        made = mp.mpf(float(value))
        at_end = made in (0, 1) or abs(made) == half_turn  # where nothing is beyond
        off = mp.mpf(0) if at_end else abs(law(made, upper)[0] - p)
        now = {"value": abs(made - right) / max(abs(right), floor), "probability": off, "tail": off / p}
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


def row(reference: Located, generator: str, dtype: str) -> dict[str, Any]:
    """Return what is known of the values of a distribution from one generator."""
    raw_values, quantile = GENERATORS[generator], reference.quantile
    steps, law = reference.steps(raw_values, dtype), law_of(quantile)
    table = inverse_table(quantile, raw_values**steps, dtype)
    outermost = reference_logarithms.of_table(np.array([0, table.raw_values - 1], np.uint64), table)
    uppers = [True] if table.symmetric else [False, True]
    sides = [errors(quantile, law, table, upper=upper, several=VALUES // len(uppers)) for upper in uppers]
    return {
        "distribution": repr(quantile),
        "generator": generator,
        "dtype": dtype,
        "steps": steps,
        "logarithms": isinstance(table, LogarithmTable),
        "rows": len(table.coefficients),
        "degree": table.degree,
        "segments": 2**table.segment_bits,
        **dict(zip(("least", "greatest"), outermost.tolist(), strict=True)),
        "values": VALUES + len(sides) * POINTS,
        **{what: max(side[what] for side in sides) for what in sides[0]},
        "digest": table.digest,
    }


def main() -> None:
    """Measure all, or what is named, and write the result."""
    mp.mp.dps = DIGITS
    measured, chosen = cases(), sys.argv[1:]
    known = json.loads(PATH.read_text())["rows"] if chosen else []
    rows = {(each["distribution"], each["generator"], each["dtype"]): each for each in known}
    for name in chosen or measured:
        reference, dtypes = measured[name]
        for generator in GENERATORS:
            for dtype in dtypes:
                began = time.perf_counter()
                last = rows[repr(reference.quantile), generator, dtype] = row(reference, generator, dtype)
                told = f"value {last['value']:.2g}, probability {last['probability']:.2g}, tail {last['tail']:.2g}"
                print(f"{name} {generator} {dtype}: {told}; {time.perf_counter() - began:.1f} s", flush=True)
    PATH.write_text(json.dumps({"digits": DIGITS, "rows": list(rows.values())}, indent=1) + "\n")
    print(f"-> {PATH}")


if __name__ == "__main__":
    main()
