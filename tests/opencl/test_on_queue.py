"""Front ends stay on the queue they were made on."""

from typing import Any

import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng


def front_ends(queue: cl.CommandQueue) -> list[Any]:
    bits = clrng.ParkMiller(seed=1)
    return [
        clrng.Generator(bits.jumped(0), queue),
        clrng.DivideAndConquer(bits.jumped(0), queue),
        clrng.Streams.by_leapfrog(bits.jumped(0), 1, queue),
    ]


def test_another_queue_is_refused(queue: cl.CommandQueue) -> None:
    context = cl.Context([queue.device])
    other = cl.CommandQueue(context)
    for made in front_ends(queue):
        made.random_raw(3)
        kind = type(made).__name__
        with pytest.raises(
            AttributeError, match=rf"queue of {kind} cannot be changed; {kind}\(.*, queue\) goes on with"
        ):
            made.queue = other
        assert made.queue is queue
        assert_array_equal(made.random_raw(2).get().ravel(), clrng.ParkMiller(seed=1).jumped(3).sequence(2))


def test_what_is_to_be_done_instead_works(queue: cl.CommandQueue) -> None:
    context = cl.Context([queue.device])
    other = cl.CommandQueue(context)
    rng, solver, streams = front_ends(queue)
    for made in (rng, solver, streams):
        made.random_raw(3)
    expected = clrng.ParkMiller(seed=1).jumped(3).sequence(2)
    again = (
        clrng.Generator(rng.bit_generator, other),
        clrng.DivideAndConquer(solver.bit_generator, other),
        clrng.Streams(clrng.ParkMiller(seed=1), streams.states, streams.step, other),
    )
    for made in again:
        assert made.queue is other
        assert_array_equal(made.random_raw(2).get().ravel(), expected)
