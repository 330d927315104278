"""Any methods in any order draw NumPy's numbers, and the stream then stands where NumPy's does."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clrng
from tests.frontends.numpy_streams.test_from_numpy import assert_same_place
from tests.frontends.numpy_streams.test_words import KINDS, placed

SIZES = st.one_of(st.none(), st.integers(0, 20), st.integers(0, 5000), st.tuples(st.integers(0, 9), st.integers(0, 9)))
FLOATS = st.sampled_from(["float32", "float64"])
REALS = st.floats(-1e100, 1e100)
SCALES = st.one_of(st.floats(0, 1e100).map(abs), st.just([0.5, 2.0]))
INTEGERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
PROBABILITIES = st.lists(st.floats(0.01, 1), min_size=1, max_size=9).map(lambda p: [x / sum(p) for x in p])


@st.composite
def bounds(draws: Any) -> dict[str, Any]:
    """Return a range of integers, and their dtype."""
    name = draws(st.sampled_from(INTEGERS))
    least, most = (0, 1) if name == "bool" else (int(np.iinfo(name).min), int(np.iinfo(name).max))
    low = draws(st.integers(least, most))
    return {"low": low, "high": draws(st.integers(low, most)) + 1, "dtype": name}


def call(name: str, *arguments: Any, **named: Any) -> st.SearchStrategy[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Return calls of a method with drawn arguments."""
    return st.tuples(st.just(name), st.tuples(*arguments), st.fixed_dictionaries(named))


SHARED = [
    call("uniform", REALS, REALS.map(abs).map(lambda x: 2e100 + x), SIZES),
    call("bytes", st.integers(0, 5000)),
    call("choice", st.integers(1, 2**63 - 1), SIZES),
    call("choice", st.lists(REALS, min_size=1, max_size=9), SIZES),
    st.tuples(PROBABILITIES, SIZES).map(lambda found: ("choice", (len(found[0]), found[1]), {"p": found[0]})),
    call("permutation", st.integers(0, 5000)),
    call("permutation", st.lists(REALS, max_size=30)),
    call("normal", REALS, SCALES, st.tuples(st.integers(0, 3000), st.just(2))),
    call("exponential", SCALES, st.tuples(st.integers(0, 3000), st.just(2))),
]
GENERATOR = [
    *SHARED,
    call("random", SIZES, FLOATS),
    call("standard_normal", SIZES, FLOATS),
    call("standard_exponential", SIZES, FLOATS, st.sampled_from(["zig", "inv"])),
    st.tuples(st.just("integers"), st.just(()), st.tuples(bounds(), SIZES).map(lambda x: {**x[0], "size": x[1]})),
]
RANDOM_STATE = [
    *SHARED,
    call("random_sample", SIZES),
    call("rand", st.integers(0, 9), st.integers(0, 9)),
    call("standard_normal", SIZES),
    call("randn", st.integers(0, 9), st.integers(0, 9)),
    call("standard_exponential", SIZES),
    st.tuples(st.just("randint"), st.just(()), st.tuples(bounds(), SIZES).map(lambda x: {**x[0], "size": x[1]})),
]
ON_DEVICES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
NEEDS_DOUBLES = {"uniform", "normal", "exponential", "random_sample", "rand", "randn", "standard_exponential"}


def check(queue: cl.CommandQueue, rng: Any, calls: Any) -> None:
    """Compare the results of calls with those of NumPy, and where the stream stands after each."""
    ours = clrng.from_numpy(rng, queue)
    for name, arguments, named in calls:
        in_doubles = name in NEEDS_DOUBLES or "float64" in arguments or isinstance(rng, np.random.RandomState)
        if not ours.device.fp64 and in_doubles and name != "randint":
            continue
        found, expected = getattr(ours, name)(*arguments, **named), getattr(rng, name)(*arguments, **named)
        if isinstance(found, cla.Array):
            assert not isinstance(expected, np.ndarray) or found.dtype == expected.dtype
            found = found.get()
        np.testing.assert_array_equal(found, expected, f"{name} {arguments} {named}")
        assert_same_place(ours, rng)


@pytest.mark.parametrize("kind", KINDS)
@ON_DEVICES
@given(
    seed=st.integers(0, 2**64), before=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    calls=st.lists(st.one_of(*GENERATOR), max_size=6),
)  # fmt: skip
def test_generator(queue: cl.CommandQueue, kind: type, seed: int, before: tuple[int, int], calls: Any) -> None:
    check(queue, np.random.Generator(placed(kind, seed, *before)), calls)


