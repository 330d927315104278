"""The coefficients of tables are those that were recorded: on every machine and with every NumPy the same bits."""

import json

import pytest

from clrng.distributions.quantiles.tables import inverse_table
from tests.support.make_inverse_digests import PATH, recorded
from tests.support.quantile_classes import CONTINUOUS
from tests.support.tiers import first_of_each

ROWS = json.loads(PATH.read_text())


@pytest.mark.parametrize(
    "row",
    first_of_each(ROWS, about=lambda row: row["name"]),
    ids=[f"{r['name']}{r['parameters']}-{r['raw_values']}-{r['dtype']}" for r in ROWS],
)
def test_coefficients_have_the_recorded_bits(row: dict[str, object]) -> None:
    about = {key: row[key] for key in ("name", "parameters", "raw_values", "dtype")}
    table = inverse_table(CONTINUOUS[row["name"]](*row["parameters"]), row["raw_values"], row["dtype"])
    assert recorded(about, table) == row


def test_every_distribution_is_recorded() -> None:
    assert {row["name"] for row in ROWS} == set(CONTINUOUS)
