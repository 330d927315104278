"""Arrays of parameters, compared with SciPy and mpmath: few elements; `sweep_elements` itself does millions."""

import dataclasses

import numpy as np
import pytest

from tests.support import sweep_elements
from tests.support.sweep_elements import CONTINUOUS, DISCRETE, Family

LONG = "noncentral_chisquare", "wald", "vonmises", "standard_t"
"""Families whose float64 surfaces the host makes for half a minute."""


@pytest.mark.parametrize("family", DISCRETE, ids=lambda family: family.name)
def test_values_are_those_of_their_numbers(family: Family) -> None:
    bad, unsure = sweep_elements.wrong(family, np.random.default_rng(1), 3000)
    assert bad == 0
    assert unsure < 3000


@pytest.mark.parametrize(
    "family",
    [
        pytest.param(family, id=family.name, marks=[pytest.mark.slow] if family.name in LONG else [])
        for family in DISCRETE + CONTINUOUS[3:]
    ],
)
def test_values_are_spread_as_they_should_be(family: Family) -> None:
    assert min(sweep_elements.p_values(family, np.random.default_rng(1), 30_000)) > sweep_elements.SMALLEST_P


def test_wrong_values_are_found() -> None:
    right = DISCRETE[2]
    shifted = dataclasses.replace(right, below=lambda k, n, p: right.below(k - 1, n, p))
    bad, _ = sweep_elements.wrong(dataclasses.replace(shifted, exactly=lambda *_: 0.0), np.random.default_rng(1), 1000)
    assert bad > 100
    assert min(sweep_elements.p_values(shifted, np.random.default_rng(1), 30_000)) < sweep_elements.SMALLEST_P
