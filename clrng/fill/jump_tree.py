"""The states at equal distances along one stream, made on a device: those of blocks, or of streams.

They are made in a few levels. State d R + i is state i moved on by d R distances, so that R states become D R states at
once, by D - 1 jumps whose weights the host has computed.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW
from clrng.errors import UnsupportedError
from clrng.fill.fill import values_per_store
from clrng.generators import BitGenerator, source
from clrng.generators.base import Words
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.generators.mersenne_twister import MersenneTwisterCode
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import cached_method, kernel_of, launches, whole_groups
from clrng.opencl.traits import traits_of
from clrng.proof.prove import compare, prove

if TYPE_CHECKING:
    from clrng.generators.lagged_fibonacci import LaggedFibonacciCode

Place = tuple[Words, int]
"""A place in a stream, as `Lagged.place` gives it."""

Shape = tuple[int, int]
"""The number of blocks of a request, and the values of each."""

RADIX, DEPTH = 4, 2
"""A table has the states of RADIX requests first, and of RADIX^DEPTH where these have come."""

MAX_TABLE_BYTES = 2**26
"""The maximum bytes of a table."""

MAX_ARRAYS = 10
"""The maximum arrays for a stream's states: one for a table, one for the state after the last value, and others."""

FEW, SOME = 8, 1024
"""The maximum number of states that one level of jumps makes, and that two make; three make more."""

LARGE_ORDER, FEW_LARGE = 2048, 512
"""From this order on, the maximum number of states that are made by one level: in a first level of fewer states, most
of a device would be idle for too long."""

GROUP_SIZE = 64
"""Work-items of a work-group of a GPU that makes jumps."""

STRETCH = 512
"""Words that a work-item copies; and, where loops must be short, words of a row that a launch makes."""

MANY_PROVED, FEW_PROVED, FEW_PROVED_ORDER = 81, 5, 1024
"""The states of a proof, enough for several levels; and those of orders above the third number, which take longer."""

CACHED_WEIGHTS = 16
"""How many sets of weights, one for each distance and number of states, are cached."""

BINARY_FEW, BINARY_SOME = 8, 64
"""The maximum number of states that one level of jumps makes, and two make; three make more, as weights take long."""

VECTORS = 8
"""Sums that a work-item of a CPU keeps in vectors."""

WEIGHTS = 32
"""The number of weights, of a bit each, in a word."""

CHUNK_BYTES = 16
"""The minimum bytes of a sum that a work-item of a GPU has: what it loads at once."""

SLICES = 4
"""The maximum work-items of a GPU, a power of two, that share a polynomial's bytes for the same words of a state."""

BYTE = 8
"""Bits of a byte."""

LISTS = (1 << BYTE) + 1
"""Words of a row of weights that say where the places of each byte begin, and where those of the last one end."""


@dataclass(frozen=True)
class DeviceState:
    """A state in the memory of a device."""

    states: cla.Array  # States in rows; a row may have other words after its state
    index: int  # The row of the state
    event: cl.Event | None  # The event after which the state is there; None where it is there already
    place: Place | None = None  # Its place in the stream, where that is known

    def copy(self, queue: cl.CommandQueue, words: int, to: cla.Array, place: int, *after: cl.Event | None) -> cl.Event:
        """Copy its `words` to word `place` of the memory of an array, after some events; return the event."""
        given: Any = self.states.base_data
        taken: Any = to.base_data
        size = to.dtype.itemsize
        return cl.enqueue_copy(
            queue, taken, given, byte_count=words * size, src_offset=self.index * self.states.shape[1] * size,
            dst_offset=place * size, wait_for=wait_list(self.event, *after),
        )  # fmt: skip


@dataclass(frozen=True)
class AwaitedState:
    """A state that is put on the device if it is needed there: `steps` after one that the host or the device has."""

    place: Place
    origin: Lagged | DeviceState
    steps: int = 0


State = DeviceState | AwaitedState


