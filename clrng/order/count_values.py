"""Count the values of an array in bins, with counters in local memory where they fit.

Each work-group counts its part of the values in counters of its own in local memory, of which there are several for
each bin so that neighbours seldom meet, and adds them to the result in the end. Bins that are too many for local memory
are counted in the result itself, by atomic operations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.codegen import source
from clrng.codegen.generators.base import CTYPES
from clrng.codegen.templates import render
from clrng.launch.plan import launches, whole_groups
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
        Bytes of a load with several lanes, where the values begin at a multiple of them; elsewhere, and with one lane,
        values are loaded one by one.
    vector : int
        With one lane, the values whose bins are found at once, in a vector, where a template can.
    parts_per_unit : int
        Parts, of a work-group each, for each compute unit, where there are values enough.
    shortest, longest : int
        The fewest and the most values of a part but the last.
    local_words : int
        The most counters in local memory; fewer where the device has less of it, none where bins are more.
    most_copies : int
        The most counters of a bin, a power of two.
    """

    lanes: int
    each: int
    load_bytes: int
    vector: int
    parts_per_unit: int
    shortest: int
    longest: int
    local_words: int
    most_copies: int

    def width(self, a: cla.Array) -> int:
        """Return the values of a load."""
        return 1 if self.lanes == 1 or a.offset % self.load_bytes else max(self.load_bytes // a.dtype.itemsize, 1)

    def part_length(self, a: cla.Array, units: int) -> int:
        """Return the values of each part but the last, a multiple of those of a turn."""
        turn = self.lanes * self.each * self.width(a) * self.vector
        wanted = -(-a.size // (units * self.parts_per_unit))
        return whole_groups(min(max(wanted, self.shortest), self.longest), turn)

    @property
    def in_tables(self) -> bool:
        """Whether each work-item counts in a table of its own."""
        return self.lanes == 1 and not self.local_words

    def log_copies(self, bins: int) -> int:
        """Return the binary logarithm of the counters of a bin in local memory."""
        return max(min(self.local_words // bins, self.most_copies).bit_length() - 1, 0)


CPU = CountPlan(1, 1, 0, 16, 4, 2**14, 2**15, 2**13, 4)
GPU = CountPlan(512, 2, 16, 1, 8, 2**14, 2**22, 2**13, 32)

CLEARING = 64
"""Work-items of a work-group that sets counts to 0 or adds up tables."""


def plan_for(device: cl.Device, bins: int) -> CountPlan:
    """Return the plan for so many bins on `device`."""
    plan = CPU if describe(device).kind == "cpu" else GPU
    words = min(plan.local_words, device.local_mem_size // 4)
    return replace(plan, local_words=words if bins <= words else 0)


class Kernels(NamedTuple):
    """The kernels of a template, and the plan that they are for; each launch attaches its event to what it writes."""

    plan: CountPlan
    clearing: program.Kernel
    counting: program.Kernel
    adding: program.Kernel | None

    def over_bins(self, kernel: program.Kernel, counts: cla.Array, bins: int, *tables: Any) -> None:
        """Launch `clearing` or, with the array of the tables and their number, `adding`."""
        queue, size = queue_of(counts), min(CLEARING, kernel.largest_group)
        given = (tables[0].base_data, *tables[1:]) if tables else ()
        event = kernel(
            queue, whole_groups(bins, size), size, *memory(counts), bins, *given,
            wait_for=wait_list(counts, *tables[:1]),
        )  # fmt: skip
        arrays.attach_event(queue, counts, event)

    def go_through(self, a: cla.Array, counts: cla.Array, bins: int, parameters: Sequence[Any], most: int) -> None:
        """Count the values of `a`, at most so many in a launch."""
        queue, plan = queue_of(a), self.plan
        length, (data, begin) = plan.part_length(a, queue.device.max_compute_units), memory(a)
        for first, some in launches(0, a.size, most):
            event = self.counting(
                queue, -(-some // length) * plan.lanes, plan.lanes, data, begin + first, some, length,
                *memory(counts), bins, plan.log_copies(bins), *parameters, wait_for=wait_list(a, counts),
            )  # fmt: skip
            counts.events[:] = [event]


def _kernels(
    context: cl.Context, template: str, plan: CountPlan, width: int, types: tuple[tuple[str, Any], ...]
) -> Kernels:
    """Return the kernels, with fewer work-items of a work-group where the device allows no more."""
    values = {
        "lanes": plan.lanes,
        "each": plan.each,
        "width": width,
        "vector": plan.vector,
        "atomic": plan.lanes > 1,
        **dict(types),
    }
    text = source.prelude() + render(f"order/{template}.cl.mako", local_words=plan.local_words, **values)
    counting = program.Kernel(context, text, "count_values")
    if counting.largest_group < plan.lanes:
        return _kernels(context, template, replace(plan, lanes=plan.lanes // 2), width, types)
    adding = program.Kernel(context, text, "add_tables") if plan.in_tables else None
    return Kernels(plan, program.Kernel(context, text, "clear_counts"), counting, adding)


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
    device = describe(queue.device)
    counts = arrays.output_array(queue, device, (bins,), np.dtype(np.uint32), None, "bins", a.allocator)
    if not bins:
        return counts
    plan = plan_for(queue.device, bins)
    types["value"] = CTYPES[a.dtype.name]
    cached = contexts.of_queue(queue).cached(_kernels)
    kernels: Kernels = cached(template, plan, plan.width(a), tuple(sorted(types.items())))
    if parameters is None or not a.size:
        kernels.over_bins(kernels.clearing, counts, bins)
    elif kernels.adding is None:
        kernels.over_bins(kernels.clearing, counts, bins)
        kernels.go_through(a, counts, bins, parameters, a.size)
    else:
        tables = max(1, min(device.units, a.size // bins, device.largest_allocation // (4 * bins)))
        scratch = cla.Array(queue, tables * bins, np.uint32)
        kernels.over_bins(kernels.clearing, scratch, scratch.size)
        kernels.go_through(a, scratch, bins, parameters, tables * plan.part_length(a, device.units))
        kernels.over_bins(kernels.adding, counts, bins, scratch, tables)
    return counts
