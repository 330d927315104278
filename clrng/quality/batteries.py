"""Test batteries: which programs they are, what their output says, and how they are run on a generator.

A program reads words that are drawn while it runs: made of raw values, uniform numbers or values of distributions.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from threading import TIMEOUT_MAX, Event, Timer
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng import validation
from clrng.distributions.catalog import distribution
from clrng.errors import ClrngError, UnsupportedError
from clrng.frontends.generator import Generator
from clrng.frontends.streams import Streams
from clrng.generators import BitGenerator
from clrng.quality import short_battery
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

VERDICTS = {
    "pass": "passes", "passed": "passes", "suspicious": "suspicious", "very suspicious": "suspicious",
    "weak": "suspicious", "fail": "fails", "failed": "fails",
}  # fmt: skip
"""The verdict of a `TestResult` for each word of the batteries; any other word of PractRand is a pass."""

SHOWN_RESULTS = 200
"""The maximum number of results in a record: the worst ones."""

OUTPUTS = ("raw", "uniform", "normal", "exponential")
"""What words are made of; see `blocks`."""

STREAMS = ("sequential", "jumped", "spawned", "leapfrog")
"""Which values of the sequence they are made of; see `blocks`."""

COUNT = 64
"""How many streams are dealt by jumps, by spawning, or by leapfrog."""

FAR = 0x9E3779B97F4A7C15
"""The distance between streams whose period is not known, in values: an odd number near 0.618 times 2^64."""

BLOCK = 2**20
"""Values drawn at a time, a multiple of `COUNT`."""

WORD = 32
"""Bits of a word made of a uniform number."""

Draw = Callable[[str], npt.NDArray[Any]]
"""Returns the next `BLOCK` values on the host: of "raw" the raw ones, of any other `output` those in float64."""


@dataclass(frozen=True)
class TestResult:
    """What one test said, of `size` bytes where it reports on several: it "passes", "fails" or is "suspicious"."""

    name: str
    p: float
    verdict: str
    size: int | None = None


@dataclass(frozen=True)
class Report:
    """The results that a battery prints, of PractRand only the unusual ones, and what else it says of itself."""

    results: list[TestResult]
    bytes_tested: int | None
    version: str | None = None


def verdict(p: float) -> str:
    """Return what a p-value says: that a test passes, fails, or is suspicious."""
    return VERDICTS[short_battery.verdict(min(p, 1 - p))]


TESTU01_ROW = re.compile(r"^p\t(.*)$", re.MULTILINE)
TESTU01_WORDS = re.compile(r"^words\t([0-9]+)\r?$", re.MULTILINE)


def parse_testu01(text: str) -> Report | None:
    """Parse the output of `drivers/testu01.c`, from one run or several."""
    results = [
        TestResult(f"{number} {name}" if int(number) else name, float(p), verdict(float(p)))
        for number, name, p in (row.split("\t") for row in TESTU01_ROW.findall(text))
    ]
    words = [int(number) for number in TESTU01_WORDS.findall(text)]
    return Report(results, bytes_tested=4 * sum(words)) if words else None


LENGTH = re.compile(r"^length= .*\(2\^([0-9.]+) bytes\)", re.MULTILINE)
ROW = re.compile(r'^ {2}(\S+) +R[=<>] *\S+ +(?:p ?~?= *(1-)?(\S+)|"(pass|fail)") +(\S.*?) *$', re.MULTILINE)
VERSION = re.compile(r"PractRand version \S+")


def parse_practrand(text: str) -> Report | None:
    """Parse the output of PractRand's RNG_test; the verdicts are its own evaluations, which weigh p-values."""
    results = []
    parts = LENGTH.split(text)
    size = None
    for exponent, part in zip(parts[1::2], parts[2::2], strict=True):
        if "\n\n" not in part:
            continue  # cut off in the middle
        size = round(2 ** float(exponent))
        for name, near_1, p, word, evaluation in ROW.findall(part):
            found = float(p) if p else 0.5 * (word == "pass")
            said = VERDICTS.get(evaluation.rstrip("! ").lower(), "passes")
            results.append(TestResult(name, 1 - found if near_1 else found, said, size))
    version = VERSION.search(text)
    return None if size is None else Report(results, size, version[0].replace(" version", "") if version else None)


DIEHARDER_ROW = re.compile(
    r"^ *(\S+)\| *([0-9]+)\| *[0-9]+\| *[0-9]+\|([0-9.]+)\| *(PASSED|WEAK|FAILED) *$", re.MULTILINE
)


def parse_dieharder(text: str) -> Report | None:
    """Parse the output of dieharder; the verdicts are its own assessments."""
    results = [
        TestResult(name if ntuple == "0" else f"{name} {ntuple}", float(p), VERDICTS[assessment.lower()])
        for name, ntuple, p, assessment in DIEHARDER_ROW.findall(text)
    ]
    return Report(results, bytes_tested=None) if results else None


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What is tested, how, and by which battery: a key of `BATTERIES` or `SHORT`; with `test`, by that test alone.

    `output` and `streams` are as `blocks` takes them; PractRand tests at most `up_to` bytes.
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


