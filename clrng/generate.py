"""What ``clrng generate`` does: draw on the device, write on the host."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from clrng.generator import Generator
from clrng.output import whole_file, write_header, write_values

DTYPES = ("raw", "uint64", "uint32", "uint16", "uint8", "float32", "float64")
CHUNK = 2**22
"""Values drawn at a time."""


def default_format(output: Path | None) -> str:
    """Return the format for a file of this name, or for standard output if it is None."""
    if output is None:
        return "text" if sys.stdout.isatty() else "raw"
    return {".npy": "npy", ".txt": "text"}.get(output.suffix, "raw")


def output_dtype(rng: Generator, dtype: str) -> np.dtype[Any]:
    """Return the NumPy dtype of what `draw` returns."""
    return rng.bit_generator.dtype if dtype == "raw" else np.dtype(dtype)


def draw(rng: Generator, n: int, dtype: str) -> npt.NDArray[Any]:
    """Return the next `n` values on the host, as one of `DTYPES`.

    Raises
    ------
    ValueError
        If a raw value has fewer bits than uint8 or uint16 have.
    """
    if dtype in ("float32", "float64"):
        return rng.random(n, dtype=dtype).get()
    found = output_dtype(rng, dtype)
    bits, wanted = (rng.bit_generator.denominator - 1).bit_length(), 8 * found.itemsize
    if bits < wanted < 32:  # noqa: PLR2004  # a whole word of 32 or 64 bits holds any raw value that fits
        raise ValueError(f"--dtype {dtype} must have at most the {bits} bits of a raw value, not {wanted}")
    return (rng.random_raw(n).get() >> max(bits - wanted, 0)).astype(found, copy=False)


def write(
    rng: Generator, count: int | None, dtype: str, form: str, output: Path | None, advance: Callable[[int], None]
) -> None:
    """Write `count` values, or values without end, to the file `output`, or to standard output if it is None.

    Raises
    ------
    UnsupportedError
        If `dtype` is float64 and the device has no double precision; no file is made then.
    ValueError
        If raw values have fewer bits than `dtype`; likewise.
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
    write_header(file, form, output_dtype(rng, dtype), count or 0)
    done = 0
    while count is None or done < count:
        n = CHUNK if count is None else min(CHUNK, count - done)
        write_values(file, form, draw(rng, n, dtype))
        done += n
        advance(n)
