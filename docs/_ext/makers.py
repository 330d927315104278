"""Replace the marks ``<!-- generated: NAME ARGUMENT -->`` of a page by Markdown that is made when it is built.

A block ``{shell}`` is run, each line by itself, and shown with what it prints; so is a program, ``{script} NAME``.

Tables and the catalogue come from the results of the benchmarks, from `clrng.NAMED` and from `clrng.DISTRIBUTIONS`, so
that none of their numbers is typed by hand.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import accuracy
import batteries
import catalogue
import distributions
import drawn
import measured
import numpy_hands
import numpy_numbers
import other_libraries
import parameter_arrays
import parts
import proofs
import randomness
import requested
import several
import steps
import tables
import worked

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MARK = re.compile(r"<!-- generated: (\S+)(?: (\S+))? -->")
SHELL = re.compile(r"^```\{shell\}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SCRIPT = re.compile(r"^```\{script\} (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def implementations() -> list[str]:
    """Return the table of the OpenCL implementations that were tried."""
    command = [sys.executable, str(BENCHMARKS / "exactness" / "implementations.py")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # a script of our own
    return ran.stdout.splitlines()


def console(found: re.Match[str]) -> str:
    """Return a block of commands with what each prints; all of them run in one new folder.

    Raises
    ------
    subprocess.CalledProcessError
        If one fails.
    """
    with tempfile.TemporaryDirectory() as place:
        return said(found[1].splitlines(), place)


def script(found: re.Match[str]) -> str:
    """Return a program, and what it prints when it is run in a new folder.

    Raises
    ------
    subprocess.CalledProcessError
        If it fails.
    """
    name, text = found.groups()
    with tempfile.TemporaryDirectory() as place:
        Path(place, name).write_text(text)
        return f"```python\n{text}```\n\n{said([f'python {name}'], place)}"


def said(commands: list[str], place: str) -> str:
    """Return commands with what each prints in a folder, which is theirs for temporary files too."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "TMPDIR": place}
    lines = ["```console"]
    for command in commands:
        ran = subprocess.run(  # noqa: S602  # the page's own commands
            command, shell=True, cwd=place, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        lines += [f"$ {command}", *ran.stdout.splitlines()]
    return "\n".join([*lines, "```"])


def every_rate(name: str) -> list[str]:
    """Return the page beside the results of a machine, with each rate and its spread."""
    title, *lines = (measured.folder(name) / "README.md").read_text().splitlines()
    return [f"# Every rate: {title.removeprefix('# ')}", *lines]


def verified(name: str) -> list[str]:
    """Return what ``clrng verify`` said on a machine."""
    return ["```text", (measured.folder(name) / "verify.txt").read_text().rstrip(), "```"]


MAKERS: dict[str, Callable[..., list[str]]] = {
    function.__name__: function
    for function in (
        accuracy.accuracy, accuracy.every_normal, accuracy.samples, batteries.dealt,
        batteries.parallel, batteries.read, batteries.rule, batteries.verdicts, batteries.worst,
        catalogue.catalogue, catalogue.count,
        catalogue.permutations, catalogue.rooms,
        distributions.distributions, drawn.drawn, drawn.drawn_by_others, drawn.first_calls, drawn.in_kernels,
        implementations,
        every_rate, verified, measured.origin, measured.script, numpy_hands.numpy_hands, numpy_numbers.numpy_numbers,
        parameter_arrays.parameter_arrays,
        other_libraries.measured_on, other_libraries.peers, other_libraries.summary, parts.order,
        randomness.battery_references,
        randomness.battery_results, randomness.battery_tests, parts.one_memory, parts.rectangles, parts.to_host,
        proofs.proofs, requested.requests, several.dask_normals,
        several.several_devices, steps.steps, tables.beginnings, tables.choices, tables.fill,
        tables.engines, tables.generators, tables.growth,
        tables.lagged, tables.latency, tables.limits, tables.paper_2008, tables.paper_2009, tables.paper_2012,
        tables.pi, tables.published, tables.set_up, tables.streams,
        worked.averages, worked.durations, worked.rates,
    )
}  # fmt: skip
"""What a page may ask for."""


def fill_in(text: str) -> str:
    """Return the text of a page with what it asks for.

    Raises
    ------
    KeyError
        If it asks for what there is not.
    """
    text = SCRIPT.sub(script, SHELL.sub(console, text))
    return MARK.sub(lambda found: "\n".join(MAKERS[found[1]](*filter(None, (found[2],)))), text)
