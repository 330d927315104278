"""The passes of a radix sort: each moves all keys to where those of their digit go, and keeps their order.

A pass counts the digits of every part of the keys, adds up the counts, and moves the keys of every part. No work-group
waits for another one: what one needs of others it has from the launch before.
"""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.transfers import wait_list
from clrng.order.kernels import kernels_of
from clrng.order.keys import key_values
from clrng.order.moves import Moves, memory, new_array
from clrng.order.plans import SortPlan

WORD = np.dtype(np.uint32)


class Passes:
    """Passes of one sort that take digits of the same length.

    Parameters
    ----------
    keys : pyopencl.array.Array
    plan : SortPlan
    digit_bits : int
        The most bits of a digit.
    descending : bool
    guard : {"", "buckets", "no buckets"}
        Whether they run only where keys are sorted in buckets, or only where they are not, which the device finds out
        after the first pass in buckets has counted. Without it they always run.
    buckets : pyopencl.array.Array of uint32, optional
        Where the device notes that, with where the buckets begin.
    """

    def __init__(
        self,
        keys: cla.Array,
        plan: SortPlan,
        digit_bits: int,
        *,
        descending: bool,
        guard: str = "",
        buckets: cla.Array | None = None,
    ) -> None:
        queue: Any = keys.queue  # which checked arrays have
        self._queue, self._plan, self._descending, self._guard, self._buckets = queue, plan, descending, guard, buckets
        self._n, self._kernels, self._key_values = keys.size, kernels_of(queue), key_values(keys.dtype)
        self._parts, self._part_size = plan.parts(keys.size)
        self._digits = 1 << digit_bits
        self._counts = new_array(queue, keys, WORD, self._parts * self._digits)
        self._totals = None if plan.by_chunks else new_array(queue, keys, WORD, self._digits)

    def run(
        self,
        digit: tuple[int, int],
        keys: Moves,
        values: Moves,
        after: int,
        wait_for: list[cl.Event] | None,
        *,
        first: bool,
    ) -> cl.Event:
        """Launch a pass that `after` others follow, and return the event of its last launch.

        Parameters
        ----------
        digit : (int, int)
            The first bit that it takes, and how many.
        keys, values : Moves
        after : int
        wait_for : list of pyopencl.Event, or None
        first : bool
            Whether it takes keys and values from their source.
        """
        shift, bits = digit
        mask = (1 << bits) - 1
        taken_keys, taken_values = (each.source if first else each.target(after + 1) for each in (keys, values))
        new_keys, new_values = keys.target(after), values.target(after)
        by = [*memory(taken_keys), self._n, self._part_size, shift]
        event = self._launch(
            "count", "count_digits", "" if self._guard == "buckets" else self._guard, {}, *by, mask,
            mask if self._descending else 0, self._counts.base_data,
            wait_for=wait_list(self._counts, self._totals, self._buckets, *(wait_for or ())),
        )  # fmt: skip
        event = self._add_up(event)
        sums = [each.base_data for each in (self._counts, self._totals) if each is not None]
        kinds = {
            "keys_out": new_keys is not None,
            "values": "" if new_values is None else "made" if taken_values is None else "read",
            "value": values.word,
        }
        return self._launch(
            "scatter", "scatter", self._guard, kinds, *by, bits, int(self._descending), *sums,
            *memory(new_keys, taken_values, new_values), wait_for=[event],
        )  # fmt: skip

    def _launch(
        self, template: str, name: str, guard: str, values: dict[str, Any], *arguments: Any, wait_for: Any
    ) -> cl.Event:
        """Launch a kernel that has a work-group, or a work-item, for each part."""
        plan = self._plan
        every = {**self._key_values, **values, "digits": self._digits}
        if plan.by_chunks:
            every |= {"guard": guard, "bucket_count": plan.bucket_count}
        else:
            every |= plan.group_values | {"value_bytes": 8 if values.get("value") == "ulong" else 4}
        known = [self._buckets.base_data] if guard and self._buckets is not None else []
        return self._kernels.launch(
            self._queue, f"{template}_in_{'chunks' if plan.by_chunks else 'groups'}", name, every,
            (self._parts * plan.group_size, plan.group_size), *arguments, *known, wait_for=wait_for,
        )  # fmt: skip

    def _add_up(self, event: cl.Event) -> cl.Event:
        """Launch what adds up the counts, if that is not left to the next launch."""
        size = self._plan.group_size
        if self._totals is not None:
            return self._kernels.launch(
                self._queue, "scan_counts", "scan_counts", {"group_size": size}, (self._digits * size, size),
                self._counts.base_data, self._parts, self._totals.base_data, wait_for=[event],
            )  # fmt: skip
        if self._guard == "buckets" and self._buckets is not None:
            most = self._n // self._plan.shares
            return self._kernels.launch(
                self._queue, "find_buckets", "find_buckets", {"bucket_count": self._digits}, (1, 1),
                self._counts.base_data, self._parts, most, self._buckets.base_data, wait_for=[event],
            )  # fmt: skip
        return event
