"""Whether commands of OpenCL have an order wherever they need one, however they happen to run.

Two commands that use the same bytes, one of them to write, must have an order: the later one waits for the event of the
earlier one, or for that of a command behind it; or the host waited in between; or both are in a queue with an order.
Every command that is enqueued is recorded with what it uses and what comes before it, as in Lamport's "Time, Clocks,
and the Ordering of Events in a Distributed System" (Communications of the ACM 21, 1978). When it runs does not matter.

A command may wait for one of another queue only if that is flushed (OpenCL 1.2, section 5.13): otherwise a driver may
keep it back for ever.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyopencl as cl
import pyopencl.array as cla
import pytest

from clrng.opencl import kernel as kernels
from clrng.opencl.kernel import Kernel, Repeated, in_any_order


@dataclass(frozen=True)
class Use:
    """The bytes of a memory object, from `begin` to `end` - 1, that a command uses."""

    memory: int
    begin: int
    end: int
    writes: bool

    def conflicts(self, other: "Use") -> bool:
        """Return whether the commands of both must have an order."""
        apart = self.end <= other.begin or other.end <= self.begin
        return self.memory == other.memory and not apart and (self.writes or other.writes)


class Recorder:
    """The commands of a run; command i is bit i of the sets of commands, which are integers."""

    def __init__(self) -> None:
        self.hazards: list[str] = []
        self._names: list[str] = []
        self._until: list[int] = []  # Each command and all that come before it
        self._numbers: dict[int, int] = {}  # of events
        self._held: list[Any] = []  # so that no later event or memory has the address of one that was recorded
        self._uses: dict[int, list[tuple[int, Use]]] = {}  # of each memory object
        self._host = 0  # what the host has waited for
        self._all: dict[int, int] = {}  # the commands of each queue
        self._behind: dict[int, int] = {}  # what all later commands of a queue come behind
        self._given = 0  # the commands that a driver does not keep back

    def use(self, memory: Any, writes: bool, begin: int = 0, nbytes: int | None = None) -> list[Use]:
        """Return the use of so many bytes of `memory`, of all that are left where None, if it is memory of OpenCL's."""
        if isinstance(memory, cla.Array):
            return self.use(memory.base_data, writes, memory.offset, memory.nbytes)
        if not isinstance(memory, cl.MemoryObjectHolder):
            return []
        self._held.append(cl.Buffer.from_int_ptr(memory.int_ptr, retain=True))  # and not what a pool waits for
        end = memory.size if nbytes is None else begin + nbytes
        whole = memory.get_info(cl.mem_info.ASSOCIATED_MEMOBJECT)
        if not isinstance(whole, cl.MemoryObjectHolder):
            return [Use(memory.int_ptr, begin, end, writes)]
        self._held.append(whole)
        moved: int = memory.get_info(cl.mem_info.OFFSET)
        return [Use(whole.int_ptr, begin + moved, end + moved, writes)]

    def waited(self, *events: cl.Event) -> None:
        """Note that the host has waited for events."""
        for event in events:
            self._host |= self._until_event(event)
            self.flushed(event.command_queue)

    def flushed(self, queue: cl.CommandQueue) -> None:
        """Note that the device is given all commands of a queue."""
        self._given |= self._all.get(queue.int_ptr, 0)

    def finished(self, queue: cl.CommandQueue) -> None:
        """Note that the host has waited for all commands of a queue."""
        self.flushed(queue)
        for number in self._bits(self._all.get(queue.int_ptr, 0)):
            self._host |= self._until[number]

    def command(
        self, name: str, queue: cl.CommandQueue, event: cl.Event, wait_for: Iterable[cl.Event] | None,
        uses: Sequence[Use] = (), *, behind_all: bool = False, before_all: bool = False,
    ) -> None:  # fmt: skip
        """Record a command: of all earlier ones of its queue it may be behind all, of all later ones before all."""
        address, number = queue.int_ptr, len(self._names)
        before = self._host | self._behind.get(address, 0)
        for each in wait_for or ():
            before |= self._until_event(each)
            self._check_given(name, address, each)
        if behind_all or not in_any_order(queue):
            for each in self._bits(self._all.get(address, 0) & ~before):
                before |= self._until[each]
        self._names.append(name)
        self._until.append(before | 1 << number)
        self._numbers[event.int_ptr] = number
        self._held.append(event)
        self._all[address] = self._all.get(address, 0) | 1 << number
        if before_all:
            self._behind[address] = self._until[number]
        for use in uses:
            self._compare(number, use)

    def _check_given(self, name: str, address: int, event: cl.Event) -> None:
        number = self._numbers.get(event.int_ptr)
        if number is not None and not (self._all.get(address, 0) | self._given | self._host) >> number & 1:
            self.hazards.append(f"{name} waits for {self._names[number]} of another queue, which is not flushed")

    def _compare(self, number: int, use: Use) -> None:
        earlier = self._uses.setdefault(use.memory, [])
        for other, used in earlier:
            if other != number and use.conflicts(used) and not self._until[number] >> other & 1:
                self.hazards.append(f"{self._names[number]} does not wait for {self._names[other]}")
        earlier.append((number, use))

    def _until_event(self, event: cl.Event) -> int:
        number = self._numbers.get(event.int_ptr)
        return 0 if number is None else self._until[number]

    @staticmethod
    def _bits(commands: int) -> Iterator[int]:
        while commands:
            yield (number := commands.bit_length() - 1)
            commands ^= 1 << number


