"""Write values to a file that appears only when complete, or to a pipe that may close."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

FORMATS = ("raw", "npy", "text")


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside `path` that takes its name when the block ends, and is removed if the block fails.

    A link is followed; what is no regular file, such as a device or a named pipe, is written to directly.

    Raises
    ------
    OSError
        If the file cannot be written; `path` is then as it was before.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    try:
        path = path.resolve()
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    except RuntimeError:  # Python 3.12 and older, for a link to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Return the permissions of `path`, or those a new file would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_header(file: BinaryIO, form: str, dtype: np.dtype[Any], count: int) -> None:
    """Write what stands before the values: the header of ``npy``, nothing for the others."""
    if form == "npy":
        header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (count,)}
        np.lib.format.write_array_header_1_0(file, header)


def write_values(file: BinaryIO, form: str, values: npt.NDArray[Any]) -> None:
    """Write values: their bytes in the machine's order, or as ``text`` the shortest exact decimal, one a line."""
    if form == "text":
        file.write("".join(f"{text}\n" for text in values.astype(str)).encode())
    else:
        file.write(values.data)
