"""Count the values of an array in bins, with counters in local memory where they fit.

Each work-group counts its part of the values in counters of its own in local memory, of which there are several for
each bin so that neighbours seldom meet, and adds them to the result in the end. Bins that are too many for local memory
are counted in the result itself, by atomic operations.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.fill.plan import launches, whole_groups
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.opencl.transfers import wait_list
from clrng.order.kernels import Check, kernels_of, rehearse
from clrng.order.moves import info, memory
from clrng.order.plans import count_plan
from clrng.order.selection_arguments import queue_of

GROUP_SIZE = 64
"""Work-items of a work-group of the kernels that do one thing with each bin."""


class Counting:
    """The kernels of a template, each launch after the one before.

    Only the last one is told to the arrays: one that carries many events waits for the first of them.

    Parameters
    ----------
    template : str
        Name of a template of the folder ``order`` that inherits from ``count``.
    a : pyopencl.array.Array, shape (n,)
    bins : int
    values : dict
        What else the template takes.
    turns : int, optional
        Turns over a part, at least.

    Attributes
    ----------
    values : dict
        All that it takes.
    """

    def __init__(self, template: str, a: cla.Array, bins: int, values: dict[str, Any], turns: int = 1) -> None:
        self._queue, self._template, self._a, self._bins = queue_of(a), template, a, bins
        self._plan = plan = count_plan(info(self._queue.device), bins)
        self._length = plan.part_length(a, self._queue.device.max_compute_units, turns)
        self.values = {
            "group_size": plan.group_size, "each": plan.each, "width": plan.width(a), "vector": plan.vector,
            "local_words": plan.local_words, "atomic": plan.group_size > 1, "value": CTYPES[a.dtype.name], **values,
        }  # fmt: skip
        self._last: list[cl.Event] = []

    def _launch(self, name: str, sizes: tuple[int, int], *arguments: Any, arrays_used: Sequence[cla.Array]) -> None:
        event = kernels_of(self._queue).launch(
            self._queue, self._template, name, self.values, sizes, *arguments,
            wait_for=wait_list(*arrays_used, *self._last),
        )  # fmt: skip
        self._last = [event]

    def run(self, counts: cla.Array, parameters: Sequence[Any] | None) -> None:
        """Set `counts`; without `parameters` no value is in a bin."""
        if parameters is None or not self._a.size:
            self.clear(counts)
        elif self._plan.in_tables:
            self.count_in_tables(counts, parameters)
        else:
            self.clear(counts)
            self.count(counts, parameters, self._a.size)
        for event in self._last:
            for array in (self._a, counts):
                arrays.attach_event(self._queue, array, event)

    def clear(self, counts: cla.Array) -> None:
        """Set counts to 0."""
        sizes = group_sizes(counts.size, self._queue)
        self._launch("clear_counts", sizes, *memory(counts), counts.size, arrays_used=[counts])

    def count(self, counts: cla.Array, parameters: Sequence[Any], most: int) -> None:
        """Count the values on top of the counts, at most so many in a launch."""
        plan, (data, begin) = self._plan, memory(self._a)
        for first, some in launches(0, self._a.size, most):
            sizes = -(-some // self._length) * plan.group_size, plan.group_size
            self._launch(
                "count_values", sizes, data, begin + first, some, self._length, *memory(counts), self._bins,
                plan.log_copies(self._bins), *parameters, arrays_used=[self._a, counts],
            )  # fmt: skip

    def count_in_tables(self, counts: cla.Array, parameters: Sequence[Any]) -> None:
        """Count the values in a table for each compute unit, and set the counts to the sums of these."""
        device = info(self._queue.device)
        tables = max(1, min(device.units, self._a.size // self._bins, device.largest_allocation // (4 * self._bins)))
        made = cla.Array(self._queue, tables * self._bins, np.uint32)
        self.clear(made)
        self.count(made, parameters, tables * self._length)
        sizes = group_sizes(self._bins, self._queue)
        self._launch(
            "add_tables", sizes, *memory(counts), self._bins, made.base_data, tables, arrays_used=[made, counts]
        )


def group_sizes(items: int, queue: cl.CommandQueue) -> tuple[int, int]:
    """Return the work-items, at least so many, and those of a work-group of a kernel that does one thing with each."""
    size = min(GROUP_SIZE, queue.device.max_work_group_size)
    return whole_groups(items, size), size


def count_values(
    template: str, a: cla.Array, bins: int, parameters: Sequence[Any] | None, check: Check,
    **values: Any,
) -> cla.Array:  # fmt: skip
    """Return how many values of an array are of each bin.

    Parameters
    ----------
    template : str
        Name of a template of the folder ``order`` that inherits from ``count``.
    a : pyopencl.array.Array, shape (n,)
    bins : int
    parameters : sequence, or None
        What the kernel finds bins with; None where no value is counted.
    check : callable
        Checks counts of known values by these kernels, as `rehearse` has it.
    **values
        What else the template takes.

    Returns
    -------
    pyopencl.array.Array of uint32, shape (bins,)
        On the queue of `a`; nothing is waited for.
    """
    queue = queue_of(a)
    counts = arrays.output_array(queue, info(queue.device), (bins,), np.dtype(np.uint32), None, "bins", a.allocator)
    if bins:
        counting = Counting(template, a, bins, values)
        rehearse(queue, (template, parameters is None, *counting.values.items()), check)
        counting.run(counts, parameters)
    return counts


def count_into(
    template: str, a: cla.Array, counts: cla.Array, parameters: Sequence[Any] | None, turns: int = 1, **values: Any
) -> None:
    """Set `counts`, of one bin or more, to how many values are of each bin, in parts of so many turns at least."""
    Counting(template, a, counts.size, values, turns).run(counts, parameters)
