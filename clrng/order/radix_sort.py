"""Radix sort: all of its passes, or one and then the buckets that it makes."""

from dataclasses import replace
from functools import partial
from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.opencl.transfers import wait_list
from clrng.order.buckets import Buckets
from clrng.order.kernels import rehearse
from clrng.order.moves import Moves, info, new_array
from clrng.order.passes import WORD, Passes
from clrng.order.plans import SortPlan, sort_plan
from clrng.order.sort_proof import Kind, check_sort, check_sums

FEW_PARTS = 3
"""Parts of the keys by which a sort is proved."""


def radix_sort(
    keys: cla.Array,
    new_keys: cla.Array | None,
    values: cla.Array | None,
    new_values: cla.Array | None,
    bits: tuple[int, int],
    *,
    descending: bool = False,
    plan: SortPlan | None = None,
) -> cl.Event:
    """Sort checked arrays, which are not empty, on the queue of `keys`; `new_keys` may be in the memory of `keys`.

    Parameters
    ----------
    keys : pyopencl.array.Array
        Of one of `KEYS`.
    new_keys : pyopencl.array.Array, or None
        What the keys are written to in their order; None where they are not wanted.
    values : pyopencl.array.Array, or None
        What is moved with the keys. None are the places of the keys, of dtype uint32, if there are `new_values`.
    new_values : pyopencl.array.Array, or None
        What the values are written to; None where there are no values.
    bits : (int, int)
        The first bit to sort by and the one behind the last.
    descending : bool, optional
    plan : SortPlan, optional
        By default that for the device.

    Returns
    -------
    pyopencl.Event
        Of the last launch, which all the arrays carry too.
    """
    queue: Any = keys.queue  # which checked arrays have
    if plan is None:
        itemsize = max(each.dtype.itemsize for each in (keys, new_values) if each is not None)
        plan = sort_plan(info(queue.device), itemsize, with_values=new_values is not None)
    in_place = new_keys is not None and _same_memory(keys, new_keys)
    kind = Kind(
        keys.dtype, new_keys is not None, in_place, None if new_values is None else new_values.dtype,
        values is not None, bits, descending,
    )  # fmt: skip
    by_buckets = plan.by_buckets(keys.size, bits[1] - bits[0])
    rehearse(queue, (kind, plan, by_buckets), lambda own, n: _check(own, kind, plan, n, by_buckets=by_buckets))
    event = _sort(keys, new_keys, values, new_values, kind, plan, by_buckets=by_buckets)
    for array in (keys, new_keys, values, new_values):
        if array is not None:
            arrays.attach_event(queue, array, event)
    return event


def _check(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, n: int, *, by_buckets: bool) -> None:
    """Check sorts of `n` known keys by the same kernels, in few parts, so that these have several tiles each."""
    plan = replace(plan, max_parts=FEW_PARTS)
    check_sort(queue, kind, partial(_sort, kind=kind, plan=plan, by_buckets=by_buckets), n)
    if not plan.by_chunks:
        check_sums(queue, plan.group_size)


def _sort(
    keys: cla.Array, new_keys: cla.Array | None, values: cla.Array | None, new_values: cla.Array | None, kind: Kind,
    plan: SortPlan, *, by_buckets: bool,
) -> cl.Event:  # fmt: skip
    """Launch all that sorts, and return the event of the last launch."""
    queue: Any = keys.queue
    passes, descending = plan.digits(*kind.bits, even=kind.in_place), kind.descending
    buckets = new_array(queue, keys, WORD, plan.bucket_count + 2) if by_buckets else None
    moved = _moves(keys, new_keys, values, new_values, 3 if by_buckets else len(passes))
    if values is not None and values.queue is not None and values.queue != queue:
        values.queue.flush()
    wait_for = wait_list(keys, values, *moved[0].arrays, *moved[1].arrays)
    if buckets is not None:
        in_buckets = Buckets(plan, kind.bits, buckets, descending=descending, odd=kind.in_place)
        wait_for = [in_buckets.sort(*moved, wait_for)]
    guard = "no buckets" if by_buckets else ""
    each_pass = Passes(keys, plan, plan.digit_bits, descending=descending, guard=guard, buckets=buckets)
    for i, digit in enumerate(passes):
        event = each_pass.run(digit, *moved, len(passes) - 1 - i, wait_for, first=i == 0)
        wait_for = [event]
    return event


def _moves(
    keys: cla.Array, new_keys: cla.Array | None, values: cla.Array | None, new_values: cla.Array | None, passes: int
) -> tuple[Moves, Moves]:
    """Return what is moved, with memory for so many passes or for two by turns."""
    for_keys = Moves(keys, new_keys, keys, min(passes, 2) if new_keys is not None else min(passes, 3) - 1)
    if new_values is None:
        return for_keys, Moves(None, None, keys, 0)
    return for_keys, Moves(values, new_values, new_values, min(passes, 2))


def _same_memory(a: cla.Array, b: cla.Array) -> bool:
    """Return whether two arrays are in one piece of memory."""
    return bool(a.base_data == b.base_data)
