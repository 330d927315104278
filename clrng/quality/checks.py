"""What the checks of `clrng.quality.verify` find, and how they are run."""

from collections.abc import Callable
from collections.abc import Generator as Steps
from dataclasses import dataclass

import pyopencl as cl

from clrng.errors import ClrngError


@dataclass(frozen=True)
class CheckResult:
    """What a check found.

    Attributes
    ----------
    check : str
        What was checked.
    cases : int
        How many cases were tried.
    passed : bool
    detail : str
        What was wrong, or what the cases were.
    """

    check: str
    cases: int
    passed: bool
    detail: str


CheckSteps = Steps[int, None, CheckResult]
"""Yields how many of its cases it has done since it last said so, and returns what it found."""


def run_check(check: CheckSteps, advance: Callable[[int], None]) -> CheckResult:
    """Run `check` to its end, telling `advance` of every piece done, and return what it found."""
    try:
        while True:
            advance(next(check))
    except StopIteration as end:
        found: CheckResult = end.value
        return found


def finding(title: str, check: CheckSteps, advance: Callable[[int], None]) -> CheckResult:
    """Run `check`, called `title`; what the device or its compiler refuses is a finding, so that others follow it."""
    try:
        return run_check(check, advance)
    except (ClrngError, cl.Error) as error:
        return CheckResult(title, 0, passed=False, detail=f"{type(error).__name__}: {error}".split("\n")[0])
