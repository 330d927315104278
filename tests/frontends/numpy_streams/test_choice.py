"""Choices with replacement are NumPy's, and the stream then stands where NumPy's does."""

from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clrng.frontends.numpy_streams import choice
from clrng.frontends.numpy_streams.choice import bounds, draw_places
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.words import Words
from clrng.opencl.devices import describe

KINDS = [np.random.PCG64, np.random.MT19937, np.random.Philox]
SETTINGS = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def places(queue: cl.CommandQueue, bits: np.random.BitGenerator, p: Any, n: int) -> npt.NDArray[Any]:
    """Return places that a device draws, after comparing where the stream then stands with NumPy's two generators."""
    out: Any = cla.empty(queue, n, np.dtype(np.int64))
    words = Words.of(queue, describe(queue.device), of_numpy(deepcopy(bits)))
    after = as_numpy(draw_places(words, bounds(p, len(p)), out))
    by_state, legacy = np.random.RandomState(deepcopy(bits)), deepcopy(bits)
    expected = np.random.Generator(bits).choice(len(p), n, p=p)
    np.testing.assert_array_equal(by_state.choice(len(p), n, p=p), expected)
    np.random.RandomState(legacy).choice(len(p), n, p=p)
    np.testing.assert_equal(legacy.state, bits.state)
    np.testing.assert_equal(after.state, bits.state)
    np.testing.assert_array_equal(out.get(), expected)
    return expected


@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(
    weights=st.lists(st.integers(0, 10), min_size=1, max_size=70).filter(any), seed=st.integers(0, 2**64),
    halves=st.integers(0, 3), n=st.integers(0, 1300),
)  # fmt: skip
def test_places(queue: cl.CommandQueue, kind: type, weights: list[int], seed: int, halves: int, n: int) -> None:
    bits = kind(seed)
    np.random.Generator(bits).random(halves, np.float32)
    places(queue, bits, np.array(weights) / sum(weights), n)


@pytest.mark.parametrize("size", [1, 2, 1000, 2**16 + 1])
def test_many_places(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(choice, "PORTION", {"cpu": 70_001, "gpu": 70_001})
    weights = np.random.default_rng(size).random(size)
    places(queue, np.random.PCG64(size), weights / weights.sum(), 200_003)


def test_places_by_narrow_probabilities(queue: cl.CommandQueue) -> None:
    p = np.full(7, 1 / 7, np.float32)
    places(queue, np.random.PCG64(1), p, 5003)
    places(queue, np.random.PCG64(1), np.full(7, 1 / 7 + 1e-5, np.float32), 503)


BAD: list[tuple[Any, str]] = [
    ([0.5, 0.4], "p must be probabilities whose sum is 1, not 0.9"),
    ([1.5, -0.5], "p must be probabilities of 0 or more, not -0.5"),
    ([0.5, np.nan], "p must be probabilities of 0 or more, not nan"),
    ([1.0], r"p must have shape \(2,\), as many probabilities as a has values, not \(1,\)"),
    (np.full((2, 1), 0.5), r"p must have shape \(2,\), as many probabilities as a has values, not \(2, 1\)"),
]


@pytest.mark.parametrize(("p", "message"), BAD, ids=str)
def test_bad_probabilities(p: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bounds(p, 2)
    with pytest.raises(ValueError, match="."):
        np.random.default_rng(1).choice(2, p=p)
    with pytest.raises(TypeError, match="p must be probabilities, numbers whose sum is 1, not 'some'"):
        bounds("some", 2)
