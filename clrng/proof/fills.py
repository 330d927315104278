"""Proofs of kernels that fill memory with a stream: the values of known places are compared with the recurrence.

A fill is made from where the generator stands: long enough that work-items go on from their first values to their
next, of an odd length, and beginning at the start of the memory. Compared are its first values, those on both sides of
the borders between work-items and work-groups, and the last ones. A second fill begins far along the stream, and in the
memory between two vectors. What lies around the values must stay as it was.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.generators import BitGenerator
from clrng.opencl.kernel import Kernel
from clrng.proof import references
from clrng.proof.prove import MismatchError, apart, compare, prove
from clrng.proof.references import Stream

FIRST = 5123
"""The first values of a fill that are compared; an odd number."""

MOST = 2**22 + 1
"""The most values of a fill, of which those at borders and at the end are compared; an odd number."""

AROUND = 48
"""Values on each side of a border that are compared."""

LAST = 257
"""Values at the end that are compared."""

FAR, FAR_COUNT, FAR_OFFSET = 10**12 + 39, 1003, 3
"""Where the second fill begins along the stream, its length, and where it begins in memory."""

GUARD = 64
"""Values behind a fill that must stay as they were."""

POISON = 0xA5
"""The value of every byte before a fill."""

Make = Callable[[cla.Array, int, int, BitGenerator], Any]
"""Called with an array, a place in its memory counted in values, a number n and a bit generator, puts the n values that
follow where this stands there."""


def poisoned(queue: cl.CommandQueue, size: int, dtype: Any) -> cla.Array:
    """Return a new array whose bytes are all `POISON`."""
    array: cla.Array = cla.Array(queue, size, dtype)
    memory: Any = array.base_data
    array.add_event(cl.enqueue_fill_buffer(queue, memory, bytes([POISON]), 0, array.nbytes))
    return array


def check_guard(kind: str, around: Any) -> None:
    """Check that bytes which nobody should have written to are as they were."""
    touched = np.flatnonzero(np.ascontiguousarray(around).view(np.uint8) != POISON)
    if touched.size:
        raise MismatchError(f"the memory {kind} the values", "written to", "left alone")


def windows(n: int, borders: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first place and the number of the values that are compared of a fill of `n`."""
    found = [(0, min(FIRST, n))]
    for border in [*sorted(set(borders)), n - LAST + AROUND]:
        begin, end = max(border - AROUND, sum(found[-1])), min(border + AROUND, n)
        if border == n - LAST + AROUND:
            end = n
        if begin < end:
            found.append((begin, end - begin))
    return found


def check_fill(
    queue: cl.CommandQueue,
    bits: BitGenerator,
    transform: Transform,
    make: Make,
    n: int = FIRST,
    borders: Iterable[int] = (),
    far: int = FAR,
) -> None:
    """Check fills with values of `transform` from where `bits` stands.

    `n` is the length that the launches need to have all their parts; the fill is longer if that is less than `FIRST`.
    At `borders` another work-item or work-group goes on, and the second fill begins `far` values away.
    """
    if type(transform) not in references.FORMS:
        return  # a transform of somebody else, for which there is no other form
    n = min(max(n, FIRST), MOST) | 1
    stream, dtype = Stream(bits), transform.dtype or bits.dtype
    out: Any = poisoned(queue, n + GUARD, dtype)
    make(out, 0, n, bits)
    made = out.get()
    for place, count in windows(n, (border for border in borders if border < n)):
        compare_values(transform, stream, made[place : place + count], place)
    check_guard("behind", made[n:])
    out = poisoned(queue, FAR_OFFSET + FAR_COUNT + GUARD, dtype)
    make(out, FAR_OFFSET, FAR_COUNT, bits.jumped(far * transform.steps))
    made = out.get()
    compare_values(transform, stream, made[FAR_OFFSET : FAR_OFFSET + FAR_COUNT], far)
    check_guard("before", made[:FAR_OFFSET])
    check_guard("behind", made[FAR_OFFSET + FAR_COUNT :])


def prove_fill(
    queue: cl.CommandQueue, kernels: Sequence[Kernel], bits: BitGenerator, transform: Transform, make: Make,
    n: int = FIRST, borders: Iterable[int] = (), far: int = FAR,
) -> None:  # fmt: skip
    """Have kernels proved by `check_fill`, on a queue of their own, which is that of the arrays that `make` fills."""
    prove(queue, kernels, lambda: check_fill(apart(queue), bits, transform, make, n, borders, far))


def compare_values(transform: Transform, stream: Stream, found: Any, place: int, *, what: str = "value") -> None:
    """Compare values of `transform` from `place` of a stream on with what the host makes."""
    expected, sure = expected_values(transform, stream, place, len(found))
    compare(f"{what} {stream.bits.name}", found, expected, first=place, sure=sure)


def expected_values(transform: Transform, stream: Stream, place: int, count: int) -> references.Values:
    """Return `count` values of `transform` from `place` of a stream on, and which of them are sure."""
    raw = references.raw_values(stream, place * transform.steps, count * transform.steps)
    return references.values(transform, stream.bits, raw.reshape(count, transform.steps))
