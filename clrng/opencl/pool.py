"""Memory of results that is used again, whatever queues work with it.

Memory is made in blocks, and an array gets a part of one, a sub-buffer of its length. OpenCL deletes a part when nobody
has it any more and all commands with it have ended, in whatever queues (OpenCL 1.2, section 5.4.4); until then the part
holds its block. So a block that nobody else holds can be used again, and no command has to wait for another.

That a driver of a processor shows who holds a block, and until when, is found out once for a context. Where it does
not, and on other devices, each array has memory of its own. There a few bytes are kept, in the same piece of the
device's memory as small arrays: a driver gives a piece back when nothing in it is in use, and makes another for the
next array.
"""

from collections import defaultdict, deque
from contextlib import suppress
from threading import Lock
from time import monotonic

import pyopencl as cl

from clrng.errors import BuildError
from clrng.opencl import ledger, program
from clrng.opencl.devices import describe
from clrng.opencl.traits import traits_of

MOST, SHARE = 2**28, 32
"""The most bytes of all blocks, and the part of a device's memory that they are at most."""

LARGEST = 4
"""The part of these bytes that a block has at most."""

LEAST, BITS = 512, 4
"""The least bytes of a block, and the significant bits of the bytes of others."""

PROBES = 4
"""The blocks that are looked at before another one is made."""

TRIED, COMMANDS = 2**20, (8, 64, 512)
"""The bytes of the commands by which a driver is tried, and how many run: more where all have ended too soon."""

TRIAL_SECONDS = 0.1
"""The time after which no more are tried, as in a simulator."""

KEPT = 2**12
"""Bytes that are kept on devices with memory of their own. On an H100 a new array of at most 1 MB that a kernel writes
to then took 8 us more than one that was there, and 60 us more without these bytes."""

READ_WRITE = cl.mem_flags.READ_WRITE
COMPLETE = cl.command_execution_status.COMPLETE


def block_size(nbytes: int) -> int:
    """Return the bytes of the blocks whose parts may have `nbytes`: at most an eighth more, but `LEAST`."""
    unit = 1 << max(nbytes.bit_length() - BITS, 0)
    return max(-(-nbytes // unit) * unit, LEAST)


class Pool:
    """The blocks of one context; threads may share it."""

    def __init__(self, context: cl.Context) -> None:
        self._context, self._lock = context, Lock()
        info = describe(context.devices[0])
        on_host = traits_of(info).host_memory
        tried = on_host and shows_holders(context)  # a GPU's driver may wait for what is released
        self._kept = None if on_host else _used(context)
        self._most = min(MOST, info.device.global_mem_size // SHARE) if tried else 0
        self._largest = self._most // LARGEST
        self._blocks: defaultdict[int, deque[cl.Buffer]] = defaultdict(deque)
        self._held = 0

    def __call__(self, nbytes: int, size: int) -> cl.Buffer:
        """Return memory of `nbytes` bytes, 1 or more; `size` is their `block_size`."""
        if size > self._largest:
            return cl.Buffer(self._context, READ_WRITE, nbytes)
        with self._lock:
            blocks = self._blocks[size]
            for _ in range(min(PROBES, len(blocks))):
                block = blocks[0]
                blocks.rotate(-1)
                if block.reference_count == 1:
                    return block.get_sub_region(0, nbytes)
            block = cl.Buffer(self._context, READ_WRITE, size)
            if self._held + size > self._most:
                self._blocks.clear()  # those in use go when their parts do
                self._held = 0
            self._blocks[size].append(block)
            self._held += size
            return block.get_sub_region(0, nbytes)


def shows_holders(context: cl.Context) -> bool:
    """Return whether the count of references of a block shows a part as long as there are commands with it."""
    with suppress(cl.Error, BuildError):
        return _holds_waiting(context) and _holds_running(context) and _holds_for_kernels(context)
    return False


def _holds_for_kernels(context: cl.Context) -> bool:
    """Return whether kernels are commands that show a part; that they do is noted for later processes."""
    device = context.devices[0]
    known = ledger.of_device(device)
    key = known.key(program.TRIAL, __name__, program.options(device))
    if key not in known and _holds_launched(context):
        known.add([key])
    return key in known


def _used(context: cl.Context) -> cl.Buffer:
    """Return memory that a command has used, and so is there."""
    made, queue = cl.Buffer(context, READ_WRITE, KEPT), cl.CommandQueue(context)
    cl.enqueue_fill_buffer(queue, made, bytes(4), 0, KEPT).wait()
    return made


def _part(context: cl.Context) -> tuple[cl.Buffer, cl.Buffer]:
    """Return a block and a part of it, which shows in its count."""
    block = cl.Buffer(context, READ_WRITE, TRIED)
    return block, block.get_sub_region(0, TRIED)


def _holds_waiting(context: cl.Context) -> bool:
    """Return whether a part shows that nobody has, but a command that cannot begin; and nothing when that has ended."""
    queue, gate = cl.CommandQueue(context), cl.UserEvent(context)
    block, part = _part(context)
    counts = [block.reference_count]
    try:
        cl.enqueue_fill_buffer(queue, part, b"\0", 0, TRIED, wait_for=[gate])  # no flush: Oclgrind's waits for the gate
        part.release()
        counts.append(block.reference_count)
    finally:
        gate.set_status(COMPLETE)
        queue.finish()
    return min(counts) > 1 and block.reference_count == 1


def _holds_launched(context: cl.Context) -> bool:
    """Return whether a part shows that nobody has, but a kernel that cannot begin.

    A driver may hold what a kernel object has as arguments, and let it go when that has others for the next launch.
    """
    queue, gate = cl.CommandQueue(context), cl.UserEvent(context)
    kernel = cl.Kernel(program.build(context, program.TRIAL), "trial")
    (block, part), other = _part(context), cl.Buffer(context, READ_WRITE, LEAST)
    try:
        kernel.set_args(part)
        cl.enqueue_nd_range_kernel(queue, kernel, (1,), None, wait_for=[gate])
        kernel.set_args(other)
        part.release()
        is_held = block.reference_count > 1
    finally:
        gate.set_status(COMPLETE)
        queue.finish()
    return is_held and block.reference_count == 1


def _holds_running(context: cl.Context) -> bool:
    """Return whether a part was seen to show while the last of some commands was not complete, and always did."""
    began = monotonic()
    for commands in COMMANDS:
        if monotonic() - began > TRIAL_SECONDS:
            return False
        queue, seen = cl.CommandQueue(context), False
        block, part = _part(context)
        for _ in range(commands):
            last = cl.enqueue_fill_buffer(queue, part, b"\0", 0, TRIED)
        queue.flush()
        part.release()
        while last.command_execution_status != COMPLETE:
            if block.reference_count == 1 and last.command_execution_status != COMPLETE:
                queue.finish()
                return False
            seen = True
        if seen:
            return True
    return False
