"""`default_rng`, and generators that are spawned."""

import pickle
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.tools
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.random import SeedSequence
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.devices import describe
from tests.conftest import make_queue

SEEDS: list[Any] = [
    *(0, 2026, 2**130, np.int64(5), True, [], [1, 2, 3], (2**70, 4), range(9), ["0xff", 7]),
    *(np.array([4, 5]), np.array([4, 5], np.uint32), SeedSequence(7, spawn_key=(1,))),
]

BOUNDS = st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=2, unique=True).map(sorted)

CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("random"), st.integers(0, 3000), st.sampled_from(["float32", "float64"])),
        st.tuples(st.just("uniform"), BOUNDS, st.integers(0, 3000)),
        st.tuples(st.just("bytes"), st.integers(0, 3000)),
    ),
    max_size=5,
)


def both(call: Any, ours: clrng.Generator, numpys: np.random.Generator) -> tuple[Any, Any]:
    """Return what a call of `CALLS` gives of both."""
    name, *arguments = call
    match name:
        case "random":
            return ours.random(*arguments).get(), numpys.random(*arguments)
        case "uniform":
            (low, high), n = arguments
            return ours.uniform(low, high, n, dtype="float64").get(), numpys.uniform(low, high, n)
    return ours.bytes(*arguments), numpys.bytes(*arguments)


def same_stream(ours: clrng.Generator, numpys: np.random.Generator, calls: Any) -> None:
    """Check that both draw the same values and come to the same state, by those of `calls` that the device can do."""
    for call in calls:
        if ours.device.fp64 or not (call[0] == "uniform" or call[-1] == "float64"):
            assert_array_equal(*both(call, ours, numpys))
        np.testing.assert_equal(ours.bit_generator.state, numpys.bit_generator.state)


@pytest.mark.parametrize("seed", SEEDS, ids=repr)
def test_a_seed_is_numpys(queue: cl.CommandQueue, seed: Any) -> None:
    rng = clrng.default_rng(seed, queue)
    assert type(rng) is clrng.Generator
    assert rng.queue is queue
    assert rng.bit_generator == clrng.PCG64(seed)
    assert_array_equal(rng.random_raw(100).get(), np.random.default_rng(seed).bit_generator.random_raw(100))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.one_of(st.integers(0, 2**200), st.lists(st.integers(0, 2**70), max_size=9)), calls=CALLS)
def test_uniform_numbers_bytes_and_children_are_numpys(queue: cl.CommandQueue, seed: Any, calls: Any) -> None:
    ours, numpys = clrng.default_rng(seed, queue), np.random.default_rng(seed)
    same_stream(ours, numpys, calls)
    children = zip(ours.spawn(1) + ours.spawn(2), numpys.spawn(1) + numpys.spawn(2), strict=True)
    for child, expected in children:
        same_stream(child, expected, calls)
        (grandchild,), (other,) = child.spawn(1), expected.spawn(1)
        same_stream(grandchild, other, calls[:1])


@pytest.mark.parametrize("n", [2**17, 10**6 + 1])
def test_long_arrays_are_numpys(queue: cl.CommandQueue, n: int) -> None:
    calls = ("random", 1, "float32"), ("random", n, "float32"), ("random", n, "float64"), ("uniform", (-1.5, 3.7), n)
    same_stream(clrng.default_rng(5, queue), np.random.default_rng(5), calls)


def test_without_double_precision_float64_is_refused(queue: cl.CommandQueue) -> None:
    if describe(queue.device).fp64:
        pytest.skip("the device has double precision")
    rng = clrng.default_rng(2026, queue)
    for draw in (rng.random, rng.uniform):
        with pytest.raises(clrng.UnsupportedError, match="float64"):
            draw(size=3, dtype="float64")
    same_stream(rng, np.random.default_rng(2026), [("random", 1000, "float32")])


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox", "MT19937"])
def test_a_generator_of_numpy_is_drawn_on(queue: cl.CommandQueue, kind: str) -> None:
    bits = getattr(np.random, kind)(3)
    numpys = np.random.Generator(bits)
    numpys.random(3, dtype="float32")
    seeds = [bits, numpys, *([np.random.RandomState(bits)] if kind == "MT19937" else [])]
    rngs = [clrng.default_rng(seed, queue) for seed in seeds]
    before = bits.state
    expected = bits.random_raw(50)
    bits.state = before
    for rng in rngs:
        assert type(rng.bit_generator).__name__ == kind
        assert_array_equal(rng.random_raw(50).get(), expected)
    np.testing.assert_equal(bits.state, before)
    if kind != "MT19937":
        same_stream(clrng.default_rng(numpys, queue), numpys, [("random", 5, "float32"), ("bytes", 9)])


def test_a_stream_in_numpys_hands_is_drawn_on(queue: cl.CommandQueue) -> None:
    numpys = np.random.Generator(clrng.numpy_bit_generator(clrng.ParkMiller(seed=1), queue))
    numpys.bit_generator.random_raw(2)
    assert clrng.default_rng(numpys, queue).random_raw(2).get().tolist() == [1622650073, 984943658]


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


@pytest.mark.parametrize("seed", [1.0, "1", [1.0], ["x"], np.True_, {1}, np.random, clrng.MRG32k3a])
def test_what_is_no_seed(seed: Any) -> None:
    with pytest.raises(TypeError, match=r"^seed(\[0\])? must be an integer of 0 or more.*, not "):
        clrng.default_rng(seed, "no device")


@pytest.mark.parametrize(
    ("seed", "error", "said"),
    [
        (-1, ValueError, "seed must be an integer of 0 or more, not -1"),
        (np.array([2, -1]), ValueError, r"seed\[1\] must be an integer of 0 or more, not -1"),
        (
            np.random.SFC64(1),
            clrng.UnsupportedError,
            "seed must be of PCG64, .* or MT19937, not of SFC64$",
        ),
    ],
)
def test_seeds_that_are_refused(seed: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=f"^{said}$"):
        clrng.default_rng(seed, "no device")


def test_spawned_generators(queue: cl.CommandQueue) -> None:
    pool = pyopencl.tools.ImmediateAllocator(queue)
    rng = clrng.default_rng(2026, queue, "integer", pool)
    rng.random(5)
    children = rng.spawn(2) + rng.spawn(1)
    expected = clrng.PCG64(2026).spawn(3)
    for child, bits in zip(children, expected, strict=True):
        assert (child.queue, child.arithmetic, child.allocator) == (queue, "integer", pool)
        assert_array_equal(child.random_raw(50).get(), bits.sequence(50))
    (grandchild,) = children[1].spawn(1)
    assert grandchild.bit_generator == clrng.PCG64(SeedSequence(2026, spawn_key=(1, 0)))


def test_a_pickled_generator_spawns_on() -> None:
    rng = clrng.default_rng(3, make_queue(0))
    rng.spawn(1)
    restored = pickle.loads(pickle.dumps(rng))
    assert restored.spawn(1)[0].bit_generator == clrng.PCG64(3).spawn(2)[1]


def test_a_generator_of_an_explicit_state_does_not_spawn() -> None:
    with pytest.raises(TypeError, match="^spawn needs a bit generator that was made by "):
        clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0)).spawn(1)
