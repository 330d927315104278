"""Fill a buffer with one exact stream of a lagged Fibonacci generator.

The stream is cut into blocks, and a `JumpTree` makes the state at the beginning of each. Where the lags are small, a
lane then makes a block with its state in registers; otherwise a work-group makes a block, or a work-item of a CPU does,
with the last words in memory. The state after the last value stays on the device, for the next call.
"""

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, cast

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.fill import lagged_plan
from clrng.fill import plan as plans
from clrng.fill.arguments import device_arguments, names_of
from clrng.fill.jump_tree import JumpTree, jump_tree_for
from clrng.fill.lagged_plan import LinePlan, RingPlan
from clrng.fill.plan import LARGEST_LAUNCH, BlockPlan
from clrng.fill.proofs import check_runs, sample_runs
from clrng.fill.reached import AwaitedState, DeviceState, Place, Reached, State, Window
from clrng.fill.runs import Runs
from clrng.fill.words_ahead import WordsAhead
from clrng.generators import BitGenerator, source
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.opencl import arrays
from clrng.opencl.contexts import cached_method
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import kernel_of, launches, whole_groups
from clrng.opencl.transfers import wait_list
from clrng.proof.fills import check_fill
from clrng.proof.prove import apart, prove

LONG_JUMPS = 2048
"""Beyond this order a jump takes the host long, and proofs make as few as they can."""

FEWEST_STEPS_PROVED = 64
"""The minimum number of values, for each word of the state, of a proof by a fill that may be cut into blocks."""

FAR_LAGGED = 10**6 + 39
"""The distance at which proofs begin a second fill."""

FEWEST_CHUNKS = 16
"""The minimum number of chunks, for each word of the state, of a fill with states in registers: for fewer, the states
of the lanes take longer than is gained."""


class MemoryFill:
    """Fills in which a work-group, or on a CPU a work-item, makes a block with its last words in memory."""

    def __init__(
        self,
        queue: cl.CommandQueue,
        code: LaggedCode,
        transform: Transform,
        plan: RingPlan | LinePlan,
        tree: JumpTree,
        axes: int | None = None,
        *,
        spaced: bool = False,
    ) -> None:
        self._queue, self._code, self._plan, self._tree = queue, code, plan, tree
        values = {"lags": code.recurrence.lags, "dimensions": axes, "spaced": spaced, **plan.values}
        template = f"fill/{plan.template}.cl.mako"
        self._kernel = kernel_of(
            queue, plan.template, source.kernel, template, code, transform, plan.width, values=values
        )
        self._kernel.taking(
            "states", "first_row", "state_words", "out", "offset", "n", "each", "done", "most", plan.memory_name,
            *(Runs.argument_names(axes) if axes is not None else ()), *names_of(transform.parameters),
        )  # fmt: skip
        self.kernels = [self._kernel]
        self._memory = lru_cache(maxsize=4)(lambda blocks: cla.Array(queue, plan.memory(blocks, code.order), code.word))

    def blocks(self) -> tuple[int, list[int]]:
        """Return a number of values that make several blocks, as few as there can be, and where the first ones end."""
        n = max(lagged_plan.FEWEST_STEPS, FEWEST_STEPS_PROVED) * self._code.order
        _, each = self._plan.blocks.cut(n, self._code.jump_order)
        return n, [each, 2 * each]

    def fill(
        self, out: cla.Array, offset: int, n: int, start: State, arguments: dict[str, Any], reached: Reached
    ) -> DeviceState:
        """Put the `n` values after `start` into the memory of `out` from value `offset` on; return the state then.

        `arguments` are those of runs, if only these are stored, and of the transform.
        """
        plan = self._plan
        blocks, each = plan.blocks.cut(n, self._code.jump_order)
        last = self._tree.states(start, blocks, each, reached)
        event, memory, first_row = last.event, self._memory(blocks), last.index + 1 - blocks
        for done, most in launches(0, min(each, n), plan.longest):
            event = self._kernel(
                self._queue, plan.global_size(blocks), plan.group_size, last.states.base_data, first_row,
                self._tree.row_words, out.base_data, offset, n, each, done, most, memory.base_data, *arguments.values(),
                wait_for=wait_list(event, out),
            )  # fmt: skip
            self._tree.remember(event)
            arrays.attach_event(self._queue, out, event)
        return replace(last, event=event, place=moved(start.place, n))


