"""Connected components and spanning forests on the device, by Boruvka's algorithm.

O. Boruvka, "O jistem problemu minimalnim", Prace Moravske prirodovedecke spolecnosti 3, 1926, 37-58.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyopencl.array as cla

from clrng import order
from workloads.graphs.launching import NONE, empty, filled, launch, numbers, one

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


class Edges(NamedTuple):
    """The edges that are left: the roots of the trees that they join, and their numbers in the graph.

    Attributes
    ----------
    u, v, edge : pyopencl.array.Array of uint32, shape (left,)
        Those that join a tree to itself do no harm.
    """

    u: cla.Array
    v: cla.Array
    edge: cla.Array


def spanning_forest(starts: cla.Array, ends: cla.Array, vertices: int) -> SpanningForest:
    """Return the first spanning forest of a graph, whatever the directions of its edges.

    Parameters
    ----------
    starts, ends : pyopencl.array.Array of uint32, shape (edges,)
        Below `vertices`.
    vertices : int

    Notes
    -----
    A round at least halves the number of trees that are not components. Edges inside a tree are dropped when
    they are half of all.
    """
    queue = starts.queue
    in_forest = filled(queue, starts.size, dtype=np.uint8)
    hooks, spare = numbers(queue, vertices), empty(queue, vertices)
    left = Edges(starts, ends, numbers(queue, starts.size))
    rounds = 0
    while left.edge.size:
        first = filled(queue, vertices, NONE)
        launch(TEMPLATE, "first_edges", left.edge.size, left.u, left.v, left.edge.size, first)
        launch(TEMPLATE, "hook_trees", vertices, *left, first, hooks, vertices, spare, in_forest)
        hooks, spare = jumped(first, spare, hooks)
        left = joining(left, hooks, in_place=rounds > 0)
        rounds += 1
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


def joining(edges: Edges, hooks: cla.Array, *, in_place: bool) -> Edges:
    """Return the edges between the roots of their trees: those that join two, maybe with others."""
    u, v, edge = edges
    queue, count = u.queue, u.size
    moved = (u, v) if in_place else (empty(queue, count), empty(queue, count))
    kept = empty(queue, count, np.uint8)
    launch(TEMPLATE, "move_edges", count, u, v, hooks, count, *moved, kept)
    places = order.flatnonzero(kept)
    if places.size > count // 2:
        return Edges(*moved, edge)
    found = Edges(*(empty(queue, places.size) for _ in Edges._fields))
    launch(TEMPLATE, "keep_edges", places.size, places, places.size, *moved, edge, *found)
    return found
