"""Shapes of sorts: which parts and passes they have, and that the result is the same for all."""

import weakref
from itertools import pairwise, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.kernel import of_queue
from clrng.opencl.traits import GPU, LONGEST_LOOP, traits_of
from clrng.order import plans
from clrng.order.arguments import info
from clrng.order.plans import SortPlan
from clrng.order.sorting import argsort, radix_sort

SHAPES = {
    "chunks": SortPlan(7, 1, 1, 3),
    "alone": SortPlan(8, 1, 1, 3, inner_bits=9, max_alone=2000),
    "buckets": SortPlan(8, 1, 1, 3, bucket_bits=5, inner_bits=9, shares=2),
    "groups": SortPlan(8, 32, 4, 3),
    "short digits": SortPlan(5, 8, 3, 2, rank_bits=2, copies=1),
    "ahead": SortPlan(8, 32, 4, 3, ahead=True),
    "sweeps": SortPlan(8, 256, 2, 3, sweeps=True),
}
ALONE = SortPlan(8, 32, 24, 1, max_alone=32 * 24)
BUILT = pytest.mark.parametrize(
    "name", ["chunks", "alone", "buckets", "groups", "ahead", "sweeps"]
)  # groups take PoCL seconds
EACH = pytest.mark.parametrize("name", SHAPES)


def skip_long_loops(queue: cl.CommandQueue) -> None:
    """Skip a test in which a work-item sorts a bucket where loops must be short: no such device has that shape."""
    if traits_of(info(queue.device)).short_loops:
        pytest.skip("the loops of a work-item must be short")


@EACH
@pytest.mark.parametrize("n", [1, 2, 31, 127, 128, 129, 2**12, 2**12 + 1, 10**6 + 1, 2**31])
def test_parts_cover_the_keys(name: str, n: int) -> None:
    plan = SHAPES[name]
    parts, size = plan.parts(n)
    assert (parts - 1) * size < n <= parts * size
    if not plan.by_chunks:
        assert size % plan.tile == 0
        assert size // plan.tile * plan.keys_each < LONGEST_LOOP
    assert parts <= plan.max_parts or size == plan.max_tiles * plan.tile


@EACH
@pytest.mark.parametrize("bits", [(0, 0), (5, 6), (0, 8), (3, 32), (0, 64)])
def test_passes_take_every_bit_once(name: str, bits: tuple[int, int]) -> None:
    plan, (low, high) = SHAPES[name], bits
    for even in (False, True):
        passes = plan.digits(low, high, even=even)
        assert [bit for first, count in passes for bit in range(first, first + count)] == list(range(low, high))
        assert max(count for _, count in passes) <= plan.digit_bits
        assert not even or len(passes) % 2 == 0


def test_a_tile_is_no_larger_than_counters_count() -> None:
    with pytest.raises(ValueError, match="^group_size times keys_each must be at most 65535, not 65536$"):
        SortPlan(8, 256, 256, 1)


CHOSEN = [("any", "cpu", True), ("rusticl", "cpu", False), ("any", "gpu", False)]


@pytest.mark.parametrize(("platform", "kind", "chunks"), CHOSEN)
def test_chunks_are_for_processors(platform: str, kind: str, chunks: bool) -> None:
    limits = SimpleNamespace(max_work_group_size=100, local_mem_size=2**15)
    device: Any = SimpleNamespace(platform=platform, kind=kind, units=4, device=limits)
    for itemsize, with_values in product((1, 4, 8), (False, True)):
        plan = plans.sort_plan(device, itemsize, with_values=with_values)
        assert plan.by_chunks == chunks
        assert plan.group_size == (1 if chunks else 64)


@pytest.mark.parametrize("kibibytes", [16, 32, 48, 64])
def test_a_tile_is_in_local_memory(kibibytes: int) -> None:
    limits = SimpleNamespace(max_work_group_size=1024, local_mem_size=1024 * kibibytes)
    device: Any = SimpleNamespace(platform="any", kind="gpu", units=4, device=limits)
    for itemsize, with_values in product((1, 4, 8), (False, True)):
        plan = plans.sort_plan(device, itemsize, with_values=with_values)
        assert plan.keys_each >= 1
        assert plan.tile * max(itemsize, 4) + plans.SPARE_BYTES <= limits.local_mem_size


@BUILT
def test_every_shape_gives_the_same(queue: cl.CommandQueue, name: str) -> None:
    plan = SHAPES[name]
    if plan.bucket_count > 1:
        skip_long_loops(queue)
    rng = np.random.default_rng(7)
    for size in sorted({1, plan.tile, plan.tile + 1, 3 * plan.tile, 700}):
        for spread in (2**32, 3):
            values = rng.integers(0, spread, size, dtype=np.uint32)
            keys, expected = cla.to_device(queue, values), np.argsort(values, kind="stable")
            new_keys, moved = cla.empty(queue, size, np.uint32), cla.empty(queue, size, np.uint64)
            radix_sort(keys, new_keys, cla.arange(queue, size, dtype=np.uint64), moved, (0, 32), plan=plan)
            assert_array_equal(new_keys.get(), values[expected])
            assert_array_equal(moved.get(), expected)


