"""Test batteries: which programs they are, what their output says, and how they are run on a generator.

A program reads words that are drawn while it runs.
"""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import TIMEOUT_MAX, Event, Timer
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng.errors import ClrngError, UnsupportedError
from clrng.generators import BitGenerator
from clrng.quality import short_battery
from clrng.quality.battery_words import blocks, word_bytes
from clrng.version import __version__

FOLDER_VARIABLE = "CLRNG_BATTERIES"
"""The environment variable with the folder that is searched for programs before those of PATH."""

FOLDER = Path("~/.cache/clrng/batteries")
"""The folder that is searched while that variable is not set."""

CRUSH_TESTS = 96

DIEHARDER_TESTS = (range(18), range(100, 103), range(200, 210))
"""The numbers of dieharder's tests, as ``dieharder -l`` lists them."""

MIN_BYTES = 2**20
"""The smallest size that PractRand reports on, in bytes."""

LINEAR_BITS = (2**12, 2**14, 2**16)
"""The lengths of the bit sequences whose linear complexity is tested, one after the other."""

LINEAR_PLACES = (0, 29)
"""The bits of the words that make up these sequences, 0 the highest."""

PIPE = 2**20
"""The capacity in bytes that a pipe is given, where the system allows it."""

VERDICTS = {"pass": "passes", "suspicious": "suspicious", "fail": "fails"}
"""The verdicts of a `TestResult` for those of the short battery."""

SHOWN_RESULTS = 200
"""The maximum number of results in a record: the worst ones."""


@dataclass(frozen=True)
class TestResult:
    """What one test said; its `verdict` is "passes", "suspicious" or "fails".

    `size` is the number of bytes tested, where the battery reports on several sizes.
    """

    name: str
    p: float
    verdict: str
    size: int | None = None

    @property
    def distance(self) -> float:
        """How near the p-value is to 0 or to 1."""
        return min(self.p, 1 - self.p)


@dataclass(frozen=True)
class Report:
    """The results of a battery, of which PractRand prints only the unusual ones.

    `bytes_tested` and `version` are as the battery prints them.
    """

    results: list[TestResult]
    bytes_tested: int | None
    version: str | None = None


def verdict(p: float) -> str:
    """Return what a p-value says: that a test passes, fails, or is suspicious."""
    return VERDICTS[short_battery.verdict(min(p, 1 - p))]


def parse_testu01(text: str) -> Report | None:
    """Parse the output of `drivers/testu01.c`, from one run or several."""
    results = []
    words = None
    for line in text.splitlines():
        kind, *cells = line.split("\t")
        if kind == "p":
            number, name, p = cells
            named = f"{number} {name}" if int(number) else name
            results.append(TestResult(named, float(p), verdict(float(p))))
        elif kind == "words":
            words = (words or 0) + int(cells[0])
    return None if words is None else Report(results, bytes_tested=4 * words)


LENGTH = re.compile(r"^length= .*\(2\^([0-9.]+) bytes\)", re.MULTILINE)
ROW = re.compile(r'^ {2}(\S+) +R[=<>] *\S+ +(?:p ?~?= *(\S+)|"(pass|fail)") +(\S.*?) *$', re.MULTILINE)
VERSION = re.compile(r"PractRand version (\S+)")
FROM_EVALUATION = {"suspicious": "suspicious", "very suspicious": "suspicious", "fail": "fails"}


def parse_practrand(text: str) -> Report | None:
    """Parse the output of PractRand's RNG_test; the verdicts are its own evaluations, which weigh p-values."""
    results = []
    parts = LENGTH.split(text)
    size = None
    for exponent, part in zip(parts[1::2], parts[2::2], strict=True):
        if "\n\n" not in part:
            continue  # cut off in the middle
        size = round(2 ** float(exponent))
        for name, p, word, evaluation in ROW.findall(part):
            plain = evaluation.rstrip("! ").lower()
            found = _practrand_p(p) if p else float(word == "pass") / 2
            results.append(TestResult(name, found, FROM_EVALUATION.get(plain, "passes"), size))
    version = VERSION.search(text)
    return None if size is None else Report(results, size, f"PractRand {version[1]}" if version else None)


def _practrand_p(text: str) -> float:
    return 1 - float(text[2:]) if text.startswith("1-") else float(text)


