"""The comparison of all normals of Park-Miller: its own arithmetic is exact, and it finds what is wrong."""

from dataclasses import replace

import numpy as np
import pyopencl as cl
import pytest
from exactness import every_normal  # which is among the scripts
from exactness.every_normal import RAW_VALUES, Reference
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.quantiles.closed_forms import Normal
from clrng.distributions.quantiles.tables import inverse_table
from tests.support import oracle, reference_inverse

TABLE = inverse_table(Normal(), RAW_VALUES, "float32")
COUNT = 2**18 + 5

floats = st.floats(-4, 4, width=32).filter(lambda x: abs(x) > 2.0**-40)


@given(floats, floats, floats)
def test_products_and_sums_are_rounded_once(a: float, b: float, c: float) -> None:
    found = every_normal.fma(*(np.array([x]) for x in (a, b, c)))
    right = reference_inverse.fma(*(np.array([x], np.float32) for x in (a, b, c)))
    assert_array_equal(found.astype(np.float32), right)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("beyond", "right"), [(2.0**-60, 1 + 2.0**-23), (-(2.0**-60), 1.0), (0.0, 1.0)])
def test_sums_halfway_between_two_numbers_go_to_the_right_one(sign: int, beyond: float, right: float) -> None:
    """The product is 1 + 2^-24, halfway between two numbers of float32; what is added is lost in float64."""
    a, b = 65281 * 2.0**-16, 257 * 2.0**-8
    assert a * b == 1 + 2.0**-24 == a * b + beyond
    assert every_normal.fma(np.array([sign * a]), np.array([b]), np.array([sign * beyond])) == sign * right


def test_the_reference_is_the_other_one() -> None:
    ends = np.array([1, 2, 3, RAW_VALUES // 2, RAW_VALUES // 2 + 1, RAW_VALUES - 1, RAW_VALUES])
    powers = np.array([2**k + d for k in range(2, 31) for d in (-1, 0, 1)])
    raw = np.concatenate([ends, powers, np.random.default_rng(1).integers(1, RAW_VALUES, 10**5)])
    right = reference_inverse.values(
        (raw - 1).astype(np.uint64), RAW_VALUES, TABLE.coefficients, TABLE.segment_bits, TABLE.symmetric
    )
    assert_array_equal(Reference(TABLE)(raw), right)


def test_raw_values_are_those_of_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_normal, "CHUNK", 1024)
    assert_array_equal(np.concatenate(list(every_normal.sequence(COUNT))), oracle.sequence(1, COUNT))


def test_the_device_gives_what_the_host_gives(queue: cl.CommandQueue) -> None:
    found = every_normal.every_normal(queue, COUNT)
    assert (found.values, found.different) == (COUNT, 0)
    assert found.device == found.host
    assert found.table == TABLE.digest
    values = clrng.Generator(clrng.ParkMiller(seed=1), queue).standard_normal(COUNT).get()
    assert found.largest == values.max()


def test_one_wrong_value_is_found(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    right = clrng.Generator.standard_normal

    def wrong(self: clrng.Generator, size: int, dtype: str) -> object:
        drawn = right(self, size, dtype)
        drawn[77] = -drawn[77]
        return drawn

    monkeypatch.setattr(clrng.Generator, "standard_normal", wrong)
    found = every_normal.every_normal(queue, COUNT)
    assert found.different == 1
    assert found.device != found.host


def test_decreases_are_counted_on_both_sides() -> None:
    reference = Reference(TABLE)
    assert every_normal.decreasing(reference, 2**17) == (0, 0.0)
    steps = np.array(TABLE.coefficients)
    rows = len(steps) - 3 + np.arange(2)  # two neighbours exchanged: one decrease a side between them or more
    steps[rows] = steps[rows[::-1]]
    found, deepest = every_normal.decreasing(Reference(replace(TABLE, coefficients=steps)), RAW_VALUES // 16)
    assert found >= 2
    assert deepest > 1e-3
