"""How accuracy is measured, and the page of it."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

from clrng.distributions.quantiles.closed_forms import Exponential, Normal
from clrng.distributions.quantiles.tables import inverse_table
from tests.support import measure_accuracy
from tests.support.drawn_cases import CONTINUOUS, HARD
from tests.support.sweep_laws import law_of

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "_ext"))

import accuracy  # which is among the documentation's extensions

ROWS = json.loads(measure_accuracy.PATH.read_text())["rows"]
KINKED = "Triangular(left=0.0, mode=0.3, right=1.0)"
KINK = {"float32": 4e-6, "float64": 4e-7}
STEEP = {
    "gamma_0.001": 1100.0, "gamma_0.1": 11.0, "chisquare_0.01": 210.0, "beta_0.01_0.01": 210.0, "f_0.5_0.5": 6.0,
    "standard_t_0.2": 6.0, "standard_t_0.01": 210.0, "lognormal_15": 19.0, "lognormal_200": 260.0,
    "weibull_0.01": 150.0, "pareto_0.05": 21.0, "power_0.02": 51.0, "noncentral_chisquare_0.125": 17.0,
    "noncentral_f_0.125": 17.0, "gamma_0.5": 2.5, "weibull": 1.0,
}  # fmt: skip
"""The largest s of distributions of which it is above 1, as the page has it."""


@pytest.fixture(autouse=True)
def digits() -> None:
    mp.mp.dps = measure_accuracy.DIGITS


def test_every_distribution_is_measured() -> None:
    quantiles = {repr(case.reference.quantile) for case in {**CONTINUOUS, **HARD}.values()}  # type: ignore[union-attr]
    found = {(row["distribution"], row["generator"], row["dtype"]) for row in ROWS}
    assert found == {
        (name, generator, dtype)
        for name in quantiles
        for generator in measure_accuracy.GENERATORS
        for dtype in ("float32", "float64")
    }
    assert all(row["values"] >= 10**6 for row in ROWS)


def test_values_are_as_right_as_the_pages_say() -> None:
    steep = {
        repr(reference.quantile): STEEP.get(name, 1.0) for name, (reference, _) in measure_accuracy.cases().items()
    }
    for row in ROWS:
        unit, more = accuracy.UNITS[row["dtype"]], 4 if "Noncentral" in row["distribution"] else 1
        units = 16 + (16 * steep[row["distribution"]] if row["dtype"] == "float64" else 0)
        assert row["value"] < (more * units * unit if row["distribution"] != KINKED else KINK[row["dtype"]]), row


@pytest.mark.parametrize("name", measure_accuracy.cases())
def test_laws_are_the_distributions(name: str) -> None:
    """At a quantile a law gives the probability, and its density is its slope."""
    quantile = measure_accuracy.cases()[name][0].quantile
    law = law_of(quantile)
    for upper in (False, True):
        for p in (0.001, 0.2, 0.4):
            x = mp.mpf(float(quantile(p, upper)))
            if not np.finfo(np.float64).tiny < abs(x) < np.finfo(np.float64).max or abs(x - 1) < 1e-6:
                continue  # a value that float64 has not, or not next to 1
            tail, density = law(x, upper)
            assert abs(tail / p - 1) < 1e-9
            step = abs(x) * mp.mpf(10) ** -20
            beside = law(x + step, upper)[0]
            assert abs((beside - tail) / step * (-1 if upper else 1) / density - 1) < 1e-12


@pytest.mark.parametrize("upper", [False, True])
def test_an_error_of_a_coefficient_is_measured(upper: bool) -> None:
    law = law_of(Exponential())
    table = inverse_table(Exponential(), 2**32, "float64")
    right = measure_accuracy.errors(Exponential(), law, table, upper=upper, several=1000)
    assert right["value"] < 2e-15
    assert right["probability"] < 1e-15
    spoilt = np.array(table.coefficients)
    row = len(spoilt) // 2 * (2 if upper else 1) - 1  # where p is nearly 1/2
    spoilt[row, 0] *= 1 + 1e-9
    wrong = measure_accuracy.errors(Exponential(), law, replace(table, coefficients=spoilt), upper=upper, several=1000)
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