def written(source: str, name: str) -> list[bool | None]:
    """Return for each argument of a kernel whether its memory may be written to; None where it is not memory."""
    types = kernels.argument_types(source, name)
    begin = source.index(f"__kernel void {name}(")
    declarations = source[source.index("(", begin) + 1 : source.index(")", begin)].split(",")
    return [
        None if kind is not None else "const" not in declaration.split("*")[0]
        for kind, declaration in zip(types.values(), declarations, strict=True)
    ]


class Patches:
    """What is called in place of PyOpenCL's and clrng's ways to enqueue commands and to wait for them."""

    def __init__(self, patch: pytest.MonkeyPatch, recorder: Recorder) -> None:
        self._patch, self._recorder, self._within = patch, recorder, False
        self._written: dict[tuple[str, str], list[bool | None]] = {}
        self._launches()
        self._copies()
        self._markers()
        self._waits()

    def _uses(self, kernel: Kernel, arguments: Sequence[Any]) -> list[Use]:
        key = kernel.source, kernel.name
        if key not in self._written:
            self._written[key] = written(*key)
        pairs = zip(self._written[key], arguments, strict=True)
        return [use for writes, memory in pairs if writes is not None for use in self._recorder.use(memory, writes)]

    def _launches(self) -> None:
        call, again, plain = Kernel.__call__, Repeated.__call__, cl.Kernel.__call__

        def launch(
            kernel: Kernel, queue: cl.CommandQueue, size: int, group: int | None, /, *arguments: Any,
            wait_for: Any = None, **named: Any,
        ) -> cl.Event:  # fmt: skip
            given = tuple(named[each] for each in kernel._names) if named else arguments
            self._within = True
            event = call(kernel, queue, size, group, *arguments, wait_for=wait_for, **named)
            self._within = False
            self._recorder.command(kernel.name, queue, event, wait_for, self._uses(kernel, given))
            return event

        def repeat(self_: Repeated, memory: Any, numbers: Sequence[int], wait_for: Any) -> cl.Event:
            event = again(self_, memory, numbers, wait_for)
            uses = self._uses(self_._kernel, (memory, *self_._others))
            self._recorder.command(self_._kernel.name, self_._shape[0], event, wait_for, uses)
            return event

        def other(kernel: cl.Kernel, queue: cl.CommandQueue, *arguments: Any, wait_for: Any = None, **more: Any) -> Any:
            arrays = [each for each in arguments if isinstance(each, cla.Array)]
            before = [*(wait_for or ()), *(event for each in arrays for event in each.events)]  # as PyOpenCL waits
            event = plain(kernel, queue, *arguments, wait_for=wait_for, **more)
            if not self._within:  # a kernel of PyOpenCL's, which writes to its first memory
                memories = [each for each in arguments if isinstance(each, (cla.Array, cl.MemoryObjectHolder))]
                uses = [use for i, each in enumerate(memories) for use in self._recorder.use(each, i == 0)]
                self._recorder.command(kernel.function_name, queue, event, before, uses)
            return event

        self._patch.setattr(Kernel, "__call__", launch)
        self._patch.setattr(Repeated, "__call__", repeat)
        self._patch.setattr(cl.Kernel, "__call__", other)

    def _copies(self) -> None:
        copy, fill, read = cl.enqueue_copy, cl.enqueue_fill_buffer, cl.enqueue_map_buffer

        def copying(queue: cl.CommandQueue, to: Any, given: Any, **how: Any) -> Any:
            event, nbytes = copy(queue, to, given, **how), how.get("byte_count")
            on_device = isinstance(to, cl.MemoryObjectHolder) and isinstance(given, cl.MemoryObjectHolder)
            if nbytes is None and not on_device:
                nbytes = (given if isinstance(to, cl.MemoryObjectHolder) else to).nbytes
            uses = self._recorder.use(to, True, how.get("dst_offset", 0), nbytes)
            uses += self._recorder.use(given, False, how.get("src_offset", 0), nbytes)
            self._recorder.command("copy", queue, event, how.get("wait_for"), uses)
            if not on_device and how.get("is_blocking", True):
                self._recorder.waited(event)
            return event

        def filling(
            queue: cl.CommandQueue, memory: Any, value: Any, begin: int, nbytes: int, wait_for: Any = None
        ) -> Any:
            event = fill(queue, memory, value, begin, nbytes, wait_for)
            self._recorder.command("fill", queue, event, wait_for, self._recorder.use(memory, True, begin, nbytes))
            return event

        def mapping(queue: cl.CommandQueue, memory: Any, flags: Any, *more: Any, **how: Any) -> Any:
            values, event = read(queue, memory, flags, *more, **how)
            uses = self._recorder.use(memory, flags != cl.map_flags.READ)
            self._recorder.command("map", queue, event, how.get("wait_for"), uses)
            if how.get("is_blocking", True):
                self._recorder.waited(event)
            return values, event

        self._patch.setattr(cl, "enqueue_copy", copying)
        self._patch.setattr(cl, "enqueue_fill_buffer", filling)
        self._patch.setattr(cl, "enqueue_map_buffer", mapping)

    def _markers(self) -> None:
        def behind(name: str, *, before_all: bool) -> Callable[..., cl.Event]:
            original = getattr(cl, name)

            def enqueue(queue: cl.CommandQueue, wait_for: Any = None) -> cl.Event:
                event: cl.Event = original(queue, wait_for=wait_for)
                self._recorder.command(name, queue, event, wait_for, behind_all=not wait_for, before_all=before_all)
                return event

            return enqueue

        self._patch.setattr(cl, "enqueue_marker", behind("enqueue_marker", before_all=False))
        self._patch.setattr(cl, "enqueue_barrier", behind("enqueue_barrier", before_all=True))

    def _waits(self) -> None:
        wait, wait_all, finish = cl.Event.wait, cl.wait_for_events, cl.CommandQueue.finish
        flush = cl.CommandQueue.flush

        def waiting(event: cl.Event) -> None:
            wait(event)
            self._recorder.waited(event)

        def waiting_for_all(events: Sequence[cl.Event]) -> None:
            wait_all(events)
            self._recorder.waited(*events)

        def finishing(queue: cl.CommandQueue) -> None:
            finish(queue)
            self._recorder.finished(queue)

        def flushing(queue: cl.CommandQueue) -> None:
            flush(queue)
            self._recorder.flushed(queue)

        self._patch.setattr(cl.Event, "wait", waiting)
        self._patch.setattr(cl.CommandQueue, "flush", flushing)
        self._patch.setattr(cl, "wait_for_events", waiting_for_all)
        self._patch.setattr(cl.CommandQueue, "finish", finishing)


APART = {f"{name} does not wait for copy" for name in ("pack_and_scatter", "sort_keys")}
"""Commands that use other words of one memory: while sorting goes on, the host reads how many keys a bucket has."""


@contextmanager
def recorded() -> Iterator[Recorder]:
    """Record the commands of a block; an AssertionError at its end names those that have no order but need one."""
    recorder = Recorder()
    with pytest.MonkeyPatch.context() as patch:
        Patches(patch, recorder)
        yield recorder
    hazards = [each for each in dict.fromkeys(recorder.hazards) if each not in APART]
    assert not hazards, "\n".join(hazards)
