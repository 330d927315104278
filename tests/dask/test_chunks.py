"""Arrays of dask are the stream, element by element, however they are cut and whoever computes them."""

from typing import Any

import dask
import dask.array as da
import numpy as np
import pyopencl.array as cla
import pytest
from dask.array import Array
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
import clrng.dask
from clrng.generators import BitGenerator
from clrng.opencl.devices import DeviceInfo
from tests.support.drawn_cases import CASES
from tests.support.generators import GENERATORS
from tests.support.reference_draws import draws, steps_of

SHAPE = (5, 6, 7)
CUTS: list[Any] = [(2, 4, 3), (5, 6, 7), ((1, 4), (6,), (3, 3, 1)), 1, "auto", {0: 1, 1: 5}, (-1, 1, (0, 7, 0))]

SEVERAL = (
    "lcg_2^64", "lcg_10^9", "lcg_2^48_output_17_31", "mrg32k3a", "coveyou", "xorshift32", "linear_5_10^19",
    "lagged_+_5_17", "lagged_*_17_5", "lagged_xor_5_17_64_bits",
)  # fmt: skip
"""Generators of every family."""


def computed(array: Array, **options: Any) -> np.ndarray[Any, Any]:
    """Return the whole array; by default this thread makes the chunks, one after the other."""
    found: np.ndarray[Any, Any] = array.compute(**{"scheduler": "synchronous"} | options)
    return found


@pytest.mark.usefixtures("drawing_on")
@pytest.mark.parametrize("chunks", CUTS, ids=str)
def test_any_chunks(chunks: Any) -> None:
    bits = clrng.ParkMiller(seed=1)
    rng = clrng.dask.Generator(bits)
    array = rng.random_raw(SHAPE, chunks=chunks)
    assert_array_equal(computed(array), clrng.ParkMiller(seed=1).sequence(210).reshape(SHAPE))
    assert array.chunks == da.core.normalize_chunks(chunks, SHAPE, dtype=np.uint32)
    assert (array.shape, array.dtype) == (SHAPE, np.uint32)
    assert bits == clrng.ParkMiller(seed=1).jumped(210)


@pytest.mark.usefixtures("drawing_on")
@given(data=st.data())
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_chunks_and_any_slice(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4)))
    chunks = tuple(data.draw(st.integers(1, length)) for length in shape)
    again = tuple(data.draw(st.integers(1, length)) for length in shape)
    cut = tuple(slice(*sorted((data.draw(st.integers(0, n)), data.draw(st.integers(0, n))))) for n in shape)
    bits = clrng.MRG32k3a(seed=12345).jumped(data.draw(st.integers(0, 2**70)))
    whole = bits.sequence(int(np.prod(shape))).reshape(shape)
    array = clrng.dask.Generator(bits).random_raw(shape, chunks=chunks)
    assert_array_equal(computed(array[cut].rechunk(2)), whole[cut])
    assert_array_equal(computed(array.rechunk(again).T[::-1]), whole.T[::-1])


@pytest.mark.parametrize("name", CASES)
def test_every_distribution(drawing_on: DeviceInfo, name: str) -> None:
    case, start = CASES[name], GENERATORS["park_miller"]
    for dtype in case.dtypes:
        if dtype == "float64" and not drawing_on.fp64:
            continue
        rng = clrng.dask.Generator(start.copy())
        array = case.draw(rng, (11, 13), dtype=dtype, chunks=(4, 5))
        assert array.dtype == dtype
        assert_array_equal(computed(array), draws(case.reference, start, 143, dtype).reshape(11, 13))
        assert rng.bit_generator == start.jumped(143 * steps_of(case.reference, start, dtype))


@pytest.mark.usefixtures("drawing_on")
@pytest.mark.parametrize("kind", SEVERAL)
def test_every_family(kind: str) -> None:
    start = GENERATORS[kind]
    rng = clrng.dask.Generator(start.copy())
    first, case = rng.random_raw((3, 400), chunks=(2, 130)), CASES["standard_normal"]
    second = rng.standard_normal((4, 30), chunks=(3, 7))
    steps = steps_of(case.reference, start, "float32")
    assert_array_equal(computed(second), draws(case.reference, start.jumped(1200), 120, "float32").reshape(4, 30))
    assert_array_equal(computed(first), start.sequence(1200).reshape(3, 400))
    assert rng.bit_generator == start.jumped(1200 + 120 * steps)


