"""What does it cost to hand values to PyTorch and CuPy, beside values that these make themselves?

All are float32 between 0 and 1. Calls of a size follow one another and are waited for together; the ways take turns.
Where clrng's values are checked, what is compared is what the library finds.
"""

import importlib
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
import pyopencl as cl
from harness.common import Results, arguments, attempt, run

import clrng

SIZES = [2**10, 2**14, 2**17, 2**20, 2**24, 2**28, 2**30]
QUICK_SIZES = [2**10, 2**14]
VALUES = 2**32
"""About as many values are made of a size, in as many calls, of which there are at least and at most so many."""

FEWEST, MOST = 3, 400
SEED = 2026
LARGEST_BY_HOST = 2**24
"""Copies by way of the host are measured up to this size."""

Calls = dict[str, Callable[[], object]]


def by_torch(queue: cl.CommandQueue, n: int) -> tuple[Calls, Calls]:
    """Return calls that put values into memory of PyTorch's or hand them to it: clrng's and its own."""
    torch: Any = importlib.import_module("torch")
    shared, own = clrng.default_rng(SEED, queue, allocator="cuda"), clrng.default_rng(SEED, queue)
    first = torch.from_dlpack(shared.random(n, "float32"))
    target, other = torch.empty(n, device="cuda"), torch.empty(n, device="cuda")
    ours: Calls = {
        "clrng, new, to PyTorch": lambda: torch.from_dlpack(shared.random(n, "float32")),
        "clrng, out= shared with PyTorch": lambda: shared.random(out=first),
        "clrng, out= PyTorch's own": lambda: own.random(out=target),
    }
    if n <= LARGEST_BY_HOST:
        ours["clrng, through the host, to PyTorch"] = lambda: torch.from_numpy(own.random(n, "float32").get()).cuda()
    theirs: Calls = {
        "torch.rand": lambda: torch.rand(n, device="cuda"),
        "torch, uniform_": target.uniform_,
        "torch, a copy": lambda: other.copy_(target),
    }
    compare(torch, n, queue)
    return ours, theirs


def compare(torch: Any, n: int, queue: cl.CommandQueue) -> None:
    """Check what PyTorch finds: the values that NumPy has from the same seed.

    Raises
    ------
    ClrngError
        If one is another.
    """
    rng = clrng.default_rng(SEED, queue, allocator="cuda")
    seen, filled = torch.from_dlpack(rng.random(n, "float32")), torch.empty(n, device="cuda")
    rng.bit_generator = clrng.default_rng(SEED, queue).bit_generator
    rng.random(out=filled)
    most = min(n, 2**20)
    wanted = np.random.default_rng(SEED).random(most, np.float32)
    for found in (seen, filled):
        if not np.array_equal(found[:most].cpu().numpy(), wanted):
            raise clrng.ClrngError(f"of {n} values PyTorch finds others than NumPy has")
    if not bool((seen == filled).all()):
        raise clrng.ClrngError(f"of {n} values PyTorch finds others where they were handed over than where put")


def by_cupy(_: cl.CommandQueue, n: int) -> tuple[Calls, Calls]:
    """Return CuPy's own."""
    cupy: Any = importlib.import_module("cupy")
    return {}, {"cupy.random.random": lambda: cupy.random.random(n, dtype=cupy.float32)}


def seconds(call: Callable[[], object], count: int, wait: Callable[[], None]) -> float:
    """Return the seconds of a call of so many, waited for together."""
    call()
    wait()
    begin = time.perf_counter()
    for _ in range(count):
        call()
    wait()
    return (time.perf_counter() - begin) / count


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=5)
    queue = clrng.make_queue(options.device)
    results = Results(options, "one_memory", queue, rounds=options.rounds)
    torch = attempt(results, "PyTorch", lambda: importlib.import_module("torch"))

    def wait() -> None:
        queue.finish()
        if torch is not None and torch.cuda.is_available():
            torch.cuda.synchronize()

    for n in QUICK_SIZES if options.quick else SIZES:
        rng = clrng.default_rng(SEED, queue)
        works: Calls = {"clrng, memory of OpenCL alone": partial(rng.random, n, "float32")}
        for name, make in (("PyTorch", by_torch), ("CuPy", by_cupy)):
            for calls in attempt(results, name, partial(make, queue, n)) or ():
                works |= calls
        count = max(FEWEST, min(MOST, VALUES // n))
        taken: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(options.rounds):
            for name, call in works.items():
                taken[name].append(seconds(call, count, wait))
        for name, found in taken.items():
            row = {"values": n, "seconds": median(found), "low": min(found), "high": max(found)}
            results.add(f"{name}, {n}", row)
            rate = n / row["seconds"] / 1e9
            print(f"2^{n.bit_length() - 1:<3} {name:36} {row['seconds'] * 1e6:10.1f} us {rate:8.1f} G/s", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
