"""Euler circuits and paths on the device: paired edges make circuits, which are merged along a spanning tree of them.

B. Awerbuch, A. Israeli and Y. Shiloach, "Finding Euler circuits in logarithmic parallel time", STOC 1984, 249-257.
"""

from dataclasses import dataclass

import numpy as np
import pyopencl.array as cla

from clrng import order, validation
from workloads.graphs.cycles import cycles
from workloads.graphs.digraph import Digraph, bits_of, inverse, on_device
from workloads.graphs.launching import empty, filled, launch, one
from workloads.graphs.spanning_forest import spanning_forest

TEMPLATE = "euler_circuit"
OPEN_ENDS = 2
"""Vertices of an Euler path that is no circuit with more edges on one side."""


@dataclass(frozen=True)
class Circuits:
    """A graph's edges on circuits.

    Attributes
    ----------
    into : pyopencl.array.Array of uint32, shape (edges,)
        The edge before each edge, which enters the vertex that it leaves.
    heads, ranks : pyopencl.array.Array of uint32, shape (edges,)
        Of each edge one of its circuit, the same for all of it, and the steps from there.
    """

    into: cla.Array
    heads: cla.Array
    ranks: cla.Array


def paired(graph: Digraph) -> cla.Array:
    """Return the edge before each edge: at each vertex the i-th edge that enters goes before the i-th that leaves.

    Raises
    ------
    ValueError
        If somewhere more edges enter than leave, or fewer.
    """
    unbalanced = graph.unbalanced()
    if unbalanced.size:
        vertex = int(unbalanced[0].get())
        entering, leaving = (int(degrees[vertex].get()) for degrees in (graph.in_degrees(), graph.out_degrees()))
        raise ValueError(
            f"graph must be Eulerian, with as many edges into each vertex as out of it, unlike vertex {vertex} with "
            f"{entering} in and {leaving} out and {unbalanced.size - 1} others"
        )
    return order.argsort(graph.ends, bits=(0, bits_of(graph.vertices)))


def circuits(into: cla.Array) -> Circuits:
    """Return the circuits on which each edge comes after the edge `into` of it."""
    return Circuits(into, *cycles(inverse(into)))


def merged(graph: Digraph, found: Circuits) -> tuple[cla.Array, int]:
    """Return the edge before each edge on a circuit of all edges, and how many circuits this was made of.

    Raises
    ------
    ValueError
        If the graph is not connected.
    """
    queue, edges = graph.queue, graph.edges
    marks = empty(queue, edges, np.uint8)
    launch(TEMPLATE, "mark_heads", edges, found.heads, edges, marks)
    heads = order.flatnonzero(marks)
    numbers = empty(queue, edges)
    launch("digraph", "invert", heads.size, heads, heads.size, numbers)
    launch(TEMPLATE, "mark_links", edges, graph.starts, found.heads, edges, marks)
    links = order.flatnonzero(marks)
    u, v = empty(queue, links.size), empty(queue, links.size)
    launch(TEMPLATE, "link_circuits", links.size, links, links.size, found.heads, numbers, u, v)
    tree = spanning_forest(u, v, heads.size)
    if tree.components > 1:
        raise ValueError(
            f"graph must be Eulerian, with all edges in one component, not with {heads.size} circuits in "
            f"{tree.components} components"
        )
    into = found.into.copy()
    marks = filled(queue, edges, dtype=np.uint8)
    launch(TEMPLATE, "choose_links", links.size, links, links.size, tree.in_forest, marks)
    launch(TEMPLATE, "merge_circuits", graph.vertices, graph.offsets, graph.vertices, marks, into)
    return into, int(heads.size)


def written(ranks: cla.Array, first: int) -> cla.Array:
    """Return the edges of a circuit in the order of their ranks, from edge `first` on."""
    circuit = empty(ranks.queue, ranks.size)
    launch(TEMPLATE, "write_circuit", ranks.size, ranks, ranks.size, first, circuit)
    return circuit


