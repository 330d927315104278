"""Calls that signals do not disturb, and calls at once."""

import gc
import signal
import sys
import threading
import time
from collections.abc import Callable

import pytest

from clrng.opencl.undisturbed import Latch, at_once, in_turn, undisturbed
from tests.support.timer import Timer

TIMERS = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")


class RefusedError(Exception):
    """What a call raises."""


def refuse() -> None:
    raise RefusedError


def test_results_and_errors() -> None:
    assert undisturbed(lambda: 5) == 5
    assert undisturbed(threading.current_thread) is not threading.current_thread()
    with pytest.raises(RefusedError):
        undisturbed(refuse)
    with pytest.raises(SystemExit):
        undisturbed(lambda: sys.exit(3))


def test_nothing_is_left_of_a_call() -> None:
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(100):
            with pytest.raises(RefusedError):
                undisturbed(refuse)
            assert undisturbed(lambda: 5) == 5
        assert len(gc.get_objects()) < before + 300
    finally:
        gc.enable()


@TIMERS
@pytest.mark.parametrize("make", [undisturbed, lambda call: at_once([call, call, call])])
def test_a_call_is_made_whole_or_not_at_all(make: Callable[[Callable[[], None]], object]) -> None:
    begun, ended = [0], [0]
    lock = threading.Lock()

    def work() -> None:
        with lock:
            begun[0] += 1
        time.sleep(0.0002)
        with lock:
            ended[0] += 1

    seen = set()
    with Timer() as timer:
        for number in range(200):
            timer.interrupt(lambda: make(work), number * 4e-6 + 1e-6, 2e-5)
            assert begun == ended
            seen.add(begun[0])
    assert len(seen) > 50


def test_all_calls_are_made_together() -> None:
    barrier, found = threading.Barrier(3), []

    def meet() -> None:
        barrier.wait(60)
        found.append(threading.current_thread())

    at_once([meet, meet, meet])
    assert len(set(found)) == 3
    at_once([])
    at_once([lambda: found.append(threading.current_thread())])
    assert found[-1] is threading.current_thread()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_error_of_one_is_raised_when_all_have_ended(place: int) -> None:
    ended: list[None] = []

    def slow() -> None:
        time.sleep(0.05)
        ended.append(None)

    calls: list[Callable[[], object]] = [slow, slow]
    calls.insert(place, refuse)
    with pytest.raises(RefusedError):
        at_once(calls)
    assert len(ended) == 2


def test_functions_in_turn() -> None:
    said: list[int] = []
    both = in_turn(lambda: said.append(1), lambda: said.append(2) or 5)
    assert both() == both() == (None, 5)
    assert said == [1, 2, 1, 2]
    first = in_turn(refuse, lambda: said.append(3))
    for _ in range(2):
        with pytest.raises(RefusedError):
            first()
    assert 3 not in said


def test_a_latch_is_shut_again() -> None:
    latch, seen = Latch(), []

    def wait() -> None:
        latch.wait()
        seen.append(None)

    threads = [threading.Thread(target=wait) for _ in range(2)]
    for thread in threads:
        thread.start()
    for count in (1, 2):
        assert len(seen) == count - 1
        latch.open()
        while len(seen) < count:
            time.sleep(0.001)
    for thread in threads:
        thread.join()
