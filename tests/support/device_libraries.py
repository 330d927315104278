"""What the libraries of GPUs made, as it was recorded once: digests of arrays, and their first values."""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

PATH = Path(__file__).parents[1] / "data" / "device_libraries.json"


@cache
def recorded(library: str) -> dict[str, str]:
    """Return the rows of a library and its version: the calls, and what came of each."""
    found: dict[str, str] = json.loads(PATH.read_text())[library]
    return found


def calls(library: str, *first: str) -> Iterator[str]:
    """Yield the calls of a library that begin with one of these words."""
    yield from (name for name in recorded(library) if name.split()[0] in first)


def number(word: str) -> int | str:
    """Return a word of a call as a number, where it is one."""
    return int(word) if word.lstrip("-").isdigit() else word


def digest(values: Any) -> str:
    """Return what is recorded of an array: the digest of its bytes, and the bits of its first two values."""
    flat = np.ascontiguousarray(values).reshape(-1)
    return " ".join([
        hashlib.sha256(flat.tobytes()).hexdigest()[:16],
        *(str(int(bits)) for bits in flat[:2].view(f"u{flat.dtype.itemsize}")),
    ])  # fmt: skip
