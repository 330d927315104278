"""The words of NumPy's bit generators on a device."""

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.words import Words
from clrng.opencl.devices import describe

KINDS = [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox]


def placed(kind: type, seed: int, steps: int, halves: int) -> np.random.BitGenerator:
    """Return a bit generator of NumPy that has given so many steps, then so many halves."""
    bits = kind(seed)
    rng = np.random.Generator(bits)
    rng.random(steps)
    rng.random(halves, dtype=np.float32)
    return bits


def assert_same(found: np.random.BitGenerator, expected: np.random.BitGenerator) -> None:
    """Check that both stand at the same place."""
    np.testing.assert_equal(found.state, expected.state)


@pytest.mark.parametrize("kind", KINDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**64), before=st.tuples(st.integers(0, 5), st.integers(0, 5)), first=st.integers(0, 1300),
    n=st.integers(0, 1300),
)  # fmt: skip
def test_words(queue: cl.CommandQueue, kind: type, seed: int, before: tuple[int, int], first: int, n: int) -> None:
    bits = placed(kind, seed, *before)
    words = Words.of(queue, describe(queue.device), of_numpy(bits))
    rng = np.random.Generator(placed(kind, seed, *before))
    rng.integers(0, 2**64 - 1, first, np.uint64, endpoint=True)
    np.testing.assert_array_equal(words.steps(n, first).get(), rng.integers(0, 2**64 - 1, n, np.uint64, endpoint=True))
    assert_same(as_numpy(words.after_steps(first + n)), rng.bit_generator)
    rng = np.random.Generator(placed(kind, seed, *before))
    whole = rng.integers(0, 2**32 - 1, first + n, np.uint32, endpoint=True)
    np.testing.assert_array_equal(words.halves(n, first).get(), whole[first:])
    assert_same(as_numpy(words.after_halves(first + n)), rng.bit_generator)
    assert_same(as_numpy(words.bits), bits)
