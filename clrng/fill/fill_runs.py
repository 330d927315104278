"""Fill runs of memory with values of one exact stream that are far apart in it.

A jump of a lagged generator takes as long as very many values. All values from the first run to the last are therefore
made; only wider gaps are jumped over. Where a work-group makes neighbouring values, it stores those of runs alone.
Elsewhere all are stored in memory of their own, and those of runs are taken out of it.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.fill import plan as plans
from clrng.fill import runs_plan
from clrng.fill.arguments import device_arguments
from clrng.fill.convert import AT_ONCE
from clrng.fill.fill_lagged import LaggedStreamFiller
from clrng.fill.plan import LARGEST_LAUNCH, values_per_store
from clrng.fill.proofs import check_runs, sample_runs
from clrng.fill.reached import Reached
from clrng.fill.runs import PLACES, Runs, numbers_of
from clrng.fill.runs_plan import RunsPlan
from clrng.generators import BitGenerator, source
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged import Lagged
from clrng.opencl import arrays
from clrng.opencl.contexts import cached_method
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of, launches, numbered, whole_groups
from clrng.opencl.traits import traits_of
from clrng.opencl.transfers import upload, wait_list
from clrng.proof.prove import apart, prove
from clrng.proof.references import Stream, raw_values

MOST_STEPS = 2**63 - 1
"""The maximum steps that a kernel jumps: what a signed integer of 64 bits holds, as the pitches of axes are."""


class RunsKernel:
    """Fills runs of memory with values of one generator in one arithmetic and one transform, on one queue."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, transform: Transform) -> None:
        self._queue, self._device, self._code, self._transform = queue, device, code, transform
        self._out_bytes = source.output_dtype(code, transform).itemsize
        self._kernel = cached_method(self._prepare)
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


GAP = {"cpu": 2**13, "gpu": 2**21}
"""The maximum gap between runs, in raw values for each word of the state, that is not jumped over. With 1279 words
a jump took 8 milliseconds, in which a core made 10 million values and a large GPU 3 thousand millions."""

EACH = {"cpu": (1024, 1), "gpu": (1, 64)}
"""Values that a work-item takes out of those that were made, and work-items of a work-group.

On a GPU it takes as many as it stores at once where they are neighbours in memory."""

MOST_RUNS = 2**32 - 1
"""The maximum number of runs that a kernel counts."""


