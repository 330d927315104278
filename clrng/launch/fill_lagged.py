"""Fill a buffer with one exact stream of a lagged Fibonacci generator.

The stream is cut into blocks. Their states are made by a `JumpTree`; then small lags go with a block a lane, in
registers, and the others with a block a work-group, in a ring of words. The state after the last value stays on the
device, where the next call begins.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.bit_generators import BitGenerator, LaggedFibonacci
from clrng.bit_generators.base import Words
from clrng.codegen import source
from clrng.codegen.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.distributions import Distribution
from clrng.launch import lagged_plan
from clrng.launch import plan as plans
from clrng.launch.jump_tree import DeviceState, JumpTree, StateMemory
from clrng.launch.lagged_plan import RingPlan, RowPlan
from clrng.launch.plan import LARGEST_LAUNCH, BlockPlan
from clrng.opencl import arrays, program
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.transfers import wait_list

FEWEST_CHUNKS = 16
"""The fewest chunks a word of state that are worth the making of the states of lanes."""


class MemoryFill:
    """Fills with a block a work-group, or on a CPU a work-item, and its last words in memory.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    code : LaggedFibonacciCode
    distribution : Distribution
    plan : RingPlan or RowPlan
    tree : JumpTree
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        code: LaggedFibonacciCode,
        distribution: Distribution,
        plan: RingPlan | RowPlan,
        tree: JumpTree,
    ) -> None:
        self._queue, self._code, self._plan, self._tree = queue, code, plan, tree
        values = {"lags": code.recurrence.lags, **plan.values}
        text = source.kernel(f"fill/{plan.template}.cl.mako", code, distribution, plan.width, values)
        types = [None, np.uint32, None, np.uint64, *[np.uint32] * 4, None]
        self._kernel = program.Kernel(queue.context, text, plan.template, types)
        self._memory = lru_cache(maxsize=4)(lambda blocks: cla.Array(queue, plan.memory(blocks, code.order), code.word))

    def fill(self, out: cla.Array, offset: int, n: int, start: DeviceState) -> DeviceState:
        """Make `n` values from `start` on, and return the state after them."""
        plan = self._plan
        blocks, each = plan.blocks.cut(n, self._code.order)
        last = self._tree.states(start, blocks, each)
        event, memory = last.event, self._memory(blocks)
        for done in range(0, min(each, n), plan.longest):
            event = self._kernel(
                self._queue, plan.items(blocks), plan.local, last.states.base_data, self._tree.row_words,
                out.base_data, offset, n, each, done, min(plan.longest, each), memory.base_data,
                wait_for=wait_list(event, out),
            )  # fmt: skip
            self._tree.remember(event)
            arrays.attach_event(self._queue, out, event)
        return replace(last, event=event)


