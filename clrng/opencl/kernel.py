"""Kernels: made once for a context, and launched with their arguments by name.

`kernel_of` returns the kernel of a text, from the one cache that there is of them, and a launch names every argument as
the template does. It raises a TypeError if a name is missing, or not one of the kernel's, before the device works::

    kernel = kernel_of(queue, "poison", templates.program, "bench/poison.cl.mako")
    kernel(queue, 1024, 64, out=out.base_data, begin=0, size=10_000, wait_for=wait_list(out))

Where microseconds count, the names are checked when the kernel is made, and a launch gives arguments in their order::

    kernel = kernel_of(queue, "poison", templates.program, "bench/poison.cl.mako").taking("out", "begin", "size")
    kernel(queue, 1024, 64, out.base_data, 0, 10_000, wait_for=wait_list(out))
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import prod
from operator import itemgetter
from threading import Lock
from types import MappingProxyType
from typing import Any

import pyopencl as cl

from clrng.opencl import contexts, ledger, program
from clrng.opencl.signatures import argument_names, argument_types

SVM = cl.SVMPointer
"""Shared virtual memory, which arrays may have in place of a buffer."""

USUAL_GROUP = 64
"""Work-items of a work-group where nothing asks for another number."""

NO_VALUES: Mapping[str, Hashable] = MappingProxyType({})


def numbered(name: str, values: Iterable[Any]) -> dict[str, Any]:
    """Return arguments by the names ``name_0``, ``name_1`` and so on, as the words of a state have."""
    return {f"{name}_{i}": value for i, value in enumerate(values)}


def launches(begin: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """Cut the range from `begin` to `end` - 1 into parts of at most `most`; yield the beginning and size of each."""
    for first in range(begin, end, most):
        yield first, min(most, end - first)


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
        self._program, self.name, self._types = (
            program.build(context, source),
            name,
            argument_types(source, name),
        )
        self.source, self._names = source, argument_names(source, name)
        self._ordered = itemgetter(*self._names) if len(self._names) > 1 else lambda named: tuple(named.values())
        self._memory = [place for place, kind in enumerate(self._types) if kind is None]
        self._kernel, self._with_svm = self._made(), False
        self._lock = Lock()
        self.largest_group = self._largest_group(device)
        self.ledger = ledger.of_device(device)
        self.key = self.ledger.key(source, name, program.options(device))
        self.proved = self.key in self.ledger

    def _largest_group(self, device: cl.Device) -> int:
        """Return the group that the kernel requires, or the largest that the driver allows.

        NVIDIA's driver names fewer work-items than it launches where a kernel requires more.
        """
        info = cl.kernel_work_group_info
        required = prod(self._kernel.get_work_group_info(info.COMPILE_WORK_GROUP_SIZE, device))
        return int(required or self._kernel.get_work_group_info(info.WORK_GROUP_SIZE, device))

    def _made(self) -> cl.Kernel:
        kernel = cl.Kernel(self._program, self.name)
        kernel.set_scalar_arg_dtypes(self._types)
        return kernel

    def taking(self, *names: str) -> "Kernel":
        """Return this kernel, for calls that give all arguments in the order of `names`, which is the kernel's own."""
        if names != self._names:
            raise TypeError(f"the kernel {self.name!r} takes {', '.join(self._names)}; not {', '.join(names)}")
        return self

    def __call__(
        self,
        queue: cl.CommandQueue,
        global_size: int,
        group_size: int | None,
        /,
        *arguments: Any,
        wait_for: Sequence[cl.Event] | None = None,
        **named: Any,
    ) -> cl.Event:
        """Launch the kernel in work-groups of `group_size`, of the driver's choice where None, and return the event.

        Arguments are given by name or, after `taking`, in order. `wait_for` is what must have finished before; it may
        be empty.
        """
        if named:
            arguments = self._in_order(named)
        if not self.proved:
            ledger.launching(self)
        with_svm = False
        for place in self._memory:
            with_svm |= isinstance(arguments[place], SVM)
        local_size = (group_size,) if group_size else None
        with self._lock:
            if with_svm != self._with_svm:  # NVIDIA's driver refuses a buffer where such memory was set before
                self._kernel, self._with_svm = self._made(), with_svm
            return self._kernel(queue, (global_size,), local_size, *arguments, wait_for=wait_for or None)

    def _in_order(self, named: dict[str, Any]) -> tuple[Any, ...]:
        """Return arguments in the kernel's order."""
        if len(named) == len(self._names):
            try:
                return self._ordered(named)
            except KeyError:
                pass
        missing = ", ".join(name for name in self._names if name not in named) or "-"
        unknown = ", ".join(name for name in named if name not in self._names) or "-"
        raise TypeError(f"the kernel {self.name!r} is launched without {missing}, and with {unknown}")

    def for_each(
        self,
        queue: cl.CommandQueue,
        n: int,
        /,
        *arguments: Any,
        wait_for: Sequence[cl.Event] | None = None,
        **named: Any,
    ) -> cl.Event:
        """Launch `n` work-items or a few more, in work-groups of `USUAL_GROUP` or as many as the kernel may have."""
        group_size = min(USUAL_GROUP, self.largest_group)
        return self(queue, -(-n // group_size) * group_size, group_size, *arguments, wait_for=wait_for, **named)


def kernel_of(
    queue: cl.CommandQueue,
    name: str,
    text: Callable[..., str],
    *arguments: Hashable,
    values: Mapping[str, Hashable] = NO_VALUES,
    **options: Hashable,
) -> Kernel:
    """Return the kernel `name` of the program that ``text(*arguments, values, **options)`` returns.

    It is made once for the context of `queue`, and the text is not asked for again either.
    """
    more = tuple(options.items()) if options else ()
    found: Kernel = contexts.of_queue(queue).cached(_made)(name, text, arguments, tuple(values.items()), more)
    return found


def _made(
    context: cl.Context, name: str, text: Callable[..., str], arguments: Any, values: Any, options: Any
) -> Kernel:
    return Kernel(context, text(*arguments, dict(values), **dict(options)), name)
