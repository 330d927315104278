"""The experiments of ``clrng bench``: scripts that measure, each run in a process of its own."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

PATIENCE = 20.0
"""Seconds between asking a process to end and killing it."""

USUAL = ("same_numbers", "fill", "peers")
"""Those run where none is named."""


def directory() -> Path:
    """Return the folder of the scripts: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "benchmarks", package.parent / "benchmarks"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"clrng is installed without its experiments: no benchmarks in or beside {package}")


def _listed() -> dict[str, str]:
    """Return the experiments that there are; none where clrng is installed without them."""
    try:
        text = (directory() / "experiments.json").read_text("utf-8")
    except FileNotFoundError:
        return {}
    found: dict[str, str] = json.loads(text)
    return found


EXPERIMENTS = _listed()
"""Each experiment, the name of its script, and the question that it answers."""


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
    return waited([sys.executable, str(directory()), name, *options])


def waited(command: list[str], **environment: str) -> int:
    """Run a process to its end; if this one is interrupted, so is that, with `PATIENCE` to end those it started."""
    process = subprocess.Popen(command, env={**os.environ, **environment})  # noqa: S603  # one of our own
    try:
        return process.wait()
    except BaseException:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
        raise
