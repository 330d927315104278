"""The least and the largest value of an array on the device."""

from functools import partial
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.fill.plan import LONGEST_VECTOR
from clrng.generators.generator_code import suffix
from clrng.opencl.transfers import wait_list
from clrng.order.count_proof import check_extremes
from clrng.order.kernels import TURNS, kernels_of, rehearse
from clrng.order.keys import WORDS
from clrng.order.moves import info, memory
from clrng.order.plans import scan_plan
from clrng.order.selection_arguments import queue_of

CPU_BYTES, GPU_BYTES = 64, 16
"""Bytes that a work-item takes a turn: of a part that is its own, and of one that it shares with its neighbours."""


def extremes(a: cla.Array) -> tuple[Any, Any]:
    """Return the least and the largest value of `a`, integers or floating-point numbers; this waits for them.

    NaN are below or above all other numbers, by their sign.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Of at least one value.

    Returns
    -------
    low, high : NumPy scalars of the dtype of `a`
    """
    queue = queue_of(a)
    what = "extremes", a.dtype, scan_plan(info(queue.device))
    rehearse(queue, what, lambda own, n: check_extremes(own, a.dtype, partial(_extremes, turns=TURNS), n))
    return _extremes(a)


def _extremes(a: cla.Array, turns: int = 1) -> tuple[Any, Any]:
    """Return what `extremes` does, from parts of so many turns at least."""
    queue, bits = queue_of(a), 8 * a.dtype.itemsize
    plan, size = scan_plan(info(queue.device)), a.dtype.itemsize
    width = min((CPU_BYTES if plan.group_size == 1 else GPU_BYTES) // size, LONGEST_VECTOR)
    values = {"key": WORDS[size], "bits": bits, "kind": a.dtype.kind, "width": width, "w": suffix(width)}
    length = max(plan.part_length(a.size, queue.device.max_compute_units), turns * plan.group_size * width)
    parts = -(-a.size // length)
    found = cla.Array(queue, (parts, 2), np.dtype(f"uint{bits}"))
    event = kernels_of(queue).launch(
        queue, "extremes", "extremes", {"group_size": plan.group_size, **values},
        (parts * plan.group_size, plan.group_size), *memory(a), a.size, length, found.base_data,
        wait_for=wait_list(a, found),
    )  # fmt: skip
    found.events[:] = [event]
    keys = found.get()
    return _value(keys[:, 0].min(), a.dtype), _value(keys[:, 1].max(), a.dtype)


def _value(key: Any, dtype: np.dtype[Any]) -> Any:
    """Return the value whose key, as the kernel makes it, is `key`."""
    sign = key.dtype.type(1 << 8 * key.dtype.itemsize - 1)
    if dtype.kind == "i" or (dtype.kind == "f" and key & sign):
        key ^= sign
    elif dtype.kind == "f":
        key = ~key
    return key.view(dtype)
