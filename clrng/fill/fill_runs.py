"""Fill runs of memory with values of one exact stream that are far apart in it."""

from functools import lru_cache
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill import plan as plans
from clrng.fill import runs_plan
from clrng.fill.arguments import device_arguments
from clrng.fill.runs import Runs, numbers_of
from clrng.fill.runs_plan import RunsPlan
from clrng.fill.runs_proof import check_runs, sample_runs
from clrng.generators import BitGenerator, source
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.contexts import kept
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of, numbered, whole_groups
from clrng.opencl.transfers import upload, wait_list
from clrng.proof.prove import apart, prove

MOST_STEPS = 2**63 - 1
"""The most steps that a kernel jumps: what a signed integer of 64 bits holds, as the pitches of axes are."""


class RunsKernel:
    """Fills runs of memory with values of one generator in one arithmetic and one transform, on one queue."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, transform: Transform) -> None:
        self._queue, self._device, self._code, self._transform = queue, device, code, transform
        self._out_bytes = source.output_dtype(code, transform).itemsize
        self._kernel = kept(self._prepare)
        self._uploaded = lru_cache(maxsize=64)(lambda numbers, dtype: upload(queue, np.array(numbers, dtype)))
        self._stride = lru_cache(maxsize=64)(code.stride)

    def _prepare(self, name: str, width: int, values: tuple[tuple[str, Any], ...]) -> Kernel:
        copies = plans.table_copies(self._device, self._transform, "fill" if name == "fill_runs" else "fill_blocks")
        near = plans.has_value_table(self._device, self._code, copies)
        return kernel_of(
            self._queue, name, source.kernel, f"fill/{name}.cl.mako", self._code, self._transform, width,
            values=dict(values), copies=copies, near=near,
        )  # fmt: skip

    def fill(self, out: cla.Array, start: BitGenerator, runs: Runs, transform: Transform) -> None:
        """Fill runs of the memory of `out`, whose places count from its first value."""
        arguments = device_arguments(self._queue, transform)
        plan = runs_plan.choose(self._device, self._code, self._out_bytes, runs)
        for near in runs.apart(MOST_STEPS // transform.steps):
            for part in near.cut(plan.longest):
                plan = runs_plan.choose(self._device, self._code, self._out_bytes, part)
                arrays.attach_event(self._queue, out, self._launch(plan, out, start, part, arguments))

    def _check(self, plan: RunsPlan, spaced: bool) -> None:
        """Check the kernel of a plan by a few runs."""
        own = apart(self._queue)
        same, arguments = (
            RunsKernel(own, self._device, self._code, self._transform),
            device_arguments(own, self._transform),
        )

        def make(out: cla.Array, runs: Runs, start: BitGenerator) -> None:
            arrays.attach_event(own, out, same._launch(plan, out, start, runs, arguments))

        runs = sample_runs(column=plan.column, spaced=spaced)
        check_runs(own, self._code.recurrence, self._transform, make, runs)

    def _launch(
        self, plan: RunsPlan, out: cla.Array, start: BitGenerator, runs: Runs, arguments: dict[str, Any]
    ) -> cl.Event:
        steps, kernel = self._transform.steps, self._kernel(plan.kernel, plan.width, plan.values)
        prove(self._queue, [kernel], lambda: self._check(plan, runs.spacing != 1))
        launch = plan.launch(runs)
        rows, slots = launch.rows, launch.slots
        group_size = plan.group_size if plan.in_groups else min(plan.group_size, kernel.largest_group)
        words = start.jumped(runs.first * steps).words if runs.first else start.words
        words_of_strides = self._stride(slots * rows.pitch * steps)
        if plan.tile:
            words_of_strides += self._stride(plan.tile * steps)
        stride = self._uploaded(words_of_strides, self._code.word)
        axes = self._uploaded(numbers_of(launch.others), np.int64)
        offset = out.offset // out.dtype.itemsize + runs.begin
        event: cl.Event = kernel(
            self._queue, whole_groups(-(-launch.lanes // plan.lanes_of_item), group_size), group_size,
            out=out.base_data, offset=offset, **numbered("start", words), lanes=launch.lanes, columns=launch.columns,
            column_length=plan.column, length=runs.length, spacing=runs.spacing, rows=rows.count, slots=slots,
            pitch=rows.pitch, apart=rows.stride, stride=stride.base_data, axes=axes.base_data,
            dimensions=len(launch.others), **arguments, wait_for=wait_list(out),
        )  # fmt: skip
        return event
