"""The first different ones of integers, found by a table of where each comes first."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import info
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, offset_of, queue_of
from clrng.order.kernels import SMALL, Proof, group_sizes, launch, rehearse
from clrng.order.plans import scan_plan
from clrng.order.selection import Scan, larger_sizes
from clrng.proof.examples import Example
from clrng.validation import name_of

INTEGER = np.dtype(np.uint64)
"""The dtype of the integers."""

MULTIPLIER = 0x9E3779B97F4A7C15
"""The odd number next to 2^64 divided by the golden ratio: the highest bits of its products with integers that are
evenly spaced are spread evenly."""

FREE = np.full(1, 2**32 - 1, WORD)
"""A word of the table that has no place."""

ROOM = 2
"""The minimum words of the table for each integer."""


def first_different(integers: cla.Array, wanted: int, out: cla.Array) -> int | None:
    """Store the first `wanted` different ones of integers, in their order; wait, and return how many it took.

    There are 1 to 2^31 of `integers`, uint64, and 1 or more are wanted. `out` has room for them, and any dtype of
    integers that holds them. None where fewer are different; `out` then has these.
    """
    queue = queue_of(integers)
    proof = _example, partial(_examples, out.dtype)
    rehearse(queue, ("firsts", out.dtype), proof, larger=larger_sizes(scan_plan(info(queue.device))))
    different, last = _first_different(integers, wanted, out, proof)
    return last + 1 if different >= wanted else None


def _first_different(integers: cla.Array, wanted: int, out: cla.Array, proof: Proof | None) -> tuple[int, int]:
    """Return how many are different, and the place of the last one that was stored if there are as many as wanted."""
    queue, n = queue_of(integers), integers.size
    with Lent(queue, info(queue.device)) as lent:
        bits = (ROOM * n - 1).bit_length()
        memory, at = lent.array(n + (1 << bits), WORD, "size"), lent.array(2, WORD, "size")
        table: Any = memory.base_data
        free = cl.enqueue_fill_buffer(
            queue, table, FREE, n * WORD.itemsize, WORD.itemsize << bits, wait_for=wait_list(memory)
        )
        event = launch(
            queue, "put_first", "put_first", {"multiplier": MULTIPLIER}, group_sizes(n, queue),
            integers=integers.base_data, offset=offset_of(integers), n=n, memory=table, shift=64 - bits,
            wait_for=wait_list(integers, free),
        )  # fmt: skip
        memory.add_event(event)
        names = "memory", "integers", "out", "at"
        terms, kind = arrays.part(memory, 0, n), CTYPES[name_of(out.dtype)]
        scan = Scan("firsts", WORD, names, terms, proof, lent=lent, numbers=["wanted"], out=kind)
        scan.place(integers, out, at, numbers=[wanted])
        found = np.empty(2, WORD)
        cl.enqueue_copy(queue, found, cast("cl.Buffer", at.base_data), wait_for=wait_list(at))
    return int(found[0]), int(found[1])


def _example(given: Sequence[cla.Array], results: Sequence[cla.Array], wanted: int) -> list[int]:
    different, last = _first_different(given[0], wanted, results[0], None)
    return [different, last if different >= wanted else 0]


def _examples(dtype: np.dtype[Any], n: int) -> Iterator[Example]:
    """Yield `n` integers of which many are equal, none, or, if there are many, all."""
    random = np.random.default_rng(n)
    cases = [random.integers(0, n, n, INTEGER), random.permutation(n).astype(INTEGER)]
    if dtype.itemsize == INTEGER.itemsize:
        cases.append(random.integers(0, 2**63, n, INTEGER))
    if n > SMALL:
        cases.append(np.full(n, 5, INTEGER))
    for integers in cases:
        kept = integers % INTEGER.type(int(np.iinfo(dtype).max))
        first = np.sort(np.unique(kept, return_index=True)[1])
        for wanted in (max(first.size // 3, 1), first.size, n + 1):
            last = int(first[wanted - 1]) if wanted <= first.size else 0
            yield Example(
                [kept], {"of the first different ones number": kept[first[:wanted]].astype(dtype)},
                {"the number of different ones": first.size, "the place of the last one": last}, (wanted,),
            )  # fmt: skip
