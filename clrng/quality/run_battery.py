"""Run a battery on a generator: its program reads words that are drawn while it runs."""

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from threading import Event, Timer
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng.bit_generators import BitGenerator
from clrng.errors import ClrngError
from clrng.quality.batteries import BATTERIES, Report, program
from clrng.quality.battery_words import blocks, word_bytes

PIPE = 2**20
"""Bytes that a pipe holds, where the system lets that be said."""

SHOWN_RESULTS = 200
"""How many results a record has at most: the worst ones."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What is tested, how, and by what.

    Attributes
    ----------
    bit_generator : BitGenerator
    battery : str
        A key of `BATTERIES`.
    output, streams : str
        As `battery_words.blocks` takes them.
    up_to : int
        Up to how many bytes PractRand tests.
    test : int or None
        A single test of the battery.
    """

    bit_generator: BitGenerator
    battery: str
    output: str
    streams: str
    up_to: int
    test: int | None


def fed(command: list[str], words: Iterable[npt.NDArray[Any]], seconds: float | None) -> tuple[str, int | None]:
    """Run a program that reads words from its standard input until it ends; return what it printed, and its status.

    The status is None where it was ended because more than `seconds` had passed. Where ``SIGPIPE`` ends this process,
    as it does in a shell's tools, it must be ignored.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=errors, bufsize=0)  # noqa: S603  # found by `program`
        late = Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = Timer(seconds or 0, end)
        if seconds is not None:
            timer.start()
        try:
            _write(process, words)
            status = process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
        output.seek(0)
        errors.seek(0)
        told = output.read().decode(errors="replace")
        if status and not late.is_set():
            said = errors.read().decode(errors="replace").strip()
            raise ClrngError(f"{command[0]} ended with the status {status}: {said or told[-500:] or 'it said nothing'}")
        return told, None if late.is_set() else status


def _write(process: "subprocess.Popen[bytes]", words: Iterable[npt.NDArray[Any]]) -> None:
    """Write words until the program closes its end of the pipe."""
    pipe = process.stdin
    assert pipe is not None  # noqa: S101  # it was asked for
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import fcntl  # noqa: PLC0415  # not on Windows

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
    with contextlib.suppress(BrokenPipeError):
        for block in words:
            left = memoryview(np.ascontiguousarray(block).data).cast("B")
            while left:
                left = left[pipe.write(left) :]
    with contextlib.suppress(BrokenPipeError):
        pipe.close()


def run(trial: Trial, queue: cl.CommandQueue, seconds: float | None = None) -> dict[str, Any] | None:
    """Run a battery and return a record of what it said, or None if it did not end and said nothing before.

    Parameters
    ----------
    trial : Trial
    queue : pyopencl.CommandQueue
    seconds : float, optional
        After how long it is ended.

    Raises
    ------
    UnsupportedError
        If the program is not installed, or the device cannot draw the numbers.
    ValueError
        If the words cannot be made; see `blocks`.
    ClrngError
        If the program ends with an error.
    """
    battery = BATTERIES[trial.battery]
    path = program(battery)
    width = word_bytes(trial.bit_generator, trial.output)
    begun = time.monotonic()
    told = []
    ended: int | None = 0
    for arguments in battery.commands(trial.battery, width, trial.up_to, trial.test):
        left = None if seconds is None else seconds - (time.monotonic() - begun)
        text, ended = fed([path, *arguments], blocks(trial.bit_generator, trial.output, trial.streams, queue), left)
        told.append(text)
        if ended is None:
            break
    if ended is None and trial.battery != "practrand":
        return None
    report = battery.parse("".join(told))
    if not report.complete:
        if ended is None:
            return None
        raise ClrngError(f"{path} printed what cannot be read: {''.join(told)[-500:]!r}")
    return record(trial, report, time.monotonic() - begun, ended=ended is not None)


def record(trial: Trial, report: Report, seconds: float, *, ended: bool) -> dict[str, Any]:
    """Return what a battery said, as plain values."""
    battery = BATTERIES[trial.battery]
    worst = sorted(report.results, key=lambda result: result.distance)
    failing = [result for result in worst if result.verdict == "fails"]
    sizes = [result.size for result in failing if result.size is not None]
    return {
        "parameters": trial.bit_generator.parameters,
        "output": trial.output,
        "streams": trial.streams,
        "battery": trial.battery,
        "version": report.version or battery.version,
        "test": trial.test,
        "bits": 8 * word_bytes(trial.bit_generator, trial.output),
        "bytes": report.bytes_tested,
        "ended": ended,
        "seconds": round(seconds, 1),
        "p_values": len(report.results),
        "failing": len(failing),
        "suspicious": sum(result.verdict == "suspicious" for result in report.results),
        "first_failing_size": min(sizes, default=None),
        "results": [asdict(result) for result in worst[:SHOWN_RESULTS]],
    }
