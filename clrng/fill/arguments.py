"""The arguments that a transform gives to a kernel, and other tables of numbers."""

from typing import Any

import pyopencl as cl

from clrng.distributions import Table, Transform
from clrng.opencl import contexts


def _copied(context: cl.Context, table: Table) -> cl.Buffer:
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=table.numbers)


def copied(queue: cl.CommandQueue, table: Table) -> cl.Buffer:
    """Return the copy of `table` in the context of `queue`."""
    found: cl.Buffer = contexts.of_queue(queue).cached(_copied)(table)
    return found


def device_arguments(queue: cl.CommandQueue, transform: Transform) -> tuple[Any, ...]:
    """Return the arguments of `transform` for a kernel on `queue`: each table as its copy in the context."""
    return tuple(copied(queue, each) if isinstance(each, Table) else each for each in transform.arguments)
