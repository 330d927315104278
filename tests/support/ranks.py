"""What a rank does that draws its part in a process of its own."""

import pickle
from typing import Any, cast

import numpy as np
import numpy.typing as npt

import clrng


def parts(text: bytes, rank: int, size: int, index: int) -> list[npt.NDArray[Any]]:
    """Return what a rank draws by some calls, from a pickled bit generator, on the device of this index."""
    rng = clrng.Generator(pickle.loads(text), index).piece(rank, size)
    return calls(rng)


def calls(rng: clrng.Generator) -> list[npt.NDArray[Any]]:
    """Return the results of some calls."""
    return [
        rng.random_raw(1001).get(),
        rng.standard_normal((10, 7)).get(),
        rng.integers(6, size=(5, 2, 3)).get(),
        np.asarray(rng.random(2, out=cast("Any", np.ndarray))),
        rng.random_raw(10).get(),
    ]