class LaggedRuns:
    """Fills runs of memory with values of one lagged Fibonacci generator, on one queue."""

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, lagged: LaggedStreamFiller
    ) -> None:
        kind = traits_of(device).family
        self._queue, self._device, self._code, self._lagged = queue, device, code, lagged
        self._gap = GAP[kind] * code.order
        self._at_once = min(AT_ONCE[kind], device.largest_allocation // (8 * code.value.itemsize))
        self._each, self._group_size = EACH[kind]
        self._in_tiles = not traits_of(device).in_vectors
        self._kernel = cached_method(self._prepare)
        self._axes = lru_cache(maxsize=64)(lambda numbers: upload(queue, np.array(numbers, np.int64)))

    def _prepare(self, transform: Transform, name: str, per_store: int) -> Kernel:
        values = {"per_store": per_store}
        return kernel_of(
            self._queue, name, source.kernel, f"fill/{name}.cl.mako", self._code, transform, 1, values=values
        )

    def fill(self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached, runs: Runs) -> None:
        """Fill runs of the memory of `out`, as `Executor.fill_runs` does."""
        for part in runs.cut(LARGEST_LAUNCH):
            for near in self._near(part, transform.steps):
                moving = start.jumped(near.first * transform.steps)
                self._come_near(moving, reached)
                if not near.axes and near.spacing == transform.steps == 1:
                    run = arrays.part(out, near.begin, near.length)
                    self._lagged.fill(transform, run, moving, reached)
                elif transform.steps == 1 and self._lagged.stores_runs(near.span):
                    self._fill_in_place(transform, out, start, reached, near)
                else:
                    self._fill_near(transform, out, moving, reached, near)

    def _come_near(self, moving: BitGenerator, reached: Reached) -> None:
        """Step from the end of the last fill to the position of `moving`, if that is a short way."""
        if reached.state is None or reached.place is None or not isinstance(moving, Lagged):
            return
        (words, ahead), (known, made) = moving.place, reached.place
        if known is words and 0 < ahead - made <= self._gap:
            between = moving.jumped(made - ahead)
            raw = cla.Array(self._queue, min(ahead - made, self._at_once), self._code.value)
            for _, some in launches(made, ahead, self._at_once):
                self._lagged.fill(RAW, raw[:some], between, reached)
                between.advance(some)

    def _fill_in_place(
        self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached, runs: Runs
    ) -> None:
        """Fill runs without wide gaps by fills that store nothing else; places count from `start`."""
        for part in runs.apart(PLACES):
            moving = start.jumped(part.first)
            self._come_near(moving, reached)
            self._lagged.fill_runs(transform, out, moving, reached, part)

    def _fill_near(
        self, transform: Transform, out: cla.Array, moving: BitGenerator, reached: Reached, runs: Runs
    ) -> None:
        """Fill runs without wide gaps, the first of which begins where `moving` stands; this is advanced."""
        most = min(self._at_once // transform.steps, runs.span)
        raw = cla.Array(self._queue, most * transform.steps, self._code.value)
        for first, some in launches(0, runs.span, most):
            made = raw[: some * transform.steps]
            self._lagged.fill(RAW, made, moving, reached)
            moving.advance(made.size)
            raw.events[:] = [self._take(transform, made, out, runs, first, some)]

    def _near(self, runs: Runs, steps: int) -> Iterator[Runs]:
        """Yield parts of `runs` without wide gaps."""
        outer, inner = runs.axes, replace(runs, axes=())
        while outer:
            wider = replace(runs, axes=(outer[-1], *inner.axes))
            gap = (outer[-1].pitch - inner.span) * steps
            if gap > self._gap or wider.size // wider.length > MOST_RUNS:
                break
            outer, inner = outer[:-1], wider
        for first, begin in replace(runs, axes=outer):
            yield replace(inner, first=first, begin=begin)

    def _check(self, transform: Transform, spaced: bool) -> None:
        """Check what stores runs, by raw values that the host has made."""
        own = apart(self._queue)
        same = LaggedRuns(own, self._device, self._code, self._lagged)

        def make(out: cla.Array, runs: Runs, start: BitGenerator) -> None:
            first, span = runs.first * transform.steps, runs.span * transform.steps
            made = upload(own, raw_values(Stream(start), 0, first + span)[first:])
            same._take(transform, made, out, runs, 0, runs.span)

        runs = sample_runs(spaced=spaced)
        check_runs(own, self._code.recurrence, transform, make, runs)

    def _take(
        self, transform: Transform, made: cla.Array, out: cla.Array, runs: Runs, first: int, some: int
    ) -> cl.Event:
        """Store those of `some` values, of which the first is at place `first` of `runs`, that are values of runs."""
        before, after = runs.values_before(first), runs.values_before(first + some)
        if before == after:
            return made.events[-1]
        per_store, offset = values_per_store(out.dtype.itemsize), out.offset // out.dtype.itemsize + runs.begin
        run, within = divmod(before, runs.length)
        axes, arguments = self._axes(numbers_of(reversed(runs.axes))), device_arguments(self._queue, transform)
        numbers: dict[str, Any]
        if self._in_tiles and runs.spacing == 1 and runs.length >= 2 * per_store:
            items, columns, first_column = _columns(run, within, before, after, runs.length, per_store)
            kernel = self._kernel(transform, "convert_run_tiles", per_store)
            numbers = {"some": some, "items": items, "columns": columns, "first_column": first_column}
        else:
            items, kernel = -(-(after - before) // self._each), self._kernel(transform, "convert_runs", 1)
            numbers = {"n": after - before, "each": self._each, "within": within, "spacing": runs.spacing}
        prove(self._queue, [kernel], lambda: self._check(transform, runs.spacing != 1))
        event: cl.Event = kernel(
            self._queue, whole_groups(items, self._group_size), self._group_size, raw=made.base_data, **numbers,
            **{"from": first}, out=out.base_data, offset=offset, run=run, length=runs.length, axes=axes.base_data,
            dimensions=len(runs.axes), **arguments, wait_for=wait_list(made, out),
        )  # fmt: skip
        arrays.attach_event(self._queue, out, event)
        return event


def _columns(run: int, within: int, before: int, after: int, length: int, per_store: int) -> tuple[int, int, int]:
    """Return how many columns of runs have the values from `before` to `after`, how many of each run, and the first.

    A run begins at any place of a store. Where the values are of several runs, all columns of these are counted.
    """
    runs = (after - 1) // length - run + 1
    low, high = (within, within + after - before) if runs == 1 else (0, length)
    columns = (high + per_store - 2) // per_store - low // per_store + 1
    return runs * columns, columns, low // per_store
