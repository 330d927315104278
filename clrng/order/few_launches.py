"""Sorts in few launches, which are prepared: for few keys a launch takes longer than what it does.

One work-group sorts all keys alone. Or each pass is one launch, which counts the digits of the next one. Or it is a
sweep, which reads the keys once: a work-group waits for what those before it find out. OpenCL does not promise that
such waiting ends: it does on devices whose work-groups, once begun, all go on.

References
----------
A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" (2022); D. Merrill, M. Garland,
"Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016), for how work-groups wait.
"""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, NamedTuple

import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.arrays import wait_list
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, key_values, queue_of
from clrng.order.columns import Column, Kind, of_passes
from clrng.order.kernels import Launch, kernels_for, places_of, prepared
from clrng.order.plans import SortPlan, Way

LOOKS = 4
"""The states of tiles that a work-item of a sweep looks at together."""

COUNTING_GROUPS = 4
"""The work-groups, for each compute unit, that count digits for sweeps."""

PATIENCE, SHORT_PATIENCE = 2**32 - 1, 2**20
"""After how many looks in vain a work-item does not wait any more: about an hour, and in proofs a second."""

WAYS = ("alone", "ahead", "sweeps")
"""What sorts in this way, where work-groups do."""


class Ready(NamedTuple):
    """The launches of a sort of so many keys, and what they need beside the arrays of the call."""

    launches: tuple[Launch, ...]
    spare: tuple[int, int]  # Arrays like the keys, and like the values
    counters: int = 0
    cleared: int = 0  # Those of the first that are 0 at the beginning


class Places:
    """The keys and values of a sort, by their numbers in the order in which the launches are given arrays.

    It is that of the arguments of `sort_ready`, then spare ones for keys and for values, and the counters at last.
    """

    def __init__(self, kind: Kind, passes: int) -> None:
        numbers = count()
        keys, new_keys = next(numbers), [next(numbers)] if kind.keys_out else []
        values = next(numbers) if kind.read else None
        new_values = [] if kind.value is None else [next(numbers)]
        self.spare = kind.spare(passes)
        of_keys, of_values = ([next(numbers) for _ in range(each)] for each in self.spare)
        self.columns = (
            Column(kind.dtype, keys, [*new_keys, *of_keys], result=kind.keys_out),
            Column(kind.value, values, [*new_values, *of_values], result=kind.value is not None),
        )
        self.counters = 2 * next(numbers)

    @staticmethod
    def taken(keys: int, moved: Mapping[str, int], **others: int) -> dict[str, int]:
        """Return which arguments of a kernel are taken from where."""
        found = {"keys": 2 * keys, "offset": 2 * keys + 1, **others}
        for name, number in moved.items():
            found |= {name: 2 * number, f"{name}_offset": 2 * number + 1}
        return found


def of_groups(plan: SortPlan, value: str) -> dict[str, Any]:
    """Return the values of templates whose work-groups have tiles, with values of an OpenCL type, or none."""
    sizes = {each: getattr(plan, each) for each in ("group_size", "keys_each", "rank_bits", "copies", "ahead")}
    return {**sizes, "value_bytes": 8 if value == "ulong" else 4}


def sort_ready(
    kind: Kind, plan: SortPlan, way: Way, given: Iterable[cla.Array | None], lent: Lent, patience: int
) -> cl.Event:
    """Launch what sorts, and return the last event.

    What is `given` are the keys, where they go, the values and where these go. Sweeps wait with `patience`.
    """
    arrays = [each for each in given if each is not None]
    keys, queue, n = arrays[0], queue_of(arrays[0]), arrays[0].size
    ready = prepared(queue, (kind, plan, way, n, patience), lambda: _ready(queue, kind, plan, way, n, patience))
    for dtype, some in zip((keys.dtype, kind.value or WORD), ready.spare, strict=True):
        arrays += [lent.array(n, dtype, "a sort") for _ in range(some)]
    if ready.counters:
        arrays.append(lent.array(ready.counters, WORD, "a sort"))
    wait_for = wait_list(*arrays)
    if ready.cleared:
        memory: Any = arrays[-1].base_data
        wait_for = [cl.enqueue_fill_buffer(queue, memory, bytes(4), 0, ready.cleared * WORD.itemsize, wait_for)]
    places = places_of(*arrays)
    for launch in ready.launches:
        event = launch(queue, places, wait_for)
        wait_for = [event]
    return event


