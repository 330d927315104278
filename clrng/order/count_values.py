"""Count the values of an array in bins, with counters in local memory where they fit.

Each work-group counts its part of the values in counters of its own in local memory, of which there are several for
each bin so that neighbours seldom meet, and adds them to the result in the end. Bins that are too many for local memory
are counted in the result itself, by atomic operations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.codegen import source
from clrng.codegen.generators.base import CTYPES
from clrng.codegen.templates import render
from clrng.launch.plan import whole_groups
from clrng.opencl import arrays, contexts, program
from clrng.opencl.devices import describe
from clrng.opencl.transfers import wait_list
from clrng.order.scan import memory
from clrng.order.selection_arguments import queue_of


@dataclass(frozen=True)
class CountPlan:
    """How the values that are counted are shared out.

    Attributes
    ----------
    lanes : int
        Work-items of a work-group, a power of two.
    each : int
        Loads of a work-item a turn.
    load_bytes : int
        Bytes of a load where the values begin at a multiple of them; at others, values are loaded one by one.
    parts_per_unit : int
        Parts, of a work-group each, for each compute unit, where there are values enough.
    shortest : int
        The fewest bytes of a part but the last.
    most_turns : int
        The most turns of the loop over a part.
    local_words : int
        The most counters in local memory; fewer where the device has less of it, none where bins are more.
    most_copies : int
        The most counters of a bin, a power of two.
    """

    lanes: int
    each: int
    load_bytes: int
    parts_per_unit: int
    shortest: int
    most_turns: int
    local_words: int
    most_copies: int

    def width(self, a: cla.Array) -> int:
        """Return the values of a load."""
        return max(self.load_bytes // a.dtype.itemsize, 1) if self.load_bytes and not a.offset % self.load_bytes else 1

    def part_length(self, a: cla.Array, units: int) -> int:
        """Return the values of each part but the last, a multiple of those of a turn."""
        turn = self.lanes * self.each * self.width(a)
        wanted = -(-a.size // (units * self.parts_per_unit * turn))
        shortest = -(-self.shortest // (a.dtype.itemsize * turn))
        return max(shortest, min(wanted, self.most_turns)) * turn

    def log_copies(self, bins: int) -> int:
        """Return the binary logarithm of the counters of a bin in local memory."""
        return max(min(self.local_words // bins, self.most_copies).bit_length() - 1, 0)


CPU = CountPlan(1, 8, 0, 4, 2**17, 2**15, 2**14, 4)
GPU = CountPlan(512, 2, 16, 8, 2**16, 2**12, 2**13, 32)


CLEARING = 64
"""Work-items of a work-group that sets counts to 0."""


def plan_for(device: cl.Device, bins: int) -> CountPlan:
    """Return the plan for so many bins on `device`."""
    plan = CPU if describe(device).kind == "cpu" else GPU
    words = min(plan.local_words, device.local_mem_size // 4)
    return replace(plan, local_words=words if bins <= words else 0)


def _kernels(
    context: cl.Context, template: str, plan: CountPlan, width: int, types: tuple[tuple[str, Any], ...]
) -> tuple[CountPlan, program.Kernel, program.Kernel]:
    """Return the plan, with fewer work-items where the device allows no more, and the kernels that clear and count."""
    values = {"lanes": plan.lanes, "each": plan.each, "width": width, "atomic": plan.lanes > 1, **dict(types)}
    text = source.prelude() + render(f"order/{template}.cl.mako", local_words=plan.local_words, **values)
    counting = program.Kernel(context, text, "count_values")
    if counting.largest_group < plan.lanes:
        return _kernels(context, template, replace(plan, lanes=plan.lanes // 2), width, types)
    return plan, program.Kernel(context, text, "clear_counts"), counting


def count_values(template: str, a: cla.Array, bins: int, parameters: Sequence[Any] | None, **types: Any) -> cla.Array:
    """Return how many values of an array are of each bin.

    Parameters
    ----------
    template : str
        Name of a template of the folder ``order`` that inherits from ``count``.
    a : pyopencl.array.Array, shape (n,)
    bins : int
    parameters : sequence, or None
        What the kernel finds bins with; None where no value is counted.
    **types
        What else the template takes.

    Returns
    -------
    pyopencl.array.Array of uint32, shape (bins,)
        On the queue of `a`; nothing is waited for.
    """
    queue = queue_of(a)
    counts = arrays.output_array(
        queue, describe(queue.device), (bins,), np.dtype(np.uint32), None, "bins", a.allocator
    )  # fmt: skip
    if not bins:
        return counts
    types["value"] = CTYPES[a.dtype.name]
    found = plan_for(queue.device, bins)
    width = found.width(a)
    cached = contexts.of_queue(queue).cached(_kernels)
    plan, clear, count = cached(template, found, width, tuple(sorted(types.items())))
    group_size = min(CLEARING, clear.largest_group)
    place = counts.base_data, counts.offset // 4, bins
    event = clear(queue, whole_groups(bins, group_size), group_size, *place, wait_for=wait_list(counts))
    if a.size and parameters is not None:
        length = plan.part_length(a, queue.device.max_compute_units)
        event = count(
            queue, -(-a.size // length) * plan.lanes, plan.lanes, *memory(a), a.size, length, *place,
            plan.log_copies(bins), *parameters, wait_for=wait_list(a, event),
        )  # fmt: skip
    arrays.attach_event(queue, counts, event)
    return counts
