"""The experiments of ``clrng bench``: scripts that measure, each run in a process of its own."""

import importlib.util
import subprocess
import sys
from pathlib import Path

EXPERIMENTS = {
    "same_numbers": "Does the device give the same numbers as every other?",
    "every_normal": "Are the normals of all raw values of Park-Miller what the definition gives?",
    "samples": "Do large samples have the distributions that they are drawn from?",
    "short_battery": "Which named generators fail which tests of randomness, within seconds?",
    "fill": "How close does each arithmetic of Park-Miller come to the device's write wall?",
    "peers": "How far ahead is clrng of what one would use instead, on this device and on its host?",
    "generators": "How close does each family of generators come to the write wall?",
    "distributions": "How close do distributions come to it, and how far ahead of other libraries are they?",
    "lagged_fibonacci": "How close do lagged Fibonacci generators come to it, against their larger lag?",
    "limits": "How close do steps come to what the device can compute?",
    "pi": "How fast is an estimate of pi in a user's own kernel, beside other libraries' device code?",
    "growth": "What does a request cost, from 1 value to 2^32?",
    "latency": "What do builds, first calls and small requests cost?",
    "numpy_hands": "What does a value cost that NumPy's generators draw from clrng's streams?",
    "rectangles": "How fast are rectangles of an array made, beside a contiguous fill?",
    "to_host": "How fast do values come from the device to the host's memory, and through pipes?",
    "streams": "How fast do many resident streams give their next values?",
    "several_devices": "How much faster than one device are several, which fill one array with one stream?",
    "sorting": "How long do sorts of random numbers take, and how long the distinct ones of them?",
    "local_binary_patterns": "How fast are local binary patterns and their histogram in one kernel?",
    "look_and_say": "How long does the look-and-say sequence take to its 50th term, and beyond?",
    "cyclo_spectrum": "How long does the cyclo-spectrum of a peptide of thousands of amino acids take?",
    "ising": "How fast is an Ising model that draws in its kernel, and is it right?",
    "onemax": "How fast is a genetic algorithm whose population stays on the device?",
    "dask_normals": "How fast do workers of dask reduce an array that no memory holds?",
    "euler_graph": "How fast is a random Eulerian graph of 10 million vertices made, spanned and walked along?",
    "dna": "How fast is a text of DNA put together again from its words of k letters?",
    "paper_2008": "The experiment of 2008: the rate of streams against their number",
    "paper_2009": "The experiment of 2009: the rate against work-group size and number of groups",
    "paper_2012": "The experiments of 2012: divide and conquer against n, r, s, work-group size and lags",
}
"""Each experiment, the name of its script, and what it answers."""

PATIENCE = 20.0
"""Seconds between asking a script to end and killing it."""

USUAL = ("same_numbers", "fill", "peers")
"""Those run where none is named."""


def directory() -> Path:
    """Return the folder of the scripts: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "benchmarks", package.parent / "benchmarks"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"clrng is installed without its experiments: no benchmarks in or beside {package}")


def run(name: str, device: str | None, results: Path, *, quick: bool) -> int:
    """Run one of `EXPERIMENTS`, with its output where this process has its own; return its exit status."""
    options = ["--results", str(results)]
    if device is not None:
        options += ["--device", device]
    if quick:
        options.append("--quick")
    return _script(name, *options)


def present(results: Path, *, plots: bool) -> int:
    """Write the tables, and draw the plots, of all results in the folder; return the exit status, 0 if all is well."""
    ends = [_script(name, "--results", str(results)) for name in (["report", "plot"] if plots else ["report"])]
    return next(filter(None, ends), 0)  # that of a killed script is below 0


def can_plot() -> bool:
    """Say whether Matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def _script(name: str, *options: str) -> int:
    """Run a script; if this process is interrupted, so is the script, which has `PATIENCE` to end those it started."""
    command = [sys.executable, str(directory()), name, *options]
    process = subprocess.Popen(command)  # noqa: S603  # a script of our own
    try:
        return process.wait()
    except BaseException:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
        raise
