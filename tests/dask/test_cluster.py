"""A cluster of processes gives the same arrays, whatever its workers draw on and also where one of them dies."""

import os
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
import clrng.dask
from clrng.dask import worker
from clrng.opencl.devices import DEVICE_VARIABLE
from tests.conftest import DEVICES
from tests.support.drawn_cases import CASES
from tests.support.reference_draws import draws

pytest.importorskip("distributed", reason="dask.distributed is not installed")

from distributed import Client, LocalCluster, Nanny, Scheduler, SpecCluster, futures_of, wait

WORKERS = 2

DRIVERS = list({device.platform: device for device in DEVICES}.values())
"""A device of each OpenCL implementation."""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Return the client of a cluster of processes, each of which draws on another driver if there are several."""
    options = {"nthreads": 1, "memory_limit": 0, "dashboard": False, "host": "127.0.0.1"}
    workers = {
        str(number): {
            "cls": Nanny,
            "options": {**options, "env": {DEVICE_VARIABLE: str(DRIVERS[number % len(DRIVERS)].index)}},
        }
        for number in range(WORKERS)
    }
    scheduler = {"cls": Scheduler, "options": {"dashboard_address": ":0", "host": "127.0.0.1"}}
    with SpecCluster(workers, scheduler) as cluster, Client(cluster) as found:
        found.wait_for_workers(WORKERS, timeout=300)
        yield found


def device_drawn_on() -> tuple[str, str]:
    """Return what the thread that runs this draws on."""
    device = worker.maker_for(clrng.ParkMiller(seed=1)).device
    return device.driver, device.name


def test_each_worker_draws_on_its_device(client: Client) -> None:
    workers = {w["name"]: address for address, w in client.scheduler_info()["workers"].items()}
    for number in range(WORKERS):
        found = client.submit(device_drawn_on, workers=[workers[str(number)]], pure=False).result()
        device = DRIVERS[number % len(DRIVERS)]
        assert found == (device.driver, device.name)


def test_the_array_is_the_stream(client: Client) -> None:  # noqa: ARG001  # it is in use
    bits = clrng.LaggedFibonacci((4187, 9689), "+", seed=1)
    raw = clrng.dask.Generator(bits.copy()).random_raw(40_000, chunks=9000)
    normals = clrng.dask.Generator(clrng.ParkMiller(seed=1)).standard_normal((40, 50), chunks=(7, 50))
    assert_array_equal(raw.compute(), bits.sequence(40_000))
    expected = draws(CASES["standard_normal"].reference, clrng.ParkMiller(seed=1), 2000, "float32").reshape(40, 50)
    assert_array_equal(normals.compute(), expected)
    assert_array_equal(normals[3:30, ::2].compute(), expected[3:30, ::2])


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing(client: Client) -> None:
    array = clrng.dask.Generator(clrng.ParkMiller(seed=1)).random_raw((100, 1000), chunks=(1, 1000)).persist()
    some = futures_of(array)[:1]
    wait(some)
    ((holder,),) = client.who_has(some).values()
    killed = client.run(os.getpid, workers=[holder])[holder]
    os.kill(killed, signal.SIGKILL)
    assert_array_equal(array.compute(), clrng.ParkMiller(seed=1).sequence(100_000).reshape(100, 1000))
    client.wait_for_workers(WORKERS, timeout=300)
    assert killed not in client.run(os.getpid).values()


@pytest.mark.parametrize("variable", ["no such device", "99"])
def test_a_worker_without_its_device_says_so(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEVICE_VARIABLE, variable)
    monkeypatch.setattr(worker, "_cache", worker._Cache())
    array = clrng.dask.Generator(clrng.ParkMiller(seed=1)).random_raw(10, chunks=5)
    options: dict[str, Any] = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
    message = (
        f"^on worker 0 of .*, no device matches the environment variable CLRNG_DEVICE = '{variable}'; the devices are "
    )
    with LocalCluster(**options) as cluster, Client(cluster), pytest.raises(clrng.NoDeviceError, match=message):
        array.compute()


@pytest.mark.slow
def test_sums_of_arrays(client: Client) -> None:  # noqa: ARG001  # it is in use
    """Of small integers, whose order in a sum does not matter."""
    values = clrng.dask.Generator(clrng.ParkMiller(seed=1)).integers(0, 100, (200, 300), chunks=(17, 23))
    one = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 100, (200, 300)).get()
    assert values.sum().compute() == one.sum()
    assert_array_equal(np.histogram(one, 10, (0, 100))[0], np.histogram(values.compute(), 10, (0, 100))[0])
