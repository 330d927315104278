"""Fill runs of memory with values of one exact stream that are far apart in it."""

from dataclasses import dataclass
from functools import lru_cache
from math import gcd, prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.bit_generators import BitGenerator
from clrng.codegen import source
from clrng.codegen.generators import GeneratorCode
from clrng.distributions import Transform
from clrng.launch import plan as plans
from clrng.launch.arguments import device_arguments
from clrng.launch.plan import LONGEST_LOOP
from clrng.launch.runs import Axis, Runs
from clrng.opencl import arrays, program
from clrng.opencl.contexts import kept
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.transfers import upload, wait_list

MOST_STEPS = 2**64 - 1
"""The most steps that a kernel jumps."""

LONGEST_TILE = 16
"""The most values of a tile of generators whose strides cost more than steps, where values are stored one by one."""


@dataclass(frozen=True)
class RunsLaunch:
    """One launch: which runs each work-item makes a column of.

    Attributes
    ----------
    columns : int
        How many work-items share a run.
    slots : int
        How many runs of the `rows` further on the next run of a work-item is.
    rows : Axis
        The axis along which a work-item goes from run to run: the one with the most runs.
    others : tuple of Axis
        The other axes.
    """

    columns: int
    slots: int
    rows: Axis
    others: tuple[Axis, ...]

    @property
    def items(self) -> int:
        """Work-items of the launch."""
        return self.columns * self.slots * prod(axis.count for axis in self.others)


def launch_of(runs: Runs, columns: int, period: int, wanted: int, most: int) -> RunsLaunch:
    """Return the launch that makes `runs`, each by `columns` work-items.

    Parameters
    ----------
    runs : Runs
    columns : int
    period : int
        Runs that a work-item makes are a multiple of so many values of memory apart.
    wanted : int
        Work-items that keep the device busy.
    most : int
        The most runs of a work-item.
    """
    rows = max(runs.axes, key=lambda axis: axis.count, default=Axis(1, 0, 0))
    at = runs.axes.index(rows) if runs.axes else 0
    others = (*runs.axes[:at], *runs.axes[at + 1 :])
    slots = min(max(wanted // (columns * prod(axis.count for axis in others)), 1), rows.count)
    each = min(-(-rows.count // slots), most)
    repeated = period // gcd(period, rows.stride)
    slots = -(-rows.count // each)
    return RunsLaunch(columns, -(-slots // repeated) * repeated, rows, others)


class RunsKernel:
    """Fills runs of memory with values of one generator in one arithmetic and one transform, on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    code : GeneratorCode
        The generator in its arithmetic, which has strides.
    transform : Transform
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, transform: Transform) -> None:
        self._queue, self._device, self._code, self._transform = queue, device, code, transform
        self._together = plans.values_per_store(source.output_dtype(code, transform).itemsize)
        self._wanted = (32 if device.kind == "cpu" else 1024) * device.units
        self._kernel = kept(self._prepare)
        self._uploaded = lru_cache(maxsize=64)(lambda numbers, dtype: upload(queue, np.array(numbers, dtype)))
        self._stride = lru_cache(maxsize=64)(code.stride)

    def _prepare(self, single: bool) -> program.Kernel:
        copies = plans.table_copies(self._device, self._transform, "fill")
        values = {"single": single, "tile": 1 if single else self._together}
        text = source.kernel("fill/fill_runs.cl.mako", self._code, self._transform, 1, values, copies=copies)
        return program.Kernel(self._queue.context, text, "fill_runs")

    def fill(self, out: cla.Array, start: BitGenerator, runs: Runs, transform: Transform) -> None:
        """Fill runs of the memory of `out`, whose places count from its first value.

        Parameters
        ----------
        out : pyopencl.array.Array
            Of the dtype of the transform, in the queue's context. It gets the events of the launches.
        start : BitGenerator
            Where place 0 of the stream is; its state does not change.
        runs : Runs
        transform : Transform
            One that is equal to that of the kernel, with arguments of its own.
        """
        single = runs.spacing != 1 or runs.length < 2 * self._together
        arguments = device_arguments(self._queue, transform)
        for near in runs.apart(MOST_STEPS // transform.steps):
            for part in near.cut(self._longest()):
                event = self._launch(out, start, part, arguments, single=single)
                arrays.attach_event(self._queue, out, event)

    def _longest(self) -> int:
        """Return the longest run that is not cut: of one, work-items would make too few tiles."""
        return self._wanted * self._together // 4

    def _launch(
        self, out: cla.Array, start: BitGenerator, runs: Runs, arguments: tuple[Any, ...], *, single: bool
    ) -> cl.Event:
        steps, kernel = self._transform.steps, self._kernel(single)
        tile, period = self._together, self._together
        columns = -(-(runs.length + tile - 1) // tile)
        if single:
            tile, period = self._single_tile(runs.length), 1
            columns = -(-runs.length // tile)
        shape = launch_of(runs, columns, period, self._wanted, LONGEST_LOOP // (tile + 1))
        group_size = min(1 if self._device.kind == "cpu" else 256, kernel.largest_group)
        words = start.jumped(runs.first * steps).words if runs.first else start.words
        stride = self._uploaded(self._stride(shape.slots * shape.rows.pitch * steps), self._code.word)
        axes = self._uploaded(tuple(number for axis in shape.others for number in vars(axis).values()), np.int64)
        numbers = (
            out.offset // out.dtype.itemsize + runs.begin, *words, shape.items, shape.columns, runs.length,
            *((tile, runs.spacing) if single else ()), shape.rows.count, shape.slots, shape.rows.pitch,
            shape.rows.stride, stride.base_data, axes.base_data, len(shape.others), *arguments,
        )  # fmt: skip
        global_size = plans.whole_groups(shape.items, group_size)
        event: cl.Event = kernel(self._queue, global_size, group_size, out.base_data, *numbers, wait_for=wait_list(out))
        return event

    def _single_tile(self, length: int) -> int:
        """Return the values of a tile where values are stored one by one."""
        in_strides = self._code.fill_strategy == "strides" and self._device.kind != "cpu"
        return 1 if in_strides else min(length, LONGEST_TILE)
