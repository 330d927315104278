"""Sort by keys of several words, for parts of clrng that make such keys."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.launch.plan import whole_groups
from clrng.opencl import arrays
from clrng.opencl.transfers import wait_list
from clrng.order.kernels import kernels_of
from clrng.order.keys import WORDS
from clrng.order.moves import info, new_array
from clrng.order.plan import SortPlan
from clrng.order.radix import radix_sort

GROUP_SIZE = 128
"""Work-items of a work-group that gathers."""


def gather(values: cla.Array, places: cla.Array) -> cla.Array:
    """Return ``values[places]``, on the queue of `places`.

    Parameters
    ----------
    values : pyopencl.array.Array, shape (m,)
        Of a dtype of 1, 2, 4 or 8 bytes.
    places : pyopencl.array.Array of uint32, shape (n,)
        Each less than m.
    """
    queue: Any = places.queue
    found, n = new_array(queue, places, values.dtype), places.size
    if n:
        group_size = min(GROUP_SIZE, info(queue.device).device.max_work_group_size)
        event = kernels_of(queue).launch(
            queue, "gather", "gather", {"value": WORDS[values.dtype.itemsize]},
            (whole_groups(n, group_size), group_size), values.base_data, values.offset // values.dtype.itemsize,
            places.base_data, places.offset // places.dtype.itemsize, found.base_data, n,
            wait_for=wait_list(values, places, found),
        )  # fmt: skip
        for array in (values, places, found):
            arrays.attach_event(queue, array, event)
    return found


def argsort_words(
    words: Sequence[cla.Array],
    bits: Sequence[tuple[int, int]] | None = None,
    plan: SortPlan | None = None,
) -> cla.Array:
    """Return the places that keys have in order, stable, where a key is a word of each array.

    Parameters
    ----------
    words : sequence of pyopencl.array.Array, shape (n,)
        The highest words of all keys, then the next ones; contiguous, of dtypes that are sorted, on one queue.
    bits : sequence of (int, int), optional
        For each of the words the first bit to sort by and the one behind the last; by default all of them.
    plan : SortPlan, optional

    Returns
    -------
    pyopencl.array.Array of uint32, shape (n,)

    Raises
    ------
    ValueError
        If there is no array.
    """
    ranges = bits or [(0, 8 * word.dtype.itemsize) for word in words]
    found: cla.Array | None = None
    for word, chosen in zip(reversed(words), reversed(ranges), strict=True):
        found = _argsort_further(word, found, chosen, plan)
    if found is None:
        raise ValueError("words must have one array at least")
    return found


def _argsort_further(
    word: cla.Array, places: cla.Array | None, bits: tuple[int, int], plan: SortPlan | None
) -> cla.Array:
    """Return `places`, by default from 0 on, sorted by the words that are there."""
    queue: Any = word.queue
    found = new_array(queue, word, np.dtype(np.uint32))
    if word.size:
        radix_sort(word if places is None else gather(word, places), None, places, found, bits, plan=plan)
    return found
