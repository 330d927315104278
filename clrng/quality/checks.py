"""What the checks of `clrng.quality.verify` find, and how they are run."""

from collections.abc import Callable
from collections.abc import Generator as Steps
from dataclasses import dataclass


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
