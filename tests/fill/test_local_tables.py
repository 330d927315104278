"""Fills of GPUs, whose work-groups have tables in local memory: the values are those of tables in global memory."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import Transform
from clrng.distributions.distribution import transform_of
from clrng.fill import executor, fill
from clrng.fill.fill import BlockPlan, FillKernel, Plan
from clrng.generators import source
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for, select
from clrng.opencl import devices
from clrng.opencl.devices import describe

DISTRIBUTIONS = {
    "standard_normal": (clrng.distribution("standard_normal"), "float32"),
    "standard_normal of 16 bits": (clrng.distribution("standard_normal"), "float16"),
    "standard_normal of 64 bits": (clrng.distribution("standard_normal"), "float64"),
    "gamma": (clrng.distribution("gamma", shape=0.25, scale=2), "float32"),
    "gamma of 64 bits": (clrng.distribution("gamma", shape=0.5, scale=2), "float64"),
    "poisson": (clrng.distribution("poisson", lam=3.5), "int32"),
}

SHAPES: dict[str, tuple[clrng.BitGenerator, list[Plan | BlockPlan]]] = {
    "strides": (clrng.ParkMiller(seed=1), [Plan(1, 1, 8, False, False, 64, 8)]),
    "blocks": (
        clrng.MRG32k3a(),
        [BlockPlan(1, 16, False, 70, 1, 32, unrolled=True), BlockPlan(1, 16, False, 70, 1, 16, unrolled=False)],
    ),
}

N = 70_001


YARN = clrng.named("trng_yarn3", 1)


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
    chosen, dtype = DISTRIBUTIONS[name]
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    transform = transform_of(chosen, bits.min_value, bits.upper_bound, np.dtype(dtype))
    expected = values(queue, bits, transform, None)
    most = transform.local_copies(32 * 1024)
    assert most > 0
    monkeypatch.setattr(fill, "table_copies", lambda *_: most)
    for plan in shapes:
        assert_array_equal(values(queue, bits, transform, plan), expected, err_msg=str(plan))


@pytest.fixture
def near_tables(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Let devices be taken for GPUs; return the templates rendered with the table of raw values in local memory."""
    found = set()

    def recorded(template: str, *arguments: Any, near: bool = False, **others: Any) -> str:
        text = kernel(template, *arguments, near=near, **others)
        if near and "s_value_near(" in text[text.index("__kernel") :]:
            found.add(template.removesuffix(".cl.mako"))
        return text

    kernel = source.kernel
    monkeypatch.setattr(source, "kernel", recorded)
    monkeypatch.setattr(devices, "describe", lambda device: replace(describe(device), kind="gpu"))
    monkeypatch.setattr(executor, "_used", {})
    return found


def test_raw_values_by_a_table_in_local_memory(queue: cl.CommandQueue, near_tables: set[str]) -> None:
    bits, n = YARN, 3001
    expected = bits.sequence(4 * n)
    assert_array_equal(clrng.Generator(bits.copy(), queue).random_raw(n).get(), expected[:n])
    streams = clrng.Streams.by_jumps(bits, 5, distance=n, queue=queue)
    assert_array_equal(streams.random_raw(100).get()[:, :4].T, [expected[i * n : i * n + 100] for i in range(4)])
    assert near_tables == {"fill/fill_blocks", "streams/advance_streams"}


@pytest.mark.slow
def test_values_of_several_steps_by_a_table_in_local_memory(queue: cl.CommandQueue, near_tables: set[str]) -> None:
    bits = YARN
    rng = clrng.Generator(bits.copy(), queue)
    values = rng.integers(0, 20, 1001).get()
    wide = cla.zeros(queue, (3, 1000), bits.dtype)
    rng.random_raw(out=wide[:, :5])
    assert near_tables == {"fill/fill_blocks", "fill/fill_runs"}
    transform = transform_of(clrng.distribution("integers", low=0, high=20), 0, bits.upper_bound, np.dtype("int64"))
    assert transform.steps == 2
    out = cla.zeros(queue, 1001, np.int64)
    FillKernel(queue, describe(queue.device), code_for(bits, ARITHMETICS["integer"]), transform).fill(out, bits)
    assert_array_equal(out.get(), values)
    assert_array_equal(wide.get()[:, :5].ravel(), bits.jumped(1001 * transform.steps).sequence(15))


def test_large_tables_of_raw_values_stay_in_constant_memory(queue: cl.CommandQueue) -> None:
    local = SimpleNamespace(local_mem_size=48 * 1024)
    gpu: Any = replace(describe(queue.device), kind="gpu", device=local)
    small, large = (
        code_for(bits, ARITHMETICS["integer"]) for bits in (YARN, clrng.LinearRecurrence([1], [1], 2**64 - 59, yarn=2))
    )
    assert small.value_table == ("root_powers", "uint", 3 * 256 + 128)
    assert large.value_table == ("root_powers", "ulong", 8 * 256)
    fits = [[fill.has_value_table(gpu, code, copies) for copies in (0, 1)] for code in (small, large)]
    assert fits == [[True, True], [True, False]]
    assert not fill.has_value_table(replace(gpu, kind="cpu"), small, 0)
    assert not fill.has_value_table(gpu, code_for(clrng.MRG32k3a(), ARITHMETICS["integer"]), 0)
