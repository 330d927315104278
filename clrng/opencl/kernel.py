"""Kernels, and whatever else is made once for an OpenCL context: how long it lasts, and how kernels are launched.

OpenCL works in the process that began to use it until that ends, and not in a forked copy of that process. Every call
of a user begins with `check_process`.

A program or a buffer holds its context, so a cache of them in a module would keep every context alive for ever. They
are kept in a `ContextCache` instead, which each queue holds, as an attribute, that a front end was made on. When the
last of these queues goes, it goes too. All queues of one context have the same one.

`kernel_of` returns the kernel of a text, from the one cache that there is of them, and a launch names every argument as
the template does. It raises a TypeError if a name is missing, or not one of the kernel's, before the device works::

    kernel = kernel_of(queue, "poison", templates.program, "bench/poison.cl.mako")
    kernel(queue, 1024, 64, out=out.base_data, begin=0, size=10_000, wait_for=wait_list(out))

Where microseconds count, the names are checked when the kernel is made, and a launch gives arguments in their order::

    kernel = kernel_of(queue, "poison", templates.program, "bench/poison.cl.mako").taking("out", "begin", "size")
    kernel(queue, 1024, 64, out.base_data, 0, 10_000, wait_for=wait_list(out))
"""

import atexit
import os
import re
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from math import prod
from operator import itemgetter
from pathlib import Path
from threading import Lock, get_ident
from types import FrameType, MappingProxyType
from typing import Any
from weakref import WeakMethod, WeakSet, WeakValueDictionary

import numpy as np
import pyopencl as cl

from clrng.errors import ForkError
from clrng.opencl import ledger, program

OWN = f"{Path(__file__).parent.parent}{os.sep}"
"""The folder with the code of clrng."""

LONGEST_REST = 0.5
"""Seconds that the end of a process waits for threads in PyOpenCL, which may come back to it again and again."""

_users: list[int] = []
"""The number of the process that began to use OpenCL, once one has; forked processes have a copy of this list."""

_ending: list[int] = []
"""The thread that ends the process, once it does."""

_stopped: set[int] = set()
"""The threads that have been stopped since."""

_never = Lock()
_never.acquire()


def check_process() -> None:
    """Take note that this process uses OpenCL; every call of a user begins with this, before it takes a lock.

    It does not return where another thread ends the process: a driver may crash if it is used while it is taken down.
    """
    if _ending and _ending[0] != get_ident():
        _stopped.add(get_ident())
        _never.acquire()
    process = os.getpid()
    if not _users:
        _users.append(process)
    elif _users[0] != process:
        raise ForkError(
            f"OpenCL does not work in process {process}, which was forked from process {_users[0]} after that had used "
            f"it. Start processes with the 'spawn' or the 'forkserver' method, as multiprocessing.get_context('spawn') "
            f"does, and make queues and generators in them, or fork before anything uses OpenCL; bit generators work "
            f"in every process"
        )


def _end(until: float) -> None:
    """Let this thread alone begin calls from now on; wait for those of others until the monotonic clock says `until`.

    These are daemons, as Python has waited for all others before.
    """
    _ending.append(get_ident())
    rest = min(until, time.monotonic() + LONGEST_REST)
    pyopencl = f"{Path(str(sys.modules['pyopencl'].__file__)).parent}{os.sep}"
    while (_others_are_in(OWN) and time.monotonic() < until) or (_others_are_in(pyopencl) and time.monotonic() < rest):
        time.sleep(0.001)


def _others_are_in(folder: str) -> bool:
    """Return whether another thread runs code of a folder, or code that this has called, and has not been stopped."""
    others = {thread: frame for thread, frame in sys._current_frames().items() if thread != get_ident()}  # noqa: SLF001
    return any(thread not in _stopped and _is_in(folder, frame) for thread, frame in others.items())


