"""Processes forked from one that has used OpenCL, which cannot use it: they are told so and do not wait for ever."""

import multiprocessing
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable

import numpy as np
import pyopencl as cl
import pytest

import clrng
from tests.support import oracle

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]
SECONDS = 20
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


def test_in_the_hands_of_numpy(queue: cl.CommandQueue) -> None:
    bits = clrng.numpy_bit_generator(clrng.ParkMiller(seed=1), queue)
    rng = np.random.Generator(bits)
    rng.random()

    def drawing() -> None:
        np.testing.assert_array_equal(rng.random(511), oracle.sequence(1, 511, first=2) / (2**31 - 1))

    assert forked(drawing) == 0
    refused(lambda: rng.random(512))
    refused(lambda: clrng.numpy_bit_generator(clrng.ParkMiller(seed=1)))
    drawing()


def test_generators(queue: cl.CommandQueue) -> None:
    for bits in (clrng.ParkMiller(seed=1), clrng.LaggedFibonacci((5, 17), "+", seed=1)):
        rng, solver = clrng.Generator(bits.jumped(0), queue), clrng.DivideAndConquer(bits.jumped(0), queue)
        out = rng.random_raw(10)
        solver.random_raw(10)
        for front_end in (rng, solver):
            refused(lambda: front_end.random_raw(10))  # noqa: B023
            refused(lambda: front_end.random_raw(out=out))  # noqa: B023
        refused(lambda: rng.random(10))  # noqa: B023
        np.testing.assert_array_equal(rng.random_raw(10).get(), bits.sequence(20)[10:])


def test_arrays_of_several_devices(queue: cl.CommandQueue) -> None:
    found = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), [queue]).random_raw(10)
    refused(found.get)
    refused(found.wait)  # type: ignore[attr-defined]  # it is a MultiDeviceArray


def test_streams(queue: cl.CommandQueue) -> None:
    for make in (clrng.Streams.by_jumps, clrng.Streams.by_leapfrog):
        streams = make(clrng.ParkMiller(seed=1), 5, queue=queue)
        states = streams.states
        refused(lambda: streams.random_raw(2))  # noqa: B023
        refused(lambda: streams.random(2, keep="last"))  # noqa: B023
        refused(lambda: streams.states)  # noqa: B023
        refused(lambda: setattr(streams, "states", states))  # noqa: B023
        refused(streams.__getstate__)
        np.testing.assert_array_equal(streams.states, states)


def test_devices_and_queues(queue: cl.CommandQueue) -> None:
    bits = clrng.ParkMiller(seed=1)
    for call in (
        clrng.list_devices, clrng.make_queue, clrng.choose_device,
        lambda: clrng.Generator(bits), lambda: clrng.Generator(bits, queue),
        lambda: clrng.Streams.by_jumps(bits, 5), lambda: clrng.DivideAndConquer(bits, queue),
    ):  # fmt: skip
        refused(call)


def test_bit_generators_work(queue: cl.CommandQueue) -> None:
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


def test_a_fork_of_a_fork(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)

    def again() -> None:
        refused(lambda: rng.random_raw(1))
        refused(clrng.make_queue)

    assert forked(again) == 0


def drawn(seed: int) -> list[int]:
    found: list[int] = clrng.Generator(clrng.ParkMiller(seed)).random_raw(3).get().tolist()
    return found


def test_processes_that_are_spawned(device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLRNG_DEVICE", str(device.index))
    assert len(clrng.list_devices()) > 0
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(drawn, (1,)).get(SECONDS * 3) == [16807, 282475249, 1622650073]


FORKED_FIRST = """
import os, clrng
bits = clrng.ParkMiller(seed=1)
child = os.fork()
assert clrng.Generator(bits).random_raw(3).get().tolist() == [16807, 282475249, 1622650073]
if child:
    assert os.waitpid(child, 0)[1] == 0
"""


def test_a_fork_before_opencl_is_used() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED_FIRST], check=True, timeout=SECONDS * 3)
