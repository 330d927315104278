"""How accuracy is measured, and the page of it."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

from clrng.distributions.closed_forms import Exponential, Normal
from clrng.distributions.inverse_table import inverse_table
from tests.support import measure_accuracy
from tests.support.drawn_cases import CONTINUOUS

sys.path.insert(0, str(Path(__file__).parents[1] / "docs" / "_ext"))

import accuracy  # which is among the documentation's extensions

ROWS = json.loads(measure_accuracy.PATH.read_text())["rows"]
KINKED = "Triangular(left=0.0, mode=0.3, right=1.0)"


@pytest.fixture(autouse=True)
def digits() -> None:
    mp.mp.dps = measure_accuracy.DIGITS


def test_every_distribution_is_measured() -> None:
    quantiles = {repr(case.reference.quantile) for case in CONTINUOUS.values()}  # type: ignore[union-attr]
    found = {(row["distribution"], row["generator"], row["dtype"]) for row in ROWS}
    assert found == {
        (name, generator, dtype)
        for name in quantiles
        for generator in measure_accuracy.GENERATORS
        for dtype in ("float32", "float64")
    }


def test_values_are_as_right_as_the_pages_say() -> None:
    for row in ROWS:
        unit = accuracy.UNITS[row["dtype"]]
        assert row["value"] < (16 * unit if row["distribution"] != KINKED else 1e-6), row


@pytest.mark.parametrize("name", measure_accuracy.laws())
def test_laws_are_the_distributions(name: str) -> None:
    """At a quantile a law gives the probability, and its density is its slope."""
    reference, law = CONTINUOUS[name].reference, measure_accuracy.laws()[name]
    for upper in (False, True):
        for p in (0.001, 0.2, 0.4):
            x = mp.mpf(float(reference.quantile(p, upper)))  # type: ignore[union-attr]
            tail, density = law(x, upper)
            assert abs(tail / p - 1) < 1e-9
            beside = law(x + mp.mpf(10) ** -20, upper)[0]
            assert abs((beside - tail) * 10**20 * (-1 if upper else 1) / density - 1) < 1e-12


@pytest.mark.parametrize("upper", [False, True])
def test_an_error_of_a_coefficient_is_measured(upper: bool) -> None:
    law = measure_accuracy.laws()["standard_exponential"]
    table = inverse_table(Exponential(), 2**32, "float64")
    right = measure_accuracy.errors(Exponential(), law, table, upper=upper)
    assert right["value"] < 2e-15
    assert right["probability"] < 1e-15
    spoilt = np.array(table.coefficients)
    row = len(spoilt) // 2 * (2 if upper else 1) - 1  # where p is nearly 1/2
    spoilt[row, 0] *= 1 + 1e-9
    wrong = measure_accuracy.errors(Exponential(), law, replace(table, coefficients=spoilt), upper=upper)
    assert wrong["value"] == pytest.approx(1e-9, rel=0.2)
    assert wrong["probability"] == pytest.approx(1e-9 * 0.5 * np.log(2), rel=0.2)


def test_places_have_both_ends_and_all_sizes() -> None:
    for count in (2**31 - 2, 2**64):
        found = measure_accuracy.places(count)
        assert len(found) == measure_accuracy.POINTS == len(set(found))
        assert {0, 1, count // 2 - 1} <= set(found)
        assert {x.bit_length() for x in found} == set(range((count // 2 - 1).bit_length() + 1))


def test_the_page_has_every_row() -> None:
    for dtype in ("float32", "float64"):
        lines = accuracy.accuracy(dtype)
        assert len(lines) == 2 + sum(row["dtype"] == dtype for row in ROWS)
    normal = next(row for row in ROWS if row["distribution"] == repr(Normal()))
    assert accuracy.scientific(normal["value"]) in "\n".join(accuracy.accuracy("float32"))
    assert (accuracy.scientific(0), accuracy.scientific(1.25e-7), accuracy.number(12.3456789)) == (
        "0",
        "1.2·10⁻⁷",
        "12.346",
    )
