"""How does the rate grow with the number of streams? The experiment of the paper of 2008, its figure 7.

Every stream has a work-item of its own (on a CPU every vector of streams), which loads its state, steps it many times,
and stores it and the last value. The streams are 1, 2, 4, ... and 4 million, and more where memory allows, in every
arithmetic that is exact, that of the paper among them; and `clrng.Streams`, which chooses its launches itself. Steps
are as many as a call of some milliseconds takes, at most 4096.

Beside them stand a sequential loop in C on one core of the host, which speed-ups are over, and the steps alone, in
registers, with nothing loaded or stored.
"""

from functools import partial
from typing import Any

import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import loop
from harness.common import Results, arguments, attempt, kind_of, measure, run
from harness.compiled import version

import clrng
from clrng.generators.generator_code import GeneratorCode
from clrng.measuring import timing
from clrng.measuring.timing import Work, check, poison
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.traits import LONGEST_LOOP
from papers.resident import BITS, Resident, Shape, codes

PUBLISHED = {"GeForce 8800 GTX, 2008": 833e6, "Tesla T10P, 2009": 3544e6}
"""Values a second as the papers have them: W. B. Langdon, "A fast high quality pseudo random number generator for
graphics processing units", 2008, p. 461, and "... for nVidia CUDA", 2009, section 1."""

STREAMS = {"gpu": 2**28, "cpu": 2**24}
QUICK_STREAMS = [1, 64, 2**12]
FOUR_MILLION = 4_000_000
LOOP_VALUES = 2**22

CALL = 0.016
"""Seconds that a call of many streams takes at most, unless one step takes longer,"""

LONGEST_CALL = 0.6
"""when it takes at most so many, or is left out."""

SHORTEST = 0.003
"""Seconds of one timing."""

PRODUCT = "clrng.Streams"


def shape(device: DeviceInfo, code: GeneratorCode, streams: int) -> Shape:
    """Return a launch of a work-item a stream, or on a CPU a vector, in work-groups small enough for all units."""
    if device.kind == "cpu":
        lanes = code.max_vector_width if streams % code.max_vector_width == 0 else 1
        local = 64 if streams // lanes >= 1024 * device.units else 1
    else:
        lanes, local = 1, 128 if streams >= 512 * device.units else 32
    return Shape(lanes, -(-streams // (lanes * local)) * local, local)


def steps_of(streams: int, rate: float) -> int:
    """Return a power of two of steps that take about `CALL` at this rate, or less; 0 where one takes too long."""
    if streams > rate * LONGEST_CALL:
        return 0
    return min(1 << max(int(CALL * rate / streams), 1).bit_length() - 1, LONGEST_LOOP)


def product(queue: cl.CommandQueue, out: cla.Array, steps: int) -> Work:
    """Return a call of `clrng.Streams`, one a value of `out`, after a checked one.

    Raises
    ------
    ClrngError
        If a value is wrong; so does the check of what is returned.
    """
    streams = clrng.Streams.by_jumps(BITS, out.size, 1, queue)
    calls = 0

    def call() -> None:
        nonlocal calls
        streams.random_raw(steps, "last", out=out)
        calls += 1

    def once_more() -> None:
        poison(out)
        call()
        check(BITS.jumped(calls * steps - 1), out, repr(streams))

    once_more()
    return Work(out.size * steps, call, None, once_more)


def row(
    resident: Resident, written: dict[str, GeneratorCode], streams: int, steps: dict[str, int], rounds: int
) -> dict[str, dict[str, Any]]:
    """Return the rates of so many streams, each arithmetic and `clrng.Streams` with its number of steps."""
    resident.begin(streams)
    works = {
        name: resident.stepping(code, shape(resident.device, code, streams), steps[name])
        for name, code in written.items()
        if name in steps
    }
    works[PRODUCT] = product(resident.queue, cla.Array(resident.queue, streams, BITS.dtype), steps[PRODUCT])
    found = measure(resident.queue, works, rounds, None, SHORTEST)
    return {name: {"steps": steps[name], **rate} for name, rate in found.items()}


def registers(queue: cl.CommandQueue, code: GeneratorCode) -> Work:
    """Return a call that steps states in registers."""
    return timing.stepping(queue, code, LONGEST_LOOP)


def beside(
    results: Results, queue: cl.CommandQueue, written: dict[str, GeneratorCode], rounds: int
) -> dict[str, float]:
    """Measure the loop in C and the steps in registers; return their rates by name."""
    makes = {"C loop": partial(loop, BITS, LOOP_VALUES)}
    makes |= {f"registers, {name}": partial(registers, queue, code) for name, code in written.items()}
    works = {name: work for name, make in makes.items() if (work := attempt(results, name, make))}
    found = measure(queue, works, rounds, None)
    for name, rate in found.items():
        results.add(name, rate)
        print(
            f"{name:22} {rate['rate'] / 1e9:9.4g} G/s ({rate['low'] / 1e9:.4g} to {rate['high'] / 1e9:.4g})", flush=True
        )
    return {name: rate["rate"] for name, rate in found.items()}


def compared(rate: dict[str, Any], name: str, levels: dict[str, float]) -> dict[str, Any]:
    """Return `rate` with its ratios to the loop in C and to the steps in registers, where there are these."""
    others = {"over the C loop": "C loop", "of registers": f"registers, {name}"}
    return rate | {key: rate["rate"] / levels[other] for key, other in others.items() if other in levels}


def counts(device: DeviceInfo) -> list[int]:
    """Return the numbers of streams that fit `device`; there are five arrays of them."""
    most = min(STREAMS[kind_of(device)], device.largest_allocation // 4, device.memory // 40)
    return sorted(n for n in (FOUR_MILLION, *(2**i for i in range(32))) if n <= most)


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__, rounds=3)
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    rounds = options.rounds
    results = Results(options, "paper_2008", queue, rounds=rounds, published=PUBLISHED, loop=version("C"))
    written = codes(device)
    levels = beside(results, queue, written, rounds)
    sizes = QUICK_STREAMS if options.quick else counts(device)
    resident = Resident(queue, sizes[-1])
    last = dict.fromkeys([*written, PRODUCT], 1e9)
    for place, streams in enumerate(sizes, 1):
        steps = {name: steps_of(streams, rate) for name, rate in last.items()}
        for name in (name for name in steps if not steps[name]):
            results.skip(f"{name}, {streams} streams", f"one step would take more than {LONGEST_CALL} s")
        rates = row(resident, written, streams, {name: n for name, n in steps.items() if n}, rounds)
        last |= {name: rate["rate"] for name, rate in rates.items()}
        found = {name: compared(rate, name, levels) for name, rate in rates.items()}
        results.add(f"{streams} streams", {"streams": streams, "rates": found})
        shown = ", ".join(f"{name} {rate['rate'] / 1e9:.4g}" for name, rate in rates.items())
        print(f"[{place}/{len(sizes)}] {streams:>11,} streams, G/s: {shown}", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
