"""Public docstrings say all that users need: parameters, results, errors, and an example."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from clrng.documented import Common, complete, entries, sections
from tests.support.pages import DOCS

sys.path.insert(0, str(DOCS / "_ext"))

import reference

RAISE_NOTHING = {"formula", "polynomial", "stride", "value_formula", "wait"}
"""Methods that check no argument."""


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the full names of all public functions and methods, and the functions whose docstrings tell of them."""
    for name, thing in reference.public().items():
        if inspect.isclass(thing):
            yield from ((f"{name}.{each}", method) for each, method in reference.methods(thing).items())
        else:
            yield name, thing


FUNCTIONS = {function: name for name, function in public() if not reference.is_refused(function)}
CALLS = {name: function for function, name in FUNCTIONS.items()}


def arguments(function: Callable[..., Any]) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in {"self", "cls"}]


@pytest.mark.parametrize("name", CALLS)
def test_a_call_has_all_sections(name: str) -> None:
    function = CALLS[name]
    found = sections(function.__doc__ or "")
    returned = inspect.signature(function).return_annotation
    wanted = {"Parameters"} if arguments(function) else set()
    wanted |= {"Returns"} if returned not in {None, "None"} else set()
    wanted |= {"Raises"} if arguments(function) and name.rpartition(".")[2] not in RAISE_NOTHING else set()
    assert {"", "Examples", *wanted} <= found.keys()
    assert found["Examples"].startswith(">>> import clrng")


@pytest.mark.parametrize("name", CALLS)
def test_a_call_tells_of_all_its_arguments(name: str) -> None:
    found = entries(sections(CALLS[name].__doc__ or "").get("Parameters", ""))
    told = [each.lstrip("*") for names in found for each in names.split(", ")]
    assert told == arguments(CALLS[name])


def test_no_docstring_points_to_words_that_have_no_page() -> None:
    texts = {name: inspect.getdoc(thing) or "" for name, thing in [*public(), *reference.public().items()]}
    assert len(texts) > 250
    assert [
        name for name, text in texts.items() if re.search(r"(for|as) all (other )?methods", text, re.IGNORECASE)
    ] == []


def test_methods_that_are_for_the_inside_are_there() -> None:
    kinds = [thing for thing in reference.public().values() if inspect.isclass(thing)]
    assert [name for name in reference.INNER if not any(hasattr(kind, name) for kind in kinds)] == []


@pytest.mark.parametrize("name", CALLS)
def test_a_call_tells_of_no_argument_that_it_lacks(name: str) -> None:
    if re.match(r"clrng\.(\w*Generator|Streams|dask\.Generator)\.", name):
        found = sections(CALLS[name].__doc__ or "")
        said = found.get("Parameters", "") + found.get("Raises", "")
        assert {word for word in ("out", "dtype", "chunks") if f"`{word}`" in said} <= set(arguments(CALLS[name]))


def test_what_is_refused_names_the_call_instead() -> None:
    refused = [function for _, function in public() if reference.is_refused(function)]
    assert len(refused) > 10
    for function in refused:
        assert re.match(r"Raise an error; call ``.+\(.*\)`` instead\.$", (function.__doc__ or "").splitlines()[0])


def test_a_docstring_is_completed() -> None:
    def method(self: Any, a: int, b: int, size: int = 1) -> int:
        """Return a sum.

        Parameters
        ----------
        b : int
            The second.

        Raises
        ------
        ValueError
            If `b` is odd.

        Notes
        -----
        Own.

        >>> add(1, 2)
        3
        """
        raise NotImplementedError(self, a, b, size)

    words = {"a": "int\n    Any.", "size": "int, optional\n    A shape.", "other": "int\n    Not here."}
    raises = {"TypeError": "If it is wrong.", "ValueError": "If it is out of range."}
    complete(method, Common(words, raises, "int", "Common.", ">>> from there import add"))
    assert sections(method.__doc__ or "") == {
        "": "Return a sum.",
        "Parameters": "a : int\n    Any.\nb : int\n    The second.\nsize : int, optional\n    A shape.",
        "Returns": "int",
        "Raises": "TypeError\n    If it is wrong.\nValueError\n    If it is out of range; or if `b` is odd.",
        "Notes": "Own.\n\n>>> add(1, 2)\n3\n\nCommon.",
    }


def test_without_docstrings_nothing_is_completed() -> None:
    def method(self: Any) -> int:
        raise NotImplementedError(self)

    complete(method, Common({"size": "int"}, returns="int"))
    assert method.__doc__ is None


def test_every_method_has_a_page() -> None:
    pages = {name: reference.Page(**page) for name, page in reference.pages().items()}
    assert "gamma" in pages["clrng.Generator"].methods
    assert "gamma" in pages["clrng.RankGenerator"].others["clrng.Generator"]
    for name, page in pages.items():
        there = [each for other, names in page.others.items() for each in names if each in pages[other].methods]
        assert sorted(page.methods + there) == sorted(reference.methods(reference.public()[name]))
