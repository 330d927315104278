"""Kernels that make numbers are proved before anybody sees them: with errors that are planted on purpose."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.fill import fill
from clrng.generators import BitGenerator, source
from clrng.opencl import caches, ledger
from clrng.opencl.kernel import Kernel
from clrng.proof import prove
from tests.support.generators import GENERATORS

KINDS: dict[str, BitGenerator] = {
    "strides": clrng.ParkMiller(seed=1),
    "blocks": GENERATORS["xorwow"],
    "registers": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "lines": clrng.LaggedFibonacci((418, 1279), "+", seed=1),
    "binary": clrng.MT19937(seed=5489),
}
"""A generator of each way to fill."""

ANY = pytest.mark.parametrize("name", KINDS)


def draw_all(bits: BitGenerator, queue: cl.CommandQueue) -> None:
    """Draw in every way that there is."""
    rng = clrng.Generator(bits.copy(), queue)
    rng.random_raw(100)
    rng.normal(size=7)
    rng.normal(size=9)  # from words that are made ahead, where there are any
    rng.poisson(3.5, 7)
    rng.poisson(np.linspace(0, 9, 1100), dtype="int8")
    rng.gamma([1.5, 2.5])
    rng.integers(6, size=(40, 30))
    rng.random_raw(3_000_000)
    rng.piece(1, 3).random((30, 4))
    rng.random(out=np.zeros((20, 30), np.float32)[::2, ::3])
    for streams in (clrng.Streams.by_jumps(bits, 40, 10, queue), clrng.Streams.by_leapfrog(bits, 40, queue)):
        streams.random_raw(5)
        streams.random(3, keep="last")
        streams.sample(clrng.distribution("poisson", lam=3), 3)


@ANY
def test_nothing_is_launched_unproved(fresh: cl.CommandQueue, name: str) -> None:
    ledger.UNPROVED.clear()
    draw_all(KINDS[name], fresh)
    assert not ledger.UNPROVED


@ANY
def test_what_is_proved_is_not_proved_again(fresh: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_all(KINDS[name], fresh)
    ledger.of_device.cache_clear()  # another process reads what this one has written

    def again(*_: Any, **__: Any) -> None:
        raise AssertionError("proved again")

    monkeypatch.setattr(prove, "compare", again)
    monkeypatch.setattr(prove.ledger, "marked", again)
    context = cl.Context([fresh.device])
    draw_all(KINDS[name], cl.CommandQueue(context))


def planted(monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    """Change the text of kernels that fill."""
    kernel = source.kernel

    def changed(*arguments: Any, **options: Any) -> str:
        text = kernel(*arguments, **options)
        assert right in text or "__kernel void fill(" not in text
        return text.replace(right, wrong)

    monkeypatch.setattr(source, "kernel", changed)


TILE = "uint tile = item * first_tile;"
WRONG_LANE = f"{TILE}\n    if (item == 3) tile += 1;"


def refused(queue: cl.CommandQueue, bits: BitGenerator) -> str:
    """Return the message of the error with which numbers are refused; the stream must not move."""
    rng = clrng.Generator(bits.copy(), queue)
    out = np.full(10, 7, bits.dtype)
    with pytest.raises(clrng.WrongNumbersError) as raised:
        rng.random_raw(out=out)
    assert rng.bit_generator == bits
    assert (out == 7).all()
    assert raised.value.device == queue.device.name
    return str(raised.value)


def test_an_error_in_one_work_item_is_found(fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, TILE, WRONG_LANE)
    message = refused(fresh, KINDS["strides"])
    for part in (fresh.device.name, fresh.device.platform.name, fresh.device.driver_version, "kernel fill", " not "):
        assert part in message
    assert "What to do: take another device=" in message


def test_an_error_in_one_lane_of_a_vector_is_found(fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = clrng.Generator(KINDS["strides"].copy(), fresh)
    plan = fill.choose_strides(rng.device, rng._executor.code, 4, streaming=False)
    if plan.width == 1:
        pytest.skip("no vectors here")
    word = "s_word_0(s);"
    planted(monkeypatch, f"lanes[place] = {word}", f"lanes[place] = {word} if (lane == 5) lanes[place] ^= 1;")
    assert "value" in refused(fresh, KINDS["strides"])


@ANY
def test_a_driver_that_is_wrong_at_place_5000_is_found(
    fresh: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = Kernel.__call__

    def wrong(self: Kernel, queue: Any, *arguments: Any, **options: Any) -> cl.Event:
        event = launch(self, queue, *arguments, **options)
        if self.name.startswith("fill"):
            memory = arguments[2 if self.name in ("fill", "fill_blocks") else 5]  # that of the values
            if memory.size > 5001 * 4:
                return cl.enqueue_fill_buffer(queue, memory, b"\1\2\3\4", 5000 * 4, 4, wait_for=[event])
        return event

    monkeypatch.setattr(Kernel, "__call__", wrong)
    assert "value" in refused(fresh, KINDS[name])


def test_a_device_with_wrong_numbers_is_known_as_broken(
    fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, device: clrng.DeviceInfo
) -> None:
    assert device.fault is None
    planted(monkeypatch, TILE, WRONG_LANE)
    message = refused(fresh, KINDS["strides"])
    assert device.fault == message.splitlines()[0]
    sound = [info for info in clrng.list_devices() if info.fault is None]  # not other devices of the same name either
    assert device.device not in [info.device for info in sound]
    assert clrng.choose_device().device == (sound or clrng.list_devices())[0].device
    ledger.of_device.cache_clear()  # as another process
    assert device.fault == message.splitlines()[0]
    Path(message.rpartition("remove ")[2].rstrip(".")).unlink()
    ledger.of_device.cache_clear()
    assert device.fault is None


def test_proofs_can_be_switched_off(fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, TILE, WRONG_LANE)
    monkeypatch.setenv(prove.VARIABLE, "off")
    bits = KINDS["strides"]
    drawn = clrng.Generator(bits.copy(), fresh).random_raw(5123).get()
    assert not np.array_equal(drawn, bits.sequence(5123))
    monkeypatch.setenv(prove.VARIABLE, "sometimes")
    with pytest.raises(ValueError, match="CLRNG_PROOF must be one of 'on', 'off', not 'sometimes'"):
        clrng.Generator(bits.copy(), fresh).random(5)


def test_an_error_survives_a_pickle() -> None:
    error = pickle.loads(pickle.dumps(clrng.WrongNumbersError("what", "where", "which")))
    assert (str(error), error.device, error.kernel) == ("what", "where", "which")


def test_later_processes_pay_nothing(tmp_path: Path) -> None:
    code = """
