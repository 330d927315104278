"""Run a battery on a generator: its program reads words that are drawn while it runs."""

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from threading import TIMEOUT_MAX, Event, Timer
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng.errors import ClrngError
from clrng.generators import BitGenerator
from clrng.quality import short_battery
from clrng.quality.batteries import BATTERIES, SHORT, Report, TestResult, Wanted, program
from clrng.quality.battery_words import blocks, word_bytes
from clrng.version import __version__

PIPE = 2**20
"""Bytes that a pipe holds, where the system lets that be said."""

FROM_SHORT = {"pass": "passes", "suspicious": "suspicious", "fail": "fails"}
"""The verdicts of the short battery, as those of others are called."""

SHOWN_RESULTS = 200
"""How many results a record has at most: the worst ones."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What is tested, how, and by what.

    Attributes
    ----------
    bit_generator : BitGenerator
    battery : str
        A key of `BATTERIES`, or `SHORT`.
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


def fed(command: list[str], words: Iterable[npt.NDArray[Any]], seconds: float | None) -> tuple[str, bool]:
    """Run a program that reads words from its standard input until it ends.

    Parameters
    ----------
    command : list of str
    words : iterable of ndarray
    seconds : float or None
        After how long it is ended.

    Returns
    -------
    text : str
        What it printed.
    ended : bool
        Whether it ended by itself.

    Raises
    ------
    ClrngError
        If it ended with an error.

    Notes
    -----
    A program ends before the words do. Where ``SIGPIPE`` ends a process, as it does that of the command line, that must
    be switched off before.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=errors, bufsize=0)  # noqa: S603  # found by `program`
        late = Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = Timer(min(seconds or 0, TIMEOUT_MAX), end)
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
        return told, not late.is_set()


def _write(process: "subprocess.Popen[bytes]", words: Iterable[npt.NDArray[Any]]) -> None:
    """Write words until the program closes its end of the pipe."""
    pipe = process.stdin
    assert pipe is not None  # noqa: S101  # it was asked for
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import fcntl  # noqa: PLC0415  # not on Windows

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
    try:
        with contextlib.suppress(BrokenPipeError):
            for block in words:
                left = memoryview(np.ascontiguousarray(block).data).cast("B")
                while left:
                    left = left[pipe.write(left) :]
    finally:
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
    begun = time.monotonic()
    ended = True
    width = word_bytes(trial.bit_generator, trial.output)
    if trial.battery == SHORT:
        words = next(blocks(trial.bit_generator, trial.output, trial.streams, queue))
        report = short_report(words, 8 * width)
    else:
        told, ended = printed(trial, width, queue, seconds)
        if not ended and trial.battery != "practrand":
            return None
        report = BATTERIES[trial.battery].parse(told)
    if report.complete:
        return record(trial, report, time.monotonic() - begun, ended=ended)
    if not ended:
        return None
    raise ClrngError(f"{BATTERIES[trial.battery].program} printed what cannot be read: {told[-500:]!r}")


def printed(trial: Trial, width: int, queue: cl.CommandQueue, seconds: float | None) -> tuple[str, bool]:
    """Return what the program of a battery printed, in all of its runs, and whether it came to its end in time."""
    battery = BATTERIES[trial.battery]
    path = program(battery)
    begun = time.monotonic()
    told = []
    for arguments in battery.commands(Wanted(width, trial.up_to, trial.test)):
        left = None if seconds is None else seconds - (time.monotonic() - begun)
        text, ended = fed([path, *arguments], blocks(trial.bit_generator, trial.output, trial.streams, queue), left)
        told.append(text)
        if not ended:
            return "".join(told), False
    return "".join(told), True


def short_report(words: npt.NDArray[Any], bits: int) -> Report:
    """Return what the short battery says of words of this many bits; each p-value is of the nearer tail."""
    if words.ndim > 1:  # of three bytes
        words = words.astype(np.uint32) @ np.array([1, 2**8, 2**16], np.uint32)
    results = []
    for result in short_battery.run(words, bits):
        p = result.upper if result.upper < result.lower else 1 - result.lower
        results.append(TestResult(result.test, p, FROM_SHORT[result.verdict]))
    return Report(results, complete=True, bytes_tested=words.size * bits // 8)


def version_of(battery: str) -> str:
    """Return what a battery is a part of, with its version."""
    return f"clrng {__version__}" if battery == SHORT else BATTERIES[battery].version


def record(trial: Trial, report: Report, seconds: float, *, ended: bool) -> dict[str, Any]:
    """Return what a battery said, as plain values."""
    worst = sorted(report.results, key=lambda result: result.distance)
    failing = [result for result in worst if result.verdict == "fails"]
    sizes = [result.size for result in failing if result.size is not None]
    return {
        "parameters": trial.bit_generator.parameters,
        "output": trial.output,
        "streams": trial.streams,
        "battery": trial.battery,
        "version": report.version or version_of(trial.battery),
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
