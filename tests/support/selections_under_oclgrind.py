"""Small sums, selections, distinct values and counts, in both shapes, for Oclgrind."""

from typing import Any

import numpy as np
import pyopencl.array as cla
import pytest

from clrng import order
from tests.support.kept import kept, same
from tests.support.shapes import SCANS, use_shape


def selections(queue: Any) -> None:
    """Go through several parts and tiles, at odd places of a buffer, and compare with NumPy."""
    rng = np.random.default_rng(1)
    for shape in SCANS:
        print(f"selections: {shape}", flush=True)
        with pytest.MonkeyPatch.context() as patch:
            use_shape(patch, shape)
            for size in (1, 101):
                values, condition = rng.integers(0, 70, size, dtype=np.uint32), rng.random(size) < 0.5
                array = kept(cla.to_device(queue, np.append([np.uint32(5)] * 3, values)))[3:]
                held = kept(cla.to_device(queue, condition))
                same(kept(order.cumsum(array)), np.cumsum(values))
                same(kept(order.compress(held, array)), values[condition])
                same(kept(order.flatnonzero(held)), np.flatnonzero(condition))
                same(kept(order.split(held, array)[0]), np.concatenate([values[condition], values[~condition]]))
                counts(queue, array, values)
            small = values.astype(np.uint8)
            found: Any = order.unique(
                kept(cla.to_device(queue, small)), return_index=True, return_inverse=True, return_counts=True
            )
            for result, expected in zip(found, np.unique(small, True, True, True), strict=True):
                same(kept(result), expected)


def counts(queue: Any, array: Any, values: Any) -> None:
    """Count in local memory and, in more bins than fit there, without it."""
    for bins in (70, 600):
        same(kept(order.bincount(array, bins)), np.bincount(values, minlength=bins))
        same(kept(order.histogram(array, bins, (3, 60))[0]), np.histogram(values, bins, (3, 60))[0])
    small = kept(cla.to_device(queue, values.astype(np.uint8)))
    same(kept(order.histogram(small, 9, (0, 99))[0]), np.histogram(values, 9, (0, 99))[0])
    floats = kept(cla.to_device(queue, values / np.float32(7)))
    same(kept(order.histogram(floats, 20)[0]), np.histogram(values / np.float32(7), 20)[0])
