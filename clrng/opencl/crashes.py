"""Compilers that end the process: a mark stands in the cache folder while a program is built and tried the first time.

A mark that its process has left behind tells the next one that something ended it there: the compiler, or somebody who
killed it. The program is then built in a process of its own first. Where that ends too, or the mark is left behind a
second time, there is an error that says so, and no process dies the same way again.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyopencl as cl

from clrng.opencl import caches, ledger

try:
    import fcntl
except ImportError:  # on Windows, where there are no marks
    fcntl = None  # type: ignore[assignment]

MOST_ATTEMPTS = 2
"""The number of marks left behind from which on the program is not tried again."""

TRIAL = """
import sys
import pyopencl as cl
from clrng.opencl import devices, ledger, program
source = sys.stdin.read()
for info in devices.list_devices():
    if ledger.identity(info.device) == sys.argv[1]:
        built = cl.Program(cl.Context([info.device]), source).build(list(program.options(info.device)), cache_dir=False)
        built.get_info(cl.program_info.BINARIES)  # for which PoCL compiles every kernel
"""
"""What the process of a trial does; its input is the program."""

TRIAL_SECONDS = 600
"""The maximum seconds that a trial may take."""


class CrashError(Exception):
    """Building a program has ended processes."""

    def __init__(self, message: str, remove: Path) -> None:
        super().__init__(message)
        self.remove = remove


def ending(status: int) -> str:
    """Return how a process ended, from its exit status as `subprocess` gives it."""
    if status >= 0:
        return f"exit status {status}"
    with suppress(ValueError):
        return f"signal {signal.Signals(-status).name}"
    return f"signal {-status}"


def _trial(device: cl.Device, source: str) -> str | None:
    """Build a program in a process of its own; return how it ended, or None where it did well."""
    command = [sys.executable, "-W", "ignore", "-c", TRIAL, ledger.identity(device)]
    try:
        ran = subprocess.run(  # noqa: S603  # itself
            command, input=source, capture_output=True, text=True, errors="replace", timeout=TRIAL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"took more than {TRIAL_SECONDS} seconds"
    if ran.returncode >= 0:  # what a compiler refuses, it refuses again
        return None
    said = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
    reason = next((line for line in said if "error" in line.lower()), said[-1] if said else "")
    return f"ended with {ending(ran.returncode)}" + (f", {reason}" if reason else "")


@contextmanager
def marked(device: cl.Device, key: str, what: str, source: str) -> Iterator[None]:
    """Mark meanwhile that a program is built or tried for the first time."""
    path = caches.own() / "begun" / f"{key}.json"
    descriptor = _locked(path)
    if descriptor is None:
        yield
        return
    try:
        left = _read(descriptor)
        _check(device, path, left, source)
        mark = {"attempts": left.get("attempts", 0) + 1, "when": time.strftime("%Y-%m-%d %H:%M:%S"), "what": what}
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(mark).encode(), 0)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    """Return a descriptor of a file that this process alone has locked; None where another has, or none can."""
    if fcntl is None:
        return None
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor
    return None


def _read(descriptor: int) -> dict[str, Any]:
    """Return what a mark says that was left behind; nothing where there was none."""
    text = os.pread(descriptor, 4096, 0)
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        found = {"attempts": 1}
    return found if isinstance(found, dict) else {"attempts": 1}


def _check(device: cl.Device, path: Path, left: dict[str, Any], source: str) -> None:
    """Raise an error if the mark that was left behind is a reason not to go on."""
    if not left:
        return
    happened = (
        f"a process ended at {left.get('when', 'an unknown time')} while {left.get('what', 'a program')} was made"
    )
    if left.get("attempts", 1) >= MOST_ATTEMPTS:
        raise CrashError(f"{happened}, and so did another before it", path)
    if ended := _trial(device, source):
        raise CrashError(f"{happened}, and a process that only built the program {ended}", path)
