"""Sorts in which a pass reads the keys once: a work-group waits for what those before it find out.

This is the one-sweep radix sort of A. Adinets and D. Merrill, Onesweep: a faster least significant digit radix sort for
GPUs (2022), with the look-back of D. Merrill and M. Garland, Single-pass parallel prefix scan with decoupled look-back
(2016). OpenCL does not promise that such waiting ends: it does on devices whose work-groups, once begun, all go on.
"""

from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import Kernel
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, key_values, offset_of, queue_of
from clrng.order.columns import Column, Kind, of_passes
from clrng.order.few_launches import of_groups
from clrng.order.kernels import kernels_for, prepared
from clrng.order.plans import SortPlan

LOOKS = 4
"""The states of tiles that a work-item looks at together."""

COUNTING_GROUPS = 4
"""The work-groups, for each compute unit, that count digits."""

PATIENCE, SHORT_PATIENCE = 2**32 - 1, 2**20
"""After how many looks in vain a work-item does not wait any more: about an hour, and in proofs a second."""

COUNT = ("keys", "offset", "n", "low", "high", "descending", "totals")
SWEEP = ("keys", "offset", "n", "shift", "bits", "descending", "counters", "pass", "passes", "patience")
"""The first arguments of kernels, in their order."""


def sort_in_sweeps(
    kind: Kind, plan: SortPlan, columns: Sequence[Column], passes: Sequence[tuple[int, int]],
    wait_for: list[cl.Event] | None, lent: Lent, patience: int = PATIENCE,
) -> cl.Event:  # fmt: skip
    """Launch what counts the digits of all passes, and then one kernel for each pass; return the last event."""
    source: Any = columns[0].source
    queue, size, n, digits = queue_of(source), plan.group_size, source.size, 1 << plan.digit_bits
    tiles, descending, count = -(-n // plan.tile), int(kind.descending), len(passes)
    cleared = count * (digits + 1) + tiles * digits  # All but the states of the second pass, which the first one clears
    counters = lent.array(cleared + tiles * digits, WORD, "a sort")

    def make() -> list[Kernel]:
        values = {**key_values(kind.dtype), "digits": digits, "passes": count}
        counting = kernels_for(queue, "count_all_digits", values | of_groups(plan, ""), "count_all_digits")
        found = [counting[0].taking(*COUNT)]
        for _, moved, kinds in of_passes(columns, count):
            template = {**key_values(kind.dtype), "digits": digits, "looks": LOOKS, **kinds}
            made = kernels_for(queue, "sweep", template | of_groups(plan, kinds["value"]), "sweep")
            found.append(made[0].taking(*SWEEP, *moved))
        return found

    kernels = prepared(queue, (kind, plan, "sweeps"), make)
    memory: Any = counters.base_data
    waiting = wait_list(counters, *(wait_for or ()))
    event = cl.enqueue_fill_buffer(queue, memory, bytes(4), counters.offset, cleared * WORD.itemsize, waiting)
    groups = min(tiles, COUNTING_GROUPS * queue.device.max_compute_units)
    event = kernels[0](
        queue, groups * size, size, source.base_data, offset_of(source), n, *kind.bits, descending, memory,
        wait_for=[event],
    )  # fmt: skip
    for i, ((shift, bits), (keys, moved, _)) in enumerate(zip(passes, of_passes(columns, count), strict=True)):
        event = kernels[i + 1](
            queue, tiles * size, size, keys.base_data, offset_of(keys), n, shift, bits, descending, memory,
            i, count, patience, *moved.values(), wait_for=[event],
        )  # fmt: skip
    return event
