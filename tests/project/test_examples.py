"""Every example in a docstring runs as it stands, in an interpreter that knows no names yet."""

import doctest
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator

import pytest

import clrng.dask
from tests.support.pages import DOCS

sys.path.insert(0, str(DOCS / "_ext"))

import reference


def public_docstrings() -> Iterator[tuple[str, str]]:
    """Yield the names and docstrings of all public things as help() shows them, inherited ones too."""
    dask = {f"dask.{name}": getattr(clrng.dask, name) for name in clrng.dask.__all__}
    for name, thing in ({name: getattr(clrng, name) for name in clrng.__all__} | dask).items():
        if callable(thing):
            yield name, inspect.getdoc(thing) or ""
        for part in dir(thing) if inspect.isclass(thing) else ():
            value = getattr(thing, part)
            if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                yield f"{name}.{part}", inspect.getdoc(value) or ""


def inner_docstrings() -> Iterator[tuple[str, str]]:
    """Yield the names and docstrings of everything that is defined in the modules."""
    for info in pkgutil.walk_packages(clrng.__path__, "clrng."):
        if not info.name.endswith("__main__") and not info.name.startswith("clrng.benchmarks"):
            for found in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(info.name)):
                yield found.name, found.docstring or ""


TEXTS = {text: name for name, text in [*inner_docstrings(), *public_docstrings()] if ">>>" in text}
"""The last name of every docstring with an example, the public one where there is one."""

EXAMPLES = {name: text for text, name in TEXTS.items()}


@pytest.mark.sampled
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_as_it_stands(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.attempted >= 2
    assert not said, "".join(said)


def test_the_classes_that_people_begin_with_have_examples() -> None:
    classes = {
        "Generator",
        "ParkMiller",
        "LCG",
        "named",
        "LaggedFibonacci",
        "LinearRecurrence",
        "MRG32k3a",
        "Coveyou",
    }
    assert classes | {"Streams", "Streams.by_jumps"} <= EXAMPLES.keys()


def test_every_example_of_the_reference_is_run() -> None:
    run = {inspect.cleandoc(text) for text in TEXTS}
    for name, thing in reference.public().items():
        for method in reference.methods(thing).values() if inspect.isclass(thing) else [thing]:
            assert reference.is_refused(method) or inspect.cleandoc(method.__doc__) in run, name
