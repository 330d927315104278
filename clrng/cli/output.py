"""Write values to a file that appears only when it is complete, to a device or pipe, or to an open descriptor."""

import errno
import io
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import fcntl
except ImportError:  # there is none on Windows
    fcntl = None  # type: ignore[assignment]

FORMATS = ("raw", "npy", "text")
STANDARD_OUTPUT = "-"
MAX_LINKS = 40
"""Symbolic links followed one after the other, as many as Linux follows."""

BINARY = getattr(os, "O_BINARY", 0)
"""Without it Windows writes every line feed as two bytes."""


class Output:
    """An open descriptor that values are written to, without a buffer, and its name for errors."""

    def __init__(self, handle: int, name: str) -> None:
        self._handle, self.name = handle, name

    def write(self, data: bytes | memoryview) -> None:
        """Write all of `data`."""
        left = memoryview(data).cast("B")
        with naming(self.name):
            while left:
                left = left[os.write(self._handle, left) :]

    def check_room(self, size: int) -> None:
        """Check that a regular file has room for `size` more bytes, where the system can say."""
        status = os.fstat(self._handle)
        if not stat.S_ISREG(status.st_mode) or not hasattr(os, "fstatvfs"):
            return
        appending = _flags(self._handle) & os.O_APPEND
        begin = status.st_size if appending else os.lseek(self._handle, 0, os.SEEK_CUR)
        needed = size - max(0, status.st_size - begin)
        system = os.fstatvfs(self._handle)
        free = system.f_bavail * system.f_frsize
        if needed > free and system.f_blocks:  # some have no size at all
            raise OSError(f"{self.name!r} needs {needed} bytes, and its file system has {free} free")


def _flags(handle: int) -> int:
    """Return how a descriptor is open, as the flags of `os.open`; on Windows, which does not say, for reading too."""
    return fcntl.fcntl(handle, fcntl.F_GETFL) if fcntl else os.O_RDWR


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Replace errors of the operating system by the same errors with `name` as the name of the file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from None


def descriptor(name: str) -> int | None:
    """Return N where `name` stands for the open descriptor N, as -, /dev/stdout and /dev/fd/N do, else None."""
    if name == STANDARD_OUTPUT:
        return 1
    for _ in range(MAX_LINKS):
        folder, last = os.path.split(name)
        if re.fullmatch("[0-9]{1,9}", last) and os.path.realpath(folder) == os.path.realpath("/dev/fd"):
            return int(last)
        if not Path(name).is_symlink():
            return None
        name = os.path.join(folder, Path(name).readlink())  # noqa: PTH118  # an absolute link replaces the folder
    return None


@contextmanager
def opened(name: str) -> Iterator[Output]:
    """Open the output of this name, which the options of the command line give.

    If it is the name of an open descriptor (see `descriptor`), the values go there, from its present position on. A
    device, a named pipe or the like is written to directly. Anything else is a file. It has no name while it is being
    written or, where there are no files without a name, another name in the same folder. It takes its name when the
    block ends, and is removed if the block fails. Symbolic links are followed. A file that replaces another gets its
    mode and, if that is allowed, its owner. If writing fails, it is left as it was.
    """
    number = descriptor(name)
    if number is not None:
        handle, name = _duplicate(number, name), "standard output" if name == STANDARD_OUTPUT else name
    elif Path(name).exists() and not Path(name).is_file():
        handle = os.open(name, os.O_WRONLY | BINARY)
    else:
        with _whole_file(name) as output:
            yield output
        return
    try:
        yield Output(handle, name)
    finally:
        with naming(name):
            os.close(handle)


def _duplicate(number: int, name: str) -> int:
    """Return a new descriptor of what `number` is open for, if it came with the process and can be written to."""
    with naming(name):
        if fcntl and not os.get_inheritable(number):  # opened in this process
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if _flags(number) & (os.O_WRONLY | os.O_RDWR) == 0:
            raise OSError(errno.EBADF, "Not open for writing")
        handle = os.dup(number)
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  # which others do not have

            msvcrt.setmode(handle, os.O_BINARY)
        return handle


@contextmanager
def _whole_file(name: str) -> Iterator[Output]:
    old = _replaced(name)
    path = Path(name).resolve()
    with naming(name):
        handle, part = _part(path.parent)
    try:
        try:
            yield Output(handle, name)
            with naming(name):
                if old is not None:
                    _make_alike(handle, old)
                os.fsync(handle)
                if part is None:
                    part = _part_name(path.parent)  # known before it is there, so that it is removed if it fails
                    # Only with a descriptor for relative names, which this is not, does Python call linkat, which
                    # follows the link.
                    os.link(f"/proc/self/fd/{handle}", part, src_dir_fd=handle, follow_symlinks=True)
        finally:
            os.close(handle)  # before the file is moved, as Windows wants it
        with naming(name):
            part.replace(path)
    except BaseException:
        if part is not None:
            part.unlink(missing_ok=True)
        raise


def _replaced(name: str) -> os.stat_result | None:
    """Return the `stat` of the file that is to be replaced, which must be allowed; None if there is no file yet."""
    path = Path(name)
    if os.path.split(name)[1] in ("", ".", ".."):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    os.close(os.open(name, os.O_WRONLY))  # asks the system for all that it knows of permissions
    folder = path.resolve().parent.stat()
    if folder.st_mode & stat.S_ISVTX and os.geteuid() not in (0, status.st_uid, folder.st_uid):
        raise OSError(errno.EPERM, "Only its owner may replace it in this folder", name)
    return status


def _part(folder: Path) -> tuple[int, Path | None]:
    """Open a new file in `folder`; return its descriptor and its name, None where it has none."""
    if hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").is_dir():
        with suppress(OSError):  # not every file system has them; other errors recur below
            return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), None
    name = _part_name(folder)
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666), name


def _part_name(folder: Path) -> Path:
    return folder / f".clrng-{secrets.token_hex(8)}.part"


def _make_alike(handle: int, old: os.stat_result) -> None:
    """Give a file the owner of another, where that is allowed, and its mode; Windows has neither."""
    if not hasattr(os, "fchown"):
        return
    with suppress(PermissionError):
        os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, old.st_mode & 0o777)


def header(file_format: str, dtype: np.dtype[Any], count: int) -> bytes:
    """Return what stands before the values: the header of ``npy``, nothing for the others."""
    found = io.BytesIO()
    if file_format == "npy":
        about = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (count,)}
        np.lib.format.write_array_header_1_0(found, about)
    return found.getvalue()


def min_size(file_format: str, dtype: np.dtype[Any], count: int) -> int:
    """Return the minimum number of bytes that `count` values and their header take; only as text can they take more."""
    shortest = len("0\n") if dtype.kind in "iu" else len("0.0\n")
    return len(header(file_format, dtype, count)) + count * (shortest if file_format == "text" else dtype.itemsize)


def write_values(output: Output, file_format: str, values: npt.NDArray[Any]) -> None:
    """Write values: their bytes in the machine's order, or as ``text`` the shortest exact decimal, one a line."""
    if file_format == "text":
        output.write("".join(f"{text}\n" for text in values.astype(str)).encode())
    else:
        output.write(values.data)
