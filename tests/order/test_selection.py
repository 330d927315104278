"""Sums and selections on the device, compared with NumPy's."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.tools
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clrng import order
from clrng.order import arguments, plans
from tests.conftest import DEVICES, make_queue
from tests.support.shapes import SCANS, use_shape

INDEXES = st.sampled_from([info.index for info in DEVICES])
SIZES = [0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 97, 640, 641, 3001]


@pytest.fixture(params=SCANS)
def shape(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let work be done in each shape in turn, in small parts."""
    use_shape(monkeypatch, request.param)


def whole(name: str, size: int, seed: int = 1) -> npt.NDArray[Any]:
    """Return integers of any value of a dtype."""
    dtype = np.dtype(name)
    return np.random.default_rng(seed).integers(0, 256, size * dtype.itemsize, dtype=np.uint8).view(dtype)


def holds(size: int, share: float, seed: int = 2) -> npt.NDArray[Any]:
    return np.random.default_rng(seed).random(size) < share


def same(found: Any, expected: npt.NDArray[Any]) -> None:
    """Check that every bit is the same."""
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.get().tobytes() == expected.tobytes()


@pytest.mark.usefixtures("shape")
def test_sums_are_those_of_numpy(queue: cl.CommandQueue) -> None:
    for size in SIZES:
        values = whole("uint32", size)
        array = cla.to_device(queue, values)
        same(order.cumsum(array), np.cumsum(values))
        same(array, values)
        before = np.concatenate([[0], np.cumsum(values)[:-1]])[:size].astype(np.uint64)
        same(order.cumsum(array, exclusive=True), before)


@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_sums_of_every_dtype(name: str) -> None:
    values = np.tile([False, True, True], 300) if name == "bool" else whole(name, 900)
    array = cla.to_device(make_queue(0), values)
    same(order.cumsum(array), np.cumsum(values))
    if name in ("bool", "int8", "int64", "uint32"):
        for dtype in ("int32", "uint32", "int64", "uint64"):
            same(order.cumsum(array, dtype), np.cumsum(values, dtype=dtype))


@pytest.mark.usefixtures("shape")
def test_selections_are_those_of_numpy(queue: cl.CommandQueue) -> None:
    for size in SIZES:
        for share in (0, 0.1, 0.5, 1):
            values, condition = whole("uint32", size), holds(size, share)
            array, held = cla.to_device(queue, values), cla.to_device(queue, condition)
            expected = np.compress(condition, values)
            same(order.compress(held, array), expected)
            same(order.flatnonzero(held), np.flatnonzero(condition).astype(np.uint32))
            found, count = order.split(held, array)
            same(found, np.concatenate([expected, values[~condition]]))
            same(count, np.array(expected.size, np.uint32))
            same(array, values)
            same(held, condition)


@pytest.mark.parametrize(
    ("name", "flags"),
    [("int8", "uint8"), ("float16", "int64"), ("float32", "int32"), ("float64", "uint16"), ("complex64", "bool")],
)
def test_values_are_moved_bit_by_bit(name: str, flags: str) -> None:
    values, condition = whole(name, 700), (whole(flags, 700) if flags != "bool" else holds(700, 0.5))
    condition[::3] = 0
    array, held = (cla.to_device(make_queue(0), each) for each in (values, condition))
    same(order.compress(held, array), values[condition != 0])
    same(order.flatnonzero(held), np.flatnonzero(condition).astype(np.uint32))
    same(order.split(held, array)[0], np.concatenate([values[condition != 0], values[condition == 0]]))


@settings(max_examples=40)
@given(INDEXES, st.integers(0, 9), st.lists(st.tuples(st.booleans(), st.integers(0, 2**32 - 1)), max_size=300))
def test_selections_at_any_place_of_a_buffer(index: int, begin: int, pairs: list[tuple[bool, int]]) -> None:
    queue = make_queue(index)
    condition = np.array([False] * begin + [pair[0] for pair in pairs], bool)
    values = np.array([7] * begin + [pair[1] for pair in pairs], np.uint32)
    held, array = cla.to_device(queue, condition)[begin:], cla.to_device(queue, values)[begin:]
    condition, values = condition[begin:], values[begin:]
    same(order.compress(held, array), np.compress(condition, values))
    same(order.split(held, array)[0], np.concatenate([values[condition], values[~condition]]))
    same(order.cumsum(array, "uint32"), np.cumsum(values, dtype=np.uint32))