@ON_DEVICES
@given(seed=st.integers(0, 2**32 - 1), before=st.integers(0, 3), calls=st.lists(st.one_of(*RANDOM_STATE), max_size=6))
def test_random_state(queue: cl.CommandQueue, seed: int, before: int, calls: Any) -> None:
    rng = np.random.RandomState(seed)
    rng.standard_normal(before)
    check(queue, rng, calls)


@pytest.mark.parametrize("kind", [*KINDS, np.random.RandomState])
def test_shuffle(queue: cl.CommandQueue, kind: type) -> None:
    rng = kind(5) if kind is np.random.RandomState else np.random.Generator(kind(5))
    ours = clrng.from_numpy(rng, queue)
    for expected in (np.arange(5000), np.arange(3000, dtype=np.float32)[::2], np.array(["a", 2, None], object)):
        given = expected.copy() if expected.dtype == object else cla.to_device(queue, expected.copy())
        ours.shuffle(given)
        rng.shuffle(expected)
        np.testing.assert_array_equal(given if isinstance(given, np.ndarray) else given.get(), expected)
        assert_same_place(ours, rng)
    bits = ours.bit_generator.copy()
    with pytest.raises(TypeError, match="x must be an array of NumPy or of the device, or a list, not"):
        ours.shuffle((1, 2))
    assert bits == ours.bit_generator


@pytest.mark.parametrize("kind", [*KINDS, np.random.RandomState])
def test_elements_that_no_device_has(queue: cl.CommandQueue, kind: type) -> None:
    rng = kind(5) if kind is np.random.RandomState else np.random.Generator(kind(5))
    ours = clrng.from_numpy(rng, queue)
    texts, mixed = ["a", "bc", "def"], np.array([None, "a", 3, (1, 2)], object)
    for call in (
        lambda r: r.choice(texts), lambda r: r.choice(texts, (2, 3)), lambda r: r.choice(texts, 0),
        lambda r: r.choice(mixed, 5, p=[0.5, 0.25, 0, 0.25]), lambda r: r.permutation(texts),
        lambda r: r.permutation(mixed),
    ):  # fmt: skip
        found, expected = call(ours), call(rng)
        assert type(found) is type(expected)
        assert np.asarray(found).dtype == np.asarray(expected).dtype
        np.testing.assert_array_equal(found, expected)
        assert_same_place(ours, rng)
    for count in (0, 1, 7, 3000):
        here, there = ([[i] for i in range(count)] for _ in range(2))
        ours.shuffle(here)
        rng.shuffle(there)
        assert here == there
        assert_same_place(ours, rng)
    for shape in (None, (), 2):
        found, expected = ours.choice(np.array(5), shape), rng.choice(np.array(5), shape)
        np.testing.assert_array_equal(found.get(), expected)
        found, expected = ours.choice(mixed, shape), rng.choice(mixed, shape)
        assert isinstance(found, np.ndarray) == isinstance(expected, np.ndarray)
        assert not isinstance(found, np.ndarray) or found.shape == expected.shape
        assert str(found) == str(expected)
    p = cla.to_device(queue, np.array([0.5, 0.25, 0.25]))
    np.testing.assert_array_equal(ours.choice(3, 9, p=p).get(), rng.choice(3, 9, p=p.get()))
    np.testing.assert_array_equal(ours.choice(2**63, 9).get(), rng.choice(2**63, 9))
    assert ours.choice(0, out=np.zeros(0, np.int64)).shape == (0,)
    assert_same_place(ours, rng)
    for name, refused in (("permutation", None), ("permutation", 2.5), ("choice", 2.5), ("choice", "abc")):
        with pytest.raises(TypeError, match=" must be an integer or an array of one dimension, not"):
            getattr(ours, name)(refused)
    with pytest.raises(TypeError, match="^p must be an array with nothing masked, not"):
        ours.choice(3, 8, p=np.ma.array([0.2, 0.3, 0.5], mask=[0, 1, 0]))
    assert_same_place(ours, rng)
    assert texts == ["a", "bc", "def"]
    assert mixed.tolist() == [None, "a", 3, (1, 2)]
