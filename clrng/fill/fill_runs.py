"""Fill runs of memory with values of one exact stream that are far apart in it.

A jump of a lagged generator takes as long as very many values. All values from the first run to the last are therefore
made; only wider gaps are jumped over. Where a work-group makes neighbouring values, it stores those of runs alone.
Elsewhere all are stored in memory of their own, and those of runs are taken out of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import gcd, prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill.convert import Converter
from clrng.fill.fill import (
    LARGEST_LAUNCH,
    choose_blocks,
    code_kernel,
    device_arguments,
    fill_kernel,
    most_cached,
    values_per_store,
)
from clrng.fill.fill_lagged import LaggedStreamFiller
from clrng.fill.jump_tree import Reached
from clrng.fill.runs import PLACES, Axis, Runs, numbers_of, prove_runs
from clrng.generators import BitGenerator, source
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged import Lagged
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, cached_method, numbered, whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from clrng.proof.references import Stream, raw_values

MIN_LENGTH = 8
"""The minimum number of values of a run that a CPU makes in vectors."""

LANES = {"cpu": 32, "gpu": 2048}
"""For each compute unit, the lanes of a launch; a vector of a CPU that goes on by strides counts as one."""

TILE_LANES = 32768
"""The same, where a lane makes the values of one store of each of its runs: it mostly waits for its next state."""

CHUNKS = 32
"""About how many chunks of a run a work-item makes where a stride takes as long as many steps."""

SHORTEST = 32
"""The shortest runs that a GPU makes in chunks."""

LONGEST_COLUMN = {"cpu": 4096, "gpu": 16}
"""The maximum number of values of a run that a work-item stores one by one, where a step costs less than a stride."""

LONGEST_RUN = 2**30
"""The maximum number of values of a run in a kernel that counts them in 32 bits."""

MAX_STEPS = 2**63 - 1
"""The maximum steps that a kernel jumps: what a signed integer of 64 bits holds, as the pitches of axes are."""

GAP = {"cpu": 2**13, "gpu": 2**21}
"""The maximum gap between runs, in raw values for each word of the state, that is not jumped over. With 1279 words
a jump took 8 milliseconds, in which a core made 10 million values and a large GPU 3 thousand millions."""

EACH = {"cpu": (1024, 1), "gpu": (1, 64)}
"""Values that a work-item takes out of those that were made, and work-items of a work-group.

