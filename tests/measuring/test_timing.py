"""The measurements measure what they say: never how fast it was."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.generators.arithmetic import ARITHMETICS
from clrng.measuring import timing
from clrng.opencl.devices import describe
from tests.quality.test_verify import broken, written

Exact = tuple[cl.CommandQueue, str]


def test_the_wall_writes_all_of_the_buffer(queue: cl.CommandQueue) -> None:
    for shape in timing.store_plans(describe(queue.device)):
        out = cla.to_device(queue, np.full(2**14, 2**32 - 1, np.uint32))
        timing.store(queue, shape, out)()
        assert (out.get() != 2**32 - 1).all()


def test_a_wrong_fill_is_not_measured(exact: Exact, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, name = exact
    out = cla.zeros(queue, 5000, np.uint32)
    timing.filling(queue, clrng.ParkMiller(seed=1), out, name).call()
    right = clrng.ParkMiller.sequence
    monkeypatch.setattr(clrng.ParkMiller, "sequence", lambda self, n: right(self, n) + (self.word != 1))
    with pytest.raises(clrng.ClrngError, match="ParkMiller.* gave wrong values near 2000"):
        timing.filling(queue, clrng.ParkMiller(seed=1), out, name)


def test_wrong_steps_in_registers_are_not_measured(exact: Exact) -> None:
    queue, name = exact
    work = timing.stepping(queue, written(ARITHMETICS[name]), 10)
    width, interleaved, items, _ = timing.register_shape(describe(queue.device), written(ARITHMETICS[name]))
    assert work.values == 10 * width * interleaved * items
    work.call()
    with pytest.raises(clrng.ClrngError, match="gave wrong states in registers"):
        timing.stepping(queue, written(broken(name)), 10)


def test_what_is_wrong_in_the_end_is_not_told(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    out = cla.zeros(queue, 5000, np.uint32)
    works = {"fill": timing.filling(queue, clrng.ParkMiller(seed=1), out, "integer")}
    *_, rates = timing.rounds(queue, works, 1, None)
    assert list(rates) == ["fill"]
    right = clrng.ParkMiller.sequence
    monkeypatch.setattr(clrng.ParkMiller, "sequence", lambda self, n: right(self, n) + 1)
    with pytest.raises(clrng.ClrngError, match="ParkMiller.* gave wrong values near 0"):
        list(timing.rounds(queue, works, 1, None))


def test_rounds_compare_within_a_round(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    durations = iter([1.0, 2.0, 4.0, 4.0, 1.0, 4.0])
    monkeypatch.setattr(timing, "seconds", lambda *_: next(durations))
    works = {name: timing.Work(8, lambda: None) for name in ("wall", "half")}
    *_, last = timing.rounds(queue, works, 3, "wall")
    assert last == {
        "wall": {"rate": 8.0, "low": 2.0, "high": 8.0, "ratio": 1.0},
        "half": {"rate": 2.0, "low": 2.0, "high": 4.0, "ratio": 0.5},
    }
