"""Counts of values in bins on the device, compared with NumPy's."""

from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import order
from clrng.opencl.devices import describe
from clrng.order import counting, plans
from clrng.order.count_values import extremes
from tests.conftest import DEVICES, make_queue
from tests.support.shapes import COUNTS, use_shape

SECONDS = 300
"""After so many a call is said to wait for ever."""

SIZES = [0, 1, 31, 32, 33, 64, 129, 1000, 3001]


@pytest.fixture(params=COUNTS)
def shape(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let work be done in each shape in turn, in small parts."""
    use_shape(monkeypatch, request.param)


def made(name: str, size: int, seed: int = 1) -> npt.NDArray[Any]:
    """Return integers of any value of a dtype, or floats about 0."""
    dtype, rng = np.dtype(name), np.random.default_rng(seed)
    if dtype.kind == "f":
        return (10 * rng.standard_normal(size)).astype(dtype)
    return rng.integers(0, 256, size * dtype.itemsize, dtype=np.uint8).view(dtype)


def same_histogram(queue: cl.CommandQueue, values: npt.NDArray[Any], bins: int, limits: Any) -> None:
    """Check the counts and the edges, bit by bit."""
    found, edges = order.histogram(cla.to_device(queue, values), bins, limits)
    expected, expected_edges = np.histogram(values, bins, limits)
    assert (edges.dtype, edges.tobytes()) == (expected_edges.dtype, expected_edges.tobytes())
    assert found.dtype == np.uint32
    assert_array_equal(found.get(), expected)


@pytest.mark.usefixtures("shape")
def test_counts_of_integers_are_those_of_numpy(queue: cl.CommandQueue) -> None:
    for size in SIZES:
        for largest in (1, 100, 511, 513, 3000):  # 512 counters are in local memory
            values = np.random.default_rng(size).integers(0, largest, size, dtype=np.uint32)
            array = cla.to_device(queue, values)
            found = order.bincount(array, 7)
            assert found.dtype == np.uint32
            assert_array_equal(found.get(), np.bincount(values, minlength=7))
            assert_array_equal(array.get(), values)


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int32", "int64", "uint64"])
def test_counts_of_every_dtype(name: str) -> None:
    values = np.random.default_rng(1).integers(0, 100, 2000).astype(name)
    found = order.bincount(cla.to_device(make_queue(0), values), minlength=3)
    assert_array_equal(found.get(), np.bincount(values.astype(np.int64)))


def test_counts_that_are_known_to_suffice_wait_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Any) -> None:
        raise AssertionError("the largest value is looked for")

    monkeypatch.setattr(counting, "extremes", refuse)
    values = made("uint8", 1000)
    array = cla.to_device(make_queue(0), values)
    assert_array_equal(order.bincount(array, 256).get(), np.bincount(values, minlength=256))


@pytest.mark.parametrize(("name", "wrong"), [("int32", -7), ("int64", 2**40), ("uint32", 2**30), ("int8", -128)])
def test_integers_that_are_no_bins(name: str, wrong: int) -> None:
    values = np.array([3, 5, wrong, 2], name)
    with pytest.raises(ValueError, match=rf"^a must have integers from 0 to 1073741823, and has {wrong}$"):
        order.bincount(cla.to_device(make_queue(0), values))


@pytest.mark.usefixtures("shape")
@pytest.mark.parametrize("name", ["uint8", "int32", "float32"])
def test_histograms_are_those_of_numpy(queue: cl.CommandQueue, name: str) -> None:
    for size in SIZES:
        values = made(name, size)
        for bins, limits in [
            (256, None),
            (10, (-5, 5)),
            (7, (0, 100)),
            (3, (3, 3)),
            (600, (-20, 20.5)),
            (4, (1e9, 2e9)),
        ]:
            same_histogram(queue, values, bins, limits)


@pytest.mark.parametrize("name", ["int8", "int16", "uint16", "uint32", "int64", "uint64", "float64"])
def test_histograms_of_every_dtype(queue: cl.CommandQueue, name: str) -> None:
    if name == "float64" and not describe(queue.device).fp64:
        with pytest.raises(clrng.UnsupportedError, match="float64"):
            order.histogram(cla.zeros(queue, 3, np.float64))
        return
    values = made(name, 2000)
    for bins, limits in [(10, None), (11, (-1000, 3000)), (5, (0.25, 77.75))]:
        same_histogram(queue, values, bins, limits)


def on_edges(bins: int, first: float, last: float) -> npt.NDArray[Any]:
    """Return float32 numbers that are edges of bins, or next to one."""
    edges = np.linspace(first, last, bins + 1, dtype=np.float32)
    return np.concatenate([edges, np.nextafter(edges, np.float32(-np.inf)), np.nextafter(edges, np.float32(np.inf))])


@settings(max_examples=60)
@given(
    st.sampled_from([info.index for info in DEVICES]),
    st.integers(1, 3000),
    st.floats(-1e6, 1e6, width=32),
    st.floats(2**-10, 1e6, width=32),
)
def test_numbers_at_edges_are_in_the_bin_that_begins_there(index: int, bins: int, first: float, length: float) -> None:
    last = float(np.float32(first + length))
    edges = np.linspace(first, last, bins + 1, dtype=np.float32)
    assume((edges[1:] > edges[:-1]).all())
    values = on_edges(bins, first, last)
    counts, _ = order.histogram(cla.to_device(make_queue(index), values), bins, (first, last))
    inside = values[(values >= edges[0]) & (values <= edges[-1])]
    places = np.minimum(np.searchsorted(edges, inside, "right") - 1, bins - 1)
    assert_array_equal(counts.get(), np.bincount(places, minlength=bins))


def test_neither_nan_nor_values_outside_are_counted(queue: cl.CommandQueue) -> None:
    values = np.array([np.nan, -np.inf, np.inf, 0.5, 1, -0.0, 2, 1e30, -1e30] * 30, np.float32)
    same_histogram(queue, values, 4, (0, 1))
    with pytest.raises(ValueError, match="^a must be finite where range is not given"):
        order.histogram(cla.to_device(queue, values))


def test_limits_of_numpy_scalars_have_edges_in_their_precision() -> None:
    same_histogram(make_queue(0), made("float32", 3000), 77, (np.float64(-0.1), np.float64(0.3)))


def test_arrays_at_any_place_of_a_buffer(queue: cl.CommandQueue) -> None:
    for name in ("uint8", "uint16", "float32"):
        values = np.abs(made(name, 5000))
        array = cla.to_device(queue, values)
        for begin in (1, 2, 7, 16):
            counts, _ = order.histogram(array[begin:-3], 50, (0, 250))
            assert_array_equal(counts.get(), np.histogram(values[begin:-3], 50, (0, 250))[0])


def test_counters_meet_and_lose_nothing(queue: cl.CommandQueue) -> None:
    values = np.full(300_007, 3, np.uint8)
    assert_array_equal(order.bincount(cla.to_device(queue, values), 256).get(), np.bincount(values, minlength=256))


@pytest.mark.parametrize("name", ["uint8", "int8", "int16", "uint32", "int64", "float32"])
def test_extremes(queue: cl.CommandQueue, name: str) -> None:
    for size in (1, 100, 70_001):
        values = made(name, size)
        found = extremes(cla.to_device(queue, values))
        assert found == (values.min(), values.max())
        assert {each.dtype for each in found} == {values.dtype}


def test_parts_are_whole_turns_and_loops_short() -> None:
    array = cla.zeros(make_queue(0), 10**6, np.uint8)
    for plan in plans.COUNTS.values():
        for units in (1, 256):
            length = plan.part_length(array, units)
            turn = plan.group_size * plan.each * plan.width(array) * plan.vector
            assert length % turn == 0
            assert plan.max_part // turn * (1 + plan.vector) + turn // plan.group_size < 65535


def test_nothing_is_waited_for(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that are there when a gate opens are counted in many launches, which are all made before."""
    monkeypatch.setitem(plans.COUNTS, "cpu", replace(plans.COUNTS["cpu"], min_part=2**10, max_part=2**10))
    bins, host = 10_000, made("float32", 20 * 2**10 * describe(queue.device).units)
    array, gate, counted = cla.to_device(queue, host), cl.UserEvent(queue.context), list[cla.Array]()
    order.histogram(array, bins, (-9, 9))  # builds
    array.add_event(gate)
    counting = Thread(target=lambda: counted.append(order.histogram(array, bins, (-9, 9))[0]), daemon=True)
    counting.start()
    counting.join(SECONDS)
    returned = not counting.is_alive()
    gate.set_status(cl.command_execution_status.COMPLETE)
    counting.join()
    assert returned
    assert_array_equal(counted[0].get(), np.histogram(host, bins, (-9, 9))[0])
