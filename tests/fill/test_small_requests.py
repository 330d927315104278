"""Requests of all sizes, one after the other: words and states are made ahead for those that are expected.

Whatever comes then, the values are those of the plain sequence.
"""

import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from random import Random
from threading import Thread
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW, UNIFORM
from clrng.fill import convert, fill_lagged, jump_tree
from clrng.fill.executor import Executor
from clrng.fill.fill_lagged import LaggedStreamFiller
from clrng.fill.jump_tree import Reached
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.opencl.devices import describe
from clrng.opencl.kernel import Kernel
from tests.support.opcodes import opcodes

GENERATORS = {
    "words of 4 bytes": clrng.LaggedFibonacci((5, 17), "-", seed=1),
    "words of 8 bytes": clrng.LaggedFibonacci((24, 55), "*", 64, seed=2),
    "8 bytes shown as 4": clrng.LaggedFibonacci((17, 5), "+", 64, seed=3, output=(20, 31)),
    "a lag of 1": clrng.LaggedFibonacci((1, 60), "+", modulus=10**9, seed=4),
    "a large order": clrng.LaggedFibonacci((103, 250), "xor", seed=5),
}
LONGEST = 90_000
ALL = pytest.mark.parametrize("name", GENERATORS)
KINDS = pytest.mark.parametrize("kind", ["cpu", "gpu"])
WAYS = pytest.mark.parametrize("way", ["words ahead", "states ahead"])


