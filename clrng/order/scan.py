"""Sums of the terms before each place of an array on the device: what puts selected values in their places.

The terms are cut into parts. A first kernel adds up each part, a second one, in one work-group, the sums of the parts,
and a third one goes through each part again, knowing what comes before it: reduce, scan, scatter. No work-group waits
for another one. The schemes that read terms only once need that, and OpenCL does not promise it.
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
from clrng.opencl import arrays, contexts, program
from clrng.opencl.devices import describe
from clrng.opencl.transfers import upload, wait_list


@dataclass(frozen=True)
class ScanPlan:
    """How the terms of a scan are shared out.

    Attributes
    ----------
    lanes : int
        Work-items of a work-group, a power of two; with 1 a part is gone through by one work-item alone.
    each : int
        Terms that a work-item takes a turn; with more than one lane, a power of two.
    parts_per_unit : int
        Parts for each compute unit, where there are terms enough.
    shortest : int
        The fewest terms of a part but the last, a multiple of `tile`.
    most_turns : int
        The most turns of the loop over a part.
    """

    lanes: int
    each: int
    parts_per_unit: int
    shortest: int
    most_turns: int

    @property
    def tile(self) -> int:
        """Terms that a work-group takes a turn."""
        return self.lanes * self.each

    def part_length(self, terms: int, units: int) -> int:
        """Return the terms of each part but the last, a multiple of `tile`."""
        wanted = -(-terms // (units * self.parts_per_unit))
        return max(self.shortest, min(-(-wanted // self.tile), self.most_turns) * self.tile)


CPU = ScanPlan(lanes=1, each=8, parts_per_unit=4, shortest=4096, most_turns=2**15)
GPU = ScanPlan(lanes=256, each=8, parts_per_unit=16, shortest=2048, most_turns=2**12)


def plan_for(device: cl.Device) -> ScanPlan:
    """Return the plan for `device`."""
    return CPU if describe(device).kind == "cpu" else GPU


def _kernels(
    context: cl.Context, template: str, plan: ScanPlan, types: tuple[tuple[str, Any], ...]
) -> tuple[ScanPlan, list[program.Kernel]]:
    """Return the plan, with fewer work-items where the device allows no more, and the three kernels."""
    text = source.prelude() + render(f"order/{template}.cl.mako", lanes=plan.lanes, each=plan.each, **dict(types))
    kernels = [program.Kernel(context, text, name) for name in ("sum_parts", "scan_sums", "place_terms")]
    if min(kernel.largest_group for kernel in kernels) < plan.lanes:
        return _kernels(context, template, replace(plan, lanes=plan.lanes // 2), types)
    return plan, kernels


class Scan:
    """The sums of the terms before each place, and the kernel that uses them; the sums of parts are on their way.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    template : str
        Name of a template of the folder ``order`` that inherits from ``scan``.
    terms : int
        How many.
    total : numpy.dtype
        Of the sums.
    inputs : sequence of pyopencl.array.Array
        What the terms are read from.
    **types
        What else the template takes.
    """

    def __init__(
        self, queue: cl.CommandQueue, template: str, terms: int, total: Any, inputs: Sequence[cla.Array], **types: Any
    ) -> None:
        self._queue, self._terms, self._inputs = queue, terms, inputs
        types["total"] = CTYPES[np.dtype(total).name]
        cached = contexts.of_queue(queue).cached(_kernels)
        self._plan, kernels = cached(template, plan_for(queue.device), tuple(sorted(types.items())))
        sum_parts, scan_sums, self._place_terms = kernels
        if not terms:
            self._sums, self._parts = upload(queue, np.zeros(1, total)), 0
            return
        self._length = self._plan.part_length(terms, queue.device.max_compute_units)
        self._parts = -(-terms // self._length)
        self._sums = cla.Array(queue, self._parts + 1, total)
        lanes = self._plan.lanes
        event = sum_parts(
            queue, self._parts * lanes, lanes, *memory(*inputs), terms, self._length, self._sums.base_data,
            wait_for=wait_list(*inputs, self._sums),
        )  # fmt: skip
        self._sums.events[:] = [scan_sums(queue, lanes, lanes, self._sums.base_data, self._parts, wait_for=[event])]

    @property
    def total(self) -> cla.Array:
        """The sum of all terms, an array of shape ()."""
        sums = self._sums
        place = self._parts * sums.dtype.itemsize
        return cla.Array(self._queue, (), sums.dtype, data=sums.base_data, offset=place, events=sums.events)

    def place(self, *outputs: cla.Array, written: Sequence[cla.Array]) -> None:
        """Do with all terms what the template does, and attach the event to the arrays that are `written`.

        Parameters
        ----------
        *outputs
            The arrays that the template takes for it, those that it reads and those that it writes.
        written : sequence of pyopencl.array.Array
            Those that it writes.
        """
        if not self._terms:
            return
        lanes = self._plan.lanes
        event = self._place_terms(
            self._queue, self._parts * lanes, lanes, *memory(*self._inputs), self._terms, self._length,
            self._sums.base_data, self._parts, *memory(*outputs),
            wait_for=wait_list(*self._inputs, self._sums, *outputs),
        )  # fmt: skip
        for array in written:
            arrays.attach_event(self._queue, array, event)


def memory(*given: cla.Array) -> list[Any]:
    """Return what kernels take of arrays: of each its memory and how many values come before it there."""
    found: list[Any] = []
    for array in given:
        found += [array.base_data, array.offset // array.dtype.itemsize]
    return found
