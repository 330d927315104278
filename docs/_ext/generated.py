"""Put generated Markdown where a page asks for it: the mark ``<!-- generated: NAME ARGUMENT -->`` is replaced.

Tables and the catalogue come from the results of the benchmarks and from `clrng.NAMED` whenever the pages are built, so
that none of their numbers is typed by hand.
"""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import catalogue
import measured
import peers
import tables
from sphinx.application import Sphinx

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MARK = re.compile(r"<!-- generated: (\S+)(?: (\S+))? -->")
LONE_STAR = re.compile(r"(?<=\w )\*(?=[ ,.;])")


def implementations() -> list[str]:
    """Return the table of the OpenCL implementations that were tried."""
    command = [sys.executable, str(BENCHMARKS / "implementations.py")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # a script of our own
    return ran.stdout.splitlines()


def every_rate(device: str) -> list[str]:
    """Return the page beside the results of a device, with each rate and its spread."""
    return (measured.folder(device) / "README.md").read_text().splitlines()


def verified(device: str) -> list[str]:
    """Return what ``clrng verify`` said on a device."""
    return ["```text", (measured.folder(device) / "verify.txt").read_text().rstrip(), "```"]


MAKERS: dict[str, Callable[..., list[str]]] = {
    function.__name__: function
    for function in (
        catalogue.catalogue, catalogue.count, catalogue.rooms, implementations, every_rate, verified, measured.origin,
        peers.peers, peers.summary, tables.beginnings, tables.choices, tables.fill, tables.generators, tables.growth,
        tables.lagged, tables.latency, tables.limits, tables.paper_2008, tables.paper_2009, tables.paper_2012,
        tables.pi, tables.published, tables.set_up, tables.streams,
    )
}  # fmt: skip
"""What a page may ask for."""


def fill_in(text: str) -> str:
    """Return the text of a page with what it asks for.

    Raises
    ------
    KeyError
        If it asks for what there is not.
    """
    return MARK.sub(lambda found: "\n".join(MAKERS[found[1]](*filter(None, (found[2],)))), text)


def on_source(_: Sphinx, __: str, source: list[str]) -> None:
    """Fill in a page that Sphinx has read."""
    source[0] = fill_in(source[0])


def on_docstring(_: Sphinx, __: str, ___: str, ____: Any, _____: Any, lines: list[str]) -> None:
    """Keep a ``*`` that stands alone in a sentence, the sign of a product, from opening an emphasis."""
    lines[:] = [LONE_STAR.sub(r"\\*", line) for line in lines]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")  # which has the second event
    app.connect("source-read", on_source)
    app.connect("autodoc-process-docstring", on_docstring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
