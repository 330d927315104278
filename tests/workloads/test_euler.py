"""Euler circuits and paths, followed edge by edge on the host; random Eulerian graphs."""

import hashlib
from itertools import pairwise

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workloads.graphs import euler, eulerian  # which is among the scripts
from workloads.graphs.digraph import Digraph

import clrng
from tests.conftest import make_queue


def follows(graph: Digraph, path: cla.Array, *, closed: bool) -> bool:
    """Say whether a path takes each edge once, and each from where the one before ended."""
    starts, ends, edges = graph.starts.get(), graph.ends.get(), path.get()
    steps = ends[edges] == np.roll(starts[edges], -1)
    return bool((np.sort(edges) == np.arange(graph.edges)).all() and (steps if closed else steps[:-1]).all())


@st.composite
def walks(draw: st.DrawFn) -> tuple[int, list[int]]:
    """Draw a number of vertices, and the vertices on a walk."""
    vertices = draw(st.integers(1, 12))
    return vertices, draw(st.lists(st.integers(0, vertices - 1), min_size=2, max_size=80))


@given(walks(), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_edges_of_a_closed_walk_have_an_euler_circuit(drawn: tuple[int, list[int]], random: object) -> None:
    vertices, walk = drawn
    edges = list(zip(walk, [*walk[1:], walk[0]], strict=True))
    random.shuffle(edges)  # type: ignore[attr-defined]
    graph = Digraph.from_edges(*np.array(edges).T, vertices=vertices, queue=make_queue(0))
    path = euler.euler_circuit(graph)
    assert follows(graph, path, closed=True)
    assert path.get()[0] == 0
    assert euler.faults(graph, path, closed=True) == 0
    last = graph.edges - 1
    assert euler.euler_circuit(graph, last).get()[0] == last


@given(walks(), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_edges_of_a_walk_have_an_euler_path(drawn: tuple[int, list[int]], random: object) -> None:
    vertices, walk = drawn
    edges = list(pairwise(walk))
    random.shuffle(edges)  # type: ignore[attr-defined]
    graph = Digraph.from_edges(*np.array(edges).T, vertices=vertices, queue=make_queue(0))
    path = euler.euler_path(graph)
    assert follows(graph, path, closed=False)
    assert euler.faults(graph, path, closed=False) == 0
    if walk[0] != walk[-1]:
        first, last = int(path.get()[0]), int(path.get()[-1])
        assert (graph.starts.get()[first], graph.ends.get()[last]) == (walk[0], walk[-1])


@pytest.mark.parametrize("kind", ["loops", "star", "two circuits", "triangles"])
def test_graphs_of_many_circuits(queue: cl.CommandQueue, kind: str) -> None:
    n = 1001
    v = np.arange(n)
    starts, ends = {
        "loops": (np.zeros(n, int), np.zeros(n, int)),
        "star": (np.r_[0 * v[1:], v[1:]], np.r_[v[1:], 0 * v[1:]]),
        "two circuits": (np.r_[v, v], np.r_[(v + 1) % n, (v + 1) % n]),
        "triangles": (np.r_[v, v, v], np.r_[(v + 1) % n, (v - 2) % n, (v + 1) % n]),
    }[kind]
    graph = Digraph.from_edges(starts, ends, n, queue)
    assert follows(graph, euler.euler_circuit(graph), closed=True)


def test_graphs_without_an_euler_circuit_are_refused() -> None:
    queue = make_queue(0)
    path = Digraph.from_edges([0, 1], [1, 2], 4, queue)
    with pytest.raises(ValueError, match="unlike vertex 0 with 0 in and 1 out and 1 others"):
        euler.euler_circuit(path)
    apart = Digraph.from_edges([0, 1, 2, 3], [1, 0, 3, 2], 4, queue)
    with pytest.raises(ValueError, match="in one component, not with 2 circuits in 2 components"):
        euler.euler_circuit(apart)
    with pytest.raises(ValueError, match="in one component"):
        euler.euler_path(apart)
    with pytest.raises(ValueError, match=r"not be otherwise at the vertices \[0, 1, 2, 3\]"):
        euler.euler_path(Digraph.from_edges([0, 2], [1, 3], 4, queue))
    with pytest.raises(ValueError, match=r"not be otherwise at the vertices \[0, 1\]"):
        euler.euler_path(Digraph.from_edges([0, 0], [1, 1], 4, queue))


@pytest.mark.parametrize(("first", "error"), [(-1, ValueError), (2, ValueError), (0.5, TypeError)])
def test_a_circuit_begins_with_an_edge_of_the_graph(first: int, error: type[Exception]) -> None:
    graph = Digraph.from_edges([0, 1], [1, 0], 2, make_queue(0))
    with pytest.raises(error, match=f"first must be an integer from 0 to 1, not {first}"):
        euler.euler_circuit(graph, first)


def test_a_graph_without_edges_has_an_empty_circuit() -> None:
    graph = Digraph.from_edges([], [], 3, make_queue(0))
    assert euler.euler_circuit(graph).shape == euler.euler_path(graph).shape == (0,)


def test_faults_are_counted() -> None:
    queue = make_queue(0)
    graph = Digraph.from_edges([0, 1, 2], [1, 2, 0], 3, queue)

    def counted(*path: int, closed: bool = True) -> int:
        return euler.faults(graph, cla.to_device(queue, np.array(path, np.uint32)), closed=closed)

    assert counted(1, 2, 0) == 0
    assert counted(1, 0, 2) == 3
    assert counted(1, 0, 2, closed=False) == 2
    assert counted(1, 1, 1) == 3 + 2
    with pytest.raises(ValueError, match="path must be 3 edges below 3, not 2"):
        counted(0, 1)
    with pytest.raises(ValueError, match="path must be 3 edges below 3, not 3 up to 3"):
        counted(0, 1, 3)


def test_random_eulerian_graphs_are_the_same_on_every_device(queue: cl.CommandQueue) -> None:
    graph = eulerian.random_eulerian(clrng.default_rng(1, queue), 2000, 5)
    path = euler.euler_circuit(graph)
    assert follows(graph, path, closed=True)
    words = b"".join(array.get().astype("<u4").tobytes() for array in (graph.offsets, graph.ends, path))
    assert hashlib.sha256(words).hexdigest()[:16] == DIGEST


DIGEST = "b9cfc2d91d3a80ad"
"""The beginning of the SHA-256 of the offsets, the ends and the circuit."""


@pytest.mark.parametrize(("vertices", "most"), [(1, 2), (2, 2), (3, 2), (8, 3), (40, 2)])
def test_random_eulerian_graphs_are_connected(vertices: int, most: int) -> None:
    rng = clrng.default_rng(7, make_queue(0))
    for _ in range(5):
        graph = eulerian.random_eulerian(rng, vertices, most)
        assert graph.out_degrees().get().min() >= 1
        assert graph.out_degrees().get().max() <= most
        assert follows(graph, euler.euler_circuit(graph), closed=True)


def test_out_degrees_are_uniform_and_ends_a_permutation() -> None:
    n, most = 50_000, 5
    graph = eulerian.random_balanced(clrng.default_rng(3, make_queue(0)), n, most)
    degrees = graph.out_degrees().get()
    counts = np.bincount(degrees, minlength=most + 1)
    assert counts[0] == 0
    assert counts.size == most + 1
    expected = n / most
    assert ((counts[1:] - expected) ** 2 / expected).sum() < 40  # chi-squared of 4 degrees of freedom: beyond 4e-8
    assert np.array_equal(np.sort(graph.ends.get()), graph.starts.get())
    loops, mean = int((graph.starts.get() == graph.ends.get()).sum()), (degrees.astype(float) ** 2).sum() / graph.edges
    assert abs(loops - mean) < 6 * mean**0.5


@pytest.mark.parametrize(
    ("vertices", "most", "error", "said"),
    [
        (0, 5, ValueError, "vertices must be an integer from 1 to 1073741824, not 0"),
        (10, 1, ValueError, "most must be an integer from 2 to 2147483648, not 1"),
        (10, 2.5, TypeError, "most must be an integer from 2 to 2147483648, not 2.5"),
        (2**30, 4, ValueError, "vertices times most must be at most 2147483648, not 4294967296"),
    ],
)
def test_bad_sizes_are_refused(vertices: int, most: int, error: type[Exception], said: str) -> None:
    rng = clrng.default_rng(1, make_queue(0))
    before = rng.bit_generator.copy()
    with pytest.raises(error, match=said):
        eulerian.random_eulerian(rng, vertices, most)
    assert rng.bit_generator == before


def test_networkx_agrees() -> None:
    networkx = pytest.importorskip("networkx")
    graph = eulerian.random_eulerian(clrng.default_rng(5, make_queue(0)), 300, 4)
    found = networkx.MultiDiGraph(list(zip(graph.starts.get().tolist(), graph.ends.get().tolist(), strict=True)))
    assert networkx.is_eulerian(found)
    assert networkx.is_strongly_connected(found)
    circuit = list(networkx.eulerian_circuit(found))
    assert len(circuit) == graph.edges
