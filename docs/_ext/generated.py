"""What the pages need of Sphinx: what is generated in them, and signs in docstrings that are no marks."""

import re
from typing import Any

from makers import fill_in
from sphinx.application import Sphinx

LONE_STAR = re.compile(r"(?<=\w )\*(?=[ ,.;])")
INITIAL = re.compile(r"^(\s*)([A-Z]\. )")


def on_source(_: Sphinx, __: str, source: list[str]) -> None:
    """Fill in a page that Sphinx has read."""
    source[0] = fill_in(source[0])


def on_docstring(_: Sphinx, __: str, ___: str, ____: Any, _____: Any, lines: list[str]) -> None:
    """Keep a lone ``*`` from opening an emphasis, and the initial of a name from making a list."""
    lines[:] = [INITIAL.sub(r"\1\\\2", LONE_STAR.sub(r"\\*", line)) for line in lines]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")  # which has the second event
    app.connect("source-read", on_source)
    app.connect("autodoc-process-docstring", on_docstring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
