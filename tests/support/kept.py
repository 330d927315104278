"""What is kept for Oclgrind, which takes new memory at an old address for uninitialised beyond the old length."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

KEPT: list[Any] = []


def kept(value: Any) -> Any:
    """Return `value` and keep it until the end."""
    KEPT.append(value)
    return value


class KeptBuffer(cl.Buffer):
    """Memory that is kept."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        kept(self)


class KeptProgram(cl.Program):
    """A program that is kept: its constants are in memory too."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        kept(self)


COPY = cl.enqueue_copy


def copy_all(queue: cl.CommandQueue, to: Any, given: Any, **options: Any) -> Any:
    """Copy as PyOpenCL does; from memory to memory by way of the host, with all that is beside it.

    Oclgrind may take what kernels write behind the copied bytes of new memory for uninitialised.
    """
    if not (isinstance(to, cl.MemoryObjectHolder) and isinstance(given, cl.MemoryObjectHolder)):
        return COPY(queue, to, given, **options)
    count, first = options.get("byte_count", given.size), options.get("dst_offset", 0)
    whole, part = np.empty(to.size, np.uint8), np.empty(count, np.uint8)
    COPY(queue, whole, to, wait_for=options.get("wait_for"))
    COPY(queue, part, given, src_offset=options.get("src_offset", 0), wait_for=options.get("wait_for"))
    whole[first : first + count] = part
    return COPY(queue, to, whole)


def fill_by_copy(
    queue: cl.CommandQueue, memory: cl.MemoryObjectHolder, pattern: Any, offset: int, size: int, wait_for: Any = None
) -> Any:
    """Fill as PyOpenCL does, by a copy of what the host makes: Oclgrind takes what fills write for uninitialised."""
    word = np.frombuffer(pattern, np.uint8)
    whole = np.empty(memory.size, np.uint8)
    COPY(queue, whole, memory, wait_for=wait_for)
    whole[offset : offset + size].reshape(-1, word.size)[:] = word
    return COPY(queue, memory, whole)


def keep_memory() -> None:
    """Keep all memory and all programs that are made from now on; copy by `copy_all` and fill by `fill_by_copy`."""
    cl.Buffer, cl.Program = KeptBuffer, KeptProgram  # type: ignore[misc]
    cl.enqueue_copy, cl.enqueue_fill_buffer = copy_all, fill_by_copy


def same(found: cla.Array, expected: Any) -> None:
    """Compare with what is expected."""
    np.testing.assert_array_equal(kept(found).get(), np.reshape(expected, found.shape))
