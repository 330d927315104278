"""Random orders: keys drawn from a stream and sorted on the device, mappings with random keys, and samples."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.distributions.quantiles.closed_forms import Exponential
from clrng.distributions.transforms.uniform import lead
from clrng.fill.convert import Converter
from clrng.frontends.drawing import fill_on_host
from clrng.generators import BitGenerator, source
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl import arrays, templates
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import USUAL_GROUP, Kernel, cached_method, kernel_of, launches, numbered
from clrng.opencl.spare import Lent
from clrng.opencl.traits import traits_of
from clrng.order.arguments import offset_of, queue_of
from clrng.order.copies import move
from clrng.order.firsts import first_different
from clrng.order.plans import RowSortPlan, row_sort_plan
from clrng.order.row_sort import Keys, MakeKeys, Sorter
from clrng.proof import references
from clrng.proof.examples import Array, Example, prove_by
from clrng.proof.prove import GUARD

Fill = Callable[[Transform, cla.Array, BitGenerator], None]
"""Fills an array with the outputs of a transform that follow where a bit generator stands."""

LEADS = np.dtype(np.uint64)

AT_ONCE = 2**27
"""About how many elements of several rows are put in order at a time."""

MAX_LEAD_STEPS = 8
"""Leads of more raw values than this are made of raw values in memory: a kernel that makes them in registers takes
long to build."""

MAX_JUMPED = 6
"""The most words of a state that jumps to a key where loops must be short."""

MENDERS, MANY_MENDERS = {"cpu": 4, "gpu": 256}, 2**14
"""Work-items that mend an order, for each compute unit; and all of them where their loops must be short."""

OUTER, LENGTH, INNER = 2, 61, 3
"""The shape of the array whose elements have the keys of examples."""

STEPS = (1, 3)
"""Raw values of a key in examples."""

LONGEST_RUN = 20

FAR = 2**31 - 200
"""The first place of an example with keys far along the stream."""

CLOSENESS_BITS = 41
"""The total variation from the uniform distribution is at most 2^-41."""

ROUNDS = 24
"""Rounds of the network, which are as many keys of 32 bits: as many as in Mitchell, Stokes, Frank and Holmes,
Bandwidth-optimal random shuffling for GPUs, ACM Transactions on Parallel Computing 9 (2022)."""

MAPPED = 5123
"""The number of places of an example in which all are mapped; many of them follow cycles."""

LARGEST, PART = 2**31 - 1, 41 * USUAL_GROUP
"""The number of places of an example, and how many of them are mapped, the first ones: those of whole work-groups."""

FEW = 8
"""A sample of at most one in this many elements is made of draws with replacement; a larger one of a permutation."""

MOST = 64
"""The maximum number of integers that are drawn for each element of such a sample. Of these `FEW` allow about twice as
many as there are elements; where many more do not suffice, the generator's period is short."""

MANY = 2**14
"""From so many integers on a device finds out which are different."""

SCALE = 2.0**-600
"""Exponentials are multiplied by it, so that none divided by a probability overflows; it changes no digit."""


def key_steps(n: int, raw_values: int) -> int:
    """Return how many raw values make a key, so that all orders of `n` elements are equally likely up to 2^-41.

    Keys are sorted, and equal ones stay in order. If no two are equal, all orders are equally likely; so the total
    variation from the uniform distribution is at most the probability that two are equal. This is below n^2 / (2 m^k)
    for keys of k raw values, of which there are m. The result is the minimum k for which that is at most 2^-41.

    >>> from clrng.frontends.permutations import key_steps
    >>> [key_steps(n, 2**32) for n in (2**12, 2**12 + 1, 2**28, 2**28 + 1)]
    [2, 3, 3, 4]
    """
    steps, keys = 1, raw_values
    while n**2 << (CLOSENESS_BITS - 1) > keys:
        steps, keys = steps + 1, keys * raw_values
    return steps