@pytest.mark.parametrize("bits", [clrng.LaggedFibonacci((418, 1279), "+", seed=1), clrng.MRG32k3a(seed=1)], ids=str)
def test_what_one_device_gives(drawing_on: DeviceInfo, bits: BitGenerator) -> None:
    rng, one = clrng.dask.Generator(bits.copy()), clrng.Generator(bits.copy(), drawing_on)
    for shape, chunks in (((25, 101), (20, 50)), ((7,), (7,)), ((), ()), ((3, 2, 50), (2, 1, 20))):
        assert_array_equal(computed(rng.random(shape, chunks=chunks)), one.random(shape).get())
        assert_array_equal(computed(rng.integers(0, 1000, shape, chunks=chunks)), one.integers(0, 1000, shape).get())
    assert rng.bit_generator == one.bit_generator


@pytest.mark.usefixtures("drawing_on")
@pytest.mark.parametrize("size", [None, (), 0, (3, 0), (0, 2, 5)], ids=str)
def test_one_value_and_none(size: Any) -> None:
    rng = clrng.dask.Generator(clrng.ParkMiller(seed=1))
    found = computed(rng.random_raw(size))
    assert_array_equal(found, np.full(() if size is None else size, 16807, np.uint32))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"scheduler": "threads", "num_workers": 3}, {"scheduler": "processes", "num_workers": 2}], ids=str
)
def test_schedulers(options: dict[str, Any]) -> None:
    bits = clrng.LaggedFibonacci((418, 1279), "+", seed=1)
    array = clrng.dask.Generator(bits.copy()).random_raw((40, 250), chunks=(8, 100))
    with dask.config.set({"multiprocessing.context": "spawn"}):
        assert_array_equal(computed(array, **options), bits.sequence(10000).reshape(40, 250))


@pytest.mark.usefixtures("drawing_on")
def test_arrays_computed_together() -> None:
    """Of the same values in other chunks, and of other values in the same chunks."""
    cut, whole, other = (
        clrng.dask.Generator(clrng.ParkMiller(seed)).random_raw((6, 6), chunks=chunks)
        for seed, chunks in ((1, 2), (1, 6), (2, 2))
    )
    for found, seed in zip(dask.compute(cut, whole, other, scheduler="synchronous"), (1, 1, 2), strict=True):
        assert_array_equal(found, clrng.ParkMiller(seed).sequence(36).reshape(6, 6))
    assert computed((cut - whole).any()) == np.False_


@pytest.mark.usefixtures("drawing_on")
def test_elements_of_an_array() -> None:
    places = computed(clrng.dask.Generator(clrng.ParkMiller(seed=1)).integers(0, 5, (9, 9), chunks=4))
    for elements in (np.array([1.5, 2, 3, 5, 7]), np.array([1, 2j, 3, 4, 5j], "complex64"), np.arange(5, dtype="int8")):
        array = clrng.dask.Generator(clrng.ParkMiller(seed=1)).choice(elements, (9, 9), chunks=4)
        assert array.dtype == elements.dtype
        assert_array_equal(computed(array), elements[places])


@pytest.mark.usefixtures("drawing_on")
@pytest.mark.parametrize("size", [None, 7, (4, 3), 0])
def test_slices_of_an_array(size: Any) -> None:
    queue, elements = clrng.make_queue(), np.arange(60.0).reshape(3, 4, 5)
    for axis in (0, 1, -1):
        count = elements.shape[axis]
        p = cla.to_device(queue, np.full(count, 1 / count))
        for chances in (None, p):
            lazy, rng = clrng.dask.Generator(clrng.PCG64(1)), clrng.Generator(clrng.PCG64(1), queue)
            array = lazy.choice(elements, size, True, chances, axis, chunks=2)
            expected = rng.choice(elements, size, True, chances, axis).get()
            assert (array.shape, array.dtype) == (expected.shape, expected.dtype)
            assert_array_equal(computed(array), expected)
            assert lazy.bit_generator == rng.bit_generator
    assert computed(clrng.dask.Generator(clrng.PCG64(1)).choice([], 0)).shape == (0,)
