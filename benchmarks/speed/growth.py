"""What does one request cost, from a single value to billions?

A request is a call and waiting for its end. Each generator goes on along one stream from size to size; the first call
of a size, which may have something to set up, is timed apart and its values are checked. What the warm calls took is
told as the median, the lowest and the highest of the rounds. In the same rounds stand the fastest plain store of as
many values of 4 bytes, an empty launch, and NumPy's PCG64 and cuRAND's Philox where they are.

Of each the overhead is the time of the smallest request, the plateau the highest rate, and the knee the number of
values from which on half the plateau is reached.
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import exp, log
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, attempt, empty_launch, kind_of, run
from harness.typical import typical
from peers.peers_cuda import curand

import clrng
from clrng.measuring import timing
from clrng.measuring.timing import Waiting, Work, check, poison
from clrng.opencl.devices import describe

GENERATORS = typical("PCG64", "MRG32k3a", "Park-Miller", "LCG 2^64", "LFG 24,55", "LFG 418,1279")
LARGEST = {"gpu": 2**32, "cpu": 2**28}
QUICK_LARGEST = 2**10
NEW_LARGEST = 2**28
"""The most values of a request for a new array."""

NUMPY_LARGEST = 2**24
"""The most of NumPy, whose rate has long been the same by then."""

SHORTEST, LONGEST = 0.004, 0.4
"""Seconds: calls are repeated for so long in a round, and there are no more rounds once they took so long together."""

MOST_CALLS = 100


class Stream:
    """One generator on one device, whose requests fill the beginning of `buffer`."""

    def __init__(self, queue: cl.CommandQueue, bits: clrng.BitGenerator, buffer: cla.Array) -> None:
        self._rng = clrng.Generator(bits.copy(), queue)
        self._queue = queue
        self.out = cla.Array(queue, buffer.nbytes // bits.dtype.itemsize, bits.dtype, data=buffer.base_data)

    def first(self, n: int) -> float:
        """Return the seconds of the first request for `n` values, after checking them."""
        out, bits = self.out[:n], self._rng.bit_generator.copy()
        poison(out)
        begin = perf_counter()
        self._rng.random_raw(out=out)
        self._queue.finish()
        taken = perf_counter() - begin
        check(bits, out, self._queue.device.name)
        return taken

    def into(self, n: int) -> Work:
        """Return the request for `n` values in the buffer."""
        return Work(n, partial(self._rng.random_raw, out=self.out[:n]))

    def new(self, n: int) -> Work:
        """Return the request for a new array of `n` values."""
        return Work(n, partial(self._rng.random_raw, n))


def once(queue: Waiting, call: Callable[[], object]) -> float:
    """Return the median seconds of a call and of waiting for its end, over some of them."""
    taken: list[float] = []
    while len(taken) < MOST_CALLS and sum(taken) < SHORTEST:
        begin = perf_counter()
        call()
        queue.finish()
        taken.append(perf_counter() - begin)
    return median(taken)


def requests(queue: cl.CommandQueue, works: dict[str, Work], rounds: int) -> dict[str, dict[str, float]]:
    """Return the seconds of a request of each of `works`: the median of the rounds, the lowest and the highest."""
    for work in works.values():
        work.call()
        (work.queue or queue).finish()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            if sum(taken[name]) < LONGEST:
                taken[name].append(once(work.queue or queue, work.call))
    return {
        name: {"values": works[name].values, "seconds": median(found), "low": min(found), "high": max(found)}
        for name, found in taken.items()
    }


def plain_store(queue: cl.CommandQueue, out: cla.Array) -> Work | None:
    """Return the fastest plain store to `out`, or None where it is no whole number of tiles."""
    plans = [plan for plan in timing.store_plans(describe(queue.device)) if out.size % plan.tile == 0]
    calls = [timing.store(queue, plan, out) for plan in plans]
    for call in calls:
        call()
    return Work(out.size, min(calls, key=partial(once, queue))) if calls else None


def numpy_request(n: int) -> Work:
    """Return the request for a new array of `n` values of 32 bits of NumPy's PCG64."""
    rng = np.random.Generator(np.random.PCG64(1))
    return Work(n, lambda: rng.integers(0, 2**32, n, np.uint32), Host())


