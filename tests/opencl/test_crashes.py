"""Compilers that end the process, and caches that a crash has poisoned."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pyopencl as cl
import pytest

import clrng
from clrng.opencl import caches, ledger, program
from tests.support.processes import python

DRAW = (
    "import clrng; queue = clrng.make_queue(0);"
    " print(clrng.Generator(clrng.ParkMiller(seed=1), queue).random_raw(3).get().tolist())\n"
)
RIGHT = "[16807, 282475249, 1622650073]\n"

CRASHING = """
import os
import pyopencl as cl
build = cl.Program.build
def crash(self, *arguments, **options):
    if "__kernel void fill(" in self._source:
        os.abort()
    return build(self, *arguments, **options)
cl.Program.build = crash
"""
"""Stands for a compiler that ends the process at one program."""


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose caches are empty."""
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path), caches.OWN_VARIABLE: str(tmp_path / "own")}


def marks(environment: dict[str, str]) -> list[Path]:
    return sorted(Path(environment[caches.OWN_VARIABLE], "begun").glob("*.json"))


def test_a_first_build_leaves_no_mark(home: dict[str, str]) -> None:
    ran = python("-c", DRAW, environment=home)
    assert ran.stdout == RIGHT, ran.stderr
    assert marks(home) == []


def test_a_process_that_was_killed_is_no_reason_to_refuse(home: dict[str, str]) -> None:
    killed = python("-c", CRASHING + DRAW, environment=home)
    assert killed.returncode == -signal.SIGABRT
    assert len(marks(home)) == 1
    ran = python("-c", DRAW, environment=home)  # the program alone is built in a process of its own first
    assert ran.stdout == RIGHT, ran.stderr
    assert marks(home) == []


@pytest.mark.slow
def test_a_compiler_that_crashes_again_is_not_called_a_third_time(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(CRASHING)
    crashing = {**home, "PYTHONPATH": os.pathsep.join(filter(None, [str(tmp_path / "site"), home.get("PYTHONPATH")]))}
    assert python("-c", DRAW, environment=crashing).returncode == -signal.SIGABRT
    again = f"""
import clrng
try:
    {DRAW}
except clrng.BuildError as error:
    print(error)
print(clrng.list_devices()[0].fault is not None)
"""
    for _ in range(2):
        ran = python("-c", again, environment=crashing)
        assert ran.returncode == 0, ran.stderr
        what, remedy, known = ran.stdout.splitlines()
        assert "a process ended at " in what
        assert "a process that only built the program ended with signal SIGABRT" in what
        assert "install another OpenCL driver" in remedy
        assert str(marks(home)[0]) in remedy
        assert known == "True"


def test_a_mark_that_was_left_twice_is_enough(device: clrng.DeviceInfo, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv(caches.OWN_VARIABLE, str(tmp_path))
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "key.json").write_text(json.dumps({"attempts": 2, "when": "noon", "what": "a program"}))
    with (
        pytest.raises(ledger.CrashError, match="a process ended at noon while a program was made, and so did another"),
        ledger.marked(device.device, "key", "a program", "text"),
    ):
        raise AssertionError("begun a third time")


def test_marks_of_others_that_are_at_work_are_left_alone(
    device: clrng.DeviceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(caches.OWN_VARIABLE, str(tmp_path))
    with ledger.marked(device.device, "key", "a program", "text"):
        (mark,) = (tmp_path / "begun").iterdir()
        said = mark.read_text()
        with ledger.marked(device.device, "key", "another", "text"):
            assert mark.read_text() == said
        assert mark.exists()
    assert not mark.exists()


@pytest.mark.parametrize("raised", [KeyboardInterrupt, ValueError])
def test_an_error_is_no_crash(
    device: clrng.DeviceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: type[BaseException]
) -> None:
    monkeypatch.setenv(caches.OWN_VARIABLE, str(tmp_path))
    with pytest.raises(raised), ledger.marked(device.device, "key", "a program", "text"):
        raise raised
    assert list((tmp_path / "begun").iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "3", '{"attempts": 1}', '{"attempts": null}', "[" * 4000])
def test_a_mark_that_says_nothing_is_one(
    device: clrng.DeviceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv(caches.OWN_VARIABLE, str(tmp_path))
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "key.json").write_text(text)
    with ledger.marked(device.device, "key", "a program", "__kernel void f(__global uint *x) { x[0] = 1; }"):
        attempts = json.loads((tmp_path / "begun" / "key.json").read_text())["attempts"]
    assert attempts == (2 if text else 1)


def test_a_folder_that_cannot_be_written_to_is_done_without(
    device: clrng.DeviceInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(caches.OWN_VARIABLE, str(tmp_path / "file"))
    with ledger.marked(device.device, "key", "a program", "text"):
        pass
    known = ledger.Ledger(device.device)
    known.add(["0" * 32])
    assert "0" * 32 in known


def test_a_program_without_its_kernels_is_built_anew(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash leaves PoCL's cache with such programs, which it finds again for ever."""
    poisoned, compiled = "__kernel void other(__global uint *x) { x[0] = 1; }", []
    compile_ = program._compile

    def compiling(context: cl.Context, source: str, *further: str) -> cl.Program:
        compiled.append(further)
        return compile_(context, source if further else poisoned, *further)

    monkeypatch.setattr(program, "_compile", compiling)
    text = "__kernel void wanted(__global uint *restrict x, const uint y) { x[0] = y; }  // of this test alone"
    context = cl.Context([queue.device])
    built = program.build(context, text)
    assert [kernel.function_name for kernel in built.all_kernels()] == ["wanted"]
    assert compiled == [(), ("-DCLRNG_REBUILT=1",)]


def test_verify_reports_a_crash_as_a_failure(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(CRASHING)
    crashing = {**home, "PYTHONPATH": os.pathsep.join(filter(None, [str(tmp_path / "site"), home.get("PYTHONPATH")]))}
    command = "-m", "clrng", "verify", "--sample", "640", "--arithmetic", "integer"
    ran = python(*command, environment=crashing)
    assert ran.returncode == 1
    assert "FAILED: crashed in integer: " in ran.stderr
    assert "signal SIGABRT" in ran.stderr
