"""What the checks of `clrng.verify` find, and how they are run."""

from collections.abc import Callable
from collections.abc import Generator as Steps
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
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


Check = Steps[int, None, Finding]
"""Yields how many of its cases it has done since it last said so, and returns what it found."""


def finish(check: Check, advance: Callable[[int], None]) -> Finding:
    """Run `check` to its end, telling `advance` of every piece done, and return what it found."""
    try:
        while True:
            advance(next(check))
    except StopIteration as end:
        found: Finding = end.value
        return found
