"""The states at equal distances along one stream, made on a device: those of blocks, or of streams.

They are made in a few levels. State d R + i is state i moved on by d R distances, so that R states become D R states at
once, by D - 1 jumps whose weights the host has computed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW
from clrng.fill import plan as plans
from clrng.fill.state_table import DEPTH, MOST_BYTES, RADIX, Expected, Place, Shape, StateTable
from clrng.generators import source
from clrng.generators.lagged import LaggedCode
from clrng.opencl.contexts import kept
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import kernel_of, launches, whole_groups
from clrng.opencl.traits import traits_of
from clrng.opencl.transfers import upload, wait_list
from clrng.proof.prove import apart, compare, prove

if TYPE_CHECKING:
    from clrng.generators.lagged_fibonacci import LaggedFibonacciCode

FEW, SOME = 8, 1024
"""The most states that are made by one level of jumps, and by two; more are made by three."""

LARGE_ORDER, FEW_LARGE = 2048, 512
"""From this order on, the most states that are made by one level: in a first level of fewer states, most of a device
would be idle for too long."""

GROUP_SIZE = 64
"""Work-items of a work-group of a GPU that makes jumps."""

STRETCH = 512
"""Words that a work-item copies; and, where loops must be short, words of a row that a launch makes."""

MANY_PROVED, FEW_PROVED, FEW_PROVED_ORDER = 81, 5, 1024
"""The states of a proof, enough for several levels; and from more than so many words on, where each takes longer."""

KEPT_WEIGHTS = 16
"""How many sets of weights, one for each distance and number of states, are kept."""


@dataclass(frozen=True)
class DeviceState:
    """A state in the memory of a device."""

    states: cla.Array  # States in rows; a row may have other words after its state
    index: int  # The row of the state
    event: cl.Event | None  # The event after which the state is there; None where it is there already
    place: Place | None = None  # Its place in the stream, where that is known

    @property
    def first_byte(self) -> int:
        """Where it begins in the memory of `states`, in bytes."""
        return int(self.index * self.states.shape[1] * self.states.dtype.itemsize)


@dataclass(frozen=True)
class AwaitedState:
    """A state that is put on the device if it is needed there."""

    place: Place  # Its place in the stream
    made: Callable[[], DeviceState]  # Returns the state on the device


@dataclass(frozen=True)
class Level:
    """A level of jumps."""

    sources: int  # The number of states before and after it
    targets: int  # The number of states before and after it
    weights: cla.Array  # Row d - 1 has the weights of the jump by d * sources distances


class JumpShape(NamedTuple):
    """The kernels of a tree, and the sizes of what they make."""

    row_words: int  # The words of a row that has a state, and of one with the words after a state too, as jumps take it
    # The words of a row that has a state, and of one with the words after a state too, as jumps take it
    source_words: int
    items_per_state: int  # The work-items that make a state by a jump, and those of a work-group of them
    group_size: int  # The work-items that make a state by a jump, and those of a work-group of them
    template: str
    values: dict[str, Any]  # What the template takes


class StateMemory:
    """Memory that the states of one stream are made in, and stay in until the next are made."""

    def __init__(self, queue: cl.CommandQueue, code: LaggedCode) -> None:
        self._queue, self._code = queue, code
        self.rows = lru_cache(maxsize=8)(lambda count, words: cla.Array(queue, (count, words), code.word))
        self.table_rows = lru_cache(maxsize=1)(lambda count, words: cla.Array(queue, (count, words), code.word))
        self.table: StateTable | None = None
        self.expected = Expected()

    @cached_property
    def last(self) -> cla.Array:
        """A row for the state after the last value, shape (1, order)."""
        return cla.Array(self._queue, (1, self._code.order), self._code.word)


class JumpTree:
    """Makes states at equal distances along one stream, on one queue: here of a lagged Fibonacci generator.

    The memory of the states is used again by the next call, which waits for the last work on it; see `remember`.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode) -> None:
        self._queue = queue
        self._code = code
        traits = traits_of(device)
        width = code.max_vector_width if traits.in_vectors else 1
        shape = self._shape(width, device)
        self.row_words, self._source_words = shape.row_words, shape.source_words
        self._items_per_state = shape.items_per_state
        self._continue, self._jump, self._columns = (
            kernel_of(queue, name, source.kernel, shape.template, code, RAW, width, values=shape.values)
            for name in ("continue_states", "jump_states", "states_in_columns")
        )
        most = 1 if traits.in_vectors else min(1024, self._continue.largest_group)
        self._together = min(most, max(32, min(code.recurrence.lags)))
        self._group_size = min(shape.group_size, self._jump.largest_group)
        self._copied_together = 1 if traits.in_vectors else min(GROUP_SIZE, self._columns.largest_group)
        self._stretch = STRETCH if traits.short_loops else self._source_words
        self._table_bytes = min(MOST_BYTES, device.largest_allocation // 32)
        self._levels = kept(self._make_levels, KEPT_WEIGHTS)
        self._table_levels = kept(self._make_table_levels, KEPT_WEIGHTS)
        self._kept_level = kept(self._level_over, KEPT_WEIGHTS)
        self.memory = StateMemory(queue, code)
        self._last: cl.Event | None = None
        kernels = [self._continue, self._jump, self._columns]
        prove(queue, kernels, lambda: type(self)(apart(queue), device, code).check())

    def check(self) -> None:
        """Check some states that are a few steps apart, so that one sequence of the host has all of them."""
        order, bits = self._code.order, self._code.recurrence
        count, steps = FEW_PROVED if order > FEW_PROVED_ORDER else MANY_PROVED, 3
        words = np.array(bits.continued(bits.words, count * steps), self._code.word)
        rows = np.lib.stride_tricks.sliding_window_view(words, order)[: count * steps : steps]
        last = self._last_of(self.device_state(bits.words), self._levels(count, steps))
        columns: Any = cla.Array(self._queue, (order, count + 1), self._code.word)
        self.columns(last, columns, 1).wait()
        compare("word of states by jumps", columns.get()[:, 1:].T.reshape(-1), rows.reshape(-1))

    def _shape(self, width: int, device: DeviceInfo) -> JumpShape:
        code = cast("LaggedFibonacciCode", self._code)
        group = plans.values_per_store(code.word.itemsize)
        chunk = width
        if width == 1:
            chunk = group * (4 if code.recurrence.op == "*" and code.order >= LARGE_ORDER else 2)
        if code.order > 4 * chunk and width > 1:
            chunk *= 2
        row_words = -(-code.order // (2 * chunk)) * 2 * chunk
        values = {
            "chunk": chunk,
            "per_store": group,
            "padded": row_words,
            "lags": code.recurrence.lags,
            "weight_words": code.weight_words,
            "stretch": STRETCH,
            "op": code.recurrence.op,
            "word_bits": 8 * code.word.itemsize,
        }
        group_size = 1 if traits_of(device).in_vectors else min(GROUP_SIZE, device.device.max_work_group_size)
        return JumpShape(
            row_words, 2 * row_words, row_words // (2 * chunk), group_size, "streams/jump_states.cl.mako", values
        )

    def device_state(self, words: tuple[int, ...]) -> DeviceState:
        """Return a copy on the device of the state `words`."""
        return DeviceState(upload(self._queue, np.array([words], self._code.word)), 0, None)

    def _depth(self, count: int) -> int:
        """Return in how many levels `count` states are made."""
        code = cast("LaggedFibonacciCode", self._code)
        few = FEW_LARGE if code.order >= LARGE_ORDER and code.weight_words == 1 else FEW
        return 1 if count <= few else 2 if count <= SOME else 3

    def _make_levels(self, count: int, distance: int) -> list[Level]:
        depth = self._depth(count)
        radix = next(r for r in range(2, count + 2) if r**depth >= count)
        jumps, levels, sources = self._code.recurrence.jumps, [], 1
        power: Any = jumps.power(distance)
        while sources < count:
            targets = min(sources * radix, count)
            needed = -(-targets // sources) - 1
            powers = jumps.powers_of(power, needed + (targets < count))
            levels.append(self._level(sources, targets, powers[:needed]))
            sources, power = targets, powers[-1]  # of the next level, if there is one
        return levels

    def _make_table_levels(self, count: int, apart: int) -> list[Level]:
        """Return the levels after those of one request's states, for requests so many steps apart."""
        sizes = [count * RADIX**i for i in range(DEPTH + 1)]
        return [self._level_over(size, size * RADIX, apart * size // count) for size in sizes[:-1]]

    def _level_over(self, sources: int, targets: int, distance: int) -> Level:
        """Return the level whose jumps are multiples of `distance`."""
        jumps = self._code.recurrence.jumps
        return self._level(sources, targets, jumps.powers_of(jumps.power(distance), -(-targets // sources) - 1))

    def _level(self, sources: int, targets: int, powers: npt.NDArray[np.uint64]) -> Level:
        """Return the level whose jumps are the `powers` of x, in rows."""
        return Level(sources, targets, upload(self._queue, self._weights(powers)))

    def _weights(self, powers: Any) -> npt.NDArray[Any]:
        """Return the weights of jumps as the device takes them: lower half, upper half, and their difference."""
        code = cast("LaggedFibonacciCode", self._code)
        half, word = self.row_words // 2, code.word
        modulus = word.type(code.recurrence.jumps.modulus % 2 ** (8 * word.itemsize))
        weights = np.zeros((len(powers), 3 * half), word)
        weights[:, : powers.shape[1]] = powers
        lower, upper, apart = (weights[:, i * half : (i + 1) * half] for i in range(3))
        np.subtract(lower, upper, out=apart)  # modulo 2^32 or 2^64
        np.add(apart, modulus, out=apart, where=lower < upper)
        return code.weights(weights)

    def jumped(self, start: DeviceState, distance: int) -> DeviceState:
        """Return the state `distance` steps after `start`."""
        return self._last_of(start, [self._kept_level(1, 2, distance)])

    def states(self, start: DeviceState | AwaitedState, count: int, distance: int) -> DeviceState:
        """Make `count` states, from `start` on and each `distance` steps after the one before; return the last.

        The others are in the rows before it, in order; a row has `row_words` words.

        Where calls for the same follow one another in equal steps, those of several calls are made at once.
        """
        place, memory = start.place, self.memory
        if place is None or count == 1:
            return self._last_of(start, self._levels(count, distance))
        shape = count, distance
        as_expected = memory.expected.note(place, shape)
        row = memory.table.take(place, shape) if memory.table else None
        if row is None and as_expected:
            row = self._make_table(start, place, shape)
        if row is None or memory.table is None:
            return self._last_of(start, self._levels(count, distance))
        return DeviceState(memory.table.states, row, self._last)

    def _make_table(self, start: DeviceState | AwaitedState, place: Place, shape: Shape) -> int | None:
        """Make the states of this request and of those that are expected; return this one's last row, or None."""
        memory, apart, count = self.memory, self.memory.expected.apart, shape[0]
        memory.table = None
        depth = memory.expected.deeper(count * self.row_words * self._code.word.itemsize, self._table_bytes)
        if depth == 0 or self._code.order >= LARGE_ORDER:
            return None
        levels = [*self._levels(*shape), *self._table_levels(count, apart)[:depth]]
        rows = memory.table_rows(levels[-1].targets, self.row_words)
        self._last_of(start, levels, rows)
        memory.table = StateTable(place, shape, apart, rows)
        return memory.table.take(place, shape)

    def _last_of(
        self, start: DeviceState | AwaitedState, levels: list[Level], made: cla.Array | None = None
    ) -> DeviceState:
        """Make the states of all levels, the last ones in `made` if that is given; return the last."""
        if isinstance(start, AwaitedState):
            start = start.made()
        rows = self.memory.rows(1, self._source_words if levels else self.row_words)
        event = self._copy(start, rows)
        for number, level in enumerate(levels, 1):
            words, raw, last = self._source_words, int(level.sources == 1), number == len(levels)
            for begin, n in launches(0 if raw else self._code.order, words, self._stretch):
                event = self.remember(self._continue(
                    self._queue, level.sources * self._together, self._together, rows=rows.base_data, raw=raw,
                    begin=begin, end=begin + n, wait_for=wait_list(event),
                ))  # fmt: skip
            targets = self.memory.rows(level.targets, self.row_words if last else self._source_words)
            if last and made is not None:
                targets = made
            global_size = whole_groups(level.targets * self._items_per_state, self._group_size)
            event = self.remember(self._jump(
                self._queue, global_size, self._group_size, sources=rows.base_data, count=level.sources,
                targets=targets.base_data, wanted=level.targets, target_words=targets.shape[1],
                weights=level.weights.base_data, last=int(last), wait_for=wait_list(event),
            ))  # fmt: skip
            rows = targets
        return DeviceState(rows, levels[-1].targets - 1 if levels else 0, event)

    def columns(self, last: DeviceState, columns: cla.Array, first: int) -> cl.Event:
        """Copy the states up to and with `last` to `columns`, shape (order, count), from column `first` on."""
        some = last.index + 1
        global_size = whole_groups(some * -(-self._code.order // STRETCH), self._copied_together)
        return self.remember(self._columns(
            self._queue, global_size, self._copied_together, rows=last.states.base_data,
            row_words=last.states.shape[1], some=some, columns=columns.base_data, count=columns.shape[1], begin=first,
            wait_for=wait_list(last.event),
        ))  # fmt: skip

    def remember(self, event: cl.Event) -> cl.Event:
        """Record `event` as the last work on the memory of the states, and return it."""
        self._last = event
        return event

    def _copy(self, start: DeviceState, rows: cla.Array) -> cl.Event | None:
        """Copy a state to the first of `rows`, after all other work on the memory of the states."""
        if start.states is rows:
            return start.event
        given: Any = start.states.base_data
        taken: Any = rows.base_data
        size = self._code.order * self._code.word.itemsize
        waiting = wait_list(start.event, self._last)
        return self.remember(
            cl.enqueue_copy(self._queue, taken, given, byte_count=size, src_offset=start.first_byte, wait_for=waiting)
        )
