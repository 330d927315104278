"""How long do sorts of up to 3 * 10^8 random numbers take, and how long the distinct ones of as many integers?

Sorted are integers below their number, by as many bits as that has, as a post of 2016 has it; integers of 32 bits; and
normals. The distinct ones of integers below 1000 are found by a sort, as there, and by counting. All is on the device
before and after. Beside it stands NumPy on one core of the host, whose result is compared with all values.
A rate is in values a second.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, kind_of, measure, run

import clrng
from clrng import order
from clrng.measuring.timing import Work
from clrng.opencl.devices import DeviceInfo, describe

SIZES = {"gpu": [10**6, 10**7, 10**8, 3 * 10**8], "cpu": [10**6, 10**7, 3 * 10**7]}
QUICK = [10**4]
DISTINCT = 1000
"""Integers below this are searched for distinct ones."""

SECONDS_OF_2016 = {"distinct of 300,000,000": {"GPU": 6.7728424, "CPU": 4.2019013}}
"""What the post says that its GPU, a Titan with 6 GB, and its CPU took."""

ARRAYS = 6
"""Arrays of 4 bytes a value for which there has to be room."""

SEED = 2026
SHORTEST = 0.02
"""Seconds of one timing."""

WARM = 1.0
"""Where NumPy takes fewer seconds, its second call is timed: the first may be slow for want of memory."""

OnHost = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]


class Case(NamedTuple):
    """What is measured.

    Attributes
    ----------
    draw : callable
        Draws n values with a generator.
    ways : dict of str to callable
        Does it on the device, in one way or another, given the array and one for the result.
    host : callable
        Does it in NumPy.
    """

    draw: Callable[[clrng.Generator, int], cla.Array]
    ways: dict[str, Callable[[cla.Array, cla.Array], cla.Array]]
    host: OnHost


def by_counting(a: cla.Array, _: cla.Array) -> cla.Array:
    """Return the distinct ones of integers below `DISTINCT`, in order."""
    return order.flatnonzero(order.bincount(a, minlength=DISTINCT))


def by_sorting(a: cla.Array, _: cla.Array) -> cla.Array:
    """Return the distinct values, in order."""
    return cast("cla.Array", order.unique(a))


CASES = {
    "integers below their number": Case(
        lambda rng, n: rng.integers(0, n, n, np.uint32),
        {"clrng": lambda a, out: order.sort(a, bits=(0, (a.size - 1).bit_length()), out=out)},
        np.sort,
    ),
    "integers of 32 bits": Case(
        lambda rng, n: rng.integers(0, 2**32, n, np.uint32), {"clrng": lambda a, out: order.sort(a, out=out)}, np.sort
    ),
    "normals": Case(
        lambda rng, n: rng.standard_normal(n, np.float32), {"clrng": lambda a, out: order.sort(a, out=out)}, np.sort
    ),
    "distinct": Case(
        lambda rng, n: rng.integers(0, DISTINCT, n, np.uint32),
        {"clrng, by sorting": by_sorting, "clrng, by counting": by_counting},
        np.unique,
    ),
}


def most_values(device: DeviceInfo) -> int:
    """Return how many values of 4 bytes there is room for."""
    return min(device.largest_allocation // 4, device.memory // 4 // ARRAYS)


def timed(work: OnHost, a: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], float]:
    """Return what `work` makes of an array, and how many seconds that took."""
    begin = perf_counter()
    return work(a), perf_counter() - begin


def measured(queue: cl.CommandQueue, case: Case, n: int, rounds: int) -> dict[str, Any]:
    """Return the rates for `n` values, after comparing all values with NumPy's.

    Raises
    ------
    ClrngError
        If a value is other.
    """
    a = case.draw(clrng.Generator(clrng.MRG32k3a(seed=SEED), queue), n)
    out, host = cla.empty_like(a), a.get()
    expected, seconds = timed(case.host, host)
    if seconds < WARM:
        seconds = timed(case.host, host)[1]
    works = {name: Work(n, partial(way, a, out)) for name, way in case.ways.items()}
    rows = measure(queue, works, rounds, None, SHORTEST)
    for name, way in case.ways.items():
        out.fill(0)
        if not np.array_equal(way(a, out).get(), expected):
            raise clrng.ClrngError(f"{name} gave other values than NumPy for {n} values")
    return rows | {"NumPy": {"values": n, **dict.fromkeys(("rate", "low", "high"), n / seconds)}}


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=3, values={"type": int, "help": "one size alone"})
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    sizes = QUICK if options.quick else [options.values] if options.values else SIZES[kind_of(device)]
    rounds = options.rounds
    results = Results(options, "sorting", queue, rounds=rounds, seconds_of_2016=SECONDS_OF_2016)
    for n in sizes:
        if n > most_values(device):
            results.skip(f"{n:,} values", f"there is room for {most_values(device):,}")
            continue
        for what, case in CASES.items():
            row = measured(queue, case, n, rounds)
            results.add(f"{what}, {n:,} values", row)
            for name, rate in row.items():
                seconds = n / rate["rate"]
                print(f"{what:28} {n:13,} {name:20} {seconds * 1e3:10.2f} ms {rate['rate'] / 1e9:8.3f} G/s", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