DIEHARDER_ROW = re.compile(
    r"^ *(\S+)\| *([0-9]+)\| *[0-9]+\| *[0-9]+\|([0-9.]+)\| *(PASSED|WEAK|FAILED) *$", re.MULTILINE
)
FROM_ASSESSMENT = {"PASSED": "passes", "WEAK": "suspicious", "FAILED": "fails"}


def parse_dieharder(text: str) -> Report | None:
    """Parse the output of dieharder; the verdicts are its own assessments."""
    results = [
        TestResult(name if ntuple == "0" else f"{name} {ntuple}", float(p), FROM_ASSESSMENT[assessment])
        for name, ntuple, p, assessment in DIEHARDER_ROW.findall(text)
    ]
    return Report(results, bytes_tested=None) if results else None


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What is tested, how, and by which battery: a key of `BATTERIES` or `SHORT`; with `test`, by that test alone.

    `output` and `streams` are as `battery_words.blocks` takes them; PractRand tests at most `up_to` bytes.
    """

    bit_generator: BitGenerator
    battery: str
    output: str
    streams: str
    up_to: int
    test: int | None


Commands = Callable[[int, int, int | None], list[list[str]]]


@dataclass(frozen=True, kw_only=True)
class Battery:
    """A battery that is a program: the library it belongs to, the name of the program, and how to install it.

    `output` is what its words are made of by default. `commands` takes the bytes of a word, `up_to` and `test`, and
    returns the arguments of each run; `parse` makes a `Report` of the output, or None if that is not complete. `tests`
    are the numbers of the tests that can be run alone, in rising order.
    """

    version: str
    program: str
    output: str
    commands: Commands = field(repr=False)
    parse: Callable[[str], Report | None] = field(repr=False)
    install: str
    tests: tuple[range, ...] = ()


def of_testu01(commands: Commands, tests: tuple[range, ...] = ()) -> Battery:
    """Return a battery of TestU01, which `drivers/testu01.c` runs with the arguments of `commands`."""
    return Battery(
        version="TestU01 1.2.3",
        program="clrng-testu01",
        output="uniform",
        commands=commands,
        parse=parse_testu01,
        install="benchmarks/quality/build_driver.sh of clrng's repository makes it where TestU01 is installed",
        tests=tests,
    )


def practrand_commands(width: int, up_to: int, _: int | None) -> list[list[str]]:
    """Return the arguments of RNG_test."""
    words = {1: "stdin8", 2: "stdin16", 3: "stdin8", 4: "stdin32", 8: "stdin64"}[width]
    return [[words, "-tlmin", f"{MIN_BYTES >> 10}KB", "-tlmax", f"{up_to >> 10}KB"]]


BATTERIES = {
    "smallcrush": of_testu01(lambda *_: [["smallcrush"]]),
    "crush": of_testu01(
        lambda _width, _up_to, test: [["crush", *([] if test is None else [str(test)])]], (range(1, CRUSH_TESTS + 1),)
    ),
    "linearcomp": of_testu01(
        lambda *_: [["linearcomp", str(bits), str(r)] for r in LINEAR_PLACES for bits in LINEAR_BITS]
    ),
    "practrand": Battery(
        version="PractRand",
        program="RNG_test",
        output="raw",
        commands=practrand_commands,
        parse=parse_practrand,
        install="it is the program of PractRand, which some distributions have as practrand",
    ),
    "dieharder": Battery(
        version="dieharder 3.31.1",
        program="dieharder",
        output="raw",
        commands=lambda _width, _up_to, test: [["-g", "200", *(["-a"] if test is None else ["-d", str(test)])]],
        parse=parse_dieharder,
        install="Debian and others have it as a package of this name",
        tests=DIEHARDER_TESTS,
    ),
}
"""The batteries by name; `SHORT` is not among them, as it needs no program."""

SHORT = "short"
"""The battery that is clrng's own."""


LOOKED_AT = 30
"""The number of bits of a uniform number that the batteries of TestU01 test."""


def usual_output(battery: str, upper_bound: int = 2**LOOKED_AT) -> str:
    """Return what the words of a battery, a key of `BATTERIES` or `SHORT`, are made of by default.

    Raw values with fewer bits than the batteries of TestU01 test are tested by their whole bytes.
    """
    return BATTERIES[battery].output if battery in BATTERIES and upper_bound >= 2**LOOKED_AT else "raw"


