"""What distributions are called in kernels of the user's own, and what is no list of distributions."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clrng
from clrng.distributions.catalog import name_of
from clrng.distributions.discrete import Binomial, NegativeBinomial, Poisson
from clrng.distributions.distribution import Between, Continuous, Distribution
from clrng.distributions.quantiles.closed_forms import Exponential, Lognormal, Normal
from tests.conftest import DEVICES
from tests.frontends.user_code.test_user_distributions import DICE, GAMMA, NORMAL, POISSON


def test_everything_it_defines_begins_with_the_prefix() -> None:
    text = clrng.device_code(
        clrng.ParkMiller, "integer", replace(DEVICES[0], kind="gpu"), "my_", {"normal": NORMAL, "dice": DICE}
    )
    functions = re.findall(r"^CLRNG_\w+ \w+ (\w+)\(", text, re.MULTILINE)
    macros, arrays = (re.findall(rf"^{kind} (\w+)", text, re.MULTILINE) for kind in ("#define", r"__constant \w+"))
    types = re.findall(r"^typedef .*?(\w+);$", text, re.MULTILINE)
    defined = functions + macros + arrays + types
    assert {"my_next_normal", "my_next_dice_with", "my_local_normal", "my_clrng_normal_table"} <= set(defined)
    assert [name for name in defined if not name.startswith(("my_", "CLRNG_"))] == []


@pytest.mark.parametrize(
    ("distribution", "name"),
    [
        (NORMAL, "standard_normal"),
        (Continuous(Normal(), 1, 1), "normal"),
        (Continuous(Exponential(), 0, 2), "exponential"),
        (Continuous(Lognormal(0.5)), "lognormal"),
        (GAMMA, "standard_gamma"),
        (POISSON, "poisson"),
        (NegativeBinomial(3, 0.5), "negative_binomial"),
        (Binomial(3, 0.5), "binomial"),
        (DICE, "integers"),
        (Between(1, 2), "uniform"),
    ],
)
def test_names_in_a_list_are_those_of_numpy(distribution: Distribution, name: str) -> None:
    assert name_of(distribution) == name
    assert hasattr(np.random.Generator, name)
    assert f" park_miller_next_{name}(" in clrng.device_code(clrng.ParkMiller, distributions=[distribution])


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (NORMAL, TypeError, "distributions must be a list of distributions, or a dictionary of them by name, not "),
        (None, TypeError, "distributions must be a list .* not None"),
        ("standard_normal", TypeError, "distributions must be a list .* not 'standard_normal'"),
        (["standard_normal"], TypeError, "distributions must be .* a pair of one and a dtype, not 'standard_normal'"),
        ([Normal()], TypeError, r"distributions must be .* a pair of one and a dtype, not Normal\(\)"),
        ([(NORMAL, "float32", 1)], TypeError, "distributions must be .* a pair of one and a dtype, not "),
        ([(NORMAL, "int32")], ValueError, "distributions: a dtype must be float32 or float64, not int32"),
        ([(NORMAL, 5)], TypeError, "distributions: a dtype must be float32 or float64, not 5"),
        ([(Poisson(1e4), "int8")], ValueError, "dtype must hold .* the values of Poisson"),
        ([NORMAL, (NORMAL, "float64")], ValueError, "distributions must have different names, but standard_normal and"),
        ({"x": NORMAL, "x_with": NORMAL}, ValueError, "x and x_with would both define next_x_with;"),
        ({"x_local": NORMAL, "x": POISSON}, ValueError, "x_local and x would both define next_x_local;"),
        ({1: NORMAL}, TypeError, "distributions must have names that are strings, not 1"),
        (
            {"float": NORMAL},
            ValueError,
            "distributions must have names of .* other than raw, float, double, not 'float'",
        ),
        ({"a b": NORMAL}, ValueError, "distributions must have names of letters, digits and underscores, .* not 'a b'"),
        ({"": NORMAL}, ValueError, "distributions must have names of letters"),
        ({"ä": NORMAL}, ValueError, "distributions must have names of letters"),
    ],
)
def test_what_is_no_list_of_distributions(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}" if message.startswith("d") else message):
        clrng.device_code(clrng.ParkMiller, distributions=value)
