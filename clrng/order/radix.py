"""Radix sort, the lowest digit first: each pass moves all keys to where those of their digit go, and keeps their order.

A pass counts the digits of every part of the keys, adds up the counts, and moves the keys of every part. No work-group
waits for another one: what one needs of others it has from the launch before.
"""

from functools import cache
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.opencl.devices import describe
from clrng.opencl.transfers import wait_list
from clrng.order.kernels import kernels_of
from clrng.order.keys import WORDS, key_values
from clrng.order.plan import SortPlan, choose

info = cache(describe)
"""What a device is, asked once."""


def new_array(queue: cl.CommandQueue, like: cla.Array, dtype: np.dtype[Any] | None = None) -> cla.Array:
    """Return an array on `queue` as large as `like`, and of its dtype or another one, from its allocator."""
    return arrays.output_array(
        queue, info(queue.device), like.shape, dtype or like.dtype, name="a sort", allocator=like.allocator
    )


class _Moves:
    """What a sort moves, from pass to pass: the keys or the values, where they are and where they go.

    Parameters
    ----------
    source : pyopencl.array.Array or None
        Where they are first; None for values that are the places of the keys, which the first pass makes.
    result : pyopencl.array.Array or None
        Where they are at last; None for keys, if they are not wanted.
    like : pyopencl.array.Array
        What memory between is like.
    passes : int
    """

    def __init__(self, source: cla.Array | None, result: cla.Array | None, like: cla.Array, passes: int) -> None:
        queue: Any = like.queue  # which checked arrays have
        between = passes - 1
        first = new_array(queue, like) if between else None
        second = result if result is not None else new_array(queue, like) if between > 1 else None
        # The last pass writes to the result, and those before by turns to one of the two that the next does not.
        turns = [(first, second)[(passes - 1 - i) % 2 == 0] for i in range(passes - (result is None))]
        self.sources = [source, *turns]
        self.targets: list[cla.Array | None] = [*turns, None] if result is None else list(turns)

    @property
    def every(self) -> list[cla.Array | None]:
        """All arrays."""
        return [*self.sources, *self.targets]


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
    """Sort checked arrays, which are not empty; on the queue of `keys`, whose memory `new_keys` may have.

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
    value_bytes = new_values.dtype.itemsize if new_values is not None else 0
    plan = plan or choose(info(queue.device), max(keys.dtype.itemsize, value_bytes))
    in_place = new_keys is not None and _same_memory(keys, new_keys)
    passes = plan.digits(*bits, even=in_place)
    moved_keys = _Moves(keys, new_keys, keys, len(passes))
    moved_values = _Moves(values, new_values, new_values, len(passes)) if new_values is not None else None
    if values is not None and values.queue is not None and values.queue != queue:
        values.queue.flush()
    every = {id(array): array for moves in (moved_keys, moved_values) if moves for array in moves.every}
    each_pass = _Passes(keys, plan, descending=descending)
    wait_for = wait_list(*every.values())
    for i, (shift, count) in enumerate(passes):
        pair = (moved_values.sources[i], moved_values.targets[i]) if moved_values else (None, None)
        event = each_pass.run((shift, count), moved_keys.sources[i], moved_keys.targets[i], *pair, wait_for)
        wait_for = [event]
    for array in (keys, new_keys, values, new_values):
        if array is not None:
            arrays.attach_event(queue, array, event)
    return event


def _same_memory(a: cla.Array, b: cla.Array) -> bool:
    """Return whether two arrays are in one piece of memory."""
    return bool(a.base_data == b.base_data)


class _Passes:
    """The passes of one sort.

    Parameters
    ----------
    keys : pyopencl.array.Array
        As those of `radix_sort`.
    plan : SortPlan
    descending : bool
    """

    def __init__(self, keys: cla.Array, plan: SortPlan, *, descending: bool) -> None:
        queue: Any = keys.queue
        self._queue, self._plan, self._descending = queue, plan, descending
        self._n, self._kernels, self._values = keys.size, kernels_of(queue), key_values(keys.dtype)
        self._parts, self._part_size = plan.parts(keys.size)
        self._digits = 1 << plan.digit_bits
        device, word = info(queue.device), np.dtype(np.uint32)
        self._counts, self._totals = (
            arrays.output_array(queue, device, (size,), word, name="a sort", allocator=keys.allocator)
            for size in (self._parts * self._digits, self._digits)
        )

    def run(
        self, digit: tuple[int, int], keys: Any, new_keys: cla.Array | None, values: cla.Array | None,
        new_values: cla.Array | None, wait_for: list[cl.Event] | None,
    ) -> cl.Event:  # fmt: skip
        """Launch a pass, and return the event of its last launch."""
        shift, bits = digit
        wait_for = wait_list(self._counts, self._totals, *(wait_for or ()))
        mask = (1 << bits) - 1
        flip = mask if self._descending else 0
        by = (*_place(keys), self._n, self._part_size, shift)
        event = self._count(*by, mask, flip, self._counts.data, wait_for=wait_for)
        sums = [self._counts.data]
        if not self._plan.by_chunks:
            event = self._scan(event)
            sums.append(self._totals.data)
        moved = [part for each in (new_keys, values, new_values) if each is not None for part in _place(each)]
        kinds = {
            "keys_out": new_keys is not None,
            "values": "" if new_values is None else "made" if values is None else "read",
            "value": "" if new_values is None else WORDS[new_values.dtype.itemsize],
        }
        return self._scatter(kinds, *by, bits, int(self._descending), *sums, *moved, wait_for=[event])

    def _launch(self, template: str, name: str, values: dict[str, Any], *arguments: Any, **waits: Any) -> cl.Event:
        """Launch a kernel that has a work-group, or a work-item, for each part."""
        sizes = self._parts * self._plan.group_size, self._plan.group_size
        kind = "chunks" if self._plan.by_chunks else "groups"
        shape = {} if self._plan.by_chunks else {"group_size": self._plan.group_size, "keys_each": self._plan.keys_each}
        every = {**self._values, "digits": self._digits, **shape, **values}
        return self._kernels.launch(self._queue, f"{template}_in_{kind}", name, every, sizes, *arguments, **waits)

    def _count(self, *arguments: Any, wait_for: list[cl.Event] | None) -> cl.Event:
        copies = {} if self._plan.by_chunks else {"copies": self._plan.copies}
        return self._launch("count", "count_digits", copies, *arguments, wait_for=wait_for)

    def _scan(self, event: cl.Event) -> cl.Event:
        size = self._plan.group_size
        return self._kernels.launch(
            self._queue, "scan_counts", "scan_counts", {"group_size": size}, (self._digits * size, size),
            self._counts.data, self._parts, self._totals.data, wait_for=[event],
        )  # fmt: skip

    def _scatter(self, kinds: dict[str, Any], *arguments: Any, wait_for: list[cl.Event]) -> cl.Event:
        by_groups = {"rank_bits": self._plan.rank_bits, "value_bytes": 8 if kinds["value"] == "ulong" else 4}
        values = kinds if self._plan.by_chunks else {**kinds, **by_groups}
        return self._launch("scatter", "scatter", values, *arguments, wait_for=wait_for)


def _place(array: cla.Array) -> tuple[Any, int]:
    """Return the memory of an array and where in it the array begins, in values."""
    return array.base_data, array.offset // array.dtype.itemsize
