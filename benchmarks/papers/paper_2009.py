"""How does the rate depend on the size and number of work-groups? The experiment of the paper of 2009, its figure 3.

Streams, 4 million of them (2^22), are shared out among the work-items, on a CPU in vectors. For each of its streams a
work-item loads the state, makes the next 1, 10 or 100 values, and stores the state and the last value. Where there are
so few work-items that a call would take long, there are fewer streams, as many to each work-item as take 8192 turns of
its loops; and work-items for which there are no streams are not launched.

The algorithm of the paper stands beside clrng's own, where the device has double precision. The best launch of each
that moves all streams is measured again, beside a plain store of as many bytes, 12 for each stream, of which 4 are read
and 8 written. These are 48 MiB, again and again: where caches hold them, the ratio can be more than 1. A sequential
loop in C on one core of the host, which speed-ups are over, and the steps in registers, with nothing loaded or stored,
are measured too.
"""

from typing import Any

import numpy as np
import pyopencl.array as cla
from harness.common import Results, arguments, kind_of, measure, run
from harness.compiled import version

import clrng
from clrng.generators.generator_code import GeneratorCode
from clrng.measuring import timing
from clrng.measuring.timing import Work
from clrng.opencl.devices import describe
from papers.paper_2008 import PUBLISHED, beside, compared
from papers.resident import Resident, Shape, codes

STREAMS = 2**22
QUICK_STREAMS = 2**14
STEPS = [1, 10, 100]
SIZES = {"gpu": [1, 4, 8, 32, 128, 256, 512, 1024], "cpu": [1, 4, 16, 64, 256]}
"""Work-items of a work-group; CPUs have programs compiled anew for each."""

GROUPS = {"gpu": [1, 4, 16, 64, 128, 512, 2048, 8192], "cpu": [1, 4, 16, 64, 256, 1024, 8192]}
QUICK_SIZES, QUICK_GROUPS = [1, 16], [1, 64]

DOUBLES = ["double-2009", "double", "integer"]
OTHERS = ["float", "float-nofma", "integer"]
"""The arithmetics of devices without double precision."""

TURNS = 2**13
"""Turns of all loops of a work-item together, unless there is but one stream to each."""

LONGEST_CALL = 0.1
"""Seconds of a call at the rate of registers; there are fewer streams where it would be more."""

SHORTEST = 0.001
"""Seconds of one timing, but of the best."""

MOVED = 12
"""Bytes of a stream that are read and written."""


class Launches:
    """Launches of one arithmetic and number of steps.

    Parameters
    ----------
    resident : Resident
    code : GeneratorCode
    steps : int
    rate : float
        Values a second in registers.
    """

    def __init__(self, resident: Resident, code: GeneratorCode, steps: int, rate: float) -> None:
        self.resident, self.code, self.steps = resident, code, steps
        self.name = code.arithmetic.name
        self.lanes = code.max_vector_width if resident.device.kind == "cpu" else 1
        self.vectors = max(min(resident.most, int(min(rate * LONGEST_CALL / steps, 2**31))) // self.lanes, 1)

    def sizes(self, sizes: list[int]) -> list[int]:
        """Return those of `sizes` that work-groups can have."""
        most = self.resident.kernel(self.code, self.lanes).largest_group
        return [size for size in sizes if size <= min(most, self.vectors)]

    def work(self, size: int, groups: int) -> Work:
        """Return a checked call in so many groups of one size; all streams are at their beginnings before."""
        items = size * groups
        each = max(TURNS // (self.steps + 1), 1)
        self.resident.begin(min(items * each, self.vectors) * self.lanes)
        return self.resident.stepping(self.code, Shape(self.lanes, items, size), self.steps)

    def rates(self, size: int, groups: list[int], rounds: int) -> dict[str, dict[str, Any]]:
        """Return the rates of work-groups of one size by their number, as far as there are streams for all."""
        found = {}
        for number in (number for number in groups if size * number <= self.vectors):
            work = self.work(size, number)
            rate = measure(self.resident.queue, {"": work}, rounds, None, SHORTEST)[""]
            found[str(number)] = {"streams": self.resident.last.size, **rate}
        return found


def best(launches: Launches, size: int, groups: int, store: Work, levels: dict[str, float], rounds: int) -> Any:
    """Measure one launch for longer, beside `store`, a plain store of the bytes that all streams move."""
    work = launches.work(size, groups)
    wall = Work(launches.resident.most * launches.steps, store.call)
    found = measure(launches.resident.queue, {"wall": wall, launches.name: work}, rounds)
    rate = compared(found[launches.name], launches.name, levels)
    streams = launches.resident.last.size
    return {"size": size, "groups": groups, "streams": streams, "wall": found["wall"], **rate}


def sweep(results: Results, launches: Launches, sizes: list[int], groups: list[int], rounds: int) -> tuple[int, int]:
    """Measure work-groups of all sizes and numbers, a row a size; return those fastest for most streams."""
    points = []
    for size in launches.sizes(sizes):
        rates = launches.rates(size, groups, rounds)
        name = f"{launches.name}, {launches.steps} values, groups of {size}"
        about = {"arithmetic": launches.name, "steps": launches.steps, "lanes": launches.lanes, "size": size}
        results.add(name, {**about, "groups": rates})
        points += [(rate["streams"], rate["rate"], size, int(number)) for number, rate in rates.items()]
        shown = ", ".join(f"{number}: {rate['rate'] / 1e9:.3g}" for number, rate in rates.items())
        print(f"{name:45} G/s by their number: {shown}", flush=True)
    _, _, size, number = max(points)
    return size, number


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, rounds=3)
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    rounds = options.rounds
    sizes = QUICK_SIZES if options.quick else SIZES[kind_of(device)]
    groups = QUICK_GROUPS if options.quick else GROUPS[kind_of(device)]
    results = Results(options, "paper_2009", queue, rounds=rounds, published=PUBLISHED, loop=version("C"))
    exact = codes(device)
    written = {name: exact[name] for name in (DOUBLES if device.fp64 else OTHERS) if name in exact}
    levels = beside(results, queue, written, rounds)
    resident = Resident(queue, QUICK_STREAMS if options.quick else STREAMS)
    moved = cla.Array(queue, resident.most * MOVED // 4, np.uint32)
    store = Work(moved.size, timing.wall(queue, moved))
    cases = [(name, steps) for name in written for steps in STEPS]
    for place, (name, steps) in enumerate(cases, 1):
        launches = Launches(resident, written[name], steps, levels.get(f"registers, {name}", np.inf))
        fastest = sweep(results, launches, sizes, groups, rounds)
        found = best(launches, *fastest, store, levels, rounds)
        results.add(f"best of {name}, {steps} values", {"arithmetic": name, "steps": steps, **found})
        print(
            f"[{place}/{len(cases)}] {name}, {steps} values: best by {found['groups']} groups of {found['size']}, "
            f"{found['rate'] / 1e9:.4g} G/s ({found['low'] / 1e9:.4g} to {found['high'] / 1e9:.4g}), "
            f"{found['ratio']:.3f} of the wall, {found.get('of registers', np.nan):.3f} of registers, "
            f"{found.get('over the C loop', np.nan):.1f} times the C loop",
            flush=True,
        )
    results.close()


if __name__ == "__main__":
    run(main)
