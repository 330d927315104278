"""One fresh start for latency.py, which runs this in a process of its own: print what it took, in seconds, as JSON."""

import json
import sys
from functools import partial
from time import perf_counter
from typing import Any

import pyopencl as cl

BEGIN = perf_counter()
import clrng.frontends.public  # noqa: E402  # its import is what is measured, beyond that of PyOpenCL

IMPORTED = perf_counter()

FAMILIES: dict[str, Any] = {
    "Park-Miller": partial(clrng.ParkMiller, 1, 48271),
    "LCG 2^64": partial(clrng.named, "mmix", 1),
    "MRG32k3a": clrng.MRG32k3a,
    "order 8, 2^31-1": partial(clrng.LinearRecurrence, [3, 5, 7, 11, 13, 17, 19, 23], range(1, 9), 2**31 - 1),
    "LFG 24,55": partial(clrng.LaggedFibonacci, (24, 55), "+", seed=1),
    "LFG 418,1279": partial(clrng.LaggedFibonacci, (418, 1279), "+", seed=1),
}
"""None is that of the first value, whose program is built by then."""

CALLS = 11


class TimedBuild:
    """Builds programs as clrng does, and adds up the seconds."""

    def __init__(self) -> None:
        self._build = clrng.opencl.program.build
        self.seconds = 0.0

    def __call__(self, context: cl.Context, source: str) -> cl.Program:
        """Return the built program."""
        begin = perf_counter()
        program = self._build(context, source)
        self.seconds += perf_counter() - begin
        return program


def measured(bits: clrng.BitGenerator, queue: cl.CommandQueue, values: int) -> dict[str, float]:
    """Return the seconds of building programs, of the first call with that, and of a later one."""
    clrng.opencl.program.build = build = TimedBuild()
    begin = perf_counter()
    rng = clrng.Generator(bits, queue)
    taken = []
    for _ in range(CALLS + 1):
        rng.random_raw(values)
        queue.finish()
        taken.append(perf_counter() - begin)
        begin = perf_counter()
    return {"build": build.seconds, "first call": taken[0], "warm call": sorted(taken[1:])[CALLS // 2]}


def main() -> None:
    """Measure and print. The arguments: a device or nothing, how many values a call makes, and names of families."""
    device, values, *names = sys.argv[1:]
    begin = perf_counter()
    queue = clrng.make_queue(device or None)
    clrng.Generator(clrng.ParkMiller(seed=1), queue).random_raw(1).get()
    found: dict[str, Any] = {"import": IMPORTED - BEGIN, "first value": perf_counter() - begin}
    found["families"] = {name: measured(FAMILIES[name](), queue, int(values)) for name in names}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
