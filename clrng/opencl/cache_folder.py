"""Give PoCL and PyOpenCL a folder for what they compile, where the user's own cannot be written to.

Both make one in the folder that the environment variable XDG_CACHE_HOME names, or else in ``.cache`` of the home
folder. Without it PoCL shows no device and PyOpenCL makes no kernel. PoCL prefers the folder that POCL_CACHE_DIR names;
where this is empty, it ends the process.
"""

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

POCL_VARIABLE = "POCL_CACHE_DIR"
OWN_VARIABLE = "CLRNG_CACHE_DIR"
USERS = ("clrng", "pocl", "pyopencl", "pytools")
"""The folders that they make in it."""


def _writable(folder: Path) -> bool:
    """Return whether `folder` can be written to, or made."""
    there = next((parent for parent in (folder, *folder.parents) if parent.exists()), Path("/"))
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


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
