"""Run many test batteries at once, as many as there are processors, until all have ended or the time is up.

    python benchmarks run_many JOBS... --results FILE.jsonl [--processes N] [--seconds S] [--device D ...]

Each line of a file of jobs has the options of ``clrng quality``; empty lines and what follows a # are skipped. A line
with {name} becomes a job for each generator of the catalogue by its name. One with ``--battery crush`` and no
``--test`` becomes 96 jobs, one for each test, each on the stream from its beginning.

Each job that ends becomes a line of the results at once: a JSON object. Jobs that are in the file already are skipped,
so that the same command goes on where it was stopped. What has not ended when the time is up, or at Ctrl-C, is killed
and not recorded; PractRand is, with the size that it came to, and is run anew by the next call. ``python benchmarks
collect`` makes a file a generator of the results.
"""

import argparse
import json
import multiprocessing
import os
import shlex
import signal
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

from clrng import NAMED
from clrng.cli.quality import quality, tested
from clrng.opencl.devices import make_queue
from clrng.quality.batteries import CRUSH_TESTS
from quality.collect import records_in

LEAST = 5.0
"""Seconds that must be left for a job to be begun."""

GRACE = 10.0
"""Seconds after which workers are ended that have not ended by themselves, as they make states of many words."""


def jobs_in(files: list[str]) -> list[str]:
    """Return the jobs of files, each as the options of ``clrng quality``, without those that were there before."""
    found: dict[str, None] = {}
    for file in files:
        for line in Path(file).read_text().splitlines():
            words = line.partition("#")[0].split()
            if not words:
                continue
            job = " ".join(words)
            for one in (job.replace("{name}", name) for name in NAMED) if "{name}" in job else (job,):
                if "--battery crush" in one and "--test" not in words:
                    found |= dict.fromkeys(f"{one} --test {number}" for number in range(1, CRUSH_TESTS + 1))
                else:
                    found[one] = None
    return list(found)


def options_of(job: str) -> dict[str, Any]:
    """Return the options of a job as the command line reads them."""
    return dict(quality.make_context("quality", shlex.split(job)).params)


def run_job(job: str, queue: Any, end: float) -> dict[str, Any] | None:
    """Run one job; return its record, or what was wrong, or None if it did not end in time."""
    try:
        options = options_of(job)
        for unused in ("seconds", "file", "device"):
            options.pop(unused)
        found = tested(options, queue, max(end - time.time(), 0.1), job)
    except Exception as error:  # noqa: BLE001  # the other jobs go on
        return {"error": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}
    return found and {"job": job, **found}


def work(device: str | None, end: float, jobs: Any, results: Any) -> None:
    """Run jobs from one queue and put records into the other, until there is none left or no time."""
    with suppress(KeyboardInterrupt):
        queue = make_queue(device)
        while time.time() < end - LEAST:
            job = jobs.get()
            if job is None:
                break
            row = run_job(job, queue, end)
            results.put((job, row))
            if row and not row.get("ended", True):  # the time is up, or the user has ended it
                break
    results.put(None)


def main() -> None:
    """Run what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="+", help="files of jobs")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--device", action="append", help="as of clrng quality; several are taken by turns")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    end = time.time() + options.seconds
    done = {record["job"] for record in records_in(options.results) if record["ended"]}
    every = jobs_in(options.jobs)
    todo = [job for job in every if job not in done]
    print(f"{len(todo)} of {len(every)} jobs to do, by {options.processes} processes", flush=True)
    context = multiprocessing.get_context("spawn")
    jobs, results = context.Queue(), context.Queue()
    for job in [*todo, *[None] * options.processes]:
        jobs.put(job)
    devices = options.device or [None]
    workers = [
        context.Process(target=work, args=(devices[i % len(devices)], end, jobs, results), daemon=True)
        for i in range(min(options.processes, len(todo)))
    ]
    for worker in workers:
        worker.start()
    sys.exit(gather(results, options.results, workers, len(todo), end + GRACE))


def gather(results: Any, file: Path, workers: list[Any], count: int, end: float) -> int:
    """Write each record as it comes, until every worker has ended or it is `end`; return 1 if a job failed."""
    running, finished, failed = len(workers), 0, 0
    earlier = file.read_text() if file.exists() else ""
    with file.open("w") as output:
        output.write(earlier[: earlier.rfind("\n") + 1])  # without a line that was cut off
        output.flush()
        while running and time.time() < end:
            try:
                got = results.get(timeout=2)
            except KeyboardInterrupt:
                end = min(end, time.time() + GRACE)
                continue
            except Empty:
                if not any(worker.is_alive() for worker in workers):
                    break
                continue
            if got is None:
                running -= 1
                continue
            job, row = got
            if row is None:
                print(f"not ended: {job}", flush=True)
                continue
            if "error" in row:
                failed += 1
                print(f"ERROR {job}: {row['error']}\n{row['traceback']}", flush=True)
                continue
            finished += 1
            output.write(json.dumps(row) + "\n")
            output.flush()
            worst = row["results"][0] if row["results"] else {"p": "", "name": ""}
            print(f"[{finished}/{count}] {row['seconds']:7.1f} s  {row['failing']:3} fail  {job}  "
                  f"({worst['name']}: {worst['p']})", flush=True)  # fmt: skip
    print(f"{finished} recorded, {failed} failed, {count - finished - failed} left", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    main()
