"""Numbers of 32 bits take halves of values, in any mixture of calls and from any place: as NumPy's, or one stream's."""

from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal, assert_equal

import clrng
from clrng.fill import stream_states
from tests.frontends.test_interrupts import interrupted_launch

KINDS = ["PCG64", "PCG64DXSM", "Philox"]
ALL = pytest.mark.parametrize("kind", KINDS)
BEGUN = pytest.mark.parametrize("halves", [0, 1])
SETTINGS = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

SIZES = st.one_of(st.integers(0, 40), st.integers(0, 5000))
WHAT = ["float32", "float64", "uint32", "uint64", "bytes", "raw"]
CALLS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(WHAT), SIZES),
        st.tuples(st.just("advance"), st.one_of(st.integers(0, 9), st.integers(0, 2**130))),
        st.tuples(st.just("jumped"), st.integers(1, 3)),
    ),
    min_size=1,
    max_size=8,
)


def pair(kind: str, halves: int) -> tuple[Any, Any]:
    """Return a bit generator of clrng and one of NumPy, from which so many halves were taken."""
    ours, numpys = getattr(clrng, kind)(2026), getattr(np.random, kind)(2026)
    np.random.Generator(numpys).random(halves, "float32")
    ours.state = numpys.state
    return ours, numpys


def both(ours: clrng.Generator, numpys: np.random.Generator, what: str, n: int) -> tuple[Any, Any]:
    """Return what both draw by a call."""
    match what:
        case "bytes":
            return ours.bytes(n), numpys.bytes(n)
        case "raw":
            return ours.random_raw(n).get(), numpys.bit_generator.random_raw(n)
        case "uint32" | "uint64":
            values = 2 ** int(what[4:])
            return ours.integers(0, values, n, what).get(), numpys.integers(0, values, n, what)
    return ours.random(n, what).get(), numpys.random(n, what)  # type: ignore[call-overload]


@ALL
@SETTINGS
@given(calls=CALLS, halves=st.integers(0, 3))
def test_mixtures_are_numpys(queue: cl.CommandQueue, kind: str, calls: Any, halves: int) -> None:
    bits, other = pair(kind, halves)
    for what, n in calls:
        if what in {"advance", "jumped"} and kind == "Philox":
            continue  # its blocks are moved on by in NumPy
        if what == "advance":
            bits.advance(n)
            other.advance(n)
        elif what == "jumped":
            bits, other = bits.jumped(n * bits.jump_distance), other.jumped(n)
        elif what != "float64" or clrng.Generator(bits, queue).device.fp64:
            assert_array_equal(*both(clrng.Generator(bits, queue), np.random.Generator(other), what, n))
        assert_equal(bits.state, other.state)


@ALL
@BEGUN
def test_parts_of_arrays_are_filled(queue: cl.CommandQueue, kind: str, halves: int) -> None:
    bits, other = pair(kind, halves)
    ours, numpys = clrng.Generator(bits, queue), np.random.Generator(other)
    for begin, n in ((0, 1), (1, 1), (3, 4), (1, 2**12), (2, 4097), (5, 30_001)):
        whole: Any = cla.zeros(queue, begin + n + 3, np.float32) - 1
        ours.random(out=whole[begin : begin + n])
        assert_array_equal(whole.get(), [-1] * begin + [*numpys.random(n, "float32")] + [-1] * 3)
        assert_equal(bits.state, other.state)


def of_one(bits: Any, queue: cl.CommandQueue, *sizes: Any) -> list[npt.NDArray[Any]]:
    """Return the float32 numbers, normal ones and raw values of one generator, for each size."""
    rng = clrng.Generator(bits.copy(), queue)
    return [drawn(n) for n in sizes for drawn in methods(rng)]


def methods(rng: Any) -> list[Any]:
    """Return what is drawn by a size, as arrays of NumPy."""
    return [
        lambda n: np.asarray(rng.random(n).get()),
        lambda n: np.asarray(rng.standard_normal(n).get()),
        lambda n: np.asarray(rng.random_raw(n).get()),
    ]


@ALL
@BEGUN
def test_ranks_have_pieces_of_one_stream(queue: cl.CommandQueue, kind: str, halves: int) -> None:
    bits, _ = pair(kind, halves)
    sizes, ranks = (7, 1001, (5, 3), 2), 3
    pieces = [clrng.Generator(bits.copy(), queue).piece(rank, ranks) for rank in range(ranks)]
    found = [[drawn(n) for n in sizes for drawn in methods(piece)] for piece in pieces]
    for parts, whole in zip(zip(*found, strict=True), of_one(bits, queue, *sizes), strict=True):
        assert_array_equal(np.concatenate(parts), whole)


