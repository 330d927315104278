"""The C interface: what it calls lives as long as it, and errors while C code draws are raised and not lost."""

import ctypes
import gc
import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from tests.support.numpy_words import Oracle

PARK_MILLER = clrng.ParkMiller(seed=1)
LOST = clrng.ClrngError("the device is lost")


@contextmanager
def device_lost() -> Iterator[None]:
    """Let every draw on the device fail."""

    def fail(*_: object, **__: object) -> None:
        raise LOST

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clrng.Generator, "random_raw", fail)
        yield


def numpys(bits: clrng.BitGenerator = PARK_MILLER, queue: cl.CommandQueue | None = None) -> Any:
    return np.random.Generator(clrng.numpy_bit_generator(bits, queue))


def test_the_functions(queue: cl.CommandQueue) -> None:
    bits = clrng.numpy_bit_generator(PARK_MILLER, queue)
    functions, oracle = bits.ctypes, Oracle(PARK_MILLER, 100)
    for name in ("double", "uint32", "uint64", "double", "double", "uint64"):
        assert getattr(functions, f"next_{name}")(functions.state) == getattr(oracle, name)()
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    assert get_pointer(bits.capsule, b"BitGenerator") == functions.bit_generator.value
    pointers = (ctypes.c_void_p * 5).from_address(functions.bit_generator.value)
    raw = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(pointers[4])
    assert [raw(None) for _ in range(5)] == [oracle.raw() for _ in range(5)]
    assert bits.bits == PARK_MILLER.jumped(oracle.position)


def test_cffi() -> None:
    pytest.importorskip("cffi")
    bits = clrng.numpy_bit_generator(PARK_MILLER)
    assert bits.cffi.next_double(bits.cffi.state) == 16807 / (2**31 - 1)


def test_functions_live_as_long_as_numpys_generator() -> None:
    rng = numpys()
    rng.random()
    gc.collect()
    held = [bytearray(1000) for _ in range(1000)]
    assert_array_equal(rng.random(2000), PARK_MILLER.sequence(2001)[1:] / (2**31 - 1))
    assert len(held) == 1000


def test_nothing_is_left_of_it() -> None:
    gc.disable()
    try:
        rng = numpys()
        rng.gamma(2.5, size=1000)
        left = [weakref.ref(part) for part in (rng.bit_generator, rng.bit_generator._stream._position[0])]
        del rng
        assert [part() for part in left] == [None, None]
    finally:
        gc.enable()


CALLS: dict[str, Callable[[Any], Any]] = {
    "a long draw": lambda rng: rng.random(2000),
    "a single value": lambda rng: [rng.random() for _ in range(2000)],
    "gamma": lambda rng: rng.standard_gamma(0.5, 2000),
    "polar normals": lambda rng: np.random.RandomState(rng.bit_generator).standard_normal(2000),
    "integers": lambda rng: rng.integers(0, 3, 2000),
    "rejected bits": lambda rng: rng.integers(0, 2**63 + 1, 2000, dtype="uint64"),
    "shuffle": lambda rng: rng.shuffle(list(range(2000))),
    "random_raw": lambda rng: rng.bit_generator.random_raw(2000),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_error_ends_the_call_in_which_it_comes(name: str) -> None:
    rng = numpys()
    assert rng.random() == 16807 / (2**31 - 1)
    with device_lost(), pytest.raises(clrng.ClrngError) as caught:
        CALLS[name](rng)
    assert caught.value is LOST
    here = rng.bit_generator.bits
    assert here in [PARK_MILLER.jumped(steps) for steps in range(505, 513)]
    assert_array_equal(rng.random(600), here.sequence(600) / (2**31 - 1))


def test_an_error_at_each_call_while_it_lasts() -> None:
    rng = numpys()
    with device_lost():
        for _ in range(3):
            with pytest.raises(clrng.ClrngError, match="the device is lost"):
                rng.random()
    assert rng.random() == 16807 / (2**31 - 1)


ASKED: dict[str, Callable[[Any], Any]] = {
    "state": lambda bits: bits.state,
    "bits": lambda bits: bits.bits,
    "advance": lambda bits: bits.advance(1),
    "random_raw": lambda bits: bits.random_raw(),
    "lock": lambda bits: bits.lock.acquire() and bits.lock.release(),
    "numpy": lambda bits: np.random.Generator(bits).random(),
}


@pytest.mark.parametrize("name", ASKED)
def test_an_error_in_code_that_takes_no_lock_comes_at_the_next_call(name: str) -> None:
    bits = clrng.numpy_bit_generator(PARK_MILLER)
    with device_lost():
        assert 0 <= bits.ctypes.next_double(None) < 1
    with pytest.raises(clrng.ClrngError, match="the device is lost"):
        ASKED[name](bits)
    assert bits.random_raw() in (16807, 282475249)


class AlarmError(Exception):
    """What the handler of a signal raises, as that of Ctrl-C does."""


def ring(_: int, __: FrameType | None) -> None:
    raise AlarmError


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.parametrize("call", [lambda rng: rng.random(10**6), lambda rng: rng.standard_gamma(0.5, 10**5)])
def test_a_signal_ends_the_call(call: Callable[[Any], Any]) -> None:
    call(numpys())  # which builds what it needs: PoCL takes a signal in its linker for a failure
    rng = numpys()
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(AlarmError):
            call(rng)
    finally:
        signal.signal(signal.SIGALRM, before)
    here = rng.bit_generator.bits
    assert_array_equal(rng.random(600), here.sequence(600) / (2**31 - 1))


def test_threads_and_generators_share_it(queue: cl.CommandQueue) -> None:
    bits = clrng.numpy_bit_generator(PARK_MILLER, queue)
    pieces: list[Any] = []

    def draw(rng: Any) -> None:
        pieces.extend(rng.random(500) for _ in range(20))

    threads = [threading.Thread(target=draw, args=(np.random.Generator(bits),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stream = PARK_MILLER.sequence(40000) / (2**31 - 1)
    places = {value: i for i, value in enumerate(stream.tolist())}
    assert len(places) == 40000
    pieces.sort(key=lambda piece: places[piece[0]])
    assert_array_equal(np.concatenate(pieces), stream)


def test_the_lock_is_one_lock() -> None:
    bits = clrng.numpy_bit_generator(PARK_MILLER)
    found = []
    with bits.lock:
        other = threading.Thread(target=lambda: found.append(bits.lock.acquire(blocking=False)))
        other.start()
        other.join()
        assert found == [False]
        assert np.random.Generator(bits).random() == 16807 / (2**31 - 1)
    assert bits.lock.acquire(timeout=1)
    bits.lock.release()
