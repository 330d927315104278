"""Graphs whose vertices have names: read from lines ``a -> b, c``, written as such, and drawn at random."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl

import clrng
from clrng import validation
from workloads.graphs.digraph import MOST, Digraph

ARROW, COMMA = "->", ","
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LONGEST_NAME = 12
"""The most letters of a random name: 26^12 names have numbers of 64 bits."""


class NamedGraph(NamedTuple):
    """A graph and the names of its vertices.

    Attributes
    ----------
    names : tuple of str
        In rising order where the graph was read from text.
    graph : Digraph
    """

    names: tuple[str, ...]
    graph: Digraph

    def rows(self) -> dict[str, list[str]]:
        """Return the names of the vertices that the edges of each vertex enter, in their order."""
        offsets, ends = self.graph.offsets.get(), self.graph.ends.get()
        return {
            name: [self.names[end] for end in ends[offsets[v] : offsets[v + 1]]] for v, name in enumerate(self.names)
        }


def parse(lines: str | Iterable[str], queue: cl.CommandQueue) -> NamedGraph:
    """Return the graph of lines such as ``a -> b, c``: an edge from a to b and one from a to c.

    Parameters
    ----------
    lines : str or iterable of str
        Lines of one vertex go together. A line ``a ->`` or ``a`` has a vertex and no edge; empty lines have nothing.
        Names are of any characters but spaces and commas, and have no arrow in them.
    queue : pyopencl.CommandQueue

    Returns
    -------
    NamedGraph
        Its vertices are in the order of their names, whatever the order of lines.

    Raises
    ------
    TypeError
        If a line is not text.
    ValueError
        If a line is not of that form; the error has its number.
    """
    rows: dict[str, list[str]] = {}
    for number, line in enumerate(lines.splitlines() if isinstance(lines, str) else lines, 1):
        if not isinstance(line, str):
            raise TypeError(f"lines must be text, not line {number}: {validation.shown(line)}")
        if line.strip():
            start, ends = _parsed(number, line)
            rows.setdefault(start, []).extend(ends)
    return of_rows(rows, queue)


def _parsed(number: int, line: str) -> tuple[str, list[str]]:
    """Return the vertex that the edges of a line leave, and those that they enter."""
    start, _, rest = line.partition(ARROW)
    ends = [end.strip() for end in rest.split(COMMA)] if rest.strip() else []
    for name in (start.strip(), *ends):
        if not _is_name(name):
            raise ValueError(
                f"line {number} must be a name, an arrow and names with commas between them, as 'a -> b, c', not "
                f"{validation.shown(line)}: {validation.shown(name)} is no name"
            )
    return start.strip(), ends


def _is_name(name: str) -> bool:
    return bool(name) and ARROW not in name and not re.search(r"[\s,]", name)


def of_rows(rows: dict[str, list[str]], queue: cl.CommandQueue) -> NamedGraph:
    """Return the graph with edges from each vertex to those of its row, by their names."""
    names = tuple(sorted({*rows, *(end for ends in rows.values() for end in ends)}))
    numbers = {name: number for number, name in enumerate(names)}
    ends = [[numbers[end] for end in rows.get(name, [])] for name in names]
    offsets = np.cumsum([0, *map(len, ends)])
    return NamedGraph(names, Digraph(offsets, np.array([end for row in ends for end in row], int), queue))


def written(named: NamedGraph) -> str:
    """Return the lines that `parse` makes the graph of again.

    Raises
    ------
    ValueError
        If a name could not be read again.
    """
    for name in named.names:
        if not _is_name(name):
            raise ValueError(f"names must have neither spaces nor commas nor arrows, unlike {validation.shown(name)}")
    rows = named.rows()
    entered = {end for ends in rows.values() for end in ends}
    lines = [f"{name} {ARROW} {', '.join(ends)}".rstrip() for name, ends in rows.items() if ends or name not in entered]
    return "".join(f"{line}\n" for line in lines)


def random_names(rng: clrng.Generator, count: int, length: int) -> list[str]:
    """Return different names of capital letters, in the order in which they were drawn, all sets equally likely.

    Parameters
    ----------
    rng : clrng.Generator
    count : int
        From 1 to 26^length.
    length : int
        From 1 to 12.

    Raises
    ------
    TypeError, ValueError
        If `count` or `length` is not such an integer.
    """
    length = validation.integer("length", length, 1, LONGEST_NAME)
    count = validation.integer("count", count, 1, len(ALPHABET) ** length)
    names: dict[str, None] = {}
    while len(names) < count:
        drawn = rng.integers(0, len(ALPHABET), (count - len(names), length), dtype="uint8").get()
        names |= dict.fromkeys("".join(ALPHABET[letter] for letter in row) for row in drawn)
    return list(names)


def random_named(rng: clrng.Generator, vertices: int, length: int, most: int) -> NamedGraph:
    """Return a random graph of named vertices, each with 1 to `most` edges out, to vertices drawn with replacement.

    The numbers of edges are independent and uniform.

    Parameters
    ----------
    rng : clrng.Generator
    vertices, length : int
        How many names, and of how many letters; as for `random_names`.
    most : int
        1 or more.

    Raises
    ------
    TypeError, ValueError
        If an argument is not such an integer.
    """
    most = validation.integer("most", most, 1, MOST)
    names = random_names(rng, vertices, length)
    degrees = rng.integers(1, most, vertices, dtype="uint32", endpoint=True).get()
    ends = np.split(rng.integers(0, vertices, int(degrees.sum()), dtype="uint32").get(), np.cumsum(degrees)[:-1])
    return of_rows({name: [names[end] for end in row] for name, row in zip(names, ends, strict=True)}, rng.queue)


def numbered(graph: Digraph, names: Sequence[Any] | None = None) -> NamedGraph:
    """Return a graph with names, by default the numbers of its vertices.

    Raises
    ------
    ValueError
        If there are not as many names as vertices.
    """
    found = tuple(map(str, range(graph.vertices) if names is None else names))
    if len(found) != graph.vertices:
        raise ValueError(f"names must be as many as vertices, {graph.vertices}, not {len(found)}")
    return NamedGraph(found, graph)
