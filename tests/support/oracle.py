"""What the device must give, computed without clrng."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

M = 2**31 - 1


def sequence(seed: int, n: int, multiplier: int = 16807, first: int = 1) -> npt.NDArray[np.uint32]:
    """Return the values at positions first .. first + n - 1 after `seed`, by doubling in 64-bit integers."""
    values = np.empty(max(n, 1), np.uint64)
    values[0] = seed * pow(multiplier, first, M) % M
    done = 1
    while done < n:
        more = min(done, n - done)
        values[done : done + more] = values[:more] * np.uint64(pow(multiplier, done, M)) % np.uint64(M)
        done += more
    return values[:n].astype(np.uint32)


def known_answers() -> list[dict[str, Any]]:
    """Return the published values."""
    rows: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "known_answers.json").read_text())[
        "park_miller"
    ]
    return rows
