"""Iterators that share a stream: any mixture of kinds takes the steps of the one stream in order."""

import random

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.frontends.for_numpy import callbacks
from clrng.frontends.for_numpy.callbacks import Prefetched
from tests.support.generators import GENERATORS, LARGE
from tests.support.numpy_words import Oracle

NAMES = ["uint64", "uint32", "double", "raw"]
ALL = {**GENERATORS, **LARGE}


class Stream(Prefetched):
    """One that keeps its iterators."""

    def __init__(self, bits: clrng.BitGenerator, queue: cl.CommandQueue) -> None:
        super().__init__(bits, queue, "auto")
        self.of = self.iterators()


def mixed(stream: Stream, oracle: Oracle, runs: list[tuple[str, int]]) -> None:
    """Compare runs of kinds with the oracle, and where the stream stands after each."""
    for name, count in runs:
        found = [next(stream.of[name]) for _ in range(count)]
        assert found == [getattr(oracle, name)() for _ in range(count)]
        assert stream.bits == oracle.bits


@pytest.mark.parametrize("name", ALL)
def test_mixtures(queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "MIN_DRAWN", 70)
    monkeypatch.setattr(callbacks, "MAX_DRAWN", 300)
    runs = [(kind, length) for kind in NAMES for length in (1, 1, 1, 2, 3, 10)] * 2
    random.Random(name).shuffle(runs)
    bits = ALL[name]
    stream = Stream(bits, queue)
    needed = sum(count * callbacks.kinds(bits)[kind].steps for kind, count in runs)
    mixed(stream, Oracle(bits, needed), runs)


@pytest.mark.parametrize("kind", NAMES)
def test_runs_of_one_kind_over_many_blocks(queue: cl.CommandQueue, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callbacks, "MAX_DRAWN", 2**11)
    bits = clrng.ParkMiller(seed=1)
    mixed(Stream(bits, queue), Oracle(bits, 40000), [(kind, 5000), (kind, 1), (kind, 4000)])


@pytest.mark.parametrize("consumed", [0, 1, 511, 512, 513, 514])
@pytest.mark.parametrize(("first", "second"), [(a, b) for a in NAMES for b in NAMES if a != b])
def test_a_switch_at_the_end_of_a_block(queue: cl.CommandQueue, consumed: int, first: str, second: str) -> None:
    bits = clrng.ParkMiller(seed=1)
    mixed(Stream(bits, queue), Oracle(bits, 600), [
        ("raw", consumed), (first, 1), (second, 1), (first, 2), ("raw", 1), (second, 1)
    ])  # fmt: skip


def test_how_much_is_drawn_at_a_time(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    original = clrng.Generator.random_raw

    def counting(self: clrng.Generator, size: int, out: type[np.ndarray]) -> object:
        asked.append(size)
        return original(self, size, out=out)  # type: ignore[arg-type]

    monkeypatch.setattr(clrng.Generator, "random_raw", counting)
    stream = Stream(clrng.named("mmix", 1), queue)
    assert asked == []
    for _ in range(2**17 - 2**9):
        next(stream.of["double"])
    assert asked == [2**9, 2**10, 2**11, 2**12, 2**13, 2**14, 2**15, 2**15, 2**15]


def test_seeking_ends_what_was_being_read(queue: cl.CommandQueue) -> None:
    bits = clrng.MRG32k3a()
    stream = Stream(bits, queue)
    for name in NAMES:
        next(stream.of[name])
    there = bits.jumped(10**30)
    stream.seek(there)
    assert stream.bits == there
    mixed(stream, Oracle(there, 100), [(name, 3) for name in NAMES])


def test_an_error_is_told_once_and_the_stream_goes_on_there(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    bits = clrng.ParkMiller(seed=1)
    stream = Stream(bits, queue)
    good = [next(stream.of["double"]) for _ in range(510)]
    oracle = Oracle(bits, 2000)
    assert good == [oracle.double() for _ in range(510)]
    lost = clrng.ClrngError("the device is lost")
    with monkeypatch.context() as patched:
        patched.setattr(clrng.Generator, "random_raw", lambda *_, **__: (_ for _ in ()).throw(lost))
        for name in [*NAMES, *reversed(NAMES)]:
            others = [next(stream.of[name]) for _ in range(1500)]
            assert min(others) >= 0
        assert stream.errors == [lost]
    stream.errors.clear()
    assert stream.bits == bits.jumped(510)
    mixed_on = [next(stream.of[name]) for name in NAMES]
    assert mixed_on == [getattr(oracle, name)() for name in NAMES]
