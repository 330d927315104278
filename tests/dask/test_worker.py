"""Which device the threads of workers draw on."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import distributed
import pytest

import clrng
from clrng.dask import worker as workers
from clrng.opencl.devices import DEVICE_VARIABLE, DeviceInfo
from tests.conftest import DEVICES

GPUS = [replace(DEVICES[0], index=index, name=f"GPU {index}", kind="gpu") for index in range(3)]


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine have three GPUs, and the environment ask for none."""
    monkeypatch.delenv(DEVICE_VARIABLE, raising=False)
    monkeypatch.setattr(clrng.opencl.devices, "list_devices", lambda *_: GPUS)


def named(monkeypatch: pytest.MonkeyPatch, process: str, worker: Any = None) -> None:
    """Let this be a process of this name, and in it a worker of ``distributed`` of this name."""
    monkeypatch.setattr(multiprocessing.current_process(), "_name", process)

    def get_worker() -> Any:
        if worker is None:
            raise ValueError("No worker found")
        return SimpleNamespace(name=worker, address="tcp://10.0.0.1:40001")

    monkeypatch.setattr(distributed, "get_worker", get_worker)


@pytest.mark.usefixtures("gpus")
@pytest.mark.parametrize(
    ("process", "worker", "thread", "index"),
    [
        ("MainProcess", None, 0, 0),
        ("MainProcess", None, 4, 1),
        ("SpawnProcess-1", None, 0, 0),
        ("SpawnProcess-6", None, 0, 2),
        ("Dask Worker process (from Nanny)", 0, 0, 0),
        ("Dask Worker process (from Nanny)", 5, 0, 2),
        ("Dask Worker process (from Nanny)", "box-4", 1, 2),
        ("SpawnProcess-6", "box", 1, 1),
        ("SpawnProcess-6", "tcp://10.0.0.1:40001", 0, 0),
    ],
)
def test_workers_and_threads_take_the_gpus_by_turns(
    monkeypatch: pytest.MonkeyPatch, process: str, worker: Any, thread: int, index: int
) -> None:
    named(monkeypatch, process, worker)
    assert workers._device(thread).index == index


def test_a_gpu_whose_compiler_fails_is_left_out(gpus: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    named(monkeypatch, "MainProcess")
    monkeypatch.setattr(DeviceInfo, "fault", property(lambda self: "it builds nothing" if self.index == 1 else None))
    assert [workers._device(thread).index for thread in range(4)] == [0, 2, 0, 2]


@pytest.mark.usefixtures("gpus")
def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    named(monkeypatch, "SpawnProcess-1", 0)
    monkeypatch.setenv(DEVICE_VARIABLE, "2")
    assert [workers._device(thread).index for thread in range(3)] == [2, 2, 2]


def test_threads_are_counted_and_keep_what_they_made(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def device(thread: int) -> DeviceInfo:
        seen.append(thread)
        return DEVICES[0]

    monkeypatch.setattr(workers, "_cache", workers._Cache())
    monkeypatch.setattr(workers, "_threads", count())
    monkeypatch.setattr(workers, "_device", device)
    first, second = clrng.ParkMiller(seed=1), clrng.ParkMiller(seed=2)
    for number in range(3):
        with ThreadPoolExecutor(1) as thread:
            one = thread.submit(workers.maker_for, first).result()
            assert thread.submit(workers.maker_for, second).result() is one  # of the same parameters
            other = thread.submit(workers.maker_for, clrng.MRG32k3a()).result()
            assert other is not one
            assert other.queue is one.queue
        assert seen == list(range(number + 1))


def test_the_generators_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_cache", workers._Cache())
    monkeypatch.setattr(workers, "MAX_CACHED", 2)
    a, b, c = (clrng.ParkMiller(1, multiplier) for multiplier in (16807, 48271, 69621))
    kept = {name: workers.maker_for(bits) for name, bits in (("a", a), ("b", b))}
    assert workers.maker_for(a) is kept["a"]
    workers.maker_for(c)
    assert workers.maker_for(a) is kept["a"]
    assert workers.maker_for(b) is not kept["b"]
