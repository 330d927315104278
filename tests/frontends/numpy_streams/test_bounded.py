"""Integers in a range are NumPy's, and the stream then stands where NumPy's does."""

from copy import deepcopy
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clrng.frontends.numpy_streams import bounded, bounded_steps
from clrng.frontends.numpy_streams.bounded import draw
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.ranges import DTYPES, Range
from clrng.frontends.numpy_streams.words import Words
from clrng.opencl.devices import describe
from clrng.opencl.traits import GPU

KINDS = [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox]
NEAR_POWERS = [2**k + d for k in range(65) for d in (-2, -1, 0, 1) if 0 <= 2**k + d < 2**64]
SETTINGS = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def _kernels_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "FEW", 0)


@st.composite
def ranges(draws: Any) -> tuple[str, int, int]:
    """Return a dtype, and the least and the greatest value of a range."""
    name = draws(st.sampled_from(DTYPES))
    least, most = (0, 1) if name == "bool" else (int(np.iinfo(name).min), int(np.iinfo(name).max))
    last = draws(
        st.one_of(st.integers(0, most - least), st.sampled_from([x for x in NEAR_POWERS if x <= most - least]))
    )
    low = draws(st.integers(least, most - last))
    return name, low, low + last


def check(
    queue: cl.CommandQueue, bits: np.random.BitGenerator, of: tuple[str, int, int], n: int, *, masked: bool
) -> None:
    """Compare `n` integers with those of NumPy's generators on `bits`, and where the stream then stands."""
    name, low, high = of
    out: Any = cla.to_device(queue, np.ones(n + 2, name))
    made = out[1 : n + 1]
    after = draw(Words.of(queue, describe(queue.device), of_numpy(deepcopy(bits))), low, high, made, masked=masked)
    if masked:
        expected = np.random.RandomState(bits).randint(low, high + 1, n, name)  # type: ignore[arg-type, call-overload]
    else:
        expected = np.random.Generator(bits).integers(low, high, n, name, endpoint=True)
    np.testing.assert_array_equal(made.get(), expected)
    np.testing.assert_equal(as_numpy(after).state, bits.state)
    assert out.get()[[0, -1]].tolist() == [1, 1]


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(of=ranges(), seed=st.integers(0, 2**64), halves=st.integers(0, 3), n=st.integers(0, 1300))
@example(of=("int64", 0, 2**32 - 1), seed=1, halves=1, n=9)
@example(of=("uint8", 3, 131), seed=1, halves=1, n=1)
def test_integers(
    queue: cl.CommandQueue, kind: type, masked: bool, of: tuple[str, int, int], seed: int, halves: int, n: int
) -> None:
    bits = kind(seed)
    np.random.Generator(bits).random(halves, np.float32)
    check(queue, bits, of, n, masked=masked)


LONG = [
    ("int64", 0, 999), ("int64", -5, 10**9), ("int64", 0, 2**62), ("uint64", 0, 2**64 - 1), ("uint32", 0, 2**31),
    ("int16", -100, 100), ("int16", 0, 2**15 - 1), ("uint8", 0, 128), ("bool", 0, 1),
]  # fmt: skip


@pytest.mark.parametrize("of", LONG, ids=str)
@pytest.mark.parametrize("masked", [False, True])
def test_long_draws(queue: cl.CommandQueue, masked: bool, of: tuple[str, int, int]) -> None:
    check(queue, np.random.PCG64(25), of, 300_007, masked=masked)


@pytest.mark.parametrize("of", LONG, ids=str)
def test_draws_in_portions(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, of: tuple[str, int, int]) -> None:
    monkeypatch.setattr(bounded, "PORTION", {"cpu": 1000, "gpu": 1000})
    for masked in (False, True):
        check(queue, np.random.Philox(25), of, 10_007, masked=masked)


FEW_REFUSED = [
    ("int64", -9, 990), ("int64", 0, 2**21 + 9), ("int64", 5, 2**62 - 2**50), ("int64", 0, 2**31 - 2**19),
    ("int32", -(2**31), 2**31 - 1), ("uint32", 7, 7 + 2**32 - 2**21), ("uint64", 3, 3 + 2**63), ("int64", 0, 2**33 - 1),
]  # fmt: skip


@pytest.mark.parametrize("of", FEW_REFUSED, ids=str)
@pytest.mark.parametrize("kind", KINDS[:2])
def test_draws_from_states(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, kind: type, of: tuple[str, int, int]
) -> None:
    """Whatever the device is, and where few parts or many are refused, in one portion or several."""
    monkeypatch.setattr(bounded, "MIN_IN_PLACE", 1)
    monkeypatch.setattr(bounded_steps, "traits_of", lambda _: GPU)
    for refused, most, n in ((2**10, 2**30, 60_001), (1, 5000, 20_001), (2**10, 2**30, 1)):
        monkeypatch.setattr(bounded_steps, "REFUSED", refused)
        monkeypatch.setattr(bounded_steps, "MOST", most)
        for masked, halves in ((False, 0), (True, 1)):
            bits = kind(n)
            np.random.Generator(bits).random(halves, np.float32)
            check(queue, bits, of, n, masked=masked)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("of", LONG, ids=str)
def test_numpy_draws_few_integers(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, kind: type, of: tuple[str, int, int]
) -> None:
    monkeypatch.setattr(bounded, "FEW", 1002)
    monkeypatch.delattr(bounded, "_draw_parts")
    bits = kind(1)
    np.random.Generator(bits).random(1, np.float32)
    check(queue, bits, of, 1001, masked=False)


@pytest.mark.parametrize("of", LONG, ids=str)
def test_single_values(queue: cl.CommandQueue, of: tuple[str, int, int]) -> None:
    """NumPy without a size draws what it draws with size 1."""
    name, low, high = of
    rng, bits = np.random.default_rng(25), np.random.PCG64(25)
    words, device = Words.of(queue, describe(queue.device), of_numpy(bits)), describe(queue.device)
    for _ in range(5):
        out: Any = cla.empty(queue, 1, np.dtype(name))
        words = Words.of(queue, device, draw(words, low, high, out))
        assert out.get()[0] == rng.integers(low, high, dtype=name, endpoint=True)
    np.testing.assert_equal(as_numpy(words.bits).state, rng.bit_generator.state)


@SETTINGS
@given(of=ranges(), masked=st.booleans())
def test_ranges(of: tuple[str, int, int], masked: bool) -> None:
    """What a range says of itself is so of all parts of 8 bits."""
    name, low, high = of
    wanted = Range(low, high, np.dtype(name), masked)
    assert wanted.enough(0) >= 0
    if wanted.bits == 8 and wanted.last:
        values, taken = wanted.values(np.arange(256, dtype=np.uint8))
        assert wanted.taken[0] * 256 == wanted.taken[1] * int(taken.sum())
        counts = np.unique(values[taken], return_counts=True)[1]
        assert counts.size == wanted.last + 1
        assert len(set(counts.tolist())) == 1
