"""Vectors as arrays of dask: those of one device, whatever the chunks, none of which cuts one."""

import pickle
from typing import Any

import dask.array as da
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
import clrng.dask
from clrng.distributions import vectors
from clrng.fill import categories
from clrng.opencl import arrays
from clrng.opencl.devices import DeviceInfo
from tests.support.vector_calls import BITS, CALLS

Rng = clrng.dask.Generator


def computed(array: Any) -> Any:
    return array.compute(scheduler="synchronous")


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", CALLS)
def test_vectors_are_those_of_one_device(drawing_on: DeviceInfo, name: str, bits: str) -> None:
    one = clrng.Generator(BITS[bits](), drawing_on)
    expected = CALLS[name](one).get()
    for chunks in ("auto", 3 if expected.size < 1000 else 200, {0: 5}, (2,) + (-1,) * (expected.ndim - 2)):
        rng = Rng(BITS[bits]())
        array = CALLS[name](rng, chunks=chunks)
        assert (array.shape, array.dtype) == (expected.shape, expected.dtype)
        assert array.chunks[-1] == expected.shape[-1:]
        if len(array.chunks[0]) < 50:
            assert_array_equal(computed(array), expected)
        assert rng.bit_generator == one.bit_generator


@pytest.mark.parametrize("name", ["shares", "small shares", "many shares", "normal vectors of covariances"])
def test_vectors_of_double_precision(drawing_on: DeviceInfo, name: str) -> None:
    if not drawing_on.fp64:
        pytest.skip("the device has no double precision")
    expected = CALLS[name](clrng.Generator(clrng.PCG64(4), drawing_on), dtype="float64").get()
    assert_array_equal(computed(CALLS[name](Rng(clrng.PCG64(4)), dtype="float64", chunks=3)), expected)


def test_vectors_that_other_ways_make(drawing_on: DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device makes counts of few rows too, few shares have no tables, and chunks are made in small parts."""
    monkeypatch.setattr(categories, "LEAST_ROWS", 1)
    monkeypatch.setattr(vectors, "FEW", 3)
    monkeypatch.setattr(arrays, "most_bytes", lambda *_: 8)
    for name in ("counts of arrays", "small shares", "shares of arrays", "normal vectors of covariances"):
        expected = CALLS[name](clrng.Generator(clrng.PCG64(4), drawing_on)).get()
        assert_array_equal(computed(CALLS[name](Rng(clrng.PCG64(4)), chunks=4)), expected)


@pytest.mark.usefixtures("drawing_on")
@pytest.mark.parametrize("name", CALLS)
def test_names_and_pickles(name: str) -> None:
    first, again, other = (CALLS[name](Rng(clrng.PCG64(seed))) for seed in (4, 4, 5))
    assert first.name == again.name
    assert first.name != other.name
    assert_array_equal(computed(pickle.loads(pickle.dumps(first))), computed(first))


@pytest.mark.usefixtures("drawing_on")
def test_one_vector() -> None:
    rng = Rng(clrng.PCG64(4))
    array = rng.multinomial(20, [0.5, 0.5])
    assert (array.shape, array.chunks) == ((2,), ((2,),))
    assert computed(array).sum() == 20


def test_names_say_what_the_parameters_are() -> None:
    rows = np.array([[1.0, 2], [3, 4]])
    made = [Rng(clrng.PCG64(4)).dirichlet(alpha).name for alpha in (rows, rows + 1, [1, 2], [2, 1])]
    means = [Rng(clrng.PCG64(4)).multivariate_normal(mean, np.eye(2)).name for mean in ([1, 2], [2, 1])]
    assert len({*made, *means}) == 6


def test_arrays_of_dask_are_refused() -> None:
    rng = Rng(clrng.PCG64(4))
    with pytest.raises(
        TypeError, match="^alpha must be a number or an array of the host, not dask.*; compute it first"
    ):
        rng.dirichlet(da.ones((5, 3)))
    for chunks in ((2, 2), ((5,), (3,)), None):
        with pytest.raises((TypeError, ValueError), match=r"^chunks must be .* of an array of the shape \(5,\), not "):
            rng.dirichlet([1, 2, 3], 5, chunks)
    with pytest.raises(ValueError, match="^alpha must be .*, not -2.0, as element 1 of alpha has it$"):
        rng.dirichlet([1, -2], 5)
    with pytest.raises(ValueError, match="^dtype must hold counts up to 300"):
        rng.multinomial(300, [0.5, 0.5], 5, dtype="uint8")
    assert rng.bit_generator == clrng.PCG64(4)
