"""The arguments that a transform gives to a kernel, and other tables of numbers."""

from functools import lru_cache
from typing import Any

import pyopencl as cl

from clrng.distributions import Table, Transform
from clrng.opencl import contexts
from clrng.opencl.signatures import declared_name


def _copied(context: cl.Context, table: Table) -> cl.Buffer:
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=table.numbers)


def copied(queue: cl.CommandQueue, table: Table) -> cl.Buffer:
    """Return the copy of `table` in the context of `queue`."""
    found: cl.Buffer = contexts.of_queue(queue).cached(_copied)(table)
    return found


@lru_cache(maxsize=256)
def names_of(declarations: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the `parameters` of a transform."""
    return tuple(map(declared_name, declarations))


def device_arguments(queue: cl.CommandQueue, transform: Transform) -> dict[str, Any]:
    """Return the arguments of `transform` for a kernel on `queue` by name: each table as its copy in the context."""
    if not transform.arguments:
        return {}
    given = (copied(queue, each) if isinstance(each, Table) else each for each in transform.arguments)
    return dict(zip(names_of(transform.parameters), given, strict=True))
