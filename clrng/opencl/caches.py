"""What compilers keep: in a folder that can be written to, and through a cache that may be of no use.

PoCL and PyOpenCL both make a folder in the one that the environment variable XDG_CACHE_HOME names, or else in
``.cache`` of the home folder. Without it PoCL shows no device and PyOpenCL makes no kernel; here they are given another
where the user's own cannot be written to. PoCL prefers the folder that POCL_CACHE_DIR names; where this is empty, it
ends the process.

PyOpenCL keeps what it builds for drivers that keep nothing themselves. To read and to write there it makes a file, the
lock, and removes it. A process that is killed meanwhile leaves the lock behind: whoever builds after that waits for a
minute, and has an error then that says nothing. Here a warning names a stale lock after a second, and the build goes on
without the cache, as it does after any error other than the compiler's.
"""

import atexit
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any

import pyopencl as cl

from clrng.opencl.undisturbed import undisturbed

POCL_VARIABLE = "POCL_CACHE_DIR"
OWN_VARIABLE = "CLRNG_CACHE_DIR"
USERS = ("clrng", "pocl", "pyopencl", "pytools")
"""The folders that they make in it."""


def _writable(folder: Path) -> bool:
    """Return whether `folder` can be written to; it is made, as some systems cannot say whether that is possible."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return os.access(folder, os.W_OK | os.X_OK)


def base() -> Path:
    """Return the folder in which programs of this user have folders for what they can make again."""
    if os.name == "nt" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path(os.environ.get("HOME") or tempfile.gettempdir(), ".cache"))


def own() -> Path:
    """Return the folder in which clrng keeps what it found out: that which CLRNG_CACHE_DIR names, or the user's own."""
    return Path(os.environ.get(OWN_VARIABLE) or base() / "clrng")


@cache
def provide() -> None:
    """Name a temporary folder, which is removed at the end of the process, if the user's own is of no use."""
    if os.name != "posix":
        return
    if not os.environ.get(POCL_VARIABLE):
        os.environ.pop(POCL_VARIABLE, None)
    if all(_writable(base() / user) for user in USERS):
        return
    os.environ["XDG_CACHE_HOME"] = folder = tempfile.mkdtemp(prefix="clrng-cache-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def fault() -> str | None:
    """Return that the folder which POCL_CACHE_DIR names cannot be written to, or None."""
    named = os.environ.get(POCL_VARIABLE)
    return (
        f"{POCL_VARIABLE} names {named}, which cannot be written to" if named and not _writable(Path(named)) else None
    )


def restore() -> None:
    """Make PoCL's folder again where somebody has removed it: PoCL itself makes it once, and builds nothing without."""
    with suppress(OSError):
        Path(os.environ.get(POCL_VARIABLE) or base() / "pocl" / "kcache").mkdir(parents=True, exist_ok=True)


FOLDER = Path(f"pyopencl-{cl.VERSION_TEXT}-python-{'.'.join(map(str, sys.version_info[:3]))}")
"""Where the cache is in the folder of clrng's own."""

LONGEST_WAIT = 1.0
"""Seconds after which an unchanged lock is stale: PyOpenCL holds one to read or write a few files, not to build."""

Identity = tuple[int, int]

_left_behind: set[Identity] = set()
"""The stale locks, each of which is waited for once."""

OCLGRIND = "Oclgrind"
"""The platform whose compiler ends the process in every thread but the first."""

_building = Lock()
"""One build at a time: it changes the filters of warnings, which are those of all threads."""


def build(context: cl.Context, source: str, options: Sequence[str]) -> cl.Program:
    """Return a built program; what the compiler says of one that it accepts is not shown.

    An interrupt waits for the end of the build, which might leave a lock behind otherwise, or the filter of warnings.
    """
    make = partial(_build, context, source, list(options))
    return make() if context.devices[0].platform.name == OCLGRIND else undisturbed(make)


def _build(context: cl.Context, source: str, options: list[str]) -> cl.Program:
    place = folder()
    uncached = _is_left_behind(place / "lock")
    with _building, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not uncached:
            try:
                return _built(context, source, options, str(place))
            except cl.Error:
                raise
            except Exception:  # noqa: BLE001, S110  # of any class: of the file system, of pickled data, of a variable
                pass
        return _built(context, source, options, False)


def _built(context: cl.Context, source: str, options: list[str], place: Any) -> cl.Program:
    """Return a program that is built with the cache in the folder `place`, without one if that is False."""
    built: cl.Program = cl.Program(context, source).build(options, cache_dir=place)
    return built


def folder() -> Path:
    """Return where the cache is."""
    return own() / FOLDER


def _identity(lock: Path) -> Identity | None:
    """Return the identity of a lock, another one after each release; None where there is no lock."""
    try:
        found = lock.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _is_left_behind(lock: Path) -> bool:
    """Return whether a lock is stale, and warn once when that is found out."""
    held, end = _identity(lock), time.monotonic() + LONGEST_WAIT
    if held is None or held in _left_behind:
        return held is not None
    while _identity(lock) == held:
        if time.monotonic() > end:
            _left_behind.add(held)
            warnings.warn(
                f"the cache of built OpenCL programs is locked by {lock}, for {LONGEST_WAIT:g} s without a change. "
                f"Programs are built without the cache until that file is gone: delete it if no process is at work "
                f"there, as after one was killed",
                RuntimeWarning,
                stacklevel=2,
            )
            return True
        time.sleep(LONGEST_WAIT / 100)
    return False
