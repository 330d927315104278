"""Processes forked from one that has used OpenCL, which cannot use it: they are told so and do not wait for ever."""

import json
import multiprocessing
import os
import subprocess
import sys
from functools import cache

import pytest

import clrng
from tests.support.forks import CASES, SECONDS
from tests.support.processes import said

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


@cache
def ended(index: int | None) -> dict[str, str]:
    """Return what went wrong in each case on a device; a process of its own forks, which has loaded nothing else."""
    lines = said("-m", "tests.support.forks", index).splitlines()
    return dict(json.loads(line) for line in lines if line.startswith("["))


@pytest.mark.parametrize("name", CASES)
def test_forks(device: clrng.DeviceInfo, name: str) -> None:
    found = ended(device.index)
    assert found[name] == ""


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
