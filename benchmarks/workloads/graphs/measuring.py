"""What the scripts about graphs share: steps that are timed in rounds, and compared with the host's."""

import os
import time
from collections.abc import Callable
from statistics import median
from typing import Any, TypeVar

import pyopencl as cl
from harness.common import Results, attempt

Made = TypeVar("Made")
DEVICE = "clrng"


class Steps:
    """The steps of a script, each timed on the device and on the host.

    Parameters
    ----------
    results : Results
    queue : pyopencl.CommandQueue
    rounds : int
        How often each is timed.
    """

    def __init__(self, results: Results, queue: cl.CommandQueue, rounds: int) -> None:
        self._results, self._queue, self._rounds = results, queue, rounds

    def time(self, step: str, who: str, call: Callable[[], Made], **about: Any) -> Made:
        """Time a call, add its row, and return what it returned last.

        The row has the seconds of a clock, and those of this process on all cores of the host.
        """
        taken, processor = [], []
        for _ in range(self._rounds):
            self._queue.finish()
            begin, worked = time.perf_counter(), time.process_time()
            made = call()
            self._queue.finish()
            taken.append(time.perf_counter() - begin)
            processor.append(time.process_time() - worked)
        times = {"seconds": median(taken), "low": min(taken), "high": max(taken), "processor_seconds": min(processor)}
        row = self._results.rows.get(step, {})
        self._results.add(step, {**row, who: {**times, **about}})
        print(f"{step:32} {who:24} {times['seconds']:9.3f} s", flush=True)
        return made

    def device(self, step: str, call: Callable[[], Made], **about: Any) -> Made:
        """Time a call on the device."""
        return self.time(step, DEVICE, call, **about)

    def host(self, step: str, who: str, call: Callable[[], Made]) -> Made:
        """Time a call on the host."""
        return self.time(step, who, call)

    def host_tool(self, who: str, make: Callable[[], Made]) -> Made | None:
        """Return what `make` makes to compare with; None, with a line that says why, where it cannot."""
        return attempt(self._results, who, make)

    def published(self, step: str, who: str, seconds: float) -> None:
        """Add what somebody else took on another machine."""
        self._results.add(step, {**self._results.rows[step], who: {"seconds": seconds}})
        print(f"{step:32} {who:24} {seconds:9.3f} s", flush=True)


def load() -> float | None:
    """Return how many processes wanted the host's cores in the last minute, on average; None where it does not say."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def require(what: str, *, holds: bool) -> None:
    """Raise a ValueError if something does not hold."""
    if not holds:
        raise ValueError(f"not so: {what}")
