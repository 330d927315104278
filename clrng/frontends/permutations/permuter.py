"""Random orders of rows: keys from the stream, sorted on the device."""

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW, Transform
from clrng.distributions.transforms.integers import Lead, lead
from clrng.frontends.permutations.permuter_proof import check_leads, check_mend
from clrng.generators import BitGenerator, source
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.contexts import kept
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel
from clrng.opencl.transfers import upload, wait_list
from clrng.order.copies import move
from clrng.order.plans import RowSortPlan, row_sort_plan
from clrng.order.row_sort import Keys, MakeKeys, Sorted, Sorter
from clrng.order.row_sort_proof import check_sorter
from clrng.proof.prove import apart, prove

Fill = Callable[[Transform, cla.Array, BitGenerator], None]
"""Fills an array with the outputs of a transform that follow where a bit generator stands."""

LEADS = np.dtype(np.uint64)

AT_ONCE = 2**27
"""About as many elements are put in order together where there are many rows."""

MAX_LEAD_STEPS = 8
"""Leads of more raw values are made from these in memory: a kernel that makes them in registers takes long to build."""

MENDERS = {"cpu": 4, "gpu": 256}
"""Work-items that mend an order, for each compute unit."""

CLOSENESS_BITS = 41
"""The total variation from the uniform distribution is at most 2^-41."""