def _is_in(folder: str, frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(folder):
            return True
        frame = frame.f_back
    return False


ATTRIBUTE = "_clrng_kept"
"""The name of the attribute by which a queue holds it."""

SEEN = "_clrng_seen"
"""The name of the attribute that marks a queue seen before."""

LONGEST_WAIT = 10
"""Seconds that the end of a process waits for its queues: an event that it waits for may never come."""

MAX_CACHED = 256
"""Results of a function that are kept for a context."""


class ContextCache:
    """The cache of a context: its programs and kernels, tables in its memory, and what else is made once for it."""

    def __init__(self, context: cl.Context) -> None:
        self._context = context
        self._functions: dict[Callable[..., Any], Callable[..., Any]] = {}

    def cached(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function` with the context as its first argument, and with a cache of its results."""
        try:
            return self._functions[function]
        except KeyError:
            found = self._functions[function] = lru_cache(maxsize=MAX_CACHED)(partial(function, self._context))
            return found


class Seen:
    """A queue that a front end uses, which holds this; PyOpenCL's queues themselves cannot be referred to weakly."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._pointer = queue.int_ptr

    def wait(self, end: float) -> None:
        """Wait until the queue is idle, or the monotonic clock says `end`; an interrupt is not held up."""
        with suppress(cl.Error):
            queue = cl.CommandQueue.from_int_ptr(self._pointer, retain=True)
            marker = cl.enqueue_marker(queue)
            queue.flush()
            while marker.command_execution_status > cl.command_execution_status.COMPLETE and time.monotonic() < end:
                time.sleep(0.001)


_all: WeakValueDictionary[int, ContextCache] = WeakValueDictionary()
_queues: "WeakSet[Seen]" = WeakSet()
_lock = Lock()


def of_context(context: cl.Context) -> ContextCache:
    """Return what is kept for `context`; it lasts as long as somebody holds it."""
    with _lock:
        found = _all.get(context.int_ptr)
        if found is None:
            found = _all[context.int_ptr] = ContextCache(context)
        return found


def of_queue(queue: cl.CommandQueue) -> ContextCache:
    """Return what is kept for the context of `queue`; from now on the queue holds it."""
    found: ContextCache | None = getattr(queue, ATTRIBUTE, None)
    if found is None:
        found = of_context(queue.context)
        seen = Seen(queue)
        setattr(queue, SEEN, seen)
        with _lock:
            if not _queues:
                atexit.unregister(_finish)
                atexit.register(_finish)  # only now, so that it comes before the removal of folders of compilers
            _queues.add(seen)
        setattr(queue, ATTRIBUTE, found)  # last of all, so that an interrupt leaves nothing out
    return found


def _finish() -> None:
    """Wait at the end of the process until its queues are idle: PoCL crashes if it then still compiles or works.

    Threads that are daemons begin no other calls.
    """
    if _users == [os.getpid()]:  # this process uses OpenCL, and was not forked from one that did
        end = time.monotonic() + LONGEST_WAIT
        _end(end)
        for seen in list(_queues):
            seen.wait(end)


def cached_method(method: Callable[..., Any], most: int | None = None) -> Any:
    """Return a method that keeps its results, all or the `most` last ones; as `functools.lru_cache` does.

    Unlike a cache of the bound method it has no reference to the object. So what the object has on a device is freed
    with its last user, and not when Python next collects cycles of references.
    """
    weak = WeakMethod(method)

    @lru_cache(maxsize=most)
    def call(*arguments: Any) -> Any:
        bound = weak()
        if bound is None:
            raise ReferenceError("a method is called whose object is gone")
        return bound(*arguments)

    return call


SCALARS = {
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "float": np.float32,
    "double": np.float64,
}
"""The NumPy types of the OpenCL types that kernels take by value."""

BUFFER = re.compile(r"(volatile )?__global (const )?[a-z]+[0-9]* \*(restrict )?\w+")
SCALAR = re.compile(r"const ([a-z]+) \w+")


def declared_name(declaration: str) -> str:
    """Return the name that a declaration such as ``"const uint n"`` declares."""
    return declaration.rpartition(" ")[2].lstrip("*")


def argument_types(source: str, name: str) -> dict[str, Any]:
    """Return the NumPy types of the arguments of the kernel `name` by their names, in its order: None for a buffer.

    A RuntimeError says if `source` does not define exactly one kernel of that name, or which parameter is neither a
    pointer to global memory nor a ``const`` scalar: a mistake in a template, which tests would find.
    """
    found = re.findall(rf"__kernel void {re.escape(name)}\(([^()]*)\)", source)
    if len(found) != 1:
        raise RuntimeError(f"clrng expects one definition of the kernel {name!r} in a program, and found {len(found)}")
    types: dict[str, Any] = {}
    for declaration in (" ".join(each.split()) for each in found[0].split(",") if found[0].strip() != "void"):
        scalar = SCALAR.fullmatch(declaration)
        if not (scalar and scalar[1] in SCALARS) and not BUFFER.fullmatch(declaration):
            raise RuntimeError(
                f"clrng expects each parameter of the kernel {name!r} to be a __global pointer or a const "
                f"{', '.join(SCALARS)}, not {declaration!r}"
            )
        types[declared_name(declaration)] = SCALARS[scalar[1]] if scalar else None
    return types


SVM = cl.SVMPointer
"""Shared virtual memory, which arrays may have in place of a buffer."""

USUAL_GROUP = 128
"""Work-items of a work-group where nothing asks for another number. With groups of 64 an H100 began 104 G work-items a
second, however little each had to do, and with these twice as many."""

NO_VALUES: Mapping[str, Hashable] = MappingProxyType({})


def numbered(name: str, values: Iterable[Any]) -> dict[str, Any]:
    """Return arguments by the names ``name_0``, ``name_1`` and so on, as the words of a state have."""
    return {f"{name}_{i}": value for i, value in enumerate(values)}


def launches(begin: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """Cut the range from `begin` to `end` - 1 into parts of at most `most`; yield the beginning and size of each."""
    for first in range(begin, end, most):
        yield first, min(most, end - first)


def in_any_order(queue: cl.CommandQueue) -> bool:
    """Return whether a queue may run commands in another order than the one they come in."""
    return bool(queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)


def whole_groups(work_items: int, group_size: int) -> int:
    """Return `work_items` rounded up to whole work-groups."""
    return -(-work_items // group_size) * group_size


class Kernel:
    """A kernel object of its own: nobody else sets its arguments.

    Threads may share it: one sets the arguments and launches it, then the next one does. `largest_group` is the maximum
    of work-items of a work-group or, where the kernel requires a number of them, that number. `key` is its name in the
    `ledger` of its device, and `proved` is whether it is known to have been proved.
    """

    def __init__(self, context: cl.Context, source: str, name: str) -> None:
        device = context.devices[0]
        self.source, self.name = source, name
        self._program = of_context(context).cached(program.build)(source)
        types = argument_types(source, name)
        self._types, self._names = list(types.values()), (names := tuple(types))
        self._ordered = itemgetter(*names) if len(names) > 1 else lambda named: tuple(named[each] for each in names)
        self._memory = [place for place, kind in enumerate(self._types) if kind is None]
        self._kernel, self._with_svm = self._made(), False
        self._lock = Lock()
        self._set_by: object = None  # Whose arguments are set: the mark of a `Repeated`
        # NVIDIA's driver names fewer work-items than it launches where a kernel requires more
        info, about = cl.kernel_work_group_info, self._kernel.get_work_group_info
        required = prod(about(info.COMPILE_WORK_GROUP_SIZE, device))
        self.largest_group = int(required or about(info.WORK_GROUP_SIZE, device))
        self.ledger = ledger.of_device(device)
        self.key = self.ledger.key(source, name, program.options(device))
        self.proved = self.key in self.ledger

    def _made(self) -> cl.Kernel:
        return program.kernel(self._program, self.name, self._types)

    def taking(self, *names: str) -> "Kernel":
        """Return this kernel, for calls that give all arguments in the order of `names`, which is the kernel's own."""
        if names != self._names:
            raise TypeError(f"the kernel {self.name!r} takes {', '.join(self._names)}; not {', '.join(names)}")
        return self

    def __call__(
        self, queue: cl.CommandQueue, global_size: int, group_size: int | None, /, *arguments: Any,
        wait_for: Sequence[cl.Event] | None = None, **named: Any,
    ) -> cl.Event:  # fmt: skip
        """Launch the kernel in work-groups of `group_size`, of the driver's choice where None, and return the event.

        Arguments are given by name or, after `taking`, in order. `wait_for` is what must have finished before; it may
        be empty.
        """
        if named:
            arguments = self.ordered(named)
        if not self.proved:
            ledger.launching(self)
        with_svm = False
        for place in self._memory:
            with_svm |= isinstance(arguments[place], SVM)
        local_size = (group_size,) if group_size else None
        with self._lock:
            kernel = self._unset(with_svm=with_svm)
            return kernel(queue, (global_size,), local_size, *arguments, wait_for=wait_for or None)

    def _unset(self, *, with_svm: bool) -> cl.Kernel:
        """Return the kernel whose arguments are to be set, all of them; the caller has the lock."""
        self._set_by = None
        if with_svm != self._with_svm:  # NVIDIA's driver refuses a buffer where such memory was set before
            self._kernel, self._with_svm = self._made(), with_svm
        return self._kernel

    def can_repeat(self, places: Iterable[int]) -> bool:
        """Return whether `Repeated` can set the arguments at `places`."""
        return all(np.dtype(self._types[place]).char in LETTERS for place in places)

    def ordered(self, named: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return arguments in the kernel's order; a TypeError says which are missing, or not the kernel's."""
        if len(named) == len(self._names):
            try:
                return self._ordered(named)
            except KeyError:
                pass
        missing = ", ".join(name for name in self._names if name not in named) or "-"
        unknown = ", ".join(name for name in named if name not in self._names) or "-"
        raise TypeError(f"the kernel {self.name!r} is launched without {missing}, and with {unknown}")

    def for_each(self, queue: cl.CommandQueue, n: int, /, *arguments: Any, **named: Any) -> cl.Event:
        """Launch `n` work-items or a few more, in work-groups of `USUAL_GROUP` or as many as the kernel may have."""
        return self(queue, *self.sizes(n), *arguments, **named)

    def sizes(self, n: int) -> tuple[int, int]:
        """Return how many work-items `for_each` launches, and how many of a work-group."""
        group_size = min(USUAL_GROUP, self.largest_group)
        return whole_groups(n, group_size), group_size


LETTERS = frozenset("iIlL")
"""The types of integers, as NumPy calls them, that PyOpenCL takes many of in one call."""


class Repeated:
    """Launches of one shape of a kernel that differ in the first argument, memory, and in some integers.

    Only these are set, unless somebody else has set arguments since. `changing` are the places of the integers.
    """

    def __init__(
        self, kernel: Kernel, queue: cl.CommandQueue, global_size: int, group_size: int, arguments: Sequence[Any],
        changing: Sequence[int],
    ) -> None:  # fmt: skip
        self._kernel, self._lock = kernel, kernel._lock  # noqa: SLF001  # of this module
        self._mark = object()  # which does not hold the queue, as this does
        self._shape = queue, (global_size,), (group_size,)
        self._others = [each.item() if isinstance(each, np.generic) else each for each in arguments[1:]]
        letters = (np.dtype(kernel._types[place]).char.encode() for place in changing)  # noqa: SLF001
        self._packed = [part for place, letter in zip(changing, letters, strict=True) for part in (place, letter, 0)]
        if not kernel.proved:
            ledger.launching(kernel)

    def __call__(self, memory: Any, numbers: Sequence[int], wait_for: Sequence[cl.Event] | None) -> cl.Event:
        """Launch the kernel with this memory and these integers, and return the event."""
        shared, (queue, global_size, group_size), with_svm = self._kernel, self._shape, isinstance(memory, SVM)
        with self._lock:
            kernel: Any = shared._kernel  # noqa: SLF001  # of this module
            if shared._set_by is self._mark and with_svm == shared._with_svm:  # noqa: SLF001
                kernel.set_arg(0, memory)
            else:
                kernel = shared._unset(with_svm=with_svm)  # noqa: SLF001
                kernel.set_args(memory, *self._others)
                shared._set_by = self._mark  # noqa: SLF001
            self._packed[2::3] = numbers
            kernel._set_arg_buf_pack_multi(tuple(self._packed))  # noqa: SLF001  # as PyOpenCL's own calls do
            return cl.enqueue_nd_range_kernel(queue, kernel, global_size, group_size, None, wait_for)


def kernel_of(
    queue: cl.CommandQueue, name: str, text: Callable[..., str], *arguments: Hashable,
    values: Mapping[str, Hashable] = NO_VALUES, **options: Hashable,
) -> Kernel:  # fmt: skip
    """Return the kernel `name` of the program that ``text(*arguments, values, **options)`` returns.

    It is made once for the context of `queue`, and the text is not asked for again either.
    """
    more = tuple(options.items()) if options else ()
    found: Kernel = of_queue(queue).cached(_made)(name, text, arguments, tuple(values.items()), more)
    return found


def _made(
    context: cl.Context, name: str, text: Callable[..., str], arguments: Any, values: Any, options: Any
) -> Kernel:
    return Kernel(context, text(*arguments, dict(values), **dict(options)), name)
