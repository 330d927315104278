"""The experiments of ``clrng bench``: scripts that measure, each run in a process of its own."""

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


def script(name: str, results: Path, *options: str) -> int:
    """Run a script, such as one of `EXPERIMENTS`, with its output where this process has its own; return its status."""
    return waited([sys.executable, str(directory()), name, "--results", str(results), *options])


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
