"""Fill a buffer with one exact stream of a lagged Fibonacci generator.

The stream is cut into blocks, and a `JumpTree` makes the state at the beginning of each. Where the lags are small, a
lane then makes a block with its state in registers; otherwise a work-group makes a block, or a work-item of a CPU does,
with the last words in memory. The state after the last value stays on the device, for the next call.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import isqrt, lcm
from typing import Any, ClassVar, cast

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.fill.convert import RepeatAhead, WordsAhead
from clrng.fill.fill import (
    LARGEST_LAUNCH,
    BlockPlan,
    choose_blocks,
    code_kernel,
    device_arguments,
    most_cached,
    names_of,
    rounded,
    table_copies,
    values_per_store,
)
from clrng.fill.jump_tree import AwaitedState, DeviceState, JumpTree, Place, Reached, State, Window, jump_tree_for
from clrng.fill.runs import Runs, prove_runs
from clrng.generators import BitGenerator, source
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import cached_method, launches, whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from clrng.proof.prove import check_fill, prove

MIN_STEPS = 1024
"""The minimum number of values, for each word of the state, of a fill in blocks, whose states must be made first."""

LONGEST_STEP = 2048
"""The maximum number of words that a work-group makes together."""

ALIGNED = 256
"""The lengths of blocks on a GPU are multiples of so many values."""

ROUNDED_ORDER = 256
"""The smallest order for which lengths of blocks are rounded: the weights of the jumps over a block take long to
compute, and fills of about the same size then share them."""

INTERLEAVED_LAG = 128
"""A work-item of a CPU interleaves several blocks where a lag is less: in a single one, the load of a word would wait
for its store shortly before."""

SHORT_LAG = 16
"""Each lane of a vector of a CPU has a block of its own where a lag is less, because neighbouring words of one block
depend on one another."""

LANES_PER_UNIT = 256
"""Lanes for each compute unit of a GPU; few, because their states fill the registers."""

SPARE_WORDS = 16
"""Words behind a line: a CPU moves up to so many words at once, and the last ones may lie behind what it has to
move."""

MAX_RINGS, RING_WORDS, RAW_WORDS = 24, (6500, 7800), 1024
"""For each compute unit of a GPU, the maximum number of rings, and of words of the states of all its rings, as large
states take long to make: where values take one step, and where they take several. And the maximum number of words that
its rings make together in a step where values are little more than words: for these a few rings are enough."""

FEW_RINGS, FEW_LANE_BYTES, FEW_UNIT = 8, (256, 384), 64
"""Where a jump takes more products than the square of the order: the maximum rings for each compute unit, the bytes of
the words that the work-items of a ring make at once, for values of one step and of several, and what the words of a
step are a multiple of. As there are few work-items, each makes a few words of a step."""

WORTH, FEW_WORTH = 1600, 25600
"""The `Blocks.worth` of rings on a GPU, and of those where jumps take more products, which are made by bytes."""

ROOM_OF_TABLES = 3
"""All rings of a compute unit have tables in as much memory as so many work-groups may have at most: some devices
have several times that."""

ITEMS_PER_UNIT = 600
"""The minimum number of work-items that keep a compute unit of a GPU busy."""

LONG_JUMPS = 2048
"""Beyond this order a jump takes the host long, and proofs make as few as they can."""

MIN_STEPS_PROVED = 64
"""The minimum number of values, for each word of the state, of a proof by a fill that may be cut into blocks."""

FAR_LAGGED = 10**6 + 39
"""The distance at which proofs begin a second fill."""

MIN_CHUNKS = 16
"""The minimum number of chunks, for each word of the state, of a fill with states in registers: for fewer, the states
of the lanes take longer than is gained."""


@dataclass(frozen=True)
class Blocks:
    """How a fill is cut into blocks."""

    max_count: int  # The maximum number of blocks
    min_count: int  # The minimum number of blocks of a fill that is cut at all
    unit: int  # The length of a block is a multiple of it
    worth: int  # How many products of a jump take as long as a value takes where there is one block

    def cut(self, n: int, order: int) -> tuple[int, int]:
        """Return the number of blocks and their length for a fill with `n` values; the last block may be shorter.

        `order` is the `jump_order` of a code. With b blocks the values take a time proportional to worth * n / b, and
        the states of the blocks one proportional to order^2 * b. The sum has its minimum where b is the square root of
        worth * n, divided by the order.
        """
        if n < MIN_STEPS * order or self.max_count == 1:
            return 1, n
        best = min(max(isqrt(self.worth * n) // order, self.min_count), self.max_count)
        units = -(-n // (self.unit * best))
        each = (rounded(units) if order >= ROUNDED_ORDER else units) * self.unit
        return -(-n // each), each


@dataclass(frozen=True)
class RingPlan:
    """The shape of a fill in which a work-group makes a block, and has the last words of it in a ring."""

    group_size: int  # Work-items of a work-group
    step: int  # Words that the work-items make together, at most as many as the smaller lag
    ring_words: int  # The words of the ring, a multiple of the step
    mirrored: int  # How many of the first words of the ring are repeated behind its end
    in_local: bool  # Whether the ring is in local memory, else in global memory
    blocks: Blocks

    template: ClassVar[str] = "fill_rings"
    memory_name: ClassVar[str] = "rings"
    width: ClassVar[int] = 1
    longest: ClassVar[int] = 2**31

    @property
    def values(self) -> dict[str, Any]:
        """The values that its template takes."""
        values = {name: getattr(self, name) for name in ("group_size", "step", "ring_words", "mirrored")}
        return {**values, "space": "__local" if self.in_local else "__global"}

    def global_size(self, blocks: int) -> int:
        """Return the work-items that make `blocks` blocks."""
        return blocks * self.group_size

    def spared(self, device: DeviceInfo, code: LaggedCode) -> int:
        """Return the bytes of local memory for tables of a work-group, so that as many run at once as are planned."""
        room: int = device.device.local_mem_size
        ring = (self.ring_words + self.mirrored) * code.word.itemsize if self.in_local else 0
        return min(ROOM_OF_TABLES * room // max(self.blocks.max_count // device.units, 1), room - ring)

    def memory(self, blocks: int, order: int) -> int:  # noqa: ARG002  # the words of the ring depend on it
        """Return the words of global memory that `blocks` rings need."""
        words = self.ring_words + self.mirrored
        return 1 if self.in_local else blocks * (words + words % 2)  # each begins at an even one


@dataclass(frozen=True)
class LinePlan:
    """The shape of a fill in which a work-item of a CPU makes blocks, the last words of each in a line of memory."""

    width: int  # Lanes of a vector: neighbouring values of a block, made at once
    tile: int  # Values after which a line is full, and its last words move to its beginning
    interleaved: int  # Blocks of a work-item, which makes a vector of each in turn
    streaming: bool  # Whether stores go past the caches
    blocks: Blocks
    longest: int  # The maximum number of values of a block in one launch, a multiple of the tile

    template: ClassVar[str] = "fill_lines"
    memory_name: ClassVar[str] = "lines"
    group_size: ClassVar[int] = 1

    @property
    def values(self) -> dict[str, Any]:
        """The values that its template takes."""
        return {"tile": self.tile, "interleaved": self.interleaved, "streaming": self.streaming, "spare": SPARE_WORDS}

    def global_size(self, blocks: int) -> int:
        """Return the work-items that make `blocks` blocks."""
        return -(-blocks // self.interleaved)

    def spared(self, device: DeviceInfo, code: LaggedCode) -> int:  # noqa: ARG002  # none
        """Return 0: a work-item has no local memory."""
        return 0

    def memory(self, blocks: int, order: int) -> int:
        """Return the words of global memory that the lines of `blocks` blocks need."""
        return self.global_size(blocks) * self.interleaved * (order + self.tile + SPARE_WORDS)


def choose_register_plan(device: DeviceInfo, code: LaggedCode, out_bytes: int, streaming: bool) -> BlockPlan | None:
    """Return the shape of a fill with states in registers; None where they do not fit, or memory is faster."""
    if not code.fits_registers:
        return None
    plan = choose_blocks(device, code, out_bytes, streaming)
    if traits_of(device).in_vectors:
        in_lanes = plan.width > 1 or traits_of(device).side_by_side
        return plan if min(code.recurrence.lags) < SHORT_LAG and in_lanes else None
    return replace(plan, lanes=LANES_PER_UNIT * device.units)


def choose_memory_plan(
    device: DeviceInfo, code: LaggedCode, out_bytes: int, streaming: bool, steps: int = 1, *, raw: bool = False
) -> RingPlan | LinePlan:
    """Return the shape of a fill with outputs of `out_bytes` bytes in which a block has its last words in memory.

    An output takes so many `steps`, whose words a work-group makes together; a `raw` one is little more than its words.
    """
    if traits_of(device).in_vectors:
        return _line_plan(device, code, out_bytes, streaming)
    room = device.device.local_mem_size // code.word.itemsize
    whole = steps if steps <= min(code.recurrence.lags) else 1
    if code.jump_order == code.order:
        step, words, mirrored = ring_shape(code.recurrence.lags, room, whole)
        per_unit, worth = min(max(RING_WORDS[steps > 1] // code.order, 1), MAX_RINGS), WORTH
        wanted = whole_groups(max(step // 4, min(step, ITEMS_PER_UNIT // per_unit)), 32)
        per_unit = min(per_unit, max(RAW_WORDS // step, 1)) if raw and steps == 1 else per_unit
    else:
        step, words, mirrored = ring_shape(code.recurrence.lags, room, lcm(FEW_UNIT, whole))
        per_unit, worth, wanted = FEW_RINGS, FEW_WORTH, FEW_LANE_BYTES[steps > 1] // code.word.itemsize
    blocks = Blocks(device.units * per_unit, 1, lcm(ALIGNED, steps), worth)
    group_size = min(wanted, device.device.max_work_group_size)
    return RingPlan(group_size, step, words, mirrored, words + mirrored <= room, blocks)


def _line_plan(device: DeviceInfo, code: LaggedCode, out_bytes: int, streaming: bool) -> LinePlan:
    lag, order = min(code.recurrence.lags), code.order
    width = 1 << (min(code.max_vector_width, 64 // out_bytes, lag).bit_length() - 1)
    tile = max(2048, 4 * order) // width * width
    interleaved = 4 if lag < INTERLEAVED_LAG else 1
    tiles = 2**31 // tile
    if traits_of(device).short_loops:  # and the compiler took minutes for four blocks
        width, interleaved = min(width, 8), 1
        tile = min(tile, 2048 * width)
        moving = 3 * order // 8  # turns that move words
        tiles = max(LONGEST_LOOP // (tile // width + moving), 1)
    past = streaming and width * out_bytes == 64  # noqa: PLR2004  # a line of the caches
    blocks = Blocks(4 * device.units * interleaved, device.units * interleaved, tile, 3)
    return LinePlan(width, tile, interleaved, past, blocks, tiles * tile)


def ring_shape(lags: tuple[int, ...], room: int, unit: int = 1) -> tuple[int, int, int]:
    """Return the words of a step, a multiple of `unit`, those of a ring, and how many are repeated behind its end.

    The ring is a multiple of the step. The step is the longest whose ring fits `room` words, or if none fits, the
    longest that the lags allow; a multiple of 32 is preferred, and one of 128 to steps up to a tenth longer.
    """
    lag, order = min(lags), max(lags)
    shapes = []
    for step in range(unit, min(lag, LONGEST_STEP) + 1, unit):
        words = (-(-order // step) + 1) * step
        mirrored = max(-lag % step for lag in lags)
        wanted = step if step % 128 == 0 else step * 9 // 10
        shapes.append((words + mirrored <= room, step % 32 == 0, wanted, step, words, mirrored))
    return max(shapes)[3:]


class MemoryFill:
    """Fills in which a work-group, or on a CPU a work-item, makes a block with its last words in memory."""

    def __init__(
        self, queue: cl.CommandQueue, code: LaggedCode, transform: Transform, plan: RingPlan | LinePlan, tree: JumpTree,
        axes: int | None = None, *, spaced: bool = False, copies: int = 0,
    ) -> None:  # fmt: skip
        self._queue, self._code, self._plan, self._tree, self._steps = queue, code, plan, tree, transform.steps
        values = {"lags": code.recurrence.lags, "dimensions": axes, "spaced": spaced, **plan.values}
        self._kernel = code_kernel(queue, plan.template, code, transform, plan.width, values, copies=copies).taking(
            "states", "first_row", "state_words", "out", "offset", "n", "each", "done", "most", plan.memory_name,
            *(Runs.argument_names(axes) if axes is not None else ()), *names_of(transform.parameters),
        )  # fmt: skip
        self.kernels = [self._kernel]
        self._memory = lru_cache(maxsize=4)(lambda blocks: cla.Array(queue, plan.memory(blocks, code.order), code.word))

    def blocks(self) -> tuple[int, list[int]]:
        """Return a number of values that make several blocks, as few as there can be, and where the first ones end."""
        steps = self._steps
        n = -(-max(MIN_STEPS, MIN_STEPS_PROVED) * self._code.order // steps)
        each = self._plan.blocks.cut(n * steps, self._code.jump_order)[1] // steps
        return n, [each, 2 * each]

    def fill(
        self, out: cla.Array, offset: int, n: int, start: State, arguments: dict[str, Any], reached: Reached
    ) -> DeviceState:
        """Put the `n` values after `start` into the memory of `out` from value `offset` on; return the state then.

        `arguments` are those of runs, if only these are stored, and of the transform.
        """
        plan, words = self._plan, n * self._steps
        blocks, each = plan.blocks.cut(words, self._code.jump_order)
        last = self._tree.states(start, blocks, each, reached)
        event, memory, first_row = last.event, self._memory(blocks), last.index + 1 - blocks
        for done, most in launches(0, min(each, words), plan.longest):
            event = self._kernel(
                self._queue, plan.global_size(blocks), plan.group_size, last.states.base_data, first_row,
                self._tree.row_words, out.base_data, offset, words, each, done, most, memory.base_data,
                *arguments.values(), wait_for=wait_list(event, out),
            )  # fmt: skip
            self._tree.remember(event)
            arrays.attach_event(self._queue, out, event)
        return replace(last, event=event, place=moved(start.place, words))


class RegisterFill:
    """Fills in which a lane makes a block with its state in registers."""

    def __init__(
        self, queue: cl.CommandQueue, code: LaggedCode, transform: Transform, plan: BlockPlan, edges: MemoryFill,
        tree: JumpTree,
    ) -> None:  # fmt: skip
        self._queue, self._code, self._plan, self._edges, self._tree = queue, code, plan, edges, tree
        values = {
            **plan.values,
            "resident": True,
            "state_words": tree.row_words,
            "by_tables": False,
            "by_groups": False,
            "per_store": values_per_store(source.output_dtype(code, transform).itemsize),
        }
        self._kernel = code_kernel(queue, "fill_blocks", code, transform, plan.width, values).taking(
            "out", "offset", "n", "states", "first_row", "after", "chunks_each", *names_of(transform.parameters)
        )
        self.kernels = [self._kernel, *edges.kernels]

    def blocks(self) -> tuple[int, list[int]]:
        """Return what that of `MemoryFill` does."""
        n, chunk = (MIN_CHUNKS * self._code.order + 1) * self._plan.chunk, self._plan.chunk
        each = self._plan.even(n // chunk) * chunk
        return n, [each, 2 * each, n // chunk * chunk]

    def fill(
        self, out: cla.Array, offset: int, n: int, start: State, arguments: dict[str, Any], reached: Reached
    ) -> DeviceState:
        """Fill as `MemoryFill` does; `arguments` are those of the transform."""
        plan, chunk = self._plan, self._plan.chunk
        head = -offset % chunk
        chunks = (n - head) // chunk
        if chunks < MIN_CHUNKS * self._code.order or not _begins_aligned(out):
            return self._edges.fill(out, offset, n, start, arguments, reached)
        if head:
            start = self._edges.fill(out, offset, head, start, arguments, reached)
        each = plan.even(chunks)
        lanes = -(-chunks // each)
        global_size = whole_groups(-(-lanes // plan.width), plan.group_size)
        last, after = self._tree.states(start, lanes, each * chunk, reached), self._tree.row_after(reached)
        event = self._kernel(
            self._queue, global_size, plan.group_size, out.base_data, offset + head, chunks * chunk,
            last.states.base_data, last.index + 1 - lanes, after.base_data, each, *arguments.values(),
            wait_for=wait_list(last.event, out),
        )  # fmt: skip
        self._tree.remember(event)
        arrays.attach_event(self._queue, out, event)
        start, made = DeviceState(after, 0, event, moved(start.place, chunks * chunk)), head + chunks * chunk
        return self._edges.fill(out, offset + made, n - made, start, arguments, reached) if made < n else start


def moved(place: Place | None, n: int) -> Place | None:
    """Return the place `n` steps after `place`, where that is known."""
    return (place[0], place[1] + n) if place else None


def _begins_aligned(out: cla.Array) -> bool:
    """Return whether the buffer of `out` is aligned for every type, as OpenCL's own memory is (1.2, section 4.2).

    Memory that the user gave to OpenCL may begin anywhere.
    """
    buffer = out.base_data
    return isinstance(buffer, cl.MemoryObjectHolder) and not buffer.flags & cl.mem_flags.USE_HOST_PTR


def checked(start: BitGenerator) -> Lagged:
    """Return `start` if its state is the last words of a recurrence with lags."""
    if not isinstance(start, Lagged):
        raise TypeError(f"start must be a lagged Fibonacci generator or a Mersenne Twister, not {start!r}")
    return start


class LaggedStreamFiller:
    """Fills arrays with streams of a lagged Fibonacci generator in any transform, on one queue."""

    def __init__(
        self,
        queue: cl.CommandQueue,
        device: DeviceInfo,
        code: LaggedCode,
        memory_plan: RingPlan | LinePlan | None = None,
        register_plan: BlockPlan | None = None,
    ) -> None:
        self._queue, self._device, self._code, self._plans = queue, device, code, (memory_plan, register_plan)
        self._words, self._looks_ahead = code.of_words(), memory_plan is None
        self._ready, self._in_runs = cached_method(self._prepare), cached_method(self._prepare_in_runs)
        self._alone, self._most_cached, self._interrupted = Reached(), most_cached(device), False
        # No `cached_property`: before Python 3.12 all objects share its lock. To make these may prove kernels, under
        # the lock of proofs, and a proof makes another of these objects: two threads would wait for each other.
        self._tree = lru_cache(lambda: jump_tree_for(queue, device, code))
        self._ahead = lru_cache(lambda: WordsAhead(queue, device, code, MIN_STEPS * code.order))
        self._rings = cached_method(self._choose_rings)

    def _prepare(self, of_words: bool, transform: Transform, streaming: bool) -> MemoryFill | RegisterFill:
        code = self._words if of_words else self._code
        out_bytes = source.output_dtype(code, transform).itemsize
        raw = not transform.parameters
        memory_plan, register_plan = self._shapes(code, out_bytes, streaming, transform.steps, raw=raw)
        copies = table_copies(self._device, transform, memory_plan.template, memory_plan.spared(self._device, code))
        in_memory = MemoryFill(self._queue, code, transform, memory_plan, self._tree(), copies=copies)
        self._prove(code, transform, streaming, in_memory, memory_plan)
        if register_plan is None:
            return in_memory
        in_registers = RegisterFill(self._queue, code, transform, register_plan, in_memory, self._tree())
        self._prove(code, transform, streaming, in_registers, memory_plan, register_plan)
        return in_registers

    def _shapes(
        self, code: LaggedCode, out_bytes: int, streaming: bool, steps: int = 1, *, raw: bool = False
    ) -> tuple[RingPlan | LinePlan, BlockPlan | None]:
        """Return the shapes of fills in memory and in registers, where there is the latter."""
        if self._plans[0] is not None:
            return self._plans[0], self._plans[1]
        asked = self._device, code, out_bytes, streaming
        return choose_memory_plan(*asked, steps, raw=raw), choose_register_plan(*asked)

    def _prove(
        self, code: LaggedCode, transform: Transform, streaming: bool, ready: MemoryFill | RegisterFill,
        *shapes: Any,
    ) -> None:  # fmt: skip
        """Prove what fills with `transform` in `shapes`, of memory and of registers, by several blocks."""

        def check(own: cl.CommandQueue) -> None:
            same = LaggedStreamFiller(own, self._device, code, *shapes)
            twin, (n, borders) = same._ready(False, transform, streaming), ready.blocks()
            arguments = device_arguments(own, transform)

            def make(out: cla.Array, offset: int, n: int, start: BitGenerator) -> None:
                twin.fill(out, offset, n, same._tree().device_state(start.words), arguments, same._alone)

            some, far = 1 if code.jump_order > LONG_JUMPS else None, 0 if code.order > LONG_JUMPS else FAR_LAGGED
            check_fill(own, code.recurrence, transform, make, n, borders[:some], far)

        prove(self._queue, ready.kernels, check)

    def _prepare_in_runs(self, transform: Transform, axes: int, spaced: bool) -> MemoryFill:
        plan = cast("RingPlan", self._rings())
        ready = MemoryFill(self._queue, self._code, transform, plan, self._tree(), axes, spaced=spaced)

        def make(out: Any, runs: Runs, start: BitGenerator) -> None:
            same = LaggedStreamFiller(out.queue, self._device, self._code, *self._plans)
            state = same._tree().device_state(start.jumped(runs.first).words)
            arguments = {**runs.arguments, **device_arguments(out.queue, transform)}
            same._in_runs(transform, axes, spaced).fill(out, runs.begin, runs.span, state, arguments, same._alone)

        prove_runs(self._queue, ready.kernels, self._code.recurrence, transform, make, axes, spaced=spaced)
        return ready

    def _choose_rings(self, steps: int = 1) -> RingPlan | None:
        """Return the shape, for outputs of any size of so many `steps`, of fills by rings if there are only these."""
        plan, in_registers = self._shapes(self._code, self._code.value.itemsize, streaming=False, steps=steps)
        return plan if isinstance(plan, RingPlan) and in_registers is None else None

    def takes(self, transform: Transform) -> bool:
        """Return whether it makes values of `transform` itself: of several steps only those whose words rings have."""
        rings = self._rings(transform.steps) if transform.steps > 1 else None
        return transform.steps == 1 or (rings is not None and rings.step % transform.steps == 0)

    def prepare(self, transform: Transform, nbytes: int) -> None:
        """Build the kernels of fills of so many bytes."""
        self._ready(False, transform, nbytes > self._most_cached)

    def fill(
        self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached | None = None
    ) -> cl.Event | None:
        """Fill `out`, as `FillKernel.fill` does, with values that it `takes`; `reached` is as for `Executor.fill`."""
        start, reached = checked(start), reached or self._alone
        if out.size == 0:
            return None
        event = self.fill_ahead(transform, out, start, reached)
        if event is not None:
            return event
        values = range(first := out.offset // out.dtype.itemsize, first + out.size)
        make = partial(self._make, False, transform, out, values, reached)
        return self._go_on(start, reached, out.size * transform.steps, make).event

    def going_on(self, moving: BitGenerator, reached: Reached) -> Callable[[cla.Array, int], None]:
        """Return what fills one array after the other with raw values from `moving` on, which is advanced."""

        def make(raw: cla.Array, _: int) -> None:
            self.fill(RAW, raw, moving, reached)
            moving.advance(raw.size)

        return make

    def _go_on(self, start: Lagged, reached: Reached, steps: int, make: Callable[[State], DeviceState]) -> DeviceState:
        """Have `make` fill memory with what follows `start`, and take note that the stream is so many steps further."""
        words, ahead = reached.known(start.place)
        state = make(self._begin(start, (words, ahead), reached))
        reached.place, reached.state = (words, ahead + steps), state
        self._interrupted = False
        return state

    def fill_ahead(
        self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached
    ) -> cl.Event | None:
        """Fill `out` with values of any number of steps each, from words that were made ahead on the device.

        If they were not, and this request is small and follows another one, they are made now, and many more. Other
        requests are left undone, and the result is None.
        """
        start = checked(start)
        (words, ahead), steps, window = reached.known(start.place), out.size * transform.steps, reached.window
        if steps == 0:
            return None
        if window is None or not window.has((words, ahead), steps):
            if not (self._looks_ahead and reached.follows((words, ahead)) and self._ahead().takes(steps)):
                return None
            window = self._look_ahead(start, (words, ahead), reached, steps)
        else:
            self._enter()
        event = self._ahead().convert(transform, out, window, (words, ahead))
        reached.state = None  # before the place moves on, which an interrupt may keep from happening
        reached.place = words, ahead + steps
        self._interrupted = False
        return event

    def repeated(self, transform: Transform, n: int, reached: Reached) -> RepeatAhead | None:
        """Return what makes requests for `n` values again and again of words made ahead, if they are small enough."""
        small = self._looks_ahead and self._ahead().takes(n * transform.steps)
        return RepeatAhead(self._ahead(), transform, n, reached) if small else None

    def stores_runs(self, span: int) -> bool:
        """Return whether `fill_runs` can be called for runs of this span.

        It cannot where storing all values is as fast: where these are few, they come from words that are made ahead.
        """
        return self._rings() is not None and not (self._looks_ahead and self._ahead().takes(span))

    def fill_runs(
        self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached, runs: Runs
    ) -> None:
        """Store values of `runs`, of one step each and a span of at most 2^31, the first of which is at `start`.

        The values between the runs are made too, but not stored. `stores_runs` must be true.
        """
        ready, span = self._in_runs(transform, len(runs.axes), runs.spacing != 1), runs.span
        arguments = {**runs.arguments, **device_arguments(self._queue, transform)}
        offset = out.offset // out.dtype.itemsize + runs.begin
        make = partial(ready.fill, out, offset, span, arguments=arguments, reached=reached)
        self._go_on(checked(start), reached, span, make)

    def _look_ahead(self, start: Lagged, place: Place, reached: Reached, steps: int) -> Window:
        """Return a window with the words after `start` for requests of so many steps."""
        state, before = self._begin(start, place, reached), reached.window
        reached.window = None
        tree = self._tree()
        window = self._ahead().empty(before, tree.made(state, reached), place, steps, tree.last)
        tree.remember(cast("cl.Event", window.event))
        values = range(window.first, window.first + window.count)
        made = self._make(True, RAW, window.words, values, reached, window.state(place, self._code.order))
        reached.window = window = replace(window, event=made.event)
        return window

    def _make(
        self, of_words: bool, transform: Transform, out: cla.Array, values: range, reached: Reached, start: State
    ) -> DeviceState:
        """Put values, or words, after `start` into the memory of `out`, at places `values`; return the state then."""
        ready = self._ready(of_words, transform, len(values) * out.dtype.itemsize > self._most_cached)
        arguments = device_arguments(self._queue, transform)
        for first, n in launches(values.start, values.stop, LARGEST_LAUNCH // transform.steps):
            start = ready.fill(out, first, n, start, arguments, reached)
        return cast("DeviceState", start)

    def _enter(self) -> None:
        """Note that a fill begins, after what an interrupted one may have left running."""
        if self._interrupted:
            self._queue.finish()  # that fill may still use the memory
        self._interrupted = True  # until this fill is done

    def _begin(self, start: Lagged, place: Place, reached: Reached) -> State:
        """Return the state of `start`, which is at `place`: one on the device, or one that is put there if needed.

        The latter is made by a jump from the end of the last fill, or else by the host: the weights of the jump are
        cached for streams that go on by equal steps.
        """
        self._enter()
        state, window, last = reached.state, reached.window, reached.place
        reached.state = None
        if window is not None and window.has(place, 0):
            return window.state(place, self._code.order)
        if state is None and window is not None and last is not None and window.has(last, 0):
            state = window.state(last, self._code.order)
        if state is None or last is None or last[0] is not place[0] or last[1] > place[1]:
            return AwaitedState(place, start)
        if last[1] == place[1]:
            return replace(state, place=place)
        return AwaitedState(place, state, place[1] - last[1])
