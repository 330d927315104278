"""How fast do many resident streams give their next 1, 10 and 100 values, beside the device's write wall?

The shapes are those of the papers of 2008 and 2009: up to 4 million streams, and 250 million where memory allows. All
values of a call are written, or the last ones; the wall is the best plain store of all of them, which is one of the
caches where these hold as many.
"""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, measure, run, wall

import clrng
from clrng.measuring.timing import Work, poison
from clrng.opencl.devices import describe

COUNTS = [2**12, 2**16, 2**20, 2**22, 4_000_000, 250_000_000]
QUICK_COUNTS = [2**12]
STEPS = [1, 10, 100]
BITS = clrng.ParkMiller(seed=1)


class Resident:
    """Streams by jumps that go on from call to call, and where the host knows them to be.

    Parameters
    ----------
    streams : Streams
    steps : int
        Of every stream in a call.
    """

    def __init__(self, streams: clrng.Streams, steps: int) -> None:
        self._streams, self._steps, self._taken = streams, steps, 0

    def work(self, keep: str, out: cla.Array) -> Work:
        """Return a call that keeps "all" values or the "last" ones in `out`, after one that was checked.

        Raises
        ------
        ClrngError
            If a value of the first, the middle or the last stream is wrong; so does the check of what is returned.
        """

        def call() -> None:
            self._streams.random_raw(self._steps, keep, out=out)
            self._taken += self._steps

        def once_more() -> None:
            poison(out)
            call()
            count = self._streams.count
            for i in (0, count // 2, count - 1):
                begin = BITS.jumped(BITS.period // count * i + self._taken - self._steps)
                expected = begin.sequence(self._steps)[-1 if keep == "last" else 0 :]
                if not np.array_equal(found := np.array([row[i : i + 1].get()[0] for row in rows(out)]), expected):
                    raise clrng.ClrngError(f"wrong values of stream {i} of {count} from {self._streams!r}: {found}")

        once_more()
        return Work(self._streams.count * self._steps, call, None, once_more)


def rows(out: cla.Array) -> list[cla.Array]:
    """Return the values of all streams after each step that `out` has."""
    return [out] if out.ndim == 1 else [out[j] for j in range(len(out))]


def row(queue: cl.CommandQueue, count: int, steps: int, arithmetic: str, rounds: int) -> dict[str, Any]:
    """Return the rates of all values, of the last values only, and of the wall for the same buffer."""
    streams = clrng.Streams.by_jumps(BITS, count, queue=queue, arithmetic=arithmetic)
    every, last = cla.Array(queue, (steps, count), np.uint32), cla.Array(queue, count, np.uint32)
    resident = Resident(streams, steps)
    works = {
        "wall": wall(queue, every.ravel()),
        "all": resident.work("all", every),
        "last": resident.work("last", last),
    }
    found = measure(queue, works, rounds)
    return {"count": count, "steps": steps, "arithmetic": streams.arithmetic, **found}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, rounds=5, arithmetic={"default": "auto"})
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    rounds = options.rounds
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
