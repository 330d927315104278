"""How fast is a random Eulerian graph of 10 million vertices made, reversed, spanned by a tree and walked along?

Each vertex has 1 to 5 edges out, and as many in. The graph depends on the seed alone. All results are compared with
those of NumPy, SciPy and C on the host, which are timed beside them.
"""

from typing import Any

import numpy as np
import pyopencl as cl
from harness.common import Results, arguments, run

import clrng
from workloads.graphs import eulerian
from workloads.graphs.digraph import Digraph, starts_of
from workloads.graphs.euler import circuits, euler_circuit, faults, merged, paired, written
from workloads.graphs.hierholzer import euler_path
from workloads.graphs.measuring import Steps, load, require
from workloads.graphs.spanning_forest import SpanningForest, spanning_forest

VERTICES, MOST, ROUNDS = 10 * 2**20, 5, 3
QUICK = {"vertices": 10**4}
SEED = 2026

NUMPY, SCIPY, C = "NumPy, one core", "SciPy, one core", "C, one core"
BLOG_CPU, BLOG_GPU = "published, F#", "published, GPU"
BLOG_EDGES = 31_458_372
"""The edges of the graph of as many vertices that was published; its times are for that one."""

BLOG_MADE, BLOG_EDGES_GPU, BLOG_EDGES_CPU = 18.979, 1.523, 16.516


def scipy_matrix() -> Any:
    """Return a function that makes SciPy's sparse matrix of a graph."""
    from scipy.sparse import csr_array  # noqa: PLC0415  # which the results say where it is missing

    def matrix(ends: Any, offsets: Any, dtype: Any) -> Any:
        size = (offsets.size - 1,) * 2
        return csr_array((np.ones(ends.size, dtype), ends.astype(np.int32), offsets.astype(np.int32)), size)

    return matrix


def compare_making(steps: Steps, vertices: int, most: int) -> None:
    """Time NumPy on a graph of the same distribution."""
    rng = np.random.default_rng(SEED)

    def made() -> object:
        degrees = rng.integers(1, most, vertices, np.uint32, endpoint=True)
        offsets = np.concatenate([np.zeros(1, np.uint32), np.cumsum(degrees, dtype=np.uint32)])
        return offsets, rng.permutation(np.repeat(np.arange(vertices, dtype=np.uint32), degrees))

    steps.host("make", NUMPY, made)


def make(steps: Steps, queue: cl.CommandQueue, vertices: int, most: int) -> Digraph:
    """Make the graph, and time it."""
    bits = clrng.default_rng(SEED, queue).bit_generator

    def rng() -> clrng.Generator:
        return clrng.Generator(bits.copy(), queue)

    steps.device("make", lambda: eulerian.random_balanced(rng(), vertices, most))
    steps.published("make", BLOG_CPU, BLOG_MADE)
    compare_making(steps, vertices, most)
    return steps.device("make until it is connected", lambda: eulerian.random_eulerian(rng(), vertices, most))


def edges(steps: Steps, graph: Digraph, offsets: Any, ends: Any) -> None:
    """Find the edges, the degrees and the reverse graph; compare them with the host's."""
    starts = steps.device("edges", lambda: starts_of(graph.offsets, graph.edges))
    steps.published("edges", BLOG_GPU, BLOG_EDGES_GPU)
    steps.published("edges", BLOG_CPU, BLOG_EDGES_CPU)
    vertices = np.arange(graph.vertices, dtype=np.uint32)
    expected = steps.host("edges", NUMPY, lambda: np.repeat(vertices, np.diff(offsets)))
    require("each edge leaves the vertex of its row", holds=np.array_equal(starts.get(), expected))
    unbalanced = steps.device("degrees compared", graph.unbalanced)
    counts = steps.host("degrees compared", NUMPY, lambda: np.bincount(ends, minlength=graph.vertices))
    require("as many edges enter as leave, on the device", holds=unbalanced.size == 0)
    require("as many edges enter as leave, in NumPy", holds=np.array_equal(counts, np.diff(offsets)))
    turned = steps.device("reverse", graph.reverse)

    if (matrix := steps.host_tool(SCIPY, scipy_matrix)) is not None:
        rows = matrix(ends, offsets, np.int8)
        found = steps.host("reverse", SCIPY, rows.tocsc)
        require(
            "the offsets of the reverse graph are SciPy's", holds=np.array_equal(turned.offsets.get(), found.indptr)
        )
        require("the ends of the reverse graph are SciPy's", holds=np.array_equal(turned.ends.get(), found.indices))


