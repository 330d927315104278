"""Sorts of keys that are so few that launches take longer than what they do: one launch, or one for each pass."""

from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import Kernel
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, key_values, offset_of, placed, queue_of
from clrng.order.columns import Column, Kind, moves, of_passes
from clrng.order.kernels import kernels_for, launch, prepared
from clrng.order.plans import SortPlan

SORTED = ("keys", "offset", "n", "shift", "bits", "descending")
COUNTED = ("keys", "offset", "n", "part_size", "shift", "mask", "flip", "counts", "passes")
SCATTERED = (*SORTED[:3], "part_size", *SORTED[3:], "counts", "pass", "more", "next_bits")
"""The first arguments of kernels, in their order."""

Events = list[cl.Event] | None


def of_groups(plan: SortPlan, value: str) -> dict[str, Any]:
    """Return the values of templates whose work-groups have tiles, with values of an OpenCL type, or none."""
    sizes = {each: getattr(plan, each) for each in ("group_size", "keys_each", "rank_bits", "copies", "ahead")}
    return {**sizes, "value_bytes": 8 if value == "ulong" else 4}


def sort_alone(kind: Kind, plan: SortPlan, columns: Sequence[Column], wait_for: Events) -> cl.Event:
    """Launch one work-item or work-group that sorts all keys."""
    return (_by_item if plan.by_chunks else _by_group)(kind, plan, columns, wait_for)


def _by_item(kind: Kind, plan: SortPlan, columns: Sequence[Column], wait_for: Events) -> cl.Event:
    keys: Any = columns[0].source
    low, high = kind.bits
    passes = plan.inner_passes(high - low)
    template = {
        **key_values(kind.dtype), "value": columns[1].word, "keys_out": kind.keys_out, "passes": passes,
        "digit_bits": -(-(high - low) // passes), "bucket_count": 0, "alone": True, "made": not kind.read,
    }  # fmt: skip
    moved = placed(("given_keys", keys), ("given_values", columns[1].source))
    for name, column in zip(("keys", "values"), columns, strict=True):
        moved |= placed(*zip((f"first_{name}", f"second_{name}"), column.arrays, strict=False))
    return launch(
        queue_of(keys), "sort_buckets", "sort_alone", template, (1, 1), n=keys.size, low=low, high=high,
        descending=int(kind.descending), **moved, wait_for=wait_for,
    )  # fmt: skip


def _by_group(kind: Kind, plan: SortPlan, columns: Sequence[Column], wait_for: Events) -> cl.Event:
    keys, moved, kinds = moves(columns, 0, first=True)
    queue, (low, high), size = queue_of(keys), kind.bits, plan.group_size

    def make() -> Kernel:
        template = {**key_values(kind.dtype), **kinds, **of_groups(plan, kinds["value"])}
        return kernels_for(queue, "sort_in_group", template, "sort_in_group")[0].taking(*SORTED, *moved)

    kernel = prepared(queue, (kind, plan, "alone"), make)
    numbers = offset_of(keys), keys.size, low, high - low, int(kind.descending)
    return kernel(queue, size, size, keys.base_data, *numbers, *moved.values(), wait_for=wait_for)


def sort_ahead(
    kind: Kind, plan: SortPlan, columns: Sequence[Column], passes: Sequence[tuple[int, int]], wait_for: Events,
    lent: Lent,
) -> cl.Event:  # fmt: skip
    """Launch what counts the digits of the first pass, and then one kernel for each pass; return the last event.

    A pass takes so many bits from a first bit on. Each one counts the digits of the next one where keys go to.
    """
    source: Any = columns[0].source
    queue, size, n = queue_of(source), plan.group_size, source.size
    parts, part_size = plan.parts(n)
    table = lent.array(len(passes) * parts << plan.digit_bits, WORD, "a sort")
    counts, descending = table.base_data, int(kind.descending)

    def make() -> list[Kernel]:
        values = {**key_values(kind.dtype), "digits": 1 << plan.digit_bits}
        found = kernels_for(queue, "count_in_groups", values | of_groups(plan, ""), "count_digits")
        found = [found[0].taking(*COUNTED)]
        for _, moved, kinds in of_passes(columns, len(passes)):
            template = values | kinds | of_groups(plan, kinds["value"])
            made = kernels_for(queue, "scatter_in_groups", template, "scatter")
            found.append(made[0].taking(*SCATTERED, *moved))
        return found

    kernels = prepared(queue, (kind, plan, "ahead"), make)
    shift, bits = passes[0]
    mask = (1 << bits) - 1
    numbers: tuple[int, ...] = offset_of(source), n, part_size, shift, mask, descending * mask
    event = kernels[0](
        queue, parts * size, size, source.base_data, *numbers, counts, len(passes),
        wait_for=wait_list(table, *(wait_for or ())),
    )  # fmt: skip
    for i, ((shift, bits), (keys, moved, _)) in enumerate(zip(passes, of_passes(columns, len(passes)), strict=True)):
        more = i + 1 < len(passes)
        numbers = offset_of(keys), n, part_size, shift, bits, descending
        event = kernels[i + 1](
            queue, parts * size, size, keys.base_data, *numbers, counts, i, int(more),
            passes[i + 1][1] if more else 0, *moved.values(), wait_for=[event],
        )  # fmt: skip
    return event
