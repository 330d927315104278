"""The small tier of the tests, which `pytest` runs: every law of the host, and some cases of each test on a device."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from _pytest.mark import ParameterSet

import clrng
from clrng.generators import BitGenerator
from tests.support.drawn_cases import CASES, Case
from tests.support.generators import GENERATORS, LARGE

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""All tests, of which some run."""


def first_of_each(rows: Iterable[Any], about: Callable[[Any], Hashable]) -> list[ParameterSet]:
    """Return rows as parameters of a test; those about what an earlier one is about are slow."""
    seen: set[Hashable] = set()
    found = []
    for row in rows:
        values = row if isinstance(row, tuple) else (row,)
        found.append(pytest.param(*values, marks=[pytest.mark.slow] if about(row) in seen else []))
        seen.add(about(row))
    return found


@cache
def _named() -> dict[str, str]:
    """Return what a name among the parameters of a test is about."""
    return {
        **{name: type(bits).__name__ for name, bits in {**GENERATORS, **LARGE}.items()},
        **{name: case.method for name, case in CASES.items()},
        **{name: name for name in (*clrng.DISTRIBUTIONS, *clrng.ARITHMETICS)},
    }


def _subjects_of(value: Any) -> Iterator[Hashable]:
    if isinstance(value, str) and value in _named():
        yield _named()[value]
    elif isinstance(value, BitGenerator):
        yield type(value).__name__
    elif isinstance(value, Case):
        yield value.method
    elif isinstance(value, clrng.DeviceInfo):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _subjects_of(part)


def subjects(item: pytest.Item) -> set[Hashable]:
    """Return what a case is about: the families, distributions, arithmetics and devices among its parameters."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return {subject for value in parameters for subject in _subjects_of(value)}


def some_cases(functions: Sequence[Sequence[pytest.Item]]) -> set[pytest.Item]:
    """Return cases of every function, so that together they are about all that any case is about.

    The functions take turns: each takes its first case that is about something new, in the first round its first case
    if there is no such one.
    """
    chosen: set[pytest.Item] = set()
    seen: set[Hashable] = set()
    turns = functions
    while turns:
        going_on = []
        for cases in turns:
            new = next((case for case in cases if not subjects(case) <= seen), None)
            if new is not None:
                going_on.append(cases)
            if new is not None or turns is functions:
                case = new or cases[0]
                chosen.add(case)
                seen |= subjects(case)
        turns = going_on
    return chosen


def function_of(item: pytest.Item) -> str:
    """Return the id of the test function of a case."""
    return item.nodeid.partition("[")[0]


def small(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests of the small tier: none that is slow, and some cases of each that is sampled."""
    quick = [item for item in items if item.get_closest_marker("slow") is None]
    functions: dict[str, list[pytest.Item]] = {}
    for item in quick:
        if item.get_closest_marker("sampled"):
            functions.setdefault(function_of(item), []).append(item)
    kept = some_cases(list(functions.values()))
    return [item for item in quick if item in kept or not item.get_closest_marker("sampled")]
