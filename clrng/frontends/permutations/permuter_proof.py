"""Known keys for the proofs of the kernels that mend orders and that make leads in memory."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.transforms.integers import Lead
from clrng.generators import BitGenerator
from clrng.opencl.transfers import upload
from clrng.proof import references
from clrng.proof.fills import GUARD, check_guard, poisoned
from clrng.proof.prove import compare

Array = npt.NDArray[Any]

OUTER, LENGTH, INNER = 2, 61, 3
"""The shape of the array whose elements have the keys."""

STEPS = (1, 3)
"""Raw values of a key."""

LONGEST_RUN = 20

FAR = 2**31 - 200
"""The place from which on keys are far along the stream."""

LEADS = 517
"""Leads that are made; an odd number."""

Mend = Callable[[cla.Array, int, tuple[cla.Array, cla.Array], tuple[int, int], int, Sequence[Any]], Any]
"""Mends an order; called with its memory, where it begins, the number of runs and the runs, the shape (length, inner),
the raw values of a key, and what keys are made of."""


def check_mend(
    queue: cl.CommandQueue, bits: BitGenerator, index: np.dtype[Any], value: np.dtype[Any] | None, mend: Mend
) -> None:
    """Check that runs are put in the order of their keys.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    bits : BitGenerator
        Makes the keys from where it stands.
    index : numpy.dtype
        Of the order.
    value : numpy.dtype, or None
        Of the raw values of keys in memory, None where they are made again.
    mend : callable
        As `Mend` says.

    Raises
    ------
    MismatchError
        If a place is not right.
    """
    random = np.random.default_rng(LENGTH)
    most = int(np.iinfo(index).max)
    for steps in STEPS:
        count, given = OUTER * LENGTH * INNER * steps, list[Any](bits.words)
        if value is None:
            raw = references.raw_values(references.Stream(bits), 0, count)
        else:
            raw = random.integers(0, 2, count).astype(value)
            given = [upload(queue, raw).base_data]
        keys = raw.reshape(OUTER, LENGTH, INNER, steps).transpose(0, 2, 1, 3).reshape(-1, LENGTH, steps)
        _check_runs(queue, index, keys, 0, given, mend)
        if value is None and most > FAR:
            raw = references.raw_values(references.Stream(bits), FAR * INNER * steps, LENGTH * INNER * steps)
            keys = raw.reshape(LENGTH, INNER, steps).transpose(1, 0, 2)
            _check_runs(queue, index, keys, FAR, given, mend)


def _check_runs(
    queue: cl.CommandQueue, index: np.dtype[Any], keys: Array, first: int, given: Sequence[Any], mend: Mend
) -> None:
    """Check runs of places from `first` on, of rows of which `keys` are those of each place."""
    steps = keys.shape[2]
    random = np.random.default_rng(steps)
    order = np.sort(random.integers(0, LENGTH, keys.shape[:2]), axis=1)
    expected, noted = order.copy(), []
    for row, places in enumerate(order):
        begin = 0
        while begin < LENGTH:
            end = min(begin + int(random.integers(1, LONGEST_RUN)), LENGTH)
            noted += [(row * LENGTH + begin, end - begin)] * (end - begin > 1)
            run = places[begin:end]
            expected[row, begin:end] = run[np.lexsort(keys[row, run].T[::-1])]
            begin = end
    held: Any = poisoned(queue, order.size + 2 * GUARD, index)
    held[GUARD : GUARD + order.size] = (order + first).reshape(-1).astype(index)
    runs = upload(queue, np.array([len(noted)], np.uint32)), upload(queue, np.array(noted, np.uint32))
    mend(held, GUARD, runs, (LENGTH, INNER), steps, given)
    queue.finish()
    found = held.get()
    compare(f"with keys of {steps} raw values place", found[GUARD:-GUARD], (expected + first).reshape(-1).astype(index))
    check_guard("before", found[:GUARD])
    check_guard("behind", found[-GUARD:])


def check_leads(
    queue: cl.CommandQueue, bits: BitGenerator, value: np.dtype[Any], chosen: Lead,
    convert: Callable[[cla.Array, cla.Array, int], Any],
) -> None:  # fmt: skip
    """Check leads that are made of raw values in memory.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    bits : BitGenerator
        Has the least and the largest raw value.
    value : numpy.dtype
        Of raw values.
    chosen : Lead
    convert : callable
        Makes leads; called with raw values, memory for leads and how many they are.

    Raises
    ------
    MismatchError
        If a lead is not right.
    """
    random = np.random.default_rng(chosen.steps)
    shape = LEADS, chosen.steps
    raw = random.integers(bits.min_value, bits.upper_bound - 1, shape, np.uint64, endpoint=True).astype(value)
    raw[0], raw[-1] = bits.min_value, bits.upper_bound - 1
    expected, _ = references.values(chosen, bits, raw)
    made = poisoned(queue, LEADS + GUARD, expected.dtype)
    convert(upload(queue, raw.reshape(-1)), made, LEADS)
    queue.finish()
    found = made.get()
    compare("lead", found[:LEADS], expected)
    check_guard("behind", found[LEADS:])
