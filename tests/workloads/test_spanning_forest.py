"""Components against SciPy's, and the spanning forest against Kruskal's algorithm."""

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from scipy.sparse import coo_array, csgraph
from workloads.graphs.spanning_forest import spanning_forest  # which is among the scripts

from tests.conftest import make_queue
from tests.workloads.test_digraph import Edges, graphs


def kruskal(vertices: int, edges: Edges) -> list[int]:
    """Return 1 for each edge that joins two trees of those before it, else 0."""
    tree = list(range(vertices))
    found = []
    for start, end in zip(*edges, strict=True):
        a, b = tree[start], tree[end]
        found.append(int(a != b))
        if a != b:
            tree = [a if root == b else root for root in tree]
    return found


def smallest(vertices: int, edges: Edges) -> npt.NDArray[np.int64]:
    """Return of each vertex the smallest one of its component, by SciPy."""
    matrix = coo_array((np.ones(edges[0].size), edges), (vertices, vertices))
    count, labels = csgraph.connected_components(matrix, directed=False)
    first = np.full(count, vertices)
    np.minimum.at(first, labels, np.arange(vertices))
    return first[labels]


def check(queue: cl.CommandQueue, vertices: int, edges: Edges, chosen: list[int]) -> None:
    starts, ends = (cla.to_device(queue, np.asarray(array, np.uint32)) for array in edges)
    found = spanning_forest(starts, ends, vertices)
    labels = smallest(vertices, edges)
    assert found.in_forest.get().tolist() == chosen
    assert np.array_equal(found.labels.get(), labels)
    assert found.components == np.unique(labels).size


@given(graphs())
@settings(max_examples=40)
def test_the_forest_is_that_of_kruskal(drawn: tuple[int, Edges]) -> None:
    vertices, edges = drawn
    check(make_queue(0), vertices, edges, kruskal(vertices, edges))


@pytest.mark.parametrize("kind", ["path", "path backwards", "star", "matching", "loops", "cycle"])
def test_forests_of_graphs_of_one_kind(queue: cl.CommandQueue, kind: str) -> None:
    n = 3000
    v = np.arange(n - 1)
    edges, chosen = {
        "path": ((v, v + 1), [1] * (n - 1)),
        "path backwards": ((v[::-1], v[::-1] + 1), [1] * (n - 1)),
        "star": ((0 * v + 7, np.r_[0:7, 8:n]), [1] * (n - 1)),
        "matching": ((2 * np.arange(n // 2), 2 * np.arange(n // 2) + 1), [1] * (n // 2)),
        "loops": ((v, v), [0] * (n - 1)),
        "cycle": ((np.r_[v, n - 1], np.r_[v + 1, 0]), [1] * (n - 1) + [0]),
    }[kind]
    check(queue, n, edges, chosen)


def test_a_large_random_graph(queue: cl.CommandQueue) -> None:
    rng, n = np.random.default_rng(1), 20_000
    edges = np.divmod(rng.choice(n * n, n, replace=False), n)  # all differ: SciPy's matrices add up equal ones
    rows, columns = (each.astype(np.int32) for each in edges)  # as older versions of SciPy need them
    matrix = coo_array((1.0 + np.arange(n), (rows, columns)), (n, n))
    tree = csgraph.minimum_spanning_tree(matrix)
    chosen = np.zeros(n, int)
    chosen[tree.data.astype(int) - 1] = 1
    check(queue, n, edges, chosen.tolist())