class Permuter:
    """Makes random orders with the streams of one recurrence on one queue.

    The order of n elements is that of n keys: element i has the k raw values of the steps P + k·i to P + k·i + k - 1,
    where P is the position of the stream and k is `key_steps`. Keys are compared by their first raw values that
    differ. Equal ones are in the order of i.

    Keys are sorted by their leads, which are integers of 64 bits. The few places whose leads are equal are then put in
    order by whole keys, made again or kept. Where leads are so far from random that buckets overflow, the host sorts.
    """

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, plan: RowSortPlan | None = None
    ) -> None:
        self._queue, self._device, self._code = queue, device, code
        self._sorter = Sorter(queue, plan or row_sort_plan(device))
        self._mend = cached_method(self._prepare_mend)
        self._converter = Converter(queue, device, code)

    def _keeps_raw(self, steps: int) -> bool:
        """Return whether raw values stay in memory: lagged generators cannot make keys again; long leads need them.

        So do states that are too long for jumps where loops must be short.
        """
        code, short_loops = self._code, traits_of(self._device).short_loops
        too_long = short_loops and code.fill_strategy == "blocks" and code.order > MAX_JUMPED
        return code.fill_strategy == "lagged" or too_long or steps > MAX_LEAD_STEPS

    def _prepare_mend(self, index: np.dtype[Any], jumps: bool) -> Kernel:
        """Return the kernel that mends orders of dtype `index`, proved; it `jumps` to keys, or reads them in memory."""
        values = {"jumps": jumps, "index": CTYPES[index.name]}
        kernel = kernel_of(
            self._queue, "mend", source.kernel, "permutations/mend.cl.mako", self._code, RAW, 1, values=values
        )
        examples = mend_examples(self._code.recurrence, index, None if jumps else self._code.value)
        prove_by(self._queue, [kernel], partial(self._example_mend, kernel), examples)
        return kernel

    def permute(
        self, order: cla.Array, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill
    ) -> None:
        """Fill `order` with an order of each row, one row after another: of the places in the row, from 0 on.

        Rows lie along the second axis of an array of `shape` (outer, length, inner), whose elements have keys of
        `steps` raw values in C order, from where `start` stands; it stays there. Where the keys do not fit the largest
        allocation of the device, a ValueError says so before any work.
        """
        outer, length, inner = shape
        keeps_raw = self._keeps_raw(steps)
        bytes_each = max(LEADS.itemsize, steps * self._code.value.itemsize if keeps_raw else 0)
        at_once = min(AT_ONCE, self._device.largest_allocation // bytes_each)
        each = min(max(at_once // (length * inner), 1), outer)
        together = each * length * inner
        arrays.check_allocation(self._device, together, LEADS, "x")
        if keeps_raw:
            arrays.check_allocation(self._device, together * steps, self._code.value, "x")
        self._sorter.prepare(length, order.dtype)
        self._mend(order.dtype, not keeps_raw)
        if keeps_raw:
            self._converter.prepare(lead(steps))
        for first, some in launches(0, outer, each):
            begin = first * length * inner
            whole = order.ndim == 1 and some == outer
            part = order if whole else arrays.part(order, begin, some * length * inner)
            self._permute(part, start.jumped(begin * steps) if first else start, (some, length, inner), steps, fill)

    def _permute(
        self, order: cla.Array, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill
    ) -> None:
        """Fill `order` with the orders of as many rows as are made at once."""
        outer, length, inner = shape
        with Lent(self._queue, self._device) as lent:
            make, raw = self._leads(start, shape, steps, fill, lent)
            found = self._sorter.sort(make, order, offset_of(order), outer * inner, length, lent)
            found.tallies.add_event(found.event)
            kernel, runs = self._mend(order.dtype, raw is None), (found.tallies, found.noted)
            keys = numbered("start", start.words) if raw is None else {"raw": raw.base_data}
            event = self._launch_mend(self._queue, kernel, order, runs, shape[1:], steps, keys)
            arrays.attach_event(self._queue, order, event)
            if not found.is_right():
                self._sort_on_host(order, start, shape, steps, fill)

    def _leads(
        self, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill, lent: Lent
    ) -> tuple[MakeKeys, cla.Array | None]:
        """Return what makes the leads of keys, one row after another, and their raw values if these stay in memory."""
        chosen, inner = lead(steps), shape[2]
        if inner == 1 and not self._keeps_raw(steps):
            piece = lent.array(min(prod(shape), self._sorter.plan.piece), LEADS, "x")

            def make(first: int, n: int) -> Keys:
                fill(chosen, piece if n == piece.size else piece[:n], start.jumped(first * steps))
                return Keys(piece, 0)

            return make, None
        leads: Any = lent.array(prod(shape), LEADS, "x")
        raw = None
        if self._keeps_raw(steps):
            raw = lent.array(prod(shape) * steps, self._code.value, "x")
            fill(RAW, raw, start)
            self._converter.convert(chosen, raw, leads)
        else:
            fill(chosen, leads, start)
        if inner > 1:
            leads = move(self._queue, leads.reshape(shape).transpose((0, 2, 1)))
        return lambda first, _: Keys(leads, first), raw

    def _launch_mend(
        self, queue: cl.CommandQueue, kernel: Kernel, order: cla.Array, runs: tuple[cla.Array, cla.Array],
        rows: tuple[int, int], steps: int, keys: dict[str, Any],
    ) -> cl.Event:  # fmt: skip
        """Launch what mends an order of rows of (length, inner)."""
        traits = traits_of(self._device)
        items = MANY_MENDERS if traits.short_loops else MENDERS[traits.family] * self._device.units
        return kernel.for_each(
            queue, items, places=order.base_data, offset=offset_of(order), runs=runs[0].base_data,
            noted=runs[1].base_data, length=rows[0], inner=rows[1], steps=steps, **keys,
            wait_for=arrays.wait_list(order, *runs),
        )  # fmt: skip

    def _example_mend(
        self, kernel: Kernel, given: Sequence[cla.Array], _: Any, rows: tuple[int, int], steps: int
    ) -> None:
        order, runs, noted, *raw = given
        keys = {"raw": raw[0].base_data} if raw else numbered("start", self._code.recurrence.words)
        self._launch_mend(queue_of(order), kernel, order, (runs, noted), rows, steps, keys)

    def _raw_on_host(self, n: int, start: BitGenerator, fill: Fill) -> Array:
        """Return `n` raw values on the host."""
        found = np.empty(n, self._code.value)
        fill_on_host(self._queue, self._device, fill, RAW, found, start)
        return found

    def _sort_on_host(
        self, order: cla.Array, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill
    ) -> None:
        """Sort whole keys of some rows on the host, and write their orders again."""
        outer, length, inner = shape
        keys = self._raw_on_host(outer * length * inner * steps, start, fill).reshape(outer, length, inner, steps)
        digits = tuple(np.moveaxis(keys[..., step], 1, 2) for step in reversed(range(steps)))
        places = np.lexsort(digits).astype(order.dtype)
        move(self._queue, arrays.upload(self._queue, places.reshape(-1)), order)


def mend_examples(bits: BitGenerator, index: np.dtype[Any], value: np.dtype[Any] | None) -> Iterator[Example]:
    """Yield runs of places that are put in the order of keys: of raw values in memory, or without `value` of `bits`."""
    random = np.random.default_rng(LENGTH)
    for steps in STEPS:
        size = LENGTH * INNER * steps
        if value is not None:
            raw = random.integers(0, 2, OUTER * size).astype(value)
            yield _mended_runs(index, raw, steps, given=True)
            continue
        stream = references.Stream(bits)
        yield _mended_runs(index, references.raw_values(stream, 0, OUTER * size), steps)
        if int(np.iinfo(index).max) > FAR:
            yield _mended_runs(index, references.raw_values(stream, FAR * INNER * steps, size), steps, FAR)


def _mended_runs(index: np.dtype[Any], raw: Array, steps: int, first: int = 0, *, given: bool = False) -> Example:
    """Return runs of places from `first` on, of rows with keys of `raw` values, which are given or made again."""
    keys = raw.reshape(-1, LENGTH, INNER, steps).transpose(0, 2, 1, 3).reshape(-1, LENGTH, steps)
    random = np.random.default_rng(steps)
    order = np.sort(random.integers(0, LENGTH, keys.shape[:2]), axis=1)
    mended, noted = order.copy(), []
    for row, places in enumerate(order):
        begin = 0
        while begin < LENGTH:
            end = min(begin + int(random.integers(1, LONGEST_RUN)), LENGTH)
            noted += [(row * LENGTH + begin, end - begin)] * (end - begin > 1)
            run = places[begin:end]
            mended[row, begin:end] = run[np.lexsort(keys[row, run].T[::-1])]
            begin = end
    runs = np.array([len(noted)], np.uint32), np.array(noted, np.uint32)
    return Example(
        [(order + first).astype(index), *runs, *([raw] if given else [])],
        {f"with keys of {steps} raw values place": (mended + first).astype(index)},
        numbers=((LENGTH, INNER), steps), offsets=(GUARD, 0, 0, 0), in_place=0,
    )  # fmt: skip


def build_mapping(queue: cl.CommandQueue, dtype: np.dtype[Any]) -> Kernel:
    """Return the kernel of `map_places` for places of `dtype`, proved."""
    values = {"out": CTYPES[dtype.name], "rounds": ROUNDS}
    kernel = kernel_of(queue, "map_places", templates.program, "permutations/bijection.cl.mako", values=values)

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array], n: int) -> None:
        _launch_mapping(queue_of(given[0]), kernel, results[0], given[0], n)

    prove_by(queue, [kernel], example, _mapping_examples(dtype))
    return kernel


def map_places(queue: cl.CommandQueue, order: cla.Array, keys: cla.Array) -> None:
    """Fill `order`, which is C-contiguous, with the mapping of 0, 1, ... that `ROUNDS` keys of uint32 choose."""
    arrays.attach_event(
        queue, order, _launch_mapping(queue, build_mapping(queue, order.dtype), order, keys, order.size)
    )


def _launch_mapping(queue: cl.CommandQueue, kernel: Kernel, order: cla.Array, keys: cla.Array, n: int) -> cl.Event:
    """Map the first of `n` places, as many as fit `order`."""
    bits = max((n - 1).bit_length(), 2)
    return kernel.for_each(
        queue, order.size, order=order.base_data, offset=order.offset // order.dtype.itemsize, n=n,
        keys=keys.base_data, low_bits=bits // 2, high_bits=bits - bits // 2, wait_for=arrays.wait_list(order, keys),
    )  # fmt: skip


def _mapping_examples(dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield mappings to places of `dtype`: of few places, of many, and of the first of the maximum number."""
    keys = np.random.default_rng(ROUNDS).integers(0, 2**32, ROUNDS, np.uint32)
    for n in sorted({min(n, int(np.iinfo(dtype).max) + 1) for n in (3, 64, MAPPED, LARGEST)}):
        places = mapped(n if n <= MAPPED else PART, n, keys).astype(dtype)
        yield Example([keys], {f"among {n} places place": places}, numbers=(n,), offsets=[0])


def mapped(some: int, n: int, keys: Array) -> Array:
    """Return where the network of the bijection sends the first `some` of `n` places, by 64-bit arithmetic."""
    bits = max((n - 1).bit_length(), 2)
    low_bits, high_bits = bits // 2, bits - bits // 2
    x = np.arange(some, dtype=np.uint64)
    left = np.arange(some)
    while left.size:
        high, low = np.divmod(x[left], np.uint64(2**low_bits))
        for key_of_low, key_of_high in keys.astype(np.uint64).reshape(-1, 2):
            low = low ^ (_mixed(high ^ key_of_low) // np.uint64(2 ** (32 - low_bits)))
            high = high ^ (_mixed(low ^ key_of_high) // np.uint64(2 ** (32 - high_bits)))
        x[left] = high * np.uint64(2**low_bits) + low
        left = left[x[left] >= n]
    return x


def _mixed(x: Array) -> Array:
    """Return the 32-bit finalizer of MurmurHash3 of each integer, computed in 64 bits."""
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = (x ^ (x // np.uint64(2**shift))) * np.uint64(factor) % np.uint64(2**32)
    return x ^ (x // np.uint64(2**16))


Integers = npt.NDArray[Any]


def first_seen(queue: cl.CommandQueue, count: int, out: cla.Array, draw: Callable[[int], cla.Array]) -> int:
    """Store the first `count` different ones of integers in `out`; return how many of these it took to have them.

    `draw(n)` returns the first n of the integers, which are uint64. Few are looked through by the host. A ValueError
    says if so many are equal that the period of the generator must be short.
    """
    n, most = count and count + count // FEW + 1, MOST * count
    while 0 < n <= most + 1:
        drawn = draw(n)
        if n < MANY:
            values = drawn.get(queue)
            _, first = np.unique(values, return_index=True)
            chosen = np.sort(first)[:count]
            if len(chosen) == count:
                out.set(values[chosen].astype(out.dtype), queue)
                return int(chosen[-1]) + 1
        else:
            used = first_different(drawn, count, out)
            if used is not None:
                return used
        n += n // FEW + 1
    if count:
        raise ValueError(
            f"size must ask for no more elements than the generator gives different integers, not {count}: of "
            f"{most} integers in a row fewer were different, so its period is short; take another generator"
        )
    return 0


def wait_steps(raw_values: int) -> int:
    """Return the maximum number of raw values, each one of `raw_values`, that make a number of at most 64 bits."""
    steps = 1
    while raw_values ** (steps + 1) <= 2**64:
        steps += 1
    return steps


def exponentials(digits: Integers, raw_values: int) -> npt.NDArray[np.float64]:
    """Return exponentially distributed numbers -log(1 - (X + 1/2) / m^k), the same bits on every machine.

    The rows of `digits` are raw values counted from 0: k digits of X to the base m, which is `raw_values`, the highest
    first; m^k is at most 2^64. The numbers are within 2 units in the last place.
    """
    numbers = raw_values ** digits.shape[1]
    x = np.zeros(len(digits), np.uint64)
    for digit in digits.T:
        x = x * np.uint64(raw_values % 2**64) + digit
    beyond = np.uint64(numbers - 1) - x
    upper = beyond < x
    p = (np.minimum(x, beyond).astype(np.float64) + 0.5) / float(numbers)
    exponential, p = Exponential(), np.minimum(p, 0.5)
    return np.where(upper, exponential(p, upper=True), exponential(p, upper=False))


def weighted(count: int, p: Sequence[float], waits: npt.NDArray[np.float64]) -> Integers:
    """Return `count` different integers, each drawn from those that are left with probabilities in proportion to `p`.

    The integer i waits for the time waits[i] / p[i], and those with the shortest times come first. As `waits` are
    exponentially distributed, the next of those that are left is i with probability p[i] divided by the sum of theirs,
    whatever the time is. At least `count` probabilities are above 0.
    """
    probabilities = np.array(p)
    possible = np.flatnonzero(probabilities)
    order = np.argsort(waits[possible] * SCALE / probabilities[possible], kind="stable")
    found: Integers = possible[order[:count]]
    return found
