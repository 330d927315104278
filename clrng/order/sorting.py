"""Sort arrays on the device by a radix sort.

Each pass moves all keys to where those with their digit go, and keeps the order of equal digits. It counts the digits
of every part of the keys, adds up the counts, and moves the keys of every part. No work-group waits for another one:
what it needs of others comes from the launch before. On GPUs few keys, and most where work-groups may wait, are sorted
by `few_launches`.

On a CPU one pass by the highest bits may make buckets, each of which a work-item sorts in the caches. Where one bucket
has too many keys, a work-item would sort most of them alone. The device finds that out after it has counted: the
launches that sort in buckets do nothing then, and passes over all keys follow, which otherwise do nothing. The host
need not wait to know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.cuda.foreign import filled
from clrng.opencl import arrays
from clrng.opencl.arrays import is_foreign, wait_list
from clrng.opencl.devices import info
from clrng.opencl.spare import Lent
from clrng.order.arguments import (
    KEYS,
    WORD,
    array_of,
    attach,
    bit_range,
    key_values,
    new_array,
    offset_of,
    placed,
    queue_of,
    value_array,
)
from clrng.order.columns import Column, Kind, kinds_of, moves
from clrng.order.few_launches import PATIENCE, SHORT_PATIENCE, WAYS, of_groups, sort_ready
from clrng.order.kernels import (
    SMALL,
    crowded_values,
    hard_values,
    kernels_for,
    launch,
    rehearse,
    sort_rank,
    spread_values,
)
from clrng.order.plans import SortPlan, Way, sort_plans
from clrng.proof.examples import Example
from clrng.validation import flag

Bits = tuple[int, int]

FEW_PARTS = 3
"""Parts of the keys by which a sort is proved."""

IN_CHUNKS = 3
"""What moves between buckets or in a work-item alone has arrays for at most so many passes."""

DIGITS = 5
"""Digits whose counts are added up in the proof of the sums."""

usual_plans = cache(sort_plans)
"""The shapes of sorts on a device, made once."""


class Passes:
    """Passes over all keys, by digits of at most `digit_bits` bits.

    With `guard` "buckets" or "no buckets" they run only where keys are, or are not, sorted in buckets. After the
    first pass in buckets has counted, the device notes in `buckets` which it is, and where the buckets begin.
    """

    def __init__(
        self, kind: Kind, keys: cla.Array, plan: SortPlan, digit_bits: int, guard: str, buckets: cla.Array | None,
        lent: Lent,
    ) -> None:  # fmt: skip
        self._queue, self._plan, self._kind, self._guard, self._buckets = queue_of(keys), plan, kind, guard, buckets
        self._n, self._digits = keys.size, 1 << digit_bits
        self._parts, self._part_size = plan.parts(keys.size)
        self._kernels: dict[tuple[Any, ...], Any] = {}
        self._counts = lent.array(self._parts * self._digits, WORD, "a sort")
        self._totals = None if plan.by_chunks else lent.array(self._digits, WORD, "a sort")

    def run(
        self, digit: tuple[int, int], columns: Sequence[Column], left: int, wait_for: list[cl.Event] | None, *,
        first: bool,
    ) -> cl.Event:  # fmt: skip
        """Launch the pass with `left` passes after it, by a digit of (first bit, bits), and return its last event.

        The `columns` are keys and values, which the `first` pass takes from their source.
        """
        shift, bits = digit
        mask, descending, counts = (1 << bits) - 1, self._kind.descending, self._counts.base_data
        taken, others = moves(columns, left, first=first)
        named: dict[str, Any] = {
            "keys": taken.base_data, "offset": offset_of(taken), "n": self._n, "part_size": self._part_size,
            "shift": shift,
        }  # fmt: skip
        event = self._launch(
            "count", "count_digits", "" if self._guard == "buckets" else self._guard, {},
            named | {"mask": mask, "flip": mask if descending else 0, "counts": counts},
            wait_list(self._counts, self._totals, self._buckets, *(wait_for or ())),
        )  # fmt: skip
        event = self._add_up(event)
        named |= {"bits": bits, "descending": int(descending), "counts": counts}
        if self._totals is not None:
            named["totals"] = self._totals.base_data
        named |= placed(*others.items())
        return self._launch("scatter", "scatter", self._guard, kinds_of(self._kind, others), named, [event])

    def _launch(
        self, template: str, name: str, guard: str, values: dict[str, Any], named: dict[str, Any], wait_for: Any
    ) -> cl.Event:
        """Launch a kernel that has a work-group, or a work-item, for each part; `named` are arguments in its order."""
        if guard and self._buckets is not None:
            named["buckets"] = self._buckets.base_data
        wanted, plan = (name, *values.values()), self._plan
        kernel = self._kernels.get(wanted)
        if kernel is None:
            every = {**key_values(self._kind.dtype), **values, "digits": self._digits}
            if plan.by_chunks:
                template, every = f"{template}_in_chunks", every | {"guard": guard, "bucket_count": plan.bucket_count}
            else:
                template, every = f"{template}_in_groups", every | of_groups(plan, values.get("value", ""))
            kernel = self._kernels[wanted] = kernels_for(self._queue, template, every, name)[0].taking(*named)
        size = plan.group_size
        event: cl.Event = kernel(self._queue, self._parts * size, size, *named.values(), wait_for=wait_for)
        return event

    def _add_up(self, event: cl.Event) -> cl.Event:
        """Launch what adds up the counts, if that is not left to the next launch."""
        if self._totals is not None:
            return _scan_counts(self._counts, self._totals, self._parts, self._plan.group_size, [event])
        if self._guard == "buckets" and self._buckets is not None:
            share = self._n // self._plan.shares
            return launch(
                self._queue, "find_buckets", "find_buckets", {"bucket_count": self._digits}, (1, 1),
                counts=self._counts.base_data, parts=self._parts, most=share, buckets=self._buckets.base_data,
                wait_for=[event],
            )  # fmt: skip
        return event


def _scan_counts(
    counts: cla.Array, totals: cla.Array, parts: int, group_size: int, wait_for: list[cl.Event] | None
) -> cl.Event:
    """Replace the counts of each digit in the parts by their exclusive prefix sums, and store their totals."""
    queue = queue_of(counts)
    return launch(
        queue, "scan_counts", "scan_counts", {"group_size": group_size}, (totals.size * group_size, group_size),
        counts=counts.base_data, parts=parts, totals=totals.base_data, wait_for=wait_for,
    )  # fmt: skip


def _sort_in_buckets(
    kind: Kind, plan: SortPlan, buckets: cla.Array, columns: Sequence[Column], wait_for: list[cl.Event] | None,
    lent: Lent,
) -> cl.Event:  # fmt: skip
    """Sort by one pass and then in buckets, unless a bucket has too many keys, and return the last event."""
    keys: Any = columns[0].source
    queue, low, inner = queue_of(keys), kind.bits[0], kind.bits[1] - plan.bucket_bits
    passes = plan.inner_passes(inner - low, odd=kind.in_place)  # so that the first does not write to the result
    top = Passes(kind, keys, plan, plan.bucket_bits, "buckets", buckets, lent)
    event = top.run((inner, plan.bucket_bits), columns, passes, wait_for, first=True)
    template = {
        **key_values(kind.dtype), "value": kind.word, "keys_out": kind.keys_out, "passes": passes,
        "digit_bits": plan.inner_bits, "bucket_count": plan.bucket_count, "alone": False, "made": False,
    }  # fmt: skip
    moved: dict[str, Any] = {}
    for name, column in zip(("keys", "values"), columns, strict=True):
        moved |= placed(*zip((f"first_{name}", f"second_{name}"), column.from_destination(passes), strict=False))
    return launch(
        queue, "sort_buckets", "sort_buckets", template, (plan.bucket_count, 1), buckets=buckets.base_data, low=low,
        high=inner, descending=int(kind.descending), **moved, wait_for=[event],
    )  # fmt: skip


def radix_sort(
    keys: cla.Array,
    new_keys: cla.Array | None,
    values: cla.Array | None,
    new_values: cla.Array | None,
    bits: tuple[int, int],
    *,
    descending: bool = False,
    plan: SortPlan | None = None,
) -> cl.Event:
    """Sort checked arrays, which are not empty, on the queue of `keys`; `new_keys` may be in the memory of `keys`.

    Keys are of one of `KEYS`, and sorted by the bits from ``bits[0]`` to ``bits[1]`` - 1. Without `new_keys` they are
    not stored; without `new_values` nothing is moved with them, and without `values` their places are, as uint32.
    Return the event of the last launch, which is attached to all the arrays too.
    """
    queue = queue_of(keys)
    if plan is None:
        itemsize = max(each.dtype.itemsize for each in (keys, new_values) if each is not None)
        plans = usual_plans(info(queue.device), itemsize, with_values=new_values is not None)
        plan = next(each for each in plans if each.max_keys is None or keys.size <= each.max_keys)
    in_place = new_keys is not None and bool(keys.base_data == new_keys.base_data)
    kind = Kind(
        keys.dtype, new_keys is not None, in_place, None if new_values is None else new_values.dtype,
        values is not None, bits, descending,
    )  # fmt: skip
    way = plan.way(keys.size, bits[1] - bits[0], in_place=in_place)
    most = plan.max_alone if way == "alone" else plan.max_keys
    proofs: list[Any] = [(partial(_example, kind, plan, way), partial(sort_examples, kind, most=most))]
    if way == "passes" and not plan.by_chunks:
        proofs.append((partial(_example_sums, plan.group_size), partial(sum_examples, plan.group_size)))
    rehearse(queue, (kind, plan, way), *proofs)
    event = _sort(keys, new_keys, values, new_values, kind, plan, way)
    attach(queue, event, keys, new_keys, values, new_values)
    return event


def _sort(
    keys: cla.Array, new_keys: cla.Array | None, values: cla.Array | None, new_values: cla.Array | None, kind: Kind,
    plan: SortPlan, way: Way, patience: int = PATIENCE,
) -> cl.Event:  # fmt: skip
    """Launch all that sorts, and return the event of the last launch; sweeps wait with `patience`."""
    queue = queue_of(keys)
    with Lent(queue, info(queue.device), keys.allocator) as lent:
        if way in WAYS and not plan.by_chunks:
            return sort_ready(kind, plan, way, (keys, new_keys, values, new_values), lent, patience)
        passes = plan.digits(*kind.bits, even=kind.in_place)
        columns = _columns(
            kind, len(passes) if way == "passes" else IN_CHUNKS, (keys, new_keys, values, new_values), lent
        )
        wait_for = wait_list(keys, values, *columns[0].arrays, *columns[1].arrays)
        if way == "alone":
            return _sort_alone(kind, plan, columns, wait_for)
        buckets = lent.array(plan.bucket_count + 2, WORD, "a sort") if way == "buckets" else None
        if buckets is not None:
            wait_for = [_sort_in_buckets(kind, plan, buckets, columns, wait_for, lent)]
        guard = "no buckets" if way == "buckets" else ""
        each_pass = Passes(kind, keys, plan, plan.digit_bits, guard, buckets, lent)
        for i, digit in enumerate(passes):
            event = each_pass.run(digit, columns, len(passes) - 1 - i, wait_for, first=i == 0)
            wait_for = [event]
        return event


def _columns(kind: Kind, passes: int, given: Sequence[Any], lent: Lent) -> tuple[Column, Column]:
    """Return keys and values as so many passes move them, of the arrays of `_sort` in their order."""
    keys, new_keys, values, new_values = given
    spare_keys, spare_values = (
        [lent.array(keys.size, like.dtype, "a sort") for _ in range(some)]
        for like, some in zip((keys, new_values), kind.spare(passes), strict=True)
    )
    return (
        Column(keys, [new_keys, *spare_keys] if kind.keys_out else spare_keys, result=kind.keys_out),
        Column(values, [new_values, *spare_values] if kind.value is not None else [], result=kind.value is not None),
    )


def _sort_alone(kind: Kind, plan: SortPlan, columns: Sequence[Column], wait_for: list[cl.Event] | None) -> cl.Event:
    """Launch one work-item that sorts all keys."""
    keys, (low, high) = columns[0].source, kind.bits
    passes = plan.inner_passes(high - low)
    template = {
        **key_values(kind.dtype), "value": kind.word, "keys_out": kind.keys_out, "passes": passes,
        "digit_bits": -(-(high - low) // passes), "bucket_count": 0, "alone": True, "made": not kind.read,
    }  # fmt: skip
    moved = placed(("given_keys", keys), ("given_values", columns[1].source))
    for name, column in zip(("keys", "values"), columns, strict=True):
        moved |= placed(*zip((f"first_{name}", f"second_{name}"), column.arrays, strict=False))
    return launch(
        queue_of(keys), "sort_buckets", "sort_alone", template, (1, 1), n=keys.size, low=low, high=high,
        descending=int(kind.descending), **moved, wait_for=wait_for,
    )  # fmt: skip


def _example(kind: Kind, plan: SortPlan, way: Way, given: Sequence[cla.Array], results: Sequence[cla.Array]) -> None:
    """Sort an example in few parts, so that these have several tiles each."""
    plan = replace(plan, max_parts=FEW_PARTS)
    new_keys = results[0] if kind.keys_out else None
    values, new_values = given[1] if len(given) > 1 else None, None if kind.value is None else results[-1]
    _sort(given[0], new_keys, values, new_values, kind, plan, way, SHORT_PATIENCE)


def sort_examples(kind: Kind, n: int, most: int | None = None) -> Iterator[Example]:
    """Yield sorts of `n` keys, or of `most`: of some that are spread evenly and, if there are many, of others."""
    n = min(n, most or n)
    cases, (low, high) = [spread_values(kind.dtype, n)], kind.bits
    if n > SMALL:
        cases += [crowded_values(kind.dtype, n), np.resize(hard_values(kind.dtype)[-1:], SMALL)]
    what = "in descending order" if kind.descending else "in order"
    for keys in cases:
        digits = (sort_rank(keys) >> np.uint64(min(low, 63))) & np.uint64((1 << high - low) - 1)
        order = np.argsort(np.uint64((1 << high - low) - 1) - digits if kind.descending else digits, kind="stable")
        given, results = [keys], {f"{what} key": keys[order]} if kind.keys_out else {}
        if kind.value is not None:
            moved = order.astype(WORD)
            if kind.read:
                given.append(spread_values(f"uint{8 * kind.value.itemsize}", keys.size).view(kind.value))
                moved = given[1][order]
            results[f"{what} value"] = moved
        yield Example(given, results, in_place=0 if kind.in_place else None)


def _example_sums(group_size: int, given: Sequence[cla.Array], results: Sequence[cla.Array]) -> None:
    _scan_counts(given[0], results[1], given[0].size // DIGITS, group_size, None)


def sum_examples(group_size: int, _: int) -> Iterator[Example]:
    """Yield sums of more counts of a digit than a work-group adds up at a time."""
    counts = np.random.default_rng(2 * group_size + 3).integers(0, 2**16, (DIGITS, 2 * group_size + 3), WORD)
    sums = np.cumsum(counts, axis=1, dtype=WORD)
    yield Example([counts], {"sum": sums - counts, "total": sums[:, -1]}, offsets=[0], before_results=0, in_place=0)


def sort(
    a: cla.Array, *, bits: Bits | None = None, descending: bool = False, out: cla.Array | None = None
) -> cla.Array:
    """Return the values of an array in order.

    The sort is stable. The order is that of ``numpy.sort``: 0.0 and -0.0 are equal and stay in the order they had, and
    NaNs, which are equal to one another, come last.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        C-contiguous, n at most 2^31, of dtype uint8, int8, uint16, int16, float16, uint32, int32, float32, uint64,
        int64 or float64; the device need not support floats of that size. The work is done on its queue.
    bits : (int, int), optional
        The first bit to sort by and the one behind the last, counted from the lowest; values that differ in other bits
        alone are equal. They are bits of an unsigned integer that has the order of the values: an unsigned value
        itself, a signed one with its highest bit inverted; a float with that bit inverted or, if it is negative, with
        all of them inverted, where -0.0 is taken for 0.0, and all bits of a NaN are 1.
    descending : bool, optional
        Whether the largest comes first: NaNs, then the others. Equal values stay in the order they had.
    out : pyopencl.array.Array, shape (n,), optional
        What is filled and returned; it may be `a`.

    Returns
    -------
    clrng.Array, shape (n,)
        Of the dtype of `a`, on its queue and from its allocator.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or `out` is read-only or of another context; before anything is begun.

    See Also
    --------
    sort_pairs, argsort

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(a, clrng.order.sort(a), clrng.order.sort(a, descending=True))
    [0 7 5 0 6 3 8 0] [0 0 0 3 5 6 7 8] [8 7 6 5 3 0 0 0]
    """
    a = array_of("a", a, KEYS)
    queue = queue_of(a)
    if is_foreign(out):
        into: cla.Array = filled(queue, out, lambda array: sort(a, bits=bits, descending=descending, out=array))
        return into
    chosen, down = bit_range(bits, a.dtype), flag("descending", descending)
    out = arrays.output_array(queue, info(queue.device), a.shape, a.dtype, out, name="a", allocator=a.allocator)
    if a.size:
        radix_sort(a, out, None, None, chosen, descending=down)
    return out


def sort_pairs(
    keys: cla.Array, values: cla.Array, *, bits: Bits | None = None, descending: bool = False
) -> tuple[cla.Array, cla.Array]:
    """Return keys in order, and values that are moved with them.

    Parameters
    ----------
    keys : pyopencl.array.Array, shape (n,)
        As `a` of `sort`.
    values : pyopencl.array.Array, shape (n,)
        C-contiguous, of numbers of 4 or 8 bytes, in the context of `keys`.
    bits, descending
        As for `sort`.

    Returns
    -------
    keys, values : clrng.Array, shape (n,)
        New arrays of the same dtypes, on the queue of `keys`; values of equal keys are in the order they had.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above; before anything is begun.

    See Also
    --------
    sort, argsort

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(*clrng.order.sort_pairs(a, a * 100))
    [0 0 0 3 5 6 7 8] [  0   0   0 300 500 600 700 800]
    """
    keys = array_of("keys", keys, KEYS)
    values = value_array("values", values, keys)
    chosen, down = bit_range(bits, keys.dtype), flag("descending", descending)
    new_keys, new_values = (new_array(keys, dtype=each.dtype, name="a sort") for each in (keys, values))
    if keys.size:
        radix_sort(keys, new_keys, values, new_values, chosen, descending=down)
    return new_keys, new_values


def argsort(a: cla.Array, *, bits: Bits | None = None, descending: bool = False) -> cla.Array:
    """Return the places of the values of an array, in the order of the values.

    Parameters
    ----------
    a, bits, descending
        As for `sort`.

    Returns
    -------
    clrng.Array of uint32, shape (n,)
        The place of the first value in order, of the second one, and so on: what ``numpy.argsort`` with
        ``kind="stable"`` returns, in another dtype. It is on the queue of `a` and from its allocator.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above; before anything is begun.

    See Also
    --------
    sort, sort_pairs

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(a, clrng.order.argsort(a))
    [0 7 5 0 6 3 8 0] [0 3 7 5 2 4 1 6]
    """
    a = array_of("a", a, KEYS)
    chosen, down = bit_range(bits, a.dtype), flag("descending", descending)
    places = new_array(a, dtype=WORD, name="a sort")
    if a.size:
        radix_sort(a, None, None, places, chosen, descending=down)
    return places
