"""Known values for the proofs of this room, and the order that they have."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.transfers import upload

Array = npt.NDArray[Any]

OFFSET = 3
"""Where known values begin in memory, if nothing else is said."""


def placed(queue: cl.CommandQueue, values: Array, offset: int = OFFSET) -> cla.Array:
    """Return an array of the device with `values`, which `offset` others come before in memory."""
    memory = np.concatenate([np.resize(values[::-1], offset), values])
    found: cla.Array = upload(queue, memory)[offset:]
    return found


def hard_values(dtype: np.dtype[Any]) -> Array:
    """Return values that are hard to put in order: extreme ones, zeros of both signs, infinities and NaNs."""
    if dtype.kind != "f":
        limits = np.iinfo(dtype)
        near = [limits.min, limits.min + 1, limits.max // 2, limits.max // 2 + 1, limits.max - 1, limits.max]
        return np.array([0, 1, *near] + [-1] * (dtype.kind == "i"), dtype)
    limit: Any = np.finfo(dtype)
    numbers = [0.0, -0.0, 1.0, -1.0, limit.tiny, -limit.tiny, limit.smallest_subnormal, limit.max, limit.min]
    found = np.array([*numbers, -limit.smallest_subnormal, np.inf, -np.inf, np.nan, np.nan], dtype)
    found.view(f"uint{8 * dtype.itemsize}")[-1] ^= 5 + (1 << 8 * dtype.itemsize - 1)  # a NaN with sign and payload
    return found


def spread_values(dtype: np.dtype[Any], n: int) -> Array:
    """Return values whose bits are random."""
    found: Array = np.random.default_rng(n).integers(0, 256, n * dtype.itemsize, np.uint8).view(dtype)
    return found


def crowded_values(dtype: np.dtype[Any], n: int) -> Array:
    """Return values of which many are equal, and hard ones."""
    random = np.random.default_rng(n + 1)
    few: Array = np.concatenate([hard_values(dtype), spread_values(dtype, 11)])
    found: Array = few[random.integers(0, few.size, n)]
    return found


def rank(values: Array) -> npt.NDArray[np.uint64]:
    """Return integers in the order of the values; 0.0 comes behind -0.0, and NaNs by their bits."""
    bits, size = values.view(f"uint{8 * values.dtype.itemsize}").astype(np.uint64), 8 * values.dtype.itemsize
    half = np.uint64(1 << size - 1)
    if values.dtype.kind == "i":
        return np.where(bits < half, bits + half, bits - half)
    if values.dtype.kind == "f":
        return np.where(bits < half, bits + half, np.uint64((1 << size) - 1) - bits)
    return bits


def sort_rank(values: Array) -> npt.NDArray[np.uint64]:
    """Return integers in the order of the values; zeros have the same, and so have NaNs, which come last."""
    found = rank(values)
    if values.dtype.kind == "f":
        size = 8 * values.dtype.itemsize
        found[values == 0] = np.uint64(1 << size - 1)
        found[np.isnan(values)] = np.uint64((1 << size) - 1)
    return found
