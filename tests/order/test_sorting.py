"""Sorts on the device, compared with those of NumPy."""

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
from clrng.order.arguments import KEYS
from tests.conftest import DEVICES, make_queue

INDEXES = st.sampled_from([info.index for info in DEVICES])
SIZES = [0, 1, 2, 3, 255, 256, 257, 4095, 4096, 4097, 8192, 8193, 20001]
FEW = pytest.mark.parametrize("name", ["uint32", "int64", "float32"])


def keys(name: str, size: int, seed: int, *, few: bool = False) -> npt.NDArray[Any]:
    """Return keys of all bits or, where `few`, of few different ones; of floats there are special ones among them."""
    dtype = np.dtype(name)
    made = np.random.default_rng(seed).integers(0, 256, size * dtype.itemsize, dtype=np.uint8).view(dtype)
    if few and size:
        made = made[made.view(f"u{dtype.itemsize}") % min(size, 5)]
    if dtype.kind == "f":
        one_nan, another = np.array([np.nan, -np.nan], dtype)
        another = (np.array([another]).view(f"u{dtype.itemsize}") | 1).view(dtype)[0]
        least = np.finfo(dtype).smallest_subnormal
        special = np.array([0.0, -0.0, np.inf, -np.inf, one_nan, another, least, -least], dtype)
        made[::3] = np.resize(special, made[::3].size)
    return made


def ordered(values: npt.NDArray[Any]) -> list[int]:
    """Return, as integers of Python, what the documentation says that values are compared by."""
    most = 8 * values.dtype.itemsize
    sign, every = 1 << most - 1, (1 << most) - 1
    found = []
    for word, value in zip(values.view(f"u{values.dtype.itemsize}").tolist(), values.tolist(), strict=True):
        if values.dtype.kind != "f":
            found.append(word ^ sign if values.dtype.kind == "i" else word)
        elif np.isnan(value):
            found.append(every)
        else:
            positive = 0 if value == 0 else word
            found.append(every - positive if positive & sign else positive | sign)
    return found


def places(values: npt.NDArray[Any], low: int, high: int, *, descending: bool) -> list[int]:
    """Return the stable order of `values` by a range of their bits, found by Python's sort."""
    digits = [word >> low & (1 << high - low) - 1 for word in ordered(values)]
    if descending:
        digits = [-digit for digit in digits]
    return sorted(range(len(digits)), key=digits.__getitem__)


def same(found: Any, expected: npt.NDArray[Any]) -> None:
    """Check that every bit is the same."""
    assert found.dtype == expected.dtype
    assert found.get().tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", KEYS)
def test_the_order_is_that_of_numpy(queue: cl.CommandQueue, name: str) -> None:
    for size in (1, 3000):
        for few in (False, True):
            values = keys(name, size, seed=size, few=few)
            array = cla.to_device(queue, values)
            expected = np.argsort(values, kind="stable")
            same(order.sort(array), values[expected])
            assert_array_equal(order.sort(array).get(), np.sort(values))
            same(array, values)


@pytest.mark.parametrize("size", SIZES)
def test_sizes(queue: cl.CommandQueue, size: int) -> None:
    values = keys("uint32", size, seed=size)
    array = cla.to_device(queue, values)
    expected = np.argsort(values, kind="stable")
    same(order.sort(array), np.sort(values))
    same(order.argsort(array), expected.astype(np.uint32))
    found, moved = order.sort_pairs(array, cla.arange(queue, size, dtype=np.uint32))
    same(found, np.sort(values))
    same(moved, expected.astype(np.uint32))


@pytest.mark.slow
@settings(max_examples=60)
@given(
    index=INDEXES,
    name=st.sampled_from(["uint16", "int32", "float64"]),
    size=st.integers(0, 700),
    seed=st.integers(0, 2**32),
    few=st.booleans(),
    ends=st.tuples(st.integers(0, 64), st.integers(0, 64)),
    descending=st.booleans(),
)
def test_any_range_of_bits(
    index: int, name: str, size: int, seed: int, few: bool, ends: tuple[int, int], descending: bool
) -> None:
    queue = make_queue(index)
    values = keys(name, size, seed, few=few)
    low, high = sorted(min(end, 8 * values.dtype.itemsize) for end in ends)
    array = cla.to_device(queue, values)
    expected = np.array(places(values, low, high, descending=descending), np.uint32)
    same(order.argsort(array, bits=(low, high), descending=descending), expected)
    same(order.sort(array, bits=[low, high], descending=descending), values[expected])
    numbers = cla.to_device(queue, np.arange(size, dtype=np.uint32))
    found, moved = order.sort_pairs(array, numbers, bits=(low, high), descending=descending)
    same(found, values[expected])
    same(moved, expected)
    same(order.sort(array, bits=(low, high), descending=descending, out=array), values[expected])