def euler_circuit(graph: Digraph, first: int = 0) -> cla.Array:
    """Return an Euler circuit: all edges, each of which begins where the one before ends, as does the first one.

    Parameters
    ----------
    graph : Digraph
    first : int, optional
        The edge to begin with.

    Returns
    -------
    pyopencl.array.Array of uint32, shape (edges,)
        It is the same on every device.

    Raises
    ------
    TypeError
        If `first` is not an integer.
    ValueError
        If there is none: somewhere more edges enter than leave, or fewer, or the edges are in several components. Or if
        `first` is no edge.
    """
    first = validation.integer("first", first, 0, max(0, graph.edges - 1))
    found = circuits(paired(graph))
    if not graph.edges:
        return found.into
    into, count = merged(graph, found)
    return written(circuits(into).ranks if count > 1 else found.ranks, first)


def euler_path(graph: Digraph) -> cla.Array:
    """Return an Euler path: all edges, each of which begins where the one before ends.

    Where the graph has an Euler circuit, that is the path.

    Parameters
    ----------
    graph : Digraph

    Returns
    -------
    pyopencl.array.Array of uint32, shape (edges,)

    Raises
    ------
    ValueError
        If there is none: the edges are in several components, or other vertices than the first, with one edge more out
        than in, and the last, with one edge more in than out, have more edges on one side.
    """
    unbalanced = graph.unbalanced().get()
    if not unbalanced.size:
        return euler_circuit(graph)
    if unbalanced.size == OPEN_ENDS:
        surplus = graph.out_degrees().get().astype(np.int64)[unbalanced] - graph.in_degrees().get()[unbalanced]
        if sorted(surplus) == [-1, 1]:
            return _opened(graph, int(unbalanced[surplus == 1][0]), int(unbalanced[surplus == -1][0]))
    raise ValueError(
        f"graph must have an Euler path, with as many edges into each vertex as out of it but for its first and last, "
        f"not be otherwise at the vertices {validation.shown(unbalanced.tolist())}"
    )


def _opened(graph: Digraph, begin: int, end: int) -> cla.Array:
    """Return an Euler path from one vertex to another: the circuit with an edge back, without that edge."""
    starts, ends = (
        cla.concatenate((array, cla.empty_like(array[:1]).fill(vertex)))
        for array, vertex in ((graph.starts, end), (graph.ends, begin))
    )
    closed = Digraph.from_edges(starts, ends, graph.vertices)
    back = int(closed.offsets[end + 1].get()) - 1  # the last one that leaves its vertex
    circuit = euler_circuit(closed, back)
    path = empty(graph.queue, graph.edges)
    launch(TEMPLATE, "open_circuit", graph.edges, circuit, closed.edges, path)
    return path


def faults(graph: Digraph, path: cla.Array, *, closed: bool) -> int:
    """Return how many edges are not on a path, and at how many places an edge does not begin where the last one ended.

    Parameters
    ----------
    graph : Digraph
    path : array_like or pyopencl.array.Array of uint32, shape (edges,)
    closed : bool
        Whether the first edge has to begin where the last one ends.

    Raises
    ------
    ValueError
        If there are not as many edges on the path as in the graph, or one is not in the graph.
    TypeError
        If `path` is not made of integers.
    """
    edges, path = graph.edges, on_device("path", path, graph.queue)
    if path.size != edges or (edges and int(cla.max(path).get()) >= edges):
        raise ValueError(f"path must be {edges} edges below {edges}, not {path.size} up to {cla.max(path)}")
    seen, found = filled(graph.queue, edges, dtype=np.uint8), one(graph.queue)
    launch(TEMPLATE, "follow_path", edges, path, edges, graph.starts, graph.ends, int(closed), seen, found)
    launch(TEMPLATE, "count_unseen", edges, seen, edges, found)
    return int(found.get()[0])
