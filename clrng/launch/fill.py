"""Fill a buffer with one exact stream."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.bit_generators import BitGenerator
from clrng.bit_generators.base import Words
from clrng.codegen import source
from clrng.codegen.generators import GeneratorCode
from clrng.distributions import Distribution
from clrng.launch import plan as plans
from clrng.launch.fill_lagged import LaggedStreamFiller
from clrng.launch.plan import LARGEST_LAUNCH, BlockPlan, Plan
from clrng.opencl import arrays, program
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.transfers import wait_list

if TYPE_CHECKING:
    from clrng.codegen.generators.lagged_fibonacci import LaggedFibonacciCode

Launch = Callable[[cla.Array, int, int, Words], cl.Event]
"""Fills an array from a place on with so many values after a state."""


class FillKernel:
    """Fills arrays with one distribution of one recurrence, in one arithmetic, on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    code : GeneratorCode
        The recurrence in its arithmetic.
    distribution : Distribution
    plan : Plan or BlockPlan, optional
        The shape of the work, for experiments: a `BlockPlan` for code in blocks, else a `Plan`. By default chosen
        for each request.
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        device: DeviceInfo,
        code: GeneratorCode,
        distribution: Distribution,
        plan: Plan | BlockPlan | None = None,
    ) -> None:
        in_blocks = code.fill_strategy == "blocks"
        if plan is not None and isinstance(plan, BlockPlan) != in_blocks:
            raise TypeError(f"plan must be a {'BlockPlan' if in_blocks else 'Plan'} for this code, not {plan!r}")
        self._queue = queue
        self._device = device
        self._code = code
        self._distribution = distribution
        self._plan = plan
        self.dtype = source.output_dtype(code, distribution)
        self._can_stream = plans.can_stream(device)
        self._ready = lru_cache(maxsize=None)(self._prepare_blocks if in_blocks else self._prepare_strides)
        self._stride = lru_cache(maxsize=64)(code.stride)

    def _kernel(self, name: str, width: int, values: dict[str, int], arguments: list[Any]) -> program.Kernel:
        text = source.kernel(f"fill/{name}.cl.mako", self._code, self._distribution, width, values)
        return program.Kernel(self._queue.context, text, name, arguments)

    def _prepare_strides(self, streaming: bool) -> Launch:
        """Return the launch of the kernel in which lanes go on by strides."""
        chosen = self._plan if isinstance(self._plan, Plan) else None
        chosen = chosen or plans.choose(self._device, self._code, self.dtype.itemsize, streaming)
        chosen.check(self.dtype.itemsize)
        strides = len(self._code.stride(1))
        values = {"run": chosen.run, "chains": chosen.chains, "streaming": chosen.streaming, "stride_words": strides}
        words = [self._code.word.type]
        arguments = [None, np.uint64, np.uint32, *words, *[np.uint32] * 3, *words * strides]
        kernel = self._kernel("fill", chosen.width, values, arguments)
        plan = replace(chosen, local=min(chosen.local, kernel.largest_group))

        def launch(out: cla.Array, offset: int, n: int, words: Words) -> cl.Event:
            shape = plan.launch(n)
            onward = self._stride(shape.tile_stride * plan.tile - (plan.run if plan.run > 1 else 0))
            numbers = (offset, n, *words, *shape[1:], *onward)
            return kernel(self._queue, shape.items, plan.local, out.base_data, *numbers, wait_for=wait_list(out))

        return launch

    def _prepare_blocks(self, streaming: bool) -> Launch:
        """Return the launch of the kernel in which every lane has a block of its own."""
        chosen = self._plan if isinstance(self._plan, BlockPlan) else None
        plan = chosen or plans.choose_blocks(self._device, self._code, self.dtype.itemsize, streaming)
        rows = plan.run * self.dtype.itemsize // 16
        if plan.width == 1 and (rows == 0 or plan.local % rows):
            raise ValueError(f"local must be a multiple of the {rows} stores of 16 bytes of a chunk, not {plan.local}")
        values = {"run": plan.run, "group_items": plan.local, "unrolled": plan.unrolled, "streaming": plan.streaming,
                  "resident": False, "state_words": 0}  # fmt: skip
        words = [self._code.word.type] * self._code.order
        arguments = [None, np.uint64, np.uint32, *words, np.uint32]
        kernel = self._kernel("fill_blocks", plan.width, values, arguments)

        def launch(out: cla.Array, offset: int, n: int, words: Words) -> cl.Event:
            items, each = plan.launch(n)
            numbers = (offset, n, *words, each)
            return kernel(self._queue, items, plan.local, out.base_data, *numbers, wait_for=wait_list(out))

        return launch

    def fill(self, out: cla.Array, start: BitGenerator) -> cl.Event | None:
        """Fill `out` with the values that follow where `start` stands, in C order.

        Parameters
        ----------
        out : pyopencl.array.Array
            Contiguous, of the dtype `dtype`, in the queue's context.
        start : BitGenerator
            The recurrence of the generator code; it stays where it is.

        Returns
        -------
        pyopencl.Event or None
            The event of the last launch, which `out` knows of too; None where there is nothing to fill.
        """
        launch = self._ready(self._can_stream and not plans.fits_caches(self._device, out.nbytes))
        offset, event = out.offset // out.dtype.itemsize, None
        for first in range(0, out.size, LARGEST_LAUNCH):
            n = min(LARGEST_LAUNCH, out.size - first)
            event = launch(out, offset + first, n, start.jumped(first).words if first else start.words)
            arrays.attach_event(self._queue, out, event)
        return event


class StreamFiller:
    """The fillers of one recurrence on one queue, made as they are needed.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    code : GeneratorCode
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode) -> None:
        lagged = code.fill_strategy == "lagged"
        self._lagged = LaggedStreamFiller(queue, device, cast("LaggedFibonacciCode", code)) if lagged else None
        self._plain = lru_cache(maxsize=None)(lambda distribution: FillKernel(queue, device, code, distribution))

    def fill(self, distribution: Distribution, out: cla.Array, start: BitGenerator) -> cl.Event | None:
        """Fill `out` with the outputs of `distribution` that follow where `start` stands, as `FillKernel.fill` does."""
        if self._lagged:
            return self._lagged.fill(distribution, out, start)
        event: cl.Event | None = self._plain(distribution).fill(out, start)
        return event
