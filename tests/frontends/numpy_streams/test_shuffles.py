"""NumPy's permutations and shuffles of one dimension, on a device."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clrng
from clrng.frontends.numpy_streams import shuffles
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.words import Words
from clrng.opencl import traits
from clrng.opencl.devices import describe
from tests.frontends.numpy_streams.test_words import KINDS, assert_same, placed

ELEMENTS = ["uint8", "int16", "float32", "int64", "complex128"]


@pytest.fixture(params=["in rounds", "alone", "by NumPy"])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, queue: cl.CommandQueue) -> str:
    """Have one way put all in order, from several portions of words."""
    if request.param == "alone" and traits.traits_of(describe(queue.device)).short_loops:
        pytest.skip("the loops of a work-item are long")
    monkeypatch.setattr(shuffles, "PORTION", {"cpu": 30_011, "gpu": 30_011})
    monkeypatch.setattr(shuffles, "MIN_SIZE", shuffles.MAX_SIZE if request.param == "by NumPy" else 1)
    monkeypatch.setattr(shuffles, "traits_of", lambda _: traits.GPU if request.param == "in rounds" else traits.CPU)
    return str(request.param)


def words_of(queue: cl.CommandQueue, bits: np.random.BitGenerator) -> Words:
    return Words.of(queue, describe(queue.device), of_numpy(bits))


def check_permutation(queue: cl.CommandQueue, bits: np.random.BitGenerator, n: int, dtype: Any = np.int64) -> None:
    out = cla.Array(queue, n, np.dtype(dtype))
    words = words_of(queue, bits)
    after = shuffles.permutation(words, out)
    assert_same(as_numpy(words.bits), bits)
    np.testing.assert_array_equal(out.get(), np.random.Generator(bits).permutation(n))
    assert_same(as_numpy(after), bits)


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("kind", KINDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    seed=st.integers(0, 2**64), before=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    n=st.integers(0, 1100) | st.integers(0, 70_000) | st.integers(0, 17).map(lambda k: 2**k),
    dtype=st.sampled_from(["int64", "int32", "uint32"]),
)  # fmt: skip
def test_permutation(
    queue: cl.CommandQueue, kind: type, seed: int, before: tuple[int, int], n: int, dtype: str
) -> None:
    check_permutation(queue, placed(kind, seed, *before), n, dtype)


@pytest.mark.parametrize("own", [traits.GPU, traits.CPU])
def test_long_permutation(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, own: traits.Traits) -> None:
    if own is traits.CPU and traits.traits_of(describe(queue.device)).short_loops:
        pytest.skip("the loops of a work-item are long")
    monkeypatch.setattr(shuffles, "traits_of", lambda _: own)
    for n in (10**6, 2**20):
        check_permutation(queue, placed(np.random.PCG64, n, 0, 1), n)


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("step", [1, -1, 3])
def test_shuffle(queue: cl.CommandQueue, dtype: str, step: int) -> None:
    for n in (0, 1, 2, 1003, 20_001):
        bits = placed(np.random.PCG64, n, 0, 1)
        whole = np.arange(n).astype(dtype)
        held = cla.to_device(queue, whole)
        x: Any = held[::step] if n else held
        after = shuffles.shuffle(words_of(queue, bits), x)
        np.random.Generator(bits).shuffle(whole[::step])
        np.testing.assert_array_equal(held.get(), whole)
        assert_same(as_numpy(after), bits)


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("dtype", [*ELEMENTS, "U3", "O", [("a", "i4"), ("b", "U2")]])
def test_shuffle_on_host(queue: cl.CommandQueue, dtype: Any) -> None:
    for n in (0, 1, 2, 1003):
        bits = placed(np.random.MT19937, n, 0, 1)
        x = np.empty(3 * n, dtype)
        x[...] = [(k, str(k)) if isinstance(dtype, list) else k % 251 for k in range(3 * n)]
        expected = x.copy()
        after = shuffles.shuffle(words_of(queue, bits), x[1::3])
        np.random.RandomState(bits).shuffle(expected[1::3])
        np.testing.assert_array_equal(x, expected)
        assert_same(as_numpy(after), bits)


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("bits", [clrng.PCG64(7), clrng.PCG64(state=1, increment=3)])
def test_the_seed_goes_on_with_the_stream(queue: cl.CommandQueue, bits: clrng.PCG64) -> None:
    words = Words.of(queue, describe(queue.device), bits)
    for after in (shuffles.permutation(words, cla.Array(queue, 9, np.int64)), shuffles.shuffle(words, np.arange(9))):
        assert after.seed_seq is bits.seed_seq


@pytest.mark.usefixtures("by")
def test_random_state(queue: cl.CommandQueue) -> None:
    rng = np.random.RandomState(2026)
    out = cla.Array(queue, 12_345, np.dtype(np.int64))
    after = shuffles.permutation(words_of(queue, rng._bit_generator), out)
    np.testing.assert_array_equal(out.get(), rng.permutation(12_345))
    assert_same(as_numpy(after), rng._bit_generator)