def practrand_commands(width: int, up_to: int, _: int | None) -> list[list[str]]:
    """Return the arguments of RNG_test."""
    words = {1: "stdin8", 2: "stdin16", 3: "stdin8", 4: "stdin32", 8: "stdin64"}[width]
    return [[words, "-tlmin", f"{MIN_BYTES >> 10}KB", "-tlmax", f"{up_to >> 10}KB"]]


SMALLCRUSH = Battery(
    version="TestU01 1.2.3",
    program="clrng-testu01",
    output="uniform",
    commands=lambda *_: [["smallcrush"]],
    parse=parse_testu01,
    install="benchmarks/quality/build_driver.sh of clrng's repository makes it where TestU01 is installed",
)

BATTERIES = {
    "smallcrush": SMALLCRUSH,
    "crush": replace(
        SMALLCRUSH,
        commands=lambda _width, _up_to, test: [["crush", *([] if test is None else [str(test)])]],
        tests=(range(1, CRUSH_TESTS + 1),),
    ),
    "linearcomp": replace(
        SMALLCRUSH,
        commands=lambda *_: [["linearcomp", str(bits), str(r)] for r in LINEAR_PLACES for bits in LINEAR_BITS],
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
    """Return what a battery's words are made of by default: raw values where they have fewer bits than it looks at."""
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


def whole_bytes(bits: BitGenerator) -> int:
    """Return how many bytes of a raw value are tested: 8 of one with 64 bits, else the bytes it fills, at most 4."""
    most = bits.upper_bound.bit_length() - 1
    if most < 8:  # noqa: PLR2004  # a byte
        raise ValueError(
            f"--output must be uniform for raw values below {bits.upper_bound}, which fill no byte, not raw"
        )
    return 8 if most == 64 else min(most // 8, 4)  # noqa: PLR2004  # all of them


def word_bytes(bits: BitGenerator, output: str) -> int:
    """Return the number of bytes of each word that `blocks` yields."""
    return whole_bytes(bits) if output == "raw" else WORD // 8


def blocks(bits: BitGenerator, output: str, streams: str, queue: cl.CommandQueue) -> Iterator[npt.NDArray[Any]]:
    """Yield words without end, as arrays of unsigned integers; each is valid until the next is asked for.

    A raw value x is made uniform as x / m, m being its upper bound. With the `output` "raw", a word is the highest
    whole bytes of x: floor(2^w x / m) for the largest w of 32, 24, 16 and 8 with 2^w <= m, and x itself for m = 2^64.
    With "uniform" it is the first 32 bits of x / m, floor(2^32 x / m). With "normal" and "exponential" it is the first
    32 bits of F(y), for standard values y in float64 and their distribution function F.

    With the `streams` "sequential" these are the values one after the other; with "jumped" those of `COUNT` streams,
    each a jump of ``jump_distance`` from the one before, dealt value by value: the first of each, the second of each,
    and so on; with "spawned" those of `COUNT` children of its seed, or of its state where it has no seed, dealt
    likewise; with "leapfrog" every `COUNT`-th value, which is the first of the `COUNT` streams of a leapfrog.

    `bits` itself is not advanced. `ValueError` is raised if raw values fill no byte, or for values of distributions
    that are not "sequential", and `UnsupportedError` if double precision is needed and the device has none.
    """
    validation.choice("output", output, OUTPUTS)
    validation.choice("streams", streams, STREAMS)
    if output in ("normal", "exponential") and streams != "sequential":
        raise ValueError(f"--streams must be sequential for the values of a distribution, not {streams}")
    draw = DRAWS[streams](bits.copy(), queue)
    width, bound = 8 * word_bytes(bits, output), bits.upper_bound
    words: Iterator[npt.NDArray[Any]]
    if output in ("normal", "exponential"):
        function, most = _distribution_function(output), np.nextafter(1.0, 0.0)
        words = (_first_bits(np.minimum(function(draw(output)), most), WORD) for _ in repeat(None))
    elif output == "raw" and bound == 2**width and width == 8 * bits.dtype.itemsize:
        words = (draw("raw") for _ in repeat(None))
    else:
        words = (_scaled(bound, draw, width) for _ in repeat(None))
    if width == 24:  # noqa: PLR2004  # no dtype has three bytes
        return (each.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3] for each in words)
    return (each.astype(f"u{width // 8}", copy=False) for each in words)


def _sequential(bits: BitGenerator, queue: cl.CommandQueue) -> Draw:
    rng = Generator(bits, queue)
    memories: dict[str, Any] = {}

    def draw(what: str) -> npt.NDArray[Any]:
        memory = memories.setdefault(what, np.empty(BLOCK, bits.dtype if what == "raw" else np.float64))
        if what == "raw":
            return np.asarray(rng.random_raw(BLOCK, memory))
        if what == "uniform":
            return np.asarray(rng.random(BLOCK, "float64", memory))
        return np.asarray(rng.sample(distribution(f"standard_{what}"), BLOCK, "float64", memory))

    return draw


def _jumped(bits: BitGenerator, queue: cl.CommandQueue) -> Draw:
    distance, steps = FAR if bits.period is None else bits.jump_distance, BLOCK // COUNT
    streams = Streams.by_jumps(bits, COUNT, distance, queue)

    def draw(what: str) -> npt.NDArray[Any]:
        values = streams.random_raw(steps) if what == "raw" else streams.random(steps, "float64")
        return np.asarray(values.get()).reshape(-1)

    return draw


def _spawned(bits: BitGenerator, queue: cl.CommandQueue) -> Draw:
    entropy = getattr(bits.seed_seq, "entropy", None)
    children = bits.seeded(list(bits.words) if entropy is None else entropy).spawn(COUNT)
    streams = [Generator(child, queue) for child in children]
    steps = BLOCK // COUNT

    def draw(what: str) -> npt.NDArray[Any]:
        drawn = [rng.random_raw(steps) if what == "raw" else rng.random(steps, "float64") for rng in streams]
        return np.stack([values.get() for values in drawn], 1).reshape(-1)

    return draw


def _leapfrog(bits: BitGenerator, queue: cl.CommandQueue) -> Draw:
    draw_all = _sequential(bits, queue)
    return lambda what: np.concatenate([draw_all(what)[::COUNT].copy() for _ in range(COUNT)])


DRAWS = {"sequential": _sequential, "jumped": _jumped, "spawned": _spawned, "leapfrog": _leapfrog}


def _scaled(bound: int, draw: Draw, width: int) -> npt.NDArray[np.uint32]:
    """Return floor(2^width x / bound) for the next raw values x."""
    if bound & (bound - 1):
        return _first_bits(draw("uniform"), width)
    spare = bound.bit_length() - 1 - width
    raw = draw("raw")
    return (raw >> spare if spare >= 0 else raw << -spare).astype(np.uint32, copy=False)


def _first_bits(numbers: npt.NDArray[np.float64], width: int) -> npt.NDArray[np.uint32]:
    """Return the first `width` bits of numbers in [0, 1)."""
    return (numbers * 2.0**width).astype(np.uint32)


def _distribution_function(what: str) -> Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
    if what == "exponential":
        return lambda x: -np.expm1(-x)
    try:
        from scipy.special import ndtr  # noqa: PLC0415  # clrng runs without SciPy
    except ImportError:
        raise ValueError("--output normal needs SciPy, which is not installed; pip install scipy brings it") from None
    return ndtr  # type: ignore[no-any-return]  # of NumPy's arrays


def fed(
    command: list[str], words: Iterable[npt.NDArray[Any]], seconds: float | None, *, partly: bool = False
) -> tuple[str, bool]:
    """Run a program that reads words from its standard input until it ends, or for at most so many seconds.

    Return what it printed, and whether it ended by itself; `ClrngError` if it ended with an error. If what it printed
    `partly` counts, Ctrl-C ends it as the time does. As it ends before the words do, a process that ``SIGPIPE`` would
    end, as the command line, must ignore that signal.
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
        except KeyboardInterrupt:
            if not partly:
                raise
            late.set()
            status = -signal.SIGINT
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
    """Return a record of the results of a battery, or None if it ran out of time before it had any."""
    begun, width = time.monotonic(), word_bytes(trial.bit_generator, trial.output)
    words = partial(blocks, trial.bit_generator, trial.output, trial.streams, queue)
    if trial.battery == SHORT:
        return record(trial, short_report(next(words()), 8 * width), time.monotonic() - begun, ended=True)
    battery, told, ended = BATTERIES[trial.battery], "", True
    path, partly = program(battery), trial.battery == "practrand"
    for arguments in battery.commands(width, trial.up_to, trial.test):
        if ended:
            left = None if seconds is None else seconds - (time.monotonic() - begun)
            text, ended = fed([path, *arguments], words(), left, partly=partly)
            told += text
    report = battery.parse(told) if ended or partly else None
    if report is None and ended:
        raise ClrngError(f"{battery.program} printed what cannot be read: {told[-500:]!r}")
    return None if report is None else record(trial, report, time.monotonic() - begun, ended=ended)


def short_report(words: npt.NDArray[Any], bits: int) -> Report:
    """Return the report of the short battery on words of so many bits; p-values near 1 are of the lower tail."""
    if words.ndim > 1:  # of three bytes
        words = words.astype(np.uint32) @ np.array([1, 2**8, 2**16], np.uint32)
    results = []
    for result in short_battery.run(words, bits):
        p = result.upper if result.upper < result.lower else 1 - result.lower
        results.append(TestResult(result.test, p, VERDICTS[result.verdict]))
    return Report(results, words.size * bits // 8, f"clrng {__version__}")


def record(trial: Trial, report: Report, seconds: float, *, ended: bool) -> dict[str, Any]:
    """Return a record of what a battery said, of plain values."""
    worst = sorted(report.results, key=lambda result: min(result.p, 1 - result.p))
    failing = [result for result in worst if result.verdict == "fails"]
    sizes = [result.size for result in failing if result.size is not None]
    return {
        "parameters": trial.bit_generator.parameters,
        "output": trial.output,
        "streams": trial.streams,
        "battery": trial.battery,
        "version": report.version or BATTERIES[trial.battery].version,
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
