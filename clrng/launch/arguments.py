"""The arguments that a transform gives to a kernel."""

from typing import Any

import pyopencl as cl

from clrng.distributions import Table, Transform
from clrng.opencl import contexts


def _copied(context: cl.Context, table: Table) -> cl.Buffer:
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=table.numbers)


def device_arguments(queue: cl.CommandQueue, transform: Transform) -> tuple[Any, ...]:
    """Return the arguments of `transform` for a kernel on `queue`: each table as its copy in the context."""
    if not transform.arguments:
        return ()
    copied = contexts.of_queue(queue).cached(_copied)
    return tuple(copied(each) if isinstance(each, Table) else each for each in transform.arguments)
