"""Connected components and spanning forests on the device, by Boruvka's algorithm.

O. Boruvka, "O jistem problemu minimalnim", Prace Moravske prirodovedecke spolecnosti 3, 1926, 37-58.
"""

from dataclasses import dataclass

import numpy as np
import pyopencl.array as cla

from clrng import order
from workloads.graphs.launching import NONE, empty, filled, launch, one

TEMPLATE = "spanning_forest"


@dataclass(frozen=True)
class SpanningForest:
    """The forest that Kruskal's algorithm finds, which takes each edge, in order, that joins two trees.

    Attributes
    ----------
    in_forest : pyopencl.array.Array of uint8, shape (edges,)
        1 for the edges of the forest, else 0.
    labels : pyopencl.array.Array of uint32, shape (vertices,)
        Of each vertex the smallest vertex of its component, whatever the directions of edges.
    components : int
        How many components there are.
    rounds : int
        How often the trees were joined.
    """

    in_forest: cla.Array
    labels: cla.Array
    components: int
    rounds: int


def spanning_forest(starts: cla.Array, ends: cla.Array, vertices: int) -> SpanningForest:
    """Return the first spanning forest of a graph, whatever the directions of its edges.

    Parameters
    ----------
    starts, ends : pyopencl.array.Array of uint32, shape (edges,)
        Below `vertices`.
    vertices : int

    Notes
    -----
    A round at least halves the number of trees that are not components. Edges inside a tree are dropped after it.
    """
    queue = starts.queue
    in_forest = filled(queue, starts.size, dtype=np.uint8)
    hooks, spare = cla.arange(queue, vertices, dtype=np.uint32), empty(queue, vertices)
    u, v, edge = starts, ends, cla.arange(queue, starts.size, dtype=np.uint32)
    rounds = 0
    while u.size:
        first = filled(queue, vertices, NONE)
        launch(TEMPLATE, "first_edges", u.size, u, v, u.size, first)
        launch(TEMPLATE, "hook_trees", vertices, u, v, edge, first, hooks, vertices, spare, in_forest)
        hooks, spare = jumped(first, spare, hooks)
        u, v, edge = joining(u, v, edge, hooks)
        rounds += 1
    del u, v, edge
    roots, smallest, labels = empty(queue, vertices), filled(queue, vertices, NONE), empty(queue, vertices)
    launch(TEMPLATE, "find_roots", vertices, hooks, vertices, roots, smallest)
    launch(TEMPLATE, "gather", vertices, smallest, roots, vertices, labels)
    joined = int(cla.sum(in_forest, dtype=np.dtype(np.uint32)).get()) if starts.size else 0
    return SpanningForest(in_forest, labels, vertices - joined, rounds)


def jumped(first: cla.Array, hooks: cla.Array, spare: cla.Array) -> tuple[cla.Array, cla.Array]:
    """Return the hooks of trees that all lead to roots, and an array to spare."""
    while True:
        changed = one(hooks.queue)
        launch(TEMPLATE, "jump_hooks", hooks.size, first, hooks, hooks.size, spare, changed)
        hooks, spare = spare, hooks
        if not changed.get()[0]:
            return hooks, spare


def joining(u: cla.Array, v: cla.Array, edge: cla.Array, hooks: cla.Array) -> tuple[cla.Array, cla.Array, cla.Array]:
    """Return the edges that join two trees, between the roots of these."""
    new_u, new_v, kept = empty(u.queue, u.size), empty(u.queue, u.size), empty(u.queue, u.size, np.uint8)
    launch(TEMPLATE, "move_edges", u.size, u, v, hooks, u.size, new_u, new_v, kept)
    return order.compress(kept, new_u), order.compress(kept, new_v), order.compress(kept, edge)
