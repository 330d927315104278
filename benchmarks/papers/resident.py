"""Streams of Park-Miller resident on a device, moved on by launches of any shape, as the papers of 2008 and 2009 do.

Stream i begins at the state after i + 1 steps, so that however often all are moved on, their states, and the values
that they give last, are a piece of the one sequence, which the host has too.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import clrng
from clrng.distributions import RAW
from clrng.generators import source
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for, why_not
from clrng.generators.generator_code import GeneratorCode
from clrng.measuring.timing import Work, check, poison
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.kernel import Kernel

BITS = clrng.ParkMiller(seed=1)

NAMES = ["limbs-2008", "double-2009", "float", "float-nofma", "double", "integer"]
"""The arithmetics, the published ones first."""


def codes(device: DeviceInfo) -> dict[str, GeneratorCode]:
    """Return Park-Miller in the arithmetics that are exact on `device`, by name."""
    return {name: code_for(BITS, ARITHMETICS[name]) for name in NAMES if why_not(name, device, BITS) is None}


class Shape(NamedTuple):
    """The shape of a launch.

    Attributes
    ----------
    lanes : int
        Neighbouring streams that a work-item takes together, as a vector.
    items : int
        Work-items, a multiple of those of a work-group.
    local : int
        Work-items of a work-group.
    """

    lanes: int
    items: int
    local: int


class Resident:
    """The states of streams and their last values, on the device of `queue`.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    most : int
        The most streams there may be.
    """

    def __init__(self, queue: cl.CommandQueue, most: int) -> None:
        self.queue, self.most = queue, most
        self.device = describe(queue.device)
        self.kernel = cache(self._kernel)
        self._start, self._all_states, self._all_last = (cla.Array(queue, most, np.uint32) for _ in range(3))
        clrng.Generator(BITS.copy(), queue).random_raw(out=self._start)
        self.begin(most)

    def _kernel(self, code: GeneratorCode, lanes: int) -> Kernel:
        """Return the kernel that moves streams on, so many together."""
        text = source.kernel("bench/step_streams.cl.mako", code, RAW, lanes, {})
        return Kernel(self.queue.context, text, "step_streams")

    def begin(self, streams: int) -> None:
        """Let there be so many streams, at their beginnings."""
        self.states, self.last, self._moved = self._all_states[:streams], self._all_last[:streams], 0
        cl.enqueue_copy(self.queue, self.states.base_data, self._start.base_data, byte_count=self.states.nbytes)  # type: ignore[arg-type]  # PyOpenCL has narrower types

    def stepping(self, code: GeneratorCode, shape: Shape, steps: int) -> Work:
        """Return a call that moves all streams on by `steps`, after one that was checked.

        Parameters
        ----------
        code : GeneratorCode
        shape : Shape
            Its lanes divide the number of streams.
        steps : int

        Raises
        ------
        ClrngError
            If a state or a last value is wrong; so does the check of what is returned.
        """
        kernel, groups = self.kernel(code, shape.lanes), self.last.size // shape.lanes
        each = -(-groups // shape.items)
        first, onward = (each, 1) if self.device.kind == "cpu" else (1, shape.items)
        given = self.states.base_data, self.last.base_data, groups, first, onward, each, steps

        def call() -> None:
            kernel(self.queue, shape.items, shape.local, *given)
            self._moved += steps

        def once_more() -> None:
            poison(self.last)
            call()
            who = f"{code.arithmetic.name} by {shape.items // shape.local} groups of {shape.local}"
            for found in (self.last, self.states):
                check(BITS.jumped(self._moved), found, f"{self.device.name} in {who}")

        once_more()
        return Work(self.last.size * steps, call, None, once_more)
