"""How fast do values come from a device with memory of its own to the host's?

What a device can reach is a copy to memory that cannot be swapped out. Beside it: PyOpenCL's copy to an array of NumPy;
clrng's values in such an array, which was written to before or is new; and `clrng generate`, to nowhere and through a
pipe, from its first value to its last, beside bytes of the host through a pipe. All rates are in bytes a second.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, kind_of, measure, run

import clrng
from clrng.measuring.timing import Work, check
from clrng.opencl.devices import describe

MIB = {"gpu": 4096, "cpu": 256}
GENERATED_MIB = {"gpu": 16384, "cpu": 1024}
QUICK_MIB = 2
PIPED = 2**24
"""Bytes that a process writes to a pipe at a time."""


def pinned(queue: cl.CommandQueue, nbytes: int) -> Callable[[], object]:
    """Return a copy of `nbytes` from the device to memory of the host that is not swapped out."""
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
    buffer, made = cl.Buffer(queue.context, flags, nbytes), cla.zeros(queue, nbytes, np.uint8)
    both: Any = cl.map_flags.READ | cl.map_flags.WRITE
    memory, _ = cl.enqueue_map_buffer(queue, buffer, both, 0, (nbytes,), np.dtype(np.uint8), is_blocking=True)
    return lambda: cl.enqueue_copy(queue, memory, made.base_data)  # type: ignore[arg-type]  # PyOpenCL has narrower types


def filling(rng: clrng.Generator, out: Any) -> Work:
    """Return the fill of an array of the host with the next values, and its check."""

    def once_more() -> None:
        begin = rng.bit_generator.copy()
        out.fill(2**32 - 1)
        rng.random_raw(out=out)
        check(begin, out, "a copy to the host")

    once_more()
    return Work(out.nbytes, lambda: rng.random_raw(out=out), None, once_more)


def copies(queue: cl.CommandQueue, nbytes: int) -> dict[str, Work]:
    """Return what is measured in this process."""
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    out = np.zeros(nbytes // 4, np.uint32)
    made = rng.random_raw(min(out.size, 2**28))
    part = out[: made.size]
    return {
        "pinned memory": Work(made.nbytes, pinned(queue, made.nbytes)),
        "PyOpenCL, get": Work(made.nbytes, lambda: made.get(ary=part)),
        "random_raw(out=array)": filling(rng, out),
        "random_raw(out=numpy.ndarray)": Work(nbytes, lambda: rng.random_raw(out.size, out=np.ndarray)),  # type: ignore[arg-type]  # a new one
    }


def shell(command: str, nbytes: int) -> float:
    """Return the bytes a second of a command that writes `nbytes`."""
    begin = time.perf_counter()
    subprocess.run(command, shell=True, check=True)  # noqa: S602  # the commands below
    return nbytes / (time.perf_counter() - begin)


def commands(device: str | None, nbytes: int) -> dict[str, str]:
    """Return the commands that are measured, by name."""
    wanted = f" --device {device}" if device else ""
    generate = f"{sys.executable} -m clrng generate -g park_miller --count {nbytes // 4}{wanted} 2> {os.devnull}"
    loop = f"import os; b = bytes({PIPED}); [os.write(1, b) for _ in range({nbytes // PIPED})]"
    return {
        f"generate > {os.devnull}": f"{generate} > {os.devnull}",
        "generate | cat": f"{generate} | cat > {os.devnull}",
        "zeros of the host | cat": f"{sys.executable} -c '{loop}' | cat > {os.devnull}",
    }


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds=3)
    queue = clrng.make_queue(options.device)
    kind, rounds = kind_of(describe(queue.device)), options.rounds
    mib = options.mib or (QUICK_MIB if options.quick else MIB[kind])
    generated = 2**20 * (PIPED // 2**20 if options.quick else GENERATED_MIB[kind])
    results = Results(options, "to_host", queue, nbytes=mib * 2**20, generated=generated, rounds=rounds)
    found = measure(queue, copies(queue, mib * 2**20), rounds, "pinned memory")
    for name, command in commands(options.device, generated).items():
        rates = sorted(shell(command, generated) for _ in range(rounds))
        found[name] = {"values": generated, "rate": rates[rounds // 2], "low": rates[0], "high": rates[-1]}
    for name, row in found.items():
        results.add(name, row)
        share = f"{row['ratio']:.2f} of a copy to pinned memory" if "ratio" in row else ""
        print(f"{name:32} {row['rate'] / 1e9:8.2f} GB/s  {share}", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
