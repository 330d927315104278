"""Sweep distributions over all legal parameters: ``python -m tests.support.sweep_quantiles [count [name ...]]``.

Of each distribution `count` parameters are taken, log-uniform from end to end and the ends themselves, and of each the
values of chosen raw values: the ends, the middle, borders of octaves, and places of every size. The values are made by
the exact evaluator, and mpmath says how far they are from the right ones. What must hold is in `check`.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt

from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import InverseTable, LogarithmTable, inverse_table
from tests.support import reference_logarithms
from tests.support.exact_distributions import Law
from tests.support.quantile_classes import CONTINUOUS, name_of
from tests.support.sweep_laws import law_of

CASES = ((2**31 - 2, "float32"), (2**64, "float64"), (2**64, "float32"), ((2**31 - 2) ** 2, "float64"))
"""How many raw values there are, and the dtype; parameters take turns."""

UNITS, STEEP_UNITS = 16, 16
"""What is promised: see `check`."""

NONCENTRAL = 4
"""How many times as much it is for noncentral distributions, whose densities are sums of many terms."""

KINK = {"float32": 4e-6, "float64": 4e-7}
"""The same next to the mode of a triangular distribution."""

MANY = 4096
"""Values that are looked at without mpmath."""

DIGITS = 45
Draw = Callable[[np.random.Generator], tuple[float, ...]]


def log_uniform(low: float, high: float) -> Callable[[np.random.Generator], float]:
    """Return what draws numbers whose logarithm is uniform; one in twenty is an end."""

    def draw(rng: np.random.Generator) -> float:
        if rng.uniform() < 1 / 20:
            return float(rng.choice([low, high]))
        return float(np.clip(2 ** rng.uniform(np.log2(low), np.log2(high)), low, high))

    return draw


def each(*draws: Callable[[np.random.Generator], float]) -> Draw:
    """Return what draws several parameters one by one."""
    return lambda rng: tuple(draw(rng) for draw in draws)


def near(low: float, high: float, ratio: float) -> Draw:
    """Return what draws two parameters of which none is more than `ratio` times the other."""
    one, quotient = log_uniform(low, high), log_uniform(1 / ratio, ratio)
    return lambda rng: (
        first := one(rng),
        float(np.clip(first * quotient(rng), max(low, first / ratio), min(high, first * ratio))),
    )


def or_zero(draw: Callable[[np.random.Generator], float]) -> Callable[[np.random.Generator], float]:
    """Return what draws 0 now and then."""
    return lambda rng: 0.0 if rng.uniform() < 1 / 20 else draw(rng)


def three_numbers(rng: np.random.Generator) -> tuple[float, ...]:
    """Return left, mode and right: of one sign and of both, of all sizes, with modes at ends and near them."""
    size, kind = log_uniform(2.0**-30, 2.0**30)(rng), rng.integers(4)
    left = float([0.0, -size * rng.uniform(), size, -size * 2.0 ** rng.uniform(-20, 0)][kind])
    whole = float(size * 2.0 ** rng.uniform(-3, 3))
    part = float(rng.choice([0, 1, 0.5, rng.uniform(), 2.0 ** rng.uniform(-30, 0), 1 - 2.0 ** rng.uniform(-20, 0)]))
    right = left + whole
    return left, float(np.clip(left + part * whole, left, right)), right


SHAPES = log_uniform(2.0**-10, 2.0**40)
PARAMETERS: dict[str, Draw] = {
    "weibull": each(SHAPES),
    "pareto": each(SHAPES),
    "power": each(SHAPES),
    "triangular": three_numbers,
    "lognormal": each(log_uniform(2.0**-20, 1024.0)),
    "standard_gamma": each(SHAPES),
    "chisquare": each(log_uniform(2.0**-9, 2.0**40)),
    "beta": near(2.0**-10, 2.0**40, 2.0**40),
    "f": near(2.0**-9, 2.0**40, 2.0**40),
    "standard_t": each(log_uniform(2.0**-9, 2.0**40)),
    "wald": near(2.0**-40, 2.0**40, 2.0**40),
    "vonmises": each(or_zero(log_uniform(2.0**-20, 10000.0))),
    "noncentral_chisquare": each(log_uniform(0.125, 2.0**16), or_zero(log_uniform(2.0**-10, 1024.0))),
    "noncentral_f": each(
        log_uniform(0.125, 2.0**16), log_uniform(0.125, 2.0**16), or_zero(log_uniform(2.0**-10, 1024.0))
    ),
}
"""How the parameters of each distribution are drawn; the others have none."""

SMALL = ("standard_gamma", "chisquare", "beta", "f", "standard_t", "weibull", "pareto", "power")
"""Those of which every second shape is drawn below 8, where tables are hard."""


def parameters(name: str, rng: np.random.Generator) -> tuple[float, ...]:
    """Return parameters of a distribution."""
    if name not in PARAMETERS:
        return ()
    if name in SMALL and rng.uniform() < 1 / 2:
        least = 2.0**-9 if name in ("chisquare", "f", "standard_t") else 2.0**-10
        return tuple(log_uniform(least, 8.0)(rng) for _ in CONTINUOUS[name].parameters())
    return PARAMETERS[name](rng)


@dataclass
class Found:
    """What a sweep found.

    Attributes
    ----------
    values : int
        How many values mpmath has looked at.
    tables : int
    logarithms : int
        How many tables are of logarithms.
    worst : float
        The largest error as a share of what is promised, and where.
    """

    values: int = 0
    tables: int = 0
    logarithms: int = 0
    worst: float = 0.0
    where: str = ""


def places(count: int, rng: np.random.Generator, several: int) -> list[int]:
    """Return numbers below `count`: ends, the middle, borders of octaves and `several` of every size, on both sides."""
    half = count // 2
    tails = {0, half - 1} | {2 ** int(rng.integers(1, half.bit_length())) // 2 + d for d in (-1, 0)}
    tails |= {int(half * rng.uniform()) for _ in range(several)}
    tails |= {int(2 ** rng.uniform(0, np.log2(float(half)))) for _ in range(several)}
    return sorted({d if rng.uniform() < 1 / 2 else count - 1 - d for d in tails if 0 <= d < half} | {0, count - 1})


def floor_of(quantile: Any) -> float:
    """Return what errors are relative to at least: half the larger quartile where both signs occur, sqrt(df) for t."""
    ends = [float(quantile(2.0**-70, side)) for side in (False, True)]
    if not ends[0] < 0 < ends[1]:
        return 0.0
    half = max(abs(float(quantile(0.25, side))) for side in (False, True)) / 2
    return min(half, float(np.sqrt(quantile.df))) if name_of(quantile) == "standard_t" else half


def made(numbers: npt.NDArray[np.uint64], table: InverseTable) -> npt.NDArray[Any]:
    """Return the values of raw values, of loc 0 and scale 1."""
    values = reference_logarithms.of_table(numbers, table)
    if not table.quantile.circular:
        return values
    last = np.nextafter(np.float32(np.pi), np.float32(0)) if table.dtype == np.float32 else np.pi  # the last below pi
    return np.clip(values, -last, last)


def support(quantile: Any) -> tuple[float, float]:
    """Return the ends of the support."""
    if name_of(quantile) in ("beta", "power"):
        return 0.0, 1.0
    if name_of(quantile) == "triangular":
        return quantile.left, quantile.right
    if name_of(quantile) == "vonmises":
        return -np.pi, np.pi
    return (-np.inf if floor_of(quantile) else 0.0), np.inf


def look_at(quantile: Quantile, table: InverseTable, rng: np.random.Generator) -> None:
    """Check values without mpmath: finite, in the support, none denormal, no -0.0 but by rule, about ascending."""
    count, limits = table.raw_values, np.finfo(table.dtype)
    most = count // 2 - 1
    tails = np.array([min(int(2 ** rng.uniform(0, np.log2(float(most)))), most) for _ in range(MANY // 2)], np.uint64)
    ends = np.array([0, 1, most, count - 1 - most, count - 1], np.uint64)
    numbers = np.unique(np.concatenate([tails, np.uint64(count - 1) - tails, ends]))
    values = made(numbers, table)
    low, high = (table.dtype.type(end) for end in support(quantile))
    may_be_minus_zero = (numbers >= np.uint64(count // 2)) & (table.symmetric and not isinstance(table, LogarithmTable))
    wrong = {
        "finite": ~np.isfinite(values),
        "normal": (values != 0) & (np.abs(values) < limits.tiny),
        "of a positive zero": (values == 0) & np.signbit(values) & ~may_be_minus_zero,
        "in the support": (values < low) | (values > high),
        "ascending": np.append(_falls(quantile, table, numbers, values.astype(np.float64)), False),
    }
    for what, where in wrong.items():
        if where.any():
            i = int(np.argmax(where))
            raise AssertionError(
                f"{quantile} {table.dtype} of {count}: not {what}: {values[i : i + 2]} at {numbers[i]}"
            )


def _falls(
    quantile: Quantile, table: InverseTable, numbers: npt.NDArray[np.uint64], values: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Return which values are above the next by more than both errors that are promised."""
    limits, upper = np.finfo(table.dtype), numbers > np.uint64((table.raw_values - 1) // 2)
    tails = np.where(upper, np.uint64(table.raw_values - 1) - numbers, numbers)
    p = np.minimum((2 * tails.astype(np.float64) + 1) / (2 * float(table.raw_values)), 0.5)
    with np.errstate(all="ignore"):
        beside, at = (np.where(upper, quantile(part, True), quantile(part, False)) for part in (p * (1 - 2.0**-10), p))
        size = np.maximum(np.abs(values), floor_of(quantile))
        steep = np.nan_to_num(np.abs(at - beside) / size * 2.0**10, nan=0.0, posinf=0.0)
    units = UNITS + (STEEP_UNITS * steep if table.dtype == np.float64 else 0.0)
    unit = KINK[table.dtype.name] / UNITS if name_of(quantile) == "triangular" else float(limits.eps) / 2
    allowed = units * unit * size + float(limits.tiny)
    falls: npt.NDArray[np.bool_] = values[:-1] - values[1:] > allowed[:-1] + allowed[1:]
    return falls


def share_of_promise(
    quantile: Quantile, law: Law, table: InverseTable, number: int, value: float, floor: float
) -> float:
    """Return the error of a value as a share of what is promised.

    The error is that of the first step of Newton's method. A value at an end of what the dtype has, or of the support,
    is right if the right value is beyond, or as near as is promised.
    """
    limits, count = np.finfo(table.dtype), table.raw_values
    tiny, largest, unit = mp.mpf(float(limits.tiny)), mp.mpf(float(limits.max)), mp.mpf(float(limits.eps)) / 2
    tail = min(number, count - 1 - number)
    upper, p = number > count - 1 - number, mp.mpf(2 * tail + 1) / (2 * count)
    low, high = (float(table.dtype.type(end)) for end in support(quantile))
    x, size = mp.mpf(value), mp.mpf(max(abs(value), floor))
    least = mp.mpf(KINK[table.dtype.name]) if name_of(quantile) == "triangular" else UNITS * unit
    if x == 0 and not floor:
        x, beyond = 4 * tiny, False
    elif abs(x) == largest or x in (low, high):
        beyond = x == high or (x > 0 and x != low)
        x += (-least if beyond else least) * size
    else:
        found, density = law(x, upper)
        steep = p / (density * size) if limits.dtype == np.float64 else 0
        units = (UNITS + STEEP_UNITS * steep) * (NONCENTRAL if "noncentral" in name_of(quantile) else 1)
        allowed = max(least, units * unit) * size + (4 * tiny if abs(x) < 4 * tiny else 0)
        off = abs(found - p) / density / allowed
        if off <= 1:
            return float(off)
        # Where the density changes much from one number of the dtype to the next, Newton's step says nothing.
        first = mp.mpf(not upper) if x + allowed >= high else law(x + allowed, upper)[0]
        last = mp.mpf(upper) if x - allowed <= low else law(x - allowed, upper)[0]
        return 1.0 if min(first, last) <= p <= max(first, last) else float(off)
    found, _ = law(x, upper)
    return 0.0 if (found >= p) == (upper == beyond) else float("inf")


def sweep(name: str, count: int, seed: int = 1, several: int = 2) -> Found:
    """Look at `count` parameters of a distribution, and raise an error where what `look_at` checks does not hold."""
    rng, found = np.random.default_rng([seed, *name.encode()]), Found()
    for i in range(count):
        given = parameters(name, rng)
        quantile = CONTINUOUS[name](*given)
        raw_values, dtype = CASES[i % len(CASES)]
        table = inverse_table(quantile, raw_values, dtype)
        found.tables += 1
        found.logarithms += isinstance(table, LogarithmTable)
        look_at(quantile, table, rng)
        law, floor = law_of(quantile), floor_of(quantile)
        numbers = places(raw_values, rng, several)
        values = made(np.array(numbers, np.uint64), table)
        for number, value in zip(numbers, values.tolist(), strict=True):
            share = share_of_promise(quantile, law, table, number, value, floor)
            found.values += 1
            if share > found.worst:
                found.worst, found.where = share, f"{quantile} {dtype} of {raw_values}, number {number}: {value!r}"
    return found


def main() -> None:
    """Sweep all distributions, or those that are named, and print what was found."""
    mp.mp.dps = DIGITS
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name in sys.argv[2:] or CONTINUOUS:
        began = time.perf_counter()
        found = sweep(name, count if name in PARAMETERS else len(CASES) * 4)
        print(
            f"{name}: {found.tables} tables, {found.logarithms} of logarithms, {found.values} values; at most "
            f"{found.worst:.3g} of the error that is promised, {found.where}; {time.perf_counter() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