On a GPU it takes as many as it stores at once where they are neighbours in memory."""

MAX_RUNS = 2**32 - 1
"""The maximum number of runs that a kernel counts."""


@dataclass(frozen=True)
class RunsPlan:
    """The shape of a fill of runs.

    Runs are cut into columns of values, of which a lane makes one, and then that of the next of its runs. A lane is a
    work-item, or an element of its vectors.
    """

    kernel: str  # Its name, which is that of its template too
    width: int  # Lanes of a vector, or 1
    values: tuple[tuple[str, Any], ...]  # The values that the template takes, by name
    column: int  # Values of a column
    # Columns begin in memory at multiples of so many values, except the first of a run. The columns of a lane all lie
    # alike
    aligned: int
    turns: int  # Turns of the loops of a lane for each of its runs
    lanes: int  # Lanes of a launch, where no lane would have too many turns
    group_size: int  # Work-items of a work-group
    # Values of a column after which states move on by a stride to the next ones; 0 where they do so by steps
    tile: int = 0

    @property
    def in_groups(self) -> bool:
        """Whether work-items of a work-group exchange values, so that the group must have its full size."""
        return self.kernel == "fill_run_blocks"

    @property
    def longest(self) -> int:
        """Longer runs are cut into runs of this length, so that a launch makes many columns of each."""
        return LONGEST_RUN if self.in_groups else self.lanes * self.column

    @property
    def lanes_of_item(self) -> int:
        """How many lanes a work-item has: vectors that move on by strides are neighbouring values of one lane."""
        return 1 if self.tile else self.width

    def launch(self, runs: Runs) -> "RunsLaunch":
        """Return the launch that makes `runs`."""
        columns = -(-(runs.length + self.aligned - 1) // self.column)
        rows = max(runs.axes, key=lambda axis: axis.count, default=Axis(1, 0, 0))
        at = runs.axes.index(rows) if runs.axes else 0
        others = (*runs.axes[:at], *runs.axes[at + 1 :])
        lanes = columns * prod(axis.count for axis in others)
        each = min(-(-rows.count // max(self.lanes // lanes, 1)), max(LONGEST_LOOP // self.turns, 1))
        period = self.aligned // gcd(self.aligned, rows.stride)
        slots = whole_groups(-(-rows.count // each), period)
        return RunsLaunch(columns, slots, lanes * slots, rows, others)


@dataclass(frozen=True)
class RunsLaunch:
    """One launch: which runs each lane makes a column of."""

    columns: int  # How many lanes share a run
    slots: int  # The distance from a run of a lane to its next one, in runs of `rows`
    lanes: int  # How many lanes have columns
    rows: Axis  # The axis along which a lane goes from run to run: the one with the most runs
    others: tuple[Axis, ...]  # The other axes


def choose_runs(device: DeviceInfo, code: GeneratorCode, out_bytes: int, runs: Runs) -> RunsPlan:
    """Return the shape of a fill of `runs` with outputs of `out_bytes` bytes."""
    group, in_strides, traits = values_per_store(out_bytes), code.fill_strategy == "strides", traits_of(device)
    if not traits.side_by_side and code.max_vector_width > 1 and runs.length >= MIN_LENGTH:
        return _vectors(device, code, out_bytes, runs) if in_strides else _lanes(device, code, out_bytes, runs)
    together = min(256, device.device.max_work_group_size)
    if runs.spacing != 1 or runs.length < 2 * group or traits.in_vectors:  # a work-item stores single values
        values, group_size = (("single", True), ("per_store", 1)), 1 if traits.in_vectors else together
        column = 1 if in_strides and not traits.in_vectors else min(runs.length, LONGEST_COLUMN[traits.family])
        return RunsPlan("fill_runs", 1, values, column, 1, column + 1, LANES[traits.family] * device.units, group_size)
    if in_strides or runs.length < SHORTEST:  # a work-item makes the values of a store of each of its runs
        values = ("single", False), ("per_store", group)
        return RunsPlan("fill_runs", 1, values, group, group, 1, TILE_LANES * device.units, together)
    plan = choose_blocks(device, code, out_bytes, streaming=False)  # a work-item makes several chunks of each
    chunks = -(-(runs.length + group - 1) // plan.chunk)
    each = -(-chunks // -(-chunks // CHUNKS))
    of_plan = tuple((name, getattr(plan, name)) for name in ("chunk", "group_size", "unrolled"))
    turns, lanes = each * (1 if plan.unrolled else plan.chunk // 2) + 1, LANES["gpu"] * device.units
    return RunsPlan(
        "fill_run_blocks", 1, (*of_plan, ("per_store", group)), each * plan.chunk, group, turns, lanes, plan.group_size
    )


def _vectors(device: DeviceInfo, code: GeneratorCode, out_bytes: int, runs: Runs) -> RunsPlan:
    """Return the shape in which a work-item makes columns of its runs in vectors, which move on by strides."""
    width, single = code.max_vector_width, runs.spacing != 1
    tile = max(width, min(64, 1 << (runs.length - 1).bit_length()))
    values = (
        ("interleaved", tile // width), ("stride_words", len(code.stride(1))), ("single", single),
        ("streaming", not single and runs.size * out_bytes > most_cached(device)),
    )  # fmt: skip
    column = min(-(-runs.length // tile) * tile, LONGEST_COLUMN["cpu"])
    turns = column // tile + 1 + (column if single else tile)
    return RunsPlan("fill_run_vectors", width, values, column, 1, turns, LANES["cpu"] * device.units, 1, tile)


def _lanes(device: DeviceInfo, code: GeneratorCode, out_bytes: int, runs: Runs) -> RunsPlan:
    """Return the shape in which each lane of a vector makes columns of runs of its own."""
    plan, single = choose_blocks(device, code, out_bytes, streaming=False), runs.spacing != 1
    longest = LONGEST_LOOP // (2 * plan.width) if single else LONGEST_COLUMN["cpu"]
    column = min(-(-runs.length // plan.chunk) * plan.chunk, longest)
    turns = column // plan.chunk + 1 + plan.width * (column if single else plan.chunk)
    values, lanes = (("chunk", plan.chunk), ("single", single)), LANES["cpu"] * device.units * plan.width
    return RunsPlan("fill_run_lanes", plan.width, values, column, 1, turns, lanes, 1)


class RunsKernel:
    """Fills runs of memory with values of one generator in one arithmetic and one transform, on one queue."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, transform: Transform) -> None:
        self._queue, self._device, self._code, self._transform = queue, device, code, transform
        self._out_bytes = source.output_dtype(code, transform).itemsize
        self._kernel = cached_method(self._prepare)
        self._uploaded = lru_cache(maxsize=64)(lambda numbers, dtype: upload(queue, np.array(numbers, dtype)))
        self._stride = lru_cache(maxsize=64)(code.stride)

    def _prepare(self, name: str, width: int, values: tuple[tuple[str, Any], ...]) -> Kernel:
        return fill_kernel(self._queue, self._device, self._code, self._transform, name, width, dict(values))

    def fill(self, out: cla.Array, start: BitGenerator, runs: Runs, transform: Transform) -> None:
        """Fill runs of the memory of `out`, whose places count from its first value."""
        arguments = device_arguments(self._queue, transform)
        longest = choose_runs(self._device, self._code, self._out_bytes, runs).longest
        for near in runs.apart(MAX_STEPS // transform.steps):
            for part in near.cut(longest):
                plan = choose_runs(self._device, self._code, self._out_bytes, part)
                self._launch(self._queue, self._proved(plan, part.spacing != 1), plan, out, start, part, arguments)

    def _proved(self, plan: RunsPlan, spaced: bool) -> Kernel:
        """Return the kernel of a plan, which a few runs have proved."""
        kernel: Kernel = self._kernel(plan.kernel, plan.width, plan.values)
        if not kernel.proved:
            arguments = device_arguments(self._queue, self._transform)

            def make(out: Any, runs: Runs, start: BitGenerator) -> None:
                self._launch(out.queue, kernel, plan, out, start, runs, arguments)

            prove_runs(
                self._queue, [kernel], self._code.recurrence, self._transform, make, column=plan.column, spaced=spaced
            )
        return kernel

    def _launch(
        self, queue: cl.CommandQueue, kernel: Kernel, plan: RunsPlan, out: cla.Array, start: BitGenerator, runs: Runs,
        arguments: dict[str, Any],
    ) -> None:  # fmt: skip
        steps = self._transform.steps
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
            queue, whole_groups(-(-launch.lanes // plan.lanes_of_item), group_size), group_size,
            out=out.base_data, offset=offset, **numbered("start", words), lanes=launch.lanes, columns=launch.columns,
            column_length=plan.column, length=runs.length, spacing=runs.spacing, rows=rows.count, slots=slots,
            pitch=rows.pitch, apart=rows.stride, stride=stride.base_data, axes=axes.base_data,
            dimensions=len(launch.others), **arguments, wait_for=wait_list(out),
        )  # fmt: skip
        arrays.attach_event(queue, out, event)


class LaggedRuns:
    """Fills runs of memory with values of one lagged Fibonacci generator, on one queue."""

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, lagged: LaggedStreamFiller,
        converter: Converter,
    ) -> None:  # fmt: skip
        kind = traits_of(device).family
        self._queue, self._code, self._lagged, self._converter = queue, code, lagged, converter
        self._gap, (self._each, self._group_size) = GAP[kind] * code.order, EACH[kind]
        self._in_tiles = not traits_of(device).in_vectors
        self._kernel = cached_method(self._prepare)
        self._axes = lru_cache(maxsize=64)(lambda numbers: upload(queue, np.array(numbers, np.int64)))

    def _prepare(self, transform: Transform, name: str, per_store: int) -> Kernel:
        return code_kernel(self._queue, name, self._code, transform, 1, {"per_store": per_store})

    def fill(self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached, runs: Runs) -> None:
        """Fill runs of the memory of `out`, as `Executor.fill` does."""
        for part in runs.cut(LARGEST_LAUNCH):
            for near in self._near(part, transform.steps):
                moving = start.jumped(near.first * transform.steps)
                self._come_near(moving, reached)
                if not near.axes and near.spacing == transform.steps == 1:
                    run = arrays.part(out, near.begin, near.length)
                    self._lagged.fill(transform, run, moving, reached)
                elif transform.steps == 1 and self._lagged.stores_runs(near.span):
                    # only values of the runs are stored
                    for few in near.apart(PLACES):
                        moving = start.jumped(few.first)
                        self._come_near(moving, reached)
                        self._lagged.fill_runs(transform, out, moving, reached, few)
                else:
                    take = partial(self._take, transform, out, near)
                    make = self._lagged.going_on(moving, reached)
                    self._converter.in_parts(near.span, 1, transform.steps, make, take)

    def _come_near(self, moving: BitGenerator, reached: Reached) -> None:
        """Step from the end of the last fill to the position of `moving`, if that is a short way."""
        if reached.state is None or reached.place is None or not isinstance(moving, Lagged):
            return
        (words, ahead), (known, made) = moving.place, reached.place
        if known is words and 0 < ahead - made <= self._gap:
            between = moving.jumped(made - ahead)
            self._converter.in_parts(ahead - made, 1, 1, self._lagged.going_on(between, reached), lambda *_: None)

    def _near(self, runs: Runs, steps: int) -> Iterator[Runs]:
        """Yield parts of `runs` without wide gaps."""
        outer, inner = runs.axes, replace(runs, axes=())
        while outer:
            wider = replace(runs, axes=(outer[-1], *inner.axes))
            gap = (outer[-1].pitch - inner.span) * steps
            if gap > self._gap or wider.size // wider.length > MAX_RUNS:
                break
            outer, inner = outer[:-1], wider
        for first, begin in replace(runs, axes=outer):
            yield replace(inner, first=first, begin=begin)

    def _prove(self, kernel: Kernel, transform: Transform, spaced: bool) -> None:
        """Prove what stores runs, by raw values that the host has made."""

        def make(out: Any, runs: Runs, start: BitGenerator) -> None:
            first, span = runs.first * transform.steps, runs.span * transform.steps
            made = upload(out.queue, raw_values(Stream(start), 0, first + span)[first:])
            self._take(transform, out, runs, made, 0, runs.span)

        prove_runs(self._queue, [kernel], self._code.recurrence, transform, make, spaced=spaced)

    def _take(
        self, transform: Transform, out: cla.Array, runs: Runs, made: cla.Array, first: int, some: int
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
        if not kernel.proved:
            self._prove(kernel, transform, runs.spacing != 1)
        queue: Any = made.queue
        event: cl.Event = kernel(
            queue, whole_groups(items, self._group_size), self._group_size, raw=made.base_data, **numbers,
            **{"from": first}, out=out.base_data, offset=offset, run=run, length=runs.length, axes=axes.base_data,
            dimensions=len(runs.axes), **arguments, wait_for=wait_list(made, out),
        )  # fmt: skip
        arrays.attach_event(queue, out, event)
        return event


def _columns(run: int, within: int, before: int, after: int, length: int, per_store: int) -> tuple[int, int, int]:
    """Return how many columns of runs have the values from `before` to `after`, how many of each run, and the first.

    A run begins at any place of a store. Where the values are of several runs, all columns of these are counted.
    """
    runs = (after - 1) // length - run + 1
    low, high = (within, within + after - before) if runs == 1 else (0, length)
    columns = (high + per_store - 2) // per_store - low // per_store + 1
    return runs * columns, columns, low // per_store
