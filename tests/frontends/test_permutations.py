"""Orders of rows by any shape of a sort, compared with a plain sort of the keys of the sequential recurrence."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.frontends import permutations
from clrng.frontends.permutations import Permuter, key_steps
from clrng.generators.families import FAMILIES
from clrng.opencl.devices import describe
from clrng.order.plans import RowSortPlan
from tests.conftest import make_queue
from tests.support.orders import orders, steps

ALONE = RowSortPlan(1, 64, 3, in_order=False, max_local=64, keys_a_heap=0.5, groups=4, piece=500)
TOGETHER = RowSortPlan(16, 64, 3, in_order=True, max_local=64, keys_a_heap=2, groups=4, piece=500)
SHAPES = (
    (1, 1, 1), (1, 2, 1), (70, 1, 1), (65, 2, 3), (9, 7, 1), (1, 63, 1), (1, 64, 1), (1, 65, 1), (2, 40, 1),
    (5, 65, 2), (3, 499, 1), (1, 500, 1), (1, 501, 1), (2, 321, 1), (1, 2561, 1), (1, 1999, 2),
)  # fmt: skip
"""Around all that the small plans have limits for: rows of a work-group, passes, pieces and tiles."""

PARK_MILLER = clrng.ParkMiller(seed=1)
LAGGED = clrng.LaggedFibonacci((5, 17), "+", 32, seed=1)
POOR = {
    "few keys": clrng.LCG(5, 1, 101, 7),
    "two raw values": clrng.LCG(5, 1, 2**31, 7, (30, 1)),
    "descending": clrng.LCG(1, 2**64 - 1, 2**64, 5),
    "small, in memory": clrng.LaggedFibonacci((5, 17), "xor", 64, state=[7 * i % 61 for i in range(17)]),
    "no fraction of a power": clrng.LCG(7**5, 0, 10**9 + 7, 1),
}
"""Generators with many equal keys, or with keys unlike random ones or of which buckets are not evenly filled."""


def permuted(queue: cl.CommandQueue, bits: clrng.BitGenerator, shape: tuple[int, int, int], plan: Any = None) -> Any:
    rng = clrng.Generator(bits.copy(), queue)
    permuting = Permuter(queue, describe(queue.device), rng._executor.code, plan)
    result = cla.empty(queue, int(np.prod(shape)), np.int64)
    permuting.permute(result, bits, shape, key_steps(shape[1], bits.upper_bound - bits.min_value), rng._fill)
    outer, length, inner = shape
    return result.get().reshape(outer, inner, length).transpose(0, 2, 1)


@pytest.mark.parametrize("plan", [ALONE, TOGETHER], ids=["alone", "together"])
def test_shapes_and_plans(queue: cl.CommandQueue, plan: RowSortPlan) -> None:
    for shape in SHAPES:
        assert_array_equal(permuted(queue, PARK_MILLER, shape, plan), orders(PARK_MILLER, shape)[0])


@pytest.mark.parametrize("shape", [(3, 50, 2), (1, 700, 1)])
def test_keys_in_memory(queue: cl.CommandQueue, shape: tuple[int, int, int]) -> None:
    for plan in (ALONE, TOGETHER):
        assert_array_equal(permuted(queue, LAGGED, shape, plan), orders(LAGGED, shape)[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", POOR)
def test_poor_generators(queue: cl.CommandQueue, name: str) -> None:
    """Ties are broken by the place, leads that are alike by whole keys, and the host sorts where buckets overflow."""
    bits = POOR[name]
    for shape in ((2, 60, 1), (1, 300, 2)):
        assert_array_equal(permuted(queue, bits, shape, TOGETHER), orders(bits, shape)[0])


def test_many_rows_in_several_batches(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutations, "AT_ONCE", 100)
    for shape in ((7, 30, 1), (5, 40, 2), (3, 200, 1)):
        assert_array_equal(permuted(queue, PARK_MILLER, shape, TOGETHER), orders(PARK_MILLER, shape)[0])


def test_the_plan_of_the_device(queue: cl.CommandQueue) -> None:
    for shape in ((1, 20_001, 1), (30, 700, 1)):
        assert_array_equal(permuted(queue, PARK_MILLER, shape), orders(PARK_MILLER, shape)[0])


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family(name: str) -> None:
    """Each family mends orders by jumps of its own, or from memory."""
    queue, bits = make_queue(0), FAMILIES[name].example
    for shape in ((1, 300, 1), (4, 30, 1)):
        assert_array_equal(permuted(queue, bits, shape, TOGETHER), orders(bits, shape)[0])


@pytest.mark.parametrize("raw_values", [2, 101, 2**31 - 2, 2**31, 2**32, 2**48, 2**64])
def test_steps(raw_values: int) -> None:
    for n in (0, 1, 2, 2047, 2048, 4096, 4097, 94906265, 94906266, 2**28, 2**28 + 1, 2**31):
        assert key_steps(n, raw_values) == steps(n, raw_values)
