"""Prefix sums of an array on the device, which also say where selected values go.

The terms are cut into parts. A first kernel adds up each part, a second one, in one work-group, the sums of the parts,
and a third one goes through each part again, from the sum of all before it: reduce, scan, scatter. No work-group waits
for another one, as in schemes that read terms only once: OpenCL does not promise that such waiting ends.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl.transfers import upload, wait_list
from clrng.order.examples import LARGE, TURNS, Examples
from clrng.order.kernels import kernel_for, rehearse
from clrng.order.memory import attach, info, memory, name_of, queue_of
from clrng.order.plans import ScanPlan, scan_plan


def _for_example(plan: ScanPlan, terms: int) -> ScanPlan:
    """Return a plan for the same kernels with many parts, each of several tiles unless terms are many."""
    shortest = TURNS * plan.tile if terms <= LARGE else 0
    return replace(plan, parts_per_unit=terms, min_part=max(plan.min_part, shortest))


def _larger(plan: ScanPlan) -> list[int]:
    """Return numbers of terms, if any, whose parts are too many for a work-group to add up their sums in one turn."""
    return [(plan.group_size + 3) * plan.min_part + 1] if plan.group_size > 1 else []


class Scan:
    """Prefix sums of terms, and the kernel that uses them; those of whole parts are launched when it is made.

    The template, of the folder ``order``, inherits from ``scan`` and takes `values`; sums have the dtype `total`, and
    the terms are read from `inputs`. The kernels are proved by scans of `examples`; only these have none.
    """

    def __init__(
        self, queue: cl.CommandQueue, template: str, total: Any, inputs: Sequence[cla.Array],
        examples: Examples | None = None, **values: Any,
    ) -> None:  # fmt: skip
        self._queue, self._template, self._terms, self._inputs = queue, template, inputs[0].size, inputs
        plan, terms = scan_plan(info(queue.device)), self._terms
        self._plan, self._parts = plan if examples else _for_example(plan, terms), 0
        self._values = {
            "group_size": self._plan.group_size, "each": self._plan.each, "total": CTYPES[name_of(np.dtype(total))],
            **values,
        }  # fmt: skip
        if not terms:
            self._sums = upload(queue, np.zeros(1, total))
            return
        if examples is not None:
            call = partial(_example, template, total, len(inputs), values)
            rehearse(queue, (template, tuple(self._values.items())), (call, examples), larger=_larger(plan))
        self._length = self._plan.part_length(terms, queue.device.max_compute_units)
        self._parts = -(-terms // self._length)
        self._sums = cla.Array(queue, self._parts + 1, total)
        sums, wait_for = self._sums.base_data, wait_list(*inputs, self._sums)
        event = self._launch("sum_parts", self._parts, *memory(*inputs), terms, self._length, sums, wait_for=wait_for)
        self._sums.events[:] = [self._launch("scan_sums", 1, sums, self._parts, wait_for=[event])]

    def _launch(self, name: str, groups: int, *arguments: Any, wait_for: list[cl.Event] | None) -> cl.Event:
        size = self._plan.group_size
        kernel = kernel_for(self._queue, self._template, name, self._values)
        return kernel(self._queue, groups * size, size, *arguments, wait_for=wait_for)

    @property
    def total(self) -> cla.Array:
        """The sum of all terms, an array of shape ()."""
        sums = self._sums
        place = self._parts * sums.dtype.itemsize
        return cla.Array(self._queue, (), sums.dtype, data=sums.base_data, offset=place, events=sums.events)

    def place(self, reads: Sequence[cla.Array], writes: Sequence[cla.Array]) -> None:
        """Launch what the template does with all terms: `reads` and `writes` are the other arrays that it takes."""
        if not self._terms:
            return
        outputs = *reads, *writes
        event = self._launch(
            "place_terms", self._parts, *memory(*self._inputs), self._terms, self._length, self._sums.base_data,
            self._parts, *memory(*outputs), wait_for=wait_list(*self._inputs, self._sums, *outputs),
        )  # fmt: skip
        attach(self._queue, event, *self._inputs, *outputs)


def _example(
    template: str, total: Any, inputs: int, values: dict[str, Any], given: Sequence[cla.Array],
    results: Sequence[cla.Array],
) -> list[int]:  # fmt: skip
    """Scan an example, of which the first `inputs` arrays given have the terms; return the sum of all terms."""
    scan = Scan(queue_of(given[0]), template, total, given[:inputs], **values)
    scan.place(given[inputs:], results)
    return [int(scan.total.get())]