@ALL
@BEGUN
def test_several_devices_have_parts_of_one_stream(queue: cl.CommandQueue, kind: str, halves: int) -> None:
    bits, _ = pair(kind, halves)
    queues = [queue, *(cl.CommandQueue(queue.context) for _ in range(2))]
    rng = clrng.MultiDeviceGenerator(bits.copy(), queues, [1, 2, 3])
    sizes = (1, 1001, (7, 9), 40_003)
    found = [drawn(n) for n in sizes for drawn in methods(rng)]
    for ours, whole in zip(found, of_one(bits, queue, *sizes), strict=True):
        assert_array_equal(ours, whole)


@ALL
@BEGUN
def test_chunks_of_dask_have_parts_of_one_stream(queue: cl.CommandQueue, kind: str, halves: int) -> None:
    dask = pytest.importorskip("clrng.dask")
    bits, _ = pair(kind, halves)
    rng = dask.Generator(bits.copy())
    found = [getattr(rng, name)(1001, chunks=(501, 499, 1)) for name in ("random", "standard_normal", "random_raw")]
    for ours, whole in zip(found, of_one(bits, queue, 1001), strict=True):
        assert_array_equal(ours.compute(scheduler="synchronous"), whole)


COUNT, APART = 5, 1000


class Reference:
    """Streams, and a generator of each alone."""

    def __init__(self, queue: cl.CommandQueue, kind: str, *, dealt: bool) -> None:
        bits, _ = pair(kind, 0)
        raw = bits.sequence(3 * COUNT + COUNT * APART)
        if dealt:
            self.streams = clrng.Streams.by_leapfrog(bits, COUNT, queue)
            beginnings = [raw[i::COUNT][:3] for i in range(COUNT)]
        else:
            self.streams = clrng.Streams.by_jumps(bits, COUNT, APART, queue)
            beginnings = [raw[i * APART :][:3] for i in range(COUNT)]
        self.each = [clrng.Generator(self.streams[i], queue) for i in range(COUNT)]
        assert_array_equal([rng.bit_generator.sequence(3) for rng in self.each], beginnings)

    def follow(self, n: int) -> None:
        """Assert that `n` float32 numbers of each stream are those that it has alone."""
        found = self.streams.random(n)
        assert_array_equal(found.get(), np.array([rng.random(n).get() for rng in self.each]).T)

    def check(self) -> None:
        """Assert that the streams stand where each one alone does."""
        assert [self.streams[i].state for i in range(COUNT)] == [rng.bit_generator.state for rng in self.each]


CASES = pytest.mark.parametrize(
    ("kind", "dealt"), [(kind, dealt) for kind in KINDS for dealt in (False, True) if not (dealt and kind == "Philox")]
)


@CASES
def test_streams_take_halves(queue: cl.CommandQueue, kind: str, dealt: bool) -> None:
    reference = Reference(queue, kind, dealt=dealt)
    for n in (1, 2, 1, 7, 300, 1):
        reference.follow(n)
        reference.check()
        raw = reference.streams.random_raw(1).get()[0]
        assert_array_equal(raw, [rng.random_raw(1).get()[0] for rng in reference.each])
        reference.check()


@CASES
@pytest.mark.parametrize("made", [False, True], ids=["before", "after"])
def test_interrupted_streams_stand_before_or_behind_a_call(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, kind: str, dealt: bool, made: bool
) -> None:
    monkeypatch.setattr(stream_states, "STEPS_OF_LAUNCH", 4)
    reference = Reference(queue, kind, dealt=dealt)
    reference.follow(1)
    for number in range(30):
        before = [rng.bit_generator.copy() for rng in reference.each]
        with interrupted_launch(number, made=made) as found, suppress(KeyboardInterrupt):
            reference.streams.random(17)
        for rng in reference.each:
            rng.random(17)
        if [reference.streams[i].state for i in range(COUNT)] == [bits.state for bits in before]:
            reference.each = [clrng.Generator(bits, queue) for bits in before]
        reference.check()
        reference.follow(2)
        if not found:
            break
    assert number >= 1
