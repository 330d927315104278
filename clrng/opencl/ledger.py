"""Which kernels have been proved on a device, here and by earlier processes, and what was found wrong with it.

Both are kept in the cache folder, in files that are named after the device and its driver: a list of proved kernels,
and a note of wrong numbers if there were any. Where the folder cannot be written to, only this process knows.
"""

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Protocol

import pyopencl as cl

from clrng.opencl import caches, pocl_cpu_name
from clrng.version import __version__

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
            self._wrong = self.note.read_text("utf-8", "replace").strip() or None

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
        """What was found wrong, or None."""
        return self._wrong

    def add_wrong(self, message: str) -> None:
        """Take note of wrong numbers."""
        self._wrong = message
        _write(self.note, message + "\n", os.O_TRUNC)


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