@dataclass(frozen=True)
class Window:
    """Words of a stream in the memory of a device."""

    place: Place  # That of the state before the first word
    words: cla.Array  # The words of that state and those that follow it
    first: int  # Which of them is the first after the state
    count: int  # How many follow the state
    event: cl.Event | None  # The event after which they are there

    def has(self, place: Place, steps: int) -> bool:
        """Return whether it has the `steps` words after `place`, and the state there."""
        return place[0] is self.place[0] and 0 <= place[1] - self.place[1] <= self.count - steps

    def state(self, place: Place, order: int) -> DeviceState:
        """Return the state at a place that it has: the `order` words before it."""
        return DeviceState(self.words, self.first + place[1] - self.place[1] - order, self.event, place)


@dataclass
class StateTable:
    """The states of the blocks of several requests, each `apart` steps after the one before."""

    place: Place  # That of the first request
    shape: Shape
    apart: int
    states: cla.Array  # Row r * count + b has the state of block b of request r
    next: int = 0  # The number of the next request

    def take(self, place: Place, shape: Shape) -> int | None:
        """Return the last row of the next request if it is this one, which is then taken; else None."""
        (words, first), count = self.place, shape[0]
        ahead = first + self.next * self.apart
        if self.shape != shape or words is not place[0] or ahead != place[1] or self.next == len(self.states) // count:
            return None
        self.next += 1  # the only change, as an interrupt may come anywhere
        return self.next * count - 1


class Expected:
    """Predicts the next request from the last ones."""

    def __init__(self) -> None:
        self._last: tuple[Place, Shape] | None = None
        self.apart = 0
        self._depth = 0

    def note(self, place: Place, shape: Shape) -> bool:
        """Note a request; return whether it came as the two before it made expect."""
        gap = 0
        if self._last is not None and self._last[1] == shape and self._last[0][0] is place[0]:
            gap = max(place[1] - self._last[0][1], 0)
        as_expected = gap == self.apart != 0
        self._last, self.apart = (place, shape), gap
        self._depth = self._depth if as_expected else 0
        return as_expected

    def deeper(self, request_bytes: int, most: int) -> int:
        """Return the levels of the next table, of at most `most` bytes, if a request's states have `request_bytes`."""
        self._depth = min(self._depth + 1, DEPTH)
        while self._depth and RADIX**self._depth * request_bytes > most:
            self._depth -= 1
        return self._depth


class Ahead(NamedTuple):
    """Raw values that were made before they were asked for, and the position that they follow."""

    start: BitGenerator
    raw: cla.Array


@dataclass
class Reached:
    """What a stream has on a device from one fill to the next: a new one at its first fill, then the same."""

    # Where the last fill ended; None where there was no fill yet, or the last one did not come to its end
    place: Place | None = None
    state: DeviceState | None = None  # The state there, unless `window` has it
    window: Window | None = None  # Words that were made ahead
    table: StateTable | None = None  # The states of requests that are expected
    expected: Expected = field(default_factory=Expected)
    needed: tuple[int, bool] = 0, False  # How many raw values the last call with arrays had made; if they were halves
    ahead: Ahead | None = None  # Those of a call that still looks at its arrays
    arrays: dict[Hashable, cla.Array] = field(default_factory=dict)  # What states are made in, the last used one last

    def array(self, use: Hashable, shape: tuple[int, int], made: Callable[[], cla.Array]) -> cla.Array:
        """Return the array for a use, which is `made` where there is none of this shape."""
        found = self.arrays.pop(use, None)
        if found is None or found.shape != shape:
            while len(self.arrays) >= MAX_ARRAYS:
                self.arrays.pop(next(iter(self.arrays)))
            found = made()
        self.arrays[use] = found
        return found

    def follows(self, place: Place) -> bool:
        """Return whether the last fill ended at `place`."""
        return self.place is not None and self.place[0] is place[0] and self.place[1] == place[1]

    def known(self, place: Place) -> Place:
        """Return `place`; where its words are equal to those of the last fill, with these, as identities count."""
        if self.place is not None and self.place[0] is not place[0] and self.place[0] == place[0]:
            return self.place[0], place[1]
        return place


@dataclass(frozen=True)
class Level:
    """A level of jumps, from `sources` states to `targets`; row d - 1 of `weights` is for d * sources distances."""

    sources: int
    targets: int
    weights: cla.Array