GROUPS = pytest.mark.parametrize("plan", [SHAPES["ahead"], ALONE, SHAPES["sweeps"]], ids=["ahead", "alone", "sweeps"])


@GROUPS
@pytest.mark.parametrize(("low", "high"), [(0, 0), (3, 4), (5, 18), (0, 32)])
def test_few_launches(queue: cl.CommandQueue, plan: SortPlan, low: int, high: int) -> None:
    """Keys in order, also in place, with their places and without, and other values."""
    values = np.random.default_rng(high).integers(0, 2**32, 700, dtype=np.uint32)
    values[::3] = values[5]
    digits = (values >> np.uint32(low)).astype(np.int64) % 2 ** (high - low)
    for size, descending in ((1, False), (700, False), (700, True), (127, False)):
        expected = np.argsort((-digits if descending else digits)[:size], kind="stable")
        keys, found = cla.to_device(queue, values[:size]), cla.zeros(queue, size, np.uint32)
        places, moved = cla.zeros(queue, size, np.uint32), cla.zeros(queue, size, np.float64)
        radix_sort(keys, None, None, places, (low, high), descending=descending, plan=plan)
        radix_sort(
            keys, found, cla.to_device(queue, values[:size] / 3), moved, (low, high), descending=descending, plan=plan
        )
        assert_array_equal(places.get(), expected)
        assert_array_equal(found.get(), values[expected])
        assert_array_equal(moved.get(), values[expected] / 3)
        radix_sort(keys, keys, None, None, (low, high), descending=descending, plan=plan)
        assert_array_equal(keys.get(), values[expected])


@GROUPS
def test_few_launches_in_shared_virtual_memory(queue: cl.CommandQueue, plan: SortPlan) -> None:
    try:
        if not queue.device.svm_capabilities:
            pytest.skip("the device has no shared virtual memory")
        allocator = cl.tools.SVMAllocator(queue.context, queue=queue)
    except (cl.Error, AttributeError) as error:
        pytest.skip(f"the device has no shared virtual memory: {error}")
    values = np.random.default_rng(1).integers(0, 2**32, 700, dtype=np.uint32)
    keys, found = (
        cla.to_device(queue, values, allocator=allocator),
        cla.empty(queue, 700, np.uint32, allocator=allocator),
    )
    radix_sort(keys, found, None, None, (0, 32), plan=plan)
    assert_array_equal(found.get(), np.sort(values))
    del keys, found
    queue.finish()  # PoCL 3 crashes if memory is being freed when the queue goes


@pytest.mark.parametrize("name", ["uint8", "float16", "float32", "int64"])
def test_what_gpus_do_with_few_keys(
    queue: cl.CommandQueue, device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(plans, "traits_of", lambda _: GPU)
    chosen = plans.sort_plans(device, np.dtype(name).itemsize)
    for plan, more in pairwise(chosen):
        size = min(plan.max_keys or 0, 20_000)
        assert more.max_keys is None or size <= more.max_keys
        values = np.random.default_rng(size).integers(0, 256, size * np.dtype(name).itemsize, np.uint8).view(name)
        keys, expected = cla.to_device(queue, values), np.argsort(values, kind="stable")
        places = cla.zeros(queue, size, np.uint32)
        radix_sort(keys, None, None, places, (0, 8 * values.itemsize), plan=plan)
        assert_array_equal(places.get(), expected)
        radix_sort(keys, keys, None, None, (0, 8 * values.itemsize), plan=plan)
        assert keys.get().tobytes() == values[expected].tobytes()


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("high", [6, 20, 32])
def test_buckets(queue: cl.CommandQueue, high: int, descending: bool) -> None:
    """Keys that are sorted in buckets, and others of which one bucket would have most; also in place."""
    skip_long_loops(queue)
    plan, rng = SHAPES["buckets"], np.random.default_rng(high)
    spread = rng.integers(0, 2**32, 3000, dtype=np.uint32)
    uneven = spread & np.uint32(2**high - 1 >> 5)
    uneven[::3] = spread[::3]
    for values in (spread, uneven):
        digits = (values & np.uint32(2**high - 1)).astype(np.int64)
        expected = np.argsort(-digits if descending else digits, kind="stable")
        keys, places = cla.to_device(queue, values), cla.zeros(queue, 3000, np.uint32)
        radix_sort(keys, None, None, places, (0, high), descending=descending, plan=plan)
        assert_array_equal(places.get(), expected)
        radix_sort(keys, keys, None, None, (0, high), descending=descending, plan=plan)
        assert_array_equal(keys.get(), values[expected])


def test_the_kernels_go_with_the_queue(device: clrng.DeviceInfo) -> None:
    context = cl.Context([device.device])  # held, as Intel's queues do not
    queue = cl.CommandQueue(context)
    argsort(cla.zeros(queue, 5, np.uint32))
    queue.finish()
    kept = weakref.ref(of_queue(queue))
    assert kept() is not None
    del queue, context
    assert kept() is None