@FEW
def test_descending_is_stable(queue: cl.CommandQueue, name: str) -> None:
    values = keys(name, 1000, seed=5, few=True)
    expected = places(values, 0, 8 * values.dtype.itemsize, descending=True)
    same(order.argsort(cla.to_device(queue, values), descending=True), np.array(expected, np.uint32))


@pytest.mark.parametrize("name", ["uint32", "float32", "int64", "float64", "complex64"])
def test_values_of_any_numbers(queue: cl.CommandQueue, name: str) -> None:
    few = keys("int32", 3001, seed=1, few=True)
    dtype = np.dtype(name)
    values = np.random.default_rng(2).integers(0, 256, few.size * dtype.itemsize, dtype=np.uint8).view(dtype)
    found, moved = order.sort_pairs(cla.to_device(queue, few), cla.to_device(queue, values))
    expected = np.argsort(few, kind="stable")
    same(found, few[expected])
    same(moved, values[expected])


@FEW
def test_slices_of_memory(queue: cl.CommandQueue, name: str) -> None:
    values = keys(name, 2000, seed=9)
    whole, memory = cla.to_device(queue, values), cla.to_device(queue, values)
    begin, end = 3, 1503
    expected = values.copy()
    expected[begin + 400 : end + 400] = values[begin:end][np.argsort(values[begin:end], kind="stable")]
    out = memory[begin + 400 : end + 400]
    assert order.sort(whole[begin:end], out=out) is out
    same(memory, expected)
    same(whole, values)
    order.sort(whole[begin:end], out=whole[begin + 400 : end + 400])  # the two overlap
    same(whole, expected)
    part = cla.to_device(queue, values)[begin:end]
    found, moved = order.sort_pairs(part, part)
    same(found, expected[begin + 400 : end + 400])
    same(moved, expected[begin + 400 : end + 400])


@pytest.mark.parametrize("bits", [(0, 0), (0, 1), (3, 14), (0, 23), (0, 32)])
def test_in_place(queue: cl.CommandQueue, bits: tuple[int, int]) -> None:
    values = keys("uint32", 6000, seed=4)
    array = cla.to_device(queue, values)
    assert order.sort(array, bits=bits, out=array) is array
    same(array, values[places(values, *bits, descending=False)])


def test_equal_keys_stay(queue: cl.CommandQueue) -> None:
    array = cla.zeros(queue, 9001, np.uint64)
    same(order.argsort(array), np.arange(9001, dtype=np.uint32))
    same(order.argsort(array, descending=True), np.arange(9001, dtype=np.uint32))


@pytest.mark.slow
def test_queues_without_an_order(any_order: cl.CommandQueue) -> None:
    context = any_order.context
    other = cl.CommandQueue(context)
    values = keys("uint32", 600_000, seed=3)
    expected = np.argsort(values, kind="stable").astype(np.uint32)
    allocator = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(cl.CommandQueue(context)))
    array = cla.to_device(any_order, values, allocator=allocator)
    elsewhere = cla.to_device(other, np.arange(values.size, dtype=np.uint32))
    for _ in range(5):
        first = order.argsort(array)
        found, moved = order.sort_pairs(array, elsewhere)
        again = order.sort(found, descending=True, out=found)
        order.sort(array, out=array)
        same(first, expected)
        same(moved, expected)
        same(again, np.sort(values)[::-1])
        same(array, np.sort(values))
        cl.enqueue_copy(any_order, array.data, values, wait_for=array.events).wait()


def test_memory_comes_from_the_allocator(queue: cl.CommandQueue) -> None:
    asked = []
    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))

    def allocator(size: int) -> Any:
        asked.append(size)
        return pool.allocate(size)

    values = keys("uint32", 50_000, seed=8)  # so many that no work-group sorts them alone
    array = cla.to_device(queue, values, allocator=allocator)
    asked.clear()
    found = order.sort(array)
    same(found, np.sort(values))
    assert found.allocator is allocator
    assert asked.count(values.nbytes) == 2  # the result, and what is between two passes
