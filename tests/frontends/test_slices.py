"""Slices of arrays that the methods of a generator fill."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl import arrays
from clrng.opencl.devices import describe
from tests.support import oracle


def generator(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.Generator(clrng.ParkMiller(seed=1), queue)


def test_a_slice_larger_than_its_buffer(queue: cl.CommandQueue) -> None:
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 64)
    rng = generator(queue)
    with pytest.raises(ValueError, match="out must fit its buffer of 64 bytes, not need 68"):
        rng.random_raw(out=cla.Array(queue, 5, np.uint32, data=buffer, strides=(16,)))
    with pytest.raises(ValueError, match="out must fit its buffer of 64 bytes, not need -4"):
        rng.random_raw(out=cla.Array(queue, 5, np.uint32, data=buffer, strides=(-4,), offset=12))
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_an_out_in_fortran_order(queue: cl.CommandQueue) -> None:
    out = cla.zeros(queue, (3, 4), np.uint32, order="F")
    assert generator(queue).random_raw(out=out) is out
    assert_array_equal(out.get(), oracle.sequence(1, 12).reshape(3, 4))


METHODS: list[Callable[[clrng.Generator, Any], Any]] = [
    lambda rng, out: rng.random_raw(out=out),
    lambda rng, out: rng.integers(2**32 - 5, dtype="uint32", out=out),
    lambda rng, out: rng.random(dtype="float32", out=out),
    lambda rng, out: rng.uniform(2, 3, dtype="float32", out=out),
    lambda rng, out: rng.normal(2, 3, dtype="float32", out=out),
    lambda rng, out: rng.normal(np.arange(4.0), np.arange(3.0)[:, None], dtype="float32", out=out),
    lambda rng, out: rng.binomial(10, 0.25, dtype="uint32", out=out),
    lambda rng, out: rng.standard_gamma(2.5, dtype="float32", out=out),
]


@pytest.mark.parametrize("draw", METHODS)
def test_every_method_fills_slices(queue: cl.CommandQueue, draw: Callable[[clrng.Generator, Any], Any]) -> None:
    dtype = np.dtype(np.uint32 if draw in (METHODS[0], METHODS[1], METHODS[6]) else np.float32)
    expected = draw(generator(queue), cla.zeros(queue, (3, 4), dtype)).get()
    whole = cla.zeros(queue, (9, 5), dtype) + dtype.type(7)
    part = whole[7:1:-2, 1:]
    assert draw(generator(queue), part) is part
    host = np.full((9, 5), 7, dtype)
    host[7:1:-2, 1:] = expected
    assert_array_equal(whole.get(), host)
    if draw is not METHODS[5]:  # whose parameters are arrays, which take no arrays of NumPy
        host[:] = 7
        assert np.shares_memory(draw(generator(queue), host[7:1:-2, 1:]), host)
        assert_array_equal(host, whole.get())


def test_a_large_slice_of_numpy_takes_little_memory(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MAX_COPIED", 400)
    host = np.zeros((50, 14), np.uint32)
    generator(queue).random_raw(out=host[:, 1::2])
    assert_array_equal(host[:, 1::2], oracle.sequence(1, 350).reshape(50, 7))
    assert not host[:, ::2].any()
    largest = max(part.nbytes for part in arrays.portions(describe(queue.device), host[:, 1::2]))
    assert largest <= 400


def test_front_ends_that_take_no_slices(queue: cl.CommandQueue) -> None:
    bits = clrng.ParkMiller(seed=1)
    streams = clrng.Streams.by_jumps(bits, 5, queue=queue)
    for draw in (clrng.DivideAndConquer(bits, queue).random_raw, partial(streams.random_raw, 1, "last")):
        with pytest.raises(ValueError, match=r"out must be C-contiguous, not with shape \(5,\) and strides \(8,\)"):
            draw(out=cla.zeros(queue, 10, np.uint32)[::2])
    with pytest.raises(ValueError, match=r"out must be C-contiguous, not with shape \(5,\) and strides \(8,\)"):
        clrng.DivideAndConquer(bits, queue).random_raw(out=np.zeros(10, np.uint32)[::2])
