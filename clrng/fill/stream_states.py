"""The states of many streams on a device: made, moved on, and copied to the host and back."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.distributions.transforms.by_element import InParts, Varying
from clrng.fill.convert import Converter, MakeRaw, copying
from clrng.fill.fill import code_kernel, device_arguments, has_value_table, names_of, values_per_store
from clrng.fill.fill_lagged import LaggedStreamFiller
from clrng.fill.jump_tree import jump_tree_for
from clrng.fill.varying import fillers
from clrng.generators import BitGenerator, source
from clrng.generators.base import Words
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.halves import HalvesCode
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.generators.lagged_fibonacci import JUMPED
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, cached_method, launches, numbered, whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from clrng.proof import references
from clrng.proof.prove import GUARD, check_guard, compare, poisoned, prove
from clrng.proof.references import FORMS, Stream, raw_values

STEPS_OF_LAUNCH = LONGEST_LOOP // 16
"""The maximum number of steps of one launch; the last work-item may step up to 15 streams one after the other."""

MAX_WORDS = 2**26
"""The maximum number of words of the states that a jump tree makes at once; more states are made in parts."""

SAMPLE_COUNT, SAMPLE_FEW, SAMPLE_VALUES, SAMPLE_STEP, SAMPLE_DISTANCE = 832, 96, 5, 7, 10**9 + 7
"""In proofs: the numbers of streams, of those with large states, of values of each, of steps of a leap and a jump."""

GROUP_SIZE = 128
"""Work-items of a work-group."""

APART = 5
"""Steps from the state of a stream to that of the next."""

LARGE_ORDER = 256
"""From so many words of a state on, there are fewer streams."""


@dataclass(frozen=True)
class Seeding:
    """How the states of streams are made on the device.

    The state of stream i is `words` with spread * i added to the first of them, moved on by distance * i + discard
    steps.
    """

    count: int  # The number of streams
    words: Words
    spread: int
    distance: int
    discard: int


@lru_cache(maxsize=8)
def _visited(stream: Stream, count: int) -> list[Words]:
    """Return the words of so many states, from that of a stream on."""
    words = stream.bits.words
    found = [words]
    for _ in range(count - 1):
        words = stream.bits.step(words)
        found.append(words)
    return found


@dataclass(frozen=True)
class SampleStreams:
    """Streams of a proof."""

    bits: BitGenerator  # Where the first stream stands
    count: int
    step: int  # The steps of the sequence in one step of a stream

    def states(self, after: int = 0) -> npt.NDArray[Any]:
        """Return the states of the streams after so many steps of each, shape (count, order)."""
        bits, first, dtype = self.bits, after * self.step, self.bits.word_dtype
        if isinstance(bits, Lagged):
            all_words = np.array(bits.continued(bits.words, first + self.count * APART), dtype)
            return np.lib.stride_tricks.sliding_window_view(all_words, bits.order)[first::APART][: self.count]
        visited = _visited(Stream(bits), first + self.count * APART)
        return np.array(visited[first::APART][: self.count], dtype).reshape(self.count, -1)

    def values(self, transform: Transform, values: int, *, halved: bool) -> references.Values:
        """Return so many values of each stream, and which of them are sure, each of shape (values, count)."""
        steps = values * transform.steps
        if halved:
            streams: list[Any] = [
                self.bits.with_state(tuple(words)).leaping(self.step) for words in self.states().tolist()
            ]
            taken = cast("Any", self.bits).halves()
            raw = np.array([stream.halves().sequence(steps) for stream in streams])
        else:
            taken, all_raw = self.bits, raw_values(Stream(self.bits), 0, self.count * APART + steps * self.step)
            raw = all_raw[np.arange(self.count)[:, None] * APART + (np.arange(steps) + 1) * self.step - 1]
        made, sure = references.values(transform, taken, raw.reshape(-1, transform.steps))
        shape = self.count, values
        return made.reshape(shape).T, None if sure is None else sure.reshape(shape).T


class Progress(NamedTuple):
    """How many steps streams have made."""

    made: int  # Before the call in progress
    goal: int  # After the call in progress; `made` where there is none
    columns: npt.NDArray[Any] | None = None  # New states that are being copied to the device
    halved: bool = False  # Whether the steps of the call in progress are halves of values


class PlainStates:
    """States in columns: word j of stream i is element (j, i).

    A work-item keeps the states of its streams in registers during a launch.

    An interrupt or an error of OpenCL may end a call in the middle. The next call then completes it, so that the states
    seen are always those before a call or those after it. For this the host records, before the first launch, how many
    steps there are to be after the call; and each launch records on the device how many there are after it.
    """

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, count: int, step: int = 1
    ) -> None:
        self._queue, self._device, self._code, self._count, self._step = queue, device, code, count, step
        self._advancing = cached_method(self._prepare)
        self._varying = cached_method(self._fillers)
        self._states = arrays.output_array(queue, device, (code.order, count), code.word, name="count")
        self._stride = self._to_device([code.stride(step)])
        self._made = upload(queue, np.zeros(1, np.uint64))
        self._progress = Progress(0, 0)

    def dtype(self, transform: Transform) -> np.dtype[Any]:
        """Return the dtype of the outputs of `transform`."""
        return source.output_dtype(self._code_for(transform), transform)

    def _code_for(self, transform: Transform, *, halved: bool = False) -> GeneratorCode:
        """Return the code of steps as `transform` takes them: of values, or of halves of them."""
        if not self._code.recurrence.has_halves or not (halved or transform.fits_half):
            return self._code
        return HalvesCode(self._code, leaping=self._step > 1)

    def _to_device(self, rows: list[tuple[int, ...]]) -> cla.Array:
        return upload(self._queue, np.array(rows, self._code.word))

    def _lanes(self, code: GeneratorCode, out_bytes: int, aligned: bool) -> tuple[int, int]:
        """Return the lanes of a vector and how many states a work-item interleaves; their product is its streams.

        On a GPU, several streams to a work-item need aligned stores, and states that leave registers for more than one;
        a CPU stores its vectors anywhere.
        """
        if traits_of(self._device).in_vectors and code.max_vector_width > 1:
            return code.max_vector_width, 1
        several = aligned and code.max_vector_width > 1 and code.moving_steps is None
        return 1, self._streams_per_store(out_bytes) if several else 1

    def _streams_per_store(self, out_bytes: int) -> int:
        """Return how many neighbouring streams fill a store of a GPU with their words or values, the larger of both."""
        return values_per_store(max(out_bytes, self._code.word.itemsize))

    def _kernel(
        self, name: str, transform: Transform, *, keep_all: bool = True, aligned: bool = True, halved: bool = False
    ) -> tuple[Kernel, int]:
        code = self._code_for(transform, halved=halved)
        width, interleaved = self._lanes(code, source.output_dtype(code, transform).itemsize, aligned)
        values = {
            "interleaved": interleaved,
            "leaping": self._step > 1,
            "keep_all": keep_all,
            "stride_words": self._stride.size,
        }
        near = has_value_table(self._device, self._code, 0)
        kernel = code_kernel(self._queue, name, code, transform, width, values, "streams", near=near)
        return kernel, width * interleaved

    def _prepare(self, transform: Transform, keep_all: bool, aligned: bool, halved: bool) -> tuple[Kernel, int]:
        """Return the kernel that moves streams on, and the number of streams of a work-item."""
        kernel, streams = self._kernel("advance_streams", transform, keep_all=keep_all, aligned=aligned, halved=halved)
        names = names_of(transform.parameters)
        kernel.taking("states", "out", "offset", "count", "values", "made", "made_now", "stride_row", *names)
        self._prove(kernel, transform, keep_all=keep_all, aligned=aligned, halved=halved)
        return kernel, streams

    def _fillers(self, kind: type[Varying], halved: bool) -> Any:
        """Return what makes values of transforms of a class, of raw values or halves of them."""
        code = self._code_for(RAW, halved=halved)
        return fillers(self._queue, self._device, code, Converter(self._queue, self._device, code))[kind]

    def _sample(self, own: cl.CommandQueue, count: int) -> "PlainStates":
        """Return streams like these on a queue, but so many, for a proof."""
        return type(self)(own, self._device, self._code, count, SAMPLE_STEP if self._step > 1 else 1)

    def _prove(
        self, kernel: Kernel, transform: Transform, *, keep_all: bool, aligned: bool, halved: bool = False
    ) -> None:
        """Prove the kernel that moves streams on: values and states of some streams."""

        def check(own: cl.CommandQueue) -> None:
            count = (SAMPLE_FEW if self._code.order > LARGE_ORDER else SAMPLE_COUNT) - (0 if aligned else 5)
            values, sample = SAMPLE_VALUES, self._sample(own, count)
            streams = SampleStreams(self._code.recurrence, count, sample._step)  # noqa: SLF001  # of this class
            sample.set_rows(streams.states())
            shape = (values if keep_all else 1) * count
            begin = 0 if aligned else 3
            memory = poisoned(
                own, begin + shape + GUARD, source.output_dtype(self._code_for(transform, halved=halved), transform)
            )
            sample.advance(transform, arrays.part(memory, begin, shape), values, keep_all=keep_all, halved=halved)
            if not halved:
                states = streams.states(values * transform.steps)
                compare("word of a state", sample.rows().reshape(-1), states.reshape(-1))
            made = memory.get()
            if type(transform) in FORMS:
                wanted, sure = streams.values(transform, values, halved=halved)
                kept = slice(0 if keep_all else values - 1, None)
                compare(
                    f"value {self._code.recurrence.name} of streams", made[begin : begin + shape],
                    wanted[kept].reshape(-1), sure=None if sure is None else sure[kept].reshape(-1),
                )  # fmt: skip
            check_guard("behind", made[begin + shape :])

        prove(self._queue, [kernel], check)

    def _prove_seeds(self, kernel: Kernel) -> None:
        """Prove the kernel that makes states: by jumps, and where that is legal by seeds that are counted."""
        bits = self._code.recurrence

        def check(own: cl.CommandQueue) -> None:
            sample = self._sample(own, SAMPLE_FEW)
            sample.seed(Seeding(SAMPLE_FEW, bits.words, 0, SAMPLE_DISTANCE, 3))
            rows = [bits.state_after(bits.words, SAMPLE_DISTANCE * i + 3) for i in range(SAMPLE_FEW)]
            compare("word of a state", sample.rows().reshape(-1), np.array(rows, self._code.word).reshape(-1))
            if bits.consecutive_seeds and bits.modulus > 4 * SAMPLE_FEW:
                sample.seed(Seeding(SAMPLE_FEW, (1,), 1, 0, 2))
                rows = [bits.state_after((1 + i,), 2) for i in range(SAMPLE_FEW)]
                compare("state of seed", sample.rows().reshape(-1), np.array(rows, self._code.word).reshape(-1))

        prove(self._queue, [kernel], check)

    def seed(self, start: Seeding) -> None:
        """Make the states on the device."""
        kernel, _ = self._kernel("seed_streams", RAW)
        self._prove_seeds(kernel)
        strides = self._to_device([self._code.stride(start.distance << j) for j in range(32)])
        group_size = min(GROUP_SIZE, kernel.largest_group)
        event = kernel(
            self._queue, whole_groups(start.count, group_size), group_size, states=self._states.base_data,
            **numbered("start", start.words), count=start.count, spread=start.spread, discard=start.discard,
            strides=strides.data,
        )  # fmt: skip
        self._states.add_event(event)

    def seeding(self) -> Seeding | None:
        """Return a description of the states that is smaller than the states themselves, if there is one."""
        return None

    def rows(self) -> npt.NDArray[Any]:
        """Return the states, a state in each row, shape (count, order)."""
        self._settle()
        copied: npt.NDArray[Any] = self._states.get()
        return np.ascontiguousarray(np.roll(copied, -self._at(self._progress.made), axis=0).T)

    def set_rows(self, rows: npt.NDArray[Any]) -> None:
        """Replace the states by `rows`, which must be legal states."""
        self._settle()
        made = self._progress.made
        self._progress = Progress(made, made, np.ascontiguousarray(np.roll(rows.T, self._at(made), axis=0)))
        self._settle()

    def _at(self, made: int) -> int:  # noqa: ARG002  # where states are rings
        """Return the row that has the oldest words when `made` steps have been made."""
        return 0

    def advance(
        self, transform: Transform, result: cla.Array, values: int, *, keep_all: bool, halved: bool = False
    ) -> None:
        """Make `values` values, of one step or several, of every stream; put all, or the last one, into `result`.

        `halved`: whether the steps of `transform` are halves of values, as they are in any case where it fits these.
        """
        if isinstance(transform, Varying):
            self._varying(type(transform), transform.fits_half).prepare(transform)
        self._settle()
        made = self._progress.made
        goal = made + values * transform.steps
        halved = self._code_for(transform, halved=halved) is not self._code
        self._progress = Progress(made, goal, halved=halved)
        self._launch(transform, result, made, goal, keep_all=keep_all, halved=halved)
        self._progress = Progress(goal, goal)

    def _settle(self) -> None:
        """Complete a call that was ended in the middle, or forget one that had not begun to change the states."""
        progress = self._progress
        if progress.columns is None and progress.made == progress.goal:
            return
        self._queue.finish()
        if progress.columns is not None:
            states: Any = self._states.base_data
            cl.enqueue_copy(self._queue, states, progress.columns).wait()
        elif (made := int(self._made.get()[0])) != progress.made:
            unseen = cla.Array(self._queue, self._count, self._code_for(RAW, halved=progress.halved).value)
            self._launch(RAW, unseen, made, progress.goal, keep_all=False, halved=progress.halved)
        else:
            progress = Progress(made, made)
        self._progress = Progress(progress.goal, progress.goal)

    def _launch(
        self, transform: Transform, result: cla.Array, made: int, goal: int, *, keep_all: bool, halved: bool = False
    ) -> None:
        """Launch the kernels that move the streams on from `made` steps to `goal`."""
        if isinstance(transform, Varying):
            self._launch_varying(transform, result, made, goal, keep_all=keep_all, halved=halved)
            return
        size, steps = result.dtype.itemsize, transform.steps
        offset, group = result.offset // size, self._streams_per_store(size)
        rows = self._code.order > 1 or (keep_all and goal - made > steps)
        aligned = offset % group == 0 and (not rows or self._count % group == 0)
        kernel, group = self._advancing(transform, keep_all, aligned, halved)
        group_size = min(GROUP_SIZE, kernel.largest_group)
        global_size = whole_groups(-(-self._count // group) + 1, group_size)  # one more than have streams
        waiting, arguments = wait_list(self._states, result), device_arguments(self._queue, transform).values()
        for first, n in launches(made, goal, STEPS_OF_LAUNCH // steps * steps):
            event = kernel(
                self._queue, global_size, group_size, self._states.base_data, result.base_data, offset, self._count,
                n // steps, self._made.base_data, first + n, self._last_argument(first), *arguments, wait_for=waiting,
            )  # fmt: skip
            offset += n // steps * self._count if keep_all else 0
            self._states.events[:] = waiting = [event]  # which itself waits for all that came before
            arrays.attach_event(self._queue, result, event)

    def _launch_varying(
        self, transform: Varying, result: cla.Array, made: int, goal: int, *, keep_all: bool, halved: bool
    ) -> None:
        """Do the same with raw values, and make values of these that differ from element to element."""
        steps, raw_dtype = transform.steps, self._code_for(RAW, halved=halved).value
        if not keep_all and goal - made > steps:
            unseen = cla.Array(self._queue, self._count, raw_dtype)
            self._launch(RAW, unseen, made, goal - steps, keep_all=False, halved=halved)
            made = goal - steps

        def going_on(raw: cla.Array, first: int) -> None:
            begin = made + first
            self._launch(RAW, raw, begin, begin + raw.size // self._count, keep_all=True, halved=halved)

        make: MakeRaw = going_on
        if isinstance(transform, InParts):  # which need raw values several times
            n = (goal - made) * self._count
            arrays.check_allocation(self._device, n, raw_dtype, "steps")
            found = cla.Array(self._queue, n, raw_dtype)
            going_on(found, 0)
            make = copying(self._queue, found, self._count)
        self._varying(type(transform), halved).fill(transform, result, make, self._count)

    def _last_argument(self, made: int) -> Any:  # noqa: ARG002  # where states are rings
        """Return the last argument of a launch that follows `made` steps: here the words of the stride."""
        return self._stride.base_data


class LaggedStates(PlainStates):
    """States of a lagged Fibonacci generator in columns, made by a `JumpTree`.

    A work-item keeps the states of its streams in registers up to order `JUMPED`. Larger states stay in memory, where
    each column is a ring: after n steps, word j of a state is in row (n + j) mod order.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode, count: int) -> None:
        super().__init__(queue, device, code, count)
        self._lagged, self._rings = code, code.order > JUMPED
        self._width = code.max_vector_width if traits_of(device).in_vectors else 1
        self._converter = Converter(queue, device, code)

    def _prepare(self, transform: Transform, keep_all: bool, aligned: bool, halved: bool) -> tuple[Kernel, int]:
        if not self._rings:
            return super()._prepare(transform, keep_all, aligned, halved)
        values = {"lags": self._lagged.recurrence.lags, "keep_all": keep_all}
        kernel = code_kernel(self._queue, "advance_rings", self._code, transform, self._width, values, "streams")
        names = names_of(transform.parameters)
        kernel.taking("states", "out", "offset", "count", "steps", "made", "made_now", "at", *names)
        self._prove(kernel, transform, keep_all=keep_all, aligned=aligned)
        return kernel, self._width

    def _sample(self, own: cl.CommandQueue, count: int) -> "LaggedStates":
        return LaggedStates(own, self._device, self._lagged, count)

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as inherited
        tree = jump_tree_for(self._queue, self._device, self._lagged)
        together = max(MAX_WORDS // tree.row_words, 1)
        for first in range(0, start.count, together):
            words = self._lagged.recurrence.state_after(start.words, first * start.distance)
            last = tree.states(tree.device_state(words), min(together, start.count - first), start.distance)
            self._states.add_event(tree.columns(last, self._states, first))

    def _at(self, made: int) -> int:
        return made % self._code.order if self._rings else 0

    def _launch(
        self, transform: Transform, result: cla.Array, made: int, goal: int, *, keep_all: bool, halved: bool = False
    ) -> None:
        steps = transform.steps
        if not self._rings or steps == 1 or isinstance(transform, Varying):
            super()._launch(transform, result, made, goal, keep_all=keep_all, halved=halved)
            return
        launch = super()._launch
        if not keep_all and goal - made > steps:
            launch(RAW, cla.Array(self._queue, self._count, self.dtype(RAW)), made, goal - steps, keep_all=False)
            made = goal - steps

        def make(raw: cla.Array, first: int) -> None:
            launch(RAW, raw, made + first, made + first + raw.size // self._count, keep_all=True)

        self._converter.fill(transform, result, make, self._count)

    def _last_argument(self, made: int) -> Any:
        return self._at(made) if self._rings else super()._last_argument(made)


class LeapfrogStates:
    """One sequence of a lagged Fibonacci generator, whose values are dealt out to the streams in turn.

    Its methods are those of `PlainStates`. There is a single state, that of the last stream; the state of stream i is
    count - 1 - i steps before it. One step of all streams is `count` steps of the sequence.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode, count: int) -> None:
        self._code, self._count = code, count
        self._fillers = LaggedStreamFiller(queue, device, code)
        self._converter = Converter(queue, device, code)
        self._varying = fillers(queue, device, code, self._converter)
        self._moving = code.recurrence.copy()

    def dtype(self, transform: Transform) -> np.dtype[Any]:  # noqa: D102  # as there
        return source.output_dtype(self._code, transform)

    def seed(self, start: Seeding) -> None:  # noqa: D102  # as there
        self._moving = self._moving.with_state(start.words).advance(self._count - 1)

    def seeding(self) -> Seeding:  # noqa: D102  # as there
        return Seeding(self._count, self._oldest(), 0, 1, 0)

    def _oldest(self) -> Words:
        """Return the state of the first stream."""
        return self._moving.state_after(self._moving.words, 1 - self._count)

    def _windows(self, oldest: Words) -> npt.NDArray[Any]:
        """Return the states of all streams, the first of which is `oldest`."""
        words = np.array(self._moving.continued(oldest, self._count - 1), self._code.word)
        return np.lib.stride_tricks.sliding_window_view(words, self._code.order)

    def rows(self) -> npt.NDArray[Any]:  # noqa: D102  # as there
        return self._windows(self._oldest()).copy()

    def set_rows(self, rows: npt.NDArray[Any]) -> None:  # noqa: D102  # as there
        wrong = np.flatnonzero((rows != self._windows(tuple(rows[0].tolist()))).any(axis=1))
        if wrong.size:
            raise ValueError(
                f"states must be one step apart each, as streams have them that a lagged Fibonacci sequence is dealt "
                f"out to; states[{wrong[0]}] is not one step after the state before it"
            )
        self._moving = self._moving.with_state(tuple(rows[-1].tolist()))

    def advance(  # noqa: D102  # as there
        self, transform: Transform, result: cla.Array, values: int, *, keep_all: bool
    ) -> None:
        steps, varies = transform.steps, isinstance(transform, Varying)
        if varies:
            self._varying[type(transform)].prepare(transform)
        start = self._moving.jumped(0 if keep_all else (values - 1) * steps * self._count)
        if steps == 1 and not varies:
            self._fillers.fill(transform, result, start)
            self._moving = start.advance(result.size)
            return

        def make(raw: cla.Array, first: int) -> None:
            self._fillers.fill(RAW, raw, start.jumped(first * self._count))

        (self._varying[type(transform)] if varies else self._converter).fill(transform, result, make, self._count)
        self._moving = start.advance(result.size * steps)


StreamStates = PlainStates | LeapfrogStates


def make_states(
    queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, count: int, step: int,
    start: Seeding | npt.NDArray[Any],
) -> StreamStates:  # fmt: skip
    """Return the states of `count` streams, of which a step is `step` steps of the generator, made as `start` says.

    `ValueError` is raised if streams of the generator cannot have such steps, or their states do not fit the device.
    """
    made: StreamStates
    if code.streams_strategy == "plain":
        made = PlainStates(queue, device, code, count, step)
    elif step == 1:
        made = LaggedStates(queue, device, cast("LaggedCode", code), count)
    elif step == count:
        made = LeapfrogStates(queue, device, cast("LaggedCode", code), count)
    else:
        raise ValueError(f"step must be 1 or the number of streams, {count}, for lagged Fibonacci streams, not {step}")
    if isinstance(start, Seeding):
        made.seed(start)
    else:
        made.set_rows(start)
    return made