@cache
def sequence(name: str) -> npt.NDArray[Any]:
    return GENERATORS[name].sequence(LONGEST)


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Make small windows of words, or none; cut requests into blocks however short they are."""
    monkeypatch.setattr(convert, "MIN_WORDS", 1)
    monkeypatch.setattr(convert, "MAX_BYTES", dict.fromkeys(("cpu", "gpu"), 2**14 if way == "words ahead" else 8))
    monkeypatch.setattr(fill_lagged, "MIN_STEPS", 0)
    monkeypatch.setattr(fill_lagged, "MIN_CHUNKS", 1)


def code_for(name: str) -> LaggedFibonacciCode:
    return LaggedFibonacciCode(GENERATORS[name], ARITHMETICS["integer"])


class Moving:
    """A filler, and where its stream stands."""

    def __init__(self, name: str, queue: cl.CommandQueue, filler: LaggedStreamFiller) -> None:
        self._name, self._queue, self._filler, self._reached = name, queue, filler, Reached()
        self._bits = GENERATORS[name].copy()
        self._drawn: list[tuple[int, cla.Array]] = []
        self.place = 0

    def draw(self, n: int, before: int = 0) -> None:
        """Draw `n` values, to where so many others are before them."""
        out = cla.Array(self._queue, before + n, self._bits.dtype)[before:]
        self._filler.fill(RAW, out, self._bits, self._reached)
        self._drawn.append((self.place, out))
        self.move(n)

    def move(self, n: int) -> None:
        """Move on by `n` values without drawing them."""
        self._bits.advance(n)
        self.place += n

    def check(self) -> None:
        """Assert that all values drawn are right."""
        for place, out in self._drawn:
            assert_array_equal(out.get(), sequence(self._name)[place : place + out.size], err_msg=f"from {place} on")
        self._drawn.clear()


@contextmanager
def launches() -> Iterator[list[int]]:
    """Yield a list that has the number of launches in it."""
    call, count = Kernel.__call__, [0]

    def counting(self: Kernel, *arguments: Any, **options: Any) -> cl.Event:
        count[0] += 1
        return call(self, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "__call__", counting)
        yield count


def filler_for(queue: cl.CommandQueue, name: str, kind: str) -> LaggedStreamFiller:
    return LaggedStreamFiller(queue, replace(describe(queue.device), kind=kind), code_for(name))


@WAYS
@KINDS
@ALL
@pytest.mark.usefixtures("ahead")
def test_requests_of_one_size_take_one_launch_each(queue: cl.CommandQueue, name: str, kind: str, way: str) -> None:
    moving = Moving(name, queue, filler_for(queue, name, kind))
    size = 128 if way == "words ahead" else 2048
    counts = []
    for _ in range(38):
        with launches() as count:
            moving.draw(size)
        counts.append(count[0])
    moving.check()
    assert sum(counts[2:]) / len(counts[2:]) < (1.8 if way == "words ahead" else 2)
    assert counts.count(1) >= 30


@WAYS
@KINDS
@ALL
@pytest.mark.usefixtures("ahead")
@pytest.mark.parametrize("seed", range(3))
def test_any_requests_in_any_order(queue: cl.CommandQueue, name: str, kind: str, way: str, seed: int) -> None:
    """Several streams by turns, each with sizes that repeat, and with moves forward and back in between."""
    assert way
    filler, random = filler_for(queue, name, kind), Random(seed)
    streams = [Moving(name, queue, filler) for _ in range(2)]
    for _ in range(60):
        moving = random.choice(streams)
        size, apart = random.choice([1, 3, 64, 100, 1000, 2048, 2500]), random.choice([0, 0, 0, 0, 17, 1000])
        for _ in range(random.choice([1, 1, 3, 7])):
            if moving.place + size + apart < LONGEST:
                moving.draw(size, random.choice([0, 0, 0, 5]))
                moving.move(apart)
        if random.random() < 0.2:
            moving.move(-random.choice([moving.place, min(size, moving.place), moving.place // 2]))
    for moving in streams:
        moving.check()


@WAYS
@KINDS
@pytest.mark.usefixtures("ahead")
def test_back_by_a_request(queue: cl.CommandQueue, kind: str, way: str) -> None:
    """The same request again, where its states were made ahead, has the same values."""
    for name in ("words of 4 bytes", "a large order"):
        moving = Moving(name, queue, filler_for(queue, name, kind))
        for _ in range(25):
            moving.draw(2048 if way == "states ahead" else 100)
        for size in (2048, 2048, 4096, 100, 100, 300):
            moving.move(-size)
            moving.draw(size)
            moving.draw(size)
        moving.check()


@pytest.mark.slow
@WAYS
@pytest.mark.usefixtures("ahead")
def test_requests_in_equal_steps(queue: cl.CommandQueue, way: str) -> None:
    """As those of one device are, where several share a sequence."""
    for name in ("words of 4 bytes", "a large order"):
        moving = Moving(name, queue, filler_for(queue, name, "gpu"))
        for _ in range(20):
            moving.draw(1000 if way == "states ahead" else 90)
            moving.move(2000)
        moving.check()


def refuse(*_: object) -> None:
    raise AssertionError("the host computed a jump")


@WAYS
@KINDS
@ALL
@pytest.mark.parametrize("size", [40, 1500])
@pytest.mark.usefixtures("ahead")
def test_the_host_does_not_jump_between_places_in_equal_steps(
    queue: cl.CommandQueue, name: str, kind: str, way: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert way
    filler, bits, reached, far = filler_for(queue, name, kind), GENERATORS[name].jumped(10**15), Reached(), 10**12
    found, starts = [], []
    for turn in range(9):
        if turn == 5:
            monkeypatch.setattr(clrng.LaggedFibonacci, "state_after", refuse)
            monkeypatch.setattr(jump_tree.JumpTree, "_weights", refuse)
        found.append(cla.Array(queue, size, bits.dtype))
        starts.append(10**15 + turn * far)
        filler.fill(RAW, found[-1], bits, reached)
        bits = pickle.loads(pickle.dumps(bits)).advance(far)  # with equal words, not the same
    monkeypatch.undo()
    for out, place in zip(found, starts, strict=True):
        assert_array_equal(out.get(), GENERATORS[name].jumped(place).sequence(size))


@WAYS
@KINDS
@pytest.mark.usefixtures("ahead")
def test_in_any_order(any_order: cl.CommandQueue, kind: str, way: str) -> None:
    """On a queue without an order nothing is overwritten that is still read."""
    for name in ("words of 4 bytes", "a large order"):
        filler = filler_for(any_order, name, kind)
        streams = [Moving(name, any_order, filler) for _ in range(2)]
        for i in range(80):
            streams[i % 2].draw((2000 if way == "states ahead" else 100) + (i % 30 == 0))
        for moving in streams:
            moving.check()


@pytest.mark.slow
@WAYS
@pytest.mark.usefixtures("ahead")
def test_all_transforms_by_turns(queue: cl.CommandQueue, way: str) -> None:
    """Values of one step and of several, of the same words."""
    for name in ("words of 4 bytes", "8 bytes shown as 4"):
        bits = GENERATORS[name]
        rng, place, times = clrng.Generator(bits.copy(), queue), 0, 12 if way == "words ahead" else 6
        plain = bits.copy()
        for _ in range(times):
            for size in (70, 500, 3):
                assert_array_equal(rng.random_raw(size).get(), sequence(name)[place : place + size])
                plain.advance(size)
                place += size
                other = clrng.Generator(plain.copy(), queue)  # which has nothing ahead
                assert_array_equal(rng.standard_normal(size).get(), other.standard_normal(size).get())
                place = place_of(rng, bits, place, size)
                plain = bits.jumped(place)
                assert_array_equal(rng.random(size).get(), clrng.Generator(plain.copy(), queue).random(size).get())
                place, plain = place + size, plain.advance(size)
                assert rng.bit_generator == plain


def place_of(rng: clrng.Generator, bits: clrng.LaggedFibonacci, place: int, size: int) -> int:
    """Return where `rng` stands after `size` values of one step or of two."""
    return next(place + steps * size for steps in (1, 2) if rng.bit_generator == bits.jumped(place + steps * size))


@WAYS
@pytest.mark.usefixtures("ahead")
def test_threads_that_share_a_generator(queue: cl.CommandQueue, way: str) -> None:
    for name in ("words of 4 bytes", "a large order"):
        rng, found = clrng.Generator(GENERATORS[name].copy(), queue), []
        size, calls = (100, 30) if way == "words ahead" else (1000, 8)

        def draw(rng: clrng.Generator = rng, found: list[cla.Array] = found, n: int = size, calls: int = calls) -> None:
            found.extend([rng.random_raw(n) for _ in range(calls)])

        threads = [Thread(target=draw) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rows = sorted(piece.get().tolist() for piece in found)
        assert rows == sorted(sequence(name)[: 4 * calls * size].reshape(-1, size).tolist())


FILES = {str(module.__file__) for module in (fill_lagged, jump_tree, convert)}


@contextmanager
def interrupted(number: int) -> Iterator[list[int]]:
    """Interrupt before the `number`-th bytecode of the modules that look ahead; yield how many there were."""
    reached = [0]
    sys._getframe().f_trace_opcodes = True  # Python 3.12 must know before it begins to trace
    sys.settrace(opcodes(FILES, number, reached))
    try:
        yield reached
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)


@WAYS
@pytest.mark.usefixtures("ahead")
def test_interrupts_at_bytecodes(queue: cl.CommandQueue, way: str) -> None:
    """A call that is interrupted moves nothing on, and the next has the values that it would have had."""
    for name in ("words of 4 bytes", "a large order"):
        moving, size = Moving(name, queue, filler_for(queue, name, "gpu")), 100 if way == "words ahead" else 700
        for number in range(1, 4000, 61):
            for _ in range(number % 4 + 1):
                moving.draw(size)
            place = moving.place
            with interrupted(number):
                moving.draw(size)
            assert moving.place in (place, place + size)
            moving.draw(size)
            moving.check()
            moving.move(-moving.place if moving.place > LONGEST // 2 else 0)


def test_a_table_whose_request_was_interrupted_has_the_states_of_the_next() -> None:
    words, states = (1, 2), np.zeros(3 * 4)
    for number in range(1, 100):
        table = jump_tree.StateTable((words, 50), (4, 10), 40, states)  # type: ignore[arg-type]
        with interrupted(number) as reached:
            table.take((words, 50), (4, 10))
        if reached[0] < number:
            break
        assert table.take((words, 90), (4, 10)) in (None, 7)
    assert 10 < number < 99


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_windows_of_the_usual_size(queue: cl.CommandQueue, kind: str) -> None:
    for name in ("words of 4 bytes", "a large order"):
        info = replace(describe(queue.device), kind=kind)
        executor = Executor(queue, info, code_for(name))
        bits, reached, dtype = GENERATORS[name].copy(), Reached(), "float32"
        for size in (1000, 1000, 1001, 5000, 7):
            out = cla.Array(queue, size, np.float32)
            executor.fill(UNIFORM[dtype], out, bits, reached)
            raw = bits.sequence(size)
            bits.advance(size)
            expected = [(x << 24) // bits.upper_bound / 2**24 for x in raw.tolist()]
            assert_array_equal(out.get(), np.array(expected, np.float32))
