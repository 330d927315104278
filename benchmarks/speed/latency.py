"""What does a request of each size cost, the import, the first value, and the building of each family's programs?

Requests of a size follow one another, those of all families taking turns, and each is waited for. A family may make
many values ahead, so that some requests take longer than most: the mean counts these in, the median does not.

Fresh starts are processes of their own: each cold one has an empty folder for the caches of PyOpenCL and the driver,
the others find there what the last cold one built. In each of them every family makes its first 2^20 values, of which
the seconds of building programs are told apart, and then some more (`fresh_start.py`).
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, empty_launch, run

import clrng
from speed import fresh_start
from speed.fresh_start import FAMILIES

VALUES = 2**20
"""Values of a call of a family."""

PLAIN = "Park-Miller"
"""The family that the others are compared with."""

MORE_FAMILIES: dict[str, Any] = {
    "LFG 5,17": partial(clrng.LaggedFibonacci, (5, 17), "+", seed=1),
    "LFG 103,250 xor": partial(clrng.LaggedFibonacci, (103, 250), "xor", seed=1),
    "LFG 24,55 64 bit": partial(clrng.LaggedFibonacci, (24, 55), "+", 64, seed=1, output=(32, 32)),
    "LFG 4187,9689": partial(clrng.LaggedFibonacci, (4187, 9689), "+", seed=1),
}
"""Lagged Fibonacci generators of which requests are measured too."""

MOST_VALUES = 2**30
"""About as many values of a family are made of one size, unless the fewest requests are more."""

FEWEST_REQUESTS, MOST_REQUESTS = 33, 400


def timed(queue: cl.CommandQueue, works: dict[str, Callable[[], object]], count: int) -> dict[str, list[float]]:
    """Return the seconds of each call of each work and of waiting for it, the works taking turns."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(count):
        for name, work in works.items():
            begin = time.perf_counter()
            work()
            queue.finish()
            taken[name].append(time.perf_counter() - begin)
    return {name: found[count // 10 :] for name, found in taken.items()}


def calls(queue: cl.CommandQueue, works: dict[str, Callable[[], object]], count: int) -> dict[str, float]:
    """Return the median seconds of each work and of waiting for it, the works taking turns."""
    return {name: median(found) for name, found in timed(queue, works, count).items()}


def fresh(device: str | None, cache: Path, families: list[str]) -> dict[str, Any]:
    """Return what a new process with this folder of caches measures, in seconds."""
    folders = {"XDG_CACHE_HOME": cache, "POCL_CACHE_DIR": cache / "pocl", "CUDA_CACHE_PATH": cache / "cuda"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", fresh_start.__file__, device or "", str(VALUES), *families],
        env=os.environ | {name: str(folder) for name, folder in folders.items()},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise clrng.ClrngError(f"a fresh start failed: {ran.stderr.strip()}")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def spread(taken: list[float]) -> dict[str, float]:
    """Return the median, the lowest and the highest."""
    return {"seconds": median(taken), "low": min(taken), "high": max(taken)}


def small(results: Results, queue: cl.CommandQueue, count: int) -> None:
    """Measure small requests beside an empty launch."""
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    out = rng.random_raw(1000)
    works: dict[str, Callable[[], object]] = {
        "empty launch": empty_launch(queue),
        "1000 values": partial(rng.random_raw, 1000),
        "1000 values into out": partial(rng.random_raw, out=out),
    }
    found = calls(queue, works, count)
    launches = {name: found[name] / found["empty launch"] for name in list(works)[1:]}
    results.add("seconds", found)
    results.add("empty launches", launches)
    for name, value in found.items():
        beside = f"  {launches[name]:6.2f} launches" if name in launches else ""
        print(f"{name:32} {value * 1e6:10.1f} us{beside}", flush=True)


def begun(results: Results, queue: cl.CommandQueue, rounds: int) -> None:
    """Measure what calls of 1024 values take of the host, which does not wait for them, beside a bare launch.

    Calls of a kind are made in rounds of 100, of which the fastest tells.
    """
    bare = cl.Kernel(cl.Program(queue.context, "__kernel void nothing() {}").build(), "nothing")
    works: dict[str, Callable[[], object]] = {
        "a bare launch": lambda: cl.enqueue_nd_range_kernel(queue, bare, (1,), (1,)),
        "an empty launch": empty_launch(queue),
    }
    for name, bits in {"PCG64": clrng.PCG64(1), "MRG32k3a": clrng.MRG32k3a(1), PLAIN: clrng.ParkMiller(1)}.items():
        rng = clrng.Generator(bits, queue)
        draws: dict[str, Callable[..., Any]] = {
            "random": rng.random, "standard_normal": rng.standard_normal, "integers": partial(rng.integers, 6),
        }  # fmt: skip
        for method, draw in draws.items():
            works[f"{name}: {method}, out"] = partial(draw, out=draw(size=1024))
            works[f"{name}: {method}"] = partial(draw, size=1024)
    least = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            begin = time.perf_counter()
            for _ in range(100):
                work()
            least[name] = min(least[name], (time.perf_counter() - begin) / 100)
            queue.finish()
    results.add("seconds of the host", least)
    for name, seconds in least.items():
        print(f"{name:32} {seconds * 1e6:10.1f} us  {seconds / least['a bare launch']:6.2f} bare launches", flush=True)


def requests(results: Results, queue: cl.CommandQueue, sizes: list[int], most: int) -> None:
    """Measure requests of each size beside the plain family's."""
    families = {PLAIN: FAMILIES[PLAIN], **FAMILIES, **MORE_FAMILIES}
    rngs = {name: clrng.Generator(make(), queue) for name, make in families.items()}
    memory = cla.Array(queue, sizes[-1] * 8, np.uint8)
    print(f"{'mean us of requests':20}" + "".join(f"{name:>18}" for name in rngs), flush=True)
    for n in sizes:
        works: dict[str, Callable[[], object]] = {}
        for name, rng in rngs.items():
            dtype = rng.bit_generator.dtype
            works[name] = partial(rng.random_raw, out=memory[: n * dtype.itemsize].view(dtype))
        found = timed(queue, works, max(min(most, MOST_VALUES // n), FEWEST_REQUESTS))
        mean = {name: fmean(taken) for name, taken in found.items()}
        row = {
            name: {"mean": mean[name], **spread(taken), "times the plain one": mean[name] / mean[PLAIN]}
            for name, taken in found.items()
        }
        results.add(f"requests of {n}", row)
        told = (f"{mean[name] * 1e6:11.1f} ({mean[name] / mean[PLAIN]:4.2f})" for name in rngs)
        print(f"2^{n.bit_length() - 1:<18}" + "".join(told), flush=True)


def keep(results: Results, found: dict[str, list[dict[str, Any]]], families: list[str]) -> None:
    """Add what the fresh starts so far have measured, by what was built before them."""
    seconds = results.rows["seconds"]
    for kind, runs in found.items():
        seconds[f"first value, {kind}"] = median(run["first value"] for run in runs)
        seconds["import"] = median(run["import"] for run in runs)
    results.add("seconds", seconds)
    for name in families:
        row: dict[str, Any] = {}
        for kind, runs in found.items():
            taken = [run["families"][name] for run in runs]
            row[kind] = {what: spread([run[what] for run in taken]) for what in ("build", "first call")}
            row["warm call"] = spread([run["warm call"] for run in taken])
        results.add(name, row)


def starts(results: Results, device: str | None, cold: int, warm: int, families: list[str]) -> None:
    """Measure fresh starts, with nothing built before and with everything; print what they took."""
    found: dict[str, list[dict[str, Any]]] = {}
    for number in range(1, cold + 1):
        with tempfile.TemporaryDirectory() as cache:
            for again in range(1 + (warm if number == cold else 0)):
                kind = "built before" if again else "nothing built"
                found.setdefault(kind, []).append(fresh(device, Path(cache), families))
                keep(results, found, families)
                print(f"[{number + again}/{cold + warm}] fresh start, {kind}", flush=True)
    for name in ("first value, nothing built", "first value, built before", "import"):
        print(f"{name:32} {results.rows['seconds'][name] * 1e6:10.1f} us", flush=True)
    for name in families:
        row = results.rows[name]
        told = [f"{row[kind][what]['seconds']:.3f}" for kind in found for what in row[kind]]
        print(
            f"{name:16} build {told[0]} s, first call {told[1]} s; built before {told[2]} s, {told[3]} s; "
            f"warm {row['warm call']['seconds'] * 1e6:.1f} us",
            flush=True,
        )


def main() -> None:
    """Measure, print and save."""
    leave = {"action": "store_true", "help": "leave the fresh starts out, and keep the rest as requests.json"}
    options = arguments(__doc__, cold={"type": int, "default": 2}, again={"type": int, "default": 4}, requests=leave)
    queue = clrng.make_queue(options.device)
    results = Results(options, "requests" if options.requests else "latency", queue, values=VALUES)
    small(results, queue, 100 if options.quick else 2000)
    begun(results, queue, 3 if options.quick else 50)
    sizes = [2**10, 2**14] if options.quick else [2**k for k in range(10, 27)]
    requests(results, queue, sizes, 20 if options.quick else MOST_REQUESTS)
    cold, again = (1, 1) if options.quick else (options.cold, options.again)
    families = ["LCG 2^64"] if options.quick else list(FAMILIES)
    if not options.requests:
        starts(results, options.device, cold, again, families)
    results.close()


if __name__ == "__main__":
    run(main)
