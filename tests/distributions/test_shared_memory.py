"""Parameters in the memory of ``out``, results in arrays of NumPy, and arrays whose elements are chosen."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from tests.conftest import own_queue

LOC = np.linspace(-1000, 1000, 5, dtype=np.float32)
SCALE = np.linspace(1, 9, 5, dtype=np.float32)


def rng_on(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.Generator(clrng.ParkMiller(seed=1), queue)


def test_parameters_in_the_memory_that_is_filled(queue: cl.CommandQueue) -> None:
    for method, arguments in (
        ("normal", lambda held: (held, SCALE)),
        ("normal", lambda held: (LOC, held)),
        ("normal", lambda held: (held[2:3], 1)),
        ("vonmises", lambda held: (held, 5.0)),
    ):
        own = cla.to_device(queue, SCALE)
        apart = [each.copy() if isinstance(each, cla.Array) else each for each in arguments(own)]
        expected = getattr(rng_on(queue), method)(*apart, size=5).get()
        getattr(rng_on(queue), method)(*arguments(own), out=own)
        assert_array_equal(own.get(), expected)
    part = cla.to_device(queue, SCALE)
    rng_on(queue).piece(0, 1).normal(part, 1, (5,), out=part)
    assert_array_equal(part.get(), rng_on(queue).normal(SCALE, 1).get())


def test_results_in_arrays_of_numpy(queue: cl.CommandQueue) -> None:
    expected = rng_on(queue).normal(LOC, SCALE, (3, 5)).get()
    rows: Any = np.zeros((3, 5), np.float32)
    columns: Any = np.zeros((5, 3), np.float32).T
    for out in (rows, columns, np.ndarray):
        found = rng_on(queue).normal(LOC, SCALE, (3, 5), out=out)
        assert found is out or out is np.ndarray
        assert isinstance(found, np.ndarray)
        assert_array_equal(found, expected)
    part = rng_on(queue).piece(1, 3).normal(LOC, SCALE, (3, 5), out=np.ndarray)
    assert_array_equal(part, expected[1:2])
    rng = rng_on(queue)
    with pytest.raises(ValueError, match=r"^out must have shape \(3, 5\)"):
        rng.normal(LOC, SCALE, (3, 5), out=np.zeros((5, 3), np.float32))
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_elements_on_a_device(queue: cl.CommandQueue) -> None:
    held = cla.to_device(queue, LOC)
    other = cl.CommandQueue(queue.context)
    expected = LOC[rng_on(queue).choice(5, 20).get()]
    for elements in (held, held.with_queue(other), held.with_queue(None), LOC, LOC.astype(">f4")):
        assert_array_equal(rng_on(queue).choice(elements, 20).get(), expected)


def test_elements_that_are_refused(queue: cl.CommandQueue) -> None:
    rng = rng_on(queue)
    elsewhere = own_queue(queue.device)
    for elements, error in (
        (cla.to_device(elsewhere, LOC), ValueError),
        (cla.to_device(queue, LOC.astype("float16")), TypeError),
        (np.array("a"), TypeError),
    ):
        with pytest.raises(error, match="^a must be "):
            rng.choice(elements, 4)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_a_piece_has_no_pieces(queue: cl.CommandQueue) -> None:
    with pytest.raises(TypeError, match="^piece"):
        rng_on(queue).piece(1, 2).piece(0, 2)


def test_an_empty_slice_backwards(queue: cl.CommandQueue) -> None:
    out = cla.zeros(queue, 7, np.float32)[0:0][::-1]
    assert rng_on(queue).random(out=out).shape == (0,)