def key_steps(n: int, raw_values: int) -> int:
    """Return how many raw values make a key, so that all orders of `n` elements are equally likely up to 2^-41.

    Keys are sorted, and those that are equal stay as they were. If no two are equal, all orders are equally likely; so
    the total variation from that is at most the chance that some are, which is below n^2 / (2 m^k) for keys of k raw
    values, of m each. The result is the least k for which n^2 / (2 m^k) is at most 2^-41.

    >>> from clrng.frontends.permutations.permuter import key_steps
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
    where P is the place of the stream, k is `key_steps`, and keys are compared by their first raw values that
    differ. Equal ones are in the order of i.

    Keys are sorted by their leads, which are integers of 64 bits. The few orders that these leave open are mended with
    whole keys, which are made again. Where leads are so unlike random numbers that buckets overflow, the host sorts.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    device : DeviceInfo
    code : GeneratorCode
    plan : RowSortPlan, optional
        By default one that is chosen for the device.
    """

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, plan: RowSortPlan | None = None
    ) -> None:
        self._queue, self._device, self._code = queue, device, code
        self._sorter = Sorter(queue, plan or row_sort_plan(device))
        self._mend = kept(self._mend_kernel)
        self._convert = kept(self._convert_kernel)

    def _keeps_raw(self, steps: int) -> bool:
        """Return whether raw values stay in memory: lagged generators cannot make keys again, nor leads of many."""
        return self._code.fill_strategy == "lagged" or steps > MAX_LEAD_STEPS

    def _mend_kernel(self, index: str, jumps: bool) -> Kernel:
        values = {"jumps": jumps, "index": CTYPES[index]}
        text = source.kernel("permutations/mend.cl.mako", self._code, RAW, 1, values)
        kernel = Kernel(self._queue.context, text, "mend")
        value = None if jumps else self._code.value
        bits, own = self._code.recurrence, apart(self._queue)
        launch = partial(self._launch_mend, own, kernel)
        prove(own, [kernel], lambda: check_mend(own, bits, np.dtype(index), value, launch))
        return kernel

    def _convert_kernel(self, chosen: Lead) -> Kernel:
        text = source.kernel("fill/convert.cl.mako", self._code, chosen, 1, {})
        kernel = Kernel(self._queue.context, text, "convert_values")
        bits, own = self._code.recurrence, apart(self._queue)
        launch = partial(self._launch_convert, own, kernel)
        prove(own, [kernel], lambda: check_leads(own, bits, self._code.value, chosen, launch))
        return kernel

    def permute(
        self, order: cla.Array, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill
    ) -> None:
        """Fill `order` with an order of each row: of places from 0 on, in which rows lie one behind the other.

        Parameters
        ----------
        order : pyopencl.array.Array
            C-contiguous, of a dtype of integers that holds the places.
        start : BitGenerator
            Where the stream is; it stays there.
        shape : (int, int, int)
            Of an array, (outer, length, inner), that has the rows along its second axis, and whose elements have keys
            in C order. All are 1 or more.
        steps : int
            The raw values of a key.
        fill : callable
            Fills arrays with the stream, as `Fill` has it.

        Raises
        ------
        ValueError
            If the keys do not fit the largest allocation of the device; before any work.
        """
        outer, length, inner = shape
        bytes_each = max(LEADS.itemsize, steps * self._code.value.itemsize if self._keeps_raw(steps) else 0)
        at_once = min(AT_ONCE, self._device.largest_allocation // bytes_each)
        each = min(max(at_once // (length * inner), 1), outer)
        together = each * length * inner
        arrays.check_allocation(self._device, together, LEADS, "x")
        if self._keeps_raw(steps):
            arrays.check_allocation(self._device, together * steps, self._code.value, "x")
        kernels, plan = self._sorter.prepare(length, order.dtype), self._sorter.plan
        prove(self._queue, kernels, lambda: check_sorter(apart(self._queue), plan, order.dtype, length))
        self._mend(order.dtype.name, not self._keeps_raw(steps))
        if self._keeps_raw(steps):
            self._convert(lead(steps))
        for first in range(0, outer, each):
            some = min(each, outer - first)
            begin = start.jumped(first * length * inner * steps) if first else start
            self._permute(order, first * length * inner, begin, (some, length, inner), steps, fill)

    def _permute(
        self, order: cla.Array, begin: int, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill
    ) -> None:
        """Fill the memory of `order` from place `begin` on with the orders of some rows."""
        outer, length, inner = shape
        make, raw = self._leads(start, shape, steps, fill)
        offset = order.offset // order.dtype.itemsize + begin
        found = self._sorter.sort(make, order, offset, outer * inner, length)
        arrays.attach_event(self._queue, order, self._mended(order, offset, found, start, raw, shape, steps))
        if not found.is_right():
            self._sort_on_host(order, begin, start, shape, steps, fill)

    def _leads(
        self, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill
    ) -> tuple[MakeKeys, cla.Array | None]:
        """Return what makes the leads of keys, one row behind the other, and the raw values of keys if these are kept.

        Leads are made when they are asked for, unless they have to be in memory, all of them.
        """
        chosen, inner = lead(steps), shape[2]
        if inner == 1 and not self._keeps_raw(steps):
            piece = self._memory(min(prod(shape), self._sorter.plan.piece), LEADS)

            def make(first: int, n: int) -> Keys:
                fill(chosen, piece[:n], start.jumped(first * steps))
                return Keys(piece, 0)

            return make, None
        leads: Any = self._memory(prod(shape), LEADS)
        raw = None
        if self._keeps_raw(steps):
            raw = self._memory(prod(shape) * steps, self._code.value)
            fill(RAW, raw, start)
            leads.add_event(self._launch_convert(self._queue, self._convert(chosen), raw, leads, leads.size))
        else:
            fill(chosen, leads, start)
        if inner > 1:
            leads = move(self._queue, leads.reshape(shape).transpose((0, 2, 1)))
        return lambda first, _: Keys(leads, first), raw

    def _memory(self, n: int, dtype: np.dtype[Any]) -> cla.Array:
        return arrays.output_array(self._queue, self._device, (n,), dtype, name="x")

    def _mended(
        self, order: cla.Array, offset: int, found: Sorted, start: BitGenerator, raw: cla.Array | None,
        shape: tuple[int, int, int], steps: int,
    ) -> cl.Event:  # fmt: skip
        """Put those right whose leads are equal, and return the event."""
        keys = start.words if raw is None else (raw.base_data,)
        kernel: Kernel = self._mend(order.dtype.name, raw is None)
        found.runs.add_event(found.event)
        return self._launch_mend(self._queue, kernel, order, offset, (found.runs, found.noted), shape[1:], steps, keys)

    def _launch_mend(
        self, queue: cl.CommandQueue, kernel: Kernel, order: cla.Array, offset: int,
        runs: tuple[cla.Array, cla.Array], rows: tuple[int, int], steps: int, keys: Sequence[Any],
    ) -> cl.Event:  # fmt: skip
        """Launch what mends an order from `offset` on, of rows of (length, inner)."""
        items = MENDERS["cpu" if self._device.kind == "cpu" else "gpu"] * self._device.units
        return kernel.for_each(
            queue, items, order.base_data, offset, *(each.base_data for each in runs), *rows, steps, *keys,
            wait_for=wait_list(order, *runs),
        )  # fmt: skip

    def _launch_convert(
        self, queue: cl.CommandQueue, kernel: Kernel, raw: cla.Array, leads: cla.Array, n: int
    ) -> cl.Event:
        """Launch what makes `n` leads of raw values in memory."""
        return kernel.for_each(queue, n, raw.base_data, leads.base_data, 0, n, 1, wait_for=wait_list(raw, leads))

    def _raw_on_host(self, n: int, start: BitGenerator, fill: Fill) -> npt.NDArray[Any]:
        """Return `n` raw values on the host, made in pieces that the device can allocate."""
        kind = self._code.value
        found = np.empty(n, kind)
        most = self._device.largest_allocation // kind.itemsize
        for first in range(0, n, most):
            piece = self._memory(min(most, n - first), kind)
            fill(RAW, piece, start.jumped(first) if first else start)
            found[first : first + most] = piece.get(self._queue)
        return found

    def _sort_on_host(
        self, order: cla.Array, begin: int, start: BitGenerator, shape: tuple[int, int, int], steps: int, fill: Fill
    ) -> None:
        """Make the orders of some rows anew."""
        outer, length, inner = shape
        keys = self._raw_on_host(outer * length * inner * steps, start, fill).reshape(outer, length, inner, steps)
        digits = tuple(np.moveaxis(keys[..., step], 1, 2) for step in reversed(range(steps)))
        places = np.lexsort(digits).astype(order.dtype)
        made = upload(self._queue, places.reshape(-1))
        target = arrays.part(order, begin, places.size)
        arrays.attach_event(self._queue, order, move(self._queue, made, target).events[-1])