def span(steps: Steps, graph: Digraph, offsets: Any, ends: Any) -> None:
    """Find the components and a spanning forest; compare them with the host's."""
    forest: SpanningForest = steps.device(
        "components, spanning tree", lambda: spanning_forest(graph.starts, graph.ends, graph.vertices)
    )
    chosen = np.flatnonzero(forest.in_forest.get())
    require("the graph is connected", holds=forest.components == 1 and not forest.labels.get().any())
    require("a tree has an edge less than vertices", holds=chosen.size == graph.vertices - 1)

    if (matrix := steps.host_tool(SCIPY, scipy_matrix)) is None:
        return
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  # which is there

    rows = matrix(ends, offsets, np.float64)
    count, _ = steps.host("components, spanning tree", SCIPY, lambda: connected_components(rows, directed=False))
    require("the graph is connected, in SciPy", holds=count == 1)
    tree = matrix(ends[chosen], np.searchsorted(chosen, offsets), np.float64)
    require("the tree connects all vertices, in SciPy", holds=connected_components(tree, directed=False)[0] == 1)


def walk(steps: Steps, graph: Digraph, offsets: Any, ends: Any) -> None:
    """Find an Euler circuit, step by step; check it on the device and on the host."""
    into = steps.device("circuit: edges paired", lambda: paired(graph))
    found = steps.device("circuit: circuits found", lambda: circuits(into))
    whole, count = steps.device("circuit: merged", lambda: merged(graph, found))
    path = steps.device("circuit: ranked", lambda: written(circuits(whole).ranks, 0), circuits=count)
    wrong = steps.device("circuit: checked", lambda: faults(graph, path, closed=True))
    require(f"{count} circuits became one Euler circuit, on the device", holds=wrong == 0)
    starts = np.repeat(np.arange(graph.vertices, dtype=np.uint32), np.diff(offsets))

    def follow(host_path: Any) -> bool:
        once = (np.bincount(host_path, minlength=host_path.size) == 1).all()
        return bool(once and (ends[host_path] == starts[np.roll(host_path, -1)]).all())

    require("it is an Euler circuit, in NumPy", holds=follow(path.get()))
    whole_again = steps.device("Euler circuit", lambda: euler_circuit(graph))
    require("it is the same circuit again", holds=np.array_equal(whole_again.get(), path.get()))
    if (hierholzer := steps.host_tool(C, euler_path)) is not None:
        reference = steps.host("Euler circuit", C, lambda: hierholzer(offsets, ends, 0))
        require("that of the host is one too", holds=follow(reference))


def main() -> None:
    """Measure, print and save."""
    sizes = {"vertices": VERTICES, "most": MOST}
    every = {name: {"type": int, "default": value} for name, value in sizes.items()}
    options = arguments(__doc__, rounds=ROUNDS, **every)
    if options.quick:
        vars(options).update(QUICK)
    queue = clrng.make_queue(options.device)
    about = {"vertices": options.vertices, "most": options.most, "rounds": options.rounds, "load": load()}
    warm_up(queue, options.most)
    results = Results(options, "euler_graph", queue, **about)
    steps = Steps(results, queue, options.rounds)
    graph = make(steps, queue, options.vertices, options.most)
    results.add("graph", {"vertices": graph.vertices, "edges": graph.edges, "published_edges": BLOG_EDGES})
    print(f"{graph.vertices} vertices, {graph.edges} edges")
    offsets, ends = graph.offsets.get(), graph.ends.get()
    edges(steps, graph, offsets, ends)
    span(steps, graph, offsets, ends)
    walk(steps, graph, offsets, ends)
    results.close()


def warm_up(queue: cl.CommandQueue, most: int) -> None:
    """Build all kernels, on a small graph."""
    graph = eulerian.random_eulerian(clrng.default_rng(SEED, queue), 10**4, most)
    graph.reverse()
    into, _ = merged(graph, circuits(paired(graph)))
    faults(graph, written(circuits(into).ranks, 0), closed=True)


if __name__ == "__main__":
    run(main)
