"""Fill a buffer with one exact stream."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import plan as plans
from clrng import program, results, source
from clrng.arithmetic import Arithmetic
from clrng.devices import DeviceInfo
from clrng.distributions import Distribution
from clrng.plan import Plan
from clrng.recurrences import ParkMiller

LARGEST_LAUNCH = 2**31
"""Values of one launch; more are made by several."""

_ARGUMENTS: list[Any] = [None, np.uint64, *[np.uint32] * 6]


class Filler:
    """Fills arrays with one distribution of one recurrence, in one arithmetic, on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    recurrence : ParkMiller
        Gives the parameters; its state is not looked at.
    arithmetic : Arithmetic
    distribution : Distribution
    plan : Plan, optional
        The shape of the work, for experiments; chosen for each request by default.
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        device: DeviceInfo,
        recurrence: ParkMiller,
        arithmetic: Arithmetic,
        distribution: Distribution,
        plan: Plan | None = None,
    ) -> None:
        self._queue = queue
        self._device = device
        self._recurrence = recurrence
        self._arithmetic = arithmetic
        self._distribution = distribution
        self._plan = plan
        self._can_stream = plans.can_stream(device)
        self._ready = lru_cache(maxsize=None)(self._prepare)
        self._stride = lru_cache(maxsize=64)(recurrence.stride)

    def _prepare(self, streaming: bool) -> tuple[Plan, program.Kernel]:
        plan = self._plan or plans.choose(self._device, self._arithmetic, streaming)
        text = source.kernel(
            "fill.cl.mako",
            self._recurrence,
            self._arithmetic,
            self._distribution,
            plan.width,
            {"run": plan.run, "chains": plan.chains, "streaming": plan.streaming},
        )
        kernel = program.Kernel(self._queue.context, text, "fill", _ARGUMENTS)
        return replace(plan, local=min(plan.local, kernel.largest_group)), kernel

    def fill(self, out: cla.Array, word: int) -> cl.Event | None:
        """Fill `out` with the values that follow state `word`, in C order.

        Parameters
        ----------
        out : pyopencl.array.Array
            Contiguous, of the distribution's dtype, in the queue's context.
        word : int
            The state before the first value.

        Returns
        -------
        pyopencl.Event or None
            The event of the last launch, which `out` knows of too; None where there is nothing to fill.
        """
        plan, kernel = self._ready(self._can_stream and not plans.fits_caches(self._device, out.nbytes))
        offset, event = out.offset // out.dtype.itemsize, None
        for first in range(0, out.size, LARGEST_LAUNCH):
            n = min(LARGEST_LAUNCH, out.size - first)
            launch = plan.launch(n)
            onward = launch.tile_step * plan.tile - (plan.run if plan.run > 1 else 0)
            start = word if first == 0 else self._recurrence.after(word, first)
            event = kernel(
                self._queue,
                launch.items,
                plan.local,
                out.base_data,
                offset + first,
                n,
                start,
                *launch[1:],
                self._stride(onward),
                wait_for=out.events or None,
            )
            results.announce(self._queue, out, event)
        return event
