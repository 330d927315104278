"""What files of the cache folder say of programs and kernels: which are proved, are wrong, or have ended a process.

Some are named after a device and its driver: a list of proved kernels, and a note of wrong numbers if there were any.
Where the folder cannot be written to, only this process knows.

A mark stands in the folder while a program is built and tried the first time. A mark that its process has left behind
tells the next one that something ended it there: the compiler, or somebody who killed it. The program is then built in
a process of its own first. Where that ends too, or the mark is left behind a second time, there is an error that says
so, and no process dies the same way again.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import pyopencl as cl

from clrng.opencl import caches, pocl_cpu_name
from clrng.version import __version__

try:
    import fcntl
except ImportError:  # on Windows, where there are no marks
    fcntl = None  # type: ignore[assignment]

MAX_ATTEMPTS = 2
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

LONGEST_NOTE = 2000
"""The maximum characters of a note that are shown."""

KEY_DIGITS = 32
"""Hexadecimal digits of a key, of 4 bits each."""


class Provable(Protocol):
    """What has a key in a ledger, and knows whether it has been proved: a kernel."""

    key: str
    name: str
    proved: bool
    ledger: "Ledger"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:KEY_DIGITS]


def identity(device: cl.Device) -> str:
    """Return what numbers may depend on beside a program: the device, its driver, and the processor that it is."""
    platform = device.platform
    parts = [platform.name, platform.version, device.vendor, device.name, device.version, device.driver_version]
    if device.type & cl.device_type.CPU:
        parts += sorted(pocl_cpu_name.features())
    return "\n".join([*parts, *pocl_cpu_name.build_options(device)])


class Ledger:
    """What is known of the kernels of one device."""

    def __init__(self, device: cl.Device) -> None:
        self._identity = identity(device)
        folder = caches.own() / "proved"
        self._file = folder / f"{_digest(self._identity)}.txt"
        self.note = folder / f"{_digest(self._identity, __version__)}.wrong.txt"
        self._lock = threading.Lock()
        self._proved: set[str] = set()
        self._wrong: str | None = None
        with suppress(OSError):
            lines = self._file.read_text("utf-8", "replace").splitlines()
            self._proved = {line for line in lines if len(line) == KEY_DIGITS}
        with suppress(OSError):
            text = self.note.read_text("utf-8", "replace")[:LONGEST_NOTE]
            self._wrong = "".join(filter(str.isprintable, " ".join(text.split()))) or None
        self._noted = self._wrong is not None

    def key(self, source: str, name: str, options: Sequence[str]) -> str:
        """Return the key of the kernel `name` of a program: of what is built, and of where."""
        return _digest(self._identity, *options, source, name)

    def __contains__(self, key: str) -> bool:
        return key in self._proved

    def add(self, keys: Iterable[str]) -> None:
        """Take note that kernels have been proved."""
        with self._lock:
            new = [key for key in dict.fromkeys(keys) if key not in self._proved]
            self._proved.update(new)
            if new:
                _write(self._file, "".join(f"{key}\n" for key in new), os.O_APPEND)

    @property
    def wrong(self) -> str | None:
        """What was found wrong, or None; None from then on when the note of it has been removed."""
        if self._noted and not self.note.exists():
            self._wrong, self._noted = None, False
        return self._wrong

    def add_wrong(self, message: str) -> None:
        """Take note of wrong numbers."""
        self._noted = False  # so that no other thread takes this for removed
        self._wrong = message
        _write(self.note, message + "\n", os.O_TRUNC)
        self._noted = self.note.exists()


def _write(file: Path, text: str, how: int) -> None:
    """Write to a file in one piece, or do without where it cannot be written."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | how, 0o644)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)


@cache
def of_device(device: cl.Device) -> Ledger:
    """Return the ledger of `device`."""
    return Ledger(device)


class _Recorder(threading.local):
    """The kernels that a proof of this thread has launched; None where there is no proof. Proofs may be nested."""

    launched: list[Provable] | None = None
    depth = 0


_recorder = _Recorder()

UNPROVED: set[str] = set()
"""The names of kernels that were launched unproved, and not to prove them: benchmarks and checks have some."""


def launching(kernel: Provable) -> None:
    """Take note that `kernel`, which is not proved as far as it knows, is launched."""
    if kernel.key in kernel.ledger:
        kernel.proved = True
    elif _recorder.launched is not None:
        _recorder.launched.append(kernel)
    else:
        UNPROVED.add(kernel.name)


@contextmanager
def recording() -> Iterator[list[Provable]]:
    """Yield a list to which the unproved kernels are added that this thread launches meanwhile."""
    before = _recorder.launched
    launched: list[Provable] = []
    _recorder.launched, _recorder.depth = launched, 0 if before is None else _recorder.depth + 1
    try:
        yield launched
    finally:
        _recorder.launched, _recorder.depth = before, _recorder.depth - 1


def is_nested() -> bool:
    """Return whether a proof of this thread is part of another one."""
    return _recorder.depth > 0


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
    command = [sys.executable, "-W", "ignore", "-c", TRIAL, identity(device)]
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
    descriptor = _lock(path)
    if descriptor is None:
        yield
        return
    try:
        left = _left_behind(descriptor)
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


def _lock(path: Path) -> int | None:
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


def _left_behind(descriptor: int) -> dict[str, Any]:
    """Return what a mark says that was left behind; nothing where there was none."""
    text = os.pread(descriptor, 4096, 0)
    if not text:
        return {}
    with suppress(ValueError, RecursionError):
        found = json.loads(text)
        if isinstance(found, dict) and type(found.get("attempts")) is int:
            return found
    return {"attempts": 1}


def _check(device: cl.Device, path: Path, left: dict[str, Any], source: str) -> None:
    """Raise an error if the mark that was left behind is a reason not to go on."""
    if not left:
        return
    happened = (
        f"a process ended at {left.get('when', 'an unknown time')} while {left.get('what', 'a program')} was made"
    )
    if left.get("attempts", 1) >= MAX_ATTEMPTS:
        raise CrashError(f"{happened}, and so did another before it, unless somebody killed them", path)
    if ended := _trial(device, source):
        raise CrashError(f"{happened}, and a process that only built the program {ended}", path)