class RegisterFill:
    """Fills with a block a lane, whose state is in registers.

    Parameters
    ----------
    queue, code, distribution, tree : as for `MemoryFill`
    plan : BlockPlan
    rings : MemoryFill
        Makes the values before and after whole, aligned chunks.
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        code: LaggedFibonacciCode,
        distribution: Distribution,
        plan: BlockPlan,
        rings: MemoryFill,
        tree: JumpTree,
    ) -> None:
        self._queue, self._code, self._plan, self._rings, self._tree = queue, code, plan, rings, tree
        values = {
            "run": plan.run,
            "group_items": plan.local,
            "unrolled": plan.unrolled,
            "streaming": plan.streaming,
            "resident": True,
            "state_words": tree.row_words,
        }
        text = source.kernel("fill/fill_blocks.cl.mako", code, distribution, plan.width, values)
        arguments = [None, np.uint64, np.uint32, None, None, np.uint32]
        self._kernel = program.Kernel(queue.context, text, "fill_blocks", arguments)

    def fill(self, out: cla.Array, offset: int, n: int, start: DeviceState) -> DeviceState:
        """Make `n` values from `start` on, and return the state after them."""
        run = self._plan.run
        head = -offset % run
        chunks = (n - head) // run
        if chunks < FEWEST_CHUNKS * self._code.order or not _begins_aligned(out):
            return self._rings.fill(out, offset, n, start)
        if head:
            start = self._rings.fill(out, offset, head, start)
        start = self._chunks(out, offset + head, chunks, start)
        made = head + chunks * run
        return self._rings.fill(out, offset + made, n - made, start) if made < n else start

    def _chunks(self, out: cla.Array, offset: int, chunks: int, start: DeviceState) -> DeviceState:
        plan = self._plan
        each = plan.even(chunks)
        lanes = -(-chunks // each)
        items = -(-lanes // (plan.width * plan.local)) * plan.local
        last, after = self._tree.states(start, lanes, each * plan.run), self._tree.memory.last
        event = self._kernel(
            self._queue, items, plan.local, out.base_data, offset, chunks * plan.run, last.states.base_data,
            after.base_data, each, wait_for=wait_list(last.event, out),
        )  # fmt: skip
        self._tree.remember(event)
        arrays.attach_event(self._queue, out, event)
        return DeviceState(after, 0, event)


def _begins_aligned(out: cla.Array) -> bool:
    """Return whether the buffer of `out` begins where OpenCL aligns it (1.2, section 4.2), not where a user put it."""
    buffer = out.base_data
    return isinstance(buffer, cl.MemoryObjectHolder) and not buffer.flags & cl.mem_flags.USE_HOST_PTR


@dataclass
class Reached:
    """What a stream has on a device from one fill to the next.

    Attributes
    ----------
    place : tuple or None
        The `LaggedFibonacci.place` at which the last fill ended.
    state : DeviceState or None
        The state there; None where there was no fill yet, or the last one did not come to its end.
    memory : StateMemory or None
        What that is in.
    """

    place: tuple[Words, int] | None = None
    state: DeviceState | None = None
    memory: StateMemory | None = None


class LaggedStreamFiller:
    """Fills arrays with streams of a lagged Fibonacci generator in any distribution, on one queue.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
        The queue's device.
    code : LaggedFibonacciCode
    rings : RingPlan or RowPlan, optional
        The shape of the work, for experiments; by default chosen for each request.
    lanes : BlockPlan, optional
        As `rings`; without it, where `rings` is given, there are no lanes.
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        device: DeviceInfo,
        code: LaggedFibonacciCode,
        rings: RingPlan | RowPlan | None = None,
        lanes: BlockPlan | None = None,
    ) -> None:
        self._queue, self._device, self._code, self._plans = queue, device, code, (rings, lanes)
        self._ready = lru_cache(maxsize=None)(self._prepare)
        self._alone = Reached()
        self._interrupted = False

    @cached_property
    def _tree(self) -> JumpTree:
        return JumpTree(self._queue, self._device, self._code)

    def _prepare(self, distribution: Distribution, streaming: bool) -> MemoryFill | RegisterFill:
        rings, lanes = self._plans
        if rings is None:
            size = source.output_dtype(self._code, distribution).itemsize
            rings = lagged_plan.choose_rings(self._device, self._code, size, streaming)
            lanes = lagged_plan.choose_lanes(self._device, self._code, size, streaming)
        made = MemoryFill(self._queue, self._code, distribution, rings, self._tree)
        return RegisterFill(self._queue, self._code, distribution, lanes, made, self._tree) if lanes else made

    def fill(
        self, distribution: Distribution, out: cla.Array, start: BitGenerator, reached: Reached | None = None
    ) -> cl.Event | None:
        """Fill `out`, as `FillKernel.fill` does; `reached` is as for `Executor.fill`, by default that of one stream."""
        if not isinstance(start, LaggedFibonacci):
            raise TypeError(f"start must be a lagged Fibonacci generator, not {start!r}")
        if out.size == 0:
            return None
        reached = reached or self._alone
        streaming = plans.can_stream(self._device) and not plans.fits_caches(self._device, out.nbytes)
        ready = self._ready(distribution, streaming)
        row, (words, ahead) = self._begin(start, reached), start.place
        offset = out.offset // out.dtype.itemsize
        for first in range(0, out.size, LARGEST_LAUNCH):
            row = ready.fill(out, offset + first, min(LARGEST_LAUNCH, out.size - first), row)
        reached.place, reached.state = (words, ahead + out.size), row
        self._interrupted = False
        return row.event

    def _begin(self, start: LaggedFibonacci, reached: Reached) -> DeviceState:
        """Return the state where `start` stands: that after the last fill, or a copy from the host."""
        if self._interrupted:
            self._queue.finish()  # that fill may still use the memory
        self._interrupted = True  # until this fill is done
        if reached.memory is None:
            reached.memory = StateMemory(self._queue, self._code)
        self._tree.memory = reached.memory
        state, known, (words, ahead) = reached.state, reached.place, start.place
        reached.state = None
        if state is not None and known is not None and known[0] is words and known[1] == ahead:
            return state
        return self._tree.row(start.words)
