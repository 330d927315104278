"""Nothing that is raised in a callback gets lost, ends the numbers or keeps the lock."""

import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.frontends.for_numpy import callbacks
from clrng.frontends.for_numpy.callbacks import Lock
from clrng.opencl.undisturbed import in_turn
from tests.support.opcodes import opcodes

BITS = clrng.ParkMiller(seed=1)


@contextmanager
def interrupted(number: int, times: int = 1) -> Iterator[list[int]]:
    """Interrupt before the `number`-th bytecode of callbacks, and before those that follow it."""
    reached = [0]
    one = opcodes({callbacks.__file__}, number, reached)

    def trace(frame: Any, event: str, argument: Any) -> Any:
        found = one(frame, event, argument) and trace
        if event == "opcode" and number < reached[0] < number + times:
            raise KeyboardInterrupt
        return found

    sys._getframe().f_trace_opcodes = True  # Python 3.12 must know before it begins to trace
    sys.settrace(trace)
    try:
        yield reached
    finally:
        sys.settrace(None)


def held_by_nobody(lock: Lock) -> bool:
    """Return whether another thread can take a lock."""
    found = []

    def take() -> None:
        found.append(lock.acquire(timeout=10))
        if found[0]:
            lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # what ctypes says of those that get out
@pytest.mark.parametrize("times", [1, 2, 3, 40])
def test_interrupts_at_every_bytecode(times: int) -> None:
    """However many there are, the call raises one of them; after one or two the stream stands behind the call."""
    missed = 0
    for number in range(1, 400, 3):
        bits = clrng.numpy_bit_generator(BITS)
        rng = np.random.Generator(bits)
        rng.random(500)
        rng.integers(2**32, size=1, dtype=np.uint32)  # three steps
        with interrupted(number, times) as reached:
            try:
                rng.random(20)
            except KeyboardInterrupt:
                pass
            else:
                missed += reached[0] >= number
        assert missed == 0
        if reached[0] < number:
            break
        assert held_by_nobody(bits.lock)
        place = bits.bits
        if times <= 2:
            assert place == BITS.jumped(523)
        assert place in [BITS.jumped(steps) for steps in range(503, 524)]
        assert_array_equal(rng.random(2000), place.sequence(2000) / BITS.upper_bound)
    assert number > 40


class Signalling:
    """A bit generator whose lock sends the process a signal, in C, when it has been taken."""

    def __init__(self, bits: Any) -> None:
        self.capsule, self.lock = bits.capsule, SignallingLock(bits.lock)


class SignallingLock:
    """Its lock."""

    __slots__ = ("__enter__", "__exit__")

    def __init__(self, lock: Any) -> None:
        signalled = partial(ctypes.CDLL(None)["raise"], signal.SIGINT)  # Python's own would look for signals at once
        self.__enter__ = in_turn(lock.acquire, signalled)
        self.__exit__ = lock.__exit__


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are not signals there")
@pytest.mark.parametrize("call", [lambda rng: rng.random(5), lambda rng: rng.integers(9, size=5)])
def test_an_interrupt_that_waits_for_the_first_bytecode(call: Callable[[Any], Any]) -> None:
    """No bytecode is run between the signal and the first callback of a kind, which is the first to see it."""
    bits: Any = clrng.numpy_bit_generator(BITS)
    rng = np.random.Generator(Signalling(bits))  # type: ignore[arg-type]  # all that it looks at
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for _ in range(2):  # the second time there is no callback that runs Python code
            with pytest.raises(KeyboardInterrupt):
                call(rng)
    finally:
        signal.signal(signal.SIGINT, before)
    assert held_by_nobody(bits.lock)
    place = bits.bits
    assert_array_equal(np.random.Generator(bits).random(2000), place.sequence(2000) / BITS.upper_bound)