def _ready(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, way: Way, n: int, patience: int) -> Ready:
    if way == "alone":
        return _alone(queue, kind, plan, n)
    return _ahead(queue, kind, plan, n) if way == "ahead" else _in_sweeps(queue, kind, plan, n, patience)


def _alone(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, n: int) -> Ready:
    """Prepare one work-group that sorts all keys."""
    places, (low, high), size = Places(kind, 1), kind.bits, plan.group_size
    ((keys, moved, kinds),) = of_passes(places.columns, 1)
    template = {**key_values(kind.dtype), **kinds, **of_groups(plan, kinds["value"])}
    (kernel,) = kernels_for(queue, "sort_in_group", template, "sort_in_group")
    numbers = {"n": n, "shift": low, "bits": high - low, "descending": int(kind.descending)}
    return Ready((Launch(kernel, size, size, places.taken(keys, moved), numbers),), places.spare)


def _ahead(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, n: int) -> Ready:
    """Prepare what counts the digits of the first pass, and then one kernel for each pass.

    A pass takes so many bits from a first bit on. Each one counts the digits of the next one where keys go to.
    """
    passes = plan.digits(*kind.bits, even=kind.in_place)
    places, (parts, part_size), size = Places(kind, len(passes)), plan.parts(n), plan.group_size
    values, descending = {**key_values(kind.dtype), "digits": 1 << plan.digit_bits}, int(kind.descending)
    (counting,) = kernels_for(queue, "count_in_groups", values | of_groups(plan, ""), "count_digits")
    shift, bits = passes[0]
    mask = (1 << bits) - 1
    common = {"n": n, "part_size": part_size, "shift": shift}
    numbers = {**common, "mask": mask, "flip": descending * mask, "passes": len(passes)}
    taken = places.taken(places.columns[0].source, {}, counts=places.counters)
    launches = [Launch(counting, parts * size, size, taken, numbers)]
    for i, (keys, moved, kinds) in enumerate(of_passes(places.columns, len(passes))):
        template = values | kinds | of_groups(plan, kinds["value"])
        (scatter,) = kernels_for(queue, "scatter_in_groups", template, "scatter")
        shift, bits = passes[i]
        more = int(i + 1 < len(passes))
        numbers = {**common, "shift": shift, "bits": bits, "descending": descending, "pass": i, "more": more}
        numbers["next_bits"] = passes[i + 1][1] if more else 0
        taken = places.taken(keys, moved, counts=places.counters)
        launches.append(Launch(scatter, parts * size, size, taken, numbers))
    return Ready(tuple(launches), places.spare, len(passes) * parts << plan.digit_bits)


def _in_sweeps(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, n: int, patience: int) -> Ready:
    """Prepare what counts the digits of all passes, and then one kernel for each pass."""
    groups = COUNTING_GROUPS * queue.device.max_compute_units
    passes, digits, tiles = plan.digits(*kind.bits, even=kind.in_place), 1 << plan.digit_bits, -(-n // plan.tile)
    places, size, descending = Places(kind, len(passes)), plan.group_size, int(kind.descending)
    values = {**key_values(kind.dtype), "digits": digits}
    template = values | {"passes": len(passes)} | of_groups(plan, "")
    (counting,) = kernels_for(queue, "count_all_digits", template, "count_all_digits")
    numbers = {"n": n, "low": kind.bits[0], "high": kind.bits[1], "descending": descending}
    taken = places.taken(places.columns[0].source, {}, totals=places.counters)
    launches = [Launch(counting, min(tiles, groups) * size, size, taken, numbers)]
    for i, (keys, moved, kinds) in enumerate(of_passes(places.columns, len(passes))):
        template = values | {"looks": LOOKS} | kinds | of_groups(plan, kinds["value"])
        (sweep,) = kernels_for(queue, "sweep", template, "sweep")
        shift, bits = passes[i]
        numbers = {"n": n, "shift": shift, "bits": bits, "descending": descending, "pass": i, "passes": len(passes)}
        taken = places.taken(keys, moved, counters=places.counters)
        launches.append(Launch(sweep, tiles * size, size, taken, numbers | {"patience": patience}))
    cleared = (
        len(passes) * (digits + 1) + tiles * digits
    )  # All but the states of the second pass, which the first clears
    return Ready(tuple(launches), places.spare, cleared + tiles * digits, cleared)
