"""Calls that are left in the middle: streams are then all where they were before the call, or where it leads."""

import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import Streams
from clrng.fill import jump_tree, stream_states
from clrng.opencl.kernel import Kernel
from tests.support.opcodes import opcodes
from tests.support.processes import said

COUNT, APART, STEPS = 5, 1000, 17
RINGS = clrng.LaggedFibonacci((37, 100), "+", seed=4)
JUMPED: dict[str, clrng.BitGenerator] = {
    "park_miller": clrng.ParkMiller(seed=1),
    "mrg32k3a": clrng.MRG32k3a(seed=2),
    "registers": clrng.LaggedFibonacci((5, 17), "+", seed=3),
    "rings": RINGS,
}
DEALT: dict[str, clrng.BitGenerator] = {"park_miller": clrng.ParkMiller(seed=5), "registers": JUMPED["registers"]}
CASES = [*((name, 1) for name in JUMPED), *((name, COUNT) for name in DEALT)]
KINDS = pytest.mark.parametrize("keep", ["all", "last"])
ALL = pytest.mark.parametrize(("name", "step"), CASES)


@pytest.fixture(autouse=True)
def short_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make five launches of `STEPS` steps."""
    monkeypatch.setattr(stream_states, "STEPS_OF_LAUNCH", 4)


class Reference:
    """Streams, and where they have to be."""

    def __init__(self, queue: cl.CommandQueue, name: str, step: int) -> None:
        self.step = step
        if step == 1:
            bits = JUMPED[name].jumped(0)
            self.streams = Streams.by_jumps(bits, COUNT, APART, queue)
            self.starts = [bits.jumped(i * APART) for i in range(COUNT)]
        else:
            bits = DEALT[name].jumped(0)
            self.streams = Streams.by_leapfrog(bits, COUNT, queue)
            self.starts = [bits.with_state(bits.state_after(bits.words, i + 1 - COUNT)) for i in range(COUNT)]

    def states(self, steps: int) -> list[list[int]]:
        """Return the states after so many more steps."""
        return [list(start.state_after(start.words, steps * self.step)) for start in self.starts]

    def follow(self, steps: int) -> None:
        """Assert that the streams are where they were or `steps` on, and go on from there."""
        found = self.streams.states.reshape(COUNT, -1).tolist()
        assert found in (self.states(0), self.states(steps))
        self.move(steps if found == self.states(steps) else 0)
        self.goes_on()

    def move(self, steps: int) -> None:
        """Take note that the streams have moved on."""
        self.starts = [
            start.with_state(tuple(words)) for start, words in zip(self.starts, self.states(steps), strict=True)
        ]

    def goes_on(self) -> None:
        """Assert that the next values are right."""
        values: list[npt.NDArray[Any]] = [
            start.sequence(3 * self.step)[self.step - 1 :: self.step] for start in self.starts
        ]
        assert_array_equal(self.streams.random_raw(3).get(), np.array(values).T)
        self.move(3)


@contextmanager
def interrupted_launch(number: int, *, made: bool) -> Iterator[list[int]]:
    """Interrupt a launch of any kernel, before it or when it is made; yield a list that has its number then."""
    call, launches, found = Kernel.__call__, [0], []

    def interrupting(self: Kernel, *arguments: Any, **options: Any) -> cl.Event:
        launches[0] += 1
        if launches[0] == number + 1:
            found.append(number)
            if made:
                call(self, *arguments, **options)
            raise KeyboardInterrupt
        return call(self, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "__call__", interrupting)
        yield found


@KINDS
@ALL
@pytest.mark.parametrize("made", [False, True], ids=["before", "after"])
def test_interrupts_at_every_launch(queue: cl.CommandQueue, name: str, step: int, keep: str, made: bool) -> None:
    reference = Reference(queue, name, step)
    reference.goes_on()
    for number in range(30):
        with interrupted_launch(number, made=made) as found, suppress(KeyboardInterrupt):
            reference.streams.random_raw(STEPS, keep)
        if not found:
            break
        reference.follow(STEPS)
    assert number >= 1


@pytest.mark.parametrize(("name", "step"), [case for case in CASES if case != ("registers", COUNT)])
@pytest.mark.parametrize("count", [4, 5, 16, 31, 32])
def test_streams_of_all_work_items(
    queue: cl.CommandQueue, name: str, step: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The launches note down what they have made however many streams their last work-item has."""
    monkeypatch.setattr(stream_states, "GROUP_SIZE", 1)
    bits = JUMPED[name].jumped(0)
    make = Streams.by_jumps if step == 1 else Streams.by_leapfrog
    streams, expected = make(bits, count, queue=queue), make(bits, count, queue=queue)
    expected.random_raw(STEPS)
    with interrupted_launch(0, made=True), pytest.raises(KeyboardInterrupt):
        streams.random_raw(STEPS)
    assert_array_equal(streams.states, expected.states)