def works_of(results: Results, queue: cl.CommandQueue, streams: dict[str, Stream], n: int) -> dict[str, Work]:
    """Return all that makes `n` values, by name."""
    found: dict[str, Work | None] = {name: stream.into(n) for name, stream in streams.items() if n <= stream.out.size}
    usual = streams["Park-Miller"]
    found["Park-Miller, new array"] = usual.new(n) if n <= NEW_LARGEST else None
    found["wall"] = plain_store(queue, usual.out[:n])
    found["empty launch"] = Work(1, empty_launch(queue)) if n == 1 else None
    found["NumPy PCG64"] = numpy_request(n) if n <= NUMPY_LARGEST else None
    found["cuRAND Philox"] = attempt(results, "cuRAND Philox", lambda: curand(n, "PHILOX4_32_10"))
    return {name: work for name, work in found.items() if work}


def knee(points: list[dict[str, float]]) -> float:
    """Return where the rate first is half of the highest, between the points on a logarithmic scale."""
    rates = [(log(point["values"]), log(point["values"] / point["seconds"])) for point in points]
    half = max(rate for _, rate in rates) - log(2)
    for (n0, rate0), (n1, rate1) in pairwise(rates):
        if rate0 < half <= rate1:
            return exp(n0 + (n1 - n0) * (half - rate0) / (rate1 - rate0))
    return points[0]["values"]


def told(name: str, points: list[dict[str, float]]) -> dict[str, Any]:
    """Return the row of what was measured: its points, and what sums them up."""
    rate = max(point["values"] / point["seconds"] for point in points)
    row = {"overhead": points[0]["seconds"], "plateau": rate, "knee": knee(points), "points": points}
    return row if name != "empty launch" else {"overhead": points[0]["seconds"], "points": points}


def largest(queue: cl.CommandQueue, most: int) -> int:
    """Return the most values of 4 bytes, at most `most` and a power of two, of which the device allocates twice."""
    device = describe(queue.device)
    room = min(device.largest_allocation, device.memory // 3) // 8
    return min(most, 1 << (room.bit_length() - 1))


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=3, most={"type": int, "help": "the most values of a request"})
    queue = clrng.make_queue(options.device)
    usual = QUICK_LARGEST if options.quick else LARGEST[kind_of(describe(queue.device))]
    most, rounds = largest(queue, options.most or usual), options.rounds
    results = Results(options, "growth", queue, rounds=rounds, most=most)
    buffer = cla.Array(queue, most, np.uint64)
    streams = {name: Stream(queue, bits, buffer) for name, bits in GENERATORS.items()}
    points: dict[str, list[dict[str, float]]] = {}
    sizes = [4**k for k in range(most.bit_length()) if 4**k <= most]
    for done, n in enumerate(sizes, 1):
        firsts = {name: stream.first(n) for name, stream in streams.items()}
        for name, point in requests(queue, works_of(results, queue, streams, n), rounds).items():
            points.setdefault(name, []).append(point | ({"first": firsts[name]} if name in firsts else {}))
            results.add(name, told(name, points[name]))
            first = f", the first {firsts[name] * 1e6:.1f}" if name in firsts else ""
            print(
                f"[{done}/{len(sizes)}] {n:13,} {name:22} {point['seconds'] * 1e6:12.1f} us "
                f"({point['low'] * 1e6:.1f} to {point['high'] * 1e6:.1f}{first})  {n / point['seconds'] / 1e9:.3g} G/s",
                flush=True,
            )
    for name, row in results.rows.items():
        if "knee" in row:
            print(
                f"{name:22} {row['overhead'] * 1e6:8.1f} us at least, {row['plateau'] / 1e9:8.2f} G/s at best, "
                f"half of that from {row['knee']:,.0f} values on"
            )
    results.close()


if __name__ == "__main__":
    run(main)
