"""Processes that cannot write to the folders where drivers and PyOpenCL keep what they compile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import clrng
from clrng.opencl import ledger
from tests.support import oracle
from tests.support.processes import python, said

DRAWN = f"{oracle.sequence(1, 5).tolist()}\n"


def draw(index: int | None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Draw in a process with these environment variables, and with no folder for caches but what they name."""
    unset = {"HOME", "XDG_CACHE_HOME", "POCL_CACHE_DIR"}
    environment = {name: value for name, value in os.environ.items() if name not in unset} | variables
    code = f"import clrng; print(clrng.Generator(clrng.ParkMiller(1), {index}).random_raw(5).get().tolist())"
    return python("-c", code, environment=environment)


def test_a_home_that_cannot_be_written_to(device: clrng.DeviceInfo, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    ran = draw(device.index, HOME="/dev/null", TMPDIR=str(temporary))
    assert (ran.returncode, ran.stdout) == (0, DRAWN), ran.stderr
    assert list(temporary.iterdir()) == []


def test_an_empty_name_is_none(device: clrng.DeviceInfo, tmp_path: Path) -> None:
    ran = draw(device.index, HOME=str(tmp_path), POCL_CACHE_DIR="")
    assert (ran.returncode, ran.stdout) == (0, DRAWN), ran.stderr
    assert {path.name for path in (tmp_path / ".cache").iterdir()} <= {"clrng", "pocl", "pyopencl", "pytools"} | {
        "mesa_shader_cache"
    }


@pytest.mark.parametrize("folder", ["/dev/null/kept", "/proc/kept"])
def test_a_folder_of_pocl_that_cannot_be_written_to_is_named(
    device: clrng.DeviceInfo, tmp_path: Path, folder: str
) -> None:
    ran = draw(device.index, HOME=str(tmp_path), POCL_CACHE_DIR=folder)
    if device.platform == "Portable Computing Language":
        assert ran.returncode == 1
        last = ran.stderr.splitlines()
        assert any(f"POCL_CACHE_DIR names {folder}, which cannot be written to" in line for line in last)
    else:
        assert (ran.returncode, ran.stdout) == (0, DRAWN), ran.stderr


# Errors of sqlite3 have no codes before Python 3.11, so that pytools tries for ever what it tries while others write.
with_codes = pytest.mark.skipif(sys.version_info < (3, 11), reason="pytools never gives up a database that is gone")

REMOVED = """
import os, shutil, sys
import clrng
device = int(sys.argv[1])
clrng.Generator(clrng.ParkMiller(1), device).random_raw(5)
for folder in sys.argv[2:]:
    shutil.rmtree(folder, ignore_errors=True)
print(clrng.Generator(clrng.MRG32k3a(), device).normal(size=5).get().tolist())
print(clrng.list_devices()[device].fault)
"""


@with_codes
@pytest.mark.parametrize("removed", [["pocl"], ["pytools", "pyopencl", "clrng"], ["."]])
def test_a_folder_that_is_removed_meanwhile(device: clrng.DeviceInfo, tmp_path: Path, removed: list[str]) -> None:
    expected = clrng.Generator(clrng.MRG32k3a(), device).normal(size=5).get().tolist()
    folders = [str(tmp_path / name) for name in removed]
    environment = {name: value for name, value in os.environ.items() if name != "POCL_CACHE_DIR"}
    environment["XDG_CACHE_HOME"] = str(tmp_path)
    ran = python("-c", REMOVED, str(device.index), *folders, environment=environment)
    assert (ran.returncode, ran.stdout) == (0, f"{expected}\nNone\n"), ran.stderr


TYPES = """
import shutil, sys
import clrng
from clrng.opencl.kernel import Kernel
queue = clrng.make_queue(int(sys.argv[1]))
for number, word in enumerate(["uint", "ulong"]):
    Kernel(queue.context, f"__kernel void f(__global {word} *a, const {word} n) {{ a[0] = n; }}", "f")
    shutil.rmtree(sys.argv[2])
print("made")
"""


@with_codes
def test_kernels_of_one_name_and_other_types(device: clrng.DeviceInfo, tmp_path: Path) -> None:
    assert said("-c", TYPES, str(device.index), str(tmp_path), XDG_CACHE_HOME=str(tmp_path)) == "made\n"


def test_a_fault_is_looked_for_again(device: clrng.DeviceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLRNG_CACHE_DIR", str(tmp_path))
    known = ledger.Ledger(device.device)
    known.add_wrong("numbers were\x1b[31m\x07 wrong\nthere")
    assert known.wrong == "numbers were\x1b[31m\x07 wrong\nthere"
    later = ledger.Ledger(device.device)
    assert later.wrong == "numbers were[31m wrong there"
    known.note.unlink()
    assert known.wrong is None
    assert later.wrong is None


def test_without_path_there_is_no_linker(device: clrng.DeviceInfo, tmp_path: Path) -> None:
    code = f"import os; del os.environ['PATH']; import clrng; print(clrng.choose_device({device.index}).fault)"
    needs = device.platform == "Portable Computing Language" and device.driver.startswith("3.")
    assert said("-c", code, XDG_CACHE_HOME=str(tmp_path)) == (
        "PoCL needs the linker ld, which is in no folder of PATH\n" if needs else "None\n"
    )
