"""Pictures of small graphs: text of the language DOT, which Graphviz's program ``dot`` draws."""

import shutil
import subprocess

from clrng import validation
from workloads.graphs.named_graph import NamedGraph
from workloads.graphs.spanning_forest import spanning_forest

ENTERED, LEFT, BOTH, TREE = "palegreen", "khaki", "lightskyblue", "crimson"
"""The colours of vertices that many edges enter or leave, or both, and of the edges of a spanning forest."""

MOST_EDGES = 10**4
"""More edges than that are no picture."""


def dot(
    named: NamedGraph, *, into: int | None = None, out: int | None = None, forest: bool = False, clusters: bool = False
) -> str:
    """Return the picture of a graph in the language DOT.

    Parameters
    ----------
    named : NamedGraph
    into, out : int, optional
        Vertices that so many edges or more enter are green, and those that so many or more leave yellow. Those of both
        kinds are blue.
    forest : bool, optional
        Whether the edges of the first spanning forest are red.
    clusters : bool, optional
        Whether there is a frame around each component.

    Raises
    ------
    TypeError
        If `into` or `out` is not an integer.
    ValueError
        If one is negative, or the graph has more than 10^4 edges.
    """
    graph = named.graph
    if graph.edges > MOST_EDGES:
        raise ValueError(f"named must be a graph of at most {MOST_EDGES} edges, not {graph.edges}")
    found = spanning_forest(graph.starts, graph.ends, graph.vertices)
    colours = _colours(named, into, out)
    vertices = [
        f'"{_escaped(name)}"' + (f' [fillcolor="{colour}"]' if colour else "") + ";"
        for name, colour in zip(named.names, colours, strict=True)
    ]
    lines = ["digraph {", '  node [shape=ellipse, style=filled, fillcolor="white"];']
    labels = found.labels.get().tolist()
    if clusters:
        for number, label in enumerate(sorted(set(labels))):
            inside = [line for line, its in zip(vertices, labels, strict=True) if its == label]
            lines += [f"  subgraph cluster_{number} {{", *(f"    {line}" for line in inside), "  }"]
    else:
        lines += [f"  {line}" for line in vertices]
    red = found.in_forest.get().tolist() if forest else [0] * graph.edges
    for start, end, is_red in zip(graph.starts.get(), graph.ends.get(), red, strict=True):
        style = f' [color="{TREE}", penwidth=2]' if is_red else ""
        lines.append(f'  "{_escaped(named.names[start])}" -> "{_escaped(named.names[end])}"{style};')
    return "\n".join([*lines, "}"]) + "\n"


def _colours(named: NamedGraph, into: int | None, out: int | None) -> list[str]:
    """Return the colour of each vertex; empty for none."""
    graph = named.graph
    least = [None if value is None else validation.integer(name, value, 0, None)
             for name, value in (("into", into), ("out", out))]  # fmt: skip
    degrees = zip(graph.in_degrees().get().tolist(), graph.out_degrees().get().tolist(), strict=True)
    many = [tuple(limit is not None and degree >= limit for degree, limit in zip(pair, least, strict=True))
            for pair in degrees]  # fmt: skip
    by_kind: dict[tuple[bool, ...], str] = {(True, True): BOTH, (True, False): ENTERED, (False, True): LEFT}
    return [by_kind.get(kind, "") for kind in many]


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def svg(text: str) -> str:
    """Return the picture that Graphviz draws of text in the language DOT, as SVG.

    Raises
    ------
    FileNotFoundError
        If there is no program ``dot``.
    ValueError
        If it does not understand the text.
    """
    program = shutil.which("dot")
    if program is None:
        raise FileNotFoundError("Graphviz's program dot is not installed: 'apt install graphviz' on Debian and Ubuntu")
    ran = subprocess.run([program, "-Tsvg"], input=text, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise ValueError(f"text must be in the language DOT: {ran.stderr.strip()}")
    return ran.stdout
