"""Sorts in few launches, which are prepared: for few keys a launch takes longer than what it does.

One work-group sorts all keys alone. Or each pass is one launch, which counts the digits of the next one. Or it is a
sweep, which reads the keys once: a work-group waits for what those before it find out. OpenCL does not promise that
such waiting ends: it does on devices whose work-groups, once begun, all go on.

References
----------
A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" (2022); D. Merrill, M. Garland,
"Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016), for how work-groups wait.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any, NamedTuple

import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import info
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, key_values, queue_of
from clrng.order.columns import Column, Kind, kinds_of, of_passes
from clrng.order.kernels import Launch, kernels_for, places_of, prepared
from clrng.order.plans import SortPlan, Way

LOOKS = 4
"""The states of tiles that a work-item of a sweep looks at together."""

COUNTING_GROUPS = 4
"""The work-groups, for each compute unit, that count digits for sweeps."""

PATIENCE, SHORT_PATIENCE = 2**32 - 1, 2**20
"""After how many looks in vain a work-item does not wait any more: about an hour, and in proofs a second."""

WAYS = ("alone", "ahead", "sweeps")
"""The ways in which work-groups of several work-items sort here."""

NUMBERS = ("n", "part_size")
"""The arguments of kernels that a call gives before its arrays."""


class Ready(NamedTuple):
    """The launches of a sort, and how many spare arrays they need: like the keys, and like the values."""

    launches: tuple[Launch, ...]
    spare: tuple[int, int]


class Work(NamedTuple):
    """How the work of a sort of so many keys is divided."""

    groups: tuple[int, int]  # Of the first launch, and of each of the others
    part_size: int = 0  # The keys of a part
    counters: int = 0
    cleared: int = 0  # How many of them, the first ones, must be 0


class Places:
    """Where launches find the keys and values of a sort in what a call gives: numbers, then arrays.

    Arrays are those of `sort_ready`, then spare ones for keys and for values, and the counters at last. Each is memory
    and where it begins there.
    """

    def __init__(self, kind: Kind, passes: int) -> None:
        places = count(len(NUMBERS), 2)
        keys, new_keys = next(places), [next(places)] if kind.keys_out else []
        values = next(places) if kind.read else None
        new_values = [] if kind.value is None else [next(places)]
        self.spare = kind.spare(passes)
        of_keys, of_values = ([next(places) for _ in range(some)] for some in self.spare)
        self.columns = (
            Column(keys, [*new_keys, *of_keys], result=kind.keys_out),
            Column(values, [*new_values, *of_values], result=kind.value is not None),
        )
        self.counters = next(places)

    @staticmethod
    def taken(keys: int, others: Mapping[str, int], **counters: int) -> dict[str, int]:
        """Return where a kernel finds its arguments: keys, other arrays by name, and the memory of the counters."""
        found = {"n": 0, "keys": keys, "offset": keys + 1, **counters}
        for name, place in others.items():
            found |= {name: place, f"{name}_offset": place + 1}
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
    ready = prepared(queue, (kind, plan, way, patience), lambda: READY[way](queue, kind, plan, patience))
    work = _work(queue, plan, way, n, len(ready.launches) - 1)
    for dtype, some in zip((keys.dtype, kind.value or WORD), ready.spare, strict=True):
        arrays += [lent.array(n, dtype, "a sort") for _ in range(some)]
    if work.counters:
        arrays.append(lent.array(work.counters, WORD, "a sort"))
    wait_for = wait_list(*arrays)
    if work.cleared:
        memory: Any = arrays[-1].base_data
        wait_for = [cl.enqueue_fill(queue, memory, bytes(4), work.cleared * WORD.itemsize, wait_for=wait_for)]
    places = [n, work.part_size, *places_of(*arrays)]
    for i, launch in enumerate(ready.launches):
        event = launch(queue, work.groups[i > 0], places, wait_for)
        wait_for = [event]
    return event


def _work(queue: cl.CommandQueue, plan: SortPlan, way: Way, n: int, passes: int) -> Work:
    digits = 1 << plan.digit_bits
    if way == "alone":
        return Work((1, 1))
    if way == "ahead":
        parts, part_size = plan.parts(n)
        return Work((parts, parts), part_size, passes * parts * digits)
    tiles = -(-n // plan.tile)
    # All but the states of the second pass, which the first one clears.
    cleared = passes * (digits + 1) + tiles * digits
    return Work((min(tiles, COUNTING_GROUPS * info(queue.device).units), tiles), 0, cleared + tiles * digits, cleared)


def _alone(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, _: int) -> Ready:
    """Prepare one work-group that sorts all keys."""
    places, (low, high) = Places(kind, 1), kind.bits
    ((keys, others),) = of_passes(places.columns, 1)
    kinds = kinds_of(kind, others)
    template = {**key_values(kind.dtype), **kinds, **of_groups(plan, kinds["value"])}
    (kernel,) = kernels_for(queue, "sort_in_group", template, "sort_in_group")
    numbers = {"shift": low, "bits": high - low, "descending": int(kind.descending)}
    return Ready((Launch(kernel, plan.group_size, places.taken(keys, others), numbers),), places.spare)


def _ahead(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, _: int) -> Ready:
    """Prepare what counts the digits of the first pass, and then one kernel for each pass.

    A pass takes so many bits from a first bit on. Each one counts the digits of the next one where keys go to.
    """
    passes = plan.digits(*kind.bits, even=kind.in_place)
    places, size, descending = Places(kind, len(passes)), plan.group_size, int(kind.descending)
    common = {"part_size": 1, "counts": places.counters}
    values = {**key_values(kind.dtype), "digits": 1 << plan.digit_bits}
    (counting,) = kernels_for(queue, "count_in_groups", values | of_groups(plan, ""), "count_digits")
    shift, bits = passes[0]
    mask = (1 << bits) - 1
    numbers = {"shift": shift, "mask": mask, "flip": descending * mask, "passes": len(passes)}
    launches = [Launch(counting, size, places.taken(places.columns[0].source, {}, **common), numbers)]
    for i, (keys, others) in enumerate(of_passes(places.columns, len(passes))):
        kinds = kinds_of(kind, others)
        (scatter,) = kernels_for(
            queue, "scatter_in_groups", values | kinds | of_groups(plan, kinds["value"]), "scatter"
        )
        shift, bits = passes[i]
        more = int(i + 1 < len(passes))
        numbers = {"shift": shift, "bits": bits, "descending": descending, "pass": i, "more": more}
        numbers["next_bits"] = passes[i + 1][1] if more else 0
        launches.append(Launch(scatter, size, places.taken(keys, others, **common), numbers))
    return Ready(tuple(launches), places.spare)


def _in_sweeps(queue: cl.CommandQueue, kind: Kind, plan: SortPlan, patience: int) -> Ready:
    """Prepare what counts the digits of all passes, and then one kernel for each pass."""
    passes = plan.digits(*kind.bits, even=kind.in_place)
    values = {**key_values(kind.dtype), "digits": 1 << plan.digit_bits}
    places, size, descending = Places(kind, len(passes)), plan.group_size, int(kind.descending)
    template = values | {"passes": len(passes)} | of_groups(plan, "")
    (counting,) = kernels_for(queue, "count_all_digits", template, "count_all_digits")
    numbers = {"low": kind.bits[0], "high": kind.bits[1], "descending": descending}
    taken = places.taken(places.columns[0].source, {}, totals=places.counters)
    launches = [Launch(counting, size, taken, numbers)]
    for i, (keys, others) in enumerate(of_passes(places.columns, len(passes))):
        kinds = kinds_of(kind, others)
        template = values | {"looks": LOOKS} | kinds | of_groups(plan, kinds["value"])
        (sweep,) = kernels_for(queue, "sweep", template, "sweep")
        shift, bits = passes[i]
        numbers = {"shift": shift, "bits": bits, "descending": descending, "pass": i, "passes": len(passes)}
        taken = places.taken(keys, others, counters=places.counters)
        launches.append(Launch(sweep, size, taken, numbers | {"patience": patience}))
    return Ready(tuple(launches), places.spare)


READY: dict[Way, Callable[[cl.CommandQueue, Kind, SortPlan, int], Ready]] = {
    "alone": _alone,
    "ahead": _ahead,
    "sweeps": _in_sweeps,
}
"""What prepares each way; the last argument is the patience of sweeps."""
