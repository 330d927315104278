"""What ``clrng generate`` does: draw on the device, write on the host."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from clrng.generator import Generator
from clrng.output import whole_file, write_header, write_values

DTYPES = ("uint32", "uint16", "uint8", "float32", "float64")
CHUNK = 2**22
"""Values drawn at a time."""


def default_format(output: Path | None) -> str:
    """Return the format for a file of this name, or for standard output if it is None."""
    if output is None:
        return "text" if sys.stdout.isatty() else "raw"
    return {".npy": "npy", ".txt": "text"}.get(output.suffix, "raw")


def draw(rng: Generator, n: int, dtype: str) -> npt.NDArray[Any]:
    """Return the next `n` values on the host; uint16 and uint8 are the highest bits of the raw ones."""
    if dtype in ("float32", "float64"):
        return rng.random(n, dtype=dtype).get()
    values = rng.random_raw(n).get()
    if dtype == "uint32":
        return values
    return (values >> (rng.bit_generator.modulus.bit_length() - 8 * np.dtype(dtype).itemsize)).astype(dtype)


def write(
    rng: Generator, count: int | None, dtype: str, form: str, output: Path | None, advance: Callable[[int], None]
) -> None:
    """Write `count` values, or values without end, to the file `output`, or to standard output if it is None.

    Raises
    ------
    UnsupportedError
        If `dtype` is float64 and the device has no double precision; no file is made then.
    OSError
        If the output cannot be written; a file is then as it was before.
    """
    draw(rng, 0, dtype)  # refuses what the device cannot do before a file is touched
    if output is None:
        _write(sys.stdout.buffer, rng, count, dtype, form, advance)
        sys.stdout.buffer.flush()
    else:
        with whole_file(output) as file:
            _write(file, rng, count, dtype, form, advance)


def _write(
    file: BinaryIO, rng: Generator, count: int | None, dtype: str, form: str, advance: Callable[[int], None]
) -> None:
    write_header(file, form, np.dtype(dtype), count or 0)
    done = 0
    while count is None or done < count:
        n = CHUNK if count is None else min(CHUNK, count - done)
        write_values(file, form, draw(rng, n, dtype))
        done += n
        advance(n)
