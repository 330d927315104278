"""OpenCL C of distributions whose parameters a kernel of the user's chooses, without tables: values of array calls."""

from typing import Any, NamedTuple

import numpy as np

from clrng.distributions import masses
from clrng.distributions.discrete import Binomial, Geometric, Hypergeometric, NegativeBinomial, Poisson
from clrng.distributions.distribution import Between, Continuous, Distribution
from clrng.distributions.quantiles.closed_forms import LARGEST, Triangular
from clrng.distributions.ranges import SPARE_BITS
from clrng.distributions.transforms import hypergeometric
from clrng.distributions.transforms.in_ranges import Bounds, FloatBounds, NumpyBounds
from clrng.distributions.transforms.poisson import MIN_NUMBERS
from clrng.distributions.transforms.transform import Declaration
from clrng.distributions.transforms.uniform import LARGEST_SHORT_FACTOR
from clrng.fill.near import LAWS, margins
from clrng.fill.ranges import of_bounds
from clrng.frontends.literals import literal, number_of
from clrng.generators import source
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl.templates import render

END, END_OF_SINGLES = 2.0**24, 2.0**16
"""Variances are below this, and without double precision below that: masses are then added up too often."""

WORDS = 9
"""Words of a mass, in units of 2^-224 of the largest one."""

P = Declaration("float", "p")

COUNTS: dict[type[Distribution], tuple[str, tuple[Declaration, ...], str]] = {
    Poisson: ("poisson", (Declaration("float", "lam"),), "of mean lam, from 0 to below {end:.0f}, without tables"),
    Binomial: ("binomial", (Declaration("int", "n"), P), "of n trials of probability p"),
    Geometric: ("geometric", (P,), "of probability p, from 2^-57 to 1"),
    NegativeBinomial: (
        "negative_binomial", (Declaration("float", "n"), P), "of n successes of probability p, from {least} to 1"
    ),
    Hypergeometric: (
        "hypergeometric", tuple(Declaration("int", name) for name in ("ngood", "nbad", "nsample")),
        "of nsample of ngood and nbad",
    ),
}  # fmt: skip
"""The name of each law of counts that kernels can choose, what it takes, and what its values are."""


class Chosen(NamedTuple):
    """What a kernel chooses, which makes values of a dtype."""

    law: str
    parameters: tuple[Declaration, ...]
    meaning: str
    dtype: np.dtype[Any]
    bounds: Bounds | None = None
    """Those of uniform numbers."""


def end_of_variances(*, fp64: bool) -> float:
    """Return what variances without tables are below."""
    return END if fp64 else END_OF_SINGLES


def least_probability(*, fp64: bool) -> str:
    """Return the least probability of `negative_binomial`; sums of integers take about 310 turns of a loop over it."""
    return "2^-10" if fp64 else "2^-6"


def _count(code: GeneratorCode, steps: int) -> int:
    """Return N, where a value is made of so many raw values."""
    return int((code.recurrence.upper_bound - code.recurrence.min_value) ** steps)


def chosen_of(
    distribution: Distribution, code: GeneratorCode, dtype: np.dtype[Any], steps: int, *, fp64: bool
) -> Chosen | None:
    """Return what kernels can choose of a distribution, whose values are made of so many raw values; or None."""
    numbers, own = _count(code, steps), CTYPES[dtype.name]
    if type(distribution) in COUNTS and numbers >= MIN_NUMBERS:
        law, parameters, meaning = COUNTS[type(distribution)]
        meaning += "" if law in ("poisson", "geometric") else ", of a variance below {end:.0f}"
        ends = {"end": end_of_variances(fp64=fp64), "least": least_probability(fp64=fp64)}
        return Chosen(law, parameters, meaning.format(**ends), dtype)
    if isinstance(distribution, Between):
        interval = distribution.interval
        numpys = code.recurrence.has_halves and dtype == np.float64 and interval == "[)"
        if numpys or numbers >> SPARE_BITS >> np.finfo(dtype).nmant:
            bounds = NumpyBounds(dtype.name) if numpys else FloatBounds(dtype.name, interval)
            declared = tuple(Declaration(own, name) for name in ("low", "high"))
            return Chosen("uniform", declared, f"from low to high, in the interval {interval}", dtype, bounds)
    if isinstance(distribution, Continuous) and isinstance(distribution.quantile, Triangular) and fp64:
        declared = tuple(Declaration(own, name) for name in ("left", "mode", "right"))
        return Chosen("triangular", declared, "from left to right, most likely near mode", dtype)
    return None


def functions_of_chosen(code: GeneratorCode, chosen: Chosen, prefix: str, raw: list[str], *, fp64: bool) -> str:
    """Return the function ``free`` of what is chosen and the raw values, of these names, that a value is made of.

    All names begin with `prefix`. Where there is double precision, `fp64`, it decides where single precision does not.
    """
    own = f"{prefix}of_"
    before, numbers = "", _count(code, len(raw))
    shown = {
        "q": prefix, "p": own, "out": CTYPES[chosen.dtype.name], "chosen": chosen.parameters, "numbers": numbers,
        "fp64": fp64, "digits": raw, **number_of(code, raw),
    }  # fmt: skip
    if chosen.bounds:
        values = max(2 ** (np.finfo(chosen.dtype).nmant + SPARE_BITS), _count(code, 1))
        form = chosen.bounds.form(len(raw), values > LARGEST_SHORT_FACTOR)
        before = source.transform(code, form, own, 1, of_user=True)
        shown = {**of_bounds(chosen.bounds, chosen.dtype.name, chosen.dtype.name), **shown}
    elif chosen.law == "triangular":
        shown["largest"] = literal(chosen.dtype.type(min(float(np.finfo(chosen.dtype).max), LARGEST)))
    else:
        module: Any = LAWS[chosen.law].module if chosen.law in LAWS else hypergeometric
        shown |= {
            **module.constants(), **margins(module), "law": chosen.law, "w": "", "width": 1, "words": WORDS,
            "many": WORDS + 3, "slack_bits": masses.SLACK_BITS, "end": end_of_variances(fp64=fp64),
            "least": f"0x1p{least_probability(fp64=fp64)[2:]}f",
            "count_words": [f"{numbers >> shift & 0xFFFFFFFF}u" for shift in (0, 32, 64)],
        }  # fmt: skip
    return before + render(f"user/{chosen.law if chosen.law in ('uniform', 'triangular') else 'free'}.cl.mako", **shown)