class RegisterFill:
    """Fills in which a lane makes a block with its state in registers."""

    def __init__(
        self,
        queue: cl.CommandQueue,
        code: LaggedCode,
        transform: Transform,
        plan: BlockPlan,
        edges: MemoryFill,
        tree: JumpTree,
    ) -> None:
        self._queue, self._code, self._plan, self._edges, self._tree = queue, code, plan, edges, tree
        values = {
            "chunk": plan.chunk,
            "group_size": plan.group_size,
            "unrolled": plan.unrolled,
            "streaming": plan.streaming,
            "resident": True,
            "state_words": tree.row_words,
            "by_tables": False,
            "by_groups": False,
            "per_store": plans.values_per_store(source.output_dtype(code, transform).itemsize),
        }
        template = "fill/fill_blocks.cl.mako"
        self._kernel = kernel_of(
            queue, "fill_blocks", source.kernel, template, code, transform, plan.width, values=values
        )
        names = names_of(transform.parameters)
        self._kernel.taking("out", "offset", "n", "states", "first_row", "after", "chunks_each", *names)
        self.kernels = [self._kernel, *edges.kernels]

    def blocks(self) -> tuple[int, list[int]]:
        """Return a number of values that make several blocks, as few as there can be, and where the first ones end."""
        n, chunk = (FEWEST_CHUNKS * self._code.order + 1) * self._plan.chunk, self._plan.chunk
        each = self._plan.even(n // chunk) * chunk
        return n, [each, 2 * each, n // chunk * chunk]

    def fill(
        self, out: cla.Array, offset: int, n: int, start: State, arguments: dict[str, Any], reached: Reached
    ) -> DeviceState:
        """Put the `n` values after `start` into the memory of `out` from value `offset` on; return the state then.

        `arguments` are those of the transform.
        """
        chunk = self._plan.chunk
        head = -offset % chunk
        chunks = (n - head) // chunk
        if chunks < FEWEST_CHUNKS * self._code.order or not _begins_aligned(out):
            return self._edges.fill(out, offset, n, start, arguments, reached)
        if head:
            start = self._edges.fill(out, offset, head, start, arguments, reached)
        start = self._chunks(out, offset + head, chunks, start, arguments, reached)
        made = head + chunks * chunk
        return self._edges.fill(out, offset + made, n - made, start, arguments, reached) if made < n else start

    def _chunks(
        self, out: cla.Array, offset: int, chunks: int, start: State, arguments: dict[str, Any], reached: Reached
    ) -> DeviceState:
        plan = self._plan
        each = plan.even(chunks)
        lanes = -(-chunks // each)
        global_size = whole_groups(-(-lanes // plan.width), plan.group_size)
        last, after = self._tree.states(start, lanes, each * plan.chunk, reached), self._tree.row_after(reached)
        event = self._kernel(
            self._queue, global_size, plan.group_size, out.base_data, offset, chunks * plan.chunk,
            last.states.base_data, last.index + 1 - lanes, after.base_data, each, *arguments.values(),
            wait_for=wait_list(last.event, out),
        )  # fmt: skip
        self._tree.remember(event)
        arrays.attach_event(self._queue, out, event)
        return DeviceState(after, 0, event, moved(start.place, chunks * plan.chunk))


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
        self._alone = Reached()
        self._interrupted = False

    @cached_property
    def _tree(self) -> JumpTree:
        return jump_tree_for(self._queue, self._device, self._code)

    @cached_property
    def _ahead(self) -> WordsAhead:
        return WordsAhead(self._queue, self._device, self._code)

    def _prepare(self, code: LaggedCode, transform: Transform, streaming: bool) -> MemoryFill | RegisterFill:
        memory_plan, register_plan = self._plans
        if memory_plan is None:
            size = source.output_dtype(code, transform).itemsize
            memory_plan = lagged_plan.choose_memory_plan(self._device, code, size, streaming)
            register_plan = lagged_plan.choose_register_plan(self._device, code, size, streaming)
        in_memory = MemoryFill(self._queue, code, transform, memory_plan, self._tree)
        self._prove(code, transform, streaming, in_memory, memory_plan)
        if register_plan is None:
            return in_memory
        in_registers = RegisterFill(self._queue, code, transform, register_plan, in_memory, self._tree)
        self._prove(code, transform, streaming, in_registers, memory_plan, register_plan)
        return in_registers

    def _prove(
        self, code: LaggedCode, transform: Transform, streaming: bool, ready: MemoryFill | RegisterFill,
        *shapes: Any,
    ) -> None:  # fmt: skip
        """Prove what fills with `transform` in `shapes`, of memory and of registers, by several blocks."""

        def check() -> None:
            same = LaggedStreamFiller(apart(self._queue), self._device, code, *shapes)
            twin, (n, borders) = same._ready(code, transform, streaming), ready.blocks()
            arguments = device_arguments(same._queue, transform)

            def make(out: cla.Array, offset: int, n: int, start: BitGenerator) -> None:
                twin.fill(out, offset, n, same._tree.device_state(start.words), arguments, same._alone)

            if code.jump_order > LONG_JUMPS:
                borders = borders[:1]
            far = 0 if code.order > LONG_JUMPS else FAR_LAGGED
            check_fill(same._queue, code.recurrence, transform, make, n, borders, far)

        prove(self._queue, ready.kernels, check)

    def _prepare_in_runs(self, transform: Transform, axes: int, spaced: bool) -> MemoryFill:
        plan = cast("RingPlan", self._plan_in_runs)
        ready = MemoryFill(self._queue, self._code, transform, plan, self._tree, axes, spaced=spaced)

        def check() -> None:
            same = LaggedStreamFiller(apart(self._queue), self._device, self._code, *self._plans)
            twin, arguments = same._in_runs(transform, axes, spaced), device_arguments(same._queue, transform)

            def make(out: cla.Array, runs: Runs, start: BitGenerator) -> None:
                state = same._tree.device_state(start.jumped(runs.first).words)
                twin.fill(out, runs.begin, runs.span, state, {**runs.arguments, **arguments}, same._alone)

            check_runs(same._queue, self._code.recurrence, transform, make, sample_runs(axes, spaced=spaced))

        prove(self._queue, ready.kernels, check)
        return ready

    @cached_property
    def _plan_in_runs(self) -> RingPlan | None:
        """The shape of fills that store only values of runs; None where there are none."""
        size = self._code.value.itemsize  # a ring is the same for outputs of any size
        plan, in_registers = self._plans
        if plan is None:
            plan = lagged_plan.choose_memory_plan(self._device, self._code, size, streaming=False)
            in_registers = lagged_plan.choose_register_plan(self._device, self._code, size, streaming=False)
        return plan if isinstance(plan, RingPlan) and in_registers is None else None

    def prepare(self, transform: Transform, nbytes: int) -> None:
        """Build the kernels of fills of so many bytes."""
        self._ready(self._code, transform, plans.streams_past_caches(self._device, nbytes))

    def fill(
        self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached | None = None
    ) -> cl.Event | None:
        """Fill `out` with values of one step each, as `FillKernel.fill` does.

        `reached` is as for `Executor.fill`, by default one for a single stream.
        """
        start, reached = checked(start), reached or self._alone
        if out.size == 0:
            return None
        event = self.fill_ahead(transform, out, start, reached)
        if event is not None:
            return event
        words, ahead = reached.known(start.place)
        begin = self._begin(start, (words, ahead), reached)
        first = out.offset // out.dtype.itemsize
        state = self._make(self._code, transform, out, range(first, first + out.size), begin, reached)
        reached.place, reached.state = (words, ahead + out.size), state
        self._interrupted = False
        return state.event

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
            if not (self._looks_ahead and reached.follows((words, ahead)) and self._ahead.takes(steps)):
                return None
            window = self._look_ahead(start, (words, ahead), reached, steps)
        else:
            self._enter()
        event = self._ahead.convert(transform, out, window, (words, ahead))
        reached.state = None  # before the place moves on, which an interrupt may keep from happening
        reached.place = words, ahead + steps
        self._interrupted = False
        return event

    def stores_runs(self, span: int) -> bool:
        """Return whether `fill_runs` can be called for runs of this span.

        It cannot where storing all values is as fast: where these are few, they come from words that are made ahead.
        """
        return self._plan_in_runs is not None and not (self._looks_ahead and self._ahead.takes(span))

    def fill_runs(
        self, transform: Transform, out: cla.Array, start: BitGenerator, reached: Reached, runs: Runs
    ) -> None:
        """Store values of `runs`, of one step each and a span of at most 2^31, the first of which is at `start`.

        The values between the runs are made too, but not stored. `stores_runs` must be true.
        """
        start = checked(start)
        words, ahead = reached.known(start.place)
        begin = self._begin(start, (words, ahead), reached)
        ready = self._in_runs(transform, len(runs.axes), runs.spacing != 1)
        arguments = {**runs.arguments, **device_arguments(self._queue, transform)}
        state = ready.fill(out, out.offset // out.dtype.itemsize + runs.begin, runs.span, begin, arguments, reached)
        reached.place, reached.state = (words, ahead + runs.span), state
        self._interrupted = False

    def _look_ahead(self, start: Lagged, place: Place, reached: Reached, steps: int) -> Window:
        """Return a window with the words after `start` for requests of so many steps."""
        state, before = self._begin(start, place, reached), reached.window
        reached.window = None
        window = self._ahead.empty(before, self._tree.made(state, reached), place, steps)
        if window.event is not None:
            self._tree.remember(window.event)
        values = range(window.first, window.first + window.count)
        made = self._make(self._words, RAW, window.words, values, window.state(place, self._code.order), reached)
        reached.window = window = replace(window, event=made.event)
        return window

    def _make(
        self, code: LaggedCode, transform: Transform, out: cla.Array, values: range, start: State, reached: Reached
    ) -> DeviceState:
        """Put what follows `start` into the memory of `out`, at the places `values`; return the state then."""
        ready = self._ready(code, transform, plans.streams_past_caches(self._device, len(values) * out.dtype.itemsize))
        arguments = device_arguments(self._queue, transform)
        for first, n in launches(values.start, values.stop, LARGEST_LAUNCH):
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
