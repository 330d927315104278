"""Processes that cannot write to the folders where drivers and PyOpenCL keep what they compile."""

import os
import subprocess
from pathlib import Path

import clrng
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


def test_a_folder_of_pocl_that_cannot_be_written_to_is_named(device: clrng.DeviceInfo, tmp_path: Path) -> None:
    ran = draw(device.index, HOME=str(tmp_path), POCL_CACHE_DIR="/dev/null/kept")
    if device.platform == "Portable Computing Language":
        assert ran.returncode == 1
        last = ran.stderr.splitlines()
        assert any("POCL_CACHE_DIR names /dev/null/kept, which cannot be written to" in line for line in last)
    else:
        assert (ran.returncode, ran.stdout) == (0, DRAWN), ran.stderr


def test_without_path_there_is_no_linker(device: clrng.DeviceInfo, tmp_path: Path) -> None:
    code = f"import os; del os.environ['PATH']; import clrng; print(clrng.choose_device({device.index}).fault)"
    needs = device.platform == "Portable Computing Language" and device.driver.startswith("3.")
    assert said("-c", code, XDG_CACHE_HOME=str(tmp_path)) == (
        "PoCL needs the linker ld, which is in no folder of PATH\n" if needs else "None\n"
    )
