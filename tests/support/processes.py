"""Processes of their own in which tests run this Python."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]


def python(
    *arguments: object, environment: Mapping[str, str] | None = None, cwd: Path = ROOT, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run this Python with arguments, without warnings, in an environment or this one, with more variables.

    Tables have 200 columns, whatever a shell or readline has set.
    """
    command = [sys.executable, "-W", "ignore", *map(str, arguments)]
    given = {**(os.environ if environment is None else environment), "COLUMNS": "200", **variables}
    return subprocess.run(command, env=given, cwd=cwd, capture_output=True, text=True, check=False)


def said(*arguments: object, environment: Mapping[str, str] | None = None, **variables: str) -> str:
    """Return what it prints; it must succeed."""
    ran = python(*arguments, environment=environment, cwd=ROOT, **variables)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout
