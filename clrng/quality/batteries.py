"""Test batteries that are programs of their own: where they are, how they are called, and what their output says."""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from clrng.errors import UnsupportedError

FAILS = 1e-10
"""A test fails whose p-value is nearer to 0 or to 1 than this."""

SUSPICIOUS = 1e-4
"""One that is nearer than this but does not fail is suspicious."""

FOLDER_VARIABLE = "CLRNG_BATTERIES"
"""The environment variable with the folder where programs are looked for before those of the path."""

FOLDER = Path("~/.cache/clrng/batteries")
"""The folder where they are looked for where it is not set."""

CRUSH_TESTS = 96

DIEHARDER_TESTS = (range(18), range(100, 103), range(200, 210))
"""The numbers of its tests, as ``dieharder -l`` lists them."""

SMALLEST = 2**20
"""The least that PractRand reports on, in bytes."""

LINEAR_BITS = (2**12, 2**14, 2**16)
"""How many bits the linear complexity is taken of, one after the other."""

LINEAR_PLACES = (0, 29)
"""Which bits of the words these are, 0 the highest."""


@dataclass(frozen=True)
class TestResult:
    """What one test said.

    Attributes
    ----------
    name : str
    p : float
        Its p-value.
    verdict : {"passes", "suspicious", "fails"}
    size : int or None
        Of how many bytes, where the battery reports on several sizes.
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
    """What a battery said.

    Attributes
    ----------
    results : list of TestResult
        Of PractRand those that it prints: the ones that are unusual.
    complete : bool
        Whether it came to its end.
    bytes_tested : int or None
        Up to what size, where it says so.
    version : str or None
        That of the program, where it says so.
    """

    results: list[TestResult]
    complete: bool
    bytes_tested: int | None
    version: str | None = None


def verdict(p: float) -> str:
    """Return what a p-value says: that a test passes, fails, or is suspicious."""
    distance = min(p, 1 - p)
    return "fails" if distance < FAILS else "suspicious" if distance < SUSPICIOUS else "passes"


def parse_testu01(text: str) -> Report:
    """Return what `drivers/testu01.c` printed; several runs of it may follow one another."""
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
    return Report(results, complete=words is not None, bytes_tested=None if words is None else 4 * words)


LENGTH = re.compile(r"^length= .*\(2\^([0-9.]+) bytes\)", re.MULTILINE)
ROW = re.compile(r'^ {2}(\S+) +R[=<>] *\S+ +(?:p ?~?= *(\S+)|"(pass|fail)") +(\S.*?) *$', re.MULTILINE)
VERSION = re.compile(r"PractRand version (\S+)")
FROM_EVALUATION = {"suspicious": "suspicious", "very suspicious": "suspicious", "fail": "fails"}


def parse_practrand(text: str) -> Report:
    """Return what RNG_test of PractRand printed; the evaluations are its own, which weigh p-values."""
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
    return Report(results, size is not None, size, f"PractRand {version[1]}" if version else None)


def _practrand_p(text: str) -> float:
    return 1 - float(text[2:]) if text.startswith("1-") else float(text)


DIEHARDER_ROW = re.compile(
    r"^ *(\S+)\| *([0-9]+)\| *[0-9]+\| *[0-9]+\|([0-9.]+)\| *(PASSED|WEAK|FAILED) *$", re.MULTILINE
)
FROM_ASSESSMENT = {"PASSED": "passes", "WEAK": "suspicious", "FAILED": "fails"}


def parse_dieharder(text: str) -> Report:
    """Return what dieharder printed; the assessments are its own."""
    results = [
        TestResult(name if ntuple == "0" else f"{name} {ntuple}", float(p), FROM_ASSESSMENT[assessment])
        for name, ntuple, p, assessment in DIEHARDER_ROW.findall(text)
    ]
    return Report(results, complete=bool(results), bytes_tested=None)


class Wanted(NamedTuple):
    """What is to be tested.

    Attributes
    ----------
    width : int
        The bytes of a word.
    up_to : int
        Up to how many bytes, where the battery can be told.
    test : int or None
        The number of a single test.
    """

    width: int
    up_to: int
    test: int | None


@dataclass(frozen=True, kw_only=True)
class Battery:
    """A battery that is a program.

    Attributes
    ----------
    version : str
        What it is a part of.
    program : str
        The name of its program.
    output : str
        What its words are made of where that is not said; see `battery_words.blocks`.
    commands : callable
        Returns the arguments of each run of the program for a `Wanted`.
    parse : callable
        Returns the `Report` of what the program printed.
    install : str
        How to come by the program.
    tests : tuple of range
        The numbers of the tests that can be run alone, in rising order.
    """

    version: str
    program: str
    output: str
    commands: Callable[[Wanted], list[list[str]]] = field(repr=False)
    parse: Callable[[str], Report] = field(repr=False)
    install: str
    tests: tuple[range, ...] = ()


def of_testu01(commands: Callable[[Wanted], list[list[str]]], tests: tuple[range, ...] = ()) -> Battery:
    """Return a battery of TestU01, which `drivers/testu01.c` runs with these arguments."""
    return Battery(
        version="TestU01 1.2.3",
        program="clrng-testu01",
        output="uniform",
        commands=commands,
        parse=parse_testu01,
        install="benchmarks/quality/build_driver.sh of clrng's repository makes it where TestU01 is installed",
        tests=tests,
    )


def practrand_commands(wanted: Wanted) -> list[list[str]]:
    """Return the arguments of RNG_test."""
    words = {1: "stdin8", 2: "stdin16", 3: "stdin8", 4: "stdin32", 8: "stdin64"}[wanted.width]
    return [[words, "-tlmin", f"{SMALLEST >> 10}KB", "-tlmax", f"{wanted.up_to >> 10}KB"]]


BATTERIES = {
    "smallcrush": of_testu01(lambda _: [["smallcrush"]]),
    "crush": of_testu01(
        lambda wanted: [["crush", *([] if wanted.test is None else [str(wanted.test)])]], (range(1, CRUSH_TESTS + 1),)
    ),
    "linearcomp": of_testu01(
        lambda _: [["linearcomp", str(bits), str(r)] for r in LINEAR_PLACES for bits in LINEAR_BITS]
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
        commands=lambda wanted: [["-g", "200", *(["-a"] if wanted.test is None else ["-d", str(wanted.test)])]],
        parse=parse_dieharder,
        install="Debian and others have it as a package of this name",
        tests=DIEHARDER_TESTS,
    ),
}
"""The batteries by name; `SHORT` is none of them, as it needs no program."""

SHORT = "short"
"""The battery that is clrng's own."""


LOOKED_AT = 30
"""The bits of a uniform number that the batteries of TestU01 look at."""


def usual_output(battery: str, upper_bound: int = 2**LOOKED_AT) -> str:
    """Return what the words of a battery are made of where that is not said: a key of `BATTERIES`, or `SHORT`.

    Raw values below an `upper_bound` of fewer bits than a battery looks at are tested by their whole bytes.
    """
    return BATTERIES[battery].output if battery in BATTERIES and upper_bound >= 2**LOOKED_AT else "raw"


def program(battery: Battery) -> str:
    """Return the path of a battery's program.

    Raises
    ------
    UnsupportedError
        If it is not installed.
    """
    chosen = os.environ.get(FOLDER_VARIABLE)
    folder = chosen or str(FOLDER.expanduser())
    found = shutil.which(battery.program, path=os.pathsep.join([folder, os.environ.get("PATH", os.defpath)]))
    if found is None:
        variable = f"the environment variable {FOLDER_VARIABLE}"
        about = f"that {variable} names" if chosen else f"that is looked in while {variable} is not set"
        raise UnsupportedError(
            f"{battery.version} cannot be run: its program {battery.program} is neither in {folder}, the folder "
            f"{about}, nor in a folder of PATH. Install it: {battery.install}. Or set {FOLDER_VARIABLE} to the folder "
            f"that has it"
        )
    return found


def check_test(name: str, battery: str, test: int) -> None:
    """Check that a battery has a test of this number that can be run alone.

    Raises
    ------
    ValueError
        If it has not; `name` is what the message calls the number.
    """
    numbered = {key: row.tests for key, row in BATTERIES.items() if row.tests}
    if battery not in numbered:
        raise ValueError(f"{name} is for {', '.join(numbered)}, not {battery}")
    tests = numbered[battery]
    if not any(test in some for some in tests):
        *others, last = (f"{some[0]} to {some[-1]}" for some in tests)
        legal = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must be an integer from {legal}, not {test}")