class JumpTree:
    """Makes states at equal distances along one stream, on one queue: here of a lagged Fibonacci generator.

    The states are made in the arrays of a `Reached`, by default one of the tree's own. They are used again by the next
    call, which waits for the last work on them; see `remember`.
    """

    template = "streams/jump_states.cl.mako"

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode) -> None:
        self._queue = queue
        self._code = code
        traits = traits_of(device)
        width = code.max_vector_width if traits.in_vectors else 1
        values, self._items_per_state = self._values(width, device)
        # the words of a row that has a state, and of one with the words after a state too, as jumps take it
        self.row_words, self._source_words = values["padded"], values["source_words"]
        self._continue, self._jump, self._columns = (
            kernel_of(queue, name, source.kernel, self.template, code, RAW, width, values=values)
            for name in ("continue_states", "jump_states", "states_in_columns")
        )
        self._continue.taking("rows", "raw", "begin", "end")
        self._jump.taking("sources", "count", "targets", "wanted", "target_words", "weights", "last")
        most = 1 if traits.in_vectors else min(1024, self._continue.largest_group)
        self._together = min(most, max(32, min(code.recurrence.lags)))
        self._group_size = min(values["group_size"], self._jump.largest_group)
        self._copied_together = 1 if traits.in_vectors else min(GROUP_SIZE, self._columns.largest_group)
        self._stretch = STRETCH if traits.short_loops else self._source_words
        self._table_bytes = min(MAX_TABLE_BYTES, device.largest_allocation // 32)
        self._levels = cached_method(self._make_levels, CACHED_WEIGHTS)
        self._table_levels = cached_method(self._make_table_levels, CACHED_WEIGHTS)
        self._alone = Reached()
        self.last: cl.Event | None = None  # what all that begins now comes behind
        kernels = [self._continue, self._jump, self._columns]
        prove(queue, kernels, lambda own: type(self)(own, device, code).check())

    def check(self) -> None:
        """Check some states that are a few steps apart, so that one sequence of the host has all of them."""
        order, bits = self._code.order, self._code.recurrence
        count, steps = FEW_PROVED if order > FEW_PROVED_ORDER else MANY_PROVED, 3
        words = np.array(bits.continued(bits.words, count * steps), self._code.word)
        rows = np.lib.stride_tricks.sliding_window_view(words, order)[: count * steps : steps]
        last = self._last_of(self.device_state(bits.words), self._levels(count, steps), self._alone)
        columns: Any = cla.Array(self._queue, (order, count + 1), self._code.word)
        self.columns(last, columns, 1).wait()
        compare("word of states by jumps", columns.get()[:, 1:].T.reshape(-1), rows.reshape(-1))

    def _values(self, width: int, device: DeviceInfo) -> tuple[dict[str, Any], int]:
        """Return the values of the template, sizes among them, and the work-items that make a state by a jump."""
        code = cast("LaggedFibonacciCode", self._code)
        group = values_per_store(code.word.itemsize)
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
            "source_words": 2 * row_words,
            "group_size": 1 if traits_of(device).in_vectors else min(GROUP_SIZE, device.device.max_work_group_size),
            "lags": code.recurrence.lags,
            "weight_words": code.weight_words,
            "stretch": STRETCH,
            "op": code.recurrence.op,
            "word_bits": 8 * code.word.itemsize,
        }
        return values, row_words // (2 * chunk)

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
        jumps, scales = self._code.recurrence.jumps, [RADIX**i for i in range(DEPTH)]
        powers = [jumps.powers_of(jumps.power(apart * scale), RADIX - 1) for scale in scales]
        return [self._level(count * n, count * n * RADIX, each) for n, each in zip(scales, powers, strict=True)]

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

    def made(self, start: State, reached: Reached) -> DeviceState:
        """Return the state `start` on the device."""
        if isinstance(start, DeviceState):
            return start
        if isinstance(start.origin, DeviceState):
            return self._last_of(start.origin, self._levels(2, start.steps), reached)
        return self.device_state(start.origin.words)

    def states(self, start: State, count: int, distance: int, reached: Reached | None = None) -> DeviceState:
        """Make `count` states, from `start` on and each `distance` steps after the one before; return the last.

        The others are in the rows before it, in order; a row has `row_words` words. Where calls for the same count
        and distance follow one another at equal steps, the states of several calls are made at once.
        """
        place, reached = start.place, reached or self._alone
        if place is None or count == 1:
            return self._last_of(start, self._levels(count, distance) if count > 1 else [], reached)
        shape = count, distance
        as_expected = reached.expected.note(place, shape)
        row = reached.table.take(place, shape) if reached.table else None
        if row is None and as_expected:
            row = self._make_table(start, place, shape, reached)
        if row is None or reached.table is None:
            return self._last_of(start, self._levels(count, distance), reached)
        return DeviceState(reached.table.states, row, self.last)

    def _make_table(self, start: State, place: Place, shape: Shape, reached: Reached) -> int | None:
        """Make the states of this request and of those that are expected; return this one's last row, or None."""
        apart, count = reached.expected.apart, shape[0]
        reached.table = None
        depth = reached.expected.deeper(count * self.row_words * self._code.word.itemsize, self._table_bytes)
        if depth == 0 or self._code.order >= LARGE_ORDER:
            return None
        levels = [*self._levels(*shape), *self._table_levels(count, apart)[:depth]]
        rows = self._rows(reached, levels[-1].targets, self.row_words, "table")
        self._last_of(start, levels, reached, rows)
        reached.table = StateTable(place, shape, apart, rows)
        return reached.table.take(place, shape)

    def _rows(self, reached: Reached, count: int, words: int, use: str | None = None) -> cla.Array:
        """Return an array of `count` rows of `words`, always the same one for these numbers or for `use`."""
        shape = count, words
        return reached.array(use or shape, shape, lambda: cla.Array(self._queue, shape, self._code.word))

    def row_after(self, reached: Reached) -> cla.Array:
        """Return a row for the state after the last value, shape (1, order)."""
        return self._rows(reached, 1, self._code.order, "after")

    def _last_of(
        self, start: State, levels: list[Level], reached: Reached, made: cla.Array | None = None
    ) -> DeviceState:
        """Make the states of all levels, the last ones in `made` if that is given; return the last."""
        start = self.made(start, reached)
        rows = self._rows(reached, 1, self._source_words if levels else self.row_words)
        event = self._copy(start, rows)
        for number, level in enumerate(levels, 1):
            words, raw, last = self._source_words, int(level.sources == 1), number == len(levels)
            for begin, n in launches(0 if raw else self._code.order, words, self._stretch):
                event = self.remember(self._continue(
                    self._queue, level.sources * self._together, self._together, rows.base_data, raw, begin,
                    begin + n, wait_for=wait_list(event),
                ))  # fmt: skip
            targets = made if last else None
            if targets is None:
                targets = self._rows(reached, level.targets, self.row_words if last else self._source_words)
            global_size = whole_groups(level.targets * self._items_per_state, self._group_size)
            event = self.remember(self._jump(
                self._queue, global_size, self._group_size, rows.base_data, level.sources, targets.base_data,
                level.targets, targets.shape[1], level.weights.base_data, int(last), wait_for=wait_list(event),
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
        self.last = event
        return event

    def _copy(self, start: DeviceState, rows: cla.Array) -> cl.Event | None:
        """Copy a state to the first of `rows`, after all other work on the memory of the states."""
        if start.states is rows:  # where that work has put it, and other streams' work may have come since
            return self.last
        return self.remember(start.copy(self._queue, self._code.order, rows, 0, self.last))


class BinaryJumpTree(JumpTree):
    """Makes states as sums modulo 2 of as many states as the characteristic polynomial has coefficients."""

    template = "streams/jump_binary_states.cl.mako"

    def _values(self, width: int, device: DeviceInfo) -> tuple[dict[str, Any], int]:
        lags, degree = self._code.recurrence.lags, self._code.recurrence.jumps.degree
        values: dict[str, Any] = {"degree": degree, "lags": lags, "stretch": STRETCH}
        if width == 1:
            values |= _gpu_values(self._code, device)
            self._chunk, self._zeros = values["chunk"], values["stream_words"]
            return values, values["group_size"]
        self._chunk, self._zeros = VECTORS * width, None
        row_words = whole_groups(self._code.order, self._chunk)
        words = whole_groups(row_words + whole_groups(degree, WEIGHTS) + self._chunk, WEIGHTS)
        values |= {"chunk": self._chunk, "padded": row_words, "stream_words": words, "source_words": words}
        return {**values, "group_size": 1}, row_words // self._chunk

    def _depth(self, count: int) -> int:
        return 1 if count <= BINARY_FEW else 2 if count <= BINARY_SOME else 3

    def _weights(self, powers: Any) -> npt.NDArray[Any]:
        """Return the weights of jumps as the device takes them, in rows.

        A CPU takes a bit each, the first in the lowest one of a word; a GPU takes places of bytes.
        """
        size = _polynomial_bytes(self._code)
        polynomials = np.array([np.frombuffer(power.to_bytes(size, "little"), np.uint8) for power in powers])
        if self._zeros is None:
            return polynomials.view("<u4").astype(np.uint32)
        return np.array([_places_of_bytes(polynomial, self._chunk, self._zeros) for polynomial in polynomials])


def _gpu_values(code: LaggedCode, device: DeviceInfo) -> dict[str, Any]:
    """Return the sizes for a GPU, if a work-group has enough work-items for the words of a state, a vector of each.

    The places of bytes, 8 words apart, must be multiples of a vector, which has at most 8 words therefore.
    """
    chunk, largest_group = CHUNK_BYTES // code.word.itemsize, device.device.max_work_group_size
    while (lanes := whole_groups(-(-(code.order + BYTE - 1) // chunk), 32)) > largest_group:
        chunk *= 2
        if chunk > BYTE:
            raise UnsupportedError(
                f"{code.recurrence.name} needs work-groups of {lanes} work-items to jump, but {device.name} has at "
                f"most {largest_group}; take another device"
            )
    slices = SLICES
    while slices * lanes > largest_group:
        slices //= 2
    words = whole_groups(code.recurrence.jumps.degree, WEIGHTS) + lanes * chunk
    return {
        "chunk": chunk,
        "padded": whole_groups(code.order, chunk),
        "stream_words": words,
        "source_words": words + lanes * chunk,
        "group_size": slices * lanes,
        "slices": slices,
        "lanes": lanes,
        "rounds": -(-code.order // (slices * lanes)),
        "weight_words": _weight_words(_polynomial_bytes(code)),
    }


def _polynomial_bytes(code: LaggedCode) -> int:
    degree: int = code.recurrence.jumps.degree
    return whole_groups(degree, WEIGHTS) // BYTE


def _weight_words(size: int) -> int:
    """Return the words of the weights of a polynomial of `size` bytes, with room to make all 255 counts even.

    Behind the last pair is a word that is read ahead.
    """
    return LISTS + (size + (1 << BYTE) - 1) // 2 + 1


def _places_of_bytes(polynomial: npt.NDArray[np.uint8], chunk: int, zeros: int) -> npt.NDArray[np.uint32]:
    """Return where the places of each byte begin, and then these places in a polynomial, in pairs of equal bytes.

    Places count bits, in units of `chunk`. A byte that occurs an odd number of times has the place `zeros` too, and
    the byte 0 has none.
    """
    counts = np.bincount(polynomial, minlength=(1 << BYTE))
    first = counts[0]
    counts[0] = 0
    begins = np.concatenate(([0], np.cumsum(-(-counts // 2))))
    order = np.argsort(polynomial, kind="stable")[first:]
    of = polynomial[order]
    within = np.arange(len(order)) - (np.cumsum(counts) - counts)[of]
    size = _weight_words(len(polynomial))
    places = np.full(2 * (size - LISTS), zeros // chunk, np.uint32)
    places[2 * begins[of] + within] = order * BYTE // chunk
    return np.concatenate((begins, places[::2] | places[1::2] << 16)).astype(np.uint32)


def jump_tree_for(queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode) -> JumpTree:
    """Return what makes states of the recurrence of `code` on a queue."""
    return (BinaryJumpTree if isinstance(code, MersenneTwisterCode) else JumpTree)(queue, device, code)
