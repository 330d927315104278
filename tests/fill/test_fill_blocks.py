"""One exact stream, a block a lane: the shape of the work changes nothing."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW
from clrng.fill import fill, fill_lagged, fill_runs
from clrng.fill.fill import BlockPlan, FillKernel
from clrng.fill.runs import Axis, Runs
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for, select
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.opencl.devices import describe
from clrng.opencl.traits import LONGEST_LOOP, traits_of

GENERATORS = {
    "words of 4 bytes": clrng.MRG32k3a([1, 2, 3, 4, 5, 6]),
    "words of 8 bytes": clrng.LinearRecurrence([2**60, 5], [1, 2], 2**61 - 1, constant=3),
    "a large order": clrng.LinearRecurrence([3, *[0] * 8, 2**31 - 5], list(range(1, 11)), 2**31 - 1),
}


def written(queue: cl.CommandQueue, name: str) -> GeneratorCode:
    generator = GENERATORS[name]
    return code_for(generator, select("auto", describe(queue.device), generator))


def plans(code: GeneratorCode, bytes_each: int) -> list[BlockPlan]:
    """Return shapes for vectors, and for work-groups that exchange, that no device would choose together."""
    widths = [width for width in (2, 4, 8, 16) if width <= min(code.max_vector_width, 64 // bytes_each)]
    shapes = [BlockPlan(width, 64 // bytes_each, False, 3 * width, 2, 1, unrolled=True) for width in widths[::2]]
    shapes += [BlockPlan(1, 256 // bytes_each, False, 70, 1, 32, unrolled) for unrolled in (False, True)]
    return [*shapes, BlockPlan(1, 64 // bytes_each, False, 4, 3, 4, unrolled=False)]


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATORS)
def test_the_shape_of_the_work_changes_nothing(queue: cl.CommandQueue, name: str) -> None:
    code = written(queue, name)
    recurrence = code.recurrence
    expected = recurrence.sequence(5003)
    for shape in plans(code, recurrence.dtype.itemsize):
        filler = FillKernel(queue, describe(queue.device), code, RAW, shape)
        for n in (1, 40, 333, 5003):
            out = cla.zeros(queue, n, recurrence.dtype)
            filler.fill(out, recurrence)
            assert_array_equal(out.get(), expected[:n], err_msg=str(shape))


@pytest.mark.parametrize("offset", [1, 3, 17, 64])
def test_nothing_outside_a_slice_is_written(queue: cl.CommandQueue, offset: int) -> None:
    generator = GENERATORS["words of 4 bytes"].copy()
    whole = cla.zeros(queue, 1500, np.uint32) + np.uint32(7)
    clrng.Generator(generator.copy(), queue).random_raw(out=whole[offset : offset + 1203])
    host = whole.get()
    assert_array_equal(host[offset : offset + 1203], generator.sequence(1203))
    assert (host[:offset] == 7).all()
    assert (host[offset + 1203 :] == 7).all()


def test_several_launches_are_one_stream(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill, "LARGEST_LAUNCH", 1001)
    rng = clrng.Generator(GENERATORS["words of 4 bytes"].copy(), queue)
    assert_array_equal(rng.random_raw(3003).get(), GENERATORS["words of 4 bytes"].sequence(3003))


def test_a_large_piece(queue: cl.CommandQueue) -> None:
    n = 2**20 + 7
    generator = GENERATORS["words of 4 bytes"].jumped(10**15)
    values = clrng.Generator(generator.copy(), queue).random_raw(n).get()
    for first in (0, n // 3, n - 1000):
        assert_array_equal(values[first : first + 1000], generator.jumped(first).sequence(1000))


@pytest.mark.parametrize("name", GENERATORS)
def test_no_lane_loops_too_long(device: clrng.DeviceInfo, name: str) -> None:
    code = code_for(GENERATORS[name], ARITHMETICS["integer"])
    shape = fill.choose_blocks(device, code, code.value.itemsize, streaming=False)
    turns = 1 if shape.unrolled else 1 + shape.chunk * code.value.itemsize // 16
    for n in (1, 100, 1000, 2**24 + 1, 2**31):
        work_items, each = shape.launch(n)
        assert each * turns <= LONGEST_LOOP
        assert work_items % shape.group_size == 0
        assert work_items * shape.width * each >= n // shape.chunk
        assert work_items >= min(n, 2 * shape.chunk)


@pytest.mark.parametrize("bits", [clrng.MRG32k3a(), clrng.XorShift32(1), clrng.LaggedFibonacci((5, 17), "+", seed=1)])
def test_a_cpu_that_makes_vectors_of_work_items_has_no_others(device: clrng.DeviceInfo, bits: Any) -> None:
    """What its compiler is given is short, too: on Mesa's llvmpipe chunks of vectors took minutes to build."""
    other, code = replace(device, kind="cpu", platform="rusticl"), code_for(bits, ARITHMETICS["integer"])
    for out_bytes in (1, 4, 8):
        shape = fill.choose_blocks(other, code, out_bytes, streaming=False)
        like_gpu = fill.choose_blocks(replace(other, kind="gpu"), code, out_bytes, streaming=False)
        assert shape == replace(like_gpu, unrolled=False)
        if isinstance(code, LaggedFibonacciCode):
            assert fill_lagged.choose_register_plan(other, code, out_bytes, streaming=False) == shape
            continue
        for length in (1, 100, 5000):
            runs = fill_runs.choose_runs(other, code, out_bytes, Runs(0, length, (Axis(30, 10**4, length),)))
            assert (runs.kernel, runs.width) == ("fill_runs", 1)


@pytest.mark.parametrize(("chunk", "group_size"), [(64, 24), (64, 8), (2, 32)])
def test_rows_and_work_groups_that_do_not_go_together(queue: cl.CommandQueue, chunk: int, group_size: int) -> None:
    shape = BlockPlan(1, chunk, False, 64, 1, group_size, unrolled=True)
    filler = FillKernel(queue, describe(queue.device), written(queue, "words of 4 bytes"), RAW, shape)
    with pytest.raises(
        ValueError, match=f"group_size must be a multiple of the {chunk // 4} stores .* not {group_size}"
    ):
        filler.fill(cla.zeros(queue, 5, np.uint32), (1, 2, 3, 4, 5, 6))


def test_chunks_of_powers_of_two() -> None:
    with pytest.raises(ValueError, match="chunk must be a power of two, not 48"):
        BlockPlan(1, 48, False, 64, 1, 32, unrolled=True)


def test_stores_past_the_caches(queue: cl.CommandQueue) -> None:
    if not traits_of(describe(queue.device)).stores_past_caches:
        pytest.skip("the device has no stores past the caches")
    code: Any = written(queue, "words of 4 bytes")
    shape = fill.choose_blocks(describe(queue.device), code, 4, streaming=True)
    out = cla.zeros(queue, 3333, np.uint32)
    FillKernel(queue, describe(queue.device), code, RAW, shape).fill(out, code.recurrence)
    assert_array_equal(out.get(), code.recurrence.sequence(3333))
