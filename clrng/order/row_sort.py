"""Sorts rows of keys of 64 bits that are about evenly spread, and finds where they came from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import templates
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel, cached_method, kernel_of
from clrng.opencl.spare import Lent
from clrng.order.arguments import WORD, offset_of, queue_of
from clrng.order.plans import RowSortPlan
from clrng.proof.examples import Array, Example, prove_by

KEY_BITS = 64
KEY_BYTES = 8
KEY = np.dtype(np.uint64)

MAX_KEPT = 16
"""Recipes that are kept."""

SLACK = 16
"""A bucket may have more keys than the mean, by an eighth of it and so many standard deviations."""

ROWS, SHORT_ROW = 37, 13
"""The rows of an example in which a work-group sorts several, and the keys of each."""

BEYOND = 17
"""By how many keys a row of an example is longer than what a work-group sorts."""

FEW_BITS = (5, 4)
"""Bits of the passes of an example where there are two."""

ALIKE = 0.3
"""The share of keys of an example that are like others, in all bits or in all but the lowest."""


class Keys(NamedTuple):
    """Keys in the memory of an array, behind `offset` others of its buffer."""

    memory: cla.Array
    offset: int


def where(name: str, memory: str = "") -> dict[str, Any]:
    """Return the arguments of a kernel that has keys in some memory as `name`."""
    return {name: memory or name, f"{name}_offset": f"{memory or name}_offset"}


MakeKeys = Callable[[int, int], Keys]
"""Called with a place among all keys and a number of them, returns these keys; they are valid until the next call."""


class Piece(NamedTuple):
    """Some of the keys of rows: whole rows, or a part of one."""

    row: int  # The first row
    rows: int  # How many rows there are
    place: int  # How many keys of the first row come before
    size: int  # How many keys there are


class Sorted(NamedTuple):
    """What a sort has found, beside the order."""

    tallies: cla.Array
    """How many runs of places were noted, and how many keys the largest bucket of each pass has: uint32."""
    noted: cla.Array
    """The runs of places whose keys are equal in the bits that were sorted by: of each the first place and the number
    of places, in two integers of 32 bits."""
    event: cl.Event  # The last of the sort
    limits: list[int]  # How many keys a bucket of each pass may have: those of the next pass, or of a work-group

    def largest(self) -> list[int]:
        """Wait, and return how many keys the largest bucket of each pass has."""
        found = np.empty(len(self.limits), WORD)
        if self.limits:
            tallies: Any = self.tallies.base_data
            cl.enqueue_copy(queue_of(self.tallies), found, tallies, src_offset=WORD.itemsize, wait_for=[self.event])
        return found.tolist()

    def is_right(self) -> bool:
        """Wait, and return whether no bucket had too many keys.

        It is called when all work is in the queue, as a driver may stop the host for a copy to it.
        """
        return all(keys <= limit for keys, limit in zip(self.largest(), self.limits, strict=True))


class Make(NamedTuple):
    """A step of a sort that makes keys, from then on the memory "keys"."""

    first: int  # The place of the first among all keys
    size: int


class Launch(NamedTuple):
    """A step of a sort that launches a kernel."""

    kernel: Kernel
    groups: int
    arguments: tuple[Any, ...]
    """In the kernel's order. Text is the name of memory or, with "_offset" behind it, where values begin there; what is
    the same for all sorts, where segments begin, is memory itself."""


class Recipe(NamedTuple):
    """How rows are sorted: all that is the same for all sorts of one shape."""

    steps: list[Make | Launch]
    memory: dict[str, tuple[int, np.dtype[Any]]]  # All but that of keys and the order; "tallies" begin as zeros
    noted: str  # The memory in which runs are noted
    limits: list[int]  # As of `Sorted`


class Sorter:
    """Sorts rows of keys on one queue, in the shape of a plan."""

    def __init__(self, queue: cl.CommandQueue, plan: RowSortPlan) -> None:
        self.queue, self.plan = queue, plan
        self._proved: set[Any] = set()
        self._recipe = cached_method(self._made_recipe, MAX_KEPT)

    def partition_kernel(self, name: str) -> Kernel:
        """Return a kernel of those that divide keys."""
        plan, template = self.plan, "permutations/partition.cl.mako"
        values = {
            "group_size": plan.group_size, "tile": plan.tile, "most_digits": 1 << plan.digit_bits,
            "in_order": plan.in_order,
        }  # fmt: skip
        return kernel_of(self.queue, name, templates.program, template, values=values)

    def sort_kernel(self, dtype: np.dtype[Any], of_rows: bool) -> Kernel:
        """Return the kernel that sorts rows, or else buckets, in local memory."""
        plan = self.plan
        values = {
            "of_rows": of_rows, "out": CTYPES[dtype.name], "group_size": plan.group_size, "most": plan.max_local,
            "most_heaps": plan.max_heaps,
        }  # fmt: skip
        return kernel_of(self.queue, "sort_keys", templates.program, "permutations/sort.cl.mako", values=values)

    def prepare(self, length: int, dtype: np.dtype[Any]) -> None:
        """Have the kernels proved that sort rows of `length` keys into orders of `dtype`."""
        passes = self.plan.passes(length)
        if (passes, dtype) in self._proved:
            return
        names = ("count_digits", "place_buckets", "pack_and_scatter", "scatter")[: 3 + (len(passes) > 1)]
        kernels = [self.partition_kernel(name) for name in names] if passes else []
        kernels.append(self.sort_kernel(dtype, not passes))
        prove_by(self.queue, kernels, _example, _examples(self.plan, dtype, length))
        if all(kernel.proved for kernel in kernels):
            self._proved.add((passes, dtype))

    def _made_recipe(self, rows: int, length: int, dtype: np.dtype[Any]) -> Recipe:
        """Return how to sort `rows` of `length` keys into orders of `dtype`."""
        if self.plan.passes(length):
            return Partitions(self, rows, length, dtype).recipe()
        plan, low, kernel = self.plan, low_bits(length), self.sort_kernel(dtype, True)
        bits = min(plan.heap_bits(length), KEY_BITS - low.bit_length())
        each = min(plan.max_local // length, plan.max_heaps >> bits)
        steps: list[Make | Launch] = []
        for piece in pieces(rows, length, plan.piece):
            first = piece.row * length
            named = {
                **where("keys"), **where("order"), "n": piece.size, "length": length, "rows": each, "place": first,
                **digit(0, bits), "low": low, "runs": "tallies", "noted": "noted",
            }  # fmt: skip
            steps += [Make(first, piece.size), Launch(kernel, -(-piece.rows // each), kernel.ordered(named))]
        return Recipe(steps, {"tallies": (1, WORD), "noted": (rows * length // 2 + 1, KEY)}, "noted", [])

    def sort(self, make: MakeKeys, order: cla.Array, offset: int, rows: int, length: int, lent: Lent) -> Sorted:
        """Sort the keys of each row, and write the places in the row from which they came into `order`.

        The lowest bits of keys, as many as a place needs, are ignored: keys that differ in these alone are equal, and
        the places of equal keys ascend.

        There are at most 2^31 keys, of 1 row or more of `length` 1 or more. If they are several pieces that are divided
        into buckets, they are made twice. The order, of integers that hold `length` - 1, begins in its memory behind
        `offset` values. What is found beside it is in memory that is lent.
        """
        recipe: Recipe = self._recipe(rows, length, order.dtype)
        queue, size = self.queue, self.plan.group_size
        made = {name: lent.array(*each, "x") for name, each in recipe.memory.items()}
        known: dict[str, Any] = {f"{name}_offset": 0 for name in made} | {"order_offset": offset}
        known |= {name: each.base_data for name, each in made.items()} | {"order": order.base_data}
        waiting, tallies = wait_list(order, *made.values()), made["tallies"]
        last, events = [cl.enqueue_fill_buffer(queue, known["tallies"], bytes(4), 0, tallies.nbytes, waiting)], []
        for step in recipe.steps:
            if isinstance(step, Make):
                keys = make(step.first, step.size)
                known["keys"], known["keys_offset"], events = keys.memory.base_data, keys.offset, keys.memory.events
                last = [*last, *events]
                continue
            arguments = [known[each] if isinstance(each, str) else each for each in step.arguments]
            last = [step.kernel(queue, step.groups * size, size, *arguments, wait_for=last)]
            events[:] = last
        return Sorted(tallies, made[recipe.noted], last[0], recipe.limits)


class Part(NamedTuple):
    """Keys that a pass divides together."""

    makes: list[Make]  # What makes them, unless the pass before has moved them
    keys: str  # The memory that they are in
    segments: int  # How many segments they are: rows, parts of one, or buckets of the passes before
    first: int  # The number of the first segment
    begins: Any  # Where segments begin
    length: int  # About how many keys a segment has
    packing: dict[str, int]  # Arguments of the scatter that packs keys with their places


class Partitions:
    """Sorts of rows by passes that divide rows, and then buckets, until they are small.

    The first pass packs a key and its place into 64 bits. Where places have 64 bits too, every other pass, and the last
    one of them, moves the keys to the memory of the order.
    """

    def __init__(self, sorter: Sorter, rows: int, length: int, dtype: np.dtype[Any]) -> None:
        self._sorter, self._plan, self._rows, self._length, self._dtype = sorter, sorter.plan, rows, length, dtype
        self._passes, self._evenly = self._plan.passes(length), cached_method(self._uploaded)
        self._steps: list[Make | Launch] = []
        self._memory: dict[str, tuple[int, np.dtype[Any]]] = {}
        self._limits: list[int] = []
        self._counts_at = 1 + len(self._passes)
        """Where the counts of the next pass begin among the tallies, behind the number of runs that are noted and the
        keys of the largest bucket of each pass."""

    def recipe(self) -> Recipe:
        """Return how they are sorted."""
        rows, length, taken, parts = self._rows, self._length, 0, self._made_parts()
        begins: Any = self._evenly(rows, length)
        targets, noted = self._targets()
        for bits, target in zip(self._passes, targets, strict=True):
            begins = self._divide(parts, target, begins, taken, bits)
            taken += bits
            parts = [Part([], target, rows << taken, 0, begins, length >> taken, {})]
        kernel = self._sorter.sort_kernel(self._dtype, False)
        named = {
            **where("keys", targets[-1]), **where("order"), "begins": begins,
            **digit(taken, self._plan.heap_bits(length >> taken)), "low": low_bits(length), "runs": "tallies",
            "noted": noted,
        }  # fmt: skip
        self._steps.append(Launch(kernel, rows << taken, kernel.ordered(named)))
        self._memory["tallies"] = self._counts_at, WORD
        return Recipe(self._steps, self._memory, noted, self._limits)

    def _targets(self) -> tuple[list[str], str]:
        """Return the memory that each pass moves keys to, and memory for runs that is free at the end."""
        passes, size = len(self._passes), self._rows * self._length
        turns = ["spare"] if passes > 1 else []
        turns.append("order" if self._dtype.itemsize == KEY_BYTES else "last")
        noted = "spare" if passes > 1 else "noted"
        self._memory |= {name: (size, KEY) for name in turns if name != "order"}
        self._memory.setdefault(noted, (size // 2 + 1, KEY))
        return [turns[(i - passes) % len(turns)] for i in range(passes)], noted

    def _uploaded(self, count: int, length: int) -> Any:
        """Return where `count` segments of `length` keys begin, and where the last one ends."""
        return upload(self._sorter.queue, np.arange(count + 1, dtype=WORD) * WORD.type(length)).base_data

    def _made_parts(self) -> list[Part]:
        """Return all keys, piece by piece as they are made."""
        parts, low = [], low_bits(self._length)
        for piece in pieces(self._rows, self._length, self._plan.piece):
            each, make = piece.size // piece.rows, Make(piece.row * self._length + piece.place, piece.size)
            begins, packing = self._evenly(piece.rows, each), {"low": low, "place": piece.place}
            parts.append(Part([make], "keys", piece.rows, piece.row, begins, each, packing))
        return parts

    def _divide(self, parts: list[Part], target: str, begins: Any, taken: int, bits: int) -> str:
        """Count the digits of the keys, behind `taken` bits, and move the keys; return where their buckets begin.

        Keys that are made in several parts are made twice. All segments, rows or buckets of the passes before, begin
        where `begins` says.
        """
        by, counts, at, number = digit(taken, bits), "tallies", self._counts_at, 1 + len(self._limits)
        segments, buckets = self._rows << taken, f"buckets of pass {number}"
        self._counts_at += segments << bits
        self._memory[buckets] = (segments << bits) + 1, WORD
        for part in parts:
            self._steps += part.makes
            self._launch("count_digits", part, counts=counts, counts_offset=at, **by)
        kernel = self._sorter.partition_kernel("place_buckets")
        named = {
            "counts": counts, "counts_offset": at, "begins": begins, "bucket_begins": buckets, "most": number,
            "digits": by["digits"],
        }  # fmt: skip
        self._steps.append(Launch(kernel, segments, kernel.ordered(named)))
        for part in parts:
            self._steps += part.makes if len(parts) > 1 else []
            name, out = "scatter" if taken else "pack_and_scatter", where("out", target)
            self._launch(name, part, **out, cursors=counts, cursors_offset=at, **by, **part.packing)
        is_last = number == len(self._passes)
        self._limits.append(self._plan.max_local if is_last else max_keys(self._length / 2 ** (taken + bits)))
        return buckets

    def _launch(self, name: str, part: Part, **named: Any) -> None:
        """Add the launch of a kernel of partitions on some keys."""
        groups, kernel = self._plan.groups_for(part.segments, part.length), self._sorter.partition_kernel(name)
        named |= {**where("keys", part.keys), "begins": part.begins, "first": part.first, "groups": groups}
        self._steps.append(Launch(kernel, part.segments * groups, kernel.ordered(named)))


def pieces(rows: int, length: int, largest: int) -> Iterator[Piece]:
    """Cut rows of `length` keys into pieces of at most `largest` keys, which are whole rows or parts of one."""
    if length <= largest:
        each = largest // length
        for row in range(0, rows, each):
            some = min(each, rows - row)
            yield Piece(row, some, 0, some * length)
        return
    for row in range(rows):
        for place in range(0, length, largest):
            yield Piece(row, 1, place, min(largest, length - place))


def low_bits(length: int) -> int:
    """Return the bits of places below `length`, all set."""
    return (1 << (length - 1).bit_length()) - 1


def digit(taken: int, bits: int) -> dict[str, int]:
    """Return the shift to the digit of `bits` bits behind the `taken` highest ones, and how many digits there are."""
    return {"shift": min(KEY_BITS - taken - bits, KEY_BITS - 1), "digits": 1 << bits}


def max_keys(mean: float) -> int:
    """Return the maximum number of keys of a bucket, where the mean is `mean`."""
    return int(mean * 1.125 + SLACK * mean**0.5) + SLACK


def _example(
    given: Sequence[cla.Array], results: Sequence[cla.Array], plan: RowSortPlan, rows: int, length: int
) -> list[Any]:
    """Sort an example; return how many runs were noted, the runs, and the largest buckets of passes."""
    order, queue = results[0], queue_of(given[0])
    with Lent(queue, info(queue.device)) as lent:
        found = Sorter(queue, plan).sort(
            lambda first, _: Keys(given[0], offset_of(given[0]) + first), order, offset_of(order), rows, length, lent
        )
        found.event.wait()
        count = int(found.tallies.get()[0])
        noted = found.noted.get()[:count].view(WORD).reshape(-1, 2)
    return [count, noted[np.argsort(noted[:, 0])], *found.largest()]


def _examples(plan: RowSortPlan, dtype: np.dtype[Any], length: int) -> Iterator[Example]:
    """Yield sorts by the kernels for rows of `length` keys, into orders of `dtype`."""
    passes, longest = len(plan.passes(length)), int(np.iinfo(dtype).max) + 1
    if not passes:
        yield _sorted_rows(replace(plan, piece=ROWS // 2 * SHORT_ROW, groups=1), dtype, ROWS, SHORT_ROW)
        longest = min(plan.max_local, longest)
        yield _sorted_rows(replace(plan, piece=2 * longest, groups=1), dtype, 3, longest)
        return
    long = min(plan.max_local + BEYOND, longest)
    for groups in (1, plan.groups):  # each with several tiles, and several for a row
        in_parts = replace(plan, piece=3 * long - 1, groups=groups, forced_passes=plan.passes(3 * long))
        yield _sorted_rows(in_parts, dtype, 1, min(3 * long, longest))
    yield _sorted_rows(replace(plan, piece=2 * long, forced_passes=(plan.digit_bits,)), dtype, 3, long)
    if passes > 1:
        few_bits = tuple(min(bits, plan.digit_bits) for bits in FEW_BITS)
        yield _sorted_rows(replace(plan, piece=long // 2 + 1, forced_passes=few_bits), dtype, 2, long)


def _sorted_rows(plan: RowSortPlan, dtype: np.dtype[Any], rows: int, length: int) -> Example:
    """Return a sort of random keys of which many are equal or differ in the lowest bit."""
    random = np.random.default_rng(length)
    keys = random.integers(0, 2**64, (rows, length), np.uint64)
    alike = np.flatnonzero(random.random(length) < ALIKE)
    keys[:, alike] = keys[:, random.integers(0, length, alike.size)] ^ random.integers(0, 2, alike.size, np.uint64)
    sorted_by = keys & ~np.uint64(low_bits(length))
    places = np.argsort(sorted_by, axis=1, kind="stable")
    runs, what = _runs_of(np.take_along_axis(sorted_by, places, 1)), f"of {rows} rows of {length} keys"
    returned: dict[str, Any] = {f"the number of runs {what}": len(runs), "in the list of runs number": runs}
    taken = 0
    for bits in plan.passes(length):
        taken += bits
        digits = keys >> np.uint64(KEY_BITS - taken)
        returned[f"the largest bucket by {taken} bits"] = max(
            int(np.unique(row, return_counts=True)[1].max()) for row in digits
        )
    return Example([keys], {f"in the order {what} place": places.astype(dtype)}, returned, (plan, rows, length))


def _runs_of(keys: Array) -> Array:
    """Return the runs of equal keys in sorted rows: the number of the first and how many, shape (runs, 2)."""
    begins = np.ones(keys.shape, bool)
    begins[:, 1:] = keys[:, 1:] != keys[:, :-1]
    first = np.flatnonzero(begins)
    counts = np.diff(first, append=keys.size)
    several = counts > 1
    return np.stack([first[several], counts[several]], 1).astype(WORD)