def test_a_completion_that_is_interrupted_is_completed(queue: cl.CommandQueue) -> None:
    proved, reference = (Reference(queue, "rings", 1) for _ in range(2))
    proved.streams.random_raw(STEPS)  # which launches more
    pickle.dumps(proved.streams)
    with interrupted_launch(1, made=True), pytest.raises(KeyboardInterrupt):
        reference.streams.random_raw(STEPS)
    for _ in range(2):
        with interrupted_launch(1, made=False), pytest.raises(KeyboardInterrupt):
            pickle.dumps(reference.streams)
    assert reference.streams.states.tolist() == reference.states(STEPS)


def test_an_error_of_opencl_between_two_launches(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    Reference(queue, "park_miller", 1).streams.random_raw(STEPS)  # proves the kernels
    reference = Reference(queue, "park_miller", 1)
    enqueue, launches = cl.enqueue_nd_range_kernel, iter(range(100))
    launch = Kernel.__call__

    def failing(
        self: Kernel, target: cl.CommandQueue, items: int, group: int | None, /, *rest: Any, **more: Any
    ) -> Any:
        if next(launches) == 2:
            enqueue(target, self._kernel, (0, 0, 0, 0), None)  # more dimensions than there are
        return launch(self, target, items, group, *rest, **more)

    monkeypatch.setattr(Kernel, "__call__", failing)
    with pytest.raises(cl.Error):
        reference.streams.random_raw(STEPS)
    assert reference.streams.states.tolist() == [state[0] for state in reference.states(STEPS)]
    assert next(launches) > 3


def interrupted_bytecode(call: Callable[[], object], number: int) -> bool:
    """Interrupt `call` before a bytecode of the modules that move streams on; return whether it came so far."""
    files = {str(module.__file__) for module in (stream_states, jump_tree, clrng.fill.fill_lagged)}
    reached = [0]
    sys._getframe().f_trace_opcodes = True  # Python 3.12 must know before it begins to trace
    sys.settrace(opcodes(files, number, reached))
    try:
        call()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
    return reached[0] >= number


@ALL
def test_interrupts_at_bytecodes(queue: cl.CommandQueue, name: str, step: int) -> None:
    reference, number = Reference(queue, name, step), 1
    reference.streams.random_raw(9)
    reference.move(9)
    while interrupted_bytecode(lambda: reference.streams.random_raw(9), number):
        reference.follow(9)
        number += 7
    assert number > 100


@pytest.mark.parametrize("name", JUMPED)
def test_interrupts_while_states_are_set(queue: cl.CommandQueue, name: str) -> None:
    reference, number = Reference(queue, name, 1), 1
    reference.goes_on()
    for number in range(1, 1000, 3):
        states = np.reshape(reference.states(11), reference.streams.states.shape)
        if not interrupted_bytecode(lambda: setattr(reference.streams, "states", states), number):  # noqa: B023
            break
        reference.follow(11)
    assert number > 20


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are not signals there")
@pytest.mark.parametrize("name", JUMPED)
def test_signals_at_any_time(device: clrng.DeviceInfo, name: str) -> None:
    assert int(said("-m", "tests.support.interrupted_streams", device.index, name)) >= 20


def test_the_result_of_a_call_after_an_interrupt(queue: cl.CommandQueue) -> None:
    """What an interrupted call of a generator has launched does not disturb the next one."""
    for bits in (JUMPED["registers"].jumped(0), RINGS.jumped(0)):
        rng = clrng.Generator(bits.jumped(0), queue)
        for number in range(20):
            with interrupted_launch(number, made=True) as found, suppress(KeyboardInterrupt):
                rng.random_raw(40_000)
            if not found:
                break
            assert rng.bit_generator == bits
        out = cla.Array(queue, 1000, bits.dtype)
        assert_array_equal(rng.random_raw(out=out).get(), bits.jumped(40_000).sequence(1000))
