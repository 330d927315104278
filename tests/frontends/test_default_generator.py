"""`default_rng`, and generators that are spawned."""

import pickle
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.tools
import pytest
from numpy.random import SeedSequence
from numpy.testing import assert_array_equal

import clrng
from tests.conftest import make_queue

SEEDS: list[Any] = [0, 2026, 2**130, [1, 2, 3], np.array([4, 5]), SeedSequence(7, spawn_key=(1,))]


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_a_seed_is_that_of_mrg32k3a(queue: cl.CommandQueue, seed: Any) -> None:
    rng = clrng.default_rng(seed, queue)
    assert type(rng) is clrng.Generator
    assert rng.queue is queue
    bits = clrng.MRG32k3a().seeded(seed)
    assert rng.bit_generator == bits
    assert_array_equal(rng.random_raw(100).get(), bits.sequence(100))


def test_without_a_seed_each_is_another(queue: cl.CommandQueue) -> None:
    first, second = clrng.default_rng(queue=queue), clrng.default_rng(None, queue)
    assert first.bit_generator != second.bit_generator


def test_a_bit_generator_is_the_stream(queue: cl.CommandQueue) -> None:
    bits = clrng.ParkMiller(seed=1)
    rng = clrng.default_rng(bits, queue)
    assert rng.bit_generator is bits
    assert rng.random_raw(3).get().tolist() == [16807, 282475249, 1622650073]


def test_a_generator_comes_back_as_it_is(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    assert clrng.default_rng(rng) is rng
    pool = pyopencl.tools.ImmediateAllocator(queue)
    for name, value in {"queue": queue, "arithmetic": "integer", "allocator": pool}.items():
        with pytest.raises(TypeError, match=f"^{name} must not be given with a Generator, .*, not "):
            clrng.default_rng(rng, **{name: value})


def test_options_are_those_of_a_generator(queue: cl.CommandQueue) -> None:
    pool = pyopencl.tools.ImmediateAllocator(queue)
    rng = clrng.default_rng(1, queue, "integer", pool)
    assert (rng.arithmetic, rng.allocator) == ("integer", pool)


def test_what_is_no_seed() -> None:
    for seed in (1.0, "1", True, [1.0], np.random.default_rng(1), clrng.MRG32k3a):
        with pytest.raises(TypeError, match=r"^seed(\[0\])? must be an integer of 0 or more.*, not "):
            clrng.default_rng(seed, make_queue(0))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^seed must be an integer of 0 or more, not -1$"):
        clrng.default_rng(-1, make_queue(0))


def test_spawned_generators(queue: cl.CommandQueue) -> None:
    pool = pyopencl.tools.ImmediateAllocator(queue)
    rng = clrng.default_rng(2026, queue, "integer", pool)
    rng.random(5)
    children = rng.spawn(2) + rng.spawn(1)
    expected = clrng.MRG32k3a().seeded(2026).spawn(3)
    for child, bits in zip(children, expected, strict=True):
        assert (child.queue, child.arithmetic, child.allocator) == (queue, "integer", pool)
        assert_array_equal(child.random_raw(50).get(), bits.sequence(50))
    (grandchild,) = children[1].spawn(1)
    assert grandchild.bit_generator == clrng.MRG32k3a().seeded(SeedSequence(2026, spawn_key=(1, 0)))


def test_a_pickled_generator_spawns_on() -> None:
    rng = clrng.default_rng(3, make_queue(0))
    rng.spawn(1)
    restored = pickle.loads(pickle.dumps(rng))
    assert restored.spawn(1)[0].bit_generator == clrng.MRG32k3a().seeded(3).spawn(2)[1]


def test_a_generator_of_an_explicit_state_does_not_spawn() -> None:
    with pytest.raises(TypeError, match="^spawn needs a bit generator that was made by "):
        clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0)).spawn(1)
