"""Fills of GPUs, whose work-groups have tables in local memory: the values are those of tables in global memory."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import Transform
from clrng.distributions.distribution import transform_of
from clrng.families import code_for, select
from clrng.launch import plan as plans
from clrng.launch.fill import FillKernel
from clrng.launch.plan import BlockPlan, Plan
from clrng.opencl.devices import describe

DISTRIBUTIONS = {
    "standard_normal": clrng.distribution("standard_normal"),
    "gamma": clrng.distribution("gamma", shape=0.25, scale=2),
    "poisson": clrng.distribution("poisson", lam=3.5),
}

SHAPES: dict[str, tuple[clrng.BitGenerator, list[Plan | BlockPlan]]] = {
    "strides": (clrng.ParkMiller(seed=1), [Plan(1, 1, 4, False, False, 64, 8)]),
    "blocks": (
        clrng.MRG32k3a(),
        [BlockPlan(1, 16, False, 70, 1, 32, unrolled=True), BlockPlan(1, 16, False, 70, 1, 16, unrolled=False)],
    ),
}

N = 70_001


def values(queue: cl.CommandQueue, bits: clrng.BitGenerator, transform: Transform, plan: Any) -> Any:
    device = describe(queue.device)
    out = cla.zeros(queue, N, transform.dtype)
    FillKernel(queue, device, code_for(bits, select("integer", device, bits)), transform, plan).fill(out, bits)
    return out.get()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("strategy", SHAPES)
def test_tables_in_local_memory_change_nothing(
    queue: cl.CommandQueue, strategy: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bits, shapes = SHAPES[strategy]
    chosen = DISTRIBUTIONS[name]
    dtype = np.dtype("int32" if "int32" in chosen.dtypes else "float32")
    transform = transform_of(chosen, bits.min_value, bits.upper_bound, dtype)
    expected = values(queue, bits, transform, None)
    most = transform.local_copies(32 * 1024)
    assert most > 0
    monkeypatch.setattr(plans, "table_copies", lambda *_: most)
    for plan in shapes:
        assert_array_equal(values(queue, bits, transform, plan), expected, err_msg=str(plan))
