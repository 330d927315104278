"""Continuous distributions over their legal parameters: a short sweep; `sweep_quantiles` itself does thousands."""

import mpmath as mp
import numpy as np
import pytest

from clrng.distributions.quantiles.closed_forms import Lognormal, Triangular
from clrng.distributions.quantiles.integrated import Gamma
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import LogarithmTable, inverse_table
from tests.support import reference_logarithms, sweep_quantiles
from tests.support.drawn_cases import HARD
from tests.support.quantile_classes import CONTINUOUS
from tests.support.sweep_laws import law_of

FEW = 8
QUANTILES = [case.reference.quantile for case in HARD.values()]  # type: ignore[union-attr]


@pytest.fixture(autouse=True)
def digits() -> None:
    mp.mp.dps = sweep_quantiles.DIGITS


@pytest.mark.sampled
@pytest.mark.parametrize("name", CONTINUOUS)
def test_values_are_as_right_as_promised(name: str) -> None:
    found = sweep_quantiles.sweep(name, FEW if name in sweep_quantiles.PARAMETERS else 4, several=1)
    assert found.values > found.tables
    assert found.worst <= 1, found.where


@pytest.mark.sampled
@pytest.mark.parametrize("raw_values_and_dtype", sweep_quantiles.CASES[:2], ids=str)
@pytest.mark.parametrize("quantile", QUANTILES, ids=repr)
def test_values_of_hard_parameters_are_as_right_as_promised(
    quantile: Quantile, raw_values_and_dtype: tuple[int, str]
) -> None:
    raw_values, dtype = raw_values_and_dtype
    table, rng = inverse_table(quantile, raw_values, dtype), np.random.default_rng(1)
    sweep_quantiles.look_at(quantile, table, rng)
    law, floor = law_of(quantile), sweep_quantiles.floor_of(quantile)
    numbers = sweep_quantiles.places(raw_values, rng, 3)
    for number, value in zip(numbers, sweep_quantiles.made(np.array(numbers, np.uint64), table).tolist(), strict=True):
        assert sweep_quantiles.share_of_promise(quantile, law, table, number, value, floor) <= 1, (number, value)


@pytest.mark.parametrize("change", [2.0**-40, -(2.0**-40)])
def test_a_wrong_value_is_more_than_promised(change: float) -> None:
    quantile, raw_values = Gamma(0.001), 2**64
    table, law = inverse_table(quantile, raw_values, "float64"), law_of(Gamma(0.001))
    number = raw_values - 2**61
    value = float(reference_logarithms.of_table(np.array([number], np.uint64), table)[0])
    assert sweep_quantiles.share_of_promise(quantile, law, table, number, value, 0.0) <= 1
    steep = 2.0**10  # about 1/shape: so much is a value moved by its probability's last digits
    wrong = value * (1 + change * steep)
    assert sweep_quantiles.share_of_promise(quantile, law, table, number, wrong, 0.0) > 1


def test_a_zero_that_should_be_a_number_is_wrong() -> None:
    table = inverse_table(Gamma(0.001), 2**64, "float64")
    law = law_of(Gamma(0.001))
    assert sweep_quantiles.share_of_promise(Gamma(0.001), law, table, 2**62, 0.0, 0.0) == 0
    assert sweep_quantiles.share_of_promise(Gamma(0.001), law, table, 2**64 - 2**61, 0.0, 0.0) == np.inf
    largest = float(np.finfo(np.float64).max)
    assert sweep_quantiles.share_of_promise(Gamma(0.001), law, table, 2**64 - 1, largest, 0.0) == np.inf


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_triangular_numbers_are_between_their_ends(dtype: str) -> None:
    quantile = Triangular(993853.3828085032, 1310045.3724331916, 1310045.3724331916)
    table = inverse_table(quantile, (2**31 - 2) ** 2, dtype)
    numbers = np.unique(
        table.raw_values - 1 - (2.0 ** np.random.default_rng(1).uniform(0, 61, 100_000)).astype(np.uint64)
    )
    values = reference_logarithms.of_table(numbers, table)
    kind = np.dtype(dtype).type
    assert values.max() == kind(quantile.right)
    assert table.coefficients[0, 0] >= kind(quantile.left)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_ordinary_parameters_have_tables_of_values(dtype: str) -> None:
    for quantile in (Gamma(0.5), Gamma(2.5), Lognormal(1.0), *(CONTINUOUS[name]() for name in ("laplace", "gumbel"))):
        table = inverse_table(quantile, 2**64, dtype)
        assert not isinstance(table, LogarithmTable)
        assert table.excess < 1
