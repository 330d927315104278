"""How fast do many resident streams give their next 1, 10 and 100 values, beside the device's write wall?

The shapes are those of the papers of 2008 and 2009: up to 4 million streams, and 250 million where memory allows.
"""

from functools import partial

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from common import arguments, save

import clrng
from clrng import bench
from clrng.devices import describe

COUNTS = [2**12, 2**16, 2**20, 2**22, 4_000_000, 250_000_000]
STEPS = [1, 10, 100]


def measure(queue: cl.CommandQueue, count: int, steps: int, arithmetic: str, rounds: int) -> dict[str, object]:
    """Return the rates of all values, of the last values only, and of the wall for the same buffer."""
    streams = clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), count, queue=queue, arithmetic=arithmetic)
    every, last = cla.Array(queue, (steps, count), np.uint32), cla.Array(queue, count, np.uint32)
    works = {
        "wall": (steps * count, bench.wall(queue, every.ravel())),
        "all": (steps * count, partial(streams.random_raw, steps, out=every)),
        "last": (steps * count, partial(streams.random_raw, steps, "last", out=last)),
    }
    *_, rates = bench.rounds(queue, works, rounds, "wall")
    return {"count": count, "steps": steps, "arithmetic": arithmetic, **{rate.name: vars(rate) for rate in rates}}


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds={"type": int, "default": 5}, arithmetic={"default": "auto"})
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    rows = []
    for count in COUNTS:
        for steps in STEPS:
            if 4 * count * steps > min(device.largest_allocation, device.memory // 3):
                print(f"{count:>11,} streams, {steps:3} steps: more than the device allocates at once")
                continue
            row = measure(queue, count, steps, options.arithmetic, options.rounds)
            rows.append(row)
            print(
                f"{count:>11,} streams, {steps:3} steps: all {row['all']['rate'] / 1e9:8.2f} G/s, "
                f"{row['all']['ratio']:.3f} of the wall; last only {row['last']['rate'] / 1e9:8.2f} G/s"
            )
    save(options, "streams", queue, {"rows": rows})


if __name__ == "__main__":
    main()