@pytest.mark.parametrize("size", [0, 1, 300, 70_001])
def test_sums_in_an_array_that_is_given(queue: cl.CommandQueue, size: int) -> None:
    values = whole("uint32", size + 1)[1:]
    array: Any = cla.to_device(queue, np.append(np.uint32(9), values))[1:]
    buffer: Any = cla.to_device(queue, np.full(size + 2, 7, np.int64))
    out = buffer[1:-1]
    assert order.cumsum(array, out=out) is out
    assert_array_equal(buffer.get(), [7, *np.cumsum(values, dtype=np.int64), 7])
    assert order.cumsum(array, out=array, exclusive=True) is array
    assert_array_equal(array.get(), np.cumsum(values, dtype=np.uint32) - values)


def test_sums_in_memory_that_overlaps_what_is_added(queue: cl.CommandQueue) -> None:
    for size, first, second in ((10, 0, 1), (10_000, 0, 1), (10_000, 1, 0), (10_000, 5, 5)):
        values = np.arange(size + 9)
        b: Any = cla.to_device(queue, values)
        order.cumsum(b[first : first + size], out=b[second : second + size])
        assert_array_equal(b.get()[second : second + size], np.cumsum(values[first : first + size]))
    short: Any = cla.to_device(queue, np.ones(4000, np.int32))
    assert_array_equal(order.cumsum(short[:2000], out=short.view(np.int64)).get(), np.arange(1, 2001))


def test_large_arrays_in_the_shape_of_the_device(queue: cl.CommandQueue) -> None:
    values, condition = whole("uint32", 200_003), holds(200_003, 0.4)
    array, held = cla.to_device(queue, values), cla.to_device(queue, condition)
    same(order.cumsum(array), np.cumsum(values))
    same(order.compress(held, array), values[condition])
    same(order.split(held, array)[0], np.concatenate([values[condition], values[~condition]]))


def test_only_the_places_of_the_result_are_written(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let results lie in the middle of a buffer whose other bytes must not change."""
    values, condition = whole("uint32", 3001), holds(3001, 0.3)
    array, held = cla.to_device(queue, values), cla.to_device(queue, condition)
    whole_buffer = cla.to_device(queue, np.full(5000, 0xABCDEF01, np.uint32))

    def inside(_: Any, __: Any, shape: tuple[int, ...], dtype: Any, *___: Any, **____: Any) -> cla.Array:
        return cla.Array(queue, shape, dtype, data=whole_buffer.base_data, offset=400)

    monkeypatch.setattr(arguments.arrays, "output_array", inside)
    for name in SCANS:
        with monkeypatch.context() as patch:
            use_shape(patch, name)
            found = order.compress(held, array)
            queue.finish()
        expected = np.full(5000, 0xABCDEF01, np.uint32)
        expected[100 : 100 + found.size] = values[condition]
        assert_array_equal(whole_buffer.get(), expected)


def test_results_have_the_queue_and_the_allocator_of_the_array() -> None:
    queue, other = make_queue(0), cl.CommandQueue(make_queue(0).context)
    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))
    array = cla.to_device(queue, whole("uint32", 100), allocator=pool)
    held = cla.to_device(other, holds(100, 0.5))
    for found in (order.compress(held, array), order.cumsum(array), order.split(held, array)[0]):
        assert found.queue == queue
        assert found.allocator is pool
        assert found.events


def test_parts_are_whole_tiles_and_loops_short() -> None:
    for plan in plans.SCANS.values():
        for terms in (1, plan.min_part, 10**6, 2**31):
            for units in (1, 8, 256):
                length = plan.part_length(terms, units)
                assert length % plan.tile == 0
                assert length // plan.tile + plan.tile < 65535
                assert -(-terms // length) // plan.group_size < 65535 - 1


def test_few_places_of_many(queue: cl.CommandQueue) -> None:
    conditions = np.zeros(2**20, np.uint8)
    conditions[[131071, 2**20 - 1]] = 1
    assert_array_equal(order.flatnonzero(cla.to_device(queue, conditions)).get(), [131071, 2**20 - 1])