import clrng
from clrng.opencl import caches, ledger
from clrng.proof import prove
proofs = []
check = prove.ledger.marked
prove.ledger.marked = lambda *given: (proofs.append(given), check(*given))[1]
rng = clrng.Generator(clrng.ParkMiller(seed=1))
print(rng.random_raw(3).get().tolist(), rng.normal(size=2).get().tolist(), len(proofs))
"""
    environment = {**os.environ, "CLRNG_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-W", "ignore", "-c", code]
    first, second = (subprocess.check_output(command, env=environment, text=True).split() for _ in range(2))
    assert first[:-1] == second[:-1]
    assert int(first[-1]) > 0
    assert int(second[-1]) == 0


THREADS = """
import threading, clrng
bits = clrng.LaggedFibonacci((418, 1279), "+", seed=1), clrng.LaggedFibonacci((24, 55), "+", seed=1), clrng.MT19937(1)
wrong = []
def draw(each):
    if (clrng.Generator(each.copy()).random_raw(9001).get() != each.sequence(9001)).any():
        wrong.append(each)
threads = [threading.Thread(target=draw, args=(each,)) for each in bits]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(wrong)
"""


@pytest.mark.slow
def test_threads_that_prove_at_once_do_not_wait_for_each_other(tmp_path: Path) -> None:
    environment = os.environ | {caches.OWN_VARIABLE: str(tmp_path)}
    command = [sys.executable, "-W", "ignore", "-c", THREADS]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ran.stdout == "[]\n", ran.stderr
