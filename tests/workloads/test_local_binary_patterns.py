"""Histograms of local binary patterns are those of a loop over the values, whatever the size and the plan."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from workloads.local_binary_patterns import LocalBinaryPatterns, Plan, by_numpy

GPUS = [Plan(8, groups=3, width=4, copies=4, adders=2), Plan(4, groups=2, width=8, copies=2, adders=1)]
"""Plans as GPUs have, small enough for processors."""


def counted(a: npt.NDArray[Any], n: int) -> list[int]:
    """Count pattern by pattern, as the definition has it."""
    counts = [0] * 4**n
    for i in range(n, len(a) - n):
        neighbours = [*a[i - n : i], *a[i + 1 : i + n + 1]]
        counts[sum(2**j for j, each in enumerate(neighbours) if each >= a[i])] += 1
    return counts


def values(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return values of which many are equal, and the smallest and the largest of the dtype are some."""
    chosen = np.random.default_rng(size).integers(-3, 4, size)
    if np.dtype(dtype).kind == "f":
        return np.choose(chosen + 3, [-np.inf, np.nan, -0.0, 0.0, 1e-45, 1, np.inf]).astype(dtype)
    info = np.iinfo(dtype)
    return np.choose(chosen + 3, [info.min, info.min + 1, 1, 2, 3, info.max - 1, info.max]).astype(dtype)


@pytest.mark.parametrize("plan", [None, *GPUS])
@pytest.mark.parametrize(("dtype", "n"), [("int32", 4), ("uint32", 1), ("float32", 3)])
def test_the_histogram_is_that_of_the_definition(queue: cl.CommandQueue, dtype: str, n: int, plan: Plan | None) -> None:
    patterns = LocalBinaryPatterns(queue, dtype, n, plan)
    for size in (2 * n + 1, 11, 12, 13, 15, 16, 31, 33, 47, 48, 49, 1000):
        a = values(size, dtype)
        found = patterns.histogram(cla.to_device(queue, a)).get()
        assert found.tolist() == counted(a, n), size
        assert by_numpy(a, n).tolist() == counted(a, n)


def test_a_result_of_ones_own_is_overwritten(queue: cl.CommandQueue) -> None:
    a, out = values(100, "int32"), cla.zeros(queue, 256, np.uint64) + 7
    assert LocalBinaryPatterns(queue).histogram(cla.to_device(queue, a), out) is out
    assert out.get().tolist() == counted(a, 4)


def test_what_is_refused(queue: cl.CommandQueue) -> None:
    for n in (0, 5):
        with pytest.raises(ValueError, match=f"n must be an integer from 1 to 4, not {n}"):
            LocalBinaryPatterns(queue, n=n)
    with pytest.raises(TypeError, match="dtype must be int32 or uint32 or float32, not float64"):
        LocalBinaryPatterns(queue, "float64")
    patterns, whole = LocalBinaryPatterns(queue), cla.zeros(queue, 64, np.int32)
    for wrong, error, message in [
        (np.zeros(64, np.int32), TypeError, r"a must be a pyopencl.array.Array, not array"),
        (whole.astype(np.int64), TypeError, "a must have the dtype int32, not int64"),
        (whole.reshape(8, 8), ValueError, r"a must have one dimension and no gaps, not the shape \(8, 8\)"),
        (whole[::2], ValueError, r"a must have one dimension and no gaps, not the shape \(32,\)"),
        (whole[:8], ValueError, "a must have at least 9 values, not 8"),
        (whole[1:], ValueError, "a must begin where its buffer does, not 4 bytes behind"),
    ]:
        with pytest.raises(error, match=message):
            patterns.histogram(wrong)
    with pytest.raises(ValueError, match="out must have 256 values, not 255"):
        patterns.histogram(whole, cla.empty(queue, 255, np.uint64))
