"""Sums of the terms before each place of an array on the device: what puts selected values in their places.

The terms are cut into parts. A first kernel adds up each part, a second one, in one work-group, the sums of the parts,
and a third one goes through each part again, knowing what comes before it: reduce, scan, scatter. No work-group waits
for another one. The schemes that read terms only once need that, and OpenCL does not promise it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.fill.plan import WORK_ITEM_PLATFORMS
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.opencl.transfers import upload, wait_list
from clrng.order.kernels import LARGE, TURNS, kernels_of, rehearse
from clrng.order.moves import info, memory


@dataclass(frozen=True)
class ScanPlan:
    """How the terms of a scan are shared out.

    Attributes
    ----------
    group_size : int
        Work-items of a work-group, a power of two; with 1 a part is gone through by one work-item alone.
    each : int
        Terms that a work-item takes a turn; with several work-items, a power of two.
    parts_per_unit : int
        Parts for each compute unit, where there are terms enough.
    shortest : int
        The fewest terms of a part but the last, a multiple of `tile`.
    most_turns : int
        The most turns of the loop over a part.
    """

    group_size: int
    each: int
    parts_per_unit: int
    shortest: int
    most_turns: int

    @property
    def tile(self) -> int:
        """Terms that a work-group takes a turn."""
        return self.group_size * self.each

    @property
    def larger(self) -> list[int]:
        """Terms of so many parts that a work-group that adds up their sums has more than one turn, if one does that."""
        return [(self.group_size + 3) * self.shortest + 1] if self.group_size > 1 else []

    def for_example(self, terms: int) -> "ScanPlan":
        """Return a plan for the same kernels with many parts, each of several tiles unless terms are many."""
        least = TURNS * self.tile if terms <= LARGE else 0
        return replace(self, parts_per_unit=terms, shortest=max(self.shortest, least))

    def part_length(self, terms: int, units: int) -> int:
        """Return the terms of each part but the last, a multiple of `tile`."""
        wanted = -(-terms // (units * self.parts_per_unit))
        return max(self.shortest, min(-(-wanted // self.tile), self.most_turns) * self.tile)


CPU = ScanPlan(group_size=1, each=8, parts_per_unit=4, shortest=4096, most_turns=2**15)
GPU = ScanPlan(group_size=256, each=8, parts_per_unit=16, shortest=2048, most_turns=2**12)


def plan_for(device: cl.Device) -> ScanPlan:
    """Return the plan for `device`."""
    found = info(device)
    if found.kind == "cpu" and found.platform not in WORK_ITEM_PLATFORMS:  # whose loops must be short
        return CPU
    return replace(GPU, group_size=min(GPU.group_size, 1 << device.max_work_group_size.bit_length() - 1))


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
    check : callable, optional
        Called with a queue, `values` and a number of terms, checks scans of so many known terms by these kernels, as
        `rehearse` has it. Only proofs do without.
    **values
        What else the template takes.
    """

    def __init__(
        self, queue: cl.CommandQueue, template: str, terms: int, total: Any, inputs: Sequence[cla.Array],
        check: Callable[[cl.CommandQueue, dict[str, Any], int], None] | None = None, **values: Any,
    ) -> None:  # fmt: skip
        self._queue, self._template, self._terms, self._inputs = queue, template, terms, inputs
        plan = plan_for(queue.device)
        self._plan, self._parts = plan if check else plan.for_example(terms), 0
        self._values = {
            "group_size": self._plan.group_size, "each": self._plan.each, "total": CTYPES[np.dtype(total).name],
            **values,
        }  # fmt: skip
        if not terms:
            self._sums = upload(queue, np.zeros(1, total))
            return
        if check is not None:
            what = template, tuple(self._values.items())
            rehearse(queue, what, lambda own, n: check(own, values, n), *plan.larger)
        self._length = self._plan.part_length(terms, queue.device.max_compute_units)
        self._parts = -(-terms // self._length)
        self._sums = cla.Array(queue, self._parts + 1, total)
        sums, wait_for = self._sums.base_data, wait_list(*inputs, self._sums)
        event = self._launch("sum_parts", self._parts, *memory(*inputs), terms, self._length, sums, wait_for=wait_for)
        self._sums.events[:] = [self._launch("scan_sums", 1, sums, self._parts, wait_for=[event])]

    def _launch(self, name: str, groups: int, *arguments: Any, wait_for: list[cl.Event] | None) -> cl.Event:
        size = self._plan.group_size
        return kernels_of(self._queue).launch(
            self._queue, self._template, name, self._values, (groups * size, size), *arguments, wait_for=wait_for
        )

    @property
    def total(self) -> cla.Array:
        """The sum of all terms, an array of shape ()."""
        sums = self._sums
        place = self._parts * sums.dtype.itemsize
        return cla.Array(self._queue, (), sums.dtype, data=sums.base_data, offset=place, events=sums.events)

    def place(self, reads: Sequence[cla.Array], writes: Sequence[cla.Array]) -> None:
        """Do with all terms what the template does, and attach the event to all arrays that it reads and writes.

        Parameters
        ----------
        reads, writes : sequence of pyopencl.array.Array
            What the template takes for it: first those that it reads, then those that it writes.
        """
        if not self._terms:
            return
        outputs = *reads, *writes
        event = self._launch(
            "place_terms", self._parts, *memory(*self._inputs), self._terms, self._length, self._sums.base_data,
            self._parts, *memory(*outputs), wait_for=wait_list(*self._inputs, self._sums, *outputs),
        )  # fmt: skip
        for array in (*self._inputs, *outputs):
            arrays.attach_event(self._queue, array, event)
