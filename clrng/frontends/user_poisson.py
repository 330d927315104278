"""OpenCL C of Poisson numbers whose means a kernel of the user's chooses."""

from typing import Any

import numpy as np

from clrng.distributions.discrete import Poisson
from clrng.distributions.distribution import Distribution
from clrng.distributions.transforms import poisson
from clrng.distributions.transforms.uniform import digits
from clrng.frontends.literals import literal, number_of
from clrng.frontends.user_chosen import end_of_variances
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.templates import render

TABLES = {
    "reached": "__global const uint2 *",
    "cells": "__global const uint4 *",
    "guide": "__global const uint *",
    "first_cell": "__global const uint *",
}
"""The tables that a value is found by, and the types of their elements."""


def is_of_means(distribution: Distribution, code: GeneratorCode) -> bool:
    """Return whether it is a Poisson distribution in whose place kernels can choose others."""
    base = code.recurrence.upper_bound - code.recurrence.min_value
    return isinstance(distribution, Poisson) and base ** digits(base) >= poisson.MIN_NUMBERS


def takes_means(distribution: Distribution, code: GeneratorCode) -> bool:
    """Return whether kernels can choose other means up to its own by its tables."""
    return isinstance(distribution, Poisson) and distribution.has_device_tables and is_of_means(distribution, code)


def is_found_without_tables(distribution: Distribution, code: GeneratorCode, *, fp64: bool) -> bool:
    """Return whether kernels can find its values without tables: its mean is a float32, and not too large."""
    return (
        isinstance(distribution, Poisson)
        and is_of_means(distribution, code)
        and distribution.lam < end_of_variances(fp64=fp64)
        and float(np.float32(distribution.lam)) == distribution.lam
    )


def largest_mean(distribution: Poisson) -> Any:
    """Return the largest mean of kernels: the float32 that is not above that of the distribution."""
    found = np.float32(distribution.lam)
    return found if found <= distribution.lam else np.nextafter(found, np.float32(0))


def functions_of_tables(code: GeneratorCode, distribution: Poisson, prefix: str, out: str, raw: list[str]) -> str:
    """Return the function ``of`` of tables, a mean and the raw values, to be put behind those without tables."""
    base = code.recurrence.upper_bound - code.recurrence.min_value
    begins = dict(distribution.device_places())
    return render(
        "user/poisson.cl.mako",
        q=prefix,
        out=out,
        **number_of(code, raw),
        mean="float",
        unsure=poisson.UNSURE,
        scale=2**96 // base ** len(raw),
        largest=literal(largest_mean(distribution)),
        entry="uint",
        tables=[f"({ctype})(tables + {begins[name]})" for name, ctype in TABLES.items()],
        **poisson.CONSTANTS,
    )
