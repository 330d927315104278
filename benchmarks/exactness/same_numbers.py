"""Compare the published digests of every generator with what a device gives, in every arithmetic exact on it.

Those of distributions are compared in the arithmetic that is taken by default.

Several processes compile and compare at once. Ends with an error if a piece is another than published.
"""

import multiprocessing
import sys
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from functools import cache
from typing import Any

import pyopencl as cl
from harness.common import Results, arguments, cores, run

import clrng
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import family_of
from clrng.opencl.devices import describe
from clrng.quality import digests
from clrng.quality.digests import DISTRIBUTIONS, Entry

MOST = 8
"""Processes, where there are cores for them."""

make_queue = cache(clrng.make_queue)


def every() -> dict[str, Entry]:
    """Return the entries of generators and of distributions, by name."""
    return {**digests.entries(), **digests.entries(DISTRIBUTIONS)}


def one_of_each_family() -> list[str]:
    """Return the name of the first entry of every family, and of the first distribution."""
    found: dict[str, str] = {}
    for name, entry in digests.entries().items():
        found.setdefault(family_of(entry.make()).generator.name, name)
    return [*found.values(), next(iter(digests.entries(DISTRIBUTIONS)))]


def compared(queue: cl.CommandQueue, name: str) -> dict[str, Any]:
    """Return how an entry of the file compares in each arithmetic, and the seconds that took."""
    began = time.perf_counter()
    row: dict[str, Any] = {"arithmetics": {}}
    entry = every()[name]
    for arithmetic in ["auto"] if entry.table == DISTRIBUTIONS else entry.exact_on(describe(queue.device)):
        found = digests.finding(queue, entry, lambda _: None, arithmetic)
        said = {} if found.passed else {"fault": found.detail}
        row["arithmetics"][arithmetic] = {"equal": found.passed, "pieces": found.cases // digests.LENGTH, **said}
    return {**row, "seconds": round(time.perf_counter() - began, 3)}


def elsewhere(device: str | None, name: str) -> dict[str, Any]:
    """Return what `compared` does, on this process's own queue."""
    return compared(make_queue(device), name)


def rows(
    device: str | None, queue: cl.CommandQueue, names: Sequence[str], processes: int
) -> Generator[tuple[str, dict[str, Any]]]:
    """Yield names and rows as they are done; a process that dies takes those with it that are left."""
    if processes == 1:
        yield from ((name, compared(queue, name)) for name in names)
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        asked = {pool.submit(elsewhere, device, name): name for name in names}
        try:
            for future in as_completed(asked):
                yield asked[future], future.result()
        except BaseException:  # such as that nobody waits for the others any more
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def main() -> None:
    """Compare, and print a line for each generator."""
    options = arguments(
        __doc__,
        names={"help": "those of the file to compare, with commas between them; by default all"},
        processes={"type": int, "default": min(cores(), MOST)},
    )
    names = options.names.split(",") if options.names else one_of_each_family() if options.quick else list(every())
    if unknown := set(names) - set(every()):
        sys.exit(f"--names must be of {digests.path()}, not {', '.join(sorted(unknown))}")
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    results = Results(options, "same_numbers", queue, values=digests.LENGTH, published=len(every()))
    for arithmetic in ARITHMETICS.values():
        if reason := arithmetic.missing(device):
            results.skip(arithmetic.name, reason)
    if not device.fp64:
        results.skip("float64 values", "the device has no double precision (fp64)")
    unequal = []
    with closing(rows(options.device, queue, names, options.processes)) as compared_rows:
        for done, (name, row) in enumerate(compared_rows, 1):
            results.add(name, row)
            for arithmetic, found in row["arithmetics"].items():
                unequal += [] if found["equal"] else [f"{name}, {arithmetic}: {found['fault']}"]
            verdict = "ok" if all(found["equal"] for found in row["arithmetics"].values()) else "FAILED"
            print(f"[{done}/{len(names)}] {name}: {', '.join(row['arithmetics'])}: {verdict}", flush=True)
    results.close()
    if unequal:
        sys.exit("\n".join(unequal))


if __name__ == "__main__":
    run(main)
