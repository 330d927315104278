"""OpenCL C of Poisson numbers whose means a kernel of the user's chooses."""

from typing import Any

import numpy as np

from clrng.distributions.discrete import Poisson
from clrng.distributions.distribution import Distribution
from clrng.distributions.transforms import poisson, poisson_near
from clrng.distributions.transforms.uniform import digits
from clrng.frontends.literals import literal, number_of
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.templates import render

TABLES = {
    "reached": "__global const uint2 *",
    "cells": "__global const uint4 *",
    "guide": "__global const uint *",
    "first_cell": "__global const uint *",
}
"""The tables that a value is found by, and the types of their elements."""


END, END_OF_SINGLES = 2.0**24, 2.0**16
"""Means without tables are below this, and without double precision below that: masses are then added up too often."""


def end_of_means(*, fp64: bool) -> float:
    """Return what means without tables are below."""
    return END if fp64 else END_OF_SINGLES


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
        and distribution.lam < end_of_means(fp64=fp64)
        and float(np.float32(distribution.lam)) == distribution.lam
    )


def largest_mean(distribution: Poisson) -> Any:
    """Return the largest mean of kernels: the float32 that is not above that of the distribution."""
    found = np.float32(distribution.lam)
    return found if found <= distribution.lam else np.nextafter(found, np.float32(0))


def functions_without_tables(code: GeneratorCode, prefix: str, out: str, raw: list[str], *, fp64: bool) -> str:
    """Return the function ``free`` of a mean and the raw values, of these names, that a value is made of.

    `out` is the type of a value, and all names begin with `prefix`. Where there is double precision, `fp64`, it decides
    where single precision does not.
    """
    base = code.recurrence.upper_bound - code.recurrence.min_value
    count = base ** len(raw)
    return render(
        "user/poisson_free.cl.mako",
        **poisson_near.constants(),
        q=prefix,
        out=out,
        **number_of(code, raw),
        w="",
        width=1,
        fp64=fp64,
        end=end_of_means(fp64=fp64),
        numbers=count,
        count_words=[f"{count >> shift & 0xFFFFFFFF}u" for shift in (0, 32, 64)],
    )


def functions_of_tables(code: GeneratorCode, distribution: Poisson, prefix: str, out: str, raw: list[str]) -> str:
    """Return the function ``of`` of tables, a mean and the raw values, to be put behind `functions_without_tables`."""
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
