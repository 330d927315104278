"""The shape of a fill of runs: how they are divided among work-items and lanes of vectors, chosen for the device.

The values are the same for every shape.
"""

from dataclasses import dataclass
from math import gcd, prod
from typing import Any

from clrng.fill import plan as plans
from clrng.fill.runs import Axis, Runs
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of

FEWEST = 8
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
    longest: int  # Longer runs are cut into runs of this length, so that a launch makes many columns of each
    # Values of a column after which states move on by a stride to the next ones; 0 where they do so by steps
    tile: int = 0

    @property
    def in_groups(self) -> bool:
        """Whether work-items of a work-group exchange values, so that the group must have its full size."""
        return self.kernel == "fill_run_blocks"

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


def choose(device: DeviceInfo, code: GeneratorCode, out_bytes: int, runs: Runs) -> RunsPlan:
    """Return the shape of a fill of `runs` with outputs of `out_bytes` bytes."""
    group, in_strides = plans.values_per_store(out_bytes), code.fill_strategy == "strides"
    if not traits_of(device).side_by_side and code.max_vector_width > 1 and runs.length >= FEWEST:
        return _vectors(device, code, out_bytes, runs) if in_strides else _lanes(device, code, out_bytes, runs)
    if runs.spacing != 1 or runs.length < 2 * group or traits_of(device).in_vectors:
        return _one_by_one(device, code, runs)
    return _tiles(device, group) if in_strides or runs.length < SHORTEST else _blocks(device, code, out_bytes, runs)


def _one_by_one(device: DeviceInfo, code: GeneratorCode, runs: Runs) -> RunsPlan:
    """Return the shape in which a work-item stores single values."""
    kind, alone = traits_of(device).family, traits_of(device).in_vectors
    lanes = LANES[kind] * device.units
    in_strides = not alone and code.fill_strategy == "strides"
    column = 1 if in_strides else min(runs.length, LONGEST_COLUMN[kind])
    group_size = 1 if alone else min(256, device.device.max_work_group_size)
    values = (("single", True), ("per_store", 1))
    return RunsPlan("fill_runs", 1, values, column, 1, column + 1, lanes, group_size, lanes * column)


def _vectors(device: DeviceInfo, code: GeneratorCode, out_bytes: int, runs: Runs) -> RunsPlan:
    """Return the shape in which a work-item makes columns of its runs in vectors, which move on by strides."""
    width, lanes = code.max_vector_width, LANES["cpu"] * device.units
    tile = max(width, min(64, 1 << (runs.length - 1).bit_length()))
    streaming = runs.spacing == 1 and plans.streams_past_caches(device, runs.size * out_bytes)
    values = (
        ("interleaved", tile // width), ("stride_words", len(code.stride(1))), ("single", runs.spacing != 1),
        ("streaming", streaming),
    )  # fmt: skip
    column = min(-(-runs.length // tile) * tile, LONGEST_COLUMN["cpu"])
    turns = column // tile + 1 + (column if runs.spacing != 1 else tile)
    return RunsPlan("fill_run_vectors", width, values, column, 1, turns, lanes, 1, lanes * column, tile)


def _lanes(device: DeviceInfo, code: GeneratorCode, out_bytes: int, runs: Runs) -> RunsPlan:
    """Return the shape in which each lane of a vector makes columns of runs of its own."""
    plan = plans.choose_blocks(device, code, out_bytes, streaming=False)
    longest = LONGEST_COLUMN["cpu"] if runs.spacing == 1 else LONGEST_LOOP // (2 * plan.width)
    column = min(-(-runs.length // plan.chunk) * plan.chunk, longest)
    values = (("chunk", plan.chunk), ("single", runs.spacing != 1))
    turns = column // plan.chunk + 1 + plan.width * (column if runs.spacing != 1 else plan.chunk)
    lanes = LANES["cpu"] * device.units * plan.width
    return RunsPlan("fill_run_lanes", plan.width, values, column, 1, turns, lanes, 1, lanes * column)


def _tiles(device: DeviceInfo, group: int) -> RunsPlan:
    """Return the shape in which a work-item makes the values of a store of each of its runs."""
    lanes = TILE_LANES * device.units
    group_size = min(256, device.device.max_work_group_size)
    values = (("single", False), ("per_store", group))
    return RunsPlan("fill_runs", 1, values, group, group, 1, lanes, group_size, lanes * group)


def _blocks(device: DeviceInfo, code: GeneratorCode, out_bytes: int, runs: Runs) -> RunsPlan:
    """Return the shape in which a work-item makes several chunks of each of its runs."""
    plan, group = plans.choose_blocks(device, code, out_bytes, streaming=False), plans.values_per_store(out_bytes)
    chunks = -(-(runs.length + group - 1) // plan.chunk)
    each = -(-chunks // -(-chunks // CHUNKS))
    values = (
        ("chunk", plan.chunk), ("group_size", plan.group_size), ("unrolled", plan.unrolled), ("per_store", group),
    )  # fmt: skip
    turns = each * (1 if plan.unrolled else plan.chunk // 2) + 1
    lanes = LANES["gpu"] * device.units
    return RunsPlan("fill_run_blocks", 1, values, each * plan.chunk, group, turns, lanes, plan.group_size, LONGEST_RUN)