def program(battery: Battery) -> str:
    """Return the path of a battery's program; `UnsupportedError` if it is not installed."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    folder = chosen or str(FOLDER.expanduser())
    found = shutil.which(battery.program, path=os.pathsep.join([folder, os.environ.get("PATH", os.defpath)]))
    if found is None:
        variable = f"the environment variable {FOLDER_VARIABLE}"
        about = f"that {variable} names" if chosen else f"that is searched while {variable} is not set"
        raise UnsupportedError(
            f"{battery.version} cannot be run: its program {battery.program} is neither in {folder}, the folder "
            f"{about}, nor in a folder of PATH. Install it: {battery.install}. Or set {FOLDER_VARIABLE} to the folder "
            f"that has it"
        )
    return found


def check_test(name: str, battery: str, test: int) -> None:
    """Check that a battery has a test of this number that can be run alone; errors call the number `name`."""
    numbered = {key: row.tests for key, row in BATTERIES.items() if row.tests}
    if battery not in numbered:
        raise ValueError(f"{name} is for {', '.join(numbered)}, not {battery}")
    tests = numbered[battery]
    if not any(test in some for some in tests):
        *others, last = (f"{some[0]} to {some[-1]}" for some in tests)
        legal = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must be an integer from {legal}, not {test}")


def fed(command: list[str], words: Iterable[npt.NDArray[Any]], seconds: float | None) -> tuple[str, bool]:
    """Run a program that reads words from its standard input until it ends, or for at most so many seconds.

    Return what it printed, and whether it ended by itself; `ClrngError` if it ended with an error. As it
    ends before the words do, a process that ``SIGPIPE`` would end, as the command line, must ignore that signal.
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
    """Run a battery and return a record of its results, or None if it ran out of time before it had any.

    `UnsupportedError` is raised if the program is not installed or the device cannot draw the numbers, `ValueError` if
    the words cannot be made, and `ClrngError` if the program ends with an error.
    """
    begun, ended, told = time.monotonic(), True, ""
    width = word_bytes(trial.bit_generator, trial.output)
    report: Report | None
    if trial.battery == SHORT:
        words = next(blocks(trial.bit_generator, trial.output, trial.streams, queue))
        report = short_report(words, 8 * width)
    else:
        told, ended = printed(trial, width, queue, seconds)
        report = BATTERIES[trial.battery].parse(told) if ended or trial.battery == "practrand" else None
    if report is None and ended:
        raise ClrngError(f"{BATTERIES[trial.battery].program} printed what cannot be read: {told[-500:]!r}")
    return None if report is None else record(trial, report, time.monotonic() - begun, ended=ended)


def printed(trial: Trial, width: int, queue: cl.CommandQueue, seconds: float | None) -> tuple[str, bool]:
    """Run the program of a battery; return what all of its runs printed, and whether they ended in time."""
    battery = BATTERIES[trial.battery]
    path = program(battery)
    begun = time.monotonic()
    told = []
    for arguments in battery.commands(width, trial.up_to, trial.test):
        left = None if seconds is None else seconds - (time.monotonic() - begun)
        text, ended = fed([path, *arguments], blocks(trial.bit_generator, trial.output, trial.streams, queue), left)
        told.append(text)
        if not ended:
            return "".join(told), False
    return "".join(told), True


def short_report(words: npt.NDArray[Any], bits: int) -> Report:
    """Return the report of the short battery on words of so many bits; p-values near 1 are of the lower tail."""
    if words.ndim > 1:  # of three bytes
        words = words.astype(np.uint32) @ np.array([1, 2**8, 2**16], np.uint32)
    results = []
    for result in short_battery.run(words, bits):
        p = result.upper if result.upper < result.lower else 1 - result.lower
        results.append(TestResult(result.test, p, VERDICTS[result.verdict]))
    return Report(results, bytes_tested=words.size * bits // 8)


def version_of(battery: str) -> str:
    """Return the name and the version of the library that a battery belongs to."""
    return f"clrng {__version__}" if battery == SHORT else BATTERIES[battery].version


def record(trial: Trial, report: Report, seconds: float, *, ended: bool) -> dict[str, Any]:
    """Return a record of what a battery said, of plain values."""
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
