"""What does a small request cost, the import, and the first value, with nothing built before and with everything?

Every fresh start is a process of its own; the caches of PyOpenCL and of PoCL are put into an empty folder.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from statistics import median

import pyopencl as cl
from common import arguments, save

import clrng
from clrng import bench

FIRST_VALUE = """
import time
import pyopencl
begin = time.perf_counter()
import clrng
imported = time.perf_counter()
clrng.Generator(clrng.ParkMiller(seed=1), clrng.make_queue({device!r})).random_raw(1).get()
print(imported - begin, time.perf_counter() - imported)
"""


def calls(queue: cl.CommandQueue, works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median seconds of each work and of waiting for it, the works taking turns."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(2000):
        for name, work in works.items():
            begin = time.perf_counter()
            work()
            queue.finish()
            taken[name].append(time.perf_counter() - begin)
    return {name: median(found[200:]) for name, found in taken.items()}


def fresh(device: str | None, cache: str) -> tuple[float, float]:
    """Return the seconds of importing clrng and of the first value, in a new process with this folder of caches."""
    folders = {"XDG_CACHE_HOME": cache, "POCL_CACHE_DIR": f"{cache}/pocl", "CUDA_CACHE_PATH": f"{cache}/cuda"}
    code = FIRST_VALUE.format(device=device)
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=os.environ | folders,
        capture_output=True,
        text=True,
        check=True,
    )
    imported, first = map(float, ran.stdout.split())
    return imported, first


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__)
    queue = clrng.make_queue(options.device)
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    out = rng.random_raw(1000)
    works: dict[str, Callable[[], object]] = {
        "empty launch": bench.empty_launch(queue),
        "1000 values": partial(rng.random_raw, 1000),
        "1000 values into out": partial(rng.random_raw, out=out),
    }
    results = calls(queue, works)
    launches = {name: results[name] / results["empty launch"] for name in list(works)[1:]}
    with tempfile.TemporaryDirectory() as cache:
        _, results["first value, nothing built"] = fresh(options.device, cache)
        again = [fresh(options.device, cache) for _ in range(5)]
    results["import"] = median(row[0] for row in again)
    results["first value, built before"] = median(row[1] for row in again)
    for name, value in results.items():
        print(f"{name:32} {value * 1e6:10.1f} us" + (f"  {launches[name]:6.2f} launches" if name in launches else ""))
    save(options, "latency", queue, {"seconds": results, "empty launches": launches})


if __name__ == "__main__":
    main()
