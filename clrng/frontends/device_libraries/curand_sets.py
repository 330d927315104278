"""The parameters of cuRAND's MTGP32, which are NVIDIA's: they are read from the header of an installed cuRAND."""

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from clrng.errors import UnsupportedError
from clrng.frontends.device_libraries.mtgp32 import MASK, Words, is_legal
from clrng.validation import shown

HEADER = "curand_mtgp32dc_p_11213.h"
FOLDERS = "CUDA_PATH", "CUDA_HOME"
"""Environment variables with the folder of a CUDA toolkit."""

SETS, WIDTH = 200, 74
"""The sets of parameters in the header, and the numbers of each."""

CHOSEN = [1, 2, 3, *(4 + 2**bit for bit in range(4)), *(20 + 2**bit for bit in range(4))]
"""The places of those numbers that others do not follow from."""

NUMBER = re.compile(r"\b(?:0[xX][0-9a-fA-F]+|[0-9]+)\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def _folders() -> Iterator[Path]:
    """Yield the folders where the header may be: of wheels of NVIDIA, then of CUDA toolkits."""
    spec = find_spec("nvidia")
    for folder in spec.submodule_search_locations or [] if spec else []:
        yield from sorted(Path(folder).glob("*/include"), reverse=True)
    yield from (Path(os.environ[name]) / "include" for name in FOLDERS if os.environ.get(name))
    yield Path("/usr/local/cuda/include")


def header() -> Path | None:
    """Return the path of the header, or None where it is not installed."""
    return next((folder / HEADER for folder in _folders() if (folder / HEADER).is_file()), None)


def rows_of(text: str) -> Words:
    """Return the numbers of the sets in the text of a header, shape (200, 74); a ValueError says if it has others."""
    table = COMMENT.sub("", text).rpartition("mtgp32dc_params_fast_11213[]")[2].partition(";")[0]
    numbers = np.array([int(number, 0) for number in NUMBER.findall(table)], np.uint64)
    if numbers.size != SETS * WIDTH or numbers.max() >= 2**32:
        raise ValueError(f"it must have {SETS} sets of {WIDTH} numbers of 32 bits, not {numbers.size} numbers in all")
    return numbers.astype(np.uint32).reshape(SETS, WIDTH)


def sets_of(rows: Words) -> Words:
    """Return the sets of parameters that such rows have, shape (200, 11); a ValueError says what is wrong with them."""
    sets, entries = rows[:, CHOSEN], np.arange(16)
    for begin, words in ((4, sets[:, 3:7]), (20, sets[:, 7:])):
        total = np.bitwise_xor.reduce(words[:, :, None] * (entries >> np.arange(4)[:, None] & 1).astype(np.uint32), 1)
        if (total != rows[:, begin : begin + 16]).any():
            raise ValueError("the 16 entries of each of its tables must be sums of entries 1, 2, 4 and 8")
    if not is_legal(sets) or (rows[:, 0] != 11213).any() or (rows[:, 52] != MASK).any():  # noqa: PLR2004
        raise ValueError(f"it must have places and shifts in their ranges, the degree 11213 and the mask {MASK:#x}")
    return sets


@cache
def _read(path: Path) -> Words:
    try:
        return sets_of(rows_of(path.read_text()))
    except (OSError, ValueError) as error:
        raise UnsupportedError(f"the parameters of mtgp32 cannot be read from {shown(str(path))}: {error}") from error


def curand_sets() -> Words:
    """Return the sets of parameters of the installed cuRAND; an UnsupportedError says what to install."""
    path = header()
    if path is None:
        raise UnsupportedError(
            f"mtgp32 needs cuRAND's header {HEADER}, as its parameters are NVIDIA's: install the wheel "
            f"nvidia-curand-cu12, which needs no GPU, or set {FOLDERS[0]} to the folder of a CUDA toolkit"
        )
    return _read(path)
