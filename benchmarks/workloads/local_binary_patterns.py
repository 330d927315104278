"""How fast are the local binary patterns of 10^7 values and more, and their histogram, in one kernel?

The pattern of a value has a bit for each of the n values before and behind it: whether that is not less. Nothing but
the histogram is written. Beside it stand a kernel that only reads the values, which is the most there can be, and NumPy
on one core of the host. Every size is timed again with the copy of the values from the host, as a program has it that
gets them from elsewhere.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, kind_of, measure, run
from harness.device_arrays import CTYPES, checked, result
from harness.kernels import kernels, render

import clrng
from clrng.measuring.timing import Work
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.traits import LONGEST_LOOP
from clrng.validation import integer

SIZES = {"gpu": [10**7, 10**8, 10**9], "cpu": [10**7, 10**8]}
QUICK = [10**5]
NUMPY_LARGEST = 10**7
"""The most values that NumPy is timed with: its rate is the same from there on."""

PIECE = 10**6
"""Values that NumPy takes at a time, so that what it makes of them stays in the caches."""

SEED = 2026
SHORTEST = 0.05
"""Seconds of one timing."""

SECONDS_OF_2015 = 0.03045
"""What 10^7 values took in 2015, on a GTX Titan, with the copy from the host."""

ROOMY = 48 * 2**10
"""Bytes of local memory of which a work-group takes 32 KB for its counters; where there are fewer it takes 16 KB."""

WIDEST = 4
"""The most neighbours on one side."""


@dataclass(frozen=True)
class Plan:
    """How the kernels are laid out on a device.

    Attributes
    ----------
    group_size : int
        Work-items of a work-group. Where it is 1, each has a run of neighbouring vectors and counts without atomics.
    groups : int
        Work-groups, if that keeps the loops of a work-item short enough.
    width : int
        Values of a vector: 4, 8 or 16. Of the vectors beside it four values are read.
    copies : int
        Counters of a pattern. With 32, neighbouring work-items of a GPU each have a bank of local memory of their own.
    adders : int
        Work-items that add up the counts of one pattern, a power of two.
    """

    group_size: int
    groups: int
    width: int
    copies: int
    adders: int

    def groups_for(self, size: int) -> int:
        """Return the work-groups for so many values, more than `groups` where a work-item would loop for too long."""
        return max(self.groups, -(-size // (self.width * self.group_size * LONGEST_LOOP)))


def plan_for(device: DeviceInfo) -> Plan:
    """Return the plan for a device."""
    if kind_of(device) == "cpu":
        return Plan(group_size=1, groups=4 * device.units, width=16, copies=4, adders=1)
    largest, copies = device.device.max_work_group_size, 32 if device.device.local_mem_size >= ROOMY else 16
    return Plan(min(512, largest), 4 * device.units, width=4, copies=copies, adders=min(64, largest))


class LocalBinaryPatterns:
    """Counts the local binary patterns of arrays of one dtype.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    dtype : dtype, optional
        int32, uint32 or float32. No value is less than a NaN, nor is one not less, as in NumPy.
    n : int, optional
        Neighbours on each side, 1 to 4.
    plan : Plan, optional
        By default the one for the device.

    Raises
    ------
    TypeError
        If `n` is not an integer, or `dtype` is another one.
    ValueError
        If `n` is out of range.
    """

    def __init__(
        self, queue: cl.CommandQueue, dtype: npt.DTypeLike = np.int32, n: int = 4, plan: Plan | None = None
    ) -> None:
        self.queue, self.dtype, self.n = queue, np.dtype(dtype), integer("n", n, 1, WIDEST)
        if self.dtype not in CTYPES:
            raise TypeError(f"dtype must be {' or '.join(map(str, CTYPES))}, not {self.dtype}")
        self.plan = plan or plan_for(describe(queue.device))
        text = render("local_binary_patterns", value=CTYPES[self.dtype], n=n, **{
            name: size for name, size in vars(self.plan).items() if name != "groups"
        })  # fmt: skip
        self._count, self._add_up = kernels(queue, text, "count_patterns", "add_up")
        self._partial = cla.Array(queue, (0, 4**n), np.uint32)

    def histogram(self, a: cla.Array, out: cla.Array | None = None) -> cla.Array:
        """Return how often each pattern occurs around the values that have all neighbours.

        Parameters
        ----------
        a : pyopencl.array.Array, shape (size,)
            At least 2 n + 1 values.
        out : pyopencl.array.Array of uint64, shape (4**n,), optional

        Returns
        -------
        pyopencl.array.Array of uint64, shape (4**n,)
            `out` if it is given. Its sum is size - 2 n.

        Raises
        ------
        TypeError, ValueError
            If `a` or `out` is no such array.
        """
        plan, bins = self.plan, 4**self.n
        checked("a", a, [self.dtype], 2 * self.n + 1)
        out = result(self.queue, out, np.uint64, bins)
        groups = plan.groups_for(a.size)
        if len(self._partial) < groups:
            self._partial = cla.Array(self.queue, (groups, bins), np.uint32)
        partial = self._partial.data
        self._count(self.queue, plan.group_size * groups, plan.group_size, a.data, a.size, partial)
        self._add_up(self.queue, plan.adders * bins, plan.adders, partial, groups, out.data)
        return out


def by_numpy(a: npt.NDArray[Any], n: int) -> npt.NDArray[np.int64]:
    """Return the histogram of the patterns of an array of the host, made piece by piece."""
    counts = np.zeros(4**n, np.int64)
    for first in range(n, a.size - n, PIECE):
        last = min(first + PIECE, a.size - n)
        centres, patterns = a[first:last], np.zeros(last - first, np.uint8)
        for bit, distance in enumerate([*range(-n, 0), *range(1, n + 1)]):
            patterns |= (a[first + distance : last + distance] >= centres).view(np.uint8) << np.uint8(bit)
        counts += np.bincount(patterns, minlength=4**n)
    return counts


def reading(queue: cl.CommandQueue, a: cla.Array, plan: Plan) -> Work:
    """Return the kernel that reads all whole vectors of `a`, in the order in which that of the patterns does."""
    alone = plan.group_size == 1
    width = plan.width
    (read,) = kernels(queue, render("read", width=width, alone=alone), "read")
    items = plan.group_size * plan.groups_for(a.size)
    sums = cla.Array(queue, items, np.uint32)
    given = items, plan.group_size, a.data, a.size // width, sums.data
    return Work(a.size, lambda: read(queue, *given))


def works(patterns: LocalBinaryPatterns, a: cla.Array) -> dict[str, Work]:
    """Return what is measured on the values of `a`, of which the device's is compared with NumPy's after all rounds."""
    queue, host = patterns.queue, a.get()
    out, copied = cla.Array(queue, 4**patterns.n, np.uint64), cla.empty_like(a)

    def with_copy() -> None:
        copied.set(host)
        patterns.histogram(copied, out).get()

    def check() -> None:
        if not np.array_equal(patterns.histogram(a).get(), by_numpy(host, patterns.n)):
            raise clrng.ClrngError(f"the patterns of {a.size} values are counted otherwise by NumPy")

    found = {
        "plain read": reading(queue, a, patterns.plan),
        "on the device": Work(a.size, partial(patterns.histogram, a, out), None, check),
        "with the copy from the host": Work(a.size, with_copy),
    }
    if a.size <= NUMPY_LARGEST:
        found["NumPy"] = Work(a.size, partial(by_numpy, host, patterns.n), Host())
    return found


def main() -> None:
    """Measure, print and save."""
    options = arguments(
        __doc__, rounds=5, values={"type": int, "help": "one size alone"}, n={"type": int, "default": 4}
    )
    queue = clrng.make_queue(options.device)
    rounds = options.rounds
    sizes = QUICK if options.quick else [options.values] if options.values else SIZES[kind_of(describe(queue.device))]
    patterns = LocalBinaryPatterns(queue, np.int32, options.n)
    about = {
        "rounds": rounds,
        "neighbours": 2 * options.n,
        "plan": vars(patterns.plan),
        "seconds_of_2015": SECONDS_OF_2015,
    }
    results = Results(options, "local_binary_patterns", queue, **about)
    rng = clrng.Generator(clrng.MRG32k3a(seed=SEED), queue)
    for size in sizes:
        a = rng.integers(0, 2**31, size, np.int32)
        row = measure(queue, works(patterns, a), rounds, "plain read", SHORTEST)
        results.add(f"{size:,} values", row)
        for name, rate in row.items():
            seconds = size / rate["rate"]
            print(f"{size:13,} {name:28} {seconds * 1e3:10.3f} ms {rate['rate'] / 1e9:9.3f} G/s {rate['ratio']:6.3f}",
                  flush=True)  # fmt: skip
    results.close()


if __name__ == "__main__":
    run(main)
