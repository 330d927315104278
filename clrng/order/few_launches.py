"""Sorts of keys that are so few that launches take longer than what they do: one launch, or one for each pass."""

from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from clrng.opencl.arrays import wait_list
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, key_values, offset_of, queue_of
from clrng.order.columns import Column, Kind, moves
from clrng.order.kernels import kernels_for
from clrng.order.plans import SortPlan

Events = list[cl.Event] | None


def of_groups(plan: SortPlan, value: str) -> dict[str, Any]:
    """Return the values of templates whose work-groups have tiles, with values of an OpenCL type, or none."""
    sizes = {each: getattr(plan, each) for each in ("group_size", "keys_each", "rank_bits", "copies", "ahead")}
    return {**sizes, "value_bytes": 8 if value == "ulong" else 4}


def sort_whole(kind: Kind, plan: SortPlan, columns: Sequence[Column], wait_for: Events) -> cl.Event:
    """Launch one work-group that sorts all keys."""
    keys, named, kinds = moves(columns, 0, first=True)
    queue, (low, high) = queue_of(keys), kind.bits
    template = {**key_values(kind.dtype), **kinds, **of_groups(plan, kinds["value"])}
    named = {
        "keys": keys.base_data, "offset": offset_of(keys), "n": keys.size, "shift": low, "bits": high - low,
        "descending": int(kind.descending), **named,
    }  # fmt: skip
    (kernel,) = kernels_for(queue, "sort_in_group", template, "sort_in_group")
    size = plan.group_size
    return kernel.taking(*named)(queue, size, size, *named.values(), wait_for=wait_for)


def sort_ahead(
    kind: Kind, plan: SortPlan, columns: Sequence[Column], passes: Sequence[tuple[int, int]], wait_for: Events,
    lent: Lent,
) -> cl.Event:  # fmt: skip
    """Launch what counts the digits of the first pass, and then one kernel for each pass; return the last event.

    A pass takes so many bits from a first bit on. Each one counts the digits of the next one where keys go to.
    """
    source: Any = columns[0].source
    queue, digits, size = queue_of(source), 1 << plan.digit_bits, plan.group_size
    parts, part_size = plan.parts(source.size)
    counts = lent.array(len(passes) * parts * digits, WORD, "a sort")
    every = {**key_values(kind.dtype), "digits": digits}

    def launch(name: str, kinds: dict[str, Any], keys: Any, named: dict[str, Any], wait_for: Events) -> cl.Event:
        template, kernel = (
            f"{name.partition('_')[0]}_in_groups",
            every | kinds | of_groups(plan, kinds.get("value", "")),
        )
        named = {"keys": keys.base_data, "offset": offset_of(keys), "n": keys.size, "part_size": part_size} | named
        (made,) = kernels_for(queue, template, kernel, name)
        return made.taking(*named)(queue, parts * size, size, *named.values(), wait_for=wait_for)

    shift, bits = passes[0]
    mask = (1 << bits) - 1
    named = {"shift": shift, "mask": mask, "flip": mask if kind.descending else 0, "counts": counts.base_data}
    event = launch("count_digits", {}, source, named | {"passes": len(passes)}, wait_list(counts, *(wait_for or ())))
    for i, (shift, bits) in enumerate(passes):
        next_bits = passes[i + 1][1] if i + 1 < len(passes) else 0
        keys, to, kinds = moves(columns, len(passes) - 1 - i, first=i == 0)
        named = {
            "shift": shift, "bits": bits, "descending": int(kind.descending), "counts": counts.base_data, "pass": i,
            "more": int(i + 1 < len(passes)), "next_bits": next_bits,
        }  # fmt: skip
        event = launch("scatter", kinds, keys, named | to, [event])
    return event
