"""Fork processes that have used OpenCL: ``python -m tests.support.forks DEVICE``, in a process of its own.

A library such as CuPy, which others of the tests load, may end every process that is forked from one with it. Prints a
line for each case: its name, and what went wrong, as JSON.
"""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from tests.support import oracle

SECONDS = 100
"""After which a forked process is taken to hang: far more than it takes on a busy machine."""

REFUSED = "OpenCL does not work in process [0-9]+, which was forked from process [0-9]+ .* 'spawn'"


def forked(call: Callable[[], object]) -> int:
    """Return what a forked process ends with: 0 if `call` does not fail there, -SIGALRM if it takes too long."""
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        try:
            call()
        except BaseException:  # noqa: BLE001  # the end of the process tells
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def refused(call: Callable[[], object]) -> None:
    """Assert that `call` is refused in a forked process."""

    def asking() -> None:
        with pytest.raises(clrng.ForkError, match=REFUSED):
            call()

    assert forked(asking) == 0


def in_the_hands_of_numpy(queue: cl.CommandQueue) -> None:
    bits = clrng.numpy_bit_generator(clrng.ParkMiller(seed=1), queue)
    rng = np.random.Generator(bits)
    rng.random()

    def drawing() -> None:
        np.testing.assert_array_equal(rng.random(511), oracle.sequence(1, 511, first=2) / (2**31 - 1))

    assert forked(drawing) == 0
    refused(lambda: rng.random(512))
    refused(lambda: clrng.numpy_bit_generator(clrng.ParkMiller(seed=1)))
    drawing()


def generators(queue: cl.CommandQueue) -> None:
    for bits in (clrng.ParkMiller(seed=1), clrng.LaggedFibonacci((5, 17), "+", seed=1)):
        rng, solver = clrng.Generator(bits.jumped(0), queue), clrng.DivideAndConquer(bits.jumped(0), queue)
        solver.random_raw(10)
        for _ in range(3):
            out = rng.random_raw(10)
            rng.bit_generator.advance(-10)
        rng.random_raw(out=out)
        for front_end in (rng, solver):
            refused(lambda: front_end.random_raw(10))  # noqa: B023
            refused(lambda: front_end.random_raw(out=out))  # noqa: B023
        refused(lambda: rng.random(10))  # noqa: B023
        for order in (lambda: rng.permutation(np.arange(9)), lambda: rng.shuffle(out), lambda: rng.choice(9, 5, False)):  # noqa: B023
            refused(order)
        np.testing.assert_array_equal(rng.random_raw(10).get(), bits.sequence(20)[10:])


def arrays_of_several_devices(queue: cl.CommandQueue) -> None:
    found = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), [queue]).random_raw(10)
    refused(found.get)
    refused(found.wait)  # type: ignore[attr-defined]  # it is a MultiDeviceArray


def results(queue: cl.CommandQueue) -> None:
    x: Any = clrng.Generator(clrng.ParkMiller(seed=1), queue).random_raw(10)
    for call in (
        x.to_numpy, x.get, x.sum, x.copy, x[:1].item, lambda: np.asarray(x), lambda: np.sort(x), lambda: repr(x),
        lambda: x[[1, 2]], lambda: x + 1, lambda: x > 3, lambda: x.fill(1), lambda: np.from_dlpack(x), x.__dlpack__,
    ):  # fmt: skip
        refused(call)
    np.testing.assert_array_equal(x.to_numpy(), oracle.sequence(1, 10))


def streams(queue: cl.CommandQueue) -> None:
    for make in (clrng.Streams.by_jumps, clrng.Streams.by_leapfrog):
        made = make(clrng.ParkMiller(seed=1), 5, queue=queue)
        states = made.states
        refused(lambda: made.random_raw(2))  # noqa: B023
        refused(lambda: made.random(2, keep="last"))  # noqa: B023
        refused(lambda: made.states)  # noqa: B023
        refused(lambda: setattr(made, "states", states))  # noqa: B023
        refused(made.__getstate__)
        np.testing.assert_array_equal(made.states, states)


def devices_and_queues(queue: cl.CommandQueue) -> None:
    bits = clrng.ParkMiller(seed=1)
    for call in (
        clrng.list_devices, clrng.make_queue, clrng.choose_device,
        lambda: clrng.Generator(bits), lambda: clrng.Generator(bits, queue),
        lambda: clrng.Streams.by_jumps(bits, 5), lambda: clrng.DivideAndConquer(bits, queue),
    ):  # fmt: skip
        refused(call)


def bit_generators_work(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    rng.random_raw(5)

    def on_the_host() -> None:
        bits = rng.bit_generator
        np.testing.assert_array_equal(bits.sequence(5), oracle.sequence(1, 5, first=6))
        state = bits.state
        bits.advance(10).jumped(3)
        bits.state = state
        np.testing.assert_array_equal(bits.sequence(5), oracle.sequence(1, 5, first=6))
        assert clrng.LaggedFibonacci((5, 17), "+", seed=1).advance(10**9).state

    assert forked(on_the_host) == 0


def a_fork_of_a_fork(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)

    def again() -> None:
        refused(lambda: rng.random_raw(1))
        refused(clrng.make_queue)

    assert forked(again) == 0


CASES: dict[str, Callable[[cl.CommandQueue], None]] = {
    "in the hands of NumPy": in_the_hands_of_numpy,
    "generators": generators,
    "arrays of several devices": arrays_of_several_devices,
    "results": results,
    "streams": streams,
    "devices and queues": devices_and_queues,
    "bit generators work": bit_generators_work,
    "a fork of a fork": a_fork_of_a_fork,
}


def main() -> None:
    """Run every case on a device."""
    queue = clrng.make_queue(int(sys.argv[1]))
    for name, case in CASES.items():
        wrong = ""
        try:
            case(queue)
        except Exception:  # noqa: BLE001  # the others are run too
            wrong = traceback.format_exc()
        print(json.dumps([name, wrong]), flush=True)
    os._exit(0)  # as some drivers fail when a process takes them down


if __name__ == "__main__":
    main()
