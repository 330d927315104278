"""PyOpenCL's cache of programs: used for drivers that have none, and done without where it is of no use."""

import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from pyopencl import characterize

import clrng
from clrng.opencl import caches, program
from tests.support.processes import said

SOURCE = "__kernel void f(__global uint *x) { x[0] = 5; }"


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder of an empty cache, which PyOpenCL uses as for a driver that keeps nothing itself."""
    monkeypatch.setattr(characterize, "has_src_build_cache", lambda _: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = caches.folder()
    assert tmp_path in found.parents
    return found


@pytest.fixture
def context(device: clrng.DeviceInfo) -> cl.Context:
    """Return a new context, for which nothing is built."""
    return cl.Context([device.device])


def entries(place: Path) -> list[Path]:
    return [path for path in place.iterdir() if path.is_dir()]


def runs(context: cl.Context) -> bool:
    """Return whether what is built is right."""
    queue, out = cl.CommandQueue(context), np.zeros(1, np.uint32)
    buffer: Any = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4)
    cl.Kernel(program.build(context, SOURCE), "f")(queue, (1,), None, buffer)
    cl.enqueue_copy(queue, out, buffer)
    return bool(out[0] == 5)


def test_programs_are_kept(place: Path, context: cl.Context, device: clrng.DeviceInfo) -> None:
    assert runs(context)
    (entry,) = entries(place)
    assert {"binary", "info"} <= {path.name for path in entry.iterdir()}
    assert not (place / "lock").exists()
    assert runs(cl.Context([device.device]))
    assert entries(place) == [entry]


def test_a_lock_that_was_left_behind(place: Path, context: cl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named, the build goes on without the cache, and the next ones do not wait."""
    monkeypatch.setattr(caches, "LONGEST_WAIT", 0.1)
    place.mkdir(parents=True)
    lock = place / "lock"
    lock.touch()
    with pytest.warns(RuntimeWarning, match=f"{lock}.*delete it"):
        assert runs(context)
    assert entries(place) == []
    monkeypatch.setattr(caches, "LONGEST_WAIT", 10**6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program.build(context, f"{SOURCE} // another one")
    lock.unlink()
    program.build(context, f"{SOURCE} // a third one")
    assert len(entries(place)) == 1


def test_a_lock_that_is_released_is_waited_for(place: Path, context: cl.Context) -> None:
    place.mkdir(parents=True)
    lock = place / "lock"
    lock.touch()
    other = threading.Timer(0.05, lock.unlink)
    other.start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert runs(context)
    other.join()
    assert len(entries(place)) == 1


@pytest.mark.parametrize("text", [b"", b"\x80no pickle", b"cos\nsystem"])
def test_what_a_killed_process_has_left(
    place: Path, context: cl.Context, device: clrng.DeviceInfo, text: bytes
) -> None:
    program.build(context, SOURCE)
    (entry,) = entries(place)
    (entry / "info").write_bytes(text)
    assert runs(cl.Context([device.device]))


def test_a_folder_that_cannot_be_made(place: Path, context: cl.Context) -> None:
    place.parent.parent.mkdir(parents=True, exist_ok=True)
    place.parent.write_text("a file")
    assert runs(context)


@pytest.mark.parametrize("kind", [KeyError, RuntimeError, OSError, ValueError, cl.LogicError])
def test_build_errors_of_any_class(context: cl.Context, kind: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise kind("what happened")

    monkeypatch.setattr(cl.Program, "build", fail)
    monkeypatch.setattr(program, "_working", set())
    with pytest.raises(clrng.BuildError, match="What to do"):
        program.build(context, f"{SOURCE} // {kind}")


def test_the_compilers_errors(place: Path, context: cl.Context) -> None:
    with pytest.raises(clrng.BuildError, match="What to do"):
        program.build(context, "__kernel void f(__global uint *x) { x[0] = undeclared; }")
    assert not (place / "lock").exists()


THREADS = """
import sys, threading, warnings
import pyopencl as cl, clrng
from clrng.opencl import program
context = cl.Context([clrng.choose_device(sys.argv[1]).device])
sys.setswitchinterval(1e-6)
before = list(warnings.filters)
def build(k):
    for i in range(4):
        program.build(context, "__kernel void f(__global uint *x) { x[0] = %d; }" % (10 * k + i))
threads = [threading.Thread(target=build, args=(k,)) for k in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(warnings.filters == before)
"""


@pytest.mark.slow
def test_threads_that_build_leave_the_filters_of_warnings(device: clrng.DeviceInfo) -> None:
    assert said("-c", THREADS, device.index) == "True\n"
