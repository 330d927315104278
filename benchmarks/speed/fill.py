"""How close does each arithmetic come to the device's write wall, filling a buffer with one exact stream?"""

from collections.abc import Iterator

import pyopencl as cl
from harness.common import Results, arguments, buffer_bytes, kind_of, run

import clrng
from clrng.measuring import timing
from clrng.measuring.timing import Rates
from clrng.opencl.devices import describe
from clrng.opencl.traits import LONGEST_LOOP

MIB = {"gpu": 4096, "cpu": 1024}
QUICK_MIB = 1
QUICK_STEPS = 16


def keep(results: Results, kind: str, measured: Iterator[Rates], rounds: int) -> None:
    """Add the rates so far after every round."""
    for done, rates in enumerate(measured, 1):
        results.add(kind, rates)
        print(f"[{done}/{rounds}] {kind}", flush=True)


def size(queue: cl.CommandQueue, mib: int | None, *, quick: bool) -> int:
    """Return the bytes of the buffer: of `mib` MiB, or what is usual for the device and fits it."""
    device = describe(queue.device)
    usual = QUICK_MIB if quick else MIB[kind_of(device)]
    return buffer_bytes(device, mib, usual)


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds=5)
    queue = clrng.make_queue(options.device)
    bits, nbytes = clrng.ParkMiller(seed=1), size(queue, options.mib, quick=options.quick)
    rounds = options.rounds
    results = Results(options, "fill", queue, generator=repr(bits), nbytes=nbytes, rounds=rounds)
    keep(results, "fills", timing.fills(queue, bits, nbytes, rounds), rounds)
    steps = QUICK_STEPS if options.quick else LONGEST_LOOP
    keep(results, "registers", timing.registers(queue, bits, steps, rounds), rounds)
    for name, row in results.rows["fills"].items():
        alone = results.rows["registers"].get(name)
        registers = f"  {alone['rate'] / 1e9:9.2f} G/s in registers" if alone else ""
        print(f"{name:13} {row['rate'] / 1e9:9.2f} G/s  {row['ratio']:6.3f} of the wall{registers}")
    results.close()


if __name__ == "__main__":
    run(main)
