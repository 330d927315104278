"""Random Eulerian graphs from clrng's streams."""

import pyopencl.array as cla

import clrng
from clrng import validation
from workloads.graphs.digraph import MOST_VERTICES, Digraph, offsets_of, starts_of
from workloads.graphs.spanning_forest import spanning_forest

MOST_EDGES = 2**31
"""The most edges of a random graph: as many elements `clrng.Generator.permutation` puts in order."""


def random_balanced(rng: clrng.Generator, vertices: int, most: int) -> Digraph:
    """Return a random graph in which as many edges enter each vertex as leave it: a directed configuration model.

    The out-degrees are drawn first, independent and uniform on 1, ..., `most`. Then each vertex has as many places for
    edges that enter it as edges that leave it, and all ways to give each edge a place of its own are equally likely.

    Parameters
    ----------
    rng : clrng.Generator
        Its stream decides, on every device alike.
    vertices : int
        1 or more.
    most : int
        The largest out-degree, 1 or more.

    Raises
    ------
    TypeError, ValueError
        If `vertices` is not an integer from 1 to 2^30, or `most` not one of 1 or more, or there could be more than
        2^31 edges.
    """
    offsets, starts = random_rows(rng, vertices, most)
    return Digraph.of_rows(offsets, rng.permutation(starts))


def random_rows(rng: clrng.Generator, vertices: int, most: int) -> tuple[cla.Array, cla.Array]:
    """Return the offsets of rows of random lengths, and the vertex of each element; all as for `random_balanced`."""
    vertices = validation.integer("vertices", vertices, 1, MOST_VERTICES)
    most = validation.integer("most", most, 1, MOST_EDGES)
    if vertices * most > MOST_EDGES:
        raise ValueError(f"vertices times most must be at most {MOST_EDGES}, not {vertices * most}")
    offsets = offsets_of(rng.integers(1, most, vertices, dtype="uint32", endpoint=True))
    return offsets, starts_of(offsets, int(offsets[-1].get()))


def random_eulerian(rng: clrng.Generator, vertices: int, most: int) -> Digraph:
    """Return a random graph that has an Euler circuit: one of `random_balanced`, given that it is connected.

    The out-degrees are independent and uniform on 1, ..., `most`. Given these, all ways to give each edge a place of
    its own that make the graph connected are equally likely: they are drawn until one does. For large graphs that takes
    1 / (1 - 2 / (most (most + 1))) attempts in the mean, such as 15/14 for `most` = 5.

    Parameters
    ----------
    rng : clrng.Generator
        Its stream decides, on every device alike.
    vertices : int
        1 or more.
    most : int
        The largest out-degree, 2 or more; a graph of out-degrees 1 is seldom connected.

    Raises
    ------
    TypeError, ValueError
        If `vertices` is not an integer from 1 to 2^30, or `most` not one of 2 or more, or there could be more than
        2^31 edges.
    """
    validation.integer("most", most, 2, MOST_EDGES)
    offsets, starts = random_rows(rng, vertices, most)
    while True:
        graph = Digraph.of_rows(offsets, rng.permutation(starts))
        if spanning_forest(starts, graph.ends, graph.vertices).components == 1:
            return graph
