"""Count the values of an array in bins, with counters in local memory where they fit.

Each work-group counts its part of the values in counters of its own in local memory, of which there are several for
each bin so that neighbours seldom meet, and adds them to the result in the end. Bins that are too many for local memory
are counted in the result itself, by atomic operations.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from math import ceil, floor
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES, suffix
from clrng.opencl.arrays import first_of, wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import launches
from clrng.opencl.spare import Lent
from clrng.opencl.traits import LONGEST_VECTOR
from clrng.order.arguments import WORD, WORDS, attach, new_array, offset_of, queue_of
from clrng.order.kernels import (
    SMALL,
    TURNS,
    Examples,
    Launch,
    group_sizes,
    hard_values,
    kernels_for,
    launch,
    places_of,
    prepared,
    rank,
    rehearse,
    spread_values,
)
from clrng.order.plans import count_plan, scan_plan
from clrng.proof.examples import Array, Example
from clrng.validation import name_of

ALIGNED = 64
"""The maximum alignment of loads, in bytes."""

CPU_BYTES, GPU_BYTES = 64, 16
"""Bytes that a work-item reads in a turn to find extremes: of a part of its own, and of one shared with others."""

KEY = np.dtype(np.uint64)
"""The dtype in which all keys are stored."""

UNSIGNED = {size: np.dtype(f"u{size}") for size in WORDS}
"""The dtypes of keys, by bytes."""


class Counting:
    """The kernels of a template, each launch after the one before.

    Only the event of the last one is attached to the arrays: an array with many events waits for the first of them.

    The template, of the folder ``order``, inherits from ``count`` and takes `values` too. Parts have at least so
    many `turns`.
    """

    def __init__(self, template: str, a: cla.Array, bins: int, values: dict[str, Any], turns: int = 1) -> None:
        self._queue, self._template, self._a, self._bins = queue_of(a), template, a, bins
        self._plan = plan = count_plan(info(self._queue.device), bins)
        self._length = plan.part_length(a, self._queue.device.max_compute_units, turns)
        self.values = {
            "group_size": plan.group_size, "each": plan.each, "width": plan.width(a), "vector": plan.vector,
            "local_words": plan.local_words, "atomic": plan.group_size > 1, "value": CTYPES[name_of(a.dtype)], **values,
        }  # fmt: skip
        self._last: list[cl.Event] = []

    def _launch(self, name: str, sizes: tuple[int, int], *used: cla.Array, **named: Any) -> None:
        """Launch a kernel after the one before and after all work on the arrays that it uses."""
        wait_for = wait_list(*used, *self._last)
        self._last = [launch(self._queue, self._template, name, self.values, sizes, wait_for=wait_for, **named)]

    def run(self, counts: cla.Array, parameters: dict[str, Any] | None) -> None:
        """Set `counts`; without `parameters` no value is in a bin."""
        if parameters is None or not self._a.size:
            self.clear(counts)
        elif self._plan.in_tables:
            self.count_in_tables(counts, parameters)
        else:
            self.clear(counts)
            self.count(counts, parameters, self._a.size)
        for event in self._last:
            attach(self._queue, event, self._a, counts)

    def clear(self, counts: cla.Array) -> None:
        """Set counts to 0."""
        sizes = group_sizes(counts.size, self._queue)
        self._launch(
            "clear_counts", sizes, counts, counts=counts.base_data, offset=offset_of(counts), words=counts.size
        )

    def count(self, counts: cla.Array, parameters: dict[str, Any], most: int) -> None:
        """Count the values and add that to `counts`, at most `most` values in a launch."""
        plan = self._plan
        for first, some in launches(0, self._a.size, most):
            sizes = -(-some // self._length) * plan.group_size, plan.group_size
            self._launch(
                "count_values", sizes, self._a, counts, a=self._a.base_data, a_offset=offset_of(self._a) + first,
                n=some, part_length=self._length, counts=counts.base_data, offset=offset_of(counts), bins=self._bins,
                log_copies=plan.log_copies(self._bins), **parameters,
            )  # fmt: skip

    def count_in_tables(self, counts: cla.Array, parameters: dict[str, Any]) -> None:
        """Count the values in a table for each compute unit, and set the counts to the sums of the tables."""
        device = info(self._queue.device)
        tables = max(1, min(device.units, self._a.size // self._bins, device.largest_allocation // (4 * self._bins)))
        made = cla.Array(self._queue, tables * self._bins, np.uint32)
        self.clear(made)
        self.count(made, parameters, tables * self._length)
        sizes = group_sizes(self._bins, self._queue)
        self._launch(
            "add_tables", sizes, made, counts, counts=counts.base_data, offset=offset_of(counts), bins=self._bins,
            tables=made.base_data, number=tables,
        )  # fmt: skip


def count_values(
    template: str, a: cla.Array, bins: int, parameters: dict[str, Any] | None, examples: Examples, known: Any = None,
    **values: Any,
) -> cla.Array:  # fmt: skip
    """Return how many values of an array are in each bin, as uint32 on its queue; nothing is waited for.

    The kernel finds bins with `parameters`; with None no value is counted. The kernels are proved by counts of
    `examples`, with the parameters that `known` returns for a queue.
    """
    counts = new_array(a, bins, WORD, name="bins")
    if bins:
        counting = Counting(template, a, bins, values)

        def example(given: Sequence[cla.Array], results: Sequence[cla.Array]) -> None:
            own = known(queue_of(given[0])) if known else {}
            Counting(template, given[0], results[0].size, values, TURNS).run(results[0], own)

        rehearse(queue_of(a), (template, parameters is None, *counting.values.items()), (example, examples))
        counting.run(counts, parameters)
    return counts


def offsets_like(a: cla.Array) -> list[int]:
    """Return where an example begins in memory: as far behind an aligned place as `a`."""
    return [(ALIGNED + a.offset % ALIGNED) // a.dtype.itemsize]


def extremes(a: cla.Array) -> tuple[Any, Any]:
    """Return the minimum and the maximum of `a`, integers or floating-point numbers; this waits for them.

    They are NumPy scalars. NaNs are below or above all numbers, by their sign.
    """
    return extremes_of([a])[0]


def extremes_of(several: Sequence[cla.Array], meanwhile: Callable[[], object] | None = None) -> list[tuple[Any, Any]]:
    """Return the minimum and the maximum of each array of one queue; `meanwhile` is called while the device looks."""
    for a in several:
        _rehearse_extremes(queue_of(a), a.dtype)
    return _extremes_of(several, meanwhile=meanwhile)


def _rehearse_extremes(queue: cl.CommandQueue, dtype: np.dtype[Any]) -> None:
    """Have the kernel proved that finds extremes of arrays of `dtype`."""

    def example(given: Sequence[cla.Array], _: object) -> list[Array]:
        return [np.array(each).view(f"uint{8 * dtype.itemsize}") for each in _extremes_of(given, TURNS)]

    what = "extremes", dtype, scan_plan(info(queue.device))
    rehearse(queue, what, (example, partial(_examples_of_extremes, dtype)))


def _extremes_of(
    several: Sequence[cla.Array], turns: int = 1, meanwhile: Callable[[], object] | None = None
) -> list[tuple[Any, Any]]:
    """Return what `extremes_of` does, from parts of at least so many turns; what is found is copied all at once."""
    if not several:
        return []
    queue = queue_of(several[0])
    looks = [_look_of(queue, a, turns) for a in several]
    begins = [0, *accumulate(parts for _, parts, _ in looks)]
    with Lent(queue, info(queue.device)) as lent:
        found = lent.array(2 * begins[-1], KEY, "a")
        for a, (look, parts, length), begin in zip(several, looks, begins, strict=False):
            given = [*places_of(a), a.size, length, found.base_data, 2 * begin]
            found.events[:] = [look(queue, parts, given, wait_list(a, found))]
        keys = first_of(found, found.size, meanwhile).reshape(-1, 2)
    own = [keys[begin:end] for begin, end in pairwise(begins)]
    return [
        (_value(int(part[:, 0].min()), a.dtype), _value(int(part[:, 1].max()), a.dtype))
        for a, part in zip(several, own, strict=True)
    ]


def _look_of(queue: cl.CommandQueue, a: cla.Array, turns: int) -> tuple[Launch, int, int]:
    """Return what finds the keys of the extremes of each part, how many parts, and how long they are."""
    size, device = a.dtype.itemsize, info(queue.device)
    plan = scan_plan(device)
    width = min((CPU_BYTES if plan.group_size == 1 else GPU_BYTES) // size, LONGEST_VECTOR)

    def make() -> Launch:
        values = {"key": WORDS[size], "bits": 8 * size, "kind": a.dtype.kind, "width": width, "w": suffix(width)}
        (kernel,) = kernels_for(queue, "extremes", {"group_size": plan.group_size, **values}, "extremes")
        taken = {name: i for i, name in enumerate(("a", "a_offset", "n", "part_length", "found", "first"))}
        return Launch(kernel, plan.group_size, taken, {})

    launch = prepared(queue, ("extremes", a.dtype, plan.group_size), make)
    length = max(plan.part_length(a.size, device.units), turns * plan.group_size * width)
    return launch, -(-a.size // length), length


def _value(key: int, dtype: np.dtype[Any]) -> Any:
    """Return the value whose key, as the kernel makes it, is `key`."""
    most, sign = (1 << 8 * dtype.itemsize) - 1, 1 << 8 * dtype.itemsize - 1
    key &= most
    if dtype.kind == "i" or (dtype.kind == "f" and key & sign):
        key ^= sign
    elif dtype.kind == "f":
        key ^= most
    return np.array(key, UNSIGNED[dtype.itemsize]).view(dtype)[()]


def _examples_of_extremes(dtype: np.dtype[Any], n: int) -> Iterator[Example]:
    """Yield the minimum and the maximum of `n` values of `dtype`, at several places."""

    def ends(values: Array) -> Array:
        ranks = rank(values)
        return values[[int(ranks.argmin()), int(ranks.argmax())]]

    spread, word = spread_values(dtype, n), f"uint{8 * dtype.itemsize}"
    middle = spread[(rank(spread) >> np.uint64(8 * dtype.itemsize - 2)) % np.uint64(3) != 0]  # no extreme ones
    cases = [spread, np.resize(hard_values(dtype), n)]
    for place in (0, n // 2, n - 1) if n > SMALL else ():
        for extreme in ends(spread):
            case = np.resize(middle, n)
            case[place] = extreme
            cases.append(case)
    for given in ([cases[0], cases[1]], *([case] for case in cases)):
        numbers = {f"of the extremes of array {i} number": ends(case).view(word) for i, case in enumerate(given)}
        yield Example(given, {}, numbers)


MIN_ROOM = 4
"""The safety factor against places that are wrong by more than one bin."""


class Bins(NamedTuple):
    """The numbers with which a kernel finds the bin of a value.

    The place of a value x is about (x - start) * scale, counted in bins, or for integers (x - low) * scale + start.
    Where it is nearer to a whole number than `near`, the bounds decide.
    """

    low: Any  # The smallest value that is counted, a NumPy scalar
    high: Any  # The largest one
    low_bin: int
    high_bin: int
    bounds: Array  # The smallest value of bins `low_bin` + 1 to `high_bin`, each at its index
    start: float
    scale: float
    near: float
    walks: bool  # Whether places may be wrong by more than one bin


def limits_of(a: cla.Array) -> tuple[Any, Any]:
    """Return the minimum and the maximum, for which this waits; of an empty array 0 and 1, as NumPy does."""
    limits = extremes(a) if a.size else (0, 1)
    if not np.isfinite(limits).all():
        raise ValueError(f"a must be finite where range is not given, and has values from {limits[0]} to {limits[1]}")
    return limits


def edges_of(dtype: np.dtype[Any], bins: int, limits: tuple[Any, Any]) -> Array:
    """Return the edges that NumPy gives `bins` equal bins of values of `dtype`, shape (bins + 1,).

    The `limits` are the first and the last edge, unequal; a ValueError says that they are too far apart, or so near to
    one another that edges would be equal.
    """
    real = np.result_type(dtype, *limits, np.float32) if dtype.kind == "f" else np.dtype(np.float64)
    with np.errstate(all="ignore"):
        try:
            edges = np.histogram_bin_edges(np.empty(0, dtype), bins, limits)
        except ValueError:
            edges = np.zeros(2)
        if not np.isfinite(edges[-1] - edges[0]) or not (edges[1:] > edges[:-1]).all():
            raise ValueError(
                f"range must have a finite length, and {bins} bins with edges that {real} tells apart, not be "
                f"from {limits[0]} to {limits[1]}"
            )
    return edges


def bins_between(edges: Array, limits: tuple[Any, Any], dtype: np.dtype[Any]) -> Bins | None:
    """Return how the bins between `edges` are found for values of `dtype`, or None if no value is in any.

    Bin k has the values from edge k to below edge k + 1, and the last one those equal to the last edge too.
    The `limits` are the first and the last edge, not yet rounded to what edges are.
    """
    with np.errstate(all="ignore"):
        found = (_of_integers if dtype.kind in "iu" else _of_floats)(edges, limits, dtype)
        if found is None:
            return None
        low, high, bounds, reached = found
        low_bin = int(np.count_nonzero(reached[1:-1] & (bounds[1:-1] <= low)))
        high_bin = int(np.count_nonzero(reached[1:-1] & (bounds[1:-1] <= high)))
        real: Any = np.float64 if dtype == np.float64 else np.float32
        first, last, bins = float(edges[0]), float(edges[-1]), edges.size - 1
        scale = bins / (last - first)
        largest = max(abs(edges[0]), abs(edges[-1]))
        spacing, start = float(np.spacing(largest)), first
        if dtype.kind in "iu":
            middle = 0.5 if (edges == np.floor(edges)).all() else 0.0  # no integer is then near to an edge
            start = (float(low) - first + middle) * scale
        else:
            spacing = max(spacing, float(np.spacing(real(largest))))
        near = 8 * (bins * float(np.finfo(real).eps) + spacing * scale)
        wide = last - first > float(np.finfo(real).max) / MIN_ROOM
        walks = wide or not scale <= float(np.finfo(real).max) or not near <= 1 / MIN_ROOM
    return Bins(low, high, low_bin, high_bin, bounds, start, scale, near, walks)


def first_values(edges: Array, limits: tuple[Any, Any], dtype: np.dtype[Any]) -> Array:
    """Return the first integer of each bin, and behind them the first that is in none, shape (bins + 1,).

    They are of a `dtype` of one byte; those beyond it are left out. The rest is as for `bins_between`.
    """
    range_of = np.iinfo(dtype)
    last = min(max(floor(limits[1]), range_of.min - 1), range_of.max)
    first = np.clip(np.ceil(edges), range_of.min, last + 1)
    first[-1] = last + 1
    return first.astype(np.int64)


def _of_integers(edges: Array, ends: tuple[Any, Any], dtype: np.dtype[Any]) -> tuple[Any, Any, Array, Array] | None:
    """Return the smallest and the largest integer counted, the smallest of each bin, and which bins have one.

    A bin without one may have any bound.
    """
    limits = np.iinfo(dtype)
    first, last = (int(end) if isinstance(end, Integral) else end for end in ends)
    low, high = max(ceil(first), limits.min), min(floor(last), limits.max)
    if low > high:
        return None
    least = np.ceil(edges)
    reached = least < float(limits.max + 1)
    bounds = np.full(edges.shape, low, dtype)
    above = reached & (least > low)
    bounds[above] = least[above].astype(dtype)
    return low, high, bounds, reached


def _of_floats(edges: Array, _: object, dtype: np.dtype[Any]) -> tuple[Any, Any, Array, Array] | None:
    """Return what `_of_integers` does, for floating-point numbers."""
    bounds, high = edges.astype(dtype), dtype.type(edges[-1])
    bounds = np.where(bounds < edges, np.nextafter(bounds, dtype.type(np.inf)), bounds)
    if high > edges[-1]:
        high = np.nextafter(high, dtype.type(-np.inf))
    return (bounds[0], high, bounds, np.ones(edges.shape, bool)) if bounds[0] <= high else None
