"""OpenCL C of Poisson numbers whose means a kernel of the user's chooses."""

from typing import Any

import numpy as np

from clrng.distributions.discrete import Poisson
from clrng.distributions.distribution import Distribution
from clrng.distributions.transforms import poisson
from clrng.distributions.transforms.uniform import digits
from clrng.frontends.literals import literal
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl.templates import render

TABLES = {
    "reached": "__global const uint2 *",
    "cells": "__global const uint4 *",
    "guide": "__global const uint *",
    "first_cell": "__global const uint *",
}
"""The tables that a value is found by, and the types of their elements."""


def takes_means(distribution: Distribution, code: GeneratorCode) -> bool:
    """Return whether it is a Poisson distribution up to whose mean kernels can choose others."""
    base = code.recurrence.upper_bound - code.recurrence.min_value
    return (
        isinstance(distribution, Poisson)
        and distribution.has_device_tables
        and base ** digits(base) >= poisson.MIN_NUMBERS
    )


def largest_mean(distribution: Poisson) -> Any:
    """Return the largest mean of kernels: the float32 that is not above that of the distribution."""
    found = np.float32(distribution.lam)
    return found if found <= distribution.lam else np.nextafter(found, np.float32(0))


def functions_of_means(code: GeneratorCode, distribution: Poisson, prefix: str, out: str, raw: list[str]) -> str:
    """Return the function ``of`` of tables, a mean and the raw values, of these names, that a value is made of.

    `out` is the type of a value, and all names begin with `prefix`.
    """
    bits, value = code.recurrence, CTYPES[code.value.name]
    base, end = bits.upper_bound - bits.min_value, "u" if value == "uint" else "UL"
    found = [f"(ulong)({name} - {bits.min_value}{end})" for name in raw]
    count, begins = base ** len(raw), dict(distribution.device_places())
    return render(
        "user/poisson.cl.mako",
        q=prefix,
        mean="float",
        unsure=poisson.UNSURE,
        out=out,
        raw=", ".join(f"const {value} {name}" for name in raw),
        number=found[0] if len(raw) == 1 else f"{found[0]} * {base}UL + {found[1]}",
        numbers=[f"{count >> shift & 0xFFFFFFFF}u" for shift in (0, 32, 64)],
        scale=2**96 // count,
        most=literal(largest_mean(distribution)),
        entry="uint",
        tables=[f"({ctype})(tables + {begins[name]})" for name, ctype in TABLES.items()],
        **poisson.CONSTANTS,
    )
