"""How fast do many resident streams give their next 1, 10 and 100 values, beside the device's write wall?

The shapes are those of the papers of 2008 and 2009: up to 4 million streams, and 250 million where memory allows. All
values of a call are written, or the last ones; the wall is the best plain store of all of them, which is one of the
caches where these hold as many.
"""

from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from common import Results, arguments, measure, poison, run, wall

import clrng
from clrng.bench import Work
from clrng.devices import describe

COUNTS = [2**12, 2**16, 2**20, 2**22, 4_000_000, 250_000_000]
QUICK_COUNTS = [2**12]
STEPS = [1, 10, 100]
BITS = clrng.ParkMiller(seed=1)


def check(streams: clrng.Streams, every: cla.Array, last: cla.Array) -> None:
    """Compare two calls of new streams by jumps with the host: of all values, then of the last ones.

    Raises
    ------
    ClrngError
        If a value of the first, the middle or the last stream is wrong.
    """
    steps, count = every.shape
    poison(every)
    poison(last)
    streams.random_raw(steps, out=every)
    streams.random_raw(steps, "last", out=last)
    for i in (0, count // 2, count - 1):
        expected = BITS.jumped(BITS.period // count * i).sequence(2 * steps)
        found = [every[j][i : i + 1].get()[0] for j in range(steps)]
        if not np.array_equal(found, expected[:steps]) or last[i : i + 1].get()[0] != expected[-1]:
            raise clrng.ClrngError(f"wrong values of stream {i} of {count} from {streams!r}")


def row(queue: cl.CommandQueue, count: int, steps: int, arithmetic: str, rounds: int) -> dict[str, Any]:
    """Return the rates of all values, of the last values only, and of the wall for the same buffer."""
    streams = clrng.Streams.by_jumps(BITS, count, queue=queue, arithmetic=arithmetic)
    every, last = cla.Array(queue, (steps, count), np.uint32), cla.Array(queue, count, np.uint32)
    check(streams, every, last)
    works = {
        "wall": wall(queue, every.ravel()),
        "all": Work(every.size, partial(streams.random_raw, steps, out=every)),
        "last": Work(every.size, partial(streams.random_raw, steps, "last", out=last)),
    }
    found = measure(queue, works, rounds)
    return {"count": count, "steps": steps, "arithmetic": streams.arithmetic, **found}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, rounds={"type": int, "default": 5}, arithmetic={"default": "auto"})
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    rounds = 1 if options.quick else options.rounds
    results = Results(options, "streams", queue, generator=repr(BITS), rounds=rounds)
    cases = [(count, steps) for count in (QUICK_COUNTS if options.quick else COUNTS) for steps in STEPS]
    for place, (count, steps) in enumerate(cases, 1):
        name = f"{count} x {steps}"
        if 4 * count * steps > min(device.largest_allocation, device.memory // 3):
            results.skip(name, "more than the device allocates at once")
            continue
        found = row(queue, count, steps, options.arithmetic, rounds)
        results.add(name, found)
        print(
            f"[{place}/{len(cases)}] {count:>11,} streams, {steps:3} steps: all {found['all']['rate'] / 1e9:8.3f} G/s "
            f"({found['all']['low'] / 1e9:.3f} to {found['all']['high'] / 1e9:.3f}), {found['all']['ratio']:.3f} of "
            f"the wall; last only {found['last']['rate'] / 1e9:8.3f} G/s",
            flush=True,
        )
    results.close()


if __name__ == "__main__":
    run(main)
