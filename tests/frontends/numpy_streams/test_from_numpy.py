"""NumPy's generators on a device: uniform numbers and bytes, and where the stream stands."""

import copy
import pickle
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clrng
from clrng import UnsupportedError
from tests.frontends.numpy_streams.test_words import KINDS, assert_same, placed

on_devices = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def assert_same_place(ours: Any, rng: Any) -> None:
    """Check that a generator and one of NumPy stand at the same place."""
    if isinstance(rng, np.random.RandomState):
        np.testing.assert_equal(ours.to_numpy().get_state(legacy=False), rng.get_state(legacy=False))
    else:
        assert_same(ours.to_numpy().bit_generator, rng.bit_generator)


CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("random"), st.integers(0, 3000), st.sampled_from(["float32", "float64"])),
        st.tuples(st.just("uniform"), st.floats(-1e300, 1e300), st.floats(0, 1e300), st.integers(0, 3000)),
        st.tuples(st.just("bytes"), st.integers(0, 3000)),
    ),
    max_size=5,
)


@pytest.mark.parametrize("kind", KINDS)
@on_devices
@given(seed=st.integers(0, 2**64), before=st.tuples(st.integers(0, 5), st.integers(0, 5)), calls=CALLS)
def test_mixtures(queue: cl.CommandQueue, kind: type, seed: int, before: tuple[int, int], calls: Any) -> None:
    rng = np.random.Generator(placed(kind, seed, *before))
    ours = clrng.from_numpy(rng, queue)
    for name, *arguments in calls:
        if not ours.device.fp64 and (name == "uniform" or arguments[-1] == "float64"):
            continue
        if name == "random":
            found, expected = ours.random(*arguments).get(), rng.random(*arguments)
        elif name == "uniform":
            low, width, n = arguments
            found, expected = ours.uniform(low, low + width, n).get(), rng.uniform(low, low + width, n)
        else:
            found, expected = ours.bytes(*arguments), rng.bytes(*arguments)
        np.testing.assert_array_equal(found, expected)
        assert_same_place(ours, rng)


@on_devices
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(0, 3000), shape=st.tuples(st.integers(0, 9), st.integers(0, 9)))
def test_random_state(queue: cl.CommandQueue, seed: int, n: int, shape: tuple[int, int]) -> None:
    rng = np.random.RandomState(seed)
    rng.standard_normal(n % 4)
    ours = clrng.from_numpy(rng, queue)
    assert ours.bytes(n) == rng.bytes(n)
    if ours.device.fp64:
        np.testing.assert_array_equal(ours.random_sample(n).get(), rng.random_sample(n))
        np.testing.assert_array_equal(ours.rand(*shape).get(), rng.rand(*shape))
        np.testing.assert_array_equal(ours.random(shape).get(), rng.random(shape))
        np.testing.assert_array_equal(ours.uniform(3, [[1], [2]], (2, n)).get(), rng.uniform(3, [[1], [2]], (2, n)))
        assert ours.rand().get() == rng.rand()
    assert_same_place(ours, rng)


@pytest.mark.parametrize("kind", KINDS)
def test_long_fills(queue: cl.CommandQueue, kind: type) -> None:
    rng = np.random.Generator(placed(kind, 5, 1, 1))
    ours = clrng.from_numpy(rng, queue)
    for _ in range(2):
        np.testing.assert_array_equal(
            ours.random(10**6 + 1, dtype="float32").get(), rng.random(10**6 + 1, dtype="float32")
        )
    if ours.device.fp64:
        out = np.empty((1000, 1001))
        assert ours.random(out=out) is out
        np.testing.assert_array_equal(out, rng.random((1000, 1001)))
        np.testing.assert_array_equal(ours.random(1000, out=np.ndarray), rng.random(1000))
    assert_same_place(ours, rng)


@pytest.mark.parametrize("kind", KINDS)
def test_children(queue: cl.CommandQueue, kind: type) -> None:
    rng = np.random.Generator(kind(5))
    ours = clrng.from_numpy(rng, queue)
    for _ in range(2):
        for own, child in zip(ours.spawn(2), rng.spawn(2), strict=True):
            assert_same_place(own, child)
            assert own.bytes(9) == child.bytes(9)
    assert ours.to_numpy().bit_generator.seed_seq.spawn(1)[0].spawn_key == (4,)


def test_without_a_seed_there_are_no_children(queue: cl.CommandQueue) -> None:
    rng = np.random.Generator(np.random.RandomState(5)._bit_generator)
    ours = clrng.from_numpy(rng, queue)
    with pytest.raises(TypeError, match="spawn needs a bit generator that was made"):
        ours.spawn(1)
    assert ours.to_numpy().bit_generator.seed_seq is None


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_copies_go_on(make: Any) -> None:
    rng = make(5)
    rng.standard_normal(3)
    ours = clrng.from_numpy(rng)
    for other in (copy.copy(ours), copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert other.bytes(9) == copy.deepcopy(rng).bytes(9)
        assert_same_place(ours, rng)


def test_the_bit_generator_can_be_moved(queue: cl.CommandQueue) -> None:
    rng = np.random.Generator(np.random.PCG64(5))
    ours = clrng.from_numpy(rng, queue)
    ours.bit_generator.advance(1001)
    rng.bit_generator.advance(1001)
    assert ours.bytes(9) == rng.bytes(9)
    assert_same_place(ours, rng)


@pytest.mark.parametrize(
    ("rng", "error", "message"),
    [
        (5, TypeError, "rng must be a numpy.random.Generator or a numpy.random.RandomState, not 5"),
        (np.random.PCG64(5), TypeError, "rng must be a numpy.random.Generator or a numpy.random.RandomState, not"),
        (
            np.random.Generator(np.random.SFC64(5)),
            UnsupportedError,
            "rng must be of .* or MT19937, not of SFC64$",
        ),
        (np.random.RandomState(np.random.PCG64(5)), UnsupportedError, "rng must be of MT19937, as "),
    ],
)
def test_what_is_not_taken(rng: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        clrng.from_numpy(rng)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda rng: rng.random(-1), ValueError, "size must be an integer from 0"),
        (lambda rng: rng.random(3, "int32"), ValueError, "dtype must be float64 or float32, not"),
        (lambda rng: rng.random(3, out=np.empty(4)), ValueError, r"out must have shape \(3,\)"),
        (lambda rng: rng.bytes(-1), ValueError, "length must be an integer from 0"),
        (lambda rng: rng.uniform(1, 0), ValueError, "high must be low or above, and a finite float64 away from low, 1"),
        (lambda rng: rng.uniform(-1e308, 1e308), ValueError, "high must be low or above, and a finite"),
        (lambda rng: rng.uniform("a"), TypeError, "low must be a number or an array of numbers of the host, not 'a'"),
        (lambda rng: rng.uniform([1, 2, 3], 4, size=2), ValueError, "size must be a shape to which low"),
    ],
)
def test_what_is_refused(queue: cl.CommandQueue, call: Any, error: type[Exception], message: str) -> None:
    rng = np.random.default_rng(5)
    ours = clrng.from_numpy(rng, queue)
    if not ours.device.fp64:
        pytest.skip("all float64 is refused")
    with pytest.raises(error, match=message):
        call(ours)
    assert_same_place(ours, rng)
